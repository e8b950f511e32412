"""Why something cannot be done. Clause numbers are those of rulebook.md."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.verfuchst import GAME, rules
from parlour.games.verfuchst.state import PIECES
from parlour.games.verfuchst.state.names import named
from parlour.games.verfuchst.state.tile_sets import is_in
from parlour.games.verfuchst.state.tiles import GOAL, START


def why_not(state: State, tried: Sequence[str]) -> Explanation | None:
    """Of a piece or a guardian, and perhaps of where it should go."""
    if not tried:
        return None
    name = tried[0].lower()
    tile = tile_of(name.removeprefix("g") if name not in ("g", "goal") else name)
    if tile is None:
        return _said("Choose a tile with a piece of yours, or a fox that stands beside a piece.", 5)
    is_guardian = name.startswith("g") and name != "goal"
    nobody = _no_guardian(state, tile) if is_guardian else _no_piece(state, tile)
    return nobody or (_wrong_goal(state, tile) if len(tried) > 1 else None)


def tile_of(name: str) -> int | None:
    """The tile that a spot or a word means."""
    if name in ("start", "goal"):
        return START if name == "start" else GOAL
    is_tile = name.isascii() and name.isdecimal() and len(name) < 3 and START < int(name) < GOAL
    return int(name) if is_tile else None


def _said(words: str, clause: int, **names: object) -> Explanation:
    return Explanation(GAME.said(words).format(**names), clause)


def _no_piece(state: State, tile: int) -> Explanation | None:
    mine = state.pieces[state.to_move * PIECES : (state.to_move + 1) * PIECES]
    if tile == GOAL:
        return _said("A piece at the goal is home, and out of play.", 9)
    if tile in mine:
        return None
    if tile != START and not is_in(state.path, tile):
        return _said("Tile {tile} has been taken: there is only a gap.", 8, tile=tile)
    return _said("No piece of yours stands on {tile}.", 5, tile=named(tile))


def _no_guardian(state: State, tile: int) -> Explanation | None:
    """Clause 6: a guardian moves only while it shares a score tile with a piece."""
    if not state.guardians_on[tile] or tile == GOAL:
        return _said("No fox stands on {tile}.", 6, tile=named(tile))
    if not state.pieces_on[tile]:
        return _said("A fox moves only while a piece stands beside it.", 6)
    return None


def _wrong_goal(state: State, tile: int) -> Explanation:
    """Clauses 5 and 8: exactly as far as the die says."""
    words = "The die shows {die}: from here that is exactly to {goal}. Gaps are no steps."
    return _said(words, 8, die=state.die, goal=named(rules.destination(state, tile)))
