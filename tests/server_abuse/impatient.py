"""``parlour`` with a server that waits a tenth of the time for whoever is slow."""

from __future__ import annotations

from parlour.cli import main
from parlour.server import serve
from parlour.server.api import live
from parlour.server.http import connections, sockets, watched

TIMES = {
    connections: ("HEAD_WITHIN", "BODY_WITHIN", "NEXT_WITHIN"),
    sockets: ("HEAD_WITHIN", "CLOSE_WITHIN"),
    watched: ("READ_WITHIN", "CLOSE_WITHIN"),
    live: ("HELLO_WITHIN",),
    serve: ("PING_EVERY",),
}

if __name__ == "__main__":
    for module, names in TIMES.items():
        for name in names:
            setattr(module, name, getattr(module, name) / 10)
    main()
