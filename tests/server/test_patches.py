"""What changes in the picture: patches of its parts, and that whoever asks for them sees what everybody sees."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.engine import registry
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.picture import parts_of
from parlour.protocol.patches import FEW, Patch, difference, patched
from serving import House, Live, Seat, mover

GAMES = ["choccer", "connect_four", "game17", "goose", "mazerunner", "verfuchst"]
PARTS = st.lists(st.sampled_from("abcdefgh"), max_size=3 * FEW)


@given(old=PARTS, new=PARTS)
def test_a_patch_makes_the_new_parts_from_the_old_ones(old: list[str], new: list[str]) -> None:
    assert patched(old, difference(old, new)) == new


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ("abc", "abc", []),
        ("", "abc", ["a", "b", "c"]),
        ("abc", "", [-3]),
        ("abcd", "axcd", [1, -1, "x"]),
        ("abcd", "acd", [1, -1]),
        ("acd", "abcd", [1, "b"]),
    ],
)
def test_a_patch_says_what_stays_what_goes_and_what_is_new(old: str, new: str, patch: Patch) -> None:
    assert difference(list(old), list(new)) == patch


def test_one_that_moves_is_sent_and_those_between_are_not() -> None:
    old = [str(number) for number in range(2 * FEW)]
    new = [*old[1:-1], old[0], old[-1]]
    assert difference(old, new) == [-1, len(old) - 2, "0"]


def test_a_scene_of_one_text_is_parted_between_its_elements() -> None:
    assert parts_of('<g><use href="#a"/></g><text>b</text>') == ("<g>", '<use href="#a"/>', "</g>", "<text>b</text>")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return registry.get(request.param)


def test_of_every_game_less_than_half_is_sent(game: Game) -> None:
    match, dice = Match(game, 2, 5), random.Random(5)
    parts, sent, whole = game.looks.scene_parts(match.state), 0, 0
    for _ in range(60):
        if match.over:
            break
        match.play(dice.choice(match.legal()))
        patch = difference(parts, game.looks.scene_parts(match.state))
        parts = tuple(patched(parts, patch))
        assert "".join(parts) == game.looks.scene(match.state)
        sent += len(msgspec.json.encode(patch))
        whole += len(msgspec.json.encode(game.looks.scene(match.state)))
    assert sent < whole / 2


class Shown:
    """The picture as somebody has it who is told patches."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.parts: list[str] = []
        self.heed(live.heard[0]["table"]["position"])

    def heed(self, position: dict[str, Any] | None) -> None:
        if position is not None:
            assert position["scene"] is None
            self.parts = patched(self.parts, position["patch"])

    def see(self, ply: int) -> str:
        """The picture after so many actions."""
        while True:
            position = self.live.hear("update")["position"]
            self.heed(position)
            if position is not None and position["ply"] == ply:
                return "".join(self.parts)


def act(seats: list[Seat]) -> int:
    """Play the first choice; returns the ply after it."""
    seat = mover(seats)
    view = seat.view()
    ply: int = seat.must("act", ply=view["position"]["ply"], action=view["choices"][0]["action"])["ply"]
    return ply


def scene(house: House, table: str, language: str = "en") -> str:
    seen: str = house.view(table, pictures=True, language=language)["position"]["scene"]
    return seen


WISH: dict[str, Any] = {"pictures": True, "patches": True}


def test_whoever_asks_for_patches_sees_what_everybody_sees(shared_house: House, game: Game) -> None:
    seats = shared_house.table_of("Ann", "Bob", game=game.name)
    table = seats[0].table
    with seats[0].live(**WISH) as ann, shared_house.live(table, **WISH, language="de") as german:
        shown, shown_in_german = Shown(ann), Shown(german)
        for _ in range(8):
            if shared_house.view(table)["phase"] == "over":  # Goose, with luck: once in fifty matches
                break
            ply = act(seats)
            assert shown.see(ply) == scene(shared_house, table)
            assert shown_in_german.see(ply) == scene(shared_house, table, "de")


def test_whoever_does_not_ask_is_told_whole_scenes(shared_house: House) -> None:
    seats = shared_house.table_of("Ann", "Bob")
    with seats[0].live(pictures=True) as ann, seats[1].live(**WISH), shared_house.live(seats[0].table) as blind:
        act(seats)
        position = ann.hear("update")["position"]
        assert (position["scene"], position["patch"]) == (scene(shared_house, seats[0].table), None)
        position = blind.hear("update")["position"]
        assert (position["scene"], position["patch"]) == (None, None)


def test_a_match_begins_before_those_who_wait_for_it(shared_house: House) -> None:
    ann = shared_house.table_of("Ann", seats=2)[0]
    with ann.live(**WISH) as live:
        shown = Shown(live)
        assert shown.parts == []
        shared_house.sit(ann.table, "Bob")
        assert shown.see(0) == scene(shared_house, ann.table)


def test_who_comes_late_and_who_asks_again_is_shown_all_of_it(shared_house: House) -> None:
    seats = shared_house.table_of("Ann", "Bob")
    table = seats[0].table
    with seats[0].live(**WISH) as ann:
        shown = Shown(ann)
        shown.see(act(seats))
        with shared_house.live(table, **WISH) as late:
            shown_late = Shown(late)
            assert shown_late.parts == shown.parts
            ann.say("hello", **WISH)
            shown.parts = []
            shown.heed(ann.hear("welcome")["table"]["position"])
            ply = act(seats)
            assert shown.see(ply) == shown_late.see(ply) == scene(shared_house, table)


def test_what_is_taken_back_is_shown_as_it_was(shared_house: House) -> None:
    seat = mover(shared_house.table_of("Ann", "Bob", game="game17", options={"edge": 4}))
    order = seat.view()["choices"][1]["action"]
    with seat.live(**WISH) as live:
        shown = Shown(live)
        before = "".join(shown.parts)
        seat.must("act", ply=0, action=order)
        assert shown.see(1) == scene(shared_house, seat.table) != before
        seat.must("undo", ply=1)
        assert shown.see(0) == before
