"""The two shells around the core are one: the same methods, with the same parameters and the same words."""

from __future__ import annotations

import inspect

import pytest

from parlour.client import AsyncClient, AsyncSeat, Client, Seat

LISTENING = {"watch", "lobby"}  # over a socket, which only the async client has


def public(shell: type) -> dict[str, object]:
    return {name: part for name, part in vars(shell).items() if not name.startswith("_")}


@pytest.mark.parametrize(("sync", "awaited"), [(Client, AsyncClient), (Seat, AsyncSeat)])
def test_both_have_the_same_methods(sync: type, awaited: type) -> None:
    here, there = public(sync), public(awaited)
    assert here.keys() - {"server"} == there.keys() - LISTENING
    for name in here.keys() & there.keys() - {"events"}:
        one, other = here[name], there[name]
        assert inspect.getdoc(one) == inspect.getdoc(other), name
        if callable(one) and callable(other):
            shown = [list(inspect.signature(part).parameters.values()) for part in (one, other)]
            assert shown[0] == shown[1], name
