"""What plays Verfuchst well: what pieces stand to win where they are, and sensible play for playouts to the end."""

from __future__ import annotations

from parlour.engine import State, below, rule
from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.bots import Bots, SearchLevel
from parlour.engine.chance import Draws
from parlour.games.verfuchst.rules import GUARDIAN, score
from parlour.games.verfuchst.state import PIECES
from parlour.games.verfuchst.state.tiles import GOAL, VALUE, is_lucky

LUCKY = 9  # what a lucky tile is worth: it turns a tile of about −5
WORTH = tuple(LUCKY if is_lucky(tile) else value for tile, value in enumerate(VALUE))

# How much of a tile's worth counts, in hundredths: for a piece alone on it, which will have to take it, and for one in
# company, which may get away from a bad tile but also see somebody else take a good one.
ALONE = 90
GOOD_COMPANY = 60
BAD_COMPANY = 20
EVEN = 20  # an advantage of this many points is a chance of three in four

WHIM = 64  # how far chance moves a playout's choice, in tenths of a point


@rule
def evaluate(state: State, seat: int) -> int:
    """How good the position is for the seat, from 0 to 1000: its prospects beside those of the best other seat."""
    rival = -10_000
    for other in range(state.seats):
        if other != seat:
            rival = max(rival, prospects(state, other))
    ahead = prospects(state, seat) - rival
    chance = CERTAIN // 2 * abs(ahead) // (abs(ahead) + 100 * EVEN)
    return CERTAIN // 2 + (chance if ahead > 0 else -chance)


@rule
def prospects(state: State, seat: int) -> int:
    """What the seat's tiles are worth, and what its pieces stand to win where they are, in hundredths of a point."""
    total: int = 100 * score(state, seat)
    for piece in range(seat * PIECES, seat * PIECES + PIECES):
        tile = state.pieces[piece]
        if tile != GOAL:
            those = state.pieces_on[tile] + state.guardians_on[tile]
            company = GOOD_COMPANY if WORTH[tile] > 0 else BAD_COMPANY
            total += WORTH[tile] * (ALONE if those == 1 else company // those)
    return total


@rule
def policy(state: State, actions: list[int], count: int, chance: Draws) -> int:
    """Leave good tiles while they can be taken and bad ones while they need not be; now and then something else."""
    best, best_worth = actions[0], -10_000
    for index in range(count):
        worth = below(chance, WHIM) + 10 * worth_now(state, actions[index])
        if worth > best_worth:
            best, best_worth = actions[index], worth
    return best


@rule
def worth_now(state: State, action: int) -> int:
    """What the tile is worth that the action takes; nothing where it takes none."""
    is_last = action < GUARDIAN and state.pieces_on[action] == 1 and state.guardians_on[action] == 0
    return WORTH[action] if is_last else 0


# Playouts go to the end: no judgement on the way is as good as that.
ADVICE = Advice(evaluate, policy, depth=1000, explore=0.7)

# docs/strength.md has what the steps are worth.
LEVELS = {
    1: SearchLevel(16, slips=10),
    2: SearchLevel(40, slips=3),
    3: SearchLevel(120),
    4: SearchLevel(400),
    5: SearchLevel(5000),
}

BOTS = Bots(advice=ADVICE, levels=LEVELS)
