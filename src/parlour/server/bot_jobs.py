"""What bots are asked for, in processes of their own: an action, a hint, to be ready."""

from __future__ import annotations

import secrets
from collections import OrderedDict

from parlour.bots import Bot, Decision, roster
from parlour.engine import registry
from parlour.engine.chance import Chance
from parlour.engine.match import Match

REMEMBERED = 8  # bots that a process keeps, with what they have thought so far

_BOTS: OrderedDict[tuple[str, int, str], Bot] = OrderedDict()


def choose(table_id: str, seat: int, bot: str, game: str, packed: bytes, actions: list[int]) -> int:
    """The bot's action."""
    key = table_id, seat, bot
    player = _BOTS.pop(key, None) or roster.make_bot(registry.get(game), bot)
    _BOTS[key] = player
    if len(_BOTS) > REMEMBERED:
        _BOTS.popitem(last=False)
    return int(player.choose(_decision(game, packed, actions)))


def hint(game: str, packed: bytes, actions: list[int]) -> list[tuple[int, int, float]]:
    """The best actions, how often each was tried, and its estimated chance."""
    decision = _decision(game, packed, actions)
    return roster.hint(decision.game, decision)


def warm(game: str, bot: str) -> None:
    """Have what the bot needs ready: its search may have to be compiled."""
    rules = registry.get(game)
    match = Match(rules)
    if not match.over:
        roster.make_bot(rules, bot).choose(_decision(game, match.state.pack(), []))


def _decision(game: str, packed: bytes, actions: list[int]) -> Decision:
    """What the bot knows: the position and what was played, and a chance of its own, never the match's."""
    rules = registry.get(game)
    state = rules.layout.unpack(packed)
    chance = Chance.at(secrets.randbits(127), 0)
    return Decision(rules, state, rules.legal_actions(state), chance, actions=actions)
