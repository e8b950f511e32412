"""Where tables are kept: SQLite in a file, or PostgreSQL. What is acknowledged has been committed here before."""

from parlour.server.store.append import Append, Conflict, Fenced, Gone, Seek, StoreFailed, Waits
from parlour.server.store.lists import Filter
from parlour.server.store.snapshots import Kept
from parlour.server.store.store import Store, Stored

__all__ = ["Append", "Conflict", "Fenced", "Filter", "Gone", "Kept", "Seek", "Store", "StoreFailed", "Stored", "Waits"]
