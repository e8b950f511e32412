"""The search where nothing can be compiled, such as in a browser: the same levels, as far as they can be had in time.

A level of one playout with a judge is one ply ahead, which is quick. Without a judge the tree grows as it does in
compiled code, but many times slower: levels of more playouts than ``MOST`` are left out.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from parlour.bots.simple import Glance
from parlour.engine.advice import CERTAIN
from parlour.engine.bots import Bot, Decision, Ranking
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.state import State
from parlour.engine.win_chances import judged_seats, shares

MOST = 1500  # playouts
SECONDS = 1.0  # after which it answers, however many playouts there were
PLIES = 400  # of a playout, in games that do not come to an end by chance


def can_play(game: Game, name: str) -> bool:
    """Whether a bot can play where nothing can be compiled."""
    bots = game.players.bots
    kind, _, level = name.partition(":")
    if name in bots.own:
        return name not in bots.compiled
    if kind == "mcts" and level.isdecimal():
        most = 1 if bots.judges else MOST
        return bots.levels[int(level)].playouts <= most
    return name in ("random", "greedy") or (name == "judge" and bool(bots.judges))


def search(game: Game, playouts: int = MOST, seconds: float = SECONDS, slips: int = 0) -> Bot:
    """What searches here: with a judge one ply ahead, else a tree."""
    judge = game.players.estimates
    return Slipping(Tree(game, playouts, seconds) if judge is None else Glance(judge), slips)


class Slipping:
    """Plays like another; of a hundred actions, so many are chosen at random."""

    def __init__(self, bot: Bot, slips: int) -> None:
        self.bot, self.slips = bot, slips

    def choose(self, decision: Decision) -> int:
        if len(decision.legal) == 1:
            return decision.legal[0]
        if isinstance(self.bot, Glance) and decision.state.seats not in judged_seats(decision.game):
            return Tree(decision.game).choose(decision)
        if self.slips and decision.chance.below(100) < self.slips:
            return decision.legal[decision.chance.below(len(decision.legal))]
        return self.bot.choose(decision)


@dataclass(slots=True)
class _Node:
    """What was seen of an action: how often it was tried, and what that was worth to the seat that chose it."""

    seat: int
    tries: int = 0
    worth: float = 0.0
    children: dict[int, _Node] = field(default_factory=dict)


class Tree:
    """Monte Carlo tree search, with chance sampled anew in every playout."""

    def __init__(self, game: Game, playouts: int = MOST, seconds: float = SECONDS) -> None:
        self.game, self.playouts, self.seconds = game, playouts, seconds
        self.advice = game.players.bots.advice

    def choose(self, decision: Decision) -> int:
        return decision.legal[0] if len(decision.legal) == 1 else self.rank(decision)[0][0]

    def rank(self, decision: Decision) -> Ranking:
        """Every action tried, how often, and its estimated chance; the best first."""
        root, end = _Node(-1), time.monotonic() + self.seconds
        for _ in range(self.playouts):
            self._play(root, decision)
            if time.monotonic() > end:
                break
        ranked = [(action, node.tries, node.worth / node.tries) for action, node in root.children.items()]
        return sorted(ranked, key=lambda item: (-item[1], -item[2], item[0]))

    def _play(self, root: _Node, decision: Decision) -> None:
        """One playout: down the tree to an action that was not tried yet, then to an end."""
        chance = Chance([decision.chance.below(1 << 30) + 1 for _ in range(4)])
        state, node, path = decision.world(), root, list[_Node]()
        while not state.over and (not path or node.tries):
            legal, seat = self.game.legal_actions(state), int(state.to_move)
            action = self._pick(node, legal, chance)
            node = node.children.setdefault(action, _Node(seat))
            path.append(node)
            self.game.play(state, action, chance)
        worths = self._worths(state, chance)
        for passed in path:
            passed.tries += 1
            passed.worth += worths[passed.seat]
        root.tries += 1

    def _pick(self, node: _Node, legal: list[int], chance: Chance) -> int:
        """One that was not tried yet, else the one that may still be the best."""
        children = node.children
        if fresh := [action for action in legal if action not in children]:
            return fresh[chance.below(len(fresh))]
        width = self.advice.explore * math.sqrt(math.log(node.tries + 1))

        def bound(action: int) -> float:
            child = children[action]
            return child.worth / child.tries + width / math.sqrt(child.tries)

        return max(legal, key=bound)

    def _worths(self, state: State, chance: Chance) -> list[float]:
        """Play on; what the end is worth to each seat."""
        game, advice = self.game, self.advice
        for _ in range(advice.depth if advice.evaluate is not None else PLIES):
            if state.over:
                break
            legal = game.legal_actions(state)
            policy = advice.policy
            action = policy(state, legal, len(legal), chance) if policy else legal[chance.below(len(legal))]
            game.play(state, action, chance)
        seats = range(int(state.seats))
        if state.over:
            return shares(game.winners(state), len(seats))
        if advice.evaluate is not None:
            return [advice.evaluate(state, seat) / CERTAIN for seat in seats]
        return shares((), len(seats))
