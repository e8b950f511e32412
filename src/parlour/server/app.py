"""The application: everything put together."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, Request, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.response import Response
from litestar.routes import HTTPRoute, WebSocketRoute
from litestar.types import ASGIApp, Receive, Scope, Send
from sqlalchemy.exc import SQLAlchemyError

import parlour
from parlour.engine import looks
from parlour.protocol import Problem
from parlour.server.api import (
    admin,
    chances,
    documents,
    explanations,
    finding,
    games,
    lessons,
    live,
    pages,
    previews,
    push,
    reach,
    tables,
)
from parlour.server.api.access import (
    Admission,
    Injected,
    is_inside,
    provide_at_seat,
    provide_filter,
    provide_room,
    provide_watcher,
)
from parlour.server.basics import garbage, logs, metrics, system
from parlour.server.basics.config import FOLDER, FROM_PARENT, TIME_OFFSET, Config
from parlour.server.basics.errors import BadConfiguration, Refusal, StoreFailed
from parlour.server.basics.steady import SteadyClock
from parlour.server.http.middleware import Middleware
from parlour.server.people.limits import BODY_BYTES
from parlour.server.running.services import Services
from parlour.server.store.engine import first_line

LOG = logging.getLogger("parlour.server")
AGAIN = 1.0  # seconds until a worker tries again to reach the database
TRIES_FOR = 8.0  # seconds: meanwhile it cannot be told to stop

CODES = {400: "bad_request", 401: "unauthorised", 403: "forbidden", 404: "not_found", 413: "too_large", 429: "too_fast"}


async def _opened(services: Services) -> None:
    """Begin to serve. One of several workers may begin while the database is away, after a crash perhaps.

    It tries again, ends after a while, and is begun anew. Were it to fail here, it would look as if none could begin,
    and all would be ended.
    """
    until = time.monotonic() + TRIES_FOR
    while True:
        try:
            return await services.open()
        except (BadConfiguration, SQLAlchemyError, StoreFailed) as error:
            if services.config.workers == 1:
                raise
            LOG.error("this worker waits for the database: %s", first_line(error))
            await asyncio.sleep(AGAIN)
            if time.monotonic() > until or not isinstance(error, BadConfiguration):  # what has begun, begins only once
                os._exit(1)


def make_app(config: Config, clock: SteadyClock | None = None, shared: Path | None = None) -> Litestar:
    """``shared`` is a folder in which all workers of one server count what is asked of them."""
    services = Services(config, clock, shared)

    @asynccontextmanager
    async def serving(app: Litestar) -> AsyncIterator[None]:
        _ = app.openapi_schema  # to make it takes longer than anybody should wait for whoever asks for it first
        await _opened(services)
        try:
            yield
        finally:
            await services.close()

    app = Litestar(
        route_handlers=[
            tables.ROUTER,
            games.ROUTER,
            chances.ROUTER,
            lessons.ROUTER,
            explanations.ROUTER,
            finding.ROUTER,
            pages.ROUTER,
            documents.ROUTER,
            live.live,
            live.lobby,
            push.ROUTER,
            previews.ROUTER,
            admin.ROUTER,
            reach.reach,
            healthz,
            readyz,
            metrics_page,
        ],
        lifespan=[serving],
        dependencies=_dependencies(services),
        state=State({"services": services}),
        before_request=Admission(config),
        exception_handlers={
            Refusal: _refused,
            StoreFailed: _store_failed,
            HTTPException: _http_error,
            RecursionError: _too_deep,
            UnicodeDecodeError: _no_text,
            Exception: _bug,
        },
        request_max_body_size=BODY_BYTES,
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
    _resolve_in_turn(app)
    app.asgi_handler = Middleware(_drawing_on(app.asgi_handler, services), services.limits)
    return app


def _drawing_on(app: ASGIApp, services: Services) -> ASGIApp:
    """Whatever is asked for, a picture that raises gives way to a plain one, and the server is told."""

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        before = looks.tell_trouble.set(services.tell_of_picture)
        try:
            await app(scope, receive, send)
        finally:
            looks.tell_trouble.reset(before)

    return asked


def _resolve_in_turn(app: Litestar) -> None:
    """Have what handlers are handed looked up one after the other.

    The framework starts a task for each, as if it had to wait for them: that took longer than most of our handlers.
    """
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            models = [model for _, model in route.route_handler_map.values()]
        else:
            model = route.handler_parameter_model if isinstance(route, WebSocketRoute) else None
            models = [model] if model is not None else []
        for model in models:
            model.dependency_batches = [{part} for batch in model.dependency_batches for part in batch]


def _dependencies(services: Services) -> dict[str, Provide]:
    """What handlers are handed when they name it."""
    parts = {
        "services": services,
        "store": services.store,
        "rooms": services.rooms,
        "commands": services.commands,
        "opener": services.opener,
        "limits": services.limits,
        "sizes": services.sizes,
        "lobby": services.lobby,
        "drawing": services.drawing,
        "matches": services.finished,
        "previews": services.previews,
    }
    provided = {name: Provide(_giving(part), sync_to_thread=False) for name, part in parts.items()}
    return {
        **provided,
        "room": Provide(provide_room),
        "at": Provide(provide_at_seat),
        "watcher": Provide(provide_watcher),
        "wanted": Provide(provide_filter),
    }


def _giving(part: Any) -> Callable[[], Any]:
    def give() -> Any:
        return part

    return give


def from_environment() -> Litestar:
    """The application of a worker process, as ``parlour serve`` has set it up."""
    config = msgspec.json.decode(os.environ[FROM_PARENT], type=Config)
    logs.set_up(config.log, config.hash_key if config.hash_addresses else "", config.log_level)
    app = make_app(config, SteadyClock(float(os.environ[TIME_OFFSET])), Path(os.environ[FOLDER]))
    system.end_with_parent()
    system.show_stacks_when_asked(Path(os.environ[FOLDER]))
    metrics.note_start()
    garbage.look_less()
    sys.setswitchinterval(0.001)  # seconds: who only has to be answered waits no longer for a thread that draws
    return app


@get("/healthz", include_in_schema=False)
async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readyz(services: Injected[Services]) -> Response[dict[str, str]]:
    """The process can take requests: its store can be written."""
    if not services.is_open:
        return Response({"status": "closing"}, status_code=503)
    if not await services.readiness.is_ready():
        return Response({"status": "the store cannot be written"}, status_code=503)
    return Response({"status": "ok"})


@get("/metrics", include_in_schema=False, guards=[is_inside])
async def metrics_page(services: Injected[Services]) -> Response[bytes]:
    shown = await asyncio.shield(services.exposition.task())
    return Response(shown, media_type="text/plain; version=0.0.4; charset=utf-8")


def _problem(code: str, message: str, status: int) -> Response[Problem]:
    return Response(Problem(code, message), status_code=status)


def _refused(_: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    headers = {"retry-after": refusal.retry_after} if refusal.retry_after is not None else None
    return Response(Problem(refusal.code, str(refusal)), status_code=refusal.status, headers=headers)


def _store_failed(request: Request[Any, Any, Any], error: StoreFailed) -> Response[Problem]:
    LOG.error("the store failed: %s", error)
    return _refused(request, Refusal("busy", "the store does not answer just now: try again"))


def _http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """What the framework refuses, as a Problem; for a browser that asks for a missing page, the page that says so."""
    if error.status_code == 404 and pages.wants_page(request):
        return pages.page(request.app.state.services.config.base_path, 404)
    details = "; ".join(_detail(extra) for extra in (error.extra if isinstance(error.extra, list) else []))
    message = f"{error.detail}: {details}" if details else error.detail
    if error.status_code == 413:
        message = "the body of this request is too large"
    return _problem(CODES.get(error.status_code, "bad_request"), message, error.status_code)


def _detail(extra: object) -> str:
    """One thing that is wrong with a request, in words."""
    if not isinstance(extra, dict):
        return str(extra)
    key, message = extra.get("key", ""), extra.get("message", "")
    if message == f"'{key}'":  # a KeyError of the framework's own
        return f"{'the body' if key == 'data' else key} is missing"
    return f"{key}: {message}"


def _too_deep(_: Request[Any, Any, Any], error: RecursionError) -> Response[Problem]:
    """JSON that is nested deeper than anything of ours."""
    return _problem("bad_request", "this is nested too deep", 400)


def _no_text(_: Request[Any, Any, Any], error: UnicodeDecodeError) -> Response[Problem]:
    """A text in JSON that is not UTF-8: the library that reads it leaves it to us."""
    return _problem("bad_request", f"this is not UTF-8: {error.reason} at byte {error.start} of a text", 400)


def _bug(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    LOG.error("a request failed", exc_info=error)
    return _problem("bug", "something went wrong in the server: it has been logged", 500)
