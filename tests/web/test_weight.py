"""The first visit is light: little script, and the lobby soon answers."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Response, expect

from browsing import Crowd

pytestmark = pytest.mark.xdist_group("browser-1")
FIRST_LOAD = 60 * 1024  # bytes of script, compressed
SOON = 1.0  # seconds, on a machine that has nothing else to do
BUSY = 6  # how many times longer it may take while all other tests run


def test_the_first_load_has_little_script(people: Crowd) -> None:
    ada = people.person("Ada")
    scripts: list[Response] = []
    ada.page.on("response", lambda response: scripts.append(response) if is_script(response) else None)
    ada.go()
    expect(ada.at("games")).to_be_visible()
    ada.page.wait_for_load_state("networkidle")
    size = sum(len(gzip.compress(script.body())) for script in scripts)
    print(f"the lobby loads {size / 1024:.1f} KB of script, compressed")
    assert 0 < size <= FIRST_LOAD


def is_script(response: Response) -> bool:
    return "javascript" in response.headers.get("content-type", "")


def test_the_lobby_soon_answers(people: Crowd) -> None:
    """From the first byte asked for until *play now* can be clicked."""
    ada = people.person("Ada")
    took = []
    for _ in range(3):
        ada.go()
        expect(ada.page.locator("[data-testid=game-goose] [data-testid=play-now]")).to_be_enabled()
        took.append(ada.page.evaluate("() => performance.now()") / 1000)
    print(f"the lobby answers after {min(took):.2f} s")
    assert min(took) < SOON * BUSY


def test_dice_are_loaded_only_when_they_roll(people: Crowd) -> None:
    ada = people.person("Ada")
    loaded: list[str] = []
    ada.page.on("request", lambda request: loaded.append(request.url))
    ada.go().locator("[data-testid=game-connect_four] [data-testid=play-now]").click()
    expect(ada.page.locator(".is-open").first).to_be_visible()
    assert [url for url in loaded if "solid" in url or "gif" in url] == []
