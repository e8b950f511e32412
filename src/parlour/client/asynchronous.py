"""The client for programs that do many things at once: the same as ``Client``, to await, and sockets to listen to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any, Literal, TypeVar

import httpx

from parlour import protocol
from parlour.client import calls, sockets
from parlour.client.address import check_server, socket_address
from parlour.client.calls import Call, new_cid, table_path
from parlour.client.errors import BadAnswer, Refused, Unreachable
from parlour.client.exchanges import Choose, Exchange, HeldSeat, Seats
from parlour.client.proof import Proof
from parlour.client.retry import PATIENCE, Attempts, Pauses
from parlour.client.sockets import Heard, Socket
from parlour.client.stream import Busy, Interruption, LobbyStream, Message, Stream
from parlour.client.ticket import Ticket
from parlour.protocol import ClockSpec

T = TypeVar("T")
M = TypeVar("M")


class AsyncClient:
    """A server. ``patience`` is for how many seconds it is asked again while it does not answer."""

    def __init__(self, server: str, *, patience: float = PATIENCE) -> None:
        self.server = check_server(server)
        self.patience = patience
        self._http = httpx.AsyncClient(base_url=self.server)
        self._seats = Seats(self.server)

    async def close(self) -> None:
        """End all connections. After that, nothing more can be asked."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def ask(self, call: Call[T]) -> T:
        """The answer to one request. Every refusal is raised."""
        attempts = Attempts(call, self.server, self.patience)
        while True:
            try:
                pause = attempts.heard(*await self._fetch(call))
            except (httpx.TransportError, TimeoutError) as error:
                pause = attempts.lost(error)
            if pause is None:
                return attempts.answers[0]
            await asyncio.sleep(pause)

    async def _fetch(self, call: Call[T]) -> tuple[int, bytes]:
        """The status and the body of one answer, if it comes in time and is not too long."""
        async with asyncio.timeout(call.seconds), self._http.stream(**call.request()) as response:
            content = bytearray()
            async for part in response.aiter_raw():
                content += part
                if len(content) > call.bytes:
                    raise BadAnswer(f"{self.server} answers with more than {call.bytes >> 20} MiB")
            return response.status_code, bytes(content)

    async def carry_out(self, exchange: Exchange[T]) -> T:
        """What comes of an exchange."""
        try:
            call = next(exchange)
            while True:
                try:
                    answer: Any = await self.ask(call)
                except Refused as refused:
                    call = exchange.throw(refused)
                else:
                    call = exchange.send(answer)
        except StopIteration as done:
            result: T = done.value
            return result

    async def games(self) -> list[protocol.GameView]:
        """The games that can be played there."""
        return await self.ask(calls.games())

    async def rulebook(self, game: str) -> str:
        """The rulebook of a game, in Markdown."""
        return await self.ask(calls.rulebook(game))

    async def tables(
        self,
        phase: Literal["open", "playing", "over"] | None = None,
        *,
        game: str | None = None,
        name: str | None = None,
        before: float | None = None,
        limit: int = 50,
    ) -> list[protocol.TableLine]:
        """Public tables, the last changed first; without a phase, all that are open or being played."""
        return await self.ask(calls.tables(phase, game, name, before, limit))

    async def open_table(
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
        wish = protocol.OpenTable(
            game=game,
            seats=seats,
            options=dict(options or {}),
            bots={str(seat): bot for seat, bot in (bots or {}).items()},
            public=public,
            hints=hints,
            clock=clock or ClockSpec(),
            grace=grace,
        )
        return await self.ask(calls.open_table(wish))

    async def pair(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, int | bool | str] | None = None,
        clock: ClockSpec | None = None,
    ) -> protocol.Opened:
        """A table where somebody waits for just such a match, or a new one. Then sit down at it."""
        wish = protocol.OpenTable(game=game, seats=seats, options=dict(options or {}), clock=clock or ClockSpec())
        return await self.ask(calls.pair(wish))

    async def find(self, code: str) -> protocol.Invitation:
        """The table of a code that somebody was told."""
        return await self.ask(calls.find(code))

    async def table(self, table: str, *, pictures: bool = False, state: bool = False) -> protocol.TableView:
        """The table as whoever watches sees it."""
        return await self.ask(calls.table(table, pictures=pictures, state=state))

    async def log(self, table: str, since: int = 0, wait: float = 0.0) -> protocol.Log:
        """What has happened since an entry, waiting for so many seconds for something to happen."""
        return await self.ask(calls.log(table, since, wait))

    async def replay(self, table: str) -> str:
        """The replay of a finished match, as a file for ``parlour verify``."""
        return await self.ask(calls.replay(table))

    async def picture(self, table: str, ply: int | None = None) -> str:
        """The position as SVG, now or at an earlier ply."""
        return await self.ask(calls.picture(table, ply))

    async def sit(
        self, table: str, name: str, *, seat: int | None = None, lot: bool = False, invite: str | None = None
    ) -> AsyncSeat:
        """Take a seat: that one, any that is free, or the one that a lot gives you when the match begins."""
        return AsyncSeat(self, await self.carry_out(self._seats.sit(table, name, seat=seat, lot=lot, invite=invite)))

    def seat(self, ticket: Ticket) -> AsyncSeat:
        """A seat that is held already."""
        ticket.check_for(self.server)
        return AsyncSeat(self, HeldSeat(ticket))

    def watch(
        self,
        table: str,
        *,
        token: str | None = None,
        pictures: bool = False,
        state: bool = False,
        chances: bool = False,
        pace: protocol.PlayPace = "normal",
    ) -> AsyncGenerator[Message, None]:
        """All that is told at a table: first a welcome, then every update, and a welcome after every interruption.

        With ``chances`` also how likely each seat is to win, where the game can tell. Where pictures are shown, bots
        play at this ``pace``.
        """
        stream = Stream(token, pictures=pictures, state=state, chances=chances, pace=pace)
        return self._listen(table_path(table, "/live"), stream)

    def lobby(self) -> AsyncGenerator[protocol.LobbyView | Interruption, None]:
        """The list of public tables, again and again as it changes."""
        return self._listen("/api/lobby/live", LobbyStream())

    async def _listen(self, path: str, stream: Heard[M]) -> AsyncGenerator[M | Interruption, None]:
        """What a socket says, for as long as somebody listens, however often the connection is lost."""
        pauses = Pauses(self.patience)
        while True:
            try:
                async with Socket(socket_address(self.server, path)) as socket:
                    await socket.greet(stream)
                    while True:
                        message = stream.hear(await socket.receive(is_waiting=stream.is_waiting))
                        if message is not None:
                            pauses.renew()
                            yield message
                        if stream.is_lost:
                            await socket.greet(stream)
            except Busy as error:
                trouble = Unreachable(f"{self.server}: {error}")
            except sockets.TROUBLE as error:
                trouble = sockets.explain(error, self.server)
            if (pause := pauses.take()) is None:
                raise trouble
            yield Interruption(str(trouble))
            await asyncio.sleep(pause)


class AsyncSeat:
    """A seat at a table. Each command is carried out once, however often the connection is lost."""

    def __init__(self, client: AsyncClient, held: HeldSeat) -> None:
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

    async def _do(self, command: protocol.TableCommand) -> protocol.Ack:
        return await self.client.carry_out(self._held.do(command))

    async def look(self, *, pictures: bool = False, state: bool = False) -> protocol.TableView:
        """The table, with what this seat can do now."""
        return await self.client.carry_out(self._held.look(pictures=pictures, state=state))

    async def log(self, since: int = 0, wait: float = 0.0) -> protocol.Log:
        """What has happened since an entry, as this seat may know it; waits for so many seconds for news."""
        return await self.client.carry_out(self._held.log(since, wait))

    async def act(self, action: int | str | list[int], ply: int) -> protocol.Ack:
        """Play an action by number or in notation, or several in a row; ``ply`` is how many have been played."""
        return await self.client.carry_out(self._held.act(action, ply))

    async def undo(self, ply: int) -> protocol.Ack:
        """Take your last choice back; ``ply`` is how many have been played."""
        return await self._do(protocol.Undo(cid=new_cid(), ply=ply))

    async def resign(self) -> protocol.Ack:
        """Give the match up. Where more than two play, a bot plays on in your place."""
        return await self._do(protocol.Resign(cid=new_cid()))

    async def draw(self, answer: Literal["offer", "accept", "decline"] = "offer") -> protocol.Ack:
        """Offer a draw, or answer the other's offer, where two play."""
        return await self._do(protocol.Draw(cid=new_cid(), answer=answer))

    async def chat(self, text: str) -> protocol.Ack:
        """Say something to everybody at the table."""
        return await self._do(protocol.Chat(cid=new_cid(), text=text))

    async def react(self, reaction: protocol.Reaction) -> protocol.Ack:
        """Say one of the reactions to everybody at the table."""
        return await self._do(protocol.Chat(cid=new_cid(), reaction=reaction))

    async def back(self) -> protocol.Ack:
        """No bot need play for me any longer."""
        return await self._do(protocol.Back(cid=new_cid()))

    async def leave(self) -> protocol.Ack:
        """Give the seat up: before the match it is free again, during it a bot plays on."""
        return await self._do(protocol.Leave(cid=new_cid()))

    async def start(self, fill: str | None = None) -> protocol.Ack:
        """Begin now, with bots of this name at the seats that are free."""
        return await self._do(protocol.Start(cid=new_cid(), fill=fill))

    async def put_bot(self, seat: int, bot: str | None) -> protocol.Ack:
        """Let a bot take a free seat, or, with none named, free the seat that one has."""
        return await self._do(protocol.PutBot(cid=new_cid(), seat=seat, bot=bot))

    async def hint(self) -> protocol.HintAnswer:
        """The best actions, as far as a second of thought can tell."""
        return await self.client.carry_out(self._held.hint())

    async def rematch(self) -> AsyncSeat:
        """The same seat at the same table once more, whoever asked for it first."""
        return AsyncSeat(self.client, await self.client.carry_out(self.client._seats.rematch(self._held)))

    async def renew(self) -> AsyncSeat:
        """The seat under another token; those that held it before do so no more."""
        return AsyncSeat(self.client, await self.client.carry_out(self._held.renew()))

    async def verify(self) -> list[str]:
        """Why the finished match and its dice are not proved, against what this seat has seen (no reason: they are)."""
        return await self.client.carry_out(self._held.verify())

    async def events(
        self, *, pictures: bool = False, state: bool = False, pace: protocol.PlayPace = "normal"
    ) -> AsyncGenerator[Message, None]:
        """All that this seat is told: a welcome, updates, choices, who is here; and a welcome after interruptions."""
        ticket = self.ticket
        told = self.client.watch(ticket.table, token=ticket.token, pictures=pictures, state=state, pace=pace)
        async with aclosing(told):
            async for message in told:
                await self._hear(message)
                yield message

    async def _hear(self, message: Message) -> None:
        """Note what is told, for the proof; and reveal the nonce once all have sat down."""
        if isinstance(message, protocol.Welcome):
            self.proof.saw_table(message.table)
            phase, seats = message.table.phase, message.table.seats
        elif isinstance(message, protocol.Update):
            self.proof.saw_update(message)
            phase, seats = message.phase, message.seats
        else:
            return
        if self._held.is_to_reveal(phase, seats):
            await self.client.carry_out(self._held.reveal(seats))


async def run_bot_async(seat: AsyncSeat, choose: Choose, *, state: bool = False) -> protocol.TableView:
    """Like ``run_bot``. ``choose`` is called on the event loop: it should not think for long."""
    return await seat.client.carry_out(seat._held.play(choose, state=state))
