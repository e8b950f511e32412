"""How likely each seat was to win in the course of a match: of a table whose match is over, and of any replay."""

from __future__ import annotations

from litestar import Router

from parlour import protocol
from parlour.server.api.access import Asked, Injected, address_of
from parlour.server.api.documented import get, post_replay
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.room import Room
from parlour.server.tables import past
from parlour.server.tables.past import PastTable
from parlour.server.telling import curve, replays
from parlour.server.telling.drawing import Drawing
from parlour.server.telling.replays import refusing


@get("/api/tables/{table_id:str}/chances", summary="How likely each seat was to win, ply by ply")
async def table_curve(request: Asked, room: Injected[Room], drawing: Injected[Drawing]) -> protocol.Curve:
    """Once the match is over, for games that come with a judge. Long matches have a point for every few plies."""
    table = past.finished(room.table)
    if isinstance(table, PastTable):
        raise Refusal("not_found", f"{table.old_rules}; nobody can judge it any more")
    with refusing():
        return await drawing.do(address_of(request), curve.of_match, table.match)


@post_replay("/api/replays/chances", summary="How likely each seat was to win in any replay, ply by ply")
async def replay_curve(request: Asked, drawing: Injected[Drawing]) -> protocol.Curve:
    """The body is a replay file, as for its frames."""
    with refusing():
        return await drawing.of_body(request, address_of(request), replays.chances)


ROUTER = Router("/", route_handlers=[table_curve, replay_curve], tags=["replays"])
