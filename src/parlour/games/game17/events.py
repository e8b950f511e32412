"""What can happen in game17, in words.

A seat's turn is told clash by clash. Zombies are many, so that their turns are summed up: ``sum_up`` makes a few
events of all that happened while they played. Zombies have no names; where an owner is told, ``ZOMBIE`` is any of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from parlour.engine import Event, Seat, State
from parlour.games.game17.state.names import counted, zombies_told
from parlour.games.game17.state.squares import DIRECTION_NAMES, square_name

if TYPE_CHECKING:
    from dataclasses import dataclass as event  # the type checker knows a dataclass by this decorator only
else:
    from parlour.engine import event

ZOMBIE = -1
NAMED = 4  # of seats that share something, and of squares that are lost


def owner_told(state: State, owner: int) -> int:
    """The owner as events have it: a seat, or ``ZOMBIE``."""
    return owner if owner < state.seats else ZOMBIE


def owner_name(owner: int, name: Callable[[int], str], translate: Callable[[str], str]) -> str:
    return translate("a zombie") if owner == ZOMBIE else name(owner)


def owners_told(owners: Sequence[int], name: Callable[[int], str], translate: Callable[[str], str]) -> str:
    """Several owners as one: ``Ada, Bob and 2 zombies``."""
    seats = [owner for owner in owners if owner != ZOMBIE]
    told = [name(seat) for seat in seats] if len(seats) <= NAMED else [counted(len(seats), "player", translate)]
    if zombies := len(owners) - len(seats):
        told.append(zombies_told(zombies, translate))
    together = translate("{owners} and {last}") if told[1:] else "{last}"
    return together.format(owners=", ".join(told[:-1]), last=told[-1])


def coin_tosses(count: int, translate: Callable[[str], str]) -> str:
    return translate("1 coin toss" if count == 1 else "{count} coin tosses").format(count=count)


def squares_told(where: Sequence[tuple[int, int]], count: int, translate: Callable[[str], str]) -> str:
    """A few squares by their names, more by how many there are."""
    names = [square_name(row, column) for row, column in where]
    return ", ".join(names) if 0 < len(names) <= NAMED else counted(count, "square", translate)


@event
class BoardFilled(Event):
    words = "four pieces on each of the {squares} squares: {seats} and {zombies} share them"
    squares: int
    seats: int
    zombies: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        seats, zombies = counted(self.seats, "player", self.said), counted(self.zombies, "zombie", self.said)
        return {"squares": self.squares, "seats": seats, "zombies": zombies}


@event
class Placed(Event):
    words = "{seat} begins on {square}, and is number {place} in the order of turns"
    seat: Seat
    row: int
    column: int
    place: int  # in the order of turns, from 1

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"seat": name(self.seat), "square": square_name(self.row, self.column), "place": self.place}


@event
class RoundBegan(Event):
    words = "round {number} of {rounds} begins"
    quiet = True
    number: int
    rounds: int


@event
class Ordered(Event):
    words = "{seat} orders {pieces} from {square} to the {direction}"
    quiet = True
    seat: Seat
    row: int
    column: int
    direction: int
    pieces: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {
            "seat": name(self.seat),
            "square": square_name(self.row, self.column),
            "direction": self.said(DIRECTION_NAMES[self.direction]),
            "pieces": counted(self.pieces, "piece", self.said),
        }


@event
class CarriedOut(Event):
    words = "{seat} ends the turn: {pieces} on the move"
    quiet = True
    seat: Seat
    pieces: int
    edge: int = field(default=0, compare=False)  # of the board; with the ways it tells who went where
    ways: tuple[int, ...] = field(default=(), compare=False)  # that had an order, each square * 4 + direction

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        pieces = counted(self.pieces, "piece", self.said) if self.pieces else self.said("nothing is")
        return {"seat": name(self.seat), "pieces": pieces}


@event
class Clashed(Event):
    """Arrivals met another owner's square; ``toss`` if they were as many as the defenders."""

    mover: int
    holder: int
    row: int
    column: int
    arrivals: int
    defenders: int
    taken: bool

    @property
    def toss(self) -> bool:
        return self.arrivals == self.defenders

    def tell(self, name: Callable[[int], str]) -> str:
        text = self._text()
        if self.holder == ZOMBIE:  # written out, since other languages say it differently from place to place
            text = text.replace("{holder}", "a zombie")
        return self.said(text).format(
            mover=owner_name(self.mover, name, self.said),
            holder=owner_name(self.holder, name, self.said),
            square=square_name(self.row, self.column),
            arrivals=self.arrivals,
            defenders=self.defenders,
        )

    def _text(self) -> str:
        if self.defenders == 0:
            return "{mover} takes {square}, left empty by {holder}"
        if self.toss:
            met = "{mover} meets {holder} on {square}, {arrivals} against {defenders}: "
            return met + ("the coin gives all to {mover}" if self.taken else "the coin gives all to {holder}")
        if self.taken:
            return "{mover} takes {square} from {holder}, {arrivals} against {defenders}"
        return "{holder} holds {square} against {mover}, {defenders} against {arrivals}, and takes them all"


@event
class ZombieMoved(Event):
    """The turn of one zombie; ``sum_up`` counts these, and no journal keeps them."""

    words = "a zombie moves"
    zombie: int


@event
class ZombiesMoved(Event):
    """All that zombies did until a seat was up, or the round was over."""

    words = "{zombies} on the move: {squares} taken, {tosses}"
    zombies: int
    squares: int
    tosses: int
    where: tuple[tuple[int, int], ...] = field(default=(), compare=False)  # row and column of each square taken

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {
            "zombies": counted(self.zombies, "zombie", self.said),
            "squares": counted(self.squares, "square", self.said),
            "tosses": coin_tosses(self.tosses, self.said),
        }


@event
class Raided(Event):
    """What the zombies' turns did to one seat."""

    seat: Seat
    squares: int  # lost to zombies
    lost: int  # pieces lost with them
    won: int  # pieces of zombies that were too few
    where: tuple[tuple[int, int], ...] = field(default=(), compare=False)  # row and column of each clash
    taken: tuple[tuple[int, int], ...] = field(default=(), compare=False)  # and of each square lost

    def tell(self, name: Callable[[int], str]) -> str:
        held = set(self.where) - set(self.taken)
        return self.said(self._text(bool(held))).format(
            seat=name(self.seat),
            squares=squares_told(self.taken, self.squares, self.said),
            held=squares_told(sorted(held), len(held), self.said),
            lost=counted(self.lost, "piece", self.said),
            won=counted(self.won, "piece", self.said),
        )

    def _text(self, holds: bool) -> str:
        if not self.squares:
            return "{seat} holds {held} against zombies and gains {won}" if holds else "{seat} gains {won} from zombies"
        loses = "{seat} loses {squares} with {lost} to zombies" if self.lost else "{seat} loses {squares} to zombies"
        gains = ", holds {held} and gains {won}" if holds else " and gains {won} from them"
        return loses + (gains if self.won else "")


@event
class Out(Event):
    words = "{seat} has lost the last square and is out"
    loud = True
    seat: Seat


@event
class Disarmed(Event):
    words = "{seat} has lost the last piece, and has nothing more to order"
    loud = True
    seat: Seat


@event
class ZombiesAlone(Event):
    words = "no player has pieces left: the zombies play on alone"
    loud = True


@event
class PlayedOut(Event):
    """All that zombies did after the last seat had lost its pieces, to the end of the match."""

    words = "the zombies play to the end, {rounds}: {squares} taken, {tosses}"
    rounds: int
    squares: int
    tosses: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {
            "rounds": counted(self.rounds, "round", self.said),
            "squares": counted(self.squares, "square", self.said),
            "tosses": coin_tosses(self.tosses, self.said),
        }


@event
class LastOneArmed(Event):
    words = "all pieces belong to {owner}"
    owner: int

    def spoken(self, name: Callable[[int], str]) -> dict[str, Any]:
        return {"owner": owner_name(self.owner, name, self.said)}


@event
class RoundsOver(Event):
    words = "the last of {rounds} rounds is over"
    rounds: int


@event
class Won(Event):
    owners: tuple[int, ...]  # all that tie for first
    squares: int  # of each

    def tell(self, name: Callable[[int], str]) -> str:
        text = "{owners} win with {squares} each" if self.owners[1:] else "{owners} wins with {squares}"
        if ZOMBIE not in self.owners:  # that they have won is told anyway; this is why
            text = "{owners} have the most: {squares} each" if self.owners[1:] else "{owners} has the most: {squares}"
        squares = counted(self.squares, "square", self.said)
        return self.said(text).format(owners=owners_told(self.owners, name, self.said), squares=squares)


def tell_opening(state: State, journal: list[Event]) -> None:
    owners = state.edge * state.edge
    journal.append(BoardFilled(owners, state.seats, owners - state.seats))
    for seat in range(state.seats):
        row, column = divmod(state.owner.index(seat), state.edge)
        journal.append(Placed(seat, row, column, state.turn_order.index(seat) + 1))
    journal.append(RoundBegan(1, state.rounds))


def ordered(state: State, way: int, pieces: int) -> Ordered:
    row, column = divmod(way // 4, state.edge)
    return Ordered(state.to_move, row, column, way % 4, pieces)


def carried_out(state: State) -> CarriedOut:
    """The turn as it is about to be carried out, its orders still there."""
    ways = [way for way in range(4 * state.edge**2) if state.ordered[way]]
    return CarriedOut(state.to_move, sum(state.leaving), state.edge, tuple(ways))


def clashed(state: State, square: int, mover: int, arrivals: int, defenders: int, taken: bool) -> Clashed:
    row, column = divmod(square, state.edge)
    holder = owner_told(state, state.owner[square])
    return Clashed(owner_told(state, mover), holder, row, column, arrivals, defenders, bool(taken))


def tell_end(state: State, journal: list[Event]) -> None:
    if state.armed == 1:
        last = next(owner for owner, pieces in enumerate(state.pieces_of) if pieces)
        journal.append(LastOneArmed(owner_told(state, last)))
    else:
        journal.append(RoundsOver(state.rounds))
    won = [owner_told(state, owner) for owner, squares in enumerate(state.squares_of) if squares == state.most]
    journal.append(Won(tuple(won), state.most))


def tell_losses(state: State, loser: int, pieces: int, journal: list[Event]) -> None:
    """What becomes of whoever has just lost so many pieces, and perhaps a square."""
    if loser >= state.seats:
        return
    is_disarmed = pieces > 0 and state.pieces_of[loser] == 0
    if state.squares_of[loser] == 0:
        journal.append(Out(loser))
    elif is_disarmed:
        journal.append(Disarmed(loser))
    if is_disarmed and state.seats_armed == 0:
        journal.append(ZombiesAlone())


def sum_up(state: State, told: list[Event], journal: list[Event]) -> None:
    """Put into the journal what zombies did: their fights summed up, round by round, and the rest as it is.

    From where they are alone to the end of the match, it is all one.
    """
    alone_from = 0 if state.seats and not state.seats_armed else len(told)
    if ZombiesAlone() in told:
        alone_from = told.index(ZombiesAlone()) + 1
    journal += [*_by_round(told[:alone_from]), *_played_out(told[alone_from:])]


def _by_round(told: list[Event]) -> list[Event]:
    short: list[Event] = []
    fights: list[Event] = []
    rest: list[Event] = []
    for happened in told:
        if isinstance(happened, RoundBegan):
            short += [*_fights_in_short(fights), *rest, happened]
            fights, rest = [], []
        else:
            (fights if isinstance(happened, ZombieMoved | Clashed) else rest).append(happened)
    return [*short, *_fights_in_short(fights), *rest]


def _played_out(told: list[Event]) -> list[Event]:
    clashes = [happened for happened in told if isinstance(happened, Clashed)]
    moved = any(isinstance(happened, ZombieMoved) for happened in told)
    rounds = 1 + sum(isinstance(happened, RoundBegan) for happened in told)
    short = PlayedOut(rounds, sum(clash.taken for clash in clashes), sum(clash.toss for clash in clashes))
    rest = [happened for happened in told if not isinstance(happened, RoundBegan | ZombieMoved | Clashed)]
    return [short, *rest] if moved else rest


def _fights_in_short(fights: list[Event]) -> list[Event]:
    if not fights:
        return []
    clashes = [fight for fight in fights if isinstance(fight, Clashed)]
    moved = len(fights) - len(clashes)
    short: list[Event] = [
        ZombiesMoved(
            moved,
            sum(clash.taken for clash in clashes),
            sum(clash.toss for clash in clashes),
            tuple((clash.row, clash.column) for clash in clashes if clash.taken),
        )
    ]
    for seat in sorted({clash.holder for clash in clashes} - {ZOMBIE}):
        own = [clash for clash in clashes if clash.holder == seat]
        lost = [clash.defenders for clash in own if clash.taken]
        won = [clash.arrivals for clash in own if not clash.taken]
        where = tuple((clash.row, clash.column) for clash in own)
        taken = tuple((clash.row, clash.column) for clash in own if clash.taken)
        short.append(Raided(seat, len(lost), sum(lost), sum(won), where, taken))
    return short
