"""What makes a table lively: reactions, the panel at the end of a match, the room where one waits."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from browsing import Crowd, is_open_to_all
from serving import Place

pytestmark = pytest.mark.xdist_group("browser-1")
SCREENS: dict[str, ViewportSize] = {
    "phone": {"width": 390, "height": 844},
    "wide": {"width": 1280, "height": 800},
}


def test_a_reaction_is_seen_at_the_seat_that_says_it_and_goes(people: Crowd, place: Place) -> None:
    red, yellow = place.table_of("Ada", "Bob")
    ada, bob = people.person("Ada", phone=True), people.person("Bob")
    ada.sit(red.table, red.token)
    bob.sit(yellow.table, yellow.token)
    ada.press("react")
    expect(ada.at("react-nice")).to_be_in_viewport(ratio=1)
    is_open_to_all(ada.page)
    ada.press("react-nice")
    for person in (ada, bob):
        expect(person.at("reaction")).to_have_text("Well played!")
        expect(person.at("reaction")).to_be_in_viewport(ratio=1)
    expect(bob.at("live-log")).to_contain_text("Ada: Well played!")
    expect(bob.at("reaction")).to_have_count(0, timeout=10_000)
    bob.page.keyboard.press("4")
    expect(ada.at("reaction")).to_have_text("Thank you!")
    assert red.view()["chat"] == []
    assert [entry["body"].get("reaction") for entry in place.log(red.table) if entry["kind"] == "chat"] == [
        "nice",
        "thanks",
    ]


def test_reactions_are_muted_with_the_chat(people: Crowd, place: Place) -> None:
    red, yellow = place.table_of("Ada", "Bob")
    ada = people.person("Ada")
    ada.sit(red.table, red.token)
    ada.press("tab-chat")
    ada.press("mute-talk")
    yellow.must("chat", reaction="wow")
    red.must("chat", text="mine")
    expect(ada.at("chat-lines")).to_contain_text("mine")
    expect(ada.at("reaction")).to_have_count(0)
    ada.press("mute-talk")
    yellow.must("chat", reaction="hello")
    expect(ada.at("reaction")).to_have_text("Hello!")


def test_nobody_reacts_to_bots(people: Crowd, place: Place) -> None:
    table = place.open(bots={"1": "random"})["table"]["id"]
    seat = place.sit(table, "Ada")
    ada = people.person("Ada")
    ada.sit(table, seat.token)
    expect(ada.at("status")).to_be_visible()
    expect(ada.at("react")).to_be_hidden()


@pytest.mark.parametrize("screen", SCREENS)
def test_a_match_ends_with_all_that_one_wants_to_know(screen: str, people: Crowd, place: Place) -> None:
    """Who has won, how, the standings, and where to go: on the screen at once, whoever looks."""
    black, white = place.table_of("Ada", "Bob", game="choccer")
    ada = people.person("Ada", phone=screen == "phone")
    page = ada.sit(black.table, black.token)
    page.set_viewport_size(SCREENS[screen])
    white.must("resign")
    ending = ada.at("ending")
    expect(ending).to_contain_text("You win!")
    expect(ada.at("verdict")).to_have_text("Ada wins: the other has resigned.")
    expect(ending.locator(".laurels .chair")).to_have_text("B")
    expect(ada.at("standings").locator("li")).to_have_count(2)
    expect(ada.at("standings").locator(".chair").first).to_have_text("B")
    for testid in ("rematch", "to-replay", "learn-more", "standings"):
        expect(ada.at(testid)).to_be_in_viewport(ratio=1)
    expect(ada.at("board")).to_be_visible()
    expect(ending).not_to_have_class(re.compile("is-moving"))  # who wants no motion has none
    is_open_to_all(page)
    ada.press("learn-more")
    expect(ada.at("lesson")).to_be_visible()


def test_the_end_rises_for_whoever_likes_motion(people: Crowd, place: Place) -> None:
    red, yellow = place.table_of("Ada", "Bob")
    ada = people.person("Ada", settings={"speed": "fast"})
    ada.sit(red.table, red.token)
    yellow.must("resign")
    expect(ada.at("ending")).to_have_class(re.compile("is-moving"))
    ada.page.reload()
    expect(ada.at("ending")).to_be_visible()


def test_whoever_waits_sees_the_board_and_whom_they_wait_for(people: Crowd, place: Place) -> None:
    table = place.open("goose", seats=3, bots={"1": "random"})["table"]["id"]
    seat = place.sit(table, "Ada")
    ada = people.person("Ada", phone=True)
    page = ada.sit(table, seat.token)
    expect(ada.at("preview").locator("svg")).to_be_visible()
    expect(ada.at("expected")).to_contain_text("anybody can come")
    expect(ada.at("expected")).to_contain_text("as soon as one more sits down")
    expect(ada.at("busy")).to_have_text(
        re.compile("(Nobody else plays|One person plays|[0-9]+ people play) this game here")
    )
    expect(ada.at("waiting")).to_contain_text("Already here: ")
    is_open_to_all(page)
    hidden = place.open("goose", seats=3, public=False)
    seat = place.sit(hidden["table"]["id"], "Ada", invite=hidden["invite"])
    ada.sit(seat.table, seat.token)
    expect(ada.at("expected")).to_contain_text("to whom you give the link")
    expect(ada.at("expected")).to_contain_text("as soon as 2 more sit down")
    expect(ada.at("busy")).to_be_empty()
