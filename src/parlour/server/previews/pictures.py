"""Pictures for links: the board on a card of 1200 by 630. One is drawn at a time, in a program of its own."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import re
import sys
from collections import OrderedDict
from collections.abc import Hashable
from pathlib import Path
from xml.sax.saxutils import escape

from parlour.server.basics.errors import Refusal
from parlour.server.telling.drawing import Drawing

LIBRARY = "resvg_py"
PROGRAM = Path(__file__).with_name("render.py")
FONTS = [str(file) for file in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
KEPT = 60  # pictures, of about 200 KB
WITHIN = 20.0  # seconds for one picture
WIDTH, HEIGHT, MARGIN = 1200, 630, 20
WIDEST = 780  # pixels for the board: the words beside it need some
LETTER = 0.56  # of a font's size, is how wide a letter is
LINES = 4


def is_installed() -> bool:
    return importlib.util.find_spec(LIBRARY) is not None


class Pictures:
    """Draws cards for whoever asks. The time that it takes counts for their address."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._one = asyncio.Lock()

    def known(self, key: Hashable) -> bytes | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    async def draw(self, address: str, key: Hashable, svg: str) -> bytes:
        """The card as PNG. Raises Refusal if this address asks for too much, or nothing can be drawn."""
        with self.drawing.turn(address):
            async with self.drawing.queue(self, address), self._one:  # others wait for one picture, and not for all
                known = self.known(key)
                if known is not None:
                    return known
                seconds, png = await _rendered(svg)
        self.drawing.limits.drawing.charge(address, seconds)
        self._kept[key] = png
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return png


async def _rendered(svg: str) -> tuple[float, bytes]:
    """The processor time that it took, and the picture."""
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-I", str(PROGRAM), *FONTS, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(WITHIN):
            drawn, _ = await program.communicate(svg.encode())
    except TimeoutError as error:
        raise Refusal("busy", "the picture takes too long to draw: try again later") from error
    finally:
        if program.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                program.kill()
            await program.wait()
    seconds, _, png = drawn.partition(b"\n")
    if program.returncode or not png:
        raise Refusal("not_found", "there is no picture of this")
    return float(seconds), png


def card(title: str, text: str, board: str) -> str:
    """The board, with words beside it."""
    found = re.match(r'<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', board)
    if found is None:
        raise Refusal("not_found", "there is no picture of this")
    wide, high = float(found[1]), float(found[2])
    scale = min(WIDEST / wide, (HEIGHT - 2 * MARGIN) / high)
    x, y = WIDTH - MARGIN - wide * scale, (HEIGHT - high * scale) / 2
    place = f'x="{x:.1f}" y="{y:.1f}" width="{wide * scale:.1f}" height="{high * scale:.1f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="Nunito Sans">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#5a3820"/>'
        f'<rect y="{HEIGHT - 12}" width="{WIDTH}" height="12" fill="#c9983f"/>'
        f"{_words(title, text, x - 2.5 * MARGIN)}"
        f"<svg {place} {board.removeprefix('<svg ')}</svg>"
    )


def _words(title: str, text: str, width: float) -> str:
    """Title and text in lines that fit, one below the other, in the middle of the height."""
    parts = [(line, 54, 700, "#f5ecdb") for line in wrapped(title, width, 54)]
    parts += [(line, 30, 400, "#e8c271") for line in wrapped(text, width, 30)]
    y = (HEIGHT - sum(size * 1.25 for _, size, *_ in parts)) / 2
    drawn = []
    for line, size, weight, colour in parts:
        y += size * 1.25
        look = f'font-size="{size}" font-weight="{weight}" fill="{colour}"'
        drawn.append(f'<text x="{2 * MARGIN}" y="{y - size * 0.35:.0f}" {look}>{escape(line)}</text>')
    return "".join(drawn)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text in lines of about this width; what is too long ends in dots."""
    most = max(4, int(width / (LETTER * size)))
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= most:
            lines[-1] = joined
        else:
            lines.append(word)
    lines = [line if len(line) <= most else f"{line[: most - 1]}…" for line in lines if line]
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], f"{lines[LINES - 1][: most - 1]}…"]
