"""The Game of the Goose in German: every hazard with its preposition."""

from __future__ import annotations

import pytest

from parlour.engine import Seat
from parlour.engine.language import speaking
from parlour.games.goose import GAME, events

SEATS = ["Anna", "Bert"].__getitem__


@pytest.mark.parametrize(
    ("space", "words"),
    [
        (6, "Anna landet auf der Brücke (6) und geht hinüber"),
        (19, "Anna landet im Hotel (19) und setzt einmal aus"),
        (31, "Anna landet im Brunnen (31) und wartet, bis jemand zu Hilfe kommt"),
        (42, "Anna landet im Labyrinth (42) und verirrt sich"),
        (52, "Anna landet im Gefängnis (52) und wartet auf die Befreiung"),
        (58, "Anna landet beim Tod (58) und muss von vorn beginnen"),
        (61, "Anna landet beim Getränk (61) und muss das Glas austrinken"),
    ],
)
def test_every_hazard_in_german(space: int, words: str) -> None:
    with speaking("de"):
        assert events.OnHazard(Seat(0), space).tell(SEATS) == words


def test_what_the_lobby_shows_in_german() -> None:
    with speaking("de"):
        assert GAME.said(GAME.title) == "Gänsespiel"
        assert [GAME.said(option.takes) for option in GAME.options] == ["39 oder 30", "ja oder nein", "ja oder nein"]
        assert [GAME.said(name) for name in GAME.seat_names] == ["Rot", "Blau", "Grün", "Gelb"]
