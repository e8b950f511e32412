"""What people call squares and numbers of things."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine import State
from parlour.games.game17.state.squares import square_name


def name_of(state: State, square: int) -> str:
    """The name of a square, ``D3``."""
    return square_name(*divmod(square, state.edge))


def counted(count: int, thing: str, translate: Callable[[str], str] = str) -> str:
    """``1 piece``, ``2 pieces``, in English unless it is translated."""
    return translate(f"1 {thing}" if count == 1 else f"{{count}} {thing}s").format(count=count)


def zombies_told(count: int, translate: Callable[[str], str] = str) -> str:
    """``a zombie``, ``2 zombies``: they have no names."""
    return translate("a zombie") if count == 1 else counted(count, "zombie", translate)
