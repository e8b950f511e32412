"""A board of many squares, as game17 has: one finds oneself, touches what one means, and orders with few clicks."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from browsing import Crowd, Person
from parlour.engine import registry
from playing import can_choose, hit, look, spot
from serving import Place, Seat, mover, until

pytestmark = pytest.mark.xdist_group("browser-2")

FINGER = 44  # pixels
# The smallest of my squares, and whether their middles are in the part of the board that is seen.
MINE = """(seat) => {
  const frame = document.querySelector("[data-testid=frame]").getBoundingClientRect();
  const mine = [...document.querySelectorAll(`[data-spot][data-owner="${seat}"]`)];
  const boxes = mine.map((one) => one.getBoundingClientRect());
  const isSeen = ({ left, top, width, height }) => {
    const [x, y] = [left + width / 2, top + height / 2];
    return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  };
  const least = Math.min(...boxes.map(({ width, height }) => Math.min(width, height)));
  return { least, seen: boxes.filter(isSeen).length };
}"""


# The sign that shows where one is stays for as long as a slow machine may need to look at it: usually five seconds.
STAYS = """const setTimeout = window.setTimeout;
window.setTimeout = (work, time, ...more) => setTimeout(work, time === 5000 ? 600_000 : time, ...more);"""


def at_board(people: Crowd, place: Place, edge: int = 6, **more: Any) -> tuple[Person, Seat]:
    """Somebody whose turn it is, and who has given no order yet."""
    seat = mover(place.table_of("Ada", "Bob", game="game17", options={"edge": edge}))
    ada = people.person("Ada", **more)
    ada.context.add_init_script(STAYS)
    ada.sit(seat.table, seat.token)
    until(lambda: can_choose(look(ada)))
    return ada, seat


def orders(page: Page) -> int:
    """The arrows on the board."""
    return page.locator("[id^=game17-order-]").count()


def test_a_new_table_has_a_small_board_and_that_of_the_rules_is_one_press_away(people: Crowd, place: Place) -> None:
    ada = people.person("Ada")
    ada.go()
    ada.page.locator("[data-testid=game-game17] [data-testid=open-table]").click()
    ada.press("more-settings")
    edge, rounds = (ada.page.locator(f"[name=option-{name}]") for name in ("edge", "rounds"))
    expect(edge).to_have_value("6")
    expect(rounds).to_have_value("15")
    ada.press("as-in-rules")
    expect(edge).to_have_value("14")
    expect(rounds).to_have_value("50")
    ada.press("open")
    assert place.view(ada.table)["options"] == {"edge": 14, "rounds": 50}


def test_a_match_against_a_bot_begins_on_the_small_board(people: Crowd, place: Place) -> None:
    ada = people.person("Ada")
    ada.go()
    ada.page.locator("[data-testid=game-game17] [data-testid=play-now]").click()
    view = place.view(ada.table)
    assert view["options"] == {"edge": 6, "rounds": 15}
    assert len(view["seats"]) == 3


# How far the middle of the ring is from that of my square.
ASTRAY = """(seat) => {
  const middle = (query) => {
    const { left, top, width, height } = document.querySelector(query).getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [[x, y], [left, top]] = [middle(`[data-owner="${seat}"]`), middle(".mine-ring")];
  return Math.hypot(x - left, y - top);
}"""


COVERED = """seat => {
  const box = (one) => one.getBoundingClientRect();
  const words = box(document.querySelector("[data-testid=you-are-here]"));
  const mine = box(document.querySelector(`[data-owner="${seat}"]`));
  const [x, y] = [mine.x + mine.width / 2, mine.y + mine.height / 2];
  const next = [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]].map(([a, b]) => [x + a * mine.width, y + b * mine.height]);
  return next.filter(([a, b]) => a > words.left && a < words.right && b > words.top && b < words.bottom);
}"""  # the middles of the square and its neighbours that the words cover


@pytest.mark.parametrize("edge", [6, 14])
def test_on_a_phone_my_land_comes_close_by_itself(edge: int, people: Crowd, place: Place) -> None:
    """Also where the board gives way to something after it was drawn, such as the browser's own bars."""
    ada, seat = at_board(people, place, edge, phone=True)
    for height in (600, 560):
        ada.page.set_viewport_size({"width": 360, "height": height})
        ada.page.wait_for_timeout(500)  # by then whoever scrolls is somebody else; but not where it was this
        until(lambda: ada.page.evaluate(ASTRAY, seat.number) < 1)
    found = ada.page.evaluate(MINE, seat.number)
    assert found["least"] >= FINGER - 0.5
    assert found["seen"] == 1
    expect(ada.at("you-are-here")).to_be_visible()
    expect(ada.at("you-are-here")).to_have_text("You are here")
    assert ada.page.evaluate(COVERED, seat.number) == []
    hit(ada, spot(look(ada)["open"][0]))
    expect(ada.at("you-are-here")).to_have_count(0)


def test_whoever_chose_how_close_to_look_is_left_alone_until_they_ask(people: Crowd, place: Place) -> None:
    """At a table without zombies, so that all still stand where they stood when the next round begins."""
    seats = place.table_of(*[f"Guest {seat}" for seat in range(64)], game="game17", options={"edge": 8})
    mine = mover(seats)
    ada = people.person("Ada", phone=True)
    page = ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    assert page.evaluate(MINE, mine.number)["least"] >= FINGER - 0.5
    page.keyboard.press("0")
    assert page.evaluate(MINE, mine.number)["least"] < FINGER
    for ply in range(64):
        mover(seats).must("act", ply=ply, text="end")
    until(lambda: look(ada)["ply"] == "64" and can_choose(look(ada)))
    assert page.evaluate(MINE, mine.number)["least"] < FINGER
    ada.press("find")
    assert page.evaluate(MINE, mine.number)["least"] >= FINGER - 0.5


def test_my_square_is_shown_on_a_large_screen_too(people: Crowd, place: Place) -> None:
    ada, _ = at_board(people, place, 14)
    expect(ada.page.locator(".mine-ring")).to_have_count(1)
    ada.page.locator("[data-testid=status]").click()
    expect(ada.page.locator(".mine-ring")).to_have_count(0)
    ada.press("find")
    expect(ada.page.locator(".mine-ring")).to_have_count(1)


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_how_many_is_one_slider_with_all_half_and_one(phone: bool, people: Crowd, place: Place) -> None:
    """On a board without zombies, so that four pieces stand where they stood at the beginning."""
    mine = mover(place.table_of("Ada", "Bob", "Cid", "Dee", game="game17", options={"edge": 2}))
    ada = people.person("Ada", phone=phone)
    ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    hit(ada, spot(look(ada)["open"][0]))
    hit(ada, spot(look(ada)["next"][0]))
    slider, sends = ada.at("amount"), ada.at("confirm")
    expect(ada.at("status")).to_have_text("How many shall go?")
    expect(slider).to_have_value("3")
    expect(sends).to_contain_text("Send 4 pieces from")
    for amount, words in (("one", "Send 1 piece from"), ("half", "Send 2 pieces from")):
        ada.press(f"jump-{amount}")
        expect(sends).to_contain_text(words)
        expect(ada.at(f"jump-{amount}")).to_have_attribute("aria-pressed", "true")
    slider.press("ArrowRight")
    expect(sends).to_contain_text("Send 3 pieces from")
    for step, words in (("One more", "Send 4 pieces from"), ("One less", "Send 3 pieces from")):
        hit(ada, f'[aria-label="{step}"]')
        expect(sends).to_contain_text(words)
    ada.press("confirm")
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
    assert ada.page.locator("[id^=game17-order-] text").all_text_contents() == ["3"]
    expect(ada.at("choice").first).to_have_text("End the turn: 3 pieces on the move")


def test_an_order_is_dragged(people: Crowd, place: Place) -> None:
    ada, _ = at_board(people, place)
    page, mine = ada.page, look(ada)["open"][0]
    expect(ada.page.locator(".mine-ring")).to_have_count(1)
    here = page.locator(spot(mine)).bounding_box()
    assert here
    hit(ada, spot(mine))
    goal = page.locator(spot(look(ada)["next"][0])).bounding_box()
    assert goal
    page.keyboard.press("Escape")
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (here, goal)]
    page.mouse.move(*middles[0])
    page.mouse.down()
    page.mouse.move(*middles[1], steps=4)
    expect(page.locator(".trace")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".trace")).to_have_count(0)
    expect(ada.at("amount")).to_be_visible()


def suggest(page: Page, orders: list[int]) -> None:
    """Whoever asks how to play their turn is told these orders."""

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def answer(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "hint":
                assert said["turn"] is True
                socket.send(json.dumps({"type": "hint", "cid": said["cid"], "ply": 0, "best": [], "turn": orders}))
            else:
                server.send(message)

        socket.on_message(answer)

    page.route_web_socket("**/live", between)


def test_orders_are_suggested_taken_back_and_given_once_more(people: Crowd, place: Place) -> None:
    """One press for the orders of the game's own bot; one to take all back; one for the same as last turn."""
    seats = place.table_of("Ada", "Bob", "Cid", "Dee", game="game17", options={"edge": 2})
    mine = mover(seats)
    plan = {choice["way"]: choice["action"] for choice in mine.view()["choices"][1:] if choice["text"].endswith("1")}
    ada = people.person("Ada")
    suggest(ada.page, list(plan.values())[:2])
    page = ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    assert orders(page) == 0
    expect(ada.at("again")).to_have_count(0)
    expect(ada.at("status")).to_have_text("Your turn: nobody beside you is weaker: wait, or toss a coin")
    expect(page.locator(".choosing .brass")).to_have_text(["Suggest orders"])
    ada.press("plan")
    until(lambda: orders(page) == 2)
    expect(page.locator(".choosing .brass")).to_have_text(["End the turn: 2 pieces on the move"])
    ada.press("clear")
    until(lambda: orders(page) == 0)
    expect(ada.at("table")).to_have_attribute("data-ply", "0")
    ada.press("plan")
    until(lambda: orders(page) == 2)
    ada.press("undo")  # and one of them is not wanted
    until(lambda: orders(page) == 1)
    ada.press("choice")
    expect(ada.at("table")).to_have_attribute("data-ply", "2")
    for ply in range(2, 5):
        mover(seats).must("act", ply=ply, text="end")
    until(lambda: can_choose(look(ada)))
    ada.press("again")
    until(lambda: orders(page) == 1)
    assert page.locator("[id^=game17-order-] text").all_text_contents() == ["1"]


def weaker(page: Page) -> list[str]:
    """The numbers in green, as they stand on the board."""
    return [text for text in page.locator("[data-testid=board] svg g[fill='#86efac'] text").all_text_contents() if text]


def test_whoever_can_be_taken_is_green_and_then_orders_are_suggested_first(people: Crowd, place: Place) -> None:
    ada = people.person("Ada")
    for _ in range(20):
        seat = mover(place.table_of("Ada", "Bob", "Cid", game="game17", options={"edge": 6}))
        if seat.view()["prompt"].startswith("pick"):
            break
    page = ada.sit(seat.table, seat.token)
    until(lambda: can_choose(look(ada)))
    assert weaker(page)
    expect(ada.at("status")).to_have_text("Your turn: pick a square of yours, then where to")
    expect(page.locator(".choosing .brass")).to_have_text(["Suggest orders"])


def test_before_it_is_sent_one_reads_what_comes_of_it(people: Crowd, place: Place) -> None:
    """On a board without zombies: four against four, three against four, and together with others."""
    mine = mover(place.table_of("Ada", "Bob", "Cid", "Dee", game="game17", options={"edge": 2}))
    ada = people.person("Ada", phone=True)
    ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    hit(ada, spot(look(ada)["open"][0]))
    hit(ada, spot(look(ada)["next"][0]))
    expect(ada.at("confirm")).to_contain_text("4 against 4 is a coin toss")
    ada.press("jump-one")
    expect(ada.at("confirm")).to_contain_text("1 against 4 loses")


def test_all_can_be_taken_back_where_everybody_has_an_order(people: Crowd, place: Place) -> None:
    """What could be done with orders was gone as soon as nobody was left to order; and their squares were marked, as
    if something had happened there."""
    mine = mover(place.table_of("Ada", "Bob", "Cid", "Dee", game="game17", options={"edge": 2}))
    plan = [choice["action"] for choice in mine.view()["choices"] if choice["text"].endswith(("n2", "e2"))]
    ada = people.person("Ada")
    suggest(ada.page, plan)
    page = ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    ada.press("plan")
    until(lambda: orders(page) == 2)
    expect(ada.at("choice")).to_have_text(["End the turn: 4 pieces on the move"])
    expect(ada.at("select-all")).to_have_count(0)
    expect(page.locator("[data-spot].is-last")).to_have_count(0)
    ada.press("clear")
    until(lambda: orders(page) == 0)


def test_what_is_sought_for_a_turn_that_is_over_is_not_sought_any_more(people: Crowd, place: Place) -> None:
    """Whoever did not wait for it read "Looking for something good" in the next turn, too."""
    seats = place.table_of("Ada", "Bob", game="game17", options={"edge": 6})
    mine = mover(seats)
    ada = people.person("Ada")
    page = ada.page

    def silent(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda said: None if json.loads(said)["type"] == "hint" else server.send(said))

    page.route_web_socket("**/live", silent)
    ada.sit(mine.table, mine.token)
    ada.press("plan")
    expect(page.locator(".seeking")).to_be_visible()
    ada.press("choice")
    until(lambda: look(ada)["ply"] != "0")
    while (now := mover(seats)).number != mine.number:
        now.must("act", ply=now.view()["position"]["ply"], text="end")
    until(lambda: can_choose(look(ada)))
    expect(page.locator(".seeking")).to_have_count(0)


def test_where_nothing_is_suggested_that_is_said(people: Crowd, place: Place) -> None:
    mine = mover(place.table_of("Ada", "Bob", game="game17", options={"edge": 4}))
    ada = people.person("Ada")
    suggest(ada.page, [])
    ada.sit(mine.table, mine.token)
    ada.press("plan")
    expect(ada.page.locator(".seeking")).to_contain_text("No order pays off now")


def test_the_pad_says_what_can_be_done_with_what_is_selected(people: Crowd, place: Place) -> None:
    mine = mover(place.table_of("Ada", "Bob", "Cid", "Dee", game="game17", options={"edge": 2}))
    ada = people.person("Ada")
    ada.sit(mine.table, mine.token)
    expect(ada.at("plan")).to_be_visible()
    expect(ada.at("again")).to_have_count(0)
    ada.press("select-all")
    expect(ada.at("plan")).to_have_count(0)
    for name in ("amount-all", "amount-half", "amount-one"):
        expect(ada.at(name)).to_be_visible()
    assert ada.page.locator(".compass button").count() == 4
    ada.press("amount-half")
    ada.page.locator(".compass button").first.click()
    expect(ada.at("choice").first).to_have_text("End the turn: 2 pieces on the move")


def test_the_board_is_explained_where_it_is_met(people: Crowd, place: Place) -> None:
    ada, _ = at_board(people, place)
    ada.press("ask")
    box = ada.page.locator("[data-what=key]").bounding_box()
    assert box
    ada.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(ada.at("explanation")).to_contain_text("The larger a figure, the more pieces.")


def test_no_exact_names_of_bots_are_read_at_the_table(people: Crowd, place: Place) -> None:
    """People meet bots by their titles; ``general:2`` is for commands."""
    ada = people.person("Ada")
    ada.go()
    ada.page.locator("[data-testid=game-game17] [data-testid=play-now]").click()
    until(lambda: can_choose(look(ada)))
    assert not re.search(r"general|t800|mcts", ada.page.locator("main").inner_text())
    assert registry.get("game17").title in ada.page.locator("main").inner_text()
