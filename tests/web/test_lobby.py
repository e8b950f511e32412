"""The lobby: finding a table by filter, code or chance, and opening just the one that is wanted."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browsing import Crowd, is_open_to_all
from serving import Place

pytestmark = pytest.mark.xdist_group("browser-2")


def test_filters_are_true_beyond_the_first_page_and_remembered(people: Crowd, place: Place) -> None:
    wanted = place.open("connect_four", clock={"kind": "turn", "seconds": 259200})["table"]["id"]
    mixed = place.open("goose", seats=3, bots={"2": "random"})["table"]["id"]
    for _ in range(61):
        place.open("goose", seats=2)
    ada = people.person("Ada")
    page = ada.go()
    expect(ada.at("tables").locator(".line")).to_have_count(10)
    expect(ada.at(f"table-{wanted}")).to_have_count(0)
    ada.at("filter-clock").select_option("slow")
    expect(ada.at("tables").locator(".line")).to_have_count(1)
    expect(ada.at(f"table-{wanted}")).to_contain_text("3 days a turn")
    ada.at("filter-clock").select_option("")
    ada.at("filter-company").select_option("bots")
    expect(ada.at(f"table-{mixed}")).to_be_visible()
    page.reload()
    expect(ada.at("filter-company")).to_have_value("bots")
    expect(ada.at("tables").locator(".line")).to_have_count(1)
    ada.at("filter-game").select_option("choccer")
    expect(ada.at("tables")).to_contain_text("no such table")
    is_open_to_all(page)


def test_a_private_table_with_any_clock_is_found_by_its_code(people: Crowd, place: Place) -> None:
    """On a phone: the clock is typed, the seat chosen, and the code read aloud."""
    ada, bob = people.person("Ada", phone=True), people.person("Bob", phone=True, locale="de-DE")
    ada.go()
    ada.at("game-choccer").get_by_test_id("open-table").tap()
    form = ada.at("opening")
    form.locator("[name=public]").uncheck()
    ada.at("seat-choice").select_option("1")
    form.locator("[name=clock]").select_option("other")
    ada.at("clock-amount").fill("50000")
    ada.press("open")
    assert (
        ada.at("clock-amount").evaluate("field => field.validationMessage") == "A clock has from 1 second to 30 days."
    )
    ada.at("clock-amount").fill("7.5")
    ada.at("clock-more").fill("4")
    is_open_to_all(ada.page)
    ada.press("open")
    code = ada.at("code").inner_text()
    people.troubles.allow("404")
    bob.go()
    bob.at("join").fill("BCD-FGH")
    bob.press("join-go")
    expect(bob.at("toast").first).to_have_text("Kein Tisch hat gerade diesen Code.")
    bob.at("join").fill(code.lower())
    bob.press("join-go")
    expect(bob.at("terms")).to_contain_text("450 Sekunden und 4 Sekunden je Zug")
    assert bob.at("seat-choice").locator("option").all_inner_texts() == ["Durch Los", "Schwarz"]
    bob.press("sit")
    expect(ada.at("board")).to_be_visible()
    seats = place.view(ada.table)["seats"]
    assert [seat["name"] for seat in seats] == ["Bob", "Ada"]
    assert seats[0]["left"] == pytest.approx(450, abs=60)


def test_two_who_want_the_same_meet_and_lots_are_drawn(people: Crowd, place: Place) -> None:
    ada, bob = people.person("Ada"), people.person("Bob")
    ada.go()
    ada.at("game-verfuchst").get_by_test_id("open-table").click()
    form = ada.at("opening")
    form.locator("[name=seats]").select_option("2")
    ada.press("pair")
    table = ada.table
    expect(ada.at("seat-0")).to_contain_text("By lot")
    bob.go()
    bob.at("game-verfuchst").get_by_test_id("open-table").click()
    expect(bob.at("offered").get_by_test_id(f"table-{table}")).to_be_visible()
    bob.at("opening").locator("[name=seats]").select_option("2")
    bob.press("pair")
    for person in (ada, bob):
        expect(person.at("board")).to_be_visible()
    assert bob.table == table
    seats = [seat["name"] for seat in place.view(table)["seats"]]
    assert sorted(seats) == ["Ada", "Bob"]
    for person, name in ((ada, "Ada"), (bob, "Bob")):
        expect(person.at(f"seat-{seats.index(name)}")).to_contain_text("you")
    mine = ada if seats[place.view(table)["position"]["to_move"]] == "Ada" else bob
    expect(mine.at("seats").locator(".is-turn.is-you")).to_be_visible()
