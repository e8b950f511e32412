"""Where tables are kept: SQLite in a file, or PostgreSQL. What is acknowledged has been committed here before."""

from parlour.server.store.store import Append, Conflict, Fenced, Gone, Store, StoreFailed

__all__ = ["Append", "Conflict", "Fenced", "Gone", "Store", "StoreFailed"]
