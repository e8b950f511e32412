"""Compiled rules, shared with a bot: what this machine has compiled already need not be compiled again in every box."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from parlour.engine import registry
from parlour.engine.compiled import cache as compiled
from parlour.engine.game import Game

_folder = compiled.folder


@cache
def compiled_folder(game: str) -> Path:
    """Where the game's compiled code is kept. Asked for once in the fork server, as it means reading all sources."""
    return _folder(registry.get(game))


def share_compiled() -> None:
    """From here on, this process finds in its own cache what ``compiled_folder`` has, and can add to it.

    The links are made when they are first asked for: few bots compile anything, and files cost time.
    """

    def folder(game: Game) -> Path:
        own, shared = _folder(game), compiled_folder(game.name)
        if not own.exists():
            for file in shared.rglob("*.nb[ci]"):
                link = own / file.relative_to(shared)
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(file)
        return own

    compiled.folder = folder
