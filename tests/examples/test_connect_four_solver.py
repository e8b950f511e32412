"""The solver that bots of Connect Four are measured with says what trying everything says."""

from __future__ import annotations

import random

import pytest
from benchmarks.bots import connect_four as bench
from benchmarks.bots.connect_four_solver import Solver

from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.state import State


def value_by_trying(game: Game, state: State) -> int:
    """What the position is worth to the seat to move."""
    best = -1
    for action in game.legal_actions(state):
        after = state.copy()
        game.play(after, action, Chance([1, 2, 3, 4]))
        value = int(game.won(after, state.to_move)) if after.over else -value_by_trying(game, after)
        best = max(best, value)
    return best


def test_the_solver_and_trying_everything_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "FEWEST", 32)
    monkeypatch.setattr(bench, "MOST", 38)
    game, own, solver = registry.get("connect_four"), random.Random(4), Solver()
    found = []
    for _ in range(40):
        state = bench.any_position(game, own)
        found.append(solver.value(state.discs[state.to_move], state.discs[0] | state.discs[1]))
        assert found[-1] == value_by_trying(game, state)
    assert set(found) == {-1, 0, 1}


def test_a_search_finds_most_of_the_best_actions_late_in_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "FEWEST", 26)
    assert bench.share_of_best("mcts:2000p", 20, seed=3) >= 0.9
    assert bench.share_of_best("random", 20, seed=3) < 0.9
