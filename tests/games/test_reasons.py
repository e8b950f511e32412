"""Why not: the reason and the clause of the rulebook, by what was picked or typed."""

from __future__ import annotations

import pytest

from parlour.engine import registry
from parlour.engine.errors import BadNotation
from parlour.engine.match import Match

CHOCCER = [
    ("H3 F3", "A circle goes one square up, down, left or right.", 6),
    ("H0 G0", "A triangle goes one square diagonally.", 6),
    ("I2 E2", "A clover goes one, two or three squares up, down, left or right.", 7),
    ("I1 I2", "A star goes one, two or three squares diagonally.", 7),
    ("I2 H2", "On H2 stands a piece of yours.", 8),
    ("I2 G2", "The piece on H2 is in the way: none moves past another.", 8),
    ("D3 E3", "The piece on D3 is White's: move one of yours.", 5),
    ("F1 F2", "There is no piece on F1.", 5),
]
OTHERS = [
    ("goose", [], "12", "There is nothing to choose: throw both dice, and your goose walks by itself.", 3),
    ("verfuchst", [], "g9", "A fox moves only while a piece stands beside it.", 6),
    ("verfuchst", [], "5", "No piece of yours stands on tile 5 (−5).", 5),
    ("mazerunner", [], "M12", "First choose: heal in the base, or run through the maze.", 7),
    ("mazerunner", [], "shop-0", "First choose: heal in the base, or run through the maze.", 7),
    ("mazerunner", ["move", "keep"], "K9", "You go block by block, and K9 is no neighbour.", 15),
    ("mazerunner", ["move", "keep"], "M13", "You are in the base: choose one of its four entrances.", 14),
    ("connect_four", ["1"] * 6, "1", "Column 1 is full: it holds six discs.", 3),
]


@pytest.mark.parametrize(("tried", "text", "clause"), CHOCCER)
def test_choccer(tried: str, text: str, clause: int) -> None:
    match = Match(registry.get("choccer"), seed=1)
    told = match.seen_by(0).why_not(tried.split())
    assert (told.text, told.clause) == (text, clause)


def test_choccer_whoever_holds_a_gem_cannot_capture() -> None:
    match = Match(registry.get("choccer"), seed=1)
    for text in ("H3-G3", "D3-E3", "G3-F3", "D0-E1"):
        match.play(text)
    told = match.seen_by(0).why_not(("F3", "E3"))
    assert (told.text, told.clause) == ("Whoever holds a gem cannot capture. It could pass the gem first.", 12)


@pytest.mark.parametrize(("name", "played", "tried", "text", "clause"), OTHERS)
def test_other_games(name: str, played: list[str], tried: str, text: str, clause: int) -> None:
    match = Match(registry.get(name), seed=1)
    for action in played:
        match.play(action)
    told = match.seen_by(match.to_move).why_not(tried.split())
    assert (told.text, told.clause) == (text, clause)


@pytest.mark.parametrize(
    ("tried", "text", "clause"),
    [
        ("{own}e9", "{own} has 4 pieces without an order: send at least one, and no more.", 6),
        ("{own} {far}", "Pieces go to one of the four neighbours: north, south, east or west.", 5),
        ("nonsense", "An order is a square of yours and a neighbour: D3e2 sends two pieces from D3 east.", 5),
    ],
)
def test_game17(tried: str, text: str, clause: int) -> None:
    match = Match(registry.get("game17"), 1, 1324, edge=5)
    names = {"own": "C2", "far": "A0"}
    told = match.seen_by(0).why_not(tried.format(**names).split())
    assert (told.text, told.clause) == (text.format(**names), clause)


def test_typed_notation_is_refused_with_the_reason() -> None:
    match = Match(registry.get("choccer"), seed=1)
    with pytest.raises(BadNotation, match=r"'H3-F3' is not a legal action here: A circle goes .* \(clause 6\)"):
        match.play("H3-F3")


def test_whoever_is_not_to_move_and_whoever_is_too_late_is_told_so() -> None:
    match = Match(registry.get("choccer"), seed=1)
    assert match.seen_by(1).why_not(("D3", "E3")).text == "It is Black's turn."
    assert match.seen_by(None).why_not(()).text == "It is Black's turn."
    over = Match(registry.get("connect_four"), seed=1)
    for column in "1212121":
        over.play(column)
    assert over.seen_by(0).why_not(("1",)).text == "The match is over."
