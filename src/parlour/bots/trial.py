"""A trial: a bot plays against itself, and what it does wrong is counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from parlour.bots.box.boxed import BoxedBot
from parlour.bots.box.lifecycle import close_all, last_words, make_ready
from parlour.bots.box.limits import BotLimits
from parlour.bots.box.sources import Source
from parlour.bots.faults import OK, TIMEOUT, BadBot, BotFault
from parlour.bots.referee import Referee
from parlour.engine import registry
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.opening import draw_opening, usual_plies

MOST_SILENCE = 5  # timeouts in a row after which nothing more is tried


@dataclass
class Trial:
    """What came of it."""

    game: Game
    protection: str = ""
    matches: int = 0  # that were begun
    finished: int = 0  # that were played to the end
    cuts: list[str] = field(default_factory=list)  # those that were not: where, and why
    is_interrupted: bool = False
    is_silent: bool = False  # it has not answered at all, or no more, and nothing more was tried
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: float = 0.0
    slowest_where: str = ""
    faults: list[str] = field(default_factory=list)  # the first few of each status, and where they were
    stderr: list[str] = field(default_factory=list)  # the end of it, of a seat that was at fault if there was one

    FEW = 3

    def __post_init__(self) -> None:
        self._silence = 0  # timeouts in a row

    @property
    def is_clean(self) -> bool:
        return set(self.statuses) <= {OK}

    def place(self, match: Match) -> str:
        return f"match {self.matches}, ply {match.state.ply}"

    def cut(self, match: Match, why: str) -> None:
        """Note that a match is not played on."""
        self.cuts.append(f"{self.place(match)}: {why}")

    def count(self, match: Match, taken: float, fault: BotFault | None) -> None:
        where = f"{self.place(match)}, {match.game.seat_name(match.to_move)}"
        status = fault.status if fault else OK
        self.statuses[status] += 1
        self.seconds += taken
        if taken > self.slowest:
            self.slowest, self.slowest_where = taken, where
        if fault and self.statuses[status] <= self.FEW:
            self.faults.append(f"{where}: {fault}")
        self._silence = self._silence + 1 if status == TIMEOUT else 0
        self.is_silent = self._silence >= MOST_SILENCE or set(self.statuses) == {TIMEOUT}


def game_of(source: Source, name: str | None) -> Game:
    """The game to try a bot in: as given, else the one that its file names."""
    if name is not None:
        return registry.get(name)
    declared = re.search(r"""^GAME\s*(?::\s*\w+\s*)?=\s*["'](\w+)["']""", source.text, re.MULTILINE)
    if declared is None:
        raise BadBot(f'{source.name} does not say which game it is for: add GAME = "..." to it, or give --game')
    return registry.get(declared[1])


def run_trial(
    game: Game,
    source: Source,
    matches: int,
    limits: BotLimits | None = None,
    *,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    on_action: Callable[[Trial], object] = lambda trial: None,
) -> Trial:
    """So many matches of the bot against itself, with seeds from 0 up; ``on_action`` is called after each action.

    A bot that does not answer its first question, or several in a row, is tried no further. Without dice, all matches
    after the first begin with some plies that are drawn by lot, or they would all be the same.
    """
    resolved: dict[str, Any] = game.resolve_options(options or {})
    seats = max(1, game.resolve_seats(seats, resolved))
    opening = usual_plies(game, seats, resolved)
    trial = Trial(game)
    for seed in range(matches):
        match = Match(game, seats, seed, **resolved)
        draw_opening(match, opening if seed else 0)
        bots = [BoxedBot(game, source, limits) for _ in range(match.seats)]
        trial.matches += 1
        try:
            trial.protection = str(make_ready(bots))
            at_fault = _play(trial, match, bots, on_action)
        except KeyboardInterrupt:
            trial.is_interrupted = True
            trial.cut(match, "interrupted")
            at_fault = None
        finally:
            close_all(bots)
        if at_fault is not None or trial.is_clean:
            trial.stderr = last_words(bots[at_fault or 0])
        if trial.is_silent or trial.is_interrupted:
            break
    return trial


def _play(trial: Trial, match: Match, bots: list[BoxedBot], on_action: Callable[[Trial], object]) -> int | None:
    """One match; returns the last seat that was at fault."""
    at_fault = None
    referee = Referee(match.seats)
    while not match.over:
        if match.state.ply >= match.game.ply_limit:
            trial.cut(match, "no match is longer than that")
            return at_fault
        seat = match.to_move
        chance = Chance.of_game(match.seed, match.state.ply, POLICY_STREAM + 1 + seat)
        ruling = referee.ask(seat, bots[seat], match.seen_by(seat).decision(chance))
        trial.count(match, bots[seat].taken, ruling.fault)
        on_action(trial)
        if trial.is_silent:
            trial.cut(match, "it does not answer in time")
            return seat
        if ruling.is_out:
            trial.cut(match, f"lost by its fault ({ruling.fault.status if ruling.fault else ''})")
            return seat
        at_fault = seat if ruling.fault else at_fault
        match.play(ruling.action)
    trial.finished += 1
    return at_fault
