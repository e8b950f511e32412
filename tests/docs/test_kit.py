"""The page about the kit: its code draws the pictures that it shows."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from tools.pictures import FOLDER, kit_pictures

PICTURES = kit_pictures()


def test_the_page_shows_every_picture() -> None:
    assert len(PICTURES) == 5
    assert {path.name for path in FOLDER.glob("kit-*.svg")} == set(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_its_code_draws(name: str) -> None:
    """If not: make pictures."""
    assert (FOLDER / name).read_text("utf-8") == PICTURES[name]
    ElementTree.fromstring(PICTURES[name])


def test_what_a_page_of_the_strictest_kind_may_not_show_is_in_none() -> None:
    assert not any(word in picture for picture in PICTURES.values() for word in ("style=", "<style", "<script"))


def test_the_page_is_in_the_documentation() -> None:
    assert "(kit.md)" in (Path(__file__).parents[2] / "docs/README.md").read_text("utf-8")
