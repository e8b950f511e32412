"""The tables of the database. A change here needs a migration in ``migrations/versions``."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

# One row for each table where a game is played. What changes during a match is derived from its entries and stands here
# only to be searched: ``changed`` may be ten seconds behind, and ``wake`` as much too soon (``Room._is_noted``).
# ``owner`` and ``term`` are the lease of the process that plays its bots and runs its clocks.
TABLES = Table(
    "tables",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", String(60), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("facts", LargeBinary, nullable=False),  # the rest of what was fixed when it was opened, as JSON
    Column("public", Boolean, nullable=False),
    Column("phase", String(8), nullable=False),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("line", LargeBinary, nullable=False),  # how the table stands, for lists, as JSON
    Column("listed", Boolean, nullable=False),  # whether others may want to sit down or watch
    Column("search", Text, nullable=False),  # the names at the table, in lower case
    Column("bots", Boolean, nullable=False),  # whether bots sit there
    Column("pace", String(8), nullable=False),  # of its clock: see parlour.protocol.ClockSpec.pace
    Column("wake", Double),  # when something is due though nobody is there
    Column("owner", String(32)),
    Column("term", Integer, nullable=False),
    Index("tables_by_phase", "phase", "changed"),
    Index("tables_by_list", "listed", "phase", "created"),
    Index("tables_by_wake", "wake"),
)

# All that happened at a table. The primary key lets nothing happen twice under one number, the second key lets no
# command happen twice. ``sitting`` is the number of the entry by which whoever gave the command had sat down.
ENTRIES = Table(
    "entries",
    METADATA,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("cid", String(64)),
    Column("body", LargeBinary, nullable=False),
    Column("sitting", Integer),
    UniqueConstraint("table_id", "sitting", "cid", name="entries_by_cid"),
)

# Tables that are not over: the code that people type to find one, and a hash of the address that opened it.
UNFINISHED = Table(
    "unfinished",
    METADATA,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("code", String(6), nullable=False, unique=True),
    Column("opener", String(64), nullable=False),
    Index("unfinished_by_opener", "opener"),
)

# A match as it was seen, up to entry ``number``: for when its rules are no longer here. See ``tables.album``.
ALBUMS = Table(
    "albums",
    METADATA,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("packed", LargeBinary, nullable=False),
)

# A table as it stood after entry ``number``, so that not all before it need be read again: see ``tables.snapshot``.
# The log alone would do.
SNAPSHOTS = Table(
    "snapshots",
    METADATA,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("format", Integer, nullable=False),
    Column("packed", LargeBinary, nullable=False),
)

# Who holds which seat: hashes of tokens.
TOKENS = Table(
    "tokens",
    METADATA,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("hash", String(64), primary_key=True),
    Column("seat", Integer, nullable=False),
)

# Browsers that are to be told when it is a seat's turn, for as long as its person sits there: see parlour.server.push.
# ``told`` is when the last turn began of which they were told.
PUSHES = Table(
    "pushes",
    METADATA,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", String(64), primary_key=True),  # of the endpoint
    Column("seat", Integer, nullable=False),
    Column("sitting", Integer, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("site", String(200), nullable=False),
    Column("created", Double, nullable=False),
    Column("told", Double, nullable=False),
)

# The processes that serve these tables, each alive until its time runs out; ``clock`` is what time it was by its clock
# when it last gave a sign of life.
PROCESSES = Table(
    "processes",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("until", Double, nullable=False),
    Column("clock", Double),
)

# What all processes that serve these tables share, by name.
SHARED = Table(
    "shared",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

# From when to when no process served these tables.
OUTAGES = Table(
    "outages",
    METADATA,
    Column("began", Double, primary_key=True),
    Column("ended", Double, nullable=False),
)

# Where several processes serve the same tables: when a seat's person was last seen by any of them.
SEEN = Table(
    "seen",
    METADATA,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("at", Double, nullable=False),
)

# From which addresses people are at tables now, by way of which process. A row goes when its person or process does.
ADDRESSES = Table(
    "addresses",
    METADATA,
    Column("process", String(32), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("address", String(64), primary_key=True),
)

# All that whoever runs the server has done. Every process follows it, so that it knows of bans and closed tables.
AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Double, nullable=False),
    Column("by", String(100), nullable=False),
    Column("action", String(20), nullable=False),
    Column("about", Text, nullable=False),
    Column("details", LargeBinary, nullable=False),  # as JSON
)

# Who may not play until when: an address or network, or a name in lower case.
BANS = Table(
    "bans",
    METADATA,
    Column("kind", String(8), primary_key=True),
    Column("value", String(100), primary_key=True),
    Column("until", Double, nullable=False),
    Column("why", Text, nullable=False),
)
