"""Checks of the picture: it can be drawn, read and picked from in every position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

from parlour.engine import diagram
from parlour.engine.check.blame import Failed
from parlour.engine.check.matches import trials
from parlour.engine.check.parts import clause_numbers
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.picture import Flash as Flashing
from parlour.engine.picture import Fly, Picture, Step, Walk
from parlour.engine.seen import Seen

PLIES = 25
FORBIDDEN = {"script", "style", "foreignObject"}  # elements that no page would show
MANY = 60  # choices that are looked at in one position


def check_picture(game: Game) -> None:
    """It is drawn for every position, well-formed; what choices and events name is there, and can be told apart."""
    for trial in trials(game, 6):
        with trial:
            before: set[str] = set()
            backdrop = None
            for match in trial.positions(PLIES):
                seen = match.seen_by(match.to_move if match.seats else None)
                backdrop = backdrop or seen.backdrop
                if match.game.looks.picture is not None and seen.backdrop != backdrop:
                    raise Failed("the backdrop changes during a match: what changes belongs to the scene")
                there = _check_drawing(seen.picture)
                if has_explanations(game) and match.state.ply % 6 == 0:
                    _check_explanations(seen)
                _check_choices(seen, there)
                _check_motion(match, before | there)
                before = there
    for drawn in game.looks.diagrams:
        _elements(diagram.draw(game, drawn))
    for setting_seats in {game.seats[0], game.seats[1]}:
        if len(game.looks.marks(setting_seats)) != setting_seats:
            raise Failed(f"there are not {setting_seats} marks for as many seats")


def check_position(match: Match, *, explained: bool) -> None:
    """The picture of one position, and its choices in it; and whether everything there is explained."""
    seen = match.seen_by(match.to_move if match.seats else None)
    _check_choices(seen, _check_drawing(seen.picture))
    if explained and has_explanations(match.game):
        _check_explanations(seen)
    if match.game.looks.picture is not None:
        _check_inside(match.game.looks.picture.size, _elements(seen.picture)[0])


def _check_inside(size: tuple[float, float], root: ElementTree.Element) -> None:
    """No spot lies outside the picture, as far as that can be told without drawing it."""
    waiting = [(root, 0.0, 0.0)]
    while waiting:
        element, x, y = waiting.pop()
        transform = element.get("transform", "")
        moved = re.fullmatch(r"translate\(\s*([-\d.]+)(?:[\s,]+([-\d.]+))?\s*\)", transform)
        if transform and not moved:
            continue
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2] or 0)
        if "data-spot" in element.attrib and (middle := _middle(element)) is not None:
            across, down = x + middle[0], y + middle[1]
            if not (0 <= across <= size[0] and 0 <= down <= size[1]):
                raise Failed(
                    f"the spot {element.get('data-spot')!r} lies at {across:g}, {down:g}, outside the picture of "
                    f"{size[0]:g} by {size[1]:g}"
                )
        waiting += [(child, x, y) for child in element]


def _middle(element: ElementTree.Element) -> tuple[float, float] | None:
    """The middle of a circle or a rectangle."""
    kind = element.tag.rpartition("}")[2]
    try:
        if kind in ("circle", "ellipse"):
            return float(element.get("cx", 0)), float(element.get("cy", 0))
        if kind == "rect":
            left, top, wide, high = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
            return left + wide / 2, top + high / 2
    except ValueError:  # a percentage, say
        pass
    return None


def _elements(svg: str) -> list[ElementTree.Element]:
    try:
        return list(ElementTree.fromstring(svg).iter())
    except ElementTree.ParseError as error:
        line, column = error.position
        near = svg.splitlines()[line - 1][max(0, column - 40) : column + 20]
        raise Failed(f"the picture is not well-formed: {error.msg}, near {near!r}") from error


def _check_drawing(svg: str) -> set[str]:
    """The names of all spots and items, each of which is there once."""
    elements = _elements(svg)
    for element in elements:
        name = element.tag.rpartition("}")[2]
        strange = [key for key in element.attrib if key == "style" or key.startswith("on")]
        if name in FORBIDDEN or strange:
            raise Failed(f"the picture has a {strange[0] if strange else name}, which no page shows")
        if "data-spot" in element.attrib and not element.get("aria-label", "").strip():
            raise Failed(f"the spot {element.get('data-spot')!r} has no aria-label to say what is there")
    for kind in ("id", "data-spot"):
        twice = [name for name, count in Counter(_values(elements, kind)).items() if count > 1]
        if twice:
            raise Failed(f"two elements have the {kind} {twice[0]!r}")
    return {*_values(elements, "id"), *_values(elements, "data-spot")}


def has_explanations(game: Game) -> bool:
    """Whether the game says what things in its picture are."""
    return game.looks.picture is not None and game.looks.picture.explain is not Picture.explain


def _check_explanations(seen: Seen) -> None:
    """Whoever points at a spot, or at anything else that has a name, is told what it is."""
    elements, clauses = _elements(seen.picture), clause_numbers(seen.game)
    for name in {*_values(elements, "data-spot"), *_values(elements, "data-what")}:
        told = seen.explain(name)
        if told is None or not told.text.strip():
            raise Failed(f"nothing is explained of {name!r} in the picture")
        if told.clause and told.clause not in clauses:
            raise Failed(f"the explanation of {name!r} names clause {told.clause}, which the rulebook does not have")
    if seen.explain("\u2603") is not None:
        raise Failed("something is explained that is not in the picture")


def _values(elements: list[ElementTree.Element], attribute: str) -> Iterator[str]:
    return (value for element in elements if (value := element.get(attribute)) is not None)


def _check_choices(seen: Seen, there: set[str]) -> None:
    step = max(1, len(seen.choices) // MANY)
    for choice in seen.choices[::step]:
        missing = [spot for spot in choice.picks if spot not in there]
        if missing:
            raise Failed(f"{choice.text!r} is picked on {missing[0]!r}, which is not a spot of the scene")


def _check_motion(match: Match, there: set[str]) -> None:
    events = match.plies[-1].events if match.plies else match.opening
    for event in events:
        for step in match.game.looks.motion(event):
            for name in _moved(step):
                if name not in there and not re.fullmatch(r"seat-\d+", name):
                    raise Failed(f"the motion of {type(event).__name__} names {name!r}, which is not in the scene")


def _moved(step: Step) -> tuple[str, ...]:
    """The items and spots that a step names."""
    if isinstance(step, Walk):
        return (step.item, *step.spots)
    if isinstance(step, Fly):
        return (step.item, step.to)
    return step.spots if isinstance(step, Flashing) else ()
