"""The board as bot files see it: two square arrays of ints, the owner of each square and its number of pieces.

``(0, 0)`` is top left; ``(i, j)`` is row and column. The edges are joined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.games.game17.notation.orders import BadOrders, check_orders, read_orders

__version__ = 1.0

STEPS = {"n": (-1, 0), "s": (1, 0), "e": (0, 1), "w": (0, -1)}
_STEPS = {way: np.array(step) for way, step in STEPS.items()}
PIECES = 4  # on every square at the beginning

Board = np.ndarray[Any, np.dtype[Any]]


def find_owned_pieces(owner: int, owners: Board, numbers: Board) -> Board:
    """One row (i, j, pieces) for each square of the owner that is not empty, row by row over the board."""
    rows, columns = ((owners == owner) & (numbers > 0)).nonzero()
    return np.array((rows, columns, numbers[rows, columns])).T


def create_board(board_size: int = 14) -> tuple[Board, Board]:
    """Owners 0 to board_size² − 1 on a square each, by chance, and four pieces on every square."""
    owners = np.random.permutation(board_size * board_size).reshape(board_size, board_size)
    return owners, np.full_like(owners, PIECES)


def destination(square: Any, direction: str, board_size: int) -> Board:
    """The neighbour of a square to the 'n', 's', 'e' or 'w', as an array (i, j)."""
    if type(square) is tuple:  # twice as fast, and bots ask this very often
        down, right = STEPS[direction]
        return np.array(((square[0] + down) % board_size, (square[1] + right) % board_size))
    place: Board = (square + _STEPS[direction]) % board_size
    return place


def update_board(owner: int, moves: Any, owners: Board, numbers: Board) -> None:
    """Carry out one turn on the two boards themselves.

    ``moves`` are (square, direction, count). If only one of them is illegal, nothing moves and the reason is printed.
    """
    size = owners.shape[0]
    outgoing, incoming = np.zeros_like(numbers), np.zeros_like(numbers)
    try:
        orders = read_orders(moves, size)
        check_orders(orders, owner, owners.ravel().tolist(), numbers.ravel().tolist(), size)
    except BadOrders as reason:
        print(f"player {owner} skipped: {reason}")
        return
    for way, count in orders:
        row, column = divmod(way // 4, size)
        outgoing[row, column] += count
        incoming[tuple(destination((row, column), "nsew"[way % 4], size))] += count
    numbers -= outgoing
    coin = np.random.random(owners.shape) < 0.5
    taken = (incoming > 0) & ((incoming > numbers) | ((incoming == numbers) & coin))
    numbers += incoming
    owners[taken] = owner


def print_board(
    owners: Board, numbers: Board, colours: dict[int, str] | None = None, print_numbers: bool = False
) -> None:
    """Print the board in colour. Without ``colours``: owners, on a background that is brighter with more pieces.

    With ``colours`` (names by player): numbers of pieces on the colour of their owner.
    """
    from game17.display import board_lines

    print("\n".join(board_lines(owners, numbers, colours, counts=print_numbers)))


def board_diff(before: Board, after: Board) -> Board:
    """What changed, as rows (i, j, value after)."""
    rows, columns = (after != before).nonzero()
    return np.column_stack((rows, columns, after[rows, columns]))


def apply_diff(before: Board, diff: Any) -> None:
    """Change a board by what ``board_diff`` found."""
    for row, column, after in diff:
        before[row, column] = after
