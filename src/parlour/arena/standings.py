"""The table of a tournament: who is how good, how sure that is, and who was at fault."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby, permutations
from typing import Any

import msgspec

from parlour.arena.ladder import Ladder, Skill
from parlour.arena.rating import Groups, Interval, ratings, wilson
from parlour.arena.results import BROKEN, Repetitions, Result
from parlour.arena.tournament import GAUNTLET, Tournament
from parlour.bots.model import ModelUse


@dataclass
class Row:
    """One bot. Won, drawn, lost and forfeited add up to its matches; faults are counted as often as they happened.

    Drawn: the win was shared, or nobody won at a table of two. Forfeited: lost through faults that cost the match.
    """

    bot: str
    rank: int = 0
    rating: Interval = field(default_factory=lambda: Interval(0.0, 0.0, 0.0))
    skill: Skill = field(default_factory=lambda: Skill(25.0, 25 / 3))
    matches: int = 0
    seeds: int = 0  # how many of them it has played; the matches of one seed are one observation
    won: int = 0
    drawn: int = 0
    lost: int = 0
    forfeited: int = 0
    points: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    actions: int = 0
    seconds: float = 0.0
    last_group: int = -1
    model: ModelUse = field(default_factory=ModelUse)  # where it is a language model

    @property
    def score(self) -> Interval:
        """The points as a share of the matches."""
        return wilson(self.points / max(self.matches, 1), self.seeds)

    @property
    def seconds_per_action(self) -> float | None:
        return self.seconds / self.actions if self.actions else None

    @property
    def legal_first(self) -> Interval:
        """The share of choices for which its first answer could be played."""
        return wilson(self.model.legal_first / max(self.model.choices, 1), min(self.model.choices, self.seeds))

    def add(self, result: Result, seat: int) -> None:
        """Count a match. Matches come in the order of their numbers, so that those of one seed come together."""
        self.spend(result, seat)
        points = result.points[seat]
        self.matches += 1
        self.seeds += result.group != self.last_group
        self.last_group = result.group
        self.points += points
        if seat in result.forfeits:
            self.forfeited += 1
        elif points == 1:
            self.won += 1
        elif points > 0:
            self.drawn += 1
        else:
            self.lost += 1

    def spend(self, result: Result, seat: int) -> None:
        """Count what the bot took for a match, and did wrong in it, whether or not its result counts."""
        self.faults.update({fault.status: fault.count for fault in result.faults if fault.seat == seat})
        self.actions += result.actions[seat]
        self.seconds += result.seconds[seat]
        for use in result.models:
            if use.seat == seat:
                self.model.add(use)

    def to_json(self) -> dict[str, Any]:
        content = asdict(self)
        del content["seconds"], content["last_group"], content["model"]
        told: dict[str, Any] = {
            "faults": dict(self.faults),
            "score": asdict(self.score),
            "seconds_per_action": self.seconds_per_action,
        }
        if self.model.choices:
            told["model"] = msgspec.to_builtins(self.model) | {"legal_first_share": asdict(self.legal_first)}
        return content | told


@dataclass
class Meetings:
    """What one bot got of its matches with another. A winner beats whoever did not win; else the two are even."""

    points: float = 0.0
    matches: int = 0
    seeds: int = 0
    last_group: int = -1

    @property
    def share(self) -> Interval:
        return wilson(self.points / max(self.matches, 1), self.seeds)

    def add(self, points: float, group: int) -> None:
        """Count a match, in the order of their numbers."""
        self.points += points
        self.matches += 1
        self.seeds += group != self.last_group
        self.last_group = group


@dataclass
class Standings:
    """The rows, best first; and for every two bots, by their places in the list, how they fared with each other."""

    tournament: Tournament
    rows: list[Row]
    played: int
    broken: int
    repeated: int  # matches that only repeat earlier ones, and count for nothing
    meetings: dict[tuple[int, int], Meetings]

    @property
    def grades(self) -> list[tuple[str, Meetings]]:
        """In a gauntlet: how the first bot fared with each of the others, in the order in which they were named."""
        names = self.tournament.names if self.tournament.format == GAUNTLET else []
        return [(name, self.meetings.get((0, other), Meetings())) for other, name in enumerate(names) if other]

    def to_json(self) -> dict[str, Any]:
        return self.tournament.to_json() | {
            "played": self.played,
            "broken": self.broken,
            "repeated": self.repeated,
            "table": [row.to_json() for row in self.rows],
            "grades": [
                {"against": name, "points": met.points, "matches": met.matches, "score": asdict(met.share)}
                for name, met in self.grades
            ],
        }


def standings(tournament: Tournament, results: Mapping[int, Result]) -> Standings:
    """The table of the results so far: a pure function of them, in whatever order they came."""
    ordered = [results[number] for number in sorted(results)]
    fair = [result for result in ordered if result.ended != BROKEN]
    new, repeated = without_repetitions(fair)
    rows = [Row(name) for name in tournament.names]
    ladder = Ladder(len(rows))
    for result in new:
        ladder.add(result)
        for seat, bot in enumerate(result.bots):
            rows[bot].add(result, seat)
    for result in repeated:
        for seat, bot in enumerate(result.bots):
            rows[bot].spend(result, seat)
    rated = ratings(_groups(len(rows), new), seed=tournament.seed)
    for row, rating, skill in zip(rows, rated, ladder.skills(), strict=True):
        row.rating, row.skill = rating, skill
    broken = len(ordered) - len(fair)
    return Standings(tournament, _ranked(rows), len(ordered), broken, len(repeated), _meetings(new))


def without_repetitions(results: Iterable[Result]) -> tuple[list[Result], list[Result]]:
    """The results that count, and those that do not, since they repeat others; both in the order of their numbers."""
    repetitions = Repetitions()
    new: list[Result] = []
    repeated: list[Result] = []
    for _, together in groupby(results, key=lambda result: result.group):
        group = list(together)
        (repeated if repetitions.is_repeated(group) else new).extend(group)
    return new, repeated


def _groups(bots: int, results: list[Result]) -> Groups:
    points: defaultdict[int, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    for result in results:
        for bot, point in zip(result.bots, result.points, strict=True):
            points[result.group][bot] += point
    return Groups(bots, [list(got) for got in points.values()], [list(got.values()) for got in points.values()])


def _meetings(results: list[Result]) -> dict[tuple[int, int], Meetings]:
    found: defaultdict[tuple[int, int], Meetings] = defaultdict(Meetings)
    for result in results:
        won = [seat in result.winners for seat in range(len(result.bots))]
        for seat, other in permutations(range(len(result.bots)), 2):
            points = (1 + won[seat] - won[other]) / 2
            found[result.bots[seat], result.bots[other]].add(points, result.group)
    return dict(found)


def _ranked(rows: list[Row]) -> list[Row]:
    """Best first. Equal ratings have equal ranks."""
    ordered = sorted(rows, key=lambda row: -row.rating.value)
    for place, row in enumerate(ordered, 1):
        above = ordered[place - 2] if place > 1 else None
        row.rank = above.rank if above and abs(above.rating.value - row.rating.value) < 1e-6 else place
    return ordered
