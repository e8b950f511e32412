"""The sequential test answers, answers truly, and ends."""

from __future__ import annotations

import numpy as np
import pytest

from parlour.arena.sequential import BETTER, NOT_BETTER, UNDECIDED, Claims, SequentialTest
from parlour.engine.errors import ParlourError


def answer(chance: float, seed: int, *, draws: float = 0.0, pairs: int = 3000) -> SequentialTest:
    """The test of a bot that wins each match with that chance, but for draws."""
    random = np.random.default_rng(seed)
    test = SequentialTest()
    while test.answer == UNDECIDED and len(test.scores) < pairs:
        drawn, won = random.random(2) < draws, random.random(2) < chance
        test.add(float(np.where(drawn, 0.5, won).mean()))
    return test


@pytest.mark.parametrize(("chance", "expected"), [(1.0, BETTER), (0.8, BETTER), (0.2, NOT_BETTER), (0.0, NOT_BETTER)])
def test_clear_cases_are_clear_soon(chance: float, expected: str) -> None:
    test = answer(chance, 1)
    assert test.answer == expected
    assert len(test.scores) < 60


@pytest.mark.parametrize("draws", [0.0, 0.8])
def test_an_equal_bot_is_seldom_called_better(draws: float) -> None:
    """The risk is 5% at most: more than 10 of 60 would happen once in ten thousand times."""
    answers = [answer(0.5, seed, draws=draws).answer for seed in range(60)]
    assert answers.count(BETTER) <= 10
    assert answers.count(NOT_BETTER) >= 45


def test_a_better_bot_is_seldom_called_not_better() -> None:
    answers = [answer(0.55, seed).answer for seed in range(40)]
    assert answers.count(NOT_BETTER) <= 7
    assert answers.count(BETTER) >= 30


def test_the_interval_agrees_with_the_answer() -> None:
    for seed in range(5):
        test = answer(0.7, seed)
        assert test.answer == BETTER
        score = test.interval()
        assert test.claims.worse <= score.low + 0.0025
        assert score.low <= score.value <= score.high


def test_nothing_after_the_answer_counts() -> None:
    test = answer(1.0, 1)
    pairs = len(test.scores)
    assert test.add(0.0) == BETTER
    assert len(test.scores) == pairs


def test_all_tied_ends() -> None:
    test = answer(0.5, 1, draws=1.0)
    assert test.answer == NOT_BETTER
    assert SequentialTest().interval().high == 1.0, "nothing played, nothing known"


@pytest.mark.parametrize("claims", [(0.6, 0.5, 0.05, 0.05), (0.0, 0.5, 0.05, 0.05), (0.5, 0.55, 0.0, 0.05)])
def test_claims_that_cannot_be_told_apart(claims: tuple[float, float, float, float]) -> None:
    with pytest.raises(ParlourError):
        Claims(*claims)
