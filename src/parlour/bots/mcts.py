"""``mcts``: the compiled tree search as a bot, with a budget of playouts or of time, and levels."""

from __future__ import annotations

import time

from parlour.engine.advice import Advice
from parlour.engine.bots import Decision
from parlour.engine.chance import Chance
from parlour.engine.compiled.regrets import RegretSearcher
from parlour.engine.compiled.search import Searcher
from parlour.engine.game import Game
from parlour.engine.judge.file import Judge
from parlour.engine.state import State

SLICE = 0.02  # seconds between two looks at the clock
RESERVE = 0.02  # seconds of the budget kept back, so that the answer is in time


class Mcts:
    """Thinks for a number of playouts, or for some seconds, whichever is given; keeps its tree while no dice fall.

    With a judge, that says what a position is worth. In a game with secrets it plays by lot, each action as often as
    the search says, since whoever always does the same gives away what it holds; and it thinks every time anew.
    """

    def __init__(
        self,
        game: Game,
        advice: Advice,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        slips: int = 0,
        judge: Judge | None = None,
    ) -> None:
        self.searcher: Searcher | RegretSearcher
        if game.has_secrets:
            self.searcher = RegretSearcher(game, advice)
        else:
            self.searcher = Searcher(game, advice, judge=judge)
        self.playouts = playouts
        self.seconds = seconds
        self.slips = slips
        self._seen: tuple[State, int] | None = None  # the position the tree stands at, and how many actions led there

    @property
    def memory(self) -> int:
        """The bytes that its tree takes."""
        return self.searcher.memory

    def choose(self, decision: Decision) -> int:
        if len(decision.legal) == 1:
            return decision.legal[0]
        if self.slips and decision.chance.below(100) < self.slips:
            return decision.legal[decision.chance.below(len(decision.legal))]
        self.think(decision)
        return self.searcher.pick(decision.chance)

    def rank(self, decision: Decision) -> list[tuple[int, int, float]]:
        """Think, then every action tried with its playouts and its estimated chance to win; the best first."""
        self.think(decision)
        return self.searcher.ranking()

    def think(self, decision: Decision) -> None:
        """Search this position for as long as there is."""
        began = time.perf_counter()
        self._stand_at(decision)
        if self.playouts is not None:
            self.searcher.look(max(1, self.playouts - self.searcher.playouts))
        else:
            self._look_until(began + self._budget(decision))

    def _budget(self, decision: Decision) -> float:
        limits = [limit for limit in (self.seconds, decision.clock.seconds) if limit is not None]
        return max(min(limits, default=1.0) - RESERVE, RESERVE)

    def _look_until(self, end: float) -> None:
        count = 8
        while (began := time.perf_counter()) < end and not self.searcher.is_full:
            self.searcher.look(count)
            taken = time.perf_counter() - began
            count = max(1, min(4 * count, int(count * SLICE / max(taken, 1e-6))))

    def _stand_at(self, decision: Decision) -> None:
        """Bring the tree to the position: along the actions played since, unless dice have fallen."""
        if not self._follow(decision):
            lanes = [decision.chance.below(1 << 30) + 1 for _ in range(4)]
            self.searcher.reseed(lanes)
            self.searcher.at(decision.state)
        self._seen = (decision.state.copy(), len(decision.actions))

    def _follow(self, decision: Decision) -> bool:
        if self._seen is None or not isinstance(self.searcher, Searcher):
            return False
        state, played = self._seen[0].copy(), self._seen[1]
        steps = []
        for action in decision.actions[played:]:
            chance = Chance([1, 2, 3, 4])
            if action not in decision.game.legal_actions(state):
                return False
            decision.game.play(state, action, chance)
            if chance.draws:
                return False
            steps.append((action, state.copy()))
        if state != decision.state:
            return False
        for action, after in steps:
            self.searcher.follow(action, after)
        return True
