"""Sending to an address that a browser has named. The server must not be led to machines that only it can reach.

So the address is HTTPS, at the usual port, and every address that its name has is a public one. The connection goes
to the very address that was checked, and follows no redirect.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from parlour.server.push.names import Names
from parlour.server.push.public import is_public

HTTPS_PORT = 443
CONNECTED_WITHIN = 5.0  # seconds, with all that TLS takes
WITHIN = 10.0  # seconds for one try, from the name to the answer
HEAD_BYTES = 16 * 1024  # of an answer: of its body nothing is read


class BadEndpoint(Exception):
    """An address that nothing is sent to."""


class Response(NamedTuple):
    """What a push service answered."""

    status: int
    headers: dict[str, str]


def check(endpoint: str, allowed: Sequence[str]) -> SplitResult:
    """The parts of an address that may be used, by what it looks like. ``allowed`` are sites that need no more."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise BadEndpoint("this is no address") from error
    if not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint or parts.fragment:
        raise BadEndpoint("this is no address")
    if not parts.hostname or parts.username is not None or parts.password is not None:
        raise BadEndpoint("the address names no host, or a user")
    if _site(parts) in allowed:
        return parts
    if parts.scheme != "https" or port not in (None, HTTPS_PORT):
        raise BadEndpoint("a push service is at an address that begins with https://")
    return parts


async def check_resolved(endpoint: str, allowed: Sequence[str], names: Names) -> None:
    """Raises BadEndpoint if nothing would be sent there, OSError where its name leads nowhere or nobody says where."""
    await _address(check(endpoint, allowed), allowed, names)


async def post(
    endpoint: str, headers: Mapping[str, str], body: bytes, allowed: Sequence[str], names: Names
) -> Response:
    """Send. Raises BadEndpoint where that is not allowed, and OSError or TimeoutError where nobody answers."""
    async with asyncio.timeout(WITHIN):
        parts = check(endpoint, allowed)
        address = await _address(parts, allowed, names)
        return await _ask(parts, address, headers, body)


async def _address(parts: SplitResult, allowed: Sequence[str], names: Names) -> str:
    """The address to connect to: one of those that the host's name has, if all of them are public."""
    addresses = await names.addresses(parts.hostname or "")
    if not addresses:
        raise BadEndpoint("the address leads nowhere")
    if _site(parts) not in allowed and not all(map(is_public, addresses)):
        raise BadEndpoint("the address leads to a machine that is not public")
    return addresses[0]


def host_of(endpoint: str) -> str:
    """The host and port of an address that was checked."""
    return urlsplit(endpoint).netloc.lower()


def _site(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}"


def _port(parts: SplitResult) -> int:
    return parts.port or (HTTPS_PORT if parts.scheme == "https" else 80)


async def _ask(parts: SplitResult, address: str, headers: Mapping[str, str], body: bytes) -> Response:
    options: dict[str, Any] = {}
    if parts.scheme == "https":
        options = {"ssl": _trusted(), "server_hostname": parts.hostname}
    async with asyncio.timeout(CONNECTED_WITHIN):
        reader, writer = await asyncio.open_connection(address, _port(parts), limit=HEAD_BYTES, **options)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        lines = [f"POST {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}", "", ""]
        writer.write("\r\n".join(lines).encode("ascii") + body)
        await writer.drain()
        return _read(await reader.readuntil(b"\r\n\r\n"))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError) as error:
        raise OSError("it did not answer as a push service does") from error
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@cache
def _trusted() -> ssl.SSLContext:
    """Whose certificates count. To read them takes 30 ms of the event loop, so that is done once."""
    return ssl.create_default_context()


def _read(head: bytes) -> Response:
    first, *lines = head.decode("latin-1").split("\r\n")
    named = (line.partition(":") for line in lines if ":" in line)
    return Response(int(first.split(" ")[1]), {name.strip().lower(): value.strip() for name, _, value in named})
