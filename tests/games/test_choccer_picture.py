"""Choccer's picture: it shows the position, everything can be picked on it, and what happens moves in it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from choccer_positions import play, put
from parlour.engine import Event, State
from parlour.engine.match import Match
from parlour.engine.picture import Fly, Step, Walk
from parlour.games.choccer import GAME
from parlour.games.choccer.picture.layout import CELL, LEFT, TOP
from parlour.games.choccer.rules import PASS_TURN
from parlour.games.choccer.state import BLUE, COLUMNS, GEM_NAMES, GEM_POINTS, KIND_NAMES, RED, square_name
from parlour.games.choccer.state.winnings import captured, scored_gems

SEEDS = (2, 3, 5)  # between them, all that can happen happens
SEATS = ("Black", "White")


def turns(seed: int) -> Iterator[tuple[State, list[int], list[Event]]]:
    """A random match: each position, its legal actions, and what then happened; at last the end, with neither."""
    match, chooser = Match(GAME, seed=seed), random.Random(seed)
    while not match.over:
        before, legal = match.state.copy(), match.legal()
        yield before, legal, match.play(chooser.choice(legal))
    yield match.state, [], []


def end(seed: int) -> State:
    return list(turns(seed))[-1][0]


def picture(state: State) -> ElementTree.Element:
    return ElementTree.fromstring(GAME.looks.svg(state))


def positions() -> list[State]:
    return [state for seed in SEEDS for state, _, _ in turns(seed)]


def by_id(state: State) -> dict[str, ElementTree.Element]:
    ids = [element for element in picture(state).iter() if "id" in element.attrib]
    found = {element.attrib["id"]: element for element in ids}
    assert len(found) == len(ids), "every id is there once"
    return found


def spots(state: State) -> dict[str, str]:
    """The label of each spot."""
    found = [element for element in picture(state).iter() if "data-spot" in element.attrib]
    labels = {element.attrib["data-spot"]: element.attrib["aria-label"] for element in found}
    assert len(labels) == len(found) == 77
    return labels


def square_at(element: ElementTree.Element) -> str:
    """The square that an item is drawn on."""
    x, y = map(float, element.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
    return square_name(int((y - TOP) // CELL) * COLUMNS + int((x - LEFT) // CELL))


def stamped(element: ElementTree.Element) -> list[str]:
    """What is drawn inside an element, without the word that all names begin with."""
    return [use.attrib["href"].removeprefix("#choccer-") for use in element.iter() if "href" in use.attrib]


def test_the_picture_needs_neither_style_nor_script() -> None:
    for element in picture(end(5)).iter():
        assert element.tag.rpartition("}")[2] not in ("style", "script", "image")
        assert "style" not in element.attrib
        assert not any(name.startswith("on") for name in element.attrib)


def test_everything_stamped_or_filled_is_defined_once() -> None:
    for state in map(end, SEEDS):
        defined = by_id(state)
        for element in picture(state).iter():
            for value in element.attrib.values():
                if value.startswith(("#choccer-", "url(#")):
                    assert value.removeprefix("url(").strip("#)") in defined


def test_pieces_and_gems_are_drawn_where_they_are() -> None:
    for state in positions():
        expected = {}
        for square, (piece, gem) in enumerate(zip(state.board, state.gem, strict=True)):
            name = square_name(square)
            if piece:
                expected[f"choccer-piece-{name}"] = (name, f"{SEATS[piece < 0].lower()}-{KIND_NAMES[abs(piece)]}")
            if gem:
                expected[f"choccer-gem-{name}"] = (name, GEM_NAMES[gem].replace(" ", "-"))
        items = {
            name: element
            for name, element in by_id(state).items()
            if name.startswith(("choccer-piece-", "choccer-gem-"))
        }
        assert {name: (square_at(item), *stamped(item)) for name, item in items.items()} == expected


def full_trays() -> State:
    """Black has all gems and all pieces but one, White all pieces but one."""
    state = put("A0=t H6=T")
    state.points = [14 + 2 * GEM_POINTS[BLUE] + GEM_POINTS[RED], 14]
    return state


def test_the_trays_show_what_both_have_won() -> None:
    for state in [*positions(), full_trays()]:
        trays = [element for element in picture(state).iter() if "has won:" in element.attrib.get("aria-label", "")]
        assert len(trays) == 2
        for tray in trays:
            seat = SEATS.index(tray.attrib["aria-label"].partition(" ")[0])
            won = [f"{SEATS[1 - seat].lower()}-{KIND_NAMES[kind]}" for kind in captured(state, seat)]
            won += [GEM_NAMES[gem].replace(" ", "-") for gem in scored_gems(state, seat)]
            assert Counter(stamped(tray)) == Counter(won)
            places = [use.attrib["transform"] for use in tray]
            assert len(set(places)) == len(places), "nothing lies on anything else"


def test_the_scoreboard_tells_points_and_turn() -> None:
    state = put("C3=Ob A0=t", turns=41)
    play(state, "C3-B3")
    texts = [element.text for element in picture(state).iter() if element.tag.endswith("text")]
    assert "turn 43 of 100" in texts
    assert texts[texts.index("Black") + 1] == "4"
    assert texts[texts.index("White") + 1] == "0"
    assert "full time" in [element.text for element in picture(end(5)).iter()]


@pytest.mark.parametrize(
    ("pieces", "spot", "words"),
    [
        ("D3=O", "D3", "D3: Black's circle"),
        ("D3=cb", "D3", "D3: White's clover with the blue gem"),
        ("D3=O F6=r", "F6", "F6: red gem"),
        ("D3=O", "E5", "E5: empty"),
        ("D3=O K2=s", "K2", "K2 in Black's zone: White's star"),
        ("D3=O", "A4", "A4 in White's zone: empty"),
    ],
)
def test_a_spot_says_what_is_there(pieces: str, spot: str, words: str) -> None:
    assert spots(put(pieces))[spot] == words


def test_the_marks_look_like_the_pieces() -> None:
    marks = GAME.looks.marks(2)
    assert [mark.letter for mark in marks] == ["B", "W"]
    for mark, side in zip(marks, ("black", "white"), strict=True):
        drawn = by_id(end(5))
        assert mark.colour in [stop.attrib["stop-color"] for stop in drawn[f"choccer-{side}-face"]]
        assert mark.ink in [path.attrib["fill"] for path in drawn[f"choccer-{side}-star"]]


def test_every_action_is_picked_by_spots_of_its_own() -> None:
    for seed in SEEDS:
        for state, legal, _ in turns(seed):
            there = set(spots(state))
            picked = [GAME.looks.picks(state, action) for action in legal]
            assert len(set(picked)) == len(picked)
            for action, picks in zip(legal, picked, strict=True):
                assert len(picks) == (0 if action == PASS_TURN else 2)
                assert there.issuperset(picks)


def test_the_turn_is_passed_with_a_button() -> None:
    assert GAME.looks.picks(put("A0=T B1=T"), PASS_TURN) == ()


def test_what_moves_is_in_the_picture_before_the_turn() -> None:
    kinds: Counter[str] = Counter()
    for seed in SEEDS:
        for state, _, journal in turns(seed):
            there = by_id(state).keys() | spots(state).keys() | {"seat-0", "seat-1"}
            for event in journal:
                for step in GAME.looks.motion(event):
                    kinds[f"{type(event).__name__} {type(step).__name__}"] += 1
                    assert there.issuperset(names(step)), (event, step)
    assert kinds.keys() >= {
        "Moved Walk",
        "Carried Walk",
        "Captured Fly",
        "PassedGem Fly",
        "PickedUp Flash",
        "Scored Fly",
    }


def names(step: Step) -> list[str]:
    """The items and spots that a step names."""
    match step:
        case Walk(item, passed):
            return [item, *passed]
        case Fly(item, to):
            return [item, to]
    return list(getattr(step, "spots", ()))


def moves(pieces: str, text: str) -> list[Step]:
    """What moves when Black plays that, flashes aside."""
    steps = [step for event in play(put(pieces), text) for step in GAME.looks.motion(event)]
    return [step for step in steps if isinstance(step, Walk | Fly)]


def test_a_star_walks_over_every_square() -> None:
    assert moves("D5=S", "D5-G2") == [Walk("choccer-piece-D5", ("E4", "F3", "G2"))]


def test_a_clover_walks_to_the_left() -> None:
    assert moves("D5=C", "D5-B5") == [Walk("choccer-piece-D5", ("C5", "B5"))]


def test_a_gem_is_carried_along() -> None:
    assert moves("D5=Tr", "D5-E6") == [Walk("choccer-piece-D5", ("E6",)), Walk("choccer-gem-D5", ("E6",))]


def test_a_captured_piece_flies_to_its_captor() -> None:
    assert moves("D5=C F5=sb", "D5-F5") == [Walk("choccer-piece-D5", ("E5", "F5")), Fly("choccer-piece-F5", "seat-0")]


def test_a_passed_gem_flies() -> None:
    assert moves("D5=Tr F4=S", "D5>F4") == [Fly("choccer-gem-D5", "F4")]


@pytest.mark.parametrize(
    ("pieces", "text", "gem"),
    [
        ("C3=Ob A0=t", "C3-B3", "C3"),  # carried there
        ("C3=Ob B2=T A0=t", "C3>B2", "C3"),  # passed there
        ("C3=O B3=b A0=t", "C3-B3", "B3"),  # picked up there
        ("C3=O B3=tb A0=t", "C3-B3", "B3"),  # won there
    ],
)
def test_a_scored_gem_flies_to_its_seat_from_where_it_was(pieces: str, text: str, gem: str) -> None:
    assert moves(pieces, text)[-1] == Fly(f"choccer-gem-{gem}", "seat-0")
