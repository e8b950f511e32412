"""The picture of Verfuchst shows the position, can be picked from, and moves as the journal tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from parlour.engine import Match, State
from parlour.engine.check import play_random
from parlour.engine.picture import Dice, Flash, Fly, Walk
from parlour.games.verfuchst import GAME, events
from parlour.games.verfuchst.picture import SPOTS, layout
from parlour.games.verfuchst.state import PIECES, TILES
from parlour.games.verfuchst.state.tiles import GOAL, START
from verfuchst_positions import play, position

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


def positions(seats: int, seed: int = 5) -> Iterator[State]:
    """Every position of a random match, the end included."""
    match = Match(GAME, seats, seed)
    yield match.state
    while not match.over:
        play_random(match, 1)
        yield match.state


def drawn(state: State) -> ElementTree.Element:
    return ElementTree.fromstring(GAME.looks.svg(state))


def spots(state: State) -> dict[str, str]:
    """Each spot of the picture with its label."""
    found = [element for element in drawn(state).iter() if "data-spot" in element.attrib]
    labels = {element.attrib["data-spot"]: element.attrib["aria-label"] for element in found}
    assert len(labels) == len(found), "every spot is there once"
    return labels


def items(state: State) -> dict[str, tuple[float, float, str]]:
    """Each item of the scene: where it is, and what is drawn there."""
    pattern = r'<g id="verfuchst-([\w-]+)" transform="translate\(([-\d.]+) ([-\d.]+)\)"><use href="#verfuchst-([\w-]+)"'
    return {name: (float(x), float(y), look) for name, x, y, look in re.findall(pattern, GAME.looks.scene(state))}


def nearest(x: float, y: float) -> int:
    """The place of the path that is nearest to a point: a third of one across counts as much as one down."""
    ends = {START: 0.4, GOAL: 0.4}
    return min(
        range(TILES),
        key=lambda tile: abs(layout.PLACES[tile].x - x) * ends.get(tile, 1) + abs(layout.PLACES[tile].y - y),
    )


@SEATS
def test_the_picture_is_sound_in_every_position(seats: int) -> None:
    for state in positions(seats):
        elements = list(drawn(state).iter())
        ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        used = {element.attrib["href"].removeprefix("#") for element in elements if "href" in element.attrib}
        assert used <= set(ids)
        assert not any("style" in element.attrib for element in elements)
        assert not {element.tag.rpartition("}")[2] for element in elements} & {"style", "script", "image"}
        assert all(spots(state).values())


@SEATS
def test_the_backdrop_never_changes(seats: int) -> None:
    assert len({GAME.looks.backdrop(state) for state in positions(seats)}) == 1


@SEATS
def test_every_action_can_be_picked_and_no_two_are_picked_alike(seats: int) -> None:
    for state in positions(seats):
        ways = [GAME.looks.picks(state, action) for action in GAME.legal_actions(state)]
        assert len(set(ways)) == len(ways)
        assert {spot for way in ways for spot in way} <= set(spots(state))
        assert all(len(way) == 2 for way in ways)


def test_picks_say_whom_to_move_and_where_to() -> None:
    state = position("start=RB 14=Rg 31=R", die=2, taken={"B": [15]})
    found = {GAME.words.write(state, action): GAME.looks.picks(state, action) for action in GAME.legal_actions(state)}
    assert found == {"start": ("start", "2"), "14": ("14", "17"), "31": ("31", "goal"), "g14": ("g14", "17")}


@SEATS
def test_what_is_drawn_is_the_position(seats: int) -> None:
    for state in positions(seats):
        found = items(state)
        pieces = [nearest(*found.pop(f"piece-{piece}")[:2]) for piece in range(seats * PIECES)]
        assert pieces == state.pieces[: seats * PIECES]
        guardians = [nearest(x, y + 34) for x, y, _ in (found.pop(f"guardian-{number}") for number in range(8))]
        assert [guardians.count(tile) for tile in range(TILES)] == state.guardians_on
        if not state.over:
            assert found.pop("die")[2] == f"die-{state.die}"
        assert [owner(found.pop(f"tile-{tile}"), tile, seats) for tile in range(1, GOAL)] == state.taken_by[1:GOAL]
        assert not found


def owner(item: tuple[float, float, str], tile: int, seats: int) -> int:
    """Who has the tile, as the state tells it: 0 where it lies at its place on the path."""
    x, y, look = item
    if look == f"large-{tile}":
        assert (x, y) == layout.PLACES[tile]
        return 0
    boxes = [layout.hand_box(seat, seats) for seat in range(seats)]
    holders = [
        seat
        for seat, box in enumerate(boxes)
        if box.x < x < box.x + box.width and box.y + layout.HAND_HEAD < y < box.y + box.height
    ]
    assert len(holders) == 1
    return holders[0] + 1


@SEATS
def test_pieces_look_like_their_seat_and_the_foremost_have_letters(seats: int) -> None:
    found = items(next(positions(seats)))
    looks = [look for seat in range(seats) for look in (f"figure-{seat}", f"figure-{seat}", f"pawn-{seat}")]
    assert [found[f"piece-{piece}"][2] for piece in range(seats * PIECES)] == looks


@SEATS
def test_all_that_moves_is_in_the_picture_before(seats: int) -> None:
    match = Match(GAME, seats, 11)
    kinds = set()
    while not match.over:
        before = match.state
        play_random(match, 1)
        known, ids = set(spots(before)), {f"verfuchst-{name}" for name in items(before)}
        for event in match.plies[-1].events:
            for step in GAME.looks.motion(event):
                kinds.add(type(step))
                if isinstance(step, Walk | Fly):
                    assert step.item in ids
                if isinstance(step, Walk | Flash):
                    assert set(step.spots) <= known
                if isinstance(step, Fly):
                    assert step.to in known
    assert kinds == {Dice, Walk, Fly, Flash}


@SEATS
def test_whoever_walks_stands_where_it_came_from_and_arrives_where_it_goes(seats: int) -> None:
    """Seen from the picture alone: a Walk of piece or guardian begins at the move's start and ends at its goal."""
    match = Match(GAME, seats, 12)
    while not match.over:
        before = match.state
        play_random(match, 1)
        moved = match.plies[-1].events[0]
        assert isinstance(moved, events.Moved | events.MovedGuardian)
        (walk,) = GAME.looks.motion(moved)
        assert isinstance(walk, Walk)
        x, y, _ = items(before)[walk.item.removeprefix("verfuchst-")]
        assert nearest(x, y + (34 if isinstance(moved, events.MovedGuardian) else 0)) == moved.start
        assert walk.spots[-1] == SPOTS[moved.to]
        assert len(walk.spots) == before.die or moved.to == GOAL


def test_a_walk_goes_over_every_tile_but_no_gap() -> None:
    state = position("start=RB 8=RR", die=4, taken={"B": [10, 11]})
    moved, *_ = play(state, "8")
    assert GAME.looks.motion(moved) == [Walk("verfuchst-piece-2", ("9", "12", "13", "14"))]


def test_a_taken_tile_flies_to_the_hand() -> None:
    state = position("start=R 5=B", to_move="B")
    flights = [step for event in play(state, "5") for step in GAME.looks.motion(event) if isinstance(step, Fly)]
    assert flights == [Fly("verfuchst-tile-5", "hand-1")]
    assert items(state)["tile-5"][2] == "small-5"


def test_lucky_tiles_turn_the_most_negative_ones() -> None:
    state = position("start=RB", taken={"R": [9, 8, 32, 15, 1]})
    looks = {name: look for name, (_, _, look) in items(state).items() if name.startswith("tile-")}
    assert [looks[f"tile-{tile}"] for tile in (9, 32, 15, 8)] == ["small-9", "turned-32", "small-15", "small-8"]
    assert spots(state)["hand-0"] == "Red: +9 with lucky, −10 turned into +10, +8, −1, −8"
    assert spots(state)["hand-1"] == "Blue: 0 with no tiles"


def test_labels_tell_what_is_there() -> None:
    labels = spots(position("start=RB 5=RRBgg 9=g", die=3, taken={"B": [7]}))
    assert labels["start"] == "the start: Red, Blue"
    assert labels["5"] == "tile 5 (−5): Red 2, Blue, 2 guardians"
    assert labels["g5"] == "2 guardians on tile 5 (−5)"
    assert labels["g9"] == "a guardian on tile 9 (lucky)"
    assert labels["6"] == "tile 6 (−6): nobody"
    assert "7" not in labels, "a gap cannot be picked"
    assert "g6" not in labels


@SEATS
def test_marks_look_like_the_pieces(seats: int) -> None:
    marks = GAME.looks.marks(seats)
    assert [mark.letter for mark in marks] == ["R", "B", "G", "Y"][:seats]
    named = {
        element.attrib["id"]: element for element in drawn(next(positions(seats))).iter() if "id" in element.attrib
    }
    for seat, mark in enumerate(marks):
        assert mark.colour in [stop.attrib["stop-color"] for stop in named[f"verfuchst-seat-{seat}"]]
        _, letter = named[f"verfuchst-pawn-{seat}"]
        assert (mark.letter, mark.ink) == (letter.text, letter.attrib["fill"])


def test_the_die_is_told() -> None:
    assert 'aria-label="Blue has rolled 6"' in GAME.looks.scene(position("start=RB", die=6, to_move="B"))


def test_the_winners_are_crowned() -> None:
    state = position("32=R", taken={"B": [16], "G": [16 + 1, 22]}, seats=3)
    assert "verfuchst-crown" not in GAME.looks.scene(state)
    play(state, "32", rolls=[])
    assert GAME.looks.scene(state).count('"#verfuchst-crown"') == 2
    assert "verfuchst-die" not in GAME.looks.scene(state)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_fullest_hand_and_the_most_crowded_tile_stay_inside(seats: int) -> None:
    width, height = layout.SIZE
    full = position("start=R 1=B", taken={"R": list(range(2, 33))}, seats=seats)
    crowded = position("16=RRRBBBGGGYYYgggggggg", seats=seats)
    for state in (full, crowded):
        assert all(25 <= x <= width - 25 and 25 <= y <= height - 25 for x, y, _ in items(state).values())
    box = layout.hand_box(0, seats)
    laid = [(x, y) for name, (x, y, look) in items(full).items() if look.startswith(("small", "turned"))]
    assert len(set(laid)) == 31
    assert all(box.x + 31 <= x <= box.x + box.width - 31 and y <= box.y + box.height - 22 for x, y in laid)
