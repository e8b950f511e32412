"""Waiting at the table: how soon it is one's turn again, and what one is told meanwhile."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browsing import Person, crowd
from serving import Place, Seat, Server, until

pytestmark = pytest.mark.xdist_group("browser-2")
LONG = 600.0  # seconds that nobody waits for in a test
FLAT = "HTMLCanvasElement.prototype.getContext = () => null"  # dice that tumble take a processor for themselves


@pytest.fixture(scope="module")
def unhurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots wait as they do for people."""
    running = Server(tmp_path_factory.mktemp("unhurried"), bot_pause=1.0).start()
    yield running
    running.close()


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots nobody would wait for."""
    running = Server(tmp_path_factory.mktemp("slow"), bot_pause=LONG).start()
    yield running
    running.close()


def sits(place: Place, person: Person, game: str, seats: int, bot: str) -> tuple[Seat, Page]:
    """Somebody at a table with bots, where she begins; in a browser whose dice are flat."""
    person.context.add_init_script(FLAT)
    bots = {str(seat): bot for seat in range(1, seats)}
    while True:
        (seat,) = place.table_of("Ada", game=game, seats=seats, bots=bots)
        if is_mine(seat):
            return seat, person.sit(seat.table, seat.token)


def is_mine(seat: Seat) -> bool:
    view = seat.view()
    return bool(view["choices"]) or view["phase"] == "over"


def end_turn(seat: Seat) -> int:
    """Play until it is a bot's turn; returns the ply."""
    view = seat.view()
    while view["choices"]:
        seat.must("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])
        view = seat.view()
    return int(view["position"]["ply"])


MINE = """ply => {
  const table = document.querySelector("[data-testid=table]");
  if (!table) return false;
  const isMine = table.querySelector(".seat.is-you.is-turn") !== null;
  return table.dataset.phase === "over" || (isMine && Number(table.dataset.ply) > ply);
}"""


def shows_my_turn(page: Page, ply: int = -1) -> None:
    page.wait_for_function(MINE, arg=ply, timeout=120_000, polling=20)


# On a quiet machine 8 and 3 seconds are enough; one that is busy with other tests needs longer to play and to draw.
MOST = 30.0  # seconds: less than it took before bots paused once a turn, wherever it runs


@pytest.mark.parametrize("speed", ["normal", "off"])
def test_a_round_with_three_bots_takes_seconds(speed: str, browser: Browser, unhurried: Server) -> None:
    """From one's last action until the page shows that one can act again: it took 40 to 66 seconds."""
    with crowd(browser, unhurried.url) as people:
        ada = people.person("Ada", settings={"speed": speed})
        seat, page = sits(unhurried.place, ada, "mazerunner", 4, "runner:2")
        shows_my_turn(page)
        ply = end_turn(seat)
        began = time.monotonic()
        shows_my_turn(page, ply)
        took = time.monotonic() - began
        print(f"{took:.1f} s at {speed}")
        assert took < MOST
        shown = page.get_by_test_id("table").get_attribute("data-ply")
        assert shown == str(seat.view()["position"]["ply"]), "what is shown is how it stands"


@pytest.mark.parametrize("way", ["press", "key"])
def test_a_press_on_the_board_skips_to_ones_turn(way: str, browser: Browser, slow: Server) -> None:
    with crowd(browser, slow.url) as people:
        ada = people.person("Ada", settings={"speed": "normal"})
        seat, page = sits(slow.place, ada, "goose", 4, "random")
        shows_my_turn(page)
        for _ in range(2):
            ply = end_turn(seat)
            expect(page.get_by_test_id("status")).to_contain_text("is to move")
            if way == "press":
                page.get_by_test_id("board").click()
            else:
                page.keyboard.press("s")
            shows_my_turn(page, ply)
            assert is_mine(seat), "all bots have played, but for those that skip a turn"


def test_a_hurry_outlives_its_connection(browser: Browser, slow: Server) -> None:
    """What was said on a connection that was lost just then is said again."""
    with crowd(browser, slow.url) as people:
        ada = people.person("Ada", settings={"speed": "normal"})
        said: list[str] = []

        def lose_the_first(socket: WebSocketRoute) -> None:
            server = socket.connect_to_server()

            def pass_on(message: str | bytes) -> None:
                said.append(str(message))
                if sum('"hurry"' in text for text in said) == 1 and '"hurry"' in str(message):
                    socket.close()
                else:
                    server.send(message)

            socket.on_message(pass_on)

        ada.page.route_web_socket("**/live", lose_the_first)
        seat, page = sits(slow.place, ada, "goose", 4, "random")
        shows_my_turn(page)
        ply = end_turn(seat)
        expect(page.get_by_test_id("status")).to_contain_text("is to move")
        page.keyboard.press("s")
        shows_my_turn(page, ply)


def test_a_choice_clicked_twice_hurries_nobody(browser: Browser, slow: Server) -> None:
    with crowd(browser, slow.url) as people:
        ada = people.person("Ada", settings={"speed": "off"})
        seat, page = sits(slow.place, ada, "connect_four", 2, "random")
        shows_my_turn(page)
        spot = seat.view()["choices"][0]["picks"][-1]
        said: list[str] = []
        page.on("websocket", lambda socket: socket.on("framesent", lambda text: said.append(str(text))))
        page.reload()
        shows_my_turn(page)
        page.locator(f'[data-spot="{spot}"]').first.dblclick()
        expect(page.get_by_test_id("table")).to_have_attribute(
            "data-ply", re.compile("[12]")
        )  # a bot may have answered
        assert any('"act"' in text for text in said)
        assert not any('"hurry"' in text for text in said)


def test_the_speed_that_one_chooses_counts_at_once(browser: Browser, slow: Server) -> None:
    with crowd(browser, slow.url) as people:
        ada = people.person("Ada", settings={"speed": "normal"})
        seat, page = sits(slow.place, ada, "goose", 2, "random")
        shows_my_turn(page)
        ada.press("settings")
        ada.at("speed").select_option("off")
        page.keyboard.press("Escape")
        ply = end_turn(seat)
        shows_my_turn(page, ply)


def test_a_speed_that_nobody_knows_is_the_usual_one(browser: Browser, unhurried: Server) -> None:
    """Of a later version, or written by hand."""
    with crowd(browser, unhurried.url) as people:
        seat, page = sits(unhurried.place, people.person("Ada", settings={"speed": "warp"}), "goose", 2, "random")
        shows_my_turn(page)
        shows_my_turn(page, end_turn(seat))


def test_a_bot_that_is_warming_up_says_so_and_keeps_nobody_waiting(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, warm=True, cache=tmp_path / "cache").start()
    try:
        for language, words in (("de", "macht sich bereit"), ("en", "getting ready")):
            with crowd(browser, server.url) as visitors:
                on_phone = language == "de"
                ada = visitors.person("Ada", phone=on_phone, settings={"language": language})
                game, seats = ("verfuchst", 4) if on_phone else ("choccer", 2)
                seat, page = sits(server.place, ada, game, seats, "mcts:2")
                notes = page.get_by_test_id("seat-1").locator("small").filter(has_text=words, visible=True)
                expect(notes).to_be_visible()
                assert notes.evaluate("one => one.scrollWidth <= one.clientWidth"), "it is cut off"
                until(partial(is_mine, seat))
                ply = end_turn(seat)
                began = time.monotonic()
                shows_my_turn(page, ply)
                assert time.monotonic() - began < 10, "far less than it takes to compile"
                expect(page.get_by_test_id("seat-1")).to_contain_text(words)
    finally:
        server.close()
