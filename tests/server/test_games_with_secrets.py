"""Until every door of the server shows each seat only what it knows, it takes no game with secrets."""

from __future__ import annotations

import kuhn
import pytest

from parlour.engine import registry
from serving import House, refused


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kuhn poker as if it were installed."""
    found, names, games = registry.get, registry.names(), registry.all_games()
    monkeypatch.setattr(registry, "get", lambda name: kuhn.GAME if name == "kuhn" else found(name))
    monkeypatch.setattr(registry, "names", lambda: [*names, "kuhn"])
    monkeypatch.setattr(registry, "all_games", lambda: [*games, kuhn.GAME])


def test_no_table_is_opened_for_it(house: House) -> None:
    for path, wish in (("/api/tables", {"game": "kuhn"}), ("/api/pairings", {"game": "kuhn", "name": "Ann"})):
        answer = house.http.post(path, json=wish)
        refused(answer, "bad_option", 400, "kuhn has secrets, and a server cannot keep them yet")
    assert "kuhn" not in house.http.get("/api/tables").text


def test_it_is_not_among_the_games_and_teaches_nothing(house: House) -> None:
    assert "kuhn" not in [game["name"] for game in house.http.get("/api/games").json()]
    assert house.http.get("/api/games/kuhn/lesson").status_code == 404
