"""Diagrams of rulebooks: what they mark is what the rules allow."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from parlour.engine import registry
from parlour.engine.diagram import ANY, GOLD, PICKED, Diagram, draw, marked, played, targets
from parlour.engine.language import speaking

ALL = [(game.name, number) for game in registry.all_games() for number in range(len(game.looks.diagrams))]
# What each caption says, as far as it can be counted: the spots that are marked.
SHOWN = {
    ("choccer", 0): {"D4", "E3", "E5", "F4"},
    ("choccer", 1): {"G0", "G2", "I0", "I2"},
    ("choccer", 2): {"C3", "D3", "E3", "F0", "F1", "F2", "F4", "F5", "F6", "G3", "H3"},
    ("choccer", 3): {"B0", "B6", "C1", "C5", "D2", "D4", "F2", "F4", "G1", "G5", "H0", "H6"},
    ("choccer", 4): {"E1", "F2", "F3", "G0", "G1", "G3", "H1", "H2", "I0", "I1", "I4"},
    ("game17", 0): {"I5", "I7", "J6", "H6"},
    ("game17", 1): {"I13", "J12", "J13s", "K13"},
    ("goose", 0): set(),
    ("mazerunner", 0): {"M12", "N13", "M14", "L13"},
    ("verfuchst", 0): {"10"},
    ("verfuchst", 1): {"20"},
}


def test_every_game_has_some() -> None:
    assert {name for name, _ in ALL} >= {"choccer", "game17", "goose", "mazerunner", "verfuchst"}
    assert set(ALL) == set(SHOWN)


@pytest.mark.parametrize(("name", "number"), ALL)
def test_a_diagram_marks_what_its_caption_says(name: str, number: int) -> None:
    """If the rules change, these matches go another way: look at the diagrams, and choose others."""
    game = registry.get(name)
    diagram = game.looks.diagrams[number]
    match = played(game, diagram.seats, diagram.seed, diagram.ply)
    assert len(match.plies) == diagram.ply
    assert targets(match, diagram.pick) == SHOWN[name, number]
    drawn = draw(game, diagram)
    ElementTree.fromstring(drawn)
    assert drawn.count(f'stroke="{GOLD}"') == len(SHOWN[name, number])
    assert drawn.count(f'stroke="{PICKED}"') == (diagram.pick not in ("", ANY))


@pytest.mark.parametrize(("name", "number"), ALL)
def test_a_caption_is_told_in_the_language_of_the_reader(name: str, number: int) -> None:
    game = registry.get(name)
    with speaking("de"):
        assert game.said(game.looks.diagrams[number].caption) != game.looks.diagrams[number].caption


def test_who_waits_in_the_diagram_of_the_goose() -> None:
    diagram: Diagram = registry.get("goose").looks.diagrams[0]
    state = played(registry.get("goose"), diagram.seats, diagram.seed, diagram.ply).state
    assert [seat for seat in range(4) if state.trapped_since[seat]] == [1, 2]
    assert (state.position[1], state.position[2]) == (31, 52)


def test_a_frame_has_the_shape_of_its_spot_and_nothing_else_of_it() -> None:
    scene = '<rect x="1" y="2" width="3" height="4" fill="transparent" data-spot="a" aria-label="A"/>'
    framed = marked(scene, {"a": "#fff"}, 2)
    assert framed.startswith(scene)
    assert framed.endswith('><rect x="1" y="2" width="3" height="4"/></g>')
    assert marked(scene, {"b": "#fff"}, 2) == scene
