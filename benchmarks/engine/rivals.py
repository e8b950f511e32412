"""Connect Four and Leduc Poker as other engines play them: whole games of uniformly random legal actions, on one core.

Each rival is run the fastest way that we have found in it. It runs in a process of its own, which ``Contender`` starts:
``python -m benchmarks.engine.rivals openspiel`` reads a number of seconds per line, plays for about that long, and
answers with the games it played per second. All play the same game at random, so that their games are equally long
on average, and games per second can be compared.
"""

from __future__ import annotations

import importlib.util
import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parlour.engine import ParlourError

SOURCES = Path(__file__).parents[2]  # where Python finds this module
Batch = Callable[[], int]  # plays some games, and says how many


def openspiel() -> Batch:
    """OpenSpiel's own rollouts, in C++.

    A search of one simulation expands nothing: it only asks its evaluator for the value of the position it is given,
    and the evaluator plays as many random games from there as it was made for. So one call plays all of them
    without once coming back to Python. Calls from Python for every action are a hundred times slower.
    """
    import pyspiel

    game = pyspiel.load_game("connect_four")
    seeds = itertools.count(1)
    games = 5_000

    def play() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=next(seeds))
        searcher = pyspiel.MCTSBot(
            game, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=100, solve=False, seed=1, verbose=False
        )
        searcher.mcts_search(game.new_initial_state())
        return games

    return play


def openspiel_leduc() -> Batch:
    """The same of Leduc Poker, from one deal on: the search takes no position in which cards are being dealt."""
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    dealt = game.new_initial_state()
    dealt.apply_action(0)
    dealt.apply_action(3)
    seeds = itertools.count(1)
    games = 20_000

    def play() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=next(seeds))
        searcher = pyspiel.MCTSBot(
            game, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=100, solve=False, seed=1, verbose=False
        )
        searcher.mcts_search(dealt)
        return games

    return play


def pgx(batch: int = 8192, steps: int = 25, *, count_steps: bool = False) -> Batch:
    """Pgx: 8,192 games side by side, the loop over the steps inside one compiled function, which works in place.

    A finished game is replaced by a fixed opening in the same step. That is faster than Pgx's own auto_reset, which
    draws a new opening for every game at every step, and than waiting until the last game of a batch is over.
    """
    import jax
    import jax.numpy as jnp
    import pgx

    env: Any = pgx.make("connect_four")
    opening = env.init(jax.random.PRNGKey(0))

    def choose(key: Any, legal: Any) -> Any:
        place = jnp.floor(jax.random.uniform(key, (batch,)) * legal.sum(axis=-1)).astype(jnp.int32)
        return jnp.argmax(jnp.cumsum(legal, axis=-1) == place[:, None] + 1, axis=-1)

    def step(state: Any, action: Any) -> tuple[Any, Any]:
        after = env.step(state, action)
        renewed = jax.tree_util.tree_map(lambda new, old: jnp.where(after.terminated, new, old), opening, after)
        return renewed, after.terminated

    def body(_: Any, carried: Any) -> Any:
        key, states, ended = carried
        key, drawn = jax.random.split(key)
        states, over = jax.vmap(step)(states, choose(drawn, states.legal_action_mask))
        return key, states, ended + over.sum()

    def several(key: Any, states: Any) -> Any:
        return jax.lax.fori_loop(0, steps, body, (key, states, 0)) if steps > 1 else body(0, (key, states, 0))

    advance: Any = jax.jit(several, donate_argnums=1)
    key = jax.random.PRNGKey(1)
    states = jax.vmap(env.init)(jax.random.split(key, batch))

    def play() -> int:
        nonlocal key, states
        key, states, ended = advance(key, states)
        jax.block_until_ready(states)
        return batch * steps if int(ended) and count_steps else int(ended)

    play()  # compiles, and leaves the games spread over all stages
    return play


def pgx_loop() -> Batch:
    """Pgx as a training loop has it: after every step the observations, masks and rewards are there for a learner."""
    return pgx(steps=1)


def pettingzoo() -> Batch:
    """PettingZoo, as its documentation plays a game: ask for the mask, pick a legal action, step."""
    from pettingzoo.classic import connect_four_v3

    env: Any = connect_four_v3.env()
    columns = range(7)

    def play() -> int:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return 1
            mask = observation["action_mask"]
            env.step(random.choice([column for column in columns if mask[column]]))
        return 1

    return play


def bitboards() -> Batch:
    """``connect_four.c``, by hand: no engine, but the limit of what one core can do without wide instructions."""
    import ctypes
    import tempfile

    from benchmarks.engine.against_c import build

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        rollout = build(Path(folder), "connect_four").connect_four_rollout
    rollout.argtypes = [ctypes.c_int64, ctypes.c_uint64, ctypes.POINTER(ctypes.c_int64)]
    rollout.restype = ctypes.c_int64
    seeds, plies, games = itertools.count(1), ctypes.c_int64(), 50_000

    def play() -> int:
        rollout(games, next(seeds), ctypes.byref(plies))
        return games

    return play


def envpool(batch: int = 4096) -> Batch:
    """EnvPool, in C++: many games side by side on one thread; NumPy chooses, and a game that is over begins anew."""
    import envpool
    import numpy as np

    env: Any = envpool.make("ConnectFour-v1", env_type="gymnasium", num_envs=batch, num_threads=1)
    mask = env.reset()[1]["legal_action_mask"]
    luck = np.random.default_rng(1)

    def play() -> int:
        nonlocal mask
        chosen = np.argmax(np.where(mask, luck.random(mask.shape, np.float32), -1), axis=1).astype(np.int32)
        _, _, terminated, _, about = env.step(chosen)
        mask = about["legal_action_mask"]
        return int(terminated.sum())

    return play


def openspiel_loop() -> Batch:
    """OpenSpiel from Python, as a training loop has it: observation and mask as arrays, a choice, a step."""
    import numpy as np
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            np.array(state.observation_tensor(), np.float32)
            np.array(state.legal_actions_mask(), np.bool_)
            state.apply_action(random.choice(state.legal_actions()))
        return 1

    return play


def parlour_loop() -> Batch:
    """Parlour's own training loop, in a process of its own."""
    from benchmarks.engine.training_loop import ROWS, Loop

    from parlour.engine import registry

    loop = Loop(registry.get("connect_four"), ROWS)

    def play() -> int:
        before = loop.matches
        loop.step()
        return loop.matches - before

    return play


RIVALS: dict[str, tuple[Callable[[], Batch], str, str, float]] = {
    # name: how it plays, the module it needs, its name for people, how many times as fast Parlour means to be
    "openspiel": (openspiel, "pyspiel", "OpenSpiel (C++ rollouts)", 8.0),
    "pgx": (pgx, "pgx", "Pgx (CPU, batch of 8192)", 8.0),
    "pettingzoo": (pettingzoo, "pettingzoo", "PettingZoo", 500.0),
    "bitboards": (bitboards, "ctypes", "C by hand, with bitboards (no engine, but the limit)", 0.2),
}

LEDUC_RIVALS: dict[str, tuple[Callable[[], Batch], str, str, float]] = {
    "openspiel_leduc": (openspiel_leduc, "pyspiel", "OpenSpiel (C++ rollouts, from a deal on)", 10.0),
}


MANY = 1 << 22  # games side by side: fewer do not fill a large GPU

GPU_RIVALS: dict[str, tuple[Callable[[], Batch], str, str, float]] = {
    "pgx_games": (lambda: pgx(MANY), "pgx", "Pgx (batch of 4 million)", 20.0),
    "pgx_steps": (lambda: pgx(MANY, count_steps=True), "pgx", "Pgx (batch of 4 million)", 2.0),
}

# The same for the loop that training needs.
LOOP_RIVALS: dict[str, tuple[Callable[[], Batch], str, str, float]] = {
    "pgx_loop": (pgx_loop, "pgx", "Pgx on the CPU, a step in one compiled function, choice by JAX", 5.0),
    "openspiel_loop": (openspiel_loop, "pyspiel", "OpenSpiel, state by state from Python", 50.0),
    "envpool": (envpool, "envpool", "EnvPool (C++, one thread), choice by NumPy", 10.0),
}

OURSELVES = {"parlour_loop": (parlour_loop, "connect_four", "Parlour", 1.0)}

ALL_RIVALS = RIVALS | LEDUC_RIVALS | GPU_RIVALS | LOOP_RIVALS | OURSELVES


def is_installed(name: str) -> bool:
    return importlib.util.find_spec(ALL_RIVALS[name][1]) is not None


class Contender:
    """A rival at work in a process of its own. It stays on the core that this thread is on."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.engine.rivals", name],
            cwd=SOURCES,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Contender:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def rate(self, seconds: float) -> float:
        """Let it play for about that long: its games per second."""
        return self._rates(seconds)[0]

    def rate_of_core(self, seconds: float) -> float:
        """The same per second of the core, whoever else uses it."""
        return self._rates(seconds)[1]

    def _rates(self, seconds: float) -> tuple[float, float]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{seconds}\n")
            self._process.stdin.flush()
            each, of_core = self._process.stdout.readline().split()
            return float(each), float(of_core)
        except (OSError, ValueError) as error:
            raise ParlourError(f"{self.name} does not run here") from error


def serve(name: str) -> None:
    """Play for as many seconds as each line of standard input says; answer with games per second, of time and core."""
    play = ALL_RIVALS[name][0]()
    for line in sys.stdin:
        games, seconds, began, used = 0, 0.0, time.perf_counter(), time.process_time()
        while seconds < float(line):
            games += play()
            seconds = time.perf_counter() - began
        print(games / max(seconds, 1e-9), games / max(time.process_time() - used, 1e-9), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
