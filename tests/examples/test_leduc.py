"""Leduc poker, clause by clause; and beside OpenSpiel's, over the whole tree."""

from __future__ import annotations

import pytest
from leduc import CALL, FOLD, GAME, RAISE, told

from openspiel_trees import walked_with_openspiel
from parlour.engine import Script, State
from parlour.engine.check import run

KING, QUEEN, JACK = 4, 2, 0  # of hearts; the next number is the same rank in spades


def test_it_passes_every_check() -> None:
    assert [(result.title, result.problem) for result in run(GAME) if result.problem] == []


def played(first: int, second: int, table: int, actions: str) -> State:
    """A match of these cards; actions by their first letters."""
    state = GAME.blank()
    GAME.open(state, Script([first, second - (second > first)]))
    left = [card for card in range(6) if card not in (first, second)]
    for action in actions:
        GAME.play(state, "fcr".index(action), Script([left.index(table)] if state.table < 0 else []))
    return state


@pytest.mark.parametrize(
    ("cards", "actions", "scores"),
    [
        ((KING, QUEEN, JACK), "cccc", [1, -1]),
        ((KING, QUEEN, QUEEN + 1), "cccc", [-1, 1]),  # a pair beats a king
        ((KING, KING + 1, QUEEN), "crrcrrc", [0, 0]),
        ((KING, QUEEN, JACK), "rrf", [-3, 3]),
        ((JACK, QUEEN, KING), "rccrrc", [-11, 11]),
        ((JACK, QUEEN, KING), "ccrf", [1, -1]),
    ],
)
def test_the_ends_of_a_match(cards: tuple[int, int, int], actions: str, scores: list[int]) -> None:
    """Clauses 2 to 5."""
    state = played(*cards, actions)
    assert state.over
    assert GAME.scores(state) == scores
    assert GAME.winners(state) == ([scores.index(max(scores))] if any(scores) else [])


def test_what_is_legal() -> None:
    """Clauses 2 and 3: only who has less may fold; two raises a round."""
    assert GAME.legal_actions(played(KING, QUEEN, JACK, "")) == [CALL, RAISE]
    assert GAME.legal_actions(played(KING, QUEEN, JACK, "r")) == [FOLD, CALL, RAISE]
    assert GAME.legal_actions(played(KING, QUEEN, JACK, "rr")) == [FOLD, CALL]
    assert GAME.legal_actions(played(KING, QUEEN, JACK, "rrc")) == [CALL, RAISE]


def test_the_board_shows_what_lies_there() -> None:
    assert told(KING) == "king of hearts"
    assert "Table: jack of hearts" in GAME.looks.board(played(KING, QUEEN, JACK, "cc")).plain


def test_it_is_openspiels_game_state_by_state() -> None:
    """Players, choices, what each player knows, and the returns, over the whole tree."""
    counts = walked_with_openspiel(GAME, "leduc_poker")
    assert counts == {"chance": 157, "decision": 3780, "end": 5520, "information sets": 936}
