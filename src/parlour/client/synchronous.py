"""The client for programs that do one thing at a time. It needs nothing but HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from parlour import protocol
from parlour.client import limits
from parlour.client.asynchronous import AsyncClient, AsyncSeat
from parlour.client.errors import Refused
from parlour.client.exchanges import Choose, Exchange
from parlour.client.proof import Proof
from parlour.client.retry import PATIENCE
from parlour.client.ticket import Ticket

T = TypeVar("T")
Twin = TypeVar("Twin", AsyncClient, AsyncSeat)
Given = ParamSpec("Given")


class _Background:
    """An event loop in a thread of its own, so that a program that has none, or is in one already, can wait for it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What comes of the work. It is given up if this thread is interrupted meanwhile."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _waiting(
    method: Callable[Concatenate[Twin, Given], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Client | Seat, Given], T]:
    """A method of the twin that awaits, as one that returns when it is done."""

    @wraps(method)
    def waits(shell: Any, /, *given: Given.args, **named: Given.kwargs) -> T:
        found: T = shell._background.run(method(shell._twin, *given, **named))
        return found

    return waits


class Client:
    """A server. ``patience`` is for how many seconds it is asked again while it does not answer."""

    def __init__(self, server: str, *, patience: float = PATIENCE) -> None:
        self._twin = AsyncClient(server, patience=patience)
        self._background = _Background()

    @property
    def server(self) -> str:
        """Its address."""
        return self._twin.server

    def close(self) -> None:
        """End all connections. After that, nothing more can be asked."""
        self._background.run(self._twin.close())
        self._background.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def carry_out(self, exchange: Exchange[T]) -> T:
        """What comes of an exchange."""
        # Not that of the twin: what the exchange calls, such as a bot, runs in this thread.
        try:
            call = next(exchange)
            while True:
                try:
                    answer: Any = self.ask(call)
                except Refused as refused:
                    call = exchange.throw(refused)
                else:
                    call = exchange.send(answer)
        except StopIteration as done:
            result: T = done.value
            return result

    def sit(
        self, table: str, name: str, *, seat: int | None = None, lot: bool = False, invite: str | None = None
    ) -> Seat:
        """Take a seat: that one, any that is free, or the one that a lot gives you when the match begins."""
        return Seat(self, self._background.run(self._twin.sit(table, name, seat=seat, lot=lot, invite=invite)))

    def seat(self, ticket: Ticket) -> Seat:
        """A seat that is held already."""
        return Seat(self, self._twin.seat(ticket))

    ask = _waiting(AsyncClient.ask)
    games = _waiting(AsyncClient.games)
    rulebook = _waiting(AsyncClient.rulebook)
    tables = _waiting(AsyncClient.tables)
    open_table = _waiting(AsyncClient.open_table)
    pair = _waiting(AsyncClient.pair)
    find = _waiting(AsyncClient.find)
    table = _waiting(AsyncClient.table)
    log = _waiting(AsyncClient.log)
    replay = _waiting(AsyncClient.replay)
    picture = _waiting(AsyncClient.picture)


class Seat:
    """A seat at a table. Each command is carried out once, however often the connection is lost."""

    def __init__(self, client: Client, twin: AsyncSeat) -> None:
        self.client = client
        self._twin = twin
        self._background = client._background

    @property
    def ticket(self) -> Ticket:
        """What holds the seat: keep it, and the seat is yours tomorrow."""
        return self._twin.ticket

    @property
    def proof(self) -> Proof:
        """What has been seen from this seat, to be compared with the server's account in the end."""
        return self._twin.proof

    def rematch(self) -> Seat:
        """The same seat at the same table once more, whoever asked for it first."""
        return Seat(self.client, self._background.run(self._twin.rematch()))

    def renew(self) -> Seat:
        """The seat under another token; those that held it before do so no more."""
        return Seat(self.client, self._background.run(self._twin.renew()))

    def events(self, since: int = 0) -> Iterator[protocol.LogLine]:
        """Every entry of the table's log after that one, each once and in order, for as long as you listen."""
        while True:
            log = self.client.carry_out(self._twin._held.log(since, limits.WAIT))
            for entry in log.entries:
                since = entry.number
                yield entry

    look = _waiting(AsyncSeat.look)
    log = _waiting(AsyncSeat.log)
    act = _waiting(AsyncSeat.act)
    undo = _waiting(AsyncSeat.undo)
    resign = _waiting(AsyncSeat.resign)
    draw = _waiting(AsyncSeat.draw)
    chat = _waiting(AsyncSeat.chat)
    react = _waiting(AsyncSeat.react)
    back = _waiting(AsyncSeat.back)
    leave = _waiting(AsyncSeat.leave)
    start = _waiting(AsyncSeat.start)
    put_bot = _waiting(AsyncSeat.put_bot)
    hint = _waiting(AsyncSeat.hint)
    verify = _waiting(AsyncSeat.verify)


def run_bot(seat: Seat, choose: Choose, *, state: bool = False) -> protocol.TableView:
    """Play the seat to the end with a function from what it sees to one of ``view.choices``; returns the table then."""
    return seat.client.carry_out(seat._twin._held.play(choose, state=state))
