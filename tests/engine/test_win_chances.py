"""How likely each seat is to win: by NumPy as by the rules of arithmetic, and by the judge that a game comes with."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parlour
from judges import any_judge
from parlour.engine import registry
from parlour.engine.check import play_random
from parlour.engine.judge.arithmetic import chance_seen
from parlour.engine.win_chances import judged_seats, shares


@pytest.mark.parametrize("largest", [300, 32_767])
@pytest.mark.parametrize(("name", "seats"), [("connect_four", 2), ("verfuchst", 3), ("mazerunner", 2)])
def test_numpy_says_what_the_arithmetic_says(name: str, seats: int, largest: int) -> None:
    game = registry.get(name)
    judge, match = any_judge(game, largest), parlour.new(name, seats, seed=3)
    for _ in range(2):
        for seat in range(seats):
            seen = game.observed(match.state, seat)
            plain = chance_seen(seen, judge.plain, [0] * len(seen), [0] * judge.units)
            assert judge.quick.chance(np.array(seen)) == plain
        play_random(match, 9)


def test_numbers_of_many_values_count_at_their_ends_and_beyond() -> None:
    judge = any_judge(registry.get("mazerunner"), 300)
    size = judge.game.observation_size
    assert judge.weights.wide.size
    for value in (-(2**40), 5, 256, 2**40):
        plain = chance_seen([value] * size, judge.plain, [0] * size, [0] * judge.units)
        assert judge.quick.chance(np.full(size, value)) == plain


def test_a_match_tells_win_chances_where_the_game_has_a_judge() -> None:
    match = parlour.new("connect_four", seed=1)
    for action in "454":
        match.play(action)
    chances = match.seen_by(None).chances
    assert chances is not None
    assert sum(chances) == pytest.approx(1)
    assert 0 < chances[1] < chances[0] < 1, "red has two in the middle"
    assert match.seen_by(0).chances == match.seen_by(1).chances == chances
    for action in "5454":
        match.play(action)
    assert match.over
    assert match.seen_by(None).chances == [1.0, 0.0]
    assert parlour.new("goose", seed=1).seen_by(None).chances is None


def test_the_end_of_a_match_is_shared() -> None:
    assert shares([1], 3) == [0, 1, 0]
    assert shares([0, 2], 3) == [0.5, 0, 0.5]
    assert shares([], 4) == [0.25] * 4
    assert shares([], 1) == [0]


def test_a_judge_of_other_rules_or_without_a_file_tells_nothing() -> None:
    game = registry.get("connect_four")
    assert judged_seats(game) == {2}
    assert judged_seats(dataclasses.replace(game, version=99)) == frozenset()
    lost = dataclasses.replace(game)
    vars(lost.players)["bots"] = dataclasses.replace(game.players.bots, judge="nowhere.judge")
    assert judged_seats(lost) == frozenset()


@pytest.mark.parametrize("stream", [None, 3])
def test_every_position_of_a_match_comes_again(stream: int | None) -> None:
    game = registry.get("verfuchst")
    match = parlour.Match(game, 2, 5, stream=stream)
    known = [match.state.copy()]
    for _ in range(12):
        match.play(match.legal()[0])
        known.append(match.state.copy())
    assert [state.copy() for state in match.positions()] == known
    assert match.state == known[-1]
