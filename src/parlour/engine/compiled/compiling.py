"""What every compilation needs: Numba taught about rules and chance, the cache folder, and a notice for the person."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from numba.extending import overload

from parlour.engine import notices
from parlour.engine.chance import below, draw_below, roll
from parlour.engine.compiled.cache import alone, caching
from parlour.engine.game import Game
from parlour.engine.rule import prepare

_lock = threading.RLock()


@cache
def _teach_chance() -> None:
    """Compiled, chance is its four lanes: ``below`` and ``roll`` draw from them."""

    @overload(below)
    def below_compiled(chance, n):
        return lambda chance, n: draw_below(chance, n)

    @overload(roll)
    def roll_compiled(chance, sides=6):
        return lambda chance, sides=6: draw_below(chance, sides) + 1


@contextmanager
def compiling(game: Game, place: str, what: str, rules: Sequence[Callable[..., Any]] = ()) -> Iterator[None]:
    """Within this, the function made at that place (``module.factory``) is compiled, or taken from the cache.

    ``rules`` are those that it has besides the game's own. Says so on standard error where it will take a while.
    One compilation at a time: Numba's settings are global. What another process is compiling is waited for.
    """
    with _lock, caching(game, rules) as kept, ExitStack() as stack:
        _teach_chance()
        prepare()
        if not _is_there(kept, place):
            stack.enter_context(alone(kept, place))
        warm = not notices.are_told() or _is_there(kept, place)
        if not warm:
            print(f"Compiling the {what} of {game.name}, once …", end="", file=sys.stderr, flush=True)
        began, outcome = time.perf_counter(), "failed after"
        try:
            yield
            outcome = "done in"
        finally:
            if not warm:
                print(f" {outcome} {time.perf_counter() - began:.1f} s.", file=sys.stderr, flush=True)


def _is_there(kept: Path, place: str) -> bool:
    return any(kept.rglob(f"{place}.*.nbi"))
