"""Drawings in an SVG file beside a game's picture: whoever draws needs no Python, and a browser shows the file.

What is in the file's ``<defs>`` goes into the picture, where ``<use href="#mygame-tree"/>`` draws it by its id. Ids
begin with the name of the game. The rest of the file is for whoever opens it by itself.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources


@cache
def drawings(package: str, file: str) -> str:
    """What the file in the package defines, without comments and the space between elements."""
    written = (resources.files(package) / file).read_text("utf-8")
    found = re.search("<defs>(.*)</defs>", re.sub("<!--.*?-->", "", written, flags=re.DOTALL), re.DOTALL)
    if found is None:
        raise ValueError(f"{file} in {package} has no <defs>")
    return re.sub(r">\s+<", "><", found[1].strip())
