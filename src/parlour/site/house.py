"""What a server would be asked, answered in the browser: the games, lessons, tables and replays.

The paths and the messages are those of the server's API. What takes other people is not there.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from parlour import protocol
from parlour.engine import explanation, fair
from parlour.engine.language import LANGUAGES, speaking
from parlour.protocol import OpenTable, Problem, Rematch, Sit, TableLine
from parlour.server.basics.errors import Refusal
from parlour.server.basics.steady import SteadyClock
from parlour.server.people.names import clean_name
from parlour.server.people.tokens import new_id, new_token
from parlour.server.rooms import proposals
from parlour.server.rooms.holders import Holder
from parlour.server.rooms.wishes import bots_of, once_more, propose_seat, spec_of
from parlour.server.tables import frames, past
from parlour.server.tables.table import Table, TableSpec
from parlour.server.telling import curve, examples, games, lessons, replays, summary
from parlour.site.keeping import Keeper
from parlour.site.room import LocalRoom, Respond

JSON, SVG, TEXT = "application/json", "image/svg+xml", "text/markdown"
MOST_TABLES = 200  # that a browser keeps: of more, those that have not changed for longest go
GRACE = 30 * 86400.0  # seconds: nobody else waits for whoever is away

Answered = Any  # a message, or the text of a document


class Request(NamedTuple):
    """What a page asks for."""

    path: str
    query: dict[str, list[str]]
    body: bytes
    token: str | None

    def number(self, name: str, usual: int) -> int:
        text = self.one(name, str(usual))
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise Refusal("bad_request", f"{name} is a whole number, not {text!r:.30}")
        return int(text)

    def one(self, name: str, usual: str = "") -> str:
        return self.query.get(name, [usual])[0]

    def read(self, kind: type[Any]) -> Any:
        try:
            return msgspec.json.decode(self.body, type=kind)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise Refusal("bad_request", str(error)) from error


class Answer(NamedTuple):
    """What it is answered."""

    status: int
    kind: str
    text: str


Handler = Callable[..., Awaitable[Answered]]


class House:
    """All tables of one browser."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper, self.clock = keeper, SteadyClock()
        self.rooms: dict[str, LocalRoom] = {}

    async def ask(self, method: str, address: str, body: bytes = b"", token: str | None = None) -> Answer:
        """The answer to a request for this path and query."""
        parts = urlsplit(address)
        request = Request(parts.path, parse_qs(parts.query), body, token)
        language = request.one("language", "en")
        try:
            with speaking(language if language in LANGUAGES else "en"):
                for wanted, pattern, kind, handler in ROUTES:
                    if wanted == method and (found := pattern.fullmatch(parts.path)):
                        told = await handler(self, request, *map(unquote, found.groups()))
                        text = told if isinstance(told, str) else msgspec.json.encode(told).decode()
                        return Answer(200, kind, text)
            raise Refusal("not_found", "there is no such thing here: these pages have no server")
        except Refusal as refusal:
            problem = Problem(refusal.code, str(refusal))
            return Answer(refusal.status, JSON, msgspec.json.encode(problem).decode())

    async def room(self, table_id: str) -> LocalRoom:
        if table_id not in self.rooms:
            kept = await self.keeper.read(table_id)
            if kept is None:
                raise Refusal("not_found", "this browser has no such table")
            if why := past.why_past(kept.spec.game, kept.line.title, kept.spec.rules):
                raise Refusal("not_playing", why)
            room = await LocalRoom.recall(self.keeper, self.clock, kept)
            self.rooms.setdefault(table_id, room)
        return self.rooms[table_id]

    def _seat(self, room: LocalRoom, request: Request) -> int | None:
        return None if request.token is None else room.holders.seat_of(request.token)

    # Games, their rulebooks, and lessons.

    async def games(self, request: Request) -> Answered:
        return games.all_games()

    async def rulebook(self, request: Request, game: str) -> Answered:
        return games.known_game(game).words.rulebook_in(request.one("language", "en"))

    async def picture(self, request: Request, game: str) -> Answered:
        games.known_game(game)
        return examples.example_of(game)

    async def captions(self, request: Request, game: str) -> Answered:
        return games.captions(game)

    async def diagram(self, request: Request, game: str, number: str) -> Answered:
        return games.diagram_of(game, int(number))

    async def lesson(self, request: Request, game: str) -> Answered:
        return lessons.view(game)

    async def step(self, request: Request, game: str, step: str) -> Answered:
        return lessons.step(game, int(step))

    async def try_step(self, request: Request, game: str, step: str) -> Answered:
        return lessons.answer(game, int(step), request.read(protocol.LessonTry))

    async def explain_in_step(self, request: Request, game: str, step: str) -> Answered:
        return lessons.explain(game, int(step), request.one("name"))

    async def why_not_in_step(self, request: Request, game: str, step: str) -> Answered:
        return lessons.why_not(game, int(step), request.query.get("tried", []))

    # Tables.

    async def tables(self, request: Request) -> Answered:
        """The tables of this browser in this phase, the last changed first."""
        before, game, name = request.one("before"), request.one("game"), request.one("name").casefold()
        lines: list[TableLine] = [kept.line for kept in await self.keeper.all()]
        wanted = [
            line
            for line in lines
            if line.phase == request.one("phase", "over")
            and game in ("", line.game)
            and (not before or line.changed < float(before))
            and (not name or any(name in one.casefold() for one in line.names))
        ]
        return sorted(wanted, key=lambda line: -line.changed)[: request.number("limit", 50)]

    async def open_table(self, request: Request) -> Answered:
        wish: OpenTable = request.read(OpenTable)
        if wish.clock.kind != "none":
            raise Refusal("bad_option", "matches in a browser are played without clocks")
        game, spec = spec_of(wish, new_id(), self.clock.now(), GRACE)
        bots = bots_of(wish, game, spec.seats)
        room = await self._open(spec, bots, {})
        await self._forget_old()
        return protocol.Opened(room.view(None), spec.invite)

    async def _open(self, spec: TableSpec, bots: dict[int, str], tokens: dict[str, int]) -> LocalRoom:
        room = self.rooms[spec.id] = LocalRoom(self.keeper, self.clock, Table(spec), tokens)
        await room.add(proposals.open_table(room.table, bots, spec.created))
        return room

    async def _forget_old(self) -> None:
        lines = sorted((kept.line for kept in await self.keeper.all()), key=lambda line: -line.changed)
        for line in lines[MOST_TABLES:]:
            self.rooms.pop(line.id, None)
            await self.keeper.forget(line.id)

    async def look(self, request: Request, table_id: str) -> Answered:
        room = await self.room(table_id)
        await room.catch_up()
        return room.view(self._seat(room, request), undoable=request.one("undoable") == "true")

    async def sit(self, request: Request, table_id: str) -> Answered:
        room, wish = await self.room(table_id), request.read(Sit)
        name, fresh = clean_name(wish.name, room.table.spec.seats), wish.token or new_token()
        now = self.clock.now
        await room.attempt(lambda: propose_seat(room.table, room.holders, wish, name, request.token, fresh, now()))
        held_by = request.token or fresh
        seat = room.holders.seat_of(held_by)
        return protocol.Seated(seat, held_by, room.view(seat))

    async def rematch(self, room: LocalRoom, holder: Holder, command: Rematch, respond: Respond) -> None:
        """The same table once more; it is opened first, and nobody comes to one that the log does not name."""
        kept, bots, tokens = once_more(room.table, room.holders)
        spec = room.table.spec.again(new_id(), fair.new_secret(), self.clock.now(), kept, "")

        def propose() -> proposals.Proposal:
            return proposals.rematch(room.table, spec.id, holder.seat, self.clock.now(), command.cid)

        if room.table.phase == "over" and room.table.rematch is None:
            await self._open(spec, bots, tokens)
        await room.command(command.cid, propose, holder, respond)

    async def explain(self, request: Request, table_id: str) -> Answered:
        room = await self.room(table_id)
        if room.table.match is None:
            raise Refusal("not_playing", "the match has not begun")
        seen = room.table.match.seen_by(self._seat(room, request))
        return seen.explain(request.one("name")) or explanation.unknown()

    async def why_not(self, request: Request, table_id: str) -> Answered:
        room = await self.room(table_id)
        if room.table.ending:
            return explanation.match_is_over()
        if room.table.match is None:
            raise Refusal("not_playing", "the match has not begun")
        return room.table.match.seen_by(self._seat(room, request)).why_not(request.query.get("tried", []))

    # Matches that are over, and files of such.

    async def _finished(self, table_id: str) -> Table:
        room = await self.room(table_id)
        await room.catch_up()
        return past.finished(room.table)

    async def replay(self, request: Request, table_id: str) -> Answered:
        return frames.replay_text(await self._finished(table_id))

    async def frames(self, request: Request, table_id: str) -> Answered:
        table = await self._finished(table_id)
        assert table.match is not None
        winners = table.ending.winners if table.ending else []
        return frames.cut(table.match, request.number("first", 0), request.number("count", 100), winners)

    async def summary(self, request: Request, table_id: str) -> Answered:
        return summary.of_table(await self._finished(table_id), None)

    async def curve(self, request: Request, table_id: str) -> Answered:
        table = await self._finished(table_id)
        assert table.match is not None
        return curve.of_match(table.match)

    async def frames_of(self, request: Request) -> Answered:
        with replays.refusing():
            return replays.cut(request.body, request.number("first", 0), request.number("count", 100))

    async def summary_of(self, request: Request) -> Answered:
        with replays.refusing():
            return replays.in_words(request.body)

    async def curve_of(self, request: Request) -> Answered:
        with replays.refusing():
            return replays.chances(request.body)


def _route(method: str, path: str, kind: str, handler: Handler) -> tuple[str, re.Pattern[str], str, Handler]:
    return method, re.compile(path.replace("{}", "([^/]+)").replace("{n}", "([0-9]{1,4})")), kind, handler


GAME, TABLE = "/api/games/{}", "/api/tables/{}"
ROUTES = [
    _route("GET", "/api/games", JSON, House.games),
    _route("GET", GAME + "/rulebook", TEXT, House.rulebook),
    _route("GET", GAME + "/picture", SVG, House.picture),
    _route("GET", GAME + "/diagrams", JSON, House.captions),
    _route("GET", GAME + "/diagrams/{n}", SVG, House.diagram),
    _route("GET", GAME + "/lesson", JSON, House.lesson),
    _route("GET", GAME + "/lesson/{n}", JSON, House.step),
    _route("POST", GAME + "/lesson/{n}", JSON, House.try_step),
    _route("GET", GAME + "/lesson/{n}/explain", JSON, House.explain_in_step),
    _route("GET", GAME + "/lesson/{n}/why-not", JSON, House.why_not_in_step),
    _route("GET", "/api/tables/", JSON, House.tables),
    _route("POST", "/api/tables/", JSON, House.open_table),
    _route("GET", TABLE, JSON, House.look),
    _route("POST", TABLE + "/sit", JSON, House.sit),
    _route("GET", TABLE + "/explain", JSON, House.explain),
    _route("GET", TABLE + "/why-not", JSON, House.why_not),
    _route("GET", TABLE + "/replay", JSON, House.replay),
    _route("GET", TABLE + "/frames", JSON, House.frames),
    _route("GET", TABLE + "/summary", JSON, House.summary),
    _route("GET", TABLE + "/chances", JSON, House.curve),
    _route("POST", "/api/replays", JSON, House.frames_of),
    _route("POST", "/api/replays/summary", JSON, House.summary_of),
    _route("POST", "/api/replays/chances", JSON, House.curve_of),
]
