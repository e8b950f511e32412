"""``parlour play --server``: a match at a server's table, in the terminal.

visit       one person at one server: opens a table, joins one, watches one or goes on at one
table       what is told there, and how it is shown
orders      what can be typed there
kept        the seats that this user holds, in files
"""

from __future__ import annotations

import asyncio

from parlour.cli.online.visit import Visit, Wish
from parlour.client import read_link
from parlour.client.address import check_server
from parlour.engine.errors import BadReplay, ParlourError

__all__ = ["Wish", "play"]


def play(wish: Wish) -> None:
    """Stay at a table to its end, or until the person goes."""
    link = read_link(wish.table) if wish.table is not None else None
    server = wish.server or (link.server if link else None)
    if server is None:
        raise ParlourError("--table takes a link, or an id together with --server URL")
    if wish.watch and link is None:
        raise ParlourError("--watch needs --table: the link of a table, or its id")
    if link is None and wish.game is None:
        raise ParlourError("which game? parlour play GAME --server URL, or parlour play --table LINK")
    if wish.save is not None and wish.save.exists():
        raise BadReplay(f"{wish.save} exists already: nothing was written")
    asyncio.run(Visit(wish, check_server(server), link).run())
