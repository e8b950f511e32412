"""Around everything: who asks too much, a name for each request in the logs, the security headers, and the count."""

from __future__ import annotations

import logging
import secrets
import time

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from parlour.protocol import Problem
from parlour.server import logs, metrics
from parlour.server.api.access import NEVER_LIMITED
from parlour.server.errors import Refusal
from parlour.server.limits import RateLimits, counted_as

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
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class Outside:
    """Also where there is no such route, of which a middleware of the framework would hear nothing."""

    def __init__(self, app: ASGIApp, limits: RateLimits) -> None:
        self.app = app
        self.limits = limits
        self.base = limits.config.base_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.base != "/" and f"{scope['path']}/" == self.base and scope["type"] == ScopeType.HTTP:
            return await _redirect(self.base, send)
        # A proxy may have taken the base path away already.
        if self.base != "/" and scope["path"].startswith(self.base):
            scope["path"] = f"/{scope['path'].removeprefix(self.base)}"
            scope["raw_path"] = scope["path"].encode()
        client = scope["client"]
        address = counted_as(client[0]) if client else "unknown"
        logs.about(request=secrets.token_hex(4), match=_table_in(scope["path"]), address=address)
        if scope["type"] != ScopeType.HTTP:  # a socket has limits of its own, and says so in its own way
            return await self.app(scope, receive, send)
        outward = _noted(scope, send)
        try:
            if scope["path"] not in NEVER_LIMITED:
                self.limits.check_banned(address)
                self.limits.check(self.limits.requests, address, "too many requests from your address")
        except Refusal as refusal:
            return await _refuse(refusal, outward)
        return await self.app(scope, receive, outward)


def _noted(scope: HTTPScope, send: Send) -> Send:
    """Sends an answer with all that every answer has, and takes note of it."""
    began = time.perf_counter()
    method = scope["method"] if scope["method"] in METHODS else "other"

    async def outward(message: Message) -> None:
        if message["type"] == "http.response.start":
            added = [*_ADDED, (b"x-request-id", logs.REQUEST.get().encode())]
            message["headers"] = [*message.get("headers", []), *added]
            metrics.REQUESTS.labels(method, str(message["status"])).inc()
            took = (time.perf_counter() - began) * 1000
            LOG.info("%s %s %s in %.0f ms", method, scope["path"], message["status"], took)
        await send(message)

    return outward


async def _redirect(path: str, send: Send) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0"), *_ADDED]
    await send({"type": "http.response.start", "status": 308, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _refuse(refusal: Refusal, send: Send, *more: tuple[bytes, bytes]) -> None:
    body = msgspec.json.encode(Problem(refusal.code, str(refusal)))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    if refusal.retry_after is not None:
        headers.append((b"retry-after", refusal.retry_after.encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


class Crowded:
    """The application, for a connection that is one too many: it is told so, unless it asks how the server is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["path"] in NEVER_LIMITED:
            return await self.app(scope, receive, send)
        refusal = Refusal("too_many", "there are too many connections just now")
        return await _refuse(refusal, _noted(scope, send), (b"connection", b"close"))


def _table_in(path: str) -> str:
    """The table that a request is about."""
    parts = path.split("/", 4)
    return parts[3] if parts[1:3] == ["api", "tables"] and len(parts) > 3 else ""
