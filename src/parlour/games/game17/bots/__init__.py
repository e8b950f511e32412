"""Who can take a seat of game17: zombie, t800, general, and the general at levels from 1 to 6 (general is the fifth).

A bot plans a whole turn, then gives its orders one by one and ends the turn.
"""

from __future__ import annotations

import itertools
from functools import partial

from parlour.engine import State
from parlour.engine.advice import Advice
from parlour.engine.bots import TITLES, Bots, Decision, Face, Ranking
from parlour.engine.chance import Draws
from parlour.games.game17.bots.evaluation import evaluate
from parlour.games.game17.bots.general import BOLD, LEVELS, SCRATCH, WISE, Level, plan_general
from parlour.games.game17.bots.t800 import plan_t800
from parlour.games.game17.bots.zombie import plan_zombie
from parlour.games.game17.rules import END, order_action

HINT_TRIALS = 200  # of turns of seats, and so fewer trials where there are many seats

# So much less may the trials of a plan give than those of waiting, and it is suggested all the same. Where a match is
# all but won, both win nearly always, and whoever waits for that has no match to play.
AS_GOOD = 0.03

# Ways to plan a turn, the one that is best on the whole first. Each is at times the best.
PLANS = (
    WISE,
    WISE._replace(careful=100),
    WISE._replace(careful=0),
    WISE._replace(square=0, sent=1),
    WISE._replace(few=12, many=10),
    WISE._replace(toss=1),
    BOLD,
)


def orders_of(ordered: list[int]) -> list[int]:
    """The orders as actions; ``ordered`` is as in the position."""
    return [order_action(*divmod(way, 4), pieces) for way, pieces in enumerate(ordered) if pieces]


class _Planner:
    """Plans when a turn begins; then gives order after order, and ends the turn."""

    goes_on = False  # whether it can plan the rest of a turn in which somebody has given orders already

    def __init__(self) -> None:
        self._orders: list[int] = []
        self._turn = -1  # that was planned last

    def plan(self, state: State, chance: Draws) -> None:
        """Write the orders of a turn of the seat to move into the state."""
        raise NotImplementedError

    def choose(self, decision: Decision) -> int:
        legal = decision.legal
        if len(legal) == 1:
            return int(legal[0])
        state = decision.state
        begins = not any(state.leaving)
        if begins or (self.goes_on and self._turn != state.turns):
            plan = state.copy()
            self.plan(plan, decision.chance)
            given = new_orders(state, plan)
            self._orders = given if begins else [order for order in given if order in set(legal)]
            self._turn = state.turns
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
    """Takes what it can for certain, and keeps together. Below level 5 some squares blunder; level 6 also retreats."""

    goes_on = True

    def __init__(self, level: Level = LEVELS[5]) -> None:
        super().__init__()
        self.level = level

    def plan(self, state: State, chance: Draws) -> None:
        plan_general(state, state.to_move, chance, [0] * SCRATCH, *self.level)


class Adviser(_Planner):
    """Suggests the best of the plans that a hint tries; nothing, where to wait is clearly better than each of them."""

    def choose(self, decision: Decision) -> int:
        if self._turn != decision.state.turns:
            self._turn = decision.state.turns
            (waiting, chance), *tried = tried_plans(decision)
            plan, best = max(tried, key=lambda one: one[1], default=(waiting, 0.0))
            self._orders = new_orders(waiting, plan) if best > chance - AS_GOOD else []
        return self._orders.pop(0) if self._orders else END


def trial_count(state: State) -> int:
    """How often each plan is tried."""
    return max(HINT_TRIALS // int(state.seats), 4)


def new_orders(state: State, plan: State) -> list[int]:
    """The orders that the plan has and the position has not."""
    return orders_of([after - before for before, after in zip(state.ordered, plan.ordered, strict=True)])


def tried_plans(decision: Decision) -> list[tuple[State, float]]:
    """The end of the turn, then several plans, each with its chance to win. All are tried with the same dice."""
    from parlour.games.game17.bots.trials import Trials  # it brings Numba along

    state = decision.state
    trials, count, seed = Trials(decision.game), trial_count(state), decision.chance.below(1 << 30)
    return [(plan, trials.chance(plan, count, seed)) for plan in [state, *plans(state, decision.chance)]]


def hint(decision: Decision) -> Ranking:
    """The orders of several plans and the end of the turn; those of the best plan first.

    An order is as good as the best plan that it is part of.
    """
    state, legal = decision.state, set(decision.legal)
    chances: dict[int, float] = {}
    for plan, chance in tried_plans(decision):
        given = new_orders(state, plan)
        for order in [END] if plan is state else [order for order in given if order in legal]:
            chances[order] = max(chance, chances.get(order, 0.0))
    count = trial_count(state)
    return sorted(((order, count, chance) for order, chance in chances.items()), key=lambda item: -item[2])


def plans(state: State, chance: Draws) -> list[State]:
    """The position with the orders of a turn, once for each way to plan it; none of them twice.

    Whoever has given the first orders of a plan is told the others, and not a plan for what is left.
    """
    found: list[State] = []
    fresh = state.copy()
    fresh.ordered[:], fresh.leaving[:] = [0] * len(fresh.ordered), [0] * len(fresh.leaving)
    for numbers, begun in itertools.product(PLANS, (fresh, state)):
        plan = begun.copy()
        plan_general(plan, state.to_move, chance, [0] * SCRATCH, 0, numbers)
        goes_on = all(given in (0, planned) for given, planned in zip(state.ordered, plan.ordered, strict=True))
        if goes_on and plan != state and plan not in found:
            found.append(plan)
    return found


CHARACTERS = (
    "More than half of its squares wander about like zombies. For your first matches.",
    "Takes what is easy, and wanders a good deal. Leaves you your only square for five rounds.",
    "Keeps together, and forgets a square now and then.",
    "Seldom leaves a square without orders.",
    "Takes all that it can take for certain, and wastes nothing.",
    "Gives way to a larger force, gathers, and comes back. Hardly ever loses a piece for nothing.",
)
FACES = tuple(
    Face(f"general:{level}", title, character)
    for level, title, character in zip(LEVELS, TITLES, CHARACTERS, strict=True)
)

BOTS = Bots(
    advice=Advice(evaluate=evaluate, depth=10),
    own={
        "zombie": Zombie,
        "t800": T800,
        "general": General,
        **{f"general:{number}": partial(General, level) for number, level in LEVELS.items()},
    },
    faces=FACES,
    hint=hint,
    planner=Adviser,
)
