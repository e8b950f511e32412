"""Who plays mazerunner well: the runner, at levels from 1 to 6, and advice for the search.

``runner`` is level 4: it plays by the rules of thumb in policy. Below that it slips. Level 5 also looks ahead. Level 6
does so with numbers and a network that were learnt from play.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from parlour.engine.advice import Advice
from parlour.engine.bots import TITLES, Bots, Decision, Face, Ranking, usual_faces
from parlour.games.mazerunner.bots.evaluation import evaluate
from parlour.games.mazerunner.bots.pathfinding import ROOM
from parlour.games.mazerunner.bots.policy import decide, policy
from parlour.games.mazerunner.bots.style import THUMB, TUNED
from parlour.games.mazerunner.rules.actions import DICE
from parlour.games.mazerunner.sight import SIGHT
from parlour.games.mazerunner.state.decks import chance, items, monsters, resources

if TYPE_CHECKING:
    from parlour.games.mazerunner.bots.lookahead import Lookahead

HINT_TRIALS = 500

ADVICE = Advice(evaluate=evaluate, policy=policy, depth=40, explore=0.1)


class Level(NamedTuple):
    """How strong a runner is."""

    slips: int = 0  # of a hundred actions, so many are chosen at random
    trials: int = 0  # of every action, when looking ahead
    tuned: bool = False  # whether it plays by what was learnt


LEVELS_OF_RUNNER = {
    1: Level(slips=25),
    2: Level(slips=12),
    3: Level(slips=4),
    4: Level(),
    5: Level(trials=128),
    6: Level(trials=512, tuned=True),
}


class Runner:
    """Plays by rules of thumb, looks ahead if it has trials, and slips now and then."""

    def __init__(self, level: Level = LEVELS_OF_RUNNER[4]) -> None:
        self.level = level
        self._style = TUNED if level.tuned else THUMB
        self._room = [0] * ROOM
        self._lookahead: Lookahead | None = None

    def choose(self, decision: Decision) -> int:
        legal = [int(action) for action in decision.legal]
        if len(legal) == 1:
            return legal[0]
        if self.level.slips and decision.chance.below(100) < self.level.slips:
            return legal[int(decision.chance.below(len(legal)))]
        sensible = int(decide(decision.state, self._style, legal, len(legal), self._room))
        # Looking ahead at which dice to roll again showed no gain: docs/strength.md.
        if self.level.trials == 0 or decision.state.phase == DICE:
            return sensible
        return self._look_ahead(decision, legal, sensible)

    def _look_ahead(self, decision: Decision, legal: list[int], sensible: int) -> int:
        if self._lookahead is None:
            from parlour.games.mazerunner.bots.lookahead import Lookahead, way  # they bring Numba along

            self._lookahead = Lookahead(decision.game, way(tuned=self.level.tuned))
        seed = decision.chance.below(1 << 30)
        return self._lookahead.best(decision.state, legal, sensible, self.level.trials, seed)


def hint(decision: Decision) -> Ranking:
    """Every action, how often it was tried, and its estimated chance to win; the best first.

    Here trials that go on sensibly tell more than the tree search does.
    """
    from parlour.games.mazerunner.bots.lookahead import Lookahead, way  # they bring Numba along

    legal = [int(action) for action in decision.legal]
    lookahead = Lookahead(decision.game, way(tuned=True))
    return lookahead.ranking(decision.state, legal, HINT_TRIALS, decision.chance.below(1 << 30))


FACES = (
    *usual_faces("runner"),
    Face("runner:6", TITLES[5], "Has learnt from millions of matches what is worth a risk.", "under a second"),
)

MONSTERS = tuple(f"{monster.name} (health {monster.health}, damage {monster.damage})" for monster in monsters.MONSTERS)
NUMBERS = {
    "items": [f"{item.name} ({item.help})" for item in items.ITEMS],
    "bonus": ("extra dice", "attack", "armour", "half steps", "healing", "resources"),
    "monster_kind": MONSTERS,
    "offered": [card.name for card in chance.CHANCE_CARDS],
    "deck and discards": (
        *(f"item: {name}" for name in items.NAMES),
        *(f"monster: {monster.name}" for monster in monsters.MONSTERS),
        *(f"chance: {card.name}" for card in chance.CHANCE_CARDS),
        *(f"resources: {card.name}" for card in resources.RESOURCE_CARDS),
    ),
}

BOTS = Bots(
    advice=ADVICE,
    own={
        "runner": Runner,
        **{f"runner:{number}": partial(Runner, level) for number, level in LEVELS_OF_RUNNER.items()},
    },
    compiled=[f"runner:{number}" for number, level in LEVELS_OF_RUNNER.items() if level.trials],
    faces=FACES,
    hint=hint,
    sight=SIGHT,
    numbers=NUMBERS,
)
