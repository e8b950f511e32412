"""The folder of a tournament: nothing lost, nothing doubled, nothing of others touched."""

from __future__ import annotations

import json
import os
import resource
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from commands import good
from parlour.arena.pairing import all_pairings
from parlour.arena.results import PlayedMatch
from parlour.arena.runner import job_of
from parlour.arena.running import play
from parlour.arena.tournament import Tournament, announce
from parlour.arena.tournament_folder import TournamentFolder, open_folder, read_plan, read_results
from parlour.bots.box import BotLimits
from parlour.engine import registry, replay
from parlour.engine.errors import BadTournament, NotWritten

PLAN = announce(registry.get("goose"), ["random", "random"], format="robin", rounds=3, seed=4)


def results() -> list[PlayedMatch]:
    return [play(job_of(PLAN, pairing)) for pairing in all_pairings(PLAN)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tournament with four of its six matches played."""
    with open_folder(tmp_path / "out", PLAN) as kept:
        for result in results()[:4]:
            kept.add(result)
    return tmp_path / "out"


def reopened(folder: Path, plan: Tournament = PLAN) -> list[int]:
    """The matches that a further run finds finished."""
    with open_folder(folder, plan) as kept:
        return sorted(kept.results)


def test_what_was_added_is_there_again(folder: Path) -> None:
    assert read_plan(folder) == PLAN
    found, _ = read_results(folder, PLAN)
    assert all(found[number].same_play(played.result) for number, played in enumerate(results()[:4]))
    assert sorted(path.name for path in (folder / "replays").iterdir()) == [f"0000{number}.json" for number in range(4)]
    assert reopened(folder) == [0, 1, 2, 3]


@pytest.mark.parametrize("left", [1, 20, 100, -2])
def test_half_a_line_is_cut_off_and_that_match_played_again(folder: Path, left: int) -> None:
    file = folder / "results.jsonl"
    whole = file.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    file.write_bytes(whole[: -len(last)] + last[:left])
    assert reopened(folder) == [0, 1, 2]
    assert file.read_bytes() == whole[: -len(last)]


def test_a_line_that_lacks_only_its_end_is_kept(folder: Path) -> None:
    file = folder / "results.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert reopened(folder) == [0, 1, 2, 3]
    assert file.read_bytes() == whole


def test_results_go_on_after_half_a_line(folder: Path) -> None:
    file = folder / "results.jsonl"
    file.write_bytes(file.read_bytes()[:-5])
    with open_folder(folder, PLAN) as kept:
        for result in results()[3:]:
            kept.add(result)
    assert reopened(folder) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "line", ["", "nonsense", "[]", "{}", '{"number": 0}', '{"faults": 3}', "[" * 5000, json.dumps({"number": "x"})]
)
def test_a_line_that_is_no_result_is_named(folder: Path, line: str) -> None:
    file = folder / "results.jsonl"
    file.write_text(line + "\n" + file.read_text())
    before = file.read_bytes()
    with pytest.raises(BadTournament, match="line 1 is not a result"):
        reopened(folder)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"number": 99},
        {"group": 2},
        {"bots": [0, 7]},
        {"bots": [0, 0]},
        {"bots": [0]},
        {"ended": "somehow"},
        {"winners": [5]},
        {"seconds": ["long", 1]},
        {"actions": [1]},
        {"faults": [{"seat": 0, "status": "odd", "count": 1, "ply": 0, "detail": ""}]},
        {"colour": "red"},
    ],
)
def test_a_result_of_something_else_is_named(folder: Path, change: dict[str, object]) -> None:
    file = folder / "results.jsonl"
    first, *others = file.read_text().splitlines()
    file.write_text("\n".join([json.dumps(json.loads(first) | change), *others]) + "\n")
    with pytest.raises(BadTournament, match="line 1 is not a result"):
        reopened(folder)


def test_a_match_that_is_there_twice_is_named(folder: Path) -> None:
    file = folder / "results.jsonl"
    file.write_text(file.read_text() + file.read_text().splitlines()[0] + "\n")
    with pytest.raises(BadTournament, match="line 5 is not a result of this tournament: match 0 is there twice"):
        reopened(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 5}, "its seed is 4, not 5"),
        ({"rounds": 4}, "its rounds is 3, not 4"),
        ({"bots": ("random", "greedy")}, "its bots is random random, not random greedy"),
        ({"format": "royale"}, "its format is robin, not royale"),
        ({"options": {"maze": 30, "drink": 0, "stakes": 0}}, "its options is"),
        ({"game": "verfuchst"}, "its game is goose, not verfuchst"),
        ({"rules": 99}, "its rules is 1, not 99"),
        ({"limits": BotLimits(seconds=1.0)}, "its limit seconds is 5.0, not 1.0"),
    ],
)
def test_another_tournament_is_refused(folder: Path, change: dict[str, object], words: str) -> None:
    with pytest.raises(BadTournament, match=words):
        reopened(folder, replace(PLAN, **change))
    assert reopened(folder) == [0, 1, 2, 3]


def test_something_else_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(BadTournament, match=r"holds something else \(diary.txt\)"):
        open_folder(tmp_path, PLAN)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]
    with pytest.raises(BadTournament, match="cannot be written"):
        open_folder(tmp_path / "diary.txt", PLAN)


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", '{"parlour": 1}', '{"parlour": 2}', "\xff"])
def test_a_broken_announcement_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "tournament.json").write_text(content, "latin-1")
    with pytest.raises(BadTournament, match=r"tournament.json (describes no tournament|has format 2)"):
        open_folder(tmp_path, PLAN)


def test_an_empty_folder_and_one_left_by_a_killed_run_will_do(tmp_path: Path) -> None:
    (tmp_path / ".tournament.json.x7").write_text("{")
    assert reopened(tmp_path) == []


def test_two_runs_cannot_write_to_one_folder(folder: Path) -> None:
    with open_folder(folder, PLAN), pytest.raises(BadTournament, match="another run"), TournamentFolder(folder, PLAN):
        pass
    assert reopened(folder) == [0, 1, 2, 3]


DATA = Path(__file__).parents[1] / "data" / "arena"


@pytest.mark.parametrize("name", sorted(path.name for path in DATA.iterdir()))
def test_folders_of_earlier_versions_are_read(name: str, tmp_path: Path) -> None:
    plan = read_plan(DATA / name)
    found, size = read_results(DATA / name, plan)
    assert sorted(found) == list(range(plan.matches))
    assert size == (DATA / name / "results.jsonl").stat().st_size
    assert plan.limits == BotLimits(), "there were no others"
    for line in (DATA / name / "results.jsonl").read_text("utf-8").splitlines():
        content = json.loads(line)
        assert content.items() <= found[content["number"]].to_json().items()


def test_a_folder_of_an_earlier_version_is_not_gone_on_with(tmp_path: Path) -> None:
    """Its bots may play otherwise by now. What it holds can still be shown."""
    shutil.copytree(DATA / "gauntlet", tmp_path / "out")
    before = (tmp_path / "out" / "results.jsonl").read_bytes()
    plan = announce(registry.get("choccer"), ["random", "greedy", "random"], format="gauntlet", rounds=1, seed=3)
    with pytest.raises(BadTournament, match="was begun with an older Parlour"):
        open_folder(tmp_path / "out", plan)
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == before
    good("report", tmp_path / "out")


def test_a_wrong_line_is_named_with_what_is_wrong(folder: Path) -> None:
    file = folder / "results.jsonl"
    first, second, *others = file.read_text().splitlines()
    wrong = json.dumps(json.loads(second) | {"plies": "<script>"})
    file.write_text("\n".join([first, wrong, *others]) + "\n")
    with pytest.raises(BadTournament, match=r"results.jsonl, line 2 is not a result .*Expected `int`.*plies") as caught:
        reopened(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["results.jsonl", "replays"])
def test_nothing_is_written_through_a_link(folder: Path, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (folder / name).rename(elsewhere)
    (folder / name).symlink_to(elsewhere)
    before = elsewhere.stat().st_mtime_ns
    with pytest.raises(BadTournament, match="is a link to another place"):
        reopened(folder)
    assert elsewhere.stat().st_mtime_ns == before


def test_nor_is_a_replay(folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (folder / "replays" / "00004.json").symlink_to(precious)
    with open_folder(folder, PLAN) as kept:
        kept.add(results()[4])
    assert precious.read_text() == "mine"
    assert replay.verify(folder / "replays" / "00004.json") == []
    assert reopened(folder) == [0, 1, 2, 3, 4]


# A disk that is full, and a run that is killed.


def test_a_full_disk_is_told_in_one_line_and_nothing_finished_is_lost(folder: Path) -> None:
    file = folder / "results.jsonl"
    before = file.read_bytes()
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    played = results()[4]
    assert len(played.replay or "") < len(before)
    with open_folder(folder, PLAN) as kept:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, usual[1]))
        try:
            with pytest.raises(NotWritten, match=r"results.jsonl cannot be written: File too large"):
                kept.add(played)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        assert sorted(kept.results) == [0, 1, 2, 3]
    assert len(file.read_bytes()) == len(before) + 10
    assert reopened(folder) == [0, 1, 2, 3]
    assert file.read_bytes() == before


def test_a_replay_is_whole_before_its_line_is_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt), open_folder(folder, PLAN) as kept:
        kept.add(results()[4])
    monkeypatch.undo()
    assert reopened(folder) == [0, 1, 2, 3]
    assert sorted(path.name for path in (folder / "replays").iterdir()) == [f"0000{number}.json" for number in range(4)]


def test_what_a_killed_run_left_of_a_replay_goes(folder: Path) -> None:
    (folder / "replays" / ".00004.json.0a1b2c3d").write_text('{"parl')
    assert reopened(folder) == [0, 1, 2, 3]
    assert sorted(path.name for path in (folder / "replays").iterdir()) == [f"0000{number}.json" for number in range(4)]
