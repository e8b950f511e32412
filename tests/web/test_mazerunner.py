"""mazerunner for people: one bot to begin with, a large maze on a phone, choices that explain themselves."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browsing import Crowd, is_open_to_all
from serving import Place, Seat, mover, until

pytestmark = pytest.mark.xdist_group("browser-1")
PHONE = {"width": 390, "height": 844}
BLOCK, FINGER = 36, 44  # pixels


def go_on(seat: Seat, text: str) -> None:
    seat.must("act", ply=seat.view()["position"]["ply"], text=text)


def test_the_first_match_is_against_one_bot(people: Crowd) -> None:
    ada = people.person("Ada")
    page = ada.go()
    page.locator("[data-testid=game-mazerunner] [data-testid=play-now]").click()
    ada.at("table").wait_for()
    expect(ada.at("seats").locator("li")).to_have_count(2)


def test_the_maze_is_large_on_a_phone_and_the_rest_is_in_a_drawer(people: Crowd, place: Place) -> None:
    seat = mover(place.table_of("Ada", "Bob", game="mazerunner", seats=2))
    ada = people.person("Ada", phone=True)
    page = ada.sit(seat.table, seat.token)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    shop, drawer = page.locator('[data-spot="shop-0"]'), ada.at("drawer")
    expect(drawer).to_have_text("Shop, map")
    expect(drawer).to_have_attribute("aria-expanded", "false")
    expect(shop).to_be_hidden()
    ada.press("drawer")
    expect(shop).to_be_in_viewport(ratio=1)
    expect(page.locator('[data-spot="deck-0"]')).to_be_in_viewport(ratio=1)
    is_open_to_all(page)
    ada.press("drawer")
    expect(shop).to_be_hidden()
    go_on(seat, "move")
    until(lambda: any(choice["text"] == "keep" for choice in seat.view()["choices"]))
    go_on(seat, "keep")
    entrance = page.locator('[data-spot="M12"].is-open')
    expect(entrance).to_be_visible()
    box = entrance.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= FINGER
    block = page.locator('[data-spot="M13"]').bounding_box()
    assert block
    assert block["width"] >= BLOCK
    for name in ("hp-0", "iron-1", "steps", "power"):
        expect(page.locator(f'[data-spot="{name}"]')).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(drawer).to_be_hidden()
    expect(shop).to_be_visible()


def test_the_drawer_opens_where_one_chooses_from_it(people: Crowd) -> None:
    ada = people.person("Ada", phone=True)
    page = ada.page
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    ada.go("/learn/mazerunner?step=8")
    expect(page.locator('[data-spot="shop-1"].is-open')).to_be_in_viewport(ratio=1)
    expect(ada.at("drawer")).to_have_attribute("aria-expanded", "true")
    page.locator('[data-spot="shop-1"]').tap()
    ada.press("confirm")
    expect(page.locator(".answer .is-right")).to_be_visible()


def test_a_step_says_what_the_fight_there_would_bring(people: Crowd) -> None:
    """After the lost fight of the lesson, the skeleton waits in the north, with 4 health against a power of 12."""
    ada = people.person("Ada")
    ada.go("/learn/mazerunner?step=7")
    north = ada.at("choice").filter(has_text="north")
    expect(north).to_contain_text("skeleton: you win")


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_a_button_says_more_while_one_rests_on_it(phone: bool, people: Crowd, place: Place) -> None:
    """With the mouse or a finger; neither chooses anything."""
    seat = mover(place.table_of("Ada", "Bob", game="mazerunner", seats=2))
    go_on(seat, "move")
    go_on(seat, "keep")
    ada = people.person("Ada", phone=phone)
    page = ada.sit(seat.table, seat.token)
    button = page.get_by_test_id("choice").filter(has_text="north")
    if phone:
        button.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True, "button": 0})
    else:
        button.hover()
    expect(ada.at("explanation")).to_contain_text("It costs two half steps; something is met here")
    if phone:
        button.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True, "button": 0})
        button.dispatch_event("click")
    assert seat.view()["position"]["ply"] == 2
    expect(button).to_be_visible()
