"""Swiss rounds: everybody meets somebody who stands about as well, and nobody twice who need not.

Up to half as many rounds as there are bots, neighbours in the standings are paired freely: where two have met before,
there is always another pair to swap partners with. With more rounds, free pairs can end in a corner where some must
meet again. Then every round is one of the rounds of a round robin, in which everybody meets everybody once: always the
one, of those not played yet, whose pairs stand closest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Table = tuple[int, ...]


@dataclass(frozen=True)
class Past:
    """What a Swiss round goes by: the points of every bot, and the tables of the rounds before."""

    points: Sequence[float]
    tables: Sequence[Table]


def swiss(order: Sequence[int], past: Past, rounds: int = 1) -> list[Table]:
    """The pairs of a round in a tournament of so many rounds; of an odd number, one bot rests.

    ``order`` decides between equals. Nobody rests twice before everybody has.
    """
    met = Counter(frozenset(table) for table in past.tables)
    standing = sorted(order, key=lambda bot: -past.points[bot])
    seated = len(standing) // 2 * 2
    if rounds > seated // 2:
        return _closest_round(standing, met)
    if len(standing) % 2:
        standing.remove(_resting(standing, past))
    return _swapped(_neighbours(standing, met), standing, met)


def _resting(standing: Sequence[int], past: Past) -> int:
    """The lowest of those who have rested least."""
    played = Counter(bot for table in past.tables for bot in table)
    most = max(played[bot] for bot in standing)
    return [bot for bot in standing if played[bot] == most][-1]


def _neighbours(standing: Sequence[int], met: Counter[frozenset[int]]) -> list[Table]:
    """From the top down, everybody with the next one not met yet; the last ones may have no choice."""
    left = list(standing)
    tables: list[Table] = []
    while left:
        first = left.pop(0)
        second = min(left, key=lambda bot: (met[frozenset((first, bot))], left.index(bot)))
        left.remove(second)
        tables.append((first, second))
    return tables


def _swapped(tables: list[Table], standing: Sequence[int], met: Counter[frozenset[int]]) -> list[Table]:
    """Where two have met before, they swap partners with the pair for which that changes the least."""
    place = {bot: number for number, bot in enumerate(standing)}
    for number in range(len(tables)):
        one, two = tables[number]
        if not met[frozenset((one, two))]:
            continue
        swaps = []
        for other, (three, four) in enumerate(tables):
            for pairs in (((one, three), (two, four)), ((one, four), (two, three))):
                if other != number and not any(met[frozenset(pair)] for pair in pairs):
                    apart = sum(abs(place[pair[0]] - place[pair[1]]) for pair in pairs)
                    swaps.append((apart, other, pairs))
        if swaps:
            _, other, pairs = min(swaps)
            tables[number], tables[other] = pairs
    return _in_order(tables, place)


def _closest_round(standing: Sequence[int], met: Counter[frozenset[int]]) -> list[Table]:
    place = {bot: number for number, bot in enumerate(standing)}

    def cost(tables: list[Table]) -> tuple[int, int]:
        apart = sum(abs(place[one] - place[two]) for one, two in tables)
        return sum(met[frozenset(table)] for table in tables), apart

    return _in_order(min(robin_rounds(len(standing)), key=cost), place)


def _in_order(tables: list[Table], place: Mapping[int, int]) -> list[Table]:
    """The best first, at every table and among the tables."""
    return sorted((tuple(sorted(table, key=place.__getitem__)) for table in tables), key=lambda table: place[table[0]])


def robin_rounds(bots: int) -> list[list[Table]]:
    """The rounds of a round robin: one bot stays, the others walk around it. Of an odd number, one rests."""
    seats = [*range(bots + bots % 2)]  # the last one may be nobody
    rounds = []
    for _ in range(len(seats) - 1):
        facing = zip(seats, seats[::-1], strict=True)
        tables: list[Table] = [pair for pair, _ in zip(facing, range(len(seats) // 2), strict=False)]
        rounds.append([table for table in tables if max(table) < bots])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds
