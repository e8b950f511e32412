"""Nothing of the secret, or of the seed that comes of it, is told before the end: in no view, message, error or log."""

from __future__ import annotations

import base64
import contextlib
import json
import logging
import random
from collections.abc import Iterator
from queue import Empty
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from parlour.engine import registry
from parlour.engine.chance import Chance
from serving import House, Live, Seat, until

WINDOW = 12  # so many digits in a row are no accident; those that begin at every fourth are looked for
OPTIONS = {"game17": {"edge": 4, "rounds": 2}, "mazerunner": {"rounds": 2}}
PLIES = 20


def leaks(told: str, secret: str, seed: int) -> list[str]:
    """What of the secret is in the text: as digits, hexadecimal or decimal, in either case, or as base64."""
    raw = bytes.fromhex(secret)
    forms = [secret, f"{seed:032x}", str(seed), str(int(secret, 16)), raw[::-1].hex()]
    windows = {form[start : start + WINDOW] for form in forms for start in range(0, len(form) - WINDOW + 1, 4)}
    windows |= {base64.b64encode(raw)[:16].decode(), base64.urlsafe_b64encode(raw)[:16].decode(), repr(raw)[2:20]}
    lowered = told.lower()
    return sorted(window for window in windows if window.lower() in lowered)


def test_what_leaks_is_found() -> None:
    secret, seed = "0123456789abcdef" * 4, 2**127 + 12345678901234567
    for told in (
        secret,
        secret.upper()[5:21],
        str(seed),
        f"{seed:x}",
        base64.b64encode(bytes.fromhex(secret)).decode(),
    ):
        assert leaks(f"so it {told} is", secret, seed)
    assert leaks("nothing of it", secret, seed) == []


@contextlib.contextmanager
def overheard() -> Iterator[list[str]]:
    """Everything that is logged, at every level."""
    lines: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    ear, root = Ear(), logging.getLogger()
    level = root.level
    root.addHandler(ear)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.removeHandler(ear)
        root.setLevel(level)


def drain(live: Live) -> None:
    """Hear all that has been said by now."""
    live.say("ping")
    with contextlib.suppress(Empty):
        live.hear("pong", seconds=5)


def provoke(seat: Seat, chance: random.Random, ply: int) -> list[str]:
    """Ask for what cannot be had, in ways that make the server explain itself."""
    bodies: list[dict[str, Any]] = [
        {"ply": ply, "action": chance.randrange(2**31)},
        {"ply": ply, "text": chance.choice(["x", "roll seed", "%s{secret}", "9" * 50])},
        {"ply": ply + chance.randrange(1, 5), "action": 0},
        {"ply": ply, "actions": [0] * chance.randrange(2, 20)},
    ]
    path = chance.choice(["replay", "frames", "picture", "picture?ply=0", "picture?ply=9999", "log", "secret"])
    # In this order: some of these actions may be legal, and end the match.
    return [
        seat.at.http.get(f"/api/tables/{seat.table}/{path}").text,
        seat.do("act", **chance.choice(bodies)).text,
    ]


@pytest.mark.parametrize("game", [game.name for game in registry.all_games()])
# A smaller number is no simpler match: nothing is gained by looking for one.
@settings(max_examples=6, deadline=None, phases=[Phase.generate])
@given(number=st.integers(0, 2**32))
def test_nothing_of_the_secret_is_told_before_the_end(shared_house: House, game: str, number: int) -> None:
    house, chance = shared_house, random.Random(number)
    with overheard() as lines:
        seats = house.table_of("Ann", "Bob", game=game, options=OPTIONS.get(game, {}))
        table, told = seats[0].table, [house.http.get("/api/tables").text]
        with seats[0].live(pictures=True, state=True) as ann, house.live(table) as eve:
            for _ in range(PLIES):
                views = [seat.view(pictures=chance.random() < 0.2, state=True) for seat in seats]
                if views[0]["phase"] == "over":
                    break
                told.append(json.dumps(views))
                ply = views[0]["position"]["ply"]
                told += provoke(seats[chance.randrange(2)], chance, ply)
                seat = seats[views[0]["position"]["to_move"]]
                action = chance.choice(views[seat.number]["choices"])["action"]
                told.append(seat.do("act", ply=ply, action=action).text)
            before_the_end = list(lines)
            if house.view(table)["phase"] == "playing":
                seats[0].must("resign")
            for live in (ann, eve):
                drain(live)
                told += [json.dumps(message) for message in live.heard if not message.get("secret")]
                assert any(message.get("secret") for message in live.heard), "at the end it is told"
    ended = until(lambda: house.view(table))
    seed = house.http.get(f"/api/tables/{table}/replay").json()["seed"]
    assert leaks(json.dumps(ended), ended["secret"], seed), "this is where it is told, and how it looks"
    for text in told:
        assert not leaks(text, ended["secret"], seed), text[:3000]
    assert leaks("\n".join(before_the_end), ended["secret"], seed) == []
    coming = {str(lane) for ply in range(3) for lane in Chance.at(seed, ply).lanes if lane > 10**8}
    assert not [lane for lane in coming if lane in "\n".join(told)], "nor the dice's generator"
