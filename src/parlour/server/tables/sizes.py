"""The largest tables that this server opens: bounds of seats and options, below what the games themselves take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from parlour.engine import registry
from parlour.engine.game import Game
from parlour.protocol import GameView
from parlour.server.basics.errors import BadConfiguration, Refusal

SEATS = "seats"
BOUND = re.compile(r"(\w+)\.(\w+)=(\d{1,9})")  # game17.edge=14


class Sizes:
    """The bounds that the operator has set, each as ``game17.edge=14``. Raises BadConfiguration."""

    def __init__(self, largest: Iterable[str]) -> None:
        self._most = dict(_bound(text) for text in largest)

    def check(self, game: Game, seats: int, options: Mapping[str, int]) -> None:
        """Refuse a table that is larger than this server wants."""
        for what, value in {SEATS: seats, **options}.items():
            most = self._most.get((game.name, what), value)
            if value > most:
                raise Refusal("bad_option", f"this server has {game.name} with {what} up to {most}, not {value}")

    def within(self, view: GameView) -> GameView:
        """The same game as this server offers it: forms are made from that."""
        options = [
            replace(
                option,
                default=self._lower(view.name, option.name, option.default),
                high=self._lower(view.name, option.name, option.high),
            )
            for option in view.options
        ]
        fewest, most = view.seats
        return replace(
            view,
            options=options,
            seats=(fewest, self._lower(view.name, SEATS, most)),
            usual_seats=self._lower(view.name, SEATS, view.usual_seats),
        )

    def _lower(self, game: str, what: str, value: int) -> int:
        return min(value, self._most.get((game, what), value))


def _bound(text: str) -> tuple[tuple[str, str], int]:
    found = BOUND.fullmatch(text)
    if found is None:
        raise BadConfiguration(f"largest has bounds such as game17.edge=14, not {text!r}")
    name, what, most = found[1], found[2], int(found[3])
    if name not in registry.names():
        raise BadConfiguration(f"largest: there is no game {name!r}; there are: {', '.join(registry.names())}")
    game = registry.get(name)
    lows = {SEATS: game.seats[0]} | {
        option.name: option.low for option in game.options if not option.choices and not option.is_switch
    }
    if what not in lows:
        raise BadConfiguration(f"largest: {name} has no {what!r} with a largest value; it has: {', '.join(lows)}")
    if most < lows[what]:
        raise BadConfiguration(
            f"largest: {name} has {what} of at least {lows[what]}, so {most} would refuse every table"
        )
    return (name, what), most
