"""Win chances on the page: the bar at a table, the curve in a replay."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Page, ViewportSize, expect

from browsing import PHONE, WIDE, Crowd, is_open_to_all
from serving import Place, Seat

pytestmark = pytest.mark.xdist_group("browser-1")
DROP = [3, 4, 3, 4, 3, 4, 3]  # the last one wins


def play(seats: list[Seat], first: int, last: int) -> None:
    for ply in range(first, last):
        seats[ply % 2].must("act", ply=ply, action=DROP[ply])


def shows(page: Page, ply: int) -> None:
    expect(page.get_by_test_id("table")).to_have_attribute("data-ply", str(ply))


def box(page: Page, testid: str) -> FloatRect:
    found = page.get_by_test_id(testid).bounding_box()
    assert found is not None
    return found


def test_whoever_watches_can_switch_the_bar_on(people: Crowd, place: Place) -> None:
    pair = place.table_of("Ada", "Bob")
    eve = people.person("Eve")
    page = eve.watch(pair[0].table)
    expect(eve.at("chances")).to_be_hidden()
    eve.press("show-chances")
    bar = eve.at("chances")
    expect(bar).to_have_attribute("aria-label", bar_label(place, pair))
    for size, first, last in ((WIDE, 0, 2), (PHONE, 2, 3)):
        page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
        before = box(page, "board"), box(page, "chances")
        play(pair, first, last)
        shows(page, last)
        expect(bar).to_have_attribute("aria-label", bar_label(place, pair))
        assert (box(page, "board"), box(page, "chances")) == before, "nothing jumps"
        expect(bar.locator(".chance")).to_have_count(2)
        is_open_to_all(page)
    page.reload()
    expect(bar).to_be_visible()
    eve.press("show-chances")
    expect(bar).to_be_hidden()


def test_without_hints_nobody_is_shown_it_before_the_end(people: Crowd, place: Place) -> None:
    pair = place.table_of("Ada", "Bob", hints=False)
    ada = people.person("Ada", settings={"playChances": True})
    eve = people.person("Eve", settings={"watchChances": True})
    shows(ada.sit(pair[0].table, pair[0].token), 0)
    shows(eve.watch(pair[0].table), 0)
    play(pair, 0, 3)
    shows(eve.page, 3)
    expect(eve.at("show-chances")).to_be_hidden()
    ada.press("more")
    expect(ada.at("resign")).to_be_visible()
    expect(ada.at("menu-chances")).to_be_hidden()
    for one in (ada, eve):
        expect(one.at("chances")).to_be_hidden()
    play(pair, 3, 7)
    for one in (ada, eve):
        expect(one.at("chances")).to_have_attribute("aria-label", "Win chances: Ada 100%, Bob 0%")


def bar_label(place: Place, pair: list[Seat]) -> str:
    """What the bar says, by what the server says."""
    first = int(100 * place.view(pair[0].table, chances=True)["chances"][0] + 0.5)
    return f"Win chances: Ada {first}%, Bob {100 - first}%"


def test_a_replay_has_a_curve_that_leads_to_every_ply(people: Crowd, place: Place) -> None:
    pair = place.table_of("Ada", "Bob")
    play(pair, 0, 7)
    eve = people.person("Eve")
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url) if "/chances" in request.url else None)
    page = eve.go(f"/replay/{pair[0].table}")
    eve.at("show-chances").click()
    expect(page.locator("[data-testid=curve] polygon")).to_have_count(2)
    assert len(asked) == 1
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".seat")).to_have_count(2)
    assert page.locator(".seats").evaluate("list => list.scrollHeight - list.clientHeight") <= 0, "both seats are seen"
    curve = box(page, "curve")
    for part, ply in ((0.5, 4), (1.0, 7), (0.0, 0)):
        page.mouse.click(curve["x"] + 1 + (curve["width"] - 2) * part, curve["y"] + 10)
        expect(page.get_by_test_id("replay")).to_have_attribute("data-ply", str(ply))
    eve.press("last")
    expect(eve.at("chances")).to_have_attribute("aria-label", "Win chances: Ada 100%, Bob 0%")
    is_open_to_all(page)


def test_whoever_plays_against_a_bot_finds_it_in_the_menu(people: Crowd, place: Place) -> None:
    ada = people.person("Ada", phone=True)
    seat = place.sit(place.open(bots={"1": "random"})["table"]["id"], "Ada")
    ada.sit(seat.table, seat.token)
    expect(ada.at("show-chances")).to_be_hidden()
    for words, is_shown in (("Show win chances", True), ("Hide win chances", False)):
        ada.press("more")
        expect(ada.at("menu-chances")).to_have_text(words)
        ada.press("menu-chances")
        expect(ada.at("menu-chances")).to_be_hidden()
        expect(ada.at("chances").locator(".chance")).to_have_count(2)
        expect(ada.at("chances")).to_be_visible(visible=is_shown)
