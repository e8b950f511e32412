"""The focus stays where one is, Back closes windows, the page stays where one has scrolled, and drags end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browsing import Crowd
from playing import can_choose, look, spot
from serving import Place, Seat, until

pytestmark = pytest.mark.xdist_group("browser-1")


def to_move(seats: list[Seat]) -> Seat:
    return next(seat for seat in seats if seat.view()["choices"])


def test_the_skip_link_leads_to_the_content_and_rebuilds_nothing(people: Crowd) -> None:
    ada = people.person("Ada")
    page = ada.go("/rules/goose")
    expect(ada.at("rulebook")).to_be_visible()
    page.evaluate("() => { document.querySelector('[data-testid=rulebook]').dataset.kept = 'yes'; }")
    page.keyboard.press("Tab")
    expect(ada.at("skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.wait_for_timeout(200)
    expect(ada.at("rulebook")).to_have_attribute("data-kept", "yes")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('main') !== null")


def test_a_clause_is_found_by_its_address(people: Crowd) -> None:
    page = people.person("Ada").go("/rules/verfuchst#clause-9")
    expect(page.locator("#clause-9")).to_be_in_viewport()


def test_an_open_menu_keeps_the_focus_when_others_come_and_talk(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", game="choccer")
    ada, eve = people.person("Ada"), people.person("Eve")
    ada.sit(seats[0].table, seats[0].token)
    ada.press("more")
    ada.at("resign").focus()
    eve.watch(seats[0].table)
    expect(ada.at("watchers")).to_have_text("Watching: 1")
    seats[1].must("chat", text="hello")
    expect(ada.at("tab-chat")).to_have_text("Chat (1)")
    expect(ada.at("resign")).to_be_focused()


def test_who_rolls_by_keyboard_rolls_again_by_keyboard(people: Crowd, place: Place) -> None:
    """The button goes while it is the other's turn; when it is back, it has the focus again."""
    seats = place.table_of("Ada", "Bob", game="goose")
    mine, other = seats if seats[0].view()["choices"] else seats[::-1]
    ada = people.person("Ada")
    page = ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    while not page.evaluate("() => document.activeElement.matches('[data-testid=choice]')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(lambda: other.view()["choices"])
    while (view := other.view())["choices"]:
        other.must("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])
    expect(ada.at("choice").first).to_be_focused()


def test_back_closes_a_window_and_stays_on_the_page(people: Crowd) -> None:
    ada = people.person("Ada")
    ada.go("/rules")
    page = ada.go("/tables")
    ada.press("settings")
    expect(ada.at("dialog")).to_be_visible()
    page.go_back()
    expect(ada.at("dialog")).to_have_count(0)
    expect(page).to_have_url(re.compile("/tables$"))
    ada.press("help")
    page.keyboard.press("Escape")
    expect(ada.at("dialog")).to_have_count(0)
    page.wait_for_timeout(100)
    page.go_back()
    expect(page).to_have_url(re.compile("/rules$"))


def test_a_table_opened_from_a_window_leads_back_to_where_it_was_opened(people: Crowd) -> None:
    ada = people.person("Ada")
    page = ada.go("/")
    page.get_by_test_id("game-goose").get_by_test_id("open-table").click()
    ada.press("open")
    expect(ada.at("waiting")).to_be_visible()
    expect(ada.at("dialog")).to_have_count(0)
    page.go_back()
    expect(ada.at("games")).to_be_visible()


def test_a_phone_stays_where_it_is_scrolled(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", game="choccer")
    mine = to_move(seats)
    other = next(seat for seat in seats if seat is not mine)
    ada = people.person("Ada", phone=True)
    page = ada.sit(other.table, other.token)
    page.set_viewport_size({"width": 360, "height": 480})
    expect(page.locator(".scene [data-spot]").first).to_be_visible()
    page.evaluate("() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    before = page.evaluate("() => window.scrollY")
    assert before > 200, "there is something to scroll"
    mine.must("chat", text="hello")
    expect(ada.at("tab-chat")).to_have_text("Chat (1)")
    mine.must("act", ply=0, action=mine.view()["choices"][0]["action"])
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    assert abs(page.evaluate("() => window.scrollY") - before) < 10


# Dragging.


def press(page: Page, seat: Seat) -> tuple[float, float]:
    """Press the button on a piece; returns where that is."""
    piece = next(choice["picks"][0] for choice in seat.view()["choices"] if len(choice["picks"]) == 2)
    page.locator(spot(piece) + ".is-open").wait_for()
    box = page.locator(spot(piece)).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y


def lift(page: Page, seat: Seat) -> None:
    """Begin to drag a piece."""
    x, y = press(page, seat)
    page.mouse.move(x + 30, y + 10, steps=3)
    expect(page.locator(".is-lifted")).to_have_count(1)


NOTHING_FOLLOWS = """() => document.querySelectorAll(".is-lifted, .scene [style*=translate]").length === 0"""


def test_a_piece_that_is_let_go_outside_the_board_follows_no_more(people: Crowd, place: Place) -> None:
    mine = to_move(place.table_of("Ada", "Bob", game="choccer"))
    page = people.person("Ada").sit(mine.table, mine.token)
    x, y = press(page, mine)
    page.mouse.move(5, 5)
    page.mouse.up()
    page.mouse.move(x, y)
    page.mouse.move(x + 40, y + 40, steps=3)
    assert page.evaluate(NOTHING_FOLLOWS)
    expect(page.locator(".is-picked")).to_have_count(0)


def test_a_release_that_nobody_hears_of_ends_the_drag(people: Crowd, place: Place) -> None:
    """The button comes up outside the window: the next that is heard is a pointer without a button."""
    mine = to_move(place.table_of("Ada", "Bob", game="choccer"))
    page = people.person("Ada").sit(mine.table, mine.token)
    lift(page, mine)
    page.evaluate("""() => document.querySelector("svg.picture").dispatchEvent(
      new PointerEvent("pointermove", { bubbles: true, pointerId: 1, buttons: 0, clientX: 400, clientY: 400 }))""")
    assert page.evaluate(NOTHING_FOLLOWS)
    page.mouse.up()


def test_a_cancelled_pointer_puts_the_piece_back(people: Crowd, place: Place) -> None:
    mine = to_move(place.table_of("Ada", "Bob", game="choccer"))
    page = people.person("Ada").sit(mine.table, mine.token)
    lift(page, mine)
    page.evaluate("""() => document.querySelector("svg.picture").dispatchEvent(
      new PointerEvent("pointercancel", { bubbles: true, pointerId: 1 }))""")
    assert page.evaluate(NOTHING_FOLLOWS)
    expect(page.locator(".is-picked")).to_have_count(0)
    page.mouse.up()
