"""What a learner sees: declared features, split by name, and the fields of games that declare none."""

from __future__ import annotations

import json
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from engine.race import GAME as RACE
from parlour.cli import run
from parlour.engine import Feature, registry, starts
from parlour.engine.compiled.arrays import as_lines
from parlour.engine.compiled.batch_drivers import batch_drivers
from parlour.engine.compiled.drivers import new_features
from parlour.engine.errors import BadGame, BadSeats
from parlour.engine.features import narrowest, split


def test_connect_four_as_both_seats_see_it() -> None:
    match = parlour.new("connect_four", seed=1)
    for column in "114":
        match.play(column)
    mine, theirs = [[0] * 7 for _ in range(6)], [[0] * 7 for _ in range(6)]
    mine[0][0] = mine[0][3] = theirs[1][0] = 1
    for seat, expected in enumerate(([mine, theirs, 0], [theirs, mine, 1])):
        seen = split(match.game.features, np.array(match.seen_by(seat).observation))
        assert [seen[name].tolist() for name in ("mine", "theirs", "to_move")] == expected


def test_seats_are_seen_from_ones_own_side() -> None:
    """Goose: my piece comes first, then those of the others clockwise, and absent seats are zeros."""
    match = parlour.new("goose", seats=3, seed=5)
    for _ in range(4):
        match.play(0)
    for seat in range(3):
        seen = split(match.game.features, np.array(match.seen_by(seat).observation))
        positions = seen["position"].argmax(axis=1).tolist()
        assert positions == [match.state.position[(seat + place) % 3] for place in range(3)] + [0]
        assert seen["position"].sum(axis=1).tolist() == [1, 1, 1, 0]
        assert seen["to_move"].argmax() == (match.to_move - seat) % 3


def test_a_watcher_has_no_seat_to_observe_from() -> None:
    with pytest.raises(BadSeats, match="only watches"):
        _ = parlour.new("goose").seen_by(None).observation


def test_a_game_without_features_shows_its_fields_interpreted_and_compiled_alike() -> None:
    assert [feature.name for feature in RACE.features] == ["to_move", "goal", *RACE.fields]
    match = parlour.new(RACE, seats=3, seed=1, goal=12)
    match.play(1)
    seen = match.seen_by(match.to_move).observation
    fields = [getattr(match.state, name) for name in ("goal", *RACE.fields)]
    flat = [number for field in fields for number in (field if isinstance(field, list) else [field])]
    assert seen == [1, *flat]
    rows, features = RACE.layout.rows(1), new_features(RACE, 1)
    RACE.layout.write(match.state, rows, 0)
    batch_drivers(RACE).observe_rows(rows, 0, 1, np.array([match.to_move]), as_lines(features))
    assert features[0].tolist() == seen


def test_types_are_as_narrow_as_the_numbers_allow() -> None:
    assert narrowest([Feature("a", (), ""), Feature("b", (3,), "", low=-128, high=127)]).bits == 8
    assert narrowest([Feature("a", (), "", high=128)]).bits == 16
    assert starts([Feature("a", (), ""), Feature("b", (3, 2), "")]) == (0, 1, 7)
    assert {game.name: game.observation_type for game in registry.all_games() if game.name in ("game17", "goose")} == {
        "game17": "int16",
        "goose": "int8",
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": (Feature("a", (), ""), Feature("a", (), ""))}, "two features are called 'a'"),
        ({"features": (Feature("a", (0,), ""),)}, "feature 'a' has room for nothing"),
        ({"features": ()}, "observe and features belong together"),
        ({"action_space": 6}, "7 actions at once of 6 in all"),
        ({"action_space": 2**31 + 1}, "at most 2147483648"),
    ],
)
def test_a_game_that_declares_nonsense_cannot_be_made(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadGame, match=message):
        replace(registry.get("connect_four"), **changes)


def test_games_tell_their_features(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json"]) == 0
    told = {game["name"]: game for game in json.loads(capsys.readouterr().out)}
    assert told["connect_four"]["actions"] == {"space": 7, "most": 7}
    assert told["game17"]["actions"]["space"] == 5_308_418
    seen = told["connect_four"]["observation"]
    assert (seen["size"], seen["type"]) == (85, "int8")
    assert seen["features"][1] == {
        "name": "theirs",
        "shape": [6, 7],
        "help": "1 for a disc of the other seat",
        "low": 0,
        "high": 1,
        "drawn": False,
        "at": 42,
    }


def test_the_page_of_all_features_is_up_to_date() -> None:
    made = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "observations.py"))
    assert made["PAGE"].read_text("utf-8") == made["page"](), "docs/observations.md is stale: run `make observations`"
