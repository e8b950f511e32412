"""Whether what a bot needs has been compiled, and having that done; meanwhile a simpler one can play in its place."""

from __future__ import annotations

import re
import time
from functools import cache
from pathlib import Path

from parlour.bots import roster
from parlour.bots.simple import Glance, Random
from parlour.engine.bots import Bot, Decision
from parlour.engine.chance import Chance
from parlour.engine.errors import NoCache
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.win_chances import judged_seats

HINT = "hint"  # what hints need, where that is not the tree search
PLIES = 30  # that a game's own bot plays to be ready: some look ahead only where there is something to weigh
SECONDS = 2.0  # for which it does so
_known: set[Path] = set()  # marks that have been found


def kind(name: str) -> str:
    """What is the same for all bots that run the same code: every level of the tree search does."""
    return "mcts" if name == "mcts" or name.startswith("mcts:") else name


def needs_nothing(game: Game, name: str) -> bool:
    """Whether this bot can choose at once, on any machine: nothing of it is compiled."""
    bots = game.players.bots
    return name == "random" or (name in bots.own and name not in bots.compiled)


def kinds(game: Game) -> list[str]:
    """What is to be ready for those whom people are offered, and for hints; none where there is nothing to decide."""
    offered = [*(face.name for face in roster.faces(game)), HINT] if game.max_actions > 1 else []
    return list(dict.fromkeys(kind(name) for name in offered if not needs_nothing(game, name)))


def stand_in(game: Game, name: str, seats: int) -> Bot:
    """Who plays while this bot is not ready: the best easier one of which nothing is compiled.

    Where there is none, one that looks a ply ahead with the game's judge; without a judge, one that plays by chance.
    """
    offered = [face.name for face in roster.faces(game)]
    easier = offered[: offered.index(name)] if name in offered else [roster.usual(game)]
    if plain := [other for other in easier if needs_nothing(game, other)]:
        return roster.make_bot(game, plain[-1])
    judge = game.players.estimates if seats in judged_seats(game) else None
    return Random() if judge is None else Glance(judge)


def is_ready(game: Game, name: str) -> bool:
    """Whether all has been compiled here that this bot needs: there is a mark that says so."""
    if needs_nothing(game, name):
        return True
    mark = _mark(game, kind(name))
    if mark not in _known and mark.exists():
        _known.add(mark)
    return mark in _known


def make_ready(game: Game, name: str) -> None:
    """Compile what this bot needs, unless that is done, and say so for all that use this cache. Raises NoCache."""
    if is_ready(game, name):
        return
    _compile(game, name)
    mark = _mark(game, kind(name))
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError as error:
        raise NoCache(f"nothing can be kept in {mark.parent}: {error.strerror} (set PARLOUR_CACHE)") from error


def _compile(game: Game, name: str) -> None:
    match = Match(game)
    if match.over or not match.seats:
        return
    if name == HINT:
        roster.hint(game, _decision(match), 0.1)
        return
    bot = roster.make_bot(game, "mcts:1p" if kind(name) == "mcts" else name)
    own, end = name in game.players.bots.own, time.monotonic() + SECONDS
    for _ in range(PLIES if own else 1):
        match.play(bot.choose(_decision(match)))
        if match.over or time.monotonic() > end:
            break


def _decision(match: Match) -> Decision:
    return match.seen_by(match.to_move).decision(Chance.at(0, match.state.ply))


def _mark(game: Game, what: str) -> Path:
    """The file that says that this is compiled, for processors like this one."""
    from llvmlite.binding import get_host_cpu_name  # it comes with Numba, which most bots do without

    from parlour.engine.compiled.cache import root

    return root() / _folder(game) / re.sub(r"[^\w.-]", "-", f"ready-{what}-{get_host_cpu_name()}")


@cache
def _folder(game: Game) -> str:
    """The folder of just these sources, which do not change while a program runs."""
    from parlour.engine.compiled.cache import folder

    return folder(game).name
