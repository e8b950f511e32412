"""Goofspiel in words: how cards are written, and what lies on the table."""

from rich.text import Text

from goofspiel import GAME, MOST_CARDS, NOT_YET, RANKS
from parlour.engine import State
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal


def line(state: State, seat: int) -> str:
    cards = [rank for card, rank in enumerate(RANKS[: state.cards]) if not state.spent[MOST_CARDS * seat + card]]
    bid = state.bid[seat]
    laid = "" if bid == NOT_YET else f"; bids {RANKS[bid - 1] if bid > 0 else '?'}"
    return f"{GAME.seat_name(seat)}, {state.points[seat]} points: {' '.join(cards)}{laid}"


def board(state: State, *, ascii: bool = False) -> Text:
    lines = [line(state, seat) for seat in range(state.seats)]
    return Text("\n".join([f"The prize: {RANKS[state.prize - 1]}", *lines]))


NOTATION, TERMINAL = Notation(write=lambda state, action: RANKS[action]), Terminal(board=board)
