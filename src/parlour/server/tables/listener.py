"""A client's WebSocket as a room sees it: messages can be sent to it, within limits."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from parlour.protocol import PlayPace
from parlour.server.people.tokens import hash_token

MAX_MESSAGES = 256
MAX_BYTES = 4 * 2**20
REFUSED, TOO_SLOW = 4000, 4008  # codes with which sockets are closed

SendNow = Callable[[Iterable[bytes]], bool]  # sends texts at once; False if they have to wait, or cannot be sent


def not_now(texts: Iterable[bytes]) -> bool:
    return False


async def _nowhere(message: bytes) -> None:
    pass


def _nothing(code: int) -> None:
    pass


class Listener:
    """Messages wait here for a client that is slower than the table; one that is far too slow is dropped.

    What is pushed together is sent together. A task that sends exists only while something has to wait.
    """

    __slots__ = (
        "_bytes",
        "_close",
        "_dismissed",
        "_pump",
        "_send",
        "_send_now",
        "_waiting",
        "address",
        "chances",
        "digest",
        "dropped",
        "language",
        "pace",
        "pictures",
        "seat",
        "shown",
        "state",
        "undoable",
    )

    def __init__(
        self,
        send: Callable[[bytes], Awaitable[None]],
        close: Callable[[int], None],
        send_now: SendNow = not_now,
    ) -> None:
        self.seat: int | None = None
        self.address = ""  # whom it counts as
        self.digest = ""  # of the token that holds the seat
        self.pictures = False
        self.state = False
        self.shown: tuple[str, ...] | None = None  # what it was told last of the scene, if it asks for patches
        self.undoable = False  # whether the choices are to say if they can be taken back
        self.language = "en"
        self.pace: PlayPace = "normal"  # in which it likes to see bots play
        self.chances = False  # whether it asks how likely each seat is to win
        self.dropped = False
        self._send = send
        self._close = close
        self._send_now = send_now
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._dismissed = False
        self._pump: asyncio.Task[None] | None = None

    def act_for(self, seat: int, token: str) -> None:
        """From now on this client acts for a seat, as long as its token holds it."""
        self.seat, self.digest = seat, hash_token(token)

    def push(self, message: bytes) -> None:
        """Have the message sent, after those that wait."""
        if self.dropped:
            return
        if len(self._waiting) >= MAX_MESSAGES or self._bytes + len(message) > MAX_BYTES:
            self.drop()
            return
        self._waiting.append(message)
        self._bytes += len(message)
        if self._pump is None and len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._send_soon)

    def _send_soon(self) -> None:
        """Send what waits: at once, if the client keeps up, or by a task."""
        if not self._waiting or self._pump is not None or self.dropped:
            return
        if self._send_now(self._waiting):
            self._waiting.clear()
            self._bytes = 0
            self._end_if_dismissed()
        else:
            self._pump = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._waiting and not self.dropped:
            message = self._waiting.popleft()
            self._bytes -= len(message)
            try:
                await self._send(message)
            except Exception:  # whatever it is, nothing more is sent; the socket's own task finds out why
                self.drop()
        self._pump = None
        self._end_if_dismissed()

    def _end_if_dismissed(self) -> None:
        if self._dismissed and not self.dropped:
            self.drop(REFUSED)

    def drop(self, code: int = TOO_SLOW) -> None:
        """Close the socket. The client may come back and is told what it missed."""
        self.dropped = True
        self._waiting.clear()
        self._close(code)

    def dismiss(self, bye: bytes) -> None:
        """Close the socket, once this has been said."""
        self._dismissed = True
        self.push(bye)

    def let_go(self) -> None:
        """The socket is closed. Its functions refer back to this listener: without them both are freed at once."""
        self.dropped = True
        self._waiting.clear()
        self._send, self._close, self._send_now = _nowhere, _nothing, not_now

    async def flush(self) -> None:
        """Wait until all has been sent."""
        self._send_soon()
        if self._pump is not None:
            await self._pump
