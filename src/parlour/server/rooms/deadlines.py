"""By when somebody must act, or a bot does it for them: clocks, and the patience of those who wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from parlour.protocol import SLOW, Reason
from parlour.server.basics.steady import SteadyClock
from parlour.server.tables.presence import Presence
from parlour.server.tables.table import Table

if TYPE_CHECKING:
    from parlour.server.basics.config import Config

REVEAL_WITHIN = 10.0  # seconds that seats have to reveal their nonces, once all have sat down
BOT_WAKE = 10.0  # seconds after which a bot's turn is taken up again, should its process have died


class Deadline(NamedTuple):
    """By when a seat must have acted, and why."""

    at: float
    seat: int
    reason: Reason


class Deadlines:
    """What the settings and a table's clocks say about time."""

    def __init__(self, config: Config, clock: SteadyClock) -> None:
        self.config = config
        self.clock = clock

    def spent(self, table: Table, seat: int | None) -> float:
        """How long the seat has thought about what it is to do now."""
        if seat is None or seat not in table.awaited:
            return 0.0
        return self.clock.since(table.began(seat), awake=bool(self.clock.outages) and not self.runs_on(table))

    def runs_on(self, table: Table) -> bool:
        """Whether time passes at the table while no server runs: where days may lie between two turns."""
        if table.spec.clock.kind != "none":
            return table.clocks.is_slow
        patience = self._patience(table, here=False)
        return patience is not None and patience >= SLOW

    def next(self, table: Table, presence: Presence, loaded: float) -> Deadline | None:
        """By when a person whose turn it is must act, the first of them. ``loaded``: since when it is in memory."""
        people = [seat for seat in table.awaited if table.chairs[seat].player is None]
        return min((due for seat in people if (due := self._of(seat, table, presence, loaded))), default=None)

    def _of(self, seat: int, table: Table, presence: Presence, loaded: float) -> Deadline | None:
        """By when that seat must have chosen."""
        deadlines, turn_began = [], table.began(seat)
        allowed = table.clocks.allows(seat)
        if allowed is not None:
            left = max(0.0, allowed - self.spent(table, seat))
            deadlines.append(Deadline(self.clock.now() + left, seat, "time"))
        here = presence.is_here(seat)
        patience = self._patience(table, here=here)
        if patience is not None:
            # After a restart people need a moment to come back.
            began = turn_began if self.runs_on(table) else max(turn_began, loaded)
            since = began if here else max(began, presence.gone.get(seat, began))
            deadlines.append(Deadline(since + patience, seat, "absent"))
        return min(deadlines, default=None)

    def _patience(self, table: Table, *, here: bool) -> float | None:
        """How long others wait for somebody who does nothing; None: for as long as the clock says."""
        if table.clocks.is_slow:
            return None
        if len(table.people) == 1:
            return self.config.solo_grace
        if here:
            return self.config.patience if table.spec.clock.kind == "none" else None
        return table.spec.grace

    def least(self, table: Table) -> float:
        """How many seconds whoever is to move has at least, from the moment at which their turn begins."""
        if table.spec.clock.kind != "none":
            return 0.0  # whatever is left
        return min(self.config.solo_grace, self.config.patience, table.spec.grace)

    def grace(self, table: Table, presence: Presence, loaded: float) -> dict[int, float]:
        """The seats that others wait for though nobody is there, and the seconds until a bot takes over."""
        away = [seat for seat in table.awaited if table.chairs[seat].player is None and not presence.is_here(seat)]
        found = [due for seat in away if (due := self._of(seat, table, presence, loaded)) is not None]
        return {due.seat: round(max(0.0, due.at - self.clock.now()), 1) for due in found}

    def wake_at(self, table: Table) -> float | None:
        """When something is due at a table that may be in nobody's memory by then."""
        if table.is_revealing:
            return table.turn_began + REVEAL_WITHIN + 1
        if table.phase != "playing" or table.to_move is None:
            return None
        if table.is_left_to_bots:
            return None  # bots play on when somebody looks
        if table.player is not None:
            return self.clock.now() + BOT_WAKE
        patience = self._patience(table, here=False)
        limits = [
            table.began(seat) + limit
            for seat in table.awaited
            for limit in (table.clocks.allows(seat), patience)
            if limit is not None
        ]
        return min(limits) + 1
