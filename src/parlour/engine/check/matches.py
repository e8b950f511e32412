"""Ways to play a game, and random matches of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.check.blame import Failed, blame
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.options import Option
from parlour.engine.state import State

FEW_SEATS = 8  # up to here, every number of seats is tried


@dataclass(frozen=True)
class TrialSetting:
    """One way to play the game."""

    seats: int
    options: dict[str, Any]

    def told(self, game: Game) -> str:
        """``4 seats, maze=30``: options only where they differ from the usual."""
        usual = game.resolve_options({})
        chosen = [f"{name}={value}" for name, value in self.options.items() if value != usual[name]]
        return ", ".join([f"{self.seats} seat{'' if self.seats == 1 else 's'}", *chosen])


def settings(game: Game, *, whole: bool = False) -> list[TrialSetting]:
    """Ways to play: the fewest, usual and most seats, and every option's extremes, with usual and most seats.

    For whole matches, options go with the usual seats alone: long options with many seats would take too long.
    """
    usual = game.resolve_seats(None, game.resolve_options({}))
    low, most = game.seats[0], most_seats(game, game.resolve_options({}))
    counts = range(low, most + 1) if most <= FEW_SEATS else sorted({low, usual, most})
    found = [TrialSetting(seats, game.resolve_options({})) for seats in counts]
    varied = ({option.name: value} for option in game.options for value in extremes(option))
    for options in map(game.resolve_options, varied):
        many = [] if whole else [most_seats(game, options)]
        found += [TrialSetting(seats, options) for seats in dict.fromkeys([usual, *many])]
    return [setting for setting in found if game.takes(setting.seats, setting.options) is None]


def extremes(option: Option) -> list[int]:
    """The values of an option that are not the usual one: all choices, or the lowest and the highest number."""
    return [value for value in option.choices or (option.low, option.high) if value != option.default]


def most_seats(game: Game, options: dict[str, int]) -> int:
    """The most seats that the game takes with these options."""
    low, high = game.seats
    return next((seats for seats in range(high, low, -1) if game.takes(seats, options) is None), low)


def choose(game: Game, state: State, policy: Chance) -> int:
    """A random legal action, as the compiled drivers choose it."""
    legal = game.legal_actions(state)
    return legal[0] if len(legal) == 1 else legal[policy.below(len(legal))]


def play_random(match: Match, plies: int) -> None:
    """Up to that many random actions."""
    policy = Chance.of_game(match.seed, 0, POLICY_STREAM)
    for _ in range(plies):
        if match.over:
            return
        match.play(choose(match.game, match.state, policy))


class TrialMatch:
    """One setting with one seed. Within it (``with trial:``), whatever goes wrong fails the check in one line."""

    def __init__(self, game: Game, setting: TrialSetting, seed: int) -> None:
        self.game = game
        self.setting = setting
        self.seed = seed
        self.ply: int | None = None  # where the trial has come to

    def match(self, plies: int = 0) -> Match:
        """A match, after that many random actions or at its end."""
        match = Match(self.game, self.setting.seats, self.seed, **self.setting.options)
        for _ in self.walk(match, plies):
            pass
        return match

    def positions(self, plies: int) -> Iterator[Match]:
        """A match in its opening and after every random action, up to that many; the last may be the end."""
        match = Match(self.game, self.setting.seats, self.seed, **self.setting.options)
        yield from self.walk(match, plies)

    def walk(self, match: Match, plies: int) -> Iterator[Match]:
        policy = Chance.of_game(self.seed, 0, POLICY_STREAM)
        self.ply = 0
        yield match
        while not match.over and self.ply < plies:
            match.play(choose(self.game, match.state, policy))
            self.ply += 1
            yield match

    def __enter__(self) -> TrialMatch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception):
            ply = "" if self.ply is None else f"ply {self.ply}, "
            raise Failed(
                f"{blame(self.game, error)} ({ply}seed {self.seed}, {self.setting.told(self.game)})"
            ) from error


def trials(game: Game, count: int, *, whole: bool = False) -> Iterator[TrialMatch]:
    """Every setting at least once, each in turn until there are that many."""
    ways = settings(game, whole=whole)
    for seed, setting in enumerate(itertools.islice(itertools.cycle(ways), max(count, len(ways)))):
        yield TrialMatch(game, setting, seed)
