"""A game: its rules, its fields and its options. Words, looks and players have modules of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from parlour.engine import options as option_values
from parlour.engine.chance import Draws
from parlour.engine.errors import BadGame, BadSeats
from parlour.engine.explanation import ENGINE
from parlour.engine.features import Feature, check_features, features_of_fields, narrowest, observe_fields, starts
from parlour.engine.glance import Glance
from parlour.engine.language import said
from parlour.engine.looks import Looks
from parlour.engine.options import Option
from parlour.engine.players import Players
from parlour.engine.state import Field, Layout, State
from parlour.engine.turns import advance, begin, clockwise
from parlour.engine.whole_numbers import whole_number
from parlour.engine.words import Words

if TYPE_CHECKING:
    from parlour.engine.verdict import Rival


MAX_ACTION_SPACE = 2**31  # actions are kept in 32 bits
# What a match or a batch is given besides its options.
RESERVED = ("auto_reset", "count", "device", "game", "names", "record", "seats", "seed", "self", "stream", "threads")


def _always(options: Mapping[str, int]) -> bool:
    return True


def _takes_any(seats: int, options: Mapping[str, int]) -> str | None:
    return None


def _never_out(state: State, seat: int) -> bool:
    return False


def _no_rivals(state: State) -> Sequence[Rival]:
    return ()


def _see_all(state: State, seat: int, features: list[int]) -> None:
    """Stands for the rule that shows all fields: one is made for every game that has no rule of its own."""


@dataclass(frozen=True, eq=False)
class Game:
    """All that the engine knows of a game. The functions are its rules, each over a state of ``fields``.

    setup(state, chance, journal=None)          the opening position; the state comes blank, its header and options set
    legal(state, actions) -> int                fills a buffer with the legal actions, ascending; returns how many
    apply(state, action, chance, journal=None)  plays one action
    score(state, seat) -> int                   the seat's score
    won(state, seat) -> bool                    whether the seat is a winner, once the match is over
    order(state, seat) -> int                   the seat's place in the order of play (0: the seat that began)
    conserved(state) -> int                     optional: a number that no action may change
    observe(state, seat, features)              optional: fills the declared ``features``, which come as zeros, with
                                                what a learner in that seat should see; else that is all fields
    settle(state, winners, journal=None)        optional: gives out what is still at stake where a match ends early: by
                                                resignation (the others win) or as all agree (nobody does)
    out(state, seat) -> bool                    optional: whether the seat is out: it plays no more, the others go on
    rivals(state)                               optional: who has won without a seat, see ``parlour.engine.verdict``
    hide(state, seat)                           optional, and makes a game one with secrets: leaves of a position what
                                                that seat knows, the rest UNKNOWN; seat -1 is whoever watches
    imagine(state, seat, chance)                belongs to it: fills what is UNKNOWN with what could be true
    may_act(state, seat) -> bool                optional, where several seats choose at once: whether the seat has still
                                                to choose now; else it is the seat to move

    ``notation``, ``terminal``, ``picture``, ``bots`` and ``foreign`` are names of modules: they load when needed.
    """

    name: str
    title: str
    summary: str
    version: int
    seats: tuple[int, int]
    fields: Mapping[str, Field]
    max_actions: int  # the most that are legal at once
    action_space: int  # every action is a number from 0 to one less than this
    ply_limit: int  # a match that is longer than this does not end
    setup: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    score: Callable[..., int]
    won: Callable[..., bool]
    notation: str  # the module with NOTATION, a parlour.engine.notation.Notation
    terminal: str  # the module with TERMINAL, a parlour.engine.terminal.Terminal
    picture: str = ""  # the module with PICTURE, a parlour.engine.picture.Picture, if there is one
    bots: str = ""  # the module with BOTS, a parlour.engine.bots.Bots, if there is one
    foreign: str = ""  # the module with FOREIGN, a parlour.engine.foreign.Foreign, if there is one
    order: Callable[..., int] = clockwise
    conserved: Callable[..., int] | None = None
    settle: Callable[..., None] | None = None
    observe: Callable[..., None] = _see_all
    features: tuple[Feature, ...] = ()
    options: tuple[Option, ...] = ()
    seat_names: tuple[str, ...] = ()
    usual_seats: int | None = None
    suggested_seats: int | None = None
    glance: Glance | None = None  # how long, how hard, luck or skill: what the lobby tells of it
    takes: Callable[[int, Mapping[str, int]], str | None] = _takes_any  # why not that many seats with those options
    out: Callable[..., bool] = _never_out
    rivals: Callable[[State], Sequence[Rival]] = _no_rivals
    hide: Callable[..., None] | None = None
    imagine: Callable[..., None] | None = None
    may_act: Callable[..., bool] | None = None
    keeps_score: Callable[[Mapping[str, int]], bool] = _always  # whether scores are worth showing before the end

    def __post_init__(self) -> None:
        names = [option.name for option in self.options]
        for name in names:
            if name in self.fields:
                raise BadGame(f"game {self.name!r}: an option and a field are both called {name!r}")
            if name in RESERVED or names.count(name) > 1:
                raise BadGame(f"game {self.name!r}: an option cannot be called {name!r}: that name is used already")
        if not 0 <= self.seats[0] <= self.seats[1]:
            raise BadGame(f"game {self.name!r}: seats are the fewest and the most, not {self.seats}")
        if not 1 <= self.max_actions <= self.action_space <= MAX_ACTION_SPACE:
            raise BadGame(
                f"game {self.name!r}: {self.max_actions} actions at once of {self.action_space} in all: the first "
                f"number is from 1 up to the second, and that is at most {MAX_ACTION_SPACE}"
            )
        if (self.hide is None) != (self.imagine is None):
            raise BadGame(f"game {self.name!r}: hide and imagine belong together: give both, or neither")
        if self.may_act is not None and self.hide is None:
            raise BadGame(f"game {self.name!r}: with may_act, hide has to keep what each has chosen from the others")
        self._resolve_features()

    @property
    def has_secrets(self) -> bool:
        """Whether there are things in it that not everybody may know."""
        return self.hide is not None

    def _resolve_features(self) -> None:
        if (self.observe is _see_all) != (not self.features):
            raise BadGame(f"game {self.name!r}: observe and features belong together: give both, or neither")
        if not self.features:
            shown = {**{option.name: option.field for option in self.options}, **self.fields}
            object.__setattr__(self, "features", features_of_fields(shown))
            object.__setattr__(self, "observe", observe_fields(shown))
        check_features(self.name, self.features)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A registered game goes by its name, any other by its parts."""
        from parlour.engine import registry

        if self.name in registry.names() and registry.get(self.name) is self:
            return registry.get, (self.name,)
        parts = {part.name: getattr(self, part.name) for part in dataclasses.fields(self)}
        if self.observe.__module__ == observe_fields.__module__:  # made for this game, and so it is made again
            parts |= {"observe": _see_all, "features": ()}
        return _made_of, (parts,)

    @cached_property
    def layout(self) -> Layout:
        return Layout.of({**{option.name: option.field for option in self.options}, **self.fields})

    @cached_property
    def observation_size(self) -> int:
        """How many numbers a learner sees."""
        return starts(self.features)[-1]

    @cached_property
    def observation_type(self) -> str:
        """The type of these numbers, as NumPy calls it: the narrowest that holds them all."""
        return f"int{narrowest(self.features).bits}"

    @cached_property
    def package(self) -> str:
        """The folder of the game, as a module name."""
        return self.setup.__module__.rpartition(".")[0] or self.setup.__module__

    def resolve_options(self, given: Mapping[str, object]) -> dict[str, int]:
        return option_values.resolve(self.name, self.options, given)

    def resolve_seats(self, seats: object, options: Mapping[str, int]) -> int:
        """The number of seats, if the game takes it; None means as many as are usual."""
        low, high = self.seats
        if seats is None:
            seats = self.usual_seats if self.usual_seats is not None else low
        count = whole_number(seats)
        if count is None or not low <= count <= high:
            expected = f"{low} seats" if low == high else f"{low} to {high} seats"
            raise BadSeats(f"{self.name} takes {expected}, not {seats!r}")
        reason = self.takes(count, options)
        if reason:
            raise BadSeats(reason)
        return count

    def blank(self, seats: int | None = None, **options: object) -> State:
        """A position of zeros with its header and options set: what ``setup`` starts from."""
        resolved = self.resolve_options(options)
        return self.layout.blank(seats=self.resolve_seats(seats, resolved), **resolved)

    def open(self, state: State, chance: Draws, journal: list[Any] | None = None) -> None:
        """Turn a blank position into an opening."""
        begin(self.setup, state, chance, journal)

    def legal_actions(self, state: State) -> list[int]:
        """The legal actions, ascending; none once the match is over."""
        if state.over:
            return []
        buffer = [0] * self.max_actions
        return buffer[: self.legal(state, buffer)]

    def waits_for(self, state: State) -> list[int]:
        """The seats that have still to choose now: the one to move, or several at once; none once the match is over."""
        if state.over:
            return []
        if self.may_act is None:
            return [int(state.to_move)]
        return [seat for seat in range(state.seats) if self.may_act(state, seat)]

    def observed(self, state: State, seat: int) -> list[int]:
        """What a learner in that seat sees: all features, one after the other."""
        features = [0] * self.observation_size
        self.observe(state, seat, features)
        return [int(feature) for feature in features]

    def play(self, state: State, action: int, chance: Draws, journal: list[Any] | None = None) -> None:
        """Play a legal action on the state itself. Nothing is checked: ``Match`` does that."""
        advance(self.apply, state, action, chance, journal)

    def scores(self, state: State) -> list[int]:
        return [int(self.score(state, seat)) for seat in range(state.seats)]

    def winners(self, state: State) -> list[int]:
        return [seat for seat in range(state.seats) if self.won(state, seat)] if state.over else []

    def said(self, text: str) -> str:
        """A text of the game, or one that all games share, in the language of the reader."""
        own = said(text, self.package)
        return own if own != text else said(text, ENGINE)

    def seat_name(self, seat: int) -> str:
        """What the game calls the seat, in the language of the reader."""
        if 0 <= seat < len(self.seat_names):
            return self.said(self.seat_names[seat])
        return self.said("Seat {number}").format(number=seat + 1)

    # The rest of a game, which loads when it is needed.

    @cached_property
    def words(self) -> Words:
        """What people read and type: notation, rulebook, lesson."""
        return Words(self)

    @cached_property
    def looks(self) -> Looks:
        """What people see and pick: the board in the terminal, the picture."""
        return Looks(self)

    @cached_property
    def players(self) -> Players:
        """Who plays it besides people: bots and judges."""
        return Players(self)


def _made_of(parts: dict[str, Any]) -> Game:
    return Game(**parts)
