"""Moves in Verfuchst: ``5`` is a piece from tile 5, ``start`` one from the start, ``g12`` a guardian from tile 12."""

from __future__ import annotations

from parlour.engine import State
from parlour.games.verfuchst import rules
from parlour.games.verfuchst.tiles import START, named


def write(state: State, action: int) -> str:
    if action >= rules.GUARDIAN:
        return f"g{action - rules.GUARDIAN}"
    return "start" if action == START else str(action)


def describe(state: State, action: int) -> str:
    if action >= rules.GUARDIAN:
        tile = action - rules.GUARDIAN
        return f"a guardian from {named(tile)} to {named(rules.destination(state, tile))}"
    where = f"a piece from {named(action)} to {named(rules.destination(state, action))}"
    return f"{where}, taking {named(action)}" if takes(state, action) else where


def takes(state: State, tile: int) -> bool:
    """Whether a piece that leaves this tile frees it."""
    return tile != START and state.pieces_on[tile] == 1 and state.guardians_on[tile] == 0
