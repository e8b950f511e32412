"""Where tables are kept: SQLite in a file, or PostgreSQL. What is acknowledged has been committed here before.

May import: basics, tables.
"""

from parlour.server.store.append import Append, Conflict, Fenced, Gone, Quota, Seek, TooMany, Waits
from parlour.server.store.lists import Filter
from parlour.server.store.snapshots import Kept
from parlour.server.store.store import Store, Stored

__all__ = [
    "Append",
    "Conflict",
    "Fenced",
    "Filter",
    "Gone",
    "Kept",
    "Quota",
    "Seek",
    "Store",
    "Stored",
    "TooMany",
    "Waits",
]
