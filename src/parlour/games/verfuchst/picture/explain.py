"""What things in the picture are: tiles and who stands there, guardians, the die, what everyone has taken."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.verfuchst import GAME
from parlour.games.verfuchst.reasons import tile_of
from parlour.games.verfuchst.state import PIECES
from parlour.games.verfuchst.state.names import signed
from parlour.games.verfuchst.state.tile_sets import is_in
from parlour.games.verfuchst.state.tiles import GOAL, START, VALUE, is_lucky


def explain(state: State, name: str) -> Explanation | None:
    if name == "die":
        return _said("{seat} has rolled {die}, and moves a piece or a fox exactly so far.", 5, **_turn(state))
    if name.startswith("hand-"):
        return _hand(state, name.removeprefix("hand-"))
    if name.startswith("g") and name != "goal":
        tile = tile_of(name.removeprefix("g"))
        return _guardian(state, tile) if tile is not None and state.guardians_on[tile] else None
    tile = tile_of(name)
    if tile is not None and not is_in(state.path, tile):
        return _said("Tile {tile} has been taken. The path closes over the gap, which does not count.", 8, tile=tile)
    return None if tile is None else _tile(state, tile)


def _said(words: str, clause: int, **names: object) -> Explanation:
    return Explanation(GAME.said(words).format(**names), clause)


def _turn(state: State) -> dict[str, object]:
    return {"seat": GAME.seat_name(state.to_move), "die": state.die}


def _hand(state: State, number: str) -> Explanation | None:
    if not number.isdecimal() or int(number) >= state.seats:
        return None
    words = "What {seat} has taken: {score} points. Each lucky tile turns the worst negative tile into a positive one."
    return _said(words, 16, seat=GAME.seat_name(int(number)), score=signed(GAME.score(state, int(number))) or "0")


def _guardian(state: State, tile: int) -> Explanation:
    words = "A fox, the guardian of this tile: while it is here, nobody takes the tile. It belongs to nobody. "
    free = "A piece stands beside it, so it may be moved in place of a piece."
    alone = "It may be moved as soon as a piece stands beside it."
    return Explanation(GAME.said(words.strip()) + " " + GAME.said(free if state.pieces_on[tile] else alone), 6)


def _tile(state: State, tile: int) -> Explanation:
    if tile == START:
        text, clause = GAME.said("The start. It is never taken."), 13
    elif tile == GOAL:
        text, clause = GAME.said("The goal: whoever comes here is home. What is left of a roll expires."), 9
    elif is_lucky(tile):
        text, clause = GAME.said("A lucky tile: it turns your worst negative tile into a positive one."), 16
    else:
        words = "Tile {tile}, worth {value}: whoever leaves it last must take it."
        text, clause = GAME.said(words).format(tile=tile, value=signed(VALUE[tile])), 12
    return Explanation(" ".join([text, *_pieces(state, tile)]), clause)


def _pieces(state: State, tile: int) -> list[str]:
    counts = [state.pieces[seat * PIECES : (seat + 1) * PIECES].count(tile) for seat in range(state.seats)]
    there = ", ".join(f"{GAME.seat_name(seat)} {count}" for seat, count in enumerate(counts) if count)
    return [GAME.said("Pieces here: {pieces}.").format(pieces=there)] if there else []
