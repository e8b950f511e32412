"""What is stored about a person, who is known by a name and nothing else: at which tables, what was played and said.

Two people may use one name: a table's id says which of them is meant.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from parlour.protocol import TABLE, Forgotten, TableLine
from parlour.server.past import known_rules
from parlour.server.store.schema import ALBUMS, ENTRIES, PUSHES, TABLES, TOKENS
from parlour.server.table import TableSpec

NOBODY = "Somebody"


def alias(name: str) -> str:
    """What the audit log says of somebody: enough to know them again, not to know them."""
    return f"person {hashlib.sha256(name.casefold().encode()).hexdigest()[:12]}"


def export(connection: Connection, name: str, table_id: str | None = None) -> dict[str, Any]:
    """Every table where somebody of that name sat, with what they did and said there."""
    tables = [_told(connection, row, name) for row in _tables(connection, name, table_id)]
    return {"name": name, "tables": [table for table in tables if table["entries"]]}


def _told(connection: Connection, row: Any, name: str) -> dict[str, Any]:
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


def forget(connection: Connection, name: str, table_id: str | None, at: float) -> list[str]:
    """Take the name, words, tokens and subscriptions out of every table where they sat; returns which. Matches stay."""
    tables = _tables(connection, name, table_id)
    for row in tables:
        _forget_at(connection, row, name, at)
    return [row.id for row in tables]


def _forget_at(connection: Connection, row: Any, name: str, at: float) -> None:
    """A process that has the table in memory may be about to write the name once more.

    So the log gets an entry here. A process that has not seen it can write nothing, and reads the log again.
    """
    entries = _entries(connection, row.id)
    last = entries[-1].number if entries else 0
    told = {"table_id": row.id, "number": last + 1, "at": at, "kind": Forgotten().kind, "seat": TABLE, "body": b"{}"}
    connection.execute(insert(ENTRIES).values(told))
    mine, seats = _theirs(entries, name)
    for entry in mine:
        if (body := _without(entry, name)) is not None:
            this = (ENTRIES.c.table_id == row.id) & (ENTRIES.c.number == entry.number)
            connection.execute(update(ENTRIES).where(this).values(body=json.dumps(body).encode()))
    for held in (TOKENS, PUSHES):
        connection.execute(delete(held).where(held.c.table_id == row.id, held.c.seat.in_(seats)))
    line = msgspec.json.decode(row.line, type=TableLine)
    names, who = ([NOBODY if _same(known, name) else known for known in all] for all in (line.names, line.who))
    ending = line.ending
    if ending is not None:
        told = {
            language: msgspec.structs.replace(words, text=_replaced(words.text, name))
            for language, words in ending.told.items()
        }
        ending = msgspec.structs.replace(ending, text=_replaced(ending.text, name), told=told)
    line = msgspec.structs.replace(line, names=names, who=who, ending=ending)
    spec = msgspec.json.decode(row.facts, type=TableSpec)
    for seat, kept in list(spec.kept.items()):
        if _same(kept, name):
            spec.kept[seat] = NOBODY
    values: dict[str, Any] = {"line": msgspec.json.encode(line), "facts": msgspec.json.encode(spec)}
    values |= {"search": "\n".join(names).casefold()}
    connection.execute(update(TABLES).where(TABLES.c.id == row.id).values(values))
    _forget_in_album(connection, row, name)


def _forget_in_album(connection: Connection, row: Any, name: str) -> None:
    """Where the rules are here the album is drawn anew some day; where they are not, the name is taken out of it."""
    here = ALBUMS.c.table_id == row.id
    if known_rules().get(row.game) == row.rules:
        connection.execute(delete(ALBUMS).where(here))
        return
    packed = connection.scalar(select(ALBUMS.c.packed).where(here))
    if packed is not None:
        text = _replaced(zlib.decompress(packed).decode(), json.dumps(name, ensure_ascii=False)[1:-1])
        connection.execute(update(ALBUMS).where(here).values(packed=zlib.compress(text.encode())))


def _without(entry: Any, name: str) -> dict[str, Any] | None:
    """The body of an entry without what tells of a person; None if nothing does."""
    body: dict[str, Any] = json.loads(entry.body)
    if entry.kind == "sit" and _same(body["name"], name):
        return {**body, "name": NOBODY}
    return {**body, "text": "…"} if entry.kind == "chat" else None


def _replaced(text: str, name: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", NOBODY, text)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _tables(connection: Connection, name: str, table_id: str | None) -> list[Any]:
    """The tables where somebody of that name sat down, or where a seat is kept for them after a rematch.

    Whoever left before the match stands in the log alone.
    """
    query = select(ENTRIES.c.table_id, ENTRIES.c.body).where(ENTRIES.c.kind == "sit")
    if table_id is not None:
        query = query.where(ENTRIES.c.table_id == table_id)
    sat = connection.execute(query.execution_options(yield_per=1000))
    found = {row.table_id for row in sat if _same(json.loads(row.body).get("name", ""), name)}
    kept = select(TABLES.c.id, TABLES.c.search).where(TABLES.c.search.contains(name.casefold(), autoescape=True))
    if table_id is not None:
        kept = kept.where(TABLES.c.id == table_id)
    found |= {row.id for row in connection.execute(kept) if name.casefold() in row.search.split("\n")}
    return [connection.execute(select(TABLES).where(TABLES.c.id == one)).one() for one in sorted(found)]


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
