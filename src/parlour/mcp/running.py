"""Running the tools: over standard input and output, or over HTTP on this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence

from mcp.server.transport_security import TransportSecuritySettings

from parlour.engine.errors import ParlourError
from parlour.mcp.place import Place
from parlour.mcp.tools import Server, make_server

PATH = "/mcp"
HERE = ("127.0.0.1", "localhost", "[::1]")
LARGEST_REQUEST = 1 << 20
MOST_SESSIONS = 100


async def over_stdio(place: Place) -> None:
    """Until standard input ends."""
    try:
        await make_server(place).run_stdio_async()
    finally:
        await place.close()


async def over_http(place: Place, host: str, port: int, names: Sequence[str], say: Callable[[str], None]) -> None:
    """Until it is told to stop. ``names`` are hosts by which it may be reached, besides this machine's own."""
    server = make_server(place)
    try:
        await _serve(server, host, port, names, say)
    finally:
        await place.close()


async def _serve(server: Server, host: str, port: int, names: Sequence[str], say: Callable[[str], None]) -> None:
    import uvicorn

    hosts = [f"{name}{end}" for name in (*HERE, *names) for end in ("", ":*")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST_REQUEST,
        max_sessions=MOST_SESSIONS,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts,
            allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts],
        ),
    )
    with _listening(host, port) as listening:
        number = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        say(f"Models reach the tables at http://{shown}:{number}{PATH}. Ctrl-C ends it.")
        config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none", timeout_graceful_shutdown=2)
        await uvicorn.Server(config).serve([listening])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = error.strerror if isinstance(error, OSError) else "a port is a number up to 65535"
        raise ParlourError(f"nothing can listen at {host} port {port}: {why}") from None
    return listening
