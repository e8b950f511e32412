"""A wide board on a phone: its picture stands upright, so squares are large, and all that one does there follows."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browsing import Crowd, Person, is_open_to_all
from serving import Place, Seat, until

pytestmark = pytest.mark.xdist_group("browser-1")
PHONE = {"width": 390, "height": 844}
FINGER = 44  # pixels

# How far words and pieces are turned, and how far each piece is from the middle of the square that it stands on.
CROOKED = """() => {
  const turned = [...document.querySelectorAll(".picture text, .scene [id] use")]
    .filter((one) => one.checkVisibility())
    .map((one) => one.getScreenCTM()).filter(({ b, c }) => Math.abs(b) + Math.abs(c) > 1e-6);
  const middle = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const astray = [...document.querySelectorAll(".scene [id^=choccer-piece-]")].filter((piece) => {
    const [x, y] = middle(piece);
    const square = document.querySelector(`[data-spot="${piece.id.slice(-2)}"]`).getBoundingClientRect();
    return x < square.left || x > square.right || y < square.top || y > square.bottom;
  });
  return [turned.length, astray.map((piece) => piece.id)];
}"""


def box(page: Page, spot: str) -> dict[str, Any]:
    found = page.locator(f'[data-spot="{spot}"]').bounding_box()
    assert found
    return dict(found)


def middle(page: Page, spot: str) -> tuple[float, float]:
    found = box(page, spot)
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def stands(page: Page) -> bool:
    """Whether Black's side is below White's, and not beside it."""
    (x, y), (other_x, other_y) = middle(page, "A3"), middle(page, "K3")
    return abs(x - other_x) < 1 and other_y > y


def sitting(people: Crowd, place: Place) -> tuple[Person, Seat, Seat]:
    black, white = place.table_of("Ada", "Bob", game="choccer")
    ada = people.person("Ada", phone=True)
    page = ada.sit(black.table, black.token)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.locator('[data-spot="H3"].is-open').wait_for()
    return ada, black, white


def test_a_wide_board_stands_upright_on_a_phone_and_fingers_find_its_squares(people: Crowd, place: Place) -> None:
    ada, black, white = sitting(people, place)
    page = ada.page
    until(lambda: stands(page))
    sides = [box(page, f"{column}{row}") for column in "ABCDEFGHIJK" for row in range(7)]
    assert min(min(side["width"], side["height"]) for side in sides) >= FINGER
    assert page.evaluate(CROOKED) == [0, []]
    is_open_to_all(page)
    page.locator('[data-spot="H3"]').tap()
    expect(page.locator('[data-spot="G3"]')).to_have_class(re.compile("is-next"))
    page.locator('[data-spot="G3"]').tap()
    ada.press("confirm")
    expect(page.locator('[data-spot="G3"]')).to_have_class(re.compile("is-last"))
    until(lambda: page.evaluate(CROOKED) == [0, []])
    expect(page.locator("#choccer-piece-G3")).to_have_count(1)
    white.must("act", ply=1, text="D0-E1")
    expect(page.locator('[data-spot="E1"]')).to_have_class(re.compile("is-last"))
    assert page.evaluate(CROOKED) == [0, []]
    page.set_viewport_size({"width": 844, "height": 390})
    until(lambda: not stands(page))
    assert page.evaluate(CROOKED) == [0, []]
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    until(lambda: stands(page))
    assert page.evaluate(CROOKED) == [0, []]
    assert black.view()["position"]["ply"] == 2


def test_pieces_are_dragged_and_keys_lead_over_a_board_that_stands(people: Crowd, place: Place) -> None:
    ada, _, white = sitting(people, place)
    page = ada.page
    until(lambda: stands(page))
    page.mouse.move(*middle(page, "H2"))
    page.mouse.down()
    page.mouse.move(*middle(page, "G2"), steps=4)
    lifted = page.locator(".is-lifted").bounding_box()
    assert lifted
    assert abs(lifted["x"] + lifted["width"] / 2 - middle(page, "G2")[0]) < FINGER / 2
    assert abs(lifted["y"] + lifted["height"] / 2 - middle(page, "G2")[1]) < FINGER / 2
    page.mouse.up()
    expect(page.locator('[data-spot="G2"]')).to_have_class(re.compile("is-last"))
    white.must("act", ply=1, text="D0-E1")
    page.locator('[data-spot="H4"].is-open').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-spot="H3"]')).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-spot^=I]:focus")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".is-picked")).to_have_count(1)


def test_what_moves_on_a_board_that_stands_comes_where_it_belongs(people: Crowd, place: Place) -> None:
    """With motion, and in a replay."""
    black, white = place.table_of("Ada", "Bob", game="choccer")
    black.must("act", ply=0, text="H3-G3")
    white.must("act", ply=1, text="D0-E1")
    ada = people.person("Ada", phone=True, settings={"speed": "fast"})
    page = ada.page
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    ada.sit(black.table, black.token)
    page.locator('[data-spot="G3"].is-open').wait_for()
    black.must("act", ply=2, text="G3-F3")
    expect(page.locator("#choccer-piece-F3")).to_have_count(1)
    until(lambda: page.evaluate(CROOKED) == [0, []])
    black.must("resign")
    ada.go(f"/replay/{black.table}?ply=1")
    ada.at("scrubber").wait_for()
    until(lambda: page.locator("#choccer-piece-G3").count() == 1)
    assert stands(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#choccer-piece-E1")).to_have_count(1)
    assert page.evaluate(CROOKED) == [0, []]
