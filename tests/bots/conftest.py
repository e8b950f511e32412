"""Fixtures for bots in boxes."""

from __future__ import annotations

import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from boxes import GAME, QUICK, Make, running, zombies
from parlour.bots.box import BotLimits, BoxedBot, bot_file


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where bots have their folders, so that their processes can be told from all others on the machine."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def make(tmp_path: Path, temp: Path) -> Iterator[Make]:
    """Makes bots from source text; afterwards they are closed, and nothing of them may be left."""
    made: list[BoxedBot] = []

    def from_text(source: str, limits: BotLimits = QUICK, **more: object) -> BoxedBot:
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(textwrap.dedent(source), "utf-8")
        made.append(BoxedBot(GAME, bot_file(str(path)), limits, **more))  # type: ignore[arg-type]
        return made[-1]

    yield from_text
    for bot in made:
        bot.close()
    assert not list(temp.iterdir()), "a bot's folder was left behind"
    assert not running(temp), "a bot's process was left behind"
    assert not zombies()
