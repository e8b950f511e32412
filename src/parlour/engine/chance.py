"""Chance: dice and draws, the same numbers interpreted, compiled and on a GPU.

The generator is xoshiro128++: four lanes of 32 bits, each kept in an int64 and masked after every step, so that
Python's unbounded integers and the machine's wrapping ones agree. In rules, ``chance`` is an argument and is only
ever handed to ``roll`` and ``below``. Interpreted it is a ``Chance`` (or, in tests, a ``Script``); compiled it is
the four lanes themselves.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from parlour.engine.rule import rule

MASK = 0xFFFFFFFF
FOUR_WORDS = struct.Struct("<4I")
GAME_STREAM = 0
POLICY_STREAM = 1


class Draws(Protocol):
    """What a rule may ask of chance."""

    def below(self, n: int) -> int: ...

    def roll(self, sides: int) -> int: ...


def below(chance: Any, n: int) -> int:
    """A fair whole number from 0 to n − 1."""
    return int(chance.below(n))


def roll(chance: Any, sides: int = 6) -> int:
    """One fair die: a whole number from 1 to its number of sides."""
    return int(chance.roll(sides))


@rule
def next_word(lanes):
    """Step the generator: the next 32 random bits."""
    s0, s1, s2, s3 = lanes[0], lanes[1], lanes[2], lanes[3]
    total = (s0 + s3) & MASK
    word = (((total << 7) & MASK | total >> 25) + s0) & MASK
    s2 ^= s0
    s3 ^= s1
    lanes[1] = s1 ^ s2
    lanes[0] = s0 ^ s3
    lanes[2] = s2 ^ (s1 << 9) & MASK
    lanes[3] = (s3 << 11) & MASK | s3 >> 21
    return word


@rule
def draw_below(lanes, n):
    """Multiply and shift, and draw again in the rare case that would favour some numbers over others."""
    product = next_word(lanes) * n
    if product & MASK < n:
        uneven = (MASK + 1 - n) % n
        while product & MASK < uneven:
            product = next_word(lanes) * n
    return product >> 32


@rule
def mix(word):
    """Scramble 32 bits so that every bit of the input moves every bit of the output."""
    word = (word ^ word >> 16) * 0x85EBCA6B & MASK
    word = (word ^ word >> 13) * 0xC2B2AE35 & MASK
    return word ^ word >> 16


@rule
def seed_stream(lanes, words, number, stream):
    """Start the lanes of one of many games: number ``number`` under the seed whose four words are given.

    Each game of a simulation has streams of its own, so that its course depends on no other game and no core.
    """
    beyond = number >> 32
    hashed = mix(number & MASK ^ 0x9E3779B9)
    hashed = mix(hashed ^ beyond ^ stream << 24)
    beyond = beyond * 0x9E3779B1 & MASK  # once more: of the 32 bits so far alone, streams of many games would repeat
    for lane in range(4):
        for word in range(4):
            hashed = mix((hashed + 0x9E3779B9 & MASK) ^ words[word] ^ beyond)
        lanes[lane] = hashed
    lanes[0] |= 1  # the generator must not start from all zeros


def seed_words(seed: int) -> list[int]:
    """The four 32-bit words of any seed from 0 up."""
    return list(_first_words(f"parlour:{seed}"))


def _first_words(text: str) -> tuple[int, ...]:
    return FOUR_WORDS.unpack_from(hashlib.sha256(text.encode()).digest())


class Chance:
    """The generator as interpreted rules see it. ``draws`` counts how often it was asked."""

    __slots__ = ("_lanes", "_text", "draws")

    def __init__(self, lanes: Sequence[int] = (), text: str = "") -> None:
        """``text`` is what the lanes are to be hashed from, once they are asked for."""
        self._lanes = list(lanes)
        self._text = text
        self.draws = 0

    @property
    def lanes(self) -> list[int]:
        if not self._lanes:
            self._lanes = list(_first_words(self._text))
            self._lanes[0] |= 1
        return self._lanes

    @classmethod
    def at(cls, seed: int, ply: int) -> Chance:
        """The chance of one ply of a match (0 is the setup).

        Each ply starts anew from a hash of seed and ply: whoever has seen all dice so far still cannot compute the
        next, and a match can be taken up at any ply.
        """
        return cls(text=f"parlour:{seed}:{ply}")

    @classmethod
    def of_game(cls, seed: int, number: int, stream: int = GAME_STREAM) -> Chance:
        """The chance of game ``number`` in a simulation, as the compiled drivers start it."""
        chance = cls([0, 0, 0, 0])
        seed_stream(chance.lanes, seed_words(seed), number, stream)
        return chance

    def below(self, n: int) -> int:
        self.draws += 1
        return int(draw_below(self.lanes, n))

    def roll(self, sides: int) -> int:
        return self.below(sides) + 1


class Drawn(Exception):
    """Something was drawn where there is no chance."""


class NoChance:
    """Chance for whoever only wants to know whether it would be asked: then it raises ``Drawn``."""

    def below(self, n: int) -> int:
        raise Drawn

    def roll(self, sides: int) -> int:
        raise Drawn


class Script:
    """Chance that says what it is told, for tests: dice faces for ``roll``, numbers for ``below``, in order."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = list(values)
        self.draws = 0

    @property
    def left(self) -> list[int]:
        return self._values[self.draws :]

    def _next(self, low: int, high: int) -> int:
        if not self.left:
            raise AssertionError(f"the script of {self.draws} values is used up; asked for one in {low}..{high}")
        value = self.left[0]
        if not low <= value <= high:
            raise AssertionError(f"script value {self.draws} is {value}; asked for one in {low}..{high}")
        self.draws += 1
        return value

    def below(self, n: int) -> int:
        return self._next(0, n - 1)

    def roll(self, sides: int) -> int:
        return self._next(1, sides)
