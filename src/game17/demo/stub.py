"""A first bot for game17: from each of its squares, all pieces go against the weakest neighbour that they outnumber.

    cd demo
    game17 single stub.py
    game17 vs-zombies stub.py out-zombies
    game17 rank stub.py stub.py out-rank
    game17 replay out-rank/battle-royale-0.json

docs/game17.md says what a bot file may have besides.
"""

from game17 import destination, find_owned_pieces


def make_moves(owner, rounds_left, owners, numbers):
    moves = []
    for row, column, pieces in find_owned_pieces(owner, owners, numbers):
        weaker = []
        for direction in "nsew":
            there = tuple(destination((row, column), direction, len(owners)))
            if owners[there] != owner and numbers[there] < pieces:
                weaker.append((numbers[there], direction))
        if weaker:
            moves.append(((row, column), min(weaker)[1], pieces))
    return moves
