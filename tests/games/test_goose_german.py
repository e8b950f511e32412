"""The Game of the Goose in German: every hazard with its preposition, and all that stands on the board."""

from __future__ import annotations

from math import dist
from xml.etree import ElementTree

import pytest

from parlour.engine import Event
from parlour.engine.language import speaking
from parlour.games.goose import GAME, events

SEATS = ["Anna", "Bert"].__getitem__
SVG = "{http://www.w3.org/2000/svg}"
NAMES = {"Brücke", "Hotel", "Brunnen", "Labyrinth", "Gefängnis", "Tod", "Getränk"}


@pytest.mark.parametrize(
    ("space", "words"),
    [
        (6, "Anna landet auf der Brücke (6) und geht hinüber"),
        (19, "Anna landet im Hotel (19) und setzt einmal aus"),
        (31, "Anna landet im Brunnen (31) und wartet, bis jemand zu Hilfe kommt"),
        (42, "Anna landet im Labyrinth (42) und verirrt sich"),
        (52, "Anna landet im Gefängnis (52) und wartet auf die Befreiung"),
        (58, "Anna landet beim Tod (58) und muss von vorn beginnen"),
        (61, "Anna landet beim Getränk (61) und muss das Glas austrinken"),
    ],
)
def test_every_hazard_in_german(space: int, words: str) -> None:
    with speaking("de"):
        assert events.OnHazard(0, space).tell(SEATS) == words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.ThrewToBegin(1, 6, 2), "Bert würfelt um den Anfang: 6 und 2"),
        (events.Moved(0, 60, 60, turned=True), "Anna zieht von 60 auf 63 und zählt 3 zurück, auf 60"),
        (events.Moved(0, 59, 55), "Anna zieht von 59 zurück auf 55"),
        (events.OnGoose(0, 59, back=True), "auf Feld 59 ist eine Gans: Anna zieht mit demselben Wurf weiter zurück"),
        (events.PaidStake(0, 3), "Anna zahlt einen Einsatz, das macht 3 im Topf"),
        (events.SharedPool(0, 2), "der Topf wird geteilt: Anna bekommt 2"),
    ],
)
def test_the_beginning_the_way_back_and_the_stakes_in_german(event: Event, words: str) -> None:
    with speaking("de"):
        assert event.tell(SEATS) == words


def test_what_the_lobby_shows_in_german() -> None:
    with speaking("de"):
        assert GAME.said(GAME.title) == "Gänsespiel"
        assert [GAME.said(option.takes) for option in GAME.options] == ["39 oder 30", "ja oder nein", "ja oder nein"]
        assert [GAME.said(name) for name in GAME.seat_names] == ["Rot", "Blau", "Grün", "Gelb"]


def picture(*spaces: int, **options: int) -> ElementTree.Element:
    """A position in German: Red waits where it stands; with stakes, two have paid into the pool."""
    state = GAME.blank(len(spaces), **options)
    state.position[: len(spaces)] = spaces
    state.trapped_since[0] = 4
    state.pool, state.balance[:2] = 5, (-3, -2)
    with speaking("de"):
        return ElementTree.fromstring(GAME.looks.svg(state))


def read_out(drawn: ElementTree.Element) -> dict[str, str]:
    """What is said of each spot."""
    spots = [element.attrib for element in drawn.iter() if "data-spot" in element.attrib]
    return {spot["data-spot"]: spot["aria-label"] for spot in spots}


def test_spaces_in_german() -> None:
    words = read_out(picture(31, 19, 26, 31, drink=1, maze=30))
    assert words["0"] == "Start"
    assert words["1"] == "1"
    assert words["5"] == "5: eine Gans, mit demselben Wurf weiter"
    assert words["6"] == "6, Brücke: weiter auf Feld 12"
    assert words["19"] == "19, Hotel: einmal aussetzen; hier: Blau"
    assert words["26"] == "26; hier: Grün"
    assert words["31"] == "31, Brunnen: warten, bis jemand kommt; hier: Rot wartet, Gelb"
    assert words["42"] == "42, Labyrinth: zurück auf Feld 30"
    assert words["52"] == "52, Gefängnis: warten, bis jemand kommt"
    assert words["58"] == "58, Tod: zurück auf den Start"
    assert words["61"] == "61, Getränk: das Glas austrinken"
    assert words["63"] == "63: das Ziel"


def test_stakes_in_german() -> None:
    groups = picture(31, 0, stakes=1).iter(f"{SVG}g")
    words = {element.attrib["aria-label"] for element in groups if "aria-label" in element.attrib}
    assert words == {"Der Topf: 5", "Rot: Stand −3", "Blau: Stand −2"}


def test_letters_on_pieces_are_the_same_in_german() -> None:
    geese = [f"goose-piece-{seat}" for seat in range(4)]
    drawn = picture(31, 2, 3, 4)
    letters = [element.findtext(f".//{SVG}text") for element in drawn.iter() if element.attrib.get("id") in geese]
    assert letters == ["R", "B", "G", "Y"]


def test_names_on_the_board_in_german_leave_every_number_readable() -> None:
    drawn = picture(31, 0, drink=1)
    plates = [circle.attrib for circle in drawn.iter(f"{SVG}circle") if circle.attrib["r"] == "24"]
    ribbons = [found for found in drawn.iter(f"{SVG}g") if found.findtext(f"{SVG}text") in NAMES]
    assert {found.findtext(f"{SVG}text") for found in ribbons} == NAMES
    for ribbon in ribbons:
        x, y = map(float, ribbon.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
        half = float(ribbon[1].attrib["width"]) / 2 + 6  # with its ends
        for plate in plates:
            at = float(plate["cx"]), float(plate["cy"])
            nearest = min(max(at[0], x - half), x + half), min(max(at[1], y - 18), y + 22)
            assert dist(at, nearest) > 15
