"""One match of a tournament: a job goes in, a result comes out, wherever it runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from parlour.arena.results import BROKEN, FORFEIT, OVER, UNFINISHED, Faults, PlayedMatch, Result
from parlour.arena.versions import bot_version
from parlour.bots import Bot, make_bot
from parlour.bots.box import BotLimits, close_all
from parlour.bots.faults import LONGEST_DETAIL
from parlour.bots.model import ModelBot
from parlour.bots.referee import Incident, Referee, fault_of
from parlour.engine import registry, replay
from parlour.engine.chance import Chance
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.opening import draw_opening
from parlour.engine.printable import one_line

COURSE = 20  # hexadecimal digits: of all matches of the largest tournament, no two agree by accident
REFEREE = 0  # the stream that plays for a bot at fault; the bots' own follow


@dataclass(frozen=True)
class MatchJob:
    """A match to be played, as it travels to a worker. ``who`` tells the bots' places in the tournament's list."""

    number: int
    group: int
    game: str
    options: dict[str, int]
    seed: int
    bot_seed: int  # of the bots' own generators
    bots: tuple[str, ...]
    limits: BotLimits  # of those that are files or programs
    names: tuple[str, ...]
    who: tuple[int, ...]
    opening: int = 0  # how many plies are drawn by lot
    versions: tuple[str, ...] = ()  # of what each bot brings along; nothing where that does not matter
    logs: str = ""  # the folder for what language models are asked and answer; else it is the usual one


def broken(job: MatchJob, detail: str) -> PlayedMatch:
    """A match that could not be played, through no fault of a bot."""
    why = one_line(detail, LONGEST_DETAIL)
    return PlayedMatch(Result(job.number, job.group, job.seed, list(job.who), BROKEN, detail=why))


def play(job: MatchJob, on_ply: Callable[[int], None] | None = None) -> PlayedMatch:
    """Play one match to its end. Whatever a bot does, there is a result; broken rules give a broken match."""
    try:
        played = _MatchInPlay(job).run(on_ply)
        return played._replace(changed=_changed(job))
    except Exception as error:
        return broken(job, f"{type(error).__name__}: {error}")


def _changed(job: MatchJob) -> str:
    """A bot that is not what it was when the tournament began."""
    game = registry.get(job.game)
    for name, bot, version in zip(job.names, job.bots, job.versions, strict=False):
        try:
            is_same = bot_version(game, bot) == version
        except ParlourError:  # its file is gone
            is_same = False
        if not is_same:
            return name
    return ""


class _MatchInPlay:
    """The match of a job while it is being played."""

    def __init__(self, job: MatchJob) -> None:
        self.job = job
        self.game = registry.get(job.game)
        self.match = Match(self.game, len(job.bots), job.seed, names=job.names, **job.options)
        self._began = self.match.state.pack()
        draw_opening(self.match, job.opening)
        self.referee = Referee(len(job.bots))
        self.bots: list[Bot | None] = [self._make(seat, name) for seat, name in enumerate(job.bots)]

    def _make(self, seat: int, name: str) -> Bot | None:
        try:
            bot = make_bot(self.game, name, self.job.limits)
            if isinstance(bot, ModelBot) and self.job.logs:
                bot.log_to(Path(self.job.logs, f"{self.job.number:05}-{seat}.jsonl"))
            return bot
        except Exception as error:
            self.referee.blame(seat, 0, fault_of(error))
            return None

    def run(self, on_ply: Callable[[int], None] | None) -> PlayedMatch:
        try:
            while not (self.match.over or self._is_decided or self._plies >= self.game.ply_limit):
                self._ply()
                if on_ply:
                    on_ply(self._plies)
        finally:
            close_all(self.bots)
        return PlayedMatch(self._result(), replay.dumps(self.match))

    @property
    def _is_decided(self) -> bool:
        """Faults have left one seat at most: it need not play on to win."""
        out = self.referee.out
        return bool(out) and len(out) >= len(self.bots) - 1

    def _ply(self) -> None:
        seat = self.match.to_move
        decision = self.match.seen_by(seat).decision(self._chance(REFEREE + 1 + seat))
        ruling = self.referee.ask(seat, self.bots[seat], decision, lambda: self._chance(REFEREE))
        if self._is_decided:
            return
        self.match.play(ruling.action)

    @property
    def _course(self) -> str:
        """A digest of all that was played. Where dice had a part in it, no match under another seed is the same."""
        has_dice = any(ply.by_chance for ply in self.match.plies)
        played = f"{self.match.actions} {self.job.seed if has_dice else ''}"
        return hashlib.sha256(self._began + played.encode()).hexdigest()[:COURSE]

    @property
    def _plies(self) -> int:
        return len(self.match.plies)

    def _chance(self, stream: int) -> Chance:
        return Chance.of_game(self.job.bot_seed, self._plies, stream)

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
            plies=self._plies,
            actions=referee.asked,
            seconds=[round(spent, 6) for spent in referee.seconds],
            faults=_summed_up(referee.incidents),
            drawn=self.match.drawn,
            course=self._course,
            models=[replace(bot.use, seat=seat) for seat, bot in enumerate(self.bots) if isinstance(bot, ModelBot)],
        )


def _summed_up(incidents: Sequence[Incident]) -> list[Faults]:
    """The faults of each seat and kind: how many there were, and the first."""
    found: dict[tuple[int, str], Faults] = {}
    for seen in incidents:
        status = seen.fault.status
        first = found.get((seen.seat, status)) or Faults(seen.seat, status, 0, seen.ply, seen.fault.detail)
        found[seen.seat, status] = replace(first, count=first.count + 1)
    return list(found.values())
