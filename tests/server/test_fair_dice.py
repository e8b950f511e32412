"""Dice that can be checked: committed to before anybody sat down, revealed at the end, proved by ``parlour verify``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parlour import cli
from parlour.engine import fair
from serving import House, Seat, play_out, refused

NONCES = ["ann-nonce", "0123456789abcdef"]


def played(house: House, game: str = "goose") -> tuple[str, list[Seat]]:
    """A finished match; also the commitment that was told before anybody sat down."""
    opened = house.open(game, seats=2)["table"]
    seats = [house.sit(opened["id"], name, nonce=nonce) for name, nonce in zip(("Ann", "Bob"), NONCES, strict=True)]
    play_out(seats)
    return opened["commitment"], seats


def download(house: House, table: str) -> dict[str, Any]:
    replay: dict[str, Any] = house.http.get(f"/api/tables/{table}/replay").json()
    return replay


def verdict(tmp_path: Path, replay: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What ``parlour verify`` says about it."""
    file = tmp_path / "match.json"
    file.write_text(json.dumps(replay), "utf-8")
    code = cli.run(["verify", str(file)])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_a_match_is_proved(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commitment, seats = played(house)
    replay = download(house, seats[0].table)
    assert replay["dice"]["commitment"] == commitment
    assert replay["dice"]["nonces"] == NONCES
    assert fair.commitment(replay["dice"]["secret"]) == commitment
    assert fair.seed(replay["dice"]["secret"], NONCES) == replay["seed"]
    assert house.view(seats[0].table)["secret"] == replay["dice"]["secret"]
    code, told = verdict(tmp_path, replay, capsys)
    assert (code, "true" in told) == (0, True), told


@pytest.mark.parametrize("how", ["resign", "draw"])
def test_a_match_that_people_ended_is_proved(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    seats = house.table_of("Ann", "Bob", game="goose")
    seats[0].must(how)
    if how == "draw":
        seats[1].must("draw", answer="accept")
    replay = download(house, seats[0].table)
    assert verdict(tmp_path, replay, capsys)[0] == 0


def _changed(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


@pytest.mark.parametrize("what", ["secret", "nonce", "nonces swapped", "commitment", "seed", "action"])
def test_whatever_is_tampered_with_is_found(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    _, seats = played(house, "verfuchst")
    replay = download(house, seats[0].table)
    dice = replay["dice"]
    if what == "nonce":
        dice["nonces"][1] = "another"
    elif what == "nonces swapped":
        dice["nonces"].reverse()
    elif what == "seed":
        replay["seed"] += 1
    elif what == "action":
        replay["actions"] = replay["actions"][:-1]
    else:
        dice[what] = _changed(dice[what])
    code, told = verdict(tmp_path, replay, capsys)
    if what in ("seed", "action"):  # other dice may make another match, or none
        assert code in (1, 2), told
    else:
        assert (code, "FALSE dice:" in told) == (1, True), told


def test_every_table_has_a_secret_of_its_own(house: House) -> None:
    commitments = {house.open()["table"]["commitment"] for _ in range(5)}
    assert len(commitments) == 5


def test_the_nonce_goes_into_the_seed(house: House) -> None:
    """The server cannot have known the seed when it committed itself."""
    _, seats = played(house)
    secret = download(house, seats[0].table)["dice"]["secret"]
    assert fair.seed(secret, NONCES) != fair.seed(secret, ["", ""])


@pytest.mark.parametrize("nonce", ["x" * 65, "with space", "ä", "a\nb", '"', 5])
def test_a_nonce_is_a_short_word(house: House, nonce: object) -> None:
    table = house.open()["table"]["id"]
    refused(house.http.post(f"/api/tables/{table}/sit", json={"name": "Ann", "nonce": nonce}), "bad_request", 400)


def test_before_the_end_there_is_no_replay(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob", game="goose")
    for path in ("replay", "frames"):
        refused(house.http.get(f"/api/tables/{ann.table}/{path}"), "not_over", 409)
    assert house.view(ann.table)["secret"] is None
