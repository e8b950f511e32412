"""The client for programs that do one thing at a time. It needs nothing but HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, TypeVar

from parlour import protocol
from parlour.client import calls, limits
from parlour.client.asynchronous import AsyncClient
from parlour.client.calls import Call, new_cid
from parlour.client.errors import Refused
from parlour.client.exchanges import Choose, Exchange, HeldSeat, Seats
from parlour.client.proof import Proof
from parlour.client.retry import PATIENCE
from parlour.client.ticket import Ticket
from parlour.protocol import ClockSpec

T = TypeVar("T")


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


class Client:
    """A server. ``patience`` is for how many seconds it is asked again while it does not answer."""

    def __init__(self, server: str, *, patience: float = PATIENCE) -> None:
        self._client = AsyncClient(server, patience=patience)
        self._background = _Background()
        self._seats = Seats(self.server)

    @property
    def server(self) -> str:
        """Its address."""
        return self._client.server

    def close(self) -> None:
        """End all connections. After that, nothing more can be asked."""
        self._background.run(self._client.close())
        self._background.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, call: Call[T]) -> T:
        """The answer to one request. Every refusal is raised."""
        return self._background.run(self._client.ask(call))

    def carry_out(self, exchange: Exchange[T]) -> T:
        """What comes of an exchange."""
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

    def games(self) -> list[protocol.GameView]:
        """The games that can be played there."""
        return self.ask(calls.games())

    def rulebook(self, game: str) -> str:
        """The rulebook of a game, in Markdown."""
        return self.ask(calls.rulebook(game))

    def tables(
        self,
        phase: Literal["open", "playing", "over"] | None = None,
        *,
        game: str | None = None,
        name: str | None = None,
        before: float | None = None,
        limit: int = 50,
    ) -> list[protocol.TableLine]:
        """Public tables, the last changed first; without a phase, all that are open or being played."""
        return self.ask(calls.tables(phase, game, name, before, limit))

    def open_table(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, int | bool | str] | None = None,
        bots: Mapping[int, str] | None = None,
        public: bool = True,
        hints: bool = True,
        clock: ClockSpec | None = None,
        grace: float | None = None,
    ) -> protocol.Opened:
        """A new table, with bots at the seats that ``bots`` names. Then sit down at it."""
        return self.ask(
            calls.open_table(
                game,
                seats=seats,
                options=options or {},
                bots=bots or {},
                public=public,
                hints=hints,
                clock=clock,
                grace=grace,
            )
        )

    def pair(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, int | bool | str] | None = None,
        clock: ClockSpec | None = None,
    ) -> protocol.Opened:
        """A table where somebody waits for just such a match, or a new one. Then sit down at it."""
        return self.ask(calls.pair(game, seats=seats, options=options or {}, clock=clock))

    def find(self, code: str) -> protocol.Invitation:
        """The table of a code that somebody was told."""
        return self.ask(calls.find(code))

    def table(self, table: str, *, pictures: bool = False, state: bool = False) -> protocol.TableView:
        """The table as whoever watches sees it."""
        return self.ask(calls.table(table, pictures=pictures, state=state))

    def log(self, table: str, since: int = 0, wait: float = 0.0) -> protocol.Log:
        """What has happened since an entry, waiting for so many seconds for something to happen."""
        return self.ask(calls.log(table, since, wait))

    def replay(self, table: str) -> str:
        """The replay of a finished match, as a file for ``parlour verify``."""
        return self.ask(calls.replay(table))

    def picture(self, table: str, ply: int | None = None) -> str:
        """The position as SVG, now or at an earlier ply."""
        return self.ask(calls.picture(table, ply))

    def sit(
        self, table: str, name: str, *, seat: int | None = None, lot: bool = False, invite: str | None = None
    ) -> Seat:
        """Take a seat: that one, any that is free, or the one that a lot gives you when the match begins."""
        return Seat(self, self.carry_out(self._seats.sit(table, name, seat=seat, lot=lot, invite=invite)))

    def seat(self, ticket: Ticket) -> Seat:
        """A seat that is held already."""
        ticket.check_for(self.server)
        return Seat(self, HeldSeat(ticket))


class Seat:
    """A seat at a table. Each command is carried out once, however often the connection is lost."""

    def __init__(self, client: Client, held: HeldSeat) -> None:
        self.client = client
        self._held = held

    @property
    def ticket(self) -> Ticket:
        """What holds the seat: keep it, and the seat is yours tomorrow."""
        return self._held.ticket

    @property
    def proof(self) -> Proof:
        """What has been seen from this seat, to be compared with the server's account in the end."""
        return self._held.proof

    def _do(self, command: protocol.TableCommand) -> protocol.Ack:
        return self.client.carry_out(self._held.do(command))

    def look(self, *, pictures: bool = False, state: bool = False) -> protocol.TableView:
        """The table, with what this seat can do now."""
        return self.client.carry_out(self._held.look(pictures=pictures, state=state))

    def act(self, action: int | str | list[int], ply: int) -> protocol.Ack:
        """Play an action by number or in notation, or several in a row; ``ply`` is how many have been played."""
        return self.client.carry_out(self._held.act(action, ply))

    def undo(self, ply: int) -> protocol.Ack:
        """Take your last choice back; ``ply`` is how many have been played."""
        return self._do(protocol.Undo(cid=new_cid(), ply=ply))

    def resign(self) -> protocol.Ack:
        """Give the match up. Where more than two play, a bot plays on in your place."""
        return self._do(protocol.Resign(cid=new_cid()))

    def draw(self, answer: Literal["offer", "accept", "decline"] = "offer") -> protocol.Ack:
        """Offer a draw, or answer the other's offer, where two play."""
        return self._do(protocol.Draw(cid=new_cid(), answer=answer))

    def chat(self, text: str) -> protocol.Ack:
        """Say something to everybody at the table."""
        return self._do(protocol.Chat(cid=new_cid(), text=text))

    def back(self) -> protocol.Ack:
        """No bot need play for me any longer."""
        return self._do(protocol.Back(cid=new_cid()))

    def leave(self) -> protocol.Ack:
        """Give the seat up: before the match it is free again, during it a bot plays on."""
        return self._do(protocol.Leave(cid=new_cid()))

    def start(self, fill: str | None = None) -> protocol.Ack:
        """Begin now, with bots of this name at the seats that are free."""
        return self._do(protocol.Start(cid=new_cid(), fill=fill))

    def put_bot(self, seat: int, bot: str | None) -> protocol.Ack:
        """Let a bot take a free seat, or, with none named, free the seat that one has."""
        return self._do(protocol.PutBot(cid=new_cid(), seat=seat, bot=bot))

    def hint(self) -> protocol.HintAnswer:
        """The best actions, as far as a second of thought can tell."""
        return self.client.carry_out(self._held.hint())

    def rematch(self) -> Seat:
        """The same seat at the same table once more, whoever asked for it first."""
        return Seat(self.client, self.client.carry_out(self.client._seats.rematch(self._held)))

    def renew(self) -> Seat:
        """The seat under another token; those that held it before do so no more."""
        return Seat(self.client, self.client.carry_out(self._held.renew()))

    def verify(self) -> list[str]:
        """Why the finished match and its dice are not proved, against what this seat has seen (no reason: they are)."""
        return self.client.carry_out(self._held.verify())

    def events(self, since: int = 0) -> Iterator[protocol.LogLine]:
        """Every entry of the table's log after that one, each once and in order, for as long as you listen."""
        while True:
            log = self.client.carry_out(self._held.log(since, limits.WAIT))
            for entry in log.entries:
                since = entry.number
                yield entry


def run_bot(seat: Seat, choose: Choose, *, state: bool = False) -> protocol.TableView:
    """Play the seat to the end with a function from what it sees to one of ``view.choices``; returns the table then."""
    return seat.client.carry_out(seat._held.play(choose, state=state))
