"""Live play: one WebSocket per table, and one for the list of tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from parlour.engine.language import speaking
from parlour.server import messages as say
from parlour.server.api.access import address_of, check_origin
from parlour.server.api.tables import dispatch
from parlour.server.errors import Refused
from parlour.server.hall import Hall
from parlour.server.hints import best_actions
from parlour.server.limits import FRAME_BYTES, Limits
from parlour.server.listener import REFUSED, Listener
from parlour.server.room import Room, encode

LOG = logging.getLogger("parlour.server")
HELLO_WITHIN = 10.0
BAD_MESSAGES = 20  # after so many that make no sense, the socket is closed

Socket = WebSocket[Any, Any, Any]
_decode = msgspec.json.Decoder(say.SocketMessage).decode


@contextlib.asynccontextmanager
async def _admitted(socket: Socket) -> AsyncIterator[bool]:
    """The socket is open inside, and counts; or it has been told why not."""
    limits: Limits = socket.app.state.limits
    address = address_of(socket)
    try:
        check_origin(socket, limits.config)
        limits.check(limits.requests, address, "too many connections from your address")
        limits.take_socket(address)
    except Refused as refused:
        await _turn_away(socket, refused)
        yield False
        return
    try:
        await socket.accept()
        yield True
    finally:
        limits.free_socket(address)


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str]) -> None:
    """Say hello, then play or watch."""
    async with _admitted(socket) as is_admitted:
        if is_admitted:
            with contextlib.suppress(WebSocketDisconnect):
                await _Player(socket, socket.app.state.hall, socket.app.state.limits).serve(table)


async def _turn_away(socket: Socket, refused: Refused) -> None:
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(encode(say.Bye(refused.code, str(refused))).decode())
        await socket.close(REFUSED, refused.code)


async def _hang_up(socket: Socket, code: int) -> None:
    with contextlib.suppress(Exception):  # it may be closed already, in any of several ways
        await socket.close(code)


class _Player:
    """One socket at one table."""

    def __init__(self, socket: Socket, hall: Hall, limits: Limits) -> None:
        self.socket = socket
        self.hall = hall
        self.limits = limits
        self.listener = Listener(self._send, self._close)
        self.room: Room | None = None
        self.bad = 0
        self.tasks: set[asyncio.Task[Any]] = set()

    async def _send(self, message: bytes) -> None:
        await self.socket.send_text(message.decode())

    def _close(self, code: int) -> None:
        """The socket may take long to close if its client does not read. The room need not wait for that."""
        self._spawn(_hang_up(self.socket, code))
        if self.room is not None:
            asyncio.get_running_loop().call_soon(self.room.part, self.listener)

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def tell(self, message: msgspec.Struct) -> None:
        self.listener.push(encode(message))

    async def serve(self, table: str) -> None:
        try:
            hello = await asyncio.wait_for(self._hear(), HELLO_WITHIN)
            if not isinstance(hello, say.Hello):
                raise Refused("bad_request", "the first message of a socket is hello")
            if hello.version != say.VERSION:
                raise Refused("bad_request", f"this server speaks version {say.VERSION}, not {hello.version}")
            room = await self.hall.room(table)
            if hello.token is not None:
                await self.hall.seat_of(room, hello.token)
                room.seat_listener(self.listener, hello.token)
        except TimeoutError:
            return await self._part_with("bad_request", "nothing was said")
        except Refused as refused:
            return await self._part_with(refused.code, str(refused))
        self.listener.pictures, self.listener.state = hello.pictures, hello.state
        self.listener.language, self.listener.undoable = hello.language, hello.undoable
        await self._attend(room)
        return None

    async def _attend(self, room: Room) -> None:
        seat, self.room = self.listener.seat, room
        self._welcome(room)
        room.join(self.listener)
        try:
            if seat is not None:
                await self.hall.welcome_back(room, seat)
            while not self.listener.dropped:
                await self._answer(room, await self._hear())
        finally:
            room.part(self.listener)
            self.room = None  # the library's objects refer to each other and to this one, and may stay for a while
            for task in self.tasks:
                task.cancel()

    async def _hear(self) -> say.SocketMessage | None:
        """The next message; None if it makes no sense, which the client is told."""
        text = await self.socket.receive_text()  # a binary frame reads as an empty one
        try:
            if len(text) > FRAME_BYTES:
                raise msgspec.ValidationError(f"a message has at most {FRAME_BYTES} bytes")
            message: say.SocketMessage = _decode(text)
            return message
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self.bad += 1
            self.tell(say.Reject(_cid_in(text), "bad_request", f"this message makes no sense: {error}"))
            if self.bad >= BAD_MESSAGES:
                await self._part_with("bad_request", "too many messages that make no sense")
                raise WebSocketDisconnect(detail="bad messages") from error
            return None

    async def _answer(self, room: Room, message: say.SocketMessage | None) -> None:
        seat = self.listener.seat
        if message is None:
            return
        if isinstance(message, say.Ping):
            self.tell(say.Pong())
        elif isinstance(message, say.Hello):
            self._welcome_again(room)
        elif seat is None:
            self.tell(say.Reject(message.cid, "unauthorised", "you only watch: this needs the token of a seat"))
        elif isinstance(message, say.AskHint):
            self._spawn(self._hint(room, seat, message.cid))
        else:
            await dispatch(self.hall, self.limits, room, seat, message, self.tell)

    def _welcome(self, room: Room) -> None:
        hears = self.listener
        with speaking(hears.language):
            view = room.view(hears.seat, pictures=hears.pictures, state=hears.state, undoable=hears.undoable)
        self.tell(say.Welcome(say.VERSION, view))

    def _welcome_again(self, room: Room) -> None:
        """As much work as a request, so it counts as one."""
        try:
            self.limits.check(self.limits.requests, address_of(self.socket), "too many requests from your address")
            self._welcome(room)
        except Refused as refused:
            self.tell(say.Reject(None, refused.code, str(refused)))

    async def _hint(self, room: Room, seat: int, cid: str) -> None:
        try:
            self.tell(await best_actions(self.hall, self.limits, room, seat, cid))
        except Refused as refused:
            self.tell(say.Reject(cid, refused.code, str(refused)))

    async def _part_with(self, code: str, message: str) -> None:
        self.tell(say.Bye(code, message))
        await self.listener.flush()
        await _hang_up(self.socket, REFUSED)


def _cid_in(text: str) -> str | None:
    """The cid of a message that is wrong otherwise, so that its sender knows which."""
    with contextlib.suppress(Exception):
        cid = msgspec.json.decode(text)["cid"]
        return cid if isinstance(cid, str) and len(cid) <= 64 else None
    return None


@websocket("/api/lobby/live")
async def lobby(socket: Socket) -> None:
    """The list of public tables, again and again as it changes. Nothing need be said."""
    async with _admitted(socket) as is_admitted:
        if is_admitted:
            await _show_lobby(socket, socket.app.state.hall)


async def _show_lobby(socket: Socket, hall: Hall) -> None:
    closing: list[asyncio.Task[None]] = []
    listener = Listener(
        lambda message: socket.send_text(message.decode()),
        lambda code: closing.append(asyncio.create_task(_hang_up(socket, code))),
    )
    try:
        await hall.lobby.join(listener)
        with contextlib.suppress(WebSocketDisconnect):
            while not listener.dropped:
                await socket.receive_text()
    finally:
        hall.lobby.part(listener)
