"""A replay under quick hands: keys that are the browser's, one position at a time, and no more requests than needed."""

from __future__ import annotations

import random
import re
import time
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

import parlour
from browsing import Crowd, Person
from parlour.engine import replay
from serving import Place, Server, play_out, until

pytestmark = pytest.mark.xdist_group("browser-2")


@pytest.fixture(scope="module")
def finished(server: Server) -> tuple[str, int]:
    """The table of a finished match of Connect Four, and how many plies it had."""
    view = play_out(server.place.table_of("Ada", "Bob", game="connect_four"))
    return view["id"], view["position"]["ply"]


@pytest.fixture(scope="module")
def rolled(server: Server) -> str:
    """The table of a finished match with dice."""
    return str(play_out(server.place.table_of("Ada", "Bob", game="goose"))["id"])


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay of game17 with two thousand plies."""
    match = parlour.new("game17", seats=4, seed=5, rounds=200)
    dice = random.Random(1)
    while len(match.plies) < 2000:
        match.play(dice.choice(match.legal()))
    file = tmp_path_factory.mktemp("replays") / "long.json"
    replay.save(match, file)
    return file


def shows(page: Page, ply: int, plies: int) -> None:
    """The position of this ply is drawn, of Connect Four: the discs that lie, and the one to come."""
    expect(page.get_by_test_id("ply")).to_have_text(f"move {ply} of {plies}")
    expect(page.locator(".scene [id]")).to_have_count(ply + (ply < plies))


def test_keys_with_ctrl_or_alt_are_the_browsers(people: Crowd, finished: tuple[str, int]) -> None:
    table, plies = finished
    ada = people.person("Ada")
    ada.go("/rules")
    page = ada.go(f"/replay/{table}?ply=4")
    shows(page, 4, plies)
    page.evaluate("() => addEventListener('keydown', (event) => { window.taken = event.defaultPrevented; })")
    for keys in ("Control+f", "Control+Home", "Control+End", "Meta+ArrowRight"):
        page.locator("h1").click()
        page.keyboard.press(keys)
        assert page.evaluate("() => window.taken") is False, keys
        page.keyboard.press("Escape")
    expect(page.locator(".is-flipped")).to_have_count(0)
    shows(page, 4, plies)
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_timeout(300)
    assert page.url.endswith("/rules") or page.get_by_test_id("ply").inner_text() == f"move 4 of {plies}"


def test_space_pressed_three_times_plays_once(people: Crowd, finished: tuple[str, int]) -> None:
    """From ply to ply at the usual pace: never two plies in less than one pause."""
    table, plies = finished
    page = people.person("Ada").go(f"/replay/{table}")
    shows(page, 0, plies)
    page.evaluate("""() => {
      window.steps = [];
      new MutationObserver(() => steps.push(performance.now())).observe(
        document.querySelector("[data-testid=ply]"), { childList: true });
    }""")
    page.locator("h1").click()
    for _ in range(3):
        page.keyboard.press(" ")
    until(lambda: page.evaluate("() => window.steps.length") >= 3)
    steps: list[float] = page.evaluate("() => window.steps")
    gaps = [later - earlier for earlier, later in pairwise(steps)]
    assert min(gaps) > 800, gaps


def drop_file(person: Person, file: Path) -> Page:
    page = person.go("/replay")
    person.at("replay-file").set_input_files(file)
    return page


def asked(page: Page) -> list[str]:
    """What the page asks the server for from now on."""
    found: list[str] = []

    def note(request: Request) -> None:
        if "/api/" in request.url:
            found.append(request.url)

    page.on("request", note)
    return found


def test_many_moves_of_the_slider_are_one_request(people: Crowd, long_file: Path) -> None:
    ada = people.person("Ada")
    page = drop_file(ada, long_file)
    expect(ada.at("ply")).to_have_text("move 0 of 2000")
    requests = asked(page)
    page.evaluate("""async () => {
      const slider = document.querySelector("[data-testid=scrubber]");
      for (let step = 1; step <= 60; step += 1) {
        slider.value = String(step * 33);
        slider.dispatchEvent(new Event("input"));
        await new Promise((done) => setTimeout(done, 16));
      }
    }""")
    began = time.monotonic()
    expect(ada.at("replay")).to_have_attribute("data-ply", "1980")
    print(f"the newest position was there after {time.monotonic() - began:.2f} s")
    page.wait_for_timeout(500)
    assert len(requests) <= 4, requests  # the newest position, and what follows it, in as many parts as its size needs


def test_the_address_follows_without_haste(people: Crowd, finished: tuple[str, int]) -> None:
    """Safari allows a hundred changes of the address in thirty seconds."""
    table, plies = finished
    ada = people.person("Ada")
    page = ada.go(f"/replay/{table}")
    shows(page, 0, plies)
    page.evaluate("""() => {
      window.changes = 0;
      const old = history.replaceState;
      history.replaceState = function (...all) { window.changes += 1; return old.apply(this, all); };
    }""")
    page.locator("h1").click()
    began = time.monotonic()
    for key in ["ArrowRight", "ArrowLeft"] * 20:
        page.keyboard.press(key)
    page.keyboard.press("ArrowRight")
    shows(page, 1, plies)
    expect(page).to_have_url(re.compile(r"\?ply=1$"))
    assert page.evaluate("() => window.changes") <= 3 + (time.monotonic() - began) / 0.4


def test_a_lost_connection_is_said(people: Crowd, place: Place, rolled: str) -> None:
    people.troubles.allow("ERR_INTERNET|failed:|Failed to load")
    plies = place.view(rolled)["position"]["ply"]
    ada = people.person("Ada")
    page = ada.go(f"/replay/{rolled}")
    expect(ada.at("ply")).to_have_text(f"move 0 of {plies}")
    page.route("**/frames?*", lambda route: route.abort())
    ada.press("last")
    if plies >= 40:
        expect(ada.at("toast")).to_have_text("The server cannot be reached just now.")
    page.route("**/api/tables/*/replay", lambda route: route.abort())
    ada.press("save-json")
    expect(ada.at("toast")).to_have_text("The server cannot be reached just now.")


@pytest.mark.parametrize(("asks", "says", "ply"), [("2.5", "There is no ply 2.5.", 2), ("x", "There is no ply x.", 0)])
def test_a_ply_that_there_is_not_gets_a_sentence(
    asks: str, says: str, ply: int, people: Crowd, finished: tuple[str, int]
) -> None:
    table, plies = finished
    ada = people.person("Ada")
    page = ada.go(f"/replay/{table}?ply={asks}")
    expect(ada.at("toast")).to_have_text(says)
    shows(page, ply, plies)


@pytest.mark.parametrize("content", ["null", "3", '"x"', "[null]", "no JSON"])
def test_a_file_without_an_object_gets_a_sentence(content: str, people: Crowd, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text(content)
    ada = people.person("Ada")
    drop_file(ada, file)
    expect(ada.at("toast")).to_have_text("odd.json is not a replay file.")


@pytest.mark.parametrize("content", ['{"game": null}', '{"parlour": null}', '{"parlour": 1, "game": "goose"}'])
def test_a_file_that_lacks_something_gets_a_sentence(content: str, people: Crowd, tmp_path: Path) -> None:
    people.troubles.allow("400")
    file = tmp_path / "odd.json"
    file.write_text(content)
    ada = people.person("Ada")
    drop_file(ada, file)
    expect(ada.at("toast")).to_have_text(re.compile(r"^[A-Z].* (is|has|replay) .*\.$"))


def test_a_corrected_file_of_the_same_name_can_be_chosen_again(people: Crowd, tmp_path: Path) -> None:
    people.troubles.allow("400")
    file = tmp_path / "goose.json"
    file.write_text("{}")
    ada = people.person("Ada")
    drop_file(ada, file)
    expect(ada.at("toast")).to_be_visible()
    assert ada.at("replay-file").evaluate("input => input.value") == "", "the browser would tell of no change"
    match = parlour.new("goose", seats=2, seed=5)
    match.play(match.legal()[0])
    file.write_text(replay.dumps(match))
    ada.at("replay-file").set_input_files(file)
    expect(ada.at("ply")).to_have_text("move 0 of 1")


def test_leaving_ends_a_gif(people: Crowd, long_file: Path) -> None:
    ada = people.person("Ada")
    page = drop_file(ada, long_file)
    expect(ada.at("ply")).to_have_text("move 0 of 2000")
    ada.press("save-gif")
    expect(ada.at("save-gif")).to_have_text(re.compile(r"GIF \d+ %"))
    page.get_by_role("link", name="Rules", exact=True).click()
    expect(page).to_have_url(re.compile("/rules$"))
    page.wait_for_timeout(300)
    requests = asked(page)
    page.wait_for_timeout(2500)
    assert [url for url in requests if "replays" in url] == []
    expect(ada.at("toast")).to_have_count(0)


def test_there_is_one_set_of_dice_at_a_time(people: Crowd, rolled: str) -> None:
    ada = people.person("Ada", settings={"speed": "normal"})
    page = ada.go(f"/replay/{rolled}")
    expect(ada.at("ply")).to_contain_text("move 0 of")
    page.evaluate("""() => {
      window.most = 0;
      const over = document.querySelector(".over");
      new MutationObserver(() => { most = Math.max(most, over.childElementCount); }).observe(over, { childList: true });
    }""")
    page.locator("h1").click()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(350)
    assert page.evaluate("() => window.most") == 1
