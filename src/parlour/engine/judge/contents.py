"""What a judge's file holds: a line that says what it is, a line of JSON, and the weights, packed.

It is read and checked here, without NumPy: ``file`` makes a judge of it, ``plain`` one for where there is no NumPy.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from parlour.engine.errors import BadJudge
from parlour.engine.files import read_file
from parlour.engine.foreign_json import read_json
from parlour.engine.game import Game
from parlour.engine.judge.curve import STRAIGHT, is_curve
from parlour.engine.judge.inputs import fingerprint, inputs
from parlour.engine.secrets import refuse_secrets

FIRST_LINE = b"parlour judge 2\n"
FIRST_LINE_BEFORE = b"parlour judge 1\n"  # such files have no curve
LARGEST_FILE = 1 << 20
MOST_UNITS = 1024


Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Amount = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Score(msgspec.Struct):
    """How a judge fared against somebody while it was trained."""

    opponent: str
    score: Annotated[float, msgspec.Meta(ge=0, le=1)]


class Measured(msgspec.Struct):
    """What was measured after so many games."""

    games: Count
    scores: list[Score]


class _Corrected(msgspec.Struct):
    """Whether it has a curve, and how far off it was with one and without in matches that the curve was not made of."""

    kept: bool
    worst_with: Amount
    worst_without: Amount


class _Record(msgspec.Struct):
    """What is told of how a judge was made, as far as anybody asks."""

    seats: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=10_000)]], msgspec.Meta(min_length=1)]
    dice: bool
    options: dict[str, int]
    seed: int
    games: Count
    minutes: Amount
    loss: Amount
    strength: list[Measured]
    throws: Count = 1
    corrected: _Corrected | None = None


class About(msgspec.Struct):
    """The line of JSON in a judge's file."""

    game: str
    rules: Count
    features: str
    units: Annotated[int, msgspec.Meta(ge=1, le=MOST_UNITS)]
    record: dict[str, Any]  # a _Record with whatever else
    curve: list[int]


class Contents(NamedTuple):
    """What a file holds, once it is known to fit the game as it is now."""

    game: Game  # with what judges look at
    about: About
    weights: bytes  # whole numbers of 16 bits: those of the hidden layer, row by row; bias; output
    final: int


def read(game: Game, path: Path) -> Contents:
    """What the file holds, if it fits the game as it is now."""
    try:
        content = read_file(path, LARGEST_FILE)
    except OSError as error:
        raise BadJudge(f"{path} cannot be read: {error.strerror}") from error
    return unpack(game, content, str(path))


def unpack(game: Game, content: bytes, name: str) -> Contents:
    """What these bytes of a file hold."""
    refuse_secrets(game, "no judge can play it: judges look at all of a position")
    game = game.players.judged_game
    about, packed = _parts(content, name)
    for told, now, what in (
        (about.game, game.name, "the game"),
        (about.rules, game.version, "version"),
        (about.features, fingerprint(game), "features"),
    ):
        if told != now:
            raise BadJudge(_misfit(game, name, what, told))
    size = 2 * (inputs(game).rows * about.units + 2 * about.units) + 4
    try:
        raw = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        raise BadJudge(f"{name} is damaged: its weights cannot be unpacked") from error
    if len(raw) != size:
        raise BadJudge(f"{name} is damaged: it has not as many weights as it says")
    return Contents(game, about, raw[:-4], int.from_bytes(raw[-4:], "little", signed=True))


def _misfit(game: Game, name: str, what: str, found: object) -> str:
    if what == "the game":
        return f"{name} is a judge of {found}, not of {game.name}"
    if what == "version":
        return f"{name} judges version {found} of the rules of {game.name}, which is at {game.version}: train a new one"
    return f"{name} was trained on other features than {game.name} has now: train a new one"


def _parts(content: bytes, name: str) -> tuple[About, bytes]:
    """The line of JSON, checked, and the packed weights."""
    if not content.startswith((FIRST_LINE, FIRST_LINE_BEFORE)) or len(content) > LARGEST_FILE:
        raise BadJudge(f"{name} is not a judge's file of this version of Parlour")
    line, _, packed = content[len(FIRST_LINE) :].partition(b"\n")
    try:
        told = read_json(line)
        if content.startswith(FIRST_LINE_BEFORE):
            told = {**told, "curve": list(STRAIGHT)}
        about = msgspec.convert(told, About)
        msgspec.convert(about.record, _Record)
        whole = is_curve(about.curve)
    except (ValueError, TypeError):
        whole = False
    if not whole:
        raise BadJudge(f"{name} is damaged: its second line does not say what it holds")
    return about, packed
