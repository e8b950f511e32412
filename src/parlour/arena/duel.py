"""Two bots, pair after pair, until a sequential test knows which is better.

Pairs are judged in the order of their numbers, whatever order they finish in, and none after the answer: so the
same seed gives the same answer on any number of cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from parlour.arena.executor import Executor
from parlour.arena.pairing import all_pairings
from parlour.arena.results import BROKEN, PlayedMatch, Repetitions, Result
from parlour.arena.runner import job_of, unchanged
from parlour.arena.sequential import UNDECIDED, SequentialTest
from parlour.arena.standings import Row
from parlour.arena.tournament import Tournament

STALE = 100  # pairs in a row that repeat others, after which no more are played
NEW = 0  # the new bot's place in the tournament's list

Pair = list[Result]


@dataclass
class Duel:
    """What was judged. Pairs with a broken match, and pairs that repeat others, are counted, and nothing else."""

    tournament: Tournament
    test: SequentialTest
    rows: list[Row] = field(default_factory=list)
    broken: int = 0
    repeated: int = 0  # pairs that only repeat earlier ones
    in_a_row: int = 0  # of these, since there was a new one

    def __post_init__(self) -> None:
        self.rows = [Row(name) for name in self.tournament.names]
        self._repetitions = Repetitions()

    @property
    def is_stale(self) -> bool:
        """Whether nothing new is to be expected any more."""
        return self.in_a_row >= STALE

    def judge(self, pair: Pair) -> str:
        """Take one more pair; returns the answer so far."""
        if any(result.ended == BROKEN for result in pair):
            self.broken += 1
            return self.test.answer
        is_repeated = self._repetitions.is_repeated(pair)
        self.repeated += is_repeated
        self.in_a_row = self.in_a_row + 1 if is_repeated else 0
        if is_repeated:
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
    """Play a tournament of two bots until the test has its answer, the rounds are used up, or nothing new comes."""
    judged = Duel(tournament, test)
    jobs = (job_of(tournament, pairing) for pairing in all_pairings(tournament))
    for pair in _pairs(executor.run(jobs)):
        judged.judge(pair)
        on_pair(judged)
        if test.answer != UNDECIDED or judged.is_stale:
            break
    return judged


def _pairs(matches: Iterator[PlayedMatch]) -> Iterator[Pair]:
    """Whole pairs, in the order of their numbers."""
    waiting: dict[int, Pair] = {}
    coming = 0
    for result, *_ in unchanged(matches):
        waiting.setdefault(result.group, []).append(result)
        while len(waiting.get(coming, ())) == 2:
            yield sorted(waiting.pop(coming), key=lambda result: result.number)
            coming += 1
