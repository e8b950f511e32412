"""When Python's collector looks for garbage. Nobody is served while it looks, so it looks seldom, and at little.

Almost everything is freed without it: tables, matches, requests; and sockets, since their objects stop referring to
each other when they close. What it does find are exceptions and SQL statements.
"""

from __future__ import annotations

import gc

YOUNG = 1000  # new objects after which the collector looks at these, while the processor still has them at hand
NEVER = 1_000_000_000  # such looks, after which it looks by itself at what they left over
EVERY = 600.0  # seconds between two looks at everything, which take a tenth of a second and more


def look_less() -> None:
    """From now on, look for garbage as it suits a server. What exists now will never be garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


async def look_at_everything() -> None:
    """For what nobody has thought of."""
    gc.collect()
