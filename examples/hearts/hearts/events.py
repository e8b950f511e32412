"""What happens in Hearts."""

from __future__ import annotations

from collections.abc import Callable

from hearts.state import RANKS
from parlour.engine import Event, Seat, Secret, event

SIGNS = "\u2663\u2666\u2660\u2665"  # clubs, diamonds, spades, hearts
NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def card_name(card: int) -> str:
    """A card as people read it: Q\u2660."""
    return NAMES[card % RANKS] + SIGNS[card // RANKS]


def card_names(cards: list[int]) -> str:
    return " ".join(map(card_name, cards))


@event
class Dealt(Event):
    words = "{seat} is dealt {cards}"
    others = "{seat} is dealt 13 cards"
    seat: Seat
    cards: Secret[str]


@event
class Passing(Event):
    words = "everybody passes three cards to the left"
    to_right = "everybody passes three cards to the right"
    to_across = "everybody passes three cards across"
    nobody = "this deal is played without passing"
    direction: int

    def tell(self, name: Callable[[int], str]) -> str:
        return self.said((self.words, self.to_right, self.to_across, self.nobody)[self.direction])


@event
class Passed(Event):
    words = "{seat} passes {cards} to {receiver}"
    others = "{seat} passes three cards to {receiver}"
    seat: Seat
    receiver: Seat
    cards: Secret[str]


@event
class Played(Event):
    words = "{seat} plays {card}"
    seat: Seat
    card: str


@event
class TrickTaken(Event):
    words = "{seat} takes the trick: {points}"
    nothing = "{seat} takes the trick"
    seat: Seat
    points: int

    def tell(self, name: Callable[[int], str]) -> str:
        return self.said(self.words if self.points else self.nothing).format(seat=name(self.seat), points=self.points)


@event
class Moon(Event):
    words = "{seat} shoots the moon: 26 for everybody else"
    seat: Seat


@event
class DealOver(Event):
    words = "the deal is over: {told}"
    taken: tuple[int, ...]
    total: tuple[int, ...]

    def tell(self, name: Callable[[int], str]) -> str:
        told = ", ".join(
            f"{name(seat)} +{taken} = {total}"
            for seat, (taken, total) in enumerate(zip(self.taken, self.total, strict=True))
        )
        return self.said(self.words).format(told=told)
