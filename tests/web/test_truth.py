"""Drawing, moving and sounding never stand between an update and the truth: what is shown catches up."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import Crowd, Person, crowd
from playing import can_choose, look
from proxy import Proxy
from serving import Live, Place, Seat, Server, until

pytestmark = pytest.mark.xdist_group("browser-1")
LIVELY = {"speed": "fast", "muted": False}


def play(seat: Seat) -> None:
    view = seat.view()
    seat.must("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])


def at_goose(people: Crowd, place: Place) -> tuple[Person, Seat, Seat]:
    """Somebody who is about to roll, their seat, and the other."""
    seats = place.table_of("Ada", "Bob", game="goose")
    mine, other = seats if seats[0].view()["choices"] else seats[::-1]
    return people.person("Ada", settings=LIVELY), mine, other


def shows(page: Page, place: Place, table: str) -> None:
    """The page comes to show what the server says."""
    until(lambda: page.get_by_test_id("table").get_attribute("data-ply") == str(place.view(table)["position"]["ply"]))


def is_past(seat: Seat, ply: int) -> bool:
    return bool(seat.view()["position"]["ply"] > ply)


def roll_and_go_on(ada: Person, mine: Seat, other: Seat, rounds: int = 2) -> None:
    """Roll, let the other roll, and so on: the page follows each time."""
    ada.sit(mine.table, mine.token)
    for _ in range(rounds):
        until(lambda: can_choose(look(ada)))
        ply = mine.view()["position"]["ply"]
        ada.page.get_by_test_id("choice").first.click()
        until(functools.partial(is_past, mine, ply))
        shows(ada.page, mine.at, mine.table)
        while other.view()["choices"]:
            play(other)
        shows(ada.page, mine.at, mine.table)
    until(lambda: can_choose(look(ada)) == bool(mine.view()["choices"]))


@pytest.mark.parametrize(
    ("chunk", "how"), [("dice", "fails"), ("dice", "hangs"), ("solid", "hangs"), ("synth", "fails")]
)
def test_code_that_does_not_load_is_done_without(chunk: str, how: str, people: Crowd, place: Place) -> None:
    people.troubles.allow(f"{chunk}|ERR_FAILED")
    ada, mine, other = at_goose(people, place)
    held: list[Route] = []
    ada.context.route(f"**/assets/{chunk}*.js", lambda route: route.abort() if how == "fails" else held.append(route))
    roll_and_go_on(ada, mine, other)
    for route in held:
        route.abort()


THROW = "() => { throw new Error('broken'); }"
BROKEN = {
    "animations": f"Element.prototype.animate = {THROW};",
    "endless animations": "Object.defineProperty(Animation.prototype, 'finished', { value: new Promise(() => {}) });",
    "places": f"SVGGraphicsElement.prototype.getScreenCTM = {THROW};",
    "sounds and graphics": f"window.AudioContext = {THROW}; HTMLCanvasElement.prototype.getContext = {THROW};",
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_browser_in_which_something_is_broken_still_plays(what: str, people: Crowd, place: Place) -> None:
    people.troubles.allow("broken")
    ada, mine, other = at_goose(people, place)
    ada.context.add_init_script(BROKEN[what])
    roll_and_go_on(ada, mine, other, rounds=1 if "endless" in what else 2)


NOTE_PLY_OF_TITLE = """() => {
  const note = () => { window.plyOfTitle ??= document.querySelector("[data-testid=table]").dataset.ply; };
  new MutationObserver(() => document.title.includes("Your turn") && note())
    .observe(document.querySelector("title"), { childList: true });
}"""


def test_the_title_says_that_it_is_your_turn_while_dice_still_roll(people: Crowd, place: Place) -> None:
    ada, other, mine = at_goose(people, place)
    page = ada.sit(mine.table, mine.token)
    expect(page.get_by_test_id("status")).to_contain_text("is to move")
    page.evaluate(NOTE_PLY_OF_TITLE)
    while other.view()["choices"]:
        play(other)
    expect(page).to_have_title("● Your turn · Game of the Goose")
    assert page.evaluate("() => window.plyOfTitle") == "0", "the dice had come to rest already"


COUNT_POSITIONS = """() => {
  window.drawn = 0;
  const count = (changes) => { window.drawn += changes.length; };
  new MutationObserver(count).observe(document.querySelector("[data-testid=table]"), { attributeFilter: ["data-ply"] });
}"""


def test_a_page_that_is_behind_shows_the_newest_position(browser: Browser, server: Server) -> None:
    """Hundreds of plies come at once: the page skips most of them, and has the last one soon."""
    seats = server.place.table_of("Ada", "Bob", game="game17", options={"rounds": 200})
    with Proxy(server.port) as proxy, crowd(browser, proxy.url) as people:
        eve = people.person("Eve", settings=LIVELY)
        page = eve.watch(seats[0].table)
        expect(page.get_by_test_id("status")).to_contain_text("You are watching")
        page.evaluate(COUNT_POSITIONS)
        proxy.holds = True
        ply = play_many(seats, 150)
        proxy.holds = False
        expect(page.get_by_test_id("table")).to_have_attribute("data-ply", str(ply))
        drawn = page.evaluate("() => window.drawn")
        print(f"{drawn} of {ply} positions were drawn")
        assert 0 < drawn <= 50
        assert page.get_by_test_id("story").locator("li").count() >= 150


def play_many(seats: list[Seat], count: int) -> int:
    """Play the first choice again and again, over one connection for each seat; returns the last ply."""
    with contextlib.ExitStack() as stack:
        lives = {seat.number: stack.enter_context(seat.live()) for seat in seats}
        view = seats[0].view()
        mover, ply = int(view["position"]["to_move"]), int(view["position"]["ply"])
        choices = seats[mover].view()["choices"]
        for _ in range(count):
            ack = lives[mover].ask("act", ply=ply, action=choices[0]["action"])
            assert ack["type"] == "ack", ack
            ply = int(ack["ply"])
            mover, choices = next_choices(lives, ply)
    return ply


def next_choices(lives: dict[int, Live], ply: int) -> tuple[int, list[dict[str, Any]]]:
    """Whose choices come with this ply, and what they are."""
    for seat, live in lives.items():
        while (heard := live.hear("choices"))["ply"] < ply:
            pass
        if heard["choices"]:
            return seat, heard["choices"]
    raise AssertionError(f"nobody can choose at ply {ply}")


NOTE_PLIES = """() => {
  window.plies = [];
  const table = document.querySelector("[data-testid=table]");
  new MutationObserver(() => window.plies.push(table.dataset.ply)).observe(table, { attributeFilter: ["data-ply"] });
}"""


def may_choose(seat: Seat) -> bool:
    return bool(seat.view()["choices"])


def begins(place: Place) -> Seat:
    """Somebody who begins at Goose, against three bots, when bots have moved at another table.

    The process in which they think has been started by then. They stand back behind all others on a busy machine.
    """
    have_moved = False
    while True:
        (seat,) = place.table_of("Ada", game="goose", seats=4, bots=dict.fromkeys("123", "random"))
        view = seat.view()
        if view["position"]["to_move"] != seat.number or view["position"]["ply"] > 0:
            until(functools.partial(may_choose, seat))
            have_moved = True
        elif have_moved:
            return seat


def test_bots_that_answer_at_once_are_seen_one_after_another(people: Crowd, place: Place) -> None:
    """Three bots move before the first die has come to rest: each of their moves is still shown.

    At the usual speed, and in the first round, where nobody skips a turn: there each is long enough to be shown,
    however busy the machine is.
    """
    seat = begins(place)
    ada = people.person("Ada", settings={**LIVELY, "speed": "normal"})
    page = ada.sit(seat.table, seat.token)
    until(lambda: can_choose(look(ada)))
    page.evaluate(NOTE_PLIES)
    page.get_by_test_id("choice").first.click()
    expect(ada.at("table")).to_have_attribute("data-ply", "4")
    assert page.evaluate("() => window.plies") == ["1", "2", "3", "4"]
