"""What a judge looks at in Verfuchst: who stands where and in whose company, and how far it is along what is left.

Seats come with the judge's own first, then clockwise; tiles by their numbers.
"""

from parlour.engine import Feature, Sight, rule, starts
from parlour.games.verfuchst.rules import GUARDIANS, SIDES, score
from parlour.games.verfuchst.state import MAX_SEATS, PIECES, TILES
from parlour.games.verfuchst.state.tile_sets import all_but_hindmost, beyond, hindmost
from parlour.games.verfuchst.state.tiles import FIRST_LUCKY, LAST_LUCKY

FAR = 100  # points that nobody can be ahead by
NEAR = 8  # points; within these, every lead counts for itself
LATE = 16  # tiles; within these, every tile counts for itself

FEATURES = (
    Feature("present", (MAX_SEATS,), "1 for each seat of the match"),
    Feature("to_move", (MAX_SEATS,), "1 for the seat to move"),
    Feature("guardians", (TILES,), "how many guardians are on the tile", high=GUARDIANS),
    Feature("pieces", (MAX_SEATS, TILES), "the seat's pieces on the tile; 3 more if not alone there", high=2 * PIECES),
    Feature("taken", (MAX_SEATS, TILES), "1 for each tile that the seat has taken"),
    Feature("reach", (MAX_SEATS, TILES), "how many of the seat's pieces one throw could bring there", high=PIECES),
    Feature("to_go", (MAX_SEATS, PIECES), "tiles that are left before each piece, at most 16", high=LATE),
    Feature("lucky", (MAX_SEATS,), "how many lucky tiles the seat has", high=LAST_LUCKY - FIRST_LUCKY + 1),
    Feature("score", (MAX_SEATS,), "what the seat's tiles are worth as they lie", low=-FAR, high=FAR),
    Feature("lead", (), "in points, over the best of the others", low=-FAR, high=FAR),
    Feature("near", (), "the lead again, at most 8", low=-NEAR, high=NEAR),
)
PRESENT, TO_MOVE, ON_TILE, PIECES_ON, TAKEN, REACH, TO_GO, LUCKY, SCORE, LEAD, NEAR_LEAD, _ = starts(FEATURES)


@rule
def observe(state, seat, features):
    """All of the position but the die, and what follows from it."""
    own, rival = score(state, seat), -FAR
    for place in range(state.seats):
        other = (seat + place) % state.seats
        points = score(state, other)
        if place:
            rival = max(rival, points)
        features[PRESENT + place] = 1
        features[TO_MOVE + place] = state.to_move == other
        features[LUCKY + place] = state.lucky[other]
        features[SCORE + place] = points
        for piece in range(PIECES):
            see_piece(state, state.pieces[other * PIECES + piece], place, piece, features)
    for tile in range(TILES):
        features[ON_TILE + tile] = state.guardians_on[tile]
        if state.taken_by[tile]:
            place = (state.taken_by[tile] - 1 - seat + state.seats) % state.seats
            features[TAKEN + place * TILES + tile] = 1
        for place in range(state.seats):
            mine = features[PIECES_ON + place * TILES + tile]
            if mine and state.pieces_on[tile] + state.guardians_on[tile] > mine:
                features[PIECES_ON + place * TILES + tile] = mine + PIECES
    lead = own - rival
    features[LEAD] = min(max(lead, -FAR), FAR)
    features[NEAR_LEAD] = min(max(lead, -NEAR), NEAR)


@rule
def see_piece(state, tile, place, piece, features):
    """Where a piece stands, where it can be next, and how far it has to go."""
    features[PIECES_ON + place * TILES + tile] += 1
    ahead = beyond(state.path, tile)
    steps = 0
    while ahead != 0 and steps < LATE:
        if steps < SIDES:
            features[REACH + place * TILES + hindmost(ahead)] += 1
        ahead = all_but_hindmost(ahead)
        steps += 1
    features[TO_GO + place * PIECES + piece] = steps


SIGHT = Sight(FEATURES, observe)
