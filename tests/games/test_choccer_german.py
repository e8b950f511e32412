"""Choccer in German: every piece with its article, points in the singular and the plural."""

from __future__ import annotations

import pytest

from choccer_positions import play, put
from parlour.engine.language import speaking
from parlour.games.choccer import GAME

SEATS = ["Anna", "Bert"].__getitem__


@pytest.mark.parametrize(
    ("pieces", "text", "words", "told"),
    [
        ("D3=O", "D3-E3", "mit dem Kreis nach E3 ziehen", ["Anna zieht mit dem Kreis von D3 nach E3"]),
        (
            "D3=Sb",
            "D3-G6",
            "mit dem Stern den blauen Edelstein nach G6 tragen",
            ["Anna trägt mit dem Stern den blauen Edelstein von D3 nach G6"],
        ),
        (
            "D3=T E4=r",
            "D3-E4",
            "mit dem Dreieck den roten Edelstein auf E4 holen",
            ["Anna zieht mit dem Dreieck von D3 nach E4", "Anna holt sich den roten Edelstein auf E4"],
        ),
        (
            "D3=C F3=cr",
            "D3-F3",
            "mit dem Kleeblatt das Kleeblatt auf F3 schlagen und den roten Edelstein erobern",
            [
                "Anna zieht mit dem Kleeblatt von D3 nach F3",
                "Anna schlägt ein Kleeblatt auf F3: 2 Punkte",
                "Anna erobert den roten Edelstein der geschlagenen Figur",
            ],
        ),
        (
            "D3=Tb B4=O",
            "D3>B4",
            "dem Kreis auf B4 den blauen Edelstein zuspielen",
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
        assert GAME.describe(state, GAME.read(state, text)) == words
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
        assert GAME.describe(state, GAME.read(state, "D3-F3")) == f"mit dem Kleeblatt {the} auf F3 schlagen"
        assert play(state, "D3-F3")[1].tell(SEATS) == f"Anna schlägt {a} auf F3: {points}"


def test_the_end_in_german() -> None:
    with speaking("de"):
        won, drawn = play(put("C3=Or"), "C3-B3")[-1], play(put("C3=O", turns=99), "C3-B3")[-1]
        assert won.tell(SEATS) == "das Spiel ist aus: Anna gewinnt, 10 Punkte gegen 0"
        assert drawn.tell(SEATS) == "das Spiel ist aus: unentschieden, beide haben 0 Punkte"
