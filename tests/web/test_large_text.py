"""Text at 200%, and the browser's zoom at 200%: every page still fits the screen, and everything can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from browsing import Crowd, Person, crowd, launch
from fitting import faults
from parlour.engine import registry
from serving import Server, mover, play_out

pytestmark = pytest.mark.xdist_group("browser-1")
TWICE = "--blink-settings=defaultFontSize=32"  # as somebody has set it who needs large letters


@dataclass(frozen=True)
class Screen:
    """How somebody has made everything twice as large."""

    width: int
    height: int
    text: bool = False  # the letters alone; else all of the page
    phone: bool = False

    @property
    def context(self) -> dict[str, Any]:
        scale = 1 if self.text else 2  # to zoom is to have a smaller screen with finer dots
        return {
            "viewport": {"width": self.width // scale, "height": self.height // scale},
            "device_scale_factor": scale,
            "has_touch": self.phone,
        }


SCREENS = {
    "laptop-zoom": Screen(1280, 800),
    "phone-zoom": Screen(390, 844, phone=True),
    "laptop-text": Screen(1280, 800, text=True),
    "phone-text": Screen(390, 844, text=True, phone=True),
}


@pytest.fixture(scope="module")
def large(playwright: Playwright) -> Iterator[Browser]:
    """A browser whose letters are twice as large as usual."""
    running = launch(playwright, TWICE)
    yield running
    running.close()


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    return str(play_out(server.place.table_of("Ada", "Bob", "Cid", "Dan", game="verfuchst"))["id"])


@pytest.fixture(params=SCREENS)
def ada(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Person]:
    screen = SCREENS[request.param]
    with ExitStack() as stack:
        seen_by = request.getfixturevalue("large") if screen.text else browser
        people: Crowd = stack.enter_context(crowd(seen_by, server.url))
        people.troubles.allow("404")
        person = people.person("Ada", settings={"tellEnd": True, "watchChances": True}, **screen.context)
        person.touches = screen.phone
        yield person


def test_every_page_fits(ada: Person, finished: str, server: Server) -> None:
    found: dict[str, list[str]] = {}
    open_table = server.place.open("goose", seats=3)["table"]["id"]
    paths = ["/", "/tables", "/replay", f"/replay/{finished}", f"/table/{finished}", f"/table/{open_table}"]
    paths += ["/rules", "/rules/verfuchst", "/learn", "/learn/verfuchst", "/no"]
    for path in paths:
        page = ada.go(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        found[path] = faults(page)
    wrong = [f"{path}: {fault}" for path, some in found.items() for fault in some]
    assert wrong == [], "\n".join(wrong)


def test_every_window_fits(ada: Person) -> None:
    page = ada.go()
    found: dict[str, list[str]] = {}
    for testid in ("help", "settings"):
        ada.press(testid)
        expect(ada.at("dialog")).to_be_visible()
        found[testid] = faults(page)
        page.keyboard.press("Escape")
    ada.page.locator("[data-testid=game-game17] [data-testid=open-table]").click()
    expect(ada.at("opening")).to_be_visible()
    found["open"] = faults(page)
    wrong = [f"{where}: {fault}" for where, some in found.items() for fault in some]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("game", registry.names())
def test_every_table_fits_and_its_menu_is_within_reach(game: str, ada: Person, server: Server) -> None:
    names = ["Ada", "Bob", "Cid", "Dan"][: min(4, registry.get(game).seats[1])]
    seats = server.place.table_of(*names, game=game)
    mine = mover(seats)
    page = ada.sit(mine.table, mine.token)
    page.locator("[data-testid=choosing] button, .scene .is-open").first.wait_for()
    wrong = faults(page)
    assert wrong == [], "\n".join(wrong)
    opens_and_closes(ada, page)


def opens_and_closes(ada: Person, page: Page) -> None:
    """The menu opens on the screen; it closes on Escape, and on a press elsewhere."""
    items = page.locator(".more-items")
    ada.press("more")
    expect(items).to_be_visible()
    assert faults(page) == []
    expect(ada.at("leave")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(items).to_be_hidden()
    expect(ada.at("more")).to_be_focused()
    ada.press("more")
    expect(items).to_be_visible()
    page.mouse.click(1, page.evaluate("() => innerHeight / 2"))  # at the edge, where nothing else is
    expect(items).to_be_hidden()
