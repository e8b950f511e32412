"""Whole turns at once, as programs hand them in."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np
import pytest

from clauses import clauses_of
from game17_positions import position, same
from parlour.engine import Match, ParlourError
from parlour.games.game17 import GAME
from parlour.games.game17.notation.orders import take_turn

clause = clauses_of("game17")

BOARD = "A4 B3 B0\nA0 B0 B0\nB0 B0 B1"


def match_at(drawing: str) -> Match:
    """A match that has come to this position, with Red to move."""
    match = Match(GAME, 2, seed=1, edge=3)
    match.state = position(drawing)
    match._legal = None
    return match


@clause(12, "Whoever hands in the orders of a whole turn at once")
@pytest.mark.parametrize(
    "orders",
    [
        [((0, 0), "e", 4)],
        [(0, "e", 4)],
        [[[0, 0], "e", 4]],
        (((0, 0), "e", 4),),
        [(np.array([0, 0]), np.str_("e"), np.int64(4))],
        [((np.int8(0), np.int64(0)), "e", np.uint8(4))],
        [(np.int64(0), "e", 4.0)],
        [(0, "e", np.float32(4))],
        {((0, 0), "e", 4)},
    ],
)
def test_a_turn_of_one_order(orders: Any) -> None:
    match = match_at(BOARD)
    assert take_turn(match, orders) is None
    assert same(match.state, "A0 A7 B0\nA0 B0 B0\nB0 B0 B1")
    assert match.to_move == 1
    assert [ply.text for ply in match.plies] == ["A0e4", "end"]


@clause(12, "Several orders for the same square and direction add up")
def test_orders_add_up() -> None:
    match = match_at(BOARD)
    assert take_turn(match, [(0, "e", 1), (0, "s", 1), ((0, 0), "e", 1)]) is None
    assert [ply.text for ply in match.plies] == ["A0s1", "A0e2", "end"]
    assert same(match.state, "A1 B5 B0\nA1 B0 B0\nB0 B0 B1")


@pytest.mark.parametrize("orders", [[], (), np.zeros((0, 3))])
def test_no_orders(orders: Any) -> None:
    match = match_at(BOARD)
    assert take_turn(match, orders) is None
    assert [ply.text for ply in match.plies] == ["end"]


ILLEGAL = [
    ([((0, 1), "e", 1)], "order 1 is illegal: (0, 1) is not a square of the seat to move"),
    ([(0, "e", 5)], "order 1 is illegal: 5 pieces ordered away from (0, 0), where 4 stand"),
    ([(0, "e", 3), (0, "s", 2)], "order 2 is illegal: 5 pieces ordered away from (0, 0), where 4 stand"),
    ([(0, "e", 3), (0, "e", 2)], "order 2 is illegal: 5 pieces ordered away from (0, 0), where 4 stand"),
    ([(3, "n", 1)], "order 1 is illegal: 1 piece ordered away from (1, 0), where 0 stand"),
    ([(0, "x", 1)], "order 1 is illegal: a direction is 'n', 's', 'e' or 'w', not 'x'"),
    ([(0, "", 1)], "order 1 is illegal: a direction is 'n', 's', 'e' or 'w', not ''"),
    ([(0, "ns", 1)], "order 1 is illegal: a direction is 'n', 's', 'e' or 'w', not 'ns'"),
    ([(0, "E", 1)], "order 1 is illegal: a direction is 'n', 's', 'e' or 'w', not 'E'"),
    ([(0, 2, 1)], "order 1 is illegal: a direction is 'n', 's', 'e' or 'w', not 2"),
    ([(0, "e", 0)], "order 1 is illegal: a count is a whole number from 1 up, not 0"),
    ([(0, "e", -4)], "order 1 is illegal: a count is a whole number from 1 up, not -4"),
    ([(0, "e", 1.5)], "order 1 is illegal: a count is a whole number from 1 up, not 1.5"),
    ([(0, "e", float("nan"))], "order 1 is illegal: a count is a whole number from 1 up, not nan"),
    ([(0, "e", float("inf"))], "order 1 is illegal: a count is a whole number from 1 up, not inf"),
    ([(0, "e", True)], "order 1 is illegal: a count is a whole number from 1 up, not True"),
    ([(0, "e", np.True_)], "order 1 is illegal: a count is a whole number from 1 up, not np.True_"),
    ([(0, "e", "1")], "order 1 is illegal: a count is a whole number from 1 up, not '1'"),
    ([(0, "e", None)], "order 1 is illegal: a count is a whole number from 1 up, not None"),
    ([(0, "e", 1j)], "order 1 is illegal: a count is a whole number from 1 up, not 1j"),
    ([(9, "e", 1)], "order 1 is illegal: 9 is not a square of a board with an edge of 3"),
    ([(-9, "e", 1)], "order 1 is illegal: -9 is not a square of a board with an edge of 3"),
    ([((0, -3), "e", 1)], "order 1 is illegal: (0, -3) is not a square of a board with an edge of 3"),
    ([((3, 0), "e", 1)], "order 1 is illegal: (3, 0) is not a square of a board with an edge of 3"),
    ([((0, 0, 0), "e", 1)], "order 1 is illegal: (0, 0, 0) is not a square of a board with an edge of 3"),
    ([((False, False), "e", 1)], "order 1 is illegal: (False, False) is not a square of a board with an edge of 3"),
    ([(repeat(0), "e", 1)], "order 1 is illegal: repeat(0) is not a square of a board with an edge of 3"),
    ([((0, 1.5), "e", 1)], "order 1 is illegal: (0, 1.5) is not a square of a board with an edge of 3"),
    ([(0, "e", "")], "order 1 is illegal: a count is a whole number from 1 up, not ''"),
    ([((-1, 0), "e", 1)], "order 1 is illegal: (-1, 0) is not a square of a board with an edge of 3"),
    ([("A1", "e", 1)], "order 1 is illegal: 'A1' is not a square of a board with an edge of 3"),
    ([(None, "e", 1)], "order 1 is illegal: None is not a square of a board with an edge of 3"),
    ([(0, "e", 1), (0, "e")], "order 2 is illegal: an order is (square, direction, count), not (0, 'e')"),
    ([None], "order 1 is illegal: an order is (square, direction, count), not None"),
    (["A0e1"], "order 1 is illegal: an order is (square, direction, count), not 'A0e1'"),
    (None, "a turn is a list of orders, not None"),
    (7, "a turn is a list of orders, not 7"),
]


@clause(12, "then the whole turn is forfeited. Nothing moves, and the reason is told")
@pytest.mark.parametrize(("orders", "reason"), ILLEGAL, ids=[reason for _, reason in ILLEGAL])
def test_an_illegal_order_forfeits_the_turn(orders: Any, reason: str) -> None:
    match = match_at(BOARD)
    assert take_turn(match, orders) == f"round 1: {reason}"
    assert same(match.state, BOARD)
    assert match.to_move == 1
    assert [ply.text for ply in match.plies] == ["end"]


@clause(12, "if only one of them names")
def test_legal_orders_beside_an_illegal_one_do_not_count() -> None:
    match = match_at(BOARD)
    assert (
        take_turn(match, [(0, "e", 4), (8, "n", 1)])
        == "round 1: order 2 is illegal: (2, 2) is not a square of the seat to move"
    )
    assert same(match.state, BOARD)


def test_a_generator_is_read_like_a_list() -> None:
    match = match_at(BOARD)
    assert take_turn(match, (order for order in [(0, "e", 1)])) is None
    assert [ply.text for ply in match.plies] == ["A0e1", "end"]


def test_orders_without_an_end_are_forfeited() -> None:
    assert take_turn(match_at(BOARD), repeat((0, "e", 1))) == "round 1: a turn has at most 16384 orders"


def test_what_cannot_be_shown_is_told_by_its_kind() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise ValueError

    assert take_turn(match_at(BOARD), Shy()) == "round 1: a turn is a list of orders, not a Shy"
    reason = take_turn(match_at(BOARD), ["A\n0" * 40])
    assert reason is not None
    assert len(reason) < 120
    assert "\n" not in reason


@clause(12, "Nothing moves, and the reason is told")
def test_the_reason_names_the_round_in_which_it_happened() -> None:
    match = match_at("A4 A0 A0\nA0 A0 A0\nA0 A0 B1")  # both have a turn in a round, Blue's comes second
    match.state.round = 6
    assert take_turn(match, []) is None
    reason = take_turn(match, [((2, 2), "n", 2)])
    assert reason == "round 7: order 1 is illegal: 2 pieces ordered away from (2, 2), where 1 stands"
    assert match.state.round == 7, "the round is over, and was not when the order was refused"


def test_a_turn_that_has_begun_is_not_taken_over() -> None:
    match = match_at(BOARD)
    match.play("A0e1")
    with pytest.raises(ParlourError, match="Red has begun this turn"):
        take_turn(match, [])


def test_nobody_to_move() -> None:
    with pytest.raises(ParlourError, match="no seat is left"):
        take_turn(Match(GAME, 0, seed=1), [])
    match = match_at("A1 B0 B0\nB0 B0 B0\nB0 B0 B1")
    match.state.over = 1
    with pytest.raises(ParlourError, match="the match is over"):
        take_turn(match, [])
