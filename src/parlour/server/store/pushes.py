"""Browsers that are told whose turn it is: see ``parlour.server.push``. Every method blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, and_, delete, select, update

from parlour.server.store.part import Part
from parlour.server.store.schema import PUSHES, SHARED, TABLES, TOKENS

PER_SEAT = 5  # browsers; the oldest makes way
KEY = "push"  # what the private key is called among what all processes share


class Subscription(Struct, frozen=True):
    """A browser of whoever sits at a seat: the address of its push service, and the keys that it reads with."""

    seat: int
    sitting: int
    endpoint: str
    p256dh: str
    auth: str
    language: str
    site: str = ""  # from which the browser asked for it

    @property
    def digest(self) -> str:
        return digest_of(self.endpoint)


def digest_of(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


class Pushes(Part):
    def key(self, make: Callable[[], bytes]) -> bytes:
        """The private key, which is made when it is first needed: the same for all processes."""
        with self.engine.begin() as connection:
            if (known := _key(connection)) is not None:
                return known
        fresh = {"name": KEY, "value": make()}
        with self._writing() as connection:
            connection.execute(self._insert(SHARED).values(fresh).on_conflict_do_nothing())
            key = _key(connection)
            assert key is not None
            return key

    def keep(self, table_id: str, wish: Subscription, now: float, token: str) -> bool:
        """Keep a subscription. What is going on now, its person knows.

        Returns whether the seat is held by the token with this hash: otherwise, nothing has happened.
        """
        row: dict[str, Any] = {"language": wish.language, "p256dh": wish.p256dh, "auth": wish.auth, "site": wish.site}
        row |= {"seat": wish.seat, "sitting": wish.sitting, "created": now, "told": now}
        upsert = self._insert(PUSHES).values(table_id=table_id, digest=wish.digest, endpoint=wish.endpoint, **row)
        upsert = upsert.on_conflict_do_update(index_elements=["table_id", "digest"], set_=row)
        with self._writing() as connection:
            is_held = _is_held(connection, table_id, wish.seat, token)
            if is_held:
                connection.execute(upsert)
                self._make_room(connection, table_id, wish.seat)
            return is_held

    def _make_room(self, connection: Connection, table_id: str, seat: int) -> None:
        mine = (PUSHES.c.table_id == table_id) & (PUSHES.c.seat == seat)
        newest = select(PUSHES.c.digest).where(mine).order_by(PUSHES.c.created.desc()).limit(PER_SEAT)
        kept = list(connection.scalars(newest))
        connection.execute(delete(PUSHES).where(mine, PUSHES.c.digest.not_in(kept)))

    def claim(self, table_id: str, seat: int, sitting: int, began: float) -> list[Subscription]:
        """Who is to be told of the turn that began then. Each is given out once, to one process."""
        theirs = (PUSHES.c.table_id == table_id) & (PUSHES.c.seat == seat) & (PUSHES.c.sitting == sitting)
        untold = theirs & (PUSHES.c.told < began)
        if not self._has(untold):
            return []
        with self._writing() as connection:
            told = connection.execute(update(PUSHES).where(untold).values(told=began).returning(PUSHES))
            return [
                Subscription(row.seat, row.sitting, row.endpoint, row.p256dh, row.auth, row.language, row.site)
                for row in told
            ]

    def end(self, table_id: str, seat: int, token: str, endpoint: str | None) -> bool:
        """Forget those of a seat, or the one with this address; returns whether the token with this hash holds it."""
        with self._writing() as connection:
            is_held = _is_held(connection, table_id, seat, token)
            if is_held:
                connection.execute(delete(PUSHES).where(*_which(table_id, seat, endpoint)))
            return is_held

    def drop(self, table_id: str, seat: int | None = None, endpoint: str | None = None) -> None:
        """Forget those of a table, of one of its seats, or the one with this address."""
        which = and_(*_which(table_id, seat, endpoint))
        if self._has(which):
            with self._writing() as connection:
                connection.execute(delete(PUSHES).where(which))

    def drop_of_ended(self) -> None:
        """Forget those of matches that have been ended from outside."""
        over = PUSHES.c.table_id.in_(select(TABLES.c.id).where(TABLES.c.phase == "over"))
        if self._has(over):
            with self._writing() as connection:
                connection.execute(delete(PUSHES).where(over))

    def _has(self, which: Any) -> bool:
        """Most often there are none: only who writes need be alone."""
        with self.engine.begin() as connection:
            return connection.scalar(select(PUSHES.c.digest).where(which).limit(1)) is not None


def _which(table_id: str, seat: int | None, endpoint: str | None) -> list[ColumnElement[bool]]:
    named = {PUSHES.c.seat: seat, PUSHES.c.digest: None if endpoint is None else digest_of(endpoint)}
    return [PUSHES.c.table_id == table_id, *(column == value for column, value in named.items() if value is not None)]


def _is_held(connection: Connection, table_id: str, seat: int, token: str) -> bool:
    """Whether the token with this hash holds the seat. Nobody can end it before this transaction has ended."""
    held = select(TOKENS.c.seat).where(TOKENS.c.table_id == table_id, TOKENS.c.hash == token, TOKENS.c.seat == seat)
    return connection.scalar(held.with_for_update(read=True)) is not None


def _key(connection: Connection) -> bytes | None:
    key: bytes | None = connection.scalar(select(SHARED.c.value).where(SHARED.c.name == KEY))
    return key
