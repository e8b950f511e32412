"""Exactly what an action can lead to, and how likely each outcome is.

Rules are run with a chance that is told what to answer: once for every path of draws, until all answers are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import CodeType
from typing import Any

from parlour.engine.chance import Draws
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.state import State

OPENING = -1  # in place of an action: what the opening can be
MOST_RUNS = 100_000
ASKING = ("below", "roll", "draw_below", "next_word")


@dataclass(frozen=True)
class Outcome:
    """One of the positions that an action can lead to."""

    probability: Fraction
    state: State
    draws: tuple[int, ...]  # what chance answered on the way, each counted from 0


class Asked(Exception):
    """Chance was asked for one of ``many`` numbers, and was not told which."""

    def __init__(self, many: int) -> None:
        self.many = many


class ToldChance:
    """Chance that answers what it is told, in order, and raises ``Asked`` when it is asked for more."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._left = iter(draws)

    def below(self, n: int) -> int:
        if n == 1:
            return 0
        for answer in self._left:
            return answer
        raise Asked(n)

    def roll(self, sides: int) -> int:
        return self.below(sides) + 1


def play_told(game: Game, state: State, action: int, draws: Sequence[int]) -> State:
    """The position after the action where chance answers so. Raises ``Asked`` where it is asked for more."""
    after, chance = state.copy(), ToldChance(draws)
    _run(game, after, action, chance)
    return after


def _run(game: Game, state: State, action: int, chance: Draws) -> None:
    if action == OPENING:
        game.open(state, chance)
    else:
        game.play(state, action, chance)


def paths(game: Game, state: State, action: int, most_runs: int = MOST_RUNS) -> Iterator[Outcome]:
    """Every path of draws and where it leads, in the order of the draws. Two may lead to the same position."""
    waiting: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    for _ in range(most_runs):
        probability, draws = waiting.pop()
        try:
            yield Outcome(probability, play_told(game, state, action, draws), draws)
        except Asked as asked:
            share = probability / asked.many
            waiting += [(share, (*draws, answer)) for answer in reversed(range(asked.many))]
        if not waiting:
            return
    what = "the opening" if action == OPENING else f"action {action}"
    raise ParlourError(f"{game.name}: chance can answer in too many ways to {what}: more than {most_runs:,} runs of it")


def outcomes(game: Game, state: State, action: int, most_runs: int = MOST_RUNS) -> list[Outcome]:
    """The different positions that a legal action can lead to, with probabilities that add up to exactly 1.

    ``OPENING`` in place of the action gives the openings, from a blank position. Where rules draw so often that all
    ways cannot be tried in ``most_runs`` runs, or draw again for as long as they please, it says so.
    """
    found: dict[tuple[Any, ...], Outcome] = {}
    for path in paths(game, state, action, most_runs):
        key = _key(path.state)
        first = found.get(key)
        found[key] = path if first is None else Outcome(first.probability + path.probability, first.state, first.draws)
    return list(found.values())


def _key(state: State) -> tuple[Any, ...]:
    """What two states have in common if they are the same position."""
    values = (getattr(state, name) for name in state.layout.fields)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def asks_chance(game: Game) -> bool:
    """Whether the rules can ask chance for anything, with whatever options: their code is looked through."""
    waiting: list[Any] = [game.setup, game.apply]
    seen: set[Any] = set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        for name, value in _named_in(function):
            if name in ASKING or getattr(value, "__name__", "") in ASKING:
                return True
            if isinstance(getattr(value, "__code__", None), CodeType):
                waiting.append(value)
    return False


def _named_in(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """All names that a function's code uses, with what those that are not its own stand for."""
    known = {**function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        known[name] = cell.cell_contents
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for name in (*code.co_names, *code.co_freevars):
            value = known.get(name)
            yield name, value
            yield from _inside(value, code.co_names)


def _inside(value: Any, names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """What these names stand for in a module, as in ``dice.throw(…)``."""
    if type(value).__name__ == "module":
        yield from ((name, getattr(value, name)) for name in names if hasattr(value, name))
