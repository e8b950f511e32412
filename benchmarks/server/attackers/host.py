"""``parlour`` as it is attacked: it writes down for how long its event loop stops, into the file named first.

That is measured by the processor time of the loop's thread, so that it says the same on a busy machine. And the name
server of its machine says nothing about some names: who asks for one waits for half a minute.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from pathlib import Path
from typing import Any

from parlour.cli import main
from parlour.server.running.services import Services

SILENT = "silent.example"  # names below this one
SECONDS = 30.0
BEAT = 0.005  # seconds
WORTH_NOTING = 0.010  # seconds


def be_silent() -> None:
    answered = socket.getaddrinfo

    def asked(host: Any, *more: Any, **named: Any) -> Any:
        if str(host).endswith(SILENT):
            time.sleep(SECONDS)
            raise socket.gaierror("nobody says")
        return answered(host, *more, **named)

    socket.getaddrinfo = asked


def note_stops(file: Path) -> None:
    """A line for each time that others had to wait: when it was over, and how long the loop's thread had worked."""
    opened, last = Services.open, 0.0

    def beat() -> None:
        nonlocal last
        now = time.thread_time()
        if now - last > WORTH_NOTING:
            with file.open("a") as lines:
                lines.write(f"{time.monotonic():.3f} {now - last:.4f}\n")
        last = now
        asyncio.get_running_loop().call_later(BEAT, beat)

    async def open_and_beat(services: Services) -> None:
        await opened(services)
        beat()

    Services.open = open_and_beat  # type: ignore[assignment, method-assign]


def longest_stop(file: Path, since: float) -> float:
    """Seconds."""
    if not file.exists():
        return 0.0
    noted = [[float(number) for number in line.split()] for line in file.read_text().splitlines()]
    return max((stop for at, stop in noted if at > since), default=0.0)


if __name__ == "__main__":
    be_silent()
    note_stops(Path(sys.argv.pop(1)))
    main()
