"""The benchmark: that it compares like with like, and what its report looks like. Never how fast anything is."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from benchmarks.engine import (
    Line,
    Report,
    against_c,
    against_rivals,
    command,
    footprint,
    rivals,
    speed,
    suite,
    timing,
    training_loop,
)
from benchmarks.engine.report import number

from parlour import cli
from parlour.cli import bench
from parlour.engine import ParlourError, registry

needs_compiler = pytest.mark.skipif(against_c.compiler() is None, reason="there is no C compiler")


@needs_compiler
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {}),
        (4, {}),
        (4, {"maze": 30}),
        (3, {"stakes": 1}),
        (2, {"stakes": 1, "drink": 1}),
        (4, {"stakes": 1, "drink": 1, "maze": 30}),
    ],
)
def test_c_plays_the_same_games_as_the_rules(tmp_path: Path, seats: int, options: dict[str, int]) -> None:
    by_hand = against_c.by_hand(against_c.build(tmp_path), seats, seed=7, **options)(3000)
    from_rules = against_c.from_rules(seats, seed=7, **options)(3000)
    assert by_hand == from_rules
    assert sum(by_hand.wins) == 3000
    assert by_hand.plies > 3000


@needs_compiler
def test_other_seeds_are_other_games(tmp_path: Path) -> None:
    library = against_c.build(tmp_path)
    assert against_c.by_hand(library, 4, seed=1)(100) != against_c.by_hand(library, 4, seed=2)(100)


def test_c_that_plays_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = against_c.Totals(1, 1, [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0])
    monkeypatch.setattr(against_c, "compiler", lambda: "cc")
    monkeypatch.setattr(against_c, "build", lambda folder: None)
    monkeypatch.setattr(against_c, "by_hand", lambda library, seats: lambda games: wrong)
    with pytest.raises(ParlourError, match="do not play the same games"):
        against_c.measure(0.01)


def test_without_a_compiler_the_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    (line,) = against_c.measure(0.01)
    assert (line.value, line.met, line.measured) == (None, None, "there is no C compiler")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark of two games, without the slow starts."""
    games = [registry.get("connect_four"), registry.get("goose")]
    monkeypatch.setattr(suite, "_games", lambda: (games, []))
    monkeypatch.setattr(footprint, "starts", lambda games, tell: [])
    monkeypatch.setattr(rivals, "RIVALS", {})
    monkeypatch.setattr(against_rivals, "RIVALS", {})
    monkeypatch.setattr(training_loop, "LOOP_RIVALS", {})
    monkeypatch.setattr(training_loop, "available_cores", lambda: [0])


@pytest.mark.usefixtures("small")
def test_the_report() -> None:
    told: list[str] = []
    report = suite.run(0.02, told.append)
    assert "the Game of the Goose beside C" in told
    assert report.sections[0] == against_c.SECTION
    names = {(line.section, line.name, line.unit) for line in report.lines}
    assert (speed.SECTION, "connect_four, 2 seats", "plies/s") in names
    assert (speed.SECTION, "goose, 4 seats", "games/s") in names
    assert (footprint.SIZE_SECTION, "goose", "bytes") in names
    assert all(line.value is None or line.value > 0 for line in report.lines)
    assert json.loads(json.dumps(report.to_json()))["lines"][0].keys() >= {"section", "name", "value", "unit", "met"}


def test_a_start_is_measured_in_a_process_of_its_own() -> None:
    (first, again) = footprint.starts([registry.get("connect_four")], lambda doing: None)
    assert first.name == "connect_four, compiling"
    assert again.name == "connect_four, starting"
    assert first.value is not None
    assert again.value is not None


def test_a_start_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(footprint, "PROGRAM", "raise SystemExit('no such luck')")
    lines = footprint.starts([registry.get("connect_four")], lambda doing: None)
    assert [line.measured for line in lines] == ["failed: no such luck"] * 2


def test_a_game_that_cannot_be_loaded_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def get(name: str) -> object:
        raise ParlourError(f"{name} is broken")

    monkeypatch.setattr(registry, "names", lambda: ["broken"])
    monkeypatch.setattr(registry, "get", get)
    games, lines = suite._games()
    assert games == []
    assert [(line.name, line.measured) for line in lines] == [("broken", "broken is broken")]


def test_a_rival_that_is_not_installed_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against_rivals, "is_installed", lambda name: False)
    lines = against_rivals.measure(0.01, lambda doing: None)
    measured = [line.measured for line in lines]
    assert measured[:-1] == ["not installed (pip install 'parlour[bench]')"] * len(rivals.RIVALS)
    assert measured[-1] == "not installed (pip install examples/leduc)"


def test_a_rival_that_does_not_run_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against_rivals, "is_installed", lambda name: True)
    broken = {"nobody": (None, "nobody", "Nobody", 8.0)}
    monkeypatch.setattr(against_rivals, "RIVALS", broken)
    line = against_rivals.measure(0.01, lambda doing: None)[0]
    assert line.measured == "nobody does not run here"


def test_a_rival_answers_with_a_rate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(rivals.ALL_RIVALS, "quick", (lambda: lambda: 10, "quick", "Quick", 8.0))
    monkeypatch.setattr(sys, "stdin", iter(["0\n", "0.001\n"]))
    rivals.serve("quick")
    ready, rates = capsys.readouterr().out.splitlines()
    assert ready.split() == ["0.0", "0.0"]
    assert all(float(rate) > 0 for rate in rates.split())


def test_the_training_loop_counts_its_steps_and_matches() -> None:
    loop = training_loop.Loop(registry.get("connect_four"), 2000)
    for _ in range(30):
        loop.step()
    assert loop.steps == 60_000
    assert loop.matches > 1500


def test_rivals_of_the_training_loop_that_are_not_installed_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_loop, "is_installed", lambda name: False)
    monkeypatch.setattr(training_loop, "available_cores", lambda: [0])
    lines = training_loop.measure(0.01, lambda doing: None)
    assert [line.value is None for line in lines[:3]] == [False, True, True]
    assert lines[1].measured == "not installed (pip install 'parlour[bench]')"


def test_two_cores_are_two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Process(nullcontext[Any]):
        def __init__(self, name: str) -> None:
            super().__init__(self)
            assert name in rivals.ALL_RIVALS

        def rate_of_core(self, seconds: float) -> float:
            return 5.0

    monkeypatch.setattr(training_loop, "Contender", Process)
    monkeypatch.setattr(training_loop, "available_cores", lambda: [0, 1])
    (line,) = training_loop._two_cores(0.01, lambda doing: None)
    assert line.value == 2.0


def test_parlours_own_loop_counts_matches() -> None:
    play = rivals.parlour_loop()
    assert sum(play() for _ in range(12)) > 100


@pytest.mark.parametrize("name", rivals.ALL_RIVALS)
def test_rivals_are_found_where_they_are_installed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: seen.append(module))
    assert not rivals.is_installed(name)
    assert seen == [rivals.ALL_RIVALS[name][1]]


def test_in_turns_takes_medians() -> None:
    ours, theirs = iter([10.0, 20.0, 90.0]), iter([1.0, 4.0, 3.0])
    ratio = timing.in_turns(lambda seconds: next(ours), lambda seconds: next(theirs), 6.0, rounds=3)
    assert ratio == (20.0, 3.0, 10.0)


def test_repeated_plays_more_until_it_takes_long_enough() -> None:
    played: list[int] = []

    def play(games: int) -> None:
        played.append(games)
        sum(range(100 * games))

    rate = timing.repeated(play)(0.001)
    assert played[0] == 1
    assert played == sorted(set(played))
    assert rate > 0


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not bind threads to cores")
def test_one_core_is_one_core_and_ends() -> None:
    before = os.sched_getaffinity(0)
    with timing.one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize(
    ("line", "met", "target", "measured"),
    [
        (Line("s", "n", 0.83, "×", at_least=0.8), True, "≥ 0.8 ×", "0.83 ×"),
        (Line("s", "n", 0.7, "×", at_least=0.8), False, "≥ 0.8 ×", "0.7 ×"),
        (Line("s", "n", 64, "bytes", at_most=1024), True, "≤ 1,024 bytes", "64 bytes"),
        (Line("s", "n", 11.0, "s", at_most=10), False, "≤ 10 s", "11 s"),
        (Line("s", "n", 41_234_567.8, "plies/s"), None, "", "41,200,000 plies/s"),
        (Line("s", "n", None, "×", at_least=8, note="not here"), None, "≥ 8 ×", "not here"),
    ],
)
def test_lines_tell_their_targets(line: Line, met: bool | None, target: str, measured: str) -> None:
    assert (line.met, line.target, line.measured) == (met, target, measured)
    assert Report([line]).missed == ([line] if met is False else [])


def test_numbers_are_readable() -> None:
    assert [number(value) for value in (0.8312, 12.53, 1573.2, 98_765.4, 12_704)] == [
        "0.831",
        "12.5",
        "1,573",
        "98,800",
        "12,704",
    ]


def test_the_command_finds_the_benchmarks_beside_the_sources(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacks = Line("s", "m", None, "×", at_least=0.8, note=against_rivals.NOT_INSTALLED)
    measured = Report([Line("s", "n", 0.7, "×", at_least=0.8), lacks])
    monkeypatch.setattr(command, "run", lambda on_progress, device: measured)
    assert cli.run(["bench", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == measured.to_json()
    assert cli.run(["bench"]) == 1
    said = capsys.readouterr().out
    assert "missed" in said
    assert "pip install 'parlour[bench]'" in said


def test_where_they_are_not_installed_the_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "SOURCES", tmp_path)
    assert cli.run(["bench"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the benchmarks are not installed" in said


def test_every_target_is_for_a_game_there_is() -> None:
    assert {name for name, _ in speed.TARGETS} <= set(registry.names())
