"""What can happen in Verfuchst, in words."""

from collections.abc import Callable
from dataclasses import field
from typing import Any

from parlour.engine import Event, Seat, event
from parlour.games.verfuchst.state.names import from_tile, signed, tile_in_words, to_tile


@event
class Begins(Event):
    words = "{seat} begins"
    seat: Seat


@event
class Rolled(Event):
    words = "{seat} rolls {die}"
    seat: Seat
    die: int


@event
class Moved(Event):
    words = "{seat} moves a piece {start} {to}"
    seat: Seat
    start: int
    to: int
    piece: int = field(default=0, compare=False)  # which, as the state numbers them
    way: tuple[int, ...] = field(default=(), compare=False)  # every tile it steps on, the last included

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"seat": name(self.seat), "start": from_tile(self.start), "to": to_tile(self.to)}


@event
class MovedGuardian(Event):
    words = "{seat} moves a guardian {start} {to}"
    seat: Seat
    start: int
    to: int
    guardian: int = field(default=0, compare=False)  # which, counted along the path
    way: tuple[int, ...] = field(default=(), compare=False)  # every tile it steps on, the last included

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"seat": name(self.seat), "start": from_tile(self.start), "to": to_tile(self.to)}


@event
class GuardianLeft(Event):
    words = "the guardian is out of play"


@event
class Took(Event):
    words = "{seat} takes {tile}"
    seat: Seat
    tile: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"seat": name(self.seat), "tile": tile_in_words(self.tile)}


@event
class CameHome(Event):
    words = "{seat} has {home} of 3 pieces home"
    seat: Seat
    home: int


@event
class Finished(Event):
    words = "{seat} has all pieces home and is skipped from now on"
    seat: Seat


@event
class Turned(Event):
    words = "a lucky tile turns {seat}'s {value} into {turned}"
    seat: Seat
    value: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"seat": name(self.seat), "value": signed(self.value), "turned": signed(-self.value)}


@event
class Scored(Event):
    words = "{seat} scores {score}"
    seat: Seat
    score: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"seat": name(self.seat), "score": signed(self.score)}


@event
class Won(Event):
    words = "{seat} wins"
    seat: Seat


@event
class SharedWin(Event):
    words = "{seat} shares the win"
    seat: Seat
