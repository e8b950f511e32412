"""What people are shown of a table: nothing of its secret before the end, and of a match only what they may know."""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import UNSET

from parlour import protocol
from parlour.bots import roster
from parlour.engine.game import Game
from parlour.engine.lesson import spoken
from parlour.engine.seen import WATCHER, Seen
from parlour.engine.state import UNKNOWN, State
from parlour.protocol.patches import Patch
from parlour.server.tables import past
from parlour.server.tables.fold import STORY_LINES, Change
from parlour.server.tables.table import Table
from parlour.server.telling import chances as win_chances
from parlour.server.telling.choices import choices, prompt

NOTHING: Mapping[int, float] = MappingProxyType({})


def game_view(game: Game) -> protocol.GameView:
    options = [
        protocol.OptionView(
            option.name,
            int(option.default),
            game.said(option.help),
            game.said(option.takes),
            option.is_switch,
            list(option.choices),
            option.low,
            option.high,
            int(option.suggestion),
        )
        for option in game.options
    ]
    lesson = game.words.lesson
    return protocol.GameView(
        name=game.name,
        title=game.said(game.title),
        summary=game.said(game.summary),
        rules=game.version,
        seats=(game.seats[0], _most_seats(game)),
        usual_seats=game.resolve_seats(game.suggested_seats, game.resolve_options({})),
        options=options,
        bots=roster.names(game),
        usual_bot=roster.usual(game),
        seat_names=[game.said(name) for name in game.seat_names],
        faces=[
            protocol.FaceView(face.name, game.said(face.title), game.said(face.character), game.said(face.thinks))
            for face in roster.faces(game)
        ],
        lesson=lesson is not None,
        goal=spoken(lesson.goal) if lesson and lesson.goal else "",
        glance=game.glance,
    )


def _most_seats(game: Game) -> int:
    """How many the game takes without options; with some, it may be more."""
    options = game.resolve_options({})
    return next(seats for seats in range(game.seats[1], 0, -1) if game.takes(seats, options) is None)


def table_line(table: Table, at: float) -> protocol.TableLine:
    names, offered = table.names, set(table.offered)
    return protocol.TableLine(
        id=table.spec.id,
        game=table.spec.game,
        title=table.title,
        phase=table.phase,
        names=names,
        seats=table.spec.seats,
        free=len(offered),
        options=table.spec.options,
        created=table.spec.created,
        changed=at,
        ending=table.ending,
        people=len(table.people),
        clock=table.spec.clock,
        bots=sum(chair.bot is not None for chair in table.chairs),
        hints=table.spec.hints,
        who=[name for seat, name in enumerate(names) if seat not in offered],
    )


def seat_views(table: Table, here: Collection[int], spent: Mapping[int, float] = NOTHING) -> list[protocol.SeatView]:
    """All seats, as everybody knows them; ``spent`` is for how long those that have still to choose have thought."""
    seen = table.match.seen_by(None) if table.match else None
    scores = seen.scores if seen else table.scores
    return [
        protocol.SeatView(
            seat=seat,
            kind="person" if chair.person else "bot" if chair.bot else "kept" if seat in table.spec.kept else "free",
            name=table.name(seat),
            nonce=chair.nonce,
            score=scores[seat],
            here=seat in here,
            stand_in=chair.stand_in,
            away=chair.away,
            resigned=chair.away == "resigned",
            left=_left(table, seat, spent.get(seat, 0.0)),
            seal=chair.seal,
            lot=chair.lot,
            wants=chair.wants,
            out=seen is not None and seen.is_out(seat),
            gone=table.is_gone(seat),
        )
        for seat, chair in enumerate(table.chairs)
    ]


def _left(table: Table, seat: int, spent: float) -> float | None:
    left = table.clocks.allows(seat)
    return left if left is None else max(0.0, left - spent)


def table_view(
    table: Table,
    you: int | None,
    here: Collection[int],
    spent: Mapping[int, float] = NOTHING,
    *,
    pictures: bool = False,
    state: bool = False,
    undoable: bool = False,
    chances: bool = False,
    patch: Patch | None = None,
) -> protocol.TableView:
    """The whole table, as that seat sees it. Where the scene is told as a patch, it makes it from nothing."""
    spec, seen = table.spec, seen_by(table, you)
    scene = scene_parts(seen) if pictures and patch is None else None
    size, backdrop = seen.backdrop if pictures and seen else (None, None)
    view = protocol.TableView(
        id=spec.id,
        game=spec.game,
        title=table.said_title,
        rules=spec.rules,
        options=spec.options,
        phase=table.phase,
        number=table.number,
        public=spec.public,
        hints=spec.hints,
        clock=spec.clock,
        grace=spec.grace,
        commitment=table.commitment,
        seats=seat_views(table, here, spent),
        marks=table.marks,
        story=story(table, seen) if seen else [],
        chat=table.chat,
        created=spec.created,
        position=position(table, seen, state=state, scene=scene, patch=patch) if seen else None,
        backdrop=backdrop,
        size=size,
        ending=table.ending,
        offer=table.offer,
        rematch=table.rematch,
        secret=spec.secret if table.ending else None,
        you=you,
        may_undo=table.may_undo(you),
        choices=choices(table, you, undoable=undoable),
        prompt=prompt(table, you),
        scored=table.keeps_score,
        code=spec.code if (spec.public or you is not None) and not table.ending else "",
        judged=win_chances.is_judged(table),
        chances=win_chances.of(table) if chances else None,
    )
    if isinstance(table, past.PastTable):
        return past.shown(table, view, pictures=pictures)
    return view


def seen_by(table: Table, seat: int | None) -> Seen | None:
    """The match as that seat sees it now; nothing before it."""
    return table.match.seen_by(seat) if table.match else None


def story(table: Table, seen: Seen) -> list[str]:
    """What has happened, in words: the last of it."""
    return [event.tell(table.name) for event in seen.last_events(STORY_LINES)]


def scene_parts(seen: Seen | None) -> tuple[str, ...]:
    """What changes in the picture, in the reader's language; nothing before the match."""
    return seen.scene_parts if seen else ()


def body(table: Table, entry: protocol.AnyEntry, seat: int | None) -> dict[str, Any]:
    """The body of an entry, as that seat may know it: in a match that keeps secrets, not what others chose."""
    told = entry.public_body
    is_own = seat == entry.seat and seat not in (None, WATCHER)
    if isinstance(entry, protocol.Acted) and not is_own and (table.keeps_secrets or _is_replaced(table, entry)):
        told["actions"] = [UNKNOWN] * len(entry.actions)
    return told


def _is_replaced(table: Table, entry: protocol.Acted) -> bool:
    """Whether the seat has chosen otherwise, while others chose at the same time: then nobody ever hears of this."""
    match = table.match
    if isinstance(table, past.PastTable):
        return entry.number in table.replaced
    if match is None or match.game.may_act is None:
        return False
    choosing = match.choosing
    if choosing is not None and entry.ply >= choosing.start.ply:
        return choosing.sealed.get(entry.seat) != entry.actions[0]
    return match.plies[entry.ply].action != entry.actions[0]


def position(
    table: Table, seen: Seen, *, state: bool, scene: tuple[str, ...] | None, patch: Patch | None = None
) -> protocol.Position:
    return protocol.Position(
        ply=table.ply,
        turn=seen.shown.turns,
        to_move=table.shown_to_move(seen.seat),
        scores=seen.scores,
        picks=[] if table.keeps_secrets and seen.seat != table.acted_last else table.picks,
        scene=None if scene is None else "".join(scene),
        state=base64.b64encode(_state(table, seen).pack()).decode() if state else None,
        patch=patch,
        at_once=UNSET if table.choosing is None else protocol.AtOnce(seen.asked, seen.chosen, seen.sealed),
    )


def _state(table: Table, seen: Seen) -> State:
    """The position; to whoever has still to choose where several do so at once, as it is when the rules ask them."""
    return seen.position if table.choosing is not None and seen.sealed is None else seen.shown


def update(
    table: Table,
    change: Change,
    seen: Seen | None,
    seats: list[protocol.SeatView],
    *,
    pictures: bool,
    state: bool = False,
    scene: tuple[str, ...] | None = None,
    patch: Patch | None = None,
) -> protocol.Update:
    """What those who see the match so are told about an entry.

    With the seats that have changed, and the picture whole or as a patch.
    """
    starts = isinstance(change.entry, protocol.Started)
    size, backdrop = seen.backdrop if seen and starts and pictures else (None, None)
    return protocol.Update(
        number=change.entry.number,
        kind=change.entry.kind,
        seat=change.entry.seat,
        body=body(table, change.entry, seen.seat if seen else None),
        phase=table.phase,
        seats=seats,
        events=_event_views(table, seen, change, pictures=pictures) if seen else [],
        position=position(table, seen, state=state, scene=scene, patch=patch) if seen and change.moved else None,
        ending=table.ending,
        offer=table.offer,
        secret=table.spec.secret if table.ending else None,
        size=size,
        backdrop=backdrop,
    )


def _event_views(table: Table, seen: Seen, change: Change, *, pictures: bool) -> list[protocol.EventView]:
    return [
        protocol.EventView(event.tell(table.name), seen.motion(event) if pictures else [], event.loud, event.quiet)
        for event in map(seen.known, change.events)
    ]
