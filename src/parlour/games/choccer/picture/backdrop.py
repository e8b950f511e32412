"""What never changes in a picture of Choccer: a walnut frame with brass edges, the pitch, a scoreboard, two trays."""

from __future__ import annotations

from parlour.engine.kit.places import Box
from parlour.engine.kit.shapes import box, path, rimmed, text
from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, label, tag, upright
from parlour.games.choccer import GAME, state
from parlour.games.choccer.picture import layout
from parlour.games.choccer.picture.drawings import GEM_SHAPES, SHAPES, definitions, moved
from parlour.games.choccer.picture.layout import BOTTOM, CELL, HEIGHT, LEFT, RIGHT, TOP, WIDTH, middle
from parlour.games.choccer.seats import NAMES
from parlour.games.choccer.state import BLACK, COLUMN_NAMES, COLUMNS, ROWS, SQUARES, WHITE, ZONE_OF

CREAM = "#f6e7c8"
CORNER = 25  # of the letters in the corner of a square

HOLLOWS = {state.KIND_NAMES[kind]: shape for kind, shape in SHAPES.items()}
HOLLOWS |= {state.GEM_NAMES[gem]: shape for gem, shape in GEM_SHAPES.items()}


@cache_spoken
def draw() -> str:
    """The whole table, empty."""
    parts = (definitions(), _frame(), _pitch(), _coordinates(), _scoreboard())
    return "".join((*parts, _tray(WHITE), _tray(BLACK)))


def _panel(left: float, top: float, width: float, height: float, fill: str) -> str:
    """A panel let into the wood, with a brass edge."""
    edge = Box(left, top, width, height)
    return edge.drawn(rx=18, fill="url(#choccer-brass)") + edge.inset(4).drawn(rx=14, fill=fill)


def _frame() -> str:
    """Walnut, with its grain."""
    grain = "".join(
        f"M12 {y}C{260 + 3 * y % 170} {y - 14} {620 - 5 * y % 140} {y + 18} {WIDTH - 12} {y - 4}"
        for y in range(30, HEIGHT - 20, 23)
    )
    wide, high = layout.UPRIGHT
    table, shine = {"rx": 34, "fill": "url(#choccer-walnut)"}, {"rx": 31, "stroke": "#d39a63", "stroke_width": 3}
    fitting = f"scale({wide / WIDTH} {high / HEIGHT:.3f})"
    return group(
        (
            tag("rect", width=WIDTH, height=HEIGHT, **table, data_upright=upright(width=wide, height=high)),
            path(grain, stroke="#2c1609", stroke_width=3, stroke_opacity=0.22, data_upright=upright(transform=fitting)),
            Box(0, 0, WIDTH, HEIGHT)
            .inset(3)
            .drawn(fill="none", **shine, stroke_opacity=0.5, data_upright=upright(width=wide - 6, height=high - 6)),
        )
    )


def _pitch() -> str:
    """Grass mown in squares, with brass around it, a net over each zone, and the lines of a football pitch."""
    squares = "".join(
        f"M{LEFT + square % COLUMNS * CELL} {TOP + square // COLUMNS * CELL}h{CELL}v{CELL}h-{CELL}Z"
        for square in range(0, SQUARES, 2)
    )
    grass = Box(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP)
    shade = f"M{LEFT} {BOTTOM}V{TOP}H{RIGHT}V{TOP + 9}H{LEFT + 7}V{BOTTOM}Z"
    return group(
        (
            _panel(*grass.inset(-6), "#0c1a14"),
            grass.drawn(rx=4, fill="#3b8a43"),
            path(squares, "#5dac52"),
            *map(_zone, (WHITE, BLACK)),
            grass.drawn(rx=4, fill="url(#choccer-sun)"),
            path(_lines(), stroke="#ffffff", stroke_width=4, stroke_opacity=0.5),
            path(shade, "#04210f", fill_opacity=0.3),
        ),
        data_upright=upright(transform=layout.UPRIGHT_PITCH),
    )


def _zone(seat: int) -> str:
    """Where the other seat scores. White's net is knotted aslant, Black's upright."""
    at = ZONE_OF.index(seat)
    left, top = LEFT + at % COLUMNS * CELL, TOP + at // COLUMNS * CELL
    wide, high, mesh = 2 * CELL, 3 * CELL, CELL // 4
    goal, front = (left + wide, left) if seat == BLACK else (left, left + wide)
    tint, rope, post = ("#10151f", "#05070c", "#14181f") if seat == BLACK else ("#fff6dd", "#ffffff", "#fffaf0")
    if seat == BLACK:
        net = "".join(f"M{left + across} {top}v{high}" for across in range(mesh, wide, mesh))
        net += "".join(f"M{left} {top + down}h{wide}" for down in range(mesh, high, mesh))
    else:
        net = "".join(_slanting(left, top, wide, high, down) for down in range(2 * mesh - wide, high, 2 * mesh))
    return group(
        (
            box(left, top, wide, high, tint, fill_opacity=0.45),
            tag("path", d=net, stroke=rope, stroke_width=2.5, stroke_opacity=0.42),
            path(f"M{goal} {top}H{front}v{high}H{goal}", stroke=post, stroke_width=7),
        )
    )


def _slanting(left: int, top: int, wide: int, high: int, down: int) -> str:
    """Two ropes through a net, one each way, that meet its left and right edge so far down."""
    start, end = max(0, -down), min(wide, high - down)
    falling = f"M{left + start} {top + down + start}L{left + end} {top + down + end}"
    return falling + f"M{left + wide - start} {top + down + start}L{left + wide - end} {top + down + end}"


def _lines() -> str:
    """The halfway line, the circle around the red gem, the corners, and an arc before each zone."""
    x, y = middle(SQUARES // 2)
    radius = 1.5 * CELL
    lines = f"M{x} {TOP}V{BOTTOM}M{x - radius} {y}a{radius} {radius} 0 0 1 {2 * radius} 0"
    lines += f"a{radius} {radius} 0 0 1 {-2 * radius} 0"
    for edge, right, clockwise in ((LEFT, 1, 1), (RIGHT, -1, 0)):
        lines += f"M{edge} {TOP + 34}a34 34 0 0 {1 - clockwise} {right * 34} -34"
        lines += f"M{edge} {BOTTOM - 34}a34 34 0 0 {clockwise} {right * 34} 34"
        lines += f"M{edge + right * 2 * CELL} {y - 60}a75 75 0 0 {clockwise} 0 120"
    return lines


def _coordinates() -> str:
    """Letters above the pitch, numbers on both sides; where it stands upright, in the squares along two edges."""
    letters = [
        label(
            letter,
            x=LEFT + (column + 0.5) * CELL,
            y=TOP - 25,
            data_what=f"column-{letter}",
            data_upright=upright(
                x=layout.UPRIGHT_LEFT + 13, y=layout.UPRIGHT_TOP + column * CELL + 16, font_size=CORNER
            ),
        )
        for column, letter in enumerate(COLUMN_NAMES)
    ]
    numbers = [
        label(row, x=x, y=TOP + (row + 0.5) * CELL, data_what=f"row-{row}", data_upright=corner)
        for row in range(ROWS)
        for x, corner in (
            (LEFT - 21, upright(display="none")),
            (
                RIGHT + 21,
                upright(
                    x=layout.UPRIGHT_LEFT + (ROWS - row) * CELL - 12, y=layout.UPRIGHT_BOTTOM - 14, font_size=CORNER
                ),
            ),
        )
    ]
    return group((*letters, *numbers), font_size=34, font_weight=600, fill=CREAM, **rimmed("#2b2112"))


def _scoreboard() -> str:
    """A dark panel; names, points and the turn come with the scene."""
    panel = _panel(LEFT - 6, layout.SCORE_TOP, RIGHT - LEFT + 12, layout.SCORE_HEIGHT, "url(#choccer-panel)")
    windows = [
        box(layout.POINTS_MIDDLES[seat] - 42, layout.SCORE_LINE - 31, 84, 62, "#050b08", rx=10)
        for seat in (WHITE, BLACK)
    ]
    return group((panel, *windows), data_upright=upright(transform=layout.UPRIGHT_SCORE))


def _tray(seat: int) -> str:
    """Hollows for all that the seat can win: the other side's eleven pieces, and three gems."""
    tray = Box(layout.TRAY_LEFT[seat], layout.TRAY_TOP, layout.TRAY_WIDTH, layout.TRAY_HEIGHT)
    name = GAME.said("won by {seat}").format(seat=GAME.said(NAMES[seat]))
    title = text(name, tray.middle.x, tray.y + 28, 34, CREAM, font_weight=600)
    lying = (_panel(*tray, "url(#choccer-felt)"), title)
    standing = [_strip(seat, left) for left in layout.STRIP_LEFT]
    parts = [
        group(lying, data_upright=upright(display="none")),
        group(standing, display="none", data_upright=upright(display="inline")),
    ]
    for name, shape in HOLLOWS.items():
        for slot, other in zip(layout.slots(seat, name), layout.upright_slots(seat, name), strict=True):
            parts.append(_hollow(shape, moved(*slot, layout.SLOT_SCALE), moved(*other, layout.STRIP_SCALE)))
    return group(parts, data_what=f"won-{seat}")


def _strip(seat: int, left: float) -> str:
    """One half of a tray that stands beside the pitch, with the letter of its seat."""
    strip = Box(left, layout.STRIP_TOP[seat], layout.STRIP_WIDTH, layout.STRIP_HEIGHT)
    letter = GAME.said(NAMES[seat])[0]
    return _panel(*strip, "url(#choccer-felt)") + text(
        letter, strip.middle.x, strip.y + layout.STRIP_NAME, 32, CREAM, font_weight=600
    )


def _hollow(shape: str, at: str, standing_at: str) -> str:
    """A recess in the felt, lit along its lower edge."""
    round_off = {"stroke_width": 8, "stroke_linejoin": "round"}
    return group(
        (
            path(shape, "#5fa184", stroke="#5fa184", transform="translate(0 2.5)", **round_off),
            path(shape, "#143528", stroke="#143528", **round_off),
        ),
        transform=at,
        data_upright=upright(transform=standing_at),
    )
