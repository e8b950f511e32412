"""A whole turn at once: what programs hand in, read and checked as clause 12 says.

``read_orders`` looks at the form, ``check_orders`` at the board. All orders of programs go through both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from operator import index
from typing import Any

from parlour.engine import Match, ParlourError
from parlour.games.game17.rules import END, GO, order_action
from parlour.games.game17.state.names import counted
from parlour.games.game17.state.squares import DIRECTIONS

MOST_ORDERS = 1 << 14
DIRECTION_OF = {letter: direction for direction, letter in enumerate(DIRECTIONS)}

Way = int  # square * 4 + direction
Orders = list[tuple[Way, int]]  # where pieces go, and how many


class BadOrders(Exception):
    """Why the orders of a turn are forfeited."""


def take_turn(match: Match, orders: Any) -> str | None:
    """Clause 12: play all orders of the seat to move, and end its turn.

    If any order is illegal, nothing moves, the turn is over, and the round and the reason come back as a sentence.
    """
    if match.over or GO in match.legal():
        raise ParlourError("nobody has a turn to take: " + ("the match is over" if match.over else "no seat is left"))
    if any(match.state.leaving):
        raise ParlourError(f"{match.name(match.to_move)} has begun this turn: orders have already been given")
    state = match.state
    try:
        read = read_orders(orders, state.edge)
        check_orders(read, state.to_move, state.owner, state.pieces, state.edge)
    except BadOrders as reason:
        match.play(END)
        return f"round {state.round + 1}: {reason}"
    for way, pieces in sorted(_added_up(read).items()):
        match.play(order_action(*divmod(way, 4), pieces))
    match.play(END)
    return None


def read_orders(orders: Any, edge: int) -> Orders:
    """The orders of a turn, each (square, 'n' | 's' | 'e' | 'w', count), on a board of that edge.

    A square is (row, column) or row * edge + column, both from 0. BadOrders: one of them is anything else.
    """
    if not isinstance(orders, Iterable):
        raise BadOrders(f"a turn is a list of orders, not {shown(orders)}")
    read: Orders = []
    for number, order in enumerate(orders, 1):
        if number > MOST_ORDERS:
            raise BadOrders(f"a turn has at most {MOST_ORDERS} orders")
        try:
            read.append(_read_plain(order, edge) or _read_order(order, edge))
        except BadOrders as reason:
            raise BadOrders(f"order {number} is illegal: {reason}") from None
    return read


def check_orders(orders: Orders, seat: int, owner: Sequence[int], pieces: Sequence[int], edge: int) -> None:
    """Clause 12: every order is from a square of the seat, and there are enough pieces for all; else BadOrders.

    ``owner`` and ``pieces`` are those of each square.
    """
    sent: dict[int, int] = {}
    for number, (way, count) in enumerate(orders, 1):
        square = way // 4
        sent[square] = sent.get(square, 0) + count
        if owner[square] != seat:
            reason = f"{divmod(square, edge)} is not a square of the seat to move"
        elif sent[square] > pieces[square]:
            stand = "1 stands" if pieces[square] == 1 else f"{pieces[square]} stand"
            reason = f"{counted(sent[square], 'piece')} ordered away from {divmod(square, edge)}, where {stand}"
        else:
            continue
        raise BadOrders(f"order {number} is illegal: {reason}")


def _added_up(orders: Orders) -> dict[Way, int]:
    """Clause 12: several orders for the same square and direction add up."""
    ways: dict[Way, int] = {}
    for way, pieces in orders:
        ways[way] = ways.get(way, 0) + pieces
    return ways


def _read_plain(order: Any, edge: int) -> tuple[Way, int] | None:
    """A legal order as nearly all are written, ((row, column), letter, count), at a fraction of the time; else None."""
    try:
        (row, column), letter, count = order
        if type(row) is bool or type(column) is bool or type(count) is bool:
            return None
        row, column, pieces, direction = index(row), index(column), index(count), DIRECTION_OF[letter]
    except (TypeError, ValueError, KeyError):
        return None
    is_legal = 0 <= row < edge and 0 <= column < edge and pieces > 0
    return ((row * edge + column) * 4 + direction, pieces) if is_legal else None


def _read_order(order: Any, edge: int) -> tuple[Way, int]:
    try:
        where, letter, count = order
    except (TypeError, ValueError):
        raise BadOrders(f"an order is (square, direction, count), not {shown(order)}") from None
    square = _read_square(where, edge)
    direction = DIRECTION_OF.get(letter) if isinstance(letter, str) else None
    if direction is None:
        raise BadOrders(f"a direction is 'n', 's', 'e' or 'w', not {shown(letter)}")
    pieces = _whole(count)
    if pieces is None or pieces < 1:
        raise BadOrders(f"a count is a whole number from 1 up, not {shown(count)}")
    return square * 4 + direction, pieces


def _read_square(where: Any, edge: int) -> int:
    """The square, given as (row, column) or as one number."""
    flat = _whole(where)
    if flat is not None and 0 <= flat < edge * edge:
        return flat
    if flat is None and not isinstance(where, str):
        try:
            row, column = map(_whole, where)
        except (TypeError, ValueError):
            row = column = None
        if row is not None and column is not None and 0 <= row < edge and 0 <= column < edge:
            return row * edge + column
    raise BadOrders(f"{shown(where)} is not a square of a board with an edge of {edge}")


def _whole(number: Any) -> int | None:
    """The whole number, NumPy's and 2.0 included; None for 2.5, for True and for anything else."""
    if type(number) is int:
        return number
    is_number = isinstance(number, Real) and not isinstance(number, bool)
    try:
        return int(number) if is_number and int(number) == number else None
    except (OverflowError, ValueError):  # infinity, or none at all
        return None


def shown(thing: Any) -> str:
    """The thing as a program would write it, on one line and cut short."""
    try:
        text = " ".join(repr(thing).split())
    except Exception:
        text = f"a {type(thing).__name__}"
    return text if len(text) <= 40 else f"{text[:37]}..."
