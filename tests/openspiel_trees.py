"""Whole trees of small games, walked beside OpenSpiel's: the same nodes, choices, knowledge and returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyspiel
import pytest

from parlour.engine import Game, State
from parlour.engine.secrets import hidden

OPENING = -1


class Asked(Exception):
    """Chance was asked for more than it has been told: for one of so many."""


class Told:
    """A chance that gives the answers it is told."""

    def __init__(self, answers: tuple[int, ...]) -> None:
        self.answers = list(answers)

    def below(self, n: int) -> int:
        if not self.answers:
            raise Asked(n)
        return self.answers.pop(0)

    def roll(self, sides: int) -> int:
        return self.below(sides) + 1


@dataclass
class Knowledge:
    """What a player knows in both, paired: neither may tell apart what the other does not."""

    ours: dict[bytes, str]
    theirs: dict[str, bytes]

    def pair(self, our: bytes, their: str) -> None:
        assert self.ours.setdefault(our, their) == their
        assert self.theirs.setdefault(their, our) == our


class Walk:
    """Both trees, node by node. Draws are paired in order: ours are among what is left, as theirs are."""

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.counts: Counter[str] = Counter()
        self.known = [Knowledge({}, {}) for _ in range(2)]
        self.asked: set[bytes] = set()
        self._act(game.blank(), OPENING, (), pyspiel.load_game(name).new_initial_state())

    def _act(self, before: State, action: int, drawn: tuple[int, ...], theirs: Any) -> None:
        state, chance = before.copy(), Told(drawn)
        try:
            if action == OPENING:
                self.game.open(state, chance)
            else:
                self.game.play(state, action, chance)
        except Asked as asked:
            self._chance(before, action, drawn, theirs, int(asked.args[0]))
        else:
            self._stand(state, theirs)

    def _chance(self, before: State, action: int, drawn: tuple[int, ...], theirs: Any, count: int) -> None:
        self.counts["chance"] += 1
        assert theirs.is_chance_node()
        outcomes = sorted(theirs.chance_outcomes())
        assert [share for _, share in outcomes] == pytest.approx([1 / count] * count)
        for number, (outcome, _) in enumerate(outcomes):
            self._act(before, action, (*drawn, number), theirs.child(outcome))

    def _stand(self, state: State, theirs: Any) -> None:
        assert bool(state.over) == theirs.is_terminal()
        if state.over:
            self.counts["end"] += 1
            assert self.game.scores(state) == theirs.returns()
            return
        self.counts["decision"] += 1
        assert state.to_move == theirs.current_player()
        assert self.game.legal_actions(state) == theirs.legal_actions()
        for player in range(2):
            self.known[player].pair(hidden(self.game, state, player).pack(), theirs.information_state_string(player))
        self.asked.add(hidden(self.game, state, state.to_move).pack())
        for action in self.game.legal_actions(state):
            self._act(state, action, (), theirs.child(action))


def walked_with_openspiel(game: Game, name: str) -> dict[str, int]:
    """How many nodes there are of each kind, and how many information sets of those who are asked."""
    walk = Walk(game, name)
    return {**walk.counts, "information sets": len(walk.asked)}
