"""What can happen in a Game of the Goose, in words."""

from collections.abc import Callable
from typing import Any

from parlour.engine import Event, Seat, event
from parlour.games.goose.state.spaces import END, HAZARDS


@event
class ThrewToBegin(Event):
    words = "{seat} throws {first} and {second} to see who begins"
    seat: Seat
    first: int
    second: int


@event
class Begins(Event):
    words = "{seat} begins"
    seat: Seat


@event
class Rolled(Event):
    words = "{seat} rolls {first} and {second}"
    seat: Seat
    first: int
    second: int


@event
class FirstThrow(Event):
    words = "a lucky throw from the start: {seat} goes to {to} at once"
    seat: Seat
    to: int


@event
class Moved(Event):
    words = "{seat} moves from {start} to {to}"
    seat: Seat
    start: int
    to: int
    turned: bool = False  # at the end, for the throw was too high

    def tell(self, name: Callable[[int], str]) -> str:
        words = self.words
        if self.turned:
            words = "{seat} moves from {start} to {end} and counts {back} back, to {to}"
        elif self.to < self.start:
            words = "{seat} moves back from {start} to {to}"
        return self.said(words).format(**self.spoken(name), end=END, back=END - self.to)


@event
class OnGoose(Event):
    words = "space {space} is a goose: {seat} moves on by the same throw"
    seat: Seat
    space: int
    back: bool = False  # the piece is on its way back from the end

    def tell(self, name: Callable[[int], str]) -> str:
        back = "space {space} is a goose: {seat} moves further back by the same throw"
        return self.said(back if self.back else self.words).format(**self.spoken(name))


@event
class OnHazard(Event):
    words = "{seat} lands {hazard} ({space}) {fate}"
    seat: Seat
    space: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        hazard = HAZARDS[self.space]
        met, fate = self.said(hazard.met), self.said(hazard.fate)
        return {"seat": name(self.seat), "space": self.space, "hazard": met, "fate": fate}


@event
class Led(Event):
    words = "from {start}, {seat} goes to {to}"
    seat: Seat
    start: int
    to: int


@event
class Swapped(Event):
    words = "{seat} lands on {other} at {space}: {other} goes to {to}"
    seat: Seat
    other: Seat
    space: int
    to: int


@event
class Freed(Event):
    words = "{seat} is free, for {by} has come"
    seat: Seat
    by: Seat


@event
class FreedAtLast(Event):
    words = "everyone is trapped: {seat}, who has waited longest, is freed"
    seat: Seat


@event
class MissedTurn(Event):
    words = "{seat} stays at the Hotel and misses this turn"
    seat: Seat


@event
class PaidStake(Event):
    words = "{seat} pays a stake, which makes {pool} in the pool"
    seat: Seat
    pool: int


@event
class TookPool(Event):
    words = "{seat} takes the pool of {stakes}"
    seat: Seat
    stakes: int


@event
class SharedPool(Event):
    words = "the pool is shared: {seat} gets {stakes}"
    seat: Seat
    stakes: int


@event
class Won(Event):
    words = "{seat} reaches 63 and wins"
    seat: Seat
