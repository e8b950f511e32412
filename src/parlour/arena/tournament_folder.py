"""The folder of a tournament, written as it goes.

    OUT/tournament.json      what was announced
    OUT/results.jsonl        one line per finished match, only ever appended to
    OUT/replays/00000.json   the matches themselves
    OUT/models/00000-0.jsonl what a language model was asked in that match and seat, and what it answered
    OUT/report.html          written by ``parlour report``

A match is finished once its line is there. Lines go to the system one by one, so that a killed run loses none, and to
the disk in groups.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from parlour.arena.results import BROKEN, PlayedMatch, Result
from parlour.arena.tournament import Tournament
from parlour.engine.errors import BadTournament, NotWritten
from parlour.engine.files import read_file, sync_folder, write_whole

try:
    import fcntl
except ImportError:  # Windows has no such locks; there, nobody stops a second run
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
LAST_MOMENT = 253_402_300_800  # the year 10000, which dates cannot tell
GROUP_SECONDS = 1.0  # a power cut costs the matches of at most so long; they are played again
PLAN, RESULTS, REPLAYS, MODELS = "tournament.json", "results.jsonl", "replays", "models"
NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # a folder from elsewhere may hold links to files that are none of ours


class _PlanFormat(msgspec.Struct):
    parlour: int
    begun: float | None = None


class TournamentFolder:
    """The results of one tournament in its folder. One process writes; it holds a lock while it does."""

    def __init__(self, folder: Path, tournament: Tournament) -> None:
        self.folder = folder
        self.tournament = tournament
        self.results: dict[int, Result] = {}
        self._file = -1
        self._synced = time.monotonic()

    def __enter__(self) -> TournamentFolder:
        for name in (REPLAYS, RESULTS, MODELS):
            if (self.folder / name).is_symlink():
                raise BadTournament(f"{self.folder / name} is a link to another place: nothing was written")
        (self.folder / REPLAYS).mkdir(exist_ok=True)
        self._file = os.open(self.folder / RESULTS, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINK, 0o666)
        try:
            _lock(self._file, self.folder)
            sync_folder(self.folder)
            self._take_up()
        except BaseException:
            os.close(self._file)
            raise
        return self

    def _take_up(self) -> None:
        """Read what is there. What a killed run left of a line or of a replay goes: that match is played again."""
        for half in (self.folder / REPLAYS).glob(".*.json.*"):
            half.unlink()
        self.results, whole = read_results(self.folder, self.tournament)
        if whole < os.fstat(self._file).st_size:
            os.ftruncate(self._file, whole)
        elif whole > os.fstat(self._file).st_size:
            os.write(self._file, b"\n")  # the line was whole but for its end

    def __exit__(self, *reason: object) -> None:
        os.fsync(self._file)
        os.close(self._file)

    def add(self, played: PlayedMatch) -> None:
        """Keep a result, and the replay before it: whoever finds the line finds the file."""
        result, replay, _ = played
        if replay:
            write_whole(replay_file(self.folder, result.number), replay, follow_links=False)
        line = msgspec.json.encode(result) + b"\n"
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError as error:
            raise NotWritten(f"{self.folder / RESULTS} cannot be written: {error.strerror}") from error
        self.results[result.number] = result
        if time.monotonic() - self._synced > GROUP_SECONDS:
            os.fsync(self._file)
            self._synced = time.monotonic()


def _lock(file: int, folder: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise BadTournament(f"{folder} is being written by another run") from error


def replay_file(folder: Path, number: int) -> Path:
    return folder / REPLAYS / f"{number:05}.json"


def open_folder(folder: Path, tournament: Tournament) -> TournamentFolder:
    """The folder for a tournament: new, or its own from before. Anything else is refused and left as it is."""
    try:
        if (folder / PLAN).is_file():
            _check_same(folder, tournament, read_plan(folder))
        else:
            _begin(folder, tournament)
    except OSError as error:
        raise BadTournament(f"{folder} cannot be written: {error.strerror}") from error
    return TournamentFolder(folder, tournament)


def _begin(folder: Path, tournament: Tournament) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    left = [path for path in folder.iterdir() if not path.name.startswith(f".{PLAN}.")]
    if left:
        raise BadTournament(f"{folder} holds something else ({left[0].name}): nothing was written")
    held = {"parlour": FORMAT, "begun": int(time.time())} | tournament.to_json()
    content = json.dumps(held, ensure_ascii=False, indent=1) + "\n"
    write_whole(folder / PLAN, content, overwrite=False)


def _check_same(folder: Path, asked: Tournament, there: Tournament) -> None:
    if there.code != asked.code:
        by = f"Parlour {there.code}" if there.code else "an older Parlour"
        raise BadTournament(
            f"{folder} was begun with {by}, and this is {asked.code}: use another folder, as results do not mix"
        )
    changed = [bot for bot, digest in there.files.items() if asked.files.get(bot, digest) != digest]
    if changed:
        raise BadTournament(f"{changed[0]} has changed since {folder} was begun: use another folder for its results")
    mine, found = _facts(asked), _facts(there)
    for name in mine:
        if mine[name] != found[name]:
            held = f"its {name} is {_told(found[name])}, not {_told(mine[name])}"
            raise BadTournament(f"{folder} holds another tournament: {held}; nothing was written")


def _facts(tournament: Tournament) -> dict[str, object]:
    facts = {name: getattr(tournament, name) for name in tournament.__struct_fields__ if name != "limits"}
    return facts | {f"limit {name}": value for name, value in tournament.limits.to_json().items()}


def _told(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def read_plan(folder: Path) -> Tournament:
    """The tournament that a folder holds."""
    file = folder / PLAN
    try:
        content = read_file(file)
        format = msgspec.json.decode(content, type=_PlanFormat).parlour
        if format != FORMAT:
            raise BadTournament(f"{file} has format {format}; this Parlour reads {FORMAT}")
        return msgspec.json.decode(content, type=Tournament)
    except FileNotFoundError as error:
        raise BadTournament(f"{folder} holds no tournament: it has no {PLAN}") from error
    except OSError as error:
        raise BadTournament(f"{file} cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadTournament(f"{file} describes no tournament: {error}") from error


def read_begun(folder: Path) -> float | None:
    """When the tournament of a folder was begun, in seconds since 1970; None where that was not noted."""
    try:
        begun = msgspec.json.decode((folder / PLAN).read_bytes(), type=_PlanFormat).begun
    except (OSError, msgspec.MsgspecError):
        return None
    return begun if begun is not None and 0 <= begun < LAST_MOMENT else None


def read_results(folder: Path, tournament: Tournament) -> tuple[dict[int, Result], int]:
    """The finished matches, and how many bytes they take: a line without its end does not count, unless it is whole."""
    file = folder / RESULTS
    try:
        content = read_file(file)
    except FileNotFoundError:
        return {}, 0
    except OSError as error:
        raise BadTournament(f"{file} cannot be read: {error.strerror}") from error
    *lines, rest = content.split(b"\n")
    decoder = msgspec.json.Decoder(Result)
    results: dict[int, Result] = {}
    for number, line in enumerate(lines, 1):
        try:
            result = _read_line(decoder, line, tournament, results)
        except _NoResult as reason:
            raise BadTournament(f"{file}, line {number} is not a result of this tournament: {reason}") from None
        results[result.number] = result
    try:
        last = _read_line(decoder, rest, tournament, results)
    except _NoResult:
        return results, len(content) - len(rest)
    results[last.number] = last
    return results, len(content) + 1


class _NoResult(Exception):
    """Why a line is not a result of the tournament."""


def _read_line(
    decoder: msgspec.json.Decoder[Result], line: bytes, tournament: Tournament, before: dict[int, Result]
) -> Result:
    try:
        result = decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _NoResult(str(error)) from None
    wrong = f"match {result.number} is there twice" if result.number in before else _misfit(result, tournament)
    if wrong:
        raise _NoResult(wrong)
    return result


def _misfit(result: Result, tournament: Tournament) -> str | None:
    """What in a result cannot be of this tournament."""
    seats, bots = tournament.seats, len(tournament.bots)
    by_seat: dict[str, Sequence[float]] = {
        "scores": result.scores,
        "actions": result.actions,
        "seconds": result.seconds,
    }
    some = (0, seats) if result.ended == BROKEN else (seats,)
    uneven = [name for name, values in by_seat.items() if len(values) not in some]
    named = [*result.winners, *(fault.seat for fault in result.faults), *(use.seat for use in result.models)]
    if result.number >= tournament.matches:
        return f"there is no match {result.number}, of {tournament.matches}"
    if result.group != result.number // seats:
        return f"match {result.number} is not of group {result.group}"
    if len(set(result.bots)) != len(result.bots) or len(result.bots) != seats or max(result.bots) >= bots:
        return f"its bots are not {seats} of the {bots}"
    if uneven:
        return f"its {uneven[0]} are not one for each of {seats} seats"
    if any(seat >= seats for seat in named):
        return f"it names seat {max(named)}, of {seats}"
    if len(set(result.winners)) != len(result.winners):
        return "somebody has won it twice"
    return None
