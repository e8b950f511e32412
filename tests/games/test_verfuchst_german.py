"""Verfuchst in German: places as a move needs them, and what the picture says."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from parlour.engine import Event, State
from parlour.engine.language import speaking
from parlour.games.verfuchst import GAME, events
from parlour.games.verfuchst.state.tiles import GOAL, START
from verfuchst_positions import position

SEATS = ["Anna", "Bert"].__getitem__


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.Moved(0, START, 4), "Anna zieht eine Figur vom Start auf Plättchen 4 (−4)"),
        (events.MovedGuardian(1, 9, GOAL), "Bert zieht einen Wächter von Plättchen 9 (Glück) ins Ziel"),
        (events.Took(0, 16), "Anna nimmt Plättchen 16 (+7)"),
        (events.Turned(1, -8), "ein Glücksplättchen hilft Bert: aus −8 wird +8"),
    ],
)
def test_events_in_german(event: Event, words: str) -> None:
    with speaking("de"):
        assert event.tell(SEATS) == words


def test_choices_in_german() -> None:
    state = position("start=RB 8=R 14=Rg", die=2)
    with speaking("de"):
        assert {
            GAME.words.write(state, action): GAME.words.describe(state, action) for action in GAME.legal_actions(state)
        } == {
            "start": "eine Figur vom Start auf Plättchen 2 (−2) ziehen",
            "8": "eine Figur von Plättchen 8 (−8) auf Plättchen 10 (Glück) ziehen und Plättchen 8 (−8) nehmen",
            "14": "eine Figur von Plättchen 14 (Glück) auf Plättchen 16 (+7) ziehen",
            "g14": "einen Wächter von Plättchen 14 (Glück) auf Plättchen 16 (+7) ziehen",
        }


def picture(state: State) -> list[ElementTree.Element]:
    """All that the picture of a position has in German."""
    with speaking("de"):
        return list(ElementTree.fromstring(GAME.looks.svg(state)).iter())


def read_out(state: State) -> dict[str, str]:
    """What is said of each spot, and of the die."""
    labelled = [element.attrib for element in picture(state) if "aria-label" in element.attrib]
    return {found.get("data-spot", "die"): found["aria-label"] for found in labelled}


def test_places_in_german() -> None:
    words = read_out(position("start=RB 5=RRBgg 9=g", die=3, taken={"B": [7]}))
    assert words["start"] == "der Start: Rot, Blau"
    assert words["5"] == "Plättchen 5 (−5): Rot 2, Blau, 2 Wächter"
    assert words["g5"] == "2 Wächter auf Plättchen 5 (−5)"
    assert words["9"] == "Plättchen 9 (Glück): ein Wächter"
    assert words["g9"] == "ein Wächter auf Plättchen 9 (Glück)"
    assert words["6"] == "Plättchen 6 (−6): niemand"
    assert words["goal"] == "das Ziel: Blau, 5 Wächter"
    assert words["die"] == "Rot hat eine 3 gewürfelt"


def test_hands_in_german() -> None:
    words = read_out(position("start=RB", taken={"R": [9, 8, 32, 15, 1]}))
    assert words["hand-0"] == "Rot: +9; Plättchen: Glück, +10 statt −10, +8, −1, −8"
    assert words["hand-1"] == "Blau: 0; keine Plättchen"


def test_signs_in_german() -> None:
    texts = [element.text for element in picture(position("start=RB")) if element.tag.endswith("text")]
    assert "START" in texts
    assert "ZIEL" in texts
    assert "GOAL" not in texts
    assert "Y" in texts, "letters on pieces are the same in every language"
