"""Positions of game17 as pictures in text.

A square is its owner and its pieces: ``A4`` is of Seat 1, ``B0`` of Seat 2 and empty, ``a3`` of the first zombie.
"""

from __future__ import annotations

from collections.abc import Iterable

from parlour.engine import Event, Script, State
from parlour.games.game17 import GAME


def position(drawing: str, seats: int = 2, to_move: int = 0, **options: int) -> State:
    """The position that is drawn, in round 1. The order of turns is A, B and so on, then a, b and so on."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    edge = len(rows)
    state = GAME.blank(seats, edge=edge, **options)
    for square, text in enumerate(text for row in rows for text in row):
        owner = ord(text[0]) - ord("A") if text[0].isupper() else seats + ord(text[0]) - ord("a")
        state.owner[square], state.pieces[square] = owner, int(text[1:])
        state.squares_of[owner] += 1
        state.pieces_of[owner] += int(text[1:])
    state.turn_order[: edge**2] = range(edge**2)
    state.armed = sum(pieces > 0 for pieces in state.pieces_of)
    state.seats_left = sum(squares > 0 for squares in state.squares_of[:seats])
    state.seats_armed = sum(pieces > 0 for pieces in state.pieces_of[:seats])
    state.to_move = state.place = to_move
    return state


def picture(state: State) -> str:
    """The picture of a position."""
    owners = [
        chr(ord("A") + owner if owner < state.seats else ord("a") + owner - state.seats)
        for owner in state.owner[: state.edge**2]
    ]
    texts = [f"{owner}{pieces}" for owner, pieces in zip(owners, state.pieces, strict=False)]
    return "\n".join(" ".join(texts[row * state.edge : (row + 1) * state.edge]) for row in range(state.edge))


def same(state: State, expected: str) -> bool:
    """Whether the position looks like the picture, and the counts kept beside the board are those of the board."""
    squares = list(zip(state.owner, state.pieces, strict=True))[: state.edge**2]
    for owner in range(state.edge**2):
        own = [pieces for holder, pieces in squares if holder == owner]
        assert (state.squares_of[owner], state.pieces_of[owner]) == (len(own), sum(own)), f"counts of owner {owner}"
    assert state.armed == sum(pieces > 0 for pieces in state.pieces_of)
    assert state.seats_left == sum(count > 0 for count in state.squares_of[: state.seats])
    assert state.seats_armed == sum(count > 0 for count in state.pieces_of[: state.seats])
    assert not any(state.arriving)
    return picture(state).split() == expected.split()


def play(state: State, texts: str, draws: Iterable[int] = ()) -> list[Event]:
    """Play actions in notation, with just these draws; returns what happened."""
    script = Script(draws)
    journal: list[Event] = []
    for text in texts.split():
        GAME.play(state, GAME.words.read(state, text), script, journal)
    assert script.left == []
    return journal


def legal(state: State) -> set[str]:
    return {GAME.words.write(state, action) for action in GAME.legal_actions(state)}


# The two draws that send the first 30 pieces of a zombie's square: the coins of each piece, as two bits.
NORTH, SOUTH, EAST, WEST = (1, 1), (1, 0), (0, 1), (0, 0)


def coins(*ways: tuple[int, int]) -> list[int]:
    """The draws that send a zombie's pieces on one square these ways."""
    return [sum(way[coin] << piece for piece, way in enumerate(ways)) for coin in range(2)]
