"""Fixtures for bots in boxes."""

from __future__ import annotations

import shlex
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from boxes import GAME, QUICK, Make, MakeProgram, running, zombies
from parlour.bots.box import BotLimits, BoxedBot, bot_file, command

PATIENT = BotLimits(seconds=5.0, bank=0.0)


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

    before = zombies()
    yield from_text
    _assert_gone(made, temp, before)


SPEAKER = """
import json, os, subprocess, sys, time

def say(**words):
    print(json.dumps(words), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(protocol=1)
    elif message["type"] == "ask":
        {ask}
"""


class _MakeProgram:
    answer = "say(action=message['legal'][0])"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[BoxedBot] = []

    def __call__(self, ask: str, limits: BotLimits = PATIENT) -> BoxedBot:
        file = self.folder / f"program{len(self.made)}.py"
        file.write_text(SPEAKER.format(ask=ask.replace("\n", "\n        ")))
        self.made.append(BoxedBot(GAME, command(shlex.join([sys.executable, str(file)])), limits))
        return self.made[-1]


@pytest.fixture
def program(tmp_path: Path, temp: Path) -> Iterator[MakeProgram]:
    """Makes programs from what they do when asked; afterwards they are closed, and nothing of them may be left."""
    make, before = _MakeProgram(tmp_path), zombies()
    yield make
    _assert_gone(make.made, temp, before)


def _assert_gone(made: list[BoxedBot], temp: Path, zombies_before: set[str]) -> None:
    for bot in made:
        bot.close()
    assert not list(temp.iterdir()), "a bot's folder was left behind"
    assert not running(temp), "a bot's process was left behind"
    assert zombies() <= zombies_before
