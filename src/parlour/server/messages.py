"""What can be said, by clients and by the server. Version 1; docs/protocol.md tells it to people.

Every message of a WebSocket is one JSON object whose ``type`` says which of these it is. The same commands are sent as
the body of a POST, without ``type``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from parlour.engine.picture import Mark
from parlour.server.clocks import ClockSpec

VERSION = 1

Cid = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._:-]+\Z")]
Token = Annotated[str, Meta(min_length=1, max_length=64)]
Small = Annotated[int, Meta(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Meta(ge=0, le=1023)]
Action = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Nonce = Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-zA-Z_-]*\Z")]
Language = Literal["en", "de"]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]

# What clients say.


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """Something a seat does. ``cid`` is the client's name for it: the same again gets the first answer again."""

    cid: Cid


class Act(Command, frozen=True, tag="act"):
    """Play at this ply: one action by number or in notation, or several in a row, of which all or none are played."""

    ply: Small
    action: Action | None = None
    text: Annotated[str, Meta(min_length=1, max_length=100)] | None = None
    actions: Annotated[list[Action], Meta(min_length=1, max_length=1000)] | None = None


class Undo(Command, frozen=True, tag="undo"):
    """Take back your last choice; ``ply`` is how many have been played."""

    ply: Small


class Resign(Command, frozen=True, tag="resign"):
    pass


class Draw(Command, frozen=True, tag="draw"):
    answer: Literal["offer", "accept", "decline"] = "offer"


class Chat(Command, frozen=True, tag="chat"):
    text: Annotated[str, Meta(min_length=1, max_length=2000)]


class Back(Command, frozen=True, tag="back"):
    """I am here again: no bot need play for me."""


class Leave(Command, frozen=True, tag="leave"):
    """Give the seat up: before the match it is free again, during it a bot plays on."""


class Start(Command, frozen=True, tag="start"):
    """Begin now; bots of this name take the seats that are free."""

    fill: BotName | None = None


class PutBot(Command, frozen=True, tag="put_bot"):
    """Let a bot take a free seat, or, with none named, free the seat that one has."""

    seat: SeatNumber
    bot: BotName | None = None


class Rematch(Command, frozen=True, tag="rematch"):
    """The same table once more, every seat kept for whoever has it now."""


class AskHint(Command, frozen=True, tag="hint"):
    """The best actions, as far as a second of thought can tell."""


TableCommand = Act | Undo | Resign | Draw | Chat | Back | Leave | Start | PutBot | Rematch


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message of a socket. Without a token you watch."""

    version: int = VERSION
    token: Token | None = None
    pictures: bool = False
    state: bool = False
    undoable: bool = False
    language: Language = "en"


class Ping(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="ping"):
    pass


SocketMessage = TableCommand | AskHint | Hello | Ping


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table. ``bots`` names a bot for each seat that one is to take, by seat."""

    game: Annotated[str, Meta(max_length=60)]
    seats: Annotated[int, Meta(ge=1, le=1024)] | None = None
    options: dict[str, int | bool | str] = {}
    bots: dict[str, BotName] = {}
    public: bool = True
    hints: bool = True
    clock: ClockSpec = ClockSpec()
    grace: Annotated[float, Meta(ge=1, le=30 * 86400)] | None = None


class Sit(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat: that one, or any that is free. The nonce goes into the dice; see docs/fair-dice.md."""

    name: Name
    seat: SeatNumber | None = None
    nonce: Nonce = ""
    invite: Token | None = None


# What the server says.


class Problem(Struct, frozen=True):
    """Why not: a code for programs, a sentence for people."""

    code: str
    message: str


class OptionView(Struct, frozen=True):
    name: str
    default: int
    help: str
    takes: str
    switch: bool
    choices: list[int]
    low: int
    high: int


class GameView(Struct, frozen=True):
    name: str
    title: str
    summary: str
    rules: int
    seats: tuple[int, int]
    usual_seats: int
    options: list[OptionView]
    bots: list[str]
    usual_bot: str
    seat_names: list[str]


class SeatView(Struct, frozen=True):
    """A seat; it may be kept for whoever held it before a rematch. ``stand_in`` plays while its person is away."""

    seat: int
    kind: Literal["free", "kept", "person", "bot"]
    name: str
    nonce: str
    score: int
    here: bool = False
    stand_in: str | None = None
    away: str | None = None
    resigned: bool = False
    left: float | None = None  # seconds on the clock


class Told(Struct, frozen=True):
    """One event in words, and what moves in the picture."""

    text: str
    steps: list[dict[str, Any]] = []


class Ending(Struct, frozen=True):
    """How the match ended: ``rules``, ``resigned`` or ``agreed``."""

    reason: str
    winners: list[int]
    text: str


class Position(Struct, frozen=True):
    ply: int
    turn: int
    to_move: int | None  # nobody, once the match is over
    scores: list[int]
    picks: list[str] = []  # the spots of the last action
    scene: str | None = None
    state: str | None = None  # packed, in base64: for clients that know the rules and draw the board themselves


class Choice(Struct, frozen=True, omit_defaults=True):
    action: int
    text: str
    label: str = ""
    picks: list[str] = []
    way: str = ""
    undoable: bool = False  # told to who asks for it


class TableLine(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    title: str
    phase: Literal["open", "playing", "over"]
    names: list[str]
    seats: int
    free: int
    options: dict[str, int]
    created: float
    changed: float
    ending: Ending | None = None


class TableView(Struct, frozen=True):
    id: str
    game: str
    title: str
    rules: int
    options: dict[str, int]
    phase: Literal["open", "playing", "over"]
    number: int
    public: bool
    hints: bool
    clock: ClockSpec
    grace: float
    commitment: str
    seats: list[SeatView]
    story: list[str]
    chat: list[dict[str, Any]]
    created: float
    marks: list[Mark] = []  # of the seats, as the picture has them
    position: Position | None = None
    backdrop: str | None = None
    size: tuple[float, float] | None = None
    ending: Ending | None = None
    offer: int | None = None  # the seat that offers a draw
    rematch: str | None = None
    secret: str | None = None  # once the match is over
    you: int | None = None
    may_undo: bool = False
    choices: list[Choice] = []


class Opened(Struct, frozen=True):
    """``invite`` is needed to sit down at a table that is not public."""

    table: TableView
    invite: str


class Seated(Struct, frozen=True):
    """The token holds the seat. Keep it: it is not told again."""

    seat: int
    token: str
    table: TableView


class LogLine(Struct, frozen=True):
    number: int
    at: float
    kind: str
    seat: int
    body: dict[str, Any]


class Log(Struct, frozen=True):
    number: int
    phase: Literal["open", "playing", "over"]
    ply: int
    to_move: int | None
    entries: list[LogLine]


class Ack(Struct, frozen=True, tag_field="type", tag="ack"):
    """It has happened, and will not be lost: entry ``number``, after which ``ply`` actions have been played."""

    cid: str
    number: int
    ply: int


class Reject(Struct, frozen=True, tag_field="type", tag="reject"):
    cid: str | None
    code: str
    message: str


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    version: int
    table: TableView


class Update(Struct, frozen=True, tag_field="type", tag="update"):
    """Entry ``number`` has happened. Whoever misses a number says hello again."""

    number: int
    kind: str
    seat: int
    body: dict[str, Any]
    phase: Literal["open", "playing", "over"]
    seats: list[SeatView]
    events: list[Told] = []
    position: Position | None = None
    ending: Ending | None = None
    offer: int | None = None
    secret: str | None = None


class Choices(Struct, frozen=True, tag_field="type", tag="choices"):
    """What you can do now, at this ply."""

    ply: int
    choices: list[Choice]
    may_undo: bool


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Who is here, and until when (seconds from now) a seat that is not has before a bot takes over."""

    here: list[int]
    watching: int
    grace: dict[int, float] = {}


class HintAnswer(Struct, frozen=True, tag_field="type", tag="hint"):
    cid: str
    ply: int
    best: list[dict[str, Any]]


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    pass


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """Why the server closes the socket."""

    code: str
    message: str


class LobbyView(Struct, frozen=True, tag_field="type", tag="lobby"):
    tables: list[TableLine]
