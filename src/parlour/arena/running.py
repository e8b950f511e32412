"""One match of a tournament: a job goes in, a result comes out, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from parlour.bots import Bot, Decision, make_bot
from parlour.bots.box import close_all
from parlour.bots.referee import PENALTIES, Incident, Referee, fault_of
from parlour.engine import registry, replay
from parlour.engine.chance import Chance
from parlour.engine.match import Match

OVER, FORFEIT, UNFINISHED, BROKEN = "over", "forfeit", "unfinished", "broken"
ENDINGS = (OVER, FORFEIT, UNFINISHED, BROKEN)
REFEREE = 0  # the stream that plays for a bot at fault; the bots' own follow


@dataclass(frozen=True)
class Job:
    """A match to be played, as it travels to a worker. ``who`` tells the bots' places in the tournament's list."""

    number: int
    group: int
    game: str
    options: dict[str, int]
    seed: int
    bot_seed: int  # of the bots' own generators
    bots: tuple[str, ...]
    names: tuple[str, ...]
    who: tuple[int, ...]


@dataclass(frozen=True)
class Faults:
    """What one seat did wrong, of one kind: how often, and what it was the first time."""

    seat: int
    status: str
    count: int
    ply: int
    detail: str


@dataclass(frozen=True)
class Result:
    """A match that was played. Lists go by seat; ``bots`` are places in the tournament's list."""

    number: int
    group: int
    seed: int
    bots: list[int]
    ended: str
    winners: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    plies: int = 0
    actions: list[int] = field(default_factory=list)  # how often each seat was asked
    seconds: list[float] = field(default_factory=list)  # how long it thought in all
    faults: list[Faults] = field(default_factory=list)
    detail: str = ""  # why the match is broken
    replay: str = ""  # the text of the replay file; not part of the result's line

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
        return {fault.seat for fault in self.faults if fault.status not in PENALTIES.forgiven}

    def to_json(self) -> dict[str, Any]:
        content = asdict(self)
        del content["replay"]
        return content

    def same_play(self, other: Result) -> bool:
        """Whether the same was played, however long it took."""
        return replace(self, seconds=[], replay="") == replace(other, seconds=[], replay="")


def broken(job: Job, detail: str) -> Result:
    """A match that could not be played, through no fault of a bot."""
    return Result(job.number, job.group, job.seed, list(job.who), BROKEN, detail=detail)


def play(job: Job, on_ply: Callable[[int], None] | None = None) -> Result:
    """Play one match to its end. Whatever a bot does, there is a result; broken rules give a broken match."""
    try:
        return _Sitting(job).run(on_ply)
    except Exception as error:
        return broken(job, f"{type(error).__name__}: {error}")


class _Sitting:
    """The match of a job while it is being played."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.game = registry.get(job.game)
        self.match = Match(self.game, len(job.bots), job.seed, names=job.names, **job.options)
        self.played: list[int] = []
        self.referee = Referee(len(job.bots))
        self.bots: list[Bot | None] = [self._make(seat, name) for seat, name in enumerate(job.bots)]

    def _make(self, seat: int, name: str) -> Bot | None:
        try:
            return make_bot(self.game, name)
        except Exception as error:
            self.referee.blame(seat, 0, fault_of(error))
            return None

    def run(self, on_ply: Callable[[int], None] | None) -> Result:
        try:
            while not (self.match.over or self._is_decided or len(self.played) >= self.game.ply_limit):
                self._ply()
                if on_ply:
                    on_ply(len(self.played))
        finally:
            close_all(self.bots)
        return self._result()

    @property
    def _is_decided(self) -> bool:
        """Faults have left one seat at most: it need not play on to win."""
        out = self.referee.out
        return bool(out) and len(out) >= len(self.bots) - 1

    def _ply(self) -> None:
        seat = self.match.to_move
        chance = self._chance(REFEREE + 1 + seat)
        decision = Decision(self.game, self.match.state.copy(), self.match.legal(), chance, actions=self.played)
        ruling = self.referee.ask(seat, self.bots[seat], decision, lambda: self._chance(REFEREE))
        if self._is_decided:
            return
        self.match.play(ruling.action)
        self.played.append(ruling.action)

    def _chance(self, stream: int) -> Chance:
        return Chance.of_game(self.job.bot_seed, len(self.played), stream)

    def _result(self) -> Result:
        referee = self.referee
        if self.match.over:
            ended, winners = OVER, [seat for seat in self.match.winners if seat not in referee.out]
        elif self._is_decided:
            ended, winners = FORFEIT, [seat for seat in range(len(self.bots)) if seat not in referee.out]
        else:
            ended, winners = UNFINISHED, []
        return Result(
            number=self.job.number,
            group=self.job.group,
            seed=self.job.seed,
            bots=list(self.job.who),
            ended=ended,
            winners=winners,
            scores=self.match.scores,
            plies=len(self.played),
            actions=referee.asked,
            seconds=[round(spent, 6) for spent in referee.seconds],
            faults=_summed_up(referee.incidents),
            replay=replay.dumps(self.match),
        )


def _summed_up(incidents: Sequence[Incident]) -> list[Faults]:
    """The faults of each seat and kind: how many there were, and the first."""
    found: dict[tuple[int, str], Faults] = {}
    for seen in incidents:
        status = seen.fault.status
        first = found.get((seen.seat, status)) or Faults(seen.seat, status, 0, seen.ply, seen.fault.detail)
        found[seen.seat, status] = replace(first, count=first.count + 1)
    return list(found.values())
