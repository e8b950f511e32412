"""The board as text, at most 80 columns wide."""

from rich.text import Text

from parlour.engine import State
from parlour.engine.terminal import Terminal


def board(state: State, *, ascii: bool = False) -> Text:
    row = ("o " if ascii else "● ") * state.left
    return Text.assemble((row or "empty", "bold"), f"\n{state.left} left")


TERMINAL = Terminal(board=board)
