"""When the collector looks at everything."""

from __future__ import annotations

import asyncio
import gc
import weakref

from parlour.server import garbage
from parlour.server.garbage import Garbage


class Ring:
    """What only the collector frees."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_looked_for_once_enough_sockets_are_closed() -> None:
    looks, old = Garbage(), Ring()
    gc.collect()  # so that it is old
    kept = weakref.ref(old)
    del old
    gc.disable()
    try:
        looks.closed = garbage.CLOSED - 1
        asyncio.run(looks.look())
        assert kept() is not None
        looks.closed += 1
        asyncio.run(looks.look())
        assert kept() is None
        assert looks.closed == 0
    finally:
        gc.enable()
