"""The keyboard alone, and a phone: a whole match each."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from browsing import Crowd, Person
from playing import Chooser, can_choose, look, play_on
from serving import Place, until

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


def test_keys_for_help_flip_undo_hint_notation_and_chat(people: Crowd, place: Place) -> None:
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
    expect(ada.at("hints")).to_be_visible()
    page.keyboard.press("Escape")
    expect(ada.at("hints")).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type(mine.view()["choices"][0]["text"])
    page.keyboard.press("Enter")
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    page.locator("h1").click()
    page.keyboard.press("u")
    expect(ada.at("table")).to_have_attribute("data-ply", "0")
    page.keyboard.press("c")
    page.keyboard.type("hello ? f u h")
    page.keyboard.press("Enter")
    expect(ada.at("chat-lines")).to_contain_text("hello ? f u h")


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


@pytest.mark.parametrize("game", ["verfuchst", "choccer"])
def test_a_whole_match_on_a_phone(game: str, people: Crowd, place: Place) -> None:
    """Taps are confirmed; nothing is wider than the screen."""
    ada = people.person("Ada", phone=True)
    bob = people.person("Bob")
    table = place.open(game, seats=2)["table"]["id"]
    for person in (ada, bob):
        person.watch(table)
        person.press("sit")
    expect(ada.at("board")).to_be_visible()
    assert play_on([Chooser(ada, 1), Chooser(bob, 2)]), "the match did not end"
    assert ada.page.evaluate("() => document.documentElement.scrollWidth") == 360
    expect(ada.at("ending")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/tables", "/replay", "/rules", "/rules/goose", "/rules/mazerunner"])
def test_no_page_is_wider_than_a_phone(path: str, people: Crowd) -> None:
    ada = people.person("Ada", phone=True)
    ada.go(path)
    ada.page.wait_for_load_state("networkidle")
    assert ada.page.evaluate("() => document.documentElement.scrollWidth") == 360
