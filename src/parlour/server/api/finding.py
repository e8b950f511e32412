"""Finding a table: by the code that somebody was told, or one where somebody waits for the same match."""

from __future__ import annotations

from typing import Annotated

from litestar import Router
from litestar.params import JSONBody, PathParameter

from parlour import protocol
from parlour.protocol import Invitation, Opened
from parlour.server.api.access import Asked, Injected, address_of
from parlour.server.api.documented import get, post
from parlour.server.basics.errors import Refusal
from parlour.server.people.limits import RateLimits
from parlour.server.rooms.opener import Opener
from parlour.server.store import Store
from parlour.server.telling.drawing import Drawing


@get("/codes/{code:str}", summary="Find the table of a code")
async def find_by_code(
    request: Asked,
    store: Injected[Store],
    limits: Injected[RateLimits],
    code: Annotated[str, PathParameter(max_length=40)],
) -> Invitation:
    """Codes that lead nowhere are counted: after some of them, an address has to wait."""
    typed = protocol.read_code(code)
    if typed is None:
        raise Refusal("not_found", "a code has six letters and digits, such as K7M-4XQ")
    with limits.guessing(address_of(request)):
        spec = await store.ask(store.lists.by_code, typed)
        if spec is None:
            raise Refusal("not_found", "no table has this code now")
    return Invitation(spec.id, "" if spec.public else spec.invite)


@post("/pairings", summary="Find somebody who wants to play the same", status_code=201)
async def pair(
    request: Asked, opener: Injected[Opener], drawing: Injected[Drawing], data: JSONBody[protocol.OpenTable]
) -> Opened:
    """The table where somebody waits for just such a match, or a new one. Then sit down at it."""
    address = address_of(request)
    drawing.limits.check_loop(address)
    room = await opener.pair(data, address)
    return Opened(await drawing.show(room, address, room.view(None)), room.table.spec.invite)


ROUTER = Router("/api", route_handlers=[find_by_code, pair], tags=["tables"])
