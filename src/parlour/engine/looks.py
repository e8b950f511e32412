"""How a game looks: its board in the terminal, its picture, and what of the picture can be picked."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cached_property
from typing import TYPE_CHECKING

from parlour.engine.explanation import Explanation
from parlour.engine.foreign import Foreign
from parlour.engine.journal import Event
from parlour.engine.parts import load
from parlour.engine.picture import Mark, Picture, Step, number, parts_of, tag, whole
from parlour.engine.state import State

if TYPE_CHECKING:
    from rich.text import Text

    from parlour.engine.diagram import Diagram
    from parlour.engine.game import Game
    from parlour.engine.terminal import Terminal


# Whom a picture that raises an exception is told to, once for each game: then its board of the terminal is shown in its
# place. A server sets it for what it does itself. Elsewhere, as in ``parlour check``, the exception is raised.
tell_trouble: ContextVar[Callable[[Game, Exception], None] | None] = ContextVar("tell_trouble", default=None)


PLAIN = 640.0, 400.0  # the size of the picture of a game that draws none of its own


class Looks:
    """What people see of a game. A game without a picture of its own shows its board of the terminal."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._is_told = False

    @cached_property
    def terminal(self) -> Terminal:
        from parlour.engine.terminal import Terminal  # it brings rich along, which simulations need not wait for

        return load(self._game.name, self._game.terminal, Terminal)

    @cached_property
    def picture(self) -> Picture | None:
        return load(self._game.name, self._game.picture, Picture) if self._game.picture else None

    @cached_property
    def foreign(self) -> Foreign | None:
        """How files of other programs are watched as matches of this game."""
        return load(self._game.name, self._game.foreign, Foreign) if self._game.foreign else None

    def board(self, state: State, *, ascii: bool = False) -> Text:
        """The position as rich ``Text``, at most 80 columns wide."""
        return self.terminal.board(state, ascii=ascii)

    def backdrop(self, state: State) -> tuple[tuple[float, float], str]:
        """The size of the picture, and what in it never changes during a match, as SVG."""
        if self.picture is None:
            return PLAIN, ""
        try:
            return self.picture.size, self.picture.ground(state)
        except Exception as error:
            self._in_trouble(error)
            return self.picture.size, ""

    def scene(self, state: State) -> str:
        """What in the picture changes from position to position, as SVG."""
        return "".join(self.scene_parts(state))

    def scene_parts(self, state: State) -> tuple[str, ...]:
        """The same in parts, most of which stay as they are from one position to the next."""
        if self.picture is None:
            return self._plain_picture(state, PLAIN)
        try:
            return parts_of(self.picture.scene(state))
        except Exception as error:
            self._in_trouble(error)
            return self._plain_picture(state, self.picture.size)

    def _in_trouble(self, error: Exception) -> None:
        """Whatever a picture does wrong, those at the table play on: whoever can mend it is told."""
        tell = tell_trouble.get()
        if tell is None:
            raise error
        if not self._is_told:
            self._is_told = True
            tell(self._game, error)

    def _plain_picture(self, state: State, size: tuple[float, float]) -> tuple[str, ...]:
        """The board of the terminal, as large as it fits into a picture of that size, whatever the board's own is."""
        from parlour.engine import plain_picture  # it brings rich along, which simulations need not wait for

        (wide, high), drawn = plain_picture.draw(self.board(state))
        box = f"0 0 {number(wide)} {number(high)}"
        return (tag("svg", drawn, width=number(size[0]), height=number(size[1]), viewBox=box),)

    def svg(self, state: State) -> str:
        """The position as a picture of its own."""
        size, ground = self.backdrop(state)
        return whole(size, self._game.said(self._game.title), ground, self.scene(state))

    def picks(self, state: State, action: int) -> tuple[str, ...]:
        """The spots of the picture that name the action, in the order they are picked."""
        return tuple(self.picture.picks(state, action)) if self.picture else ()

    def way(self, state: State, action: int) -> str:
        """What the action has in common with those of other spots ("east"), in games of many orders a turn."""
        return self.picture.way(state, action) if self.picture else ""

    def motion(self, event: Event) -> list[Step]:
        """What moves in the picture when the event happens."""
        try:
            return list(self.picture.motion(event)) if self.picture else []
        except Exception as error:
            self._in_trouble(error)
            return []

    def explain(self, state: State, name: str) -> Explanation | None:
        """What the spot or thing of that name in the picture is and does; None where the game does not say."""
        return self.picture.explain(state, name) if self.picture else None

    @property
    def diagrams(self) -> tuple[Diagram, ...]:
        """Positions for the rulebook."""
        return self.picture.diagrams if self.picture else ()

    def marks(self, seats: int) -> list[Mark]:
        """What tells each seat from the others, beside the picture."""
        drawn = self.picture.mark if self.picture else None
        return [(drawn or self._plain_mark)(seat, seats) for seat in range(seats)]

    def _plain_mark(self, seat: int, seats: int) -> Mark:
        game = self._game
        letter = game.seat_name(seat)[0] if seat < len(game.seat_names) else chr(ord("A") + seat % 26)
        return Mark(letter, "#5f3b20", "#fff6e3")
