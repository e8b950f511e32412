"""In games without chance: every seed gives a match of its own, and what is played twice is evidence once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.arena_runs import lines
from commands import good, refused, run
from parlour.arena import duel
from parlour.engine import replay

FIRST = "def choose(decision):\n    return decision.legal[0]\n"
OTHER = "def choose(decision):\n    return max(decision.legal, key=lambda action: action * 7919 % 1009)\n"


@pytest.fixture
def bots(tmp_path: Path) -> tuple[str, str]:
    """Two that always choose the same."""
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "other.py").write_text(OTHER)
    return f"file:{tmp_path / 'first.py'}", f"file:{tmp_path / 'other.py'}"


def test_openings_are_drawn_for_each_seed_and_are_the_same_for_both_seatings(
    bots: tuple[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    table = json.loads(good("rank", "choccer", *bots, out, "--rounds", "5", "--seed", "3", "--json"))
    assert (table["opening"], table["repeated"]) == (4, 0)
    played = [replay.read(out / "replays" / f"{number:05}.json") for number in range(10)]
    openings = [content.actions[:4] for content in played]
    assert openings[0::2] == openings[1::2]
    assert len({tuple(opening) for opening in openings}) == 5
    assert [content.drawn for content in played] == [4] * 10
    assert {result["drawn"] for result in lines(out).values()} == {4}
    assert len({result["course"] for result in lines(out).values()}) == 10
    file = out / "replays" / "00000.json"
    assert "first 4 plies were drawn by lot" in good("verify", file)
    assert json.loads(good("verify", file, "--json"))["drawn"] == 4
    assert good("replay", file, "--speed", "0").count("This ply was drawn by lot.") == 4
    assert "drawn by lot" in good("replay", file, "--at", "4")
    assert "drawn by lot" not in good("replay", file, "--at", "5")
    assert "the first 4 plies drawn by lot" in good("report", out)


def test_a_false_claim_about_drawn_plies_is_found(bots: tuple[str, str], tmp_path: Path) -> None:
    good("rank", "choccer", *bots, tmp_path / "out", "--rounds", "1", "--seed", "3")
    file = tmp_path / "out" / "replays" / "00000.json"
    file.write_text(file.read_text().replace('"drawn": 4', '"drawn": 6'))
    done = run("verify", file)
    assert done.returncode == 1
    assert "FALSE drawn: the first 6 plies are not those that the seed draws" in done.stdout


def test_games_with_dice_begin_as_ever(tmp_path: Path) -> None:
    """And none of their matches is a repetition, though there is nothing to choose in this one."""
    ranked = ("rank", "goose", "random", "random", tmp_path / "out", "--rounds", "30", "--seed", "1")
    table = json.loads(good(*ranked, "--json"))
    assert (table["opening"], table["repeated"], table["played"]) == (0, 0, 60)
    assert {result["drawn"] for result in lines(tmp_path / "out").values()} == {0}
    lengths = [result["plies"] for result in lines(tmp_path / "out").values()]
    assert len(set(lengths)) < len(lengths) / 2, "in many the very same actions were played"


def test_identical_matches_count_once(bots: tuple[str, str], tmp_path: Path) -> None:
    """Twenty rounds from one opening are two matches, and tell as much as one pair."""
    ranked = ("rank", "connect_four", *bots, "--seed", "3", "--json", "--opening", "0")
    once = json.loads(good(*ranked, tmp_path / "once", "--rounds", "1"))
    often = json.loads(good(*ranked, tmp_path / "often", "--rounds", "20"))
    assert (often["played"], often["repeated"]) == (40, 38)
    assert [row["matches"] for row in often["table"]] == [2, 2]
    assert [row["rating"] for row in often["table"]] == [row["rating"] for row in once["table"]]
    assert [row["score"] for row in often["table"]] == [row["score"] for row in once["table"]]
    assert often["table"][0]["actions"] > once["table"][0]["actions"], "what it took is told of all"
    assert "38 repeat others, not counted" in good("report", tmp_path / "often")
    page = (tmp_path / "often" / "report.html").read_text("utf-8")
    assert "38 repeat others, not counted" in page


def test_sprt_is_certain_of_nothing_by_one_pair_alone(bots: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """And gives up: usually after a hundred pairs that repeat it, here after three."""
    monkeypatch.setattr(duel, "STALE", 3)
    tested = ("sprt", "connect_four", *bots, "--seed", "1", "--opening", "0")
    answer = json.loads(good(*tested, "--json"))
    assert (answer["answer"], answer["pairs"], answer["repeated"]) == ("undecided", 1, 3)
    said = good(*tested)
    assert "Undecided after 1 pair: more matches would only repeat these" in said
    assert "Repeating others, and not counted: 3 pairs." in said


def test_sprt_judges_many_openings(bots: tuple[str, str]) -> None:
    tested = ("sprt", "choccer", *bots, "--seed", "1", "--max-matches", "10")
    answer = json.loads(good(*tested, "--json"))
    assert (answer["opening"], answer["repeated"], answer["pairs"]) == (4, 0, 5)
    said = good(*tested)
    assert "The first 4 plies are drawn by lot, the same for both of a pair." in said


def test_another_opening_is_another_tournament(bots: tuple[str, str], tmp_path: Path) -> None:
    good("rank", "choccer", *bots, tmp_path / "out", "--rounds", "1", "--seed", "3")
    more = ("rank", "choccer", *bots, tmp_path / "out", "--rounds", "1")
    assert "its opening is 4, not 2" in refused(*more, "--opening", "2")
    assert "0 to 40 plies" in refused(*more, "--opening", "41")
    assert "0 to 40 plies" in refused(*more, "--opening", "-1")
