"""Every game on every screen: board, turn and buttons are there at once, and what is small can be looked at closer."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from browsing import Crowd
from parlour.engine import registry
from playing import can_choose, look
from serving import Place, Seat, Server, mover, until

pytestmark = pytest.mark.xdist_group("browser-1")

SIZES = [(360, 640), (390, 664), (390, 844), (844, 390), (932, 430), (820, 1180), (900, 700), (1280, 720), (1920, 1080)]
BESIDE_RULES = [(360, 640), (844, 390), (820, 1180), (900, 700), (1280, 720)]  # where the rulebook is opened, too
NAMES = ["Maximiliane of Habsburg", "Wilhelmina Butterworth", "Bartholomew Fitzgerald", "Theodora Featherstone"]
CLOCK = {"kind": "bank", "seconds": 5400, "increment": 3}

# Which tables are crowded; a game that is not named here has as many seats as it takes, up to a dozen.
TABLES: dict[str, list[dict[str, Any]]] = {"game17": [{"seats": 6}, {"seats": 24}, {"seats": 196}]}
USUAL_PLIES, MOST_PLIES = 12, 200
FULL = (3, 12, 13)  # secrets
LISTED = {"mazerunner": range(5, 9)}  # choices in words, which need the most room; more than these scroll

# What is wrong on the screen, in words.
MEASURE = """(target) => {
  const faults = [];
  const at = (query) => document.querySelector(query);
  const say = (what, box) => faults.push(`${what} at ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
  const isSeen = ({ left, top, right, bottom }) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && right > left && bottom > top;
  const board = at("[data-testid=board]").getBoundingClientRect();
  if (!isSeen(board)) say("the board is cut off", board);
  const rulebook = at("[data-testid=rules-panel]");
  const isAlone = rulebook.hidden;
  const least = (isAlone ? 0.5 : 0.25) * Math.min(innerWidth, innerHeight);
  if (Math.max(board.width, board.height) < least) say("the board is tiny", board);
  const needed = ["[data-testid=status]"];
  if (isAlone) needed.push(".seat.is-turn", "[data-testid=rules]", "[data-testid=ask]");
  else needed.push("[data-testid=rules-panel]", "[data-testid=close-rules]");
  if (innerWidth > 480 && isAlone) needed.push("[data-testid=notation]");
  for (const query of needed) {
    const box = at(query).getBoundingClientRect();
    if (!isSeen(box)) say(`cannot be seen: ${query}`, box);
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isInList = query === ".seat.is-turn"; // many seats scroll
    if (isSeen(box) && !isInList && !at(query).contains(hit)) say(`is covered: ${query}`, box);
  }
  const over = rulebook.getBoundingClientRect();
  if (!isAlone && over.left < board.right && over.top < board.bottom) say("the rulebook lies over the board", over);
  const buttons = document.querySelectorAll(".choosing :is(button, input), .toolbar :is(button, summary)");
  const isThere = (one) => one.getClientRects().length > 0 && !one.closest(".more:not([open]) .more-items");
  for (const button of [...buttons].filter(isThere)) {
    const box = button.getBoundingClientRect();
    const words = button.textContent || button.getAttribute("aria-label");
    if (!isSeen(box)) say(`a button is off the screen: ${words}`, box);
    else if (box.height < target || box.width < target) say(`a button is small: ${words}`, box);
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const mayScroll = !isAlone && Math.min(innerWidth, innerHeight) < 480 && button.closest(".choices");
    if (isSeen(box) && !mayScroll && !button.contains(hit)) say(`a button is covered: ${words}`, box);
  }
  const mine = at(".seat.is-you .who");
  const isNoted = mine?.querySelector("small").getClientRects().length > 0;
  const isMarked = mine && getComputedStyle(mine.querySelector("b"), "::before").content !== "none";
  if (!isNoted && !isMarked) faults.push("nothing says which seat is yours");
  const isBeside = innerWidth > 1100 && innerHeight > 520 && isAlone; // seats and talk stand beside the board
  const list = at(".seats").getBoundingClientRect();
  const cards = [...document.querySelectorAll(".seat")].map((card) => card.getBoundingClientRect());
  const whole = cards.filter(({ top, bottom }) => top >= list.top - 1 && bottom <= list.bottom + 1).length;
  if (isBeside && whole < Math.min(2, cards.length)) faults.push(`of ${cards.length} seats ${whole} can be seen`);
  const { scrollWidth, clientWidth, scrollHeight, clientHeight, tabIndex } = at(".seats");
  const scrolls = scrollWidth > clientWidth || scrollHeight > clientHeight;
  if (scrolls !== (tabIndex === 0)) faults.push(`the seats scroll: ${scrolls}, but their tabindex is ${tabIndex}`);
  const story = at("[data-testid=story]").getBoundingClientRect();
  if (isBeside && story.height < 48) say("there is no room for two lines of what happened", story);
  const turn = at(".seat.is-turn"); // on small screens it has a bar of four pixels at its foot
  const foot = turn.getBoundingClientRect().bottom - (innerWidth <= 860 || innerHeight <= 520 ? 4 : 0);
  const low = Math.max(...[...turn.children].map((part) => part.getBoundingClientRect().bottom));
  if (low > foot + 0.5) faults.push(`a seat's words lie over its foot by ${low - foot}`);
  const menu = at(".more");
  menu.open = true;
  const items = at(".more-items").getBoundingClientRect();
  if (!isSeen(items)) say("the menu is cut off", items);
  menu.open = false;
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the screen");
  return faults;
}"""

# The smallest letters and the smallest thing to be picked on the board, in pixels of the screen.
SMALLEST = """() => {
  const letters = [...document.querySelectorAll(".picture text")].filter((text) => text.textContent.trim());
  const scale = ({ a, b }) => Math.hypot(a, b);
  const size = (text) => parseFloat(getComputedStyle(text).fontSize) * scale(text.getScreenCTM());
  const open = [...document.querySelectorAll(".scene .is-open")].map((spot) => spot.getBoundingClientRect());
  const least = (all) => Math.min(1000, ...all);
  return [least(letters.map(size)), least(open.map((box) => Math.max(box.width, box.height)))];
}"""
# A closer look by the button, to the far corner and back: what can be picked is larger, and all of it can be seen.
LOOK_ABOUT = """() => {
  const faults = [];
  const press = (name) => document.querySelector(`[data-testid=${name}]`).click();
  const frame = document.querySelector("[data-testid=frame]");
  const picture = document.querySelector(".picture");
  const wide = () => picture.getBoundingClientRect().width;
  const before = wide();
  for (let step = 0; step < 2; step += 1) press("closer");
  const larger = wide() / before;
  if (Math.abs(larger - 2.25) > 0.02) faults.push(`two steps closer, the board is ${larger} times as wide`);
  frame.scrollTo(1e6, 1e6);
  const [inside, outside] = [picture.getBoundingClientRect(), frame.getBoundingClientRect()];
  const isReached = inside.right < outside.right + 2 && inside.bottom < outside.bottom + 2;
  if (!isReached) faults.push("the far corner is not reached");
  for (let step = 0; step < 2; step += 1) press("farther");
  if (Math.abs(wide() / before - 1) > 0.02) faults.push("the way back does not lead back");
  return faults;
}"""
# Until the page has seen its new size, and has drawn what follows from it.
SETTLE = """() => new Promise((done) => {
  scrollTo(0, 0);
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""
LETTERS, TARGET = 11, 32  # pixels


def crowded(place: Place, game: str, wish: dict[str, Any]) -> Seat:
    """Somebody whose turn it is at a full table, under way."""
    count = wish.get("seats", min(registry.get(game).seats[1], 12))
    sitting = min(count, 24)
    names = [f"{NAMES[seat % 4][:20]} {seat}" for seat in range(sitting)]
    bots = {str(seat): "random" for seat in range(sitting, count)}
    seats = place.table_of(*names, game=game, clock=CLOCK, bots=bots, **{**wish, "seats": count})
    for ply in range(MOST_PLIES if count <= 24 else 0):
        seat = mover(seats)
        view = seat.view()
        in_words = sum(choice.get("listed", False) for choice in view["choices"])
        if ply >= USUAL_PLIES and in_words in LISTED.get(game, range(MOST_PLIES)):
            break
        some = view["choices"][view["position"]["ply"] * 7 % len(view["choices"])]
        choice = next((choice for choice in view["choices"] if choice.get("usual")), some)
        seat.must("act", ply=view["position"]["ply"], action=choice["action"])
    choosing: Seat = until(lambda: next((seat for seat in seats if seat.view()["choices"]), None))
    return choosing


def hint_at_once(page: Page, seat: Seat) -> None:
    """Whoever asks for a hint at this turn gets one without thought: the three choices that take most words."""
    view = seat.view()
    wordy = sorted(view["choices"], key=lambda choice: -len(choice.get("label", "")))[:3]
    best = [{"action": choice["action"], "text": choice["text"], "tries": 9, "chance": 0.576} for choice in wordy]
    hint = {"type": "hint", "ply": view["position"]["ply"], "best": best, "text": "H3-G3: 57% to win."}

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def answer(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "hint":
                socket.send(json.dumps({**hint, "cid": said["cid"]}))
            else:
                server.send(message)

        socket.on_message(answer)

    page.route_web_socket("**/live", between)


# A server whose tables have the same dice each time: those that a file says.
FIXED = """
import sys
from pathlib import Path
from parlour.engine import fair
from parlour.cli import main
dice = Path(sys.argv.pop(1))
fair.new_secret = lambda: f"{int(dice.read_text()):064x}"
main()
"""


class SameDice(Server):
    """Whatever is played there, luck decides nothing between two runs of a test."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, grace=3000.0)  # nobody takes over at tables that tests have left
        self.dice = folder / "dice"
        self.throw(1)
        self.program = (sys.executable, "-c", FIXED, str(self.dice))

    def throw(self, secret: int) -> None:
        """Tables that are opened from now on have these dice."""
        self.dice.write_text(str(secret))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = SameDice(tmp_path_factory.mktemp("server")).start()
    yield running
    running.close()


CASES = [(game.name, wish) for game in registry.all_games() for wish in TABLES.get(game.name, [{}])]


@pytest.mark.parametrize(("game", "wish"), CASES, ids=[f"{game}{wish.get('seats', '')}" for game, wish in CASES])
def test_board_turn_and_buttons_are_on_every_screen(
    game: str, wish: dict[str, Any], people: Crowd, place: Place
) -> None:
    assert faults_on_screens(people, crowded(place, game, wish)) == []


@pytest.mark.parametrize("secret", FULL)
def test_a_turn_with_most_to_say_is_on_every_screen(secret: int, people: Crowd, place: Place, server: SameDice) -> None:
    """Of many matches of mazerunner with four seats, turns where only one seat could be seen on such a screen."""
    server.throw(secret)
    assert faults_on_screens(people, crowded(place, "mazerunner", {}), [(1280, 720)]) == []


def faults_on_screens(people: Crowd, seat: Seat, sizes: Sequence[tuple[int, int]] = SIZES) -> list[str]:
    """What is wrong on screens of these sizes, without a hint and with one; beside the rulebook, and closer."""
    ada = people.person("Ada", phone=True)
    hint_at_once(ada.page, seat)
    page = ada.sit(seat.table, seat.token)
    until(lambda: can_choose(look(ada)))
    faults = []
    for width, height in sizes:
        faults += [f"{width}x{height}: {fault}" for fault in at_size(page, width, height) + small(page)]
    if ada.at("hint").is_visible():  # there is none where nothing is to be decided
        ada.press("hint")
        expect(ada.at("hint-text")).to_have_text(re.compile("^A second of thought says: [^%]+ wins 58 %$"))
        for width, height in sizes:
            faults += [f"{width}x{height} with a hint: {fault}" for fault in at_size(page, width, height)]
        faults += other_hints(page)
    page.set_viewport_size({"width": 360, "height": 640})
    faults += zoomed(page)
    ada.press("rules")
    page.locator(".rulebook-panel #clause-1").wait_for()
    for width, height in BESIDE_RULES:
        faults += [f"{width}x{height} with the rulebook: {fault}" for fault in at_size(page, width, height)]
    ada.press("close-rules")
    expect(ada.at("rules-panel")).to_be_hidden()
    return faults


def at_size(page: Page, width: int, height: int) -> list[str]:
    """What is wrong on a screen of this size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(SETTLE)
    return list(page.evaluate(MEASURE, TARGET))


def other_hints(page: Page) -> list[str]:
    """What is wrong with the next best actions, which come over the page if asked for."""
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.get_by_test_id("other-hints")).to_have_text(re.compile(r"^(next best \d+ %|Others are as good)$"))
    page.get_by_test_id("other-hints").click()
    others = page.locator("#other-hints button")
    expect(others.first).to_be_visible()
    faults = [box for box in (one.bounding_box() for one in others.all()) if not box or box["y"] < 0 or box["x"] < 0]
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("hints")).to_have_count(0)
    return [f"844x390: another hint is at {box}" for box in faults]


def zoomed(page: Page) -> list[str]:
    """What is wrong when one looks closer at a board and moves about on it."""
    page.keyboard.press("0")  # one's own squares may have come close already
    return list(page.evaluate(LOOK_ABOUT))


def small(page: Page) -> list[str]:
    """What on the board is too small, even as close as one can look."""
    letters, target = page.evaluate(SMALLEST)
    if letters >= LETTERS and target >= TARGET:
        return []
    for _ in range(5):
        page.keyboard.press("+")
    letters, target = page.evaluate(SMALLEST)
    page.keyboard.press("0")
    return [f"even close by, letters have {letters:.1f} px and targets {target:.1f}"] * (
        letters < LETTERS or target < TARGET
    )


ZOOM = "() => Number(document.querySelector('[data-testid=frame]').style.getPropertyValue('--zoom') || 1)"
WHEEL = """([clientX, clientY]) => document.querySelector("[data-testid=frame]").dispatchEvent(
  new WheelEvent("wheel", { bubbles: true, cancelable: true, ctrlKey: true, deltaY: -60, clientX, clientY }))"""
# Two fingers that move apart around a point.
PINCH = """async ([x, y]) => {
  const frame = document.querySelector("[data-testid=frame]");
  const finger = (dx, identifier) => new Touch({ identifier, target: frame, clientX: x + dx, clientY: y });
  const fire = (type, far) => frame.dispatchEvent(
    new TouchEvent(type, { bubbles: true, cancelable: true, touches: [-far, far].map(finger) }));
  fire("touchstart", 20);
  for (const far of [25, 30, 40]) fire("touchmove", far);
}"""


def test_a_board_is_zoomed_moved_and_shown_alone(people: Crowd, place: Place) -> None:
    """By buttons, by the wheel with Ctrl, by two fingers and by keys; what is under the pointer stays there."""
    seat = mover(place.table_of("Ada", "Bob", game="choccer"))
    ada = people.person("Ada", phone=True)
    page = ada.sit(seat.table, seat.token)
    until(lambda: can_choose(look(ada)))
    ada.press("closer")
    assert page.evaluate(ZOOM) == 1.5
    ada.press("farther")
    assert page.evaluate(ZOOM) == 1
    spot = page.locator(".is-open").nth(3)
    box = spot.bounding_box()
    assert box
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    page.evaluate(WHEEL, middle)
    assert page.evaluate(ZOOM) > 1.5
    page.evaluate(PINCH, middle)
    assert page.evaluate(ZOOM) > 3
    larger = spot.bounding_box()
    assert larger
    assert larger["width"] > 3 * box["width"]
    assert larger["x"] < middle[0] < larger["x"] + larger["width"]
    page.get_by_test_id("frame").focus()
    before = page.evaluate("() => document.querySelector('[data-testid=frame]').scrollLeft")
    page.keyboard.press("ArrowRight")
    until(lambda: page.evaluate("() => document.querySelector('[data-testid=frame]').scrollLeft") != before)
    page.touchscreen.tap(*middle)
    expect(page.locator(".is-picked")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("0")
    assert page.evaluate(ZOOM) == 1
    small = page.get_by_test_id("board").bounding_box()
    ada.press("more")
    ada.press("full")
    expect(page.locator(".house")).to_be_hidden()
    expect(ada.at("status")).to_be_visible()
    large = page.get_by_test_id("board").bounding_box()
    assert small
    assert large
    assert large["height"] >= small["height"]
    page.keyboard.press("v")
    expect(page.locator(".house")).to_be_visible()


def test_mazerunner_says_what_to_do_and_its_dice_can_be_hit(people: Crowd, place: Place) -> None:
    """On a small phone: the best choice stands out, there is one set of dice, and each is large enough for a finger."""
    seat = mover(place.table_of("Ada", "Bob", "Cyd", "Dan", game="mazerunner"))
    ada = people.person("Ada", phone=True, settings={"speed": "fast"})
    page = ada.sit(seat.table, seat.token)
    page.set_viewport_size({"width": 360, "height": 640})
    expect(ada.at("status")).to_contain_text("run for map pieces (you have 0 of 10), or recover")
    best = page.locator("[data-testid=choice].brass")
    expect(best).to_have_text("Run through the maze")
    best.tap()
    dice = page.locator("[data-spot^=die-].is-open")
    expect(dice).to_have_count(4)
    expect(ada.at("status")).to_contain_text("red dice fight, blue ones walk, gold ones find. Pick those to roll again")
    expect(ada.at("thrown")).to_be_hidden()
    boxes = [dice.nth(number).bounding_box() for number in range(4)]
    assert all(box and box["width"] >= TARGET and box["height"] >= TARGET for box in boxes)
    dice.first.tap()
    expect(ada.at("confirm")).to_have_text("Roll die 1 again, and keep the rest")
