"""How often a bot of Connect Four plays a best action: one that keeps what the position is worth with perfect play.

    python -m benchmarks.bots.connect_four judge:0.1s --positions 1000

Positions come of random play: of 8 plies or more, all numbers of plies equally likely.
"""

from __future__ import annotations

import argparse
import random

from benchmarks.bots.connect_four_solver import Solver

from parlour.bots import make_bot
from parlour.engine import registry
from parlour.engine.bots import Decision
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.state import State

FEWEST, MOST = 8, 34  # plies of a position


def any_position(game: Game, own: random.Random) -> State:
    """A position of a match at random that is not over."""
    while True:
        state, plies = game.blank(), own.randint(FEWEST, MOST)
        game.open(state, Chance([1, 2, 3, 4]))
        while not state.over and state.ply < plies:
            game.play(state, own.choice(game.legal_actions(state)), Chance([1, 2, 3, 4]))
        if not state.over:
            return state


def share_of_best(name: str, positions: int, seed: int, *, told: bool = False) -> float:
    """The share of positions in which the bot plays a best action."""
    game, own, solver, found = registry.get("connect_four"), random.Random(seed), Solver(), 0
    for number in range(1, positions + 1):
        state = any_position(game, own)
        decision = Decision(game, state.copy(), game.legal_actions(state), Chance.of_game(seed, number))
        found += make_bot(game, name).choose(decision) in solver.best_actions(state)
        if told and number % 50 == 0:
            print(f"{found} of {number}: {found / number:.1%}", flush=True)
    return found / positions


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bot")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    share_of_best(given.bot, given.positions, given.seed, told=True)
