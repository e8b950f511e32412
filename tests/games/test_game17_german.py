"""game17 in German: nothing told is missing from its file, and zombies are declined."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from game17_positions import play, position
from german import without_gaps
from parlour.engine import Chance, Event, Match, State
from parlour.engine.language import speaking
from parlour.games.game17 import GAME, events
from parlour.games.game17.events import ZOMBIE
from parlour.games.game17.picture.standings import HEADLINE

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
        return told(events.Raided(0, squares, lost, won))

    assert raided(1, 0, 0) == "Ada verliert 1 Feld an Zombies"
    assert raided(2, 1, 0) == "Ada verliert 2 Felder und 1 Stein an Zombies"
    assert raided(0, 0, 5) == "Ada bekommt 5 Steine von Zombies"
    assert raided(1, 0, 1) == "Ada verliert 1 Feld an Zombies und bekommt 1 Stein von ihnen"
    assert raided(1, 2, 3) == "Ada verliert 1 Feld und 2 Steine an Zombies und bekommt 3 Steine von ihnen"
    held = events.Raided(0, 1, 2, 3, ((0, 0), (1, 1)), ((1, 1),))
    assert told(held) == "Ada verliert B1 und 2 Steine an Zombies, hält A0 und bekommt 3 Steine"


def test_the_end() -> None:
    assert told(events.LastOneArmed(ZOMBIE)) == "ein Zombie hat jetzt alle Steine"
    assert told(events.Won((0,), 1)) == "Ada hat die meisten: 1 Feld"
    assert told(events.Won((0, 1), 2)) == "Ada und Bob haben die meisten: je 2 Felder"
    assert told(events.Won((ZOMBIE,), 4)) == "ein Zombie gewinnt: 4 Felder"
    assert told(events.Won((ZOMBIE, ZOMBIE), 4)) == "2 Zombies gewinnen: je 4 Felder"
    assert told(events.Won((0, 1, ZOMBIE), 4)) == "Ada, Bob und ein Zombie gewinnen: je 4 Felder"
    assert told(events.Out(1)) == "Bob hat das letzte Feld verloren und scheidet aus"


@pytest.mark.parametrize("seats", range(4))
def test_whole_matches_are_told(seats: int) -> None:
    match, rng = Match(GAME, seats, seed=seats, edge=4, rounds=8), random.Random(seats)
    with speaking("de"):
        while not match.over:
            legal = match.legal()
            assert all(GAME.words.describe(match.state, action) for action in legal)
            match.play(legal[0] if rng.random() < 0.4 else rng.choice(legal))
        assert all(match.story)


def picture(state: State) -> list[ElementTree.Element]:
    """All elements of the picture that a German reader sees."""
    with speaking("de"):
        return list(ElementTree.fromstring(GAME.looks.svg(state)).iter())


def written(state: State) -> dict[str, int]:
    """The sentences right below the squares, and how large they are."""
    texts = [element for element in picture(state) if element.get("y") == str(HEADLINE)]
    return {text.text or "": int(text.attrib["font-size"]) for text in texts}


def read_out(state: State) -> dict[str, str]:
    """What is read out, by spot, or by what it is."""
    told = [element.attrib for element in picture(state) if "aria-label" in element.attrib]
    return {attributes.get("data-spot") or attributes["data-what"]: attributes["aria-label"] for attributes in told}


def test_the_squares_are_read_out() -> None:
    state = position("A4 B1 a0\nA12 A0 a5\nB0 b1 b120")
    play(state, "A0s1 A0e2")
    words = read_out(state)
    assert words["A0"] == "A0: Rot, 4 Steine, 1 nach Süden, 2 nach Osten"
    assert words["B0"] == "B0: Blau, 1 Stein"
    assert words["C0"] == "C0: Zombie 1, leer"
    assert words["A0n"] == "A2 über den Rand"


def test_the_tally_is_told() -> None:
    state = position("A4 B3 a0\nA12 A0 a5\nB0 b1 b120", rounds=9)
    assert written(state) == {"Runde 1 von 9": 33, "noch 2 Spieler, 2 Zombies": 33}
    told = "Runde 1 von 9; Rot: 3 Felder, 16 Steine; Blau: 2 Felder, 3 Steine; "
    assert read_out(state)["standings"] == told + "Zombie 2: 2 Felder, 121 Steine; 1 anderer: 2 Felder"


def test_the_key_is_told() -> None:
    assert read_out(position("A4 B3\na0 b1"))["key"] == "Zombies; am Zug; schwächer; ein Befehl"


def test_the_winners_are_told() -> None:
    play(shared := position("A4 B3\nA0 B0", rounds=1), "end end")
    assert "2 gewinnen, je 2 Felder" in written(shared)
    play(won := position("A4 B3\nA1 A1", rounds=1), "end end")
    assert "Rot gewinnt, 3 Felder" in written(won)


def test_a_long_headline_is_smaller() -> None:
    state = GAME.blank(196, edge=24, rounds=1000)
    GAME.open(state, Chance.at(7, 0))
    state.round = 999
    assert written(state) == {"Runde 1000 von 1000": 31, "noch 196 Spieler, 380 Zombies": 31}


def test_ways_are_named() -> None:
    state = position("A4 B3 a0\nA12 A0 a5\nB0 b1 b120")
    with speaking("de"):
        ways = [GAME.looks.way(state, GAME.words.read(state, f"A1{direction}1")) for direction in "nsew"]
    assert ways == ["Norden", "Süden", "Osten", "Westen"]


def test_the_picture_is_english_again_for_the_next_reader() -> None:
    state = Match(GAME, 2, seed=3).state
    english = GAME.looks.svg(state)
    assert "Runde 1 von 50" in written(state)
    assert GAME.looks.svg(state) == english
