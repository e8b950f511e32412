"""The folder of a tournament, written as it goes.

    OUT/tournament.json      what was announced
    OUT/results.jsonl        one line per finished match, only ever appended to
    OUT/replays/00000.json   the matches themselves
    OUT/report.html          written by ``parlour report``

A match is finished once its line is there. Lines go to the system one by one, so that a killed run loses none, and to
the disk in groups.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from parlour.arena import tournament as announcing
from parlour.arena.running import ENDINGS, Faults, Result
from parlour.arena.tournament import Tournament
from parlour.bots.faults import FAULTS
from parlour.engine.errors import BadTournament

try:
    import fcntl
except ImportError:  # Windows has no such locks; there, nobody stops a second run
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
GROUP_SECONDS = 1.0  # a power cut costs the matches of at most so long; they are played again
PLAN, RESULTS, REPLAYS = "tournament.json", "results.jsonl", "replays"


class Store:
    """The results of one tournament in its folder. One process writes; it holds a lock while it does."""

    def __init__(self, folder: Path, tournament: Tournament) -> None:
        self.folder = folder
        self.tournament = tournament
        self.results: dict[int, Result] = {}
        self._file = -1
        self._synced = time.monotonic()

    def __enter__(self) -> Store:
        (self.folder / REPLAYS).mkdir(exist_ok=True)
        self._file = os.open(self.folder / RESULTS, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            _lock(self._file, self.folder)
            self._take_up()
        except BaseException:
            os.close(self._file)
            raise
        return self

    def _take_up(self) -> None:
        """Read what is there. What a killed run left of a line is cut off: that match is played again."""
        self.results, whole = read_results(self.folder, self.tournament)
        if whole < os.fstat(self._file).st_size:
            os.ftruncate(self._file, whole)
        elif whole > os.fstat(self._file).st_size:
            os.write(self._file, b"\n")  # the line was whole but for its end

    def __exit__(self, *reason: object) -> None:
        os.fsync(self._file)
        os.close(self._file)

    def add(self, result: Result) -> None:
        """Keep a result, and the replay before it: whoever finds the line finds the file."""
        if result.replay:
            replay_file(self.folder, result.number).write_text(result.replay, "utf-8", newline="\n")
        line = json.dumps(result.to_json(), ensure_ascii=False).encode() + b"\n"
        while line:
            line = line[os.write(self._file, line) :]
        self.results[result.number] = replace(result, replay="")
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


def open_store(folder: Path, tournament: Tournament) -> Store:
    """The folder for a tournament: new, or its own from before. Anything else is refused and left as it is."""
    try:
        if (folder / PLAN).is_file():
            _check_same(folder, tournament, read_plan(folder))
        else:
            _begin(folder, tournament)
    except OSError as error:
        raise BadTournament(f"{folder} cannot be written: {error.strerror}") from error
    return Store(folder, tournament)


def _begin(folder: Path, tournament: Tournament) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    left = [path for path in folder.iterdir() if not path.name.startswith(f".{PLAN}.")]
    if left:
        raise BadTournament(f"{folder} holds something else ({left[0].name}): nothing was written")
    content = json.dumps({"parlour": FORMAT} | tournament.to_json(), ensure_ascii=False, indent=1) + "\n"
    handle, name = tempfile.mkstemp(dir=folder, prefix=f".{PLAN}.")
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    Path(name).chmod(0o644)
    Path(name).replace(folder / PLAN)


def _check_same(folder: Path, asked: Tournament, there: Tournament) -> None:
    changed = [bot for bot, digest in there.files.items() if asked.files.get(bot, digest) != digest]
    if changed:
        raise BadTournament(f"{changed[0]} has changed since {folder} was begun: use another folder for its results")
    for field in fields(Tournament):
        mine, found = getattr(asked, field.name), getattr(there, field.name)
        if mine != found:
            raise BadTournament(
                f"{folder} holds another tournament: its {field.name} is {_told(found)}, not {_told(mine)}; "
                "nothing was written"
            )


def _told(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def read_plan(folder: Path) -> Tournament:
    """The tournament that a folder holds."""
    try:
        content = json.loads((folder / PLAN).read_text("utf-8"))
        if content["parlour"] != FORMAT:
            raise BadTournament(f"{folder / PLAN} has format {content['parlour']!r}; this Parlour reads {FORMAT}")
        return announcing.of_json(content)
    except FileNotFoundError as error:
        raise BadTournament(f"{folder} holds no tournament: it has no {PLAN}") from error
    except OSError as error:
        raise BadTournament(f"{folder / PLAN} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadTournament(f"{folder / PLAN} describes no tournament: {error}") from error


def read_results(folder: Path, tournament: Tournament) -> tuple[dict[int, Result], int]:
    """The finished matches, and how many bytes they take: a line without its end does not count, unless it is whole."""
    try:
        content = (folder / RESULTS).read_bytes()
    except FileNotFoundError:
        return {}, 0
    except OSError as error:
        raise BadTournament(f"{folder / RESULTS} cannot be read: {error.strerror}") from error
    *lines, rest = content.split(b"\n")
    results: dict[int, Result] = {}
    for place, line in enumerate(lines, 1):
        result = _read_line(line, tournament)
        if result is None or result.number in results:
            why = "is no result" if result is None else f"repeats match {result.number}"
            raise BadTournament(f"{folder / RESULTS}, line {place} {why} of this tournament")
        results[result.number] = result
    last = _read_line(rest, tournament)
    if last is None or last.number in results:
        return results, len(content) - len(rest)
    results[last.number] = last
    return results, len(content) + 1


def _read_line(line: bytes, tournament: Tournament) -> Result | None:
    try:
        content = json.loads(line)
        content["faults"] = [Faults(**fault) for fault in content["faults"]]
        result = Result(**content)
        return result if _fits(result, tournament) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _fits(result: Result, tournament: Tournament) -> bool:
    """Whether the numbers in a line can be of this tournament."""
    seats = range(tournament.seats)
    by_seat: list[list[Any]] = [result.scores, result.actions, result.seconds]
    return (
        type(result.number) is int
        and 0 <= result.number < tournament.matches
        and result.group == result.number // tournament.seats
        and len(set(result.bots)) == len(result.bots) == len(seats)
        and all(bot in range(len(tournament.bots)) for bot in result.bots)
        and result.ended in ENDINGS
        and all(len(values) in (0, len(seats)) for values in by_seat)
        and all(isinstance(value, int | float) for values in by_seat for value in values)
        and all(seat in seats for seat in result.winners)
        and all(fault.seat in seats and fault.status in FAULTS and fault.count > 0 for fault in result.faults)
    )
