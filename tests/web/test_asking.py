"""What is said about the board: it stays until it has been read, and is never in the way."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browsing import Crowd, Person
from playing import can_choose, look
from serving import Place, mover, until

pytestmark = pytest.mark.xdist_group("browser-1")
LONG = 1500  # milliseconds in which whatever goes away by itself has gone

# The part of the bubble that lies over what can be chosen next, in pixels.
COVERED = """() => {
  const one = document.querySelector("[data-testid=explanation]").getBoundingClientRect();
  const over = ({ left, right, top, bottom }) =>
    Math.max(0, Math.min(one.right, right) - Math.max(one.left, left))
    * Math.max(0, Math.min(one.bottom, bottom) - Math.max(one.top, top));
  const goals = [...document.querySelectorAll(".scene .is-next")].map((spot) => spot.getBoundingClientRect());
  return goals.reduce((sum, box) => sum + over(box), 0);
}"""
# The middles of all places that cannot be chosen.
CLOSED = """() => [...document.querySelectorAll(".scene [data-spot]:not(.is-open)")].map((spot) => {
  const { left, right, top, bottom } = spot.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
})"""


def at_choccer(people: Crowd, place: Place) -> tuple[Person, Page]:
    """Somebody on a phone whose turn it is."""
    seat = mover(place.table_of("Ada", "Bob", game="choccer"))
    ada = people.person("Ada", phone=True)
    page = ada.sit(seat.table, seat.token)
    until(lambda: can_choose(look(ada)))
    return ada, page


def middle(page: Page, query: str) -> dict[str, Any]:
    box = page.locator(query).first.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def test_what_a_finger_asks_stays_until_it_is_closed(people: Crowd, place: Place) -> None:
    ada, page = at_choccer(people, place)
    told = ada.at("explanation")
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle(page, '[data-spot="D3"]')]})
    expect(told).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(LONG)
    expect(told).to_be_visible()
    told.get_by_role("button", name="Close").tap()
    expect(told).to_be_hidden()


def test_what_is_asked_by_tapping_stays_until_it_is_closed(people: Crowd, place: Place) -> None:
    ada, page = at_choccer(people, place)
    told = ada.at("explanation")
    ada.press("ask")
    point = middle(page, '[data-spot="D3"]')
    page.touchscreen.tap(point["x"], point["y"])
    expect(told).to_contain_text("circle")
    page.wait_for_timeout(LONG)
    expect(told).to_contain_text("circle")
    told.get_by_role("button", name="Close").tap()
    expect(told).to_be_hidden()
    expect(ada.at("ask")).to_have_attribute("aria-pressed", "true")
    page.touchscreen.tap(point["x"], point["y"])
    expect(told).to_be_visible()
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    expect(ada.at("ask")).to_have_attribute("aria-pressed", "false")


def test_why_not_covers_no_legal_square_and_takes_no_tap(people: Crowd, place: Place) -> None:
    """After each wrong square that one may tap, the right ones are free."""
    ada, page = at_choccer(people, place)
    told = ada.at("explanation")
    first = middle(page, ".scene .is-open")
    page.touchscreen.tap(first["x"], first["y"])
    goals = page.locator(".scene .is-next")
    expect(goals.first).to_be_visible()
    tried = 0
    for x, y in page.evaluate(CLOSED)[::3]:
        page.touchscreen.tap(x, y)
        expect(told).to_be_visible()
        assert page.evaluate(COVERED) == 0, f"after a tap at {x:.0f}, {y:.0f}"
        tried += 1
    assert tried > 10
    goal = middle(page, ".scene .is-next")
    page.touchscreen.tap(goal["x"], goal["y"])
    expect(ada.at("confirm")).to_be_visible()
