"""Verfuchst as a picture: a trail of tiles through a meadow, foxes as guardians, and below it what everyone has taken.

Spots are named like actions: ``start``, ``5``, ``goal`` for places, ``g5`` for the guardians on a tile; ``hand-0`` is
where a seat's tiles lie. A gap stays where it is, as a print in the sand, and is not a spot.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from parlour.engine import Event, State
from parlour.engine.diagram import Diagram
from parlour.engine.kit.places import Box, around
from parlour.engine.language import cache_spoken
from parlour.engine.picture import Dice, Flash, Fly, Mark, Picture, Step, Walk
from parlour.games.verfuchst import GAME, events, rules
from parlour.games.verfuchst.picture import backdrop as meadow
from parlour.games.verfuchst.picture import hands, layout
from parlour.games.verfuchst.picture.drawings import item, use
from parlour.games.verfuchst.picture.explain import explain
from parlour.games.verfuchst.picture.layout import PLACES
from parlour.games.verfuchst.seats import COLOURS, LETTERS
from parlour.games.verfuchst.state import PIECES, TILES
from parlour.games.verfuchst.state.names import named
from parlour.games.verfuchst.state.tiles import GOAL, START

SPOTS = ("start", *map(str, range(START + 1, GOAL)), "goal")
DIAGRAMS = (
    Diagram("After a 2: from 4 the way leads to 10, for gaps are no steps.", 3, seed=2, ply=20, pick="4"),
    Diagram("A guardian is moved in the same way as a piece.", 3, seed=2, ply=32, pick="g16"),
)


def backdrop(state: State) -> str:
    return meadow.draw(state.seats)


def scene(state: State) -> list[str]:
    crowds = standing(state)
    return [
        *("" if state.taken_by[tile] else ON_PATH[tile] for tile in range(START + 1, GOAL)),
        *guardians(state),
        *pieces(state, crowds),
        *hands.drawn(state),
        *place_spots(state, crowds),
    ]


def picks(state: State, action: int) -> tuple[str, ...]:
    """Whom to move, then where to, so that nobody has to count over the gaps before choosing."""
    if action < rules.GUARDIAN:
        return SPOTS[action], SPOTS[rules.destination(state, action)]
    tile = action - rules.GUARDIAN
    return f"g{tile}", SPOTS[rules.destination(state, tile)]


def motion(event: Event) -> list[Step]:
    match event:
        case events.Rolled(die=die):
            return [Dice((die,))]
        case events.Moved(piece=piece, way=way):
            return [Walk(f"verfuchst-piece-{piece}", tuple(SPOTS[tile] for tile in way))]
        case events.MovedGuardian(guardian=guardian, way=way):
            return [Walk(f"verfuchst-guardian-{guardian}", tuple(SPOTS[tile] for tile in way))]
        case events.Took(seat=seat, tile=tile):
            return [Fly(f"verfuchst-tile-{tile}", f"hand-{seat}")]
        case events.CameHome():
            return [Flash((SPOTS[GOAL],))]
        case events.Turned(seat=seat) | events.Won(seat=seat) | events.SharedWin(seat=seat):
            return [Flash((f"hand-{seat}",))]
    return []


def mark(seat: int, seats: int) -> Mark:
    """The letter of a seat's pieces, on their darker colour."""
    return Mark(LETTERS[seat], COLOURS[seat].dark, COLOURS[seat].ink)


# What lies and stands on the path.


ON_PATH = tuple(item(f"tile-{tile}", *PLACES[tile], use(f"large-{tile}")) for tile in range(TILES))


@lru_cache(1_000)
def guardian(number: int, tile: int, beside: int) -> str:
    return item(f"guardian-{number}", *layout.guardian_point(tile, beside), use("fox"))


def guardians(state: State) -> Iterator[str]:
    """They are numbered along the path, the hindmost first."""
    found = 0
    for tile in range(TILES):
        for beside in range(state.guardians_on[tile]):
            yield guardian(found, tile, beside)
            found += 1


def standing(state: State) -> dict[int, tuple[int, ...]]:
    """The tiles where pieces stand, and how many of each seat; the hindmost tile first."""
    found: dict[int, list[int]] = {}
    for piece in range(state.seats * PIECES):
        found.setdefault(state.pieces[piece], [0] * state.seats)[piece // PIECES] += 1
    return {tile: tuple(found[tile]) for tile in sorted(found)}


@lru_cache(10_000)
def piece(number: int, tile: int, x: float, y: float, look: str) -> str:
    place = PLACES[tile]
    return item(f"piece-{number}", place.x + x, place.y + y, use(f"{look}-{number // PIECES}"))


def pieces(state: State, crowds: dict[int, tuple[int, ...]]) -> Iterator[str]:
    for tile, counts in crowds.items():
        for seat, beside, x, y in layout.standing(counts, wide=layout.is_end(tile)):
            hindmost = state.pieces.index(tile, seat * PIECES)
            yield piece(hindmost + beside, tile, x, y, "pawn" if beside == counts[seat] - 1 else "figure")


# What can be picked.


def place_spots(state: State, crowds: dict[int, tuple[int, ...]]) -> Iterator[str]:
    """Places first, then the guardians, which lie on top of them."""
    empty = empty_spots()
    for tile in range(TILES):
        if state.guardians_on[tile] or tile in crowds:
            yield place_spot(tile, crowds.get(tile, ()), state.guardians_on[tile])
        elif not state.taken_by[tile]:
            yield empty[tile]
    for tile in range(START + 1, GOAL):
        if state.guardians_on[tile]:
            yield guardian_spot(tile, state.guardians_on[tile])


@cache_spoken
def empty_spots() -> tuple[str, ...]:
    return tuple(place_spot(tile, (), 0) for tile in range(TILES))


@cache_spoken
def place_spot(tile: int, counts: tuple[int, ...], guardians: int) -> str:
    width, height = layout.PAD if layout.is_end(tile) else layout.TILE
    x, y = PLACES[tile]
    box = around((x, y + 4), width + 8, height + 16)  # pieces stand out over the lower edge
    return box.spot(SPOTS[tile], f"{named(tile)}: {who_is_there(counts, guardians)}", rx=24)


def who_is_there(counts: tuple[int, ...], guardians: int) -> str:
    """So many pieces of each seat, and so many guardians, in words."""
    names = [(GAME.seat_name(seat), count) for seat, count in enumerate(counts) if count]
    found = [f"{name} {count}" if count > 1 else name for name, count in names]
    found += [how_many(guardians)] if guardians else []
    return ", ".join(found) or GAME.said("nobody")


@cache_spoken
def guardian_spot(tile: int, guardians: int) -> str:
    x, y = PLACES[tile]
    left = -4 if guardians == 1 else -12
    height = 64 + 15 * ((guardians - 1) // 2)
    words = GAME.said("{guardians} on {tile}").format(guardians=how_many(guardians), tile=named(tile))
    return Box(x + left + 8, y - 76, 64 - left, height).spot(f"g{tile}", words, rx=24)


def how_many(guardians: int) -> str:
    return GAME.said("a guardian" if guardians == 1 else "{count} guardians").format(count=guardians)


PICTURE = Picture(
    size=layout.SIZE,
    backdrop=backdrop,
    scene=scene,
    picks=picks,
    motion=motion,
    explain=explain,
    mark=mark,
    diagrams=DIAGRAMS,
)
