"""The picture of Connect Four shows the position, can be picked from, and moves as the journal tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from connect_four import COLUMNS, GAME, ROWS
from connect_four.picture import LIGHT

from parlour.engine import Match, State
from parlour.engine.check import play_random
from parlour.engine.picture import Walk

SEEDS = pytest.mark.parametrize("seed", range(4))


def positions(seed: int) -> Iterator[State]:
    match = Match(GAME, 2, seed)
    yield match.state
    while not match.over:
        play_random(match, 1)
        yield match.state


def spots(state: State) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(GAME.looks.svg(state))
    found = [element for element in root.iter() if "data-spot" in element.attrib]
    assert len({element.attrib["data-spot"] for element in found}) == len(found)
    return {element.attrib["data-spot"]: element for element in found}


def discs(state: State) -> dict[str, tuple[int, int, int]]:
    """Each disc's name, column, row and seat, as they are drawn."""
    pattern = r'<g id="connect_four-([\w-]+)" transform="translate\((\d+) (\d+)\)">(.*?)</g>'
    return {
        name: ((int(x) - 80) // 100, (700 - int(y)) // 100, next(seat for seat in (0, 1) if LIGHT[seat] in body))
        for name, x, y, body in re.findall(pattern, GAME.looks.scene(state))
    }


@SEEDS
def test_the_picture_is_sound_in_every_position(seed: int) -> None:
    for state in positions(seed):
        elements = list(ElementTree.fromstring(GAME.looks.svg(state)).iter())
        ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        assert not any("style" in element.attrib for element in elements)
        assert not {element.tag.rpartition("}")[2] for element in elements} & {"style", "script", "image"}
        assert all(element.attrib["aria-label"] for element in spots(state).values())


@SEEDS
def test_every_disc_is_drawn_where_it_lies(seed: int) -> None:
    for state in positions(seed):
        drawn = discs(state)
        waiting = drawn.pop("next", None)
        assert waiting == (None if state.over else (COLUMNS // 2, ROWS, state.to_move))
        expected = {
            (column, row, seat)
            for seat in (0, 1)
            for column in range(COLUMNS)
            for row in range(ROWS)
            if state.discs[seat] >> 7 * column + row & 1
        }
        assert set(drawn.values()) == expected
        assert len(drawn) == len(expected)


@SEEDS
def test_every_column_is_picked_by_itself(seed: int) -> None:
    for state in positions(seed):
        picks = [GAME.looks.picks(state, action) for action in GAME.legal_actions(state)]
        assert len(set(picks)) == len(picks)
        assert {spot for way in picks for spot in way} <= spots(state).keys()


@SEEDS
def test_a_disc_falls_from_above_to_where_it_will_lie(seed: int) -> None:
    match = Match(GAME, 2, seed)
    while not match.over:
        before = match.state
        play_random(match, 1)
        steps = [step for event in match.plies[-1].events for step in GAME.looks.motion(event)]
        column = match.plies[-1].action
        assert steps == [Walk("connect_four-next", (f"above-{column + 1}", f"landing-{column + 1}"))]
        assert "next" in discs(before)
        above, landing = (spots(before)[spot].attrib for spot in (f"above-{column + 1}", f"landing-{column + 1}"))
        assert above["x"] == landing["x"] == str(30 + 100 * column)
        assert (int(above["y"]), int(landing["y"])) == (50, 650 - 100 * before.height[column])


def test_labels_tell_what_lies_in_a_column() -> None:
    match = Match(GAME, 2, 0)
    for column in "333":
        match.play(column)
    found = spots(match.state)
    assert found["3"].attrib["aria-label"] == "column 3: Red, Yellow, Red"
    assert found["4"].attrib["aria-label"] == "column 4: empty"


def test_a_full_column_has_no_next_place() -> None:
    match = Match(GAME, 2, 0)
    for column in "111111":
        match.play(column)
    assert "landing-1" not in spots(match.state)
    assert "landing-2" in spots(match.state)


def test_the_four_that_win_are_marked() -> None:
    match = Match(GAME, 2, 1)
    for column in "1213141":
        assert "<circle" not in rings(match.state)
        match.play(column)
    marked = re.findall(r'cx="(\d+)" cy="(\d+)"', rings(match.state))
    assert marked == [("80", "700"), ("80", "600"), ("80", "500"), ("80", "400")]


def rings(state: State) -> str:
    """What is drawn around discs."""
    return "".join(re.findall(r'<circle [^>]*fill="none"[^>]*>', GAME.looks.scene(state)))
