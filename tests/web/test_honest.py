"""The page says what is so: clocks, names, offers, thrown dice, links; and what went wrong, in a sentence."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browsing import Crowd
from serving import Place, until

pytestmark = pytest.mark.xdist_group("browser-2")

# How many seconds the clock that is shown differs from the one that counts, at the moment when it changes. The server
# is asked then: its answer is from some time between the question and when it comes.
DIFFERS = """async (path) => {
  const clock = document.querySelector(".seat.is-turn .clock");
  const was = clock.textContent;
  while (clock.textContent === was) await new Promise((resolve) => requestAnimationFrame(resolve));
  const [minutes, seconds] = clock.textContent.split(":").map(Number);
  const [shown, changed] = [60 * minutes + seconds, performance.now()];
  const table = await (await fetch(path)).json();
  const took = (performance.now() - changed) / 1000;
  const counts = table.seats[0].left;
  return Math.max(0, counts - shown, shown - (counts + took));
}"""
FIGURES = """() => {
  const clock = document.querySelector(".clock");
  const { fontFamily } = getComputedStyle(clock);
  const wide = (figure) => {
    const one = clock.cloneNode();
    one.textContent = figure.repeat(10);
    clock.after(one);
    const { width } = one.getBoundingClientRect();
    one.remove();
    return Math.round(width * 10);
  };
  return [fontFamily.split(",")[0].replaceAll('"', ""), new Set([..."0123456789"].map(wide)).size];
}"""


def test_the_clock_that_is_shown_is_the_one_that_counts(people: Crowd, place: Place) -> None:
    """Talk and offers change nothing; neither does a rematch that is wished for; a draw that is declined is said."""
    ann, bob = place.table_of("Ann", "Bob", clock={"kind": "bank", "seconds": 120})
    ada = people.person("Ann")
    page = ada.sit(ann.table, ann.token)
    ann.must("draw")
    differs = []
    for line in range(1, 6):  # a busy machine may be late; a clock that is wrong is wrong each time
        bob.must("chat", text="no")
        expect(ada.at("tab-chat")).to_have_text(f"Chat ({line})")
        differs.append(page.evaluate(DIFFERS, f"/api/tables/{ann.table}"))
        if differs[-1] <= 0.2:
            break
    assert min(differs) <= 0.2
    assert page.evaluate(FIGURES) == ["Nunito Sans", 1], "figures of one width, so that nothing moves as it runs"
    bob.must("draw", answer="decline")
    expect(ada.at("toast")).to_have_text("Bob declines the draw.")
    expect(page.locator(".score")).to_have_count(0)
    bob.must("resign")
    bob.must("rematch")
    expect(page).to_have_title("● Rematch · Connect Four")
    expect(ada.at("rematch")).to_have_text("To the rematch")
    page.set_viewport_size({"width": 360, "height": 640})
    expect(ada.at("toast").last).to_have_text("Bob wants a rematch.")
    expect(ada.at("toast")).to_have_count(1)  # the other was there for a while, and has made room
    toast, head = ada.at("toast").bounding_box(), page.locator(".table-head").bounding_box()
    assert toast
    assert head
    assert toast["y"] + toast["height"] <= head["y"], "it covers nothing of the table"


def tables_of_goose(place: Place) -> set[str]:
    return {table["id"] for table in place.http.get("/api/tables", params={"game": "goose"}).json()}


def test_names_and_windows_before_a_table_is_opened(people: Crowd, place: Place) -> None:
    """What the server would refuse is said at the field; Cancel opens nothing; ? helps on every page."""
    before = tables_of_goose(place)
    ada = people.person("")
    page = ada.go()
    page.keyboard.press("?")
    expect(ada.at("dialog")).to_contain_text("Keys")
    page.keyboard.press("Escape")
    page.locator("[data-testid=game-goose] [data-testid=open-table]").click()
    name = ada.at("opening").locator("[name=name]")
    name.fill("Ada (bot)")
    ada.press("open")
    assert name.evaluate("field => field.validationMessage") == "A name cannot have anything in brackets."
    expect(ada.at("opening")).to_be_visible()
    assert not tables_of_goose(place) - before
    people.troubles.allow("400")
    name.fill("👨‍👩‍👧‍👦‍👦" * 24)  # to the server, more than four joined ones are not one
    ada.press("open")
    until(
        lambda: name.evaluate("field => field.validationMessage") == "A name has 1 to 24 characters that can be seen."
    )
    expect(ada.at("toast")).to_have_count(0)
    assert not tables_of_goose(place) - before
    name.fill("👨🏻‍👩🏻‍👧🏻‍👦🏻" * 24)
    ada.press("more-settings")
    ada.at("opening").locator("[name=hints]").uncheck()
    ada.press("open")
    expect(ada.at("terms")).to_have_text("No clock · No hints")
    expect(ada.at("only-here")).to_contain_text("Only this computer can open this link")
    expect(page.locator(".qr")).to_have_count(0)
    ada.press("more")
    ada.press("leave")
    ada.press("dialog-cancel")
    expect(ada.at("terms")).to_be_visible()
    ada.press("more")
    ada.press("leave")
    ada.press("sure")
    expect(ada.at("games")).to_be_visible()
    until(lambda: not tables_of_goose(place) - before)


def test_throws_for_the_start_are_thrown_and_stay_to_be_seen(people: Crowd, place: Place) -> None:
    table = place.open("goose", seats=2)["table"]["id"]
    ada = people.person("Ada", settings={"speed": "fast"})
    page = ada.watch(table)
    page.evaluate(
        """() => {
          const [place, story, status] = ["thrown", "story", "status"].map((name) => `[data-testid=${name}]`);
          const text = (query) => document.querySelector(query).textContent;
          window.thrown = [];
          window.known = [];
          new MutationObserver(() => {
            window.thrown.push(text(place));
            window.known.push([text(status), text(story), document.querySelectorAll(".seat.is-turn").length]);
          }).observe(document.querySelector(place), { childList: true });
        }"""
    )
    for name in ("Ann", "Bob"):
        place.sit(table, name)
    until(lambda: len(page.evaluate("() => window.thrown")) >= 2)
    first, second = page.evaluate("() => window.thrown")[:2]
    assert re.fullmatch(r"Ann throws \d and \d to see who begins", first)
    assert re.fullmatch(r"Bob throws \d and \d to see who begins", second)
    assert page.evaluate("() => window.known[0]") == ["Who begins?", "", 0], "the dice decide it, not the page"
    expect(ada.at("status")).to_contain_text("is to move")
    expect(ada.at("story")).to_contain_text("begins")
    expect(ada.at("thrown").locator("svg")).to_have_count(2)


def test_a_lost_server_and_a_missing_part_get_a_sentence(people: Crowd) -> None:
    people.troubles.allow("ERR_FAILED|rules|WebSocket|content policy|Content Security")
    ada = people.person("Ada")
    ada.context.route("**/assets/rules*.js", lambda route: route.abort())
    page = ada.go("/rules")
    expect(ada.at("sorry")).to_contain_text("A part of this page could not be loaded.")
    page.evaluate(
        "() => { const Old = WebSocket; window.WebSocket = class extends Old {"
        "constructor() { super('ws://127.0.0.1:9/none'); } }; }"
    )
    page.get_by_role("link", name="To the lobby").click()
    expect(ada.at("connection")).to_have_text("The server cannot be reached just now.")
