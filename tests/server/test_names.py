"""Names and chat as they are shown."""

from __future__ import annotations

import pytest

from parlour.server.basics.errors import Refusal
from parlour.server.people.names import MAX_NAME, clean_chat, clean_name, differing, seen_length

FAMILY_IN_DEVANAGARI = "\u0915\u094d\u0937\u093f"


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\u2800\u2800",
        "\uffa0",
        "\u115f\u1160",
        "\ufe0f\ufe00",
        "\U000e0100",
        "\U000e0041\U000e0042\U000e007f",
        "\u0301\u0302",
        "\u034f\u034f",
        "\u200b\u200d\u2060",
        " \u3000\u00a0",
    ],
)
def test_a_name_that_shows_nothing_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match="1 to 24 characters that can be seen"):
        clean_name(name)


@pytest.mark.parametrize("name", ["Blue (mcts:2)", "Blue（mcts:2）", "(greedy) Ann", "Red [random] .", "Blue ❨mcts:2❩"])
def test_nobody_passes_for_a_bot(name: str) -> None:
    with pytest.raises(Refusal, match="brackets"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann :)",
        "Ann <3",
        "Ann )(",
        "A.",
        "Blue",
        "Åsa",
        "نورا",
        "李四",
        "❤️",
        "👍🏽",
        "🇦🇹",
        "1",
        "👨‍👩‍👧‍👦 Li",
        "👩🏻‍❤️‍💋‍👨🏽",
    ],
)
def test_names_that_are_fine_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("A\ufe0fnn\U000e0101\u034f", "Ann"),
        ("An\u3164n", "An n"),
        ("A\u200dnn\u200d", "Ann"),
        ("👨\u200d\u200d👩", "👨👩"),
        ("\u200d".join("👨" * 6), "\u200d".join("👨" * 4) + "👨\u200d👨"),
        ("A\u030a", "Å"),
        ("Z" + "\u0301" * 50 + "a", "Ź" + "\u0301" * 4 + "a"),
    ],
)
def test_nothing_hides_in_a_name(name: str, shown: str) -> None:
    assert clean_name(name) == shown


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("Ann", 3),
        ("q\u0302\u0323", 1),
        ("🇦🇹🇩🇪", 2),
        ("👍🏽!", 2),
        ("❤️", 1),
        ("👨‍👩‍👧‍👦👩🏻‍❤️‍💋‍👨🏽", 2),
        (FAMILY_IN_DEVANAGARI, 2),
        ("", 0),
    ],
)
def test_names_are_counted_as_people_see_them(text: str, length: int) -> None:
    assert seen_length(text) == length


def test_a_name_of_accents_is_as_long_as_one_without() -> None:
    assert clean_name("q\u0302\u0323" * MAX_NAME)
    with pytest.raises(Refusal):
        clean_name("q\u0302\u0323" * (MAX_NAME + 1))


def test_a_second_one_of_the_same_name_gets_a_number() -> None:
    assert differing("Ann", ["Bob"]) == "Ann"
    assert differing("ann", ["Ann", "ann 2"]) == "ann 3"
    families = "👨‍👩‍👧‍👦" * MAX_NAME
    assert differing(families, [families]) == "👨‍👩‍👧‍👦" * (MAX_NAME - 3) + " 2"
    long = "q\u0302" * MAX_NAME
    assert differing(long, [long]) == "q\u0302" * (MAX_NAME - 3) + " 2"


def test_chat_that_shows_nothing_is_refused() -> None:
    with pytest.raises(Refusal):
        clean_chat("\u3164\u0301")
    assert clean_chat("well (played)") == "well (played)"
