"""The search with a judge where dice fall: all actions are tried with the same dice, and answered as the judge likes.

There is no tree but the actions of the position at hand. A tree of actions, whatever the dice said in between, tells
hardly more than the judge alone: which answer is best depends on the dice.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from parlour.engine.chance import seed_stream
from parlour.engine.compiled.drivers import jit
from parlour.engine.compiled.judging import worth_after
from parlour.engine.compiled.tree import select
from parlour.engine.game import Game
from parlour.engine.rule import rule
from parlour.engine.turns import advance

PLAYOUT_STREAM = 3  # of dice that are thrown only to try an action


@rule
def best_answer(apply, won, observe, rows, room, count, weights):
    """The action that the judge likes best for the seat to move. ``rows[1]`` is room to try one in."""
    seat = rows[0].to_move
    best, best_worth = room.actions[0], -1.0
    for index in range(count if count > 1 else 0):
        rows[1] = rows[0]
        advance(apply, rows[1], np.int64(room.actions[index]), room.chance, None)
        worth = worth_after(won, observe, rows[1], seat, weights, room)
        if worth > best_worth:
            best, best_worth = room.actions[index], worth
    return best


@rule
def try_action(legal, apply, root, rows, tree, top, room, explore):
    """Play an action of the root in ``rows[0]``, and return its node: one that was never tried, or the most promising.

    The dice are those of its number of visits: every action meets the same ones.
    """
    rows[0] = root[0]
    count = legal(rows[0], room.actions)
    node = select(tree, top, room.actions, count, room.chance, explore)
    seed_stream(room.chance, room.policy, tree.visits[node], PLAYOUT_STREAM)
    advance(apply, rows[0], np.int64(tree.action[node]), room.chance, None)
    return node


@rule
def note(tree, node, worth):
    """What a trial of that action was worth."""
    tree.visits[node] += 1
    tree.value[node] += worth


def make_replies(game: Game) -> Callable[..., int]:
    """The search: (root, rows, scratch, tree, top, playouts, …) as the tree search has it.

    The first playout judges every action without an answer to it.
    """
    legal, apply, won, observe, most = game.legal, game.apply, game.won, game.observe, game.max_actions

    @jit
    def search(root, rows, scratch, tree, top, playouts, path, movers, rewards, explore, depth, weights):
        room = scratch[0]
        state, seat = rows[0], root[0].to_move
        for number in range(playouts):
            if tree.used[0] + most > len(tree.action):
                return number
            is_first = tree.visits[top] == 0
            tree.visits[top] += 1
            for _ in range(legal(root[0], room.actions) if is_first else 1):
                node = try_action(legal, apply, root, rows, tree, top, room, explore)
                steps = depth if is_first else 0
                while not state.over and steps < depth:
                    count = legal(state, room.actions)
                    answer = best_answer(apply, won, observe, rows, room, count, weights)
                    advance(apply, state, np.int64(answer), room.chance, None)
                    steps += 1
                note(tree, node, worth_after(won, observe, state, seat, weights, room))
        return playouts

    return search
