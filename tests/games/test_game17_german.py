"""game17 in German: nothing told is missing from its file, and zombies are declined."""

from __future__ import annotations

import random

import pytest

from german import without_gaps
from parlour.engine import Event, Match, Seat
from parlour.engine.language import speaking
from parlour.games.game17 import GAME, events
from parlour.games.game17.events import ZOMBIE

SEATS = ["Ada", "Bob"].__getitem__


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    without_gaps(monkeypatch, GAME)


def told(event: Event) -> str:
    with speaking("de"):
        return event.tell(SEATS)


def clash(mover: int, holder: int, arrivals: int, defenders: int, *, taken: bool) -> str:
    return told(events.Clashed(mover, holder, 2, 3, arrivals, defenders, taken))


def test_a_clash_of_seats() -> None:
    assert clash(0, 1, 2, 0, taken=True) == "Ada besetzt D2, von Bob leer zurückgelassen"
    assert clash(0, 1, 4, 3, taken=True) == "Ada erobert D2 von Bob, 4 gegen 3"
    assert clash(0, 1, 2, 3, taken=False) == "Bob hält D2, 3 gegen 2: Ada verliert alle Angreifer"
    assert clash(0, 1, 3, 3, taken=True) == "Ada gegen Bob auf D2, 3 gegen 3: nach Münzwurf bekommt Ada alles"
    assert clash(0, 1, 3, 3, taken=False) == "Ada gegen Bob auf D2, 3 gegen 3: nach Münzwurf bekommt Bob alles"


def test_a_clash_with_zombies() -> None:
    assert clash(0, ZOMBIE, 2, 0, taken=True) == "Ada besetzt D2, von einem Zombie leer zurückgelassen"
    assert clash(0, ZOMBIE, 4, 3, taken=True) == "Ada erobert D2 von einem Zombie, 4 gegen 3"
    assert clash(0, ZOMBIE, 2, 3, taken=False) == "ein Zombie hält D2, 3 gegen 2: Ada verliert alle Angreifer"
    toss = "Ada gegen einen Zombie auf D2, 3 gegen 3: nach Münzwurf bekommt "
    assert clash(0, ZOMBIE, 3, 3, taken=True) == toss + "Ada alles"
    assert clash(0, ZOMBIE, 3, 3, taken=False) == toss + "der Zombie alles"
    assert clash(ZOMBIE, 1, 2, 3, taken=False) == "Bob hält D2, 3 gegen 2: ein Zombie verliert alle Angreifer"


def test_what_zombies_do_to_a_seat() -> None:
    def raided(squares: int, lost: int, won: int) -> str:
        return told(events.Raided(Seat(0), squares, lost, won))

    assert raided(1, 0, 0) == "Ada verliert 1 Feld an Zombies"
    assert raided(2, 1, 0) == "Ada verliert 2 Felder und 1 Stein an Zombies"
    assert raided(0, 0, 5) == "Ada bekommt 5 Steine von Zombies"
    assert raided(1, 0, 1) == "Ada verliert 1 Feld an Zombies und bekommt 1 Stein von ihnen"
    assert raided(1, 2, 3) == "Ada verliert 1 Feld und 2 Steine an Zombies und bekommt 3 Steine von ihnen"


def test_the_end() -> None:
    assert told(events.LastOneArmed(ZOMBIE)) == "ein Zombie hat jetzt alle Steine"
    assert told(events.Won(0, 1)) == "Ada gewinnt: 1 Feld"
    assert told(events.Out(Seat(1))) == "Bob hat das letzte Feld verloren und scheidet aus"


@pytest.mark.parametrize("seats", range(4))
def test_whole_matches_are_told(seats: int) -> None:
    match, rng = Match(GAME, seats, seed=seats, edge=4, rounds=8), random.Random(seats)
    with speaking("de"):
        while not match.over:
            legal = match.legal()
            assert all(GAME.describe(match.state, action) for action in legal)
            match.play(legal[0] if rng.random() < 0.4 else rng.choice(legal))
        assert all(match.story)


def test_pictures_are_not_told() -> None:
    """They are kept from one reader for the next."""
    match = Match(GAME, 2, seed=3)
    english = GAME.svg(match.state)
    with speaking("de"):
        assert GAME.svg(match.state) == english
