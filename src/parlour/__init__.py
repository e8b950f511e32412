"""Parlour: write the rules of a game once, in plain Python. Get everything else.

>>> import parlour
>>> match = parlour.new("goose", seats=4, seed=7, maze=30)
>>> while not match.over:
...     happened = match.play(match.legal()[0])
"""

from typing import TYPE_CHECKING, Any

from parlour.engine import Game, Match, ParlourError, new

if TYPE_CHECKING:
    from parlour.engine.batch import Batch

__all__ = ["Batch", "Game", "Match", "ParlourError", "new"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """``Batch`` brings NumPy and the compiler along: it loads when it is asked for."""
    if name != "Batch":
        raise AttributeError(f"module 'parlour' has no attribute {name!r}")
    from parlour.engine.batch import Batch

    return Batch
