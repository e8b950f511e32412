"""All that whoever runs a server can do, each change with a line in the audit log. Every method blocks.

It works on the database alone, whether a server runs or not. Servers follow the audit log, and know of a change within
a second.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import ip_network
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, delete, func, insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError

from parlour.protocol import Closed, TableLine
from parlour.server.admin import people
from parlour.server.basics.errors import Refusal
from parlour.server.basics.steady import SteadyClock
from parlour.server.people.names import as_shown, clean_name
from parlour.server.people.restrictions import Ban, Kind, is_hash
from parlour.server.store.closing import Closing
from parlour.server.store.engine import take_your_time
from parlour.server.store.processes import Processes
from parlour.server.store.schema import ADDRESSES, AUDIT, BANS, SEEN, SHARED, TABLES

Done = TypeVar("Done")

MAINTENANCE = "maintenance"
SEEN_FOR = 30.0  # seconds for which somebody who was seen counts as being there
ATTEMPTS = 5  # at a change while matches go on
FOREVER = 1e11  # as a time: some thousand years from now
LONGEST_TEXT = 1000  # that people are told
FORGOTTEN_AT_ONCE = 5  # tables in one transaction: on SQLite, whoever wants to write waits for it
# Who waits to write to SQLite looks only now and then whether it is free. So after each part it is left alone: for so
# many seconds at least, and for so many times as long as it was held.
LEFT_ALONE = 0.03
LEFT_ALONE_TIMES = 2


class AuditLine(Struct, frozen=True):
    """A line of the audit log."""

    id: int
    at: float
    by: str
    action: str
    about: str
    details: dict[str, Any]


class Present(Struct, frozen=True):
    """Somebody who is at a table now."""

    name: str
    table: str
    seat: int
    game: str
    seen: float
    addresses: list[str] = []  # as the log has them: hashes, where the server hashes addresses


class Operator:
    """``by`` is whoever does it: it stands in the audit log."""

    def __init__(self, engine: Engine, clock: SteadyClock, by: str) -> None:
        self.engine = engine
        self.clock = clock
        self.by = by[:100]
        self._processes = Processes(engine, "", clock)
        self._closing = Closing(engine, self._processes)

    # Looking.

    def who(self) -> list[Present]:
        """Who is at a table, the last seen first."""
        query = select(SEEN, TABLES.c.line, TABLES.c.search).join(TABLES, TABLES.c.id == SEEN.c.table_id)
        query = query.where(SEEN.c.at > self.clock.now() - SEEN_FOR).order_by(SEEN.c.at.desc())
        found = []
        with self.engine.begin() as connection:
            addresses = self._addresses(connection)
            for row in connection.execute(query):
                line = msgspec.json.decode(row.line, type=TableLine)
                # A line names only so many; the others are known in lower case.
                names = [*line.names, *row.search.split("\n")[len(line.names) :]]
                name = names[row.seat] if row.seat < len(names) else "?"
                known = sorted(addresses.get((row.table_id, row.seat), ()))
                found.append(Present(name, row.table_id, row.seat, line.game, row.at, known))
        return found

    def address_of(self, name: str) -> list[str]:
        """From which addresses somebody of that name is at a table now. Raises Refusal where others are there, too."""
        name = clean_name(name)
        present = self.who()
        theirs = [one for one in present if one.name.casefold() == name.casefold()]
        if not theirs:
            raise Refusal("not_found", f"nobody called {name} is at a table now: only the log may have their address")
        addresses = sorted({address for one in theirs for address in one.addresses})
        if not addresses:
            raise Refusal("not_found", f"no address of {name} is known: they have come or gone just now, so try again")
        for address in addresses:
            others = sorted({one.name for one in present if address in one.addresses and one not in theirs})
            if others:
                also = f"{address} is also the address of {', '.join(others)}"
                raise Refusal("bad_request", f"{also}: ban it with --address if you mean them all")
            if not is_hash(address) and ip_network(_ban_value("address", address)).is_loopback:
                raise Refusal("bad_request", f"{address} is this machine: behind a proxy, set trust_proxy")
        return addresses

    def _addresses(self, connection: Connection) -> dict[tuple[str, int], set[str]]:
        """From where people are at which seat of which table, as processes say that live."""
        found: dict[tuple[str, int], set[str]] = {}
        query = select(ADDRESSES).where(self._processes.is_alive(ADDRESSES.c.process))
        for row in connection.execute(query):
            found.setdefault((row.table_id, row.seat), set()).add(row.address)
        return found

    def tables(
        self, phase: str | None = None, game: str | None = None, name: str | None = None, limit: int = 100
    ) -> list[TableLine]:
        """Tables, private ones too, the last changed first."""
        query = select(TABLES.c.line).order_by(TABLES.c.changed.desc()).limit(limit)
        if phase is not None:
            query = query.where(TABLES.c.phase == phase)
        if game is not None:
            query = query.where(TABLES.c.game == game)
        if name is not None:
            query = query.where(TABLES.c.search.contains(name.casefold(), autoescape=True))
        with self.engine.begin() as connection:
            return [msgspec.json.decode(line, type=TableLine) for line in connection.scalars(query)]

    def audit(self, after: int | None = None, limit: int = 100) -> list[AuditLine]:
        """What was done, the last first; with ``after``, what was done since that line, in order."""
        query = select(AUDIT).order_by(AUDIT.c.id.desc()).limit(limit)
        if after is not None:
            query = select(AUDIT).where(AUDIT.c.id > after).order_by(AUDIT.c.id).limit(limit)
        with self.engine.begin() as connection:
            return [_audit_line(row) for row in connection.execute(query)]

    def last_backup(self) -> float:
        """When the last one was made; 0 if there is none."""
        with self.engine.begin() as connection:
            return connection.scalar(select(func.max(AUDIT.c.at)).where(AUDIT.c.action == "backup")) or 0.0

    def bans(self) -> list[Ban]:
        """The bans that have not run out."""
        query = select(BANS).where(BANS.c.until > self.clock.now()).order_by(BANS.c.kind, BANS.c.value)
        with self.engine.begin() as connection:
            return [Ban(row.kind, row.value, row.until, row.why) for row in connection.execute(query)]

    def maintenance(self) -> str | None:
        """The message, while no match begins."""
        with self.engine.begin() as connection:
            value: bytes | None = connection.scalar(select(SHARED.c.value).where(SHARED.c.name == MAINTENANCE))
            return None if value is None else value.decode()

    # Tables.

    def close(self, table_id: str, text: str) -> None:
        """End a table that is not over; nobody wins. Its players are told the text."""
        entry = Closed(at=self.clock.now(), reason="operator", text=_checked_text(text))

        def change() -> None:
            with self._writing("close", table_id, {"text": text}) as connection:
                if not self._closing.close_in(connection, table_id, entry):
                    raise Refusal("not_found", f"there is no table {table_id} that is open or played")

        _persistently(change)

    def delete(self, table_id: str) -> None:
        """Remove a table with all that happened there."""
        with self._writing("delete", table_id) as connection:
            if not connection.execute(delete(TABLES).where(TABLES.c.id == table_id)).rowcount:
                raise Refusal("not_found", f"there is no table {table_id}")

    # People.

    def ban(self, kind: Kind, value: str, seconds: float | None = None, why: str = "") -> Ban:
        """Keep an address, a network or a name away, for ever unless told for how long."""
        if seconds is not None and seconds <= 0:
            raise Refusal("bad_request", f"a ban takes more than {seconds:g} seconds")
        until = FOREVER if seconds is None else min(self.clock.now() + seconds, FOREVER)
        ban = Ban(kind, _ban_value(kind, value), until, _checked_text(why))
        with self._writing("ban", f"{ban.kind} {ban.value}", {"until": until, "why": why}) as connection:
            _lift(connection, ban)
            connection.execute(insert(BANS).values(msgspec.structs.asdict(ban)))
        return ban

    def unban(self, kind: Kind, value: str) -> None:
        ban = Ban(kind, _ban_value(kind, value), 0.0)
        with self._writing("unban", f"{ban.kind} {ban.value}") as connection:
            if not _lift(connection, ban):
                raise Refusal("not_found", f"the {kind} {value} is not banned")

    def export(self, name: str, table_id: str | None = None) -> dict[str, Any]:
        """All that is stored about somebody: see ``parlour.server.admin.people``."""
        name = _person(name)
        with self.engine.connect() as connection:  # reading may take long: nobody waits for it to write
            take_your_time(connection)
            found = people.export(connection, name, table_id)
        self.note("export", self._alias(name), {"table": table_id})
        return found

    def forget(self, name: str, table_id: str | None = None) -> list[str]:
        """Remove the name, the words and the tokens of somebody; returns at which tables.

        A few tables at a time: a server that uses the database can write in between. Should this be ended before it is
        through, what was done stays done, and is noted.
        """
        name = _person(name)
        with self.engine.connect() as connection:
            take_your_time(connection)
            tables = people.tables_of(connection, name, table_id)
        if not tables:
            raise Refusal("not_found", "nobody of that name is stored")
        about = self._alias(name)
        for first in range(0, len(tables), FORGOTTEN_AT_ONCE):
            some = tables[first : first + FORGOTTEN_AT_ONCE]
            began = time.monotonic()
            _persistently(partial(self._forget, name, about, some))
            time.sleep(max(LEFT_ALONE, LEFT_ALONE_TIMES * (time.monotonic() - began)))
        return tables

    def _alias(self, name: str) -> str:
        return people.alias(name, self._closing.processes.shared_key())

    def _forget(self, name: str, about: str, tables: list[str]) -> None:
        with self._writing("forget", about, {"tables": tables}) as connection:
            for table_id in tables:
                people.forget(connection, name, table_id, self.clock.now())

    # The whole server.

    def set_maintenance(self, message: str | None) -> None:
        """From now on no table is opened and no match begins, and whoever tries is told the message; None ends that."""
        if message is not None and not _checked_text(message).strip():
            raise Refusal("bad_request", "people have to be told something during maintenance")
        with self._writing("maintenance", "begins" if message is not None else "ends", {"message": message}) as writing:
            writing.execute(delete(SHARED).where(SHARED.c.name == MAINTENANCE))
            if message is not None:
                writing.execute(insert(SHARED).values(name=MAINTENANCE, value=message.encode()))

    def note(self, action: str, about: str, details: dict[str, Any] | None = None) -> None:
        """Note something that is done elsewhere, such as a backup."""
        with self._writing(action, about, details):
            pass

    # The audit log.

    @contextmanager
    def _writing(self, action: str, about: str, details: dict[str, Any] | None = None) -> Iterator[Connection]:
        """A transaction for the change; it is noted there, or nothing is done."""
        with self.engine.execution_options(writes=True).begin() as connection:
            yield connection
            self._note(connection, action, about, details or {})

    def _note(self, connection: Connection, action: str, about: str, details: dict[str, Any]) -> None:
        if connection.dialect.name == "postgresql":
            # It numbers lines before they are committed. Whoever follows the log must not see a later one first.
            connection.execute(text("SELECT pg_advisory_xact_lock(7204116)"))
        row = {"at": self.clock.now(), "by": self.by, "action": action, "about": about}
        connection.execute(insert(AUDIT).values(**row, details=json.dumps(details).encode()))


def _persistently(change: Callable[[], Done]) -> Done:
    """Do it, once more where something happens at one of the tables at the same moment."""
    for _ in range(ATTEMPTS - 1):
        with suppress(IntegrityError, OperationalError):
            return change()
    return change()


def _audit_line(row: Any) -> AuditLine:
    return AuditLine(row.id, row.at, row.by, row.action, row.about, json.loads(row.details))


def _lift(connection: Connection, ban: Ban) -> bool:
    lifted = connection.execute(delete(BANS).where(BANS.c.kind == ban.kind, BANS.c.value == ban.value))
    return bool(lifted.rowcount)


def _checked_text(text: str) -> str:
    """What people are told: it is stored, and sent to everybody."""
    if len(text) > LONGEST_TEXT:
        raise Refusal("bad_request", f"what people are told has at most {LONGEST_TEXT} characters, not {len(text)}")
    return text


def _person(name: str) -> str:
    """A name as it was written down when somebody sat down with it, however it is typed here."""
    shown = as_shown(name)
    if not shown:
        raise Refusal("bad_request", "whom? A name has at least one character that can be seen")
    return shown


def _ban_value(kind: Kind, value: str) -> str:
    if kind == "name":
        return clean_name(value).casefold()
    if is_hash(value):
        return value
    try:
        return str(ip_network(value.strip(), strict=False))
    except ValueError as error:
        raise Refusal("bad_request", f"an address or a network such as 10.0.0.0/8 is banned, not {value!r}") from error
