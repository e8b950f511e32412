"""Dice that can be checked: committed to before anybody sat down, revealed at the end, proved by ``parlour verify``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parlour import cli
from parlour.engine import fair
from parlour.server.rooms import scheduler
from serving import House, Seat, mover, play_out, refused, until

NONCES = ["ann-nonce", "0123456789abcdef"]


@pytest.fixture
def house(shared_house: House) -> House:
    """One for all: every test has tables of its own."""
    return shared_house


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


# Nonces that are sealed first.


def sealed(house: House, *nonces: str, game: str = "goose") -> list[Seat]:
    """A table at which somebody has sat down with each of these nonces, sealed."""
    table = house.open(game, seats=len(nonces))["table"]["id"]
    return [house.sit(table, f"Person {number}", seal=fair.seal(nonce)) for number, nonce in enumerate(nonces)]


def test_nonces_are_revealed_when_all_have_sat_down(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = sealed(house, *NONCES)
    view = house.view(ann.table)
    assert (view["phase"], [seat["nonce"] for seat in view["seats"]]) == ("open", ["", ""])
    assert [seat["seal"] for seat in view["seats"]] == [fair.seal(nonce) for nonce in NONCES]
    ann.must("reveal", nonce=NONCES[0])
    assert house.view(ann.table)["phase"] == "open", "one is still to come"
    bob.must("reveal", nonce=NONCES[1])
    assert play_out([ann, bob])["phase"] == "over"
    replay = download(house, ann.table)
    assert (replay["dice"]["nonces"], replay["dice"]["seals"]) == (NONCES, [fair.seal(nonce) for nonce in NONCES])
    assert verdict(tmp_path, replay, capsys)[0] == 0
    replay["dice"]["seals"][1] = fair.seal("another")
    assert "FALSE dice: the nonce of seat 1" in verdict(tmp_path, replay, capsys)[1]


def test_nobody_sees_a_nonce_before_the_last_has_sealed_theirs(house: House) -> None:
    table = house.open("goose", seats=3)["table"]["id"]
    ann, bob = (house.sit(table, name, seal=fair.seal(name)) for name in ("Ann", "Bob"))
    refused(ann.do("reveal", nonce="Ann"), "not_open", 409, "when all have sat down")
    house.sit(table, "Carl", seal=fair.seal("Carl"))
    ann.must("reveal", nonce="Ann")
    refused(bob.do("leave"), "not_open", 409, "about to begin")
    refused(bob.do("bots", seat=1, bot=None), "not_open", 409, "about to begin")
    refused(bob.do("start", fill="random"), "not_open", 409, "about to begin")
    refused(house.http.post(f"/api/tables/{table}/sit", json={"name": "Eve"}), "seat_taken", 409)


def test_another_nonce_than_the_one_sealed_is_refused(house: House) -> None:
    ann, _ = sealed(house, *NONCES)
    refused(ann.do("reveal", nonce="better"), "bad_request", 400, "not the nonce that you have sealed")
    ann.must("reveal", nonce=NONCES[0])
    refused(ann.do("reveal", nonce=NONCES[0]), "bad_request", 400)


def test_who_does_not_reveal_is_left_out_and_everybody_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "REVEAL_WITHIN", 0.5)
    ann, bob = sealed(house, *NONCES)
    with ann.live() as live:
        ann.must("reveal", nonce=NONCES[0])
        until(lambda: house.view(ann.table)["phase"] == "playing")
        while (update := live.hear("update"))["kind"] != "start":
            pass
    assert update["body"] == {"left_out": [1]}
    play_out([ann, bob])
    replay = download(house, ann.table)
    assert replay["dice"]["nonces"] == [NONCES[0], ""]
    assert fair.seed(replay["dice"]["secret"], [NONCES[0], ""]) == replay["seed"]


def test_bots_fill_the_table_and_the_match_waits_for_the_nonce(house: House) -> None:
    table = house.open("goose", seats=3)["table"]["id"]
    ann = house.sit(table, "Ann", seal=fair.seal("mine"))
    first = ann.must("start", cid="go", fill="random")
    assert ann.must("start", cid="go", fill="random") == first
    assert house.view(table)["phase"] == "open"
    ann.must("reveal", nonce="mine")
    assert house.view(table)["phase"] == "playing"


# Dice to come.


def test_a_batch_that_goes_on_after_the_dice_tells_nothing_of_them(house: House) -> None:
    """The first action enters the dark; whatever comes after it, the answer is the same, and what was drawn counts."""
    ann = house.sit(house.open("mazerunner", seats=1)["table"]["id"], "Ann")
    ply = 0
    while not (chancy := by_chance(house, ann)):
        ply = ann.must("act", ply=ply, action=ann.view()["choices"][0]["action"])["ply"]
    ack = ann.must("act", ply=ply, actions=[chancy[0], 2**31 - 1, 5])
    assert (ack["ply"], ack["unplayed"]) == (ply + 1, 2)
    view = house.view(ann.table)
    assert view["position"]["ply"] == ply + 1
    assert "unplayed" not in house.log(ann.table)[-1]["body"]


def by_chance(house: House, seat: Seat) -> list[int]:
    """The choices of the seat in which dice have a part."""
    match = house.services.rooms.in_memory[seat.table].table.match
    assert match is not None
    tried = {action: match.twin() for action in match.legal()}
    for action, after in tried.items():
        after.play(action)
    return [action for action, after in tried.items() if after.plies[-1].by_chance]


def test_without_dice_all_of_several_actions_are_played_or_none(house: House) -> None:
    seats = house.table_of("Ann", "Bob", game="game17", options={"edge": 4})
    ann = mover(seats)
    order = ann.view()["choices"][1]["action"]
    refused(ann.do("act", ply=0, actions=[order, 2**31 - 1]), "illegal_action", 400)
    assert house.view(ann.table)["position"]["ply"] == 0


def test_before_the_end_there_is_no_replay(house: House) -> None:
    ann, _ = house.table_of("Ann", "Bob", game="goose")
    for path in ("replay", "frames"):
        refused(house.http.get(f"/api/tables/{ann.table}/{path}"), "not_over", 409)
    assert house.view(ann.table)["secret"] is None
