"""Every request that can be made of the server over HTTP: its address, its body, how its answer is read."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from parlour import protocol
from parlour.client import limits
from parlour.client.answers import read_text, reader
from parlour.client.errors import Refused
from parlour.client.ticket import Ticket

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request, and what its answer may cost. ``repeatable``: asking again, if the answer is lost, does no harm."""

    method: str
    path: str
    read: Callable[[bytes], T]
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    token: str | None = None
    repeatable: bool = True
    seconds: float = limits.QUICK
    bytes: int = limits.ANSWER_BYTES

    def request(self) -> dict[str, Any]:
        """As the arguments of an HTTP client."""
        headers = {"accept-encoding": "identity"}  # so that what is counted is what is read
        if self.body is not None:
            headers["content-type"] = "application/json"
        if self.token is not None:
            headers["authorization"] = f"Bearer {_checked(self.token)}"
        return {
            "method": self.method,
            "url": self.path,
            "params": dict(self.query),
            "content": self.body,
            "headers": headers,
            "timeout": httpx.Timeout(self.seconds, connect=limits.CONNECT),
        }


def new_cid() -> str:
    """The client's own name for a command: the server carries a command of the same name out once."""
    return secrets.token_hex(8)


def table_path(table: str, part: str = "") -> str:
    return f"/api/tables/{quote(table, safe='')}{part}"


def _checked(token: str) -> str:
    """The token, if a header can carry it."""
    if not token.isascii() or not token.isprintable() or " " in token or not token:
        raise Refused("unauthorised", "this is not the token of a seat")
    return token


_read_games = reader(list[protocol.GameView])
_read_tables = reader(list[protocol.TableLine])
_read_table = reader(protocol.TableView)
_read_opened = reader(protocol.Opened)
_read_invitation = reader(protocol.Invitation)
_read_seated = reader(protocol.Seated)
_read_log = reader(protocol.Log)
_read_ack = reader(protocol.Ack)
_read_hint = reader(protocol.HintAnswer)


def games() -> Call[list[protocol.GameView]]:
    return Call("GET", "/api/games", _read_games)


def rulebook(game: str) -> Call[str]:
    return Call("GET", f"/api/games/{quote(game, safe='')}/rulebook", read_text)


def tables(
    phase: str | None, game: str | None, name: str | None, before: float | None, limit: int
) -> Call[list[protocol.TableLine]]:
    wanted = {"phase": phase, "game": game, "name": name, "before": before, "limit": limit}
    given = {key: str(value) for key, value in wanted.items() if value is not None}
    return Call("GET", "/api/tables", _read_tables, given)


def open_table(wish: protocol.OpenTable) -> Call[protocol.Opened]:
    return Call("POST", "/api/tables", _read_opened, body=msgspec.json.encode(wish), repeatable=False)


def pair(wish: protocol.OpenTable) -> Call[protocol.Opened]:
    return Call("POST", "/api/pairings", _read_opened, body=msgspec.json.encode(wish), repeatable=False)


def table(
    table: str, token: str | None = None, *, pictures: bool = False, state: bool = False
) -> Call[protocol.TableView]:
    wanted = {"pictures": pictures, "state": state}
    query = {key: "true" for key, value in wanted.items() if value}
    return Call("GET", table_path(table), _read_table, query, token=token)


def log(table: str, since: int, wait: float, token: str | None = None) -> Call[protocol.Log]:
    query = {"since": str(since), "wait": str(wait)}
    path, seconds = table_path(table, "/log"), limits.DOWNLOAD + wait
    return Call("GET", path, _read_log, query, token=token, seconds=seconds, bytes=limits.DOWNLOAD_BYTES)


def find(code: str) -> Call[protocol.Invitation]:
    return Call("GET", f"/api/codes/{quote(code, safe='')}", _read_invitation)


def sit(table: str, wish: protocol.Sit, token: str | None = None) -> Call[protocol.Seated]:
    body = msgspec.json.encode(wish)
    return Call("POST", table_path(table, "/sit"), _read_seated, body=body, token=token)


def renew(ticket: Ticket, token: str) -> Call[protocol.Seated]:
    body = msgspec.json.encode(protocol.Renew(token))
    return Call("POST", table_path(ticket.table, "/renew"), _read_seated, body=body, token=ticket.token)


def replay(table: str, token: str | None = None) -> Call[str]:
    path = table_path(table, "/replay")
    return Call("GET", path, read_text, token=token, seconds=limits.DOWNLOAD, bytes=limits.DOWNLOAD_BYTES)


def picture(table: str, ply: int | None = None) -> Call[str]:
    query = {} if ply is None else {"ply": str(ply)}
    return Call("GET", table_path(table, "/picture"), read_text, query)


def command(ticket: Ticket, command: protocol.TableCommand) -> Call[protocol.Ack]:
    """A seat's command. Its cid is in it, so that it can be repeated."""
    path = table_path(ticket.table, f"/{_PATHS[type(command)]}")
    return Call("POST", path, _read_ack, body=msgspec.json.encode(command), token=ticket.token)


def hint(ticket: Ticket) -> Call[protocol.HintAnswer]:
    body = msgspec.json.encode(protocol.AskHint(cid=new_cid()))
    path = table_path(ticket.table, "/hint")
    return Call("POST", path, _read_hint, body=body, token=ticket.token, seconds=limits.SLOW)


def act(ticket: Ticket, action: int | str | list[int], ply: int) -> Call[protocol.Ack]:
    """Play an action by number or in notation, or several in a row, of which all or none are played."""
    cid = new_cid()
    if isinstance(action, str):
        return command(ticket, protocol.Act(cid=cid, ply=ply, text=action))
    if isinstance(action, list):
        return command(ticket, protocol.Act(cid=cid, ply=ply, actions=action))
    return command(ticket, protocol.Act(cid=cid, ply=ply, action=action))


_PATHS: dict[type[Any], str] = {
    protocol.Act: "act",
    protocol.Undo: "undo",
    protocol.Resign: "resign",
    protocol.Draw: "draw",
    protocol.Chat: "chat",
    protocol.Back: "back",
    protocol.Leave: "leave",
    protocol.Reveal: "reveal",
    protocol.Start: "start",
    protocol.PutBot: "bots",
    protocol.Rematch: "rematch",
}
