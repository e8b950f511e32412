"""Telling people by Web Push that it is their turn: what a browser needs for it, and which browsers want it."""

from __future__ import annotations

from litestar import Router
from litestar.params import JSONBody

from parlour import protocol
from parlour.server.api.access import Asked, AtSeat, Injected, address_of
from parlour.server.api.documented import get, post
from parlour.server.basics.errors import Refusal
from parlour.server.people.limits import RateLimits
from parlour.server.push import messages
from parlour.server.running.services import Services
from parlour.server.store.pushes import Subscription


@get("/api/push", summary="What a browser needs to subscribe")
async def push_offer(services: Injected[Services]) -> protocol.PushOffer:
    """The key is empty if this server sends no notifications."""
    return protocol.PushOffer(await services.turn_messages.public_key())


@post("/api/tables/{table_id:str}/push", summary="Be told when it is your turn")
async def subscribe(
    request: Asked,
    at: Injected[AtSeat],
    limits: Injected[RateLimits],
    services: Injected[Services],
    data: JSONBody[protocol.PushSubscribe],
) -> protocol.PushAnswer:
    """For as long as you sit there and the match goes on, while you are away."""
    sitting = _sitting(at, limits)
    limits.check(limits.pushes, address_of(request), "too many subscriptions from your address")
    wish = Subscription(
        seat=at.seat,
        sitting=sitting,
        endpoint=data.endpoint,
        p256dh=data.p256dh,
        auth=data.auth,
        language=data.language,
        site=messages.contact(request.headers.get("origin", "")),
    )
    await services.turn_messages.subscribe(at.room, at.holder, wish)
    return protocol.PushAnswer(True)


@post("/api/tables/{table_id:str}/push/end", summary="Be told no more")
async def unsubscribe(
    at: Injected[AtSeat],
    limits: Injected[RateLimits],
    services: Injected[Services],
    data: JSONBody[protocol.PushEnd],
) -> protocol.PushAnswer:
    """Without an address, none of the seat's browsers is told."""
    _sitting(at, limits)
    await services.turn_messages.unsubscribe(at.room, at.holder, data.endpoint)
    return protocol.PushAnswer(False)


def _sitting(at: AtSeat, limits: RateLimits) -> int:
    """The sitting of whoever asks, within their limits."""
    limits.check(limits.commands, f"{at.room.id}:{at.seat}", "too many commands at once")
    sitting = at.room.table.sitting(at.seat)
    if sitting is None:
        raise Refusal("forbidden", "nobody sits at this seat yet")
    return sitting


ROUTER = Router("/", route_handlers=[push_offer, subscribe, unsubscribe], tags=["tables"])
