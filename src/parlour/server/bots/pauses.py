"""How long bots wait before they act, so that people can follow: less within a turn, and less the longer it goes on."""

from __future__ import annotations

from parlour.protocol import PlayPace
from parlour.server.tables.presence import Presence
from parlour.server.tables.table import Table

# In parts of the setting ``bot_pause``, which is how long a bot waits at the beginning of its turn.
OPENING = 2.0  # before the first ply: the page has to be loaded, and the start to be seen
STEP = 0.15  # after an action of its own
ROLL = 0.4  # the same where dice rolled
ROUND = 4.0  # all pauses between two turns of people together
TURN = 1.5  # all pauses of a turn together, where nobody waits for their own
PACES: dict[PlayPace, float] = {"normal": 1.0, "fast": 0.28, "off": 0.0}  # what somebody's wish makes of all these


def may_be_skipped(table: Table, presence: Presence) -> bool:
    """Whether those who have a seat can end a pause: not where others look on who wait for no turn either."""
    return not table.is_left_to_bots or not any(one.pictures and one.seat is None for one in presence.listeners)


def begins_round(table: Table) -> bool:
    """Whether bots begin to play here: a person has just acted, or, where all only watch, another bot has.

    Or all choose at once.
    """
    if table.match is None or not table.match.plies or table.choosing is not None:
        return True
    last = table.match.plies[-1].seat
    return last != table.to_move and (table.is_left_to_bots or table.chairs[last].player is None)


def pause(table: Table, presence: Presence, bot_pause: float, began: float, now: float) -> float:
    """Seconds that the bot to move still waits; ``began`` is when the bots began to play.

    Those who sit there count, or all, where all only watch: whoever likes it slowest, of those with pictures.
    """
    is_turn_awaited = not table.is_left_to_bots
    lookers = [one for one in presence.listeners if one.pictures and (one.seat is not None or not is_turn_awaited)]
    scale = bot_pause * max((PACES[one.pace] for one in lookers), default=0.0)
    if not scale:
        return 0.0
    most = scale * (ROUND if is_turn_awaited else TURN)
    left = max(0.0, 1 - (table.turn_began - began) / most)
    return max(0.0, table.turn_began + scale * _wanted(table, is_turn_awaited) * left - now)


def _wanted(table: Table, is_turn_awaited: bool) -> float:
    plies = table.match.plies if table.match else []
    if not plies:
        return OPENING if is_turn_awaited else STEP
    if is_turn_awaited and plies[-1].seat != table.to_move:
        return 1.0
    return ROLL if plies[-1].by_chance else STEP
