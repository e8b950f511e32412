"""The Game of the Goose as a picture: the spiral, everyone's goose on it, and with stakes the pool and the balances.

Every space is a spot, named by its number; ``0`` is the start. Each seat's goose is an item: ``goose-piece-2``.
There is nothing to pick, for there is nothing to decide: to roll is a button.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from parlour.engine import Event, State
from parlour.engine.diagram import Diagram
from parlour.engine.kit.shapes import at, box, circle, fitted, text
from parlour.engine.language import cache_spoken
from parlour.engine.picture import Dice, Flash, Fly, Mark, Picture, Step, Walk, group, tag
from parlour.games.goose import GAME, events
from parlour.games.goose.picture import backdrop as board
from parlour.games.goose.picture import drawings, pieces, spiral
from parlour.games.goose.picture.drawings import CREAM, INK
from parlour.games.goose.picture.explain import explain
from parlour.games.goose.seats import FEATHERS, INKS, LETTERS, NAMES, OUTLINES
from parlour.games.goose.state.spaces import BRIDGE_END, END, HAZARDS, HOTEL, MAZE, START, is_goose, is_hazard

POOL = "goose-pool"
# Where those who share a space stand, seen from its middle, and how large they are: for one, two, three, four.
CROWDS = (
    (1.0, ((0, 0),)),
    (0.82, ((-23, -4), (23, 4))),
    (0.76, ((-24, -18), (24, -18), (0, 20))),
    (0.76, ((-24, -20), (24, -20), (-24, 22), (24, 22))),
)
CONFETTI = ("#c62f2b", "#2358b5", "#1c7a44", "#8a4fa3")
DIAGRAMS = (Diagram("Blue waits in the Well, Green in the Prison, until someone else lands there.", 4, seed=1, ply=16),)


def backdrop(state: State) -> str:
    return board.draw(drink=bool(state.drink), stakes=bool(state.stakes))


def scene(state: State) -> list[str]:
    standing: dict[int, list[int]] = {}
    for seat in range(state.seats):
        standing.setdefault(state.position[seat], []).append(seat)
    parts = [confetti() if state.over else ""]
    if state.stakes:
        parts += [pool(state.pool), *(balance(seat, state.balance[seat]) for seat in range(state.seats))]
    parts += [standing_piece(state, seat, standing[state.position[seat]]) for seat in range(state.seats)]
    spots = list(empty_spots(state.maze, state.drink))
    for space, seats in standing.items():
        held = tuple(seat for seat in seats if waits_on(state, seat))
        spots[space] = spot(state.maze, state.drink, space, tuple(seats), held)
    return parts + spots


def picks(state: State, action: int) -> tuple[str, ...]:
    return ()


def mark(seat: int, seats: int) -> Mark:
    """The letter of a seat's goose, on the darker colour of its feathers."""
    return Mark(LETTERS[seat], FEATHERS[seat][1], INKS[seat])


# The pieces.


def piece(seat: int) -> str:
    """The item that is a seat's goose."""
    return f"goose-piece-{seat}"


def waits_on(state: State, seat: int) -> int:
    """The space that holds a piece up, or 0."""
    return int(state.position[seat]) if state.trapped_since[seat] or state.resting[seat] else 0


def standing_piece(state: State, seat: int, neighbours: Sequence[int]) -> str:
    """A seat's goose in its place; whoever is on the same space, itself included, are its neighbours."""
    scale, place = footing(state.drink, state.position[seat], seat, len(neighbours), neighbours.index(seat))
    drawn = pieces.figure(seat, waits_on(state, seat), scale, is_up=seat == state.to_move and not state.over)
    return group((drawn,), id=piece(seat), transform=place)


@cache
def footing(drink: int, space: int, seat: int, crowd: int, rank: int) -> tuple[float, str]:
    """How large a piece is on a space that it shares with a crowd, itself included, and where it stands there."""
    if space == START:
        scale, (x, y) = 1.0, spiral.starting_places()[seat]
    else:
        scale, offsets = CROWDS[crowd - 1]
        scale *= 1.3 if space == END else 0.85 if is_hazard(space, drink) else 0.88
        (x, y), (right, down) = stand(drink, space), offsets[rank]
        x, y = x + right, y + down
    return scale, at(x, y)


@cache
def stand(drink: int, space: int) -> spiral.Point:
    """Where a piece stands on a space: so that the number, or the name of a hazard, can still be read."""
    x, y = spiral.centre(space)
    if is_hazard(space, drink):
        return x + 10, y - 17
    return (x, y) if space in (START, END) else (x + 6, y + 6)


# Stakes.


@cache_spoken
def pool(stakes: int) -> str:
    """The pool, in the middle of the board: as many coins as it has, up to a heap."""
    places = [(24 * (index % 5 - 2) + 6 * (index // 5 % 2), 34 - 11 * (index // 5)) for index in range(20)]
    coins = [drawings.art("coin", *place) for place in places]
    plate = box(-58, 46, 116, 48, INK, rx=24) + text(stakes, 0, 71, 38, CREAM)
    shown = (*coins[:stakes], plate) if stakes else ("",)
    x, y = spiral.PODIUM
    words = GAME.said("The pool: {stakes}").format(stakes=stakes)
    return group(shown, id=POOL, transform=at(x, y), role="img", aria_label=words, data_what="pool")


@cache_spoken
def balance(seat: int, stakes: int) -> str:
    """What a seat has won or paid, in a corner."""
    x, y = ((84, 50), (84, 110), (916, 50), (916, 110))[seat]
    written = f"{stakes:+d}".replace("-", "−") if stakes else "0"
    shown = (
        box(-66, -26, 132, 52, CREAM, rx=26, stroke="#e0a93a", stroke_width=3),
        circle(-41, 0, 24, f"url(#goose-seat-{seat})", stroke=OUTLINES[seat], stroke_width=2),
        text(LETTERS[seat], -41, 1, 34, INKS[seat]),
        text(written, 23, 1, 34, INK, **fitted(written, 3, 72)),
    )
    words = GAME.said("{seat}: balance {stakes}").format(seat=GAME.said(NAMES[seat]), stakes=written)
    return group(shown, transform=at(x, y), role="img", aria_label=words, data_what=f"balance-{seat}")


@cache
def confetti() -> str:
    """Around the winner."""
    x, y = spiral.GOAL
    bits = []
    for index in range(48):
        right, down = index * (61 + 7 * index) % 251 - 125, index * (97 + 5 * index) % 389 - 194
        turned = f"{at(x + right, y + down)} rotate({index * 47 % 180})"
        bits.append(box(-6, -3, 12, 6, CONFETTI[index % 4], rx=1.5, transform=turned))
    return group(bits)


# The spots.


def words_for(maze: int, drink: int, space: int) -> str:
    """What a space is, in words."""
    if space == START:
        return GAME.said("Start")
    if space == END:
        return GAME.said("{space}: the end").format(space=END)
    if is_goose(space):
        return GAME.said("{space}: a goose, on by the same throw").format(space=space)
    if not is_hazard(space, drink):
        return str(space)
    fate = GAME.said(HAZARDS[space].effect).format(space=maze if space == MAZE else BRIDGE_END)
    return f"{space}, {GAME.said(HAZARDS[space].name)}: {fate}"


def words_for_seat(seat: int, *, waits: bool) -> str:
    """Who is on a space, in words."""
    name = GAME.said(NAMES[seat])
    return GAME.said("{seat} waits").format(seat=name) if waits else name


@cache_spoken
def spot(maze: int, drink: int, space: int, seats: tuple[int, ...] = (), held: tuple[int, ...] = ()) -> str:
    """A space that can be pointed at, and who is there."""
    x, y = stand(drink, space)
    words = words_for(maze, drink, space)
    if seats:
        there = ", ".join(words_for_seat(seat, waits=seat in held) for seat in seats)
        words = GAME.said("{space}; here: {seats}").format(space=words, seats=there)
    return tag("circle", cx=x, cy=y, r=50, fill="none", pointer_events="all", data_spot=space, aria_label=words)


@cache_spoken
def empty_spots(maze: int, drink: int) -> tuple[str, ...]:
    return tuple(spot(maze, drink, space) for space in range(END + 1))


# What moves.


def motion(event: Event) -> list[Step]:
    match event:
        case events.ThrewToBegin(first=first, second=second) | events.Rolled(first=first, second=second):
            return [Dice((first, second))]
        case events.Moved(seat=seat):
            return [Walk(piece(seat), tuple(map(str, passed(event))))]
        case events.FirstThrow(seat=seat, to=to) | events.Led(seat=seat, to=to) | events.Swapped(other=seat, to=to):
            return [Fly(piece(seat), str(to))]
        case events.OnGoose(space=space) | events.OnHazard(space=space):
            return [Flash((str(space),))]
        case events.MissedTurn():
            return [Flash((str(HOTEL),))]
        case events.TookPool(seat=seat):
            return [Fly(POOL, f"seat-{seat}")]
        case events.Won():
            return [Flash((str(END),))]
    return []


def passed(moved: events.Moved) -> list[int]:
    """The spaces that a piece goes over, up to where it stops; by way of the end, if the throw was too high."""
    if moved.turned:
        return [*range(moved.start + 1, END + 1), *range(END - 1, moved.to - 1, -1)]
    step = 1 if moved.to > moved.start else -1
    return list(range(moved.start + step, moved.to + step, step))


PICTURE = Picture(
    size=board.SIZE,
    backdrop=backdrop,
    scene=scene,
    picks=picks,
    motion=motion,
    explain=explain,
    mark=mark,
    diagrams=DIAGRAMS,
)
