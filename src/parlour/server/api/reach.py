"""Where other devices reach this server: for links and codes that are made at its own machine."""

from __future__ import annotations

from ipaddress import ip_address

from litestar import get

from parlour.server.api.access import Injected
from parlour.server.basics import system
from parlour.server.running.services import Services


@get("/api/reach", include_in_schema=False)
async def reach(services: Injected[Services]) -> dict[str, str]:
    """The address for other devices; empty if the server listens to this machine only."""
    config = services.config
    host = system.reached_at(config.host)
    return {"url": f"http://{host}:{config.port}" if host and not _is_local(config.host) else ""}


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
