"""Replays: exact to the byte, refused when they are not what they should be, never overwriting."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.engine import fair, registry, replay
from parlour.engine.errors import BadNotation, BadReplay, IllegalAction, NotWritten, OtherRules, ParlourError
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
    with pytest.raises(NotWritten, match="exists already"):
        replay.save(match, file)
    assert file.read_text() == "dear diary"
    assert list(tmp_path.iterdir()) == [file]


def test_a_missing_folder_is_named(match: Match, tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match="does not exist"):
        replay.save(match, tmp_path / "no" / "such" / "match.json")


def test_verify_finds_the_truth(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    replay.save(match, file)
    assert replay.verify(file) == []


@pytest.mark.parametrize("lie", [{"winners": [0, 1, 2]}, {"scores": [9, 9, 9]}, {"over": False}, {"state": "0" * 64}])
def test_verify_finds_a_lie(match: Match, tmp_path: Path, lie: dict[str, object]) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(changed(match, result=changed(match)["result"] | lie)))
    (said,) = replay.verify(file)
    assert said.startswith(next(iter(lie)))


def test_verify_notices_another_seed(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(changed(match, seed=12, actions=match.actions[:10])))
    assert any(line.startswith("state") for line in replay.verify(file))


def test_newer_rules_are_refused_by_name(match: Match) -> None:
    with pytest.raises(OtherRules, match=r"newer rules of goose: version 2, where this Parlour has version 1"):
        replay.run(replay.loads(json.dumps(changed(match, rules=2))))


def test_older_rules_are_refused_by_name() -> None:
    """A real file of rules version 3 of mazerunner, whose deck of items was smaller."""
    file = Path(__file__).parent.parent / "data" / "older_rules" / "mazerunner-3.json"
    with pytest.raises(OtherRules, match=r"mazerunner-3.json was played by older rules of mazerunner: version 3"):
        replay.load(file)


def test_a_newer_format_is_refused_by_name(match: Match) -> None:
    with pytest.raises(OtherRules, match=r"replay format 2; this Parlour reads format 1"):
        replay.loads(json.dumps(changed(match, parlour=2)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "with the key 'parlour'"),
        ("[]", "with the key 'parlour'"),
        ("null", "with the key 'parlour'"),
        ('{"parlour": 1}', "is not a complete replay"),
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


@settings(max_examples=200, deadline=None)
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
    dice = fair.DiceProof(fair.commitment(secret), secret, nonces)
    content: dict[str, Any] = json.loads(replay.dumps(played, dice=dice, ended=replay.EarlyEnd("resigned", [1])))
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
        ({"secret": "7"}, ["hexadecimal"]),
        ({"seals": ["00"]}, ["expected 2 seals"]),
        ({"seals": ["00", ""]}, ["the nonce of seat 0 is not the one that it had sealed"]),
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


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ended": "somehow"}, "Expected `object | null`, got `str` - at `$.ended`"),
        ({"ended": {"reason": "resigned"}}, "Object missing required field `winners` - at `$.ended`"),
        ({"ended": {"reason": "resigned", "winners": [2]}}, "[2] have won of 2 seats, counted from 0"),
        ({"dice": {"secret": 7, "commitment": "", "nonces": []}}, "Expected `str`, got `int` - at `$.dice.secret`"),
        ({"dice": {"more": 1}}, "Object contains unknown field `more` - at `$.dice`"),
        ({"names": ["a"]}, "2 seats but 1 names"),
        ({"actions": [1.0]}, "Expected `int`, got `float` - at `$.actions[0]`"),
        ({"result": {"over": 1}}, "Expected `bool`, got `int` - at `$.result.over`"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(match: Match, changes: dict[str, object], words: str) -> None:
    with pytest.raises(BadReplay) as caught:
        replay.loads(json.dumps(proved(match) | changes), "match.json")
    assert str(caught.value) == f"match.json is not a complete replay: {words}"


@pytest.mark.parametrize("name", ["game", "names", "seats", "seed", "self", "maze ", "\u2028", "until"])
def test_options_of_any_name_get_one_line(match: Match, name: str) -> None:
    with pytest.raises(BadReplay, match="has no option") as caught:
        replay.run(replay.loads(json.dumps(changed(match, options={name: 1}))))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("text", ['{"parlour": 1, "game": "\\ud800"}', '{"parlour": 1, "game": "\ud800"}'])
def test_halves_of_characters_are_no_text(text: str) -> None:
    with pytest.raises(BadReplay, match=r"^the text is not a replay: it is not JSON \(.*\)$"):
        replay.loads(text)


def test_a_name_that_is_no_text_cannot_be_saved(tmp_path: Path) -> None:
    match = Match(registry.get("goose"), 2, 1, names=["Ann", "\udcff"])
    with pytest.raises(NotWritten, match="there are characters in it that are not text"):
        replay.save(match, tmp_path / "match.json")
    assert list(tmp_path.iterdir()) == []


OLD = sorted((Path(__file__).parent.parent / "data" / "replays").glob("*.json"))


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_replays_of_earlier_versions_are_read(file: Path) -> None:
    """Written by Parlour as it was before replays had types, but for that of mazerunner: its rules are younger."""
    assert replay.verify(file) == []
    assert replay.dumps(replay.load(file)).encode() == file.read_bytes()


def test_the_earlier_replays_have_everything() -> None:
    contents = [replay.read(file) for file in OLD]
    assert {content.game for content in contents} == set(registry.names())
    assert any(content.dice is not None and content.dice.seals for content in contents)
    assert any(content.dice is not None and not content.dice.seals for content in contents)
    assert any(content.ended is not None for content in contents)


# What a server says of a match stays with it.


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_what_is_loaded_and_saved_again_keeps_all_that_it_had(file: Path, tmp_path: Path) -> None:
    replay.save(replay.load(file), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == file.read_bytes()


@pytest.fixture
def resigned() -> Match:
    return replay.load(Path(__file__).parent.parent / "data" / "replays" / "choccer-resigned.json")


def test_a_match_that_ended_early_is_over(resigned: Match) -> None:
    assert resigned.over
    assert not resigned.state.over
    assert resigned.winners == [1]
    assert resigned.legal() == []
    seen = resigned.seen_by(resigned.to_move)
    assert (seen.over, seen.winners, seen.legal, seen.choices) == (True, [1], [], [])
    with pytest.raises(IllegalAction, match="the match is over"):
        resigned.play(resigned.game.legal_actions(resigned.state)[0])
    with pytest.raises(BadNotation, match="the match is over"):
        resigned.play("B0-A1")


def test_a_match_that_is_taken_back_is_another_one(resigned: Match, tmp_path: Path) -> None:
    """It has not ended, nor are its dice proved: whoever goes on with it knows the secret."""
    resigned.undo()
    assert (resigned.ended, resigned.dice, resigned.over) == (None, None, False)
    resigned.play(resigned.legal()[0])
    replay.save(resigned, tmp_path / "match.json")
    assert replay.verify(tmp_path / "match.json") == []
    assert replay.read(tmp_path / "match.json").dice is None


def test_so_is_one_that_goes_on(match: Match) -> None:
    content = replay.loads(json.dumps(proved(match)))
    served = replay.run(msgspec.structs.replace(content, ended=None))
    assert served.dice == content.dice
    played = served.twin()
    played.play("roll")
    assert (served.dice, played.dice) == (content.dice, None)
    assert replay.doubts(replay.loads(replay.dumps(played))) == []


def test_a_goose_that_is_taken_back_has_its_pool_again() -> None:
    """Clause 17 gave it out when the match ended early."""
    ended = replay.load(Path(__file__).parent.parent / "data" / "replays" / "goose-resigned.json")
    assert ended.ending
    ended.undo()
    content = replay.read(Path(__file__).parent.parent / "data" / "replays" / "goose-resigned.json")
    assert ended.state == replay.run(content, until=len(content.actions) - 1).state
    assert ended.ending == []
