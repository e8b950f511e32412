"""``parlour play --server``: a match at a server's table, in the terminal.

session      one person at one server: opens a table, joins one, watches one or goes on at one
table        what is told there, and how it is shown
commands     what can be typed there
clock        clocks as people type them
wording      what happens besides the game, in words
screen       what is printed, around a prompt; nothing that a server sends can steer the terminal
keyboard     what is typed, while other things happen
saved_seats  the seats that this user holds, in files
arriving     what comes before a match and after it: finding a table, meeting others, the proof of the dice
bot_host     a bot at several tables, for ``parlour bot``; bot_table is one of them
"""

from __future__ import annotations

import asyncio

from parlour.cli.online.session import Session
from parlour.cli.options import Play
from parlour.client import Link, read_link
from parlour.client.address import check_server
from parlour.engine.errors import ParlourError
from parlour.engine.files import check_place

__all__ = ["play"]


def play(arguments: Play) -> None:
    """Stay at a table to its end, or until the person goes."""
    link = read_link(arguments.table) if arguments.table is not None else None
    if link is not None and (arguments.clock is not None or arguments.anybody):
        raise ParlourError("--clock and --anybody are for a table that is not there yet: leave out --table")
    if arguments.anybody and arguments.seat:
        raise ParlourError("--anybody takes no --seat: all other seats are for people")
    server = _server(arguments, link)
    if arguments.watch and link is None:
        raise ParlourError("--watch needs --table: the link of a table, its code or its id")
    if link is None and arguments.game is None:
        raise ParlourError("which game? parlour play GAME --server URL, or parlour play --table LINK")
    if arguments.save is not None:
        check_place(arguments.save, overwrite=False)
    asyncio.run(Session(arguments, server, link).run())


def _server(arguments: Play, link: Link | None) -> str:
    """The one server that is meant. An invitation or a seat in a link is for the link's own server alone."""
    named = check_server(arguments.server) if arguments.server is not None else None
    linked = link.server if link is not None else None
    if named is not None and linked is not None and named != linked:
        raise ParlourError(f"the link of --table is to {linked}, and --server says {named}: leave --server out")
    server = linked or named
    if server is None:
        raise ParlourError("--table takes a link; or a code or an id, together with --server URL")
    return server
