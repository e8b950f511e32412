"""A hint says in words how much better the best action is."""

from __future__ import annotations

import pytest

from parlour.bots.hints import hint_in_words
from parlour.engine.bots import Ranking
from parlour.engine.language import speaking


@pytest.mark.parametrize(
    ("ranking", "words"),
    [
        ([(4, 90, 0.62), (3, 10, 0.551), (2, 5, 0.1)], "a4: 62% to win; next best is a3 with 55%."),
        ([(4, 90, 0.5), (3, 10, 0.49)], "a4: 50% to win; a3 is about as good."),
        ([(4, 90, 0.62), (3, 10, 0.618)], "a4: 62% to win; a3 is about as good."),
        ([(4, 90, 0.62), (3, 10, 0.7)], "a4: 62% to win; a3 is about as good."),
        ([(4, 90, 0.62)], "a4: 62% to win."),
        ([(4, 90, 1.0), (3, 0, 0.0)], "a4: 100% to win."),
        ([(4, 0, 0.0), (3, 0, 0.0)], ""),
        ([], ""),
    ],
)
def test_a_hint_in_words(ranking: Ranking, words: str) -> None:
    assert hint_in_words(ranking, "a{}".format) == words


def test_a_hint_in_german() -> None:
    with speaking("de"):
        words = hint_in_words([(4, 90, 0.62), (3, 10, 0.55)], str)
    assert words == "4: gewinnt zu 62 %; am nächsten kommt 3 mit 55 %."
