"""Somebody at a table in a browser: what they say, and what they are told, as over a server's socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

import msgspec

from parlour import protocol
from parlour.engine.language import speaking
from parlour.protocol import Leave, Reject, Rematch, TableCommand
from parlour.server.basics.errors import Refusal
from parlour.server.rooms import proposals
from parlour.server.rooms.holders import Holder
from parlour.server.tables.listener import Listener
from parlour.server.telling import chances as win_chances
from parlour.server.telling.broadcast import encode
from parlour.site.house import House
from parlour.site.room import LocalRoom

Send = Callable[[str], None]
Close = Callable[[int], None]

_decode = msgspec.json.Decoder(protocol.SocketMessage).decode


class Visit:
    """One page at one table, from hello on."""

    def __init__(self, house: House, table_id: str, send: Send, close: Close) -> None:
        self.house, self.table_id = house, table_id
        self._send, self._close = send, close
        self.listener = Listener(self._send_later, self._hang_up, self._send_now)
        self.room: LocalRoom | None = None

    def _send_now(self, messages: Iterable[bytes]) -> bool:
        for message in messages:
            self._send(message.decode())
        return True

    async def _send_later(self, message: bytes) -> None:
        self._send(message.decode())

    def _hang_up(self, code: int) -> None:
        self.part()
        self._close(code)

    def tell(self, message: msgspec.Struct) -> None:
        self.listener.push(encode(message))

    def part(self) -> None:
        """The page has gone."""
        if self.room is not None:
            self.room.part(self.listener)
            self.room = None

    async def hear(self, text: str) -> None:
        """The next thing that is said."""
        try:
            message: protocol.SocketMessage = _decode(text)
        except (msgspec.MsgspecError, UnicodeError) as error:
            return self.tell(Reject(None, "bad_request", f"this message makes no sense: {error}"))
        try:
            if isinstance(message, protocol.Hello):
                return await self._hello(message)
            if self.room is not None:
                await self._answer(self.room, message)
        except Refusal as refusal:
            self.listener.dismiss(encode(protocol.Bye(refusal.code, str(refusal))))
        return None

    async def _hello(self, hello: protocol.Hello) -> None:
        room = self.room or await self.house.room(self.table_id)
        await room.catch_up()
        listener = self.listener
        if hello.chances:
            await win_chances.make_ready(room.table)
        listener.pictures, listener.state, listener.chances = hello.pictures, hello.state, hello.chances
        listener.language, listener.undoable, listener.pace = hello.language, hello.undoable, hello.pace
        if hello.token is not None:
            listener.act_for(room.holders.seat_of(hello.token), hello.token)
        if self.room is None:
            listener.shown = () if hello.pictures and hello.patches else None
        listener.push(room.welcome(listener))
        if self.room is None:
            self.room = room
            room.join(listener)

    async def _answer(self, room: LocalRoom, message: protocol.SocketMessage) -> None:
        seat = self.listener.seat
        if isinstance(message, protocol.Ping):
            self.tell(protocol.Pong())
            await room.catch_up()
        elif isinstance(message, protocol.Hurry):
            if seat is not None:
                room.hurry(seat)
        elif isinstance(message, protocol.Hello):
            pass  # it was heard above
        elif seat is None:
            self.tell(Reject(message.cid, "unauthorised", "you only watch: this needs the token of a seat"))
        elif isinstance(message, protocol.AskHint):
            await self._hint(room, Holder(seat, self.listener.digest), message)
        else:
            await self._command(room, Holder(seat, self.listener.digest), message)

    async def _hint(self, room: LocalRoom, holder: Holder, asked: protocol.AskHint) -> None:
        await asyncio.sleep(0.02)  # what is on its way to the page is shown before this thinks
        try:
            with speaking(self.listener.language):
                self.tell(room.hint(holder, asked))
        except Refusal as refusal:
            self.tell(Reject(asked.cid, refusal.code, str(refusal)))

    async def _command(self, room: LocalRoom, holder: Holder, command: TableCommand) -> None:
        if isinstance(command, Rematch):
            return await self.house.rematch(room, holder, command, self.tell)
        now = room.clock.now

        def propose() -> proposals.Proposal:
            return proposals.propose(room.table, command, holder.seat, now())

        await room.command(command.cid, propose, holder, self.tell)
        if isinstance(command, Leave) and room.table.phase == "open":
            self.listener.seat = None
        return None
