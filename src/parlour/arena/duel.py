"""Two bots, pair after pair, until a sequential test knows which is better.

Pairs are judged in the order of their numbers, whatever order they finish in, and none after the answer: so the
same seed gives the same answer on any number of cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from parlour.arena.executor import Executor
from parlour.arena.pairing import all_pairings
from parlour.arena.results import BROKEN, PlayedMatch, Result
from parlour.arena.runner import job_of
from parlour.arena.sequential import UNDECIDED, SequentialTest
from parlour.arena.standings import Row
from parlour.arena.tournament import Tournament

NEW = 0  # the new bot's place in the tournament's list

Pair = list[Result]


@dataclass
class Duel:
    """What was judged. Pairs with a broken match are counted, and nothing else."""

    tournament: Tournament
    test: SequentialTest
    rows: list[Row] = field(default_factory=list)
    broken: int = 0

    def __post_init__(self) -> None:
        self.rows = [Row(name) for name in self.tournament.names]

    def judge(self, pair: Pair) -> str:
        """Take one more pair; returns the answer so far."""
        if any(result.ended == BROKEN for result in pair):
            self.broken += 1
            return self.test.answer
        for result in pair:
            for seat, bot in enumerate(result.bots):
                self.rows[bot].add(result, seat)
        return self.test.add(sum(result.points[result.bots.index(NEW)] for result in pair) / len(pair))


def duel(
    tournament: Tournament,
    test: SequentialTest,
    executor: Executor,
    on_pair: Callable[[Duel], None] = lambda duel: None,
) -> Duel:
    """Play a tournament of two bots until the test has its answer, or the rounds are used up."""
    judged = Duel(tournament, test)
    jobs = (job_of(tournament, pairing) for pairing in all_pairings(tournament))
    for pair in _pairs(executor.run(jobs)):
        judged.judge(pair)
        on_pair(judged)
        if test.answer != UNDECIDED:
            break
    return judged


def _pairs(matches: Iterator[PlayedMatch]) -> Iterator[Pair]:
    """Whole pairs, in the order of their numbers."""
    waiting: dict[int, Pair] = {}
    coming = 0
    for result, _ in matches:
        waiting.setdefault(result.group, []).append(result)
        while len(waiting.get(coming, ())) == 2:
            yield sorted(waiting.pop(coming), key=lambda result: result.number)
            coming += 1
