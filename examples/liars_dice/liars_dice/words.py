"""Liar's Dice in words: how bids are written, and what lies on the table."""

from rich.text import Text

from liars_dice import FACES, GAME, LIAR, faces_of
from parlour.engine import State
from parlour.engine.notation import Notation
from parlour.engine.terminal import Terminal


def write(state: State, action: int) -> str:
    return "liar" if action == LIAR else f"{action // FACES + 1}x{action % FACES + 1}"


def board(state: State, *, ascii: bool = False) -> Text:
    lines = [f"{GAME.seat_name(seat)}: {faces_of(state, seat)}" for seat in range(state.seats)]
    return Text("\n".join([*lines, f"Bid: {write(state, state.bid - 1) if state.bid else 'none'}"]))


NOTATION, TERMINAL = Notation(write=write), Terminal(board=board)
