"""What clients say. Over a WebSocket ``type`` says which; as the body of a POST, the address does."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour.protocol.fields import (
    LONGEST_NAME,
    VERSION,
    Action,
    BotName,
    Cid,
    ClockSpec,
    Language,
    Name,
    Nonce,
    OwnToken,
    PlayPace,
    Reaction,
    Seal,
    SeatNumber,
    Small,
    Token,
)


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """Something a seat does. ``cid`` is the client's name for it: the same again gets the first answer again."""

    cid: Cid


class Act(Command, frozen=True, tag="act"):
    """Play at this ply: one action by number or in notation, or several in a row.

    Of several, all or none are played; but where dice fall, those after that are left for when they have been seen.
    """

    ply: Small
    action: Action | None = None
    text: Annotated[str, Meta(min_length=1, max_length=100)] | None = None
    actions: Annotated[list[Action], Meta(min_length=1, max_length=1000)] | None = None


class Undo(Command, frozen=True, tag="undo"):
    """Take back your last choice, or so many; ``ply`` is how many have been played."""

    ply: Small
    choices: Annotated[int, Meta(ge=1, le=1000)] = 1


class Resign(Command, frozen=True, tag="resign"):
    """Give the match up. Where more than two play, a bot plays on in your place."""


class Draw(Command, frozen=True, tag="draw"):
    """Offer a draw, or answer the other's offer, where two play."""

    answer: Literal["offer", "accept", "decline"] = "offer"


class Chat(Command, frozen=True, tag="chat"):
    """Say something to everybody at the table: in your own words, or by one of the reactions."""

    text: Annotated[str, Meta(max_length=2000)] = ""
    reaction: Reaction | None = None


class Back(Command, frozen=True, tag="back"):
    """I am here again: no bot need play for me."""


class Leave(Command, frozen=True, tag="leave"):
    """Give the seat up: before the match it is free again, during it a bot plays on."""


class Reveal(Command, frozen=True, tag="reveal"):
    """Show the nonce that you sealed when you sat down, now that all seats are taken: then the match begins."""

    nonce: Nonce


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
    """The best actions, as far as a second of thought can tell; or how the rest of the turn could be played."""

    turn: bool = False


TableCommand = Act | Undo | Resign | Draw | Chat | Back | Leave | Reveal | Start | PutBot | Rematch


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message of a socket. Without a token you watch."""

    version: int = VERSION
    token: Token | None = None
    pictures: bool = False
    state: bool = False
    undoable: bool = False
    language: Language = "en"
    chances: bool = False  # whether to tell how likely each seat is to win
    patches: bool = False  # whether to tell only what changes in the picture
    pace: PlayPace = "normal"  # in which bots play, for whoever is shown pictures


class Ping(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="ping"):
    """Are you there? Answered with a pong."""


class Hurry(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hurry"):
    """Until it is a person's turn, bots need not pause for me. Nor do they, once everybody at the table says so."""


SocketMessage = TableCommand | AskHint | Hello | Ping | Hurry


class LessonTry(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody who learns wants to do: an action, or one in notation."""

    action: Action | None = None
    text: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table. ``bots`` names a bot for each seat that one is to take, by seat."""

    game: Annotated[str, Meta(max_length=60)]
    seats: Annotated[int, Meta(ge=0, le=1024)] | None = None
    options: dict[str, int | bool | str] = {}
    bots: dict[str, BotName] = {}
    public: bool = True
    hints: bool = True
    clock: ClockSpec = ClockSpec()
    grace: Annotated[float, Meta(ge=1, le=30 * 86400)] | None = None
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""  # you will sit down by: opened only if it can be taken


class Sit(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat: that one, or any that is free; or leave it to the lot that is drawn when the match begins.

    The seal is that of a nonce that goes into the dice, and that you reveal when all have sat down. A nonce in the open
    goes into them, too, but does not keep others from choosing theirs by it. See docs/fair-dice.md.

    You may make the token that is to hold the seat, of 24 random bytes or more. Whoever asks again with the same one,
    because the answer was lost, has the seat that the first asking took.
    """

    name: Name
    seat: SeatNumber | None = None
    lot: bool = False
    seal: Seal = ""
    nonce: Nonce = ""
    invite: Token | None = None
    token: OwnToken | None = None


class Renew(Struct, frozen=True, forbid_unknown_fields=True):
    """Another token for a seat, which you may make yourself: then you have it even if the answer is lost."""

    token: OwnToken | None = None


class PushSubscribe(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser that is to be told when it is the seat's turn: what its ``PushSubscription`` has."""

    endpoint: Annotated[str, Meta(min_length=8, max_length=1000)]
    p256dh: Annotated[str, Meta(min_length=80, max_length=100, pattern=r"^[A-Za-z0-9_-]+=*\Z")]
    auth: Annotated[str, Meta(min_length=16, max_length=40, pattern=r"^[A-Za-z0-9_-]+=*\Z")]
    language: Language = "en"


class PushEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser that is to be told no more; without an address, all of the seat's."""

    endpoint: Annotated[str, Meta(min_length=8, max_length=1000)] | None = None
