"""Ratings find the strengths that made the results, and say how sure they are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.arena.coverage import coverage
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.arena.rating import ELO, Groups, Interval, expected_score, ratings, student, wilson
from parlour.arena.results import OVER, Result
from parlour.arena.standings import standings
from parlour.arena.tournament import Tournament


def results_of(strengths: list[float], tables: list[tuple[int, ...]], rounds: int, seed: int) -> Groups:
    """Matches as the model says they go: each table plays each round once per seat."""
    random = np.random.default_rng(seed)
    seated, points = [], []
    for _ in range(rounds):
        for table in tables:
            chances = np.exp([strengths[bot] / ELO for bot in table])
            seated.append(table)
            points.append(list(random.multinomial(len(table), chances / chances.sum()).astype(float)))
    return Groups(len(strengths), seated, points)


ROBIN: list[tuple[int, ...]] = [(0, 1), (0, 2), (1, 2)]
ROYALE = [(0, 1, 2)]
TRUE = [150.0, 0.0, -150.0]


@pytest.mark.parametrize("tables", [ROBIN, ROYALE])
def test_known_strengths_are_recovered(tables: list[tuple[int, ...]]) -> None:
    found = ratings(results_of(TRUE, tables, 3000, seed=1), resamples=100)
    assert [rating.value for rating in found] == pytest.approx(TRUE, abs=15)


@pytest.mark.parametrize("luck", [0.0, 1.5])
@pytest.mark.parametrize("strengths", [[0.0, 0.0], [200.0, -200.0], [0.0, 0.0, 0.0], [300.0, 0.0, -300.0]])
def test_intervals_from_ten_rounds_hold_the_truth_as_often_as_they_say(strengths: list[float], luck: float) -> None:
    """95% are meant. That fewer than 92% of so many do is no accident; an ordinary bootstrap's are 77 to 92%."""
    assert coverage(strengths, rounds=10, luck=luck, tournaments=250, resamples=200) >= 0.92


def test_an_interval_from_many_rounds_is_not_wider_than_it_need_be() -> None:
    """Two equal bots, 1,000 pairs: the score's standard error is known, and so is the rating's."""
    rating, _ = ratings(results_of([0.0, 0.0], [(0, 1)], 1000, seed=1))
    exact = 2 * 1.96 * ELO * 4 * math.sqrt(0.25 / 2000) / 2
    assert rating.high - rating.low == pytest.approx(exact, rel=0.1)


def test_students_distribution() -> None:
    """As tables of it say."""
    known = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 9: 2.262, 30: 2.042, 1000: 1.962}
    assert {freedom: student(freedom) for freedom in known} == pytest.approx(known, abs=0.005)


def test_more_matches_make_narrower_intervals() -> None:
    few, many = (ratings(results_of(TRUE, ROBIN, rounds, 3), resamples=200) for rounds in (10, 1000))
    assert many[0].high - many[0].low < (few[0].high - few[0].low) / 4


def test_two_bots_have_the_rating_of_their_score() -> None:
    found = ratings(Groups(2, [(0, 1)] * 1000, [(1.5, 0.5)] * 1000), resamples=100)
    assert expected_score(found[0].value - found[1].value) == pytest.approx(0.75, abs=0.001)


def test_one_sided_results_are_finite_and_not_certain() -> None:
    better, worse = ratings(Groups(2, [(0, 1)] * 10, [(2.0, 0.0)] * 10))
    assert better.value == pytest.approx(-worse.value)
    assert 0 < better.low < better.value < better.high < 10_000
    assert better.high - better.low > 100


def test_all_tied_is_zero_for_everybody() -> None:
    for rating in ratings(Groups(3, ROBIN * 10, [(1.0, 1.0)] * 30)):
        assert rating.value == pytest.approx(0, abs=1e-6)
        assert rating.low <= 0 <= rating.high


def test_few_or_no_results() -> None:
    assert ratings(Groups(0, [], [])) == []
    assert ratings(Groups(1, [(0,)] * 3, [(1.0,)] * 3)) == [Interval(0.0, 0.0, 0.0)]
    unknown = ratings(Groups(2, [], []))
    assert unknown[0].value == pytest.approx(0)
    assert unknown[0].low < -100
    assert unknown[0].high > 100


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_no_results_break_it(data: st.DataObject) -> None:
    """One-sided, tied, disconnected, empty, everybody at zero: numbers come out, in order."""
    bots = data.draw(st.integers(1, 5))
    table = st.lists(st.integers(0, bots - 1), min_size=1, max_size=bots, unique=True)
    tables = data.draw(st.lists(table, max_size=12))
    point = st.sampled_from([0.0, 0.5, 1.0, 200.0])
    points = [data.draw(st.lists(point, min_size=len(seats), max_size=len(seats))) for seats in tables]
    found = ratings(Groups(bots, tables, points), resamples=100)
    for rating in found:
        assert all(map(math.isfinite, (rating.value, rating.low, rating.high)))
        assert rating.low <= rating.value <= rating.high
    assert sum(rating.value for rating in found) == pytest.approx(0, abs=1e-6)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_wilson_holds_its_share(points: int, more: int) -> None:
    share = wilson(points / max(1, points + more), points + more)
    assert 0 <= share.low <= share.value <= share.high <= 1
    assert (share.low, share.high) != (share.value, share.value), "no share is certain"


def test_wilson_of_known_numbers() -> None:
    share = wilson(187 / 200, 200)
    assert [share.low, share.high] == pytest.approx([0.892, 0.962], abs=0.001)
    assert wilson(0.0, 0) == Interval(0.0, 0.0, 1.0)


def test_the_matches_of_one_seed_are_one_observation() -> None:
    """Though they were played side by side, and came in another order."""
    plan = Tournament("choccer", 1, {}, "robin", ("greedy", "random"), 2, 1)
    played = [(0, 0, [0, 1]), (2, 1, [0, 1]), (1, 0, [1, 0]), (3, 1, [1, 0])]
    results = {
        number: Result(number, group, 5, bots, OVER, winners=[bots.index(0)], actions=[1, 1], seconds=[0.0, 0.0])
        for number, group, bots in played
    }
    found = standings(plan, results)
    assert (found.rows[0].matches, found.rows[0].score) == (4, wilson(1.0, 2))
    assert found.meetings[0, 1].share == wilson(1.0, 2)
