"""``parlour play FILE``: what is over is shown; what a server has dealt stays as it is; all that is saved is true."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import parlour
from commands import good, refused
from parlour.engine import fair, registry, replay
from parlour.engine.match import Match

REPLAYS = Path(__file__).parent.parent / "data" / "replays"
OVER = [file.stem for file in sorted(REPLAYS.glob("*.json")) if replay.load(file).over]


@pytest.fixture
def at_a_server(tmp_path: Path) -> Path:
    """A match of a server that is not over, with the proof of its dice."""
    secret, nonces = "5e" * fair.SECRET_BYTES, ["a", "b"]
    match = Match(registry.get("choccer"), 2, fair.seed(secret, nonces), names=["Ann", "Bob"])
    for _ in range(4):
        match.play(match.legal()[0])
    proof = fair.DiceProof(fair.commitment(secret), secret, nonces)
    file = tmp_path / "server.json"
    file.write_text(replay.dumps(match, dice=proof))
    assert "dice are proved" in good("verify", file)
    return file


@pytest.mark.parametrize("name", OVER)
def test_what_is_over_is_shown_and_not_played_on(name: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    shutil.copyfile(REPLAYS / f"{name}.json", file)
    before = file.read_bytes()
    for more in ((), ("--save", file), ("--seat", "random")):
        said = good("play", file, *more, typed="1\n1\n")
        assert f"The match is over. Watch it again: parlour replay {file}" in said
        assert "> " not in said, "nobody is asked for an action"
    assert file.read_bytes() == before
    assert "the result is true" in good("verify", file)
    assert "is a match that has begun" in refused("play", file, "--seed", "5")


@pytest.mark.parametrize("name", OVER)
def test_a_copy_of_what_is_over_has_everything(name: str, tmp_path: Path) -> None:
    good("play", REPLAYS / f"{name}.json", "--save", tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == (REPLAYS / f"{name}.json").read_bytes()
    assert "exists already" in refused("play", REPLAYS / f"{name}.json", "--save", tmp_path / "copy.json")


@pytest.mark.parametrize(
    ("reason", "winners", "words"),
    [
        ("resigned", [1], "Bob wins by resignation, after 4 plies"),
        ("agreed", [], "nobody wins: all agreed to end it, after 4 plies"),
        ("upgrade", [], "nobody wins: an upgrade of the server ended it, after 4 plies"),
        ("operator", [], "nobody wins: whoever runs the server ended it, after 4 plies"),
        ("sunset", [0, 1], "Ann and Bob win: it ended early (sunset), after 4 plies"),
    ],
)
def test_how_it_ended_is_told(at_a_server: Path, reason: str, winners: list[int], words: str) -> None:
    content = json.loads(at_a_server.read_text()) | {"ended": {"reason": reason, "winners": winners}}
    at_a_server.write_text(json.dumps(content))
    before = at_a_server.read_bytes()
    for command in (["play"], ["replay", "--speed", "0"], ["verify"]):
        assert words in good(command[0], at_a_server, *command[1:])
    assert json.loads(good("verify", at_a_server, "--json"))["winners"] == winners
    assert at_a_server.read_bytes() == before


def test_a_match_of_a_server_is_never_overwritten(at_a_server: Path) -> None:
    before = at_a_server.read_bytes()
    said = good("play", at_a_server, typed="1\n1\nquit\n\n")
    assert f"{at_a_server} was played at a server, and stays as it is" in said.replace("\n", " ")
    assert "Not saved" in said
    assert "exists already" in refused("play", at_a_server, "--save", at_a_server, typed="1\nquit\n")
    assert "exists already" in refused("play", at_a_server, "--save", at_a_server.resolve(), typed="1\nquit\n")
    assert at_a_server.read_bytes() == before


@pytest.mark.parametrize("how", ["option", "asked"])
def test_what_is_played_on_from_there_is_another_match_and_true(at_a_server: Path, tmp_path: Path, how: str) -> None:
    before, mine = at_a_server.read_bytes(), tmp_path / "mine.json"
    if how == "option":
        good("play", at_a_server, "--save", mine, typed="1\n1\nquit\n")
    else:
        good("play", at_a_server, typed=f"1\n1\nquit\n{mine}\n")
    said = good("verify", mine)
    assert "the result is true" in said
    assert "dice" not in said
    content = replay.read(mine)
    assert (len(content.actions), content.dice, content.names) == (6, None, ["Ann", "Bob"])
    assert at_a_server.read_bytes() == before
    good("play", mine, typed="1\nquit\n")  # from here on it is kept like any other
    assert len(replay.read(mine).actions) == 7
    assert "the result is true" in good("verify", mine)


def test_a_file_whose_seed_was_changed_is_not_shown_or_overwritten_without_a_word(tmp_path: Path) -> None:
    """It is another match: whoever plays on from it keeps the file."""
    match = parlour.new("goose", seats=2, seed=2**64 - 1, names=["Ann", "Bob"])
    for _ in range(4):
        match.play(match.legal()[0])
    file = tmp_path / "match.json"
    file.write_text(replay.dumps(match).replace(str(2**64 - 1), str(2**64)))
    before = file.read_bytes()
    said = good("play", file, typed="1\n1\nquit\n\n")
    assert "FALSE state" in said
    assert "The file stays as it is" in said
    assert file.read_bytes() == before
    assert "exists already" in refused("play", file, "--save", file)
    assert "FALSE state" in good("replay", file, "--speed", "0")
    new = tmp_path / "new.json"
    good("play", file, "--save", new, typed="1\nquit\n")
    assert "the result is true" in good("verify", new)


def test_names_of_people_stay(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    match = parlour.new("choccer", seed=5)
    match.names = ["Ann", "White (random)"]
    replay.save(match, file)
    assert "Ann> " in good("play", file, typed="1\nquit\n")
    assert replay.read(file).names == ["Ann", "White (random)"]
    good("play", file, "--seat", "you", "--seat", "you", typed="1\nquit\n")
    assert replay.read(file).names == ["Black (you)", "White (you)"]
    assert "the result is true" in good("verify", file)


def test_a_row_of_a_batch_keeps_its_stream(tmp_path: Path) -> None:
    file = tmp_path / "row.json"
    replay.save(Match(registry.get("goose"), 2, 7, stream=3), file)
    good("play", file, typed="1\n1\nquit\n")
    content = replay.read(file)
    assert content.stream == 3
    assert content.actions
    assert "the result is true" in good("verify", file)
