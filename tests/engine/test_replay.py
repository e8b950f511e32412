"""Replays: exact to the byte, refused when they are not what they should be, never overwriting."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.engine import fair, replay
from parlour.engine.errors import BadReplay, OtherRules, ParlourError
from parlour.engine.match import Match


@pytest.fixture
def match() -> Match:
    match = parlour.new("goose", seats=3, seed=11, stakes=1)
    while not match.over:
        match.play("roll")
    return match


def changed(match: Match, **changes: object) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(replay.dumps(match))
    return content | changes


def test_a_saved_match_comes_back_to_the_byte(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    replay.save(match, file)
    again = replay.load(file)
    assert again.state == match.state
    assert again.journal == match.journal
    replay.save(again, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == file.read_bytes()


def test_an_unfinished_match_can_be_saved(tmp_path: Path) -> None:
    match = parlour.new("choccer", seed=5)
    match.play(match.legal()[1])
    replay.save(match, tmp_path / "match.json")
    again = replay.load(tmp_path / "match.json")
    assert not again.over
    assert again.legal() == match.legal()


def test_a_file_that_is_there_is_kept(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("dear diary")
    with pytest.raises(BadReplay, match="exists already"):
        replay.save(match, file)
    assert file.read_text() == "dear diary"
    assert list(tmp_path.iterdir()) == [file]


def test_a_missing_folder_is_named(match: Match, tmp_path: Path) -> None:
    with pytest.raises(BadReplay, match="does not exist"):
        replay.save(match, tmp_path / "no" / "such" / "match.json")


def test_verify_finds_the_truth(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    replay.save(match, file)
    assert replay.verify(file) == []


@pytest.mark.parametrize("lie", [{"winners": [0, 1, 2]}, {"scores": [9, 9, 9]}, {"over": False}, {"state": "0" * 64}])
def test_verify_finds_a_lie(match: Match, tmp_path: Path, lie: dict[str, object]) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(changed(match, result=replay.result_of(match) | lie)))
    (said,) = replay.verify(file)
    assert said.startswith(next(iter(lie)))


def test_verify_notices_another_seed(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(changed(match, seed=12, actions=match.actions[:10])))
    assert any(line.startswith("state") for line in replay.verify(file))


def test_newer_rules_are_refused_by_name(match: Match) -> None:
    with pytest.raises(OtherRules, match=r"newer rules of goose: version 2, where this Parlour has version 1"):
        replay.run(changed(match, rules=2))


def test_a_newer_format_is_refused_by_name(match: Match) -> None:
    with pytest.raises(OtherRules, match=r"replay format 2; this Parlour reads format 1"):
        replay.loads(json.dumps(changed(match, parlour=2)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "with the key 'parlour'"),
        ("null", "with the key 'parlour'"),
        ('{"parlour": 1}', "is no whole replay"),
        ('{"owners": [[1]], "numbers": [[4]], "diffs": []}', "with the key 'parlour'"),
    ],
)
def test_what_is_no_replay(text: str, words: str) -> None:
    with pytest.raises(BadReplay, match=words):
        replay.loads(text)


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "gose"},
        {"game": 4},
        {"seats": 9},
        {"seats": "3"},
        {"seed": -4},
        {"seed": 1.5},
        {"options": {"maze": 99}},
        {"options": {"colour": 1}},
        {"options": []},
        {"actions": [0, 0, 1]},
        {"actions": "000"},
        {"actions": [0.0]},
        {"actions": [True]},
        {"actions": [0] * 5000},
        {"names": ["a"]},
        {"names": [1, 2, 3]},
        {"result": None},
        {"rules": True},
        {"extra": 1},
    ],
)
def test_a_corrupt_replay_gets_one_line(match: Match, changes: dict[str, object]) -> None:
    with pytest.raises(ParlourError) as caught:
        replay.run(replay.loads(json.dumps(changed(match, **changes))))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_binary_and_missing_files(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadReplay, match="not text in UTF-8"):
        replay.read(tmp_path / "picture.png")
    with pytest.raises(BadReplay, match="No such file"):
        replay.read(tmp_path / "nothing.json")
    with pytest.raises(BadReplay, match="directory"):
        replay.read(tmp_path)


@settings(max_examples=200)
@given(st.data())
def test_no_damage_to_a_replay_gives_anything_but_a_clear_error(data: st.DataObject) -> None:
    match = parlour.new("goose", seats=2, seed=3)
    for _ in range(3):
        match.play("roll")
    text = replay.dumps(match)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 20)))
    damaged = text[:start] + data.draw(st.text(max_size=5)) + text[stop:]
    with contextlib.suppress(ParlourError):
        replay.run(replay.loads(damaged))


def proved(match: Match) -> dict[str, Any]:
    """The content of a replay whose dice are proved."""
    secret, nonces = "5e" * fair.SECRET_BYTES, ["a", ""]
    played = Match(match.game, 2, fair.seed(secret, nonces))
    dice = {"commitment": fair.commitment(secret), "secret": secret, "nonces": nonces}
    content: dict[str, Any] = json.loads(replay.dumps(played, dice=dice, ended={"reason": "resigned", "winners": [1]}))
    return content


def test_dice_can_be_proved(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(proved(match)))
    assert replay.verify(file) == []


@pytest.mark.parametrize(
    ("lie", "found"),
    [
        ({"secret": "5f" * fair.SECRET_BYTES}, ["not the one that was committed to", "not the one that secret"]),
        ({"commitment": "00"}, ["not the one that was committed to"]),
        ({"nonces": ["b", ""]}, ["not the one that secret and nonces give"]),
        ({"nonces": ["a"]}, ["expected 2 nonces"]),
        ({"secret": 7}, ["hexadecimal"]),
        ({"more": 1}, ["expected the keys"]),
    ],
)
def test_false_dice_are_found(match: Match, tmp_path: Path, lie: dict[str, object], found: list[str]) -> None:
    content = proved(match)
    content["dice"] |= lie
    file = tmp_path / "match.json"
    file.write_text(json.dumps(content))
    said = replay.verify(file)
    assert len(said) == len(found)
    assert all(part in line for part, line in zip(found, said, strict=True))


def test_another_ending_has_a_reason(match: Match) -> None:
    content = proved(match) | {"ended": "somehow"}
    with pytest.raises(BadReplay, match="a reason and winners"):
        replay.loads(json.dumps(content))
