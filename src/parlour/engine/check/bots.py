"""Checks of who plays the game: its own bots, and what it advises the search."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.bots import Bot
from parlour.engine.chance import Chance
from parlour.engine.check.blame import Failed
from parlour.engine.check.matches import trials
from parlour.engine.game import Game
from parlour.engine.match import Match

POSITIONS = 20


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
        if game.max_actions > 1 and _always_first(game, make):
            raise Failed(
                f"bot {name} chose the first legal action in all {POSITIONS} positions: does it choose at all?"
            )
    _check_hint(game)


def _always_first(game: Game, make: Callable[[], Bot]) -> bool:
    """Whether it never chooses anything else, where there are several actions. Most are asked once or twice only.

    It is asked once a turn: where a turn has many actions, the first turns alone would tell little.
    """
    asked = 0
    for trial in trials(game, 4, whole=True):
        with trial:
            turn = -1
            for match in trial.positions(200):
                if match.over or not match.seats or len(match.legal()) < 2 or match.state.turns == turn:
                    continue
                turn = match.state.turns
                chosen = make().choose(match.seen_by(match.to_move).decision(Chance.at(trial.seed, match.state.ply)))
                if chosen != match.legal()[0]:
                    return False
                asked += 1
                if asked == POSITIONS:
                    return True
    return False


def _check_hint(game: Game) -> None:
    """What is told to a person who asks for a hint, where the game knows better than the search."""
    hint = game.players.bots.hint
    for trial in trials(game, 1, whole=True) if hint is not None else ():
        with trial:
            match = trial.match(4)
            if hint is not None and not match.over and match.seats:
                found = hint(match.seen_by(match.to_move).decision(Chance.at(trial.seed, 0)))
                if not found or any(action not in match.legal() for action, _, _ in found):
                    raise Failed(
                        f"hint says {found!r}; it says legal actions, how often each was tried, and its chance"
                    )


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
