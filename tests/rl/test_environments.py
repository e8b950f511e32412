"""Environments for learners pass the tests of the libraries that they are made for, in every game."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

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


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *((name, SHORT.get(name, {})) for name in registry.names()),
    ("goose", {"players": 4, "maze": 30}),
    ("verfuchst", {"players": 4}),
    ("mazerunner", {"players": 1, "rounds": 3}),
    ("game17", {"players": 4, "edge": 3, "rounds": 3}),
]


@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_openspiel(game: str, options: dict[str, Any]) -> None:
    import pyspiel

    assert f"parlour_{game}" in rl.register_openspiel()
    made = pyspiel.load_game(f"parlour_{game}", options)
    explicit = made.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert explicit == (game not in ("choccer", "connect_four"))
    pyspiel.random_sim_test(made, num_sims=1, serialize=True, verbose=False)


def spiel_walk(name: str, options: dict[str, Any], seed: int, steps: int) -> Any:
    """A state of OpenSpiel's after so many random steps."""
    import pyspiel

    rl.register_openspiel()
    state, rng = pyspiel.load_game(f"parlour_{name}", options).new_initial_state(), np.random.RandomState(seed)
    while steps and not state.is_terminal():
        steps -= 1
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert abs(sum(chances) - 1) < 1e-12
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", ["goose", "verfuchst", "mazerunner", "game17"])
def test_openspiels_dice_are_those_of_whoever_draws_them(name: str) -> None:
    """The same history is the same position: walked again, cloned, pickled and serialised."""
    import pyspiel

    options = SHORT.get(name, {})
    state, again = (spiel_walk(name, options, 5, 40) for _ in range(2))
    assert again.history() == state.history()
    kept = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1]
    for other in (again, state.clone(), pickle.loads(pickle.dumps(state)), kept):
        assert str(other) == str(state)
        assert other.state == state.state
        assert other.history() == state.history()
    assert str(pickle.loads(pickle.dumps(state.get_game()))) == str(state.get_game())


def test_openspiel_draws_from_many_numbers_in_several_nodes() -> None:
    """A zombie of game17 throws 30 coins at once: 2**30 numbers."""
    import pyspiel

    rl.register_openspiel()
    state = pyspiel.load_game("parlour_game17", {"edge": 3, "rounds": 2}).new_initial_state()
    widest = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert abs(sum(chance for _, chance in outcomes) - 1) < 1e-12
            widest = max(widest, len(outcomes))
            state.apply_action(outcomes[-1][0])
        else:
            state.apply_action(0)
    assert widest == 256 == state.get_game().max_chance_outcomes()


@pytest.mark.parametrize(("name", "seed"), [("verfuchst", 1), ("verfuchst", 2), ("mazerunner", 1), ("game17", 1)])
def test_openspiels_search_in_python_plays_games_with_dice(name: str, seed: int) -> None:
    from open_spiel.python.algorithms import mcts

    state = spiel_walk(name, SHORT.get(name, {}), seed, 30)
    rng = np.random.RandomState(seed)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    bot = mcts.MCTSBot(state.get_game(), 2.0, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert bot.step(state) in state.legal_actions()


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


@ignore_theirs
@every_game
def test_pictures_are_pixels(game: str) -> None:
    from pettingzoo.test import render_test

    render_test(partial(rl.aec, game, **SHORT.get(game, {})))
    env = rl.single(game, render_mode="rgb_array", **SHORT.get(game, {}))
    env.reset(seed=1)
    drawn = env.render()
    assert drawn.shape[1:] == (640, 3)
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 8, "there is something to see"
    assert env.metadata["render_fps"] > 0


@ignore_theirs
@every_game
def test_ids_have_the_version_of_the_rules(game: str) -> None:
    import gymnasium
    import pyspiel

    played = registry.get(game)
    camel = "".join(part.capitalize() for part in game.split("_"))
    name = f"parlour/{camel}-v{played.version}"
    assert name in rl.register_gymnasium()
    env = gymnasium.make(name, render_mode="rgb_array", **SHORT.get(game, {}))
    env.reset(seed=1)
    assert env.metadata["rules_version"] == played.version
    assert len(env.metadata["observation_version"]) == 16
    check_env(env.unwrapped)
    assert rl.aec(game).metadata["name"] == f"parlour_{game}_v{played.version}"
    rl.register_openspiel()
    assert (
        pyspiel.load_game(f"parlour_{game}_v{played.version}").num_players()
        == pyspiel.load_game(f"parlour_{game}").num_players()
    )


def test_a_vector_is_made_by_its_id() -> None:
    import gymnasium

    rl.register_gymnasium()
    name = f"parlour/ConnectFour-v{registry.get('connect_four').version}"
    env = gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point")
    assert env.reset(seed=1)[0].shape == (3, 85)


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
    with pytest.raises(ParlourError, match="render_mode is one of ansi, svg, rgb_array, human, not 'opengl'"):
        rl.aec("choccer", render_mode="opengl")


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


def test_a_match_that_ends_before_the_learners_turn_is_dealt_anew() -> None:
    env = rl.single("game17", edge=2, rounds=1, seats=4, seat=3)
    for seed in range(40):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any(), f"seed {seed}"
        assert not env.episodes.over


def test_a_step_after_the_end_raises() -> None:
    env = rl.single("connect_four", opponents=[Leftmost()])
    env.reset(seed=1)
    for column in (1, 1, 1):
        env.step(column)
    assert env.step(1)[1:3] == (1.0, True)
    with pytest.raises(ParlourError, match="the match is over: reset"):
        env.step(1)


def test_the_learner_sits_anywhere() -> None:
    env = rl.single("goose", seats=4, seat="random")
    told = [env.reset(seed=seed)[1]["seat"] for seed in range(40)]
    assert set(told) == {0, 1, 2, 3}
    assert told == [env.reset(seed=seed)[1]["seat"] for seed in range(40)]
    with pytest.raises(BadSeats, match="a seat is a whole number or 'random', not 'first'"):
        rl.single("goose", seat="first")


@pytest.mark.parametrize("action", [np.array(3), np.int64(3), np.uint8(3)])
def test_actions_as_learners_give_them(action: Any) -> None:
    """Stable Baselines' ``predict`` gives an array without dimensions."""
    env = rl.single("connect_four", seats=np.int64(2))
    env.reset(seed=1)
    env.step(action)
    assert env.episodes.played[0] == 3
    assert type(env.episodes.played[0]) is int
    agents = rl.aec("connect_four")
    agents.reset(seed=1)
    agents.step(action)
    with pytest.raises(IllegalAction, match="an action is a whole number"):
        agents.step(1.5)


def test_a_vector_can_be_copied_and_pickled() -> None:
    """A copy has matches of its own, and goes on as the original does."""
    env = rl.vector("goose", 5, seats=2)
    env.reset(seed=3)
    for _ in range(7):
        env.step(np.zeros(5, np.int64))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    before = env.batch.states.tobytes()
    told = [twin.step(np.zeros(5, np.int64)) for twin in twins]
    assert env.batch.states.tobytes() == before
    seen = env.step(np.zeros(5, np.int64))[0]
    assert all((each[0] == seen).all() for each in told)
    assert all(twin.batch.states.tobytes() == env.batch.states.tobytes() != before for twin in twins)


def four_in_a_column(env: Any, steps: int = 7) -> list[Any]:
    """Row 0 plays columns 0 and 1 until four stand in the first; row 1 fills its columns from the right."""
    return [env.step(np.array([step % 2, (6 - step) % 7])) for step in range(steps)]


def test_same_step_gives_what_was_seen_last() -> None:
    env = rl.vector("connect_four", 2)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    opening, _ = env.reset(seed=1)
    *_, (seen, rewards, over, _, info) = four_in_a_column(env)
    assert (over.tolist(), rewards.tolist()) == ([True, False], [1.0, 0.0])
    assert (seen[0] == opening[0]).all()
    assert info["_final_obs"].tolist() == [True, False]
    batch = Batch("connect_four", 1)
    for step in range(7):
        batch.step([step % 2])
    assert (info["final_obs"][0] == batch.observe()[0]).all()
    assert info["final_info"]["rewards"][0].tolist() == [1.0, -1.0]
    assert info["final_info"]["to_move"][0] == batch.to_move()[0]
    assert info["action_mask"][0].all()
    assert "final_obs" not in env.step(np.array([0, 0]))[-1]


def test_next_step_begins_anew_one_step_later() -> None:
    env = rl.vector("connect_four", 2, autoreset_mode="next_step")
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    opening, _ = env.reset(seed=1)
    *_, (seen, rewards, over, _, _) = four_in_a_column(env)
    assert (over.tolist(), rewards.tolist()) == ([True, False], [1.0, 0.0])
    assert not (seen[0] == opening[0]).all()
    seen, rewards, over, _, info = env.step(np.array([99, 0]))
    assert (over.tolist(), rewards.tolist()) == ([False, False], [0.0, 0.0]), "its action does nothing"
    assert (seen[0] == opening[0]).all()
    assert info["action_mask"][0].all()


def test_next_step_after_a_cut() -> None:
    """A match that was cut is not over by the rules; it begins anew all the same."""
    short = dataclasses.replace(registry.get("connect_four"), name="cut_four", ply_limit=3)
    env = rl.vector(short, 2, autoreset_mode=AutoresetMode.NEXT_STEP)
    opening, _ = env.reset(seed=1)
    told = [env.step(np.array([step, step])) for step in range(4)]
    assert [cut.tolist() for _, _, _, cut, _ in told] == [[False] * 2, [False] * 2, [True] * 2, [False] * 2]
    assert (told[3][0] == opening).all()


def test_without_autoreset_a_finished_match_waits() -> None:
    env = rl.vector("connect_four", 2, autoreset_mode=AutoresetMode.DISABLED)
    opening, _ = env.reset(seed=1)
    four_in_a_column(env)
    seen, rewards, over, _, _ = env.step(np.array([0, 0]))
    assert (over.tolist(), rewards.tolist()) == ([True, False], [0.0, 0.0])
    seen, _ = env.reset(options={"reset_mask": over})
    assert (seen[0] == opening[0]).all()
    assert not (seen[1] == opening[1]).all()
    with pytest.raises(ParlourError, match="autoreset_mode is one of NEXT_STEP, SAME_STEP, DISABLED, not 'never'"):
        rl.vector("connect_four", 2, autoreset_mode="never")
