"""docs/game-reference.md tells of every part of a game, and of no part that does not exist."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from parlour.engine.advice import Advice
from parlour.engine.bots import Bots, Decision, Face, SearchLevel, TimeLimit
from parlour.engine.diagram import Diagram
from parlour.engine.features import Feature
from parlour.engine.foreign import Foreign
from parlour.engine.game import Game
from parlour.engine.notation import Notation
from parlour.engine.options import Option
from parlour.engine.picture import Mark, Picture
from parlour.engine.state import HEADER
from parlour.engine.terminal import Terminal

PAGE = (Path(__file__).parents[2] / "docs" / "game-reference.md").read_text()
MUST_BE_GIVEN = (
    *(Game, Option, Feature, Notation, Terminal, Picture, Mark, Diagram),
    *(Bots, Face, Advice, SearchLevel, Foreign),
)
GIVEN_TO_BOTS = (Decision, TimeLimit)


def rows(section: str) -> dict[str, bool]:
    """The parts that a section tells of, and whether it says that they must be given."""
    found = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"there is no section {section}"
    return {name: bool(bold) for bold, name in re.findall(r"^\| (\*\*)?`(\w+)`", found[1], re.MULTILINE)}


@pytest.mark.parametrize("part", MUST_BE_GIVEN, ids=lambda part: part.__name__)
def test_every_part_has_its_row(part: Any) -> None:
    missing = dataclasses.MISSING
    required = {
        field.name: field.default is missing and field.default_factory is missing for field in dataclasses.fields(part)
    }
    assert rows(part.__name__) == required


@pytest.mark.parametrize("part", GIVEN_TO_BOTS, ids=lambda part: part.__name__)
def test_what_bots_are_given_has_its_row(part: Any) -> None:
    assert list(rows(part.__name__)) == [field.name for field in dataclasses.fields(part)]


def test_every_field_of_the_header_has_its_row() -> None:
    assert list(rows("State")) == list(HEADER)
