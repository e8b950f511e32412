"""The hall: all tables of this process, those who look at the list of tables, and the chores that keep the house."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from parlour.engine import fair, registry
from parlour.engine.errors import ParlourError
from parlour.server import messages as say
from parlour.server import metrics, proposals
from parlour.server.bus import Bus, Hint
from parlour.server.config import Config
from parlour.server.duties import Duties
from parlour.server.errors import Refused
from parlour.server.lobby import EVERY, Lobby
from parlour.server.opponents import Opponents, check_bot
from parlour.server.room import Along, Hooks, Reply, Room, encode
from parlour.server.seats import clean_name, differing, hash_token, is_id, new_id, new_token, same
from parlour.server.store import Conflict, Store, StoreFailed
from parlour.server.table import Facts, Table

LOG = logging.getLogger("parlour.server")
BEAT = 5.0  # seconds between signs of life, and between looks at the store while Redis is up
POLL = 0.25  # seconds between looks at the store while it is not
SWEEP = 2.0
AT_ONCE = 100  # tables taken up in one sweep
ABANDONED = 86400.0  # seconds after which a table is removed at which nobody came to play
DAY = 86400.0


class Hall:
    """Opens tables, brings them back from the store, and lets go of those that nobody looks at."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.process = secrets.token_hex(8)
        self.store = Store(config.database_url, self.process)
        self.store.on_group = metrics.note_commit
        self.opponents = Opponents(config.bot_processes)
        self.duties = Duties(self.store, self.opponents, config)
        self.bus = Bus(config.redis, self.process, self._heard)
        self.rooms: dict[str, Room] = {}
        self.is_open = False
        self.lobby = Lobby(lambda since: self.lines(["open", "playing"], since=since, limit=100))
        self._hooks = Hooks(
            self._changed, self.duties.tend, self.duties.wake_at, self.duties.grace, is_shared=config.is_shared
        )
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._chores: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        await asyncio.to_thread(self.store.open)
        self.bus.open()
        self._chore(self._sweep, SWEEP)
        self._chore(self.lobby.tell, EVERY)
        if self.config.is_shared:
            await self.store.ask(self.store.beat)
            self._chore(self._beat, BEAT)
            self._chore(self._poll, POLL)
        self.is_open = True

    async def close(self) -> None:
        """Finish what is being written, and let others go on."""
        self.is_open = False
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        await self.duties.close()
        for room in list(self.rooms.values()):
            async with room.lock:  # whatever is being written
                pass
        await self.bus.close()
        if self.config.is_shared:
            with contextlib.suppress(StoreFailed):
                await self.store.ask(self.store.leave)
        self.opponents.close()
        await asyncio.to_thread(self.store.close)

    # Tables.

    async def open_table(self, wish: say.OpenTable) -> tuple[Room, str]:
        """A new table; also the invitation that is needed to sit down if it is not public."""
        game = _known(registry.get, wish.game)
        options = _known(game.settle_options, wish.options)
        seats = _known(game.settle_seats, wish.seats, options)
        if trouble := wish.clock.trouble():
            raise Refused("bad_option", trouble)
        bots = {_seat_number(seat, seats): check_bot(game, bot) for seat, bot in wish.bots.items()}
        invite = new_token()
        facts = Facts(
            id=new_id(),
            game=game.name,
            rules=game.version,
            options=options,
            seats=max(1, seats),
            public=wish.public,
            hints=wish.hints,
            clock=wish.clock,
            grace=wish.grace if wish.grace is not None else self.config.grace,
            secret=secrets.token_hex(fair.SECRET_BYTES),
            created=time.time(),
            invite_hash=hash_token(invite),
        )
        for bot in set(bots.values()):
            self.opponents.warm(game, bot)
        return await self._add(facts, bots), invite

    async def _add(self, facts: Facts, bots: dict[int, str], tokens: dict[str, int] | None = None) -> Room:
        if len(self.rooms) >= self.config.tables_in_memory:
            raise Refused("too_many", "there are too many tables just now: try again later")
        room = Room(self.store, Table(facts), {}, self._hooks)
        async with room.lock:
            proposal = proposals.deal_bots(room.table, bots, facts.created)
            await room.write(proposal, Along(tokens=tokens or {}, opened=facts))
        self.rooms[facts.id] = room
        return room

    async def room(self, table: str) -> Room:
        """The room of a table, from memory or from the store."""
        if found := self.rooms.get(table):
            found.used = time.monotonic()
            return found
        if not is_id(table):
            raise Refused("not_found", "there is no such table")
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
            self._loading[table].add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> Room:
        try:
            found = await self.store.ask(self.store.load, table)
        except StoreFailed as error:
            LOG.error("table %s cannot be loaded: %s", table, error)
            raise Refused("busy", "the table cannot be reached just now: try again") from error
        if found is None:
            raise Refused("not_found", "there is no such table")
        facts, entries, tokens = found
        game = _known(registry.get, facts.game)
        if facts.rules != game.version:
            reason = f"rules of version {facts.rules}, where this server has version {game.version}"
            raise Refused("not_found", f"this match of {game.title} was played by {reason}")
        # A long match takes a while to play again, and others are not to wait for it.
        room = await asyncio.to_thread(Room.recall, self.store, facts, entries, tokens, self._hooks)
        if self.duties.counts_while_away(room.table):
            room.turn_began -= max(0.0, time.time() - room.table.turn_began)
        self.rooms[table] = room
        self.duties.tend(room)
        return room

    async def seat_of(self, room: Room, token: str) -> int:
        """The seat that the token holds; it may be another process that gave it out, a moment ago."""
        try:
            return room.seat_of(token)
        except Refused:
            if not self.config.is_shared:
                raise
        async with room.lock:
            await room.catch_up()
        return room.seat_of(token)

    async def sit(self, room: Room, wish: say.Sit, token: str | None) -> tuple[int, str]:
        """Take a seat; returns its number and the token that holds it."""
        name = clean_name(wish.name)
        async with room.lock:
            for _ in range(3):
                table = room.table
                if table.phase != "open":
                    raise Refused("not_open", "the match has begun already")
                seat, held = self._place(room, wish, token)
                others = [chair.person for chair in table.chairs if chair.person is not None]
                proposal = proposals.sit(table, seat, differing(name, others), wish.nonce, time.time())
                try:
                    await room.write(proposal, Along(tokens={} if held else {hash_token(new := new_token()): seat}))
                except Conflict:
                    await room.catch_up()
                    continue
                return seat, held or new
        raise Refused("busy", "too many sit down just now: try again")

    def _place(self, room: Room, wish: say.Sit, token: str | None) -> tuple[int, str | None]:
        """Which seat, and the token that holds it already if it was kept for this person."""
        table = room.table
        if token is not None:
            seat = room.seat_of(token)
            if seat not in table.free:
                raise Refused("seat_taken", "you sit here already")
            return seat, token
        if not table.facts.public and not (wish.invite and same(hash_token(wish.invite), table.facts.invite_hash)):
            raise Refused("forbidden", "this table is by invitation: the link to play has it")
        free = [seat for seat in table.free if seat not in table.facts.kept]
        if wish.seat is None and not free:
            raise Refused("seat_taken", "all seats are taken")
        seat = free[0] if wish.seat is None else wish.seat
        if seat >= table.facts.seats:
            raise Refused("bad_request", f"there are seats 0 to {table.facts.seats - 1}, no seat {seat}")
        if seat not in free:
            raise Refused("seat_taken", f"that seat is {table.name(seat)}'s")
        return seat, None

    async def renew(self, room: Room, seat: int) -> str:
        """Another token for the seat: those that held it before do so no more."""
        token = new_token()
        old = [listener for listener in room.listeners if listener.seat == seat]
        async with room.lock:
            for _ in range(3):
                try:
                    along = Along(tokens={hash_token(token): seat}, revoked=[seat])
                    await room.write(proposals.renew(room.table, seat, time.time()), along)
                    break
                except Conflict:
                    await room.catch_up()
            else:
                raise Refused("busy", "too much happens at this table just now: try again")
        for listener in old:
            listener.dismiss(encode(say.Bye("unauthorised", "this seat has another token now")))
        return token

    async def welcome_back(self, room: Room, seat: int) -> None:
        """Somebody is here again: no bot need play for them."""
        async with room.lock:
            proposal = proposals.give_back(room.table, seat, time.time())
            if proposal is not None:
                with contextlib.suppress(Conflict, Refused):
                    await room.write(proposal)

    async def rematch(self, room: Room, command: say.Rematch, seat: int, reply: Reply) -> None:
        """Open the same table once more, if nobody has yet, and tell everybody where."""
        if room.table.phase != "over":
            return reply(say.Reject(command.cid, "not_over", "the match is not over yet"))
        async with room.renewing:
            # If there is one, then perhaps by this very command: the room knows.
            other = "" if room.table.rematch is not None else await self._open_again(room)
            return await room.command(command, seat, reply, partial(self._rematch_at, room, command, seat, other))

    async def _open_again(self, room: Room) -> str:
        """A table like this one, with every seat kept for whoever has it; returns its id."""
        table = room.table
        kept = {seat: chair.person for seat, chair in enumerate(table.chairs) if chair.person is not None}
        bots = {seat: chair.bot for seat, chair in enumerate(table.chairs) if chair.bot is not None}
        old = table.facts
        facts = Facts(
            **{
                **{name: getattr(old, name) for name in Facts.__dataclass_fields__},
                "id": new_id(),
                "secret": secrets.token_hex(fair.SECRET_BYTES),
                "created": time.time(),
                "kept": kept,
            }
        )
        tokens = {hash: seat for hash, seat in room.tokens.items() if seat in kept}
        return (await self._add(facts, bots, tokens)).id

    def _rematch_at(self, room: Room, command: say.Rematch, seat: int, other: str) -> proposals.Proposal:
        return proposals.rematch(room.table, other, seat, time.time(), command.cid)

    async def lines(self, phases: list[str], **wanted: Any) -> list[say.TableLine]:
        """Public tables, the last changed first."""
        return await self.store.ask(partial(self.store.lines, phases, **wanted))

    # Changes, here and in other processes.

    def _changed(self, room: Room) -> None:
        self.lobby.has_changed = True
        self.bus.tell(room.id, room.table.number)

    async def _heard(self, hint: Hint) -> None:
        self.lobby.has_changed = True
        room = self.rooms.get(hint.table)
        if room is None:
            return
        for seat in hint.here:
            room.elsewhere[seat] = time.monotonic() + 3 * BEAT
        if hint.number > room.table.number:
            with contextlib.suppress(StoreFailed):
                async with room.lock:
                    await room.catch_up()

    # Chores.

    def _chore(self, chore: Callable[[], Awaitable[None]], seconds: float) -> None:
        async def repeat() -> None:
            while True:
                await asyncio.sleep(seconds)
                try:
                    await chore()
                except (StoreFailed, Refused) as error:
                    LOG.warning("%s: %s", chore.__name__.strip("_"), error)
                except Exception:
                    LOG.exception("%s failed", chore.__name__.strip("_"))

        self._chores.append(asyncio.create_task(repeat()))

    async def _beat(self) -> None:
        await self.store.ask(self.store.beat)
        seen = [(room.id, seat) for room in self.rooms.values() for seat in room.here_by_this_process()]
        if seen:
            await self.store.ask(self.store.note_seen, seen)
        for room in self.rooms.values():
            if here := room.here_by_this_process():
                self.bus.tell(room.id, room.table.number, here)

    async def _poll(self) -> None:
        """Look at the store for what other processes did: seldom while hints arrive, often while they do not."""
        if self.bus.is_up and time.monotonic() % BEAT > POLL:
            return
        if not self.rooms:
            return
        self.lobby.has_changed = True
        newest = await self.store.ask(self.store.newest, list(self.rooms))
        for table, number in newest.items():
            await self._heard(Hint("", table, number))

    async def _sweep(self) -> None:
        """Take up tables where something is due; let go of those that nobody looks at; delete what is old."""
        due = await self.store.ask(self.store.due, time.time())
        for table in [table for table in due if table not in self.rooms][:AT_ONCE]:
            with contextlib.suppress(Refused):
                await self.room(table)
        idle = [room for room in self.rooms.values() if self._is_idle(room)]
        for room in idle:
            del self.rooms[room.id]
            if room.timer is not None:
                room.timer.cancel()
        leased = [room.id for room in idle if room.term is not None]
        if leased:
            await self.store.ask(self.store.release, leased)
        keep = self.config.keep * DAY if self.config.keep else float("inf")
        now = time.time()
        for table in await self.store.ask(self.store.delete_old, now - min(keep, now), now - ABANDONED):
            self._forget(table)

    def _forget(self, table: str) -> None:
        """The table is no more: whoever is there is told so."""
        room = self.rooms.pop(table, None)
        if room is None:
            return
        if room.timer is not None:
            room.timer.cancel()
        for listener in list(room.listeners):
            listener.dismiss(encode(say.Bye("not_found", "this table has been deleted")))

    def _is_idle(self, room: Room) -> bool:
        busy = room.listeners or room.waiting or room.lock.locked()
        minded = room.minding is not None and not room.minding.done()
        # Where time stands still while a table is in nobody's memory, what it waits for would never come about.
        minded = minded or (room.timer is not None and not self.duties.counts_while_away(room.table))
        return not busy and not minded and time.monotonic() - room.used > self.config.idle


def _known(find: Callable[..., Any], *arguments: Any) -> Any:
    """What is found, with the engine's complaint as a refusal."""
    try:
        return find(*arguments)
    except ParlourError as error:
        raise Refused("bad_option", str(error)) from error


def _seat_number(text: str, seats: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 5 and int(text) < seats:
        return int(text)
    raise Refused("bad_option", f"bots sit at seats 0 to {seats - 1}, not at {text!r:.20}")
