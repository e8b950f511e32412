"""How strong a judge is on the way: it looks one ply ahead and plays a few matches against bots that stay the same."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlour.bots import Bot, make_bot
from parlour.bots.judged import OnePly
from parlour.engine.chance import Chance
from parlour.engine.game import Game
from parlour.engine.judge.file import Judge
from parlour.engine.match import Match
from parlour.engine.opening import draw_opening, usual_plies

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
    opening = usual_plies(game, seats, dict(options))
    began = time.perf_counter()  # compiling does not count
    while played < MATCHES and (not played or time.perf_counter() - began < seconds):
        bots = others.copy()
        bots[played % seats] = mine
        winners = play(game, bots, seed + played // seats, options, opening)
        total += 1 / len(winners) if played % seats in winners else 0.0 if winners else 1 / seats
        played += 1
    return Score(opponent, total / played, played)


def play(game: Game, bots: Sequence[Bot], seed: int, options: Mapping[str, Any], opening: int) -> list[int]:
    """Who wins a match of these bots, of whose first plies so many are drawn; nobody where it does not end.

    A judge chooses without luck: from the same position it would win or lose by the same few moves again and again.
    """
    match = Match(game, len(bots), seed, **options)
    draw_opening(match, opening)
    while not match.over and len(match.plies) < game.ply_limit:
        own = Chance.of_game(seed, len(match.plies), 1 + match.to_move)
        match.play(bots[match.to_move].choose(match.seen_by(match.to_move).decision(own)))
    return match.winners
