"""Bot files that have the package's own T800 play are known by it, and play the same games as in their boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from game17 import T800, get_mover_factory, harness, zombie
from game17.boxed_movers import MoverSet
from game17.games import GameJob, GameSetting, Outcome
from parlour.bots.box.process.forkserver import ForkServer

OWN = "from game17.T800 import make_moves"
KNOWN = {
    "imported": OWN,
    "assigned": "import game17.T800\nprint('unheard')\nmake_moves = game17.T800.make_moves",
    "made": "from game17 import T800, get_mover_factory\nget_mover = get_mover_factory(T800.make_moves)",
}
UNKNOWN = {
    "wrapped": "from game17 import T800\ndef make_moves(*arguments):\n    return T800.make_moves(*arguments)",
    "tuned": "from game17 import T800\nT800.SURE = 7\nmake_moves = T800.make_moves",
    "replaced": "from game17 import T800 as t, zombie\nt.make_moves = zombie.make_moves\nmake_moves = t.make_moves",
    "another": "from game17.zombie import make_moves",
}


@pytest.fixture
def server() -> Iterator[ForkServer]:
    started = ForkServer(("game17.harness",))
    yield started
    started.close()


def movers(server: ForkServer, folder: Path, texts: dict[str, str]) -> MoverSet:
    files = {}
    for player, (name, text) in enumerate(texts.items(), 1):
        files[player] = folder / f"{name}.py"
        files[player].write_text(text)
    made = MoverSet(server, {**files, len(files) + 1: None})
    assert made.failures() == {}
    return made


def test_files_are_known_by_the_function_that_plays(server: ForkServer, tmp_path: Path) -> None:
    bots = movers(server, tmp_path, KNOWN | UNKNOWN)
    try:
        assert bots.known == [1, 2, 3]
    finally:
        bots.close()


@pytest.mark.parametrize(("size", "rounds"), [(14, 50), (5, 200), (24, 40), (2, 1)])
def test_the_games_are_those_of_the_box_to_the_byte(size: int, rounds: int, server: ForkServer, tmp_path: Path) -> None:
    def play(text: str) -> Outcome:
        bots = movers(server, tmp_path, {"one": text, "two": text})
        try:
            assert bots.known == ([1, 2] if text == OWN else [])
            return bots.play(GameJob.of("game", (1, 2, 3)), GameSetting(size, rounds, seed=size))
        finally:
            bots.close()

    here, boxed = play(OWN), play(UNKNOWN["wrapped"])
    assert here.record == boxed.record
    assert here.scores == boxed.scores
    assert here.lost == boxed.lost == {}
    assert all(0 <= seconds < 1 or seconds == -1 for seconds in here.times.values())


def test_whoever_is_known_needs_no_process(tmp_path: Path) -> None:
    bots = MoverSet(None, {1: tmp_path / "one.py"}, known=[1])  # type: ignore[arg-type]
    assert bots.play(GameJob.of("game", (1,)), GameSetting(6, 9, seed=1)).lost == {}


def test_a_changed_t800_is_not_the_t800(monkeypatch: pytest.MonkeyPatch) -> None:
    get_mover = get_mover_factory(T800.make_moves)
    assert harness.is_t800(get_mover)
    assert not harness.is_t800(get_mover_factory(zombie.make_moves))
    assert not harness.is_t800(lambda **_: get_mover())
    monkeypatch.setattr(T800, "SURE", 7)
    assert not harness.is_t800(get_mover)
