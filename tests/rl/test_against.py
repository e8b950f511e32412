"""``rl.vector(opponents=…)``: every step is a choice of the learner's, and who loses is told so."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import rl
from parlour.engine.errors import BadSeats, IllegalAction, ParlourError


def first_legal(seen: Any, mask: Any) -> Any:
    """A frozen policy: the first column that is free."""
    return mask.argmax(axis=1)


def played(env: Any, steps: int, choose: Any = first_legal, seed: int = 3) -> list[tuple[Any, ...]]:
    """What so many steps give."""
    seen, info = env.reset(seed=seed)
    told = []
    for _ in range(steps):
        acted = info["to_move"]
        seen, reward, over, cut, info = env.step(choose(seen, info["action_mask"]))
        told.append((acted, reward.copy(), over.copy(), cut.copy(), info))
    return told


def test_it_is_always_the_learners_turn() -> None:
    env = rl.vector("connect_four", 64, opponents="random")
    env.reset(seed=1)
    for acted, reward, over, cut, info in played(env, 60):
        assert info["learner"].sum(axis=1).tolist() == [1] * 64
        assert info["learner"][np.arange(64), info["to_move"]].all()
        assert not cut.any()
        assert (reward[~over] == 0).all()
        assert set(reward[over].tolist()) <= {-1.0, 0.0, 1.0}
        assert (info["rewards"][np.arange(64), acted] == reward).all()


def test_whoever_loses_is_told_so() -> None:
    """The trap of self-play: there, whoever acts never loses by it; here, the other's reply counts."""
    alone = played(rl.vector("connect_four", 256), 60)
    assert min(float(reward.min()) for _, reward, *_ in alone) == 0.0
    met = played(rl.vector("connect_four", 256, opponents=first_legal), 60)
    assert min(float(reward.min()) for _, reward, *_ in met) == -1.0
    assert abs(sum(float(reward.sum()) for _, reward, *_ in met)) < 0.2 * sum(int(over.sum()) for _, _, over, *_ in met)


def test_it_plays_by_the_rules_of_single_matches() -> None:
    """One row, replayed by hand: the same actions lead to the same end, and the seat that acts is the learner's."""
    env = rl.vector("connect_four", 1, opponents=first_legal, seat=1)
    seen, info = env.reset(seed=9)
    match = parlour.new("connect_four")
    match.play(match.legal()[0])
    while True:
        assert info["to_move"][0] == match.to_move == 1
        assert (seen[0] == match.seen_by(1).observation).all()
        action = match.legal()[-1]
        match.play(action)
        if not match.over:
            match.play(match.legal()[0])
        seen, reward, over, _, info = env.step(np.array([action]))
        assert over[0] == match.over
        if match.over:
            assert reward[0] == (1.0 if match.winners == [1] else -1.0 if match.winners else 0.0)
            assert (info["final_obs"][0] == match.seen_by(1).observation).all()
            break


def test_a_mix_is_drawn_for_every_match_anew() -> None:
    """A frozen self, a bot by its name, a bot, chance, and the learner itself: each of them sits somewhere at times."""
    seen_by_frozen = []

    def frozen(seen: Any, mask: Any) -> Any:
        seen_by_frozen.append(len(seen))
        return mask.argmax(axis=1)

    class Last:
        asked = 0

        def choose(self, decision: Any) -> int:
            Last.asked += 1
            assert decision.state.to_move == decision.seat
            return int(decision.legal[-1])

    env = rl.vector("connect_four", 32, opponents=[frozen, "greedy", Last(), "random", "learner"])
    both = [int(info["learner"].all(axis=1).sum()) for *_, info in played(env, 12)]
    assert sum(seen_by_frozen) > 20
    assert Last.asked > 20
    assert any(both)
    assert max(both) < 32


def test_opponents_can_be_changed_between_matches() -> None:
    env: Any = rl.vector("connect_four", 16, opponents=first_legal)
    played(env, 3)
    calls = []

    def later(seen: Any, mask: Any) -> Any:
        calls.append(len(seen))
        return mask.argmax(axis=1)

    env.opponents = [later]
    assert env.opponents == [later]
    env.reset()
    env.step(env._info()["action_mask"].argmax(axis=1))
    assert sum(calls) >= 16


def test_the_same_seed_is_the_same_play() -> None:
    def course(env: Any) -> list[Any]:
        return [
            (reward.tolist(), over.tolist(), info["learner"].tolist()) for _, reward, over, _, info in played(env, 25)
        ]

    env = rl.vector("goose", 8, seats=3, opponents=["random", "greedy"])
    once = course(env)
    assert course(rl.vector("goose", 8, seats=3, opponents=["random", "greedy"])) == once
    env.reset(seed=3)
    twin = copy.deepcopy(env)
    actions = env._info()["action_mask"].argmax(axis=1)
    assert (env.step(actions)[0] == twin.step(actions)[0]).all()


@pytest.mark.parametrize("game", ["verfuchst", "goose", "mazerunner"])
def test_games_with_dice_and_many_seats(game: str) -> None:
    env = rl.vector(game, 12, seats=3, opponents="random")
    for _, reward, _, _, info in played(env, 30):
        assert info["learner"][np.arange(12), info["to_move"]].all()
        assert np.isfinite(reward).all()
        assert (np.abs(info["rewards"].sum(axis=1)) < 1e-5).all()


def test_begun_anew_in_the_next_step_or_when_asked() -> None:
    env = rl.vector("connect_four", 8, opponents=first_legal, autoreset_mode="next_step")
    before = np.zeros(8, np.bool_)
    ended = 0
    for _, reward, over, _, info in played(env, 60):
        assert not (over & before).any(), "a match that begins does not end in that step"
        assert (reward[before] == 0).all()
        assert (info["to_move"] >= 0).all()
        before = over
        ended += int(over.sum())
    assert ended > 8
    env = rl.vector("connect_four", 4, opponents=first_legal, autoreset_mode="disabled", seat=0)
    _, info = env.reset(seed=1)
    done = np.zeros(4, np.bool_)
    for _ in range(30):
        _, reward, over, _, info = env.step(info["action_mask"].argmax(axis=1))
        assert (reward[done] == 0).all()
        assert not (over & done).any(), "it has ended once"
        done |= over
    assert done.all()
    _, info = env.reset(options={"reset_mask": np.array([True, False, False, False])})
    assert info["action_mask"].any(axis=1).tolist() == [True, False, False, False]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ParlourError, match="nobody called 'nobody'"):
        rl.vector("connect_four", 2, opponents="nobody")
    with pytest.raises(ParlourError, match="an opponent is a bot, its name, or a function"):
        rl.vector("connect_four", 2, opponents=[3])
    with pytest.raises(ParlourError, match="opponents are one or more"):
        rl.vector("connect_four", 2, opponents=[])
    with pytest.raises(ParlourError, match="an opponent needs a seat"):
        rl.vector("mazerunner", 2, seats=1, opponents="random")
    with pytest.raises(BadSeats, match="there is no seat 5"):
        rl.vector("connect_four", 2, opponents="random", seat=5)
    with pytest.raises(ParlourError, match="opponents play on the CPU"):
        rl.vector("connect_four", 2, opponents="random", device="cuda")
    with pytest.raises(ParlourError, match="seat is for a vector with opponents"):
        rl.vector("connect_four", 2, seat=1)
    env = rl.vector("connect_four", 2, opponents="random")
    env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(np.array([7, 0]))
    cheat = rl.vector("connect_four", 2, opponents=lambda seen, mask: np.full(len(seen), 99))
    with pytest.raises(IllegalAction):
        played(cheat, 2)


def test_a_batch_plays_some_rows_and_leaves_the_others() -> None:
    batch = parlour.Batch("connect_four", 3, record=True)
    batch.step([3, 99, -5], rows=[True, False, False])
    assert batch.states["ply"].tolist() == [1, 0, 0]
    batch.step([0, 1, 2], rows=[1, 2])
    assert batch.states["ply"].tolist() == [1, 1, 1]
    assert batch.match(1).actions == [1]
    with pytest.raises(IllegalAction):
        batch.step([-1, 0, 0], rows=[0])
    with pytest.raises(IllegalAction):
        batch.step([-1, 0, 0])
    with pytest.raises(IndexError):
        batch.step([0, 0, 0], rows=[3])
    assert batch.states["ply"].tolist() == [1, 1, 1]
