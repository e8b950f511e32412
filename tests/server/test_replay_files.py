"""Replay files that come back: what the server offers for download, and what the terminal saves, is shown as it was.

Seeds are drawn as they are for players: 63 bits in the terminal, 128 at a table.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import parlour
from parlour.engine import registry, replay
from parlour.engine.match import Match
from serving import Build, House, Seat, play_out, refused

TOKEN = "a token of twenty signs"
EXACT = 2**53  # above it, JavaScript's numbers skip some


@pytest.fixture(scope="module")
def rng() -> random.Random:
    return random.Random(20)


def played(game: str, rng: random.Random, plies: int = 40) -> Match:
    """A match as the terminal opens it, with random actions."""
    match = parlour.new(game, seats=3 if game == "game17" else None)
    for _ in range(plies):
        if match.over:
            break
        match.play(rng.choice(match.legal()))
    return match


def post(house: House, path: str, file: str) -> Any:
    answer = house.http.post(path, content=file.encode())
    assert answer.status_code == 200, answer.text
    return answer.json()


def like_javascript(file: str) -> str:
    """The file as a program writes it anew that has numbers of 53 bits."""
    return re.sub(r'"seed": (\d+)', lambda found: f'"seed": {int(float(found[1]))}', file)


# Files of the terminal.


@pytest.mark.parametrize("game", registry.names())
def test_a_file_of_the_terminal_is_shown_as_it_was(shared_house: House, game: str, rng: random.Random) -> None:
    for _ in range(12):
        match = played(game, rng)
        assert match.seed > EXACT or match.seed < 2**63
        file = replay.dumps(match)
        shown = post(shared_house, "/api/replays?count=200", file)
        seen = match.seen_by(None)
        assert (shown["plies"], shown["names"], shown["winners"]) == (len(match.plies), match.names, match.winners)
        texts = [event["text"] for frame in shown["frames"] for event in frame["events"]]
        assert texts == seen.story[: len(texts)]
        if len(shown["frames"]) == shown["plies"] + 1:
            assert texts == seen.story
            assert shown["frames"][-1]["scene"] == seen.scene
        summary = post(shared_house, "/api/replays/summary", file)
        assert (summary["scores"], summary["doubts"]) == (match.scores, [])


def test_a_file_whose_seed_was_changed_on_its_way_is_never_shown_without_a_word(
    shared_house: House, rng: random.Random
) -> None:
    told = 0
    for number in range(60):
        match = played(registry.names()[number % len(registry.names())], rng)
        file = replay.dumps(match)
        assert (file == like_javascript(file)) == (int(float(match.seed)) == match.seed)  # few of the large ones are
        answer = shared_house.http.post("/api/replays/summary", content=like_javascript(file).encode())
        other = replay.loads(like_javascript(file))
        same = answer.status_code == 200 and replay.run(other).state == match.state
        assert answer.status_code == 400 or bool(answer.json()["doubts"]) != same
        told += answer.status_code == 400 or bool(answer.json()["doubts"])
    assert told >= 20


def test_a_seed_of_128_bits(shared_house: House) -> None:
    for seed in (2**53 + 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**127 + 1, 2**128 - 1):
        match = Match(registry.get("goose"), 2, seed)
        while not match.over:
            match.play("roll")
        assert post(shared_house, "/api/replays/summary", replay.dumps(match))["doubts"] == []
        assert post(shared_house, "/api/replays?count=1", replay.dumps(match))["winners"] == match.winners


# Files of the server.


@pytest.fixture(scope="module")
def ends() -> dict[str, Callable[[House, list[Seat]], Any]]:
    """The ways in which a match at a table comes to its end."""

    def by_rules(_house: House, seats: list[Seat]) -> None:
        play_out(seats)

    def resigned(_house: House, seats: list[Seat]) -> None:
        seats[0].must("resign")

    def agreed(_house: House, seats: list[Seat]) -> None:
        seats[0].must("draw", answer="offer")
        seats[1].must("draw", answer="accept")

    def operator(house: House, seats: list[Seat]) -> None:
        headers = {"authorization": f"Bearer {TOKEN}"}
        body = {"table": seats[0].table, "text": "Closed for tonight."}
        assert house.http.post("/api/admin/close", json=body, headers=headers).status_code == 200

    return {"rules": by_rules, "resigned": resigned, "agreed": agreed, "operator": operator}


@pytest.mark.parametrize("reason", ["rules", "resigned", "agreed", "operator"])
@pytest.mark.parametrize("game", ["connect_four", "goose", "choccer", "verfuchst"])
def test_whatever_the_server_offers_it_takes_back(
    build: Build, ends: dict[str, Callable[[House, list[Seat]], Any]], game: str, reason: str
) -> None:
    house = build(admin_token=TOKEN)
    options = {"stakes": 1} if game == "goose" else {}
    seats = house.table_of("Ann", "Bob", game=game, options=options)
    at = f"/api/tables/{seats[0].table}"
    for ply in range(2):  # with more throws, a race may be over
        to_move = seats[0].view()["position"]["to_move"]
        seats[to_move].must("act", ply=ply, action=seats[to_move].view()["choices"][-1]["action"])
    refused(house.http.get(f"{at}/replay"), "not_over", 409, "would tell the dice to come")
    ends[reason](house, seats)
    file = house.http.get(f"{at}/replay").text
    assert json.loads(file)["seed"] > EXACT
    for count in ("count=3", "first=2&count=200"):
        table = house.http.get(f"{at}/frames?{count}").json()
        assert post(house, f"/api/replays?{count}", file) == table
    table, shown = house.http.get(f"{at}/summary").json(), post(house, "/api/replays/summary", file)
    endings = [one.pop("ending") for one in (table, shown)]
    assert shown == table
    assert shown["doubts"] == []
    assert [(ending["reason"], ending["winners"]) for ending in endings] == [(reason, endings[0]["winners"])] * 2
    assert endings[0]["text"] == endings[1]["text"] or reason != "rules"
    if shown["judged"]:
        assert post(house, "/api/replays/chances", file) == house.http.get(f"{at}/chances").json()


# Files that are none.


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"", "it is not JSON"),
        (b"[]", "expected a JSON object"),
        (b"null", "expected a JSON object"),
        (b'{"parlour": 1}', "not a complete replay"),
        (b'{"parlour": 1, "game": "\xff"}', "not text in UTF-8"),
        (b'\xff\xfe{"parlour": 1}', "not text in UTF-8"),
        (b'{"parlour": 1, "seed": 1e999}', "not a complete replay"),
        (b'{"diffs": [], "owners": 1e999}', "Number out of range"),
        (b'{"parlour": 1,' + b'"x": ' + b"[" * 5000 + b"]" * 5000 + b"}", "it is not JSON"),
    ],
)
@pytest.mark.parametrize("path", ["/api/replays", "/api/replays/summary", "/api/replays/chances"])
def test_what_is_no_replay_is_refused_in_one_line(shared_house: House, path: str, file: bytes, words: str) -> None:
    answer = shared_house.http.post(path, content=file)
    refused(answer, "bad_request", 400, words)
    assert "\n" not in answer.json()["message"]


def test_a_file_of_other_rules_says_so(shared_house: House) -> None:
    content = json.loads(replay.dumps(parlour.new("goose", seats=2))) | {"rules": 99}
    answer = shared_house.http.post("/api/replays", content=json.dumps(content))
    refused(answer, "bad_request", 400, "the file was played by newer rules of goose")
