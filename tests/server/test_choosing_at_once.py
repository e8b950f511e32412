"""Until a server asks several seats at once, it takes no game in which they choose at the same time."""

from __future__ import annotations

import goofspiel
import pytest

from parlour.engine import registry
from serving import House, refused


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goofspiel as if it were installed."""
    found = registry.get
    monkeypatch.setattr(registry, "get", lambda name: goofspiel.GAME if name == "goofspiel" else found(name))


def test_no_table_is_opened_for_it(house: House) -> None:
    answer = house.http.post("/api/tables", json={"game": "goofspiel"})
    refused(answer, "bad_option", 400, "goofspiel")
    assert "parlour play" in answer.text
