"""Choccer in notation, in words and on the screen."""

from __future__ import annotations

import pytest

from choccer_positions import options, play, put
from parlour.games.choccer import GAME
from parlour.games.choccer.rules import LONGEST
from parlour.games.choccer.state import BLACK, BLUE, OPENING_BOARD, PIECES, RED, WHITE, draw_picture, read_picture
from parlour.games.choccer.state.winnings import captured, scored_gems

PICTURE = """
   A  B  C  D  E  F  G  H  I  J  K
0  .  .  .  t  .  b  .  T  .  .  .
1  .  .  s  .  .  .  .  T  S  .  .
2  .  .  c  ob .  .  .  O  C  .  .
3  .  .  .  o  .  .  .  O  .  .  .
4  .  Cr c  o  .  .  .  O  .  .  .
5  .  .  s  t  .  .  .  T  S  .  .
6  .  .  .  t  .  .  .  T  .  .  .
"""


def test_a_picture_comes_out_as_it_went_in() -> None:
    assert draw_picture(*read_picture(PICTURE)) == PICTURE.strip("\n")


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="7 rows of 11 squares"):
        read_picture(PICTURE.replace("6  .", "6"))


@pytest.mark.parametrize(
    ("pieces", "text", "words", "told"),
    [
        ("D3=O", "D3-E3", "circle from D3 to E3", ["Black's circle goes from D3 to E3"]),
        (
            "D3=Sb",
            "D3-G6",
            "star carries the blue gem from D3 to G6",
            ["Black's star carries the blue gem from D3 to G6"],
        ),
        (
            "D3=T E4=r",
            "D3-E4",
            "triangle from D3 picks up the red gem on E4",
            ["Black's triangle goes from D3 to E4", "Black picks up the red gem on E4"],
        ),
        (
            "D3=C F3=o",
            "D3-F3",
            "clover from D3 captures the circle on F3",
            ["Black's clover goes from D3 to F3", "Black captures a circle on F3: 1 point"],
        ),
        (
            "D3=C F3=cr",
            "D3-F3",
            "clover from D3 captures the clover on F3 and its red gem",
            [
                "Black's clover goes from D3 to F3",
                "Black captures a clover on F3: 2 points",
                "Black wins the red gem that it held",
            ],
        ),
        (
            "D3=Tb B4=O",
            "D3>B4",
            "pass the blue gem from D3 to the circle on B4",
            ["Black passes the blue gem from D3 to B4", "Black scores the blue gem on B4: 4 points"],
        ),
        ("A0=o", "pass", "pass the turn", ["Black has nothing to play and passes the turn"]),
    ],
)
def test_actions_in_words(pieces: str, text: str, words: str, told: list[str]) -> None:
    state = put(pieces)
    assert GAME.words.describe(state, GAME.words.read(state, text)) == words
    assert [event.tell(GAME.seat_name) for event in play(state, text)] == told


def test_the_end_in_words() -> None:
    state = put("C3=Or")
    assert [event.tell(GAME.seat_name) for event in play(state, "c3 - b3")][1:] == [
        "Black scores the red gem on B3: 10 points",
        "the match is over: Black wins with 10 points against 0",
    ]
    state = put("C3=O", turns=99)
    assert play(state, "C3-B3")[-1].tell(GAME.seat_name) == "the match is over: a draw, both have 0 points"


def test_a_move_and_a_pass_between_the_same_squares_differ() -> None:
    state = put("E3=Cb F3=T")
    assert "E3>F3" in options(state)
    assert "E3-F3" not in options(state)


def test_the_most_legal_actions_fit() -> None:
    """Every move of eleven pieces in the open, and three holders that each can pass to the eight others."""
    moves = sum(4 * LONGEST[piece] for piece in OPENING_BOARD if piece > 0)
    assert GAME.max_actions == moves + 3 * (PIECES - 3)


def drawn(pieces: str, **fields: int) -> str:
    state = put(pieces)
    for name, value in fields.items():
        setattr(state, name, value)
    return str(GAME.looks.board(state, ascii=True).plain)


def test_the_ascii_board() -> None:
    rows = drawn("D3=Tb E3=s F3=r A2=c K4=O F0=b", turns=12).splitlines()
    assert rows[0].strip() == "Choccer   turn 13 of 100: Black to move"
    assert rows[1].startswith(" >  Black")
    assert rows[5] == " 0 |     |     |     |     |     | *b  |     |     |     |     |     |"
    assert rows[9] == " 2 |:(c):|:::::|     |     |     |     |     |     |     |#####|#####|"
    assert rows[11] == " 3 |:::::|:::::|     |[T]*b| (s) | *r  |     |     |     |#####|#####|"
    assert rows[13] == " 4 |:::::|:::::|     |     |     |     |     |     |     |#####|#[O]#|"


def test_the_board_tells_the_result() -> None:
    state = put("C3=Or")
    play(state, "C3-B3")
    assert "over after turn 1: Black wins" in str(GAME.looks.board(state).plain)
    assert "a draw" in drawn("C3=O", over=1)


def test_shapes_tell_the_sides_apart_without_colour() -> None:
    plain = str(GAME.looks.board(put("A0=O B0=o C0=T D0=t E0=C F0=c G0=S H0=s")).plain)
    assert "│ [●] │ (○) │ [▲] │ (△) │ [♣] │ (♧) │ [★] │ (☆) │" in plain


@pytest.mark.parametrize("gems", [[], [BLUE], [BLUE, BLUE], [RED], [BLUE, RED], [BLUE, BLUE, RED]])
def test_the_board_shows_what_the_points_are_for(gems: list[int]) -> None:
    state = put("H0=T H1=T H5=T H6=T H2=O H3=O H4=O I1=S I5=S I2=C I4=C D0=t D1=t D5=t D6=t D2=o D3=o C1=s C5=s C2=c")
    assert captured(state, BLACK) == [1, 3]
    assert captured(state, WHITE) == []
    state.points[BLACK] = 3 + sum({BLUE: 4, RED: 10}[gem] for gem in gems)
    assert scored_gems(state, BLACK) == gems
    line = str(GAME.looks.board(state, ascii=True).plain).splitlines()[1]
    assert "captured (o)(c)" in line
    assert line.count("*b") == gems.count(BLUE)
    assert line.count("*r") == gems.count(RED)


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("D3=O E3=o", "gems and captures score: pick a piece"),
        ("D3=Ob E3=o", "bring your gem to the other zone: pick a piece"),
        ("D3=O E3=ob", "gems and captures score: pick a piece"),
    ],
)
def test_whoever_is_to_move_reads_what_brings_points(pieces: str, words: str) -> None:
    assert GAME.words.notation.prompt(put(pieces)) == words
