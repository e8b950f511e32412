"""Live play: one WebSocket per table, and one for the list of tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from parlour import protocol
from parlour.engine import registry
from parlour.engine.language import speaking
from parlour.server.api.access import Injected, address_of, check_host, check_origin
from parlour.server.basics import logs
from parlour.server.basics.errors import Refusal
from parlour.server.http.middleware import connection_of
from parlour.server.http.sockets import SocketConnection
from parlour.server.people.limits import FRAME_BYTES, RateLimits
from parlour.server.rooms.commands import Commands
from parlour.server.rooms.holders import Holder
from parlour.server.rooms.lobby import Lobby
from parlour.server.rooms.room import Room
from parlour.server.rooms.rooms import Rooms
from parlour.server.store import Filter
from parlour.server.tables.listener import REFUSED, TOO_SLOW, Listener, SendNow, not_now
from parlour.server.telling import chances as win_chances
from parlour.server.telling.broadcast import encode

LOG = logging.getLogger("parlour.server")
HELLO_WITHIN = 10.0
RETRY = 1.0  # seconds
BROKEN, STOPS = 1006, 1012  # codes of sockets that ended without one, and that end with the server
# Why a socket was closed, by its code: those of the standard (RFC 6455, 7.4.1), and our own.
CLOSED = {
    1000: "its client has left",
    1001: "its client has left",
    1005: "its client has left",
    1006: "the connection broke",
    1007: "what it said was not text",
    1008: "it said too much at once",
    1009: "it said something too long",
    1011: "it did not answer",
    1012: "the server stops",
    REFUSED: "it was told to go",
    TOO_SLOW: "it read too slowly",
}
BAD_MESSAGES = 20  # after so many that make no sense, the socket is closed

Socket = WebSocket[Any, Any, Any]
_decode = msgspec.json.Decoder(protocol.SocketMessage).decode


@contextlib.asynccontextmanager
async def _admitted(socket: Socket, limits: RateLimits) -> AsyncIterator[bool]:
    """Accept the socket and count it while it is open, or tell it why not."""
    address = address_of(socket)
    try:
        check_host(socket, limits.config)
        check_origin(socket, limits.config)
        limits.check_banned(address)
        limits.check(limits.requests, address, "too many connections from your address")
        limits.take_socket(address)
    except Refusal as refusal:
        await _turn_away(socket, refusal)
        yield False
        return
    try:
        await socket.accept()
        yield True
    finally:
        limits.free_socket(address)
        _part(socket)


@websocket("/api/tables/{table_id:str}/live")
async def live(
    socket: Socket,
    table_id: FromPath[str],
    rooms: Injected[Rooms],
    commands: Injected[Commands],
    limits: Injected[RateLimits],
) -> None:
    """Say hello, then play or watch."""
    async with _admitted(socket, limits) as is_admitted:
        if is_admitted:
            player = _Player(socket, rooms, commands, limits)
            try:
                with contextlib.suppress(WebSocketDisconnect):
                    await player.serve(table_id)
            finally:
                player.listener.let_go()


async def _turn_away(socket: Socket, refusal: Refusal) -> None:
    if connection := _connection(socket):
        connection.note_refusal()
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(encode(protocol.Bye(refusal.code, str(refusal))).decode())
        await socket.close(REFUSED, refusal.code)
    _part(socket)


def _part(socket: Socket) -> None:
    """The framework's functions refer to the socket that has them: nothing but the collector would free it."""
    del socket.receive, socket.send


async def _hang_up(socket: Socket, code: int) -> None:
    with contextlib.suppress(Exception):  # it may be closed already, in any of several ways
        await socket.close(code)


def _connection(socket: Socket) -> SocketConnection | None:
    found: SocketConnection | None = connection_of(socket.scope)
    return found


def _send_now(socket: Socket) -> SendNow:
    connection = _connection(socket)
    return connection.send_now if connection else not_now


class _Player:
    """One socket at one table."""

    def __init__(self, socket: Socket, rooms: Rooms, commands: Commands, limits: RateLimits) -> None:
        self.socket = socket
        self.rooms = rooms
        self.commands = commands
        self.limits = limits
        self.address = address_of(socket)
        connection = _connection(socket)
        self.listener = Listener(self._send, self._close, _send_now(socket))
        self._receive = connection.receive if connection else socket.receive  # the framework only takes note
        self.listener.address = self.address
        self.room: Room | None = None
        self.began = time.monotonic()
        self.closed_with = 0  # the code, once it is closed by either side
        self.bad = 0
        self.tasks: set[asyncio.Task[Any]] = set()

    async def _send(self, message: bytes) -> None:
        await self.socket.send_text(message.decode())

    def _close(self, code: int) -> None:
        """Close the socket. That may take long if its client does not read, so the room does not wait for it."""
        self.closed_with = self.closed_with or code
        self._spawn(_hang_up(self.socket, code))
        if self.room is not None:
            asyncio.get_running_loop().call_soon(self.room.part, self.listener)

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def tell(self, message: msgspec.Struct) -> None:
        self.listener.push(encode(message))

    async def serve(self, table_id: str) -> None:
        try:
            hello = await asyncio.wait_for(self._hear(), HELLO_WITHIN)
            if not isinstance(hello, protocol.Hello):
                raise Refusal("bad_request", "the first message of a socket is hello")
            if hello.version != protocol.VERSION:
                versions = f"this server speaks version {protocol.VERSION} of the protocol, not {hello.version}"
                raise Refusal("bad_request", f"{versions}: load the page anew, or get the same version of Parlour")
            room = await self.rooms.get(table_id, self.address, hello.token)
            await self._set_chances(room, hello)
            if hello.token is not None:
                await room.find_seat(hello.token)
            self._set_wishes(hello)
            async with room.still(self.address):
                if hello.token is not None:  # from then on the room says who holds the seat
                    self.listener.act_for(room.holders.seat_of(hello.token), hello.token)
                    room.belong_to(self.address)
                await self._welcome(room)
                room.check_here()
                self.room = room
                room.join(self.listener)
        except TimeoutError:
            return await self._part_with("bad_request", "nothing was said")
        except Refusal as refusal:
            return await self._part_with(refusal.code, str(refusal))
        await self._attend(room)
        return None

    def _set_wishes(self, hello: protocol.Hello) -> None:
        """What the client wishes to be told, and how."""
        self.listener.pictures, self.listener.state = hello.pictures, hello.state
        self.listener.language, self.listener.undoable = hello.language, hello.undoable
        self.listener.pace = hello.pace
        self.listener.shown = () if hello.pictures and hello.patches else None

    async def _attend(self, room: Room) -> None:
        seat = self.listener.seat
        person = "" if seat is None else room.table.name(seat)
        _note_opening(person, seat)
        try:
            if seat is not None:
                self._spawn(self._return(room, Holder(seat, self.listener.digest)))
            while not self.listener.dropped:
                await self._answer(room, await self._hear())
        finally:
            _note_closing(person, seat, time.monotonic() - self.began, self.closed_with or STOPS)
            room.part(self.listener)
            self.room = None
            for task in self.tasks:
                task.cancel()

    async def _return(self, room: Room, holder: Holder) -> None:
        """The person is here again: give the seat back to them. Try until that is done or they leave."""
        while True:
            try:
                # Whole, also if they leave.
                return await asyncio.shield(self.commands.welcome_back(room, holder, self.address))
            except Refusal as refusal:
                if not refusal.is_for_now:
                    return None
                await asyncio.sleep(RETRY)

    async def _hear(self) -> protocol.SocketMessage | None:
        """The next message; None if it makes no sense, which the client is told."""
        event: Any = await self._receive()
        if event["type"] == "websocket.disconnect":
            self.closed_with = self.closed_with or event.get("code") or BROKEN
            raise WebSocketDisconnect(detail="the client has gone")
        text: str = event.get("text") or ""  # a binary frame reads as an empty one
        try:
            if len(text) > FRAME_BYTES:
                raise msgspec.ValidationError(f"a message has at most {FRAME_BYTES} bytes")
            message: protocol.SocketMessage = _decode(text)
            return message
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self.bad += 1
            self.tell(protocol.Reject(_cid_in(text), "bad_request", f"this message makes no sense: {error}"))
            if self.bad >= BAD_MESSAGES:
                await self._part_with("bad_request", "too many messages that make no sense")
                raise WebSocketDisconnect(detail="bad messages") from error
            return None

    async def _answer(self, room: Room, message: protocol.SocketMessage | None) -> None:
        seat = self.listener.seat
        if message is None:
            return
        if isinstance(message, protocol.Ping):
            self.tell(protocol.Pong())
        elif isinstance(message, protocol.Hello):
            await self._welcome_again(room, message)
        elif isinstance(message, protocol.Hurry):
            if seat is not None:
                room.hurry(seat)
        elif seat is None:
            self.tell(protocol.Reject(message.cid, "unauthorised", "you only watch: this needs the token of a seat"))
        elif isinstance(message, protocol.AskHint):
            self._spawn(self._hint(room, Holder(seat, self.listener.digest), message))
        else:
            await self.commands.carry_out(room, Holder(seat, self.listener.digest), message, self.tell, self.address)

    async def _welcome(self, room: Room) -> None:
        """Tell the whole table. Raises Refusal if this takes more time than there is for this address."""
        payers = (self.address,)
        room.playing.check(payers)
        self.listener.push(await room.playing.do(room.table, payers, room.welcome(self.listener)))

    async def _set_chances(self, room: Room, hello: protocol.Hello) -> None:
        """Tell win chances from now on, or no more."""
        if hello.chances:
            await win_chances.make_ready(room.table)
        self.listener.chances = hello.chances

    async def _welcome_again(self, room: Room, hello: protocol.Hello) -> None:
        """Welcome a client again. That counts as a request."""
        try:
            self.limits.check(self.limits.requests, self.address, "too many requests from your address")
            await self._set_chances(room, hello)
            self.listener.pace = hello.pace
            async with room.still(self.address):
                await self._welcome(room)
        except Refusal as refusal:
            self.tell(protocol.Reject(None, refusal.code, str(refusal)))

    async def _hint(self, room: Room, holder: Holder, asked: protocol.AskHint) -> None:
        try:
            with speaking(self.listener.language):
                self.tell(await self.commands.hint(room, holder, asked, self.address))
        except Refusal as refusal:
            self.tell(protocol.Reject(asked.cid, refusal.code, str(refusal)))

    async def _part_with(self, code: str, message: str) -> None:
        self.closed_with = REFUSED
        if self.room is None:
            LOG.info("a socket is refused: %s: %s", code, message)
        self.tell(protocol.Bye(code, message))
        await self.listener.flush()
        await _hang_up(self.socket, REFUSED)


def _note_opening(person: str, seat: int | None) -> None:
    LOG.info("a socket opens: %s", _who(person, seat), extra=logs.with_details(person=person, seat=_number(seat)))


def _note_closing(person: str, seat: int | None, seconds: float, code: int) -> None:
    why = CLOSED.get(code, "closed")
    details = logs.with_details(person=person, seat=_number(seat), seconds=round(seconds, 3), code=code)
    LOG.info("a socket closes after %.1f s: %s: %s (%d)", seconds, _who(person, seat), why, code, extra=details)


def _who(person: str, seat: int | None) -> str:
    return "somebody who watches" if seat is None else f"{person} at seat {seat}"


def _number(seat: int | None) -> int | str:
    return "" if seat is None else seat


def _cid_in(text: str) -> str | None:
    """The cid of a message with mistakes, so that the refusal can say which message it is about."""
    with contextlib.suppress(Exception):
        cid = msgspec.json.decode(text)["cid"]
        return cid if isinstance(cid, str) and len(cid) <= 64 else None
    return None


@websocket("/api/lobby/live")
async def lobby(socket: Socket, lobby: Injected[Lobby], limits: Injected[RateLimits], wanted: Injected[Filter]) -> None:
    """The list of public tables, sent again whenever it changes. The client need not send anything."""
    if wanted.game not in (None, *registry.names()):  # every list that somebody looks at is read again and again
        return await _turn_away(socket, Refusal("bad_option", "there is no such game"))
    async with _admitted(socket, limits) as is_admitted:
        if is_admitted:
            await _show_lobby(socket, lobby, wanted)
    return None


async def _show_lobby(socket: Socket, lobby: Lobby, wanted: Filter) -> None:
    closing: list[asyncio.Task[None]] = []
    listener = Listener(
        lambda message: socket.send_text(message.decode()),
        lambda code: closing.append(asyncio.create_task(_hang_up(socket, code))),
        _send_now(socket),
    )
    listener.address, began = address_of(socket), time.monotonic()
    LOG.debug("a socket at the lobby opens")
    try:
        await lobby.join(listener, wanted)
        with contextlib.suppress(WebSocketDisconnect):
            while not listener.dropped:
                await socket.receive_text()
    finally:
        lobby.part(listener)
        LOG.debug("a socket at the lobby closes after %.1f s", time.monotonic() - began)
