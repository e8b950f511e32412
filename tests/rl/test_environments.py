"""Environments for learners pass the tests of the libraries that they are made for, in every game."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from parlour import Batch, rl
from parlour.engine import registry
from parlour.engine.bots import Decision
from parlour.engine.errors import BadSeats, IllegalAction, ParlourError
from parlour.rl import batch_env

SHORT: dict[str, dict[str, Any]] = {"game17": {"edge": 3, "rounds": 2}, "mazerunner": {"rounds": 2}}

# Their tests import games of theirs by names that they call old, and warn of observations that are dictionaries, which
# is how their own games show masks.
ignore_theirs = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
every_game = pytest.mark.parametrize("game", registry.names())


@ignore_theirs
@every_game
def test_pettingzoo(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test, max_cycles_test, seed_test
    from pettingzoo.utils.conversions import parallel_to_aec

    options = SHORT.get(game, {})
    api_test(rl.aec(game, **options), num_cycles=40)
    seed_test(lambda: rl.aec(game, **options), num_cycles=25)
    at_once = partial(rl.parallel, game, illegal="random", **options)
    max_cycles_test(
        SimpleNamespace(parallel_env=at_once, env=lambda max_cycles: parallel_to_aec(at_once(max_cycles=max_cycles)))
    )


@every_game
def test_gymnasium(game: str) -> None:
    check_env(rl.single(game, **SHORT.get(game, {})), skip_render_check=True)


@every_game
def test_openspiel(game: str) -> None:
    import pyspiel

    assert f"parlour_{game}" in rl.register_openspiel()
    made = pyspiel.load_game(f"parlour_{game}", SHORT.get(game, {}))
    sampled = made.get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    assert sampled == (game not in ("choccer", "connect_four"))
    pyspiel.random_sim_test(made, num_sims=1, serialize=not sampled, verbose=False)


def test_openspiels_search_plays_our_games() -> None:
    import pyspiel
    from open_spiel.python.algorithms import mcts

    rl.register_openspiel()
    game = pyspiel.load_game("parlour_connect_four")
    state = game.new_initial_state()
    for column in (0, 6, 1, 6, 2, 6):
        state.apply_action(column)
    bot = mcts.MCTSBot(game, 2.0, 30, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=True)
    assert bot.step(state) in (3, 6), "it wins, or at least does not lose at once"
    state.apply_action(3)
    assert state.returns() == [1.0, -1.0]


def test_seats_take_turns_and_the_winner_gets_one() -> None:
    env = rl.aec("connect_four", render_mode="ansi")
    env.reset(seed=1)
    for column in (0, 1, 0, 1, 0, 1):
        seen, reward, ended, _, _ = env.last()
        assert (reward, ended) == (0.0, False)
        assert seen["action_mask"].tolist() == [1] * 7
        env.step(column)
    with pytest.raises(IllegalAction, match="action 9 is illegal: seat 0 may not choose it"):
        env.step(9)
    env.step(0)
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}
    assert all(env.terminations.values())
    board = env.render()
    assert board is not None
    assert "Red" in board


@pytest.mark.parametrize(("mode", "begins"), [("svg", "<svg"), ("ansi", " ")])
def test_render_gives_the_picture_or_the_board(mode: str, begins: str) -> None:
    for env in (rl.aec("goose", render_mode=mode), rl.single("goose", render_mode=mode)):
        env.reset(seed=1)
        drawn: Any = env.render()
        assert drawn.startswith(begins)


class Leftmost:
    """A bot of one's own."""

    def choose(self, decision: Decision) -> int:
        return decision.legal[0]


def test_a_learner_against_bots() -> None:
    env = rl.single("connect_four", opponents=[Leftmost()], seat=1)
    _, info = env.reset(seed=3)
    assert env.episodes.match.actions == [0]
    told = [env.step(column)[1:3] for column in (1, 2, 3)]
    assert told == [(0.0, False), (0.0, False), (-1.0, True)], "four in the first column come first"
    _, info = env.reset(seed=3)
    assert info["action_mask"].sum() == 7
    _, reward, ended, _, _ = env.step(np.int64(100))
    assert (reward, ended) == (-1.0, True), "an illegal action loses"


def test_opponents_fill_the_other_seats() -> None:
    assert rl.single("verfuchst", opponents=["random", "greedy"]).episodes.seats == 3
    with pytest.raises(BadSeats, match="4 seats take 3 opponents, not 1"):
        rl.single("verfuchst", opponents=["random"], seats=4)
    with pytest.raises(BadSeats, match="there is no seat 2"):
        rl.single("choccer", seat=2)
    with pytest.raises(ParlourError, match="illegal is 'raise', 'lose' or 'random', not 'ignore'"):
        rl.aec("choccer", illegal="ignore")
    with pytest.raises(ParlourError, match="render_mode is 'ansi' or 'svg', not 'human'"):
        rl.aec("choccer", render_mode="human")


def test_a_vector_of_matches_is_a_batch() -> None:
    env = rl.vector("connect_four", 16)
    seen, info = env.reset(seed=5)
    assert env.observation_space.contains(seen)
    rng, ended, won = np.random.default_rng(1), 0, 0.0
    for _ in range(50):
        actions = np.argmax(rng.random((16, 7)) * info["action_mask"], axis=1)
        assert env.action_space.contains(actions)
        seen, rewards, over, cut, info = env.step(actions)
        assert env.observation_space.contains(seen)
        assert not cut.any()
        ended, won = ended + int(over.sum()), won + float(rewards.sum())
    assert ended > 16
    assert ended * 0.9 < won <= ended, "whoever makes the last move has won, but for draws"
    again, _ = rl.vector("connect_four", 16).reset(seed=5)
    assert (again == env.reset(seed=5)[0]).all()
    assert env.render()[0].startswith("<svg")
    with pytest.raises(ParlourError, match="too many actions for masks"):
        rl.vector("game17", 2)


def test_the_libraries_are_not_imported_before_they_are_needed() -> None:
    code = "import parlour, parlour.rl, sys; print({'pettingzoo', 'gymnasium', 'pyspiel', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_vector_on_a_gpu_shares_its_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything goes through the tensors of the device; here, those of a batch on the CPU stand in for them."""

    def on_cpu(game: str, count: int, seats: int | None, *, device: str, **given: Any) -> Batch:
        assert device == "cuda"
        return Batch(game, count, seats, **given)

    shared: list[Any] = []

    def empty(shape: tuple[int, ...], dtype: Any, device: str) -> Any:
        shared.append(np.empty(shape, dtype))
        return shared[-1]

    torch: Any = ModuleType("torch")
    torch.empty, torch.arange = empty, lambda rows, device: np.arange(rows)
    torch.int8, torch.bool, torch.int64, torch.float32 = np.int8, np.bool_, np.int64, np.float32
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(batch_env, "Batch", on_cpu)
    env = rl.vector("goose", 4, seats=2, device="cuda")
    seen, _ = env.reset(seed=1)
    assert seen is shared[0]
    seen, rewards, over, cut, info = env.step(np.zeros(4, np.int64))
    given = [seen, over, cut, info["rewards"], info["action_mask"], info["to_move"]]
    assert all(any(array is one for one in shared) for array in given)
    assert rewards.tolist() == [0.0] * 4
