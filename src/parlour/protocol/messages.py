"""What the server says: answers to requests, and the messages of a WebSocket, whose ``type`` says which it is."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from parlour.protocol.fields import Phase
from parlour.protocol.views import ChoiceView, Ending, EventView, Position, SeatView, TableLine, TableView

# Answers to requests.


class Problem(Struct, frozen=True):
    """Why not: a code for programs, a sentence for people. The body of every answer that is an error."""

    code: str
    message: str


class Opened(Struct, frozen=True):
    """A table was opened. ``invite`` is needed to sit down if it is not public."""

    table: TableView
    invite: str


class Invitation(Struct, frozen=True):
    """The table of a code. ``invite`` is needed to sit down if it is not public; else it is empty."""

    table: str
    invite: str = ""


class Seated(Struct, frozen=True):
    """You sit. The token holds the seat. Keep it: it is not told again."""

    seat: int
    token: str
    table: TableView


# Answers to commands.


class Ack(Struct, frozen=True, gc=False, tag_field="type", tag="ack", omit_defaults=True):
    """It has happened, and will not be lost: entry ``number``, after which ``ply`` actions have been played."""

    cid: str
    number: int
    ply: int
    unplayed: int = 0  # how many of the actions were not played, since dice fell before them


class Reject(Struct, frozen=True, tag_field="type", tag="reject"):
    """It has not happened, and why not."""

    cid: str | None
    code: str
    message: str


Reply = Ack | Reject


class HintLine(Struct, frozen=True):
    """One of the best actions: how often it was tried, and its estimated chance to win."""

    action: int
    text: str
    tries: int
    chance: float


class HintAnswer(Struct, frozen=True, tag_field="type", tag="hint"):
    """The answer to ``hint``: the best actions at this ply, the best first; or the rest of the turn, in order."""

    cid: str
    ply: int
    best: list[HintLine]
    text: str = ""  # how much better the best is, in words; empty where that was not found out
    turn: list[int] = []  # the rest of the turn, for whoever asked for it; without what ends it


# What a table's WebSocket tells.


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    """The answer to ``hello``: the whole table."""

    version: int
    table: TableView


class Update(Struct, frozen=True, gc=False, tag_field="type", tag="update"):
    """Entry ``number`` has happened. Whoever misses a number says hello again."""

    number: int
    kind: str
    seat: int
    body: dict[str, Any]
    phase: Phase
    seats: list[SeatView]  # those that have changed
    events: list[EventView] = []
    position: Position | None = None
    ending: Ending | None = None
    offer: int | None = None
    secret: str | None = None
    size: tuple[float, float] | None = None  # of the board, and
    backdrop: str | None = None  # what in it never changes: when the match begins


class Choices(Struct, frozen=True, gc=False, tag_field="type", tag="choices"):
    """What you can do now, at this ply. Sent to a seat whenever the position is another."""

    ply: int
    choices: list[ChoiceView]
    may_undo: bool
    prompt: str = ""  # what is to be decided, in words


class Chances(Struct, frozen=True, gc=False, tag_field="type", tag="chances"):
    """How likely each seat is to win at this ply, from 0 to 1. Sent to whoever asked for it and may know."""

    ply: int
    chances: list[float]


class PresenceUpdate(Struct, frozen=True, gc=False, tag_field="type", tag="presence"):
    """Who is here, and how many seconds a seat that is not has before a bot takes over. Sent when that changes."""

    here: list[int]
    watching: int
    grace: dict[int, float] = {}
    notice: str = ""  # of whoever runs the server, to all
    warming: list[int] = []  # the seats whose bots are not ready yet: simpler ones play in their place


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to ``ping``."""


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """Why the server closes the socket. The last message."""

    code: str
    message: str


TableMessage = Welcome | Update | Choices | Chances | PresenceUpdate | HintAnswer | Ack | Reject | Pong | Bye


# What the lobby's WebSocket tells.


class LobbyView(Struct, frozen=True, tag_field="type", tag="lobby"):
    """The public tables where others can sit down or watch. Sent at once; then what changes of it is."""

    tables: list[TableLine]


class LobbyChange(Struct, frozen=True, tag_field="type", tag="lobby_change", omit_defaults=True):
    """What has changed of the list: tables that are new or look different, and the ids of those that are gone."""

    tables: list[TableLine]
    gone: list[str]
    notice: str | None = None  # of whoever runs the server, to all, where it has changed; empty: there is none any more
