"""Who is at a table now: by a socket of this process, by requests over HTTP, or by way of another process."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from parlour.protocol import SeatView
from parlour.server.basics.steady import SteadyClock
from parlour.server.tables.listener import Listener

Value = TypeVar("Value")
HTTP_HERE = 60.0  # seconds for which a request over HTTP counts as being there


class Presence:
    """The people at one table, as this process knows them."""

    def __init__(self, clock: SteadyClock) -> None:
        self._clock = clock
        self.listeners: set[Listener] = set()
        self.gone: dict[int, float] = {}  # when a seat's last socket was closed, at this process or at another
        self._elsewhere: dict[int, float] = {}  # seats that are here by way of another process, and until when
        self._asked: dict[int, float] = {}  # when a seat last asked for something over HTTP
        self._asked_from: dict[int, str] = {}  # from which address
        self._hurried: set[int] = set()  # seats whose people need not see what bots do until it is a person's turn
        self.all_hurry = asyncio.Event()  # set while that is so for everybody who sits here
        self._seats: dict[str, dict[int, SeatView]] = {}  # by language, what all who speak it know of the seats

    def here(self) -> list[int]:
        """The seats whose people are here."""
        seats = self.here_by_this_process()
        if not self._elsewhere:
            return seats
        now = self._clock.now()
        return sorted({seat for seat, until in self._elsewhere.items() if until > now}.union(seats))

    def is_here(self, seat: int) -> bool:
        """Whether the seat's person is here. A thread may ask this, while people come and go."""
        if any(listener.seat == seat for listener in tuple(self.listeners)):
            return True
        now = self._clock.now()
        return self._elsewhere.get(seat, now) > now or now - self._asked.get(seat, -HTTP_HERE) < HTTP_HERE

    def here_by_this_process(self) -> list[int]:
        now = self._clock.now()
        seats = {listener.seat for listener in self.listeners if listener.seat is not None}
        seats |= {seat for seat, at in self._asked.items() if now - at < HTTP_HERE}
        return sorted(seats)

    def addresses(self) -> set[tuple[int, str]]:
        """The seats whose people are here by way of this process, and from where."""
        now = self._clock.now()
        asked = {(seat, self._asked_from.get(seat, "")) for seat, at in self._asked.items() if now - at < HTTP_HERE}
        sockets = {(one.seat, one.address) for one in self.listeners if one.seat is not None}
        return {(seat, address) for seat, address in asked | sockets if address}

    @property
    def watching(self) -> int:
        return sum(listener.seat is None for listener in self.listeners)

    def show_seats(self, language: str, seats: list[SeatView]) -> None:
        """Somebody who comes is shown all seats; what others know otherwise is news for one of them."""
        known = self._seats.get(language, {})
        for seat in seats:
            if known.get(seat.seat) != seat:
                known.pop(seat.seat, None)

    def changed_seats(self, language: str, seats: list[SeatView]) -> list[SeatView]:
        """Those of the seats that are news; from now on they are known."""
        known = self._seats.get(language, {})
        self._seats[language] = {seat.seat: seat for seat in seats}
        return [seat for seat in seats if known.get(seat.seat) != seat]

    def touch(self, seat: int, address: str) -> None:
        """The seat's person was here, without a socket."""
        self._asked[seat] = self._clock.now()
        if address:
            self._asked_from[seat] = address

    def hear_of(self, seat: int, seconds: float) -> None:
        """Another process says that the seat's person is there; that counts for so long."""
        self._elsewhere[seat] = self._clock.now() + seconds
        self._update_hurry()

    def hurry(self, seat: int) -> None:
        """The seat's person need not see what bots do until it is a person's turn."""
        if seat not in self._hurried:
            self._hurried.add(seat)
            self._update_hurry()

    def calm_down(self) -> None:
        """It is a person's turn."""
        if self._hurried:
            self._hurried.clear()
            self._update_hurry()

    def _update_hurry(self) -> None:
        """Pauses are skipped only if all hurry who sit here with pictures, also by way of other processes."""
        if not self._hurried:
            return self.all_hurry.clear()
        looks = {one.seat for one in self.listeners if one.pictures and one.seat is not None}
        now = self._clock.now()
        looks |= {seat for seat, until in self._elsewhere.items() if until > now}
        return self.all_hurry.set() if looks <= self._hurried else self.all_hurry.clear()

    def join(self, listener: Listener) -> None:
        self.listeners.add(listener)
        if listener.seat is not None:
            self._update_hurry()

    def part(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        seat = listener.seat
        if seat is not None:
            self._update_hurry()
        if seat is not None and all(other.seat != seat for other in self.listeners):
            self.note_gone(seat, self._clock.now())
            self._asked.pop(seat, None)  # who closes the socket is gone, whatever they asked for over HTTP before

    def note_gone(self, seat: int, at: float) -> None:
        """The seat's person was last here at that time."""
        self.gone[seat] = max(at, self.gone.get(seat, at))

    def hold(self, tokens: dict[str, int]) -> None:
        """These tokens hold the seats now. Whoever's token holds none any more only watches."""
        for listener in self.listeners:
            if listener.seat is not None:
                listener.seat = tokens.get(listener.digest)
        self._update_hurry()

    def reseat(self, seating: list[int]) -> None:
        """Everybody has gone to their new seat."""
        for times in (self.gone, self._elsewhere, self._asked):
            _move(times, seating)
        _move(self._asked_from, seating)
        self.calm_down()


def _move(by_seat: dict[int, Value], seating: list[int]) -> None:
    moved = {seating[seat]: value for seat, value in by_seat.items()}
    by_seat.clear()
    by_seat.update(moved)
