"""Language models in tournaments: graded, counted, and everything written down. All of them are scripted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import good, refused
from scripted_models import program

ERRING = """
if "cannot be played" not in prompt and "1 actions" not in prompt and os.path.exists(__file__ + ".ply"):
    os.remove(__file__ + ".ply")
    print("I would like ACTION: Z9")
else:
    open(__file__ + ".ply", "w").close()
    print("ACTION:", choices()[len(prompt) % len(choices())])
"""


def settings(folder: Path, code: str, **more: object) -> str:
    file = folder / "model.toml"
    given = {"command": program(folder, code), **more}
    file.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in given.items()))
    return f"model:{file}"


def test_a_model_is_graded_against_every_level(tmp_path: Path) -> None:
    name = settings(tmp_path, ERRING, price_in=1.0, price_out=10.0)
    out = tmp_path / "out"
    said = good("rank", "connect_four", name, "levels", out, "--format", "gauntlet", "--rounds", "1", "--cores", "1")
    for level in range(1, 6):
        assert f"{name} against mcts:{level}: " in said
    assert " first answers legal, " in said
    assert "; cost 0.0" in said
    results = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert len(results) == 10
    used = [use for result in results for use in result["models"]]
    assert [use["seat"] for use in used] == [result["bots"].index(0) for result in results]
    assert sum(use["choices"] for use in used) == sum(result["actions"][result["bots"].index(0)] for result in results)
    assert 0 < sum(use["legal_first"] for use in used) < sum(use["choices"] for use in used)
    assert all(use["answers"] >= use["choices"] and use["cost"] > 0 for use in used)
    for result in results:
        log = (out / "models" / f"{result['number']:05}-{result['bots'].index(0)}.jsonl").read_text().splitlines()
        assert json.loads(log[0])["event"] == "match"
        answers = [json.loads(line) for line in log[1:]]
        assert len(answers) == used[results.index(result)]["answers"]
    told = json.loads(good("report", out, "--json"))
    row = next(row for row in told["table"] if row["bot"] == name)
    assert row["model"]["choices"] == sum(use["choices"] for use in used)
    assert row["model"]["legal_first_share"]["low"] < row["model"]["legal_first_share"]["value"]
    assert [grade["against"] for grade in told["grades"]] == [f"mcts:{level}" for level in range(1, 6)]
    page = (out / "report.html").read_text()
    assert "against each</h2>" in page
    assert "Language models</h2>" in page
    again = good("rank", "connect_four", name, "levels", out, "--format", "gauntlet", "--rounds", "1", "--cores", "1")
    assert f"{name} against mcts:1: " in again


def test_one_that_stays_illegal_plays_at_random_and_is_not_out(tmp_path: Path) -> None:
    name = settings(tmp_path, "print('ACTION: nonsense')", tries=1)
    said = json.loads(
        good("match", "connect_four", name, "random", "--save", tmp_path / "m.json", "--json", cwd=tmp_path)
    )
    (fault,) = said["faults"]
    assert fault["status"] == "illegal"
    assert fault["count"] == said["actions"][0]
    assert said["ended"] == "over"
    assert said["models"][0]["legal_first"] == 0
    assert len(list((tmp_path / "model-logs").iterdir())) == 1


def test_one_that_breaks_loses(tmp_path: Path) -> None:
    name = settings(tmp_path, "sys.exit(3)")
    said = json.loads(
        good("match", "connect_four", "random", name, "--save", tmp_path / "m.json", "--json", cwd=tmp_path)
    )
    assert said["ended"] == "forfeit"
    assert said["winners"] == [0]


def test_a_model_that_has_changed_belongs_to_another_tournament(tmp_path: Path) -> None:
    name = settings(tmp_path, "print('ACTION:', choices()[0])")
    line = ("rank", "connect_four", name, "random", tmp_path / "out", "--rounds", "1", "--cores", "1")
    good(*line)
    settings(tmp_path, "print('ACTION:', choices()[0])", tries=2)
    assert "has changed since" in refused(*line)


def test_no_model_finds_cards_by_trying_seeds(tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "examples" / "kuhn" / "kuhn"
    name = settings(tmp_path, "print('ACTION:', choices()[0])")
    good("rank", folder, name, "random", tmp_path / "out", "--seed", "1", "--rounds", "1", "--cores", "1")
    kept = json.loads((tmp_path / "out" / "tournament.json").read_text("utf-8"))
    assert len(kept["key"]) == 32, "it is mixed with the seed"


def test_no_file_of_a_match_starts_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs is said on the command line, never by a file that somebody else may have written."""
    from parlour.engine import registry, replay
    from parlour.engine.match import Match

    name = settings(tmp_path, "open('ran', 'w')")
    match = Match(registry.get("connect_four"), 2, 1, names=["Red (you)", f"Yellow ({name})"])
    replay.save(match, tmp_path / "evil.json")
    assert "which no file may start" in refused("play", tmp_path / "evil.json", cwd=tmp_path)
    assert not (tmp_path / "ran").exists()


def test_models_that_cannot_be_asked_are_refused_before_a_match(tmp_path: Path) -> None:
    assert "there is no program" in refused("rank", "connect_four", "model:./none", "random", tmp_path / "out")
    assert "an address of models" in refused("match", "connect_four", "model:http://", "random")
    assert not (tmp_path / "out").exists()
