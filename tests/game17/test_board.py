"""The board functions that bot files import: the shapes they have in the public program, and its holes closed."""

from __future__ import annotations

import numpy as np
import pytest

import game17
from game17 import game17 as board
from parlour.games.game17.notation.orders import BadOrders, read_orders

OWNERS = np.array([[1, 1, 2], [3, 2, 2], [1, 3, 3]])
NUMBERS = np.array([[4, 0, 5], [1, 2, 0], [7, 3, 9]])


def boards() -> tuple[board.Board, board.Board]:
    return OWNERS.copy(), NUMBERS.copy()


def test_owned_pieces_are_rows_of_i_j_and_number_without_empty_squares() -> None:
    found = game17.find_owned_pieces(1, OWNERS, NUMBERS)
    assert found.tolist() == [[0, 0, 4], [2, 0, 7]]
    assert game17.find_owned_pieces(9, OWNERS, NUMBERS).shape == (0, 3)


@pytest.mark.parametrize("kind", [np.array, tuple, list])
def test_destination_is_an_array_and_wraps(kind: type) -> None:
    corner = kind([0, 0])
    found = {way: game17.destination(corner, way, 5) for way in "nsew"}
    assert all(isinstance(place, np.ndarray) for place in found.values())
    assert {way: place.tolist() for way, place in found.items()} == {"n": [4, 0], "s": [1, 0], "e": [0, 1], "w": [0, 4]}


def test_a_new_board_has_every_owner_once_and_four_pieces_everywhere() -> None:
    owners, numbers = game17.create_board(5)
    assert sorted(owners.ravel().tolist()) == list(range(25))
    assert owners.shape == numbers.shape == (5, 5)
    assert (numbers == 4).all()
    assert owners.dtype == numbers.dtype == np.int64
    assert game17.create_board()[0].shape == (14, 14)


def test_update_moves_joins_takes_and_loses() -> None:
    owners, numbers = boards()
    moves = [(np.array([0, 0]), "e", 2), ((0, 0), "w", 1), ([2, 0], "n", 1), ((2, 0), "n", 1)]
    game17.update_board(1, moves, owners, numbers)
    assert owners.tolist() == [[1, 1, 2], [1, 2, 2], [1, 3, 3]], "two take (1, 0); one is lost at (0, 2)"
    assert numbers.tolist() == [[1, 2, 6], [3, 2, 0], [5, 3, 9]]


def test_a_tie_is_a_coin_toss() -> None:
    taken = 0
    for _ in range(300):
        owners, numbers = boards()
        game17.update_board(1, [((0, 0), "s", 1)], owners, numbers)
        taken += owners[1, 0] == 1
    assert 100 < taken < 200


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ([((0, 0), "n", -5), ((0, 0), "s", 9)], "order 1 is illegal: a count is a whole number from 1 up, not -5"),
        ([((0, 0), "s", 5)], "5 pieces ordered away from (0, 0), where 4 stand"),
        ([((0, 0), "s", 3), ((0, 0), "n", 2)], "order 2 is illegal: 5 pieces ordered away"),
        ([((0, 2), "s", 1)], "(0, 2) is not a square of the seat to move"),
        ([((3, 0), "s", 1)], "not a square"),
        ([((-1, 0), "s", 1)], "not a square"),
        ([((0, 0), "x", 1)], "a direction is"),
        ([((0, 0), "s", 1), 7], "order 2 is illegal: an order is (square, direction, count), not 7"),
        ([((0, 0), "s", 1.5)], "a count is"),
        ([((0, 0), "s", 0)], "a count is"),
        (None, "a turn is a list of orders, not None"),
    ],
)
def test_one_illegal_move_and_nothing_moves(moves: object, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    owners, numbers = boards()
    game17.update_board(1, moves, owners, numbers)
    assert owners.tolist() == OWNERS.tolist()
    assert numbers.tolist() == NUMBERS.tolist()
    said = capsys.readouterr().out
    assert said.startswith("player 1 skipped: ")
    assert reason in said


def test_numbers_of_all_kinds_are_numbers() -> None:
    moves = [(np.array([2, 0]), "e", np.int64(2)), ((2, 0), "w", 1.0), ([np.int16(0), 1], "n", np.float64(3))]
    assert read_orders(moves, 3) == [(6 * 4 + 2, 2), (6 * 4 + 3, 1), (1 * 4, 3)]


def test_endless_moves_are_refused() -> None:
    def endless() -> object:
        while True:
            yield (0, 0), "n", 1

    with pytest.raises(BadOrders, match="at most"):
        read_orders(endless(), 3)


def test_a_difference_applied_is_the_board_after() -> None:
    after = NUMBERS.copy()
    after[1, 2], after[2, 0] = 8, 0
    diff = board.board_diff(NUMBERS, after)
    assert diff.tolist() == [[1, 2, 8], [2, 0, 0]]
    before = NUMBERS.copy()
    board.apply_diff(before, diff)
    assert before.tolist() == after.tolist()
    assert board.board_diff(after, after).shape == (0, 3)


def test_the_board_is_printed_with_owners_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    board.print_board(OWNERS, NUMBERS, print_numbers=True)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert lines[1] == "  4  0  5"
    board.print_board(OWNERS, NUMBERS, {1: "tomato"})
    assert "\x1b[48;2;255;99;71m" in capsys.readouterr().out
