"""Where tables are kept: SQLite in a file, or PostgreSQL. What is acknowledged has been committed here before."""

from parlour.server.store.lists import Filter
from parlour.server.store.snapshots import Kept
from parlour.server.store.store import Append, Conflict, Fenced, Gone, Seek, Store, Stored, StoreFailed, Waits

__all__ = ["Append", "Conflict", "Fenced", "Filter", "Gone", "Kept", "Seek", "Store", "StoreFailed", "Stored", "Waits"]
