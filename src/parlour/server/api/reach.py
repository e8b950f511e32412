"""Where other devices reach this server: for links and codes that are made at its own machine."""

from __future__ import annotations

import contextlib
import socket
from ipaddress import ip_address

from litestar import get

from parlour.server.api.access import Injected
from parlour.server.services import Services

EVERYWHERE = ("0.0.0.0", "::")
ELSEWHERE = ("192.0.2.1", 9)  # an address of no machine: nothing is sent there


@get("/api/reach", include_in_schema=False)
async def reach(services: Injected[Services]) -> dict[str, str]:
    """The address for other devices; empty if the server listens to this machine only."""
    host = services.config.host
    found = _own_address() if host in EVERYWHERE else host
    return {"url": f"http://{found}:{services.config.port}" if found and not _is_local(found) else ""}


def _own_address() -> str:
    """The address of this machine, as other machines see it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)
        return str(probe.getsockname()[0])
    return ""


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
