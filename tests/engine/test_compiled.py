"""The compiled drivers: batches, rollouts, and what a search needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import parlour
from parlour.engine import registry
from parlour.engine.chance import POLICY_STREAM, Chance, below, draw_below
from parlour.engine.compiled import cache, drivers
from parlour.engine.compiled.drivers import new_scratch
from parlour.engine.errors import NoCache
from parlour.engine.sources import sources
from parlour.lab.simulate import simulate


@pytest.mark.parametrize("name", ["goose", "choccer", "verfuchst"])
def test_a_simulation_is_the_same_on_any_number_of_cores(name: str) -> None:
    game = registry.get(name)
    runs = [simulate(game, 700, seed=3, cores=cores).to_json() for cores in (1, 2, 3)]
    for run in runs:
        for measured in ("seconds", "games_per_second", "plies_per_second"):
            del run[measured]
    assert runs[0] == runs[1] == runs[2]


def test_a_simulation_is_what_interpreted_play_gives() -> None:
    """Game by game: the sums of a simulation are those of the same games played in plain Python."""
    game = registry.get("verfuchst")
    summary = simulate(game, 40, 4, 9)
    turns, shares, by_order = 0, [0.0] * 4, [0.0] * 4
    for number in range(40):
        chance, policy = Chance.of_game(9, number), Chance.of_game(9, number, POLICY_STREAM)
        state = game.blank(4)
        game.open(state, chance)
        while not state.over:
            legal = game.legal_actions(state)
            game.play(state, legal[0] if len(legal) == 1 else legal[below(policy, len(legal))], chance)
        turns += state.turns
        for seat in game.winners(state):
            shares[seat] += 1 / len(game.winners(state))
            by_order[(seat - state.first) % 4] += 1 / len(game.winners(state))
    assert summary.mean_turns == turns / 40
    assert summary.win_share == pytest.approx([share / 40 for share in shares])
    assert summary.win_share_by_order == pytest.approx([share / 40 for share in by_order])
    assert sum(summary.outcomes.values()) == 40


def test_what_a_search_needs() -> None:
    """Copy a position, play it out, and leave the original as it was."""
    game = registry.get("choccer")
    made = drivers(game)
    match = parlour.new("choccer", seed=1)
    rows = game.layout.rows(2)
    game.layout.write(match.state, rows, 0)
    scratch = new_scratch(game)
    assert made.legal(rows, 0, scratch) == len(match.legal())
    assert scratch["actions"][0, : len(match.legal())].tolist() == match.legal()
    made.copy(rows, 1, rows, 0)
    assert made.playout(rows, 1, scratch)
    assert rows[1]["over"] == 1
    assert rows[0].tobytes() == match.state.pack()


def test_compiled_and_interpreted_chance_agree() -> None:
    import numba

    assert callable(drivers(registry.get("goose")).copy)  # compiling teaches Numba what chance is

    @numba.njit
    def draws(lanes, n, count):  # type: ignore[no-untyped-def]
        total = np.zeros(count, np.int64)
        for index in range(count):
            total[index] = below(lanes, n)
        return total

    for n in (1, 2, 6, 1000, 2**31 - 1):
        chance = Chance.at(n, 0)
        lanes = np.array(chance.lanes, np.int64)
        assert draws(lanes, n, 500).tolist() == [draw_below(chance.lanes, n) for _ in range(500)]
        assert lanes.tolist() == chance.lanes


def test_an_edited_rule_never_runs_stale(tmp_path: Path) -> None:
    """A foreign game is simulated, its rules file edited, and simulated again in a new process."""
    package = tmp_path / "coin_game"
    package.mkdir()
    shutil.copy(Path(__file__).with_name("coin_game.py"), package / "__init__.py")
    (package / "rulebook.md").write_text("1. Toss a coin.\n")
    told = [process.communicate() for process in [start_coins(tmp_path), start_coins(tmp_path)]]
    assert [found.strip() for found, _ in told] == ["[1.0]"] * 2
    notices = "".join(notice for _, notice in told)
    assert notices.count("Compiling the rollout of coin_game, once") == 1, "one compiles, and the other waits for it"
    assert simulate_coins(tmp_path) == ("[1.0]", ""), "the second start says nothing: it is compiled already"
    rules = package / "__init__.py"
    rules.write_text(rules.read_text().replace("POINTS = 1", "POINTS = 2"))
    assert simulate_coins(tmp_path)[0] == "[2.0]"


def simulate_coins(path: Path) -> tuple[str, str]:
    """The mean scores that a new process finds, and what it says meanwhile."""
    process = start_coins(path)
    found, said = process.communicate()
    assert process.returncode == 0, said
    return found.strip(), said


def start_coins(path: Path, first: str = "") -> subprocess.Popen[str]:
    code = (
        f"{first}\n"
        "import coin_game; from parlour.lab.simulate import simulate; print(simulate(coin_game.GAME, 10).mean_scores)"
    )
    environment = os.environ | {"PYTHONPATH": str(path), "PARLOUR_CACHE": str(path / "cache")}
    line = [sys.executable, "-c", code]
    return subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("shared", "imported"),
    [
        ("@rule\ndef worth(state):\n    return 1  # point\n", "worth"),
        ("POINTS = 1  # point\n\n\n@rule\ndef worth(state):\n    return POINTS\n", "worth"),
        ("POINTS = 1  # point\n", "POINTS"),
    ],
    ids=["rule", "constant of a rule", "constant"],
)
def test_what_rules_share_with_other_games_never_runs_stale(tmp_path: Path, shared: str, imported: str) -> None:
    """The rules of a game call a rule, or name a constant, of a module outside the game's folder; that is edited."""
    package = tmp_path / "coin_game"
    package.mkdir()
    source = Path(__file__).with_name("coin_game.py").read_text("utf-8").replace("POINTS = 1\n", "")
    source = source.replace("from rich.text import", f"from shared import {imported}\nfrom rich.text import")
    source = source if imported == "POINTS" else source.replace("return POINTS", "return worth(state)")
    (package / "__init__.py").write_text(source)
    module = tmp_path / "shared.py"
    module.write_text(f"from parlour.engine import rule\n\n\n{shared}")
    assert simulate_coins(tmp_path)[0] == "[1.0]"
    module.write_text(module.read_text().replace("1  # point", "2  # points"))
    assert simulate_coins(tmp_path)[0] == "[2.0]"


def test_the_cache_folder_is_named_for_the_sources() -> None:
    game = registry.get("goose")
    assert cache.folder(game).name.startswith("goose-")
    names = {path.name for path in sources(game)}
    assert {"rules.py", "chance.py", "drivers.py"} <= names


def test_a_cache_that_cannot_be_written_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "file"))
    with pytest.raises(NoCache, match=r"cannot be kept in .*set PARLOUR_CACHE"), cache.caching(registry.get("goose")):
        pass


@pytest.mark.parametrize(("ending", "left"), [(".nbi", b""), (".nbc", b"\x80\x05cut off")])
def test_a_damaged_cache_is_compiled_again(tmp_path: Path, ending: str, left: bytes) -> None:
    """After a power cut, for example."""
    package = tmp_path / "coin_game"
    package.mkdir()
    shutil.copy(Path(__file__).with_name("coin_game.py"), package / "__init__.py")
    assert simulate_coins(tmp_path)[0] == "[1.0]"
    files = list((tmp_path / "cache").rglob(f"*{ending}"))
    assert files
    for file in files:
        file.write_bytes(left)
    assert simulate_coins(tmp_path)[0] == "[1.0]"
    assert all(len(file.read_bytes()) > 100 for file in files), "they are written anew"


def test_a_full_disk_is_said_where_compiled_rules_would_be_kept(tmp_path: Path) -> None:
    package = tmp_path / "coin_game"
    package.mkdir()
    shutil.copy(Path(__file__).with_name("coin_game.py"), package / "__init__.py")
    no_room = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    said = start_coins(tmp_path, no_room).communicate()[1].splitlines()[-1]
    assert "NoCache: compiled rules cannot be kept in" in said
    assert str(tmp_path / "cache") in said
    assert said.endswith("(set PARLOUR_CACHE)")
