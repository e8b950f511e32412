"""Choccer in German: every piece with its article, points in the singular and the plural."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from choccer_positions import play, put
from parlour.engine import State
from parlour.engine.language import speaking
from parlour.engine.match import Match
from parlour.games.choccer import GAME

SEATS = ["Anna", "Bert"].__getitem__


def picture(state: State) -> list[ElementTree.Element]:
    """All elements of the picture that a German reader sees."""
    with speaking("de"):
        return list(ElementTree.fromstring(GAME.looks.svg(state)).iter())


def written(state: State) -> list[str]:
    return [element.text or "" for element in picture(state) if element.tag.endswith("text")]


def read_out(state: State) -> list[str]:
    return [element.attrib["aria-label"] for element in picture(state) if "aria-label" in element.attrib]


@pytest.mark.parametrize(
    ("pieces", "text", "words", "told"),
    [
        ("D3=O", "D3-E3", "mit dem Kreis von D3 nach E3 ziehen", ["Anna zieht mit dem Kreis von D3 nach E3"]),
        (
            "D3=Sb",
            "D3-G6",
            "mit dem Stern den blauen Edelstein von D3 nach G6 tragen",
            ["Anna trägt mit dem Stern den blauen Edelstein von D3 nach G6"],
        ),
        (
            "D3=T E4=r",
            "D3-E4",
            "mit dem Dreieck von D3 den roten Edelstein auf E4 holen",
            ["Anna zieht mit dem Dreieck von D3 nach E4", "Anna holt sich den roten Edelstein auf E4"],
        ),
        (
            "D3=C F3=cr",
            "D3-F3",
            "mit dem Kleeblatt von D3 das Kleeblatt auf F3 schlagen und den roten Edelstein erobern",
            [
                "Anna zieht mit dem Kleeblatt von D3 nach F3",
                "Anna schlägt ein Kleeblatt auf F3: 2 Punkte",
                "Anna erobert den roten Edelstein der geschlagenen Figur",
            ],
        ),
        (
            "D3=Tb B4=O",
            "D3>B4",
            "den blauen Edelstein von D3 dem Kreis auf B4 zuspielen",
            [
                "Anna spielt den blauen Edelstein von D3 nach B4",
                "Anna punktet mit dem blauen Edelstein auf B4: 4 Punkte",
            ],
        ),
        ("A0=o", "pass", "passen", ["Anna kann nichts spielen und passt"]),
    ],
)
def test_actions_in_german(pieces: str, text: str, words: str, told: list[str]) -> None:
    state = put(pieces)
    with speaking("de"):
        assert GAME.words.describe(state, GAME.words.read(state, text)) == words
        assert [event.tell(SEATS) for event in play(state, text)] == told


@pytest.mark.parametrize(
    ("letter", "the", "a", "points"),
    [
        ("o", "den Kreis", "einen Kreis", "1 Punkt"),
        ("t", "das Dreieck", "ein Dreieck", "1 Punkt"),
        ("c", "das Kleeblatt", "ein Kleeblatt", "2 Punkte"),
        ("s", "den Stern", "einen Stern", "2 Punkte"),
    ],
)
def test_every_piece_is_captured_with_its_article(letter: str, the: str, a: str, points: str) -> None:
    state = put(f"D3=C F3={letter}")
    with speaking("de"):
        assert (
            GAME.words.describe(state, GAME.words.read(state, "D3-F3"))
            == f"mit dem Kleeblatt von D3 {the} auf F3 schlagen"
        )
        assert play(state, "D3-F3")[1].tell(SEATS) == f"Anna schlägt {a} auf F3: {points}"


def test_the_end_in_german() -> None:
    with speaking("de"):
        won, drawn = play(put("C3=Or"), "C3-B3")[-1], play(put("C3=O", turns=99), "C3-B3")[-1]
        assert won.tell(SEATS) == "das Spiel ist aus: Anna gewinnt, 10 Punkte gegen 0"
        assert drawn.tell(SEATS) == "das Spiel ist aus: unentschieden, beide haben 0 Punkte"


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("D3=O", "D3: Kreis von Schwarz"),
        ("D3=O D4=cb", "D4: Kleeblatt von Weiß mit dem blauen Edelstein"),
        ("D3=O F6=r", "F6: roter Edelstein"),
        ("D3=O F0=b", "F0: blauer Edelstein"),
        ("D3=O", "E5: leer"),
        ("D3=O K2=sr", "K2 in der Zone von Schwarz: Stern von Weiß mit dem roten Edelstein"),
        ("D3=O", "A4 in der Zone von Weiß: leer"),
    ],
)
def test_a_square_is_read_out_in_german(pieces: str, words: str) -> None:
    assert words in read_out(put(pieces))


def test_the_table_is_written_in_german() -> None:
    state = put("C3=Or A0=t", turns=41)
    assert {"Zug 42 von 100", "Schwarz", "Weiß", "Beute von Schwarz", "Beute von Weiß"} <= set(written(state))
    play(state, "C3-B3")
    assert "Abpfiff" in written(state)


def test_the_trays_are_read_out_in_german() -> None:
    assert "Schwarz hat erbeutet: noch nichts" in read_out(Match(GAME, seed=1).state)
    state = put("A0=t C0=t C1=t C2=t D0=o D1=o D2=o D3=c D4=c D5=s H6=T")
    state.points = [16, 14]  # a star, a blue gem and the red one
    assert "Schwarz hat erbeutet: Stern, blauen Edelstein, roten Edelstein" in read_out(state)


def test_the_picture_is_english_again_for_the_next_reader() -> None:
    state = put("C3=Or A0=t", turns=41)
    english = GAME.looks.svg(state)
    assert "Schwarz" in written(state)
    assert GAME.looks.svg(state) == english


def test_the_names_on_the_scoreboard_are_as_large_as_fits() -> None:
    sizes = {e.text: e.attrib["font-size"] for e in picture(put("D3=O")) if e.text in ("Schwarz", "Weiß")}
    assert sizes == {"Schwarz": "32", "Weiß": "32"}


def test_the_marks_are_the_first_letters_in_german() -> None:
    with speaking("de"):
        assert [mark.letter for mark in GAME.looks.marks(2)] == ["S", "W"]
