"""Seats are never lost, and whatever sends something sends it once."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browsing import Crowd, Person
from parlour.engine import fair
from playing import can_choose, look
from serving import Place, Seat, until

pytestmark = pytest.mark.xdist_group("browser-2")


def held(seat: Seat, at: float) -> dict[str, Any]:
    """A seat as the browser remembers it."""
    return {"token": seat.token, "seat": seat.number, "game": "connect_four", "title": "Connect Four", "at": at}


def remembering(people: Crowd, seats: dict[str, Any]) -> Person:
    """Somebody whose browser has these seats from before."""
    ada = people.person("Ada")
    text = json.dumps(json.dumps(seats))
    ada.context.add_init_script(
        f"if (location.protocol === 'http:' && !localStorage.getItem('parlour.seats'))"
        f"  localStorage.setItem('parlour.seats', {text});"
    )
    return ada


def test_an_unfinished_match_is_not_hidden_by_finished_ones(people: Crowd, place: Place) -> None:
    now = 1000 * time.time()
    unfinished = place.table_of("Ada", "Bob")[0]
    seats = {unfinished.table: held(unfinished, now - 1_000_000)}
    for number in range(13):
        seat = place.table_of("Ada", "Bob")[0]
        seat.must("resign")
        seats[seat.table] = held(seat, now - 1000 * number)
    ada = remembering(people, seats)
    ada.go()
    expect(ada.at("mine").locator(f"a[href='/table/{unfinished.table}']")).to_be_visible()
    expect(ada.at("mine").get_by_role("link")).to_have_count(1)


def test_the_seat_of_an_unfinished_match_is_kept_whatever_comes_after(people: Crowd, place: Place) -> None:
    """Fifty more seats, all dated ahead of this computer's clock."""
    ahead = 1000 * time.time() + 10_000_000
    unfinished = place.table_of("Ada", "Bob")[0]
    others = {f"table-{number}": held(unfinished, ahead + number) for number in range(50)}
    ada = remembering(people, {unfinished.table: held(unfinished, 1), **others})
    people.troubles.allow("503")
    ada.context.route("**/api/tables/table-*", lambda route: route.fulfill(status=503, json={"code": "busy"}))
    page = ada.go()
    page.locator("[data-testid=game-connect_four] [data-testid=play-now]").click()
    until(lambda: can_choose(look(ada)))
    assert ada.table in ada.held()
    assert unfinished.table in ada.held()
    expect(page.locator(".seat.is-you")).to_have_count(1)


def test_seats_of_finished_matches_are_thrown_away_some_day(people: Crowd, place: Place) -> None:
    seat = place.table_of("Ada", "Bob")[0]
    over = {f"table-{number}": {**held(seat, number), "over": True} for number in range(60)}
    ada = remembering(people, over)
    ada.go().locator("[data-testid=game-connect_four] [data-testid=play-now]").click()
    until(lambda: can_choose(look(ada)))
    assert len(ada.held()) == 41
    assert "table-59" in ada.held()
    assert "table-0" not in ada.held()


# Everything is sent once.

# A server that takes its time: both clicks come before its first answer.
SLOW = """
const quick = window.fetch;
window.fetch = async (...request) => {
  await new Promise((done) => setTimeout(done, 300));
  return quick(...request);
};
"""


def twice(button: Locator) -> None:
    """As fast as people double-click."""
    button.dblclick(delay=20)


def people_at(place: Place, table: str) -> list[str]:
    return [seat["name"] for seat in place.view(table)["seats"] if seat["kind"] != "free"]


def test_sitting_down_twice_takes_one_seat(people: Crowd, place: Place) -> None:
    table = place.open("verfuchst", seats=4)["table"]["id"]
    ada = people.person("Ada")
    ada.context.add_init_script(SLOW)
    ada.watch(table)
    twice(ada.at("sit"))
    expect(ada.at("play-link")).to_be_visible()
    ada.page.wait_for_timeout(700)
    assert people_at(place, table) == ["Ada"]
    expect(ada.page.locator(".seat.is-you")).to_have_count(1)


def test_no_button_moves_after_the_window_has_opened(people: Crowd, place: Place) -> None:
    """Tables where somebody waits came later and pushed the buttons down: a click could hit another one."""
    place.table_of("Cid", game="verfuchst", seats=4)
    ada = people.person("Ada")
    ada.context.add_init_script(SLOW)
    ada.go().get_by_test_id("game-verfuchst").get_by_test_id("open-table").click()
    button = ada.at("open")
    expect(button).to_be_visible()
    before = button.bounding_box()
    ada.page.wait_for_timeout(700)
    assert button.bounding_box() == before
    expect(ada.at("offered")).to_be_visible()


@pytest.mark.parametrize("how", ["open", "play-now"])
def test_opening_a_table_twice_opens_one(how: str, people: Crowd, place: Place) -> None:
    ada = people.person("Ada")
    ada.context.add_init_script(SLOW)
    page = ada.go()
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.method) if request.url.endswith("/api/tables/") else None)
    game = page.get_by_test_id("game-verfuchst")
    if how == "open":
        game.get_by_test_id("open-table").click()
        twice(ada.at("open"))
    else:
        twice(game.get_by_test_id("play-now"))
    expect(ada.at("table")).to_be_visible()
    page.wait_for_timeout(700)
    assert opened == ["POST"]
    assert list(ada.held()) == [ada.table]


def test_putting_a_bot_twice_puts_one(people: Crowd, place: Place) -> None:
    seat = place.table_of("Ada", game="verfuchst", seats=4)[0]
    ada = people.person("Ada")
    ada.sit(seat.table, seat.token)
    twice(ada.at("put-bot"))
    until(lambda: len(people_at(place, seat.table)) == 2)
    ada.page.wait_for_timeout(700)
    assert len(people_at(place, seat.table)) == 2


def test_the_browsers_part_in_the_dice_is_sealed_until_all_sit(people: Crowd, place: Place) -> None:
    """Ada waits for Bob: until he has come, nobody sees her nonce; then both reveal theirs, and the match begins."""
    ada, bob = people.person("Ada"), people.person("Bob")
    table = place.open("goose", seats=2)["table"]["id"]
    ada.go(f"/table/{table}")
    ada.page.get_by_role("button", name="Sit down").click()
    until(lambda: len(people_at(place, table)) == 1)
    assert [seat["nonce"] for seat in place.view(table)["seats"]] == ["", ""]
    bob.go(f"/table/{table}")
    bob.page.get_by_role("button", name="Sit down").click()
    until(lambda: place.view(table)["phase"] == "playing")
    for seat in place.view(table)["seats"]:
        assert seat["nonce"]
        assert fair.seal(seat["nonce"]) == seat["seal"]
    assert "left_out" not in place.log(table)[-1]["body"]
