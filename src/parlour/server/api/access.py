"""Who asks: the address, the origin of the page, the token of a seat; and what handlers are handed."""

from __future__ import annotations

import socket
from functools import lru_cache
from ipaddress import ip_address
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter, QueryParameter, SkipValidation

from parlour.protocol import Company, Pace
from parlour.server.basics.config import Config
from parlour.server.basics.errors import Refusal
from parlour.server.http.middleware import BELOW_BASE, PROBES
from parlour.server.people.forwarded import UNKNOWN, is_forwarded
from parlour.server.people.limits import counted_as
from parlour.server.people.tokens import hash_token
from parlour.server.rooms.holders import Holder
from parlour.server.rooms.room import Room
from parlour.server.rooms.rooms import Rooms
from parlour.server.store import Filter

NO_NUL = r"^[^\x00]*$"  # which PostgreSQL does not take in a text
MOST = 2**31 - 1  # the largest whole number that every database takes
LATEST = 1e12  # as a time, in seconds since 1970
T = TypeVar("T")
Asked = Request[Any, Any, Any]
Connected = ASGIConnection[Any, Any, Any, Any]
Injected: TypeAlias = NamedDependency[SkipValidation[T]]  # a part of the server that a handler needs
PRIVATE = (".localhost", ".local", ".lan", ".internal", ".home.arpa")  # names that the internet does not have
Number = Annotated[int, QueryParameter(ge=0, le=MOST)]
NumberIfAny = Annotated[int | None, QueryParameter(ge=0, le=MOST)]
TableId = Annotated[str, PathParameter(max_length=32, description="The table's id.")]


class AtSeat(NamedTuple):
    """Whose request it is: the room, and who holds a seat there by the request's token."""

    room: Room
    holder: Holder
    address: str

    @property
    def seat(self) -> int:
        return self.holder.seat


class Watcher(NamedTuple):
    """Whoever looks at a table, with a token or without one."""

    room: Room
    token: str | None

    @property
    def seat(self) -> int | None:
        """The seat that the token holds now, where there is one: while a request waits, lots may be drawn.

        Ask for it in the same breath as for what is to be seen from there. Raises Refusal.
        """
        return None if self.token is None else self.room.holders.seat_of(self.token)


def header_of(connection: Connected, name: bytes) -> str | None:
    """A header, by its name in lower case. The framework would read all of them first."""
    return next((value.decode("latin-1") for key, value in connection.scope["headers"] if key == name), None)


def address_of(connection: Connected) -> str:
    """The address that a request counts for."""
    client = connection.scope["client"]
    return counted_as(client[0]) if client else UNKNOWN


def check_origin(connection: Connected, config: Config) -> None:
    """A browser says which site its page is from. Only our own site and those that were allowed may use the server."""
    origin = header_of(connection, b"origin")
    if origin is None or origin in config.origins:
        return
    try:
        host = urlsplit(origin).netloc
    except ValueError:  # no browser says such a thing
        host = ""
    if host != header_of(connection, b"host"):
        raise Refusal("forbidden", "pages of that site may not use this server")


def check_host(connection: Connected, config: Config) -> None:
    """A page of another site may have had its name point here, to read with a visitor's browser what others cannot.

    So the name by which this server is asked must be one of its own. A proxy has looked at it already.
    """
    if config.trust_proxy and not config.hosts:
        return
    name = _name_in(header_of(connection, b"host") or "")
    if not (is_own_name(name) or name in config.names or "*" in config.names):
        raise Refusal("forbidden", f"this server is not known as {name[:100]}: whoever runs it can name it in 'hosts'")


def _name_in(host: str) -> str:
    """The name in a Host header, which may have a port; an address of IPv6 stands in brackets there."""
    name = host.lower()
    return name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]


@lru_cache(1024)
def is_own_name(name: str) -> bool:
    """Whether nobody on the internet can have a page by that name: an address, or a name of this network alone."""
    name = name.removesuffix(".")
    if "." not in name or name.endswith(PRIVATE) or name == socket.gethostname().lower():
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def is_inside(connection: Connected, _: BaseRouteHandler) -> None:
    """Only for requests that come directly: not through a proxy, nor below the path at which a proxy shows the server.

    So it does not matter which paths the proxy blocks, nor how somebody spells the path.
    """
    config: Config = connection.app.state.services.config
    is_outside = is_forwarded(connection.scope["headers"]) and not config.admin_by_proxy
    if is_outside or BELOW_BASE in connection.scope:
        raise Refusal("not_found", "this is not for outside: ask the server directly, not through a proxy")


class Admission:
    """What every request has to pass before anything is done for it."""

    def __init__(self, config: Config) -> None:
        self.config = config

    async def __call__(self, request: Asked) -> None:
        if request.scope["path"] not in PROBES:
            check_host(request, self.config)
        if request.method != "GET":
            check_origin(request, self.config)


def token_of(request: Connected) -> str | None:
    """The token in ``Authorization: Bearer …``."""
    token = _token_in(request)
    if token is None and header_of(request, b"authorization") is not None:
        raise Refusal("unauthorised", "expected a header 'Authorization: Bearer TOKEN'")
    return token


def _token_in(request: Connected) -> str | None:
    """The same, but nothing where the header says something else."""
    scheme, _, token = (header_of(request, b"authorization") or "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def token_needed(request: Asked) -> str:
    token = token_of(request)
    if token is None:
        raise Refusal("unauthorised", "this needs the token of a seat: 'Authorization: Bearer TOKEN'")
    return token


async def provide_filter(
    game: Annotated[str | None, QueryParameter(max_length=60, pattern=NO_NUL)] = None,
    company: Annotated[
        Company | None, QueryParameter(description="Who sits there: people alone, or bots, too.")
    ] = None,
    clock: Annotated[Pace | None, QueryParameter(description="None, a quick one, or one with an hour or more.")] = None,
) -> Filter:
    """Which tables whoever asks wants to see."""
    return Filter(game, company, clock)


async def provide_room(request: Asked, table_id: TableId, rooms: Injected[Rooms]) -> Room:
    """The room of the table that the request is about."""
    return await rooms.get(table_id, address_of(request), _token_in(request))


async def provide_at_seat(request: Asked, room: Injected[Room]) -> AtSeat:
    token = token_needed(request)
    seat = await room.find_seat(token)
    room.touch(seat, address_of(request))
    room.belong_to(address_of(request))
    return AtSeat(room, Holder(seat, hash_token(token)), address_of(request))


async def provide_watcher(request: Asked, room: Injected[Room]) -> Watcher:
    token = token_of(request)
    if token is not None:
        room.touch(await room.find_seat(token), address_of(request))
    return Watcher(room, token)
