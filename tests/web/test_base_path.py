"""The pages below a path of their host: everything is found there."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browsing import crowd
from serving import Server, until


def test_a_match_is_opened_played_and_shared_below_a_path(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, "--base-path", "/games/").start()
    try:
        with crowd(browser, f"{server.url}/games") as people:
            ann = people.person("Ann")
            page = ann.page
            page.goto(f"{server.url}/games")
            page.locator('a[href="/games/rules"]').first.click()
            page.wait_for_url(f"{server.url}/games/rules")
            page.go_back()
            page.wait_for_url(f"{server.url}/games/")
            seats = server.place.table_of("Bob")
            page.goto(f"{server.url}/games/table/{seats[0].table}")
            page.get_by_test_id("sit").click()
            until(lambda: seats[0].view()["phase"] == "playing")  # the page has revealed its nonce over its socket
            assert page.evaluate("location.pathname") == f"/games/table/{seats[0].table}"
            seats[0].must("resign")
            page.get_by_test_id("to-replay").click()
            page.wait_for_url(f"{server.url}/games/replay/{seats[0].table}")
            expect(page.get_by_test_id("replay")).to_be_visible()
    finally:
        server.close()
