"""What happens in a match, in words. A field declared as ``Seat`` is told as the name of who sits there."""

from parlour.engine import Event, Seat, event


@event
class Took(Event):
    words = "{seat} takes {count}"
    seat: Seat
    count: int


@event
class Won(Event):
    words = "{seat} takes the last pebble and wins"
    seat: Seat
