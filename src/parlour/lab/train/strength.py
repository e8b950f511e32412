"""How strong a judge is on the way: it looks one ply ahead and plays a few matches against bots that stay the same."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parlour.bots import Bot, make_bot
from parlour.bots.judged import OnePly
from parlour.engine.bots import Decision
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.judge import Judge

MATCHES = 60


@dataclass(frozen=True)
class Score:
    """Wins against an opponent, a shared win counted in part, as a share of the matches."""

    opponent: str
    score: float
    matches: int


def score_against(
    judge: Judge, opponent: str, seats: int, seed: int, seconds: float, options: Mapping[str, int]
) -> Score:
    """Play matches in which every other seat is the opponent's, for that many seconds at most."""
    game, total, played = judge.game, 0.0, 0
    mine = OnePly(judge)
    others: list[Bot] = [make_bot(game, opponent) for _ in range(seats)]
    began = time.perf_counter()  # compiling does not count
    while played < MATCHES and (not played or time.perf_counter() - began < seconds):
        bots = others.copy()
        bots[played % seats] = mine
        winners = play(game, bots, seed + played // seats, options)
        total += 1 / len(winners) if played % seats in winners else 0.0 if winners else 1 / seats
        played += 1
    return Score(opponent, total / played, played)


def play(game: Game, bots: Sequence[Bot], seed: int, options: Mapping[str, int]) -> list[int]:
    """Who wins a match of these bots; nobody where it does not end."""
    state = game.blank(len(bots), **options)
    game.open(state, Chance.at(seed, 0))
    actions: list[int] = []
    while not state.over and len(actions) < game.ply_limit:
        own = Chance.of_game(seed, len(actions), 1 + state.to_move)
        decision = Decision(game, state.copy(), game.legal_actions(state), own, actions=tuple(actions))
        action = bots[state.to_move].choose(decision)
        game.play(state, action, Chance.at(seed, len(actions) + 1))
        actions.append(action)
    return game.winners(state)
