"""The page: whole in itself, true to the results, and nobody's file is lost to it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from commands import good, refused, run
from parlour.arena.plots import lines, ticks, whiskers
from parlour.arena.rating import Interval
from parlour.arena.report import html
from parlour.arena.results import BROKEN, Faults, Result
from parlour.arena.standings import standings
from parlour.arena.tournament import Tournament


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "out"
    good("rank", "goose", "random", "greedy", "random", out, "--rounds", "3", "--seed", "2")
    assert "report.html" in good("report", out)
    return out


def test_the_page_needs_nothing_else(folder: Path) -> None:
    page = (folder / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?!replays/)', page)
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}


def test_every_match_is_linked(folder: Path) -> None:
    links = re.findall(r'href="([^"]+)"', (folder / "report.html").read_text("utf-8"))
    assert len(links) == 9
    assert all((folder / link).is_file() for link in links)


def test_the_plots_are_drawings_with_every_bot(folder: Path) -> None:
    page = (folder / "report.html").read_text("utf-8")
    drawings = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    assert len(drawings) == 2
    for drawing in drawings:
        told = " ".join(drawing.itertext())
        assert all(name in told for name in ("random", "random#2", "greedy"))


def test_a_report_replaces_a_report_and_nothing_else(folder: Path) -> None:
    before = (folder / "report.html").read_text("utf-8")
    good("report", folder)
    assert (folder / "report.html").read_text("utf-8") == before
    try:
        (folder / "report.html").write_text("my notes")
        assert "is not a report of Parlour's" in refused("report", folder)
        assert (folder / "report.html").read_text() == "my notes"
    finally:
        (folder / "report.html").unlink()
        good("report", folder)


def test_names_and_faults_cannot_write_html(tmp_path: Path) -> None:
    plan = Tournament("goose", 1, {}, "robin", ("<b>x</b>", '"><script>'), 1, 1)
    faults = [Faults(0, "crashed", 1, 3, "<img src=x>")]
    results = {
        0: Result(0, 0, 1, [0, 1], "forfeit", [1], [0, 0], 3, [2, 1], [0.1, 0.1], faults),
        1: Result(1, 0, 1, [1, 0], BROKEN, detail="<i>"),
    }
    page = html(tmp_path, standings(plan, results), results)
    for bad in ("<b>", "<script", "<img", "<i>"):
        assert bad not in page
    assert "1 broken, left out" in page


def test_a_tampered_result_cannot_write_html(folder: Path, tmp_path: Path) -> None:
    """Whatever field it is in: where the type does not refuse it, it is escaped."""
    evil = "<script>alert(1)</script>"
    for field in ("plies", "scores", "winners", "seconds", "actions", "ended", "faults", "seed", "detail"):
        out = tmp_path / field
        shutil.copytree(folder, out)
        lines = (out / "results.jsonl").read_text("utf-8").splitlines()
        content = json.loads(lines[0])
        content[field] = [evil] * 3 if isinstance(content[field], list) else evil
        (out / "results.jsonl").write_text("\n".join([json.dumps(content), *lines[1:]]) + "\n", "utf-8")
        if run("report", out).returncode == 0:
            assert field == "detail"
        assert "<script" not in (out / "report.html").read_text("utf-8")


def test_tampered_names_and_options_cannot_either(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(folder, out)
    plan = json.loads((out / "tournament.json").read_text("utf-8"))
    plan["options"]["<img src=x>"] = 1
    plan["bots"][0] = "</title><script>\x1b[2J"
    (out / "tournament.json").write_text(json.dumps(plan), "utf-8")
    said = good("report", out)
    assert "\x1b" not in said
    page = (out / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "<img" not in page


def test_the_page_is_not_written_through_a_link(folder: Path, tmp_path: Path) -> None:
    out, precious = tmp_path / "out", tmp_path / "precious.html"
    shutil.copytree(folder, out)
    (out / "report.html").rename(precious)
    before = precious.read_bytes()
    (out / "report.html").symlink_to(precious)
    (out / "results.jsonl").write_text("")
    assert "is a link to another place" in refused("report", out)
    assert precious.read_bytes() == before


def test_a_table_of_hundreds_stays_readable(tmp_path: Path) -> None:
    plan = Tournament("goose", 1, {}, "robin", ("random",) * 300, 1, 1)
    results = {0: Result(0, 0, 1, [0, 1], "over", [1], [0, 1], 3, [2, 1], [0.1, 0.1])}
    page = html(tmp_path, standings(plan, results), results)
    assert "The best 50 of 300." in page
    assert "random#300" in page


@pytest.mark.parametrize("bots", [1, 2, 12])
def test_no_results_at_all_are_a_page_too(tmp_path: Path, bots: int) -> None:
    plan = Tournament("game17", 1, {}, "royale", ("random",) * bots, 1, 1)
    page = html(tmp_path, standings(plan, {}), {})
    assert f"0 of {bots} matches" in page
    assert "nan" not in page.lower()


def test_ticks_are_round_and_few() -> None:
    for low, high in ((-1, 1), (0, 1000), (-813.2, 1200.7), (3, 3.0001)):
        marks = ticks(low, high)
        assert 1 <= len(marks) <= 8
        assert all(low <= mark <= high for mark in marks)


def test_plots_of_one_value_do_not_divide_by_zero() -> None:
    ElementTree.fromstring(whiskers(["a"], [Interval(0, 0, 0)], "x"))
    ElementTree.fromstring(lines(["a"], [[25.0]], [0], "x"))
