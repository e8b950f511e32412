"""Learning in the browser: a lesson from its first step to the match after it; questions, reasons, the rulebook."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Literal

import pytest
from playwright.sync_api import ViewportSize, expect

from browsing import Crowd, Person, is_open_to_all
from parlour.engine import registry
from parlour.engine.lesson import Lesson
from serving import Place, mover

pytestmark = pytest.mark.xdist_group("browser-1")
SCREENS: list[ViewportSize] = [
    {"width": 360, "height": 640},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 820, "height": 1180},
]
SMALLEST = [size for size in SCREENS if size["width"] * size["height"] < 390 * 844]


def do_step(ada: Person, number: int) -> None:
    """Do what the step asks for, on the board."""
    lesson = registry.get("connect_four").words.lesson
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
        page.set_viewport_size(SCREENS[0])
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


GLOWING = "() => [...document.querySelectorAll('.scene .is-open:not(.is-quiet)')].map((spot) => spot.dataset.spot)"


def test_every_lesson_begins_with_how_to_win(people: Crowd) -> None:
    ada = people.person("Ada", phone=True)
    ada.page.set_viewport_size(SCREENS[0])
    for game in registry.names():
        lesson = registry.get(game).words.lesson
        assert lesson is not None
        ada.go(f"/learn/{game}")
        expect(ada.at("goal")).to_have_text(f"How to win: {lesson.goal['en']}")
        expect(ada.at("goal")).to_be_in_viewport(ratio=1)
        ada.press("step-next")
        expect(ada.at("lesson")).to_have_attribute("data-step", "1")
        expect(ada.at("goal")).to_be_hidden()


def test_only_what_a_step_asks_for_glows_and_all_else_is_answered(people: Crowd) -> None:
    ada = people.person("Ada")
    page = ada.go("/learn/choccer")
    page.locator('[data-spot="H3"].is-open').wait_for()
    assert page.evaluate(GLOWING) == ["H3"]
    page.locator('[data-spot="H3"]').click()
    assert sorted(page.evaluate(GLOWING)) == ["G3", "H3"]
    page.locator('[data-spot="H2"]').click()
    page.locator('[data-spot="G2"]').click()
    expect(ada.at("answer")).to_contain_text("That is allowed")
    ada.go("/learn/mazerunner?step=2")
    page.locator('[data-spot="die-0"].is-open').wait_for()
    assert page.evaluate(GLOWING) == ["die-0", "die-2"]


def test_questions_and_reasons_at_a_table(people: Crowd, place: Place) -> None:
    black, _ = place.table_of("Ada", "Bob", game="choccer")
    ada = people.person("Ada")
    page = ada.sit(black.table, black.token)
    page.locator('[data-spot="H3"].is-open').wait_for()
    told = ada.at("explanation")
    page.locator('[data-spot="D3"]').hover(force=True)
    expect(told).to_contain_text("White's circle. A circle goes one square up, down, left or right.")
    page.locator('[data-what="column-A"]').hover()
    expect(told).to_contain_text("Squares are named by column and row, such as A3. Rule 1")
    page.locator('[data-spot="H3"]').click()
    page.locator('[data-spot="F3"]').click(force=True)
    expect(told).to_contain_text("A circle goes one square up, down, left or right. Rule 6")
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


# The middles of some spots that cannot be picked: of those that something else with a name lies on, and of others.
CLOSED = """() => {
  const middle = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  };
  const isOver = ({ x, y }, one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left <= x && x <= right && top <= y && y <= bottom;
  };
  const all = (query) => [...document.querySelectorAll(`.picture ${query}`)];
  const free = (spot) => !all(".is-open, [data-over]").some((one) => isOver(middle(spot), one));
  const closed = all("[data-spot]:not(.is-open)").filter(free);
  const isUnder = (spot) => all("[data-what]").some((one) => isOver(middle(spot), one));
  return [closed.filter(isUnder), closed.filter((spot) => !isUnder(spot))]
    .flatMap((some) => [some[0], some.at(-1)]).filter(Boolean).map(middle);
}"""


def test_a_click_on_what_cannot_be_chosen_is_answered_in_every_game(people: Crowd, place: Place) -> None:
    ada = people.person("Ada")
    for game in registry.names():
        seat = mover(place.table_of("Ada", "Bob", game=game, seats=2))
        page = ada.sit(seat.table, seat.token)
        page.locator("[data-testid=choosing] button, .scene .is-open").first.wait_for()
        for point in page.evaluate(CLOSED):
            page.mouse.click(point["x"], point["y"])
            expect(ada.at("explanation")).to_be_visible()
            page.mouse.move(1, 1)
            expect(ada.at("explanation")).to_be_hidden()


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
    ada.at("opening").locator("[name=bots]").select_option("1")
    ada.at("bot").select_option("mcts:6")
    expect(ada.at("bot-face")).to_have_text("Weighs thousands of ways before each choice. Thinks: at once.")
    page.keyboard.press("Escape")
    page.locator("[data-testid=game-goose] [data-testid=open-table]").click()
    expect(ada.at("opening")).to_be_visible()
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
  for (const query of [...needed.slice(3), ".choosing", ".choosing .row", ".doing", "main"]) {
    for (const one of [...document.querySelectorAll(query)].filter(isThere)) {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = one;
      if (scrollHeight > clientHeight + 1) faults.push(`${query}: ${scrollHeight - clientHeight} pixels below`);
      if (scrollWidth > clientWidth + 1) faults.push(`${query}: ${scrollWidth - clientWidth} pixels beside`);
    }
  }
  const board = document.querySelector("[data-testid=board]").getBoundingClientRect();
  const least = 0.5 * Math.min(innerWidth, innerHeight);
  if (Math.max(board.width, board.height) < least) faults.push(`the board has ${board.width} pixels`);
  const { scrollHeight, scrollWidth } = document.documentElement;
  if (scrollHeight > innerHeight + 1 || scrollWidth > innerWidth + 1) faults.push("the page scrolls");
  return faults;
}"""


def longest_steps(lesson: Lesson, language: str) -> set[int]:
    """The step of which most is said when it is done, the one of which most is said before, and the last one."""
    then = [len(step.then[language]) for step in lesson.steps]
    before = [len(step.say[language]) + len(step.otherwise[language]) for step in lesson.steps]
    return {then.index(max(then)), before.index(max(before)), len(then) - 1}


class Reader:
    """Somebody who reads a lesson on every screen, and notes what cannot be seen there."""

    def __init__(self, people: Crowd, place: Place, language: Literal["en", "de"]) -> None:
        self.person = people.person("Ada", phone=True, locale=f"{language}-{language.upper()}")
        self.language, self.place = language, place
        self.cut_off: dict[str, list[str]] = {}

    def measure(self, what: str, sizes: Sequence[ViewportSize] = SCREENS) -> None:
        for size in sizes:
            self.person.page.set_viewport_size(size)
            if faults := self.person.page.evaluate(UNSEEN):
                self.cut_off[f"{what} ({self.language}, {size['width']}x{size['height']})"] = faults

    def read(self, game: str, number: int, *, answers: bool) -> None:
        """What is said before; with ``answers`` also of another try, and when it is done."""
        expect(self.person.at("lesson")).to_have_attribute("data-step", str(number))
        self.measure(f"{game}, step {number}", SCREENS if answers else SMALLEST)
        if answers:
            self.try_another(game, number)
            self.do_it()
            self.measure(f"{game}, step {number} when it is done")

    def do_it(self) -> None:
        self.person.press("show-me")
        self.person.at("hints").get_by_role("button").first.tap()
        self.person.page.locator(".answer > div").first.wait_for()

    def try_another(self, game: str, number: int) -> None:
        """What is asked for is done, but on its way it becomes something else that can be chosen."""
        step = self.place.http.get(f"/api/games/{game}/lesson/{number}").json()
        others = [choice["action"] for choice in step["choices"] if choice["action"] not in step["right"]]
        if not others:
            return
        page = self.person.page
        page.route("**/lesson/*", lambda route: route.continue_(post_data=json.dumps({"action": others[0]})), times=1)
        self.do_it()
        expect(page.locator(".answer .is-other")).to_be_visible()
        self.measure(f"{game}, step {number} after another try")
        page.get_by_test_id("show-me").evaluate("() => document.querySelector('.answer').replaceChildren()")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_step_can_be_read_on_every_screen(language: Literal["en", "de"], people: Crowd, place: Place) -> None:
    """In German, where texts are longest, every step; in English those where most is said."""
    reader = Reader(people, place, language)
    ada = reader.person
    for game in registry.all_games():
        assert game.words.lesson is not None
        longest = longest_steps(game.words.lesson, language)
        ada.go(f"/learn/{game.name}")
        for number in range(len(game.words.lesson.steps)):
            if language == "de" or number in longest:
                reader.read(game.name, number, answers=number in longest)
            if number < len(game.words.lesson.steps) - 1:
                ada.at("step-next").evaluate("button => button.click()")  # a second tap at once would count as none
                expect(ada.at("lesson")).to_have_attribute("data-step", str(number + 1))
        if language == "de":
            is_open_to_all(ada.page)
    assert reader.cut_off == {}


def test_a_lesson_marks_what_it_asks_for_and_answers_the_last_try(people: Crowd) -> None:
    ada = people.person("Ada")
    best = ada.page.locator(".choosing .brass")
    ada.go("/learn/game17")
    expect(ada.at("choice")).to_have_text("End the turn; nothing moves")
    expect(best).to_have_count(0)  # orders are asked for
    ada.go("/learn/mazerunner?step=2")
    expect(ada.at("status")).to_contain_text("red dice fight, blue ones walk")
    expect(ada.at("choice")).to_have_text("Keep all dice as they lie")
    expect(best).to_have_count(0)
    ada.press("show-me")
    expect(ada.at("hint-text")).to_contain_text("This step asks for: Roll dice 1 and 3")
    ada.press("step-next")
    expect(best).to_have_text("Keep all dice as they lie")
    ada.page.wait_for_url("**/learn/mazerunner?step=3")
    ada.page.reload()
    expect(ada.at("progress")).to_have_text("Step 3 of 12")
    page = ada.go("/learn/choccer")
    for spot in ("H4", "G4"):
        page.locator(f'[data-spot="{spot}"]').click()
    expect(ada.at("answer")).to_contain_text("That is allowed. But the red gem")
    page.locator('[data-spot="D3"]').click(force=True)
    expect(ada.at("explanation")).to_contain_text("Rule")
    expect(ada.at("answer")).to_be_empty()
