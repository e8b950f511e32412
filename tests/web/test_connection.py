"""A line that breaks in mid-turn: the choice is kept, play resumes by itself, and nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browsing import Crowd, Person, crowd
from playing import Chooser, can_choose, hit, look, play_on, spot
from proxy import Fate, Proxy
from serving import Seat, Server, until

pytestmark = pytest.mark.xdist_group("browser-2")
BROKEN = r"WebSocket|ERR_(CONNECTION|INTERNET|EMPTY|SOCKET)|failed:|Failed to load"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own, which may be killed."""
    running = Server(tmp_path).start()
    yield running
    running.close()


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[Crowd]:
    with crowd(browser, server.url) as people:
        people.troubles.allow(BROKEN)
        yield people


def choccer(people: Crowd, server: Server) -> tuple[Person, Seat, Seat]:
    """Somebody at a browser whose turn it is; their seat, and the other."""
    seats = server.place.table_of("Ada", "Bob", game="choccer")
    mine, other = seats if seats[0].view()["choices"] else seats[::-1]
    ada = people.person("Ada")
    ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    return ada, mine, other


def a_move(seat: Seat) -> list[str]:
    return next(choice["picks"] for choice in seat.view()["choices"] if len(choice["picks"]) == 2)


def acts(server: Server, table: str) -> list[dict[str, object]]:
    return [entry for entry in server.place.log(table) if entry["kind"] == "act"]


def test_a_server_that_is_killed_in_mid_turn_costs_nothing(people: Crowd, server: Server) -> None:
    """The piece is picked, the server dies, the place is picked, the server comes back: one action is played."""
    ada, mine, other = choccer(people, server)
    piece, goal = a_move(mine)
    hit(ada, spot(piece))
    server.kill()
    expect(ada.at("connection")).to_contain_text("The connection is lost")
    expect(ada.page.locator(f"{spot(piece)}.is-picked")).to_have_count(1)
    hit(ada, spot(goal))
    expect(ada.at("status")).to_have_text("Sending your choice …")
    server.start()
    expect(ada.at("connection")).to_be_hidden()
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    assert len(acts(server, mine.table)) == 1
    assert mine.view()["position"]["picks"] == [piece, goal]
    other.must("act", ply=1, action=other.view()["choices"][0]["action"])
    until(lambda: can_choose(look(ada)))
    Chooser(ada).choose(look(ada))
    assert len(acts(server, mine.table)) == 3


def test_a_browser_that_is_offline_for_a_while_catches_up(people: Crowd, server: Server) -> None:
    ada, mine, other = choccer(people, server)
    Chooser(ada).choose(look(ada))
    ada.context.set_offline(True)
    expect(ada.at("connection")).to_be_visible()
    other.must("act", ply=1, action=other.view()["choices"][0]["action"])
    ada.context.set_offline(False)
    expect(ada.at("connection")).to_be_hidden()
    expect(ada.at("table")).to_have_attribute("data-ply", "2")
    until(lambda: can_choose(look(ada)))
    piece, _ = a_move(mine)
    hit(ada, spot(piece))
    expect(ada.page.locator(f"{spot(piece)}.is-picked")).to_have_count(1)


def test_a_match_goes_on_through_three_deaths_of_the_server(people: Crowd, server: Server) -> None:
    ada = people.person("Ada")
    ada.go().locator("[data-testid=game-connect_four] [data-testid=play-now]").click()
    for seed in range(3):
        if play_on([Chooser(ada, seed)], plies=2):
            break
        server.kill()
        expect(ada.at("connection")).to_be_visible()
        server.start()
        expect(ada.at("connection")).to_be_hidden()
    assert play_on([Chooser(ada, 9)])
    plies = [entry["body"]["ply"] for entry in acts(server, ada.table)]  # type: ignore[index]
    assert plies == list(range(len(plies)))


# Longer than a connection may be silent before it is given up, and the wait before the next try.
SOON = 12_000


def fates(*first: Fate) -> Callable[[], Fate]:
    """What becomes of the first connections; all others pass."""
    left = list(first)
    return lambda: left.pop(0) if left else "pass"


@pytest.fixture
def far(browser: Browser, server: Server) -> Iterator[tuple[Crowd, Proxy]]:
    """People who reach the server by a line that can fail."""
    with Proxy(server.port) as proxy, crowd(browser, proxy.url) as people:
        people.troubles.allow(BROKEN)
        yield people, proxy


def test_a_first_connection_that_stays_silent_is_given_up(far: tuple[Crowd, Proxy], server: Server) -> None:
    people, proxy = far
    proxy.fate = fates("swallow")
    mine = server.place.table_of("Ada", "Bob", game="choccer")[0]
    ada = people.person("Ada")
    page = ada.sit(mine.table, mine.token)
    expect(ada.at("status")).to_have_text("Opening the table …")
    expect(page.locator(".scene [data-spot]").first).to_be_visible(timeout=SOON)
    expect(ada.at("connection")).to_be_hidden()


def test_reconnections_that_stay_silent_are_given_up(far: tuple[Crowd, Proxy], server: Server) -> None:
    people, proxy = far
    mine = server.place.table_of("Ada", "Bob", game="choccer")[0]
    ada = people.person("Ada")
    ada.sit(mine.table, mine.token)
    until(lambda: ada.page.locator(".scene [data-spot]").count() > 0)
    proxy.fate = fates("swallow", "refuse")
    proxy.cut()
    expect(ada.at("connection")).to_be_visible()
    expect(ada.at("connection")).to_be_hidden(timeout=SOON)


def test_who_is_turned_away_for_now_comes_again(browser: Browser, tmp_path: Path) -> None:
    """The server takes one socket from an address; once it is free, the next gets it."""
    server = Server(tmp_path, sockets_per_address=1).start()
    try:
        table = server.place.table_of("Ada", "Bob", game="choccer")[0].table
        with crowd(browser, server.url) as people:
            eve = people.person("Eve")
            with server.place.live(table):
                eve.watch(table)
                expect(eve.at("connection")).to_be_visible()
            expect(eve.page.locator(".scene [data-spot]").first).to_be_visible()
            expect(eve.at("connection")).to_be_hidden()
    finally:
        server.close()
