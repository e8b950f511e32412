"""The report of a tournament in a browser: all of its table is seen, and its matches open on the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import Crowd
from commands import good
from serving import Server

pytestmark = pytest.mark.xdist_group("browser-1")

SIZE = {"width": 1200, "height": 800}


@pytest.fixture(scope="module", params=["choccer", "goose"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: Server) -> Path:
    """Of bots with long names and many faults: a round robin, and a royale."""
    folder = tmp_path_factory.mktemp("report")
    lost = folder / "a_bot_with_quite_a_long_name_in_a_folder_that_has_one_as_well.py"
    lost.write_text("def choose(decision):\n    return (-1, 'x')[len(decision.actions) % 2]\n")
    bots = (f"file:{lost}", "greedy", "random", "mcts:1")
    good("rank", request.param, *bots, folder / "out", "--rounds", "1", "--seed", "2")
    results = folder / "out" / "results.jsonl"
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    for line in lines:  # as of a long tournament
        for fault in line["faults"]:
            fault["count"] *= 1000
    results.write_text("".join(json.dumps(line) + "\n" for line in lines))
    good("report", folder / "out", "--server", server.url)
    return folder / "out" / "report.html"


def test_the_whole_table_is_seen_at_1200_pixels(people: Crowd, report: Path) -> None:
    page = people.person("Ada", viewport=SIZE).page
    page.goto(report.as_uri())
    for heading in ("Bot", "Faults", "Time"):
        box = page.get_by_role("columnheader", name=heading, exact=True).first.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= SIZE["width"], heading
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(
        "[...document.querySelectorAll('.wide')].slice(0, 1).every(e => e.scrollWidth <= e.clientWidth)"
    )


def test_a_match_opens_on_the_page(people: Crowd, report: Path) -> None:
    ada = people.person("Ada", viewport=SIZE)
    page = ada.page
    page.goto(report.as_uri())
    page.get_by_text("matches, each with its replay").click()
    page.get_by_role("link", name="00003", exact=True).click()
    expect(ada.at("replay")).to_be_visible()
    plies = len(json.loads((report.parent / "replays" / "00003.json").read_text())["actions"])
    expect(ada.at("ply")).to_have_text(f"move 0 of {plies}")
    page.go_back()
    page.get_by_text("matches, each with its replay").click()
    with page.expect_navigation():
        page.get_by_role("link", name="file", exact=True).first.click()
    assert page.url.endswith("/replays/00000.json")


def test_a_link_that_brings_nothing_along_says_so(people: Crowd, server: Server) -> None:
    ada = people.person("Ada")
    page = ada.go("/replay#replay=AAAA")
    expect(page.get_by_text("This link brings no replay along.")).to_be_visible()
    expect(ada.at("replays")).to_be_visible()
