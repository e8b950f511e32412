"""The application: everything put together."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, Request, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.response import Response
from litestar.types import ASGIApp, Message, Receive, Scope, Send

import parlour
from parlour.protocol import Problem
from parlour.server import logs, metrics, pages
from parlour.server.api import games, live, tables
from parlour.server.api.access import Admission, Injected, provide_at_seat, provide_room, provide_watcher
from parlour.server.config import FROM_PARENT, TIME_OFFSET, Config
from parlour.server.errors import Refusal
from parlour.server.limits import BODY_BYTES
from parlour.server.services import Services
from parlour.server.steady import SteadyClock
from parlour.server.store import StoreFailed

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
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
CODES = {400: "bad_request", 401: "unauthorised", 403: "forbidden", 404: "not_found", 413: "too_large", 429: "too_fast"}


def make_app(config: Config, clock: SteadyClock | None = None) -> Litestar:
    services = Services(config, clock)

    @asynccontextmanager
    async def serving(_: Litestar) -> AsyncIterator[None]:
        await services.open()
        try:
            yield
        finally:
            await services.close()

    app = Litestar(
        route_handlers=[
            tables.ROUTER,
            games.ROUTER,
            pages.ROUTER,
            live.live,
            live.lobby,
            healthz,
            readyz,
            metrics_page,
        ],
        lifespan=[serving],
        dependencies=_dependencies(services),
        state=State({"services": services}),
        before_request=Admission(services.limits),
        exception_handlers={
            Refusal: _refused,
            StoreFailed: _store_failed,
            HTTPException: _http_error,
            RecursionError: _too_deep,
            Exception: _bug,
        },
        request_max_body_size=BODY_BYTES,
        compression_config=CompressionConfig(backend="gzip", minimum_size=1000),
        openapi_config=OpenAPIConfig(
            title="Parlour",
            version=parlour.__version__,
            description="Tables for games: open one, sit down, play.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            components=Components(security_schemes={"seat": SecurityScheme(type="http", scheme="bearer")}),
            security=[{}, {"seat": []}],
        ),
        logging_config=None,
    )
    # Not as a middleware: those are not asked where there is no such route.
    app.asgi_handler = Outside(app.asgi_handler)
    return app


def _dependencies(services: Services) -> dict[str, Provide]:
    """What handlers are handed when they name it."""
    parts = {
        "services": services,
        "store": services.store,
        "rooms": services.rooms,
        "commands": services.commands,
        "limits": services.limits,
        "lobby": services.lobby,
    }
    provided = {name: Provide(_giving(part), sync_to_thread=False) for name, part in parts.items()}
    return {
        **provided,
        "room": Provide(provide_room),
        "at": Provide(provide_at_seat),
        "watcher": Provide(provide_watcher),
    }


def _giving(part: Any) -> Callable[[], Any]:
    def give() -> Any:
        return part

    return give


def _look_for_garbage_less() -> None:
    """Nothing that is there by now will ever be garbage, so Python need not look through it again and again.

    Nobody is served while it looks. But every socket that is closed leaves cycles behind: it must look now and then.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 5, 10)


def from_environment() -> Litestar:
    """The application of a worker process, as ``parlour serve`` has set it up."""
    config = msgspec.json.decode(os.environ[FROM_PARENT], type=Config)
    logs.set_up(config.log)
    app = make_app(config, SteadyClock(float(os.environ[TIME_OFFSET])))
    _look_for_garbage_less()
    return app


@get("/healthz", include_in_schema=False)
async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readyz(services: Injected[Services]) -> Response[dict[str, str]]:
    """The process can take requests: its store answers."""
    try:
        await services.store.ask(services.store.ping)
    except StoreFailed:
        return Response({"status": "the store does not answer"}, status_code=503)
    is_open = services.is_open
    return Response({"status": "ok" if is_open else "closing"}, status_code=200 if is_open else 503)


@get("/metrics", include_in_schema=False)
async def metrics_page(services: Injected[Services]) -> Response[bytes]:
    metrics.TABLES.set(len(services.rooms.in_memory))
    metrics.SOCKETS.set(services.limits.sockets.total())
    metrics.BUS_UP.set(services.bus.is_up)
    return Response(metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _problem(code: str, message: str, status: int) -> Response[Problem]:
    return Response(Problem(code, message), status_code=status)


def _refused(_: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    return _problem(refusal.code, str(refusal), refusal.status)


def _store_failed(_: Request[Any, Any, Any], error: StoreFailed) -> Response[Problem]:
    LOG.error("the store failed: %s", error)
    return _problem("busy", "the store does not answer just now: try again", 503)


def _http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """What the framework refuses, in our words; for a page that there is not, the page that says so."""
    if error.status_code == 404 and pages.wants_page(request):
        return pages.page(404)
    details = "; ".join(
        f"{extra.get('key', '')}: {extra.get('message', '')}" if isinstance(extra, dict) else str(extra)
        for extra in (error.extra if isinstance(error.extra, list) else [])
    )
    message = f"{error.detail}: {details}" if details else error.detail
    return _problem(CODES.get(error.status_code, "bad_request"), message, error.status_code)


def _too_deep(_: Request[Any, Any, Any], error: RecursionError) -> Response[Problem]:
    """JSON that is nested deeper than anything of ours."""
    return _problem("bad_request", "this is nested too deep", 400)


def _bug(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    LOG.error("a request failed", exc_info=error)
    return _problem("bug", "something went wrong that should not: it has been noted", 500)


class Outside:
    """Around everything: a name for the request in the logs, the security headers, and the count."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        logs.REQUEST.set(secrets.token_hex(4))
        logs.MATCH.set(_table_in(scope["path"]))
        began = time.perf_counter()

        async def outward(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
                added.append((b"x-request-id", logs.REQUEST.get().encode()))
                message["headers"] = [*message.get("headers", []), *added]
                metrics.REQUESTS.labels(_method(scope), str(message["status"])).inc()
                took = (time.perf_counter() - began) * 1000
                LOG.info("%s %s %s in %.0f ms", _method(scope), scope["path"], message["status"], took)
            await send(message)

        await self.app(scope, receive, outward)


def _table_in(path: str) -> str:
    """The table that a request is about."""
    parts = path.split("/", 4)
    return parts[3] if parts[1:3] == ["api", "tables"] and len(parts) > 3 else ""


def _method(scope: Scope) -> str:
    """The method, unless it is one that somebody made up."""
    method = str(scope.get("method", ""))
    return method if method in METHODS else "other"
