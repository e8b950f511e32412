"""What people are shown of a table: nothing of its secret before the end."""

from __future__ import annotations

import base64
from collections.abc import Collection

from parlour import protocol
from parlour.bots import roster
from parlour.engine.game import Game
from parlour.engine.lesson import spoken
from parlour.engine.match import Match
from parlour.protocol.patches import Patch
from parlour.server.tables import past
from parlour.server.tables.fold import STORY_LINES, Change
from parlour.server.tables.table import Table
from parlour.server.telling import chances as win_chances
from parlour.server.telling.choices import choices, prompt


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


def seat_views(table: Table, here: Collection[int], spent: float = 0.0) -> list[protocol.SeatView]:
    """All seats; ``spent`` is for how long the one to move has thought already."""
    scores = table.scores
    seen = table.match.seen_by(None) if table.match else None
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
            left=_left(table, seat, spent),
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
    return max(0.0, left - spent) if left is not None and seat == table.to_move else left


def table_view(
    table: Table,
    you: int | None,
    here: Collection[int],
    spent: float = 0.0,
    *,
    pictures: bool = False,
    state: bool = False,
    undoable: bool = False,
    chances: bool = False,
    patch: Patch | None = None,
) -> protocol.TableView:
    """The whole table. Where the scene is told as a patch, it makes it from nothing."""
    match, spec = table.match, table.spec
    scene = scene_parts(table) if pictures and patch is None else None
    size, backdrop = match.seen_by(you).backdrop if pictures and match else (None, None)
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
        story=story(table, match) if match else [],
        chat=table.chat,
        created=spec.created,
        position=position(table, match, state=state, scene=scene, patch=patch) if match else None,
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


def story(table: Table, match: Match) -> list[str]:
    """What has happened, in words: the last of it."""
    return [event.tell(table.name) for event in match.seen_by(None).last_events(STORY_LINES)]


def scene_parts(table: Table) -> tuple[str, ...]:
    """What changes in the picture, in the reader's language; nothing before the match."""
    return table.match.seen_by(None).scene_parts if table.match else ()


def position(
    table: Table, match: Match, *, state: bool, scene: tuple[str, ...] | None, patch: Patch | None = None
) -> protocol.Position:
    seen = match.seen_by(None)
    return protocol.Position(
        ply=table.ply,
        turn=seen.shown.turns,
        to_move=table.to_move,
        scores=seen.scores,
        picks=table.picks,
        scene=None if scene is None else "".join(scene),
        state=base64.b64encode(seen.shown.pack()).decode() if state else None,
        patch=patch,
    )


def update(
    table: Table,
    change: Change,
    seats: list[protocol.SeatView],
    *,
    pictures: bool,
    state: bool = False,
    scene: tuple[str, ...] | None = None,
    patch: Patch | None = None,
) -> protocol.Update:
    """What everybody is told about an entry: with the seats that have changed, and the picture whole or as a patch."""
    match = table.match
    starts = match is not None and isinstance(change.entry, protocol.Started)
    size, backdrop = match.seen_by(None).backdrop if match and starts and pictures else (None, None)
    return protocol.Update(
        number=change.entry.number,
        kind=change.entry.kind,
        seat=change.entry.seat,
        body=change.entry.public_body,
        phase=table.phase,
        seats=seats,
        events=_event_views(table, match, change, pictures=pictures) if match else [],
        position=position(table, match, state=state, scene=scene, patch=patch) if match and change.moved else None,
        ending=table.ending,
        offer=table.offer,
        secret=table.spec.secret if table.ending else None,
        size=size,
        backdrop=backdrop,
    )


def _event_views(table: Table, match: Match, change: Change, *, pictures: bool) -> list[protocol.EventView]:
    seen = match.seen_by(None)
    return [
        protocol.EventView(event.tell(table.name), seen.motion(event) if pictures else [], event.loud, event.quiet)
        for event in change.events
    ]
