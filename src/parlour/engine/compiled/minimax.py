"""Minimax search, compiled, for two seats without dice: the tree grows where both sides play well.

A playout goes down the tree to a position that was not opened yet, judges all that can be played there at once, and
carries the best of it up again: a node is worth what the best reply leaves of it. The way down leads to good nodes,
and to likely ones that were seldom visited. How likely is a matter of how an action was judged at first, and a little
of chance, so that no two matches need be the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.chance import below
from parlour.engine.compiled.drivers import jit
from parlour.engine.compiled.tree import MAX_DEPTH, NO_NODE
from parlour.engine.errors import BadGame
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import WHOLE, add_wide, chance_near
from parlour.engine.rule import rule
from parlour.engine.turns import advance

KEENNESS = 10.0  # an action judged worse by a tenth is e times less likely
LEAST, SPREAD = 512, 1024  # chance makes an action up to three times as likely as another


@rule
def best_of(tree, node, explore):
    """The child to go to."""
    best, best_bound = NO_NODE, -1.0
    reach = explore * math.sqrt(tree.visits[node])
    child = tree.child[node]
    while child != NO_NODE:
        bound = tree.value[child] + reach * tree.prior[child] / (1.0 + tree.visits[child])
        if bound > best_bound:
            best, best_bound = child, bound
        child = tree.sibling[child]
    return best


@rule
def worth_of(tree, node):
    """What a node's best child is worth to the seat that moves there."""
    best = 0.0
    child = tree.child[node]
    while child != NO_NODE:
        best = max(best, tree.value[child])
        child = tree.sibling[child]
    return best


@rule
def judge_end(won, state, seat):
    """What the end of a match is worth to the seat: 1, 0, or a half where both have won or nobody."""
    return 0.5 + 0.5 * (int(won(state, seat)) - int(won(state, 1 - seat)))


@rule
def add_children(tree, node, actions, count):
    """A child for every action; the first of them, the others follow."""
    first = tree.used[0]
    tree.used[0] += count
    for index in range(count):
        child = first + index
        tree.action[child] = actions[index]
        tree.child[child] = NO_NODE
        tree.sibling[child] = child + 1 if index + 1 < count else NO_NODE
        tree.visits[child] = 0
    tree.child[node] = first
    return first


@rule
def set_priors(tree, first, count, best, chance):
    """How likely each child is to be played, by how it was judged."""
    total = 0.0
    for child in range(first, first + count):
        prior = math.exp((tree.value[child] - best) * KEENNESS) * (LEAST + below(chance, SPREAD))
        tree.prior[child] = prior
        total += prior
    for child in range(first, first + count):
        tree.prior[child] /= total


@rule
def carry_up(tree, top, path, movers, length, worth, seat):
    """The position at the end of the path is worth that to the seat: so much for every node on the way."""
    tree.visits[top] += 1
    for place in range(length - 1, -1, -1):
        tree.value[path[place]] = worth if movers[place] == seat else 1.0 - worth
        tree.visits[path[place]] += 1
        worth, seat = worth_of(tree, path[place - 1] if place > 0 else top), movers[place]


@rule
def need_no_room(weights, room):
    """The game's own evaluation needs none."""


@rule
def no_base(observe, state, weights, room):
    """The game's own evaluation judges every position by itself."""


@rule
def worth_by_evaluation(evaluate, observe, state, seat, weights, room):
    """What the position is worth to the seat, by the game's own evaluation."""
    return evaluate(state, seat) / CERTAIN


@rule
def begin_base(weights, room):
    """The first base: a position in which nothing is seen."""
    for place in range(len(room.base)):
        room.base[place] = 0
    for unit in range(len(room.base_sums)):
        room.base_sums[unit] = weights.bias[unit]
    add_wide(room.base, weights, room.base_sums)


@rule
def set_base(observe, state, weights, room):
    """What the other seat sees before an action. After it, it sees nearly the same, and only what changed is added."""
    chance_near(observe, state, 1 - state.to_move, weights, room)
    for word in range(len(room.base_words)):
        room.base_words[word] = room.feature_words[word]
    for unit in range(len(room.sums)):
        room.base_sums[unit] = room.sums[unit]


@rule
def worth_by_judge(evaluate, observe, state, seat, weights, room):
    """The same by a judge, from the view of the seat to move."""
    chance = chance_near(observe, state, state.to_move, weights, room) / WHOLE
    return chance if state.to_move == seat else 1.0 - chance


def make_minimax(game: Game, advice: Advice, units: int) -> Callable[..., int]:
    """The search; how many playouts it made, which are fewer than asked for when the tree is full."""
    if game.seats != (2, 2) or not (advice.evaluate or units):
        raise BadGame(f"{game.name} cannot be searched by minimax: that takes two seats and an evaluation or a judge")
    legal, apply, won, observe, most = game.legal, game.apply, game.won, game.observe, game.max_actions
    evaluate = advice.evaluate or game.score
    worth_of_leaf, prepare = (worth_by_judge, set_base) if units else (worth_by_evaluation, no_base)
    begin = begin_base if units else need_no_room

    @jit
    def search(root, rows, scratch, tree, top, playouts, path, movers, rewards, explore, depth, weights):
        room = scratch[0]
        chance, actions = room.chance, room.actions
        state, after = rows[0], rows[1]
        begin(weights, room)
        for number in range(playouts):
            if tree.used[0] + most > len(tree.action):
                return number
            rows[0] = root[0]
            node, length = top, 0
            while not state.over and tree.child[node] != NO_NODE and length < MAX_DEPTH:
                node = best_of(tree, node, explore)
                path[length], movers[length] = node, state.to_move
                length += 1
                advance(apply, state, np.int64(tree.action[node]), chance, None)
            seat = state.to_move
            best = judge_end(won, state, seat) if state.over else worth_of(tree, node)
            if not state.over and tree.child[node] == NO_NODE:
                count = legal(state, actions)
                first = add_children(tree, node, actions, count)
                prepare(observe, state, weights, room)
                for child in range(first, first + count):
                    rows[1] = rows[0]
                    advance(apply, after, np.int64(tree.action[child]), chance, None)
                    if after.over:
                        worth = judge_end(won, after, seat)
                    else:
                        worth = worth_of_leaf(evaluate, observe, after, seat, weights, room)
                    tree.value[child] = worth
                    best = max(best, worth)
                set_priors(tree, first, count, best, chance)
            carry_up(tree, top, path, movers, length, best, seat)
        return playouts

    return search
