"""A match knows by which rules it began, so that other ones of the same version are never taken for them silently."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import good
from parlour.engine import Match, folders, registry, replay
from parlour.engine.game import Game
from parlour.engine.sources import rules_hash


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(folders.ADDED, "{}")
    good("new-game", "moor", cwd=tmp_path)
    yield tmp_path / "moor"
    folders.forget()
    registry.forget()


def loaded(package: Path, *changes: tuple[str, str, str]) -> Game:
    """The game after changes: in a file, some words for others."""
    for file, old, new in changes:
        path = package / "moor" / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    name = registry.add_folder(package)
    folders.reload(name)
    registry.forget()
    return registry.get(name)


def test_comments_docstrings_and_lines_make_no_difference(package: Path) -> None:
    before = rules_hash(loaded(package))
    changes = (
        ("rules.py", "Clause 1: all pebbles", "Clause 1: each and every pebble"),
        ("rules.py", "    count = 0\n", "    # none yet\n    count = 0\n\n"),
        (
            "rules.py",
            "journal.append(Took(seat, action + 1))",
            "journal.append(\n            Took(seat, action + 1)\n        )",
        ),
        ("picture.py", "#e9dcc3", "#ffffff"),
    )
    assert rules_hash(loaded(package, *changes)) == before


@pytest.mark.parametrize(
    "change",
    [
        ("rules.py", "state.left = state.pebbles", "state.left = state.pebbles - 1"),
        ("rules.py", "return 1 if won", "return 2 if won"),
        (
            "rules.py",
            "        if action + 1 <= state.left:\n            actions[count] = action\n            count += 1",
            "        if action + 1 <= state.left:\n            actions[count] = action\n        count += 1",
        ),
        ("state.py", "MOST = 3", "MOST = 2"),
        ("state.py", '"left": i8', '"left": i16'),
        ("state.py", "import Option, i8", "import Option, i8, i16"),
    ],
    ids=["a rule", "a number", "a block", "a constant", "a field", "an import"],
)
def test_rules_and_constants_do(package: Path, change: tuple[str, str, str]) -> None:
    before = rules_hash(loaded(package))
    if change[2].endswith("i16") and change[1].startswith('"'):
        loaded(package, ("state.py", "import Option, i8", "import Option, i8, i16"))
    is_other = rules_hash(loaded(package, change)) != before
    assert is_other == ("import" not in change[1])


def test_a_replay_says_so_and_one_without_a_hash_is_read(package: Path, tmp_path: Path) -> None:
    match = Match(loaded(package), seed=1, pebbles=4)
    match.play(match.legal()[0])
    replay.save(match, tmp_path / "m.json")
    assert not replay.load(tmp_path / "m.json").is_retold
    assert "have changed" not in good("replay", tmp_path / "m.json", "--game", package, "--at", 1)
    loaded(package, ("rules.py", "return 1 if won", "return 2 if won"))
    again = replay.load(tmp_path / "m.json")
    assert again.is_retold
    assert replay.dumps(again) == (tmp_path / "m.json").read_text(), "it keeps the hash that it had"
    told = good("replay", tmp_path / "m.json", "--speed", 0)
    assert "the rules of Moor have changed since this match began, and are still version 1" in " ".join(told.split())
    content = json.loads((tmp_path / "m.json").read_text())
    assert content.pop("rules_hash")
    old = replay.run(replay.loads(json.dumps(content)))
    assert not old.is_retold
    assert "rules_hash" not in replay.dumps(old)


def test_every_registered_game_has_a_hash_of_its_own() -> None:
    found = [rules_hash(game) for game in registry.all_games()]
    assert len(set(found)) == len(found)
    assert "moor" not in sys.modules
