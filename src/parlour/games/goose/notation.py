"""There is one thing to do in the Game of the Goose."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.notation import Notation
from parlour.games.goose import GAME
from parlour.games.goose.reasons import why_not


def write(state: State, action: int) -> str:
    return "roll"


def describe(state: State, action: int) -> str:
    return GAME.said("throw both dice")


NOTATION = Notation(write=write, describe=describe, why_not=why_not)
