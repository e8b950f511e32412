"""Attacks by what no browser would send: heads and bodies in the smallest pieces, nonsense, storms of connections."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from urllib.parse import urlsplit

from benchmarks.server.attackers.ground import AGAIN, Ground, Source

PIECES = 40_000  # bytes of a body, each sent as a chunk of its own
LINES = 60_000  # in the head of one request
STORM = 500  # connections


async def _pour(ground: Ground, poured: bytes, lines: int) -> None:
    """Each source opens connections, sends this on each, and does so again when it is told something."""
    await ground.begin()

    async def pour(source: Source) -> None:
        async def some() -> None:
            while not ground.is_over:
                try:
                    line = await source.line()
                except OSError:
                    await asyncio.sleep(AGAIN)
                    continue
                line.ask(poured)
                async with asyncio.timeout(ground.seconds):
                    await line.free.wait()
                line.cut()
                ground.counts["poured"] += 1

        await asyncio.gather(*(some() for _ in range(lines)))

    await ground.by_each(pour)


async def pieces(ground: Ground) -> None:
    """Bodies in chunks of one byte."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    await _pour(ground, head + b"1\r\nx\r\n" * PIECES + b"0\r\n\r\n", 8)


async def heads(ground: Ground) -> None:
    """Heads of as many lines as come at once."""
    await _pour(ground, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a:\r\n" * LINES + b"\r\n", 8)


async def nonsense(ground: Ground) -> None:
    """What is no request."""
    await _pour(ground, b"\x00\r\n\r\n", 8)


async def storm(ground: Ground) -> None:
    """Connections, as many as an address can open in one moment, which end at once; and again."""
    await ground.begin()
    host, port = urlsplit(ground.sources[0].url).hostname, urlsplit(ground.sources[0].url).port

    async def blow(source: Source) -> None:
        def come() -> None:
            opened = []
            for _ in range(STORM):
                connection = socket.socket()
                connection.setblocking(False)
                connection.bind((source.address, 0))
                with contextlib.suppress(BlockingIOError):
                    connection.connect((host, port))
                opened.append(connection)
            for connection in opened:
                connection.close()
            ground.counts["connections"] += STORM

        await ground.every(0.5, come)

    await ground.by_each(blow)
