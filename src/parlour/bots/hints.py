"""A hint in words: how much better the best action is than the next best."""

from __future__ import annotations

from collections.abc import Callable

from parlour.engine.bots import Ranking
from parlour.engine.explanation import ENGINE
from parlour.engine.language import said

CLOSE = 2  # percent: two actions this near to each other are about as good


def hint_in_words(ranking: Ranking, text: Callable[[int], str]) -> str:
    """``e4: 62% to win; next best is d3 with 55%.`` Nothing where whoever ranked the actions tried none of them."""
    if not ranking or not ranking[0][1]:
        return ""
    best, _, chance = ranking[0]
    percent = round(100 * chance)
    if len(ranking) == 1 or not ranking[1][1]:
        return said("{best}: {percent}% to win.", ENGINE).format(best=text(best), percent=percent)
    other, _, less = ranking[1]
    words = "{best}: {percent}% to win; next best is {other} with {less}%."
    if round(100 * less) + CLOSE > percent:  # also where the search likes best what it has tried more often
        words = "{best}: {percent}% to win; {other} is about as good."
    return said(words, ENGINE).format(best=text(best), percent=percent, other=text(other), less=round(100 * less))
