"""Drawings in an SVG file beside a game's picture: whoever draws needs no Python, and a browser shows the file.

What is in the file's ``<defs>`` goes into the picture, where ``<use href="#mygame-tree"/>`` draws it by its id. Ids
begin with the name of the game. The rest of the file is for whoever opens it by itself.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from parlour.engine.kit.shapes import at
from parlour.engine.picture import number, tag


@cache
def drawings(package: str, file: str) -> str:
    """What the file in the package defines, without comments and the space between elements."""
    written = (resources.files(package) / file).read_text("utf-8")
    found = re.search("<defs>(.*)</defs>", re.sub("<!--.*?-->", "", written, flags=re.DOTALL), re.DOTALL)
    if found is None:
        raise ValueError(f"{file} in {package} has no <defs>")
    return re.sub(r">\s+<", "><", found[1].strip())


def used(name: str, x: float, y: float, *, scale: float = 1.0, flip: bool = False, turn: float = 0) -> str:
    """The drawing of that id around a point: larger or smaller, looking the other way, turned by so many degrees."""
    grown = f" scale({number(-scale if flip else scale)} {number(scale)})" if flip or scale != 1 else ""
    turned = f" rotate({number(turn)})" if turn else ""
    return tag("use", href=f"#{name}", transform=at(x, y) + turned + grown)
