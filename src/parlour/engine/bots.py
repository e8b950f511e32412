"""Bots: what one is asked, what it answers, and what a game's folder says about who plays it well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from parlour.engine.advice import Advice
from parlour.engine.chance import Chance
from parlour.engine.features import Sight
from parlour.engine.secrets import imagined
from parlour.engine.state import State

if TYPE_CHECKING:
    from parlour.engine.game import Game

Story = Callable[[], Sequence[str]]

# Every action tried, how often, and its estimated chance to win; the best first.
Ranking = list[tuple[int, int, float]]


@dataclass(frozen=True)
class TimeLimit:
    """The time a bot has: seconds for this action, and a bank to draw on when they do not suffice. None: no limit."""

    seconds: float | None = None
    bank: float = 0.0


@dataclass(frozen=True)
class Decision:
    """One choice to make. The state is a copy: a bot may try things on it."""

    game: Game
    state: State
    legal: Sequence[int]  # ascending, at least one
    chance: Chance  # the bot's own generator; it knows nothing of the match's dice
    clock: TimeLimit = field(default_factory=TimeLimit)
    actions: Sequence[int] = ()  # all that was played before
    names: Sequence[str] = ()  # of all seats, as the story calls them; empty where the seats have just the game's
    story: Story = list  # all that has happened, in words, as far as the seat knows it; made when it is asked for

    @property
    def seat(self) -> int:
        """The seat that the bot plays."""
        return int(self.state.to_move)

    def text(self, action: int) -> str:
        """An action in the game's notation."""
        return self.game.words.write(self.state, action)

    def world(self) -> State:
        """A copy of the state to try actions on: with secrets, one that could be true, another one each time."""
        return imagined(self.game, self.state, self.seat, self.chance) if self.game.has_secrets else self.state.copy()


class Bot(Protocol):
    """Anything that can choose. A bot is made for one seat of one match."""

    def choose(self, decision: Decision) -> int: ...


@dataclass(frozen=True)
class SearchLevel:
    """How strong the tree search plays: playouts an action. Of a hundred actions, ``slips`` are chosen at random."""

    playouts: int
    slips: int = 0


def usual_levels() -> Mapping[int, SearchLevel]:
    """The levels of the search in a game that sets none of its own."""
    return {
        1: SearchLevel(16, slips=30),
        2: SearchLevel(64, slips=10),
        3: SearchLevel(300),
        4: SearchLevel(1500),
        5: SearchLevel(7500),
    }


@dataclass(frozen=True)
class Face:
    """A bot as people choose one: what it is called, what it is like, how long it thinks. ``name`` is exact."""

    name: str
    title: str
    character: str
    thinks: str = "at once"


TITLES = ("Easy", "Relaxed", "Steady", "Strong", "Expert", "Brilliant")  # most games have five levels
CHARACTERS = (
    "Looks a moment, and often does something silly. For your first matches.",
    "Sees what is near, and slips now and then.",
    "Makes no careless mistakes, and plans little.",
    "Thinks ahead. You will have to as well.",
    "Weighs thousands of ways before each choice.",
)
THINKS = ("at once", "at once", "at once", "at once", "under a second")


def usual_faces(bot: str = "mcts") -> tuple[Face, ...]:
    """Five levels of a bot, from Easy to Expert: ``mcts:1`` to ``mcts:5``."""
    levels = zip(TITLES[:5], CHARACTERS, THINKS, strict=True)
    return tuple(Face(f"{bot}:{level}", *told) for level, told in enumerate(levels, 1))


@dataclass(frozen=True, kw_only=True)
class Bots:
    """Who plays a game well. A game's bots module ends with ``BOTS = Bots(...)``; every part is optional.

    advice          what the tree search can use: see ``parlour.engine.advice``
    levels          the levels of the search, by number from 1 up
    own             bots that the game brings along, by name: each a function that makes one for a seat
    compiled        which of these run compiled code: at a server's tables, another plays until that is there
    faces           whom people are offered, the easiest first; where there is nothing to decide, just one
    judge           the file in the game's folder with its judge: see ``parlour.engine.judge``; of several files, the
                    first that was trained with the number of seats at the table is used
    sight           what judges look at; by default, what a learner sees
    numbers         what the numbers in a position stand for, for whoever writes a bot: the names by number, for each
                    kind of thing; ``parlour new-bot`` lists them
    hint(decision)  what to tell a person who asks for a hint, where the game knows better than the search
    planner         makes the bot that plays the rest of a turn for whoever asks for that; by default, the last face
    """

    advice: Advice = field(default_factory=Advice)
    levels: Mapping[int, SearchLevel] = field(default_factory=usual_levels)
    own: Mapping[str, Callable[[], Bot]] = field(default_factory=dict)
    compiled: Collection[str] = ()
    faces: tuple[Face, ...] = field(default_factory=usual_faces)
    judge: str | tuple[str, ...] = ()
    sight: Sight | None = None
    hint: Callable[[Decision], Ranking] | None = None
    planner: Callable[[], Bot] | None = None
    numbers: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def judges(self) -> tuple[str, ...]:
        """The files of its judges."""
        return tuple(filter(None, (self.judge,))) if isinstance(self.judge, str) else self.judge
