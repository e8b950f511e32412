"""Playing on the page as people do: with a pointer, with fingers, or with keys alone."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Any

from browsing import PATIENCE, Person

# All that the page offers at this moment, as far as one can see it.
LOOK = """() => {
  const shown = (element) => element && !element.closest("[hidden]") && element.getClientRects().length > 0;
  const all = (query) => [...document.querySelectorAll(query)].filter(shown);
  const spots = (query) => all(query).map((spot) => spot.dataset.spot);
  const table = document.querySelector("[data-testid=table]");
  return {
    over: shown(document.querySelector("[data-testid=ending]")),
    ply: table ? table.dataset.ply : "",
    busy: all(".choosing.is-busy").length > 0,
    confirm: all("[data-testid=confirm]:not([disabled])").length > 0,
    choices: all("[data-testid=choice]").length,
    open: spots("[data-spot].is-open:not(.is-picked)"),
    next: spots("[data-spot].is-next"),
  };
}"""

# A point where a thing can be hit: its middle, or else another point that nothing else covers.
AIM = """([query, place]) => {
  const spot = document.querySelectorAll(query)[place];
  let box = spot.getBoundingClientRect();
  if (box.top < 60 || box.bottom > innerHeight) {
    spot.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    box = spot.getBoundingClientRect();
  }
  for (const across of [0.5, 0.3, 0.7, 0.15, 0.85]) {
    for (const down of [0.5, 0.3, 0.7, 0.15, 0.85]) {
      const [x, y] = [box.x + box.width * across, box.y + box.height * down];
      if (spot.contains(document.elementFromPoint(x, y))) return [x, y];
    }
  }
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.outerHTML.slice(0, 300) ?? "nothing";
}"""


def look(person: Person) -> dict[str, Any]:
    seen: dict[str, Any] = person.page.evaluate(LOOK)
    return seen


def spot(name: str) -> str:
    """The query for a spot of the board."""
    return f'[data-spot="{name}"]'


def hit(person: Person, query: str, place: int = 0) -> None:
    """Click or tap it where it can be seen."""
    point = person.page.evaluate(AIM, [query, place])
    assert isinstance(point, list), f"{query} cannot be hit, it is covered by {point}"
    if person.touches:
        person.page.touchscreen.tap(*point)
    else:
        person.page.mouse.click(*point)


LEAST, MOST = 0.02, 0.15  # seconds between two looks while nobody can choose: each takes time that bots need to think


@dataclass
class Chooser:
    """Chooses at random, and always the same for the same seed."""

    person: Person
    seed: int = 1
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)

    def choose(self, seen: dict[str, Any]) -> None:
        """Make one choice, with as many clicks as it takes."""
        ply = seen["ply"]
        for _ in range(12):
            self.step(seen)
            seen = self.settled(ply)
            if seen["ply"] != ply or seen["over"]:
                return
        raise AssertionError(f"twelve clicks made no choice at ply {ply}: {seen}")

    def settled(self, ply: str) -> dict[str, Any]:
        """What is to be seen once nothing is on its way."""
        end, pause = time.monotonic() + PATIENCE / 1000, LEAST
        while time.monotonic() < end:
            seen = look(self.person)
            if not seen["busy"]:
                return seen
            time.sleep(pause)
            pause = min(1.5 * pause, MOST)
        raise AssertionError(f"the choice at ply {ply} was never answered")

    def step(self, seen: dict[str, Any]) -> None:
        if seen["confirm"]:
            hit(self.person, "[data-testid=confirm]")
        elif seen["next"]:
            hit(self.person, spot(self.dice.choice(seen["next"])))
        else:
            self.begin(seen)

    def begin(self, seen: dict[str, Any]) -> None:
        """One of the buttons, or one of the spots; each as likely."""
        place = self.dice.randrange(seen["choices"] + len(seen["open"]))
        if place < seen["choices"]:
            hit(self.person, "[data-testid=choice]", place)
        else:
            hit(self.person, spot(seen["open"][place - seen["choices"]]))


def can_choose(seen: dict[str, Any]) -> bool:
    return not seen["busy"] and (seen["choices"] > 0 or bool(seen["open"]) or seen["confirm"])


MANY = 10_000  # more plies than any match has


def play_on(choosers: list[Chooser], seconds: float = 360.0, plies: int = MANY) -> bool:
    """Everybody chooses when it is their turn, until all of them see the end; False if it was not reached."""
    end = time.monotonic() + seconds
    made, pause = 0, LEAST
    while time.monotonic() < end and made < plies:
        seen = [look(chooser.person) for chooser in choosers]
        if all(one["over"] for one in seen):
            return True
        for chooser, one in zip(choosers, seen, strict=True):
            if not one["over"] and can_choose(one):
                chooser.choose(one)
                made, pause = made + 1, LEAST
                break
        else:
            time.sleep(pause)
            pause = min(1.5 * pause, MOST)
    return False
