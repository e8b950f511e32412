"""What happens at a table, as entries of its log. A table is the fold of its entries, in order of their numbers."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec
from msgspec import Struct

from parlour.protocol.fields import Reaction

TABLE = -1  # the seat of entries that belong to nobody

Reason = Literal["absent", "time", "left", "resigned"]


class Entry(Struct, frozen=True, gc=False, kw_only=True, tag_field="kind", omit_defaults=True):
    """One thing that happened, to the seat or to the whole table.

    ``cid`` is the client's own name for the command that it came of, so that a repetition is known. ``by`` is the seat
    that gave the command, where it is another one than ``seat``.
    """

    HIDDEN: ClassVar[tuple[str, ...]] = ()  # fields that only the server reads

    number: int = 0
    at: float = 0.0
    seat: int = TABLE
    cid: str | None = None
    by: int | None = None

    @property
    def kind(self) -> str:
        return str(type(self).__struct_config__.tag)

    @property
    def actor(self) -> int:
        """The seat whose command it was."""
        return self.seat if self.by is None else self.by

    @property
    def body(self) -> dict[str, Any]:
        """What this kind of entry has besides the rest: as it is stored."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        for name in _ENVELOPE:
            plain.pop(name, None)
        return plain

    @property
    def public_body(self) -> dict[str, Any]:
        """The body as people and programs are told of it."""
        body = self.body
        for name in self.HIDDEN:
            body.pop(name, None)
        return body


_ENVELOPE = ("kind", "number", "at", "seat", "cid")


class Sat(Entry, frozen=True, tag="sit"):
    """A person took the seat, and sealed a nonce or gave one in the open.

    Until the match begins, it need not be the seat that they will have: that is drawn by lot, or it is the one that
    they want, where somebody sits who leaves it to the lot.
    """

    name: str
    nonce: str
    seal: str = ""
    lot: bool = False
    wants: int | None = None


class Revealed(Entry, frozen=True, tag="reveal"):
    """The seat showed the nonce that it had sealed."""

    nonce: str


class BotSat(Entry, frozen=True, tag="bot"):
    """A bot took the seat, before the match."""

    bot: str


class Left(Entry, frozen=True, tag="leave"):
    """The seat became free again, before the match: its person left, or its bot was sent away."""

    HIDDEN = ("tokens",)

    tokens: list[str] = []  # hashes of those that ended with it, so that a repetition of the command is known


class Started(Entry, frozen=True, tag="start"):
    """The match began. Some seats may have been left out of the dice, for they did not reveal their nonces in time.

    ``seating`` is the new seat of each old one, where lots were drawn or people have changed seats.
    ``rules_hash`` tells the rules by which it began from others that call themselves by the same version.
    """

    HIDDEN = ("rules_hash",)

    left_out: list[int] = []
    seating: list[int] = []
    rules_hash: str = ""


class Acted(Entry, frozen=True, tag="act"):
    """The seat played these actions at this ply. ``spent`` is how long its person had thought.

    Where there are secrets, others are told each action as -1 until the match is over.
    """

    HIDDEN = ("unplayed",)

    ply: int
    actions: list[int]
    spent: float | None = None
    unplayed: int = 0  # how many more the command had, after dice fell


class Undone(Entry, frozen=True, tag="undo"):
    """The seat took its last action back, when ``ply`` had been played; with it, what bots had answered."""

    ply: int
    spent: float
    plies: int = 1  # that are taken back


class Resigned(Entry, frozen=True, tag="resign"):
    """The seat gave up. Where more than two play, the bot plays on."""

    bot: str


class DrawOffered(Entry, frozen=True, tag="offer"):
    """The seat offered a draw."""


class DrawDeclined(Entry, frozen=True, tag="decline"):
    """The seat declined the other's offer."""


class DrawAgreed(Entry, frozen=True, tag="agree"):
    """The seat accepted the other's offer: the match is over."""


class Said(Entry, frozen=True, tag="chat"):
    """The seat's person said something. A reaction is over at once: no list of what was said has it."""

    text: str
    reaction: Reaction | None = None


class Replaced(Entry, frozen=True, tag="away"):
    """From now on a bot plays for the seat's person, who is away for this reason."""

    bot: str
    reason: Reason
    spent: float | None = None


class Returned(Entry, frozen=True, tag="back"):
    """The seat's person plays again."""


class RematchOpened(Entry, frozen=True, tag="rematch"):
    """The same table was opened once more, under this id."""

    table: str


class Closed(Entry, frozen=True, tag="close"):
    """The table was closed before the match had ended, for a reason that lies outside of it."""

    reason: Literal["upgrade", "operator"]
    text: str


class TokenRenewed(Entry, frozen=True, tag="renew"):
    """The seat has another token. Nothing else changes, but every process reads the table's tokens again."""


class Forgotten(Entry, frozen=True, tag="forget"):
    """Somebody's name and words were taken out of this log. Every process reads all of it again."""


AnyEntry = (
    Sat
    | BotSat
    | Left
    | Revealed
    | Started
    | Acted
    | Undone
    | Resigned
    | DrawOffered
    | DrawDeclined
    | DrawAgreed
    | Said
    | Replaced
    | Returned
    | RematchOpened
    | Closed
    | TokenRenewed
    | Forgotten
)


def read_entry(kind: str, envelope: dict[str, Any], body: dict[str, Any]) -> AnyEntry:
    """An entry as it was stored: its kind, its number and the like, and its body."""
    entry: AnyEntry = msgspec.convert({"kind": kind, **envelope, **body}, AnyEntry)
    return entry
