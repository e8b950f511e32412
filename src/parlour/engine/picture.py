"""Pictures: a position as SVG, what in it can be picked, and how it moves. All of it in Python.

A *spot* is an element with ``data-spot="d3"`` and an ``aria-label``; the scene has one for everything that can ever be
picked, whether or not it can be now. It may say which seat it belongs to (``data-owner="0"``), so that the page can
show people where theirs are. An *item* is an element whose ``id`` stays the same while it moves about.
Colours are presentation attributes: no ``style`` and no ``<style>``, so that the strictest page may show the picture.
A wide board is small on a phone, so a picture may say how it *stands upright*: ``Picture(upright=(width, height))``,
and on each element that then lies elsewhere ``data_upright=upright(transform="...")``. Pieces and words are only moved.
Everything is the same for all who look, but for the language of its words: see ``cache_spoken`` in
``parlour.engine.language`` for what is worth keeping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from parlour.engine.explanation import Explanation
from parlour.engine.journal import Event
from parlour.engine.state import State

if TYPE_CHECKING:
    from parlour.engine.diagram import Diagram


class Dice(Struct, frozen=True, gc=False, tag_field="do", tag="dice"):
    """Dice are rolled and show these values. Where the picture itself shows them then, they need not stay beside it."""

    values: tuple[int, ...]
    sides: int = 6
    stay: bool = True


class Walk(Struct, frozen=True, gc=False, tag_field="do", tag="walk"):
    """An item goes from where it is over these spots to the last of them."""

    item: str
    spots: tuple[str, ...]


class Fly(Struct, frozen=True, gc=False, tag_field="do", tag="fly"):
    """An item flies straight to a spot, or to a seat's place beside the board: ``seat-0``."""

    item: str
    to: str


class Flash(Struct, frozen=True, gc=False, tag_field="do", tag="flash"):
    """Something happened on these spots."""

    spots: tuple[str, ...]


Step = Dice | Walk | Fly | Flash


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells a seat from the others: a letter, in ink that can be read on its colour."""

    letter: str
    colour: str
    ink: str


def _no_motion(event: Event) -> Sequence[Step]:
    return ()


def _no_way(state: State, action: int) -> str:
    return ""


def _no_explanation(state: State, name: str) -> Explanation | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Picture:
    """How a game is drawn. A game's picture module ends with ``PICTURE = Picture(...)``.

    size                   width and height of the picture, in units of its own
    backdrop(state)        what never changes during a match: the board
    scene(state)           what does: pieces, cards, dice; and the spots that can be picked. One text, or several in a
                           list, of which browsers are sent those that have changed
    picks(state, action)   the spots that name the action, in the order they are picked: a piece, then a place.
                           An action without spots becomes a button under the board.
    motion(event)          optional: what moves when the event happens
    way(state, action)     optional, for games of many orders a turn: what orders of several squares have in common
                           ("east"), so that they can be given together. Those of the same spots are for one, two,
                           three and so on
    explain(state, name)   optional: what the spot of that name is and does, for whoever points at it; or what else has
                           that name in the picture, as ``data-what``: decks, counters, the score. What lies under
                           something with ``data-over`` as well is not pointed at
    mark(seat, seats)      optional: a letter on a colour, as the picture has them: the seat's badge beside it
    diagrams               optional: positions for the rulebook, see ``parlour.engine.diagram``
    upright                optional: width and height of the picture where it stands upright, which pages choose where
                           everything is larger so. What then lies elsewhere says so itself: see ``upright`` below
    """

    size: tuple[float, float]
    backdrop: Callable[[State], str]
    scene: Callable[[State], str | Sequence[str]]
    picks: Callable[[State, int], Sequence[str]]
    motion: Callable[[Event], Sequence[Step]] = _no_motion
    way: Callable[[State, int], str] = _no_way
    explain: Callable[[State, str], Explanation | None] = _no_explanation
    mark: Callable[[int, int], Mark] | None = None
    diagrams: tuple[Diagram, ...] = ()
    upright: tuple[float, float] | None = None

    def ground(self, state: State) -> str:
        """The backdrop; around that of a picture that can stand upright, how large it is then."""
        drawn = self.backdrop(state)
        if self.upright is None:
            return drawn
        return tag("g", drawn, data_upright_size=" ".join(map(number, self.upright)))


def parts_of(scene: str | Sequence[str]) -> tuple[str, ...]:
    """A scene in parts, as the game has them; one text is parted between its elements."""
    return tuple(scene.replace("><", ">\0<").split("\0") if isinstance(scene, str) else scene)


@cache
def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def tag(name: str, /, *children: str, **attributes: object) -> str:
    """An SVG element: ``tag("circle", cx=3, cy=4, r=1, fill="red", data_spot="d3")``.

    Underscores become hyphens, a trailing one is dropped (``class_``), and ``None`` leaves an attribute out.
    """
    written = "".join(
        f' {_attribute(key)}="{escape(number(value) if isinstance(value, float) else str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def upright(**attributes: object) -> str:
    """What an element has where the picture stands upright, for ``data_upright``: ``upright(transform="rotate(90)")``.

    As in ``tag``, underscores become hyphens. Whatever is not named stays as it is; ``display="none"`` hides.
    """
    return ";".join(
        f"{_attribute(key)}:{number(value) if isinstance(value, float) else value}" for key, value in attributes.items()
    )


def number(value: float) -> str:
    """A coordinate in as few characters as two decimals need."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def label(content: object, **attributes: object) -> str:
    """Text in the picture, centred on its point unless told otherwise; escaped."""
    attributes = {"text_anchor": "middle", "dominant_baseline": "central", **attributes}
    return tag("text", escape(str(content)), **attributes)


def group(children: Iterable[str], **attributes: object) -> str:
    return tag("g", "".join(children), **attributes)


def parted(children: Iterable[str], **attributes: object) -> list[str]:
    """A group whose beginning, children and end are parts of the scene, each on its own."""
    return [tag("g", "", **attributes).removesuffix("</g>"), *children, "</g>"]


def whole(size: tuple[float, float], title: str, *parts: str) -> str:
    """The picture as a document of its own."""
    width, height = size
    return tag(
        "svg",
        tag("title", escape(title)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="group",
        font_family="'Nunito Sans', ui-rounded, 'DejaVu Sans', system-ui, sans-serif",
    )
