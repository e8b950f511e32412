"""Chance: fair, repeatable, and the same wherever it runs."""

from __future__ import annotations

import collections

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.engine.chance import GAME_STREAM, MASK, POLICY_STREAM, Chance, Script, below, mix, next_word, roll


def reference(lanes: list[int], count: int) -> list[int]:
    """xoshiro128++, written from its definition with 32-bit words."""

    def rotated(word: int, by: int) -> int:
        return (word << by | word >> 32 - by) % 2**32

    s = list(lanes)
    words = []
    for _ in range(count):
        words.append((rotated((s[0] + s[3]) % 2**32, 7) + s[0]) % 2**32)
        shifted = s[1] << 9 & 0xFFFFFFFF
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 11)
    return words


@given(st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4))
def test_the_generator_is_xoshiro128_plus_plus(lanes: list[int]) -> None:
    ours = list(lanes)
    assert [next_word(ours) for _ in range(20)] == reference(lanes, 20)
    assert all(0 <= lane < 2**32 for lane in ours)


def test_known_first_words() -> None:
    """From lanes 1, 2, 3, 4; worked out by hand from the definition for the first word."""
    lanes = [1, 2, 3, 4]
    assert next_word(lanes) == ((1 + 4) << 7) + 1 == 641


def test_below_is_fair() -> None:
    chance = Chance.at(1, 1)
    counts = collections.Counter(below(chance, 6) for _ in range(60_000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    # Chi-squared with 5 degrees of freedom: above 30 once in 70,000 seeds; this seed is fixed.
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 30


@given(st.integers(0, 2**128 - 1), st.integers(1, 2**31 - 1))
def test_below_stays_below(seed: int, n: int) -> None:
    chance = Chance.at(seed, 0)
    assert all(0 <= below(chance, n) < n for _ in range(5))


def test_roll_is_a_die() -> None:
    chance = Chance.at(2, 0)
    assert {roll(chance) for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert {roll(chance, 3) for _ in range(100)} == {1, 2, 3}


def test_draws_are_counted() -> None:
    chance = Chance.at(3, 0)
    roll(chance)
    below(chance, 2)
    assert chance.draws == 2


def test_every_ply_and_stream_starts_elsewhere() -> None:
    starts = {tuple(Chance.at(seed, ply).lanes) for seed in range(20) for ply in range(20)}
    starts |= {tuple(Chance.of_game(5, number, GAME_STREAM).lanes) for number in range(500)}
    starts |= {tuple(Chance.of_game(5, number, POLICY_STREAM).lanes) for number in range(500)}
    assert len(starts) == 400 + 1000


def unmixed(word: int) -> int:
    """The word that ``mix`` makes this one of."""
    word ^= word >> 16
    word = word * pow(0xC2B2AE35, -1, 2**32) & MASK
    word ^= word >> 13 ^ word >> 26
    word = word * pow(0x85EBCA6B, -1, 2**32) & MASK
    return word ^ word >> 16


@pytest.mark.parametrize("beyond", [1, 2, 232])  # 10**12 games end in the 233rd run of 2**32
def test_streams_do_not_repeat_beyond_32_bits(beyond: int) -> None:
    """The game that was given the lanes of game 0, as both came down to the same 32 bits."""
    start = 0x9E3779B9
    assert unmixed(mix(start)) == start
    number = beyond << 32 | unmixed(mix(start) ^ beyond) ^ start
    assert Chance.of_game(5, number).lanes != Chance.of_game(5, 0).lanes


def test_streams_are_what_they_always_were() -> None:
    """Results of simulations stay the same from version to version."""
    assert Chance.of_game(7, 3).lanes == [2574958417, 1466574922, 1300088312, 3243147808]
    last = Chance.of_game(7, 2**32 - 1, POLICY_STREAM)
    assert last.lanes == [3698134125, 710596944, 573259200, 1942896619]


def test_neighbouring_games_are_not_alike() -> None:
    """First dice of consecutive games: no face may be favoured by the way games are numbered."""
    counts = collections.Counter(roll(Chance.of_game(0, number)) for number in range(12_000))
    assert sum((count - 2_000) ** 2 / 2_000 for count in counts.values()) < 30


def test_a_script_says_what_it_is_told() -> None:
    script = Script([6, 0, 3])
    assert (roll(script), below(script, 1), roll(script, 3)) == (6, 0, 3)
    assert script.left == []


@pytest.mark.parametrize("value", [0, 7])
def test_a_script_refuses_a_face_the_die_does_not_have(value: int) -> None:
    with pytest.raises(AssertionError, match=r"asked for one in 1\.\.6"):
        roll(Script([value]))


def test_a_script_that_is_used_up_says_so() -> None:
    with pytest.raises(AssertionError, match="used up"):
        roll(Script([]))
