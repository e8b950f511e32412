"""Choccer as a picture: pick a piece, then the square it goes to or passes its gem to.

A position does not tell one circle from another, so pieces and gems are named for the square they stand on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain

from parlour.engine import Event, State
from parlour.engine.diagram import Diagram
from parlour.engine.kit.places import around
from parlour.engine.kit.shapes import text
from parlour.engine.language import cache_spoken
from parlour.engine.picture import Flash, Fly, Mark, Picture, Step, Walk, group, tag, upright
from parlour.games.choccer import GAME, events
from parlour.games.choccer.picture import backdrop as table
from parlour.games.choccer.picture import layout
from parlour.games.choccer.picture.backdrop import CREAM
from parlour.games.choccer.picture.drawings import gem_name, moved, piece_name, stamp
from parlour.games.choccer.picture.explain import explain
from parlour.games.choccer.picture.layout import CELL, HEIGHT, SCORE_LINE, WIDTH, middle
from parlour.games.choccer.rules import LAST_TURN, PASS_TURN, origin, target
from parlour.games.choccer.seats import MATERIALS, NAMES
from parlour.games.choccer.state import BLACK, COLUMNS, GEM_NAMES, KIND_NAMES, WHITE, ZONE_OF, square_name
from parlour.games.choccer.state.winnings import captured_of, gems_for, pieces_left

SIZE = (WIDTH, HEIGHT)
HELD = 0.62  # the size of a gem in a piece's setting, against one that lies on the grass
CLOCK_WIDTH = 300
AMBER = "#ffc857"
DIAGRAMS = (
    Diagram("A circle goes one square, straight.", 2, seed=1, ply=7, pick="E4"),
    Diagram("A triangle goes one square, diagonally.", 2, seed=1, ply=6, pick="H1"),
    Diagram("A clover goes up to three squares, straight, and stops before its own side's pieces.", 2, 17, 60, "F3"),
    Diagram("A star goes up to three squares, diagonally.", 2, seed=19, ply=21, pick="E3"),
    Diagram("Who holds a gem may move with it, or pass it to one of its side nearby.", 2, seed=4, ply=48, pick="G2"),
)


def backdrop(state: State) -> str:
    """The table, which is the same in every match."""
    return table.draw()


def scene(state: State) -> list[str]:
    """The scoreboard, what both seats have won, the pieces, the gems on top of them, and the squares to pick."""
    draw, board, gem = _draw_row(), state.board, state.gem
    rows = [draw(start, tuple(board[start : start + COLUMNS]), tuple(gem[start : start + COLUMNS])) for start in _ROWS]
    pieces, gems, spots = zip(*rows, strict=True)
    around = _scoreboard(state), _won(state, WHITE), _won(state, BLACK)
    return [*around, *pieces, *gems, _SPOTS, *chain(*spots), "</g>"]


_SPOTS = f'<g fill="transparent" data-upright="{upright(transform=layout.UPRIGHT_PITCH)}">'


def picks(state: State, action: int) -> tuple[str, ...]:
    """The piece, then where it or its gem goes; a turn is passed with a button."""
    return _picked(action)


@cache
def _picked(action: int) -> tuple[str, ...]:
    return () if action == PASS_TURN else (square_name(origin(action)), square_name(target(action)))


def motion(event: Event) -> list[Step]:
    """What moves on the board as the picture was before the turn."""
    match event:
        case events.Moved(square=square, to=to):
            return [Walk(_piece_id(square), _path(square, to))]
        case events.Carried(square=square, to=to):
            return [Walk(_piece_id(square), _path(square, to)), Walk(_gem_id(square), _path(square, to))]
        case events.Captured(seat=seat, square=square):
            return [Flash((square_name(square),)), Fly(_piece_id(square), f"seat-{seat}")]
        case events.PickedUp(square=square):
            return [Flash((square_name(square),))]
        case events.PassedGem(square=square, to=to):
            return [Fly(_gem_id(square), square_name(to))]
        case events.Scored(seat=seat, came_from=came_from):
            return [Flash(_zone_of(1 - seat)), Fly(_gem_id(came_from), f"seat-{seat}")]
    return []


def mark(seat: int, seats: int) -> Mark:
    """The first letter of the side, in the colours of its pieces."""
    material = MATERIALS[seat]
    return Mark(GAME.said(NAMES[seat])[0], material.face[1], material.edge)


def _piece_id(square: int) -> str:
    return f"choccer-piece-{square_name(square)}"


def _gem_id(square: int) -> str:
    return f"choccer-gem-{square_name(square)}"


@cache
def _zone_of(seat: int) -> tuple[str, ...]:
    return tuple(square_name(square) for square, zone in enumerate(ZONE_OF) if zone == seat)


def _path(square: int, to: int) -> tuple[str, ...]:
    """All squares that a move goes over, up to the one it ends on."""
    rows, columns = to // COLUMNS - square // COLUMNS, to % COLUMNS - square % COLUMNS
    steps = max(abs(rows), abs(columns))
    step = (to - square) // steps
    return tuple(square_name(square + step * taken) for taken in range(1, steps + 1))


_ROWS = range(0, len(ZONE_OF), COLUMNS)
_KEPT_ROWS = 4096  # most rows stay as they are from move to move; this is some 6 MB in each language

_Drawn = tuple[str, str, str]
_DrawnRow = tuple[str, str, tuple[str, ...]]


@cache_spoken
def _draw_row() -> Callable[[int, tuple[int, ...], tuple[int, ...]], _DrawnRow]:
    """What draws a row and keeps it. A scene asks once, and not for the language of each row."""
    square = cache(_square)

    def row(start: int, pieces: tuple[int, ...], gems: tuple[int, ...]) -> _DrawnRow:
        squares = map(square, range(start, start + COLUMNS), pieces, gems)
        drawn_pieces, drawn_gems, spots = zip(*squares, strict=True)
        return "".join(drawn_pieces), "".join(drawn_gems), spots

    return lru_cache(maxsize=_KEPT_ROWS)(row)


def _square(square: int, piece: int, gem: int) -> _Drawn:
    """The piece on a square, the gem on it, and the spot that is picked."""
    x, y = middle(square)
    at = {"transform": moved(x, y), "data_upright": upright(transform=moved(*layout.upright_middle(square)))}
    drawn_piece = drawn_gem = ""
    if piece:
        drawn_piece = group((stamp(piece_name(_seat_of(piece), abs(piece))),), id=_piece_id(square), **at)
    if gem:
        shown = stamp(gem_name(gem), scale=HELD if piece else 1)
        drawn_gem = group((shown,), id=_gem_id(square), **at)
    spot = around((x, y), CELL, CELL).drawn(rx=8, data_spot=square_name(square), aria_label=_words(square, piece, gem))
    return drawn_piece, drawn_gem, spot


def _seat_of(piece: int) -> int:
    return BLACK if piece > 0 else WHITE


def _words(square: int, piece: int, gem: int) -> str:
    """What is on a square: ``J3 in Black's zone: White's star with the red gem``."""
    return GAME.said(_sentence(piece, gem)).format(
        place=_place(square),
        seat=GAME.said(NAMES[_seat_of(piece)]),
        kind=GAME.said(KIND_NAMES[abs(piece)]),
        gem=GAME.said(GEM_NAMES[gem]),
    )


def _sentence(piece: int, gem: int) -> str:
    """The words for a square, before the names are put in."""
    if piece:
        return "{place}: {seat}'s {kind} with the {gem}" if gem else "{place}: {seat}'s {kind}"
    return f"{{place}}: {GEM_NAMES[gem]}" if gem else "{place}: empty"  # other languages decline a gem by itself


def _place(square: int) -> str:
    """A square, and whose zone it is in: ``J3 in Black's zone``."""
    name, zone = square_name(square), ZONE_OF[square]
    if zone < 0:
        return name
    return GAME.said("{square} in {seat}'s zone").format(square=name, seat=GAME.said(NAMES[zone]))


def _won(state: State, seat: int) -> str:
    """The pieces and gems in the seat's tray."""
    return _tray(seat, pieces_left(state, 1 - seat), state.points[seat])


@cache_spoken
def _tray(seat: int, left: tuple[int, ...], points: int) -> str:
    """``left`` is what the other seat has left of each kind."""
    kinds = captured_of(left)
    gems = gems_for(points, kinds)
    names = [KIND_NAMES[kind] for kind in kinds] + [GEM_NAMES[gem] for gem in gems]
    drawings = [piece_name(1 - seat, kind) for kind in kinds] + [gem_name(gem) for gem in gems]
    lying = []
    for place, (name, drawing) in enumerate(zip(names, drawings, strict=True)):
        before = names[:place].count(name)
        standing = upright(transform=moved(*layout.upright_slots(seat, name)[before], layout.STRIP_SCALE))
        lying.append(stamp(drawing, *layout.slots(seat, name)[before], layout.SLOT_SCALE, data_upright=standing))
    things = ", ".join(map(GAME.said, names)) or GAME.said("nothing yet")
    words = GAME.said("{seat} has won: {things}").format(seat=GAME.said(NAMES[seat]), things=things)
    return group(lying, role="img", aria_label=words, data_what=f"won-{seat}")


def _scoreboard(state: State) -> str:
    """Both names, the seat's that is to move or has won on brass; the points, and the turn."""
    black, white = state.points
    shown = state.to_move if not state.over else -1 if black == white else BLACK if black > white else WHITE
    return (
        _clock(state.turns, state.over, shown)
        + _points(BLACK, black, shown == BLACK)
        + _points(WHITE, white, shown == WHITE)
    )


@cache_spoken
def _clock(turns: int, over: int, winner: int) -> str:
    """The turn, and a bar that fills up to the last one; at the end, a cup on the winner's side."""
    words = GAME.said("full time" if over else "turn {turn} of {last}").format(turn=turns + 1, last=LAST_TURN)
    bar = {"x": WIDTH / 2 - CLOCK_WIDTH / 2, "y": SCORE_LINE + 20, "height": 9, "rx": 4.5}
    return group(
        (
            text(words, WIDTH / 2, SCORE_LINE - 8, 36, CREAM, font_weight=600),
            tag("rect", width=CLOCK_WIDTH, fill="#30443b", **bar),
            tag("rect", width=CLOCK_WIDTH * turns / LAST_TURN, fill="url(#choccer-brass)", **bar),
            *(
                [stamp("choccer-cup", WIDTH / 2 + (120 if winner == BLACK else -120), SCORE_LINE - 8)]
                if over and winner >= 0
                else []
            ),
        ),
        data_what="turns",
        data_upright=upright(transform=layout.UPRIGHT_SCORE),
    )


@cache_spoken
def _points(seat: int, points: int, shown: bool) -> str:
    """A seat's name and points."""
    x, names = layout.NAME_MIDDLES[seat], [GAME.said(name) for name in NAMES]
    size = min(layout.NAME_SIZE, layout.NAME_ROOM // max(map(len, names)))
    plate = around((x, SCORE_LINE), layout.NAME_WIDTH, 58).drawn(rx=12, fill="url(#choccer-brass)")
    return group(
        (
            plate if shown else "",
            text(names[seat], x, SCORE_LINE, size, "#1d130a" if shown else CREAM),
            text(points, layout.POINTS_MIDDLES[seat], SCORE_LINE, 50, AMBER),
        ),
        data_what=f"points-{seat}",
        data_upright=upright(transform=layout.UPRIGHT_SCORE),
    )


PICTURE = Picture(
    size=SIZE,
    backdrop=backdrop,
    scene=scene,
    picks=picks,
    motion=motion,
    explain=explain,
    mark=mark,
    diagrams=DIAGRAMS,
    upright=layout.UPRIGHT,
)
