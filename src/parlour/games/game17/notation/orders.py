"""A whole turn at once: what programs hand in, checked as clause 12 says."""

from __future__ import annotations

from collections.abc import Collection
from numbers import Real
from typing import Any

from parlour.engine import Match, ParlourError, State
from parlour.games.game17.rules import END, GO, order_action
from parlour.games.game17.state.names import counted, name_of
from parlour.games.game17.state.squares import DIRECTIONS

Ways = dict[tuple[int, int], int]  # pieces to send, by square and direction


class _Illegal(Exception):
    """Why a set of orders is forfeited."""


def take_turn(match: Match, orders: Any) -> str | None:
    """Clause 12: play all orders of the seat to move, and end its turn.

    An order is (square, 'n' | 's' | 'e' | 'w', count), the square either (row, column) or row * edge + column, both
    from 0. If any order is illegal, nothing moves, the turn is over, and the reason comes back as a sentence.
    """
    if match.over or GO in match.legal():
        raise ParlourError("nobody has a turn to take: " + ("the match is over" if match.over else "no seat is left"))
    if any(match.state.leaving):
        raise ParlourError(f"{match.name(match.to_move)} has begun this turn: orders have already been given")
    try:
        ways = read_orders(match.state, orders)
    except _Illegal as reason:
        match.play(END)
        return str(reason)
    for (square, direction), pieces in sorted(ways.items()):
        match.play(order_action(square, direction, pieces))
    match.play(END)
    return None


def read_orders(state: State, orders: Any) -> Ways:
    """The orders added up, if all of them are legal for the seat to move."""
    if not isinstance(orders, Collection):
        raise _Illegal(f"a turn is a list of orders, not {_shown(orders)}")
    ways: Ways = {}
    sent: dict[int, int] = {}
    for number, order in enumerate(orders, 1):
        try:
            square, direction, pieces = _read_order(state, order)
            sent[square] = sent.get(square, 0) + pieces
            if sent[square] > state.pieces[square]:
                stand = "1 stands" if state.pieces[square] == 1 else f"{state.pieces[square]} stand"
                asked = counted(sent[square], "piece")
                raise _Illegal(f"{asked} ordered away from {name_of(state, square)}, where {stand}")
        except _Illegal as reason:
            raise _Illegal(f"order {number} is illegal: {reason}") from None
        ways[square, direction] = ways.get((square, direction), 0) + pieces
    return ways


def _read_order(state: State, order: Any) -> tuple[int, int, int]:
    try:
        where, way, count = order
    except (TypeError, ValueError):
        raise _Illegal(f"an order is (square, direction, count), not {_shown(order)}") from None
    square = _read_square(state, where)
    if state.owner[square] != state.to_move:
        raise _Illegal(f"{name_of(state, square)} is not a square of the seat to move")
    if not isinstance(way, str) or len(way) != 1 or way not in DIRECTIONS:
        raise _Illegal(f"a direction is 'n', 's', 'e' or 'w', not {_shown(way)}")
    pieces = _whole(count)
    if pieces is None or pieces < 1:
        raise _Illegal(f"a count is a whole number from 1 up, not {_shown(count)}")
    return square, DIRECTIONS.index(way), pieces


def _read_square(state: State, where: Any) -> int:
    """The square, given as (row, column) or as one number."""
    edge: int = state.edge
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
    raise _Illegal(f"{_shown(where)} is no square of a board with an edge of {edge}")


def _whole(number: Any) -> int | None:
    """The whole number, NumPy's and 2.0 included; None for 2.5, for True and for anything else."""
    is_number = isinstance(number, Real) and not isinstance(number, bool)
    try:
        return int(number) if is_number and int(number) == number else None
    except (OverflowError, ValueError):  # infinity, or none at all
        return None


def _shown(thing: Any) -> str:
    """The thing as a program would write it, cut short."""
    text = repr(thing)
    return text if len(text) <= 40 else f"{text[:37]}..."
