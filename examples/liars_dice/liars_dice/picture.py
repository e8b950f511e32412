"""Liar's Dice as a picture: what lies under the cups, the last bid, and what to bid: how many, and of which face."""

from functools import cache

from liars_dice import FACES, GAME, LIAR
from parlour.engine import UNKNOWN, State
from parlour.engine.kit.dice import die
from parlour.engine.kit.places import Box
from parlour.engine.kit.shapes import box, circle, path, placed, text
from parlour.engine.picture import Mark, Picture

WIDTH, HEIGHT, ACROSS = 700, 720, 10
COLOURS = "#c8513f", "#3d74b8", "#3f8f57", "#b98a1f", "#8457a8", "#3c8f95"
INK, CREAM, FELT = "#2b1a0e", "#f7ecd3", "#2f5d46"
ROWS, COUNTS = Box(20, 20, WIDTH - 40, 336), Box(20, 458, WIDTH - 40, 150)
BID, LAST = Box(20, 372, WIDTH - 40, 74), Box(20, 620, WIDTH - 40, 80)
DOUBT = Box(LAST.x + 510, LAST.y, 150, LAST.height)


def cup(x: float, y: float, scale: float) -> str:
    """Upside down, with a die below."""
    body = path("M-19 26 L-25 -24 Q0 -32 25 -24 L19 26 Z", "#6b4426", stroke="#3d2614", stroke_width=2)
    return placed(x, y, body, path("M-23 -12 L23 -12", stroke="#d9b45b", stroke_width=4), scale=scale)


@cache
def row(seat: int, seats: int, faces: tuple[int, ...], hidden: int, lost: int) -> str:
    """What a seat has: dice that can be seen, and cups."""
    high = min(ROWS.height / seats, 84.0)
    y, scale = ROWS.y + (ROWS.height - high * seats) / 2 + high * (seat + 0.5), high / 84
    parts = [
        circle(ROWS.x + 44, y, 27 * scale, COLOURS[seat]),
        text(mark(seat, seats).letter, ROWS.x + 44, y, 30 * scale, CREAM),
    ]
    for place in range(hidden):
        parts.append(cup(ROWS.x + 140 + 96 * place, y, scale))
    for place, face in enumerate(faces):
        parts.append(placed(ROWS.x + 140 + 96 * place, y, die(face), scale=scale))
    for place in range(hidden + len(faces), hidden + len(faces) + lost):
        parts.append(circle(ROWS.x + 140 + 96 * place, y, 7, "#24493a"))
    return "".join(parts)


@cache
def bid_row(bid: int) -> str:
    """The last bid, which the next has to top."""
    x, y = BID.middle
    if not bid:
        return text(GAME.said("no bid yet"), x, y, 30, CREAM)
    parts = [text(f"{(bid - 1) // FACES + 1} ×", x - 46, y, 46, CREAM), placed(x + 42, y, die((bid - 1) % FACES + 1))]
    return "".join(parts)


@cache
def count_spot(count: int, is_there: bool) -> str:
    place = Box(*COUNTS[:3], 46).row(ACROSS, 6)[(count - 1) % ACROSS]
    place = place._replace(y=COUNTS.y + (count - 1) // ACROSS * 52)
    drawn = text(count, *place.middle, 26, INK) if is_there else ""
    return (
        place.drawn(rx=9, fill=CREAM if is_there else "#ffffff11") + drawn + place.spot(f"n{count}", f"{count}", rx=9)
    )


@cache
def face_spot(face: int) -> str:
    place = Box(LAST.x, LAST.y, 496, LAST.height).row(FACES, 6)[face - 1]
    return placed(*place.middle, die(face)) + place.spot(f"f{face}", GAME.said("face {face}").format(face=face), rx=9)


@cache
def doubt() -> str:
    word = GAME.said("liar!")
    return DOUBT.drawn(rx=16, fill="#a02f22") + text(word, *DOUBT.middle, 34, CREAM) + DOUBT.spot("liar", word, rx=16)


def backdrop(state: State) -> str:
    return box(0, 0, WIDTH, HEIGHT, FELT, rx=34) + BID.drawn(rx=16, fill="#24493a")


def scene(state: State) -> list[str]:
    drawn = []
    for seat in range(state.seats):
        shown = state.showing[FACES * seat : FACES * (seat + 1)]
        is_hidden, left = shown[0] == UNKNOWN, int(state.left[seat])
        faces = () if is_hidden or not left else tuple(face + 1 for face in range(FACES) for _ in range(shown[face]))
        drawn.append(row(seat, state.seats, faces, left if is_hidden else 0, state.dice - left))
    counts = [count_spot(count, count <= state.on_table) for count in range(1, state.seats * state.dice + 1)]
    return [*drawn, bid_row(int(state.bid)), *counts, *map(face_spot, range(1, FACES + 1)), doubt()]


def picks(state: State, action: int) -> tuple[str, ...]:
    return ("liar",) if action == LIAR else (f"n{action // FACES + 1}", f"f{action % FACES + 1}")


def mark(seat: int, seats: int) -> Mark:
    return Mark("ABCDEF"[seat], COLOURS[seat], "#ffffff")


PICTURE = Picture(size=(WIDTH, HEIGHT), backdrop=backdrop, scene=scene, picks=picks, mark=mark)
