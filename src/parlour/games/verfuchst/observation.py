"""What a learner sees of Verfuchst. Seats come with its own first, then clockwise; tiles by their numbers."""

from parlour.engine import Feature, rule, starts
from parlour.games.verfuchst.rules import GUARDIANS, SIDES, score
from parlour.games.verfuchst.state import MAX_SEATS, PIECES, TILES
from parlour.games.verfuchst.state.tile_sets import is_in
from parlour.games.verfuchst.state.tiles import FIRST_LUCKY, LAST_LUCKY

FEATURES = (
    Feature("present", (MAX_SEATS,), "1 for each seat of the match"),
    Feature("to_move", (MAX_SEATS,), "1 for the seat to move"),
    Feature("die", (SIDES,), "1 for what the seat to move has rolled, from 1 to 6", drawn=True),
    Feature("path", (TILES,), "1 for each tile that nobody has taken"),
    Feature("guardians", (TILES,), "how many guardians are on the tile", high=GUARDIANS),
    Feature("pieces", (MAX_SEATS, TILES), "how many of the seat's pieces are on the tile", high=PIECES),
    Feature("taken", (MAX_SEATS, TILES), "1 for each tile that the seat has taken"),
    Feature("lucky", (MAX_SEATS,), "how many lucky tiles the seat has", high=LAST_LUCKY - FIRST_LUCKY + 1),
    Feature("score", (MAX_SEATS,), "what the seat's tiles are worth as they lie", low=-100, high=100),
)
PRESENT, TO_MOVE, DIE, PATH, ON_TILE, PIECES_ON, TAKEN, LUCKY, SCORE, _ = starts(FEATURES)


@rule
def observe(state, seat, features):
    """All of the position."""
    features[DIE + state.die - 1] = 1
    for place in range(state.seats):
        other = (seat + place) % state.seats
        features[PRESENT + place] = 1
        features[TO_MOVE + place] = state.to_move == other
        features[LUCKY + place] = state.lucky[other]
        features[SCORE + place] = score(state, other)
        for piece in range(other * PIECES, (other + 1) * PIECES):
            features[PIECES_ON + place * TILES + state.pieces[piece]] += 1
    for tile in range(TILES):
        features[PATH + tile] = is_in(state.path, tile)
        features[ON_TILE + tile] = state.guardians_on[tile]
        if state.taken_by[tile]:
            place = (state.taken_by[tile] - 1 - seat + state.seats) % state.seats
            features[TAKEN + place * TILES + tile] = 1
