"""Exactly what an action can lead to: probabilities, and that simulation draws as the rules say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import parlour
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.outcomes import OPENING, asks_chance, outcomes, paths


def test_the_opening_of_verfuchst_is_a_seat_and_a_die() -> None:
    game = registry.get("verfuchst")
    blank = game.blank(3)
    found = outcomes(game, blank, OPENING)
    assert {(one.state.to_move, one.state.die, one.probability) for one in found} == {
        (seat, die, Fraction(1, 18)) for seat in range(3) for die in range(1, 7)
    }
    assert blank == game.blank(3), "nothing is played on the state itself"


def test_paths_that_lead_to_one_position_are_added_up() -> None:
    match = Match(registry.get("goose"), 2, 5)
    (action,) = match.legal()
    ways = list(paths(match.game, match.state, action))
    found = outcomes(match.game, match.state, action)
    assert len(ways) == 36, "two dice"
    assert {way.probability for way in ways} == {Fraction(1, 36)}
    assert len(found) < 36
    assert sum(outcome.probability for outcome in found) == 1
    sums = Counter[tuple[int, ...]]()
    for way in ways:
        sums[tuple(way.state.position)] += 1
    for outcome in found:
        assert outcome.probability <= Fraction(sums[tuple(outcome.state.position)], 36)


def test_without_chance_there_is_one_outcome() -> None:
    match = Match(registry.get("connect_four"), seed=1)
    (only,) = outcomes(match.game, match.state, 3)
    match.play(3)
    assert only.state == match.state
    assert (only.probability, only.draws) == (Fraction(1), ())


def test_what_can_go_on_without_end_is_told() -> None:
    """Clause 2 of Goose: whoever ties for the start throws again."""
    game = registry.get("goose")
    with pytest.raises(ParlourError, match="goose: chance can answer in too many ways to the opening: more than 500"):
        outcomes(game, game.blank(2), OPENING, 500)


def test_which_games_ask_chance_is_seen_in_their_code() -> None:
    asking = {game.name for game in registry.all_games() if asks_chance(game)}
    assert asking >= {"goose", "verfuchst", "mazerunner", "game17"}
    assert not asking & {"choccer", "connect_four"}


@pytest.mark.parametrize(("name", "plies"), [("goose", 3), ("verfuchst", 6), ("mazerunner", 2)])
def test_simulation_draws_as_the_rules_say(name: str, plies: int) -> None:
    """Many rows play one action from one position: each outcome comes up as often as its probability says."""
    rows = 20_000
    batch = parlour.Batch(name, rows, 2, seed=11)
    for _ in range(plies):
        batch.copy_row(0, slice(1, None), with_chance=False)
        before, action = batch.state(0), batch.legal(0)[0]
        batch.step(np.full(rows, action))
        found = outcomes(batch.game, before, action)
        assert sum(outcome.probability for outcome in found) == 1
        counts = Counter(batch.states[row].tobytes() for row in range(rows))
        expected = {outcome.state.pack(): float(rows * outcome.probability) for outcome in found}
        assert set(counts) <= set(expected), "nothing happens that cannot"
        off = sum((counts[packed] - count) ** 2 / count for packed, count in expected.items())
        assert off < len(found) + 6 * (2 * len(found)) ** 0.5, "chi squared"
