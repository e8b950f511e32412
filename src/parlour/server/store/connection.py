"""The connection of the thread that writes. After an error a new one is made next time."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine

# How long PostgreSQL waits for another process that writes to the same table. That one may be stuck.
HELD_UP_FOR = "300ms"
OPENING_HELD_UP_FOR = "1s"  # the same for a process that opens a table


class OwnConnection:
    """A connection of the driver's own: what goes through SQLAlchemy takes several times as long.

    Everything that a process appends goes through this connection, so each append sees those before it.
    """

    def __init__(self, engine: Engine) -> None:
        self.is_postgresql = engine.dialect.name == "postgresql"
        self._engine = engine
        self._own: Any = None
        self._begin = "BEGIN IMMEDIATE"
        if self.is_postgresql:
            self._begin = f"BEGIN; SET LOCAL lock_timeout = '{OPENING_HELD_UP_FOR}'"

    @property
    def is_new(self) -> bool:
        """Whether the next use will make it."""
        return self._own is None

    def get(self) -> Any:
        if self._own is None:
            self._own = self._engine.raw_connection()
            if self.is_postgresql:
                self._own.driver_connection.autocommit = True  # transactions begin where we say so
                self._own.driver_connection.execute(f"SET lock_timeout = '{HELD_UP_FOR}'")
        return self._own.driver_connection

    def begin(self) -> Any:
        """Begin to write. Where the database has ended the connection meanwhile, there is another one at once."""
        is_new, connection = self.is_new, self.get()
        try:
            connection.execute(self._begin)
        except Exception:
            self.forget()
            if is_new or not getattr(connection, "closed", False):
                raise
            return self.begin()
        return connection

    def forget(self) -> None:
        if self._own is not None:
            self._own.invalidate()
            self._own = None


def is_held_up(error: Exception) -> bool:
    """Whether nothing was written since another process has locked what it would change (PostgreSQL's 55P03)."""
    return getattr(error, "sqlstate", None) == "55P03"
