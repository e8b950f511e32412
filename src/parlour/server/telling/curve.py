"""The win chances of a finished match from beginning to end. They are worked out when somebody first asks for them."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator

from parlour.engine.foreign import ForeignReplay
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.state import State
from parlour.engine.win_chances import judged_seats, win_chances
from parlour.protocol import Curve
from parlour.server.basics.errors import Refusal
from parlour.server.telling.chances import DIGITS

MOST_POINTS = 300  # no screen shows more
MOST_NUMBERS = 1200  # for all seats together
KEPT = 100  # curves, since a match that many look at is asked for again and again

_kept: OrderedDict[bytes, Curve] = OrderedDict()  # the last asked for at the end


def of_match(match: Match) -> Curve:
    """Raises Refusal where no judge can tell."""
    parts = (match.game.name, match.game.version, match.seats, match.options, match.seed, match.stream, match.actions)
    key = hashlib.sha256(repr(parts).encode()).digest()
    found = _kept.pop(key, None) or _drawn(match.game, match.seats, match.positions(), len(match.plies))
    _kept[key] = found
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return found


def of_foreign(game: Game, replay: ForeignReplay) -> Curve:
    """The same of a match in a file of another program."""
    seats = int(next(replay.positions()).state.seats)
    return _drawn(game, seats, (position.state for position in replay.positions()), replay.plies)


def _drawn(game: Game, seats: int, positions: Iterator[State], plies: int) -> Curve:
    if seats not in judged_seats(game):
        raise Refusal("not_found", f"{game.title} has no judge that can tell win chances of {seats} seats")
    step = -(-plies // min(MOST_POINTS, max(1, MOST_NUMBERS // seats))) or 1
    curve = Curve([], [])
    for ply, state in enumerate(positions):
        if ply % step == 0 or ply == plies:
            curve.plies.append(ply)
            curve.chances.append([round(chance, DIGITS) for chance in win_chances(game, state) or ()])
    return curve
