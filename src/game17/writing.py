"""A log as the text of a replay file, compiled: a game is some hundred thousand digits, and Python would take longer
to write them than to play the game.

    {"owners":[[..]],"numbers":[[..]],"diffs":[{"round":0,"owner":7,"owners":[[i,j,new]],"numbers":[[i,j,new]]}]}
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np

from game17.compiled import NUMBERS_END, OWNER, OWNERS_END, ROUND, TurnLog
from parlour.engine import rule
from parlour.engine.compiled.compiling import compiling
from parlour.games.game17 import GAME

OPEN, CLOSE, COMMA, ZERO = (ord(sign) for sign in "[],0")
PER_CHANGE = 24  # bytes at most: three numbers of up to four digits, and what stands between them
PER_TURN = 80


def _signs(text: str) -> Any:
    return np.frombuffer(text.encode(), np.uint8)


TURN_ROUND, TURN_OWNER = _signs('{"round":'), _signs(',"owner":')
TURN_OWNERS, TURN_NUMBERS, TURN_END = _signs(',"owners":'), _signs(',"numbers":'), _signs("},")


def diffs_json(log: TurnLog, size: int) -> str:
    """All turns of a log, as JSON."""
    turns, owners, numbers = log.used.tolist()
    out = np.empty(turns * PER_TURN + (owners + numbers) * PER_CHANGE + 2, np.uint8)
    used = writer()(log, size, out)
    text: str = out[:used].tobytes().decode("ascii")
    return f"[{text[:-1]}]"


@cache
def writer() -> Any:
    """Compiled now, or taken from the cache."""
    with compiling(GAME, "writing.make_writer", "replay writer"):
        write = make_writer()
        write(TurnLog.of(1, 1), 2, np.empty(1, np.uint8))
    return write


@rule
def put(out: Any, at: int, signs: Any) -> int:
    for place in range(len(signs)):
        out[at + place] = signs[place]
    return at + len(signs)


@rule
def put_number(out: Any, at: int, number: int) -> int:
    size = 1
    while number >= 10**size:
        size += 1
    for place in range(size - 1, -1, -1):
        out[at + place] = ZERO + number % 10
        number //= 10
    return at + size


@rule
def put_changes(out: Any, at: int, changes: Any, first: int, end: int, size: int) -> int:
    out[at] = OPEN
    at += 1
    for change in range(first, end):
        out[at] = OPEN
        at = put_number(out, at + 1, changes[change, 0] // size)
        out[at] = COMMA
        at = put_number(out, at + 1, changes[change, 0] % size)
        out[at] = COMMA
        at = put_number(out, at + 1, changes[change, 1])
        out[at] = CLOSE
        out[at + 1] = COMMA
        at += 2
    at -= 1 if end > first else 0
    out[at] = CLOSE
    return at + 1


def make_writer() -> Any:
    @numba.njit(cache=True, nogil=True)
    def write(log: Any, size: int, out: Any) -> int:
        at = first_owner = first_number = 0
        for place in range(log.used[0]):
            turn = log.turns[place]
            at = put_number(out, put(out, at, TURN_ROUND), turn[ROUND])
            at = put_number(out, put(out, at, TURN_OWNER), turn[OWNER])
            at = put(out, at, TURN_OWNERS)
            at = put_changes(out, at, log.owners, first_owner, turn[OWNERS_END], size)
            at = put(out, at, TURN_NUMBERS)
            at = put_changes(out, at, log.numbers, first_number, turn[NUMBERS_END], size)
            at = put(out, at, TURN_END)
            first_owner, first_number = turn[OWNERS_END], turn[NUMBERS_END]
        return at

    return write
