"""Matches played by a policy tell the same as random play does, where the policy is to play at random."""

from __future__ import annotations

import pytest
from benchmarks.bots.policy_play import play_policy

from parlour.engine import registry
from parlour.engine.compiled.drivers import any_action
from parlour.lab.simulate import simulate


@pytest.mark.parametrize(("name", "seats", "options"), [("game17", 3, {"edge": 4, "rounds": 6}), ("verfuchst", 4, {})])
def test_a_policy_of_any_action_is_random_play(name: str, seats: int, options: dict[str, int]) -> None:
    """In game17 the order of play is drawn anew: who came first is not who sits clockwise from the first."""
    game = registry.get(name)
    by_policy = play_policy(game, any_action, 300, seats, seed=4, options=options).statistics
    at_random = simulate(game, 300, seats, seed=4, options=options)
    assert by_policy.win_share_by_order == pytest.approx(at_random.win_share_by_order)
    assert by_policy.win_share == pytest.approx(at_random.win_share)
    assert by_policy.mean_scores == pytest.approx(at_random.mean_scores)
    assert (by_policy.outcomes, by_policy.mean_turns) == (at_random.outcomes, at_random.mean_turns)
