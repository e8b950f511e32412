"""Clocks, as they are typed and told."""

from __future__ import annotations

import pytest

from parlour.cli.online.clock import clock_text, read_clock
from parlour.engine.errors import ParlourError
from parlour.protocol import ClockSpec


@pytest.mark.parametrize(
    ("typed", "clock", "words"),
    [
        ("none", ClockSpec(), "no clock"),
        ("10+5", ClockSpec("bank", 600, 5), "10 minutes, and 5 seconds a turn"),
        ("0.5+0", ClockSpec("bank", 30, 0), "30 seconds, and 0 seconds a turn"),
        ("90S", ClockSpec("turn", 90), "1 minute 30 seconds a turn"),
        ("2m", ClockSpec("turn", 120), "2 minutes a turn"),
        ("1h", ClockSpec("turn", 3600), "1 hour a turn"),
        ("3d", ClockSpec("turn", 3 * 86400), "3 days a turn"),
    ],
)
def test_a_clock_is_typed_and_told(typed: str, clock: ClockSpec, words: str) -> None:
    assert read_clock(typed) == clock
    assert clock_text(clock) == words


@pytest.mark.parametrize("typed", ["", "10", "5+", "+5", "3w", "-1s", "0s", "31d", "1+90000", "1e9s", "nan+1", "\x1b"])
def test_what_is_no_clock_is_said_in_one_line(typed: str) -> None:
    with pytest.raises(ParlourError) as trouble:
        read_clock(typed)
    assert len(str(trouble.value).splitlines()) == 1
