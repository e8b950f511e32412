"""How a seat that plays like a zombie orders its pieces.

A plan is a whole turn at once, as a rule, so that it runs interpreted and compiled. It fills ``ordered`` and
``leaving`` of a position in which the owner has given no order yet; ending the turn is left to whoever asked for it.
``owner`` need not be a seat.
"""

from __future__ import annotations

from parlour.engine import State, below, rule
from parlour.engine.chance import Draws
from parlour.games.game17.rules import send


@rule
def plan_zombie(state: State, owner: int, chance: Draws) -> None:
    """Every piece goes one of the four ways, all equally likely."""
    for square in range(state.edge * state.edge):
        if state.owner[square] == owner:
            for _ in range(state.pieces[square]):
                send(state, square, below(chance, 4), 1)
