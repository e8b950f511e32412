"""Who can sit at a table besides people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from parlour.engine.chance import Chance
from parlour.engine.errors import UnknownName, nearest
from parlour.engine.state import State


class Bot(Protocol):
    """Gets the position, the legal actions and a generator of its own; answers with an action."""

    def choose(self, state: State, legal: Sequence[int], chance: Chance) -> int: ...


class Random:
    """Any legal action, all equally likely."""

    def choose(self, state: State, legal: Sequence[int], chance: Chance) -> int:
        return legal[chance.below(len(legal))]


BOTS: dict[str, type[Bot]] = {"random": Random}


def seat_bot(name: str) -> Bot:
    """The bot of that name."""
    if name not in BOTS:
        who = ", ".join(["you", *BOTS])
        raise UnknownName(f"nobody called {name!r} can take a seat (there are: {who}){nearest(name, ['you', *BOTS])}")
    return BOTS[name]()
