"""game17 as a picture: territories with their armies, the orders of the turn under way, and who has how much.

Seats have bright squares with a pattern, a shape for their pieces and a capital letter; zombies have plain dark squares
and bare numbers; where nobody plays, the largest of them have small letters. The more pieces, the larger their figure.
Where two seats meet, the border is dashed. A strip beyond each edge shows what lies across it, on the opposite side.
The seat to move is outlined, and its pieces stand on white. Zombies that it could take are numbered in green.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache

from parlour.engine import State
from parlour.engine.diagram import Diagram
from parlour.engine.language import cache_spoken
from parlour.engine.picture import Flash, Mark, Picture, Step, Walk, number, parted, tag
from parlour.games.game17 import GAME
from parlour.games.game17.events import CarriedOut, Clashed, Placed, Raided, ZombiesMoved
from parlour.games.game17.picture import backdrop as frame
from parlour.games.game17.picture import standings
from parlour.games.game17.picture.drawings import (
    CROWD,
    GOLD,
    INK,
    PALE,
    PANEL,
    PAPER,
    WEAKER,
    colour,
    ink,
    land,
    strength,
    token_id,
)
from parlour.games.game17.picture.explain import explain
from parlour.games.game17.picture.layout import (
    INNER_MARK,
    MARK,
    ORDER_DIGITS,
    SIZE,
    STRONG,
    Grid,
    goal_spot,
    grid,
    order_id,
    over_the_edge,
)
from parlour.games.game17.rules import END, GO, order_way
from parlour.games.game17.seats import owner_marks, owner_name, seat_mark, winners
from parlour.games.game17.state.names import counted
from parlour.games.game17.state.reach import weaker_squares
from parlour.games.game17.state.squares import DIRECTION_NAMES, square_name

# Numbers are edged, so that they can be read where they are wider than the shape below them.
EDGED = {"font_weight": "bold", "stroke_width": "0.15em", "stroke_linejoin": "round", "paint_order": "stroke"}
ON_DARK = {"fill": PAPER, "stroke": INK, **EDGED}
ON_WHITE = {"fill": INK, "stroke": PAPER, **EDGED}
GREEN = {"fill": WEAKER, "stroke": INK, **EDGED}
ON_COLOUR = {"fill": INK, "font_weight": "bold"}
DIAGRAMS = (
    Diagram("An order sends pieces to one of the four neighbours.", 4, seed=1, ply=0, pick="I6"),
    Diagram("Whoever leaves over an edge comes in over the opposite one.", 4, seed=2, ply=0, pick="J13"),
)


def backdrop(state: State) -> str:
    return frame.draw(state.edge, state.seats)


def scene(state: State) -> list[str]:
    board = grid(state.edge)
    owners = standings.by_size(state)
    listed = standings.listed(state, owners)
    seats = (
        state.seats
    )  # where somebody plays, zombies have no letters: what one of them took from another is not drawn
    marks = {owner: mark for owner, mark in owner_marks(state).items() if owner < seats or not seats}
    art = [*_land(state, board), *_pieces(state, board), *_letters(state, board, marks), *_orders(state, board)]
    return [*parted(art, aria_hidden="true"), standings.draw(state, owners, listed, marks), *_spots(state, board)]


def picks(state: State, action: int) -> tuple[str, ...]:
    """An order is its square and the neighbour; how many go is left to be asked. The rest has no place on the board."""
    if action in (END, GO):
        return ()
    square, direction = divmod(order_way(action), 4)
    return grid(state.edge).names[square], goal_spot(state.edge, square, direction)


def way(state: State, action: int) -> str:
    """The direction of an order, so that many squares can be ordered at once."""
    return "" if action in (END, GO) else GAME.said(DIRECTION_NAMES[order_way(action) % 4])


def mark(seat: int, seats: int) -> Mark:
    """The letter of the seat on the colour of its squares."""
    ground = colour(seat, seats)
    return Mark(seat_mark(seat), ground, ink(ground))


def motion(event: object) -> list[Step]:
    match event:
        case CarriedOut():
            return [_march(event.edge, order) for order in event.ways]
        case Clashed() | Placed():
            return [Flash((square_name(event.row, event.column),))]
        case Raided() | ZombiesMoved():
            return [Flash(tuple(square_name(row, column) for row, column in sorted(set(event.where))))]
    return []


def _march(edge: int, order: int) -> Walk:
    square, direction = divmod(order, 4)
    return Walk(order_id(grid(edge).names[square], direction), (goal_spot(edge, square, direction),))


def _land(state: State, board: Grid) -> list[str]:
    """One path for all squares of an owner, or of zombies of one colour; one for the borders, and one for the fronts.

    Where somebody plays, the zombies' land lies below, and what one zombie has taken from another is not drawn.
    """
    seats, owners = state.seats, state.owner
    plots: dict[str, list[str]] = defaultdict(list)
    for owner, plot in zip(owners, board.plots, strict=False):
        if owner < seats or not seats:
            plots[land(owner, seats)].append(plot)
    borders, fronts, outline = _borders(state, board)
    return parted(
        [
            *[f'<path fill="{fill}" d="{"".join(parts)}"/>' for fill, parts in plots.items()],
            _light(board.edge),
            _line(borders, INK, ".075"),
            _line(outline, GOLD if state.over else PAPER, ".09"),
            _line(fronts, INK, ".17"),
            _line(fronts, PAPER, ".1", ' stroke-dasharray=".14 .22"'),
            _shade(board.edge),
        ],
        transform=board.unit,
    )


def _line(path: str, colour: str, width: str, more: str = "") -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{more} stroke-linecap="round"/>'


def _borders(state: State, board: Grid) -> tuple[str, str, str]:
    """The lines around the land of each seat, those between two seats, and those around who is outlined.

    Where nobody plays, the first are around all land.
    """
    owners, outlined = state.owner, _outlined(state)
    drawn = state.seats or state.edge**2  # owners whose land has a border
    borders: list[str] = []
    fronts: list[str] = []
    outline: list[str] = []
    for here, there, line in board.seams:
        one, other = owners[here], owners[there]
        if one != other:
            if one < drawn or other < drawn:
                (fronts if one < state.seats > other else borders).append(line)
            if (one in outlined) != (other in outlined):
                outline.append(line)
    return "".join(borders), "".join(fronts), "".join(outline)


def _outlined(state: State) -> set[int]:
    """The seat to move; at the end, the winners."""
    if state.over:
        return set(winners(state))
    return {state.to_move} if state.seats_left else set()


@cache
def _light(edge: int) -> str:
    """Every square slightly raised, so that those of one territory can be counted; and a light over all of them."""
    rim = grid(edge).rim
    tiles = tag("rect", x=-rim, y=-rim, width=edge + 2 * rim, height=edge + 2 * rim, fill="url(#game17-tile)")
    return tiles + tag("rect", width=edge, height=edge, fill="url(#game17-light)")


@cache
def _shade(edge: int) -> str:
    """What lies beyond the edges is dimmed, and the corners, where nothing is seen, are dark."""
    rim = grid(edge).rim
    side = number(edge + 2 * rim)
    out, around = number(-rim), f"M0 0v{edge}h{edge}v-{edge}z"
    return tag("path", d=f"M{out} {out}h{side}v{side}h-{side}z{around}", fill=PANEL, opacity=0.62) + tag(
        "path", d=around, fill="none", stroke="#8f9cc2", stroke_width=0.025, opacity=0.8
    )


def _pieces(state: State, board: Grid) -> list[str]:
    """How many stand on each square and have no order; seats show it on their shapes, unless they are a crowd.

    Whom the seat to move could take is numbered in green, also where nobody stands.
    """
    seats, chooser = state.seats, state.to_move if not state.over else -1
    weaker = set(weaker_squares(state)) if chooser >= 0 and state.seats_left else set()
    counts, crowd = board.counts, seats > CROWD
    zombies: list[str] = []
    others: list[str] = []
    weak: list[str] = []
    own: list[str] = []
    shapes: list[str] = []
    own_shapes: list[str] = []
    edge, owners = board.edge, state.owner
    for square, (there, leaving) in enumerate(zip(state.pieces[: edge * edge], state.leaving, strict=False)):
        staying, owner, is_weak = there - leaving, owners[square], square in weaker
        if staying or is_weak:
            shown, strong = str(staying), strength(staying)
            texts = weak if is_weak else zombies if owner >= seats else own if owner == chooser else others
            texts.append(f"{counts[strong][len(shown)][square]}{shown}</text>")
            if staying and owner < seats:
                shape = f'<use href="#{token_id(owner)}-{strong}" x="{square % edge}" y="{square // edge}"/>'
                (own_shapes if owner == chooser else shapes).append(shape)
    return [
        *parted([] if crowd else shapes, fill=INK, fill_opacity=0.86, transform=board.unit),
        *parted(own_shapes, fill=PAPER, transform=board.unit),
        *_numbers(zombies, board, fill=PALE),
        *_numbers(others, board, **(ON_COLOUR if crowd else ON_DARK)),
        *_numbers(weak, board, **GREEN),
        *_numbers(own, board, **ON_WHITE),
    ]


def _numbers(texts: list[str], board: Grid, **look: object) -> list[str]:
    return parted(texts, font_size=number(STRONG[1] * board.cell), text_anchor="middle", **look)


def _letters(state: State, board: Grid, marks: dict[int, str]) -> list[str]:
    """The letter of a territory, at each of its corners to the north-west."""
    edge, owners, seats = board.edge, state.owner, state.seats
    pins: list[str] = []
    letters: list[str] = []
    openings = board.inner_marks if seats > CROWD else board.marks
    for square, owner in enumerate(owners[: edge * edge]):
        if owner in marks:
            row, column = divmod(square, edge)
            if (row and owners[square - edge] == owner) or (column and owners[square - 1] == owner):
                continue
            letters.append(f"{openings[square]}{marks[owner]}</text>")
            if seats <= CROWD:
                pins.append(f'<use href="#game17-pin" x="{column}" y="{row}" stroke="{colour(owner, seats)}"/>')
    if seats > CROWD:
        return parted(letters, fill=INK, font_size=number(INNER_MARK * board.cell), font_weight="bold")
    look = {"fill": PAPER, "font_weight": "bold", "text_anchor": "middle"}
    return [
        *parted(pins, fill=INK, transform=board.unit),
        *parted(letters, font_size=number(MARK * board.cell), **look),
    ]


def _orders(state: State, board: Grid) -> list[str]:
    """An arrow over the border for each order of the turn under way, with the number of its pieces."""
    arrows = []
    for square in range(board.edge**2):
        if state.leaving[square]:
            for direction in range(4):
                pieces = state.ordered[square * 4 + direction]
                if pieces:
                    small = board.order_sizes[len(str(pieces))]
                    arrows.append(f"{board.arrows[square * 4 + direction]}{small}>{pieces}</text></g>")
    size = number(ORDER_DIGITS[1] * board.cell)
    return parted(arrows, fill=INK, font_size=size, font_weight="bold", text_anchor="middle")


def _spots(state: State, board: Grid) -> list[str]:
    seats, leaving, owners = state.seats, state.leaving, state.owner
    parts, tell = [], _tell_square()
    for square, (before, after) in enumerate(board.spots):
        owner = owners[square]
        words = tell(owner, seats, state.pieces[square])
        if leaving[square]:
            words += _ordered_words(state, square)
        parts.append(f'{before}{words}" data-owner="{owner}{after}' if owner < seats else before + words + after)
    return parted([*parts, over_the_edge(board.edge)], fill="transparent")


@cache_spoken
def _tell_square() -> Callable[[int, int, int], str]:
    """What tells who has a square, and keeps it. A scene asks once, and not for the language of each square."""
    return cache(_words)


def _words(owner: int, seats: int, pieces: int) -> str:
    there = counted(pieces, "piece", GAME.said) if pieces else GAME.said("empty")
    return f"{owner_name(owner, seats, GAME.said)}, {there}"


def _ordered_words(state: State, square: int) -> str:
    ordered = state.ordered[square * 4 : square * 4 + 4]
    return "".join([f", {_sent(pieces, direction)}" for direction, pieces in enumerate(ordered) if pieces])


@cache_spoken
def _sent(pieces: int, direction: int) -> str:
    return GAME.said("{pieces} to the {direction}").format(
        pieces=pieces, direction=GAME.said(DIRECTION_NAMES[direction])
    )


PICTURE = Picture(
    size=SIZE,
    backdrop=backdrop,
    scene=scene,
    picks=picks,
    motion=motion,
    way=way,
    explain=explain,
    mark=mark,
    diagrams=DIAGRAMS,
)
