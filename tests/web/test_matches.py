"""Whole matches: two browsers against each other, and one person against bots."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import Crowd, Person, is_open_to_all
from parlour.engine import registry
from playing import MANY, Chooser, can_choose, look, play_on, spot
from serving import Place, Seat, mover, until

pytestmark = pytest.mark.xdist_group("browser-1")

# The games, and what makes a match of them short.
MATCHES: dict[str, dict[str, Any]] = {
    "choccer": {},
    "connect_four": {},
    "game17": {"options": {"edge": 4, "rounds": 3}},
    "goose": {},
    "mazerunner": {"options": {"rounds": 2}},
    "verfuchst": {},
}
ON_A_PHONE = {"choccer", "verfuchst"}  # where taps are confirmed
LONG = {"choccer", "verfuchst"}
AGAINST = {"choccer": "mcts:2", "game17": "general:5", "mazerunner": "runner:4", "verfuchst": "mcts:2"}


# What is drawn with another colour because it belongs to the last action: its edge alone may change.
RECOLOURED = """() => {
  const marked = [...document.querySelectorAll(".scene .is-last")];
  const looks = (spot) => [spot, ...spot.querySelectorAll("*")].map((part) => {
    const { fill, fillOpacity, opacity, filter } = getComputedStyle(part);
    return [part.outerHTML.slice(0, 80), fill, fillOpacity, opacity, filter].join(" ");
  });
  const before = marked.map(looks);
  for (const spot of marked) spot.classList.replace("is-last", "was-last");
  const after = marked.map(looks);
  for (const spot of marked) spot.classList.replace("was-last", "is-last");
  const plain = (parts) => parts.join(" ").replaceAll("was-last", "is-last");
  return before.map(plain).filter((look, spot) => look !== plain(after[spot]));
}"""


@pytest.mark.parametrize("game", MATCHES)
def test_two_browsers_play_a_match(game: str, people: Crowd, place: Place) -> None:
    """One of them on a phone, in some games; there, nothing is wider than the screen.

    To the end, unless that takes long: then both move often, and the end is played against a bot, below.
    """
    table = place.open(game, seats=2, **MATCHES[game])["table"]["id"]
    both = [people.person("Ada", phone=game in ON_A_PHONE), people.person("Bob")]
    for person in both:
        person.watch(table)
        person.press("sit")
    choosers = [Chooser(person, seed) for seed, person in enumerate(both)]
    play_on(choosers, plies=1)
    expect(both[1].at("table")).not_to_have_attribute("data-ply", "0")
    assert both[1].page.evaluate(RECOLOURED) == []
    is_over = play_on(choosers, plies=20 if game in LONG else MANY)
    view = place.view(table)
    assert is_over or game in LONG, "the match did not end"
    both_show(both, view["position"]["ply"])
    if is_over:
        ended_by_the_rules(both, view["ending"])
    assert both[0].page.evaluate("() => document.documentElement.scrollWidth - innerWidth") == 0


def both_show(both: list[Person], ply: int) -> None:
    """The same position, which is the newest."""
    for person in both:
        expect(person.at("table")).to_have_attribute("data-ply", str(ply))
    pictures = [person.page.evaluate(PIECES) for person in both]
    stands = [person.page.locator("svg:has(.scene)").first.get_attribute("viewBox") for person in both]
    if stands[0] == stands[1]:
        assert pictures[0] == pictures[1]
    else:  # on a phone it stands upright: what there is is the same, and lies elsewhere
        assert pictures[0].keys() == pictures[1].keys()


# Where everything is that has a name: what a seat sees alone, such as what it can pick, is left out.
PIECES = """() => Object.fromEntries([...document.querySelectorAll(".scene [id]")].map(
  (one) => [one.id, one.getAttribute("transform")]))"""


def ended_by_the_rules(both: list[Person], ending: dict[str, Any]) -> None:
    assert ending["reason"] == "rules"
    for person in both:
        assert ending["text"].casefold() in person.at("ending").inner_text().casefold()


def open_against(person: Person, game: str, options: dict[str, int], bot: str) -> None:
    """Open a table by the form of the lobby, with this bot at the other seat."""
    page = person.go()
    page.locator(f"[data-testid=game-{game}] [data-testid=open-table]").click()
    form = person.at("opening")
    expect(form.locator("[name=bots]")).to_be_visible()  # all of it is there
    if form.locator("[name=seats]").count():
        give(form.locator("[name=seats]"), "2")
    give(form.locator("[name=bots]"), "1")
    form.locator("[name=bot]").select_option(bot)
    person.press("more-settings")
    for name, value in options.items():
        give(form.locator(f"[name=option-{name}]"), str(value))
    person.press("open")


def give(control: Locator, value: str) -> None:
    """Fill a field that is a list or is typed in."""
    if control.evaluate("element => element.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(value)


@pytest.mark.parametrize(("game", "bot"), AGAINST.items())
def test_one_person_opens_a_table_and_plays_a_bot_to_the_end(game: str, bot: str, people: Crowd, place: Place) -> None:
    ada = people.person("Ada")
    open_against(ada, game, MATCHES[game].get("options", {}), bot)
    assert play_on([Chooser(ada)]), "the match did not end"
    view = place.view(ada.table)
    assert view["ending"]["reason"] == "rules"
    assert sorted(seat["kind"] for seat in view["seats"]) == ["bot", "person"], "by lot, at either seat"
    told = re.sub(r" \(.*?\)", "", view["ending"]["text"])  # what a bot is called is another matter
    assert told.casefold() in re.sub(r" \(.*?\)", "", ada.at("ending").inner_text()).casefold()


@pytest.mark.parametrize("game", ["connect_four", "goose"])
def test_play_now_is_one_click_and_bots_answer(game: str, people: Crowd, place: Place) -> None:
    """That such a match comes to its end is seen above, at a table that the form has opened."""
    ada = people.person("Ada")
    ada.go().locator(f"[data-testid=game-{game}] [data-testid=play-now]").click()
    play_on([Chooser(ada)], plies=3)
    kinds = [
        place.view(ada.table)["seats"][entry["seat"]]["kind"]
        for entry in place.log(ada.table)
        if entry["kind"] == "act"
    ]
    assert kinds.count("person") == 3
    assert kinds.count("bot") >= 2


def test_game17_orders_are_given_to_many_squares_at_once(people: Crowd, place: Place) -> None:
    """All squares of a seat are sent one way with two clicks, and it is one message."""
    ada, bob = place.table_of("Ada", "Bob", game="game17", options={"edge": 6, "rounds": 4})
    person = people.person("Ada")
    mine = ada if ada.view()["choices"] else bob
    person.sit(mine.table, mine.token)
    before = mine.view()["position"]["ply"]
    person.press("select-all")
    ways = person.page.locator(".compass button:not([disabled])")
    ways.first.click()
    expect(person.at("table")).not_to_have_attribute("data-ply", str(before))
    assert mine.view()["position"]["ply"] > before
    for _ in range(2):  # between the turns of two, some zombies have theirs
        view = mine.view()
        if (to_move := view["position"]["to_move"]) is not None:
            (ada, bob)[to_move].must("act", ply=view["position"]["ply"], text="end")
    expect(person.at("story")).to_contain_text(re.compile(r"\d+ zombies? on the move: \d+ squares? taken"))


def test_who_is_out_at_game17_is_announced(people: Crowd, place: Place) -> None:
    """All pieces of one seat against as many of another: whoever the coin is for, somebody loses the last."""
    seats = place.table_of("Ada", "Bob", "Cid", "Dee", game="game17", options={"edge": 2})
    eve = people.person("Eve")
    page = eve.watch(seats[0].table)
    expect(eve.at("status")).to_contain_text("You are watching")
    mover = seats[place.view(seats[0].table)["position"]["to_move"]]
    all_four = next(choice["action"] for choice in mover.view()["choices"] if choice["text"].endswith("4"))
    mover.must("act", ply=0, action=all_four)
    mover.must("act", ply=1, text="end")
    expect(eve.at("toast").last).to_have_text(re.compile("^(Ada|Bob|Cid|Dee) has lost the last (square|piece)"))
    scores = [int(score) for score in page.locator(".seat .score").all_inner_texts()]
    assert sum(scores) == 4
    assert [seat.get_attribute("data-seat") for seat in page.locator(".seat").all()] == ["0", "1", "2", "3"]
    told = page.locator("[data-what=standings]").get_attribute("aria-label") or ""
    shown = re.findall(r"(\w+): (\d) squares?,", told)
    colours = [registry.get("game17").seat_name(seat) for seat in range(4)]
    assert shown
    assert all(int(squares) == scores[colours.index(colour)] for colour, squares in shown)


def push_north(seat: Seat) -> None:
    """All pieces of one square go north."""
    view = seat.view()
    north = [choice for choice in view["choices"] if re.search(r"n\d+$", choice["text"])]
    most = max(north, key=lambda choice: int(choice["text"].rpartition("n")[2]))
    seat.must("act", ply=view["position"]["ply"], action=most["action"])
    seat.must("act", ply=view["position"]["ply"] + 1, text="end")


@pytest.mark.parametrize("phone", [False, True])
def test_a_seat_that_is_out_says_so_in_its_panel(people: Crowd, place: Place, phone: bool) -> None:
    """On two by two squares, whoever attacks the neighbour puts it out, or is put out by what comes back."""
    seats = place.table_of("Ada", "Bob", "Cid", "Dee", game="game17", options={"edge": 2})
    eve = people.person("Eve", phone=phone)
    eve.watch(seats[0].table)
    expect(eve.page.locator(".seat.is-out")).to_have_count(0)
    while not (out := [seat["seat"] for seat in place.view(seats[0].table)["seats"] if seat["out"]]):
        push_north(mover(seats))
    for seat in seats:
        notes = eve.at(f"seat-{seat.number}").locator("small")
        if seat.number in out:
            expect(notes).to_contain_text("out")
            expect(notes).to_be_visible()
        else:
            expect(notes).not_to_contain_text("out")
    is_open_to_all(eve.page)
    loser = seats[out[0]]
    ada = people.person("Ada", phone=phone)
    ada.sit(loser.table, loser.token)
    expect(ada.at("status")).to_have_text("You are out. Watch how it ends, or begin a new match.")
    expect(ada.at("new-match").get_by_role("button")).to_be_in_viewport(ratio=1)


def test_undo_goes_back_past_what_bots_have_answered(people: Crowd, place: Place) -> None:
    seat = place.table_of("Ada", seats=2, bots={"1": "random"})[0]
    ada = people.person("Ada")
    page = ada.sit(seat.table, seat.token)
    for ply in (2, 4):
        page.locator(spot("4") + ".is-open").click()
        expect(ada.at("table")).to_have_attribute("data-ply", str(ply))
        expect(page.locator(spot("4") + ".is-open")).to_be_visible()
    ada.press("undo")
    expect(ada.at("table")).to_have_attribute("data-ply", "2")
    assert can_choose(until(lambda: can_choose(look(ada)) and look(ada)))
    assert seat.view()["position"]["ply"] == 2


def test_a_piece_can_be_dragged_to_its_place(people: Crowd, place: Place) -> None:
    """And nowhere else: then the reason is the one that clicks are answered with."""
    ada, bob = place.table_of("Ada", "Bob", game="choccer")
    mover = ada if ada.view()["choices"] else bob
    person = people.person("Ada")
    page = person.sit(mover.table, mover.token)
    piece, goal = next(choice["picks"] for choice in mover.view()["choices"] if len(choice["picks"]) == 2)
    page.locator(spot(piece) + ".is-open").wait_for()
    told = person.at("explanation")
    page.locator(spot(piece)).click()
    page.mouse.click(*middle(page.locator(spot("F0"))))
    expect(told).to_contain_text("diagonally")
    reason = told.locator("p").inner_text()
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    page.keyboard.press("Escape")
    drag(page, page.locator(spot(piece)), page.locator(spot("F0")))
    expect(told.locator("p")).to_have_text(reason)
    drag(page, page.locator(spot(piece)), page.locator(spot(goal)))
    expect(person.at("table")).to_have_attribute("data-ply", "1")
    assert mover.view()["position"]["picks"] == [piece, goal]


def drag(page: Page, piece: Locator, goal: Locator) -> None:
    points = [middle(piece), middle(goal)]
    page.mouse.move(*points[0])
    page.mouse.down()
    page.mouse.move(*points[1], steps=6)
    page.mouse.up()


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None, "it is not on the page"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
