"""Replays: a match as one JSON file. The format is described in docs/replays.md."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec

from parlour.engine import fair, registry
from parlour.engine.errors import BadReplay, BadSeats, IllegalAction, OtherRules, ParlourError, first_line
from parlour.engine.files import read_file, write_whole
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.opening import LONGEST, draw_opening
from parlour.engine.printable import one_line
from parlour.engine.sources import rules_hash

FORMAT = 1
MAX_BYTES = 64 * 2**20


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match stands: what a replay claims, and what ``verify`` compares."""

    over: bool
    scores: list[int]
    winners: list[int]
    state: str  # a hash of the last position

    @classmethod
    def of(cls, match: Match) -> Claim:
        """How it stands by the rules: an early end is told beside it."""
        state, game = match.state, match.game
        winners, digest = game.winners(state), hashlib.sha256(state.pack()).hexdigest()
        return cls(bool(state.over), match.scores, winners, digest)


class EarlyEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended, where it was not by the rules."""

    reason: str
    winners: list[int]


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a replay file, its form checked but its actions not yet played."""

    parlour: int  # the format
    game: str
    rules: int
    options: dict[str, int]
    seats: int
    names: list[str]
    seed: int
    actions: list[int]
    result: Claim | None = None  # nothing, where the rules are gone by which it could be told
    # Where a server kept the match:
    dice: fair.DiceProof | None = None
    ended: EarlyEnd | None = None
    # Where it was a row of a batch: the number of its match there.
    stream: int | None = None
    # Where bots played: how many of the first actions were drawn by lot.
    drawn: int = 0
    # Tells the rules by which it began from others of the same version: see ``parlour.engine.sources``.
    rules_hash: str = ""
    # Where several seats choose at once, and some have: whose the last actions are.
    sealed: list[int] = []

    def __post_init__(self) -> None:
        if len(self.names) != self.seats:
            raise ValueError(f"{self.seats} seats but {len(self.names)} names")
        if self.result is None and self.dice is None:
            raise ValueError("only the replay of a server may lack its result")
        if self.ended is not None and not all(0 <= seat < self.seats for seat in self.ended.winners):
            raise ValueError(f"{self.ended.winners} have won of {self.seats} seats, counted from 0")
        if not 0 <= self.drawn <= min(LONGEST, len(self.actions)):
            raise ValueError(f"{self.drawn} of {len(self.actions)} actions were drawn by lot")
        if len(set(self.sealed)) != len(self.sealed) or len(self.sealed) > len(self.actions):
            raise ValueError(f"{self.sealed} are not the seats of the last of {len(self.actions)} actions")


class _Format(msgspec.Struct):
    """What tells a replay from other files, and one format from another."""

    parlour: int


def dumps(match: Match, *, dice: fair.DiceProof | None = None, ended: EarlyEnd | None = None) -> str:
    """The replay as text: one key a line, the same bytes for the same match.

    Of a match that was loaded from a replay and not played on, it has what that one had.
    """
    game, claim = match.game, Claim.of(match)
    content = Replay(
        FORMAT,
        game.name,
        game.version,
        match.options,
        match.seats,
        match.names,
        match.seed,
        match.actions,
        claim,
        dice or match.dice,
        ended or match.ended,
        match.stream,
        match.drawn,
        rules_hash(game) if match.rules_hash is None else match.rules_hash,
        [ply.seat for ply in match.plies[len(match.plies) - len(match.chosen) :]],
    )
    return text_of(content)


def text_of(content: Replay) -> str:
    """The content of a replay as text."""
    lines = (
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in msgspec.to_builtins(content).items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def save(match: Match, path: str | Path, *, overwrite: bool = False) -> None:
    """Write the replay, whole or not at all. A file that is there already is kept unless told otherwise."""
    write_whole(path, dumps(match), overwrite=overwrite)


def read(path: str | Path) -> Replay:
    """The content of a replay file."""
    try:
        content = read_file(path, MAX_BYTES)
    except OSError as error:
        raise BadReplay(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > MAX_BYTES:
        raise BadReplay(f"{path} is not a replay: it is larger than {MAX_BYTES >> 20} MiB")
    return loads(content, str(path))


def loads(text: str | bytes, source: str = "the text") -> Replay:
    """Like ``read``, from text, or from its bytes in UTF-8."""
    try:
        text = text if isinstance(text, str) else text.decode()
        found = msgspec.json.decode(text, type=_Format).parlour
    except UnicodeDecodeError as error:
        raise BadReplay(f"{source} is not a replay: it is not text in UTF-8") from error
    except msgspec.ValidationError as error:
        raise BadReplay(f"{source} is not a replay: expected a JSON object with the key 'parlour'") from error
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadReplay(f"{source} is not a replay: it is not JSON ({first_line(error)})") from error
    if found != FORMAT:
        raise OtherRules(f"{source} has replay format {found}; this Parlour reads format {FORMAT}")
    try:
        return msgspec.json.decode(text, type=Replay)
    except msgspec.ValidationError as error:
        raise BadReplay(f"{source} is not a complete replay: {one_line(str(error), 200)}") from error


def start(content: Replay, source: str = "the replay", *, game: Game | None = None) -> Match:
    """The match of a replay, before its first action; of the game of that name, unless one is given."""
    game = game or registry.get(content.game)
    if content.rules != game.version:
        age = "newer" if content.rules > game.version else "older"
        raise OtherRules(
            f"{source} was played by {age} rules of {game.name}: "
            f"version {content.rules}, where this Parlour has version {game.version}"
        )
    try:
        options = game.resolve_options(content.options)  # names from a file, never those of other arguments
        match = Match(game, content.seats, content.seed, names=content.names, stream=content.stream, **options)
    except ParlourError as error:
        raise BadReplay(f"{source} cannot be played: {error}") from error
    match.rules_hash = content.rules_hash
    return match


def run(content: Replay, source: str = "the replay", *, until: int | None = None, game: Game | None = None) -> Match:
    """The match of a replay, with all its actions played (or those before a ply)."""
    match = start(content, source, game=game)
    in_turn = len(content.actions) - len(content.sealed)
    for number, action in enumerate(content.actions[:until]):
        try:
            match.play(action, content.sealed[number - in_turn] if number >= in_turn else None)
        except (IllegalAction, BadSeats) as error:
            raise BadReplay(f"{source} cannot be played: at ply {number}, {error}") from error
    match.drawn = min(content.drawn, len(match.plies))
    is_over = content.ended is not None or (content.result is not None and content.result.over)
    match.is_revealed = is_over and match.game.has_secrets
    if until is None:
        match = match if content.ended is None else match.settled(content.ended.winners)
        match.ended, match.dice = content.ended, content.dice
    return match


def load(path: str | Path) -> Match:
    """The match saved in a file, as it stood."""
    return run(read(path), str(path))


def verify(path: str | Path) -> list[str]:
    """Play a saved match again; returns what its result claims falsely (nothing: the result is true)."""
    return doubts(read(path), str(path))


def doubts(content: Replay, source: str = "the replay", *, played: Match | None = None) -> list[str]:
    """Like ``verify``, of a replay that was read already, and perhaps played, too.

    Where it claims no result, only its dice can be false.
    """
    truth = msgspec.structs.asdict(Claim.of(run(content, source) if played is None else played))
    claimed = truth if content.result is None else msgspec.structs.asdict(content.result)
    unproved = fair.doubts(content.dice, content.seats, content.seed) if content.dice is not None else []
    return (
        unproved
        + _undrawn(content, source)
        + [
            f"{key}: the file says {claimed[key]!r}, the actions give {value!r}"
            for key, value in truth.items()
            if claimed[key] != value
        ]
    )


def _undrawn(content: Replay, source: str) -> list[str]:
    """What is false about the plies that are said to be drawn by lot."""
    if not content.drawn:
        return []
    match = start(content, source)
    draw_opening(match, content.drawn)
    if match.actions == content.actions[: content.drawn]:
        return []
    return [f"drawn: the first {content.drawn} plies are not those that the seed draws"]
