"""What whoever runs the server can do over HTTP, with a token of its own: the same as ``parlour admin``."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

from litestar import Router, get, post
from litestar.connection import ASGIConnection
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import Meta, Struct

from parlour.protocol import Phase, TableLine
from parlour.server.admin import copying
from parlour.server.admin.operator import AuditLine, Operator, Present
from parlour.server.api.access import LATEST, NO_NUL, Asked, Injected, NumberIfAny, address_of, is_inside, token_of
from parlour.server.basics.config import FOLDER
from parlour.server.basics.errors import Refusal
from parlour.server.people.restrictions import Ban, Kind
from parlour.server.people.tokens import same
from parlour.server.running.services import Services

PART_BYTES = 1 << 20  # of a backup, at a time
_BACKING_UP = asyncio.Lock()


# Longer than anything that is stored. What is right about them is for the operator to say.
Text = Annotated[str, Meta(max_length=2000, pattern=NO_NUL)]
Seconds = Annotated[float, Meta(le=LATEST)]
Part = Annotated[str | None, QueryParameter(max_length=300, pattern=NO_NUL)]


class CloseTable(Struct, frozen=True, forbid_unknown_fields=True):
    table: Text
    text: Text = "This table was closed by whoever runs the server."


class DeleteTable(Struct, frozen=True, forbid_unknown_fields=True):
    table: Text


class BanWish(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Kind
    value: Text
    seconds: Seconds | None = None  # for ever unless told
    why: Text = ""


class Unban(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Kind
    value: Text


class Maintenance(Struct, frozen=True, forbid_unknown_fields=True):
    message: Text | None  # null: matches begin


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    name: Text
    table: Text | None = None


class Done(Struct, frozen=True):
    tables: list[str] = []


async def is_operator(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Whoever has the token. Without one set, there is nothing here."""
    services: Services = connection.app.state.services
    expected = services.config.admin_token
    if not expected:
        raise Refusal("not_found", "this server has no admin API: set admin_token")
    given = token_of(connection) or ""
    if not same(given, expected):
        raise Refusal("unauthorised", "this needs the admin token: 'Authorization: Bearer TOKEN'")


def provide_operator(request: Asked, services: Injected[Services]) -> Operator:
    return Operator(services.store.engine, services.clock, f"api {address_of(request)}")


@get("/who")
async def who(services: Injected[Services], operator: Injected[Operator]) -> list[Present]:
    return await services.store.ask(operator.who)


@get("/tables")
async def tables(
    services: Injected[Services],
    operator: Injected[Operator],
    phase: FromQuery[Phase | None] = None,
    game: Part = None,
    name: Part = None,
    limit: Annotated[int, QueryParameter(ge=1, le=1000)] = 100,
) -> list[TableLine]:
    return await services.store.ask(operator.tables, phase, game, name, limit)


@get("/bans")
async def bans(services: Injected[Services], operator: Injected[Operator]) -> list[Ban]:
    return await services.store.ask(operator.bans)


@get("/audit")
async def audit(
    services: Injected[Services], operator: Injected[Operator], after: NumberIfAny = None
) -> list[AuditLine]:
    return await services.store.ask(operator.audit, after)


@get("/maintenance")
async def maintenance(services: Injected[Services], operator: Injected[Operator]) -> Maintenance:
    return Maintenance(await services.store.ask(operator.maintenance))


@post("/close", status_code=200)
async def close(services: Injected[Services], operator: Injected[Operator], data: JSONBody[CloseTable]) -> Done:
    return await _done(services, operator.close, data.table, data.text)


@post("/delete", status_code=200)
async def delete(services: Injected[Services], operator: Injected[Operator], data: JSONBody[DeleteTable]) -> Done:
    return await _done(services, operator.delete, data.table)


@post("/ban", status_code=200)
async def ban(services: Injected[Services], operator: Injected[Operator], data: JSONBody[BanWish]) -> Done:
    return await _done(services, operator.ban, data.kind, data.value, data.seconds, data.why)


@post("/unban", status_code=200)
async def unban(services: Injected[Services], operator: Injected[Operator], data: JSONBody[Unban]) -> Done:
    return await _done(services, operator.unban, data.kind, data.value)


@post("/maintenance", status_code=200)
async def set_maintenance(
    services: Injected[Services], operator: Injected[Operator], data: JSONBody[Maintenance]
) -> Done:
    return await _done(services, operator.set_maintenance, data.message)


@post("/export", status_code=200)
async def export(services: Injected[Services], operator: Injected[Operator], data: JSONBody[Person]) -> dict[str, Any]:
    return await services.store.ask(operator.export, data.name, data.table)


@post("/forget", status_code=200)
async def forget(services: Injected[Services], operator: Injected[Operator], data: JSONBody[Person]) -> Done:
    return await _done(services, operator.forget, data.name, data.table)


@get("/backup")
async def backup(services: Injected[Services], operator: Injected[Operator]) -> Stream:
    """The whole database as it stands, as an SQLite file."""
    if _BACKING_UP.locked():
        raise Refusal("busy", "a backup is being made already: wait for it")
    # In the server's own folder: whatever happens meanwhile, no copy of the database stays behind.
    folder = tempfile.TemporaryDirectory(prefix="backup-", dir=os.environ.get(FOLDER))
    file = Path(folder.name) / "parlour.sqlite"
    try:
        async with _BACKING_UP:
            await _back_up(services.config.database_url, file)
        await services.store.ask(operator.note, "backup", "over the API")
        size = file.stat().st_size
    except BaseException:
        folder.cleanup()
        raise
    headers = {"content-disposition": 'attachment; filename="parlour.sqlite"', "content-length": str(size)}
    return Stream(_parts(folder, file), media_type="application/vnd.sqlite3", headers=headers)


async def _back_up(database: str, file: Path) -> None:
    """In a process of its own: to read everything here would hold up those who play."""
    command = [sys.executable, "-m", copying.__name__, str(file)]
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, "PARLOUR_DATABASE": database}, stdout=DEVNULL, stderr=PIPE
    )
    try:
        _, complaint = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode:
        lines = complaint.decode(errors="replace").strip().splitlines()
        raise Refusal("not_saved", f"there is no backup: {lines[-1] if lines else 'its process was ended'}")


async def _parts(folder: tempfile.TemporaryDirectory[str], file: Path) -> AsyncIterator[bytes]:
    """The file in parts, since it may be larger than memory; then its folder goes."""
    with folder, file.open("rb") as opened:
        while part := await asyncio.to_thread(opened.read, PART_BYTES):
            yield part


async def _done(services: Services, line: Any, *arguments: Any) -> Done:
    """Have it done; this process keeps to it at once, others within a second."""
    result = await services.store.ask(line, *arguments)
    await services.housekeeping.follow_operator()
    return Done(result) if isinstance(result, list) else Done()


HANDLERS = [who, tables, bans, audit, maintenance, close, delete, ban, unban, set_maintenance, export, forget, backup]
ROUTER = Router(
    "/api/admin",
    route_handlers=HANDLERS,
    guards=[is_inside, is_operator],
    dependencies={"operator": Provide(provide_operator, sync_to_thread=False)},
    include_in_schema=False,
)
