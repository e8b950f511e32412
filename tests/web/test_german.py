"""German where the browser asks for it: nothing of the page is left in English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browsing import Crowd, Person
from playing import Chooser, can_choose, look, play_on
from serving import Place, play_out, until

pytestmark = pytest.mark.xdist_group("browser-1")
LANGUAGES = Path(__file__).parents[2] / "web" / "src" / "languages"

# All that a person reads or hears, piece by piece.
WORDS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.push(walker.currentNode.textContent.trim());
  for (const element of document.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"])
      if (element.hasAttribute(name)) found.push(element.getAttribute(name).trim());
  return [document.title, ...found].filter(Boolean);
}"""


PLACE = re.compile(r"\{\w+\}")


def read(language: str) -> dict[str, str]:
    """The texts of a language file, by key."""
    text = (LANGUAGES / f"{language}.ts").read_text("utf-8")
    return dict(re.findall(r'^  (\w+): "((?:[^"\\]|\\.)*)",$', text, flags=re.M))


def english_only() -> re.Pattern[str]:
    """Every English text that German has another for, with anything in its places."""
    german = set(read("de").values())
    texts = [text for text in read("en").values() if text not in german and len(PLACE.sub("", text)) > 6]
    assert len(texts) > 100, "the language files are read"
    return re.compile("|".join(re.sub(r"\\\{\w+\\\}", ".+", re.escape(text)) for text in texts))


ENGLISH = english_only()
# Little words that nearly every English sentence has, and no German one.
LITTLE_WORDS = re.compile(r"\b(the|and|of|with|from|has|is|are|turn|round|rolls|moves|takes|wins|empty|nobody)\b")


def is_german(page: Page) -> None:
    """The page's own words are."""
    assert page.locator("html").get_attribute("lang") == "de"
    assert [words for words in page.evaluate(WORDS) if ENGLISH.fullmatch(words)] == []


def all_is_german(page: Page) -> None:
    """The game's words are, too: in the story, in the choices and in the picture."""
    is_german(page)
    assert [words for words in page.evaluate(WORDS) if LITTLE_WORDS.search(words)] == []


def test_the_check_would_notice(people: Crowd) -> None:
    page = people.person("Ada").go()
    expect(page.get_by_test_id("games")).to_be_visible()
    assert any(ENGLISH.fullmatch(words) for words in page.evaluate(WORDS))


@pytest.mark.parametrize(
    ("path", "shows"),
    [("/", "Setz dich dazu"), ("/tables", "Tische"), ("/replay", "Aufzeichnungen"), ("/rules", "Spielregeln")],
)
def test_pages_are_german(path: str, shows: str, people: Crowd) -> None:
    page = people.person("Ada", locale="de-DE").go(path)
    expect(page.get_by_role("heading", level=1)).to_have_text(shows)
    is_german(page)


def test_a_rulebook_is_german(people: Crowd) -> None:
    ada = people.person("Ada", locale="de-DE")
    page = ada.go("/rules/goose")
    expect(page.get_by_role("heading", level=1)).to_have_text("Gänsespiel")
    expect(page.locator("#clause-17")).to_contain_text("Wer gewinnt, bekommt den Topf.")
    expect(page.get_by_test_id("diagrams").get_by_role("img")).to_have_accessible_name(re.compile("^Blau wartet"))
    is_german(page)


def test_windows_and_the_form_are_german(people: Crowd) -> None:
    ada = people.person("Ada", locale="de-AT")
    page = ada.go()
    for testid in ("help", "settings"):
        ada.press(testid)
        is_german(page)
        page.keyboard.press("Escape")
    page.locator("[data-testid=game-goose] [data-testid=open-table]").click()
    ada.press("more-settings")
    is_german(page)


@pytest.mark.parametrize("game", ["verfuchst", "goose", "game17", "mazerunner", "choccer"])
def test_a_table_is_german_before_during_and_after_the_match(game: str, people: Crowd, place: Place) -> None:
    ada, bob = (people.person(name, locale="de-DE") for name in ("Ada", "Bob"))
    table = place.open(game, seats=2, **({"options": {"rounds": 4}} if game == "mazerunner" else {}))["table"]["id"]
    for person in (ada, bob):
        person.watch(table)
        expect(person.at("sit")).to_be_visible()
        all_is_german(person.page)
        person.press("sit")
    until(lambda: can_choose(look(ada)) or can_choose(look(bob)))
    share(ada)
    play_on([Chooser(ada, 1), Chooser(bob, 2)], plies=12)
    for person in (ada, bob):
        all_is_german(person.page)
        expect(person.at("story").locator("li").first).to_be_visible()
    is_over = look(ada)["over"]
    if not is_over:
        ada.press("more")
        ada.press("resign")
        all_is_german(ada.page)
        ada.press("sure")
    expect(bob.at("ending")).to_contain_text("gewinnt." if is_over else "hat aufgegeben")
    for person in (ada, bob):
        all_is_german(person.page)


def share(person: Person) -> None:
    if not person.at("share").is_visible():
        person.press("more")
    person.press("share")
    is_german(person.page)
    person.page.keyboard.press("Escape")


def test_a_replay_is_german(people: Crowd, place: Place) -> None:
    table = play_out(place.table_of("Ada", "Bob", game="connect_four"))["id"]
    ada = people.person("Ada", locale="de-DE")
    page = ada.go(f"/replay/{table}?ply=3")
    expect(ada.at("ply")).to_have_text(re.compile("^Zug 3 von"))
    is_german(page)


def test_the_language_can_be_chosen_and_is_kept(people: Crowd) -> None:
    ada = people.person("Ada", locale="de-DE")
    page = ada.go()
    ada.press("settings")
    ada.at("language").select_option("en")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pull up a chair")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pull up a chair")
