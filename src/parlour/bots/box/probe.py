"""Finding out what protection this machine gives: by boxing a bot that does nothing."""

from __future__ import annotations

from functools import cache

from parlour.bots.box.boxed import BoxedBot
from parlour.bots.box.protection import Protection
from parlour.bots.box.sources import Source
from parlour.engine import registry

_IDLE = "def choose(decision):\n    return decision.legal[0]\n"


@cache
def protection() -> Protection:
    """The level of protection that bot files have here, with one sentence for each thing they might do."""
    game = registry.get(registry.names()[0])
    with BoxedBot(game, Source("probe", path="/probe.py", text=_IDLE)) as bot:
        return bot.protection
