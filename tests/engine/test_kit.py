"""The kit for pictures: shapes, gradients, boxes, dice, and drawings in files."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations, pairwise
from math import dist, sqrt
from pathlib import Path
from xml.etree import ElementTree

import pytest

import parlour
from parlour.engine.kit import cards
from parlour.engine.kit.art import drawings, used
from parlour.engine.kit.boards import Hexes, Squares, within
from parlour.engine.kit.colours import filled, gradient
from parlour.engine.kit.dice import PIPS, die
from parlour.engine.kit.places import Box, around
from parlour.engine.kit.shapes import box, circle, closed, fitted, line, path, placed, text
from parlour.engine.kit.tokens import LOOKS, SIGNS, cube, meeple, pawn, token
from parlour.engine.kit.tracks import along, counter, market, road, spiral

BOX = Box(10, 20, 100, 40)


def read(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<svg>{drawn}</svg>")


def test_shapes_take_coordinates_and_a_colour_and_whatever_svg_knows() -> None:
    assert circle(1, 2, 3.5, "#fff", opacity=0.5) == '<circle cx="1" cy="2" r="3.5" fill="#fff" opacity="0.5"/>'
    assert box(1, 2, 3, 4, "#fff", rx=2) == '<rect x="1" y="2" width="3" height="4" fill="#fff" rx="2"/>'
    assert path("M0 0H9") == '<path d="M0 0H9" fill="none"/>'
    assert closed([(0, 0), (1.004, 2.5), (-3, 0)]) == "M0 0L1 2.5L-3 0Z"
    drawn = read(line("M0 0H9", "#123", 4))[0]
    assert (drawn.get("stroke"), drawn.get("stroke-width"), drawn.get("stroke-linecap")) == ("#123", "4", "round")
    assert 'stroke-linecap="butt"' in line("M0 0H9", "#123", 4, stroke_linecap="butt")


def test_a_drawing_is_put_in_its_place() -> None:
    assert read(placed(5, 6.25, "<a/>", "<b/>"))[0].get("transform") == "translate(5 6.25)"
    assert read(placed(5, 6, "<a/>", scale=0.5, flip=True, id="x"))[0].attrib == {
        "id": "x",
        "transform": "translate(5 6) scale(-0.5 0.5)",
    }


def test_text_is_bold_unless_told_and_escaped_and_fits() -> None:
    shown = read(text("<A>", 1, 2, 30, "#fff", **fitted("<A>", 2, 50)))[0]
    assert (shown.text, shown.get("font-weight"), shown.get("textLength")) == ("<A>", "bold", "50")
    assert read(text("A", 1, 2, 30, "#fff", font_weight=600))[0].get("font-weight") == "600"
    assert fitted("AB", 2, 50) == {}


def test_gradients() -> None:
    above = read(gradient("sky", "#fff", ("#00f", 0.5), "#000"))[0]
    assert above.tag == "linearGradient"
    assert [(stop.get("offset"), stop.get("stop-opacity")) for stop in above] == [
        ("0", None),
        ("0.5", "0.5"),
        ("1", None),
    ]
    assert (above.get("x2"), above.get("y2")) == ("0", "1")
    assert read(gradient("sun", "#fff", "#000", at=(0.2, 0.7), r=0.5))[0].tag == "radialGradient"
    assert filled("sky") == "url(#sky)"


def test_boxes() -> None:
    assert BOX.middle == (60, 40)
    assert BOX.inset(5) == (15, 25, 90, 30)
    assert BOX.row(3, gap=5) == [(10, 20, 30, 40), (45, 20, 30, 40), (80, 20, 30, 40)]
    assert around((60, 40), 100, 40) == BOX
    spot = read(BOX.spot("d3", 'a "rook"', rx=4))[0]
    assert (spot.get("data-spot"), spot.get("aria-label"), spot.get("fill")) == ("d3", 'a "rook"', "transparent")
    assert (spot.get("x"), spot.get("width"), spot.get("rx")) == ("10", "100", "4")


@pytest.mark.parametrize("value", PIPS)
def test_a_die_shows_as_many_pips_as_it_says(value: int) -> None:
    assert len(read(die(value)).findall("circle")) == value


def test_drawings_in_a_file_are_what_it_defines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "drawn_game"
    package.mkdir()
    (package / "__init__.py").touch()
    shown = '<g id="a"><!-- a\n tree -->\n    <path d="M0 0"/>\n  </g>\n'
    (package / "art.svg").write_text(f"<svg>\n<!-- all --><defs>\n  {shown}</defs>\n<use href='#a'/></svg>")
    (package / "empty.svg").write_text("<svg/>")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert drawings("drawn_game", "art.svg") == '<g id="a"><path d="M0 0"/></g>'
    with pytest.raises(ValueError, match=r"empty.svg in drawn_game has no <defs>"):
        drawings("drawn_game", "empty.svg")


def test_a_drawing_of_a_file_is_used_where_it_belongs() -> None:
    assert used("mygame-tree", 4, 5) == '<use href="#mygame-tree" transform="translate(4 5)"/>'
    turned = used("mygame-tree", 4, 5, scale=2, flip=True, turn=90)
    assert read(turned)[0].get("transform") == "translate(4 5) rotate(90) scale(-2 2)"


@pytest.mark.parametrize(
    "file", sorted(Path(parlour.__file__).parent.glob("games/*/picture/art.svg")), ids=lambda file: file.parts[-3]
)
def test_a_file_of_drawings_can_be_shown_by_itself_and_all_that_is_used_is_there(file: Path) -> None:
    whole = file.read_text("utf-8")
    shown = ElementTree.fromstring(whole)
    ids = [each.get("id") for each in shown.iter() if each.get("id")]
    defined = {*ids}
    assert len(ids) == len(defined)
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', whole)) <= {
        pair for name in defined if name for pair in ((name, ""), ("", name))
    }
    assert all(name.startswith(f"{file.parent.parent.name}-") for name in defined if name)


def test_squares_lie_side_by_side_and_have_names() -> None:
    board = Squares(10, 20, columns=3, rows=2, side=50)
    assert board.box(2, 1) == Box(110, 70, 50, 50)
    assert board.middle(0, 0) == (35, 45)
    assert board.name(1, 3) == "B4"
    spot = read(board.spot(2, 1, "C2, empty"))[0]
    assert (spot.get("data-spot"), spot.get("aria-label"), spot.get("x")) == ("c2", "C2, empty", "110")


def test_a_board_has_two_colours_by_turns() -> None:
    dark, light = read(Squares(0, 0, 3, 3, 10).drawn("#fff", "#000"))
    assert (dark.get("width"), dark.get("fill"), light.get("fill")) == ("30", "#000", "#fff")
    corners = re.findall(r"M(\d+) (\d+)", light.get("d", ""))
    assert corners == [("0", "0"), ("20", "0"), ("10", "10"), ("0", "20"), ("20", "20")]


def test_hexagons_touch_all_around() -> None:
    hexes = Hexes(100, 200, radius=40)
    ring = [field for field in within(1) if field != (0, 0)]
    assert len(ring) == 6
    assert len(within(2)) == 19
    assert all(dist(hexes.middle(*field), hexes.middle(0, 0)) == pytest.approx(40 * sqrt(3)) for field in ring)
    assert hexes.outline(0, 0).count("L") == 5
    assert read(hexes.spot(1, 0, "wood", "a wood"))[0].get("data-spot") == "wood"
    assert len(read(hexes.drawn(within(3), "#fff"))) == 1


@pytest.mark.parametrize("draw", [token, pawn, meeple])
def test_seats_are_told_apart_without_their_colours(draw: Callable[..., str]) -> None:
    assert len({look[:2] for look in LOOKS}) == len(LOOKS) == len(SIGNS)
    shapes = [draw("#fff", "#000", number) for _, _, number in LOOKS]
    assert all(one != other for one, other in combinations(shapes, 2))
    assert all(read(shape) is not None for shape in (*shapes, cube("#fff", "#000")))


def test_places_on_a_track_are_evenly_apart() -> None:
    places = along([(0, 0), (30, 0), (30, 30)], 7)
    assert places == [(0, 0), (10, 0), (20, 0), (30, 0), (30, 10), (30, 20), (30, 30)]
    assert along([(5, 5), (9, 5)], 1) == [(5, 5)]
    assert along([(5, 5), (5, 5), (9, 5)], 2) == [(5, 5), (9, 5)], "a corner may be there twice"
    gaps = [dist(*ends) for ends in pairwise(spiral((0, 0), 40, first=140, last=25, turns=3))]
    assert max(gaps) < 1.3 * min(gaps)
    assert read(road(places, "#123", 9))[0].get("d", "").startswith("M0 0L10 0")


def test_a_counter_keeps_its_words_in_its_room_and_can_be_explained() -> None:
    short = read(counter(BOX, "Clay", 3, name="clay"))
    assert short[0].get("data-what") == "clay"
    assert [word.text for word in short.findall("text")] == ["Clay", "3"]
    long = read(counter(BOX, "Reichsverkehrsministerium", 3)).findall("text")[0]
    assert float(long.get("textLength", "")) < BOX.width


def test_open_cards_can_be_picked() -> None:
    row = market(BOX, ["<a/>", "<b/>"], ["shop-0", "shop-1"], ["a rope", "a lantern"], wide=100)
    spots = [each for each in read(row) if each.get("data-spot")]
    assert [spot.get("aria-label") for spot in spots] == ["a rope", "a lantern"]
    with pytest.raises(ValueError, match="zip"):
        market(BOX, ["<a/>"], [], ["a rope"], wide=100)


def test_a_deck_of_cards_is_drawn_from_what_the_backdrop_has() -> None:
    deck = read(cards.symbols("x"))
    drawn = {part.get("id"): part for part in deck.iter() if part.get("id")}
    assert len(drawn) == 2 + 1 + 4 + 12 + 52 + 1  # two colours, paper, signs, figures, faces, back
    for suit in range(4):
        for rank in range(13):
            face = drawn[f"x-card-{suit}-{rank}"]
            signs = [use.get("href") for use in face.iter("use") if "sign" in str(use.get("href"))]
            middle = {12: 1, 11: 2, 10: 2, 9: 2}.get(rank, rank + 2)  # a court card has two
            assert signs == [f"#x-sign-{suit}"] * (2 + middle)
            assert [part.text for part in face.iter("text")] == [cards.RANKS[rank]] * 2
    hrefs = {str(use.get("href"))[1:] for use in read(cards.face("x", 2, 10) + cards.back("x")).iter("use")}
    assert hrefs == {"x-paper", "x-card-2-10", "x-card-back"}
    assert hrefs | {str(use.get("href"))[1:] for use in deck.iter("use")} <= drawn.keys() | {"x-paper"}


@pytest.mark.parametrize("count", [0, 1, 2, 13, 52])
def test_a_hand_is_fanned_out_within_its_width(count: int) -> None:
    places = list(cards.fan(count, 600))
    assert len(places) == count
    assert all(abs(x) <= 250.01 for x, _, _ in places)  # the middle of a card that is 100 wide
    assert [x for x, _, _ in places] == sorted(x for x, _, _ in places)
    assert [angle for *_, angle in places] == sorted(angle for *_, angle in places)
    assert sum(x for x, _, _ in places) == pytest.approx(0)
    assert all(y >= 0 for _, y, _ in places)  # the outer cards lie lower
