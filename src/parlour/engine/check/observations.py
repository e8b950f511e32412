"""Checks of what a learner sees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from parlour.engine.check.blame import Failed, blame_compiler
from parlour.engine.check.matches import TrialMatch, trials
from parlour.engine.check.watched import unwatch, watch, watch_features
from parlour.engine.compiled.arrays import as_lines
from parlour.engine.compiled.batch_drivers import batch_drivers
from parlour.engine.compiled.drivers import new_features
from parlour.engine.features import narrowest, starts
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.state import State

PLIES, EVERY = 50, 7  # every so many plies a position is looked at


def check_observation(game: Game) -> None:
    """Every feature is as declared, from every seat, and ``observe`` changes nothing; so for what a judge sees."""
    for trial in trials(game, 4):
        with trial:
            for match in _some_positions(trial):
                for seat in _some_seats(trial):
                    for seen in _sights(game):
                        _observe_watched(seen, match.state, seat)


def _sights(game: Game) -> list[Game]:
    """The game as learners see it, and as judges do if that is another way."""
    return [game] if game.players.judged_game is game else [game, game.players.judged_game]


def _some_positions(trial: TrialMatch) -> Iterator[Match]:
    return (match for match in trial.positions(PLIES) if match.over or match.state.ply % EVERY == 0)


def _some_seats(trial: TrialMatch) -> list[int]:
    """All seats, or of very many the first and the last ones."""
    seats = range(trial.setting.seats)
    return list(seats) if len(seats) <= 4 else [*seats[:2], *seats[-2:]]


def _observe_watched(game: Game, state: State, seat: int) -> None:
    watched, features = watch(state), watch_features(game.observation_size, narrowest(game.features))
    game.observe(watched, seat, features)
    if unwatch(watched) != state:
        raise Failed("observe changed the state")
    for feature, first in zip(game.features, starts(game.features), strict=False):
        for place, value in enumerate(list(features)[first : first + feature.size]):
            if not feature.low <= value <= feature.high:
                where = f"place {place} of {feature.name!r}" if feature.shape else repr(feature.name)
                raise Failed(f"{where} is {value}; it is declared for {feature.low} to {feature.high} (seat {seat})")


def check_observation_compiled(game: Game) -> None:
    """A learner sees the same, interpreted and compiled."""
    try:
        observe = batch_drivers(game).observe_rows
    except Exception as error:
        raise Failed(f"observe does not compile: {blame_compiler(game, error)}") from error
    rows, seats, features = game.layout.rows(1), np.zeros(1, np.int64), new_features(game, 1)
    for trial in trials(game, 4):
        with trial:
            for match in _some_positions(trial):
                game.layout.write(match.state, rows, 0)
                for seat in _some_seats(trial):
                    seats[0] = seat
                    observe(rows, 0, 1, seats, as_lines(features))
                    if features[0].tolist() != game.observed(match.state, seat):
                        raise Failed(f"seat {seat} sees other features interpreted than compiled")
