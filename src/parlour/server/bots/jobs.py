"""What bots are asked for, in processes of their own: an action, a hint, to be ready."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from typing import NamedTuple

from parlour.bots import Bot, Decision, roster, warmth
from parlour.engine import registry
from parlour.engine.chance import Chance

KEPT_BYTES = 64 * 2**20  # of what bots have thought so far, in one process
KEPT_SECONDS = 60.0  # for which a bot is kept after its last turn: by then its table rests

Key = tuple[str, int, str]  # table, seat and name of a bot
_BOTS: OrderedDict[Key, tuple[Bot, float]] = OrderedDict()  # with when each last chose, the longest ago first


class Chosen(NamedTuple):
    """A bot's action; or that of a simpler one in its place, because it is not ready yet."""

    action: int
    is_ready: bool = True


def choose(
    table_id: str, seat: int, bot: str, game: str, packed: bytes, actions: list[int], may_stand_in: bool
) -> Chosen:
    """The bot's action. Where another may stand in for it, nothing is compiled now."""
    if may_stand_in and not warmth.is_ready(rules := registry.get(game), bot):
        decision = _decision(game, packed, actions)
        return Chosen(int(warmth.stand_in(rules, bot, int(decision.state.seats)).choose(decision)), is_ready=False)
    return Chosen(_choose(table_id, seat, bot, game, packed, actions))


def _choose(table_id: str, seat: int, bot: str, game: str, packed: bytes, actions: list[int]) -> int:
    key, now = (table_id, seat, bot), time.monotonic()
    player = _BOTS.pop(key)[0] if key in _BOTS else roster.make_bot(registry.get(game), bot)
    action = int(player.choose(_decision(game, packed, actions)))
    _BOTS[key] = player, time.monotonic()
    _forget(now - KEPT_SECONDS)
    return action


def _forget(before: float) -> None:
    """Forget bots of idle tables; if the rest take too much memory, also those that were asked longest ago."""
    total = sum(_memory(bot) for bot, _ in _BOTS.values())
    for key, (bot, at) in list(_BOTS.items()):
        if at < before or total > KEPT_BYTES:
            del _BOTS[key]
            total -= _memory(bot)


def _memory(bot: Bot) -> int:
    """The bytes of a bot's tree, where it has one."""
    return int(getattr(bot, "memory", 0))


def hint(game: str, packed: bytes, actions: list[int], may_wait: bool) -> list[tuple[int, int, float]] | None:
    """The best actions, how often each was tried, and its estimated chance.

    None where that may wait for what it needs: nothing is compiled now.
    """
    if may_wait and not warmth.is_ready(registry.get(game), warmth.HINT):
        return None
    decision = _decision(game, packed, actions)
    return roster.hint(decision.game, decision)


class Planned(NamedTuple):
    """The rest of a turn; or as the strongest bot would play it, because what the planner needs is not ready yet."""

    actions: list[int]
    is_ready: bool = True


def plan(game: str, packed: bytes, actions: list[int], may_stand_in: bool) -> Planned:
    """How the rest of the turn could be played. Where another may stand in for the planner, nothing is compiled now."""
    decision = _decision(game, packed, actions)
    rules, strongest = decision.game, roster.faces(decision.game)[-1].name
    is_waiting = rules.players.bots.planner is not None and not warmth.is_ready(rules, warmth.HINT)
    if may_stand_in and is_waiting and warmth.needs_nothing(rules, strongest):
        return Planned(roster.plan(rules, decision, roster.make_bot(rules, strongest)), is_ready=False)
    return Planned(roster.plan(rules, decision))


def warm(game: str, bot: str) -> None:
    """Have what the bot needs ready: its search may have to be compiled."""
    warmth.make_ready(registry.get(game), bot)


def begin() -> None:
    """Load what takes a while, before anybody waits for it."""
    for game in registry.all_games():
        warmth.is_ready(game, "mcts")


def _decision(game: str, packed: bytes, actions: list[int]) -> Decision:
    """What the bot knows: the position and what was played, and a chance of its own, never the match's."""
    rules = registry.get(game)
    state = rules.layout.unpack(packed)
    chance = Chance.at(secrets.randbits(127), 0)
    return Decision(rules, state, rules.legal_actions(state), chance, actions=actions)
