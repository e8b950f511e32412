"""The games that installed packages offer, and those of them that are broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from parlour.engine import registry
from parlour.engine.errors import BadGame
from parlour.server.basics.errors import Refusal
from parlour.server.tables import past


def test_a_game_that_cannot_be_loaded_is_named_and_harms_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    offers = {
        "broken": EntryPoint("broken", "no.such.package:GAME", registry.GROUP),
        "goose": EntryPoint("goose", "parlour.games.goose:GAME", registry.GROUP),
        "other": EntryPoint("other", "parlour.games.goose:GAME", registry.GROUP),
    }
    monkeypatch.setattr(registry, "_offers", lambda: offers)
    assert [game.name for game in registry.all_games()] == ["goose"]
    assert list(registry.bad_games()) == ["broken", "other"]
    with pytest.raises(BadGame, match=r"^game 'broken' cannot be loaded from .*:GAME: ModuleNotFoundError: No module"):
        registry.get("broken")
    assert list(past.known_rules()) == ["goose"]
    with pytest.raises(Refusal, match="Broken cannot be loaded by this server") as refusal:
        past.why_past("broken", "Broken", 1)
    assert refusal.value.is_for_now, "its matches are not ended: they wait until it is mended"
