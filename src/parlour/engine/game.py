"""A game: its rules, and what people call things."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from parlour.engine import options as option_values
from parlour.engine.bots import Bots
from parlour.engine.chance import Draws
from parlour.engine.errors import BadGame, BadNotation, BadSeats
from parlour.engine.explanation import ENGINE, Explanation
from parlour.engine.features import Feature, check_features, features_of_fields, narrowest, observe_fields, starts
from parlour.engine.foreign import Foreign
from parlour.engine.glance import Glance
from parlour.engine.journal import Event
from parlour.engine.language import said
from parlour.engine.notation import Notation, find_action, words_of
from parlour.engine.options import Option
from parlour.engine.parts import load
from parlour.engine.picture import Mark, Picture, Step, parts_of, whole
from parlour.engine.state import Field, Layout, State
from parlour.engine.turns import advance, begin, clockwise

if TYPE_CHECKING:
    from rich.text import Text

    from parlour.engine.diagram import Diagram
    from parlour.engine.judge import Judge
    from parlour.engine.lesson import Lesson
    from parlour.engine.terminal import Terminal
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
        self._settle_features()

    def _settle_features(self) -> None:
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

    @cached_property
    def rulebook(self) -> str:
        """The rules in words: ``rulebook.md`` in the game's folder."""
        return self.rulebook_in("en")

    def rulebook_in(self, language: str) -> str:
        """The rules in words of that language, such as ``rulebook.de.md``; in English where there is no such file."""
        return _rulebook(self.package, language)

    @cached_property
    def lesson(self) -> Lesson | None:
        """The guided first match: ``lesson.toml`` in the game's folder, if it is there."""
        from parlour.engine import lesson  # most who play have learnt already

        return lesson.load(self)

    def settle_options(self, given: Mapping[str, object]) -> dict[str, int]:
        return option_values.settle(self.name, self.options, given)

    def settle_seats(self, seats: object, options: Mapping[str, int]) -> int:
        """The number of seats, if the game takes it; None means as many as are usual."""
        low, high = self.seats
        if seats is None:
            seats = self.usual_seats if self.usual_seats is not None else low
        if not isinstance(seats, int) or isinstance(seats, bool) or not low <= seats <= high:
            expected = f"{low} seats" if low == high else f"{low} to {high} seats"
            raise BadSeats(f"{self.name} takes {expected}, not {seats!r}")
        reason = self.takes(seats, options)
        if reason:
            raise BadSeats(reason)
        return seats

    def blank(self, seats: int | None = None, **options: object) -> State:
        """A position of zeros with its header and options set: what ``setup`` starts from."""
        settled = self.settle_options(options)
        return self.layout.blank(seats=self.settle_seats(seats, settled), **settled)

    def open(self, state: State, chance: Draws, journal: list[Any] | None = None) -> None:
        """Turn a blank position into an opening."""
        begin(self.setup, state, chance, journal)

    def legal_actions(self, state: State) -> list[int]:
        """The legal actions, ascending; none once the match is over."""
        if state.over:
            return []
        buffer = [0] * self.max_actions
        return buffer[: self.legal(state, buffer)]

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

    # The parts in modules of their own.

    @cached_property
    def loaded_notation(self) -> Notation:
        return load(self.name, self.notation, Notation)

    @cached_property
    def loaded_terminal(self) -> Terminal:
        from parlour.engine.terminal import Terminal  # it brings rich along, which simulations need not wait for

        return load(self.name, self.terminal, Terminal)

    @cached_property
    def loaded_picture(self) -> Picture | None:
        return load(self.name, self.picture, Picture) if self.picture else None

    @cached_property
    def loaded_bots(self) -> Bots:
        return load(self.name, self.bots, Bots) if self.bots else Bots()

    @cached_property
    def for_judge(self) -> Game:
        """The same rules, with what a judge looks at in place of what a learner sees."""
        sight = self.loaded_bots.sight
        if sight is None:
            return self
        twin = dataclasses.replace(self, observe=sight.observe, features=sight.features)
        twin.__dict__["for_judge"] = twin
        return twin

    @cached_property
    def loaded_judge(self) -> Judge | None:
        """The judge that comes with the game, if there is one; with the others beside it, where there are several."""
        from parlour.engine.judge.file import load  # it brings NumPy along, which most who play need not wait for

        found = []
        for name in self.loaded_bots.judges:
            with resources.as_file(resources.files(importlib.import_module(self.package)) / name) as file:
                found.append(load(self, file))
        return found[0].beside(found[1:]) if found else None

    @cached_property
    def loaded_foreign(self) -> Foreign | None:
        return load(self.name, self.foreign, Foreign) if self.foreign else None

    # What people read and type.

    def write(self, state: State, action: int) -> str:
        """The action in the game's notation."""
        return self.loaded_notation.write(state, action)

    def describe(self, state: State, action: int) -> str:
        """The action in words, where the notation alone would not tell; else nothing."""
        return self.loaded_notation.describe(state, action)

    def read(self, state: State, text: str) -> int:
        """The legal action that the text names. Case and spaces do not matter."""
        try:
            return find_action(text, {self.write(state, action): action for action in self.legal_actions(state)})
        except BadNotation as error:
            raise self.with_reason(error, state, text) from error

    def with_reason(self, error: BadNotation, state: State, text: str) -> BadNotation:
        """The error, with the reason that the game knows why this cannot be played."""
        reason = self.reason(state, text)
        return BadNotation(f"{text!r} is not a legal action here: {reason}") if reason else error

    def reason(self, state: State, text: str) -> str:
        """Why this cannot be played, with the clause; nothing where the game knows no reason."""
        found = self.why_not(state, words_of(text))
        if found is None:
            return ""
        return f"{found.text.rstrip('.')} (clause {found.clause})" if found.clause else found.text.rstrip(".")

    def why_not(self, state: State, tried: Sequence[str]) -> Explanation | None:
        """Why the seat to move cannot do that now; None where the game knows no reason."""
        return self.loaded_notation.why_not(state, tried)

    def board(self, state: State, *, ascii: bool = False) -> Text:
        """The position as rich ``Text``, at most 80 columns wide."""
        return self.loaded_terminal.board(state, ascii=ascii)

    # What people see and pick.

    def backdrop(self, state: State) -> tuple[tuple[float, float], str]:
        """The size of the picture, and what in it never changes during a match, as SVG."""
        if self.loaded_picture is None:
            return self._plain_picture(state)[0], ""
        return self.loaded_picture.size, self.loaded_picture.ground(state)

    def scene(self, state: State) -> str:
        """What in the picture changes from position to position, as SVG."""
        return "".join(self.scene_parts(state))

    def scene_parts(self, state: State) -> tuple[str, ...]:
        """The same in parts, most of which stay as they are from one position to the next."""
        if self.loaded_picture is None:
            return parts_of(self._plain_picture(state)[1])
        return parts_of(self.loaded_picture.scene(state))

    def _plain_picture(self, state: State) -> tuple[tuple[float, float], str]:
        from parlour.engine import plain_picture  # it brings rich along, which simulations need not wait for

        return plain_picture.draw(self.board(state))

    def svg(self, state: State) -> str:
        """The position as a picture of its own."""
        size, ground = self.backdrop(state)
        return whole(size, self.said(self.title), ground, self.scene(state))

    def picks(self, state: State, action: int) -> tuple[str, ...]:
        """The spots of the picture that name the action, in the order they are picked."""
        return tuple(self.loaded_picture.picks(state, action)) if self.loaded_picture else ()

    def way(self, state: State, action: int) -> str:
        """What the action has in common with those of other spots ("east"), in games of many orders a turn."""
        return self.loaded_picture.way(state, action) if self.loaded_picture else ""

    def motion(self, event: Event) -> list[Step]:
        """What moves in the picture when the event happens."""
        return list(self.loaded_picture.motion(event)) if self.loaded_picture else []

    def explain(self, state: State, name: str) -> Explanation | None:
        """What the spot or thing of that name in the picture is and does; None where the game does not say."""
        return self.loaded_picture.explain(state, name) if self.loaded_picture else None

    @property
    def diagrams(self) -> tuple[Diagram, ...]:
        """Positions for the rulebook."""
        return self.loaded_picture.diagrams if self.loaded_picture else ()

    def marks(self, seats: int) -> list[Mark]:
        """What tells each seat from the others, beside the picture."""
        drawn = self.loaded_picture.mark if self.loaded_picture else None
        return [(drawn or self._plain_mark)(seat, seats) for seat in range(seats)]

    def _plain_mark(self, seat: int, seats: int) -> Mark:
        letter = self.seat_name(seat)[0] if seat < len(self.seat_names) else chr(ord("A") + seat % 26)
        return Mark(letter, "#5f3b20", "#fff6e3")


def _made_of(parts: dict[str, Any]) -> Game:
    return Game(**parts)


@cache
def _rulebook(package: str, language: str) -> str:
    folder = resources.files(importlib.import_module(package))
    translated = folder / f"rulebook.{language}.md"
    return (translated if translated.is_file() else folder / "rulebook.md").read_text("utf-8")
