"""The Game of the Goose, compiled from its rules, beside the same rules written in C by hand (``goose.c``).

Both play the very same games, dice for dice; that is checked before anything is timed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.engine.report import Line
from benchmarks.engine.timing import in_turns, repeated

from parlour.engine import ParlourError, registry
from parlour.engine.chance import seed_words
from parlour.engine.compiled.drivers import PLIES, TURNS, WIN, drivers, workspace

SECTION = "Goose beside C"
FLAGS = ["-std=c11", "-O3", "-march=native", "-shared", "-fPIC"]
MAX_SEATS = 4
COMPARED = 10_000  # games that must agree before any are timed


@dataclass(frozen=True)
class Totals:
    """What both sides add up."""

    plies: int
    turns: int
    wins: list[int]
    by_order: list[int]
    scores: list[int]


class _Options(ctypes.Structure):
    _fields_ = (
        ("seats", ctypes.c_int),
        ("maze", ctypes.c_int),
        ("drink", ctypes.c_bool),
        ("stakes", ctypes.c_bool),
    )


class _Totals(ctypes.Structure):
    _fields_ = (
        ("plies", ctypes.c_int64),
        ("turns", ctypes.c_int64),
        ("wins", ctypes.c_int64 * MAX_SEATS),
        ("by_order", ctypes.c_int64 * MAX_SEATS),
        ("scores", ctypes.c_int64 * MAX_SEATS),
    )


Play = Callable[[int], Totals]


def compiler() -> str | None:
    """The C compiler, where there is one."""
    return shutil.which(os.environ.get("CC", "cc"))


def build(folder: Path, name: str = "goose") -> ctypes.CDLL:
    """Compile the C file of that name into that folder, and load it."""
    found = compiler()
    if found is None:
        raise ParlourError("there is no C compiler")
    library, source = folder / f"{name}.so", Path(__file__).parent / f"{name}.c"
    built = subprocess.run([found, *FLAGS, "-o", library, source], capture_output=True, text=True)
    if built.returncode:
        raise ParlourError(f"{found} does not compile {source.name}: {built.stderr.strip()}")
    return ctypes.CDLL(str(library))


def by_hand(library: ctypes.CDLL, seats: int, *, seed: int = 0, **options: int) -> Play:
    """Goose as C plays it."""
    settled = registry.get("goose").resolve_options(options)
    given = _Options(seats, settled["maze"], bool(settled["drink"]), bool(settled["stakes"]))
    words = (ctypes.c_uint32 * 4)(*seed_words(seed))
    rollout = library.goose_rollout
    rollout.argtypes = [ctypes.c_int64, ctypes.c_int64, type(words), ctypes.POINTER(_Options), ctypes.POINTER(_Totals)]
    rollout.restype = None

    def play(games: int) -> Totals:
        sums = _Totals()
        rollout(0, games, words, ctypes.byref(given), ctypes.byref(sums))
        per_seat = (list(sums.wins)[:seats], list(sums.by_order)[:seats], list(sums.scores)[:seats])
        return Totals(sums.plies, sums.turns, *per_seat)

    return play


def from_rules(seats: int, *, seed: int = 0, **options: int) -> Play:
    """Goose as its rules play it, compiled."""
    game = registry.get("goose")
    rollout = drivers(game).rollout
    opening = game.layout.rows(1)
    game.layout.write(game.blank(seats, **options), opening, 0)
    words = np.array(seed_words(seed), np.int64)

    def play(games: int) -> Totals:
        space = workspace(game, 1, seats)
        rollout(space.rows, opening, space.scratch, 0, games, words, *space.tallies)
        sums = space.tallies
        per_seat = (
            [int(value) for value in values] for values in (sums.wins // WIN, sums.by_order // WIN, sums.scores)
        )
        return Totals(int(sums.counts[PLIES]), int(sums.counts[TURNS]), *per_seat)

    return play


def measure(seconds: float) -> list[Line]:
    """Games per second of Parlour over games per second of C, four seats."""
    name = "Parlour / C, games per second"
    if compiler() is None:
        return [Line(SECTION, name, None, "×", at_least=0.8, note="there is no C compiler")]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        ours, theirs = from_rules(MAX_SEATS), by_hand(build(Path(folder)), MAX_SEATS)
        if ours(COMPARED) != theirs(COMPARED):
            raise ParlourError("goose.c and the rules of goose do not play the same games")
        ratio = in_turns(repeated(ours), repeated(theirs), seconds)
    return [
        Line(SECTION, "Parlour", ratio.ours, "games/s"),
        Line(SECTION, "C", ratio.theirs, "games/s"),
        Line(SECTION, name, ratio.times, "×", at_least=0.8, note="both played the very same games"),
    ]
