"""The pictures that messengers show of links: see ``parlour.server.previews``."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Annotated

from litestar import Router
from litestar.params import FromQuery, QueryParameter
from litestar.response import Response

from parlour import protocol
from parlour.engine.language import current, speaking
from parlour.server.api.access import Asked, Injected, NumberIfAny, address_of
from parlour.server.api.documented import get
from parlour.server.api.games import GameName, board_of
from parlour.server.basics.errors import Refusal
from parlour.server.previews import pictures, words
from parlour.server.previews.pictures import Pictures
from parlour.server.rooms.room import Room
from parlour.server.telling.examples import example_of
from parlour.server.telling.finished import Finished
from parlour.server.telling.games import known_game
from parlour.server.telling.views import table_line

PNG = "image/png"


@get("/api/games/{game:str}/preview.png", summary="A game as a picture for links", media_type=PNG)
async def game_preview(
    request: Asked, previews: Injected[Pictures], game: GameName, language: FromQuery[protocol.Language] = "en"
) -> Response[bytes]:
    """1200 by 630 pixels."""
    with speaking(language):
        return _kept(await _game(request, previews, game), 86400)


@get("/api/tables/{table_id:str}/preview.png", summary="A table as a picture for links", media_type=PNG)
async def table_preview(
    request: Asked,
    room: Injected[Room],
    previews: Injected[Pictures],
    matches: Injected[Finished],
    ply: NumberIfAny = None,
    changed: Annotated[str, QueryParameter(max_length=20, description="Anything; so that a new picture is new.")] = "",
    language: FromQuery[protocol.Language] = "en",
) -> Response[bytes]:
    """1200 by 630 pixels. The position now; once the match is over, that at ``ply``. A private table shows its game."""
    table = room.table
    with speaking(language):
        if not table.spec.public or table.phase == "open":
            return _kept(await _game(request, previews, table.spec.game), 300)
        shown = ply if table.phase == "over" else None
        key = (table.id, table.number, shown, language)
        known = previews.known(key)
        if known is None:
            text = words.sentence(table_line(table, 0.0), is_public=True)
            board = await board_of(room, address_of(request), matches, shown)
            card = pictures.card(table.said_title, text, board)
            known = await _drawn(request, previews, key, card)
        return _kept(known, 300)


async def _game(request: Asked, previews: Pictures, name: str) -> bytes:
    game = known_game(name)
    key = (name, current())
    known = previews.known(key)
    if known is not None:
        return known
    board = await previews.drawing.quick(address_of(request), example_of, name)
    return await _drawn(request, previews, key, pictures.card(game.said(game.title), game.said(game.summary), board))


async def _drawn(request: Asked, previews: Pictures, key: Hashable, card: str) -> bytes:
    if not pictures.is_installed():
        raise Refusal("not_found", "this server draws no pictures for links: pip install 'parlour[server]'")
    return await previews.draw(address_of(request), key, card)


def _kept(png: bytes, seconds: int) -> Response[bytes]:
    return Response(png, media_type=PNG, headers={"cache-control": f"public, max-age={seconds}"})


ROUTER = Router("/", route_handlers=[game_preview, table_preview], tags=["replays"])
