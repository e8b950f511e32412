"""A match at a server's table, in this terminal."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from typing import Any

from parlour import protocol
from parlour.cli.choices import Choices
from parlour.cli.console import out
from parlour.cli.online.keyboard import Keyboard
from parlour.cli.online.screen import Screen
from parlour.cli.online.told import in_words
from parlour.client import AsyncClient, AsyncSeat, Interruption, Message, Ticket, state_of
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.state import State

RECENT = 6  # lines of the story that are told to whoever comes in the middle


@dataclass(frozen=True)
class Typed:
    line: str | None  # None: nothing more will be typed


@dataclass(frozen=True)
class Answered:
    """What came of a command: what it was, and the answer or why not."""

    what: str
    answer: Any = None
    trouble: ParlourError | None = None


@dataclass(frozen=True)
class Failed:
    """The table cannot be heard any more."""

    trouble: ParlourError


Item = Message | Typed | Answered | Failed


class RemoteTable:
    """One table, as somebody sees it who sits there or watches. What can be typed is in commands.py."""

    def __init__(self, client: AsyncClient, view: protocol.TableView, ticket: Ticket | None, screen: Screen) -> None:
        self.client = client
        self.view = view
        self.seat = AsyncSeat(client, ticket) if ticket is not None else None
        self.screen = screen
        self.game = registry.get(view.game)
        self.seats = view.seats
        self.phase = view.phase
        self.position = view.position
        self.ending = view.ending
        self.story: list[str] = []
        self.choices: Choices | None = None  # while it is for this seat to choose
        self.sending = ""  # the command that has not been answered yet
        self.is_interrupted = False
        self._waits_for: int | None = None
        self._warned: set[int] = set()
        self._inbox: asyncio.Queue[Item] = asyncio.Queue()
        self._early: deque[Typed] = deque()  # typed before the command before it was answered
        self._may_type = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def you(self) -> int | None:
        return self.seat.ticket.seat if self.seat else None

    def name(self, seat: int) -> str:
        return self.seats[seat].name if 0 <= seat < len(self.seats) else "the table"

    @property
    def state(self) -> State | None:
        return state_of(self.view, self.position) if self.position is not None else None

    # What comes in.

    @contextlib.asynccontextmanager
    async def open(self, keyboard: Keyboard) -> AsyncIterator[None]:
        """While open, what is told and typed comes in."""
        self._spawn(self._listen())
        self._spawn(self._type(keyboard))
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def next(self) -> Item:
        """The next that happens. While nothing does, the prompt stands there."""
        while True:
            if self._early and (not self.sending or self.is_interrupted):
                return self._early.popleft()
            if self._inbox.empty():
                self._prompt()
            item = await self._inbox.get()
            if not isinstance(item, Typed):
                return item
            self.screen.entered()
            self._early.append(item)

    def send(self, what: str, work: Awaitable[Any]) -> None:
        """Send a command; its answer comes in later. It is sent again, under its own name, until there is one."""
        self.sending = what

        async def wait() -> None:
            try:
                self._inbox.put_nowait(Answered(what, await work))
            except ParlourError as trouble:
                self._inbox.put_nowait(Answered(what, trouble=trouble))

        self._spawn(wait())

    async def _listen(self) -> None:
        events = self.seat.events(state=True) if self.seat else self.client.watch(self.view.id, state=True)
        try:
            async with contextlib.aclosing(events):
                async for message in events:
                    self._inbox.put_nowait(message)
        except ParlourError as trouble:
            self._inbox.put_nowait(Failed(trouble))

    async def _type(self, keyboard: Keyboard) -> None:
        """At a terminal one may type at any time; what comes from elsewhere is read when it is asked for."""
        if keyboard.is_terminal:
            self._may_type.set()
        line: str | None = ""
        while line is not None:
            await self._may_type.wait()
            line = await keyboard.line()
            if not keyboard.is_terminal:
                self._may_type.clear()
            self._inbox.put_nowait(Typed(line))

    def _prompt(self) -> None:
        if self.choices is not None and not self.sending:
            self._may_type.set()
        if self._may_type.is_set():
            mine = self.choices is not None and self.you is not None
            self.screen.prompt(f"{self.name(self.you)}> " if mine and self.you is not None else "> ")

    # What is told.

    def hear(self, message: Message) -> None:
        """Take in what the server tells, and show it."""
        if isinstance(message, Interruption):
            if not self.is_interrupted:
                self.screen.say(f"{message.reason}; trying again …", "yellow")
            self.is_interrupted = True
        elif isinstance(message, protocol.Welcome):
            self._welcome(message.table)
        elif isinstance(message, protocol.Update):
            self._update(message)
        elif isinstance(message, protocol.PresenceUpdate):
            self._presence(message)

    def _welcome(self, view: protocol.TableView) -> None:
        if self.is_interrupted:
            self.screen.say("Connected again.", "green")
        self.is_interrupted = False
        self.view, self.seats, self.phase = view, view.seats, view.phase
        self.position, self.ending = view.position, view.ending
        known = len(self.story) if self.story and view.story[: len(self.story)] == self.story else None
        for line in view.story[-RECENT:] if known is None else view.story[known:]:
            self.screen.say(f"  {line}")
        self.story = list(view.story)
        self._stand()

    def _update(self, update: protocol.Update) -> None:
        self.seats, self.phase = update.seats, update.phase
        self.ending = update.ending
        if line := in_words(update, self.name, self.you):
            self.screen.say(line, "cyan" if update.kind == "chat" else "dim")
        if update.kind == "undo":
            self.story.append(line)
        for event in update.events:
            self.story.append(event.text)
            self.screen.say(f"  {event.text}")
        if update.position is not None or update.ending is not None:
            self.position = update.position or self.position
            self._stand()

    def _presence(self, presence: protocol.PresenceUpdate) -> None:
        """Somebody whose turn it is has gone: say so, once."""
        for seat, seconds in presence.grace.items():
            if seat != self.you and seat not in self._warned:
                self.screen.say(f"{self.name(seat)} is away: a bot takes over in {seconds:.0f} seconds", "dim")
        self._warned = (self._warned | set(presence.grace)) - set(presence.here)

    def _stand(self) -> None:
        """The position is another: show it to whoever is to choose, or watches."""
        state = self.state
        if self.phase != "playing" or self.position is None or state is None:
            self.choices = None
            return
        to_move = self.position.to_move
        if to_move == self.you and self.you is not None:
            known = self.choices is not None and self.choices.state == state
            self.choices = Choices(self.game, state)
            if not known:
                self.show_board()
                self.screen.show(self.choices.short(out.width))
        else:
            self.choices = None
            if self.you is None:
                self.show_board()
            elif to_move is not None and to_move != self._waits_for and self.seats[to_move].kind == "person":
                self.screen.say(f"It is {self.name(to_move)}'s turn.", "dim")
        self._waits_for = to_move

    def show_board(self) -> None:
        if (state := self.state) is not None:
            self.screen.board(self.game.board(state, ascii=self.screen.ascii))
