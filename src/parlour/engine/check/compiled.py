"""Checks of the rules as machines play by them: compiled."""

from __future__ import annotations

from collections import Counter

import numpy as np

from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.check.blame import Failed, blame_compiler, place_of
from parlour.engine.check.matches import TrialMatch, choose, trials
from parlour.engine.compiled.drivers import Workspace, drivers, workspace
from parlour.engine.game import Game
from parlour.engine.state import State

DRIVERS = {"setup": "setup", "legal": "legal", "apply": "apply", "score or won": "results", "playout": "playout"}


def check_compiles(game: Game) -> None:
    """Every rule compiles."""
    for rule, driver in DRIVERS.items():
        try:
            getattr(drivers(game), driver)
        except Exception as error:
            raise Failed(f"{rule} does not compile: {blame_compiler(game, error)}") from error


def opened(trial: TrialMatch, number: int) -> Workspace:
    """A compiled opening, with the chance of that game."""
    game, setting = trial.game, trial.setting
    space = workspace(game, 1, setting.seats)
    game.layout.write(game.blank(setting.seats, **setting.options), space.rows, 0)
    space.chance[:] = Chance.of_game(trial.seed, number).lanes
    space.policy[:] = Chance.of_game(trial.seed, number, POLICY_STREAM).lanes
    drivers(game).setup(space.rows, 0, space.scratch)
    return space


def check_compiled(game: Game) -> None:
    """Interpreted and compiled rules agree, byte for byte, after every action."""
    for trial in trials(game, 24):
        with trial:
            _play_both(trial, 250)


def _play_both(trial: TrialMatch, plies: int) -> None:
    game, made = trial.game, drivers(trial.game)
    chance, policy = Chance.of_game(trial.seed, 0), Chance.of_game(trial.seed, 0, POLICY_STREAM)
    state, space = game.blank(trial.setting.seats, **trial.setting.options), opened(trial, 0)
    game.open(state, chance)
    for trial.ply in range(plies):
        _compare(game, state, space)
        if chance.lanes != space.chance.tolist():
            raise Failed("interpreted and compiled rules have drawn differently from chance")
        if state.over:
            return
        legal = game.legal_actions(state)
        count = made.legal(space.rows, 0, space.scratch)
        if legal != space.actions[:count].tolist():
            raise Failed("interpreted and compiled legal actions differ")
        action = choose(game, state, policy)
        game.play(state, action, chance, [])
        made.apply(space.rows, 0, action, space.scratch)


def _compare(game: Game, state: State, space: Workspace) -> None:
    if state.pack() == space.rows.tobytes():
        return
    other = game.layout.read(space.rows, 0)
    name = next((name for name in game.layout.fields if getattr(state, name) != getattr(other, name)), "")
    raise Failed(f"{name} is {getattr(state, name)!r} interpreted and {getattr(other, name)!r} compiled")


def check_results(game: Game) -> None:
    """Interpreted and compiled agree on scores and winners; somebody wins, but not everybody always."""
    winners: Counter[str] = Counter()
    better: Counter[int] = Counter()  # matches by whether the winners scored more (1), less (-1) or the same
    for trial in trials(game, 40, whole=True):
        with trial:
            space, seats = opened(trial, 0), trial.setting.seats
            drivers(game).playout(space.rows, 0, space.scratch)
            wins = np.zeros(max(seats, 1), np.bool_)
            drivers(game).results(space.rows, 0, space.tallies.scores, wins)
            end = game.layout.read(space.rows, 0)
            _check_end(game, end)
            if game.scores(end) != space.tallies.scores[:seats].tolist():
                raise Failed("interpreted and compiled scores differ")
            if game.winners(end) != np.flatnonzero(wins[:seats]).tolist():
                raise Failed("interpreted and compiled winners differ")
            if end.over and seats > 1:
                winners[{0: "nobody", seats: "everybody"}.get(len(game.winners(end)), "some")] += 1
                better[_compare_scores(game, end)] += 1
    for who in ("nobody", "everybody"):
        if winners[who] and winners[who] == winners.total():
            raise Failed(f"{who} has won in all {winners.total()} matches of several seats: what does won say?")
    if better[-1] > 4 * better[1]:
        raise Failed(
            f"{place_of(game.score)}: winners have scored less than the others in {better[-1]} of {better.total()} "
            "matches: is the sign of the score right?"
        )


def _compare_scores(game: Game, end: State) -> int:
    """1 where the winners have more points than the others on the mean, -1 where they have less, else 0."""
    scores, won = game.scores(end), game.winners(end)
    lost = [seat for seat in range(end.seats) if seat not in won]
    if not won or not lost:
        return 0
    mine, theirs = (sum(scores[seat] for seat in seats) / len(seats) for seats in (won, lost))
    return (mine > theirs) - (mine < theirs)


def _check_end(game: Game, end: State) -> None:
    before = end.copy()
    for seat in range(end.seats):
        told = game.won(end, seat)
        if told not in (True, False):
            raise Failed(f"won says {told!r} of seat {seat}; it says whether the seat has won")
        game.score(end, seat)
    order = sorted(game.order(end, seat) for seat in range(end.seats))
    if order != list(range(end.seats)):
        raise Failed(f"order gives the places {order}; every seat has one of its own, from 0")
    absent = [seat for seat in range(end.seats, game.seats[1]) if end.over and end.seats and game.won(end, seat)]
    if absent:
        raise Failed(f"won says that seat {absent[0]} has won, where there are {end.seats} seats, counted from 0")
    if end != before:
        raise Failed("won, score or order changed the state")
