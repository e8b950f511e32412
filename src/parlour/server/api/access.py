"""Who asks: the address, the origin of the page, the token of a seat."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection

from parlour.server.config import Config
from parlour.server.errors import Refused
from parlour.server.hall import Hall
from parlour.server.limits import Limits
from parlour.server.room import Room

Asked = Request[Any, Any, Any]
Connected = ASGIConnection[Any, Any, Any, Any]


def address_of(connection: Connected) -> str:
    return connection.client.host if connection.client else "unknown"


def check_origin(connection: Connected, config: Config) -> None:
    """A browser says whose page it shows. Only our own, and those that were allowed, may talk to us."""
    origin = connection.headers.get("origin")
    if origin is None or origin in config.origins:
        return
    try:
        host = urlsplit(origin).netloc
    except ValueError:  # no browser says such a thing
        host = ""
    if host != connection.headers.get("host"):
        raise Refused("forbidden", "pages of that origin may not talk to this server")


async def admit(request: Asked) -> None:
    """What every request has to pass before anything is done for it."""
    limits: Limits = request.app.state.limits
    limits.check(limits.requests, address_of(request), "too many requests from your address")
    if request.method != "GET":
        check_origin(request, limits.config)


def token_of(request: Asked) -> str | None:
    """The token in ``Authorization: Bearer …``."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Refused("unauthorised", "expected a header 'Authorization: Bearer TOKEN'")
    return token.strip()


async def seated(request: Asked, table: str) -> tuple[Room, int]:
    """The room, and the seat that the request's token holds there."""
    hall: Hall = request.app.state.hall
    token = token_of(request)
    room = await hall.room(table)
    if token is None:
        raise Refused("unauthorised", "this needs the token of a seat: 'Authorization: Bearer TOKEN'")
    seat = await hall.seat_of(room, token)
    room.touch(seat)
    return room, seat
