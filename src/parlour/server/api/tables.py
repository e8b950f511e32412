"""Tables over HTTP: everything that can be done, so that a bot needs nothing else."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from parlour.engine.language import speaking
from parlour.server import messages as say
from parlour.server import metrics
from parlour.server.api.access import Asked, address_of, seated, token_of
from parlour.server.api.documented import PROBLEMS
from parlour.server.errors import Refused
from parlour.server.hall import Hall
from parlour.server.hints import best_actions
from parlour.server.limits import Limits
from parlour.server.opponents import check_bot
from parlour.server.room import Reply, Room

TableId = Annotated[str, PathParameter(max_length=32, description="The table's id.")]
Number = Annotated[int, QueryParameter(ge=0, le=2**31 - 1)]
LONGEST_WAIT = 30.0
NO_NUL = r"^[^\x00]*$"  # which PostgreSQL does not take in a text


@get("/", summary="List public tables", responses=PROBLEMS)
async def list_tables(
    request: Asked,
    phase: FromQuery[Literal["open", "playing", "over"] | None] = None,
    game: Annotated[str | None, QueryParameter(max_length=60, pattern=NO_NUL)] = None,
    name: Annotated[
        str | None, QueryParameter(max_length=100, pattern=NO_NUL, description="Part of the name of somebody there.")
    ] = None,
    before: Annotated[
        float | None, QueryParameter(description="Only tables that last changed before this time.")
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> list[say.TableLine]:
    """The last changed first. Without a phase: all that are open or being played."""
    hall: Hall = request.app.state.hall
    return await hall.lines([phase] if phase else ["open", "playing"], game=game, name=name, before=before, limit=limit)


@post("/", summary="Open a table", responses=PROBLEMS)
async def open_table(request: Asked, data: JSONBody[say.OpenTable]) -> say.Opened:
    """Then sit down at it: the nonce for the dice is given after the table has published its commitment."""
    limits: Limits = request.app.state.limits
    hall: Hall = request.app.state.hall
    limits.check(limits.tables, address_of(request), "you have opened many tables")
    room, invite = await hall.open_table(data)
    return say.Opened(room.view(None, pictures=False), invite)


@get("/{table:str}", summary="Look at a table", responses=PROBLEMS)
async def look(
    request: Asked,
    table: TableId,
    pictures: FromQuery[bool] = False,
    undoable: FromQuery[bool] = False,
    packed: Annotated[bool, QueryParameter(name="state", description="Whether to add the packed position.")] = False,
    language: FromQuery[say.Language] = "en",
) -> say.TableView:
    """With the token of a seat, also what it can do now."""
    hall: Hall = request.app.state.hall
    room, seat = await hall.room(table), None
    if token_of(request) is not None:
        room, seat = await seated(request, table)
    with speaking(language):
        return room.view(seat, pictures=pictures, state=packed, undoable=undoable)


@get("/{table:str}/log", summary="What has happened since an entry", responses=PROBLEMS)
async def log(
    request: Asked,
    table: TableId,
    since: Number = 0,
    wait: Annotated[float, QueryParameter(ge=0, le=LONGEST_WAIT, description="Seconds to wait for news.")] = 0.0,
) -> say.Log:
    hall: Hall = request.app.state.hall
    room = await hall.room(table)
    if token_of(request) is not None:
        await seated(request, table)
    if wait:
        await room.wait(since, wait)
    entries, _ = await hall.store.ask(hall.store.since, table, since)
    shown = [say.LogLine(entry.number, entry.at, entry.kind, entry.seat, entry.told) for entry in entries]
    standing = room.table
    return say.Log(standing.number, standing.phase, standing.ply, standing.to_move, shown)


@post("/{table:str}/sit", summary="Take a seat", responses=PROBLEMS)
async def sit(request: Asked, table: TableId, data: JSONBody[say.Sit]) -> say.Seated:
    """The answer has the token that holds the seat. A seat kept for a rematch is taken with the last one's token."""
    hall: Hall = request.app.state.hall
    room = await hall.room(table)
    seat, token = await hall.sit(room, data, token_of(request))
    room.touch(seat)
    return say.Seated(seat, token, room.view(seat, pictures=False))


@post(
    "/{table:str}/renew",
    status_code=200,
    summary="Get another token for your seat, and end the old ones",
    responses=PROBLEMS,
)
async def renew(request: Asked, table: TableId) -> say.Seated:
    hall: Hall = request.app.state.hall
    room, seat = await seated(request, table)
    token = await hall.renew(room, seat)
    return say.Seated(seat, token, room.view(seat, pictures=False))


@post("/{table:str}/act", status_code=200, summary="Play", responses=PROBLEMS)
async def act(request: Asked, table: TableId, data: JSONBody[say.Act]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/undo", status_code=200, summary="Take back your last choice", responses=PROBLEMS)
async def undo(request: Asked, table: TableId, data: JSONBody[say.Undo]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/resign", status_code=200, summary="Resign", responses=PROBLEMS)
async def resign(request: Asked, table: TableId, data: JSONBody[say.Resign]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/draw", status_code=200, summary="Offer a draw, or answer an offer", responses=PROBLEMS)
async def draw(request: Asked, table: TableId, data: JSONBody[say.Draw]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/chat", status_code=200, summary="Say something", responses=PROBLEMS)
async def chat(request: Asked, table: TableId, data: JSONBody[say.Chat]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/back", status_code=200, summary="Play again where a bot took over", responses=PROBLEMS)
async def back(request: Asked, table: TableId, data: JSONBody[say.Back]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/leave", status_code=200, summary="Give your seat up", responses=PROBLEMS)
async def leave(request: Asked, table: TableId, data: JSONBody[say.Leave]) -> say.Ack:
    """Before the match this ends the token; the same command is still answered as it was."""
    try:
        return await _carry_out(request, table, data)
    except Refused as refused:
        hall: Hall = request.app.state.hall
        token = token_of(request) if refused.code == "unauthorised" else None
        answered = (await hall.room(table)).answer_to_leaver(token, data.cid) if token is not None else None
        if answered is None:
            raise
        return answered


@post("/{table:str}/start", status_code=200, summary="Begin, with bots at the seats that are free", responses=PROBLEMS)
async def start(request: Asked, table: TableId, data: JSONBody[say.Start]) -> say.Ack:
    return await _carry_out(request, table, data)


@post(
    "/{table:str}/bots",
    status_code=200,
    summary="Let a bot take a free seat, or free the seat that one has",
    responses=PROBLEMS,
)
async def put_bot(request: Asked, table: TableId, data: JSONBody[say.PutBot]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/rematch", status_code=200, summary="The same table once more", responses=PROBLEMS)
async def rematch(request: Asked, table: TableId, data: JSONBody[say.Rematch]) -> say.Ack:
    return await _carry_out(request, table, data)


@post("/{table:str}/hint", status_code=200, summary="The best actions, after a second of thought", responses=PROBLEMS)
async def hint(request: Asked, table: TableId, data: JSONBody[say.AskHint]) -> say.HintAnswer:
    room, seat = await seated(request, table)
    return await best_actions(request.app.state.hall, request.app.state.limits, room, seat, data.cid)


async def _carry_out(request: Asked, table: str, command: say.TableCommand) -> say.Ack:
    room, seat = await seated(request, table)
    answer = await carry_out(request.app.state.hall, request.app.state.limits, room, seat, command)
    if isinstance(answer, say.Reject):
        raise Refused(answer.code, answer.message)
    return answer


async def carry_out(
    hall: Hall, limits: Limits, room: Room, seat: int, command: say.TableCommand
) -> say.Ack | say.Reject:
    """Have a command carried out, over HTTP, and wait for the answer."""
    answers: list[say.Ack | say.Reject] = []
    await dispatch(hall, limits, room, seat, command, answers.append)
    return answers[0]


async def dispatch(hall: Hall, limits: Limits, room: Room, seat: int, command: say.TableCommand, reply: Reply) -> None:
    """A seat's command on its way to the room: within limits, and with bots that there are."""
    kind = type(command).__name__.lower()

    def answer(message: say.Ack | say.Reject) -> None:
        metrics.COMMANDS.labels(kind, "ack" if isinstance(message, say.Ack) else message.code).inc()
        reply(message)

    try:
        limits.check(limits.commands, f"{room.id}:{seat}", "too many commands at once")
        if isinstance(command, say.Chat):
            limits.check(limits.chat, f"{room.id}:{seat}", "too much talk at once")
        bot = command.fill if isinstance(command, say.Start) else getattr(command, "bot", None)
        if bot is not None:
            check_bot(room.table.game, bot)
    except Refused as refused:
        return answer(say.Reject(command.cid, refused.code, str(refused)))
    if isinstance(command, say.Rematch):
        return await hall.rematch(room, command, seat, answer)
    return await room.command(command, seat, answer)


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
        start,
        put_bot,
        rematch,
        hint,
    ],
    tags=["tables"],
)
