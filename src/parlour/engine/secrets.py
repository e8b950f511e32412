"""Secrets: what a seat may know of a position, and what it can imagine of the rest.

A game with secrets has two rules more. ``hide(state, seat)`` leaves of a position what that seat knows; whatever else
is ``UNKNOWN``, which is a value of the field. ``imagine(state, seat, chance)`` fills that in again with what could be
true. It is only ever given what is hidden already, so it cannot know the truth; and so whatever a seat may remember
has to stand in the state. How an action is decided, and what somebody is shown, follows from these positions alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.engine.errors import ParlourError

if TYPE_CHECKING:
    from parlour.engine.chance import Draws
    from parlour.engine.game import Game
    from parlour.engine.state import State


def hidden(game: Game, state: State, seat: int) -> State:
    """The position as that seat knows it, as a copy; seat -1 is whoever watches."""
    known = state.copy()
    if game.hide is not None:
        game.hide(known, seat)
    return known


def imagined(game: Game, known: State, seat: int, chance: Draws) -> State:
    """A position that could be the true one, from all that the seat knows, as a copy."""
    world = hidden(game, known, seat)  # whoever calls this: it never sees more than the seat may know
    if game.imagine is not None:
        game.imagine(world, seat, chance)
    return world


def refuse_secrets(game: Game, what: str) -> None:
    """For what would show everybody everything: it takes no game with secrets."""
    if game.has_secrets:
        raise ParlourError(f"{game.name} has secrets, and {what}")
