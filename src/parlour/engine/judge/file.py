"""A judge and its file: see ``contents`` for what is in it."""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.errors import BadJudge
from parlour.engine.files import write_whole
from parlour.engine.game import Game
from parlour.engine.judge import contents
from parlour.engine.judge.arithmetic import ONE, WHOLE, Grid, Weights
from parlour.engine.judge.contents import FIRST_LINE, LARGEST_FILE, Contents
from parlour.engine.judge.curve import STRAIGHT, Curve, chance_table
from parlour.engine.judge.inputs import fingerprint, inputs
from parlour.engine.judge.quick import QuickJudge
from parlour.engine.state import State


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
    return _judge_of(contents.read(game, path))


def from_bytes(game: Game, content: bytes, name: str) -> Judge:
    """The judge that a file's content holds."""
    return _judge_of(contents.unpack(game, content, name))


def _judge_of(found: Contents) -> Judge:
    game, about, weights, final = found
    rows, units = inputs(game).rows, about.units
    numbers = np.frombuffer(weights, "<i2").astype(np.int16)
    hidden, bias, output = np.split(numbers, [rows * units, rows * units + units])
    return Judge(game, hidden.reshape(rows, units), bias, output, final, about.record, tuple(about.curve))
