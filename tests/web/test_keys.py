"""A whole match by the keyboard alone; what taps do on a phone, and how wide its pages are."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browsing import Crowd, Person
from playing import can_choose, hit, look, spot
from serving import Place, Seat, mover, until

pytestmark = pytest.mark.xdist_group("browser-2")
ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]
FOCUSED = "() => document.activeElement?.getAttribute('data-spot') ?? ''"


def tab_to(person: Person, what: str) -> None:
    """Press Tab until something that matches has the focus."""
    for _ in range(60):
        if person.page.evaluate("query => document.activeElement?.matches(query) ?? false", what):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never leads to {what}")


def choose_by_keys(person: Person, dice: random.Random) -> None:
    """Wander over the board with the arrows, and pick with Enter; as often as the choice takes."""
    ply = look(person)["ply"]
    tab_to(person, "[data-spot]")
    for _ in range(8):
        for _ in range(dice.randrange(4)):
            person.page.keyboard.press(dice.choice(ARROWS))
        person.page.keyboard.press("Enter")
        if until(lambda: not look(person)["busy"]) and look(person)["ply"] != ply:
            return
        if not look(person)["open"]:
            person.page.keyboard.press("Escape")
    raise AssertionError("the keys made no choice")


def test_a_whole_match_without_a_mouse(people: Crowd, place: Place) -> None:
    """From the lobby to the end; the focus stays on the board from turn to turn."""
    ada = people.person("Ada")
    ada.go()
    expect(ada.at("games")).to_be_visible()
    tab_to(ada, "[data-testid=game-connect_four] [data-testid=play-now]")
    ada.page.keyboard.press("Enter")
    dice = random.Random(7)
    expect(ada.page.locator(".is-open").first).to_be_visible()
    while not look(ada)["over"]:
        if can_choose(look(ada)):
            choose_by_keys(ada, dice)
    assert place.view(ada.table)["ending"]["reason"] == "rules"


def test_keys_for_help_flip_hint_notation_and_chat(people: Crowd, place: Place) -> None:
    first, second = place.table_of("Ada", "Bob", game="connect_four")
    ada = people.person("Ada")
    mine = first if first.view()["choices"] else second
    page = ada.sit(mine.table, mine.token)
    expect(page.locator(".is-open").first).to_be_visible()
    page.keyboard.press("?")
    expect(ada.at("dialog")).to_contain_text("take back")
    page.keyboard.press("Escape")
    expect(ada.at("dialog")).to_have_count(0)
    page.keyboard.press("f")
    expect(page.locator(".is-flipped")).to_have_count(1)
    page.keyboard.press("f")
    page.keyboard.press("h")
    expect(ada.at("hint-text")).to_contain_text("thought says: ", timeout=60_000)  # the search may have to be compiled
    page.keyboard.press("Escape")
    expect(ada.at("hints")).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type(mine.view()["choices"][0]["text"])
    page.keyboard.press("Enter")
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    page.locator("h1").click()
    page.keyboard.press("c")
    page.keyboard.type("hello ? f u h")
    page.keyboard.press("Enter")
    expect(ada.at("chat-lines")).to_contain_text("hello ? f u h")


def test_a_key_takes_back(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", game="game17", options={"edge": 4})
    mine = mover(seats)
    mine.must("act", ply=0, action=mine.view()["choices"][1]["action"])
    ada = people.person("Ada")
    page = ada.sit(mine.table, mine.token)
    expect(ada.at("undo")).to_be_enabled()
    page.keyboard.press("u")
    expect(ada.at("table")).to_have_attribute("data-ply", "0")


def test_focus_stays_on_the_board_while_others_play(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", game="connect_four")
    mine, other = seats if seats[0].view()["choices"] else seats[::-1]
    ada = people.person("Ada")
    page = ada.sit(mine.table, mine.token)
    expect(page.locator(".is-open").first).to_be_visible()
    choose_by_keys(ada, random.Random(1))
    other.must("act", ply=1, action=other.view()["choices"][0]["action"])
    expect(ada.at("table")).to_have_attribute("data-ply", "2")
    until(lambda: can_choose(look(ada)))
    assert page.evaluate(FOCUSED) != "", "Enter would pick at once"


def test_what_can_be_taken_back_need_not_be_confirmed(people: Crowd, place: Place) -> None:
    """A runner may step back and forth on known ground; a disc of Connect Four has fallen."""
    ada = people.person("Ada", phone=True)
    back, seat = play_until_undoable(place.table_of("Ada", "Bob", game="mazerunner"), "back")
    ply = seat.view()["position"]["ply"]
    ada.sit(seat.table, seat.token)
    expect(ada.page.locator(spot(back["picks"][0]))).to_have_class(re.compile("is-open"))
    hit(ada, spot(back["picks"][0]))
    expect(ada.at("table")).to_have_attribute("data-ply", str(ply + 1))
    seats = place.table_of("Ada", "Bob", game="connect_four")
    mine = next(seat for seat in seats if seat.view()["choices"])
    ada.sit(mine.table, mine.token)
    expect(ada.page.locator(spot("4"))).to_have_class(re.compile("is-open"))
    hit(ada, spot("4"))
    expect(ada.at("confirm")).to_be_visible()
    expect(ada.at("table")).to_have_attribute("data-ply", "0")


def play_until_undoable(seats: list[Seat], text: str) -> tuple[dict[str, Any], Seat]:
    """Play at random until somebody has this choice and could take it back; returns it, and whose it is."""
    dice = random.Random(3)
    for _ in range(2000):
        seat = mover(seats)
        view = seat.view(undoable=True)
        found: dict[str, Any] = next((choice for choice in view["choices"] if choice["text"] == text), {})
        if found.get("undoable"):
            return found, seat
        seat.must("act", ply=view["position"]["ply"], action=dice.choice(view["choices"])["action"])
    raise AssertionError(f"nobody could choose {text}, and take it back")


@pytest.mark.parametrize("path", ["/", "/tables", "/replay", "/rules", "/rules/goose", "/rules/mazerunner"])
def test_no_page_is_wider_than_a_phone(path: str, people: Crowd) -> None:
    ada = people.person("Ada", phone=True)
    ada.go(path)
    ada.page.wait_for_load_state("networkidle")
    assert ada.page.evaluate("() => document.documentElement.scrollWidth") == 360
