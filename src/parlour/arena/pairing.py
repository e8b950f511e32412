"""Who meets whom: pure functions of the tournament, the round and, for a Swiss one, the points so far.

A table plays one seed once per rotation of its seats, so that everybody has every seat under the same dice:

    seed 1   A B C      seed 2   B C A
             B C A               C A B
             C A B               A B C
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from parlour.arena.swiss import Past, Table, swiss
from parlour.arena.tournament import GAUNTLET, ROYALE, SWISS, Tournament
from parlour.engine.chance import Chance


@dataclass(frozen=True)
class Pairing:
    """One match to be played: which bot (by its place in the tournament's list) takes which seat.

    Matches of one ``group`` have the same seed and the same bots, in rotated seats.
    """

    number: int
    group: int
    seed: int
    bots: Table


def derive(root: int | str, *parts: object) -> int:
    """A seed of its own for every part of a tournament, from its seed and its key."""
    text = ":".join(["parlour", "arena", str(root), *map(str, parts)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


def pairings(tournament: Tournament, round: int, past: Past | None = None) -> list[Pairing]:
    """The matches of one round, in the order of their numbers."""
    found = []
    for place, table in enumerate(round_tables(tournament, round, past)):
        group = round * tournament.tables + place
        found += rotations(table, group, derive(tournament.root, "match", group))
    return found


def rotations(table: Table, group: int, seed: int) -> list[Pairing]:
    """Every rotation of a table, under one seed."""
    size = len(table)
    return [Pairing(group * size + turn, group, seed, table[turn:] + table[:turn]) for turn in range(size)]


def round_tables(tournament: Tournament, round: int, past: Past | None = None) -> list[Table]:
    """Who sits with whom in one round."""
    bots = len(tournament.bots)
    order = shuffled(bots, derive(tournament.root, "round", round))
    if tournament.format == ROYALE:
        return [tuple(order)]
    if tournament.format == GAUNTLET:
        return [(0, other) for other in range(1, bots)]
    if tournament.format == SWISS:
        return swiss(order, past or Past([0.0] * bots, []), tournament.rounds)
    return list(combinations(range(bots), 2))


def shuffled(count: int, seed: int) -> list[int]:
    """The numbers below ``count`` in an order that the seed decides."""
    chance, order = Chance.at(seed, 0), list(range(count))
    for last in range(count - 1, 0, -1):
        other = chance.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def all_pairings(tournament: Tournament) -> Iterator[Pairing]:
    """Every match of a tournament whose rounds do not depend on results."""
    for round in range(tournament.rounds):
        yield from pairings(tournament, round)
