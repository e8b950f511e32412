"""Positions of Verfuchst, in and out as text: ``start=RB 5=RRg 12=g``, letters for pieces and g for a guardian."""

from __future__ import annotations

from collections.abc import Mapping

from parlour.engine import Event, Script, State
from parlour.games.verfuchst import GAME
from parlour.games.verfuchst.state import PIECES, TILES
from parlour.games.verfuchst.state.tiles import GOAL, START, VALUE, is_lucky

LETTERS = "RBGY"


def position(
    picture: str, die: int = 1, to_move: str = "R", taken: Mapping[str, list[int]] | None = None, seats: int = 2
) -> State:
    """The position that a picture shows. Pieces and guardians that are not drawn are on the goal."""
    state = GAME.blank(seats)
    state.die, state.to_move = die, LETTERS.index(to_move)
    state.path = (1 << TILES) - 1
    drawn = read(picture)
    for seat in range(seats):
        tiles = sorted(tile for tile, who in drawn if who == LETTERS[seat])
        state.pieces[seat * PIECES : (seat + 1) * PIECES] = tiles + [GOAL] * (PIECES - len(tiles))
    for tile in state.pieces[: seats * PIECES]:
        state.pieces_on[tile] += 1
    guardians = [tile for tile, who in drawn if who == "g"]
    for tile in guardians + [GOAL] * (8 - len(guardians)):
        state.guardians_on[tile] += 1
    for tile in set(guardians) & set(state.pieces[: seats * PIECES]):
        state.meetings |= 1 << tile
    for letter, tiles in (taken or {}).items():
        for tile in tiles:
            give(state, LETTERS.index(letter), tile)
    return state


def read(picture: str) -> list[tuple[int, str]]:
    """Each piece and guardian of a picture with its tile."""
    found = []
    for item in picture.split():
        name, _, those = item.partition("=")
        tile = START if name == "start" else int(name)
        found += [(tile, who) for who in those]
    return found


def give(state: State, seat: int, tile: int) -> None:
    """Lay the tile in front of the seat."""
    state.path &= ~(1 << tile)
    state.taken_by[tile] = seat + 1
    state.face_value[seat] += VALUE[tile]
    state.lucky[seat] += is_lucky(tile)


def shown(state: State) -> str:
    """The pieces and guardians before the goal, as ``position`` takes them."""
    items = []
    for tile in range(GOAL):
        those = "".join(
            LETTERS[seat] * state.pieces[seat * PIECES : (seat + 1) * PIECES].count(tile) for seat in range(state.seats)
        )
        those += "g" * state.guardians_on[tile]
        if those:
            items.append(f"{'start' if tile == START else tile}={those}")
    return " ".join(items)


def taken(state: State, letter: str) -> list[int]:
    """The tiles in front of a seat."""
    return [tile for tile in range(TILES) if state.taken_by[tile] == LETTERS.index(letter) + 1]


def options(state: State) -> list[str]:
    """The legal actions, in notation."""
    return [GAME.words.write(state, action) for action in GAME.legal_actions(state)]


def play(state: State, *texts: str, rolls: list[int] | None = None) -> list[Event]:
    """Play these actions; the dice rolled for the turns after them are as given, else all 1."""
    script = Script(rolls if rolls is not None else [1] * len(texts))
    journal: list[Event] = []
    for text in texts:
        GAME.play(state, GAME.words.read(state, text), script, journal)
    return journal
