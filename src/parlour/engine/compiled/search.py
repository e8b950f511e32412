"""Monte Carlo tree search, compiled: open loop, any number of seats, chance sampled anew in every playout.

A node of the tree stands for a sequence of actions since the root, whatever the dice said in between; so the search
never sees coming dice, and the legal actions at a node may differ from one playout to the next. Each node knows how
often it was played and what the seat that chose it got on average. Children are kept in the order of their actions,
so that they can be walked side by side with the legal ones. In a game with secrets the root is what a seat knows, and
every playout plays in a world that is imagined anew; ``regrets`` says when such a game is searched so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.chance import Chance, seed_words
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import any_action, jit
from parlour.engine.compiled.judging import judging_scratch, no_weights
from parlour.engine.compiled.minimax import make_minimax
from parlour.engine.compiled.replies import make_replies
from parlour.engine.compiled.tree import MAX_DEPTH, Tree, select
from parlour.engine.game import Game
from parlour.engine.judge.arithmetic import WHOLE, chances_of_all
from parlour.engine.judge.file import Judge
from parlour.engine.rule import rule
from parlour.engine.secrets import hidden, refuse_secrets
from parlour.engine.state import State
from parlour.engine.turns import advance

MOST_NODES = 1 << 23  # of a tree; with that many it takes 256 MiB, and a search ends
KEPT_NODES = 1 << 19  # a tree larger than this is not kept for the next position


@rule
def share(rewards, winners, seats):
    """Winners share the win; where nobody has won, nobody of several seats is ahead."""
    for seat in range(seats):
        if winners > 0:
            rewards[seat] /= winners
        elif seats > 1:
            rewards[seat] = 1.0 / seats


@rule
def reward_by_evaluation(evaluate, observe, state, weights, room, rewards):
    """What the position is worth to each seat, by the game's own evaluation."""
    for seat in range(state.seats):
        rewards[seat] = evaluate(state, seat) / CERTAIN


@rule
def reward_by_judge(evaluate, observe, state, weights, room, rewards):
    """The same by a judge."""
    chances_of_all(observe, state, weights, room.features, room.active, room.sums, room.chances)
    for seat in range(state.seats):
        rewards[seat] = room.chances[seat] / WHOLE


@rule
def nothing_to_imagine(state, seat, chance):
    """Where there are no secrets, the position is what it is."""


@cache
def compiled_search(game: Game, advice: Advice, units: int = 0) -> Callable[..., int]:
    """The compiled search of a game, with a judge of so many units or with none; compiled now, or from the cache."""
    place = "minimax.make_minimax" if advice.minimax else "search.make_search"
    if advice.replies:
        place = "replies.make_replies"
    rules = [rule for rule in (advice.evaluate, advice.policy) if rule is not None]
    if units:
        rules.append(reward_by_judge)  # so that it is kept apart from the search without a judge
    with compiling(game, place, "search", rules):
        search = _made(game, advice, units)
        state = game.layout.rows(2)
        ones, rewards = np.ones(MAX_DEPTH, np.int64), np.zeros(1, np.float64)
        scratch, weights = judging_scratch(game, units), no_weights(units)
        search(state, state, scratch, Tree.of(1), 0, 0, ones, ones, rewards, 1.0, 0, weights)
    return search


def _made(game: Game, advice: Advice, units: int) -> Callable[..., int]:
    if units or advice.minimax or advice.replies:
        refuse_secrets(game, "it is searched without a judge, and neither by minimax nor by replies")
    if advice.replies:
        return make_replies(game)
    return make_minimax(game, advice, units) if advice.minimax else make_search(game, advice, units)


def make_search(game: Game, advice: Advice, units: int) -> Callable[..., int]:
    """The search; how many playouts it made, which are fewer than asked for when the tree is full."""
    legal, apply, won, observe = game.legal, game.apply, game.won, game.observe
    policy = advice.policy or any_action
    evaluate = advice.evaluate or game.score
    judged = advice.evaluate is not None or units > 0
    reward = reward_by_judge if units else reward_by_evaluation
    imagine = game.imagine or nothing_to_imagine
    limit = game.ply_limit

    @jit
    def search(root, rows, scratch, tree, top, playouts, path, movers, rewards, explore, depth, weights):
        room = scratch[0]
        chance, actions = room.chance, room.actions
        for number in range(playouts):
            if tree.used[0] == len(tree.action):
                return number
            rows[0] = root[0]
            state = rows[0]
            imagine(state, state.to_move, chance)
            node, length = top, 0
            expanded = False
            while not state.over and not expanded and length < MAX_DEPTH:
                count = legal(state, actions)
                movers[length] = state.to_move
                node = select(tree, node, actions, count, chance, explore)
                expanded = tree.visits[node] == 0
                path[length] = node
                length += 1
                advance(apply, state, np.int64(tree.action[node]), chance, None)
            steps = 0
            while not state.over and state.ply < limit and (not judged or steps < depth):
                count = legal(state, actions)
                advance(apply, state, np.int64(policy(state, actions, count, chance)), chance, None)
                steps += 1
            if judged and not state.over:
                reward(evaluate, observe, state, weights, room, rewards)
            else:
                winners = 0
                for seat in range(state.seats):
                    rewards[seat] = 1.0 if state.over != 0 and won(state, seat) else 0.0
                    winners += int(rewards[seat])
                share(rewards, winners, state.seats)
            tree.visits[top] += 1
            for place in range(length):
                tree.visits[path[place]] += 1
                tree.value[path[place]] += rewards[movers[place]]
        return playouts

    return search


class Searcher:
    """A search of one game, with its tree. ``look`` thinks; ``ranking`` says what it found; ``follow`` keeps the tree.

    With a judge, that says what positions are worth. The generator is the searcher's own: what it draws has nothing to
    do with the dice of the match.
    """

    def __init__(self, game: Game, advice: Advice | None = None, seed: int = 0, *, judge: Judge | None = None) -> None:
        self.game = game = judge.game if judge else game
        self.advice = advice or Advice()
        units = judge.units if judge else 0
        self._search = compiled_search(game, self.advice, units)
        self._judge, self._weights = judge, no_weights(units)
        self._root = game.layout.rows(1)
        self._rows = game.layout.rows(2)
        self._scratch = judging_scratch(game, units)
        self.reseed(seed_words(seed))
        self._path = np.zeros(MAX_DEPTH, np.int64)
        self._movers = np.zeros(MAX_DEPTH, np.int64)
        self._rewards = np.zeros(max(game.seats[1], 1), np.float64)
        self._tree = Tree.of(1 << 12)
        self._top = 0  # the node of the position at hand

    def at(self, state: State) -> None:
        """Start anew from this position."""
        if self._judge is not None:
            self._weights = self._judge.at(state.seats).weights
        known = hidden(self.game, state, state.to_move) if self.game.has_secrets else state
        self.game.layout.write(known, self._root, 0)
        self._tree = Tree.of(1 << 12)
        self._top = 0

    def reseed(self, lanes: Sequence[int]) -> None:
        """Give the generator another state."""
        self._scratch["chance"] = self._scratch["policy"] = lanes

    @property
    def playouts(self) -> int:
        """How many playouts the tree holds, those kept from earlier positions included."""
        return int(self._tree.visits[self._top])

    @property
    def memory(self) -> int:
        """The bytes that the tree takes."""
        return sum(column.nbytes for column in self._tree)

    @property
    def is_full(self) -> bool:
        """Whether the tree is as large as a tree may be: more thought adds nothing."""
        return int(self._tree.used[0]) >= MOST_NODES

    def look(self, playouts: int) -> None:
        """That many playouts more, as long as there is room for what they find."""
        while playouts and not self.is_full:
            playouts -= self._search(
                self._root,
                self._rows,
                self._scratch,
                self._tree,
                self._top,
                playouts,
                self._path,
                self._movers,
                self._rewards,
                self.advice.explore,
                self.advice.replies or self.advice.depth,
                self._weights,
            )
            if playouts and not self.is_full:
                self._tree = self._tree.grown()

    def ranking(self) -> list[tuple[int, int, float]]:
        """Every action tried: the action, how often, and what it is worth to the seat to move; the best first."""
        tree = self._tree
        found = []
        for child in tree.children(self._top):
            visits, value = int(tree.visits[child]), float(tree.value[child])
            found.append((int(tree.action[child]), visits, value if self.advice.minimax else value / max(visits, 1)))
        return sorted(found, key=lambda item: (-item[1], -item[2], item[0]))

    def pick(self, chance: Chance) -> int:
        """The best action."""
        return self.ranking()[0][0]

    def follow(self, action: int, state: State) -> None:
        """The action was played, without chance, and led to this position: keep what is known of it."""
        known = [child for child in self._tree.children(self._top) if self._tree.action[child] == action]
        if not known or self.advice.replies or len(self._tree.action) > KEPT_NODES:
            self.at(state)
        else:
            self.game.layout.write(state, self._root, 0)
            self._top = known[0]
