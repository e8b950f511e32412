"""Monkeys, bad networks and long sessions, in short: afterwards the page shows what the server has."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import Crowd, Person, crowd
from playing import Chooser, can_choose, look
from proxy import Fate, Proxy
from serving import Place, Seat, Server, until

pytestmark = pytest.mark.xdist_group("browser-2")
BROKEN = r"WebSocket|ERR_(CONNECTION|EMPTY|SOCKET)|failed:|Failed to load"

# The first difference between the picture on the page and the server's, without what the page itself marks in it.
DIFFERENCE = """(scene) => {
  const ours = new Set(["class", "style", "role", "tabindex", "aria-label", "aria-pressed", "data-name"]);
  const written = (element) => [...element.attributes].filter(({ name }) => !ours.has(name))
    .map(({ name, value }) => `${name}=${value}`).sort().join(" ");
  const compare = (one, other) => {
    if (one.localName !== other.localName) return `${one.localName} is not ${other.localName}`;
    if (written(one) !== written(other)) return `${written(one)} is not ${written(other)}`;
    if (one.childElementCount !== other.childElementCount) return `${one.childElementCount} in ${written(one)}`;
    if (one.childElementCount === 0 && one.textContent !== other.textContent) return `“${one.textContent}”`;
    for (let at = 0; at < one.children.length; at += 1) {
      const found = compare(one.children[at], other.children[at]);
      if (found) return found;
    }
    return "";
  };
  const server = document.createElementNS("http://www.w3.org/2000/svg", "g");
  server.innerHTML = scene;
  return compare(document.querySelector(".scene"), server);
}"""


def is_the_servers(person: Person, place: Place, table: str) -> None:
    """The page shows the server's position, to the last piece."""

    def same() -> bool:
        with place.live(table, pictures=True) as live:
            position = live.heard[0]["table"]["position"]
        shown = person.at("table").get_attribute("data-ply") == str(position["ply"])
        return shown and not person.page.evaluate(DIFFERENCE, position["scene"])

    until(same)


# Random actions: what can be clicked, dragged and pressed, but for what leaves the table.
MONKEY = """async ([seed, count]) => {
  let state = seed;
  const below = (most) => { state = (state * 48271) % 2147483647; return state % most; };
  const one = (list) => list[below(list.length)];
  const shown = (element) => !element.closest("[hidden]") && element.getClientRects().length > 0;
  const all = (query) => [...document.querySelectorAll(query)].filter(shown);
  const keys = ["Escape", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", " ", "f", "u", "a"];
  const pointer = (type, x, y, buttons) => document.elementFromPoint(x, y)?.dispatchEvent(
    new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, buttons, clientX: x, clientY: y }));
  const place = () => {
    const box = document.querySelector("svg.picture").getBoundingClientRect();
    return [box.x + below(Math.ceil(box.width)), box.y + below(Math.ceil(box.height))];
  };
  const acts = {
    spot: () => one(all("[data-spot].is-open"))?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 })),
    any: () => document.elementFromPoint(...place())?.dispatchEvent(new MouseEvent("click", { bubbles: true })),
    button: () => one(all(".choosing button, .choosing input, .toolbar > button:not([data-testid=hint])"
      + ":not([data-testid=share])"))?.click(),
    key: () => (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { bubbles: true, key: one(keys), shiftKey: below(5) === 0 })),
    focus: () => one(all("[data-spot][tabindex]"))?.focus(),
    drag: () => {
      pointer("pointerdown", ...place(), 1);
      for (let step = 0; step < 3; step += 1) pointer("pointermove", ...place(), below(8) === 0 ? 0 : 1);
      pointer(below(4) === 0 ? "pointercancel" : "pointerup", ...place(), 0);
    },
  };
  const names = ["spot", "spot", "spot", "any", "button", "button", "key", "focus", "drag"];
  for (let done = 0; done < count; done += 1) {
    acts[one(names)]();
    if (done % 4 === 0) await new Promise((next) => setTimeout(next, 0));
  }
  return document.querySelector("[data-testid=table]").dataset.ply;
}"""
MOST_ROUNDS = 8
GAMES = ["choccer", "connect_four", "game17", "goose", "mazerunner", "verfuchst"]
MOVING = ["choccer", "goose", "mazerunner"]  # in the others, nothing moves: both must hold


@pytest.mark.parametrize("game", GAMES)
def test_hundreds_of_random_actions(game: str, people: Crowd, place: Place) -> None:
    seat = place.table_of("Ada", game=game, seats=2, bots={"1": "random"})[0]
    ada = people.person("Ada", settings={"speed": "fast" if game in MOVING else "off"})
    page = ada.sit(seat.table, seat.token)
    expect(page.locator(".scene [data-spot]").first).to_be_attached()
    until(lambda: can_choose(look(ada)))
    for round in range(MOST_ROUNDS):
        page.evaluate(MONKEY, [100 * GAMES.index(game) + round + 1, 250])
        page.wait_for_timeout(150)
        view = seat.view()
        if round > 0 and view["position"]["ply"] > 0:
            break
    assert view["position"]["ply"] > 0, "the monkey never found out how to play"
    is_the_servers(ada, place, seat.table)
    view = seat.view()
    if view["choices"]:
        page.keyboard.press("Escape")
        until(lambda: can_choose(look(ada)))
    expect(page.locator(".is-lifted, .band")).to_have_count(0)
    expect(ada.at("connection")).to_be_hidden()


@pytest.fixture
def far(browser: Browser, server: Server) -> Iterator[tuple[Person, Proxy]]:
    """Somebody who reaches the server by a line that fails."""
    with Proxy(server.port) as proxy, crowd(browser, proxy.url) as people:
        people.troubles.allow(BROKEN)
        yield people.person("Ada", settings={"speed": "fast"}), proxy


def mishaps(proxy: Proxy, dice: random.Random) -> None:
    """Something happens to the line: it is cut, slow, or falls silent; or the next one will not be there."""
    proxy.delay = dice.choice([0.0, 0.0, 0.05, 0.3])
    fates: list[Fate] = dice.choice([[], [], ["refuse"], ["refuse", "refuse"]])
    proxy.fate = lambda: fates.pop() if fates else "pass"
    if dice.random() < 0.7:
        proxy.cut()


def test_a_match_by_a_line_that_drops_delays_and_swallows(far: tuple[Person, Proxy], server: Server) -> None:
    """Nothing is lost, nothing happens twice, and in the end the page shows what the server has."""
    ada, proxy = far
    seat = server.place.table_of("Ada", game="choccer", seats=2, bots={"1": "random"})[0]
    ada.sit(seat.table, seat.token)
    dice = random.Random(4)
    chooser = Chooser(ada, 4)
    for number in range(100):
        mishaps(proxy, dice)
        end = time.monotonic() + dice.uniform(0.5, 2.0)
        while time.monotonic() < end:
            if can_choose(seen := look(ada)):
                chooser.step(seen)
            ada.page.wait_for_timeout(50)  # people look up twenty times a second, if at all
        if number >= 9 and len(played(server.place, seat.table)) > 3:  # a slow machine plays few
            break
    proxy.delay = 0.0
    proxy.fate = lambda: "pass"
    proxy.silence()
    ada.page.evaluate("() => window.dispatchEvent(new Event('online'))")  # as a phone that wakes up
    until(lambda: ada.at("connection").is_visible())
    until(lambda: not ada.at("connection").is_visible())
    is_the_servers(ada, server.place, seat.table)
    plies = played(server.place, seat.table)
    assert plies == list(range(len(plies)))
    assert len(plies) > 3


def played(place: Place, table: str) -> list[int]:
    """The plies in the table's log."""
    return [entry["body"]["ply"] for entry in place.log(table) if entry["kind"] == "act"]


COUNT = """() => ({ nodes: document.querySelectorAll("*").length, sockets: window.sockets })"""
COUNT_SOCKETS = """
window.sockets = 0;
const Old = WebSocket;
window.WebSocket = class extends Old {
  constructor(...all) {
    super(...all);
    window.sockets += 1;
    this.addEventListener("close", () => { window.sockets -= 1; }, { once: true });
  }
};
"""


def listeners(page: Page) -> int:
    """How many listeners the whole page has, once what nobody uses is gone."""
    line = page.context.new_cdp_session(page)
    line.send("HeapProfiler.collectGarbage")
    line.send("Performance.enable")
    found: list[dict[str, Any]] = line.send("Performance.getMetrics")["metrics"]
    return int(next(one["value"] for one in found if one["name"] == "JSEventListeners"))


def test_a_long_session_leaves_nothing_behind(people: Crowd, place: Place) -> None:
    """Tables, replays, rulebooks, windows and matches, again and again, without loading the page anew."""
    seats = place.table_of("Ada", "Bob", game="connect_four")
    ada = people.person("Ada")
    ada.context.add_init_script(COUNT_SOCKETS)
    page = ada.sit(seats[0].table, seats[0].token)
    over = place.table_of("Eve", "Bob", game="connect_four")[0]
    over.must("resign")

    def visit() -> dict[str, int]:
        for path in ("/", "/tables", f"/replay/{over.table}", "/rules/goose", f"/table/{seats[0].table}"):
            page.evaluate(
                """(path) => { const link = document.createElement("a"); link.href = path;
              document.body.append(link); link.click(); link.remove(); }""",
                path,
            )
            page.wait_for_function(
                "(path) => location.pathname === path && !document.querySelector('dialog')", arg=path
            )
            expect(page.get_by_role("heading", level=1)).to_be_visible()
        ada.press("help")
        page.keyboard.press("Escape")
        expect(page.locator(".scene [data-spot]").first).to_be_attached()
        play(seats)
        is_the_servers(ada, place, seats[0].table)
        return {**page.evaluate(COUNT), "listeners": listeners(page)}

    visit()
    first = visit()
    for _ in range(4):
        last = visit()
    assert last["sockets"] == 1
    assert last["nodes"] - first["nodes"] < 100
    assert last["listeners"] - first["listeners"] < 60, (first, last)


def play(seats: list[Seat]) -> None:
    view = seats[0].view()
    mover = seats[view["position"]["to_move"]]
    mover.must("act", ply=view["position"]["ply"], action=mover.view()["choices"][0]["action"])
