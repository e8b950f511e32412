"""What plays Verfuchst: the judgement of positions, the play of playouts, and the bots that go by them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

from parlour.bots import Decision, make_bot
from parlour.engine import State
from parlour.engine.advice import CERTAIN
from parlour.engine.chance import Chance
from parlour.engine.check import play_random
from parlour.engine.compiled.compiling import compiling
from parlour.engine.match import Match
from parlour.games.verfuchst import GAME
from parlour.games.verfuchst.bots import evaluate, policy
from verfuchst_positions import position


def positions(count: int) -> Iterator[State]:
    """Positions of random matches of two to four, from their openings to their ends."""
    for seed in range(count):
        match = Match(GAME, 2 + seed % 3, seed)
        play_random(match, seed)
        if not match.over:
            yield match.state


@cache
def compiled() -> tuple[Any, Any]:
    """The evaluation and the policy, compiled."""
    with compiling(GAME, "", "advice"):
        judge = numba.njit(lambda rows, seat: evaluate(rows[0], seat))
        choose = numba.njit(lambda rows, actions, count, chance: policy(rows[0], actions, count, chance))
    return judge, choose


def choice(name: str, state: State) -> str:
    """What that bot plays, in notation."""
    decision = Decision(GAME, state.copy(), GAME.legal_actions(state), Chance.at(1, 0))
    return GAME.write(state, make_bot(GAME, name).choose(decision))


def play(seed: int, *names: str) -> Match:
    """A whole match of these bots."""
    match = Match(GAME, len(names), seed)
    bots = [make_bot(GAME, name) for name in names]
    while not match.over:
        chance = Chance.of_game(seed, len(match.plies), match.to_move)
        decision = Decision(GAME, match.state.copy(), match.legal(), chance, actions=match.actions)
        match.play(bots[match.to_move].choose(decision))
    return match


def test_judged_alike_interpreted_and_compiled() -> None:
    judge, _ = compiled()
    for state in positions(60):
        rows = GAME.layout.rows(1)
        GAME.layout.write(state, rows, 0)
        for seat in range(state.seats):
            assert judge(rows, seat) == evaluate(state, seat)


def test_playouts_play_alike_interpreted_and_compiled() -> None:
    _, choose = compiled()
    for state in positions(60):
        rows = GAME.layout.rows(1)
        GAME.layout.write(state, rows, 0)
        legal = GAME.legal_actions(state)
        chosen = policy(state, legal, len(legal), Chance([1, 2, 3, 4]))
        assert chosen in legal
        assert choose(rows, np.array(legal, np.int32), len(legal), np.array([1, 2, 3, 4])) == chosen


def test_chances_are_chances() -> None:
    for state in positions(60):
        chances = [evaluate(state, seat) for seat in range(state.seats)]
        assert min(chances) >= 0
        assert max(chances) <= CERTAIN
        if state.seats == 2:
            assert sum(chances) == CERTAIN


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9=R start=B", "8=R start=B"),  # alone on a lucky tile, and on −8
        ("15=R start=B", "22=R start=B"),  # alone on +8, and on +1
        ("32=RR start=B", "32=R start=B"),  # in company on −10, and alone
        ("15=R start=B", "15=RB"),  # alone on +8, and with somebody who may take it
        ("1=R 8=B", "8=R 1=B"),  # what is bad for one is good for the other
    ],
)
def test_better_and_worse(better: str, worse: str) -> None:
    assert evaluate(position(better), 0) > evaluate(position(worse), 0)


def test_at_a_larger_table_the_best_of_the_others_counts() -> None:
    state = position("start=RBG", taken={"B": [15], "G": [32]}, seats=3)
    assert evaluate(state, 1) > evaluate(state, 0) > CERTAIN // 5
    assert evaluate(state, 2) < evaluate(state, 0) < CERTAIN // 2


def test_greedy_takes_a_good_tile() -> None:
    """Leaving +8 before Blue comes there."""
    assert choice("greedy", position("13=B 15=R 22=R", die=6)) == GAME.write(position("15=R"), 15)


@pytest.mark.parametrize("name", ["greedy", "mcts:500p"])
def test_who_need_not_take_a_bad_tile_does_not(name: str) -> None:
    """−10 is left while Blue is there too."""
    assert choice(name, position("32=RB 31=R", die=6)) == GAME.write(position("32=R"), 32)


def test_greedy_beats_random() -> None:
    assert sum(play(seed, "greedy", "random").winners == [0] for seed in range(8)) >= 7


def test_search_beats_greedy() -> None:
    """A coarse check: one match in fifteen is lost. docs/strength.md has what the arena measured."""
    won = [play(seed, *("mcts:1000p", "greedy")[:: 1 if seed % 2 else -1]).winners for seed in range(8)]
    assert sum(winners == [1 - seed % 2] for seed, winners in enumerate(won)) >= 6


def test_search_plays_at_larger_tables() -> None:
    won = [play(seed, "mcts:200p", "random", "random", "random").winners for seed in range(4)]
    assert won.count([0]) >= 3
