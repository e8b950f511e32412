"""What came of a match: one line of ``results.jsonl``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from parlour.bots.faults import FAULTS
from parlour.bots.model.usage import ModelUse
from parlour.bots.referee import PENALTIES

OVER, FORFEIT, UNFINISHED, BROKEN = ENDINGS = ("over", "forfeit", "unfinished", "broken")

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Score = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


class Faults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one seat did wrong, of one kind: how often, and what it was the first time."""

    seat: Count
    status: Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(FAULTS)})$")]
    count: Annotated[int, msgspec.Meta(ge=1)]
    ply: Count
    detail: str


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that was played. Lists go by seat; ``bots`` are places in the tournament's list."""

    number: Count
    group: Count
    seed: Count
    bots: list[Count]
    ended: Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(ENDINGS)})$")]
    winners: list[Count] = msgspec.field(default_factory=list)
    scores: list[Score] = msgspec.field(default_factory=list)
    plies: Count = 0
    actions: list[Count] = msgspec.field(default_factory=list)  # how often each seat was asked
    seconds: list[Seconds] = msgspec.field(default_factory=list)  # how long it thought in all
    faults: list[Faults] = msgspec.field(default_factory=list)
    detail: str = ""  # why the match is broken
    drawn: Count = 0  # how many of the first plies were drawn by lot
    course: str = ""  # a digest of what was played: matches with the same bots and the same course are identical
    models: list[ModelUse] = msgspec.field(default_factory=list)  # what the seats of language models have used

    @property
    def points(self) -> list[float]:
        """One point a match. Winners share it; where nobody wins at a table of two, each has half."""
        seats = len(self.bots)
        if self.winners:
            return [1 / len(self.winners) if seat in self.winners else 0.0 for seat in range(seats)]
        return [0.5 if seats == 2 and self.ended != BROKEN else 0.0] * seats

    @property
    def forfeits(self) -> set[int]:
        """The seats whose faults cost them the match."""
        faults: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for fault in self.faults:
            faults[fault.seat][fault.status] += fault.count
        return {seat for seat in faults if seat not in self.winners and PENALTIES.cost_match(faults[seat])}

    def to_json(self) -> dict[str, Any]:
        content: dict[str, Any] = msgspec.to_builtins(self)
        return content

    def same_play(self, other: Result) -> bool:
        """Whether the same was played, however long it took."""
        return replace(self, seconds=[]) == replace(other, seconds=[])


class Repetitions:
    """Tells what was played for the first time from what only repeats it.

    What counts is a group as a whole: the matches of one seed are one observation.
    """

    def __init__(self) -> None:
        self._known: set[tuple[tuple[int, ...], str]] = set()

    def is_repeated(self, group: Iterable[Result]) -> bool:
        """Whether every match of the group is identical with one of an earlier group."""
        courses = {(tuple(result.bots), result.course) for result in group}
        is_known = all(course for _, course in courses) and courses <= self._known
        self._known |= courses
        return is_known


class PlayedMatch(NamedTuple):
    """A result, and the text of the replay file; a broken match has none.

    ``changed`` names a bot that is not the one that was announced any more: then the result is worth nothing.
    """

    result: Result
    replay: str = ""
    changed: str = ""
