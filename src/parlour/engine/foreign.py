"""Files of other programs that hold matches of a game: how a game lets people watch them.

Such a file need not say how a position came about, so nothing is played again: it is watched position by position.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from parlour.engine.picture import Step
from parlour.engine.state import State


@dataclass(frozen=True)
class ForeignPosition:
    """A position, the seat that brought it about, and what happened, in words and as what moves."""

    state: State
    seat: int | None
    text: str = ""
    steps: tuple[Step, ...] = ()


class ForeignReplay(Protocol):
    """A match as the file has it."""

    @property
    def plies(self) -> int:
        """How many positions follow the opening."""

    @property
    def winners(self) -> list[int]: ...

    def positions(self) -> Iterator[ForeignPosition]:
        """The opening, then every position that follows. The state of one may be changed to make the next."""


@dataclass(frozen=True)
class Foreign:
    """A game's module that reads such files ends with ``FOREIGN = Foreign(...)``."""

    claims: Callable[
        [Collection[str]], bool
    ]  # whether a file whose JSON object has these keys is meant to be such a match
    read: Callable[[bytes], ForeignReplay]  # the match in the text of such a file; raises BadReplay where it is wrong
