"""What tells the seats apart, beside the picture."""

from __future__ import annotations

import pytest

from parlour.engine import registry

LEGIBLE = 4.5  # the contrast that WCAG asks for


def luminance(colour: str) -> float:
    """How bright it is, by WCAG's definition."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", registry.names())
def test_letters_can_be_read_and_differ(name: str) -> None:
    game = registry.get(name)
    marks = game.looks.marks(game.seats[1])
    assert len({mark.letter for mark in marks}) == len(marks)
    assert [mark for mark in marks if contrast(mark.colour, mark.ink) < LEGIBLE] == []


def test_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
