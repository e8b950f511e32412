"""Pages for everybody: axe-core finds nothing serious on any of them, light or dark, narrow or wide."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browsing import OF_COLOURS, Crowd, is_open_to_all
from playing import can_choose, look
from serving import Place, Server, play_out, until

pytestmark = pytest.mark.xdist_group("browser-1")
GAMES = ["choccer", "connect_four", "game17", "goose", "mazerunner", "verfuchst"]
everywhere = pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    """The table of a match that is over."""
    return str(play_out(server.place.table_of("Ada", "Bob", game="connect_four"))["id"])


def is_open_in_any_light(page: Page) -> None:
    """Light, and dark once its colours have changed: nothing else is different there."""
    is_open_to_all(page)
    page.emulate_media(color_scheme="dark")
    page.evaluate("() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished))")
    is_open_to_all(page, OF_COLOURS)
    page.emulate_media(color_scheme="light")


@everywhere
def test_pages_around_the_table(phone: bool, people: Crowd, finished: str) -> None:
    people.troubles.allow("404")
    page = (ada := people.person("Ada", phone=phone)).page
    for path in (
        "/",
        "/tables",
        "/replay",
        f"/replay/{finished}",
        f"/table/{finished}",
        "/rules",
        "/rules/goose",
        "/learn",
        "/learn/goose",
        "/no",
    ):
        ada.go(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        if path == f"/replay/{finished}":
            ada.at("moves").wait_for()
        is_open_in_any_light(page)


@everywhere
def test_windows_over_the_page(phone: bool, people: Crowd) -> None:
    ada = people.person("Ada", phone=phone)
    page = ada.go()
    for testid in ("help", "settings"):
        ada.press(testid)
        expect(ada.at("dialog")).to_be_visible()
        is_open_in_any_light(page)
        page.keyboard.press("Escape")
    page.locator("[data-testid=game-game17] [data-testid=open-table]").click()
    expect(ada.at("opening")).to_be_visible()
    ada.press("more-settings")
    is_open_in_any_light(page)


@everywhere
def test_every_game_at_its_table(phone: bool, people: Crowd, place: Place) -> None:
    ada = people.person("Ada", phone=phone)
    for game in GAMES:
        seats = place.table_of("Ada", "Bob", game=game)
        mine = next(seat for seat in seats if seat.view()["choices"])
        page = ada.sit(mine.table, mine.token)
        until(lambda: can_choose(look(ada)))
        is_open_in_any_light(page)


@everywhere
def test_what_opens_at_the_table(phone: bool, people: Crowd, place: Place) -> None:
    """The menu, sharing, a draw that is offered, what a thing on the board is, the rulebook, the card at the end."""
    ada = people.person("Ada", phone=phone)
    mine, other = place.table_of("Ada", "Bob", game="choccer")
    page = ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    ada.press("more")
    expect(ada.at("turn-push")).to_be_visible()
    is_open_in_any_light(page)
    ada.press("more")
    ada.press("share")
    expect(ada.at("dialog")).to_be_visible()
    is_open_in_any_light(page)
    page.keyboard.press("Escape")
    other.must("draw")
    expect(ada.at("accept-draw")).to_be_visible()
    is_open_in_any_light(page)
    ada.press("decline-draw")
    expect(ada.at("decline-draw")).to_be_hidden()  # all else has moved to where it stays
    ada.press("ask")
    page.keyboard.press("ArrowRight")
    expect(ada.at("explanation")).to_be_visible()
    ada.press("rules")
    expect(ada.at("rules-panel")).to_be_visible()
    is_open_in_any_light(page)
    ada.press("close-rules")
    other.must("resign")
    expect(ada.at("ending")).to_be_visible()
    is_open_in_any_light(page)
