"""Bots that do not search: ``random`` and ``greedy``; and one that plays while another is not ready."""

from __future__ import annotations

import time

from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.bots import Decision
from parlour.engine.chance import Chance
from parlour.engine.players import Estimates
from parlour.engine.state import State


class Random:
    """Any legal action, all equally likely."""

    def choose(self, decision: Decision) -> int:
        return decision.legal[decision.chance.below(len(decision.legal))]


class Greedy:
    """Looks one ply ahead: the action after which the game's evaluation likes the position best.

    Where dice have a part in it, it looks at several throws; where there are secrets, at several positions that could
    be true. Without an evaluation it goes by the score.
    """

    THROWS = 8

    def __init__(self, advice: Advice) -> None:
        self.advice = advice

    def choose(self, decision: Decision) -> int:
        if len(decision.legal) == 1:
            return decision.legal[0]
        worths = [(self._worth(decision, action), decision.chance.below(1 << 16), action) for action in decision.legal]
        return max(worths)[2]

    def _worth(self, decision: Decision, action: int) -> float:
        total, throws = 0.0, 0
        while throws < self.THROWS:
            chance = Chance([decision.chance.below(1 << 30) + 1 for _ in range(4)])
            after = decision.world()
            decision.game.play(after, action, chance)
            total += self._judge(decision, after)
            throws += 1
            if not chance.draws and not decision.game.has_secrets:
                break
        return total / throws

    def _judge(self, decision: Decision, state: State) -> float:
        game, seat = decision.game, decision.seat
        if state.over:
            return float(CERTAIN) if game.won(state, seat) else 0.0
        if self.advice.evaluate is not None:
            return float(self.advice.evaluate(state, seat))
        return float(game.score(state, seat))


class Glance:
    """Looks one ply ahead with a judge, as long as that does not take long. Nothing of it is compiled."""

    SECONDS = 0.3

    def __init__(self, judge: Estimates) -> None:
        self.judge = judge

    def choose(self, decision: Decision) -> int:
        actions = list(decision.legal)
        for place in range(len(actions) - 1, 0, -1):  # in any order: there may be no time for all
            other = decision.chance.below(place + 1)
            actions[place], actions[other] = actions[other], actions[place]
        best, most, end = actions[0], -1.0, time.monotonic() + self.SECONDS
        for action in actions:
            if (worth := self._worth(decision, action)) > most:
                best, most = action, worth
            if time.monotonic() > end:
                break
        return best

    def _worth(self, decision: Decision, action: int) -> float:
        after = decision.state.copy()
        decision.game.play(after, action, Chance([decision.chance.below(1 << 30) + 1 for _ in range(4)]))
        if after.over:
            return 1.0 if decision.game.won(after, decision.seat) else 0.0
        return self.judge.chances(after)[decision.seat]
