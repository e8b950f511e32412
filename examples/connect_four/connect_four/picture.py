"""Connect Four as a picture: a blue frame, discs that differ by their marks too, and columns to pick."""

from functools import cache

from connect_four import ACROSS, COLUMNS, FALLING, GAME, RISING, ROWS, UP, Dropped
from parlour.engine import Event, State
from parlour.engine.explanation import Explanation
from parlour.engine.picture import Mark, Picture, Step, Walk, group, label, tag

LIGHT, DARK = ("#f0605d", "#ffd84d"), ("#a8272b", "#b98500")
STEPS = UP, ACROSS, RISING, FALLING
MARKS = tag("circle", r=19, fill=DARK[0]), tag("rect", x=-17, y=-17, width=34, height=34, rx=5, fill=DARK[1])


@cache
def disc(name: str, seat: int, column: int, row: int) -> str:
    body = tag("circle", cy=2, r=41, fill=DARK[seat]), tag("circle", cy=-2, r=39, fill=LIGHT[seat]), MARKS[seat]
    return group(body, id=f"connect_four-{name}", transform=f"translate({80 + 100 * column} {700 - 100 * row})")


@cache
def spot(name: str, words: str, column: int, row: int, rows: int = 1) -> str:
    box = {"x": 30 + 100 * column, "y": 650 - 100 * row, "width": 100, "height": 100 * rows, "rx": 30}
    return tag("rect", **box, fill="transparent", data_spot=name, aria_label=words)


@cache
def ring(column: int, row: int) -> str:
    """Around a disc of the four that win."""
    return tag("circle", cx=80 + 100 * column, cy=700 - 100 * row, r=43, fill="none", stroke="#ffffff", stroke_width=8)


def winning(discs: int) -> list[tuple[int, int]]:
    """Column and row of every disc that stands in a line of four."""
    lines = [[place + step * at for at in range(4)] for place in range(ACROSS * COLUMNS) for step in STEPS]
    won = {place for line in lines if all(discs >> one & 1 for one in line) for place in line}
    return [divmod(place, ACROSS) for place in sorted(won)]


def backdrop(state: State) -> str:
    shades = (tag("stop", offset=at, stop_color=colour) for at, colour in enumerate(("#3f7be0", "#1c469c")))
    drawn = [tag("defs", tag("linearGradient", *shades, id="connect_four-blue", x2=0, y2=1))]
    drawn += [tag("rect", width=760, height=820, rx=40, fill="#e9e3d6")]
    for y, fill in ((142, "#c9c0ad"), (130, "url(#connect_four-blue)")):
        drawn += [tag("rect", x=20, y=y, width=720, height=660, rx=36, fill=fill)]
    for x in range(80, 780, 100):
        drawn += [tag("circle", cx=x, cy=y, r=44, fill="#16336f") for y in range(200, 800, 100)]
        drawn += [label(x // 100 + 1, x=x, y=768, font_size=32, fill="#d7e4ff", data_what=x // 100 + 1)]
    return "".join(drawn)


def said(words: str, column: int | str, free: int = 0) -> str:
    return GAME.said(words).format(column=column, free=free)


def scene(state: State) -> list[str]:
    discs, spots = [] if state.over else [disc("next", state.to_move, COLUMNS // 2, ROWS)], []
    for column, height in enumerate(state.height):
        number, owners = column + 1, [state.discs[1] >> ACROSS * column + row & 1 for row in range(height)]
        discs += [disc(f"{number}-{row + 1}", seat, column, row) for row, seat in enumerate(owners)]
        told = ", ".join(map(GAME.seat_name, owners)) or GAME.said("empty")
        spots += [spot(f"above-{number}", said("above column {column}", number), column, ROWS)]
        if height < ROWS:
            spots += [spot(f"landing-{number}", said("the next place in column {column}", number), column, height)]
        spots += [spot(str(number), f"{said('column {column}', number)}: {told}", column, ROWS, ROWS + 1)]
    rings = [ring(*place) for discs_of in state.discs for place in winning(discs_of)] if state.over else []
    return discs + rings + spots


def picks(state: State, action: int) -> tuple[str, ...]:
    return (str(action + 1),)


def explain(state: State, name: str) -> Explanation | None:
    """A spot is explained by its column, whether it is the column itself, the place above it or its next free place."""
    kind, _, number = name.rpartition("-")
    if kind not in ("", "above", "landing") or number not in map(str, range(1, COLUMNS + 1)):
        return None
    free = ROWS - state.height[int(number) - 1]
    if not free:
        return Explanation(said("Column {column} is full: nothing more can be dropped into it.", number), 3)
    words = "Column {column}. A disc dropped here falls to the lowest of {free} free places."
    return Explanation(said(words, number, free), 2)


def mark(seat: int, seats: int) -> Mark:
    return Mark(GAME.seat_name(seat)[0], LIGHT[seat], "#2b1200")


def motion(event: Event) -> list[Step]:
    """The waiting disc goes above its column, then falls."""
    if not isinstance(event, Dropped):
        return []
    return [Walk("connect_four-next", (f"above-{event.column}", f"landing-{event.column}"))]


PICTURE = Picture(
    size=(760, 820), backdrop=backdrop, scene=scene, picks=picks, mark=mark, motion=motion, explain=explain
)
