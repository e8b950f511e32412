"""What another version of the rules means for the matches of a database: looked at from outside of any server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, exists, func, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from parlour.server.basics.errors import BadConfiguration, Refusal
from parlour.server.store import Store, engine
from parlour.server.store.schema import ALBUMS, ENTRIES, TABLES
from parlour.server.tables import album
from parlour.server.tables.fold import PLAYED, fold_all
from parlour.server.tables.past import is_newer, known_rules, why_past
from parlour.server.tables.table import Table

KINDS = [str(kind.__struct_config__.tag) for kind in get_args(PLAYED)]  # of entries that an album shows


class Group(Struct, frozen=True):
    """Matches of a game by rules that are not here."""

    game: str
    rules: int
    why: str
    matches: int
    seen: int  # how many of them have an album, and can still be seen
    lacking: int  # of how many there is more to be seen than an album shows, or no album

    def __str__(self) -> str:
        return f"{self.why}; {self.seen} of them could still be seen"


class UpgradeReport(Struct, frozen=True):
    revision: str  # of the database
    newest: str  # that this Parlour brings it to
    ended: list[Group]  # what is open or being played, and would be ended
    waiting: list[Group]  # what is by newer rules: it stays as it is, and waits for them
    unverified: list[Group]  # what is over, and could not be verified anew

    @property
    def is_harmless(self) -> bool:
        """Whether every match can be played on."""
        return not self.ended and not self.waiting

    def lines(self) -> Iterator[str]:
        if self.revision != self.newest:
            yield f"The database is at revision {self.revision}; this Parlour brings it to {self.newest}."
        for group in self.ended:
            yield f"{group.game}: {_counted(group, 'table')} would be ended: {group}."
        for group in self.waiting:
            yield f"{group.game}: {_counted(group, 'table')} would wait for a newer Parlour: {group}."
        for group in self.unverified:
            yield f"{group.game}: {_counted(group, 'finished match', 'es')} could not be verified anew: {group}."
        if any(group.lacking for group in [*self.ended, *self.unverified]):
            yield "With the Parlour that serves them now, parlour upgrade --prepare keeps what is to be seen of all."
        if self.ended:
            yield "With the Parlour that serves them now, parlour serve --drain lets matches end before."
        if self.is_harmless:
            yield "Every match can be played on."


def _counted(group: Group, what: str, ending: str = "s") -> str:
    return f"{group.matches} {what}{'' if group.matches == 1 else ending}"


def check(address: str) -> UpgradeReport:
    """What this Parlour would do to the matches of a database. Nothing is changed."""
    engine.check_is_there(address)
    database = engine.connect(address)
    try:
        with database.connect() as connection:
            revision = engine.revision_of(connection)
            if revision is None:
                raise BadConfiguration(engine.EMPTY)
            if engine.is_newer(revision):
                raise engine.newer()
            groups = list(_groups(connection))
    except SQLAlchemyError as error:
        raise BadConfiguration(f"the database cannot be used: {engine.first_line(error)}") from error
    finally:
        database.dispose()
    played = [group for is_over, group in groups if not is_over]
    return UpgradeReport(
        revision,
        engine.newest_revision(),
        ended=[group for group in played if not is_newer(group.game, group.rules)],
        waiting=[group for group in played if is_newer(group.game, group.rules)],
        unverified=[group for is_over, group in groups if is_over],
    )


def _groups(connection: Connection) -> Iterator[tuple[bool, Group]]:
    is_over = TABLES.c.phase == "over"
    query = select(TABLES.c.game, TABLES.c.rules, is_over.label("over"), func.count())
    query = query.group_by(TABLES.c.game, TABLES.c.rules, is_over).order_by(TABLES.c.game)
    for game, rules, over, matches in connection.execute(query).all():
        try:
            why = why_past(game, game, rules)
        except Refusal as refusal:  # a game that is broken here: nothing is ended, and nothing goes on
            why = str(refusal)
        if why is not None:
            those = (TABLES.c.game == game) & (TABLES.c.rules == rules) & (is_over if over else ~is_over)
            yield bool(over), Group(game, rules, why, matches, *_count_albums(connection, those))


def _count_albums(connection: Connection, those: ColumnElement[bool]) -> tuple[int, int]:
    """How many of those tables have an album, and of how many there is more to be seen than an album shows."""
    more = exists().where(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.kind.in_(KINDS))
    if not inspect(connection).has_table(ALBUMS.name):  # the database is of a version that kept none
        return 0, connection.scalar(select(func.count()).select_from(TABLES).where(those, more)) or 0
    seen = select(func.count()).select_from(ALBUMS).join(TABLES).where(those)
    more = more.where(ENTRIES.c.number > func.coalesce(ALBUMS.c.number, -1))
    lacking = select(func.count()).select_from(TABLES.outerjoin(ALBUMS)).where(those, more)
    return connection.scalar(seen) or 0, connection.scalar(lacking) or 0


def prepare(address: str) -> tuple[int, dict[str, str]]:
    """Draw the albums that are missing; returns how many were, and why others could not be. A server may run by it."""
    engine.check_is_there(address)
    store = Store(address, "")
    try:
        engine.check_revision(store.engine)
        drawn, failed = 0, dict[str, str]()
        for game, rules in known_rules().items():
            for table_id in store.albums.lacking(game, rules):
                try:
                    drawn += _draw(store, table_id)
                except Exception as error:  # whatever is wrong with one match, the others are drawn
                    failed[table_id] = f"{type(error).__name__}: {error}"
        return drawn, failed
    finally:
        store.close()


def _draw(store: Store, table_id: str) -> bool:
    stored = store.load_whole(table_id)
    if stored is None:  # deleted meanwhile
        return False
    table = Table(stored.spec)
    for _ in fold_all(table, stored.entries):
        pass
    if table.match is None:
        return False
    store.albums.write(table_id, table.number, album.draw(table.match))
    return True
