"""Tables larger than the operator wants are not opened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.server.basics.errors import BadConfiguration
from parlour.server.tables.sizes import Sizes
from serving import Build

PARLOUR = str(Path(sys.executable).with_name("parlour"))
LARGEST = ["game17.edge=10", "game17.seats=20", "mazerunner.seats=2"]


def test_a_table_that_is_larger_is_refused(build: Build) -> None:
    house = build(largest=LARGEST)
    wishes: list[tuple[dict[str, Any], str]] = [
        ({"seats": 2}, "this server has game17 with edge up to 10, not 14"),
        ({"seats": 21, "options": {"edge": 10}}, "this server has game17 with seats up to 20, not 21"),
    ]
    for wish, told in wishes:
        for way in ("/api/tables", "/api/pairings"):
            answer = house.http.post(way, json={"game": "game17"} | wish)
            assert (answer.status_code, answer.json()["message"]) == (400, told)
    house.open("game17", seats=20, options={"edge": 10})
    house.open("goose", seats=4)


def test_forms_offer_no_more(build: Build) -> None:
    games = {game["name"]: game for game in build(largest=LARGEST).http.get("/api/games").json()}
    edge = next(option for option in games["game17"]["options"] if option["name"] == "edge")
    assert (edge["default"], edge["high"], games["game17"]["seats"][1]) == (10, 10, 20)
    assert (games["mazerunner"]["seats"], games["mazerunner"]["usual_seats"]) == ([1, 2], 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game17.edge", "largest has bounds such as game17.edge=14, not 'game17.edge'"),
        ("gam17.edge=3", "there is no game 'gam17'"),
        ("game17.edges=3", "game17 has no 'edges' with a largest value; it has: seats, edge, rounds"),
        ("goose.drink=0", "goose has no 'drink' with a largest value"),
        ("game17.edge=1", "game17 has edge of at least 2, so 1 would refuse every table"),
    ],
)
def test_a_bound_that_makes_no_sense_is_told_at_once(text: str, told: str) -> None:
    with pytest.raises(BadConfiguration, match=told.replace("(", r"\(")):
        Sizes([text])


def test_the_server_does_not_start_with_one(tmp_path: Path) -> None:
    environment = {"PARLOUR_LARGEST": "gam17.edge=3", "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    ended = subprocess.run([PARLOUR, "serve"], env=environment, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "there is no game 'gam17'" in ended.stderr
