"""The lobby: finding a table by filter, code or chance, and opening just the one that is wanted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browsing import Crowd, is_open_to_all
from parlour.engine import registry
from serving import Place, Server, until

pytestmark = pytest.mark.xdist_group("browser-2")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One without tables of other tests: here they are counted."""
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.close()


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
    expect(ada.at(f"table-{mixed}").locator("span").first).to_have_text("Green (Company)")
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
    ada.page.wait_for_load_state("networkidle")  # boards have come, and nothing moves under the finger
    ada.at("game-choccer").get_by_test_id("open-table").tap()
    form = ada.at("opening")
    ada.press("more-settings")
    expect(form.locator("[name=public]")).not_to_be_checked()
    ada.at("seat-choice").select_option("1")
    form.locator("[name=clock]").select_option("other")
    ada.at("clock-amount").fill("50000")
    ada.press("open")
    assert (
        ada.at("clock-amount").evaluate("field => field.validationMessage") == "A clock has from 1 second to 30 days."
    )
    ada.at("clock-amount").fill("7.5")
    ada.at("clock-more").fill("-5")
    said = ada.at("clock-more").evaluate("field => field.validationMessage")
    assert said == "From 0 seconds to 1 day more a turn."
    ada.at("clock-more").fill("4")
    form.locator("[name=name]").fill("\u3164")
    said = form.locator("[name=name]").evaluate("field => field.validationMessage")
    assert said == "A name needs a character that can be seen."
    form.locator("[name=name]").fill("👨‍👩‍👧‍👦 Ada")
    is_open_to_all(ada.page)
    ada.press("open")
    code = ada.at("code").inner_text()
    expect(ada.page.locator(".seat.is-free small")).to_have_text("free")
    expect(ada.page.locator(".seat.is-free small")).to_be_visible()
    expect(ada.page.locator(".seat.is-free .clock")).to_have_count(0)
    people.troubles.allow("404")
    bob.go()
    for typed, wrong in (
        ("BCD-FGH", "Kein Tisch hat gerade diesen Code."),
        ("hello-there", "Das ist weder ein Code noch ein Link zu einem Tisch."),
    ):
        bob.at("join").fill(typed)
        bob.press("join-go")
        assert until(lambda: bob.at("join").evaluate("field => field.validationMessage")) == wrong
    expect(bob.at("games")).to_be_visible()
    bob.at("join").fill(code.lower())
    bob.press("join-go")
    expect(bob.at("terms")).to_contain_text("7 Minuten 30 Sekunden und 4 Sekunden je Zug")
    assert bob.at("seat-choice").locator("option").all_inner_texts() == ["Durch Los", "Schwarz"]
    bob.press("sit")
    expect(ada.at("board")).to_be_visible()
    seats = place.view(ada.table)["seats"]
    assert [seat["name"] for seat in seats] == ["Bob", "👨‍👩‍👧‍👦 Ada"]
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


@pytest.mark.parametrize("phone", [False, True])
def test_a_match_that_nobody_plays_is_opened_and_watched(people: Crowd, place: Place, phone: bool) -> None:
    """game17 takes no player at all: there is nobody to choose a seat, a bot or company for, and nobody begins."""
    ada = people.person("Ada", phone=phone)
    ada.go()
    ada.page.locator("[data-testid=game-game17] [data-testid=open-table]").click()
    form = ada.at("opening")
    ada.press("more-settings")
    form.locator("[name=seat]").fill("2")
    form.locator("[name=seats]").fill("0")
    form.locator("[name=seats]").blur()
    for hidden in ("[name=seat]", "[name=bots]", "[data-testid=bot]", "[data-testid=pair]"):
        expect(form.locator(hidden)).to_be_hidden()
    form.locator("[name=option-edge]").fill("6")
    is_open_to_all(ada.page)
    ada.press("open")
    assert place.view(ada.table)["seats"] == []
    expect(ada.at("status")).to_have_text("Nobody sits here: the match plays by itself.")
    expect(ada.at("table")).not_to_have_attribute("data-ply", "0")
    assert ada.held() == {}


# The shape of every picture on the wall, and that of the board in it.
SHAPES = """() => [...document.querySelectorAll(".framed .drawing")].flatMap(({ shadowRoot }) => {
  const picture = shadowRoot.querySelector("svg");
  if (!picture) return [];
  const { width, height } = picture.getBoundingClientRect();
  return [[width / height, picture.viewBox.baseVal.width / picture.viewBox.baseVal.height]];
})"""


def test_lists_tell_of_waiting_tables_first_and_of_bots_by_their_levels(people: Crowd, place: Place) -> None:
    """A match against bots alone is in nobody else's list; a seat that is free has no name there."""
    waiting = place.open("game17")["table"]["id"]
    playing = place.table_of("Bob", "Cid", game="game17")[0].table
    solo = place.table_of("Ada", game="choccer", seats=2, bots={"1": "mcts:2"})[0]
    own = place.table_of("Ada", game="choccer", seats=2)[0]
    ada = people.person("Ada", settings={"tellEnd": True})
    for seat in (solo, own):
        ada.sit(seat.table, seat.token)
    page = ada.go()
    mine = ada.at("mine").get_by_role("link")
    expect(mine).to_have_count(2)
    expect(mine.locator("small").first).to_have_text("")
    expect(mine.locator("small").last).to_have_text("White (Relaxed)")
    until(lambda: len(page.evaluate(SHAPES)) == len(registry.names()))
    assert all(abs(has / wants - 1) < 0.02 for has, wants in page.evaluate(SHAPES)), "what lies beside a board is shown"
    lines = ada.at("tables").locator(f"[data-testid=table-{waiting}], [data-testid=table-{playing}]")
    ada.at("filter-game").select_option("game17")
    expect(lines).to_have_count(2)
    expect(ada.at(f"table-{own.table}")).to_have_count(0)
    assert [line.get_attribute("data-testid") for line in lines.all()] == [f"table-{waiting}", f"table-{playing}"]
    ada.at("filter-game").select_option("choccer")
    expect(ada.at(f"table-{own.table}")).to_be_visible()
    expect(ada.at(f"table-{solo.table}")).to_have_count(0)
    solo.must("resign")
    page.goto(f"{ada.url}/replay")
    line = page.locator(f"a[href='/replay/{solo.table}']")
    expect(line.locator("small")).to_contain_text("White (Relaxed) wins: the other has resigned.")
    assert line.locator("span").first.get_attribute("title") == "White (mcts:2)"
