"""The fields that messages are made of, with the values they may have."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

VERSION = 2

Cid = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._:-]+\Z")]
Token = Annotated[str, Meta(min_length=1, max_length=64)]
OwnToken = Annotated[str, Meta(min_length=32, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]  # made by a client
Small = Annotated[int, Meta(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Meta(ge=0, le=1023)]
Action = Annotated[int, Meta(ge=0, le=2**31 - 1)]
LONGEST_NAME = 300  # 24 characters that people see, of up to eleven each: a family of four, with colours
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Nonce = Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-zA-Z_-]*\Z")]
Seal = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")]  # of a nonce: see parlour.engine.fair
Language = Literal["en", "de"]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]
Phase = Literal["open", "playing", "over"]
Company = Literal["people", "bots"]  # who sits at a table: people alone, or bots as well
Pace = Literal["none", "quick", "slow"]  # of a clock: slow is from an hour on
Reaction = Literal["hello", "luck", "nice", "thanks", "wow", "oops"]  # said by a press, beside what people write
PlayPace = Literal["normal", "fast", "off"]  # in which somebody likes to see bots play; off: they need not wait
SLOW = 3600.0  # from so many seconds on, time counts while no server runs


class ClockSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """``turn``: seconds for each turn. ``bank``: seconds for the whole match, and an increment for each turn."""

    kind: Literal["none", "turn", "bank"] = "none"
    seconds: float = 0
    increment: float = 0

    @property
    def pace(self) -> Pace:
        """How fast it is, roughly: for who looks for a table."""
        return "none" if self.kind == "none" else "slow" if self.seconds >= SLOW else "quick"

    def trouble(self) -> str | None:
        """What is wrong with it."""
        if self.kind != "none" and not 1 <= self.seconds <= 30 * 86400:
            return f"a clock has from 1 second to 30 days, not {self.seconds:g} seconds"
        if not 0 <= self.increment <= 86400:
            return f"an increment is from 0 seconds to a day, not {self.increment:g} seconds"
        return None
