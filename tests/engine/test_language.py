"""Words in the language of the reader."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from parlour.engine.errors import BadGame
from parlour.engine.language import cache_spoken, dictionary, said, speaking

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


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file ``de.po`` of a package called ``spoken``."""
    (tmp_path / "spoken").mkdir()
    (tmp_path / "spoken" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "spoken", raising=False)
    dictionary.cache_clear()
    return tmp_path / "spoken" / "de.po"


def test_a_text_that_is_missing_empty_or_fuzzy_is_said_in_english(translated: Path) -> None:
    translated.write_text(
        'msgid "go"\nmsgstr "los"\n\nmsgid "stop"\nmsgstr ""\n\n#, fuzzy\nmsgid "wait"\nmsgstr "weiter"\n', "utf-8"
    )
    with speaking("de"):
        assert [said(text, "spoken") for text in ("go", "stop", "wait", "turn")] == ["los", "stop", "wait", "turn"]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"nonsense"])
def test_a_file_that_cannot_be_read_is_named_in_one_line(translated: Path, content: bytes) -> None:
    translated.write_bytes(content)
    with speaking("de"), pytest.raises(BadGame, match=r"^spoken: de\.po cannot be read: .*$"):
        said("go", "spoken")
