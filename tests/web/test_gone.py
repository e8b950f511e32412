"""Who has resigned, left or run out of time among three or more only watches, and is told so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browsing import Crowd, Person
from playing import can_choose, look
from serving import Place, Seat, mover, until

pytestmark = pytest.mark.xdist_group("browser-2")
GAMES = ["verfuchst", "mazerunner"]


def only_watches(ada: Person) -> None:
    """What the page shows to somebody for whom a bot plays to the end."""
    expect(ada.at("gone")).to_contain_text("plays on in your place. You can watch how it ends.")
    expect(ada.at("status")).to_contain_text("You are watching.")
    expect(ada.page.locator(".scene .is-open")).to_have_count(0)
    for testid in ("choice", "confirm"):
        expect(ada.at(testid)).to_have_count(0)
    for testid in ("more", "resign", "undo", "notation", "hint"):
        expect(ada.at(testid)).to_be_hidden()
    assert "Your turn" not in ada.page.title()


def is_not_unfinished(ada: Person) -> None:
    """The lobby does not list the match as one that waits for them."""
    ada.press("gone-lobby")
    expect(ada.at("games").or_(ada.page.locator(".wall"))).to_be_visible()
    ada.page.wait_for_load_state("networkidle")
    expect(ada.at("mine")).to_be_hidden()


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_whoever_resigns_among_three_watches(game: str, phone: bool, people: Crowd, place: Place) -> None:
    """At their own turn, of which nothing is left to choose."""
    seats = place.table_of("Ada", "Bob", "Cid", game=game)
    mine = mover(seats)
    ada = people.person("Ada", phone=phone)
    ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    ada.press("more")
    ada.press("resign")
    ada.press("sure")
    expect(ada.at("gone")).to_contain_text("You have resigned.")
    only_watches(ada)
    go_round(ada.page, seats, mine)
    only_watches(ada)
    is_not_unfinished(ada)


def go_round(page: Page, seats: list[Seat], mine: Seat) -> None:
    """The others play until the bot in the place of ``mine`` has played once more."""
    table, others = mine.at, [seat for seat in seats if seat is not mine]
    began = table.view(mine.table)["position"]["turn"]

    def has_come_round() -> bool:
        view = table.view(mine.table)
        for seat in others:
            if view["position"]["to_move"] == seat.number:
                seat.do("act", ply=view["position"]["ply"], action=seat.view()["choices"][0]["action"])
        return bool(view["position"]["turn"] >= began + 4)

    until(has_come_round)
    ply = str(table.view(mine.table)["position"]["ply"])
    until(lambda: int(page.get_by_test_id("table").get_attribute("data-ply") or 0) >= int(ply))


def test_whoever_has_left_elsewhere_watches_here(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", "Cid", game="verfuchst")
    mine = mover(seats)
    ada = people.person("Ada")
    ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    mine.must("leave")
    expect(ada.at("gone")).to_contain_text("You have left the match.")
    only_watches(ada)
    ada.page.reload()
    expect(ada.at("gone")).to_be_visible()
    only_watches(ada)
    is_not_unfinished(ada)


def test_whoever_has_no_time_left_for_the_match_watches(people: Crowd, place: Place) -> None:
    clock = {"kind": "bank", "seconds": 5, "increment": 0}
    seats = place.table_of("Ada", "Bob", "Cid", game="verfuchst", clock=clock)
    mine = mover(seats)
    ada = people.person("Ada")
    ada.sit(mine.table, mine.token)
    expect(ada.at("gone")).to_contain_text("Your time is used up.", timeout=30_000)
    only_watches(ada)


def test_whoever_is_only_away_is_asked_to_come_back(people: Crowd, place: Place) -> None:
    """With so much time for each turn, one is back in the next."""
    seats = place.table_of("Ada", "Bob", "Cid", game="verfuchst", clock={"kind": "turn", "seconds": 5, "increment": 0})
    mine = mover(seats)
    ada = people.person("Ada")
    ada.sit(mine.table, mine.token)
    expect(ada.at("back")).to_be_visible(timeout=30_000)
    expect(ada.at("gone")).to_be_hidden()
    expect(ada.at("more")).to_be_visible()
