"""A bot at a server's tables, several at a time, for as long as it is left running."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import IO

from parlour import protocol
from parlour.bots import Bot
from parlour.bots.box import close_all
from parlour.cli.boundary import INTERRUPTED
from parlour.cli.console import parse_settings, print_plain
from parlour.cli.online import saved_seats
from parlour.cli.online.arriving import follow, meet
from parlour.cli.online.bot_table import CLOSED, OUTCOMES, BotSpec, BotTable, in_thread
from parlour.cli.online.clock import clock_text, read_clock
from parlour.cli.options import HostBot
from parlour.client import AsyncClient, AsyncSeat, Interruption, Link, Message, Refused, Ticket, read_link
from parlour.engine.errors import OtherRules, ParlourError

FIRST_CONTACT = 3.0  # seconds to wait for a server that may not be there at all
GOODBYE = 5.0  # seconds in which seats can be left
AGAIN = 10.0  # seconds until a table is opened again, where that was refused
LATE = 10.0  # seconds in which a table that had its bot think hears that the server was away
COMING = 120.0  # seconds in which those for whom a rematch keeps a seat have to take it
MOST_TABLES = 64
GONE = {"unauthorised", "not_found"}  # why a kept seat is none any more


class BotHost:
    """The tables of one bot at one server."""

    def __init__(self, plan: BotSpec, arguments: HostBot, server: str) -> None:
        self.plan = plan
        self.arguments = arguments
        self.server = server
        self.options = {name: str(value) for name, value in parse_settings(arguments.settings).items()}
        self.clock = read_clock(arguments.clock or "none")
        self.outcomes: Counter[str] = Counter()
        self._tables: dict[asyncio.Task[None], BotTable | None] = {}  # None: not seated yet
        self._locks: dict[tuple[str, int], IO[bytes]] = {}
        self._changed = asyncio.Event()
        self._begun = 0  # matches that count towards --matches
        self._stops = 0  # how often it was told to stop
        self._away: set[BotTable] = set()  # that have lost their connection
        self._is_told_away = False
        self._back = -LATE  # when all were connected again
        self._trouble: ParlourError | None = None
        self._has_sat = False
        self._is_pausing = False

    async def run(self) -> int:
        async with AsyncClient(self.server, patience=FIRST_CONTACT) as client:
            await self._check_game(client)
            kept = await self._kept(client)
            links = [read_link(text) for text in self.arguments.table]
            client.patience = float("inf")
            with self._signals():
                print_plain(f"{self.plan.name} plays {self.plan.game.title} at {self.server}. Ctrl-C stops it.", "bold")
                for seat in kept:
                    self._begin(partial(_at_once, seat), is_kept=True)
                for link in links:
                    self._begin(partial(self._join, client, link))
                try:
                    await self._work(client)
                finally:
                    await self._end()
        if self._trouble is not None:
            raise self._trouble
        played = sum(self.outcomes.values())
        told = [*OUTCOMES, *([CLOSED] if self.outcomes[CLOSED] else [])]
        record = ", ".join(f"{self.outcomes[outcome]} {outcome}" for outcome in told)
        print_plain(f"{played} match{'' if played == 1 else 'es'} played: {record}.", "bold")
        return INTERRUPTED if self._stops > 1 else 0

    async def _check_game(self, client: AsyncClient) -> None:
        game = self.plan.game
        try:
            offered = {view.name: view.rules for view in await client.games()}
        except Refused as refused:
            raise ParlourError(
                f"{self.server} lists no games ({refused}): is this the address of the server?"
            ) from None
        if game.name not in offered:
            raise ParlourError(f"{self.server} does not offer {game.name}, but {', '.join(sorted(offered))}")
        if offered[game.name] != game.version:
            raise OtherRules(
                f"{self.server} plays {game.name} by rules {offered[game.name]}; this Parlour has rules {game.version}"
            )

    # Which tables.

    async def _work(self, client: AsyncClient) -> None:
        """Open tables as long as more are wanted; returns when none is left."""
        while self._trouble is None:
            if self._wants_another:
                self._begun += 1
                self._begin(partial(self._arrive, client))
            elif not self._tables and not self._is_pausing:
                return
            await self._changed.wait()
            self._changed.clear()

    @property
    def _may_begin(self) -> bool:
        """Whether any match may begin that has not."""
        return not self._stops and (self.arguments.matches is None or self._begun < self.arguments.matches)

    @property
    def _wants_another(self) -> bool:
        """Whether to wait at one more table. Only one waits at a time, or the bot would meet itself."""
        if not self._may_begin or self.arguments.table or self._is_pausing:
            return False
        return not self._waiting and self._playing < self.arguments.tables

    @property
    def _waiting(self) -> list[asyncio.Task[None]]:
        """Where nobody has come yet."""
        return [task for task, table in self._tables.items() if table is None or table.phase in (None, "open")]

    @property
    def _playing(self) -> int:
        return sum(table is not None and table.phase == "playing" for table in self._tables.values())

    def _make_room(self, task: asyncio.Task[None]) -> bool:
        """Whether a rematch can begin. Then nobody need be waited for elsewhere, if there is no place for both."""
        if not self._may_begin or self._playing >= self.arguments.tables:
            return False
        self._begun += 1
        if self._waiting and self._playing + 1 >= self.arguments.tables and not self.arguments.table:
            self._begun -= len(self._waiting)
            for other in self._waiting:
                other.cancel()
        self._tables[task] = None
        return True

    async def _arrive(self, client: AsyncClient) -> AsyncSeat:
        """A seat where somebody waits, or at a table of one's own."""
        game, seats = self.plan.game.name, self.arguments.seats
        if self.arguments.anybody:
            return await meet(client, self.plan.name, game, self.options, self.clock, seats=seats)
        opened = await client.open_table(game, seats=seats, options=self.options, clock=self.clock)
        return await client.sit(opened.table.id, self.plan.name, lot=True)

    async def _join(self, client: AsyncClient, link: Link) -> AsyncSeat:
        if link.server is not None and link.server != self.server:
            raise ParlourError(f"the link of --table is to {link.server}, and --server says {self.server}")
        link = await follow(client, link)
        view = await client.table(link.table)
        if view.game != self.plan.game.name:
            raise ParlourError(f"at that table {view.game} is played, not {self.plan.game.name}")
        return await client.sit(link.table, self.plan.name, invite=link.invite, lot=True)

    async def _kept(self, client: AsyncClient) -> list[AsyncSeat]:
        """The seats that an earlier run has left behind, as far as their matches go on."""
        seats = []
        for saved in saved_seats.find(self.server, self.plan.name, game=self.plan.game.name, bot=self.plan.bot):
            seat = client.seat(saved.ticket)
            try:
                is_over = (await seat.look()).phase == "over"
            except Refused as refused:
                if refused.code not in GONE:
                    raise
                is_over = True
            if is_over:
                saved_seats.forget(self.server, saved.ticket)
            elif self._lock(saved.ticket):
                seats.append(seat)
        return seats

    # One of them.

    def _begin(self, arrive: Callable[[], Awaitable[AsyncSeat]], *, is_kept: bool = False) -> None:
        task = asyncio.create_task(self._stay(arrive, is_kept=is_kept))
        self._tables[task] = None
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._tables[task]
        self._changed.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._trouble = (
                error if isinstance(error, ParlourError) else ParlourError(f"{type(error).__name__}: {error}")
            )

    async def _stay(self, arrive: Callable[[], Awaitable[AsyncSeat]], *, is_kept: bool) -> None:
        """From coming to a table to leaving it, and the rematches after it."""
        task = asyncio.current_task()
        assert task is not None
        bot: Bot | None = None
        is_counted = not is_kept  # and not played yet

        def make_room() -> bool:
            nonlocal is_counted
            is_counted = self._make_room(task)
            return is_counted

        try:
            playing = bot = await self._ready()
            seat: AsyncSeat | None = await self._seated(arrive)
            while seat is not None:
                self._has_sat = True
                table = self._tables[task] = BotTable(self.plan, playing, seat, print_plain)
                await self._play(table, is_kept=is_kept)
                close_all([bot])
                is_kept = is_counted = False
                seat = await table.rematch(make_room) if self._may_begin else None
                if seat is not None:
                    playing = bot = await self._ready()
        except ParlourError as error:
            self._begun -= is_counted
            self._failed(self._tables.get(task), error)
        except TimeoutError:
            self._begun -= is_counted
        finally:
            close_all([bot])

    async def _ready(self) -> Bot:
        """A bot, started. One that is not wanted any more by then is ended."""
        starting = asyncio.ensure_future(in_thread(self.plan.ready))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(_close)
            raise

    async def _seated(self, arrive: Callable[[], Awaitable[AsyncSeat]]) -> AsyncSeat:
        """The seat. Whoever is told to stop while it is being taken gives it back."""
        arriving = asyncio.ensure_future(arrive())
        try:
            return await asyncio.shield(arriving)
        except asyncio.CancelledError:
            with contextlib.suppress(ParlourError, TimeoutError):
                async with asyncio.timeout(GOODBYE):
                    await (await arriving).leave()
            raise

    async def _play(self, table: BotTable, *, is_kept: bool) -> None:
        """To the end of the match. TimeoutError: the seat is left, as those who are waited for do not come."""
        saved: Ticket | None = None
        was: protocol.Phase | None = None

        def keep() -> None:
            """Write the seat down, whenever there is something new to remember about it."""
            nonlocal saved
            if table.seat.ticket != saved:
                saved = table.seat.ticket
                saved_seats.save(self.server, self.plan.game.name, self.plan.name, saved, self.plan.bot)
                self._lock(saved)

        def heard(message: Message) -> None:
            nonlocal was
            self._connected(table, message)
            keep()
            if was is None and isinstance(message, protocol.Welcome):
                self._announce(table, message.table, is_kept=is_kept)
            if was != table.phase:
                was = table.phase
                self._changed.set()
            if not table.is_kept_for_others:
                patience.reschedule(None)
            elif patience.when() is None:
                patience.reschedule(asyncio.get_running_loop().time() + COMING)

        keep()
        try:
            async with asyncio.timeout(None) as patience:
                await table.play(heard)
        except (asyncio.CancelledError, ParlourError, TimeoutError):
            await asyncio.shield(self._leave(table))
            raise
        finally:
            self._away.discard(table)
        self.outcomes[table.outcome] += 1
        self._forget(table.seat.ticket)

    def _announce(self, table: BotTable, view: protocol.TableView, *, is_kept: bool) -> None:
        if view.phase == "open":
            code = f", code {view.code[:3]}-{view.code[3:]}" if view.code else ""
            print_plain(f"Waiting at {table.link}{code}; {clock_text(view.clock)}.")
        elif is_kept:
            print_plain(f"{table.link}: going on{f' against {table.others}' if table.others else ''}.")
        else:
            table.say_beginning()

    def _connected(self, table: BotTable, message: Message) -> None:
        """Say once that the server is away, and once that it is back, however many tables there are."""
        now = time.monotonic()
        if isinstance(message, Interruption):
            self._away.add(table)
            if not self._is_told_away and now - self._back > LATE:
                self._is_told_away = True
                print_plain(f"{message.reason}; trying again …", "yellow")
        elif isinstance(message, protocol.Welcome):
            self._away.discard(table)
            if self._is_told_away and not self._away:
                self._is_told_away, self._back = False, now
                print_plain("Connected again.", "green")

    def _failed(self, table: BotTable | None, error: ParlourError) -> None:
        """One line; and a while passes before the next table, if there is to be one."""
        if not self._has_sat:
            self._trouble = error
            return
        print_plain(f"{table.link}: {error}." if table is not None else f"No seat: {error}.", "red")
        if not self.arguments.table:
            self._is_pausing = True
            asyncio.get_running_loop().call_later(AGAIN, self._resume)

    def _resume(self) -> None:
        self._is_pausing = False
        self._changed.set()

    def _lock(self, ticket: Ticket) -> bool:
        """Have the seat for this program; False if another one of this user has it."""
        place = (ticket.table, ticket.seat)
        if place not in self._locks and (lock := saved_seats.lock(self.server, ticket)) is not None:
            self._locks[place] = lock
        return place in self._locks

    def _forget(self, ticket: Ticket) -> None:
        saved_seats.forget(self.server, ticket)
        if (lock := self._locks.pop((ticket.table, ticket.seat), None)) is not None:
            lock.close()

    # Stopping.

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Ctrl-C and a request to end are obeyed when the current job allows it."""
        loop = asyncio.get_running_loop()
        handled = [signal.SIGINT, signal.SIGTERM]
        with contextlib.suppress(NotImplementedError):  # Windows: there Ctrl-C ends it at once
            loop.add_signal_handler(signal.SIGINT, self._stop, 1)
            loop.add_signal_handler(signal.SIGTERM, self._stop, 2)
        try:
            yield
        finally:
            with contextlib.suppress(NotImplementedError):
                for number in handled:
                    loop.remove_signal_handler(number)

    def _stop(self, times: int) -> None:
        """The first time seats are left where no match has begun, the second time all others."""
        self._stops += times
        playing = 0
        for task, table in self._tables.items():
            if self._stops > 1 or table is None or table.phase != "playing":
                task.cancel()
            else:
                playing += 1
        if playing:
            what = "a match is" if playing == 1 else f"{playing} matches are"
            print_plain(
                f"Stopping: {what} played to the end. Ctrl-C again leaves: a bot of the server plays on.", "yellow"
            )
        self._is_pausing = False
        self._changed.set()

    async def _leave(self, table: BotTable) -> None:
        """Give the seat back: before the match it is free again, during it a bot of the server plays on."""
        try:
            async with asyncio.timeout(GOODBYE):
                await table.seat.leave()
        except Refused:  # it is none any more
            self._forget(table.seat.ticket)
        except (ParlourError, TimeoutError):
            print_plain(f"{table.link}: the seat could not be left; the same command goes on there.", "yellow")
        else:
            self._forget(table.seat.ticket)
            print_plain(f"{table.link}: the seat is left.")

    async def _end(self) -> None:
        """Whatever is still under way ends here."""
        for task in list(self._tables):
            task.cancel()
        await asyncio.gather(*self._tables, return_exceptions=True)


async def _at_once(seat: AsyncSeat) -> AsyncSeat:
    return seat


def _close(started: asyncio.Future[Bot]) -> None:
    if not started.cancelled() and started.exception() is None:
        close_all([started.result()])
