"""The page about matches names all that ``Match``, ``Seen`` and ``Choice`` offer, and its example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import parlour
from parlour.engine.seen import Choice

PAGE = (Path(__file__).parents[2] / "docs/match.md").read_text("utf-8")


def offered(thing: object) -> set[str]:
    return {name for name in [*vars(thing), *dir(type(thing))] if not name.startswith("_")}


def section(title: str) -> str:
    return re.split(r"^## ", PAGE, flags=re.M)[[None, "Match", "Seen"].index(title)]


@pytest.mark.parametrize("title", ["Match", "Seen"])
def test_every_name_is_told_and_there(title: str) -> None:
    match = parlour.new("goose", seed=1)
    thing = {"Match": match, "Seen": match.seen_by(0)}[title]
    first = re.findall(r"^\| (.*?) \|", section(title), flags=re.M)
    told = {name for cell in first for name in re.findall(r"`([a-z_]+)(?:\(.*?\))?`", cell)}
    assert told == offered(thing)


def test_every_name_of_a_choice_is_told() -> None:
    sentence = PAGE[PAGE.index("A choice has") :]
    names = {name for name in [*Choice.__slots__, *vars(Choice)] if not name.startswith("_")}
    assert set(re.findall(r"`([a-z_]+)`", sentence)) == names


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.S)
    exec(code, {})
    assert len(capsys.readouterr().out.splitlines()) == 4
