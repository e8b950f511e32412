"""Tables over HTTP: everything that can be done, so that a bot needs nothing else."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec
from litestar import Router
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Response

from parlour import protocol
from parlour.engine.language import speaking
from parlour.protocol import Ack, Log, LogLine, Opened, Seated, TableLine, TableView
from parlour.server.api.access import (
    LATEST,
    NO_NUL,
    Asked,
    AtSeat,
    Injected,
    Number,
    Watcher,
    address_of,
    token_needed,
    token_of,
)
from parlour.server.api.documented import get, post
from parlour.server.api.packing import packing
from parlour.server.http.middleware import connection_of
from parlour.server.rooms.commands import Commands
from parlour.server.rooms.opener import Opener
from parlour.server.rooms.room import Room
from parlour.server.store import Filter, Store
from parlour.server.tables.past import PastTable
from parlour.server.tables.table import Table
from parlour.server.telling import chances as win_chances
from parlour.server.telling import views
from parlour.server.telling.drawing import Drawing

LONGEST_WAIT = 30.0


@get("/", summary="List public tables")
async def list_tables(
    request: Asked,
    store: Injected[Store],
    drawing: Injected[Drawing],
    opener: Injected[Opener],
    wanted: Injected[Filter],
    phase: FromQuery[protocol.Phase | None] = None,
    name: Annotated[
        str | None, QueryParameter(max_length=100, pattern=NO_NUL, description="Part of the name of somebody there.")
    ] = None,
    before: Annotated[
        float | None, QueryParameter(ge=0, le=LATEST, description="Only tables that last changed before this time.")
    ] = None,
    waiting: Annotated[bool, QueryParameter(description="Only where somebody is now, and waits for others.")] = False,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[TableLine]:
    """The last changed first. Without a phase: all that are open or being played."""
    phases, address = [phase] if phase else ["open", "playing"], address_of(request)
    read = partial(store.lists.lines, phases, wanted=wanted, name=name, before=before, limit=limit)
    async with drawing.reading(address):  # to look for a name reads many tables
        found: list[TableLine] = await store.ask(
            drawing.timed, address, partial(opener.waiting, wanted) if waiting else read
        )
    return found[:limit]


@post("/", summary="Open a table", status_code=201)
async def open_table(
    request: Asked, opener: Injected[Opener], drawing: Injected[Drawing], data: JSONBody[protocol.OpenTable]
) -> Opened:
    """Then sit down at it: the nonce for the dice is given after the table has published its commitment."""
    address = address_of(request)
    drawing.limits.check_loop(address)
    room = await opener.open_table(data, address)
    view = await drawing.show(room, address, room.view(None))
    return Opened(msgspec.structs.replace(view, code=room.table.spec.code), room.table.spec.invite)


@get("/{table_id:str}", summary="Look at a table")
async def look(
    request: Asked,
    room: Injected[Room],
    drawing: Injected[Drawing],
    watcher: Injected[Watcher],
    pictures: FromQuery[bool] = False,
    undoable: FromQuery[bool] = False,
    chances: FromQuery[bool] = False,
    packed: Annotated[bool, QueryParameter(name="state", description="Whether to add the packed position.")] = False,
    language: FromQuery[protocol.Language] = "en",
) -> TableView:
    """With the token of a seat, also what it can do now."""
    if chances:
        await win_chances.make_ready(room.table)
    with speaking(language):
        view = room.view(watcher.seat, pictures=pictures, state=packed, undoable=undoable, chances=chances)
        return await drawing.look(room, address_of(request), view)


@get("/{table_id:str}/log", summary="What has happened since an entry")
async def log(
    request: Asked,
    room: Injected[Room],
    watcher: Injected[Watcher],
    store: Injected[Store],
    drawing: Injected[Drawing],
    since: Number = 0,
    wait: Annotated[float, QueryParameter(ge=0, le=LONGEST_WAIT, description="Seconds to wait for news.")] = 0.0,
) -> Response[Log]:
    """With the token of a seat, its person counts as being there.

    In a match that keeps secrets, the actions are those of the token's seat; what others chose is -1 until it is over.
    """
    address = address_of(request)
    if wait:
        async with drawing.limits.waits.turn(address, wait, connection_of(request.scope)):
            await room.wait(since, wait)
    async with drawing.reading(address):
        packed = packing(request, _log)
        return await store.ask(drawing.timed, address, packed, store, room.table, watcher.seat, since)


def _log(store: Store, table: Table, seat: int | None, since: int) -> Log:
    """Where there are secrets, no further than this table is known here: who may know what follows from it."""
    entries, _ = store.since(table.id, since)
    if not isinstance(table, PastTable) and table.game.has_secrets:
        entries = [entry for entry in entries if entry.number <= table.number]
    lines = [
        LogLine(entry.number, entry.at, entry.kind, entry.seat, views.body(table, entry, seat)) for entry in entries
    ]
    return Log(table.number, table.phase, table.ply, table.shown_to_move(seat), lines)


@post("/{table_id:str}/sit", summary="Take a seat", status_code=201)
async def sit(
    request: Asked,
    room: Injected[Room],
    commands: Injected[Commands],
    drawing: Injected[Drawing],
    data: JSONBody[protocol.Sit],
) -> Seated:
    """The answer has the token that holds the seat. A seat kept for a rematch is taken with the last one's token."""
    address = address_of(request)
    seat, token = await commands.sit(room, data, token_of(request), address)
    room.touch(seat, address)
    return Seated(seat, token, await drawing.show(room, address, room.view(seat)))


@post("/{table_id:str}/renew", summary="Get another token for your seat, and end the old ones")
async def renew(
    at: Injected[AtSeat],
    commands: Injected[Commands],
    drawing: Injected[Drawing],
    data: JSONBody[protocol.Renew | None] = None,
) -> Seated:
    drawing.limits.check_loop(at.address)
    token = await commands.renew(at.room, at.holder, data or protocol.Renew(), at.address)
    seat = at.room.holders.seat_of(token)  # lots may have been drawn
    return Seated(seat, token, await drawing.show(at.room, at.address, at.room.view(seat)))


@post("/{table_id:str}/act", summary="Play")
async def act(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Act]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/undo", summary="Take back your last choice")
async def undo(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Undo]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/resign", summary="Resign")
async def resign(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Resign]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/draw", summary="Offer a draw, or answer an offer")
async def draw(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Draw]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/chat", summary="Say something")
async def chat(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Chat]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/back", summary="Play again where a bot took over")
async def back(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Back]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/leave", summary="Give your seat up")
async def leave(
    request: Asked, room: Injected[Room], commands: Injected[Commands], data: JSONBody[protocol.Leave]
) -> Ack:
    """Before the match this ends the token; the same command is still answered as it was."""
    return await commands.leave(room, token_needed(request), data, address_of(request))


@post("/{table_id:str}/reveal", summary="Reveal your nonce, once all have sat down")
async def reveal(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Reveal]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/start", summary="Begin, with bots at the seats that are free")
async def start(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Start]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/bots", summary="Let a bot take a free seat, or free the seat that one has")
async def put_bot(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.PutBot]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/rematch", summary="The same table once more")
async def rematch(at: Injected[AtSeat], commands: Injected[Commands], data: JSONBody[protocol.Rematch]) -> Ack:
    return await commands.answer(at.room, at.holder, data, at.address)


@post("/{table_id:str}/hint", summary="The best actions, after a second of thought")
async def hint(
    request: Asked,
    at: Injected[AtSeat],
    commands: Injected[Commands],
    data: JSONBody[protocol.AskHint],
    language: FromQuery[protocol.Language] = "en",
) -> protocol.HintAnswer:
    with speaking(language):
        return await commands.hint(at.room, at.holder, data, address_of(request))


ROUTER = Router(
    "/api/tables",
    route_handlers=[
        list_tables,
        open_table,
        look,
        log,
        sit,
        renew,
        act,
        undo,
        resign,
        draw,
        chat,
        back,
        leave,
        reveal,
        start,
        put_bot,
        rematch,
        hint,
    ],
    tags=["tables"],
)
