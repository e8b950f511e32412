"""A table: who sits where, the match, its clocks and its chat, as the entries of its log have made it.

Nothing here reads a clock, a socket or a database. ``rooms.proposals`` say what a command would add to the log;
``fold`` applies an entry once it is stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Self

import msgspec

from parlour.engine import fair, registry
from parlour.engine.choosing import Choosing
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.picture import Mark
from parlour.engine.state import State
from parlour.protocol import ChatLine, ClockSpec, Ending, Phase
from parlour.server.people.tokens import hash_token, invitation, same
from parlour.server.tables.clocks import Clocks


@dataclass(frozen=True)
class TableSpec:
    """What was fixed when the table was opened."""

    id: str
    game: str
    rules: int
    options: dict[str, int]
    seats: int
    public: bool
    hints: bool
    clock: ClockSpec
    grace: float
    secret: str
    created: float
    invite_hash: str = ""  # of tables that were opened when invitations were not made from the secret
    code: str = ""  # which people type to find the table
    kept: dict[int, str] = field(default_factory=dict)  # the names of those whom a rematch keeps a seat for

    def again(self, id: str, secret: str, created: float, kept: dict[int, str], code: str) -> Self:
        """The same for another table."""
        return replace(self, id=id, secret=secret, created=created, kept=kept, code=code, invite_hash="")

    @property
    def invite(self) -> str:
        """Lets people sit down at a private table. The secret is published when nobody can sit down any more."""
        return invitation(self.secret)

    def invites(self, invite: str) -> bool:
        """Whether this is the invitation to the table."""
        return same(hash_token(invite), self.invite_hash or hash_token(self.invite))


@dataclass(frozen=True)
class Chair:
    """One seat of the table, and who sits there."""

    person: str | None = None
    bot: str | None = None
    nonce: str = ""
    seal: str = ""  # of the nonce, which is not known before it is revealed
    stand_in: str | None = None  # the bot that plays while the person is away
    away: str | None = None  # and why
    sitting: int | None = None  # the number of the entry by which the person sat down: cids belong to a sitting
    since: int = 0  # the ply from which on the person has chosen, and no stand-in
    lot: bool = False  # the person leaves the seat to chance, until the match begins
    wants: int | None = None  # the seat that the person will have then, if it is another one

    @property
    def is_free(self) -> bool:
        return self.person is None and self.bot is None

    @property
    def is_sealed(self) -> bool:
        """Whether the nonce is still to be revealed."""
        return bool(self.seal) and not self.nonce

    @property
    def player(self) -> str | None:
        """The bot that is to choose here, if it is not a person."""
        return self.bot or self.stand_in


class Milestone(NamedTuple):
    """A position of the match from which it can be taken up: after so many plies, when so many events had been told."""

    ply: int
    event_count: int
    state: State


class Table:
    """One table. ``number`` is that of its last entry."""

    def __init__(self, spec: TableSpec) -> None:
        self.spec = spec
        self.commitment = fair.commitment(spec.secret)
        self.chairs = [Chair() for _ in range(spec.seats)]
        self.clocks = Clocks(spec.clock, spec.seats)
        self.match: Match | None = None
        self.rules_hash = ""  # of the rules by which the match began; none where it began when none was kept
        self.picks: list[str] = []  # the spots of the picture where the last action was chosen
        self.number = 0
        self.turn_began = spec.created
        self.began_later: dict[int, float] = {}  # where several choose at once, seats whose time counts from later on
        self.ending: Ending | None = None
        self.offer: int | None = None  # the seat that offers a draw
        self.rematch: str | None = None
        self.chat: list[ChatLine] = []
        self.event_count = 0  # how many events the match has told
        self.milestones: tuple[Milestone, ...] = ()  # of the match, the oldest first
        self.judged: tuple[State, list[float] | None] | None = None  # the last position that was, and its win chances
        self.gains: dict[int, float] = {}  # on a clock, by ending a turn with this ply, where it may be taken back

    def twin(self) -> Table:
        """The same table once more: what is folded into it leaves this one as it is."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.chairs = self.chairs[:]
        twin.clocks = self.clocks.twin()
        twin.chat = self.chat[:]
        return twin

    @property
    def id(self) -> str:
        return self.spec.id

    @cached_property
    def game(self) -> Game:
        return registry.get(self.spec.game)

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def said_title(self) -> str:
        """In the language of the reader."""
        return self.game.said(self.game.title)

    @property
    def marks(self) -> list[Mark]:
        return self.game.looks.marks(self.spec.seats)

    @property
    def keeps_score(self) -> bool:
        """Whether scores mean something before the end."""
        return self.game.keeps_score(self.spec.options)

    @property
    def scores(self) -> list[int]:
        return self.match.scores if self.match else [0] * self.spec.seats

    @property
    def phase(self) -> Phase:
        return "over" if self.ending else "playing" if self.match else "open"

    @property
    def is_revealing(self) -> bool:
        """Whether all have sat down, and the match begins as soon as all nonces are revealed."""
        return self.match is None and not self.free and self.ending is None

    @property
    def sealed(self) -> list[int]:
        """The seats whose nonces are still to be revealed."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.is_sealed]

    @property
    def ply(self) -> int:
        """How many actions have been played. Where several choose at once, none is before all have chosen."""
        return len(self.match.plies) - len(self.match.chosen) if self.match else 0

    @property
    def keeps_secrets(self) -> bool:
        """Whether not everybody may know all of the match."""
        return self.match is not None and self.match.keeps_secrets

    @property
    def acted_last(self) -> int | None:
        """The seat of the last action."""
        return self.match.plies[-1].seat if self.match and self.match.plies else None

    @property
    def to_move(self) -> int | None:
        """The seat whose choice it is; nobody's before the match and after it, nor where nobody has a seat."""
        match = self.match
        return None if match is None or self.ending or not self.spec.seats else int(match.state.to_move)

    @property
    def asked(self) -> list[int]:
        """The seats that may choose now: where several do so at once, also those that have and may choose again."""
        if (seat := self.to_move) is None:
            return []
        choosing = self.choosing
        return [seat] if choosing is None else list(choosing.asked)

    @property
    def awaited(self) -> list[int]:
        """The seats that have still to choose."""
        if (seat := self.to_move) is None:
            return []
        choosing = self.choosing
        return [seat] if choosing is None else [each for each in choosing.asked if each not in choosing.sealed]

    @property
    def choosing(self) -> Choosing | None:
        """Who chooses at once, and what; None where it is one who chooses."""
        return None if self.match is None or self.ending else self.match.choosing

    @property
    def question(self) -> object:
        """What those who are asked decide: another object as soon as something else is to be decided."""
        return self.match if (choosing := self.choosing) is None else choosing.start

    def shown_to_move(self, seat: int | None) -> int | None:
        """The seat whose choice it is, as that one is told: to each that has still to choose, it is their own."""
        return seat if seat is not None and self.choosing is not None and seat in self.awaited else self.to_move

    def began(self, seat: int) -> float:
        """Since when the time of a seat that has still to choose counts."""
        return self.began_later.get(seat, self.turn_began)

    @property
    def bot_to_move(self) -> int | None:
        """The seat that a bot is to choose for now, if it is one."""
        return next((seat for seat in self.awaited if self.chairs[seat].player is not None), None)

    @property
    def player(self) -> str | None:
        """The bot that is to choose now, if one is."""
        return None if (seat := self.bot_to_move) is None else self.chairs[seat].player

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.person is not None]

    @property
    def is_left_to_bots(self) -> bool:
        """Whether nobody plays here but bots: no people sit here, or a bot plays for each of them."""
        return all(chair.person is None or chair.player is not None for chair in self.chairs)

    @property
    def free(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.is_free]

    @property
    def offered(self) -> list[int]:
        """The seats that anybody may take."""
        return [seat for seat in self.free if seat not in self.spec.kept]

    @property
    def claims(self) -> dict[int, int]:
        """By seat, what the people who sit there have chosen."""
        chosen = [(seat, chair) for seat, chair in enumerate(self.chairs) if chair.person is not None and not chair.lot]
        return {seat: seat if chair.wants is None else chair.wants for seat, chair in chosen}

    @property
    def unclaimed(self) -> list[int]:
        """The seats that can still be chosen: who sits there and leaves it to the lot gives way."""
        gone = {*self.claims.values(), *self.spec.kept}
        return [seat for seat, chair in enumerate(self.chairs) if chair.bot is None and seat not in gone]

    @property
    def seating(self) -> list[int]:
        """The new seat of each old one when the match begins; nothing, if everybody stays."""
        stays = all(seat == chosen for seat, chosen in self.claims.items())
        if stays and not any(chair.lot for chair in self.chairs):
            return []
        return fair.seating(self.spec.secret, [chair.nonce for chair in self.chairs], self.claims)

    def reseat(self, seating: list[int]) -> None:
        """Everybody goes to their new seat."""
        chairs = sorted(zip(seating, self.chairs, strict=True), key=lambda pair: pair[0])
        self.chairs = [replace(chair, lot=False, wants=None) for _, chair in chairs]
        self.chat = [msgspec.structs.replace(line, seat=seating[line.seat]) for line in self.chat]

    @property
    def names(self) -> list[str]:
        return [self.name(seat) for seat in range(self.spec.seats)]

    def name(self, seat: int) -> str:
        """Who sits there; what the game calls the seat is told in the language of the reader."""
        chair = self.chairs[seat]
        if chair.person is not None:
            return chair.person
        place = self.game.seat_name(seat)
        if chair.bot is not None:
            return f"{place} ({chair.bot})"
        return self.spec.kept.get(seat, place)

    def is_gone(self, seat: int) -> bool:
        """Whether the seat's person can do nothing more in this match, so that a bot plays on whatever they do."""
        away = self.chairs[seat].away
        return away in ("resigned", "left") or (away == "time" and self.spec.clock.kind == "bank")

    def sitting(self, seat: int) -> int | None:
        """The sitting that commands of the seat belong to; a seat that is kept has one before anybody sits there."""
        if not 0 <= seat < self.spec.seats:
            return None
        sitting = self.chairs[seat].sitting
        return -1 - seat if sitting is None and seat in self.spec.kept else sitting

    def may_undo(self, seat: int | None) -> bool:
        """Whether the seat's person may take their last choice back."""
        return self.undo_plies(seat) > 0

    def undo_plies(self, seat: int | None, choices: int = 1) -> int:
        """How many plies go when the seat's person takes their last choices back: those, and what bots have answered.

        0 where it cannot be: dice have fallen since, another person has chosen, or is to move and may have begun to
        think.
        """
        if seat is None or self.match is None or self.ending or self.chairs[seat].player is not None:
            return 0
        if self.to_move != seat and self.player is None:
            return 0
        bots = [other for other, chair in enumerate(self.chairs) if chair.bot is not None]
        plies = self.match.undo_plies(seat, bots, choices)
        return plies if self.ply - plies >= self.chairs[seat].since else 0
