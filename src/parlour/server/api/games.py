"""The games and their rulebooks; finished matches, position by position."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

from litestar import Router
from litestar.params import FromQuery, PathParameter, QueryParameter
from litestar.response import Response

from parlour import protocol
from parlour.engine.language import speaking
from parlour.server.api.access import Asked, Injected, Number, NumberIfAny, address_of
from parlour.server.api.documented import get, post_replay
from parlour.server.api.packing import packing
from parlour.server.basics.errors import Refusal
from parlour.server.rooms.room import Room
from parlour.server.tables import frames, past
from parlour.server.tables.past import PastTable
from parlour.server.tables.sizes import Sizes
from parlour.server.telling import finished, games, replays
from parlour.server.telling.drawing import Drawing
from parlour.server.telling.examples import example_of
from parlour.server.telling.finished import Finished
from parlour.server.telling.games import known_game
from parlour.server.telling.replays import refusing

GameName = Annotated[str, PathParameter(max_length=60)]
SVG, MARKDOWN = "image/svg+xml", "text/markdown; charset=utf-8"
KEPT = {"cache-control": "public, max-age=3600"}


@get("/api/games", summary="The games")
async def list_games(sizes: Injected[Sizes], language: FromQuery[protocol.Language] = "en") -> list[protocol.GameView]:
    with speaking(language):
        return [sizes.within(shown) for shown in games.all_games()]


@get("/api/games/{game:str}/rulebook", summary="A game's rulebook, in Markdown", media_type=MARKDOWN)
async def rulebook(game: GameName, language: FromQuery[protocol.Language] = "en") -> Response[str]:
    """In English where the game has none in that language."""
    return Response(known_game(game).words.rulebook_in(language), media_type=MARKDOWN)


@get("/api/games/{game:str}/picture", summary="An example position, as SVG", media_type=SVG)
async def example(game: GameName, language: FromQuery[protocol.Language] = "en") -> Response[str]:
    """Always the same position, so that it can be cached."""
    known_game(game)
    with speaking(language):
        drawn = await asyncio.to_thread(example_of, game)
    return Response(drawn, media_type=SVG, headers=KEPT)


@get("/api/games/{game:str}/diagrams", summary="What the diagrams of a game's rulebook show")
async def diagrams(game: GameName, language: FromQuery[protocol.Language] = "en") -> list[str]:
    """Their captions, in order."""
    with speaking(language):
        return games.captions(game)


@get("/api/games/{game:str}/diagrams/{number:int}", summary="A diagram of a game's rulebook, as SVG", media_type=SVG)
async def one_diagram(
    game: GameName,
    number: Annotated[int, PathParameter(ge=0, le=1000)],
    language: FromQuery[protocol.Language] = "en",
) -> Response[str]:
    """Counted from 0."""
    with speaking(language):
        drawn = await asyncio.to_thread(games.diagram_of, game, number)
    return Response(drawn, media_type=SVG, headers=KEPT)


@get("/api/tables/{table_id:str}/replay", summary="The replay of a finished match")
async def download(request: Asked, room: Injected[Room], drawing: Injected[Drawing]) -> Response[dict[str, Any]]:
    """A file for `parlour verify`, which also proves the dice."""
    table = past.finished(room.table)
    write = table.replay_text if isinstance(table, PastTable) else partial(frames.replay_text, table)
    answer = await drawing.do(address_of(request), packing(request, write))
    answer.headers["content-disposition"] = f'attachment; filename="{table.spec.game}-{table.id}.json"'
    return answer


@get("/api/tables/{table_id:str}/frames", summary="A finished match, position by position")
async def table_frames(
    request: Asked,
    room: Injected[Room],
    matches: Injected[Finished],
    first: Number = 0,
    count: Annotated[int, QueryParameter(ge=1, le=frames.MOST)] = 100,
    language: FromQuery[protocol.Language] = "en",
) -> Response[protocol.Frames]:
    """There may be fewer frames than were asked for: an answer has about a megabyte at most."""
    table = past.finished(room.table)
    with speaking(language):
        return await matches.show(address_of(request), table, packing(request, finished.cut(table, first, count)))


@post_replay("/api/replays", summary="Any replay, position by position")
async def replay_frames(
    request: Asked,
    drawing: Injected[Drawing],
    first: Number = 0,
    count: Annotated[int, QueryParameter(ge=1, le=frames.MOST)] = 100,
    language: FromQuery[protocol.Language] = "en",
) -> Response[protocol.Frames]:
    """The body is a replay file as it is: of the terminal, of the server, or of the public game17.

    Seeds have up to 128 bits: whoever reads the file as numbers of 64 bits and writes it anew sends another match.
    """
    with speaking(language), refusing():
        return await drawing.of_body(request, address_of(request), packing(request, replays.cut), first, count)


@get("/api/tables/{table_id:str}/summary", summary="A finished match, a line for each action")
async def table_summary(
    request: Asked, room: Injected[Room], matches: Injected[Finished], language: FromQuery[protocol.Language] = "en"
) -> Response[protocol.Summary]:
    """Also how it ended, and with which scores."""
    table = past.finished(room.table)
    with speaking(language):
        return await matches.show(address_of(request), table, packing(request, finished.in_words(table)))


@post_replay("/api/replays/summary", summary="Any replay, a line for each action")
async def replay_summary(
    request: Asked, drawing: Injected[Drawing], language: FromQuery[protocol.Language] = "en"
) -> Response[protocol.Summary]:
    """The body is a replay file, as for its frames."""
    with speaking(language), refusing():
        return await drawing.of_body(request, address_of(request), packing(request, replays.in_words))


@get("/api/tables/{table_id:str}/picture", summary="A position as SVG", media_type=SVG)
async def picture(
    request: Asked,
    room: Injected[Room],
    drawing: Injected[Drawing],
    matches: Injected[Finished],
    ply: NumberIfAny = None,
    language: FromQuery[protocol.Language] = "en",
) -> Response[str]:
    """The position now, or at an earlier ply."""
    match, address = room.table.match, address_of(request)
    with speaking(language):
        if room.table.phase == "playing" and match is not None and ply is not None:
            return Response(await drawing.do(address, frames.picture, match, ply), media_type=SVG)
        return Response(await board_of(room, address, matches, ply), media_type=SVG)


async def board_of(room: Room, address: str, matches: Finished, ply: int | None) -> str:
    """The position as SVG, as whoever watches may see it; of a match that is over, also at an earlier ply."""
    table = room.table
    if isinstance(table, PastTable) and ply is None:
        ply = table.seen().last.ply
    if table.phase == "over" and ply is not None:
        return await matches.show(address, table, finished.picture(table, ply))
    if table.match is None:
        raise Refusal("not_playing", "the match has not begun")
    seen = table.match.seen_by(None)
    return await matches.drawing.look(room, address, lambda: seen.picture)


GAMES = [list_games, rulebook, example, diagrams, one_diagram]
REPLAYS = [download, table_frames, replay_frames, table_summary, replay_summary, picture]
ROUTER = Router(
    "/",
    route_handlers=[
        Router("/", route_handlers=GAMES, tags=["games"]),
        Router("/", route_handlers=REPLAYS, tags=["replays"]),
    ],
)
