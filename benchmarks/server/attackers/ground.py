"""Where an attacker comes from, and what it costs them to ask: raw connections and prepared bytes, within bounds."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from benchmarks.server import wire

PROXY = "127.9.9.9"  # the address of a proxy that the server trusts
AGAIN = 0.05  # seconds until a connection that was lost is opened again
MOST_ASKED = 200_000  # requests of one attack, however fast they are answered


ANSWERS = (b'{"type":"ack"', b'{"type":"reject"', b'{"type":"bye"', b'{"type":"pong"', b'{"type":"welcome"')


def _code_in(text: bytes) -> str:
    """What a message is: its type, or why something was refused."""
    place = text.find(b'"code":"', 0, 200)
    if place < 0:
        return text[9:20].split(b'"', 1)[0].decode()
    return text[place + 8 : place + 40].split(b'"', 1)[0].decode()


class Line(asyncio.Protocol):
    """A kept connection. ``told`` gets the status of each answer, and 0 where the connection ends without one."""

    def __init__(self, told: Callable[[int], None]) -> None:
        self._told = told
        self._transport: asyncio.Transport | None = None
        self._left = 0  # bytes of the answer that are still to come
        self._head = b""  # of an answer, as far as it has come
        self.free = asyncio.Event()  # whether no answer is awaited
        self.free.set()

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def ask(self, request: bytes) -> None:
        if self._transport is not None:
            self.free.clear()
            self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        if self._left:
            taken = min(self._left, len(data))
            self._left, data = self._left - taken, data[taken:]
            if not self._left:
                self.free.set()
        if data:
            self._head += data
            head, end, body = self._head.partition(b"\r\n\r\n")
            if not end:
                return
            self._head = b""
            place = head.lower().find(b"content-length: ")
            length = int(head[place + 16 :].split(b"\r", 1)[0]) if place >= 0 else 0
            self._told(int(head[9:12]))
            self._left = max(0, length - len(body))
            if not self._left:
                self.free.set()

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        if not self.free.is_set():
            self._told(0)
            self.free.set()

    def cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()


@dataclass
class Source:
    """An address of this machine; or, where it is ``proxied``, one that a proxy names."""

    url: str
    number: int
    proxied: bool = False
    told: Counter[int] = field(default_factory=Counter)  # answers by status
    heard: Counter[str] = field(default_factory=Counter)  # what sockets were told, where that is an answer

    @property
    def address(self) -> str:
        return PROXY if self.proxied else f"127.0.{9 + self.number // 200}.{1 + self.number % 200}"

    @property
    def headers(self) -> str:
        return f"X-Forwarded-For: 198.51.100.{1 + self.number}\r\n" if self.proxied else ""

    def request(self, path: str, body: bytes | None = None, token: str = "", method: str = "") -> bytes:
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        length = f"Content-Length: {len(body)}\r\n" if body is not None else ""
        method = method or ("GET" if body is None else "POST")
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{self.headers}{bearer}{length}\r\n"
        return head.encode() + (body or b"")

    async def line(self) -> Line:
        address = urlsplit(self.url)
        _, line = await asyncio.get_running_loop().create_connection(
            lambda: Line(self._note), address.hostname or "", address.port or 0, local_addr=(self.address, 0)
        )
        return line

    def _note(self, status: int) -> None:
        self.told[status] += 1

    async def socket(self, path: str, heard: Callable[[bytes], None] = lambda text: None) -> wire.Socket:
        def hear(text: bytes) -> None:
            if text.startswith(ANSWERS):
                self.heard[_code_in(text)] += 1
            heard(text)

        def lose() -> None:
            self.heard["sockets lost"] += 1

        return await wire.connect(self.url, path, hear, lose, source=self.address, headers=self.headers)

    async def ask(self, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
        """What is answered, as it is needed to begin. Raises OSError where that is a refusal."""
        address, sent = urlsplit(self.url), None if body is None else json.dumps(body).encode()
        reader, writer = await asyncio.open_connection(
            address.hostname, address.port, local_addr=(self.address, 0), limit=2**24
        )
        try:
            writer.write(self.request(path, sent, token))
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length: ")[2].split(b"\r", 1)[0])
            answer = json.loads(await reader.readexactly(length))
        finally:
            writer.transport.abort()
        if not head.startswith(b"http/1.1 2"):
            raise OSError(f"{path} was refused: {answer}")
        return answer

    async def open_table(self, **wish: Any) -> str:
        opened = await self.ask("/api/tables", wish)
        table: str = opened["table"]["id"]
        return table

    async def sit(self, table: str, name: str = "Eve") -> str:
        seated = await self.ask(f"/api/tables/{table}/sit", {"name": name})
        token: str = seated["token"]
        return token


@dataclass
class Ground:
    """What an attack has to do with: where it comes from, and how long it takes."""

    sources: list[Source]
    seconds: float
    server: int  # the process
    database: str
    counts: Counter[str] = field(default_factory=Counter)  # what was done besides asking
    until: float = 0.0

    @property
    def is_over(self) -> bool:
        asked = sum(source.told.total() for source in self.sources)
        return time.monotonic() > self.until or asked > MOST_ASKED

    async def begin(self) -> None:
        """Say that all is ready, and wait for the word to attack."""
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        self.until = time.monotonic() + self.seconds

    async def by_each(self, attack: Callable[[Source], Coroutine[Any, Any, None]]) -> None:
        """Have each source attack, all at once; what goes wrong for them is counted."""

        async def tried(source: Source) -> None:
            try:
                await attack(source)
            except TimeoutError:
                pass  # the attack is over, and something was not answered
            except OSError as error:
                self.counts[f"{type(error).__name__}: {error}"[:80]] += 1

        await asyncio.gather(*(tried(source) for source in self.sources))

    async def keep_asking(self, source: Source, request: bytes | Callable[[], bytes], lines: int, rate: float) -> None:
        """So many connections that ask again when they are answered; together at most so often a second."""
        end, due = self.until, time.monotonic()
        make = request if callable(request) else lambda: request

        async def one() -> None:
            nonlocal due
            line: Line | None = None
            while not self.is_over and time.monotonic() < end:
                if line is None or not line.is_open:
                    try:
                        line = await source.line()
                    except OSError:
                        await asyncio.sleep(AGAIN)
                        continue
                due = max(due, time.monotonic() - 0.1) + 1 / rate
                if (wait := due - time.monotonic()) > 0:
                    await asyncio.sleep(wait)
                line.ask(make())
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + max(0.0, end - time.monotonic())):
                    await line.free.wait()
            if line is not None:
                line.cut()

        await asyncio.gather(*(one() for _ in range(lines)))

    async def every(self, seconds: float, do: Callable[[], Any]) -> None:
        """Do something again and again, while the attack goes on."""
        due = time.monotonic()
        while not self.is_over:
            found = do()
            if found is not None:
                await found
            due = max(due + seconds, time.monotonic() - 0.1)
            await asyncio.sleep(max(0.0, due - time.monotonic()))
