"""Who sat where before the match began, and where the lot has put them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from parlour import protocol
from parlour.engine import fair
from parlour.engine.errors import ParlourError
from parlour.engine.fair import DiceProof


class Seating:
    """The seats of a match, from its whole log."""

    def __init__(self, log: Sequence[protocol.LogLine], seats: int) -> None:
        self.after = list(range(seats))  # the seat in the match, by the seat before it
        self.claims: dict[int, int] = {}  # what people had chosen, by the seat before the match
        self.is_drawn = False
        for line in log:
            if line.kind == "start":
                self._take_lots(line)
                return
            self._note(line)

    def _note(self, line: protocol.LogLine) -> None:
        if line.kind in ("sit", "leave", "bot"):
            self.claims.pop(line.seat, None)
        if line.kind == "sit" and not line.body.get("lot"):
            self.claims[line.seat] = msgspec.convert(line.body.get("wants", line.seat), int)

    def _take_lots(self, line: protocol.LogLine) -> None:
        given = msgspec.convert(line.body.get("seating", []), list[int])
        if given and sorted(given) != self.after:
            raise ParlourError("the log has seats for the match that cannot be")
        self.is_drawn = bool(given)
        self.after = given or self.after

    def doubts(self, dice: DiceProof) -> list[str]:
        """What is wrong with the lots, given the proof of the dice."""
        if not self.is_drawn or len(dice.nonces) != len(self.after):
            return []
        before = [dice.nonces[after] for after in self.after]
        if fair.seating(dice.secret, before, self.claims) == self.after:
            return []
        return ["seats: the lots are not those that secret and nonces give"]
