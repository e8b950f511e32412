"""Who can take a seat of game17: zombie, t800, general, and the general at levels from 1 to 5 (general is the fifth).

A bot plans a whole turn, then gives its orders one by one and ends the turn.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from parlour.engine import State
from parlour.engine.bots import Bots, Decision, usual_faces
from parlour.engine.chance import Draws
from parlour.games.game17.bots.general import SCRATCH, WANDERING, plan_general
from parlour.games.game17.bots.t800 import plan_t800
from parlour.games.game17.bots.zombie import plan_zombie
from parlour.games.game17.rules import END, order_action


class _Planner:
    """Plans when a turn begins; then gives order after order, and ends the turn."""

    def __init__(self) -> None:
        self._orders: list[int] = []

    def plan(self, state: State, chance: Draws) -> None:
        """Write the orders of a turn of the seat to move into the state."""
        raise NotImplementedError

    def choose(self, decision: Decision) -> int:
        legal = decision.legal
        if len(legal) == 1:
            return int(legal[0])
        if not any(decision.state.leaving):
            plan = decision.state.copy()
            self.plan(plan, decision.chance)
            self._orders = [order_action(*divmod(way, 4), pieces) for way, pieces in enumerate(plan.ordered) if pieces]
        return self._orders.pop(0) if self._orders else END


class Zombie(_Planner):
    """Moves every piece at random."""

    def plan(self, state: State, chance: Draws) -> None:
        plan_zombie(state, state.to_move, chance)


class T800(_Planner):
    """A slightly smarter zombie: goes where it expects to arrive with enough."""

    def plan(self, state: State, chance: Draws) -> None:
        plan_t800(state, state.to_move, chance)


class General(_Planner):
    """Takes what it can for certain, and keeps together. Below level 5 some of its squares blunder."""

    def __init__(self, level: int = max(WANDERING)) -> None:
        super().__init__()
        self.wandering = WANDERING[level]

    def plan(self, state: State, chance: Draws) -> None:
        plan_general(state, state.to_move, chance, [0] * SCRATCH, self.wandering)


CHARACTERS = (
    "More than half of its squares wander about like zombies. For your first matches.",
    "Takes what is easy, and wanders a good deal.",
    "Keeps together, and forgets a square now and then.",
    "Seldom leaves a square without orders.",
    "Takes all that it can take for certain, and wastes nothing.",
)
FACES = tuple(
    replace(face, character=character, thinks="at once")
    for face, character in zip(usual_faces("general"), CHARACTERS, strict=True)
)

BOTS = Bots(
    own={
        "zombie": Zombie,
        "t800": T800,
        "general": General,
        **{f"general:{level}": partial(General, level) for level in WANDERING},
    },
    faces=FACES,
)
