"""Kuhn poker, clause by clause; and beside OpenSpiel's, over the whole tree."""

from __future__ import annotations

from typing import Any

import pytest
from kuhn import BET, GAME, PASS

from openspiel_trees import walked_with_openspiel
from parlour.engine import Match, Script
from parlour.engine.check import run


def test_it_passes_every_check() -> None:
    assert [(result.title, result.problem) for result in run(GAME) if result.problem] == []


def dealt(first: int, second: int) -> Any:
    """A match of these cards."""
    state = GAME.blank()
    GAME.open(state, Script([first, second - (second > first)]))
    assert state.card == [first, second]
    return state


@pytest.mark.parametrize(
    ("actions", "scores"),
    [
        ((PASS, PASS), [1, -1]),
        ((BET, BET), [2, -2]),
        ((PASS, BET, BET), [2, -2]),
        ((BET, PASS), [1, -1]),
        ((PASS, BET, PASS), [-1, 1]),
    ],
)
def test_the_ends_of_a_match(actions: tuple[int, ...], scores: list[int]) -> None:
    """Clauses 2 to 5, where the first player has the better card."""
    state = dealt(2, 1)
    for action in actions:
        assert not state.over
        assert GAME.scores(state) == [0, 0]
        GAME.play(state, action, Script())
    assert state.over
    assert GAME.scores(state) == scores
    assert GAME.winners(state) == [scores.index(max(scores))]


def test_the_story() -> None:
    match = Match(GAME, seed=5)
    match.play("bet")
    match.play("pass")
    assert match.story[2:] == ["First bets a chip", "Second passes", "First wins 1 from the other"]


def test_it_is_openspiels_game_state_by_state() -> None:
    """Players, choices, what each player knows, and the returns, over the whole tree."""
    counts = walked_with_openspiel(GAME, "kuhn_poker")
    assert counts == {"chance": 4, "decision": 24, "end": 30, "information sets": 12}
