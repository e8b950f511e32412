"""Openings drawn by lot: where they are needed, that the seed alone says which they are, and that replays tell them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.engine import registry, replay
from parlour.engine.errors import BadReplay
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.opening import LONGEST, draw_opening, has_chance
from parlour.engine.options import Option


@pytest.mark.parametrize("name", registry.names())
def test_what_has_dice_is_found_by_playing(name: str) -> None:
    game = registry.get(name)
    seats, options = max(1, game.resolve_seats(None, game.resolve_options({}))), game.resolve_options({})
    assert has_chance(game, seats, options) == (name not in ("choccer", "connect_four"))


def lucky(game: Game) -> Game:
    """The same game, in which an option says whether chance has the first word."""

    def setup(state: Any, chance: Any, journal: Any = None) -> None:
        game.setup(state, chance, journal)
        if state.lots:
            chance.roll(6)

    return dataclasses.replace(game, setup=setup, options=(Option("lots", default=False, help="Dice."),))


def test_options_can_decide_whether_there_is_chance() -> None:
    game = lucky(registry.get("connect_four"))
    assert not has_chance(game, 2, {"lots": 0})
    assert has_chance(game, 2, {"lots": 1})


def opening(name: str, seed: int, plies: int) -> list[int]:
    match = Match(registry.get(name), seed=seed)
    draw_opening(match, plies)
    assert match.drawn == len(match.actions)
    assert not match.over
    return match.actions


def test_the_seed_draws_the_opening() -> None:
    assert opening("choccer", 3, 4) == opening("choccer", 3, 4)
    assert len(opening("choccer", 3, 4)) == 4
    assert len({tuple(opening("choccer", seed, 4)) for seed in range(100)}) == 100
    assert opening("choccer", 3, 0) == []


def test_a_match_never_ends_in_its_opening() -> None:
    """No match of Connect Four has so many plies: as many are drawn as leave one to play."""
    assert 10 < len(opening("connect_four", 1, LONGEST)) < 42


def drawn(plies: int = 4) -> Match:
    match = Match(registry.get("choccer"), seed=8)
    draw_opening(match, plies)
    for _ in range(3):
        match.play(match.legal()[0])
    return match


def test_a_replay_tells_which_plies_were_drawn(tmp_path: Path) -> None:
    replay.save(drawn(), tmp_path / "m.json")
    content = replay.read(tmp_path / "m.json")
    assert content.drawn == 4
    assert replay.verify(tmp_path / "m.json") == []
    again = replay.load(tmp_path / "m.json")
    assert again.drawn == 4
    assert replay.dumps(again) == (tmp_path / "m.json").read_text()
    assert '"drawn"' not in replay.dumps(drawn(0)), "files without such plies stay as they were"


@pytest.mark.parametrize("claimed", [1, 3, 5, 7])
def test_a_replay_that_claims_other_plies_is_false(claimed: int) -> None:
    content = msgspec.structs.replace(replay.loads(replay.dumps(drawn())), drawn=claimed)
    assert any(line.startswith("drawn") for line in replay.doubts(content))


@pytest.mark.parametrize("claimed", [-1, 8, LONGEST + 1, 2**40])
def test_a_replay_cannot_claim_what_it_does_not_have(claimed: int) -> None:
    text = replay.dumps(drawn()).replace('"drawn": 4', f'"drawn": {claimed}')
    with pytest.raises(BadReplay, match="drawn by lot"):
        replay.loads(text)


def test_what_is_taken_back_was_not_drawn() -> None:
    match = drawn()
    match.undo(5)
    assert match.drawn == len(match.actions) == 2
