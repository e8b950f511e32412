"""One person at one server, from the first contact to leaving."""

from __future__ import annotations

import asyncio
import getpass
import shlex
from pathlib import Path
from typing import IO

from parlour import protocol
from parlour.cli.console import Quit, needs_ascii, parse_settings
from parlour.cli.online import saved_seats
from parlour.cli.online.arriving import LONGEST_NAME, TAKEN, check_name, doubt_of, follow, meet
from parlour.cli.online.clock import clock_text, read_clock
from parlour.cli.online.commands import TypedCommands
from parlour.cli.online.inbox import Answered, Inbox, Typed, Unheard
from parlour.cli.online.keyboard import Keyboard
from parlour.cli.online.screen import Screen
from parlour.cli.online.table import RemoteTable
from parlour.cli.options import Play
from parlour.client import AsyncClient, AsyncSeat, BadAnswer, Link, Refused, Ticket
from parlour.client.address import write_link
from parlour.engine import registry, replay
from parlour.engine.errors import BadReplay, BadSeats, NotWritten, ParlourError
from parlour.engine.files import write_whole

YOU, ANYONE = "you", "anyone"
FIRST_CONTACT = 3.0  # seconds to wait for a server that may not be there at all
GONE = {"unauthorised", "not_found"}  # why a kept seat is none any more

Arrival = tuple[protocol.TableView, Ticket | None]


class Session:
    """Somebody at a terminal, at one table of a server after another."""

    def __init__(self, arguments: Play, server: str, link: Link | None) -> None:
        self.arguments = arguments
        self.server = server
        self.link = link
        self.name = check_name(arguments.name) if arguments.name is not None else _user()
        self.screen = Screen(ascii=needs_ascii(arguments.ascii))
        self._saved: Ticket | None = None
        self._locks: dict[tuple[str, int], IO[bytes]] = {}  # of tables and seats; open until this program ends

    async def run(self) -> None:
        async with AsyncClient(self.server, patience=FIRST_CONTACT) as client:
            view, ticket = await (self._join(client, self.link) if self.link else self._open(client))
            client.patience = float("inf")
            keyboard = Keyboard()
            while True:
                table = RemoteTable(client, view, ticket, self.screen)
                self._save(table)
                self._announce(view, ticket)
                try:
                    again = await self._stay(table, keyboard)
                except asyncio.CancelledError:  # Ctrl-C
                    self._go(table)
                    raise
                if again is None:
                    return
                view, ticket = await again.look(), again.ticket

    def _save(self, table: RemoteTable) -> None:
        """Write the seat down, whenever there is something new to remember about it."""
        if table.seat is None or table.seat.ticket == self._saved:
            return
        self._saved = table.seat.ticket
        saved_seats.save(self.server, table.view.game, self.name, self._saved)
        self._lock(self._saved)

    # Coming in.

    async def _join(self, client: AsyncClient, link: Link) -> Arrival:
        """Sit down at an existing table, go on in one's seat there, or watch."""
        link = await follow(client, link)
        view = await client.table(link.table)
        if self.arguments.game is not None and self.arguments.game != view.game:
            raise ParlourError(f"at that table {view.game} is played, not {self.arguments.game}")
        if self.arguments.watch:
            return view, None
        if link.token is not None:
            view = await client.seat(Ticket(link.table, 0, link.token)).look()
            if view.you is None:
                raise BadAnswer("the server does not say which seat this link is to")
            return view, Ticket(link.table, view.you, link.token, server=self.server)
        mine = saved_seats.find(self.server, self.name, table=link.table)
        if (held := await self._go_on(client, mine)) is not None:
            return held
        try:
            seat = await client.sit(link.table, self.name, invite=link.invite, lot=self.arguments.lot)
        except Refused as refused:
            advice = "; --watch looks on" if refused.code in TAKEN else ""
            raise ParlourError(f"{refused}{advice}") from refused
        return await seat.look(), seat.ticket

    async def _open(self, client: AsyncClient) -> Arrival:
        """Go on with a match of this game that is not over, or open a table."""
        assert self.arguments.game is not None
        game = registry.get(self.arguments.game)
        mine = [] if self.arguments.new else saved_seats.find(self.server, self.name, game=game.name)
        if (found := await self._go_on(client, mine)) is not None:
            self.screen.say("You have a seat there already: going on with it. --new opens another table.", "dim")
            return found
        who, options = list(self.arguments.seat), parse_settings(self.arguments.settings)
        if who.count(YOU) > 1:
            raise BadSeats(f"at a server's table {YOU} take one seat; {ANYONE} leaves a seat to other people")
        bots = {seat: bot for seat, bot in enumerate(who) if bot not in (YOU, ANYONE)}
        settings = {name: str(value) for name, value in options.items()}
        clock, lot = read_clock(self.arguments.clock or "none"), self.arguments.lot
        if self.arguments.anybody:
            seat = await meet(client, self.name, game.name, settings, clock)
            return await seat.look(), seat.ticket
        opened = await client.open_table(game.name, seats=len(who) or None, options=settings, bots=bots, clock=clock)
        if who and YOU not in who:
            return opened.table, None
        seat = await client.sit(opened.table.id, self.name, seat=who.index(YOU) if who and not lot else None, lot=lot)
        return await seat.look(), seat.ticket

    async def _go_on(self, client: AsyncClient, found: list[saved_seats.SavedSeat]) -> Arrival | None:
        """The first of these seats that can still be played; those that no longer exist are forgotten."""
        for seat in found:
            try:
                view = await client.seat(seat.ticket).look()
            except Refused as refused:
                if refused.code not in GONE:
                    raise
                saved_seats.forget(self.server, seat.ticket)
                continue
            is_gone = view.you is not None and view.seats[view.you].gone
            if view.phase == "over" or (is_gone and self.link is None):
                saved_seats.forget(self.server, seat.ticket)
            elif self._lock(seat.ticket):
                return view, seat.ticket
        return None

    def _lock(self, ticket: Ticket) -> bool:
        """Have the seat for this terminal; False if another terminal of this user has it."""
        place = (ticket.table, ticket.seat)
        if place not in self._locks and (lock := saved_seats.lock(self.server, ticket)) is not None:
            self._locks[place] = lock
        return place in self._locks

    def _announce(self, view: protocol.TableView, ticket: Ticket | None) -> None:
        link = write_link(self.server, view.id)
        self.screen.say(f"{view.title} at {link}: {self._part(view)}. Type ? for help.", "bold")
        free = sum(seat.kind == "free" for seat in view.seats)
        if view.phase == "open":
            names = [seat.name for seat in view.seats if seat.kind == "kept"] + [f"{free} more"] * (free > 0)
            join = f" To join: parlour play --table {link}" if free else ""
            self.screen.say(f"Waiting for {' and '.join(names)}; {clock_text(view.clock)}.{join}")
            if free and view.code:
                self.screen.say(f"Or type this code there: {view.code[:3]}-{view.code[3:]}")
            if ticket and free:
                self.screen.say("Or type start, and bots take the free seats.", "dim")

    def _part(self, view: protocol.TableView) -> str:
        if view.you is None:
            return "you watch"
        seat = view.seats[view.you]
        if seat.lot:
            return "your seat will be drawn by lot"
        return f"you are {registry.get(view.game).seat_name(view.you if seat.wants is None else seat.wants)}"

    # Being there.

    async def _stay(self, table: RemoteTable, keyboard: Keyboard) -> AsyncSeat | None:
        """Play or watch; returns the seat of a rematch, if there is one."""
        inbox = Inbox(table, keyboard)
        commands, finished = TypedCommands(table, inbox), False
        async with inbox.open():
            while True:
                item = await inbox.next()
                if isinstance(item, Unheard):
                    raise item.trouble
                if isinstance(item, Answered):
                    inbox.sending = ""
                    if self._answered(table, item):
                        return item.answer if isinstance(item.answer, AsyncSeat) else None
                elif isinstance(item, Typed):
                    try:
                        self._typed(table, commands, item.line)
                    except Quit:
                        self._go(table)
                        return None
                else:
                    table.hear(item)
                    self._save(table)
                if table.phase == "over" and not finished:
                    finished = True
                    await self._finish(table)
                    if table.seat is None or not keyboard.is_terminal:
                        return None
                    self.screen.say("Type rematch for another match, or Enter to leave.", "dim")

    def _typed(self, table: RemoteTable, commands: TypedCommands, line: str | None) -> None:
        if line is None or (table.phase == "over" and not line.strip()):
            raise Quit
        commands.obey(line)

    def _answered(self, table: RemoteTable, item: Answered) -> bool:
        """Show what came of a command; True if there is nothing more to do at this table."""
        if item.trouble is not None:
            self.screen.say(f"{item.trouble}.", "yellow")
            return False
        if isinstance(item.answer, protocol.HintAnswer):
            if item.answer.text:
                self.screen.say(item.answer.text)
            for line in item.answer.best:
                self.screen.say(f"  {line.text}: about {line.chance:.0%} to win, after {line.tries:,} trials")
        if item.command in ("act", "undo"):
            table.acted(item.answer)
        if item.command == "leave" and table.seat is not None:
            saved_seats.forget(self.server, table.seat.ticket)
            self.screen.say("You have left your seat.")
        return item.command in ("leave", "rematch")

    def _go(self, table: RemoteTable) -> None:
        """Say how to come back."""
        if table.seat is not None and table.phase != "over" and not table.is_gone:
            link = write_link(self.server, table.view.id)
            self.screen.say(f"Your seat is kept. Go on: parlour play --table {link} --name {shlex.quote(self.name)}")

    async def _finish(self, table: RemoteTable) -> None:
        """The match is over: who has won, whether the dice were honest, and where it is kept."""
        ending = table.ending
        scores = ", ".join(f"{seat.name} {seat.score}" for seat in table.seats)
        table.show_board()
        self.screen.say(f"{ending.text if ending else 'The match is over'} ({scores})", "bold")
        if table.seat is not None:
            self.screen.say(await self._proof(table.seat))
            saved_seats.forget(self.server, table.seat.ticket)
        if self.arguments.save is not None:
            await self._keep_replay(table, self.arguments.save)

    async def _keep_replay(self, table: RemoteTable, file: Path) -> None:
        """Write the replay to a file; where that cannot be, the person may still go on to a rematch."""
        try:
            text = await table.client.replay(table.view.id)
            replay.loads(text, "what the server sends as a replay")
            write_whole(file, text, overwrite=False)
        except (BadReplay, NotWritten) as error:
            self.screen.say(f"This match is not saved: {error}.", "yellow")
        else:
            self.screen.say(f"Saved in {file}. Watch it again: parlour replay {file}")

    async def _proof(self, seat: AsyncSeat) -> str:
        """Whether the match and its dice are proved, in a line."""
        if doubt := await doubt_of(seat):
            return f"The dice cannot be proved: {doubt}."
        return "The dice are proved: they follow from the secret that was fixed before you sat down."


def _user() -> str:
    """The name of whoever is at this terminal."""
    try:
        return getpass.getuser()[:LONGEST_NAME]
    except (KeyError, OSError):
        return "guest"
