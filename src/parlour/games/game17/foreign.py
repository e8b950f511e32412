"""Saved games of the public game17, position by position.

Such a file has two boards, of owners and of pieces, and for each turn what it changed; it has no orders and no seed.
So nothing can be played again: every position is the boards as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from parlour.engine.errors import BadReplay
from parlour.engine.foreign import Foreign, ForeignPosition
from parlour.engine.picture import Flash
from parlour.engine.state import State
from parlour.games.game17 import GAME
from parlour.games.game17.state import MAX_EDGE, MAX_PIECES
from parlour.games.game17.state.names import counted
from parlour.games.game17.state.squares import square_name

Row = Annotated[list[int], Meta(min_length=2, max_length=MAX_EDGE)]
Rows = Annotated[list[Row], Meta(min_length=2, max_length=MAX_EDGE)]
Change = tuple[int, int, int]  # row, column, what is there now


class Turn(Struct, frozen=True):
    round: int
    owner: int
    owners: list[Change]
    numbers: list[Change]


class Record(Struct, frozen=True):
    owners: Rows
    numbers: Rows
    diffs: list[Turn]

    @property
    def edge(self) -> int:
        return len(self.owners)

    @property
    def plies(self) -> int:
        return len(self.diffs)

    @property
    def winners(self) -> list[int]:
        """Those with the most squares at the end."""
        last = {(i, j): owner for i, row in enumerate(self.owners) for j, owner in enumerate(row)}
        for turn in self.diffs:
            last.update({(row, column): owner for row, column, owner in turn.owners})
        squares = Counter(last.values())
        return sorted(owner for owner, count in squares.items() if count == max(squares.values()))

    def positions(self) -> Iterator[ForeignPosition]:
        state = _opening(self)
        yield ForeignPosition(state, None)
        for turn in self.diffs:
            _change(state, turn)
            yield ForeignPosition(state, turn.owner, _told(turn), _shown(turn))


def claims(keys: Collection[str]) -> bool:
    """Whether this is meant to be such a file."""
    return "diffs" in keys and "parlour" not in keys


def read(text: bytes) -> Record:
    try:
        record = msgspec.json.decode(text, type=Record)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadReplay(f"the file is not a game of game17 that can be shown: {error}") from error
    edge = record.edge
    changes = [change for turn in record.diffs for change in (*turn.owners, *turn.numbers)]
    if any(len(row) != edge for rows in (record.owners, record.numbers) for row in rows) or len(record.numbers) != edge:
        raise BadReplay("the file is not a game of game17: its boards are not squares of one size")
    if any(not (0 <= row < edge and 0 <= column < edge) for row, column, _ in changes):
        raise BadReplay("the file is not a game of game17: a turn changes what is not on the board")
    everybody = [
        *(owner for row in record.owners for owner in row),
        *(owner for t in record.diffs for owner in _owners(t)),
    ]
    if not all(0 <= owner < edge * edge for owner in everybody):
        raise BadReplay(f"the file is not a game of game17: owners are 0 to {edge * edge - 1} on a board of this size")
    return record


def _owners(turn: Turn) -> list[int]:
    return [turn.owner, *(owner for _, _, owner in turn.owners)]


def _opening(record: Record) -> State:
    """Everybody is a seat: the file does not tell who is a zombie."""
    edge = record.edge
    rounds = max((turn.round for turn in record.diffs), default=0) + 1
    state = GAME.blank(edge * edge, edge=edge, rounds=min(rounds, 1000))
    for square in range(edge * edge):
        row, column = divmod(square, edge)
        state.owner[square] = record.owners[row][column]
        state.pieces[square] = _pieces(record.numbers[row][column])
    state.to_move = record.diffs[0].owner if record.diffs else 0
    _count(state)
    return state


def _pieces(number: int) -> int:
    """The public program lets numbers of pieces become negative; a board cannot show that."""
    return max(0, min(number, MAX_PIECES))


def _change(state: State, turn: Turn) -> None:
    for row, column, owner in turn.owners:
        state.owner[row * state.edge + column] = owner
    for row, column, number in turn.numbers:
        state.pieces[row * state.edge + column] = _pieces(number)
    state.round = min(max(turn.round, 0), state.rounds - 1)
    state.to_move = turn.owner
    _count(state)


def _count(state: State) -> None:
    """Who has what follows from the board."""
    squares = state.edge * state.edge
    state.squares_of[:squares] = [0] * squares
    state.pieces_of[:squares] = [0] * squares
    for owner, pieces in zip(state.owner[:squares], state.pieces[:squares], strict=True):
        state.squares_of[owner] += 1
        state.pieces_of[owner] += pieces
    state.armed = sum(pieces > 0 for pieces in state.pieces_of[:squares])
    state.seats_left = sum(count > 0 for count in state.squares_of[:squares])


def _told(turn: Turn) -> str:
    return GAME.said("round {round}: {seat} takes {squares}").format(
        round=turn.round + 1,
        seat=GAME.seat_name(turn.owner),
        squares=counted(len(turn.owners), "square", GAME.said),
    )


def _shown(turn: Turn) -> tuple[Flash, ...]:
    taken = tuple(square_name(row, column) for row, column, _ in turn.owners)
    return (Flash(taken),) if taken else ()


FOREIGN = Foreign(claims=claims, read=read)
