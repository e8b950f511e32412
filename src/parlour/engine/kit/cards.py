"""Playing cards, 100 units wide and 140 high, around (0, 0): faces, backs, and how a hand is fanned out.

Put ``symbols("mygame")`` into the backdrop once; then ``face("mygame", SPADES, 10)`` is a queen, wherever it is drawn:

    placed(x, y, face("mygame", SPADES, 10), scale=1.2)

Suits are counted 0 clubs, 1 diamonds, 2 spades, 3 hearts; ranks from 0, the two, up to 12, the ace.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from parlour.engine.kit.colours import filled, gradient
from parlour.engine.kit.places import around
from parlour.engine.kit.shapes import circle, closed, line, path, text
from parlour.engine.picture import group, number, tag

CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
WIDTH, HEIGHT = 100, 140
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
JACK, QUEEN, KING, ACE = 9, 10, 11, 12
BLACK, RED = "#1d2433", "#c62136"
INKS = (BLACK, RED, BLACK, RED)
ROBES = (("#2f6b4f", "#e9b949"), ("#c9772b", "#2c4d8f"), ("#2c4d8f", "#e9b949"), ("#b3263a", "#e9b949"))

# The sign of each suit, in a square of 20 around the middle.
SIGNS = (
    "M0 -10A4.6 4.6 0 0 1 4 -2.8A4.6 4.6 0 1 1 1.2 3.6L3 9.5H-3L-1.2 3.6A4.6 4.6 0 1 1 -4 -2.8A4.6 4.6 0 0 1 0 -10Z",
    "M0 -10.5C2.5 -6 5 -3 8 0C5 3 2.5 6 0 10.5C-2.5 6 -5 3 -8 0C-5 -3 -2.5 -6 0 -10.5Z",
    "M0 -10C3 -5 9 -2 9 3C9 6.6 4.5 7.6 1.4 4.6L3 9.5H-3L-1.4 4.6C-4.5 7.6 -9 6.6 -9 3C-9 -2 -3 -5 0 -10Z",
    "M0 9.5C-3 4 -9.5 .5 -9.5 -4.5C-9.5 -9.8 -2.5 -10.8 0 -5.5C2.5 -10.8 9.5 -9.8 9.5 -4.5C9.5 .5 3 4 0 9.5Z",
)

# Where the signs of the ranks two to ten stand: the column (-1, 0, 1), and how far down from the top (0 to 1).
LEFT_RIGHT = (-1, 1)
PIPS: tuple[tuple[tuple[int, float], ...], ...] = (
    ((0, 0), (0, 1)),
    ((0, 0), (0, 0.5), (0, 1)),
    tuple((x, y) for x in LEFT_RIGHT for y in (0, 1)),
    (*((x, y) for x in LEFT_RIGHT for y in (0, 1)), (0, 0.5)),
    tuple((x, y) for x in LEFT_RIGHT for y in (0, 0.5, 1)),
    (*((x, y) for x in LEFT_RIGHT for y in (0, 0.5, 1)), (0, 0.25)),
    (*((x, y) for x in LEFT_RIGHT for y in (0, 0.5, 1)), (0, 0.25), (0, 0.75)),
    (*((x, y) for x in LEFT_RIGHT for y in (0, 1 / 3, 2 / 3, 1)), (0, 0.5)),
    (*((x, y) for x in LEFT_RIGHT for y in (0, 1 / 3, 2 / 3, 1)), (0, 1 / 6), (0, 5 / 6)),
)


def sign(name: str, suit: int, x: float, y: float, size: float = 20, *, is_turned: bool = False) -> str:
    """The sign of a suit around a point, so large; upside down where it is turned."""
    across, down = number(size / 20), number((-1 if is_turned else 1) * size / 20)
    moved = f"translate({number(x)} {number(y)}) scale({across} {down})"
    return tag("use", href=f"#{name}-sign-{suit}", transform=moved)


@cache
def symbols(name: str) -> str:
    """What the backdrop has once, so that cards can be drawn: for ``<defs>``. ``name`` is the game's."""
    faces = (_drawn_face(name, suit, rank) for suit in range(4) for rank in range(13))
    sheen = gradient(f"{name}-card-paper", "#ffffff", "#f3efe4")
    cloth = gradient(f"{name}-card-cloth", "#9c2a3c", "#651726")
    signs = (path(SIGNS[suit], INKS[suit], id=f"{name}-sign-{suit}") for suit in range(4))
    figures = (
        group(_figure(rank, *ROBES[suit]), id=f"{name}-figure-{suit}-{rank}")
        for suit in range(4)
        for rank in (JACK, QUEEN, KING)
    )
    return tag("defs", sheen, cloth, _paper(name), *signs, *figures, *faces, _drawn_back(name))


def face(name: str, suit: int, rank: int, **attributes: object) -> str:
    """A card that lies face up."""
    return group([tag("use", href=f"#{name}-paper"), tag("use", href=f"#{name}-card-{suit}-{rank}")], **attributes)


def back(name: str, **attributes: object) -> str:
    """A card that lies face down."""
    return tag("use", href=f"#{name}-card-back", **attributes)


def fan(count: int, width: float, *, most: float = 62, bow: float = 1.4) -> Iterator[tuple[float, float, float]]:
    """How so many cards lie in a hand that is so wide: each one's x and y from the middle, and how far it is turned.

    No card is further than ``most`` from the next; ``bow`` is how far, in degrees, each is turned against the next.
    """
    step = min(most, (width - WIDTH) / max(1, count - 1))
    for place in range(count):
        off = place - (count - 1) / 2
        yield off * step, bow * off * off * step / 120, bow * off


def _paper(name: str) -> str:
    """The paper of a card, with its shadow."""
    edge = around((0, 0), WIDTH, HEIGHT)
    shadow = edge.drawn(rx=9, transform="translate(1.5 2.5)", fill="#000000", opacity=0.28)
    paper = edge.drawn(rx=9, fill=filled(f"{name}-card-paper"), stroke="#b9b2a1", stroke_width=1)
    return group([shadow, paper], id=f"{name}-paper")


def _drawn_back(name: str) -> str:
    inner = around((0, 0), WIDTH - 14, HEIGHT - 14)
    drawn = (
        tag("use", href=f"#{name}-paper"),
        inner.drawn(rx=5, fill=filled(f"{name}-card-cloth")),
        path(_lattice(), stroke="#e2b9a3", stroke_width=0.8, opacity=0.5),
        inner.inset(3).drawn(rx=4, fill="none", stroke="#f0d9c8", stroke_width=1.2),
        circle(0, 0, 17, "#7c1d2e", stroke="#f0d9c8", stroke_width=1.2),
        path(SIGNS[SPADES], "#f0d9c8", transform="translate(0 -.5)"),
    )
    return group(drawn, id=f"{name}-card-back")


def _lattice() -> str:
    """Slanting lines, cut off at the edges of the back."""
    right, low, found = (WIDTH - 20) / 2, (HEIGHT - 20) / 2, []
    for start in range(-110, 111, 11):
        for slope in (1, -1):
            # y = slope * x + start, from edge to edge
            xs = [max(-right, min(right, x)) for x in sorted(((-low - start) / slope, (low - start) / slope))]
            if xs[1] - xs[0] > 1:
                points = (f"{number(x)} {number(slope * x + start)}" for x in xs)
                found.append("M" + "L".join(points))
    return "".join(found)


def _drawn_face(name: str, suit: int, rank: int) -> str:
    index = _index(name, suit, rank)
    if rank == ACE:
        middle = [sign(name, suit, 0, 0, 62 if suit == SPADES else 46)]
    elif rank >= JACK:
        middle = [_court(name, suit, rank)]
    else:
        middle = [sign(name, suit, 18 * x, 88 * y - 44, 18, is_turned=y > 0.5) for x, y in PIPS[rank]]
    return group([index, group([index], transform="rotate(180)"), *middle], id=f"{name}-card-{suit}-{rank}")


def _index(name: str, suit: int, rank: int) -> str:
    """Rank and suit in a corner."""
    narrow = {"textLength": "16", "lengthAdjust": "spacingAndGlyphs"} if RANKS[rank] == "10" else {}
    return text(RANKS[rank], -40, -56, 20, INKS[suit], **narrow) + sign(name, suit, -40, -38, 13)


def _court(name: str, suit: int, rank: int) -> str:
    """A jack, queen or king, twice: once upright, and once upside down."""
    figure = f"#{name}-figure-{suit}-{rank}"
    return "".join(
        (
            around((0, 0), 56, 104).drawn(rx=4, fill="#fbf6e8", stroke=INKS[suit], stroke_width=1.2),
            tag("use", href=figure),
            tag("use", href=figure, transform="rotate(180)"),
            line("M-28 7L28 -7", INKS[suit], 1.4),
            sign(name, suit, -19, -43, 12),
            sign(name, suit, 19, 43, 12, is_turned=True),
        )
    )


def _figure(rank: int, robe: str, trim: str) -> list[str]:
    """The upper half of a court card: shoulders, face, hair, and what is worn on the head."""
    shoulders = closed([(-27.4, 7), (-27.4, -2), (-20, -12), (-7, -16), (7, -16), (20, -12), (27.4, -8), (27.4, -7)])
    collar = closed([(-8, -17), (0, -3), (8, -17), (4, -18), (-4, -18)])
    hair = {JACK: "#8a5a2b", QUEEN: "#6d3a1e", KING: "#7b7466"}[rank]
    drawn = [path(shoulders, robe), line("M-19 -11.5L-13 3.2M19 -11.5L15 -4", trim, 2.6), path(collar, trim)]
    if rank == QUEEN:
        drawn.append(path("M-12 -29C-15 -18 -12 -13 -7 -13H7C12 -13 15 -18 12 -29Z", hair))
    else:
        drawn.append(path("M-10.5 -29C-13 -21 -11 -17 -8 -16H8C11 -17 13 -21 10.5 -29Z", hair))
    drawn += [
        tag("ellipse", cx=0, cy=-25, rx=8.2, ry=9.6, fill="#f2cfae"),
        circle(-3, -26, 0.95, BLACK),
        circle(3, -26, 0.95, BLACK),
        line("M0 -25.5L-1 -22.5H.6M-2.2 -19.8Q0 -18.6 2.2 -19.8", "#a45a44", 0.9),
    ]
    if rank == KING:
        drawn.append(
            path(
                "M-7.6 -23C-8 -13 -3 -10.5 0 -9.5C3 -10.5 8 -13 7.6 -23"
                "C5 -19 2.5 -20.8 0 -20.8C-2.5 -20.8 -5 -19 -7.6 -23Z",
                hair,
            )
        )
        drawn.append(line("M-1.8 -18.9Q0 -18 1.8 -18.9", "#a45a44", 0.9))
    drawn.append(_headwear(rank, robe, trim))
    return drawn


def _headwear(rank: int, robe: str, trim: str) -> str:
    if rank == KING:
        crown = closed([(-11, -32), (-13, -46), (-6, -39), (0, -49), (6, -39), (13, -46), (11, -32)])
        return path(crown, trim, stroke="#8a6416", stroke_width=0.8) + "".join(
            circle(x, y, 1.7, robe) for x, y in ((-13, -46), (0, -49), (13, -46), (0, -36))
        )
    if rank == QUEEN:
        tiara = "M-11 -31C-11 -40 -7 -42 -5.5 -37C-4 -46 4 -46 5.5 -37C7 -42 11 -40 11 -31Z"
        return path(tiara, trim, stroke="#8a6416", stroke_width=0.8) + circle(0, -38.5, 1.9, robe)
    cap = "M-11 -31C-12 -41 -2 -44 4 -42C10 -40 12 -36 11 -31Z"
    return path(cap, robe) + line("M-11 -31H11", trim, 2.6) + line("M7 -40C12 -46 15 -46 17 -43", trim, 2)
