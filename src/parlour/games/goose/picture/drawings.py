"""What several parts of the picture are drawn with: colours, the drawings of ``art.svg``, ribbons with a name."""

from __future__ import annotations

from parlour.engine.kit.art import used
from parlour.engine.kit.shapes import box, fitted, path, text
from parlour.engine.picture import number

INK, CREAM, PAPER = "#4a2f1b", "#fff6df", "#fbeecb"
GOLD, DARK_GOLD, PALE_GOLD = "#f0b53a", "#a86f14", "#ffe39a"
LEAF, DARK_LEAF, ORANGE = "#6fae4e", "#3f7d3a", "#f0892f"


def art(name: str, x: float, y: float, *, scale: float = 1.0, flip: bool = False, turn: float = 0) -> str:
    """A drawing of ``art.svg`` around a point."""
    return used(f"goose-{name}", x, y, scale=scale, flip=flip, turn=turn)


def ribbon(words: str, width: float, *, fill: str = "#a5322c", shade: str = "#6f1d1a") -> str:
    """A name on a band; its middle is the point of the drawing."""
    half = width / 2
    ends = (
        f"M{number(-half + 8)}-9H{number(-half - 6)}L{number(-half)} 7L{number(-half - 6)} 22H{number(-half + 8)}Z"
        f"M{number(half - 8)}-9H{number(half + 6)}L{number(half)} 7L{number(half + 6)} 22H{number(half - 8)}Z"
    )
    return (
        path(ends, shade)
        + box(-half, -18, width, 36, fill, rx=5)
        + box(-half, -18, width, 5, "#fff", rx=2.5, opacity=0.14)
        + text(words, 0, 1, 33, CREAM, **fitted(words, 5, width - 10))
    )
