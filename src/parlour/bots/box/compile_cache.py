"""Compiled rules, shared with a bot: what this machine has compiled already need not be compiled again in every box."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from parlour.engine import registry
from parlour.engine.compiled import cache as compiled

_ROOT = compiled.root()  # the fork server's, which imports this: bots have one of their own


@cache
def compiled_folder(game: str) -> Path:
    """Where the game's compiled code is kept. Asked for once in the fork server, as it means reading all sources."""
    return compiled.folder(registry.get(game))


def share_compiled() -> None:
    """From here on, this process finds in its own cache what the fork server's has, and can add to it."""
    compiled.share(_ROOT)
