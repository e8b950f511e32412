"""The first look of a newcomer: what to do first, in words for people, and questions that say what they ask."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, ViewportSize, expect

from browsing import Crowd, is_open_to_all
from parlour.engine import registry
from parlour.engine.glance import newcomers_first
from serving import Place, mover

pytestmark = pytest.mark.xdist_group("browser-2")

SIZES: dict[str, ViewportSize] = {"phone": {"width": 390, "height": 844}, "wide": {"width": 1280, "height": 800}}
everywhere = pytest.mark.parametrize("size", SIZES)

# How much of each frame its board takes: of the width, and of the height.
FILLED = """() => [...document.querySelectorAll(".framed .frame")].map((frame) => {
  const picture = frame.querySelector(".drawing").shadowRoot.querySelector("svg")?.getBoundingClientRect();
  const style = getComputedStyle(frame);
  const rails = 2 * parseFloat(style.borderLeftWidth);
  const box = frame.getBoundingClientRect();
  return picture ? [picture.width / (box.width - rails), picture.height / (box.height - rails)] : [0, 0];
})"""
# What no newcomer can know: exact names of bots, and how programs are given.
EXACT = re.compile(r"\b(mcts|runner|general|t800|zombie|greedy|judge|random|file|process)\b:?", re.IGNORECASE)


@everywhere
def test_the_lobby_says_what_to_do_first(size: str, people: Crowd) -> None:
    ada = people.person("Ada", phone=size == "phone", viewport=SIZES[size])
    page = ada.go()
    cards = ada.at("games").locator("> li")
    ordered = [game.name for game in newcomers_first(registry.all_games())]
    expect(cards).to_have_count(len(ordered))
    assert [card.get_attribute("data-testid") for card in cards.all()] == [f"game-{name}" for name in ordered]
    for card in cards.all():
        expect(card.locator(".brass")).to_have_count(1)
        expect(card.get_by_role("button")).to_have_count(2)
        expect(card.get_by_role("button").first).to_have_accessible_name(re.compile(r"^Play (against|alone)"))
        expect(card.get_by_test_id("open-table")).to_have_text("With friends")
    expect(ada.at("game-choccer").get_by_test_id("play-now")).to_have_text("Play against a bot, Relaxed")
    expect(ada.at("game-verfuchst").get_by_test_id("play-now")).to_have_text("Play against three bots, Relaxed")
    expect(ada.at("game-goose").get_by_test_id("play-now")).to_have_text("Play against three bots")
    expect(ada.at("join")).to_be_in_viewport(ratio=1)
    expect(cards.first.get_by_test_id("play-now")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    is_open_to_all(page)


@everywhere
def test_a_card_tells_what_awaits_one(size: str, people: Crowd) -> None:
    ada = people.person("Ada", phone=size == "phone", viewport=SIZES[size])
    page = ada.go()
    told = ada.at("game-goose").get_by_test_id("glance").get_by_role("listitem")
    expect(told).to_have_count(4)
    for sign, words in zip(
        told.all(), ("Seats: 2 to 4", "10 to 15 minutes", "Easy to learn", "Luck alone"), strict=True
    ):
        expect(sign).to_contain_text(words)
    page.wait_for_function(f"() => ({FILLED})().every(([width]) => width > 0)")
    assert all(0.9 < share <= 1.001 for shares in page.evaluate(FILLED) for share in shares)


def test_a_game_that_says_nothing_of_itself_has_a_card(people: Crowd) -> None:
    ada = people.person("Ada")

    def without_glance(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=[{**game, "glance": None} for game in answer.json()])

    ada.context.route("**/api/games?*", without_glance)
    ada.go()
    expect(ada.at("game-goose").get_by_role("listitem")).to_have_text(["2–4Seats: 2 to 4"])


@everywhere
def test_windows_ask_in_words_for_people(size: str, people: Crowd) -> None:
    ada = people.person("Ada", phone=size == "phone", viewport=SIZES[size])
    page = ada.go()
    for game in registry.names():
        page.get_by_test_id(f"game-{game}").get_by_test_id("open-table").click()
        form = ada.at("opening")
        ada.press("more-settings")
        expect(form.locator("[name=public]")).to_be_visible()
        expect(ada.at("bot-face")).to_have_count(0 if game == "goose" else 1)
        expect(form.locator("select[name=bot]:visible")).to_have_count(0)
        assert EXACT.search(ada.at("dialog").inner_text()) is None
        labels = form.locator(".field > span:first-of-type").all_inner_texts()
        assert [words for words in labels if words[:1].islower()] == []
        bots = form.locator("[name=bots]")
        bots.select_option("1") if bots.evaluate("field => field.tagName") == "SELECT" else bots.fill("1")
        bots.blur()
        expect(form.locator("select[name=bot]:visible")).to_have_count(0 if game == "goose" else 1)
        assert not [words for words in form.locator("option").all_inner_texts() if EXACT.search(words)]
        page.keyboard.press("Escape")
        expect(ada.at("dialog")).to_have_count(0)


def test_help_on_a_phone_is_about_fingers(people: Crowd) -> None:
    ada = people.person("Ada", phone=True)
    ada.go()
    ada.press("help")
    expect(ada.at("dialog")).to_contain_text("Hold a finger on anything")
    expect(ada.at("dialog").locator("kbd")).to_have_count(0)
    is_open_to_all(ada.page)


LINES_BESIDE_A_LONG_CHOICE = """() => {
  const [confirm, cancel] = ["confirm", "cancel"].map((name) => document.querySelector(`[data-testid=${name}]`));
  const text = document.createRange(), words = [...confirm.childNodes];
  confirm.replaceChildren("Fox from the tile with the clover to the goal ".repeat(3));
  text.selectNodeContents(cancel);
  const lines = text.getClientRects().length;
  confirm.replaceChildren(...words);
  return lines;
}"""


@pytest.mark.parametrize(
    ("game", "picks", "asked"),
    [
        ("connect_four", ["4"], "Drop a disc in column 4?"),
        ("choccer", ["H1", "G0"], "Triangle from H1 to G0?"),
    ],
)
def test_a_question_names_what_it_asks(game: str, picks: list[str], asked: str, people: Crowd, place: Place) -> None:
    ada = people.person("Ada", phone=True, viewport=SIZES["phone"])
    seat = mover(place.table_of("Ada", "Bob", game=game))
    ada.sit(seat.table, seat.token)
    for spot in picks:
        place_of_it = ada.page.locator(f'.scene [data-spot="{spot}"]')
        expect(place_of_it).to_have_class(re.compile("is-open|is-next"))
        place_of_it.tap()
    expect(ada.at("status")).to_have_text(asked)
    expect(ada.at("confirm")).to_have_accessible_name(asked[:-1])
    assert ada.page.evaluate(LINES_BESIDE_A_LONG_CHOICE) == 1, "Cancel is broken within the word"
    ada.press("confirm")
    expect(ada.at("table")).to_have_attribute("data-ply", "1")
