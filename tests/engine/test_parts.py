"""A part of a game that is missing, misspelt or of the wrong kind is said in one line."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.engine import registry
from parlour.engine.errors import BadGame
from parlour.engine.game import Game

PICTURE = "from parlour.engine.picture import Picture\nPICTURE = Picture(size=(1, 1), backdrop=str, scene=str, "


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file for a module called ``planted``."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "planted.py"
    sys.modules.pop("planted", None)


def coin(**parts: str) -> Game:
    return dataclasses.replace(registry.get("goose"), name="coin", **parts)  # type: ignore[arg-type]


def test_a_module_without_the_constant(module: Path) -> None:
    module.write_text("def scene(state): return ''")
    with pytest.raises(BadGame, match=r"^game 'coin': planted has no PICTURE$"):
        _ = coin(picture="planted").looks.picture


def test_a_constant_of_another_kind(module: Path) -> None:
    module.write_text("NOTATION = {'write': str}")
    with pytest.raises(BadGame, match=r"^game 'coin': NOTATION in planted is a dict, not a Notation$"):
        _ = coin(notation="planted").words.notation


def test_a_misspelt_part(module: Path) -> None:
    module.write_text(f"{PICTURE}picks=print, motions=print)")
    with pytest.raises(
        BadGame, match=r"^game 'coin': planted cannot be loaded: .*planted.py line 2: TypeError: .*'motions'$"
    ):
        _ = coin(picture="planted").looks.picture


def test_a_missing_part(module: Path) -> None:
    module.write_text(f"{PICTURE})")
    with pytest.raises(
        BadGame, match=r"^game 'coin': planted cannot be loaded: .*planted.py line 2: TypeError: .*'picks'$"
    ):
        _ = coin(picture="planted").looks.picture


def test_a_module_that_does_not_exist() -> None:
    with pytest.raises(BadGame, match=r"^game 'coin': no.such.module cannot be loaded: ModuleNotFoundError: No module"):
        _ = coin(terminal="no.such.module").looks.terminal


def test_a_module_that_raises(module: Path) -> None:
    module.write_text("raise RuntimeError('one\\ntwo')")
    with pytest.raises(
        BadGame, match=r"^game 'coin': planted cannot be loaded: .*planted.py line 1: RuntimeError: one$"
    ):
        _ = coin(bots="planted").players.bots


@pytest.mark.parametrize("name", registry.names())
def test_every_part_of_every_game_loads(name: str) -> None:
    game = registry.get(name)
    assert callable(game.words.notation.write)
    assert callable(game.looks.terminal.board)
    assert game.looks.picture
    assert game.players.bots.levels
