"""Addresses: of a server, of its sockets, and the links that people send each other."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs, quote, urlsplit

from parlour.client.errors import Unreachable


class Link(NamedTuple):
    """A table, and what the link to it lets one do: sit down by invitation, or take up a seat that is held."""

    table: str
    server: str | None = None
    invite: str | None = None
    token: str | None = None


def check_server(address: str) -> str:
    """The server's address without a slash at its end, if it is one."""
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or any(char.isspace() for char in address):
        raise Unreachable(f"a server's address is such as http://localhost:8017, not {address!r:.80}")
    return address.rstrip("/")


def socket_address(server: str, path: str) -> str:
    """``wss://`` where the server is at ``https://``."""
    return f"ws{server.removeprefix('http')}{path}"


def read_link(text: str) -> Link:
    """A table's id, or a link to it: ``http://localhost:8017/table/ID#invite=…``."""
    if "/" not in text:
        return Link(text)
    address, _, fragment = text.partition("#")
    server, found, table = address.rstrip("/").rpartition("/table/")
    if not found or not table or "/" in table:
        raise Unreachable(f"a link to a table is such as http://localhost:8017/table/ID, not {text!r:.80}")
    given = {key: values[0] for key, values in parse_qs(fragment).items()}
    return Link(table, check_server(server), given.get("invite"), given.get("seat"))


def write_link(server: str, table: str, invite: str | None = None) -> str:
    """The link that others join or watch with."""
    return f"{server}/table/{quote(table, safe='')}" + (f"#invite={quote(invite)}" if invite else "")
