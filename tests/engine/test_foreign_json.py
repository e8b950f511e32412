"""JSON from outside is plain JSON, or refused in words."""

from __future__ import annotations

import pytest

from parlour.engine.foreign_json import DEEPEST, read_json

REFUSED = ["", "{", "NaN", "-Infinity", "[1e999]", "9" * 5000, "[" * 10**5, "{'a': 1}", '"\n"']
REFUSED += ["[" * depth + "1" + "]" * depth for depth in (DEEPEST + 1, 900, 990, 3000)]


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_not_plain_is_refused(text: str) -> None:
    for each in (text, text.encode()):
        with pytest.raises(ValueError, match=r"\w"):
            read_json(each)


@pytest.mark.parametrize("content", [b"\xff", '{"a": 1}'.encode("utf-16"), "[]".encode("utf-8-sig")])
def test_it_is_in_utf_8(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_json(content)


def test_all_else_is_read() -> None:
    assert read_json('{"a": [1, 1.5, null, true, "é"]}') == {"a": [1, 1.5, None, True, "é"]}
    deep = read_json("[" * DEEPEST + "1" + "]" * DEEPEST)
    for _ in range(DEEPEST):
        (deep,) = deep
    assert deep == 1
    assert read_json(b"7") == 7
