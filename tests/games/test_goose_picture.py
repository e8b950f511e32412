"""The Game of the Goose as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist
from typing import Any
from xml.etree import ElementTree

import pytest

from parlour.engine import Match, State
from parlour.engine.check import settings
from parlour.engine.picture import Dice, Flash, Fly, Step, Walk
from parlour.games.goose import GAME, events
from parlour.games.goose.picture import motion, spiral
from parlour.games.goose.rules import ROLL
from parlour.games.goose.state.spaces import END, HAZARDS, START

WAYS = [(way.seats, way.options) for way in settings(GAME)] + [(3, {"drink": 1, "stakes": 1, "maze": 30})]
SVG = "{http://www.w3.org/2000/svg}"


def position(*spaces: int, **options: int) -> State:
    state = GAME.blank(len(spaces), **options)
    state.position[: len(spaces)] = spaces
    return state


def whole(state: State) -> ElementTree.Element:
    return ElementTree.fromstring(GAME.looks.svg(state))


def scene(state: State) -> ElementTree.Element:
    """What changes, alone: the board would take long to parse again and again."""
    return ElementTree.fromstring(f"<svg>{GAME.looks.scene(state)}</svg>")


def spots(drawn: ElementTree.Element) -> dict[str, ElementTree.Element]:
    found = [element for element in drawn.iter() if "data-spot" in element.attrib]
    named = {element.attrib["data-spot"]: element for element in found}
    assert len(named) == len(found), "two spots of one name"
    return named


def ids(drawn: ElementTree.Element) -> list[str]:
    return [element.attrib["id"] for element in drawn.iter() if "id" in element.attrib]


def place(element: ElementTree.Element) -> tuple[float, float]:
    """Where an item is moved to, or the middle of a spot."""
    if "transform" in element.attrib:
        inside = element.attrib["transform"].removeprefix("translate(").removesuffix(")")
        x, y = inside.split()
        return float(x), float(y)
    return float(element.attrib["cx"]), float(element.attrib["cy"])


def piece(drawn: ElementTree.Element, seat: int) -> ElementTree.Element:
    (found,) = [element for element in drawn.iter() if element.attrib.get("id") == f"goose-piece-{seat}"]
    return found


def nearest_pair(places: list[tuple[float, float]]) -> float:
    return min(dist(one, other) for one, other in combinations(places, 2))


def positions(seats: int, options: dict[str, Any], *, seed: int = 5) -> Iterator[tuple[State, list[Any]]]:
    """Every position of a random match, with what happens next in it."""
    match = Match(GAME, seats, seed, **options)
    while not match.over:
        before = match.state
        yield before, match.play(match.legal()[0])
    yield match.state, []


def named(step: Step) -> tuple[list[str], list[str]]:
    """The items and the spots that a step names."""
    match step:
        case Walk(item=moved, spots=passed):
            return [moved], list(passed)
        case Fly(item=moved, to=to):
            return [moved], [to]
        case Flash(spots=shown):
            return [], list(shown)
    return [], []


@pytest.mark.parametrize(("seats", "options"), WAYS)
def test_the_picture_is_sound_all_through_a_match(seats: int, options: dict[str, int]) -> None:
    for state, _ in positions(seats, options):
        drawn = whole(state)
        assert not any("style" in element.attrib for element in drawn.iter())
        assert not {element.tag.removeprefix(SVG) for element in drawn.iter()} & {"style", "script", "image"}
        assert len(ids(drawn)) == len(set(ids(drawn)))
        assert all(name.startswith("goose-") for name in ids(drawn))
        assert set(spots(drawn)) == {str(space) for space in range(END + 1)}
        assert all(spot.attrib["aria-label"] for spot in spots(drawn).values())


def test_to_roll_is_a_button() -> None:
    assert GAME.looks.picks(position(0, 0), ROLL) == ()


@pytest.mark.parametrize(("seats", "options"), WAYS)
def test_everyone_stands_where_the_state_says(seats: int, options: dict[str, int]) -> None:
    for state, _ in positions(seats, options):
        drawn = scene(state)
        found = spots(drawn)
        for seat in range(seats):
            here = place(piece(drawn, seat))
            if state.position[seat] != START:
                nearest = min(found, key=lambda name: dist(place(found[name]), here))
                assert nearest == str(state.position[seat])
            told = {name for name, spot in found.items() if GAME.seat_name(seat) in spot.attrib["aria-label"]}
            assert told == {str(state.position[seat])}
        assert f"goose-piece-{seats}" not in ids(drawn)


def test_pieces_on_the_start_stand_apart_on_it() -> None:
    drawn = scene(position(0, 0, 0, 0))
    places = [place(piece(drawn, seat)) for seat in range(4)]
    assert nearest_pair(places) > 90
    path = spiral.line(*spiral.extent(START))
    assert all(min(dist(here, point) for point in path) < spiral.WIDTH / 2 for here in places)


@pytest.mark.parametrize("space", [31, 52])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_pieces_on_one_space_stand_apart(space: int, count: int) -> None:
    drawn = scene(position(*[space] * count))
    assert nearest_pair([place(piece(drawn, seat)) for seat in range(count)]) > 40


@pytest.mark.parametrize(("seats", "options"), WAYS)
def test_what_moves_is_in_the_picture_before(seats: int, options: dict[str, int]) -> None:
    beside = {f"seat-{seat}" for seat in range(seats)}
    for state, happened in positions(seats, options):
        drawn = scene(state)
        for event in happened:
            for step in GAME.looks.motion(event):
                moved, to = named(step)
                assert set(moved) <= set(ids(drawn))
                assert set(to) <= {*spots(drawn), *beside}


@pytest.mark.parametrize("seed", range(8))
def test_motion_ends_where_the_next_position_is(seed: int) -> None:
    for (before, happened), (after, _) in pairwise(positions(4, {}, seed=seed)):
        at = {f"goose-piece-{seat}": before.position[seat] for seat in range(4)}
        for event in happened:
            for step in GAME.looks.motion(event):
                match step:
                    case Walk(item=moved, spots=passed):
                        way = [at[moved], *map(int, passed)]
                        assert all(abs(one - other) == 1 for one, other in pairwise(way))
                        at[moved] = way[-1]
                    case Fly(item=moved, to=to):
                        at[moved] = int(to)
        assert list(at.values()) == after.position


@pytest.mark.parametrize(
    ("moved", "passed"),
    [
        (events.Moved(0, 1, 4), (2, 3, 4)),
        (events.Moved(0, 0, 2), (1, 2)),
        (events.Moved(0, 59, 55), (58, 57, 56, 55)),
        (events.Moved(0, 59, 55, turned=True), (60, 61, 62, 63, 62, 61, 60, 59, 58, 57, 56, 55)),
        (events.Moved(0, 60, 60, turned=True), (61, 62, 63, 62, 61, 60)),
        (events.Moved(0, 61, 63), (62, 63)),
    ],
)
def test_a_piece_walks_over_every_space(moved: events.Moved, passed: tuple[int, ...]) -> None:
    assert motion(moved) == [Walk("goose-piece-0", tuple(map(str, passed)))]


def test_what_happens_is_shown() -> None:
    assert motion(events.Rolled(0, 3, 4)) == [Dice((3, 4))]
    assert motion(events.OnGoose(1, 9)) == [Flash(("9",))]
    assert motion(events.Led(1, 58, 0)) == [Fly("goose-piece-1", "0")]
    assert motion(events.FirstThrow(1, 53)) == [Fly("goose-piece-1", "53")]
    assert motion(events.Swapped(0, 2, 40, 33)) == [Fly("goose-piece-2", "33")]
    assert motion(events.ThrewToBegin(1, 6, 2)) == [Dice((6, 2))]
    assert motion(events.TookPool(3, 8)) == [Fly("goose-pool", "seat-3")]
    assert motion(events.Begins(0)) == []


def texts(state: State) -> list[str]:
    return [element.text or "" for element in whole(state).iter(f"{SVG}text")]


def test_all_numbers_and_names_can_be_read() -> None:
    state = position(0, 0, drink=1)
    written = texts(state)
    assert [written.count(str(space)) for space in range(1, END + 1)] == [1] * END
    assert {hazard.name for hazard in HAZARDS.values()} | {"START"} <= set(written)
    assert "Drink" not in texts(position(0, 0))
    sizes = [float(element.attrib["font-size"]) for element in whole(state).iter(f"{SVG}text")]
    assert min(sizes) >= 0.032 * GAME.looks.backdrop(state)[0][0]


def test_a_spot_says_what_is_there() -> None:
    state = position(31, 19, 26, 31, drink=1, maze=30)
    state.trapped_since[0] = 4
    state.resting[1] = 1
    said = {name: spot.attrib["aria-label"] for name, spot in spots(scene(state)).items()}
    assert said["0"] == "Start"
    assert said["1"] == "1"
    assert said["5"] == "5: a goose, on by the same throw"
    assert said["6"] == "6, Bridge: on to 12"
    assert said["19"] == "19, Hotel: miss one turn; here: Blue waits"
    assert said["26"] == "26; here: Green"
    assert said["31"] == "31, Well: wait until someone comes; here: Red waits, Yellow"
    assert said["42"] == "42, Maze: back to 30"
    assert said["61"] == "61, Drink: finish your drink"
    assert said["63"] == "63: the end"
    assert spots(scene(position(0, 0)))["61"].attrib["aria-label"] == "61"


@pytest.mark.parametrize(("space", "plight"), [(19, "asleep"), (31, "down-the-well"), (52, "behind-bars")])
def test_a_piece_that_waits_looks_otherwise(space: int, plight: str) -> None:
    free, waiting = position(space, 0), position(space, 0)
    waiting.resting[0], waiting.trapped_since[0] = (1, 0) if space == 19 else (0, 3)
    drawn = [ElementTree.tostring(piece(scene(state), 0), "unicode") for state in (free, waiting)]
    assert [f'href="#goose-{plight}"' in each for each in drawn] == [False, True]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_marks_look_like_the_geese(seats: int) -> None:
    marks = GAME.looks.marks(seats)
    assert [mark.letter for mark in marks] == ["R", "B", "G", "Y"][:seats]
    drawn = whole(position(*[0] * seats))
    for seat, mark in enumerate(marks):
        (feathers,) = [element for element in drawn.iter() if element.attrib.get("id") == f"goose-seat-{seat}"]
        assert mark.colour in [stop.attrib["stop-color"] for stop in feathers]
        (letter,) = piece(drawn, seat).iter(f"{SVG}text")
        assert (mark.letter, mark.ink) == (letter.text, letter.attrib["fill"])


def test_stakes_are_shown_where_there_are_any() -> None:
    state = position(3, 4, 7, stakes=1)
    state.balance[:3] = [-2, 0, 5]
    state.pool = 12
    said = {element.attrib["aria-label"] for element in whole(state).iter(f"{SVG}g") if "aria-label" in element.attrib}
    assert said == {"The pool: 12", "Red: balance −2", "Blue: balance 0", "Green: balance +5"}
    assert {"−2", "+5"} <= set(texts(state))
    assert "goose-pool" not in ids(scene(position(3, 4, 7)))


def test_the_backdrop_knows_only_seats_and_options() -> None:
    for seats, options in WAYS:
        assert len({GAME.looks.backdrop(state) for state, _ in positions(seats, options)}) == 1


def test_spaces_of_the_path_lie_side_by_side() -> None:
    """The spiral does not run into itself: no two spaces are nearer than the path is wide, or a space long."""
    centres = [spiral.centre(space) for space in range(START, END)]
    for space, here in enumerate(centres):
        assert all(dist(here, other) > 85 for other in centres[:space])
    width, height = GAME.looks.backdrop(position(0, 0))[0]
    for space in range(START, END):
        assert all(5 < x < width - 5 and 5 < y < height - 5 for x, y in spiral.outline(space, 0))
