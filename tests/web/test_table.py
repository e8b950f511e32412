"""What people expect at a table: to watch, come back, be alone, play again, give up, talk, and take back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browsing import Crowd, Person
from playing import Chooser, can_choose, hit, look, play_on, spot
from serving import Place, Seat, mover, until

pytestmark = pytest.mark.xdist_group("browser-2")


def at_table(people: Crowd, seats: list[Seat]) -> list[Person]:
    """A browser for each seat; the one whose turn it is comes first."""
    first = mover(seats)
    ordered = sorted(seats, key=lambda seat: seat is not first)
    sitting = []
    for seat in ordered:
        sitting.append(people.person(f"Browser of {seat.number}"))
        sitting[-1].sit(seat.table, seat.token)
    expect(sitting[0].page.locator(".is-open, [data-testid=choice]").first).to_be_visible()
    return sitting


def test_who_watches_sees_all_and_can_do_nothing(people: Crowd, place: Place) -> None:
    ada, bob = at_table(people, place.table_of("Ada", "Bob", game="connect_four"))
    eve = people.person("Eve")
    eve.watch(ada.table)
    expect(eve.at("status")).to_contain_text("You are watching")
    Chooser(ada).choose(look(ada))
    for person in (ada, bob, eve):
        expect(person.at("table")).to_have_attribute("data-ply", "1")
    scenes = [person.page.locator(".scene [id]").count() for person in (ada, bob, eve)]
    assert scenes[0] == scenes[1] == scenes[2] > 0
    expect(ada.at("watchers")).to_have_text("Watching: 1")
    seen = look(eve)
    assert (seen["open"], seen["choices"]) == ([], 0)
    for testid in ("undo", "hint", "notation", "more", "chat-input"):
        expect(eve.at(testid)).to_be_hidden()


def test_the_same_browser_is_in_its_seat_in_another_tab_and_after_a_restart(people: Crowd, place: Place) -> None:
    ada, bob = at_table(people, place.table_of("Ada", "Bob", game="connect_four"))
    tab = Person(ada.context, ada.context.new_page(), ada.url)
    tab.watch(ada.table)
    assert can_choose(until(lambda: can_choose(look(tab)) and look(tab)))
    state = bob.context.storage_state()
    table = bob.table
    bob.context.close()
    restarted = people.person("Bob", storage_state=state)
    restarted.go()
    card = restarted.at("mine").get_by_role("link", name=re.compile("Connect Four"))
    card.click()
    assert restarted.table == table
    Chooser(tab).choose(look(tab))
    seen = until(lambda: can_choose(look(restarted)) and look(restarted))
    Chooser(restarted).choose(seen)
    expect(ada.at("table")).to_have_attribute("data-ply", "2")


def test_a_private_table_is_joined_by_its_link_alone(people: Crowd) -> None:
    ada, bob, eve = (people.person(name) for name in ("Ada", "Bob", "Eve"))
    ada.context.route("**/api/reach", lambda route: route.fulfill(json={"url": ada.url}))
    ada.go().locator("[data-testid=game-connect_four] [data-testid=open-table]").click()
    ada.press("more-settings")
    expect(ada.at("opening").locator("[name=public]")).not_to_be_checked()
    ada.press("open")
    link = ada.at("play-link").input_value()
    assert "#invite=" in link
    modules = ada.page.locator(".qr svg path").get_attribute("d") or ""
    assert modules.count("M") > 200, "the code to point a phone at is drawn"
    people.troubles.allow(r"40[13]")
    eve.watch(ada.table)
    eve.press("sit")
    expect(eve.at("toast").first).to_be_visible()
    eve.go()
    expect(eve.at(f"table-{ada.table}")).to_have_count(0)
    bob.go("/tables")
    bob.at("join").fill(link)
    bob.page.keyboard.press("Enter")
    bob.press("sit")
    expect(bob.at("board")).to_be_visible()
    assert "#" not in bob.page.url, "the invitation does not stay in the address bar"
    expect(ada.at("board")).to_be_visible()


def test_resigning_ends_the_match_and_a_rematch_begins_another(people: Crowd, place: Place) -> None:
    ada, bob = at_table(people, place.table_of("Ada", "Bob", game="connect_four"))
    first = ada.table
    ada.press("more")
    ada.press("resign")
    ada.press("sure")
    expect(bob.at("ending")).to_contain_text("You win!")
    expect(ada.at("ending")).to_be_visible()
    assert place.view(first)["ending"]["reason"] == "resigned"
    ada.press("rematch")
    ada.page.wait_for_url(lambda url: "/table/" in url and first not in url)
    expect(ada.at("waiting")).to_contain_text("The match begins as soon as Bob is back.")
    expect(ada.at("waiting")).not_to_contain_text("Invite friends")
    bob.press("rematch")
    bob.page.wait_for_url(ada.page.url)
    for person in (ada, bob):
        expect(person.at("board")).to_be_visible()
        expect(person.at("table")).to_have_attribute("data-ply", "0")
    expect(bob.at("seat-0")).to_contain_text("you · to move")  # sides are swapped
    expect(ada.at("seat-1")).to_contain_text("you")
    assert play_on([Chooser(ada, 3), Chooser(bob, 4)])


def test_a_draw_is_offered_declined_offered_and_accepted(people: Crowd, place: Place) -> None:
    ada, bob = at_table(people, place.table_of("Ada", "Bob", game="choccer"))

    def offer() -> None:
        ada.press("more")
        ada.press("offer-draw")

    offer()
    bob.press("decline-draw")
    expect(bob.at("decline-draw")).to_be_hidden()
    Chooser(ada).choose(look(ada))
    Chooser(bob).choose(until(lambda: can_choose(look(bob)) and look(bob)))
    expect(ada.at("table")).to_have_attribute("data-ply", "2")
    offer()
    bob.press("accept-draw")
    for person in (ada, bob):
        expect(person.at("ending")).to_be_visible()
    assert place.view(ada.table)["ending"]["reason"] == "agreed"


def test_what_is_said_stays_text(people: Crowd, place: Place) -> None:
    ada, bob = at_table(people, place.table_of("Ada", "<b>Bob</b>", game="connect_four"))
    words = '<img src=x onerror="alert(1)"> & <b>"bold"</b> 🦢'
    ada.press("tab-chat")
    ada.at("chat-input").fill(words)
    ada.page.keyboard.press("Enter")
    expect(bob.at("tab-chat")).to_have_text("Chat (1)")
    bob.press("tab-chat")
    expect(bob.at("chat-lines")).to_contain_text(words)
    assert bob.page.locator("[data-testid=chat-lines] img").count() == 0
    expect(ada.at("seats")).to_contain_text("<b>Bob</b>")
    expect(bob.at("tab-chat")).to_have_text("Chat")


def test_a_hint_is_shown_and_can_be_played(people: Crowd, place: Place) -> None:
    ada, _ = at_table(people, place.table_of("Ada", "Bob", game="connect_four"))
    ada.press("hint")
    expect(ada.page.locator(".seeking")).to_be_visible()
    expect(ada.at("status")).to_contain_text("Your turn")
    hints = ada.at("hints").get_by_role("button")
    expect(hints.first).to_contain_text("%", timeout=60_000)  # the search may have to be compiled
    expect(ada.page.locator(".seeking")).to_have_count(0)
    expect(ada.page.locator(".is-hinted").first).to_be_visible()
    hints.first.click()
    expect(ada.at("table")).to_have_attribute("data-ply", "1")


def test_a_choice_is_taken_back(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", game="game17", options={"edge": 4})
    ada, bob = at_table(people, seats)
    expect(ada.at("undo")).to_be_disabled()
    mine = mover(seats)
    mine.must("act", ply=0, action=mine.view()["choices"][1]["action"])
    ada.press("undo")
    for person in (ada, bob):
        expect(person.at("table")).to_have_attribute("data-ply", "0")
    assert can_choose(until(lambda: can_choose(look(ada)) and look(ada)))
    assert not can_choose(look(bob))


def test_what_was_played_last_is_marked_and_told(people: Crowd, place: Place) -> None:
    ada, bob = at_table(people, place.table_of("Ada", "Bob", game="choccer"))
    choice = next(choice for choice in seat_of(place, ada).view()["choices"] if len(choice["picks"]) == 2)
    hit(ada, spot(choice["picks"][0]))
    expect(ada.at("status")).to_have_text("Now pick where to")
    hit(ada, spot(choice["picks"][1]))
    expect(bob.page.locator(".is-last")).to_have_count(2)
    expect(bob.at("story").locator("li").last).not_to_be_empty()
    expect(bob.at("live-log").locator("p").last).not_to_be_empty()


def seat_of(place: Place, person: Person) -> Seat:
    """The seat that this browser holds, for a program to look from."""
    held = person.held()[person.table]
    return Seat(place, person.table, held["seat"], held["token"])


def test_an_action_can_be_typed_and_nonsense_is_refused_in_words_once(people: Crowd, place: Place) -> None:
    ada, bob = at_table(people, place.table_of("Ada", "Bob", game="choccer"))
    text = seat_of(place, ada).view()["choices"][0]["text"]
    ada.at("notation").fill("castle kingside ♔ <b>")
    for _ in range(4):
        ada.page.keyboard.press("Enter")
        expect(ada.page.locator("form[aria-busy]")).to_have_count(0)  # meanwhile it takes nothing else
        expect(ada.at("toast")).to_be_visible()
    expect(ada.at("toast")).to_have_count(1)
    expect(ada.at("notation")).to_have_value("castle kingside ♔ <b>")
    ada.at("notation").fill(text)
    ada.page.keyboard.press("Enter")
    expect(bob.at("table")).to_have_attribute("data-ply", "1")


def test_clocks_run_and_whoever_has_no_time_left_is_stood_in_for(people: Crowd, place: Place) -> None:
    clock = {"kind": "turn", "seconds": 4}
    ada, bob = at_table(people, place.table_of("Ada", "Bob", game="connect_four", clock=clock))
    running = ada.page.locator(".seat.is-turn .clock")
    expect(running).to_have_text(re.compile("0:0[34]"))
    expect(running).to_have_text("0:02")
    expect(bob.at("seats")).to_contain_text("stands in")
    expect(ada.at("back")).to_be_visible()
    ada.press("back")
    expect(ada.at("back")).to_be_hidden()
    expect(bob.at("seats")).not_to_contain_text("stands in")


def test_a_clock_follows_the_servers_time_when_the_systems_jumps(people: Crowd, place: Place) -> None:
    clock = {"kind": "turn", "seconds": 300}
    ada, _ = at_table(people, place.table_of("Ada", "Bob", game="connect_four", clock=clock))
    running = ada.page.locator(".seat.is-turn .clock")
    expect(running).to_have_text(re.compile("4:5[0-9]"))
    ada.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 3_600_000; }")
    ada.page.wait_for_timeout(1200)
    expect(running).to_have_text(re.compile("4:[0-9]{2}"))


def test_an_address_that_leads_nowhere_says_so(people: Crowd) -> None:
    people.troubles.allow("404")
    ada = people.person("Ada")
    for path in ("/table/no-such-table", "/replay/no-such-table", "/rules/no-such-game", "/nowhere/at/all"):
        ada.go(path)
        expect(ada.at("sorry")).to_be_visible()
        ada.page.get_by_role("link", name="To the lobby").click()
        expect(ada.at("games")).to_be_visible()
