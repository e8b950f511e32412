"""Random legal actions from masks: legal, all equally likely, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from parlour import rl


@pytest.mark.parametrize("actions", [7, 64, 65, 300])
def test_every_legal_action_is_as_likely_as_any_other(actions: int) -> None:
    rows = 20_000
    mask = np.zeros((rows, actions), np.bool_)
    legal = [0, 3, actions - 2, actions - 1]
    mask[:, legal] = True
    mask[:5] = False
    mask[5:9, :] = True
    chosen = rl.random_legal(mask, np.random.default_rng(1))
    assert chosen.dtype == np.int64
    assert not chosen[:5].any(), "0 where nothing is legal"
    counts = np.bincount(chosen[9:], minlength=actions)
    assert set(np.flatnonzero(counts)) == set(legal)
    assert np.abs(counts[legal] / (rows - 9) - 0.25).max() < 0.015
    assert (chosen == rl.random_legal(mask, np.random.default_rng(1))).all()
    assert (chosen != rl.random_legal(mask)).any()


def test_without_rows_or_legal_actions_nothing_is_chosen() -> None:
    for actions in (7, 300):
        assert rl.random_legal(np.zeros((0, actions), np.bool_)).tolist() == []
        assert rl.random_legal(np.zeros((2, actions), np.bool_)).tolist() == [0, 0]


def test_a_luck_close_to_one_stays_among_the_legal_actions() -> None:
    class Luckiest(np.random.Generator):
        def random(self, size: object = None, *_: object, **__: object) -> object:  # type: ignore[override]
            return np.full(size, np.nextafter(np.float32(1), np.float32(0)), np.float32)  # type: ignore[call-overload]

    for actions in (7, 300):
        mask = np.ones((3, actions), np.bool_)
        assert rl.random_legal(mask, Luckiest(np.random.PCG64(1))).tolist() == [actions - 1] * 3
