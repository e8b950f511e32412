"""Opens tables: as they are wished for, within limits; or finds one where somebody waits for the same."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from parlour.engine import fair, registry
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.protocol import OpenTable, TableLine
from parlour.server.basics.errors import Refusal
from parlour.server.bots.service import BotService
from parlour.server.cluster.placement import Placement
from parlour.server.people.tokens import new_code
from parlour.server.rooms.room import Room
from parlour.server.rooms.rooms import Rooms
from parlour.server.rooms.wishes import bots_of, spec_of
from parlour.server.store import Filter, Quota, Seek, TooMany, Waits
from parlour.server.tables.sizes import Sizes
from parlour.server.tables.table import TableSpec

IN_USE = 3600.0  # a table where nothing has happened for so many seconds does not count for who opened it
FEW = 2  # seats of a table for anybody: whoever comes next can play at once
SEEN_WITHIN = 20.0  # seconds: whoever waits at a table was seen there so lately


class Opener:
    """Makes new tables."""

    def __init__(self, rooms: Rooms, bots: BotService, placement: Placement, sizes: Sizes) -> None:
        self.rooms = rooms
        self.bots = bots
        self.limits = rooms.limits
        self.placement = placement
        self.sizes = sizes
        self.config = rooms.config
        self.clock = rooms.deadlines.clock

    async def open_table(self, wish: OpenTable, address: str) -> Room:
        self.check_open()
        game, spec = self._resolve(wish)
        self.check_bots(self.owner(address), len(wish.bots))  # before each is looked at: thousands may be wished for
        bots = bots_of(wish, game, spec.seats)
        room = await self._add(spec, bots, address)
        for bot in set(bots.values()):
            self.bots.warming.ask(game, bot, self.owner(address))
        return room

    async def pair(self, wish: OpenTable, address: str) -> Room:
        """A table where somebody waits who has wished for the same; a new one, if there is none.

        Where no number of seats is wished for, two are enough to begin, if the game can be played so.
        The search is repeated in the transaction that opens one, so two who come at the same moment meet at one table.
        """
        self.check_open()
        _, spec = self._resolve(_for_few(wish))
        if spec.seats < FEW:
            raise Refusal("bad_option", f"a table for anybody has at least {FEW} seats")
        if wish.bots or not wish.public:
            raise Refusal("bad_option", "a table for anybody is public, and no bots sit there yet")
        seek = partial(self._seek, spec)
        if (found := await self.rooms.store.ask(seek)) is not None:
            return await self.rooms.get(found, address)
        try:
            return await self._add(spec, {}, address, seek)
        except Waits as waits:
            return await self.rooms.get(waits.table_id, address)

    async def _add(self, spec: TableSpec, bots: dict[int, str], address: str, unless: Seek | None = None) -> Room:
        """The limit of tables for an address is checked in the transaction that writes one more, so it is exact."""
        self._check_pace(address)
        try:
            return await self.rooms.add(spec, bots, address, self._quota(), unless)
        except TooMany:
            raise self._too_many() from None

    def waiting(self, wanted: Filter) -> list[TableLine]:
        """Tables where somebody is now and waits for others, the longest waiting first. Blocks, as the store does."""
        lines = self.rooms.store.lists.waiting(wanted, self.clock.now() - SEEN_WITHIN)
        return [line for line in lines if line.people]

    def _seek(self, spec: TableSpec) -> str | None:
        """The table like this one where somebody has waited longest."""
        lines = self.rooms.store.lists.waiting(Filter(spec.game), self.clock.now() - SEEN_WITHIN)
        return next((line.id for line in lines if _is_like(line, spec)), None)

    def _resolve(self, wish: OpenTable) -> tuple[Game, TableSpec]:
        game, spec = spec_of(wish, self.placement.new_id(), self.clock.now(), self.config.grace)
        self.sizes.check(game, spec.seats, spec.options)
        return game, spec

    def again(self, spec: TableSpec, kept: dict[int, str]) -> TableSpec:
        """Another table like this one, with seats kept for those who had them."""
        self.sizes.check(registry.get(spec.game), spec.seats, spec.options)
        return spec.again(self.placement.new_id(), fair.new_secret(), self.clock.now(), kept, new_code())

    # Limits.

    def check_open(self) -> None:
        """Whether tables may be opened and matches may begin."""
        self.limits.restrictions.check_open()
        if self.config.drain:
            raise Refusal("maintenance", "this server will stop soon: matches go on, but none begins", 60.0)

    async def check_tables(self, address: str) -> None:
        """Whether the address may open one more, before anything is done for it."""
        store = self.rooms.store
        if await store.ask(store.lists.has_all, self.owner(address), self._quota()):
            raise self._too_many()
        self._check_pace(address)

    def _quota(self) -> Quota:
        """What has ended, or has stood still for long, does not count."""
        return Quota(self.config.tables_per_address, self.clock.ago(IN_USE))

    def _too_many(self) -> Refusal:
        most = self.config.tables_per_address
        message = f"{most} tables of your address are waiting or being played: end a match first, or wait a little"
        return Refusal("too_many", message, 60.0)

    def _check_pace(self, address: str) -> None:
        self.limits.check(self.limits.tables, address, "you have opened many tables")

    def owner(self, address: str) -> str:
        """Who tables count for that this address opens."""
        return self.rooms.store.opener(address)

    def check_bots(self, owner: str, more: int) -> None:
        """Whether bots at the tables of this owner may become so many more."""
        if not more:
            return
        bots = sum(room.bots for room in self.rooms.in_memory.values() if room.owner == owner)
        if bots + more > self.config.bots_per_address:
            raise Refusal("too_many", "too many bots play at tables of your address: let some matches end first")


def _for_few(wish: OpenTable) -> OpenTable:
    """The same with two seats, if no number is wished for and the game takes two."""
    if wish.seats is not None:
        return wish
    with suppress(ParlourError):  # what else is wrong with the wish is said when it is resolved
        game = registry.get(wish.game)
        return replace(wish, seats=game.resolve_seats(FEW, game.resolve_options(wish.options)))
    return wish


def _is_like(line: TableLine, spec: TableSpec) -> bool:
    """Whether somebody waits there for just such a match."""
    mine = (spec.seats, spec.options, spec.clock, spec.hints)
    return mine == (line.seats, line.options, line.clock, line.hints)
