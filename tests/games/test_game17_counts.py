"""game17 against a second, slower telling of its rules, against closed counts, and against the original's numbers."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game17_positions import picture, play, position, same
from parlour.engine import Chance, Script, State
from parlour.engine.compiled.drivers import drivers, workspace
from parlour.games.game17 import GAME, rules

# Orders of one turn, counted.


def sequences(state: State, depth: int) -> int:
    """How many ways there are to give that many orders, one after the other."""
    if depth == 0:
        return 1
    total = 0
    for action in GAME.legal_actions(state):
        if action != rules.END:
            after = state.copy()
            GAME.play(after, action, Script())
            total += sequences(after, depth - 1)
    return total


@pytest.mark.parametrize(("pieces", "depth"), [(4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (7, 2), (7, 3), (1, 1), (1, 2)])
def test_orders_from_one_square(pieces: int, depth: int) -> None:
    """n orders take n of the 4 directions, in any order, and positive counts with a sum of at most k: C(k, n)."""
    state = position(f"A{pieces} B1\nA0 B0")
    assert sequences(state, depth) == math.perm(4, depth) * math.comb(pieces, depth)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_orders_from_two_squares(depth: int) -> None:
    """Any of the orders may be of the first square: they can be shuffled into those of the second."""
    state = position("A3 A2\nB0 B1")

    def alone(pieces: int, orders: int) -> int:
        return math.perm(4, orders) * math.comb(pieces, orders)

    expected = sum(math.comb(depth, n) * alone(3, n) * alone(2, depth - n) for n in range(depth + 1))
    assert sequences(state, depth) == expected


def test_most_actions() -> None:
    """All pieces on one square is the most there is to choose from: four ways for each count, and the end."""
    state = GAME.blank(1, edge=24)
    state.pieces[5], state.seats_left = 4 * 576, 1
    assert len(GAME.legal_actions(state)) == GAME.max_actions
    assert GAME.legal_actions(state)[-1] < rules.GO < 2**31


# A turn, told a second time.


def settled(board: list[list[tuple[int, int]]], orders: list[tuple[int, int, str, int]], coin: int) -> Any:
    """The board after a turn of owner 0, with every coin falling the same way. Squares are (owner, pieces)."""
    edge = len(board)
    steps = {"n": (-1, 0), "s": (1, 0), "e": (0, 1), "w": (0, -1)}
    left, come = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for row, column, way, count in orders:
        left[row, column] += count
        come[(row + steps[way][0]) % edge, (column + steps[way][1]) % edge] += count
    after = []
    for row in range(edge):
        for column in range(edge):
            owner, pieces = board[row][column]
            pieces -= left[row, column]
            arrivals = come[row, column]
            if arrivals and owner != 0 and (arrivals > pieces or (arrivals == pieces and coin)):
                owner = 0
            after.append((owner, pieces + arrivals))
    return after


@st.composite
def turns(draw: st.DrawFn) -> tuple[list[list[tuple[int, int]]], list[tuple[int, int, str, int]]]:
    """A board of three owners, and legal orders for the first."""
    edge = draw(st.integers(2, 4))
    square = st.tuples(st.integers(0, 2), st.integers(0, 6))
    board = draw(st.lists(st.lists(square, min_size=edge, max_size=edge), min_size=edge, max_size=edge))
    board[0][0] = (0, draw(st.integers(1, 6)))
    board[1][1] = (1, draw(st.integers(1, 6)))
    orders = []
    for row in range(edge):
        for column in range(edge):
            owner, free = board[row][column]
            for way in "nsew":
                count = draw(st.integers(0, free)) if owner == 0 else 0
                free -= count
                if count:
                    orders.append((row, column, way, count))
    return board, orders


class Coin(Script):
    """Every coin falls the same way."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self.side = side

    def below(self, n: int) -> int:
        assert n == 2
        return self.side


@settings(max_examples=150, deadline=None)
@given(turns(), st.integers(0, 1))
def test_a_turn_is_as_told_twice(turn: Any, coin: int) -> None:
    board, orders = turn
    drawing = "\n".join(" ".join(f"{'ABC'[owner]}{pieces}" for owner, pieces in row) for row in board)
    state = position(drawing, seats=3)
    play(state, " ".join(f"{'ABCD'[column]}{row}{way}{count}" for row, column, way, count in orders))
    GAME.play(state, rules.END, Coin(coin))
    after = settled(board, orders, coin)
    assert same(state, " ".join(f"{'ABC'[owner]}{pieces}" for owner, pieces in after))
    holders = {owner for owner, pieces in after if pieces}
    assert bool(state.over) == (len(holders) == 1)


@pytest.mark.parametrize("seats", [0, 2, 9])
def test_counts_beside_the_board_stay_true(seats: int) -> None:
    """What is kept to save counting is what counting would find, through whole matches."""
    for seed in range(3):
        state = GAME.blank(seats, edge=3, rounds=6)
        chance, policy = Chance.of_game(seed, 0), Chance.of_game(seed, 1)
        GAME.open(state, chance)
        while not state.over:
            legal = GAME.legal_actions(state)
            GAME.play(state, legal[policy.below(len(legal))], chance)
            assert same(state, picture(state))
            assert rules.pieces_on_the_board(state) == 36


# All zombies, against what was measured of the original.


class Sample:
    """Many matches without a seat."""

    games = 1500

    def __init__(self) -> None:
        made, space = drivers(GAME), workspace(GAME, 1, 1)
        opening = GAME.layout.rows(1)
        GAME.layout.write(GAME.blank(0), opening, 0)
        self.turns, self.rounds, self.armed, self.owning, self.most, self.quarter = np.zeros((6, self.games))
        for number in range(self.games):
            space.chance[:] = Chance.of_game(17, number).lanes
            made.copy(space.rows, 0, opening, 0)
            made.setup(space.rows, 0, space.scratch)
            assert made.playout(space.rows, 0, space.scratch)
            end = space.rows[0]
            self.turns[number], self.rounds[number] = end["turns"], end["ply"]
            self.armed[number], self.most[number] = end["armed"], end["most"]
            self.owning[number] = np.count_nonzero(end["squares_of"])
            winner = np.argmax(end["squares_of"])
            self.quarter[number] = np.flatnonzero(end["turn_order"][:196] == winner)[0] // 49


@cache
def sample() -> Sample:
    return Sample()


def assert_like(values: Any, mean: float, games: int, rounding: float) -> None:
    """Two means of the same thing differ by less than four standard errors, and what rounding hides."""
    error = float(np.std(values)) * math.sqrt(1 / games + 1 / len(values))
    assert abs(float(np.mean(values)) - mean) < 4 * error + rounding, f"{np.mean(values)} and {mean} ± {error}"


def test_turns_are_as_many_as_in_the_original() -> None:
    assert_like(sample().turns, 873, 300, rounding=0.5)


def test_rounds_are_as_many_as_in_the_original() -> None:
    assert_like(sample().rounds, 49.96, 300, rounding=0.005)


def test_winners_are_as_large_as_in_the_original() -> None:
    assert_like(sample().most, 100, 300, rounding=5)


def test_as_many_are_left_as_in_the_original() -> None:
    """Hardly an owner without pieces keeps a square for long, so that both ways to count give 4.1."""
    assert_like(sample().armed, 4.1, 300, rounding=0.05)
    assert_like(sample().owning, 4.1, 300, rounding=0.05)
    assert 0 <= np.mean(sample().owning - sample().armed) < 0.15


@pytest.mark.parametrize(("quarter", "share"), [(0, 0.03), (1, 0.15), (2, 0.31), (3, 0.51)])
def test_late_in_the_order_of_turns_is_better(quarter: int, share: float) -> None:
    assert_like(sample().quarter == quarter, share, 400, rounding=0.005)
