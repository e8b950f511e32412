"""Who is told that it is their turn, and when: whoever asked for it and is away, where turns are slow.

No move waits for this. Tables where a turn has begun wait in a queue that is bounded. A turn is claimed in the store:
one of several processes tells it. What is to be sent waits in lines, one for each push service.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from parlour.server.basics import metrics
from parlour.server.basics.background import Background
from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal, StoreFailed
from parlour.server.push import endpoints, messages
from parlour.server.push.endpoints import BadEndpoint
from parlour.server.push.lines import Lines, Needless
from parlour.server.push.names import Names
from parlour.server.rooms.holders import Holder
from parlour.server.rooms.room import Room
from parlour.server.store import Store
from parlour.server.store.pushes import Subscription
from parlour.server.tables.table import Table

T = TypeVar("T")
LOG = logging.getLogger("parlour.server")
WAITING = 1000  # tables in the queue; beyond, nobody is told
LONGEST_PAUSE = 300.0  # that a push service may ask for
DAY = 86400
TIDY_EVERY = 60.0  # seconds
NOBODY = "mailto:parlour@localhost"  # whom push services could write to, where nothing better is known


def is_slow(table: Table) -> bool:
    """Whether somebody may well be away when their turn comes."""
    return table.spec.clock.kind == "none" or table.clocks.is_slow


class TurnMessages:
    """The messages of one process."""

    def __init__(self, store: Store, config: Config, background: Background) -> None:
        self.store = store
        self.config = config
        self.background = background
        self.is_offered = config.push and messages.is_installed()
        self._waiting: dict[str, Room] = {}  # where a turn has begun, or the match is over
        self._wake = asyncio.Event()
        self._names = Names()
        self._lines = Lines(background)
        self._encrypting = ThreadPoolExecutor(1, "push-encrypt")
        self._key: bytes | None = None

    def open(self) -> None:
        if self.is_offered:
            self.background.spawn(self._tell_all(), "telling whose turn it is")
            self.background.repeat("forgetting whom to tell", self._tidy, TIDY_EVERY)

    def close(self) -> None:
        self._encrypting.shutdown(wait=False, cancel_futures=True)

    async def public_key(self) -> str:
        """What browsers need to subscribe; nothing if this server tells nobody."""
        return messages.public_key(await self._private_key()) if self.is_offered else ""

    async def _private_key(self) -> bytes:
        if self._key is None:
            self._key = await self.store.ask(self.store.pushes.key, messages.new_key)
        return self._key

    # Who wants to be told.

    async def subscribe(self, room: Room, holder: Holder, wish: Subscription) -> None:
        """Tell this browser from now on. Raises Refusal."""
        if not self.is_offered:
            raise Refusal("forbidden", "this server sends no notifications")
        if room.table.phase == "over":
            raise Refusal("not_playing", "the match is over")
        try:
            await endpoints.check_resolved(wish.endpoint, self.config.push_endpoints, self._names)
            await self._off_the_loop(messages.encrypt, wish, b"?")
        except TimeoutError as error:
            raise Refusal("busy", "nobody says where this push service is: try again") from error
        except (BadEndpoint, ValueError, OSError) as error:
            raise Refusal("bad_request", f"this is no subscription to a push service: {error}") from error
        if not await self.store.ask(self.store.pushes.keep, room.id, wish, room.clock.now(), holder.digest):
            raise Refusal("unauthorised", "your token does not hold this seat any more")

    async def unsubscribe(self, room: Room, holder: Holder, endpoint: str | None = None) -> None:
        """Tell this browser no more; without one, none of the seat's. Raises Refusal."""
        if not await self.store.ask(self.store.pushes.end, room.id, holder.seat, holder.digest, endpoint):
            raise Refusal("unauthorised", "your token does not hold this seat any more")

    async def _off_the_loop(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._encrypting, work, *arguments)

    def forget(self, room: Room, seat: int) -> None:
        """Whoever sat there has left."""
        if self.is_offered:
            forgetting = self.store.ask(self.store.pushes.drop, room.id, seat)
            self.background.spawn(forgetting, f"forgetting whom to tell at table {room.id}")

    # Whose turn it is.

    def note(self, room: Room) -> None:
        """Something happened at a table. This is called after every change, so it is cheap."""
        if not self.is_offered or not (room.table.phase == "over" or _to_be_notified(room)):
            return
        if len(self._waiting) < WAITING:
            self._waiting[room.id] = room
            self._wake.set()
        else:
            metrics.PUSHES.labels("dropped").inc()

    async def _tell_all(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                await self._tell_next()

    async def _tell_next(self) -> None:
        """In a function of its own, so that no variable keeps a room in memory while there is nothing to do."""
        room = self._waiting.pop(next(iter(self._waiting)))
        try:
            await self._tell(room)
        except StoreFailed as error:
            LOG.warning("table %s: nobody was told whose turn it is: %s", room.id, error)
        except Exception:  # one bad table never harms another
            LOG.exception("table %s: nobody was told whose turn it is", room.id)

    async def _tell(self, room: Room) -> None:
        table = room.table
        if table.phase == "over":
            await self.store.ask(self.store.pushes.drop, room.id)
            return
        for seat in _to_be_notified(room):
            sitting, began = table.sitting(seat), table.turn_began
            if sitting is None:
                continue
            for one in await self.store.ask(self.store.pushes.claim, room.id, seat, sitting, began):
                host, about = endpoints.host_of(one.endpoint), (room.id, one.digest)
                self._lines.put(host, about, partial(self._send, room, one, began))

    async def _send(self, room: Room, to: Subscription, began: float) -> float | None:
        """Send it once, if it is still of use. See ``lines.Send``."""
        table = room.table
        if table.turn_began != began or (table.choosing is not None and to.seat not in table.awaited):
            raise Needless
        key = await self._private_key()
        text = messages.in_words(table, to.seat, to.language)
        seconds = int(table.clocks.allows(to.seat) or DAY)
        contact = self.config.push_contact or to.site or NOBODY
        try:
            sign = partial(messages.headers, key, to, contact=contact, topic=table.id[:32], seconds=seconds)
            headers, body = await self._off_the_loop(lambda: (sign(), messages.encrypt(to, text)))
            answer = await endpoints.post(to.endpoint, headers, body, self.config.push_endpoints, self._names)
        except (BadEndpoint, ValueError) as error:
            LOG.warning("table %s: a push service is not asked again: %s", table.id, error)
            await self._forget(table, to)
            raise Needless from error
        if 200 <= answer.status < 300:
            metrics.PUSHES.labels("sent").inc()
            return None
        if answer.status in (404, 410):
            await self._forget(table, to)
            return None
        LOG.info("table %s: a push service answered %d", table.id, answer.status)
        if answer.status != 429 and answer.status < 500:
            metrics.PUSHES.labels("refused").inc()
            return None
        after = answer.headers.get("retry-after", "")
        return min(float(after), LONGEST_PAUSE) if after.isdecimal() and len(after) < 9 else 0.0

    async def _forget(self, table: Table, to: Subscription) -> None:
        """The browser is not there any more."""
        metrics.PUSHES.labels("gone").inc()
        await self.store.ask(self.store.pushes.drop, table.id, to.seat, to.endpoint)

    async def _tidy(self) -> None:
        await self.store.ask(self.store.pushes.drop_of_ended)


def _to_be_notified(room: Room) -> list[int]:
    """The seats of people whose turn it is and who are away, where that may be."""
    table = room.table
    if not is_slow(table):
        return []
    people = [seat for seat in table.awaited if table.chairs[seat].player is None]
    return [seat for seat in people if not room.presence.is_here(seat)]
