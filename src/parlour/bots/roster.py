"""Who can take a seat: a name, and what it stands for.

random            any legal action
greedy            one ply ahead, by the game's evaluation
mcts              tree search, one second an action
mcts:3            tree search at level 3 of 1 to 5
mcts:0.5s         tree search, half a second an action
mcts:2000p        tree search, 2,000 playouts an action
NAME              a bot of the game's own, where it has some: zombie and t800 in game17
file:my_bot.py    a bot file, in a box of its own
process:./bot -v  a program that speaks JSON lines, in a box of its own
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from parlour.bots.decision import Bot, Decision
from parlour.bots.simple import Greedy, Random
from parlour.engine.advice import Advice
from parlour.engine.errors import UnknownName, nearest
from parlour.engine.game import Game

COMMON = ("random", "greedy", "mcts")
FILE, PROCESS = "file:", "process:"


@dataclass(frozen=True)
class Level:
    """How strong a bot plays: playouts per action, and how many actions in a hundred are simply any."""

    playouts: int
    slips: int = 0


LEVELS = {
    1: Level(16, slips=30),
    2: Level(64, slips=10),
    3: Level(300),
    4: Level(1500),
    5: Level(7500),
}


def knowledge(game: Game) -> ModuleType | None:
    """The module in the game's folder that knows how to play it well."""
    return importlib.import_module(game.bots) if game.bots else None


def advice(game: Game) -> Advice:
    """What the game tells a search."""
    found = getattr(knowledge(game), "ADVICE", None)
    return found if found is not None else Advice()


def levels(game: Game) -> dict[int, Level]:
    """The game's levels: its own where its folder sets them."""
    found = getattr(knowledge(game), "LEVELS", None)
    return {number: Level(*level) for number, level in found.items()} if found else LEVELS


def own_bots(game: Game) -> dict[str, Callable[[], Any]]:
    """The bots that the game brings along, by name."""
    return dict(getattr(knowledge(game), "BOTS", {}))


def usual(game: Game) -> str:
    """Whom a person meets who has not asked for anybody: level 2 of the game's own bot if it has levels, else mcts:2.

    Where there is nothing to decide, ``random`` plays as well as anybody.
    """
    if game.max_actions == 1:
        return "random"
    return next((name for name in own_bots(game) if name.endswith(":2")), "mcts:2")


def names(game: Game) -> list[str]:
    """Every name that can take a seat of the game."""
    return [*COMMON, *(f"mcts:{level}" for level in levels(game)), *own_bots(game)]


def make_bot(game: Game, name: str) -> Bot:
    """A bot of that name for one seat of one match."""
    if name == "random":
        return Random()
    if name == "greedy":
        return Greedy(advice(game))
    if name == "mcts":
        return _mcts(game, "1s")
    if name.startswith((FILE, PROCESS)):
        return _boxed(game, name)
    own = own_bots(game)
    if name in own:
        bot: Bot = own[name]()
        return bot
    if name.startswith("mcts:"):
        return _mcts(game, name.removeprefix("mcts:"))
    known = names(game)
    near = nearest(name, ["you", *known])
    raise UnknownName(f"nobody called {name!r} plays {game.name} (there are: {', '.join(known)}){near}")


def hint(game: Game, decision: Decision, seconds: float = 1.0) -> list[tuple[int, int, float]]:
    """Every action tried, how often, and its estimated chance; the best first.

    By a tree search of some seconds, unless the game knows better.
    """
    own: Callable[[Decision], list[tuple[int, int, float]]] | None = getattr(knowledge(game), "hint", None)
    if own is not None:
        return own(decision)
    from parlour.bots.mcts import Mcts

    return Mcts(game, advice(game), seconds=seconds).rank(decision)


def _boxed(game: Game, name: str) -> Bot:
    from parlour.bots import box

    is_file = name.startswith(FILE)
    source = box.bot_file(name.removeprefix(FILE)) if is_file else box.command(name.removeprefix(PROCESS))
    return box.BoxedBot(game, source)


def _mcts(game: Game, budget: str) -> Bot:
    from parlour.bots.mcts import Mcts  # it brings Numba along, which whoever plays without it need not wait for

    known = levels(game)
    if budget.isdecimal() and int(budget) in known:
        level = known[int(budget)]
        return Mcts(game, advice(game), playouts=level.playouts, slips=level.slips)
    found = re.fullmatch(r"(\d+(?:\.\d+)?)s|(\d+)p", budget)
    if found and found[1] and 0 < float(found[1]) <= 3600:
        return Mcts(game, advice(game), seconds=float(found[1]))
    if found and found[2] and 0 < int(found[2]) <= 10**9:
        return Mcts(game, advice(game), playouts=int(found[2]))
    raise UnknownName(f"'mcts:{budget}' is no search: mcts takes a level from 1 to {max(known)}, or 0.5s, or 2000p")
