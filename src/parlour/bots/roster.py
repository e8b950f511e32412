"""Who can take a seat: a name, and what it stands for.

random            any legal action
greedy            one ply ahead, by the judge that comes with the game, or else by its evaluation
mcts              tree search, one second an action; with that judge where there is one
mcts:3            tree search at level 3; games have five levels or more
mcts:0.5s         tree search, half a second an action
mcts:2000p        tree search, 2,000 playouts an action
judge             one ply ahead, by the judge that comes with the game; judge:0.5s searches with it
judge:my.judge    one ply ahead, by a judge of your own; judge:my.judge:0.5s searches with it
easy              whatever the game calls so, of what people are offered: easy, relaxed, steady, strong, expert …
NAME              a bot of the game's own, where it has some: zombie and t800 in game17
file:my_bot.py    a bot file, in a box of its own
process:./bot -v  a program that speaks JSON lines, in a box of its own
model:./my_model  a language model: a program, an address or a file of settings, see parlour.bots.model.settings

In a browser, where nothing can be compiled, some of these are interpreted, and others are not there: ``interpreted``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from parlour.bots import interpreted
from parlour.bots.simple import Greedy, Random
from parlour.engine.bots import CHARACTERS, TITLES, Bot, Decision, Face, Ranking
from parlour.engine.chance import Drawn, NoChance
from parlour.engine.errors import UnknownName, nearest
from parlour.engine.extras import can_compile
from parlour.engine.game import Game
from parlour.engine.win_chances import judged_seats

if TYPE_CHECKING:
    from parlour.bots.box import BotLimits
    from parlour.bots.mcts import Mcts
    from parlour.engine.judge.file import Judge


class SearchBudget(TypedDict, total=False):
    """What a tree search may use for an action. ``slips``: of a hundred actions, so many are chosen at random."""

    playouts: int
    seconds: float
    slips: int


LONGEST_PLAN = 1000  # actions: as many as a table plays at once
LEVELS = "levels"  # where bots are named for a tournament: all that people are offered
COMMON = ("random", "greedy", "mcts")
FILE, PROCESS, JUDGE, MODEL = "file:", "process:", "judge:", "model:"
OWN_CODE = (FILE, PROCESS, MODEL)  # whoever is named so runs code, or asks an address, that is not Parlour's


def usual(game: Game) -> str:
    """Whom a person meets who has not asked for anybody: level 2 of the game's own bot if it has levels, else mcts:2.

    Where there is nothing to decide, ``random`` plays as well as anybody.
    """
    if game.max_actions == 1:
        return "random"
    name = next((name for name in game.players.bots.own if name.endswith(":2")), "mcts:2")
    return name if can_compile() or interpreted.can_play(game, name) else faces(game)[0].name


COMPANY = Face(
    "random", "Company", "There is nothing to decide in this game: it throws and moves as anybody would.", "at once"
)


def faces(game: Game) -> tuple[Face, ...]:
    """Whom people are offered, the easiest first; where there is nothing to decide, there are no levels."""
    if game.max_actions == 1:
        return (COMPANY,)
    offered = game.players.bots.faces
    if can_compile():
        return offered
    here = tuple(face for face in offered if interpreted.can_play(game, face.name))
    return here or (Face("greedy", TITLES[1], CHARACTERS[1]),)


def with_levels(game: Game, names: Sequence[str]) -> list[str]:
    """These names, where ``levels`` stands for all whom people are offered, the easiest first."""
    offered = [face.name for face in faces(game)]
    return [each for name in names for each in (offered if name == LEVELS else [name])]


def exact(game: Game, name: str) -> str:
    """The exact name of a bot that may be called as people know it: ``easy``."""
    return next((face.name for face in faces(game) if face.title.lower() == name.lower()), name)


def title(game: Game, name: str) -> str:
    """What people call a bot: ``Relaxed``; the exact name of one that nobody is offered."""
    return next((game.said(face.title) for face in faces(game) if face.name == name), name)


def with_titles(game: Game, text: str) -> str:
    """The text with bots called as people know them: a bot's is the only name with brackets."""
    return re.sub(r"\(([^()]+)\)", lambda found: f"({title(game, found[1])})", text)


def names(game: Game) -> list[str]:
    """Every name that can take a seat of the game."""
    judges = ["judge"] if game.players.bots.judges else []
    found = [*COMMON, *(f"mcts:{level}" for level in game.players.bots.levels), *judges, *game.players.bots.own]
    return found if can_compile() else [name for name in found if interpreted.can_play(game, name)]


def is_built_in(game: Game, name: str) -> bool:
    """Whether the name is of a bot that comes with Parlour or with the game, so that no other code is run for it."""
    name = exact(game, name)
    kind, _, budget = name.partition(":")
    searches = kind == "mcts" or (kind == "judge" and bool(game.players.bots.judges))
    return name in names(game) or (searches and _budget(game, budget, levels=kind == "mcts") is not None)


def make_bot(game: Game, name: str, limits: BotLimits | None = None) -> Bot:
    """A bot of that name for one seat of one match. ``limits`` are for bot files and programs."""
    name = exact(game, name)
    if name == "random":
        return Random()
    if name == "greedy":
        return _greedy(game)
    if name == "mcts":
        return _mcts(game, "1s")
    if name.startswith((FILE, PROCESS)):
        return _boxed(game, name, limits)
    if name.startswith(MODEL):
        from parlour.bots.model import ModelBot

        return ModelBot(game, name.removeprefix(MODEL))
    if name == "judge" or name.startswith(JUDGE):
        return _judge(game, name.removeprefix("judge").removeprefix(":"))
    if name in game.players.bots.own:
        return game.players.bots.own[name]()
    if name.startswith("mcts:"):
        return _mcts(game, name.removeprefix("mcts:"))
    known = names(game)
    near = nearest(name, ["you", *known])
    raise UnknownName(f"nobody called {name!r} plays {game.name} (there are: {', '.join(known)}){near}")


def hint(game: Game, decision: Decision, seconds: float = 1.0) -> Ranking:
    """Every action tried, how often, and its estimated chance; the best first.

    By a tree search of some seconds, with the game's judge where there is one, unless the game knows better.
    """
    if not can_compile():
        return _interpreted_hint(game, decision)
    if game.players.bots.hint is not None:
        return game.players.bots.hint(decision)
    judge = game.players.judge if decision.state.seats in judged_seats(game) else None
    return _searching(game, judge, SearchBudget(seconds=seconds)).rank(decision)


def _interpreted_hint(game: Game, decision: Decision) -> Ranking:
    """What can be said where nothing can be compiled: what a tree finds in a second, or what the strongest bot does."""
    bots = game.players.bots
    if bots.hint is None and not bots.judges:
        return interpreted.Tree(game).rank(decision)
    return [(make_bot(game, faces(game)[-1].name).choose(decision), 0, 0.0)]


def plan(game: Game, decision: Decision, bot: Bot | None = None) -> list[int]:
    """The rest of the turn as the bot would play it: the game's planner, or else the strongest that people are offered.

    It goes up to what ends the turn or rolls dice: those are for whoever is asked to choose. In a game with secrets
    every action may show something, so there is no plan.
    """
    if game.has_secrets:
        return []
    planner = game.players.bots.planner
    if bot is None:
        bot = planner() if planner is not None and can_compile() else make_bot(game, faces(game)[-1].name)
    state, found = decision.state.copy(), list[int]()
    while len(found) < LONGEST_PLAN:
        now = replace(
            decision, state=state.copy(), legal=game.legal_actions(state), actions=[*decision.actions, *found]
        )
        action, after = int(bot.choose(now)), state.copy()
        try:
            game.play(after, action, NoChance())
        except Drawn:
            break
        if after.over or after.turns != state.turns:
            break
        found.append(action)
        state = after
    return found


def _boxed(game: Game, name: str, limits: BotLimits | None) -> Bot:
    from parlour.bots import box

    is_file = name.startswith(FILE)
    source = box.bot_file(name.removeprefix(FILE)) if is_file else box.command(name.removeprefix(PROCESS))
    return box.BoxedBot(game, source, limits)


def _greedy(game: Game) -> Bot:
    if game.players.estimates is None:
        return Greedy(game.players.bots.advice)
    if game.players.judge is None or not can_compile():
        return interpreted.search(game)
    from parlour.bots.judged import OnePly

    return OnePly(game.players.judge)


def _searching(game: Game, judge: Judge | None, budget: SearchBudget) -> Mcts:
    """The tree search with a judge; where there is none, with the game's advice."""
    from parlour.bots.judged import search_advice
    from parlour.bots.mcts import Mcts  # it brings Numba along, which whoever plays without it need not wait for

    advice = game.players.bots.advice if judge is None else search_advice(judge)
    return Mcts(game, advice, judge=judge, **budget)


def _mcts(game: Game, budget: str) -> Bot:
    found = _budget(game, budget)
    if found is None:
        highest = max(game.players.bots.levels)
        raise UnknownName(f"'mcts:{budget}' is not a search: mcts takes a level from 1 to {highest}, or 0.5s, or 2000p")
    return _searching(game, game.players.judge, found) if can_compile() else interpreted.search(game, **found)


def _judge(game: Game, text: str) -> Bot:
    """``text`` is a budget, a judge's file, a file and a budget, or nothing."""
    if not can_compile():
        return interpreted.search(game)
    from parlour.bots.judged import OnePly
    from parlour.engine.judge.file import load

    file, budget = _judge_parts(game, text)
    judge = load(game, Path(file)) if file else game.players.judge
    if judge is None:
        raise UnknownName(
            f"{game.name} has no judge of its own: 'parlour train {game.name}' makes one; judge:FILE uses it"
        )
    return OnePly(judge) if budget is None else _searching(game, judge, budget)


def _judge_parts(game: Game, text: str) -> tuple[str, SearchBudget | None]:
    """The file and the budget."""
    file, _, last = text.rpartition(":")
    budget = _budget(game, last, levels=False)
    if budget is not None:
        return file, budget
    if file and Path(file).is_file():
        raise UnknownName(f"'{last}' is no time for a search: write 0.5s, or 2000p for so many playouts")
    return text, None


def judge_file(game: Game, name: str) -> Path | None:
    """The file of a judge that the bot of that name brings along."""
    file = _judge_parts(game, name.removeprefix(JUDGE))[0] if name.startswith(JUDGE) else ""
    return Path(file) if file else None


def _budget(game: Game, text: str, *, levels: bool = True) -> SearchBudget | None:
    """What a search may use: ``3`` is a level, ``0.5s`` half a second an action, ``2000p`` so many playouts."""
    known = game.players.bots.levels if levels else {}
    if re.fullmatch(r"[0-9]{1,3}", text) and int(text) in known:
        return SearchBudget(playouts=known[int(text)].playouts, slips=known[int(text)].slips)
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s|([0-9]{1,10})p", text)
    if found and found[1] and 0 < float(found[1]) <= 3600:
        return SearchBudget(seconds=float(found[1]))
    if found and found[2] and 0 < int(found[2]) <= 10**9:
        return SearchBudget(playouts=int(found[2]))
    return None
