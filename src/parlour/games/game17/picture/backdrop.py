"""What never changes in a picture of game17: the ground, the shapes that squares use, the letters along the edges."""

from __future__ import annotations

from functools import cache

from parlour.engine.kit.art import drawings, used
from parlour.engine.picture import group, label, number, tag
from parlour.games.game17.picture.drawings import ARROWS, CROWD, FIGURES, GOLD, INK, PATTERNS, TOKENS, colour, shape
from parlour.games.game17.picture.layout import SIZE, WIDTH, Grid, grid
from parlour.games.game17.state.squares import DIRECTIONS, column_name


@cache
def draw(edge: int, seats: int) -> str:
    """All that never changes: the ground, the shapes that the squares use, letters and numbers along the edges.

    Where somebody plays, all land is the zombies' until a seat's is drawn over it.
    """
    board = grid(edge)
    return _shapes(board, seats) + _ground(board) + _rulers(board) + (_zombies(board, seats) if seats else "")


def _zombies(board: Grid, seats: int) -> str:
    fill = colour(seats, seats)
    return tag("path", d="".join(board.plots), fill=fill, transform=board.unit)


def _shapes(board: Grid, seats: int) -> str:
    shadow = {"fill": "#000", "opacity": 0.35, "transform": "translate(.025 .05)"}
    tokens = [
        group([tag("path", d=d, **shadow), tag("path", d=d)], id=f"game17-token-{n}") for n, d in enumerate(TOKENS)
    ]
    tokens += [_figure(number, size) for number in range(len(TOKENS)) for size in range(len(FIGURES))]
    lands = [_land(seat, seats) for seat in range(seats if seats <= CROWD else 0)]
    arrows = [
        group(
            [
                tag("path", d=d, fill="#000", opacity=0.4, transform="translate(.03 .06)"),
                tag("path", d=d, fill=GOLD, stroke=INK, stroke_width=0.045, stroke_linejoin="round"),
            ],
            id=f"game17-{DIRECTIONS[way]}{board.edge}",
            transform=f"scale({board.cell})",
        )
        for way, d in enumerate(ARROWS)
    ]
    return tag("defs", drawings(__package__, "art.svg"), *tokens, *lands, *arrows)


def _figure(number: int, size: int) -> str:
    """A shape as large as the strength of its pieces, around the middle of the square."""
    scale = FIGURES[size]
    rest = (1 - scale) / 2
    moved = f"translate({rest:.3f} {rest:.3f}) scale({scale})"
    return tag("g", tag("use", href=f"#game17-token-{number}", transform=moved), id=f"game17-token-{number}-{size}")


def _land(seat: int, seats: int) -> str:
    """The colour of a seat with its pattern on it."""
    return tag(
        "pattern",
        tag("rect", width=1, height=1, fill=colour(seat, seats)),
        group([PATTERNS[shape(seat)]], fill="none", stroke=INK, opacity=0.34),
        id=f"game17-land-{seat}",
        width=1,
        height=1,
        patternUnits="userSpaceOnUse",
    )


def _ground(board: Grid) -> str:
    """A dark table, and the sunken field on it."""
    start, side = board.left - board.rim * board.cell, (board.edge + 2 * board.rim) * board.cell
    width, height = SIZE
    return (
        tag("rect", width=width, height=height, rx=34, fill="url(#game17-panel)")
        + tag(
            "rect", x=2, y=2, width=width - 4, height=height - 4, rx=32, fill="none", stroke="#465274", stroke_width=3
        )
        + tag("rect", x=start - 4, y=start - 4, width=side + 8, height=side + 8, rx=14, fill="#0b0f1a")
        + _corners(board)
    )


def _corners(board: Grid) -> str:
    """In each corner a ring: a board whose edges are joined has its shape."""
    near = (board.left - board.rim * board.cell) / 2
    far, far_row = WIDTH - near, 2 * board.left + board.edge * board.cell - near
    return "".join(used("game17-ring", round(x), round(y)) for x in (near, far) for y in (near, far_row))


def _rulers(board: Grid) -> str:
    size = min(31.0, 0.86 * board.cell)
    rim = board.rim * board.cell
    near, far = (board.left - rim - 4) / 2 + 1, WIDTH - (board.left - rim - 4) / 2 - 1
    far_row = board.left + board.edge * board.cell + rim + 4 + near
    texts = []
    for place in range(board.edge):
        middle = board.left + (place + 0.5) * board.cell
        texts += [label(column_name(place), x=middle, y=y) for y in (near, far_row)]
        texts += [label(place, x=x, y=middle) for x in (near, far)]
    return group(texts, fill="#9aa6ca", font_size=number(size), aria_hidden="true")
