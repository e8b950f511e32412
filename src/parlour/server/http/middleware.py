"""What every request passes on its way in and out: limits, a name in the logs, headers, compression, counts."""

from __future__ import annotations

import gzip
import logging
import secrets
import time
from typing import Any, cast

import msgspec
from litestar.enums import ScopeType
from litestar.types import (
    ASGIApp,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
)

from parlour.protocol import Problem
from parlour.server.basics import logs, metrics
from parlour.server.basics.errors import Refusal
from parlour.server.http.pace import Pace
from parlour.server.people.forwarded import UNKNOWN
from parlour.server.people.limits import RateLimits, counted_as

LOG = logging.getLogger("parlour.server")

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "font-src 'self'; media-src 'self' blob:; worker-src 'self' blob:; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_ADDED = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
EXTENSION = "parlour.connection"  # in the scope of a request: the connection that brought it
BELOW_BASE = "parlour.below_base"  # in the scope of a request whose path began with the base path
PROBES = {"/healthz", "/readyz", "/metrics"}  # with which monitoring asks how the server is
TOO_MANY = "too many requests from your address"
PACKED_FROM = 4096  # bytes of an answer: to compress less than that takes longer than to send it
PACKED_HOW = 4  # of nine: more takes longer than it saves
PACKED = (b"application/json", b"text/")  # what compresses well
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class Middleware:
    """Around the whole application: the framework's own middleware is not called where there is no such route."""

    def __init__(self, app: ASGIApp, limits: RateLimits) -> None:
        self.app = app
        self.limits = limits
        self.pace = Pace()
        self.base = limits.config.base_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.base != "/" and f"{scope['path']}/" == self.base and scope["type"] == ScopeType.HTTP:
            return await _redirect(self.base, send)
        # A proxy may have taken the base path away already.
        if self.base != "/" and scope["path"].startswith(self.base):
            scope["path"] = f"/{scope['path'].removeprefix(self.base)}"
            scope["raw_path"] = scope["path"].encode()
            scope[BELOW_BASE] = True  # type: ignore[literal-required]
        address = _note_request(scope)
        if scope["type"] != ScopeType.HTTP:  # a socket has limits of its own, and says so in its own way
            return await self.app(scope, receive, send)
        if turn := self.pace.turn(address):
            await turn
        try:
            self._check(scope["path"], address)
        except Refusal as refusal:
            if connection := connection_of(scope):
                connection.note_refusal()
            return await _refuse(refusal, scope, send)
        # HEAD is answered as GET, without the body: the framework has no HEAD.
        asked = cast(HTTPScope, {**scope, "method": "GET"}) if scope["method"] == "HEAD" else scope
        return await self.app(asked, receive, _noted(scope, send))

    def _check(self, path: str, address: str) -> None:
        """Probes have a limit of their own, far above what a balancer asks, so that other requests cannot use it up."""
        if path in PROBES:
            return self.limits.check(self.limits.probes, f"{path} {address}", TOO_MANY)
        self.limits.check_banned(address)
        return self.limits.check(self.limits.requests, address, TOO_MANY)


class Refusing:
    """Takes the application's place for a request that is only refused.

    The caller counts the refusal itself, at once: thousands of requests may come before the first is answered.
    """

    def __init__(self, refusal: Refusal, *, ends: bool = False) -> None:
        """``ends``: the connection, too."""
        self.refusal = refusal
        self.ends = ends

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        _note_request(scope)
        await _refuse(self.refusal, scope, send, ends=self.ends)


def _note_request(scope: Scope) -> str:
    """Give a request its name in the log. Returns the address that it counts for."""
    client = scope["client"]
    address = counted_as(client[0]) if client else UNKNOWN
    logs.about(request=secrets.token_hex(4), match=_table_in(scope["path"]), address=address)
    return address


def _noted(scope: HTTPScope, send: Send, line: str = logs.ANSWERED) -> Send:
    """Sends an answer with the headers that every answer has, logs it and counts it."""
    began = time.perf_counter()
    method = scope["method"] if scope["method"] in METHODS else "other"
    may_pack = any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])
    start: HTTPResponseStartEvent | None = None  # waits for the body, which may change it

    async def outward(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            own = {name for name, _ in headers}  # the documentation has a policy of its own
            added = [header for header in _ADDED if header[0] not in own]
            message["headers"] = [*headers, *added, (b"x-request-id", logs.REQUEST.get().encode())]
            metrics.REQUESTS.labels(method, str(message["status"])).inc()
            took = time.perf_counter() - began
            if not _waits(scope):
                metrics.note_answer(took)
            LOG.info(line, method, scope["path"], message["status"], took * 1000)
            start = message
            return
        if start is not None:
            if may_pack and message["type"] == "http.response.body":
                _pack(start, message)
            await send(start)
            start = None
        if method == "HEAD" and message["type"] == "http.response.body":
            message["body"] = b""
        await send(message)

    return outward


def _pack(start: HTTPResponseStartEvent, body: HTTPResponseBodyEvent) -> None:
    """Compress an answer if it is whole, large, and something that this makes smaller."""
    headers = dict(start["headers"])
    if body.get("more_body") or len(body["body"]) < PACKED_FROM or b"content-encoding" in headers:
        return
    if headers.get(b"content-type", b"").startswith(PACKED):
        body["body"] = gzip.compress(body["body"], PACKED_HOW, mtime=0)
        headers |= {b"content-encoding": b"gzip", b"content-length": b"%d" % len(body["body"])}
        start["headers"] = [*headers.items(), (b"vary", b"accept-encoding")]


async def _redirect(path: str, send: Send) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0"), *_ADDED]
    await send({"type": "http.response.start", "status": 308, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _refuse(refusal: Refusal, scope: HTTPScope, send: Send, *, ends: bool = False) -> None:
    """Say no; ``ends``: and end the connection."""
    body = msgspec.json.encode(Problem(refusal.code, str(refusal)))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.retry_after is not None:
        headers.append((b"retry-after", refusal.retry_after.encode()))
    if ends:
        headers.append((b"connection", b"close"))
    send = _noted(scope, send, logs.REFUSED)
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def connection_of(scope: Scope) -> Any:
    """The connection that brought a request, past the framework; None in tests, which may have none of ours."""
    extensions: dict[str, Any] = scope.get("extensions") or {}
    return extensions[EXTENSION]["connection"]() if EXTENSION in extensions else None


def _waits(scope: HTTPScope) -> bool:
    """Whether the request asks for news, and is answered when there are some."""
    return scope["path"].endswith("/log") and b"wait=" in scope["query_string"]


def _table_in(path: str) -> str:
    """The table that a request is about."""
    parts = path.split("/", 4)
    return parts[3] if parts[1:3] == ["api", "tables"] and len(parts) > 3 else ""
