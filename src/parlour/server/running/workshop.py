"""``parlour dev``: while a game is written, the server follows its files.

When one is saved, the game is read anew, every match is brought to where it was by playing its actions again, and
whoever looks at it is shown it as it is now. What is wrong stands above the page and in the terminal, and the game as
it was before stays. Only the command line begins this: no request can have a folder read.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from parlour.engine import folders, registry
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.sources import rules_hash
from parlour.protocol import Acted
from parlour.server.bots.service import BotService
from parlour.server.rooms.room import Room
from parlour.server.rooms.rooms import Rooms
from parlour.server.store import Store
from parlour.server.tables.fold import fold
from parlour.server.tables.table import Table

LOG = logging.getLogger("parlour.server")
LOOK_EVERY = 0.2  # seconds between two looks at the files
WATCHED = (".py", ".md", ".toml", ".po", ".judge")
FINDINGS = 5  # of a check, that are shown in the page


class Watched(msgspec.Struct, frozen=True):
    """What the command line asks for: the game, and the command that checks it and answers in JSON."""

    game: str
    check: list[str]


class Finding(msgspec.Struct, frozen=True):
    """One of the checks, as ``parlour check --json`` tells it."""

    check: str
    problem: str | None


class Findings(msgspec.Struct, frozen=True):
    checks: list[Finding]


class Workshop:
    """One game that is being written, and the tables where it is tried."""

    def __init__(self, watched: Watched, store: Store, rooms: Rooms, bots: BotService, announce: Callable[[], None]):
        self.watched = watched
        self.notice = ""  # what stands above every page
        self._home = folders.added()[watched.game].home
        self._store, self._rooms, self._bots = store, rooms, bots
        self._announce = announce
        self._seen = self._stamps()
        self._noted: list[str] = []
        self._checking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Say what is wrong with the game as it is."""
        self._check([])

    async def look(self) -> None:
        """Whether a file has been saved since the last look."""
        stamps = self._stamps()
        if stamps != self._seen:
            self._seen = stamps
            await self._follow()

    def note(self, trouble: str) -> None:
        """Something does not work that is not looked at here."""
        self._noted.append(trouble)

    def close(self) -> None:
        if self._checking is not None:
            self._checking.cancel()

    def _stamps(self) -> dict[Path, tuple[int, int]]:
        files = self._home.rglob("*") if self._home.is_dir() else [self._home]
        found = {}
        for file in files:
            with contextlib.suppress(OSError):  # an editor may have put another in its place just now
                if file.suffix in WATCHED:
                    found[file] = file.stat().st_mtime_ns, file.stat().st_size
        return found

    async def _follow(self) -> None:
        """Read the game anew, and bring every table to where it was."""
        name = self.watched.game
        before = folders.loaded(name)
        try:
            folders.reload(name)
            registry.forget()
            Match(registry.get(name))
        except Exception as error:  # whatever is half written
            folders.restore(name, before)
            registry.forget()
            self._say([f"{name} is as it was before: {folders.told(error)}"])
            return
        self._bots.renew()
        told = [f"{name} is read anew"]
        for room in list(self._rooms.in_memory.values()):
            if room.table.spec.game == name:
                told += await self._bring(room, registry.get(name))
        self._check(told)

    async def _bring(self, room: Room, game: Game) -> list[str]:
        """Play the table's match again by the rules as they are now, as far as that can be done."""
        if room.table.spec.rules != game.version:
            await self._rooms.reload(room.id)  # a match by another version of the rules ends, as after any upgrade
            return []
        async with room.lock:
            stored = await self._store.ask(self._store.load_whole, room.id)
            if stored is None:
                return []
            table, told = Table(stored.spec), []
            for entry in stored.entries:
                after = table.twin()
                try:
                    fold(after, entry, _played(table, entry) if isinstance(entry, Acted) else None)
                except Exception as error:  # the rules may be anything now
                    await self._store.ask(self._store.cut, room.id, entry.number)
                    told = [f"the match of {' and '.join(table.names)} could be played again to {_where(table, error)}"]
                    break
                table = after
            if table.match is not None:
                table.rules_hash = table.match.rules_hash = rules_hash(game)
            await self._store.ask(self._store.snapshots.drop, room.id)
            self._noted.clear()
            await room.stand_at(table)
        return told + self._noted

    def _say(self, lines: list[str]) -> None:
        """In the terminal, and above every page."""
        for line in lines:
            LOG.warning("%s", line)
        self.notice = "\n".join(lines)
        self._announce()

    def _check(self, told: list[str]) -> None:
        self._say(told)
        if self._checking is not None:
            self._checking.cancel()
        self._checking = asyncio.create_task(self._checked(told), name="checking the game")

    async def _checked(self, told: list[str]) -> None:
        """What ``parlour check`` finds. It compiles the rules, so it takes some seconds, in a process of its own."""
        process = await asyncio.create_subprocess_exec(
            *self.watched.check, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            answer, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
        try:
            checks = msgspec.json.decode(answer, type=Findings).checks
        except msgspec.DecodeError:
            return  # it is half written again
        found = [f"check: {one.check}: {one.problem}" for one in checks if one.problem]
        more = [f"check: and {len(found) - FINDINGS} more"] if len(found) > FINDINGS else []
        LOG.warning("check: %d of %d checks hold", len(checks) - len(found), len(checks))
        self._say([*told[1:], *found[:FINDINGS], *more])


def _where(table: Table, error: Exception) -> str:
    """The ply up to which a match could be played, and why not further."""
    why = error.reason if isinstance(error, IllegalAction) else folders.told(error)
    return f"ply {table.ply} only: {why}"


def _played(table: Table, entry: Acted) -> Match:
    """The match after these actions, each of which has to be legal now."""
    assert table.match is not None
    match = table.match.twin()
    for action in entry.actions:
        match.play(action)
    return match
