"""Learning in the browser: a lesson from its first step to the match after it; questions, reasons, the rulebook."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from browsing import Crowd, Person, is_open_to_all
from parlour.engine import registry
from serving import Place

pytestmark = pytest.mark.xdist_group("browser-1")
PHONES: list[ViewportSize] = [
    {"width": 360, "height": 640},
    {"width": 390, "height": 664},
    {"width": 844, "height": 390},
]


def do_step(ada: Person, number: int) -> None:
    """Do what the step asks for, on the board."""
    lesson = registry.get("connect_four").lesson
    assert lesson is not None
    expect(ada.at("lesson")).to_have_attribute("data-step", str(number))
    spot = ada.page.locator(f'[data-spot="{lesson.steps[number].do[0]}"]')
    spot.tap() if ada.touches else spot.click()
    if ada.touches:
        ada.press("confirm")
    expect(ada.page.locator(".answer .is-right")).to_be_visible()


def lose_server(people: Crowd, ada: Person) -> None:
    """Try something while the server is away, and skip a step: it is said, and the last wish is fulfilled later."""
    people.troubles.allow("ERR_FAILED|api/games/connect_four/lesson")
    ada.context.route("**/lesson/*", lambda route: route.abort())
    ada.press("show-me")
    hint = ada.at("hints").get_by_role("button").first
    hint.tap() if ada.touches else hint.click()
    expect(ada.at("trouble")).to_have_text(re.compile("The server cannot be reached"))
    expect(ada.at("trouble")).to_be_in_viewport(ratio=1)
    assert not ada.touches or ada.page.evaluate(UNSEEN) == []
    ada.press("step-back")
    ada.context.unroute("**/lesson/*")
    expect(ada.at("lesson")).to_have_attribute("data-step", "0")
    expect(ada.at("trouble")).to_be_hidden()
    ada.press("step-next")


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_a_lesson_and_the_match_after_it(phone: bool, people: Crowd) -> None:
    ada = people.person("Ada", phone=phone)
    page = ada.page
    if phone:
        page.set_viewport_size(PHONES[0])
    ada.go()
    page.locator("[data-testid=game-connect_four] [data-testid=learn]").click()
    expect(ada.at("progress")).to_have_text("Step 1 of 6")
    page.locator('[data-spot="1"]').tap() if phone else page.locator('[data-spot="1"]').click()
    if phone:
        ada.press("confirm")
    expect(ada.at("answer")).to_contain_text("begin in the middle")
    is_open_to_all(page)
    ada.press("show-me")
    expect(page.locator('[data-spot="4"]')).to_have_class(re.compile("is-hinted"))
    for number in range(6):
        if number == 1:
            lose_server(people, ada)
        do_step(ada, number)
        if number == 0:
            page.locator("[data-testid=answer] [data-testid=clause]").click()
            expect(ada.at("rules-panel").locator("#clause-2")).to_have_class("is-meant")
            expect(ada.at("rules-panel").locator("#clause-2")).to_be_in_viewport()
            expect(ada.at("board")).to_be_visible()
            is_open_to_all(page)
            ada.press("close-rules")
        if number < 5:
            ada.press("step-next")
    expect(ada.at("lesson-done")).to_contain_text("Easy")
    expect(ada.at("lesson-done")).to_be_in_viewport(ratio=1)
    ada.press("play-easiest")
    expect(ada.at("seat-1")).to_contain_text("Yellow (Easy)")
    expect(ada.at("hints")).to_be_visible(timeout=120_000)  # the first search of a server is compiled first


def test_questions_and_reasons_at_a_table(people: Crowd, place: Place) -> None:
    black, _ = place.table_of("Ada", "Bob", game="choccer")
    ada = people.person("Ada")
    page = ada.sit(black.table, black.token)
    page.locator('[data-spot="H3"].is-open').wait_for()
    told = ada.at("explanation")
    page.locator('[data-spot="D3"]').hover(force=True)
    expect(told).to_contain_text("White's circle. A circle goes one square up, down, left or right.")
    page.locator('[data-what="column-A"]').hover()
    expect(told).to_contain_text("Squares are named by column and row, such as A3. Clause 1")
    page.locator('[data-spot="H3"]').click()
    page.locator('[data-spot="F3"]').click(force=True)
    expect(told).to_contain_text("A circle goes one square up, down, left or right. Clause 6")
    told.get_by_test_id("clause").click()
    expect(ada.at("rules-panel").locator("#clause-6")).to_have_class("is-meant")
    assert ada.at("rules-panel").locator("#clause-6 .clause-link").get_attribute("href") == "/rules/choccer#clause-6"
    page.keyboard.press("Escape")
    expect(ada.at("rules-panel")).to_be_hidden()
    ada.at("ask").focus()
    page.keyboard.press("Enter")
    expect(ada.at("ask")).to_have_attribute("aria-pressed", "true")
    first = told.inner_text()
    page.keyboard.press("ArrowRight")
    expect(told).not_to_have_text(first)
    is_open_to_all(page)
    page.keyboard.press("Escape")
    expect(ada.at("ask")).to_have_attribute("aria-pressed", "false")


def test_a_finger_held_on_something_asks_and_does_not_play(people: Crowd, place: Place) -> None:
    red, _ = place.table_of("Ada", "Bob", game="connect_four")
    ada = people.person("Ada", phone=True)
    page = ada.sit(red.table, red.token)
    box = page.locator('[data-spot="3"].is-open').bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(ada.at("explanation")).to_contain_text("Column 3. A disc dropped here falls")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(ada.at("confirm")).to_have_count(0)
    assert red.view()["position"]["ply"] == 0


def test_bots_have_faces_and_goose_has_no_levels(people: Crowd) -> None:
    ada = people.person("Ada")
    page = ada.go()
    page.locator("[data-testid=game-choccer] [data-testid=open-table]").click()
    ada.at("opening").locator("[name=bot]").select_option("mcts:5")
    expect(ada.at("bot-face")).to_contain_text("Weighs thousands of ways")
    expect(ada.at("bot-face")).to_contain_text("mcts:5")
    page.keyboard.press("Escape")
    page.locator("[data-testid=game-goose] [data-testid=open-table]").click()
    expect(ada.at("opening").locator("select[name=bot]")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("[data-testid=game-goose] [data-testid=play-now]").click()
    expect(ada.at("seats")).to_contain_text("Blue (Company)")
    expect(ada.at("undo")).to_be_visible()
    expect(ada.at("hint")).to_be_hidden()


# What cannot be seen at once on this screen: board, text, what can be chosen, and the buttons.
UNSEEN = """() => {
  const isThere = (one) => one.getClientRects().length > 0;
  const isSeen = ({ left, top, right, bottom }) =>
    left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && right > left && bottom > top;
  const faults = [];
  const needed = ["board", "ask", "rules", "task", "answer"].map((name) => `[data-testid=${name}]`);
  for (const query of [...needed, ".choosing", ".lesson .doing > .row button"]) {
    for (const one of [...document.querySelectorAll(query)].filter(isThere)) {
      if (one.childNodes.length > 0 && !isSeen(one.getBoundingClientRect())) faults.push(`${query} is cut off`);
    }
  }
  const board = document.querySelector("[data-testid=board]").getBoundingClientRect();
  const least = 0.5 * Math.min(innerWidth, innerHeight);
  if (Math.max(board.width, board.height) < least) faults.push(`the board has ${board.width} pixels`);
  const { scrollHeight, scrollWidth } = document.documentElement;
  if (scrollHeight > innerHeight + 1 || scrollWidth > innerWidth + 1) faults.push("the page scrolls");
  return faults;
}"""


def test_every_step_fits_on_a_phone(people: Crowd) -> None:
    """In German, where texts are longest; and when it is done, with what is said then."""
    ada = people.person("Ada", phone=True, locale="de-DE")
    page = ada.page
    cut_off: dict[str, list[str]] = {}

    def measure(what: str) -> None:
        for size in PHONES:
            page.set_viewport_size(size)
            if faults := page.evaluate(UNSEEN):
                cut_off[f"{what} at {size['width']}"] = faults

    for game in registry.all_games():
        steps = game.lesson.steps if game.lesson else ()
        ada.go(f"/learn/{game.name}")
        for number in range(len(steps)):
            expect(ada.at("lesson")).to_have_attribute("data-step", str(number))
            measure(f"{game.name}, step {number}")
            if number == 0:
                is_open_to_all(page)
                ada.press("show-me")
                ada.at("hints").get_by_role("button").first.tap()
                page.locator(".answer .is-right").wait_for()
                measure(f"{game.name}, step {number} when it is done")
                is_open_to_all(page)
            if number < len(steps) - 1:
                ada.at("step-next").evaluate("button => button.click()")  # a second tap at once would count as none
    assert cut_off == {}
