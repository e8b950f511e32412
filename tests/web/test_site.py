"""Pages without a server: built, served as plain files below a path, and played at in a browser."""

from __future__ import annotations

import functools
import http.server
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import Person, crowd
from parlour.engine import replay
from parlour.engine.errors import ParlourError
from parlour.site import build, fetch

pytestmark = pytest.mark.xdist_group("browser-1")
GAMES = ["goose", "connect_four"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Plain files, as any host serves them."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site that lies below a path of its host."""
    root = tmp_path_factory.mktemp("host")
    try:
        fetch.runtime()
    except ParlourError as error:
        pytest.skip(f"there is no Python for browsers: {error}")
    build.build(root / "games" / "here", GAMES, needs_all=True)
    handler = functools.partial(Quiet, directory=str(root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/games/here"
    server.shutdown()
    server.server_close()


def play_to_the_end(page: Page, columns: str = "") -> None:
    """Press what can be pressed, or type one column after the other, until the match is over."""
    ending, turn = page.get_by_test_id("ending"), 0
    while not ending.is_visible():
        notation, button = page.get_by_test_id("notation"), page.locator("[data-testid=choosing] button:enabled").first
        if columns and notation.is_enabled():
            ply = page.get_by_test_id("table").get_attribute("data-ply")
            notation.fill(columns[turn % len(columns)])
            notation.press("Enter")
            turn += 1
            page.wait_for_function(
                "ply => document.querySelector('[data-testid=table]').dataset.ply !== ply"
                " || document.querySelector('[data-testid=notation]').value === ''"
                " || document.querySelector('[role=alert], .toast')",
                arg=ply,
            )
        elif not columns and button.is_visible():
            button.click(timeout=5000)
        page.wait_for_timeout(60)


def verified(person: Person) -> replay.Replay:
    """The replay that the page offers, which plays again here to the same end."""
    with person.page.expect_download() as download:
        person.press("save-json")
    content = replay.loads(Path(download.value.path()).read_bytes(), "the download")
    match = replay.run(content, "the download")
    assert match.over
    assert content.dice is not None
    assert replay.doubts(content, played=match) == []
    return content


def test_a_whole_evening_without_a_server(browser: Browser, site: str) -> None:
    """Two games to their ends, a replay that verifies, a lesson; then all again without a network."""
    origin = re.match(r"https?://[^/]+", site)
    assert origin is not None
    asked: list[str] = []
    with crowd(browser, site) as people:
        ada = people.person("Ada", service_workers="allow")
        page = ada.page
        ada.context.on("request", lambda request: asked.append(request.url))
        page.goto(f"{site}/")
        for gone in ("tables", "join", "filter-game"):
            expect(page.get_by_test_id(gone)).to_have_count(0)
        for game, columns in (("goose", ""), ("connect_four", "4455362711223344556677")):
            page.goto(f"{site}/")
            page.get_by_test_id(f"game-{game}").get_by_test_id("play-now").click()
            page.get_by_test_id("board").locator("svg").first.wait_for()
            for gone in ("share", "to-chat", "tab-chat"):
                expect(page.get_by_test_id(gone)).to_have_count(0)
            play_to_the_end(page, columns)
            page.get_by_test_id("to-replay").click()
            expect(page.get_by_test_id("replay")).to_be_visible()
            assert verified(ada).game == game

        page.goto(f"{site}/learn/goose/")  # as somebody comes who was sent a link
        task = page.get_by_test_id("task")
        expect(task).not_to_have_text("")
        first = task.inner_text()
        page.locator("[data-testid=choosing] button:enabled").first.click()
        page.get_by_test_id("step-next").click()
        expect(task).not_to_have_text(first)

        page.goto(f"{site}/")
        page.get_by_test_id("game-connect_four").get_by_test_id("play-now").click()
        page.get_by_test_id("notation").fill("4")
        page.get_by_test_id("notation").press("Enter")
        page.wait_for_function("Number(document.querySelector('[data-testid=table]').dataset.ply) >= 2")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.wait_for_function(
            "async () => (await Promise.all((await caches.keys()).map(async (name) => "
            "(await (await caches.open(name)).keys()).length))).some((count) => count > 20)"
        )
        people.troubles.allow(r"failed: .*/games/here/$")  # whether there is a newer document is asked in vain
        ada.context.set_offline(True)
        page.reload()
        page.get_by_test_id("board").locator("svg").first.wait_for()
        assert int(page.get_by_test_id("table").get_attribute("data-ply") or 0) >= 2
        page.get_by_test_id("undo").click()
        page.wait_for_function("document.querySelector('[data-testid=table]').dataset.ply === '0'")
        page.goto(f"{site}/replay")
        expect(page.get_by_test_id("finished").locator("a")).to_have_count(2)
    assert [url for url in asked if not url.startswith((origin[0], "blob:", "data:"))] == []


def test_what_lies_in_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear Ada")
    with pytest.raises(ParlourError, match="no site of Parlour: nothing was built"):
        build.build(tmp_path, GAMES)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_site_says_what_it_is(site: str, tmp_path: Path) -> None:
    """What is kept for good is named by its content, so that the same games make the same names."""
    built = build.build(tmp_path / "site", ["goose"])
    again = build.build(tmp_path / "site", ["goose"])
    assert (built.games, built.left_out, built.bytes) == (["goose"], {}, again.bytes)
    assert json.loads((tmp_path / "site" / build.MARK).read_text())["games"] == ["goose"]
    assert not (tmp_path / "site" / "rules" / "connect_four").exists()
