"""A judge and the file that holds it: a line that says what the file is, a line of JSON, and the weights, packed."""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from parlour.engine.errors import BadJudge
from parlour.engine.files import read_file, write_whole
from parlour.engine.foreign_json import read_json
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import ONE, WHOLE, Grid, Weights
from parlour.engine.judge.curve import STRAIGHT, Curve, chance_table, is_curve
from parlour.engine.judge.inputs import fingerprint, inputs
from parlour.engine.judge.quick import QuickJudge
from parlour.engine.secrets import refuse_secrets
from parlour.engine.state import State

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


class _About(msgspec.Struct):
    """The line of JSON in a judge's file."""

    game: str
    rules: Count
    features: str
    units: Annotated[int, msgspec.Meta(ge=1, le=MOST_UNITS)]
    record: dict[str, Any]  # a _Record with whatever else
    curve: list[int]


@dataclass(frozen=True, eq=False)
class Judge:
    """A judge of a game. ``record`` tells how it was made.

    It may have ``others`` beside it: judges of the same game for other numbers of seats.
    """

    game: Game
    hidden: NDArray[np.int16]
    bias: NDArray[np.int16]
    output: NDArray[np.int16]
    final: int
    record: Mapping[str, Any]
    curve: Curve = STRAIGHT
    others: tuple[Judge, ...] = ()

    def __post_init__(self) -> None:
        most = int(np.abs(self.output.astype(np.int64)).sum()) * ONE + abs(self.final)
        if most >= 2**31:
            raise BadJudge(f"a judge of {self.game.name}: its output weights are too large for 32 bits")

    @property
    def units(self) -> int:
        return len(self.bias)

    @property
    def seats(self) -> list[int]:
        """The numbers of seats that it, or one of the others beside it, was trained with."""
        return sorted({seats for judge in (self, *self.others) for seats in judge.record["seats"]})

    @property
    def has_dice(self) -> bool:
        """Whether chance had a part in any action that it was trained on."""
        return bool(self.record["dice"])

    @property
    def sees_dice(self) -> bool:
        """Whether what dice show can change what it says of the position after an action."""
        return bool(self.record.get("throws", 1) > 1)

    @cached_property
    def weights(self) -> Weights:
        """For compiled code."""
        columns: list[Any] = [np.array(column, np.int32) for column in inputs(self.game).columns]
        output, final = self.output.astype(np.int32), np.array([self.final], np.int32)
        return Weights(*[*columns, self.hidden, self.bias, output, final, np.array(chance_table(self.curve), np.int32)])

    @cached_property
    def plain(self) -> Weights:
        """For interpreted code."""
        columns = Weights(*(column.tolist() for column in self.weights))
        return columns._replace(hidden=Grid(columns.hidden))

    @cached_property
    def quick(self) -> QuickJudge:
        """For single positions."""
        return QuickJudge(self.game.observe, self.game.observation_size, self.weights)

    def chances(self, state: State) -> list[float]:
        """How likely each seat is to win, from 0 to 1, in a match that goes on."""
        return [chance / WHOLE for chance in self.at(state.seats).quick.chances(state)]

    def at(self, seats: int) -> Judge:
        """The judge for so many seats: itself, or else one of the others beside it."""
        for judge in (self, *self.others):
            if seats in judge.record["seats"]:
                return judge
        trained = " or ".join(map(str, self.seats))
        raise BadJudge(f"this judge of {self.game.name} was trained with {trained} seats, not with {seats}")

    def beside(self, others: Iterable[Judge]) -> Judge:
        """The same judge, with others that take over at numbers of seats that it does not know."""
        found = tuple(others)
        if any(judge.units != self.units for judge in found):
            raise BadJudge(f"the judges of {self.game.name} differ in their units: train them with the same number")
        return dataclasses.replace(self, others=found)

    def to_bytes(self) -> bytes:
        about = {
            "game": self.game.name,
            "rules": self.game.version,
            "features": fingerprint(self.game),
            "units": self.units,
            "curve": list(self.curve),
            "record": dict(self.record),
        }
        arrays = (self.hidden, self.bias, self.output, np.array([self.final]))
        kinds = ("<i2", "<i2", "<i2", "<i4")
        packed = zlib.compress(b"".join(a.astype(kind).tobytes() for a, kind in zip(arrays, kinds, strict=True)), 9)
        content = FIRST_LINE + json.dumps(about).encode() + b"\n" + packed
        if len(content) > LARGEST_FILE:
            raise BadJudge(
                f"a judge's file has at most 1 MiB, and this one would have {len(content):,}: use fewer units"
            )
        return content

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        write_whole(path, self.to_bytes())


def load(game: Game, path: Path) -> Judge:
    """The judge in a file, if it fits the game as it is now."""
    try:
        content = read_file(path, LARGEST_FILE)
    except OSError as error:
        raise BadJudge(f"{path} cannot be read: {error.strerror}") from error
    return from_bytes(game, content, str(path))


def from_bytes(game: Game, content: bytes, name: str) -> Judge:
    """The judge that a file's content holds."""
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
    rows, units = inputs(game).rows, about.units
    size = 2 * (rows * units + 2 * units) + 4
    try:
        raw = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        raise BadJudge(f"{name} is damaged: its weights cannot be unpacked") from error
    if len(raw) != size:
        raise BadJudge(f"{name} is damaged: it has not as many weights as it says")
    numbers = np.frombuffer(raw[:-4], "<i2").astype(np.int16)
    hidden, bias, output = np.split(numbers, [rows * units, rows * units + units])
    final = int.from_bytes(raw[-4:], "little", signed=True)
    return Judge(game, hidden.reshape(rows, units), bias, output, final, about.record, tuple(about.curve))


def _misfit(game: Game, name: str, what: str, found: object) -> str:
    if what == "the game":
        return f"{name} is a judge of {found}, not of {game.name}"
    if what == "version":
        return f"{name} judges version {found} of the rules of {game.name}, which is at {game.version}: train a new one"
    return f"{name} was trained on other features than {game.name} has now: train a new one"


def _parts(content: bytes, name: str) -> tuple[_About, bytes]:
    """The line of JSON, checked, and the packed weights."""
    if not content.startswith((FIRST_LINE, FIRST_LINE_BEFORE)) or len(content) > LARGEST_FILE:
        raise BadJudge(f"{name} is not a judge's file of this version of Parlour")
    line, _, packed = content[len(FIRST_LINE) :].partition(b"\n")
    try:
        told = read_json(line)
        if content.startswith(FIRST_LINE_BEFORE):
            told = {**told, "curve": list(STRAIGHT)}
        about = msgspec.convert(told, _About)
        msgspec.convert(about.record, _Record)
        whole = is_curve(about.curve)
    except (ValueError, TypeError):
        whole = False
    if not whole:
        raise BadJudge(f"{name} is damaged: its second line does not say what it holds")
    return about, packed
