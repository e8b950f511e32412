"""The whole tree of a game, by its rules: every draw of chance a node of its own, every choice, every end.

Nodes are columns of numbers, parents before their children, and the children of a node side by side. A seat chooses at
an *information set*: all nodes of its choice at which it knows the same. What it knows is the position that ``hide``
leaves it, so whatever it may remember has to stand there; a tree in which a seat forgets is refused.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.outcomes import OPENING, Asked, play_told
from parlour.engine.secrets import hidden
from parlour.engine.state import State

MOST_NODES = 5_000_000
CHANCE, END = -1, -2  # in place of a seat


class Nodes(NamedTuple):
    """The columns of the tree: [N] each, but for the scores of ends, [N, seats]."""

    seat: Any  # who chooses there; CHANCE or END
    first: Any  # the first child
    count: Any  # how many children
    place: Any  # of a choice: where its information set begins among the numbers of the policy
    set: Any  # of a choice: the number of its information set
    scores: Any


class Step(NamedTuple):
    """A node that has not been looked at: a position, what is played there, and what chance has answered so far."""

    before: State
    action: int
    drawn: tuple[int, ...]
    past: tuple[tuple[int, int], ...]  # of each seat: the last information set at which it chose, and its choice


@dataclass(frozen=True)
class GameTree:
    """A tree, and what stands at each information set: who chooses, and among how many actions."""

    game: Game
    seats: int
    nodes: Nodes
    places: Any  # where the numbers of each information set begin; at last, how many numbers a policy has
    owners: Any  # the seat that chooses at each information set
    depths: Any  # how often its seat has chosen before
    known: tuple[State, ...]  # what the seat knows there
    actions: tuple[tuple[int, ...], ...]

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many nodes are chance's, how many a seat's, how many ends."""
        seat = self.nodes.seat
        return int((seat == CHANCE).sum()), int((seat >= 0).sum()), int((seat == END).sum())


def grow(game: Game, seats: int | None = None, options: Mapping[str, object] | None = None) -> GameTree:
    """The whole tree of a game with these seats and options, if it is small enough."""
    start = game.blank(seats, **(options or {}))
    return _Growing(game, start).tree()


class _Growing:
    def __init__(self, game: Game, start: State) -> None:
        self.game, self.seats = game, int(start.seats)
        self.columns: list[list[int]] = [[], [], [], [], []]
        self.scores: list[list[int]] = []
        self.sets: dict[tuple[int, bytes], int] = {}
        self.places, self.owners, self.depths = [0], list[int](), list[int]()
        self.pasts: list[tuple[int, int]] = []
        self.known: list[State] = []
        self.actions: list[tuple[int, ...]] = []
        self.waiting = deque([Step(start, OPENING, (), ((-1, -1),) * self.seats)])
        self.made = 1

    def tree(self) -> GameTree:
        while self.waiting:
            self._look_at(self.waiting.popleft())
        seat, first, count, place, number = (np.array(column, np.int32) for column in self.columns)
        scores = np.array(self.scores, np.float64).reshape(len(self.scores), self.seats)
        nodes = Nodes(seat, first, count, place, number, scores)
        places, owners, depths = (np.array(numbers, np.int32) for numbers in (self.places, self.owners, self.depths))
        return GameTree(self.game, self.seats, nodes, places, owners, depths, tuple(self.known), tuple(self.actions))

    def _look_at(self, step: Step) -> None:
        try:
            state = play_told(self.game, step.before, step.action, step.drawn)
        except Asked as asked:
            self._add(CHANCE, asked.many)
            self.waiting += [step._replace(drawn=(*step.drawn, answer)) for answer in range(asked.many)]
        else:
            self._stand(state, step.past)

    def _stand(self, state: State, past: tuple[tuple[int, int], ...]) -> None:
        if state.over:
            self._add(END, 0, scores=self.game.scores(state))
            return
        seat = int(state.to_move)
        number = self._set_of(state, seat, past[seat])
        self._add(seat, len(self.actions[number]), self.places[number], number)
        for choice, action in enumerate(self.actions[number]):
            now = (*past[:seat], (number, choice), *past[seat + 1 :])
            self.waiting.append(Step(state, action, (), now))

    def _set_of(self, state: State, seat: int, past: tuple[int, int]) -> int:
        """The information set of a choice. All that is in it has the same past, or the seat would have forgotten it."""
        known = hidden(self.game, state, seat)
        number = self.sets.setdefault((seat, known.pack()), len(self.sets))
        if number == len(self.known):
            actions = tuple(self.game.legal_actions(known))
            self.known.append(known)
            self.actions.append(actions)
            self.places.append(self.places[-1] + len(actions))
            self.owners.append(seat)
            self.depths.append(0 if past[0] < 0 else self.depths[past[0]] + 1)
            self.pasts.append(past)
        elif self.pasts[number] != past:
            raise ParlourError(
                f"{self.game.name} cannot be solved: seat {seat} forgets what it has done; what it may remember has to "
                "stand in the state"
            )
        return number

    def _add(self, seat: int, count: int, place: int = -1, number: int = -1, scores: list[int] | None = None) -> None:
        for column, value in zip(self.columns, (seat, self.made, count, place, number), strict=True):
            column.append(value)
        self.scores.append(scores or [0] * self.seats)
        self.made += count
        if self.made > MOST_NODES:
            raise ParlourError(
                f"{self.game.name} is too large to be solved: its tree has more than {MOST_NODES:,} nodes"
            )
