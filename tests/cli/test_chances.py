"""``--chances``: how likely each seat is to win, under the board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.cli import run

REPLAYS = Path(__file__).parents[1] / "data" / "replays"
LINE = re.compile(r"^To win, at a glance: .*Red\S* .*?(\d+)%, .*Yellow.*? (\d+)%$", re.M)


def test_a_replay_shows_them_at_every_ply(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(REPLAYS / "connect_four-won.json"), "--speed", "0", "--chances"]) == 0
    said = capsys.readouterr().out
    told = [(int(red), int(yellow)) for red, yellow in LINE.findall(said)]
    assert len(told) == said.count(", ply ")
    assert all(99 <= red + yellow <= 101 for red, yellow in told)
    assert told[-1] in ((100, 0), (0, 100))


def test_a_match_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["--seat", "random", "--seat", "random", "--seed", "1"]
    assert run(["play", "connect_four", *bots, "--chances"]) == 0
    assert LINE.search(capsys.readouterr().out)
    assert run(["play", "connect_four", *bots]) == 0
    assert "To win" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["replay", str(REPLAYS / "goose-resigned.json")], "goose has no judge"),
        (["play", "goose", "--seat", "random", "--seat", "random"], "goose has no judge"),
        (["play", "connect_four", "--server", "http://127.0.0.1:1"], "these are for matches here"),
    ],
)
def test_where_nobody_can_tell_it_is_refused(line: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*line, "--chances"]) == 2
    assert words in capsys.readouterr().err.replace("\n", " ")
