"""A bot at one table of a server: what it is told there, what it is asked, and what it answers."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeVar

import msgspec

from parlour import protocol
from parlour.bots import Bot, make_bot
from parlour.bots.box import BotLimits, close_all, make_ready
from parlour.bots.referee import Referee, Ruling
from parlour.cli.online.arriving import doubt_of
from parlour.client import AsyncSeat, BadAnswer, Message, Refused, state_of
from parlour.client.address import write_link
from parlour.client.answers import MOST_SEATS
from parlour.client.exchanges import MOVED_ON
from parlour.engine.bots import Decision, TimeLimit
from parlour.engine.chance import Chance
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.seen import WATCHER
from parlour.engine.state import UNKNOWN, State

RESERVE = 0.5  # seconds of the clock that are left for the way to the server and back
LEAST = 0.05  # seconds that a bot has for an action, however little is left
SHARE, PLIES = 2, 30  # of what is left: at most half for one action; of a clock for the whole match, a thirtieth
REMATCH = 30.0  # seconds in which the others may ask for a rematch
REFEREE = 0  # the stream that plays for a bot at fault; the bot's own follows
WON, DRAWN, LOST = OUTCOMES = ("won", "drawn", "lost")
OVERTAKEN = {*MOVED_ON, "forbidden"}  # the latter where a bot of the server plays on, as no time was left
CLOSED = "closed"  # before it was decided, by the server or whoever runs it

T = TypeVar("T")


@dataclass(frozen=True)
class BotSpec:
    """Which bot plays what, and under which name."""

    game: Game
    bot: str
    name: str
    limits: BotLimits

    def ready(self) -> Bot:
        """A bot for one match, started: that takes no time of its clock."""
        bot = make_bot(self.game, self.bot, self.limits)
        try:
            make_ready([bot])
        except BaseException:
            close_all([bot])
            raise
        return bot


def time_limit(clock: protocol.ClockSpec, left: float | None, limits: BotLimits) -> TimeLimit:
    """How long the bot may think about one action, so that its seat never runs out of time."""
    if clock.kind == "none" or left is None:
        return TimeLimit()
    usable = max(left - RESERVE, LEAST)
    share = usable if clock.kind == "turn" else usable / PLIES + clock.increment
    return TimeLimit(max(LEAST, min(share, usable / SHARE, limits.seconds)))


class Record:
    """All that was played at a table, and by which seats: from its log, as the bot's seat may know it."""

    def __init__(self) -> None:
        self.number = 0  # of the last entry
        self.played: list[tuple[int, int]] = []

    def add(self, line: protocol.LogLine | protocol.Update) -> None:
        """Take the next entry; others are known already, or come with the log."""
        if line.number != self.number + 1:
            return
        self.number = line.number
        if line.kind not in ("act", "undo"):
            return
        try:
            entry = protocol.read_entry(line.kind, {"seat": line.seat}, line.body)
        except msgspec.ValidationError as error:
            raise BadAnswer("the server's log has an entry that makes no sense") from error
        if isinstance(entry, protocol.Acted):
            if entry.ply > len(self.played) + MOST_SEATS:
                raise BadAnswer("the server's log has an entry that makes no sense")
            # Where several choose at once, those whom the rules ask before may not have chosen yet.
            self.played += [(WATCHER, UNKNOWN)] * (entry.ply - len(self.played))
            self.played[entry.ply : entry.ply + len(entry.actions)] = [(entry.seat, each) for each in entry.actions]
        elif isinstance(entry, protocol.Undone):
            del self.played[max(0, entry.ply - entry.plies) :]


class BotTable:
    """One seat, from sitting down to the end of the match."""

    def __init__(self, plan: BotSpec, bot: Bot, seat: AsyncSeat, say: Callable[..., None]) -> None:
        self.plan = plan
        self.seat = seat
        self.link = write_link(seat.client.server, seat.ticket.table)
        self.phase: protocol.Phase | None = None  # not known yet
        self.outcome = ""
        self._say = say
        self._record = Record()
        self._story: list[str] = []
        self._secret = secrets.randbits(63)  # of the bot's own random numbers
        self._bot = bot
        self._seats: list[protocol.SeatView] = []
        self._choices: list[protocol.ChoiceView] = []
        self._heard = 0.0
        self._declined = False
        self._away: str | None = None  # why a bot of the server plays for it
        self._referee: Referee | None = None

    async def play(self, on_message: Callable[[Message], None]) -> None:
        """Stay until the match is over; ``on_message`` is called after each message."""
        async with aclosing(self.seat.events(state=True)) as told:
            async for message in told:
                self._hear(message)
                on_message(message)
                await self._come_back()
                await self._decline()
                if self._is_asked:
                    await self._answer()
                if self.phase == "over":
                    break
        await self._finish()

    # What is told.

    def _hear(self, message: Message) -> None:
        match message:
            case protocol.Welcome():
                self._welcome(message.table)
            case protocol.Update():
                self._update(message)
            case protocol.Choices():
                at = self._position.ply if self._position is not None else None
                self._choices = message.choices if message.ply == at else []

    def _welcome(self, view: protocol.TableView) -> None:
        if view.you is None:
            raise BadAnswer("the server does not say which seat this bot has")
        if view.game != self.plan.game.name:
            raise ParlourError(f"at that table {view.game} is played, not {self.plan.game.name}")
        self._view, self._you, self._position = view, view.you, view.position
        self._stand(view.phase, view.seats, view.ending, view.offer)
        self._choices = view.choices
        self._story = list(view.story)
        self._referee = self._referee or Referee(len(view.seats))

    def _update(self, update: protocol.Update) -> None:
        self._record.add(update)
        self._story += [event.text for event in update.events]
        if seating := update.body.get("seating"):
            self._you = seating[self._you]
        if update.position is not None:
            self._position, self._choices = update.position, []
        self._stand(update.phase, update.seats, update.ending, update.offer)
        if update.kind == "start":  # only now it is known who has which seat
            self.say_beginning()

    def _stand(
        self,
        phase: protocol.Phase,
        seats: list[protocol.SeatView],
        ending: protocol.Ending | None,
        offer: int | None,
    ) -> None:
        self.phase = phase
        self._seats, self._ending, self._heard = seats, ending, time.monotonic()
        self._offer = offer
        self._declined = self._declined and offer is not None

    def say_beginning(self) -> None:
        others = self.others
        self._say(f"{self.link}: the match{f' with {others}' if others else ''} begins.")

    @property
    def others(self) -> str:
        """Who else sits there; nobody in games for one."""
        names = [seat.name for seat in self._seats if seat.seat != self._you and seat.kind != "free"]
        return " and ".join(names)

    @property
    def is_kept_for_others(self) -> bool:
        """Whether it waits for those who had a seat at the last table: nobody else can sit down for them."""
        return self.phase == "open" and any(seat.kind == "kept" for seat in self._seats)

    # What is asked and answered.

    @property
    def _is_asked(self) -> bool:
        is_playing = self.phase == "playing" and self._position is not None and self._position.to_move == self._you
        return is_playing and bool(self._choices) and self._seats[self._you].away is None

    async def _come_back(self) -> None:
        """Ask once for the seat, where a bot of the server plays for this one, which was late."""
        was, self._away = self._away, self._seats[self._you].away
        if self.phase == "playing" and self._away in ("absent", "time") and was is None:
            with contextlib.suppress(Refused):  # no time is left
                await self.seat.back()

    async def _decline(self) -> None:
        """A bot agrees to no draw; who offers one need not wait for an answer."""
        if self.phase != "playing" or self._offer in (None, self._you) or self._declined:
            return
        self._declined = True
        with contextlib.suppress(Refused):  # it is gone already
            await self.seat.draw("decline")

    async def _answer(self) -> None:
        assert self._position is not None
        ply = self._position.ply
        left = self._seats[self._you].left
        left = None if left is None else left - (time.monotonic() - self._heard)
        decision = await self._decision(time_limit(self._view.clock, left, self.plan.limits))
        ruling = await in_thread(lambda: self._rule(decision, ply))
        self._choices = []
        try:
            if ruling.is_out:
                await self.seat.resign()
            else:
                await self.seat.act(ruling.action, ply)
        except Refused as refused:
            if refused.code not in OVERTAKEN:
                raise

    async def _decision(self, clock: TimeLimit) -> Decision:
        """What the bot is asked: from the position as the server shows it to this seat, and from nothing else."""
        assert self._position is not None
        state = state_of(self._view, self._position)
        at_once, least = self._position.at_once, self._position.ply
        most = least + (len(at_once.asked) if at_once else 0)  # where some choose at the same time, and have chosen
        if not least <= len(self._record.played) <= most:
            for line in (await self.seat.log(self._record.number)).entries:
                self._record.add(line)
        if not least <= len(self._record.played) <= most or not least <= state.ply <= most:
            raise BadAnswer("the server's log and its position are not of the same ply")
        played = self._record.played[:least] + [(WATCHER, UNKNOWN)] * (int(state.ply) - least)
        try:
            match = self._match(state, played)
            seen = match.seen_by(self._you)
            decision = seen.decision(Chance.of_game(self._secret, seen.ply, REFEREE + 1), clock)
            decision = replace(decision, story=self._story.copy)  # the match here knows positions, and no events
        except ParlourError:
            raise
        except Exception as error:  # whatever a game does with a position that no match has
            raise BadAnswer(f"the server shows a position that {self.plan.game.title} does not have") from error
        if not decision.legal:
            raise BadAnswer("the server asks for a choice where there is none")
        return decision

    def _match(self, state: State, played: list[tuple[int, int]]) -> Match:
        """The match as far as it is known here: its seed and its dice to come are not."""
        options = self.plan.game.resolve_options(self._view.options)
        names = [seat.name for seat in self._seats]
        match = Match(self.plan.game, len(names), 0, names=names, **options)
        match.take_up(played, state, by_chance=True)
        return match

    def _rule(self, decision: Decision, ply: int) -> Ruling:
        """In a thread of its own: the bot's choice, or what its fault costs."""
        assert self._referee is not None
        ruling = self._referee.ask(
            decision.seat, self._bot, decision, lambda: Chance.of_game(self._secret, ply, REFEREE)
        )
        if ruling.fault is not None:
            cost = "it resigns" if ruling.is_out else "a random action is played"
            self._say(f"{self.link}, ply {ply}: {ruling.fault}; {cost}.", "yellow")
        return ruling

    # The end.

    async def _finish(self) -> None:
        ending = self._ending
        self.outcome = _outcome(ending, self._you)
        told = f"{ending.text}, " if ending is not None and ending.text else ""
        scores = ", ".join(f"{seat.name} {seat.score}" for seat in self._seats)
        doubt = await doubt_of(self.seat)
        proof = f"the dice cannot be proved: {doubt}" if doubt else "the dice are proved"
        against = f" against {self.others}" if self.others else ""
        self._say(f"{self.link}: {self.outcome}{against} ({told}{scores}); {proof}.", "bold")

    async def rematch(self, make_room: Callable[[], bool]) -> AsyncSeat | None:
        """The seat at the next table, if somebody asks for one soon, and there is room for it then."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(REMATCH):
                while True:
                    log = await self.seat.log(self._record.number, REMATCH)
                    for line in log.entries:
                        self._record.add(line)
                    if any(line.kind == "rematch" for line in log.entries):
                        return await self.seat.rematch() if make_room() else None
        return None


def _outcome(ending: protocol.Ending | None, you: int) -> str:
    if ending is None or ending.reason in ("upgrade", "operator"):
        return CLOSED
    if ending.winners == [you]:
        return WON
    return DRAWN if you in ending.winners or not ending.winners else LOST


async def in_thread(work: Callable[[], T]) -> T:
    """What comes of the work, done in a thread that nobody has to wait for: the program can end meanwhile."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def set_outcome(result: T | None, error: BaseException | None) -> None:
        if future.done():  # it was given up
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(set_outcome, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await future
