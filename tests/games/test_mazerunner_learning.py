"""The programs by which mazerunner's runner learnt its numbers and its network."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.bots.mazerunner.network import Network, Positions, fit
from benchmarks.bots.mazerunner.numbers import STEPS, flat, style_of

import parlour
from parlour.games.mazerunner.bots.features import FEATURES, HP, MAPS, see
from parlour.games.mazerunner.bots.network import WHOLE, chance_of
from parlour.games.mazerunner.bots.style import THUMB, TUNED


def test_a_style_is_a_row_of_numbers_and_back() -> None:
    for style in (THUMB, TUNED):
        assert style_of(flat(style)) == style
    assert len(flat(STEPS)) == len(flat(THUMB)) == 67
    assert (flat(STEPS) > 0).all()


def whoever_has_more_maps_wins(count: int, seats: int) -> Positions:
    random = np.random.default_rng(3)
    seen = random.integers(0, 2, (count, seats, FEATURES)).astype(np.int8)
    seen[..., MAPS] = random.permuted(np.tile(np.arange(seats), (count, 1)), axis=1)
    shares = (seen[..., MAPS] == seats - 1).astype(np.float32)
    return Positions(seen, np.ones((count, seats), np.bool_), shares)


def test_a_network_learns_who_wins() -> None:
    data = {seats: whoever_has_more_maps_wins(2000, seats) for seats in (2, 3)}
    network = Network(np.ones(FEATURES, np.float32), 4, 1)
    first = [network.learn(data[2], 0.05) for _ in range(40)]
    assert first[-1] < 0.2 < first[0]
    _, losses = fit(data, minutes=0.0001, seed=1, units=4)
    assert losses.keys() == {2, 3}


def test_in_whole_numbers_a_network_says_the_same() -> None:
    network = Network(np.full(FEATURES, 0.1, np.float32), 8, 5)
    whole, match = network.whole(), parlour.new("mazerunner", seats=3, seed=4)
    match.state.hp[1] -= 9
    match.state.maps[2] += 3
    seen = np.zeros((1, 3, FEATURES), np.int8)
    for seat in range(3):
        row = [0] * FEATURES
        see(match.state, seat, row)
        seen[0, seat] = row
    assert seen[0, 1, HP] != seen[0, 0, HP]
    chances = network.look(Positions(seen, np.ones((1, 3), np.bool_), np.zeros((1, 3), np.float32)))[2]
    for seat in range(3):
        said = chance_of(match.state, seat, whole.astype(np.int64), [0] * FEATURES, [0] * 8)
        assert said / WHOLE == pytest.approx(float(chances[0, seat]), abs=0.006)
