"""Everything that comes in at a server's table, in order: messages, typed lines, and answers to commands."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Coroutine
from dataclasses import dataclass
from typing import Any

from parlour.cli.online.keyboard import Keyboard
from parlour.cli.online.table import RemoteTable
from parlour.client import Message
from parlour.engine.errors import ParlourError

WAITING = 1000  # so much may wait; a server that tells more has to wait itself


@dataclass(frozen=True)
class Typed:
    line: str | None  # None: nothing more will be typed


@dataclass(frozen=True)
class Answered:
    """A command, and its answer or the error."""

    command: str
    answer: Any = None
    trouble: ParlourError | None = None


@dataclass(frozen=True)
class Unheard:
    """The table cannot be heard any more."""

    trouble: ParlourError


Item = Message | Typed | Answered | Unheard


class Inbox:
    """While it is open, what happens at the table and at the keyboard comes in here."""

    def __init__(self, table: RemoteTable, keyboard: Keyboard) -> None:
        self.sending = ""  # the command that has not been answered yet
        self._table = table
        self._keyboard = keyboard
        self._items: asyncio.Queue[Item] = asyncio.Queue(WAITING)
        self._early: deque[Typed] = deque()  # typed before the command before it was answered
        self._may_type = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        self._spawn(self._listen())
        self._spawn(self._type())
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def next(self) -> Item:
        """The next thing that happens. Until then, the prompt is shown."""
        while True:
            if self._early and (not self.sending or self._table.is_interrupted):
                return self._early.popleft()
            if self._items.empty():
                self._prompt()
            item = await self._items.get()
            if not isinstance(item, Typed):
                return item
            self._table.screen.entered()
            self._early.append(item)

    def _prompt(self) -> None:
        """Show the prompt, if something may be typed."""
        if self._table.menu is not None and not self.sending:
            self._may_type.set()
        if self._may_type.is_set():
            self._table.screen.prompt(self._table.prompt)

    def send(self, command: str, work: Awaitable[Any]) -> None:
        """Send a command; its answer comes in later. It is sent again, under its own name, until there is one."""
        self.sending = command

        async def wait() -> None:
            try:
                await self._items.put(Answered(command, await work))
            except ParlourError as trouble:
                await self._items.put(Answered(command, trouble=trouble))

        self._spawn(wait())

    async def _listen(self) -> None:
        events = self._table.events()
        try:
            async with contextlib.aclosing(events):
                async for message in events:
                    await self._items.put(message)
        except ParlourError as trouble:
            await self._items.put(Unheard(trouble))

    async def _type(self) -> None:
        """At a terminal one may type at any time; what comes from elsewhere is read when it is asked for."""
        if self._keyboard.is_terminal:
            self._may_type.set()
        line: str | None = ""
        while line is not None:
            await self._may_type.wait()
            line = await self._keyboard.line()
            if not self._keyboard.is_terminal:
                self._may_type.clear()
            await self._items.put(Typed(line))
