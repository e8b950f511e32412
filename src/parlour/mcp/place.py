"""Where tables are, as the tools see it: in this process, or at a server."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from parlour.bots.model.briefing import BAR, Briefing, one_line_kept
from parlour.engine.errors import ParlourError

LONGEST_WAIT = 50.0  # seconds: many clients give up after a minute
LONGEST_CHAT = 500  # characters
MOST_CHAT = 20  # lines that are told


class Trouble(ParlourError):
    """What a model asked for cannot be done; one line says why."""


@dataclass(frozen=True)
class Wish:
    """A table to be opened. ``others`` name who takes the other seats: bots, or ``anyone`` who joins."""

    game: str
    others: Sequence[str] = ()
    seat: int = 0
    seats: int | None = None
    options: Mapping[str, int | bool | str] = field(default_factory=dict)
    name: str = "model"


class HeldSeat(Protocol):
    """A seat that a model holds. All answers are words for it."""

    async def look(self, wait: float) -> str: ...

    async def act(self, choice: str, wait: float) -> str: ...

    async def why_not(self, tried: str) -> str: ...

    async def say(self, text: str) -> str: ...

    async def resign(self) -> str: ...


class Place(Protocol):
    """Where tables are."""

    async def games(self) -> str: ...

    async def rulebook(self, game: str) -> str: ...

    async def open_table(self, wish: Wish) -> tuple[HeldSeat, str]:
        """A seat at a new table, and what whoever wants to join it has to be told."""
        ...

    async def join_table(self, table: str, name: str, seat: int | None, token: str) -> HeldSeat: ...

    async def close(self) -> None: ...


def clause(rulebook: str, number: int) -> str:
    """One clause of a rulebook."""
    found = re.search(rf"^{number}\. .*?(?=^\d+\. |^#|\Z)", rulebook, re.M | re.S)
    if found is None:
        numbers = re.findall(r"^(\d+)\. ", rulebook, re.M)
        there = f"it has clauses 1 to {numbers[-1]}" if numbers else "it has no numbered clauses"
        raise Trouble(f"the rulebook has no clause {number}: {there}")
    return found[0].strip()


class Told:
    """What a seat has been told already, so that the next look begins where the last one ended."""

    def __init__(self) -> None:
        self._story = self._chat = 0

    def text(self, briefing: Briefing, chat: Sequence[tuple[str, str]]) -> str:
        """The briefing, with what is new of the story and of what was said."""
        since = self._story if self._story <= len(briefing.story) else 0
        new = list(chat[self._chat :] if self._chat <= len(chat) else chat)[-MOST_CHAT:]
        self._story, self._chat = len(briefing.story), len(chat)
        said = [f"{BAR}{one_line_kept(f'{name}: {text}')}" for name, text in new]
        return "\n\n".join(
            [briefing.text(since), *(["What was said at the table:\n" + "\n".join(said)] if said else [])]
        )


def chat_text(text: str) -> str:
    """What can be said at a table."""
    words = " ".join(text.split())
    if not words or len(words) > LONGEST_CHAT:
        raise Trouble(f"something to say has from 1 to {LONGEST_CHAT} characters, not {len(words)}")
    return words
