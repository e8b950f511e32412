"""The page: whole in itself, true to the results, and nobody's file is lost to it."""

from __future__ import annotations

import base64
import json
import re
import shutil
import time
import zlib
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from commands import good, refused, run
from parlour.arena.plots import lines, ticks, whiskers
from parlour.arena.rating import Interval
from parlour.arena.report import LARGEST_PACKED, html
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
    assert not re.findall(r'src="', page)
    links = re.findall(r'href="([^"]*)"', page)
    assert all(link.startswith(("replays/", "http://127.0.0.1:8017/replay#replay=")) for link in links)
    named = set(re.findall(r"https?://[^\"' ;<#]+", page))
    assert named == {"http://www.w3.org/2000/svg", "http://127.0.0.1:8017", "http://127.0.0.1:8017/replay"}


def test_every_match_is_linked(folder: Path) -> None:
    links = re.findall(r'href="([^"]+)"', (folder / "report.html").read_text("utf-8"))
    files = [link for link in links if link.startswith("replays/")]
    assert len(files) == 9
    assert all((folder / link).is_file() for link in files)
    packed = [link.partition("#replay=")[2] for link in links if "#" in link]
    assert [unpacked(text) for text in packed] == [(folder / file).read_bytes() for file in files]


def unpacked(text: str) -> bytes:
    return zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), -zlib.MAX_WBITS)


def test_links_lead_to_the_server_that_is_named(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(folder, out)
    good("report", out, "--server", "https://games.example/parlour/")
    page = (out / "report.html").read_text("utf-8")
    assert page.count('href="https://games.example/parlour/replay#replay=') == 9
    assert "8017" not in page
    for bad in ("games.example", 'http://x"onclick=', "http://x y", "javascript:alert(1)", "http://x/#y", "http://"):
        assert "--server takes an address such as" in refused("report", out, "--server", bad)


def test_large_replays_are_linked_as_files_alone(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(folder, out)
    with (out / "replays" / "00004.json").open("a") as file:
        file.write(" " * LARGEST_PACKED)
    (out / "replays" / "00005.json").unlink()
    (out / "replays" / "00005.json").symlink_to("/dev/zero")
    good("report", out)
    page = (out / "report.html").read_text("utf-8")
    assert page.count("#replay=") == 7
    assert '<a href="replays/00004.json">00004</a>' in page
    assert "00005.json" not in page


def test_limits_date_and_version_are_told(tmp_path: Path) -> None:
    before = int(time.time())
    rank = ("rank", "connect_four", "random", "random", tmp_path / "out", "--rounds", "1")
    good(*rank, "--seconds", "2", "--bank", "0", "--memory", "2048")
    said = good("report", tmp_path / "out")
    told = "Bot files and programs: 2 s an action, 2,048 MiB of memory. Parlour 0.1.0 ("
    begun = json.loads((tmp_path / "out" / "tournament.json").read_text())["begun"]
    assert before <= begun <= time.time()
    date = f"begun on {datetime.fromtimestamp(begun).astimezone():%Y-%m-%d at %H:%M}"
    for text in (said, (tmp_path / "out" / "report.html").read_text("utf-8")):
        assert told in text
        assert date in text
    assert ", 4 drawn</td>" in (tmp_path / "out" / "report.html").read_text("utf-8")


@pytest.mark.parametrize("begun", [None, -1, 1e300, "yesterday"])
def test_a_strange_date_is_not_told(folder: Path, tmp_path: Path, begun: object) -> None:
    out = tmp_path / "out"
    shutil.copytree(folder, out)
    plan = json.loads((out / "tournament.json").read_text())
    (out / "tournament.json").write_text(json.dumps(plan | {"begun": begun}))
    done = run("report", out)
    assert "begun on" not in done.stdout
    assert "Traceback" not in done.stderr


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
