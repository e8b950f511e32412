"""What can happen in Choccer, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine import Event, Seat, event
from parlour.engine.language import said
from parlour.games.choccer.state import GEM_NAMES, KIND_NAMES, square_name

PACKAGE = __name__.rpartition(".")[0]


def points_in_words(points: int) -> str:
    """The points in the language of the reader."""
    return said("1 point", PACKAGE) if points == 1 else said("{count} points", PACKAGE).format(count=points)


SPOKEN: dict[str, Callable[[int], str]] = {
    "kind": lambda kind: said(KIND_NAMES[kind], PACKAGE),
    "gem": lambda gem: said(GEM_NAMES[gem], PACKAGE),
    "square": square_name,
    "to": square_name,
    "points": points_in_words,
}


class ChoccerEvent(Event):
    """Pieces, gems, squares and points are told by their names."""

    __slots__ = ()

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        plain = Event.spoken(self, name)
        return {field: SPOKEN[field](value) if field in SPOKEN else value for field, value in plain.items()}


@event
class Begins(ChoccerEvent):
    words = "{seat} begins"
    seat: Seat


@event
class Moved(ChoccerEvent):
    words = "{seat}'s {kind} goes from {square} to {to}"
    seat: Seat
    kind: int
    square: int
    to: int


@event
class Carried(ChoccerEvent):
    words = "{seat}'s {kind} carries the {gem} from {square} to {to}"
    seat: Seat
    kind: int
    gem: int
    square: int
    to: int


@event
class Captured(ChoccerEvent):
    words = "{seat} captures {kind} on {square}: {points}"
    seat: Seat
    kind: int
    square: int
    points: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        # With its article, for other languages have several.
        return {**ChoccerEvent.spoken(self, name), "kind": self.said(f"a {KIND_NAMES[self.kind]}")}


@event
class PickedUp(ChoccerEvent):
    words = "{seat} picks up the {gem} on {square}"
    seat: Seat
    gem: int
    square: int


@event
class WonGem(ChoccerEvent):
    words = "{seat} wins the {gem} that it held"
    seat: Seat
    gem: int
    square: int


@event
class PassedGem(ChoccerEvent):
    words = "{seat} passes the {gem} from {square} to {to}"
    seat: Seat
    gem: int
    square: int
    to: int


@event
class Scored(ChoccerEvent):
    words = "{seat} scores the {gem} on {square}: {points}"
    seat: Seat
    gem: int
    square: int
    points: int
    came_from: int  # the square that the gem was on before this turn


@event
class PassedTurn(ChoccerEvent):
    words = "{seat} has nothing to play and passes the turn"
    seat: Seat


@event
class Won(ChoccerEvent):
    words = "the match is over: {seat} wins with {points} against {against}"
    seat: Seat
    points: int
    against: int


@event
class Drawn(ChoccerEvent):
    words = "the match is over: a draw, both have {points}"
    points: int
