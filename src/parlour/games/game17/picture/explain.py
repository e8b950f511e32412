"""What things in the picture are: squares and their owners, what lies over an edge, the standings."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.explanation import Explanation
from parlour.games.game17 import GAME
from parlour.games.game17.reasons import ORDER, square_of
from parlour.games.game17.seats import owner_name
from parlour.games.game17.state.names import counted, name_of
from parlour.games.game17.state.squares import DIRECTION_NAMES, DIRECTIONS, neighbour


def explain(state: State, name: str) -> Explanation | None:
    if name == "standings":
        words = (
            "The round, and the largest owners: players by the letters on their squares, with how many squares and "
            "pieces they have; then the zombies, each of which counts for itself. In the end the most squares win, "
            "empty ones included."
        )
        return Explanation(GAME.said(words), 18)
    if name == "key":
        words = (
            "How to read the board: what is bright and has a pattern belongs to players, each with a letter, a colour, "
            "a pattern and a shape of its own; what is plain and dark belongs to zombies. The larger a figure, the "
            "more pieces. White figures are those of whose turn it is, green numbers those that it could take. A "
            "dashed border is a front between two players."
        )
        return Explanation(GAME.said(words), 0)
    found = ORDER.fullmatch(name.lower())
    square = square_of(state, *found.group(1, 2)) if found else None
    if found is None or square is None or found[4]:
        return None
    if found[3]:
        return _over_edge(state, neighbour(state.edge, square, DIRECTIONS.index(found[3])))
    return Explanation(" ".join(_square(state, square)), 10 if not state.pieces[square] else 8)


def _over_edge(state: State, goal: int) -> Explanation:
    words = GAME.said("Over the edge: here you come in on the other side, at {square}.").format(
        square=name_of(state, goal)
    )
    return Explanation(" ".join([words, *_square(state, goal)]), 2)


def _square(state: State, square: int) -> list[str]:
    name, owner = name_of(state, square), owner_name(state.owner[square], state.seats, GAME.said)
    pieces = state.pieces[square]
    if not pieces:
        told = [GAME.said("{square}: empty. It stays {owner}'s until others arrive.").format(square=name, owner=owner)]
    else:
        words = GAME.said("{square}: {pieces} of {owner}. Whoever arrives with more takes the square and all of them.")
        told = [words.format(square=name, pieces=counted(pieces, "piece", GAME.said), owner=owner)]
    if state.owner[square] >= state.seats and pieces:
        told.append(GAME.said("Zombies move each piece at random."))
    told += [
        GAME.said("Ordered: {pieces} {direction}.").format(
            pieces=counted(count, "piece", GAME.said), direction=GAME.said(DIRECTION_NAMES[direction])
        )
        for direction, count in enumerate(state.ordered[square * 4 : square * 4 + 4])
        if count
    ]
    return told
