"""The answers to commands at a table: a command with the same cid again gets the same answer, and happens once."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from parlour.protocol import Ack, Acted, AnyEntry, Left, Reject, Reply
from parlour.server.basics.errors import Refusal
from parlour.server.people.tokens import hash_token, same
from parlour.server.tables.fold import Change
from parlour.server.tables.table import Table

if TYPE_CHECKING:
    from parlour.server.store import Store

KNOWN_REFUSALS = 64
KNOWN_ANSWERS = 1000  # the last ones, which are kept in memory: the store knows all

Command = tuple[int | None, str]  # by the sitting of whoever gave it, and its cid


class Answers:
    """The answers of one table."""

    def __init__(self, store: Store | None, table_id: str) -> None:
        self.is_cut = False  # whether more was done before, of which the store alone knows the answers
        self._store = store
        self._table_id = table_id
        self._acks: OrderedDict[Command, Ack] = OrderedDict()
        self._farewells: dict[tuple[str, str], Ack] = {}  # to who left, by the hash of the token and the cid
        self._refusals: OrderedDict[Command, Reject] = OrderedDict()

    def to(self, command: Command) -> Reply | None:
        """What it was answered, as far as that is in memory."""
        return self._acks.get(command) or self._refusals.get(command)

    def remember(self, change: Change) -> Ack | None:
        """What the command of this entry is answered, now and whenever it is repeated."""
        entry = change.entry
        if entry.cid is None:
            return None
        ack = self._acks.setdefault((change.sitting, entry.cid), _ack(entry, change.ply))
        if len(self._acks) > KNOWN_ANSWERS:
            self._acks.popitem(last=False)
            self.is_cut = True
        self._note_farewell(entry, ack)
        return ack

    def refuse(self, command: Command, refusal: Refusal) -> Reject:
        """Refuse. A refusal for now is not remembered: the client should try again, perhaps with another token."""
        reject = Reject(command[1], refusal.code, str(refusal))
        if not refusal.is_for_now and refusal.code != "unauthorised":
            self._refusals[command] = reject
            if len(self._refusals) > KNOWN_REFUSALS:
                self._refusals.popitem(last=False)
        return reject

    async def look_up(self, command: Command | None, table: Table) -> bool:
        """Whether the command was carried out before the snapshot: its answer is known from then on."""
        sitting, cid = command or (None, "")
        if sitting is None or not self.is_cut or self._store is None:
            return False
        for entry, stored_sitting, ply in await self._store.ask(self._store.answered, self._table_id, cid):
            # Entries of old versions do not say which sitting it was: the seat tells.
            is_old = stored_sitting is None and entry.number > sitting
            if (table.sitting(entry.actor) if is_old else stored_sitting) == sitting:
                self._acks[sitting, cid] = _ack(entry, ply)
                return True
        return False

    async def to_leaver(self, token: str, cid: str) -> Ack | None:
        """What was answered when the seat of this token was given up by this command."""
        digest = hash_token(token)
        if self.is_cut and self._store is not None:
            for entry, _, ply in await self._store.ask(self._store.answered, self._table_id, cid):
                self._note_farewell(entry, _ack(entry, ply))
        farewells = self._farewells.items()
        return next((ack for (had, known), ack in farewells if known == cid and same(had, digest)), None)

    def _note_farewell(self, entry: AnyEntry, ack: Ack) -> None:
        if isinstance(entry, Left):
            self._farewells.update({(digest, ack.cid): ack for digest in entry.tokens})


def _ack(entry: AnyEntry, ply: int) -> Ack:
    """What the command of an entry is answered, after so many plies."""
    return Ack(entry.cid or "", entry.number, ply, entry.unplayed if isinstance(entry, Acted) else 0)
