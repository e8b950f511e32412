"""Replays on the page: scrubbing, keys, links, downloads, and files that are dropped on it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import parlour
from browsing import Crowd, Person, is_open_to_all
from parlour.engine import registry, replay
from parlour.engine.match import Match
from serving import Place, Server, play_out, until

pytestmark = pytest.mark.xdist_group("browser-1")

# As if a file were dragged from the desktop onto the page.
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "application/json" }));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def finished(server: Server) -> tuple[str, int]:
    """The table of a finished match, and how many plies it had."""
    seats = server.place.table_of("Ada", "Bob", game="connect_four")
    view = play_out(seats)
    return view["id"], view["position"]["ply"]


def shows(page: Page, ply: int, plies: int) -> None:
    expect(page.get_by_test_id("ply")).to_have_text(f"move {ply} of {plies}")
    expect(page.get_by_test_id("scrubber")).to_have_value(str(ply))
    expect(page.locator(".scene [id]")).to_have_count(ply + (ply < plies))  # the discs that lie, and the one to come


def test_scrubbing_buttons_and_keys(people: Crowd, finished: tuple[str, int]) -> None:
    table, plies = finished
    ada = people.person("Ada")
    page = ada.go(f"/replay/{table}")
    shows(page, 0, plies)
    ada.at("scrubber").fill("5")
    shows(page, 5, plies)
    for testid, ply in [("next", 6), ("previous", 5), ("last", plies), ("first", 0)]:
        ada.press(testid)
        shows(page, ply, plies)
    page.locator("h1").click()
    for key, ply in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", plies), ("Home", 0)]:
        page.keyboard.press(key)
        shows(page, ply, plies)
    page.keyboard.press("f")
    expect(page.locator(".is-flipped")).to_have_count(1)


def test_a_replay_plays_by_itself_and_stops(people: Crowd, finished: tuple[str, int]) -> None:
    table, plies = finished
    ada = people.person("Ada")
    page = ada.go(f"/replay/{table}?ply={plies - 2}")
    shows(page, plies - 2, plies)
    ada.at("replay-speed").select_option("4")
    page.locator("h1").click()
    page.keyboard.press(" ")
    shows(page, plies, plies)
    expect(ada.at("play")).to_have_attribute("aria-label", "Play")


def test_a_link_leads_to_an_exact_ply(people: Crowd, finished: tuple[str, int]) -> None:
    table, plies = finished
    ada = people.person("Ada", permissions=["clipboard-read", "clipboard-write"])
    page = ada.go(f"/replay/{table}")
    ada.at("scrubber").fill("3")
    shows(page, 3, plies)
    ada.press("ply-link")
    expect(ada.at("toast")).to_have_text("Copied")
    link = page.evaluate("() => navigator.clipboard.readText()")
    expect(page).to_have_url(link)
    shows(people.person("Bob").go(link.removeprefix(ada.url)), 3, plies)
    people.troubles.allow("40[04]")
    shows(people.person("Eve").go(f"/replay/{table}?ply=99999"), plies, plies)


def saved(page: Page, testid: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_test_id(testid).click()
    return Path(download.value.path()).read_bytes()


def test_downloads_are_what_they_say(people: Crowd, finished: tuple[str, int], place: Place, tmp_path: Path) -> None:
    """The replay is the server's own, the picture stands alone, the GIF moves."""
    table, plies = finished
    page = people.person("Ada").go(f"/replay/{table}?ply=4")
    shows(page, 4, plies)
    file = tmp_path / "match.json"
    file.write_bytes(saved(page, "save-json"))
    assert len(replay.run(replay.loads(file.read_text())).plies) == plies
    picture = saved(page, "save-svg").decode()
    assert picture.startswith("<svg xmlns=")
    assert picture.count(" id=") >= 4
    assert "font-family=\"'Nunito Sans'" in picture
    assert "@font-face" in picture, "its letters come along"
    gif = saved(page, "save-gif")
    assert gif[:6] == b"GIF89a"
    assert gif.count(b"\x21\xf9\x04") >= plies + 1, "one picture for every position"


def drop(person: Person, name: str, text: str) -> Page:
    """Come to the replays, and drop a file there."""
    page = person.go("/replay")
    expect(person.at("replays")).to_be_visible()
    page.evaluate(DROP, [name, text])
    return page


def terminal_replay(tmp_path: Path) -> str:
    """A match of Goose, saved as the terminal does."""
    match = parlour.new("goose", seats=3, seed=5)
    while not match.over:
        match.play(match.legal()[0])
    replay.save(match, tmp_path / "goose.json")
    return (tmp_path / "goose.json").read_text()


def test_a_file_of_the_terminal_opens_where_it_is_dropped(people: Crowd, tmp_path: Path) -> None:
    ada = people.person("Ada")
    page = drop(ada, "goose.json", terminal_replay(tmp_path))
    expect(ada.at("replay")).to_contain_text("Game of the Goose")
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(ada.at("ply")).to_have_text(re.compile(r"move (\d+) of \1"))
    expect(ada.at("ply-link")).to_have_count(0)


def test_the_list_of_moves_leads_to_every_ply(people: Crowd, finished: tuple[str, int]) -> None:
    """By click and by keys; the ply that is shown is marked, and so is the way back."""
    table, plies = finished
    ada = people.person("Ada")
    page = ada.go(f"/replay/{table}")
    moves = ada.at("moves")
    expect(moves.locator("[data-ply]")).to_have_count(plies + 1)

    def is_marked(ply: int) -> None:
        expect(moves.locator("[aria-current]")).to_have_count(1)
        expect(moves.locator("[aria-current]")).to_have_attribute("data-ply", str(ply))
        shows(page, ply, plies)

    is_marked(0)
    moves.locator("[data-ply='4']").click()
    is_marked(4)
    expect(moves.locator("[data-ply='4']")).to_contain_text("Bob")
    for key, ply in [("ArrowDown", 5), ("ArrowUp", 4), ("End", plies), ("PageUp", max(0, plies - 10)), ("Home", 0)]:
        page.keyboard.press(key)
        is_marked(ply)
        expect(moves.locator(f"[data-ply='{ply}']")).to_be_focused()
    is_open_to_all(page)


def test_the_result_is_told_in_the_words_of_the_table(people: Crowd, finished: tuple[str, int], place: Place) -> None:
    """At the table, in the replay and in the list: by the rules, where zombies may win, and by resignation."""
    zombies = place.table_of("Ada", "Bob", game="game17", options={"edge": 4, "rounds": 1})
    while (to_move := place.view(zombies[0].table)["position"]["to_move"]) is not None:
        zombies[to_move].must("act", ply=zombies[0].view()["position"]["ply"], text="end")
    resigned = place.table_of("Ada", "Bob")
    resigned[0].must("resign")
    ada = people.person("Ada", settings={"tellEnd": True})
    told = {}
    for table in (zombies[0].table, finished[0], resigned[0].table):
        ada.watch(table)
        if table == finished[0]:
            expect(ada.page.locator(".scene circle[fill=none][r='43']")).to_have_count(4)  # the four that win
        told[table] = ada.at("verdict").inner_text()
        order = ada.at("standings").locator("li").all_inner_texts()
        assert len(order) >= 2 if table == zombies[0].table else order == []  # where there are scores
        ada.press("to-replay")
        expect(ada.at("result").get_by_test_id("verdict")).to_have_text(told[table])
        assert ada.at("result").locator("li").all_inner_texts() == order
    expect(ada.at("result")).to_have_text("Bob wins: the other has resigned.")
    page = ada.go("/replay")
    for table, words in told.items():
        expect(page.locator(f"a[href='/replay/{table}'] small")).to_contain_text(words)


def test_who_has_won_is_told_to_those_who_have_watched_or_want_to_know(people: Crowd, place: Place) -> None:
    """The wish is remembered, in replays and in the list of them."""
    over = play_out(place.table_of("Ada", "Bob", game="connect_four"))
    table, verdict = over["id"], over["ending"]["text"]
    ada = people.person("Ada")
    page = ada.go("/replay")
    line = page.locator(f"a[href='/replay/{table}'] .verdict")
    expect(line).to_have_count(1)
    expect(line).to_be_hidden()
    page = ada.go(f"/replay/{table}")
    expect(ada.at("tell-end")).to_have_text("Show how it ended")
    expect(ada.at("verdict")).to_have_count(0)
    expect(page.locator(".seat.is-winner")).to_have_count(0)
    ada.press("last")
    expect(ada.at("verdict")).to_contain_text(verdict, ignore_case=True)
    expect(ada.at("tell-end")).to_have_count(0)
    page.reload()
    ada.press("first")
    expect(ada.at("ply")).to_contain_text("move 0 of")
    page = ada.go(f"/replay/{table}")
    ada.press("tell-end")
    expect(ada.at("verdict")).to_contain_text(verdict, ignore_case=True)
    page = ada.go(f"/replay/{table}")
    expect(ada.at("verdict")).to_contain_text(verdict, ignore_case=True)
    ada.go("/replay")
    expect(line).to_be_visible()
    ada.at("tell-ends").uncheck()
    expect(line).to_be_hidden()
    ada.go(f"/replay/{table}")
    expect(ada.at("verdict")).to_have_count(0)


def test_the_list_of_moves_has_room_beside_four_seats_and_a_curve(people: Crowd, place: Place) -> None:
    """On a laptop, where it had one row left: at least four moves, and the page does not scroll."""
    table = play_out(place.table_of("Ada", "Bob", "Cid", "Dan", game="verfuchst"))["id"]
    for tell in (False, True):
        ada = people.person("Ada", settings={"watchChances": True, "tellEnd": tell})
        page = ada.go(f"/replay/{table}?ply=12")
        expect(ada.at("curve")).to_be_visible(timeout=60_000)
        expect(ada.at("result")).to_be_visible()
        rows = (
            "() => document.querySelector('.moves').clientHeight / document.querySelector('.moves button').offsetHeight"
        )
        assert page.evaluate(rows) >= (4 if not tell else 3)
        assert (
            page.evaluate(
                "() => { const main = document.querySelector('main'); return main.scrollHeight - main.clientHeight; }"
            )
            <= 1
        )


def test_a_curve_does_not_tell_what_was_not_watched(people: Crowd, place: Place) -> None:
    table = play_out(place.table_of("Ada", "Bob", game="connect_four"))["id"]
    ada = people.person("Ada", settings={"watchChances": True})
    page = ada.go(f"/replay/{table}")
    expect(ada.at("curve").locator("svg")).to_be_visible(timeout=60_000)
    covered, curve = page.locator(".to-come").bounding_box(), ada.at("curve").bounding_box()
    assert covered is not None
    assert curve is not None
    assert covered["width"] > 0.98 * curve["width"]
    ada.press("next")
    expect(ada.at("ply")).to_contain_text("move 1 of")
    smaller = page.locator(".to-come").bounding_box()
    assert smaller is not None
    assert smaller["width"] < covered["width"]
    ada.press("last")
    expect(page.locator(".to-come")).to_be_hidden()


def quiet_replay(seed: int, **options: int) -> str:
    """Three at game17 who never order anything."""
    match = parlour.new("game17", seats=3, seed=seed, **options)
    while not match.over:
        match.play("end")
    return replay.dumps(match)


def test_a_long_match_has_its_list_and_its_standings(people: Crowd) -> None:
    """Hundreds of lines; and an end without a winner among the seats, in the words of the rules."""
    ada = people.person("Ada")
    drop(ada, "game17.json", quiet_replay(5, rounds=130))
    last = ada.at("moves").locator("[data-ply]").last
    last.click()
    ply = last.get_attribute("data-ply")
    assert int(ply or 0) > 300
    expect(ada.at("ply")).to_have_text(f"move {ply} of {ply}")
    expect(last).to_be_in_viewport()
    expect(ada.at("verdict")).to_have_text(re.compile(r"^A zombie wins with \d+ squares\.$"))
    expect(ada.at("standings").locator("li")).to_have_count(4)


def test_a_tie_of_zombies_is_one_truth(people: Crowd) -> None:
    """The page says what the board says; who has as much shares a place, and the zombies stand first."""
    ada = people.person("Ada", settings={"tellEnd": True})
    page = drop(ada, "game17.json", quiet_replay(19, edge=4, rounds=3))
    expect(ada.at("verdict")).to_have_text("2 zombies win with 4 squares each.")
    ada.press("last")
    expect(page.locator(".scene")).to_contain_text("2 zombies win, 4 squares")
    lines = ada.at("standings").locator("li")
    expect(lines.first).to_have_text("2 zombies 4")
    assert lines.evaluate_all("all => all.map((line) => line.value)") == [1, 3, 3, 3]


def public_replay() -> str:
    """A turn on a board of two by two, as the public program writes it."""
    turn = {"round": 0, "owner": 2, "owners": [[0, 0, 2]], "numbers": [[0, 0, 8], [1, 0, 0]]}
    return json.dumps({"owners": [[0, 1], [2, 3]], "numbers": [[4, 4], [4, 4]], "diffs": [turn]})


def test_a_file_of_the_public_game17_opens_where_it_is_dropped(people: Crowd) -> None:
    ada = people.person("Ada")
    page = drop(ada, "replay.json", public_replay())
    expect(ada.at("replay")).to_contain_text("game17")
    expect(ada.at("ply")).to_have_text("move 0 of 1")
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(ada.at("ply")).to_have_text("move 1 of 1")


NONSENSE = {
    "no JSON": "<html>",
    "no replay": '{"hello": 1}',
    "a list": "[1, 2]",
    "another version": '{"game": "goose", "rules": 99}',
}


@pytest.mark.parametrize("what", NONSENSE)
def test_a_file_that_is_no_replay_is_refused_in_words(what: str, people: Crowd) -> None:
    people.troubles.allow("400")
    ada = people.person("Ada")
    drop(ada, f"{what}.json", NONSENSE[what])
    expect(ada.at("toast")).to_be_visible()
    expect(ada.at("replays")).to_be_visible()


def test_finished_matches_are_listed(people: Crowd, finished: tuple[str, int]) -> None:
    table, plies = finished
    page = people.person("Ada").go("/replay")
    page.locator(f"a[href='/replay/{table}']").click()
    shows(page, 0, plies)


def test_finished_matches_are_found_by_name_and_game(people: Crowd, place: Place) -> None:
    played = [("Zora", "connect_four"), ("Zora", "goose"), ("Quentin", "goose")]
    tables = []
    for name, game in played:
        seats = place.table_of(name, "Bob", game=game)
        seats[0].must("resign")
        tables.append(f"/replay/{seats[0].table}")
    ada = people.person("Ada")
    page = ada.go("/replay")
    found = ada.at("finished").locator("a.line")

    def are_found(*wanted: str) -> None:
        # At once: the list changes while it is looked at.
        until(lambda: found.evaluate_all("lines => lines.map((line) => line.getAttribute('href'))") == list(wanted))

    ada.at("search-name").fill("zora")
    are_found(tables[1], tables[0])
    ada.at("search-game").select_option("goose")
    are_found(tables[1])
    ada.at("search-name").fill("nobody at all")
    are_found()
    expect(ada.at("finished")).to_have_text("No match was found.")
    ada.at("search-name").fill("QUENTIN")
    are_found(tables[2])
    found.first.click()
    expect(page).to_have_url(re.compile(tables[2]))


def test_long_lists_of_finished_matches_go_on(people: Crowd, place: Place) -> None:
    for _ in range(23):
        place.table_of("Prolific", "Bob", game="connect_four")[0].must("resign")
    ada = people.person("Ada")
    ada.go("/replay")
    ada.at("search-name").fill("prolific")
    found = ada.at("finished").locator("a.line")
    expect(found).to_have_count(20)
    ada.press("search-more")
    expect(found).to_have_count(23)
    expect(ada.at("search-more")).to_be_hidden()


# Files with seeds as they are drawn: 63 bits in the terminal, 128 at a table. JavaScript's numbers have 53.


def drop_another(person: Person, name: str, text: str) -> None:
    """Drop a file where the replays, or another file, are shown; wait until its list of actions is there."""
    with (
        person.page.expect_response("**/api/replays?*") as frames,
        person.page.expect_response("**/api/replays/summary?*") as summary,
    ):
        person.page.evaluate(DROP, [name, text])
    assert (frames.value.status, summary.value.status) == (200, 200), frames.value.text()
    assert frames.value.request.post_data == text
    assert summary.value.request.post_data == text


def any_match(game: str, chance: random.Random) -> Match:
    """A match as the terminal opens it, of random actions."""
    match = parlour.new(game, seats=3 if game == "game17" else None)
    while not match.over and len(match.plies) < 30:
        match.play(chance.choice(match.legal()))
    return match


def told(match: Match) -> list[str]:
    """A line for each action, as the page lists them."""
    return [ply.events[0].tell(match.name) if ply.events else ply.text for ply in match.plies]


def test_files_of_the_terminal_are_shown_as_they_were_played(people: Crowd) -> None:
    ada, chance = people.person("Ada"), random.Random(24)
    page = ada.go("/replay")
    expect(ada.at("replays")).to_be_visible()
    large = 0
    for number in range(36):
        match = any_match(registry.names()[number % len(registry.names())], chance)
        large += match.seed > 2**53
        text = replay.dumps(match)
        drop_another(ada, f"{number}.json", text)
        expect(ada.at("moves").locator("[data-ply]:not([data-ply='0'])")).to_contain_text(told(match))
        expect(ada.at("doubted")).to_be_hidden()
    assert large > 30
    assert saved(page, "save-json").decode() == text


def test_whatever_is_downloaded_here_can_be_dropped_here(people: Crowd, place: Place) -> None:
    """Ended by the rules, by resignation, by agreement; the same is shown as at the table."""
    tables = {}
    for end in ("rules", "resign", "draw"):
        seats = place.table_of("Ada", "Bob", game="connect_four")
        seats[0].must("act", ply=0, action=3)
        if end == "rules":
            play_out(seats)
        elif end == "resign":
            seats[0].must("resign")
        else:
            seats[1].must("draw", answer="offer")
            seats[0].must("draw", answer="accept")
        tables[end] = seats[0].table
    ada = people.person("Ada")
    for end, table in tables.items():
        page = ada.go(f"/replay/{table}")
        moves = ada.at("moves").locator("[data-ply]")
        expect(moves.first).to_be_visible()
        shown = moves.all_text_contents(), ada.at("result").inner_text()  # lines out of sight have no inner text
        text = saved(page, "save-json").decode()
        assert text == place.http.get(f"/api/tables/{table}/replay").text
        assert replay.loads(text).seed > 2**64
        drop(ada, f"{end}.json", text)
        expect(ada.at("replay")).to_be_visible()
        expect(moves).to_have_count(len(shown[0]))
        assert moves.all_text_contents() == shown[0]
        expect(ada.at("result")).to_have_text(shown[1], use_inner_text=True)
        expect(ada.at("doubted")).to_be_hidden()


def test_a_file_that_was_changed_on_its_way_is_told(people: Crowd) -> None:
    """By a program that has numbers of 53 bits, as this page had once."""
    ada = people.person("Ada")
    for seed in (2**60 + 1, 2**60 + 2):
        match = Match(registry.get("goose"), 2, seed)
        while not match.over:
            match.play("roll")
        text = replay.dumps(match).replace(str(seed), str(int(float(seed))))
        if seed == 2**60 + 1:  # what was played is not legal with the other dice
            people.troubles.allow("400")
            drop(ada, "goose.json", text)
            expect(ada.at("toast")).to_contain_text("the match is over")
        else:
            drop(ada, "goose.json", text)
            expect(ada.at("doubted")).to_contain_text("This file was changed or is damaged")
