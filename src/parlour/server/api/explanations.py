"""Questions at a table: what something on the board is, and why something cannot be done now."""

from __future__ import annotations

from litestar import Router
from litestar.params import FromQuery

from parlour import protocol
from parlour.engine import explanation
from parlour.engine.explanation import Explanation
from parlour.engine.language import speaking
from parlour.engine.seen import Seen
from parlour.server.api.access import Asked, Injected, Watcher, address_of
from parlour.server.api.documented import get
from parlour.server.api.lessons import SpotName, Tried
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.room import Room
from parlour.server.telling.drawing import Drawing

PATH = "/api/tables/{table_id:str}"


@get(PATH + "/explain", summary="What a spot of the picture is")
async def explain(
    request: Asked,
    room: Injected[Room],
    watcher: Injected[Watcher],
    drawing: Injected[Drawing],
    name: SpotName,
    language: FromQuery[protocol.Language] = "en",
) -> Explanation:
    """Of the position as it is now."""
    seen = _seen(room, watcher)
    with speaking(language):
        return await drawing.look(room, address_of(request), lambda: seen.explain(name) or explanation.unknown())


@get(PATH + "/why-not", summary="Why something cannot be done now")
async def why_not(
    request: Asked,
    room: Injected[Room],
    watcher: Injected[Watcher],
    drawing: Injected[Drawing],
    tried: Tried,
    language: FromQuery[protocol.Language] = "en",
) -> Explanation:
    """`tried` are the spots that were picked, in order, or the words that were typed."""
    with speaking(language):
        if room.table.ending:
            return explanation.match_is_over()
        seen = _seen(room, watcher)
        return await drawing.look(room, address_of(request), lambda: seen.why_not(tried))


def _seen(room: Room, watcher: Watcher) -> Seen:
    if room.table.match is None:
        raise Refusal("not_playing", "the match has not begun")
    return room.table.match.seen_by(watcher.seat)


ROUTER = Router("/", route_handlers=[explain, why_not], tags=["tables"])
