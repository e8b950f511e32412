"""Pointing at anything in a picture says what it is: every text and every thing that has a name, in every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from parlour.engine import registry
from parlour.engine.match import Match

pytestmark = pytest.mark.xdist_group("browser-1")

# Most seats, and options that add things to the picture.
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "goose": [{}, {"stakes": 1, "drink": 1}],
    "game17": [{"seats": 6}],
}
PLIES = (0, 1, 2, 3, 4, 25, 60, 120)  # at which a match is looked at

# What has letters or a name, and lies on nothing that is explained; found as the page finds it.
SILENT = """() => {
  const NAMED = "[data-spot], [data-what]";
  const named = [...document.querySelectorAll(NAMED)];
  const middle = ({ left, right, top, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });
  const isOn = (element, { x, y }) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom) return false;
    if (!(element instanceof SVGGeometryElement)) return true;
    return element.isPointInFill(new DOMPoint(x, y).matrixTransform(element.getScreenCTM().inverse()));
  };
  const isDrawn = (element) => element.getBoundingClientRect().width > 0 && !element.closest("defs, title");
  const things = [...document.querySelectorAll("svg text, svg [id], svg [aria-label]")].filter(isDrawn);
  const isSilent = (thing) => !thing.closest(NAMED) && !thing.querySelector(NAMED)
    && !named.some((one) => isOn(one, middle(thing.getBoundingClientRect())));
  return things.filter(isSilent).map((thing) => thing.textContent || thing.id || thing.outerHTML.slice(0, 80));
}"""


def pictures(game: str, setting: dict[str, Any]) -> Iterator[str]:
    """Some positions of a match with as many seats as the game has, up to six."""
    seats = min(registry.get(game).seats[1], 6)
    match, rng = Match(registry.get(game), **{"seats": seats, "seed": 5, **setting}), random.Random(5)
    for ply in range(PLIES[-1] + 1):
        if ply in PLIES:
            yield match.seen_by(None).picture
        if match.over:
            return
        match.play(rng.choice(match.legal()))


@pytest.mark.parametrize("game", registry.names())
def test_nothing_in_a_picture_is_silent(game: str, browser: Browser) -> None:
    page = browser.new_page()
    for setting in SETTINGS.get(game, [{}]):
        for picture in pictures(game, setting):
            page.set_content(picture)
            assert page.evaluate(SILENT) == []
    page.close()
