"""Moves in Verfuchst: ``5`` is a piece from tile 5, ``start`` one from the start, ``g12`` a guardian from tile 12."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.notation import Notation
from parlour.games.verfuchst import GAME, rules
from parlour.games.verfuchst.reasons import why_not
from parlour.games.verfuchst.state.names import from_tile, tile_in_words, to_tile
from parlour.games.verfuchst.state.tiles import START


def write(state: State, action: int) -> str:
    if action >= rules.GUARDIAN:
        return f"g{action - rules.GUARDIAN}"
    return "start" if action == START else str(action)


def describe(state: State, action: int) -> str:
    tile = action - rules.GUARDIAN if action >= rules.GUARDIAN else action
    return GAME.said(_words(state, action)).format(
        start=from_tile(tile), to=to_tile(rules.destination(state, tile)), tile=tile_in_words(tile)
    )


def _words(state: State, action: int) -> str:
    """The words for a move, before the tiles are put in."""
    if action >= rules.GUARDIAN:
        return "a guardian {start} {to}"
    return "a piece {start} {to}, taking {tile}" if takes(state, action) else "a piece {start} {to}"


def depends_on(state: State, action: int) -> tuple[int, bool]:
    """Where the move ends, and whether a tile is taken."""
    tile = action - rules.GUARDIAN if action >= rules.GUARDIAN else action
    return rules.destination(state, tile), action < rules.GUARDIAN and takes(state, action)


def takes(state: State, tile: int) -> bool:
    """Whether a piece that leaves this tile frees it."""
    return tile != START and state.pieces_on[tile] == 1 and state.guardians_on[tile] == 0


def prompt(state: State) -> str:
    """What was rolled, and what may go so far."""
    legal = [0] * GAME.max_actions
    if any(action >= rules.GUARDIAN for action in legal[: GAME.legal(state, legal)]):
        return GAME.said("you rolled {die}: pick a piece, or a guardian beside one").format(die=state.die)
    return GAME.said("you rolled {die}: pick a piece").format(die=state.die)


NOTATION = Notation(write=write, describe=describe, depends_on=depends_on, why_not=why_not, prompt=prompt)
