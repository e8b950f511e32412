"""A game's picture as pixels, for whatever takes no SVG: films of matches, and learners that look."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from parlour.engine.errors import ParlourError

WIDTH = 640


def pixels(svg: str) -> Any:
    """The picture as an array of height × width × 3 bytes: red, green and blue. Its sides are even, as films want."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ParlourError(f"{error.name} is not installed, which draws pixels: pip install 'parlour[rl]'") from error
    png = resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff")
    drawn = np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGB"))
    return drawn[: drawn.shape[0] // 2 * 2].copy()
