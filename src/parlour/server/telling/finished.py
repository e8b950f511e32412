"""A match that is over, as people look back at it: from its album, or played again where there is none.

An album is in English, so whoever reads another language has the match played again, as long as its rules are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from parlour.engine.language import current
from parlour.protocol import Frames, Summary
from parlour.server.basics.errors import Refusal
from parlour.server.store import Store
from parlour.server.tables import album, frames
from parlour.server.tables.album import Album
from parlour.server.tables.past import NO_ALBUM, PastTable
from parlour.server.tables.table import Table
from parlour.server.telling import summary
from parlour.server.telling.drawing import Drawing

Result = TypeVar("Result")
Show = Callable[[Album | None], Result]  # makes it from an album, or without one


class Finished:
    """Shows finished matches. What it takes counts for whoever asks."""

    def __init__(self, store: Store, drawing: Drawing) -> None:
        self.store = store
        self.drawing = drawing

    async def show(self, address: str, table: Table, show: Show[Result]) -> Result:
        """What ``show`` makes of the match's album; of None, where there is none that will do."""
        async with self.drawing.reading(address):
            may_do = isinstance(table, PastTable) or current() == album.LANGUAGE
            packed = await self.store.ask(self.store.albums.read, table.id) if may_do else None
            return await self.drawing.run(address, _shown, table, packed, show)


def _shown(table: Table, packed: bytes | None, show: Show[Result]) -> Result:
    found = album.read(packed) if packed else None
    if isinstance(table, PastTable):
        if found is None:
            raise Refusal("not_found", f"{table.old_rules}; {NO_ALBUM}")
        return show(found)
    # It may have been drawn before the match was over, or before something was taken back.
    is_whole = found is not None and table.match is not None and found.actions == table.match.actions
    return show(found if is_whole else None)


def cut(table: Table, first: int, count: int) -> Show[Frames]:
    """Some frames, from ply ``first``."""
    winners = table.ending.winners if table.ending else []

    def show(found: Album | None) -> Frames:
        if found is not None:
            old_rules = table.old_rules if isinstance(table, PastTable) else None
            return found.cut(table.spec.game, first, count, winners, old_rules)
        assert table.match is not None
        return frames.cut(table.match, first, count, winners)

    return show


def picture(table: Table, ply: int) -> Show[str]:
    """The position after that many actions, as SVG."""

    def show(found: Album | None) -> str:
        if found is not None:
            return found.picture(ply)
        assert table.match is not None
        return frames.picture(table.match, ply)

    return show


def in_words(table: Table) -> Show[Summary]:
    """All of it without pictures."""
    return lambda found: summary.of_table(table, found)
