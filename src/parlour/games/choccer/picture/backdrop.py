"""What never changes in a picture of Choccer: a walnut frame with brass edges, the pitch, a scoreboard, two trays."""

from __future__ import annotations

from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, label, tag, upright
from parlour.games.choccer import GAME
from parlour.games.choccer.picture.drawings import GEM_SHAPES, SHAPES, definitions, placed
from parlour.games.choccer.picture.layout import (
    BOTTOM,
    CELL,
    HEIGHT,
    LEFT,
    POINTS_MIDDLES,
    RIGHT,
    SCORE_HEIGHT,
    SCORE_LINE,
    SCORE_TOP,
    SLOT_SCALE,
    STRIP_HEIGHT,
    STRIP_LEFT,
    STRIP_NAME,
    STRIP_SCALE,
    STRIP_TOP,
    STRIP_WIDTH,
    TOP,
    TRAY_HEIGHT,
    TRAY_LEFT,
    TRAY_TOP,
    TRAY_WIDTH,
    UPRIGHT_BOTTOM,
    UPRIGHT_HEIGHT,
    UPRIGHT_LEFT,
    UPRIGHT_PITCH,
    UPRIGHT_SCORE,
    UPRIGHT_TOP,
    UPRIGHT_WIDTH,
    WIDTH,
    middle,
    slots,
    upright_slots,
)
from parlour.games.choccer.seats import NAMES
from parlour.games.choccer.state import (
    BLACK,
    COLUMN_NAMES,
    COLUMNS,
    GEM_NAMES,
    KIND_NAMES,
    ROWS,
    SQUARES,
    WHITE,
    ZONE_OF,
)

CREAM = "#f6e7c8"
CORNER = 25  # of the letters in the corner of a square

HOLLOWS = {KIND_NAMES[kind]: shape for kind, shape in SHAPES.items()}
HOLLOWS |= {GEM_NAMES[gem]: shape for gem, shape in GEM_SHAPES.items()}


@cache_spoken
def draw() -> str:
    """The whole table, empty."""
    parts = (definitions(), _table_definitions(), _frame(), _pitch(), _coordinates(), _scoreboard())
    return "".join((*parts, _tray(WHITE), _tray(BLACK)))


def _gradient(name: str, light: str, dark: str) -> str:
    stops = (tag("stop", offset=0, stop_color=light), tag("stop", offset=1, stop_color=dark))
    return tag("linearGradient", *stops, id=f"choccer-{name}", x1=0, y1=0, x2=0, y2=1)


def _table_definitions() -> str:
    sun = (
        tag("stop", offset=0, stop_color="#f4ffc8", stop_opacity=0.26),
        tag("stop", offset=0.6, stop_color="#f4ffc8", stop_opacity=0),
        tag("stop", offset=1, stop_color="#04210f", stop_opacity=0.38),
    )
    return tag(
        "defs",
        _gradient("walnut", "#84512f", "#432513"),
        _gradient("brass", "#f0d08a", "#b0863c"),
        _gradient("panel", "#1a2b25", "#0a1310"),
        _gradient("felt", "#1b4433", "#2a6149"),
        tag("radialGradient", *sun, id="choccer-sun", cx=0.5, cy=0.4, r=0.75),
    )


def _box(left: float, top: float, width: float, height: float, fill: str) -> str:
    """A panel let into the wood, with a brass edge."""
    edge = tag("rect", x=left, y=top, width=width, height=height, rx=18, fill="url(#choccer-brass)")
    return edge + tag("rect", x=left + 4, y=top + 4, width=width - 8, height=height - 8, rx=14, fill=fill)


def _frame() -> str:
    """Walnut, with its grain."""
    grain = "".join(
        f"M12 {y}C{260 + 3 * y % 170} {y - 14} {620 - 5 * y % 140} {y + 18} {WIDTH - 12} {y - 4}"
        for y in range(30, HEIGHT - 20, 23)
    )
    shine = {"fill": "none", "stroke": "#d39a63", "stroke_width": 3, "stroke_opacity": 0.5}
    return group(
        (
            tag(
                "rect",
                width=WIDTH,
                height=HEIGHT,
                rx=34,
                fill="url(#choccer-walnut)",
                data_upright=upright(width=UPRIGHT_WIDTH, height=UPRIGHT_HEIGHT),
            ),
            tag(
                "path",
                d=grain,
                fill="none",
                stroke="#2c1609",
                stroke_width=3,
                stroke_opacity=0.22,
                data_upright=upright(transform=f"scale({UPRIGHT_WIDTH / WIDTH} {UPRIGHT_HEIGHT / HEIGHT:.3f})"),
            ),
            tag(
                "rect",
                x=3,
                y=3,
                width=WIDTH - 6,
                height=HEIGHT - 6,
                rx=31,
                **shine,
                data_upright=upright(width=UPRIGHT_WIDTH - 6, height=UPRIGHT_HEIGHT - 6),
            ),
        )
    )


def _pitch() -> str:
    """Grass mown in squares, with brass around it, a net over each zone, and the lines of a football pitch."""
    squares = "".join(
        f"M{LEFT + square % COLUMNS * CELL} {TOP + square // COLUMNS * CELL}h{CELL}v{CELL}h-{CELL}Z"
        for square in range(0, SQUARES, 2)
    )
    everywhere = {"x": LEFT, "y": TOP, "width": RIGHT - LEFT, "height": BOTTOM - TOP, "rx": 4}
    shade = f"M{LEFT} {BOTTOM}V{TOP}H{RIGHT}V{TOP + 9}H{LEFT + 7}V{BOTTOM}Z"
    return group(
        (
            _box(LEFT - 6, TOP - 6, RIGHT - LEFT + 12, BOTTOM - TOP + 12, "#0c1a14"),
            tag("rect", fill="#3b8a43", **everywhere),
            tag("path", d=squares, fill="#5dac52"),
            *map(_zone, (WHITE, BLACK)),
            tag("rect", fill="url(#choccer-sun)", **everywhere),
            tag("path", d=_lines(), fill="none", stroke="#ffffff", stroke_width=4, stroke_opacity=0.5),
            tag("path", d=shade, fill="#04210f", fill_opacity=0.3),
        ),
        data_upright=upright(transform=UPRIGHT_PITCH),
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
            tag("rect", x=left, y=top, width=wide, height=high, fill=tint, fill_opacity=0.45),
            tag("path", d=net, stroke=rope, stroke_width=2.5, stroke_opacity=0.42),
            tag("path", d=f"M{goal} {top}H{front}v{high}H{goal}", fill="none", stroke=post, stroke_width=7),
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
            data_upright=upright(x=UPRIGHT_LEFT + 13, y=UPRIGHT_TOP + column * CELL + 16, font_size=CORNER),
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
                upright(x=UPRIGHT_LEFT + (ROWS - row) * CELL - 12, y=UPRIGHT_BOTTOM - 14, font_size=CORNER),
            ),
        )
    ]
    return group((*letters, *numbers), font_size=34, font_weight=600, fill=CREAM)


def _scoreboard() -> str:
    """A dark panel; names, points and the turn come with the scene."""
    panel = _box(LEFT - 6, SCORE_TOP, RIGHT - LEFT + 12, SCORE_HEIGHT, "url(#choccer-panel)")
    windows = [
        tag("rect", x=POINTS_MIDDLES[seat] - 42, y=SCORE_LINE - 31, width=84, height=62, rx=10, fill="#050b08")
        for seat in (WHITE, BLACK)
    ]
    return group((panel, *windows), data_upright=upright(transform=UPRIGHT_SCORE))


def _tray(seat: int) -> str:
    """Hollows for all that the seat can win: the other side's eleven pieces, and three gems."""
    lying = (
        _box(TRAY_LEFT[seat], TRAY_TOP, TRAY_WIDTH, TRAY_HEIGHT, "url(#choccer-felt)"),
        label(
            GAME.said("won by {seat}").format(seat=GAME.said(NAMES[seat])),
            x=TRAY_LEFT[seat] + TRAY_WIDTH / 2,
            y=TRAY_TOP + 28,
            font_size=34,
            font_weight=600,
            fill=CREAM,
        ),
    )
    standing = [_strip(seat, left) for left in STRIP_LEFT]
    parts = [
        group(lying, data_upright=upright(display="none")),
        group(standing, display="none", data_upright=upright(display="inline")),
    ]
    for name, shape in HOLLOWS.items():
        for slot, other in zip(slots(seat, name), upright_slots(seat, name), strict=True):
            parts.append(_hollow(shape, placed(*slot, SLOT_SCALE), placed(*other, STRIP_SCALE)))
    return group(parts, data_what=f"won-{seat}")


def _strip(seat: int, left: float) -> str:
    """One half of a tray that stands beside the pitch, with the letter of its seat."""
    top = STRIP_TOP[seat]
    letter = label(
        GAME.said(NAMES[seat])[0],
        x=left + STRIP_WIDTH / 2,
        y=top + STRIP_NAME,
        font_size=32,
        font_weight=600,
        fill=CREAM,
    )
    return _box(left, top, STRIP_WIDTH, STRIP_HEIGHT, "url(#choccer-felt)") + letter


def _hollow(shape: str, at: str, standing_at: str) -> str:
    """A recess in the felt, lit along its lower edge."""
    drawn = {"d": shape, "stroke_width": 8, "stroke_linejoin": "round"}
    return group(
        (
            tag("path", fill="#5fa184", stroke="#5fa184", transform="translate(0 2.5)", **drawn),
            tag("path", fill="#143528", stroke="#143528", **drawn),
        ),
        transform=at,
        data_upright=upright(transform=standing_at),
    )
