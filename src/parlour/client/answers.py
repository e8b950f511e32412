"""Reading what a server says. Whatever is wrong with it is found here, and told in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from parlour import protocol
from parlour.client.errors import BadAnswer
from parlour.engine.printable import one_line

T = TypeVar("T")

MOST_SEATS = 1024
LARGEST = 2**31 - 1  # of what is counted
LONGEST = 200  # characters about what is wrong


def reader(kind: type[T]) -> Callable[[bytes], T]:
    """A function that reads an answer of that type from JSON; it raises BadAnswer where the text is none."""
    decode = msgspec.json.Decoder(kind).decode

    def read(content: bytes) -> T:
        try:
            answer = decode(content)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BadAnswer(one_line(str(error), LONGEST)) from error
        check(answer)
        return answer

    return read


def read_text(content: bytes) -> str:
    """An answer that is text and nothing else."""
    try:
        return content.decode()
    except UnicodeError as error:
        raise BadAnswer("it is not text in UTF-8") from error


def check(answer: object) -> None:
    """Whether the parts of an answer agree with each other, so that nobody need ask again: raises BadAnswer."""
    match answer:
        case protocol.Welcome() | protocol.Opened():
            check(answer.table)
        case protocol.Seated():
            check(answer.table)
            _check_seats([answer.seat], len(answer.table.seats))
        case protocol.TableView():
            _check_table(answer.seats, answer.position, answer.ending, answer.offer, answer.number)
            _check_seats([answer.you], len(answer.seats))
            # One that is over may have none: closed before it began, or its rules are gone and no album was kept.
            if answer.position is None and answer.phase == "playing":
                raise BadAnswer("a match that is played has a position")
        case protocol.Update():
            numbers = [seat.seat for seat in answer.seats]
            if numbers != sorted(set(numbers)):
                raise BadAnswer("the seats that have changed are not in order")
        case protocol.Log():
            if [line.number for line in answer.entries] != sorted({line.number for line in answer.entries}):
                raise BadAnswer("the entries of the log are not in order")


def whole(update: protocol.Update, seats: list[protocol.SeatView]) -> protocol.Update:
    """The update with all seats, those that have not changed as they were. Raises BadAnswer if its parts disagree."""
    now = {seat.seat: seat for seat in (*seats, *update.seats)}
    if len(now) != len(seats):
        raise BadAnswer(f"a table of {len(seats)} seats has no more of them suddenly")
    update = msgspec.structs.replace(update, seats=[now[number] for number in range(len(seats))])
    _check_table(update.seats, update.position, update.ending, update.offer, update.number)
    _check_seating(update.body.get("seating") or None, len(seats))
    return update


def _check_seating(seating: object, seats: int) -> None:
    """Whether everybody gets a seat in the match, if people have changed seats."""
    if seating is not None and not (isinstance(seating, list) and sorted(map(repr, seating)) == _written(seats)):
        raise BadAnswer("it has seats for the match that cannot be")


def _written(seats: int) -> list[str]:
    return sorted(map(repr, range(seats)))


def _check_table(
    seats: list[protocol.SeatView],
    position: protocol.Position | None,
    ending: protocol.Ending | None,
    offer: int | None,
    number: int,
) -> None:
    if len(seats) > MOST_SEATS or [seat.seat for seat in seats] != list(range(len(seats))):
        raise BadAnswer(f"a table has {MOST_SEATS} seats at most, counted from 0")
    if not 0 <= number <= LARGEST:
        raise BadAnswer(f"an entry of the log has a number from 0 up, not {number}")
    _check_seats([offer], len(seats))
    _check_seats(ending.winners if ending else [], len(seats))
    if position is not None:
        at_once = position.at_once or None
        named = [*at_once.asked, *at_once.chosen] if at_once else []
        _check_seats([position.to_move, *named], len(seats))
        if not 0 <= position.ply <= LARGEST:
            raise BadAnswer(f"a position has a ply from 0 up, not {position.ply}")


def _check_seats(named: Iterable[int | None], seats: int) -> None:
    for seat in named:
        if seat is not None and not 0 <= seat < seats:
            raise BadAnswer(f"it names seat {seat} of a table with {seats}")
