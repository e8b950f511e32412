"""A table: who sits where, the match, its clock and its talk, as a fold over the entries of its log.

Nothing here reads a clock, a socket or a database. proposals.py says what a command would add to the log; ``fold`` lets
an entry happen, once it is stored.
"""

from __future__ import annotations

import base64
import copy
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec

from parlour.engine import fair, registry
from parlour.engine.game import Game
from parlour.engine.journal import Event
from parlour.engine.match import Match
from parlour.server import entries as kinds
from parlour.server.clocks import Clock, ClockSpec
from parlour.server.entries import Entry
from parlour.server.messages import Ending

CHAT_LINES = 100
KEY_EVERY = 32  # plies, at least, between two positions in the log

ABSENT, TIME, LEFT, RESIGNED = "absent", "time", "left", "resigned"  # why a bot plays for a person
Phase = Literal["open", "playing", "over"]


@dataclass(frozen=True)
class Facts:
    """What was settled when the table was opened."""

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
    invite_hash: str = ""
    kept: dict[int, str] = field(default_factory=dict)  # the names of those whom a rematch keeps a seat for


@dataclass(frozen=True)
class Chair:
    """One seat of the table."""

    person: str | None = None
    bot: str | None = None
    nonce: str = ""
    stand_in: str | None = None  # the bot that plays while the person is away
    away: str | None = None  # and why

    @property
    def is_free(self) -> bool:
        return self.person is None and self.bot is None

    @property
    def player(self) -> str | None:
        """The bot that is to choose here, if it is not a person."""
        return self.bot or self.stand_in


@dataclass
class Change:
    """What an entry did: the events it told, and whether the position is another."""

    entry: Entry
    events: list[Event] = field(default_factory=list)
    moved: bool = False
    ply: int = 0  # how many actions have been played after it


class Table:
    """One table. ``number`` is that of its last entry."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.game: Game = registry.get(facts.game)
        self.commitment = fair.commitment(facts.secret)
        self.chairs = [Chair() for _ in range(facts.seats)]
        self.clock = Clock(facts.clock, facts.seats)
        self.match: Match | None = None
        self.picks: list[str] = []  # the spots of the picture where the last action was chosen
        self.number = 0
        self._keyed = 0  # the ply of the last position in the log
        self._skip_to = 0  # the entry up to which acts need not be played, for a later one has the position
        self.turn_began = facts.created  # by the wall clock; see clocks.py for when that counts
        self.ending: Ending | None = None
        self.offer: int | None = None
        self._thought: float | None = None  # what was left on the clock of whoever ended a turn by the last action
        self.rematch: str | None = None
        self.chat: list[dict[str, Any]] = []

    def twin(self) -> Table:
        """The same table once more: what is folded into it leaves this one as it is."""
        twin = copy.copy(self)
        twin.chairs = self.chairs[:]
        twin.clock = self.clock.twin()
        twin.chat = self.chat[:]
        return twin

    # How it stands.

    @property
    def phase(self) -> Phase:
        return "over" if self.ending else "playing" if self.match else "open"

    @property
    def ply(self) -> int:
        return len(self.match.plies) if self.match else 0

    @property
    def to_move(self) -> int | None:
        """The seat whose choice it is; nobody's before the match and after it."""
        return self.match.to_move if self.match and not self.ending else None

    @property
    def player(self) -> str | None:
        """The bot that is to choose now, if one is."""
        return self.chairs[self.to_move].player if self.to_move is not None else None

    @property
    def people(self) -> list[int]:
        """The seats that people hold."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.person is not None]

    @property
    def free(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.is_free]

    @property
    def names(self) -> list[str]:
        return [self.name(seat) for seat in range(self.facts.seats)]

    def name(self, seat: int) -> str:
        """Who sits there; what the game calls the seat is told in the language of the reader."""
        chair, place = self.chairs[seat], self.game.seat_name(seat)
        if chair.person is not None:
            return chair.person
        if chair.bot is not None:
            return f"{place} ({chair.bot})"
        return self.facts.kept.get(seat, place)

    def may_undo(self, seat: int | None) -> bool:
        return seat is not None and self.phase == "playing" and self.match is not None and self.match.may_undo(seat)

    # The fold.

    def fold_all(self, entries: list[Entry]) -> Iterator[Change]:
        """Let a whole log happen. What came before the last position that it has is not played again."""
        self._skip_to = max((entry.number for entry in entries if Entry.KEY in entry.body), default=0)
        for entry in entries:
            yield self.fold(entry)

    def keyed(self, entry: Entry) -> Entry:
        """The act that was folded last, with the position and the clocks if it is time for that.

        That is seldom, and only where no undo can lead back past it.
        """
        match = self.match
        if match is None or self.ply < self._keyed + KEY_EVERY or not match.plies[-1].by_chance:
            return entry
        self._keyed = self.ply
        state = base64.b64encode(zlib.compress(match.state.pack(), 1)).decode()
        key = {"state": state, "left": self.clock.left[:]}
        return msgspec.structs.replace(entry, body={**entry.body, Entry.KEY: key})

    def fold(self, entry: Entry, played: Match | None = None) -> Change:
        """Let a stored entry happen. ``played`` is the match as it leaves it, where that was worked out before."""
        if entry.number != self.number + 1:
            raise AssertionError(f"entry {entry.number} cannot follow entry {self.number} of table {self.facts.id}")
        change = Change(entry)
        _FOLDS[entry.kind](self, entry, change, played)
        self.number = entry.number
        if change.moved or entry.kind in (kinds.AWAY, kinds.BACK):
            self.turn_began = entry.at
        change.ply = self.ply
        return change

    def _fold_sit(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.chairs[entry.seat] = Chair(person=entry.body["name"], nonce=entry.body["nonce"])

    def _fold_bot(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.chairs[entry.seat] = Chair(bot=entry.body["bot"])

    def _fold_leave(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.chairs[entry.seat] = Chair()

    def _fold_start(self, entry: Entry, change: Change, played: Match | None) -> None:
        seed = fair.seed(self.facts.secret, [chair.nonce for chair in self.chairs])
        self.match = Match(self.game, self.facts.seats, seed, names=self.names, **self.facts.options)
        change.events = self.match.opening
        change.moved = True
        self._end_by_rules()

    def _fold_act(self, entry: Entry, change: Change, played: Match | None) -> None:
        assert self.match is not None
        if entry.number <= self._skip_to:
            return self._skip_act(entry, self.match)
        before = self.match
        if played is None:
            played = before.twin()
            for action in entry.body["actions"]:
                played.repeat(action)
        change.events = [event for ply in played.plies[len(before.plies) :] for event in ply.events]
        change.moved = True
        self.match = played
        self.picks = [spot for action in entry.body["actions"] for spot in self.game.picks(before.state, action)]
        self._charge(entry)
        self._thought = None
        if (played.state.turns, played.to_move) != (before.state.turns, before.to_move) or played.over:
            self._thought = self.clock.left[entry.seat]
            self.clock.end_turn(entry.seat)
        if self.offer == 1 - entry.seat:
            self.offer = None  # who plays on has declined
        if Entry.KEY in entry.body:
            self._keyed = self.ply
        self._end_by_rules()
        return None

    def _skip_act(self, entry: Entry, match: Match) -> None:
        """An act that need not be played again; the last of them has the position that all of them led to."""
        for action in entry.body["actions"]:
            match.skip(entry.seat, action)
        if self.offer == 1 - entry.seat:
            self.offer = None
        if entry.number == self._skip_to:
            self._keyed = self.ply
            key = entry.body[Entry.KEY]
            match.stand_at(self.game.layout.unpack(zlib.decompress(base64.b64decode(key["state"]))))
            self.clock.left = key["left"]
            self._end_by_rules()

    def _fold_undo(self, entry: Entry, change: Change, played: Match | None) -> None:
        assert self.match is not None
        if entry.number <= self._skip_to:
            self.match.plies.pop()
            return
        self._charge(entry)
        if self._thought is not None:  # the turn that this ended goes on, with the time that was left
            self.clock.left[entry.seat] = self._thought
            self._thought = None
        self.match = self.match.twin()
        self.match.undo()
        self.picks = []
        change.moved = True

    def _fold_resign(self, entry: Entry, change: Change, played: Match | None) -> None:
        if self.facts.seats == 2:
            winner = 1 - entry.seat
            self.ending = Ending(RESIGNED, [winner], f"{self.name(entry.seat)} resigns: {self.name(winner)} wins")
        else:
            self._stand_in(entry, RESIGNED)

    def _fold_offer(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.offer = entry.seat

    def _fold_decline(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.offer = None

    def _fold_agree(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.offer = None
        self.ending = Ending("agreed", [], "a draw, as both agree")

    def _fold_chat(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.chat.append(
            {"seat": entry.seat, "name": self.name(entry.seat), "text": entry.body["text"], "at": entry.at}
        )
        del self.chat[:-CHAT_LINES]

    def _fold_away(self, entry: Entry, change: Change, played: Match | None) -> None:
        self._charge(entry)
        self._stand_in(entry, entry.body["reason"])

    def _fold_back(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.chairs[entry.seat] = replace(self.chairs[entry.seat], stand_in=None, away=None)
        if self.facts.clock.kind == "turn":
            self.clock.end_turn(entry.seat)  # a turn begins anew for whoever returns

    def _fold_rematch(self, entry: Entry, change: Change, played: Match | None) -> None:
        self.rematch = entry.body["table"]

    def _fold_renew(self, entry: Entry, change: Change, played: Match | None) -> None:
        pass  # nothing changes at the table; it stands in the log so that every process looks at its tokens again

    def _stand_in(self, entry: Entry, reason: str) -> None:
        self.chairs[entry.seat] = replace(self.chairs[entry.seat], stand_in=entry.body["bot"], away=reason)

    def _charge(self, entry: Entry) -> None:
        self.clock.charge(entry.seat, entry.body.get("spent", 0.0))

    def _end_by_rules(self) -> None:
        match = self.match
        if match is not None and match.over:
            winners = match.winners
            who = " and ".join(self.name(seat) for seat in winners[:4]) if len(winners) < 5 else f"{len(winners)} seats"
            told = f"{who} {'win' if len(winners) > 1 else 'wins'}" if winners else "nobody wins"
            self.ending = Ending("rules", winners, told)


_FOLDS = {
    kinds.SIT: Table._fold_sit,
    kinds.BOT: Table._fold_bot,
    kinds.LEAVE: Table._fold_leave,
    kinds.START: Table._fold_start,
    kinds.ACT: Table._fold_act,
    kinds.UNDO: Table._fold_undo,
    kinds.RESIGN: Table._fold_resign,
    kinds.OFFER: Table._fold_offer,
    kinds.DECLINE: Table._fold_decline,
    kinds.AGREE: Table._fold_agree,
    kinds.CHAT: Table._fold_chat,
    kinds.AWAY: Table._fold_away,
    kinds.BACK: Table._fold_back,
    kinds.REMATCH: Table._fold_rematch,
    kinds.RENEW: Table._fold_renew,
}
