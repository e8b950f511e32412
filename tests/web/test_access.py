"""Pages for everybody: every page of every game, on phones, laptops and wide screens, in any light, in large letters.

Each page is loaded once. Then its screen, letters and light change, and each time it is measured that nothing is wider
than the screen or cut off, that fingers find what can be pressed, that words stand out from what was drawn behind them,
and that axe-core has nothing serious to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from browsing import Crowd, Person, barriers
from fitting import faults
from measuring import LARGE, Eyes
from parlour.engine import registry
from playing import can_choose, look
from serving import Place, Seat, mover, until

pytestmark = pytest.mark.xdist_group("browser-1")

PHONES = [(390, 844), (360, 640), (844, 390)]
WIDE = [(1280, 800), (1920, 1080)]
LONG = 2400  # pixels: a screen on which nearly all of a page can be read at once
Screens = Sequence[tuple[int, int]]
TWICE = [(195, 422), (640, 400)]  # a phone and a laptop, zoomed to 200%
NAMES = ("Ada", "Bob", "Cid", "Dan")
SHORT = ".seat b"  # long names end in dots, and are told when one rests on them


@pytest.fixture
def ada(people: Crowd) -> Iterator[Person]:
    people.troubles.allow("404")
    ada = people.person("Ada", settings={"tellEnd": True, "watchChances": True})
    yield ada
    ada.touches = False


def wrong_with(page: Page) -> list[str]:
    """What anybody could find wrong with what is shown, and on which screen."""
    eyes, phone, laptop = Eyes(page), PHONES[0], WIDE[0]
    found = does_not_fit(eyes, PHONES, WIDE)
    eyes.sees(phone[0], LONG if is_long(page) else phone[1], touch=True, dark=True)
    found += [f"dark, hard to read: {fault}" for fault in eyes.faint_words()]
    eyes.sees(laptop[0], LONG if is_long(page) else laptop[1])
    found += [f"light, hard to read: {fault}" for fault in eyes.faint_words()]
    eyes.sees(*laptop)
    return found + barriers(page, without="color-contrast")  # it knows only what stands in style sheets


def does_not_fit(eyes: Eyes, phones: Screens, others: Screens) -> list[str]:
    """What is cut off or too small for a finger: on these screens, zoomed to 200%, and in letters of 200%."""
    page, found = eyes.page, []
    for size in phones:
        eyes.sees(*size, touch=True)
        found += [f"{size}, for a finger: {fault}" for fault in eyes.small_targets()]
        found += [f"{size}: {fault}" for fault in faults(page, allowed=SHORT)]
    for size in TWICE:
        eyes.sees(*size, touch=size == TWICE[0])
        found += [f"{size}, zoomed: {fault}" for fault in faults(page, allowed=SHORT)]
    for size in (PHONES[0], WIDE[0]):
        eyes.sees(*size, touch=size == PHONES[0], letters=LARGE)
        found += [f"{size}, large letters: {fault}" for fault in faults(page, allowed=SHORT)]
    for size in others:
        eyes.sees(*size)
        found += [f"{size}: {fault}" for fault in faults(page, allowed=SHORT)]
    return found


def is_long(page: Page) -> bool:
    """Whether it is read from its top to its end; tables keep to the screen."""
    return page.locator(".table, .lesson, dialog[open]").count() == 0


def is_for_everybody(page: Page, where: str, *, briefly: bool = False) -> None:
    """Briefly: the smallest screens alone, where colours and marks are those of a page that is measured elsewhere."""
    wrong = does_not_fit(Eyes(page), PHONES[1:2], []) if briefly else wrong_with(page)
    assert wrong == [], f"{where}:\n" + "\n".join(wrong)


@pytest.mark.parametrize("path", ["/", "/tables", "/replay", "/rules", "/learn", "/no"])
def test_pages_around_the_table(path: str, ada: Person, place: Place) -> None:
    place.open("goose", seats=3)
    page = ada.go(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    is_for_everybody(page, path)


def test_windows_over_the_page(ada: Person) -> None:
    page = ada.go("/learn")
    for testid in ("help", "settings"):
        ada.press(testid)
        expect(ada.at("dialog")).to_be_visible()
        is_for_everybody(page, testid)
        page.keyboard.press("Escape")
    ada.go()
    page.locator("[data-testid=game-game17] [data-testid=open-table]").click()
    expect(ada.at("opening")).to_be_visible()
    ada.press("more-settings")
    is_for_everybody(page, "opening a table")


def test_the_waiting_room(ada: Person, place: Place) -> None:
    opened = place.open("goose", seats=3, bots={"1": "random"})["table"]["id"]
    ada.sit(opened, place.sit(opened, "Ada").token)
    expect(ada.at("preview").locator("svg")).to_be_visible()
    is_for_everybody(ada.page, "the waiting room")


def play(seats: list[Seat], plies: int) -> Seat:
    """Have some plies be played; returns whose turn it is then."""
    for ply in range(plies):
        choices = mover(seats).view()["choices"]
        mover(seats).must("act", ply=ply, action=choices[ply * 7 % len(choices)]["action"])
    return mover(seats)


@pytest.mark.parametrize("game", registry.names())
def test_a_game_from_its_lesson_to_its_replay(game: str, ada: Person, place: Place) -> None:
    """Its rulebook, its lesson, a full table in the middle of a match, the end, and the match once more."""
    page = ada.go(f"/rules/{game}")
    expect(page.locator("#clause-1")).to_be_visible()
    is_for_everybody(page, "the rulebook", briefly=game != "goose")
    ada.go(f"/learn/{game}")
    expect(ada.at("progress")).to_be_visible()
    is_for_everybody(page, "the lesson", briefly=game != "goose")
    crowded = play(place.table_of(*NAMES[: registry.get(game).seats[1]], game=game), plies=4)
    ada.sit(crowded.table, crowded.token)
    until(lambda: can_choose(look(ada)))
    is_for_everybody(page, "the table")
    mine = play(seats := place.table_of("Ada", "Bob", game=game), plies=2)
    next(seat for seat in seats if seat is not mine).must("resign")
    ada.sit(mine.table, mine.token)
    expect(ada.at("ending")).to_be_visible()
    is_for_everybody(page, "the end", briefly=game != "goose")
    ada.go(f"/replay/{mine.table}?ply=1")
    ada.at("moves").wait_for()
    is_for_everybody(page, "the replay", briefly=game != "goose")


def test_what_opens_at_the_table(ada: Person, place: Place) -> None:
    """The menu, sharing, reactions, talk, a draw that is offered, what a thing on the board is, the rulebook."""
    mine, other = place.table_of("Ada", "Bob", game="choccer")
    page = ada.sit(mine.table, mine.token)
    until(lambda: can_choose(look(ada)))
    opens_and_closes(ada)
    ada.press("share")
    expect(ada.at("dialog")).to_be_visible()
    is_for_everybody(page, "sharing")
    page.keyboard.press("Escape")
    for size in (*PHONES, *TWICE):
        Eyes(page).sees(*size, touch=True)
        ada.press("react")
        expect(page.locator(".reactions")).to_be_visible()
        assert faults(page) == [], size
        page.keyboard.press("Escape")
    other.must("chat", text="Good luck!")
    ada.press("tab-chat")
    other.must("draw")
    expect(ada.at("accept-draw")).to_be_visible()
    is_for_everybody(page, "talk, and a draw that is offered")
    ada.press("decline-draw")
    page.locator('[data-spot="H3"]').click()
    ada.press("ask")
    page.keyboard.press("ArrowRight")
    expect(ada.at("explanation")).to_be_visible()
    page.keyboard.press("Escape")
    expect(ada.at("explanation")).to_be_hidden()
    ada.press("rules")
    page.locator(".rulebook-panel #clause-1").wait_for()
    is_for_everybody(page, "the rulebook beside the board")


def opens_and_closes(ada: Person) -> None:
    """The menu opens on every screen; it closes on Escape, and on a press elsewhere."""
    page, items = ada.page, ada.page.locator(".more-items")
    for size in TWICE:
        Eyes(page).sees(*size)
        ada.press("more")
        expect(items).to_be_visible()
        assert faults(page) == []
        ada.at("leave").scroll_into_view_if_needed()
        expect(ada.at("leave")).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(items).to_be_hidden()
        expect(ada.at("more")).to_be_focused()
    ada.press("more")
    expect(items).to_be_visible()
    page.mouse.click(1, TWICE[-1][1] / 2)  # at the edge, where nothing else is
    expect(items).to_be_hidden()
    ada.press("more")
    is_for_everybody(page, "the menu")
    page.keyboard.press("Escape")
