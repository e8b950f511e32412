"""Checks of who plays the game: its own bots, and what it advises the search."""

from __future__ import annotations

from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.chance import Chance
from parlour.engine.check.blame import Failed
from parlour.engine.check.matches import trials
from parlour.engine.game import Game
from parlour.engine.match import Match


def check_bots(game: Game) -> None:
    """The game's own bots choose legal actions; its evaluation and its policy answer as they should; its judge fits.

    A judge knows every number of seats that the game takes: whoever names the bot ``judge`` need not ask.
    """
    if (judge := game.players.judge) is not None:
        for seats in range(max(game.seats[0], 1), game.seats[1] + 1):
            judge.at(seats)
    for trial in trials(game, 4):
        with trial:
            for match in trial.positions(12):
                if not match.over and match.seats:
                    _check_advice(match, game.players.bots.advice)
    for name, make in game.players.bots.own.items():
        trial = next(iter(trials(game, 1)))
        with trial:
            match = trial.match(4)
            if not match.over and match.seats:
                chosen = make().choose(match.seen_by(match.to_move).decision(Chance.at(trial.seed, 0)))
                if chosen not in match.legal():
                    raise Failed(f"bot {name} chose {chosen!r}, which is not legal")


def _check_advice(match: Match, advice: Advice) -> None:
    if advice.evaluate is not None:
        for seat in range(match.seats):
            worth = advice.evaluate(match.state.copy(), seat)
            if not isinstance(worth, int) or not 0 <= worth <= CERTAIN:
                raise Failed(f"evaluate says {worth!r} of seat {seat}; it says whole numbers from 0 to {CERTAIN}")
    if advice.policy is not None:
        legal = match.legal()
        room = legal + [0] * (match.game.max_actions - len(legal))
        chosen = advice.policy(match.state.copy(), room, len(legal), Chance.at(1, match.state.ply))
        if chosen not in legal:
            raise Failed(f"policy chose {chosen!r}, which is not legal")
