"""game17: a war of many on a board without edges.

Every square of a 14 × 14 board, whose edges are joined, begins with four pieces and an owner of its own: one of
the seats, or a zombie. The owners have their turns in an order drawn by chance, each once a round.
On your turn you order pieces to neighbouring squares, as many as you like; the others stay.
All leave, all arrive; then the larger side owns the square and every piece on it, and a coin decides a tie.
An empty square keeps its last owner. A seat without a square is out; one without pieces has nothing more to order.
Zombies move each of their pieces to a random neighbour. The match ends after 50 rounds, or as soon as all
pieces belong to one owner. Most squares win; a zombie may.
Options: the edge of the board (2 to 24), the number of rounds (1 to 1000).
"""

from collections.abc import Mapping

from parlour.engine import Game, Glance, Option, i8, i16
from parlour.games.game17 import observation, rules
from parlour.games.game17.seats import NAMES, rivals
from parlour.games.game17.state import FIELDS, MAX_EDGE, MAX_PIECES, MAX_SQUARES


def takes(seats: int, options: Mapping[str, int]) -> str | None:
    """Clause 3: everyone begins with a square."""
    edge = options["edge"]
    if seats <= edge * edge:
        return None
    return f"game17 with an edge of {edge} takes at most {edge * edge} seats, one for each square, not {seats}"


GAME = Game(
    name="game17",
    title="game17",
    summary="Take your neighbours' squares, and mind the zombies.",
    glance=Glance((5, 15), "medium", "both"),
    version=2,
    seats=(0, MAX_SQUARES),
    seat_names=NAMES,
    usual_seats=2,
    suggested_seats=3,
    takes=takes,
    options=(
        Option("edge", 14, "squares along each edge of the board", low=2, high=MAX_EDGE, field=i8, suggested=6),
        Option("rounds", 50, "rounds until the match is over", low=1, high=1000, field=i16, suggested=15),
    ),
    fields=FIELDS,
    max_actions=4 * MAX_PIECES + 1,
    action_space=rules.GO + 1,
    ply_limit=20_000_000,
    setup=rules.setup,
    legal=rules.legal,
    apply=rules.apply,
    score=rules.score,
    won=rules.won,
    out=rules.out,
    rivals=rivals,
    observe=observation.observe,
    features=observation.FEATURES,
    order=rules.order,
    conserved=rules.pieces_on_the_board,
    notation="parlour.games.game17.notation",
    terminal="parlour.games.game17.terminal",
    picture="parlour.games.game17.picture",
    bots="parlour.games.game17.bots",
    foreign="parlour.games.game17.foreign",
)
