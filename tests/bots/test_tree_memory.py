"""What a search remembers has a limit in bytes."""

from __future__ import annotations

import pytest

from parlour.engine import registry
from parlour.engine.compiled import search
from parlour.engine.compiled.search import Searcher
from parlour.engine.match import Match


def test_a_tree_grows_no_further_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_NODES", 1 << 13)
    game = registry.get("connect_four")
    searcher = Searcher(game)
    searcher.at(Match(game).state)
    searcher.look(100_000)
    assert searcher.is_full
    assert searcher.memory <= 40 * (1 << 13)
    assert searcher.ranking(), "what it found is still there"


def test_a_large_tree_is_not_kept_for_the_next_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "KEPT_NODES", 1 << 13)
    game = registry.get("connect_four")
    match = Match(game)
    searcher = Searcher(game)
    searcher.at(match.state)
    searcher.look(20_000)
    before = searcher.memory
    action = searcher.ranking()[0][0]
    match.play(action)
    searcher.follow(action, match.state)
    assert searcher.memory < before / 2
