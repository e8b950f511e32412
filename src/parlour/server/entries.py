"""What happens at a table, as entries of its log. A table is the fold of its entries, in order of their numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

SIT = "sit"  # a person takes a seat: name, nonce
BOT = "bot"  # a bot takes a seat before the match: bot
LEAVE = "leave"  # a person gives the seat back before the match
START = "start"
ACT = "act"  # ply, actions, spent
UNDO = "undo"  # ply, spent
RESIGN = "resign"
OFFER = "offer"  # a draw
DECLINE = "decline"
AGREE = "agree"
CHAT = "chat"  # text
AWAY = "away"  # a bot plays for a person: bot, reason
BACK = "back"  # the person plays again
REMATCH = "rematch"  # table
RENEW = "renew"  # the seat has another token: those that held it hold it no more

TABLE = -1  # the seat of entries that belong to nobody


class Entry(msgspec.Struct, frozen=True):
    """One thing that happened. ``cid`` is the client's own name for the command, so that a repetition is known."""

    KEY: ClassVar[str] = "key"  # in the body of some acts: the position, so that not everything is played again
    TOKENS: ClassVar[str] = "tokens"  # in that of a leave: hashes of those that ended, so that a repetition is known

    number: int
    at: float
    kind: str
    seat: int = TABLE
    cid: str | None = None
    body: dict[str, Any] = {}

    @property
    def told(self) -> dict[str, Any]:
        """What people and programs are told of it."""
        return {name: value for name, value in self.body.items() if name not in (self.KEY, self.TOKENS)}
