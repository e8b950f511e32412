"""What is stored about a person, who is known by a name and nothing else: at which tables, what was played and said.

Two people may use one name: a table's id says which of them is meant.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from parlour.protocol import TABLE, Ending, Forgotten, TableLine
from parlour.server.store.schema import ALBUMS, ENTRIES, PUSHES, SNAPSHOTS, TABLES, TOKENS
from parlour.server.tables import album as album_format
from parlour.server.tables.album import Album
from parlour.server.tables.past import known_rules
from parlour.server.tables.table import TableSpec

NOBODY = "Somebody"


def alias(name: str, key: bytes) -> str:
    """What the audit log says of somebody: enough to know them again, not to know them.

    Of a plain hash, as older lines have it, whoever reads the log could find the name by trying likely ones. ``key`` is
    the store's, of which a key is made that serves for this alone.
    """
    own = hmac.digest(key, b"names in the audit log", "sha256")
    return f"person {hmac.digest(own, name.casefold().encode(), 'sha256').hex()[:12]}"


def export(connection: Connection, name: str, table_id: str | None = None) -> dict[str, Any]:
    """Every table where somebody of that name sat, with what they did and said there."""
    rows = [
        connection.execute(select(TABLES).where(TABLES.c.id == one)).one_or_none()
        for one in tables_of(connection, name, table_id)
    ]
    tables = [_table_export(connection, row, name) for row in rows if row is not None]
    return {"name": name, "tables": [table for table in tables if table["entries"]]}


def _table_export(connection: Connection, row: Any, name: str) -> dict[str, Any]:
    line = msgspec.json.decode(row.line, type=TableLine)
    entries = _entries(connection, row.id)
    mine, seats = _theirs(entries, name)
    theirs = [
        {"number": entry.number, "at": entry.at, "kind": entry.kind, "seat": entry.seat, **json.loads(entry.body)}
        for entry in mine
    ]
    game = {"id": row.id, "game": row.game, "rules": row.rules, "phase": line.phase, "created": line.created}
    return {
        **game,
        "seats": sorted(seats),
        "entries": theirs,
        "push_services": _push_services(connection, row.id, seats),
    }


def _push_services(connection: Connection, table_id: str, seats: set[int]) -> list[str]:
    """The addresses at which their browsers are told whose turn it is."""
    query = select(PUSHES.c.endpoint).where(PUSHES.c.table_id == table_id, PUSHES.c.seat.in_(seats))
    return list(connection.scalars(query.order_by(PUSHES.c.created)))


def tables_of(connection: Connection, name: str, table_id: str | None = None) -> list[str]:
    """The tables where somebody of that name sat down, or where a seat is kept for them after a rematch.

    Whoever left before the match stands in the log alone.
    """
    query = select(ENTRIES.c.table_id, ENTRIES.c.body).where(ENTRIES.c.kind == "sit")
    if table_id is not None:
        query = query.where(ENTRIES.c.table_id == table_id)
    sat = connection.execute(query.execution_options(yield_per=1000))
    found = {row.table_id for row in sat if _same(json.loads(row.body).get("name", ""), name)}
    kept = select(TABLES.c.id, TABLES.c.facts).where(TABLES.c.search.contains(name.casefold(), autoescape=True))
    if table_id is not None:
        kept = kept.where(TABLES.c.id == table_id)
    # What a game calls a free seat stands among the names, too, and is nobody's.
    found |= {row.id for row in connection.execute(kept) if any(_same(one, name) for one in _kept(row).values())}
    return sorted(found)


def _kept(row: Any) -> dict[int, str]:
    return msgspec.json.decode(row.facts, type=TableSpec).kept


def forget(connection: Connection, name: str, table_id: str, at: float) -> None:
    """Take the name, words, tokens and subscriptions out of a table. The match stays.

    A process that has the table in memory may be about to write the name once more. So the log gets an entry here: a
    process that has not seen it can write nothing, and reads the log again.
    """
    row = connection.execute(select(TABLES).where(TABLES.c.id == table_id)).one_or_none()
    if row is None:  # deleted meanwhile
        return
    entries = _entries(connection, table_id)
    last = entries[-1].number if entries else 0
    gone = {"table_id": table_id, "number": last + 1, "at": at, "kind": Forgotten().kind, "seat": TABLE, "body": b"{}"}
    connection.execute(insert(ENTRIES).values(gone))
    mine, seats = _theirs(entries, name)
    for entry in mine:
        if (body := _without(entry, name)) is not None:
            this = (ENTRIES.c.table_id == table_id) & (ENTRIES.c.number == entry.number)
            connection.execute(update(ENTRIES).where(this).values(body=json.dumps(body).encode()))
    for held in (TOKENS, PUSHES):
        connection.execute(delete(held).where(held.c.table_id == table_id, held.c.seat.in_(seats)))
    line, spec = msgspec.json.decode(row.line, type=TableLine), msgspec.json.decode(row.facts, type=TableSpec)
    hidden = Hidden(name, [*line.names, *spec.kept.values(), *_names_in(entries)])
    for seat, kept in list(spec.kept.items()):
        spec.kept[seat] = hidden.in_place_of(kept)
    line = hidden.in_line(line)
    values = {"line": msgspec.json.encode(line), "facts": msgspec.json.encode(spec)}
    searched = [NOBODY.casefold() if _same(one, name) else one for one in row.search.split("\n")]
    connection.execute(update(TABLES).where(TABLES.c.id == table_id).values(**values, search="\n".join(searched)))
    # From here on, whoever keeps something of this table waits until this is done.
    connection.execute(delete(SNAPSHOTS).where(SNAPSHOTS.c.table_id == table_id))
    _forget_in_album(connection, row, hidden)


class Hidden:
    """A name that is not to be read any more, however it was written among ``names``."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        known = {one for one in names if one}
        self.written = {one for one in known if _same(one, name)}
        # Other names, too, and the longest first: whoever is called Ann 2 keeps their name when Ann is forgotten.
        either = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        self._pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)") if self.written else None

    def in_place_of(self, name: str) -> str:
        return NOBODY if name in self.written else name

    def in_text(self, text: str) -> str:
        return self._pattern.sub(lambda found: self.in_place_of(found[0]), text) if self._pattern else text

    def in_line(self, line: TableLine) -> TableLine:
        names, who = ([self.in_place_of(one) for one in all] for all in (line.names, line.who))
        return msgspec.structs.replace(line, names=names, who=who, ending=self.in_ending(line.ending))

    def in_ending(self, ending: Ending | None) -> Ending | None:
        if ending is None:
            return None
        by_language = {
            language: msgspec.structs.replace(words, text=self.in_text(words.text))
            for language, words in ending.told.items()
        }
        return msgspec.structs.replace(ending, text=self.in_text(ending.text), told=by_language)

    def in_album(self, album: Album) -> Album:
        """Only what is said in words has names in it: pictures are drawn from positions."""
        frames = list[msgspec.Raw]()
        for ply in range(album.ply + 1):
            frame = album.bare(ply)
            events = [msgspec.structs.replace(event, text=self.in_text(event.text)) for event in frame.events]
            frames.append(album_format.raw(msgspec.structs.replace(frame, events=events)))
        return msgspec.structs.replace(album, names=[self.in_place_of(one) for one in album.names], frames=frames)


def _forget_in_album(connection: Connection, row: Any, hidden: Hidden) -> None:
    """Where the rules are here the album is drawn anew some day; where they are not, the name is taken out of it."""
    here = ALBUMS.c.table_id == row.id
    if known_rules().get(row.game) == row.rules:
        connection.execute(delete(ALBUMS).where(here))
        return
    packed = connection.scalar(select(ALBUMS.c.packed).where(here))
    if packed is not None:
        album = hidden.in_album(album_format.read(packed))
        connection.execute(update(ALBUMS).where(here).values(packed=album_format.pack(album)))


def _without(entry: Any, name: str) -> dict[str, Any] | None:
    """The body of an entry without what tells of a person; None if nothing does."""
    body: dict[str, Any] = json.loads(entry.body)
    if entry.kind == "sit" and _same(body["name"], name):
        return {**body, "name": NOBODY}
    return {**body, "text": "…"} if entry.kind == "chat" else None


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _entries(connection: Connection, table_id: str) -> list[Any]:
    return list(connection.execute(select(ENTRIES).where(ENTRIES.c.table_id == table_id).order_by(ENTRIES.c.number)))


def _theirs(entries: list[Any], name: str) -> tuple[list[Any], set[int]]:
    """What somebody of that name did, and the seats that they had last: lots may have given them others."""
    found, seats = list[Any](), set[int]()
    for entry in entries:
        body = json.loads(entry.body)
        if entry.kind == "sit":
            seats.discard(entry.seat)
            seats |= {entry.seat} if _same(body.get("name", ""), name) else set()
        elif entry.kind == "start" and body.get("seating"):
            seats = {body["seating"][seat] for seat in seats}
        if entry.seat in seats:
            found.append(entry)
    return found, seats


def _names_in(entries: list[Any]) -> list[str]:
    """All names by which people sat down."""
    return [json.loads(entry.body).get("name", "") for entry in entries if entry.kind == "sit"]
