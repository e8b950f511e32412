"""Photograph the pages for docs/images: lobby, boards in mid-match, a replay, phones. ``make screenshots`` runs it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from browsing import Crowd, Person, launch
from serving import Place, Seat, Server, play_out

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "images"
MOST = 250 * 1024  # bytes of a picture

# The table, who sits at it, and how many plies are played before the picture is taken.
SCENES: dict[str, tuple[dict[str, Any], list[str], int]] = {
    "choccer": ({}, ["Ada", "Blaise"], 26),
    "connect_four": ({}, ["Ada", "Blaise"], 9),
    "game17": ({"seats": 3, "options": {"edge": 6, "rounds": 15}}, ["Ada", "Blaise", "Carl"], 70),
    "goose": ({"seats": 4}, ["Ada", "Blaise", "Carl", "Dora"], 13),
    "mazerunner": ({"seats": 3}, ["Ada", "Blaise", "Carl"], 150),
    "verfuchst": ({"seats": 3}, ["Ada", "Blaise", "Carl"], 28),
}
IDLE = {"heal", "back", "end", "keep"}  # what makes no picture


def under_way(place: Place, game: str) -> Seat:
    """A match that is under way: the seat whose turn it is. Who plays well does not matter for a picture."""
    wish, names, plies = SCENES[game]
    seats = place.table_of(*names, game=game, **wish)
    while True:
        position = seats[0].view()["position"]
        if position["to_move"] is None:
            return under_way(place, game)  # it was over too soon
        mover = next(seat for seat in seats if seat.number == position["to_move"])
        if position["ply"] >= plies:
            return mover
        choices = mover.view()["choices"]
        if any(choice.get("way") for choice in choices):
            position["ply"] = give_orders(mover, position["ply"])
            if position["ply"] >= plies:
                return mover
            choices = choices[:1]  # the end of the turn
        lively = [choice for choice in choices if choice["text"] not in IDLE] or choices
        step = 7 if len(lively) % 7 else 5  # the same one again and again makes no picture either
        mover.must("act", ply=position["ply"], action=lively[position["ply"] * step % len(lively)]["action"])


def give_orders(mover: Seat, ply: int) -> int:
    """Where a turn is many orders, give those that are suggested: by chance nobody would last. Returns the ply then."""
    for action in mover.must("hint", turn=True)["turn"]:
        mover.must("act", ply=ply, action=action)
        ply += 1
    return ply


def save(page: Page, name: str) -> None:
    """Keep a picture of what the window shows, with as few colours as do."""
    path = FOLDER / f"web-{name}.png"
    page.screenshot(path=path, animations="disabled")
    Image.open(path).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2).save(path, optimize=True)
    size = path.stat().st_size
    print(f"wrote {path.name}: {size // 1024} KB")
    if size > MOST:
        sys.exit(f"{path.name} has more than {MOST // 1024} KB")


def at_the_table(person: Person, seat: Seat, name: str) -> None:
    """The table, as somebody sees it whose turn it is."""
    person.sit(seat.table, seat.token)
    person.page.locator(".is-open, [data-testid=choice]").first.wait_for()
    save(person.page, name)


def replay(person: Person, place: Place) -> None:
    """A match that is over, in the middle of it."""
    seats = place.table_of("Ada", "Blaise", "Carl", game="verfuchst", seats=3)
    plies = play_out(seats)["position"]["ply"]
    person.go(f"/replay/{seats[0].table}?ply={plies * 2 // 3}")
    person.page.locator("[data-testid=moves] [aria-current]").wait_for()
    save(person.page, "replay")


def photograph(browser: Browser, server: Server) -> None:
    people = Crowd(browser, server.url)
    ada, phone = people.person("Ada"), people.person("Ada", phone=True, color_scheme="dark")
    ada.go()
    ada.page.wait_for_load_state("networkidle")
    save(ada.page, "lobby")
    for game in SCENES:
        seat = under_way(server.place, game)
        at_the_table(ada, seat, game)
        at_the_table(phone, seat, f"phone-{game}")
    replay(ada, server.place)
    phone.go("/learn/choccer")
    phone.page.locator(".is-open").first.wait_for()
    save(phone.page, "phone-lesson")
    people.leave()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), warm=True).start()  # orders are suggested at once
        try:
            photograph(launch(playwright), server)
        finally:
            server.close()
