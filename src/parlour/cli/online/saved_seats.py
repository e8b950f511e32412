"""The seats that this user holds at servers' tables: one file each, readable by nobody else.

Whoever has a seat's token plays it, so a file is as good as the seat; and it has the commitment that was seen before
sitting down, without which the dice could not be proved.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
import time
from pathlib import Path
from typing import IO

import msgspec
import platformdirs

from parlour.client import Ticket
from parlour.engine.files import write_whole


class SavedSeat(msgspec.Struct, frozen=True):
    """A seat, and what it takes to find it again."""

    server: str
    game: str
    name: str
    ticket: Ticket
    since: float = 0.0
    bot: str = ""  # that plays it: such a seat is none for a person at a terminal


def folder() -> Path:
    return Path(platformdirs.user_state_dir("parlour", appauthor=False)) / "seats"


def save(server: str, game: str, name: str, ticket: Ticket, bot: str = "") -> None:
    """Write the seat down, whole or not at all."""
    saved = SavedSeat(server, game, name, ticket, time.time(), bot)
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(_file(server, ticket), msgspec.json.encode(saved), private=True)


def forget(server: str, ticket: Ticket) -> None:
    _file(server, ticket).unlink(missing_ok=True)
    _file(server, ticket).with_suffix(".lock").unlink(missing_ok=True)


def lock(server: str, ticket: Ticket) -> IO[bytes] | None:
    """Have the seat for this terminal, for as long as the file stays open; None if another terminal has it."""
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    file = _file(server, ticket).with_suffix(".lock").open("ab")
    if sys.platform != "win32":  # there, two terminals can take up the same seat
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return None
    return file


def find(
    server: str, name: str, *, game: str | None = None, table: str | None = None, bot: str = ""
) -> list[SavedSeat]:
    """The seats at that server under that name, of a game or at a table; the last taken first."""
    found = []
    for file in folder().glob("*.json"):
        with contextlib.suppress(OSError, msgspec.MsgspecError):  # whatever else lies there is none of ours
            saved = msgspec.json.decode(file.read_bytes(), type=SavedSeat)
            found.append(msgspec.structs.replace(saved, ticket=saved.ticket.at(saved.server)))
    wanted = [
        saved
        for saved in found
        if (saved.server, saved.name, saved.bot) == (server, name, bot)
        and game in (None, saved.game)
        and table in (None, saved.ticket.table)
    ]
    return sorted(wanted, key=lambda saved: -saved.since)


def _file(server: str, ticket: Ticket) -> Path:
    # A table's id comes from the server: it is not trusted as the name of a file.
    name = hashlib.sha256(f"{server} {ticket.table} {ticket.seat}".encode()).hexdigest()[:32]
    return folder() / f"{name}.json"
