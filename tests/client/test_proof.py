"""The dice are proved against what this seat saw before it sat down: a server that cheats is found out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from parlour import protocol
from parlour.client import Client, Ticket, Unproved, calls, flows, run_bot
from parlour.client.proof import doubts
from parlour.engine import fair


@pytest.fixture(scope="module")
def proved(server: Any) -> tuple[str, Ticket]:
    with Client(server.url) as client:
        seat = client.sit(client.open_table("goose", seats=2, bots={1: "random"}).table.id, "Ada")
        run_bot(seat, lambda view: view.choices[0].action)
        return client.replay(seat.ticket.table), seat.ticket


def test_an_honest_match_is_proved(proved: tuple[str, Ticket]) -> None:
    text, ticket = proved
    assert doubts(text, ticket) == []
    assert ticket.nonce
    assert ticket.commitment == json.loads(text)["dice"]["commitment"]


def other_secret(content: dict[str, Any]) -> None:
    """The server picks another secret after it has seen the nonces, and makes all else agree with it."""
    dice = content["dice"]
    dice["secret"] = "ab" * 32
    dice["commitment"] = fair.commitment(dice["secret"])
    content["seed"] = fair.seed(dice["secret"], dice["nonces"])


def other_nonce(content: dict[str, Any]) -> None:
    dice = content["dice"]
    dice["nonces"][0] = "mine"
    content["seed"] = fair.seed(dice["secret"], dice["nonces"])


def no_dice(content: dict[str, Any]) -> None:
    del content["dice"]


def other_scores(content: dict[str, Any]) -> None:
    content["result"]["winners"] = [1 - seat for seat in content["result"]["winners"]]


@pytest.mark.parametrize(
    ("cheat", "found"),
    [
        (other_secret, "committed itself to another secret"),
        (other_nonce, "your nonce had no part"),
        (no_dice, "no proof"),
        (other_scores, "winners"),
    ],
)
def test_a_server_that_cheats_is_found_out(
    proved: tuple[str, Ticket], cheat: Callable[[dict[str, Any]], None], found: str
) -> None:
    text, ticket = proved
    content = json.loads(text)
    cheat(content)
    content["actions"] = content["actions"] if cheat in (no_dice, other_scores) else []
    assert any(found in doubt for doubt in doubts(json.dumps(content), ticket))


def test_a_table_that_changes_its_commitment_is_left(client: Client) -> None:
    """The server shows one commitment before the nonce and another after it."""
    table = client.open_table("goose").table
    flow = flows.sit(table.id, "Ada")
    assert next(flow).path == calls.table_path(table.id)
    sitting = flow.send(table)
    wish = msgspec.json.decode(sitting.body or b"", type=protocol.Sit)
    assert len(wish.nonce) >= 20, "128 bits or more"
    changed = msgspec.structs.replace(table, commitment="0" * 64)
    with pytest.raises(Unproved, match="changed its commitment"):
        flow.send(protocol.Seated(0, "token", changed))
