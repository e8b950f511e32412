"""Where nothing can be compiled, as in a browser: what is there, and that it says the same."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import parlour
from parlour.bots import interpreted
from parlour.engine import registry
from parlour.engine.bots import Decision
from parlour.engine.chance import Chance
from parlour.engine.judge.contents import read
from parlour.engine.judge.file import load
from parlour.engine.judge.plain import PlainJudge

JUDGED = [game.name for game in registry.all_games() if game.players.bots.judges and not game.has_secrets]


def test_everything_but_speed_is_there_without_a_compiler() -> None:
    """Games, matches, pictures, replays, lessons, hints and bots, with Numba, NumPy and Babel out of reach."""
    script = Path(__file__).parents[1] / "bare.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == [game.name for game in registry.all_games()]


@pytest.mark.parametrize("name", JUDGED)
def test_a_plain_judge_says_the_same_to_the_byte(name: str) -> None:
    game = registry.get(name)
    folder = resources.files(game.package)
    for file in game.players.bots.judges:
        with resources.as_file(folder / file) as path:
            plain = PlainJudge(read(game, path))
            judge = load(game, path)
        match, chance = parlour.new(game, seats=judge.record["seats"][0], seed=5), Chance.at(5, 0)
        while not match.over and len(match.plies) < 60:
            assert plain.chances(match.state) == judge.chances(match.state)
            match.play(match.legal()[chance.below(len(match.legal()))])


def test_the_interpreted_tree_sees_what_wins_now_and_what_the_other_would_win() -> None:
    game = registry.get("connect_four")
    for played, best in (([3, 0, 3, 0, 3, 1], 3), ([0, 3, 0, 3, 6, 3], 3)):
        match = parlour.new(game, seed=1)
        for action in played:
            match.play(action)
        seen = match.seen_by(match.to_move)
        decision = Decision(game, seen.shown.copy(), seen.legal, Chance.at(2, 0), actions=seen.actions)
        assert interpreted.Tree(game, playouts=600, seconds=60).choose(decision) == best


def test_levels_that_would_take_too_long_are_left_out() -> None:
    choccer, mazerunner = registry.get("choccer"), registry.get("mazerunner")
    assert [interpreted.can_play(choccer, f"mcts:{level}") for level in (1, 4, 5, 6)] == [True, True, False, False]
    assert [interpreted.can_play(mazerunner, f"runner:{level}") for level in (1, 4, 5)] == [True, True, False]
