"""Words in the language of the reader."""

from __future__ import annotations

from parlour.engine.language import cache_spoken, said, speaking

GOOSE = "parlour.games.goose"


def test_what_is_kept_is_kept_for_each_language() -> None:
    made = []

    @cache_spoken
    def colour(name: str) -> str:
        made.append(name)
        return said(name, GOOSE)

    for _ in range(2):
        assert colour("Red") == "Red"
        with speaking("de"):
            assert colour("Red") == "Rot"
    assert made == ["Red", "Red"], "once for each language"
    assert colour.__name__ == "colour"
