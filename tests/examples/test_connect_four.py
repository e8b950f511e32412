"""The rules of Connect Four, clause by clause."""

from __future__ import annotations

from pathlib import Path

import connect_four
import numpy as np
import pytest
from connect_four import COLUMNS, GAME, ROWS, Drawn, Dropped, Won
from hypothesis import given
from hypothesis import strategies as st

from clauses import clauses_of
from parlour import Batch
from parlour.engine import Match, Script, State
from parlour.engine.errors import BadNotation, IllegalAction
from parlour.engine.language import speaking

clause = clauses_of("connect_four")

PLACES = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
LINES = [
    frozenset((column + right * step, row + up * step) for step in range(4))
    for column, row in PLACES
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    if column + 3 * right < COLUMNS and 0 <= row + 3 * up < ROWS
]
DRAWN_GAME = "441365675334466335442232661515577771217122"
WON_WITH_THE_LAST_DISC = "733651575511722656534266327317322716144444"


def discs(places: frozenset[tuple[int, int]]) -> int:
    return sum(1 << 7 * column + row for column, row in places)


def position(picture: str) -> State:
    """A position from a drawing of its lowest rows: Red's discs are X, Yellow's O, and Red has begun."""
    state = GAME.blank()
    for row, line in enumerate(reversed(picture.split())):
        for column, sign in enumerate(line):
            if sign != ".":
                state.discs["XO".index(sign)] |= discs(frozenset({(column, row)}))
                state.height[column] = row + 1
    state.ply = state.turns = sum(state.height)
    state.to_move = state.ply % 2
    return state


def picture(state: State) -> list[str]:
    """The rows of the ASCII board, from the top."""
    return [line.replace(" ", "") for line in GAME.looks.board(state, ascii=True).plain.splitlines()[:ROWS]]


def drop(state: State, column: int) -> list[object]:
    journal: list[object] = []
    GAME.play(state, column - 1, Script(), journal)
    return journal


def play(columns: str) -> Match:
    match = Match(GAME, seed=0)
    for column in columns:
        match.play(column)
    return match


@clause(1, "The frame begins empty. Red drops the first disc; then the players take turns.")
def test_red_begins_and_the_players_take_turns() -> None:
    match = play("")
    assert picture(match.state) == ["......."] * 6
    seats = []
    for _ in range(4):
        seats.append(match.name(match.to_move))
        match.play("4")
    assert seats == ["Red", "Yellow", "Red", "Yellow"]


@clause(2, "It falls to the lowest free place of that column.")
def test_a_disc_falls_to_the_lowest_free_place() -> None:
    state = position("...O... ..XX.O.")
    assert drop(state, 4) == [Dropped(0, 4)]
    assert drop(state, 1) == [Dropped(1, 1)]
    assert picture(state)[3:] == ["...X...", "...O...", "O.XX.O."]


@clause(3, "A column that holds six discs is full: nothing more can be dropped into it.")
def test_nothing_can_be_dropped_into_a_full_column() -> None:
    match = play("111111")
    assert match.legal() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(IllegalAction, match="not one of the 6 legal actions"):
        match.play(0)
    with pytest.raises(BadNotation):
        match.play("1")


@clause(4, "Whoever first has four discs in an unbroken line wins at once.")
@pytest.mark.parametrize(
    ("drawing", "column", "winner"),
    [
        ("OO.O... XX.X...", 3, 0),
        ("XO..... XO..... XO.....", 1, 0),
        ("XO..... XO..... XO....X", 2, 1),
        ("..XO... .XOO... XOOX..X", 4, 0),
        ("...OX.. ...OOX. X..XOOX", 4, 0),
    ],
    ids=["across", "up", "up, for Yellow", "rising", "falling"],
)
def test_four_in_a_line_win_at_once(drawing: str, column: int, winner: int) -> None:
    state = position(drawing)
    journal = drop(state, column)
    assert journal == [Dropped(winner, column), Won(winner)]
    assert state.over
    assert GAME.legal_actions(state) == []
    assert GAME.winners(state) == [winner]


@clause(4, "Lines go across, up, and diagonally both ways.")
def test_every_line_wins_and_three_of_it_do_not() -> None:
    assert len(set(LINES)) == 69
    state = GAME.blank()
    for line in LINES:
        state.discs[0] = discs(line)
        assert connect_four.won(state, 0)
        for place in line:
            state.discs[0] = discs(line - {place})
            assert not connect_four.won(state, 0)


@clause(4, "four discs in an unbroken line")
def test_no_line_goes_on_around_an_edge() -> None:
    """Four places that are equally far apart as numbers win only where they are a line on the frame."""
    numbered = {7 * column + row: (column, row) for column, row in PLACES}
    state = GAME.blank()
    for start in numbered:
        for step in range(1, 17):
            numbers = range(start, start + 4 * step, step)
            if all(number in numbered for number in numbers):
                places = frozenset(numbered[number] for number in numbers)
                state.discs[0] = discs(places)
                assert connect_four.won(state, 0) == (places in LINES), sorted(places)


@given(st.frozensets(st.sampled_from(PLACES), min_size=4, max_size=20))
def test_any_set_of_discs_wins_just_when_a_line_is_in_it(places: frozenset[tuple[int, int]]) -> None:
    state = GAME.blank()
    state.discs[1] = discs(places)
    assert connect_four.won(state, 1) == any(line <= places for line in LINES)


@clause(5, "If all 42 places are taken and nobody has four in a line, the match is drawn.")
def test_a_full_frame_is_a_draw() -> None:
    match = play(DRAWN_GAME)
    assert match.over
    assert match.winners == []
    assert match.journal[-1] == Drawn()
    assert not play(DRAWN_GAME[:-1]).over


@clause(5, "and nobody has four in a line")
def test_the_last_disc_can_still_win() -> None:
    match = play(WON_WITH_THE_LAST_DISC)
    assert len(match.plies) == 42
    assert match.winners == [1]
    assert match.journal[-1] == Won(1)


@clause(6, "The winner scores 1 and the loser −1. A draw scores 0 for both.")
def test_scores() -> None:
    assert play("1212121").scores == [1, -1]
    assert play("71212121").scores == [-1, 1]
    assert play(DRAWN_GAME).scores == [0, 0]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_counts_interpreted(depth: int) -> None:
    def count(state: State, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for action in GAME.legal_actions(state):
            after = state.copy()
            GAME.play(after, action, Script())
            total += count(after, depth - 1)
        return total

    assert count(GAME.blank(), depth) == 7**depth


def test_counts_compiled() -> None:
    """Nobody can win or fill a column before ply 7; of the 7**7 sequences, seven drop all discs into one column."""
    batch, counts = Batch(GAME, 1), []
    for _ in range(7):
        heights = np.repeat(batch.states["height"], COLUMNS, axis=0)
        chosen = np.tile(np.arange(COLUMNS), len(batch))
        is_open = heights[np.arange(len(chosen)), chosen] < ROWS
        batch = batch[np.repeat(np.arange(len(batch)), COLUMNS)[is_open]]
        batch.step(chosen[is_open])
        counts.append(len(batch))
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536]


def test_notation_is_the_number_of_the_column() -> None:
    match = play("")
    assert [match.text(action) for action in match.legal()] == ["1", "2", "3", "4", "5", "6", "7"]


def test_the_story_is_told() -> None:
    assert play("1212121").story[-2:] == ["Red drops a disc into column 1", "Red has four in a line and wins"]
    assert play(DRAWN_GAME).story[-1] == "the frame is full: a draw"


@pytest.mark.parametrize(
    ("columns", "last_line"),
    [("", "Red X to move"), ("4", "Yellow O to move"), ("1212121", "Red X wins"), (DRAWN_GAME, "Yellow O fills")],
)
def test_the_board_says_how_the_match_stands(columns: str, last_line: str) -> None:
    assert play(columns).board(ascii=True).plain.splitlines()[-1].startswith(last_line)


def test_the_whole_game_is_short_and_so_is_its_picture() -> None:
    folder = Path(connect_four.__file__).parent
    lengths = {file.name: len(file.read_text("utf-8").splitlines()) for file in folder.rglob("*.py")}
    assert lengths.keys() == {"__init__.py", "picture.py", "bots.py"}
    assert lengths["__init__.py"] <= 145
    assert lengths["picture.py"] <= 100
    assert lengths["bots.py"] <= 20


def test_reasons_and_explanations_are_german_for_who_reads_german() -> None:
    match = play("111111")
    with speaking("de"):
        reason, thing = match.seen_by(0).why_not(["1"]), GAME.looks.explain(match.state, "2")
        assert (reason.text, reason.clause) == ("Spalte 1 ist voll: Sie hat sechs Steine.", 3)
        assert thing is not None
        assert thing.text.startswith("Spalte 2. Ein Stein")
        assert match.story[-1].endswith("wirft einen Stein in Spalte 1")
        assert 'aria-label="Spalte 3: leer"' in GAME.looks.scene(match.state)


def test_an_illegal_action_by_number_is_answered_with_the_clause() -> None:
    with pytest.raises(IllegalAction, match=r"Column 1 is full: it holds six discs \(clause 3\)$"):
        play("111111").play(0)
    with pytest.raises(IllegalAction, match=r"at ply 0$"):
        play("").play(12)
