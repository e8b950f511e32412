"""Small things that look broken: an empty strip, a board that changes its size, a stop of the Tab key for nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browsing import Crowd, Person
from parlour.engine import registry
from playing import can_choose, look
from serving import Place, mover, play_out, until

pytestmark = pytest.mark.xdist_group("browser-2")
SIZES: list[ViewportSize] = [
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 1280, "height": 800},
]

# Boxes with an edge or a ground of their own in which nothing is to be seen.
EMPTY = """() => [...document.querySelectorAll(".doing > *, .doing .card, .beside > *")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  if (width === 0 || height === 0) return false;
  const shown = [...one.querySelectorAll("*")].filter((part) => part.getClientRects().length > 0);
  return !one.innerText.trim() && !shown.some((part) => part.matches("button, input, svg, summary, img"));
}).map((one) => one.className)"""


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_after_a_wrong_move_in_a_lesson_no_empty_strip_is_left(phone: bool, people: Crowd) -> None:
    ada = people.person("Ada", phone=phone)
    page = ada.go("/learn/connect_four")
    spot = page.locator('[data-spot="1"]')
    if phone:
        spot.tap()
        ada.press("confirm")
    else:
        spot.click()
    expect(page.locator(".answer .is-other")).to_be_visible()
    assert page.evaluate(EMPTY) == []


# From now on notes whether the answer could be read, or the next step be asked for, while dice still rolled.
NOTE = """() => {
  window.early = window.hasSign = false;
  const look = () => {
    const answer = document.querySelector("[data-testid=answer] .is-right");
    const next = document.querySelector("[data-testid=step-next].brass");
    const isRead = [answer, next].some((one) => one !== null && getComputedStyle(one).visibility === "visible");
    window.hasSign ||= document.querySelector("[data-testid=played]")?.checkVisibility() ?? false;
    if (isRead && document.querySelector(".over").childElementCount > 0) window.early = true;
    requestAnimationFrame(look);
  };
  look();
}"""


def test_a_lesson_does_not_tell_dice_before_they_have_landed(people: Crowd) -> None:
    ada = people.person("Ada", settings={"speed": "fast"})
    page = ada.go("/learn/goose")
    page.evaluate(NOTE)
    ada.press("show-me")
    page.evaluate(
        "() => { window.rolled = new Promise((done) => new MutationObserver(done)"
        ".observe(document.querySelector('.over'), { childList: true })); }"
    )
    ada.at("hints").get_by_role("button").first.click()
    page.evaluate("() => window.rolled")
    expect(page.locator(".answer .is-right")).to_be_visible()
    assert page.evaluate("() => window.early") is False
    assert page.evaluate("() => window.hasSign"), "something says at once that it was right"
    expect(ada.at("played")).to_be_hidden()


def board_of(page: Page) -> list[int]:
    box = page.get_by_test_id("board").bounding_box()
    assert box is not None
    return [round(box["width"]), round(box["height"])]


def picks(ada: Person) -> list[list[int]]:
    """The size of the board before anything is picked, and after each pick, until something waits to be confirmed."""
    page = ada.page
    sizes = [board_of(page)]
    for _ in range(3):
        seen = look(ada)
        open_spots = seen["next"] or seen["open"]
        if seen["confirm"] or not open_spots:
            break
        page.locator(f'[data-spot="{open_spots[0]}"]').first.tap(force=True)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        sizes.append(board_of(page))
    return sizes


@pytest.mark.parametrize("game", registry.names())
def test_the_board_keeps_its_size_while_one_picks(game: str, people: Crowd, place: Place) -> None:
    seat = mover(place.table_of("Ada", "Bob", game=game, seats=2))
    ada = people.person("Ada", phone=True)
    page = ada.sit(seat.table, seat.token)
    until(lambda: can_choose(look(ada)))
    found: dict[str, Any] = {}
    for size in SIZES:
        page.set_viewport_size(size)
        page.keyboard.press("Escape")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        sizes = picks(ada)
        if size["width"] < 860 and page.locator(".menu .yes").count():  # the button itself says what it would do
            box = page.locator(".menu .yes + span").bounding_box()
            assert box is not None
            assert box["height"] > 8
        if any(one != sizes[0] for one in sizes):
            found[f"{size['width']}x{size['height']}"] = sizes
    assert found == {}


# What has the focus, if it is nothing that can be used; nothing if it can.
DEAD = """() => {
  const one = document.activeElement;
  const scrolls = one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
  const isUsed = one.matches("a, button, input, select, summary, [data-spot], [role=tab]");
  return one === document.body || isUsed || scrolls ? "" : one.outerHTML.slice(0, 120);
}"""


@pytest.mark.parametrize("where", ["table", "lesson"])
def test_every_stop_of_the_tab_key_before_the_board_is_good_for_something(
    where: str, people: Crowd, place: Place
) -> None:
    ada = people.person("Ada")
    if where == "table":
        seat = mover(place.table_of("Ada", "Bob", game="choccer"))
        page = ada.sit(seat.table, seat.token)
        until(lambda: can_choose(look(ada)))
    else:
        page = ada.go("/learn/choccer")
        expect(ada.at("progress")).to_be_visible()
    dead = []
    for _ in range(40):
        page.keyboard.press("Tab")
        dead.append(page.evaluate(DEAD))
        if page.evaluate("() => document.activeElement.matches('[data-spot]')"):
            break
    else:
        raise AssertionError("the board was never reached")
    assert [one for one in dead if one] == []


# Every number below zero that is written with a hyphen.
HYPHENS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode())
    if (/(^|[\\s(:,])-\\d/.test(text.textContent)) found.push(text.textContent);
  return found;
}"""


def test_there_is_one_kind_of_minus(people: Crowd, place: Place) -> None:
    """Some scores of verfuchst are below zero: at the table, at its end, and in its replay."""
    ada = people.person("Ada", settings={"tellEnd": True})
    for _ in range(20):
        over = play_out(place.table_of("Ada", "Bob", "Cid", "Dan", game="verfuchst"))
        if min(seat["score"] for seat in over["seats"]) < 0:
            break
    page = ada.watch(over["id"])
    expect(ada.at("standings")).to_contain_text(re.compile("−\\d"))
    assert page.evaluate(HYPHENS) == []
    ada.go(f"/replay/{over['id']}")
    ada.press("last")
    expect(page.locator(".seats .score", has_text=re.compile("−\\d")).first).to_be_visible()
    assert page.evaluate(HYPHENS) == []


def test_whoever_has_lost_reads_who_has_won_how_and_how_they_did(people: Crowd, place: Place) -> None:
    seats = place.table_of("Ada", "Bob", "Cid", game="goose")
    over = play_out(seats)
    loser = next(seat for seat in seats if seat.number not in over["ending"]["winners"])
    winner = over["seats"][over["ending"]["winners"][0]]["name"]
    ada = people.person("Ada", phone=True)
    ada.sit(loser.table, loser.token)
    ending = ada.at("ending")
    expect(ending.get_by_role("heading")).to_have_text("You lost this one")
    expect(ada.at("verdict")).to_have_text(f"{winner} wins.")
    expect(ada.at("how")).to_contain_text(winner)
    expect(ada.at("your-place")).to_be_empty()  # in a race that one has won, all others are alike
    for testid in ("verdict", "how", "rematch"):
        expect(ada.at(testid)).to_be_in_viewport(ratio=1)


# How far the end of the story is from what can be seen of it.
BELOW = """() => {
  const story = document.querySelector("[data-testid=story]");
  return story.scrollHeight - story.scrollTop - story.clientHeight;
}"""


def test_the_story_shows_its_end_however_much_stands_above_it(people: Crowd, place: Place) -> None:
    """What is asked takes now more room, now less; only whoever scrolls up themselves looks at what was."""
    seats = place.table_of("Ada", "Bob", game="mazerunner")
    ada = people.person("Ada")
    page = ada.sit(seats[0].table, seats[0].token)
    for ply in range(20):
        seat = mover(seats)
        choices = seat.view()["choices"]
        seat.must("act", ply=ply, action=choices[ply % len(choices)]["action"])
        expect(ada.at("table")).to_have_attribute("data-ply", str(ply + 1))
        until(lambda: page.evaluate(BELOW) < 2)
    page.evaluate("() => document.querySelector('[data-testid=story]').scrollTo(0, 0)")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seat = mover(seats)
    seat.must("act", ply=20, action=seat.view()["choices"][0]["action"])
    expect(ada.at("table")).to_have_attribute("data-ply", "21")
    assert page.evaluate("() => document.querySelector('[data-testid=story]').scrollTop") == 0


def test_one_is_told_what_one_plays_for_and_what_happened_last(people: Crowd, place: Place) -> None:
    """On a phone, where the story is out of sight, a line has its end; a press tells all since one's last turn."""
    seats = place.table_of("Ada", "Bob", game="goose")
    first = mover(seats)
    other = next(seat for seat in seats if seat is not first)
    ada, bob = people.person("Ada", phone=True), people.person("Bob")
    ada.sit(first.table, first.token)
    bob.sit(other.table, other.token)
    for person in (ada, bob):
        expect(person.at("latest")).to_contain_text("How to win: ")
        expect(person.at("latest")).to_be_in_viewport(ratio=1)
    size = board_of(ada.page)
    ada.press("choice")
    expect(ada.at("latest")).not_to_contain_text("How to win")
    bob.press("choice")
    expect(bob.at("latest")).to_be_hidden()  # the story stands below
    expect(ada.at("table")).to_have_attribute("data-ply", "2")
    expect(ada.at("latest")).to_have_text(re.compile(re.escape(last_of(ada)), re.IGNORECASE))
    assert board_of(ada.page) == size
    ada.press("latest")
    expect(ada.at("dialog")).to_contain_text("How to win: ")
    newest = ada.at("dialog").locator(".story li").last
    expect(newest).to_have_text(re.compile(re.escape(last_of(ada)), re.IGNORECASE))
    expect(newest).to_be_in_viewport()


def last_of(person: Person) -> str:
    """The last line of the story."""
    return person.page.locator("[data-testid=story] li").last.text_content() or ""
