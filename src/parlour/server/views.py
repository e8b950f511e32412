"""What people are shown of a table: nothing of its secret before the end."""

from __future__ import annotations

import base64
from collections.abc import Collection

from parlour.bots import roster
from parlour.engine.game import Game
from parlour.engine.journal import Event
from parlour.engine.match import Match
from parlour.engine.picture import step_json
from parlour.server import messages as say
from parlour.server.table import RESIGNED, Change, Table

STORY_LINES = 200
MANY_CHOICES = 300  # above this they are told in notation only


def game_view(game: Game) -> say.GameView:
    options = [
        say.OptionView(
            option.name,
            int(option.default),
            game.said(option.help),
            game.said(option.takes),
            option.is_switch,
            list(option.choices),
            option.low,
            option.high,
        )
        for option in game.options
    ]
    return say.GameView(
        name=game.name,
        title=game.said(game.title),
        summary=game.said(game.summary),
        rules=game.version,
        seats=(max(1, game.seats[0]), _most_seats(game)),
        usual_seats=game.settle_seats(None, game.settle_options({})),
        options=options,
        bots=roster.names(game),
        usual_bot=roster.usual(game),
        seat_names=[game.said(name) for name in game.seat_names],
    )


def _most_seats(game: Game) -> int:
    """How many the game takes without options; with some, it may be more."""
    options = game.settle_options({})
    return next(seats for seats in range(game.seats[1], 0, -1) if game.takes(seats, options) is None)


def table_line(table: Table, at: float) -> say.TableLine:
    return say.TableLine(
        id=table.facts.id,
        game=table.game.name,
        title=table.game.title,
        phase=table.phase,
        names=table.names,
        seats=table.facts.seats,
        free=len(table.free),
        options=table.facts.options,
        created=table.facts.created,
        changed=at,
        ending=table.ending,
    )


def seat_views(table: Table, here: Collection[int], spent: float = 0.0) -> list[say.SeatView]:
    """All seats; ``spent`` is for how long the one to move has thought already."""
    scores = table.match.scores if table.match else [0] * table.facts.seats
    return [
        say.SeatView(
            seat=seat,
            kind="person" if chair.person else "bot" if chair.bot else "kept" if seat in table.facts.kept else "free",
            name=table.name(seat),
            nonce=chair.nonce,
            score=scores[seat],
            here=seat in here,
            stand_in=chair.stand_in,
            away=chair.away,
            resigned=chair.away == RESIGNED,
            left=_left(table, seat, spent),
        )
        for seat, chair in enumerate(table.chairs)
    ]


def _left(table: Table, seat: int, spent: float) -> float | None:
    left = table.clock.allows(seat)
    return max(0.0, left - spent) if left is not None and seat == table.to_move else left


def table_view(
    table: Table,
    you: int | None,
    here: Collection[int],
    spent: float = 0.0,
    *,
    pictures: bool,
    state: bool = False,
    undoable: bool = False,
) -> say.TableView:
    match, facts = table.match, table.facts
    size, backdrop = table.game.backdrop(match.state) if pictures and match else (None, None)
    return say.TableView(
        id=facts.id,
        game=table.game.name,
        title=table.game.said(table.game.title),
        rules=facts.rules,
        options=facts.options,
        phase=table.phase,
        number=table.number,
        public=facts.public,
        hints=facts.hints,
        clock=facts.clock,
        grace=facts.grace,
        commitment=table.commitment,
        seats=seat_views(table, here, spent),
        marks=table.game.marks(facts.seats),
        story=story(table, match) if match else [],
        chat=table.chat,
        created=facts.created,
        position=position(table, match, pictures=pictures, state=state) if match else None,
        backdrop=backdrop,
        size=size,
        ending=table.ending,
        offer=table.offer,
        rematch=table.rematch,
        secret=facts.secret if table.ending else None,
        you=you,
        may_undo=table.may_undo(you),
        choices=choices(table, you, undoable=undoable),
    )


def story(table: Table, match: Match) -> list[str]:
    """What has happened, in words: the last of it."""
    events: list[Event] = []
    for ply in reversed(match.plies):
        events[:0] = ply.events
        if len(events) >= STORY_LINES:
            break
    else:
        events[:0] = match.opening
    return [event.tell(table.name) for event in events[-STORY_LINES:]]


def position(table: Table, match: Match, *, pictures: bool, state: bool) -> say.Position:
    return say.Position(
        ply=table.ply,
        turn=match.state.turns,
        to_move=table.to_move,
        scores=match.scores,
        picks=table.picks,
        scene=match.game.scene(match.state) if pictures else None,
        state=base64.b64encode(match.state.pack()).decode() if state else None,
    )


def update(table: Table, change: Change, here: Collection[int], *, pictures: bool, state: bool = False) -> say.Update:
    """What everybody is told about an entry."""
    match = table.match
    events = [
        say.Told(event.tell(table.name), [step_json(step) for step in match.game.motion(event)] if pictures else [])
        for event in change.events
        if match is not None
    ]
    return say.Update(
        number=change.entry.number,
        kind=change.entry.kind,
        seat=change.entry.seat,
        body=change.entry.told,
        phase=table.phase,
        seats=seat_views(table, here),
        events=events,
        position=position(table, match, pictures=pictures, state=state) if match and change.moved else None,
        ending=table.ending,
        offer=table.offer,
        secret=table.facts.secret if table.ending else None,
    )


def choices(table: Table, seat: int | None, *, undoable: bool = False) -> list[say.Choice]:
    """What the seat can do now; with ``undoable`` each is tried, to say whether it could be taken back."""
    match = table.match
    if match is None or seat is None or seat != table.to_move:
        return []
    legal, game, state = match.legal(), match.game, match.state
    few = len(legal) <= MANY_CHOICES
    return [
        say.Choice(
            action,
            game.write(state, action),
            game.describe(state, action) if few else "",
            list(game.picks(state, action)),
            game.way(state, action),
            undoable and few and not match.is_final(action),
        )
        for action in legal
    ]
