"""Verfuchst in German: the start, the goal and the tiles between them, as a move needs them."""

from __future__ import annotations

import pytest

from parlour.engine import Event, Seat
from parlour.engine.language import speaking
from parlour.games.verfuchst import GAME, events
from parlour.games.verfuchst.tiles import GOAL, START
from verfuchst_positions import position

SEATS = ["Anna", "Bert"].__getitem__


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.Moved(Seat(0), START, 4), "Anna zieht eine Figur vom Start auf Plättchen 4 (−4)"),
        (events.MovedGuardian(Seat(1), 9, GOAL), "Bert zieht einen Wächter von Plättchen 9 (Glück) ins Ziel"),
        (events.Took(Seat(0), 16), "Anna nimmt Plättchen 16 (+7)"),
        (events.Turned(Seat(1), -8), "ein Glücksplättchen hilft Bert: aus −8 wird +8"),
    ],
)
def test_events_in_german(event: Event, words: str) -> None:
    with speaking("de"):
        assert event.tell(SEATS) == words


def test_choices_in_german() -> None:
    state = position("start=RB 8=R 14=Rg", die=2)
    with speaking("de"):
        assert {GAME.write(state, action): GAME.describe(state, action) for action in GAME.legal_actions(state)} == {
            "start": "eine Figur vom Start auf Plättchen 2 (−2) ziehen",
            "8": "eine Figur von Plättchen 8 (−8) auf Plättchen 10 (Glück) ziehen und Plättchen 8 (−8) nehmen",
            "14": "eine Figur von Plättchen 14 (Glück) auf Plättchen 16 (+7) ziehen",
            "g14": "einen Wächter von Plättchen 14 (Glück) auf Plättchen 16 (+7) ziehen",
        }
