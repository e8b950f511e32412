"""What the parts of the store have in common: the database, and how to write to it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert


class Part:
    """A part of the store. Its methods block."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.is_postgresql = engine.dialect.name == "postgresql"
        # With this database's own way to say what becomes of a row that is there already.
        self._insert: Any = postgresql_insert if self.is_postgresql else sqlite_insert

    def _writing(self) -> Any:
        """A transaction that writes."""
        return self.engine.execution_options(writes=True).begin()
