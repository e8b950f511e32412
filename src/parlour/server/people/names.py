"""Names and chat as they are shown: one line, nothing that hides or turns text around, not too long."""

from __future__ import annotations

import unicodedata

from parlour.server.basics.errors import Refusal

MAX_NAME = 24
MAX_CHAT = 300
MANY_SEATS, SHORTER_NAME = 8, 100  # bytes of a name where so many sit, and all names are stored when one comes
MARKS = 4  # accents and the like on one letter; more cover the lines above and below
# Characters that are shown as nothing, though by their category they are letters, marks or signs.
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
HIDDEN = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f") | {
    chr(code) for first, last in ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF)) for code in range(first, last + 1)
}
JOINER = "\u200d"  # makes one sign of two: a family of people
JOINED = 3  # times in one sign, at most
AS_PICTURE, AS_TEXT = "\ufe0f", "\ufe0e"  # how the sign before is drawn
SKINS = range(0x1F3FB, 0x1F400)  # a colour for the sign before
FLAG_LETTERS = range(0x1F1E6, 0x1F200)  # two of them are one flag


def clean_name(name: str, seats: int = 1) -> str:
    """A name as it is shown: one line, with something to be seen, not too long, and no bot's.

    ``seats`` is how many the table has: where there are many, names are made of fewer signs.
    """
    cleaned = as_shown(name)
    if not 1 <= seen_length(cleaned) <= MAX_NAME:
        raise Refusal("bad_name", f"a name has 1 to {MAX_NAME} characters that can be seen")
    kinds = [unicodedata.category(char) for char in cleaned]
    if "Ps" in kinds and "Pe" in kinds[kinds.index("Ps") :]:
        raise Refusal("bad_name", "a name cannot have anything in brackets: bots are shown like that")
    if seats > MANY_SEATS and len(cleaned.encode()) > SHORTER_NAME:
        raise Refusal(
            "bad_name", f"at a table of {seats} seats a name has at most {SHORTER_NAME} bytes: join fewer signs"
        )
    return cleaned


def clean_chat(text: str) -> str:
    cleaned = as_shown(text)
    if not seen_length(cleaned) or len(cleaned) > MAX_CHAT:
        raise Refusal("bad_request", f"a chat message has 1 to {MAX_CHAT} characters")
    return cleaned


def seen_length(text: str) -> int:
    """How many characters people see: a letter with its accents is one, and so is a flag, or a family."""
    flags = sum(ord(char) in FLAG_LETTERS for char in text)
    return sum(_stands_alone(char) for char in text) - flags // 2 - text.count(JOINER)


def _stands_alone(char: str) -> bool:
    return unicodedata.category(char)[0] != "M" and ord(char) not in SKINS and char != JOINER


def as_shown(text: str) -> str:
    """Without control, formatting and unassigned characters: nothing that turns text around or hides in it."""
    shown, marks, joined = "", 0, 0
    given = unicodedata.normalize("NFC", text)
    for char, after in zip(given, given[1:] + " ", strict=False):
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if char.isspace() or char in BLANK:
            shown += " "
        elif char == JOINER:
            joined = joined + 1 if _joins(shown, after) else JOINED + 1
            shown += char if joined <= JOINED else ""
        elif marks <= MARKS and _is_shown(char, shown):
            joined = joined if shown.endswith(JOINER) or not _stands_alone(char) else 0
            shown += char
    return " ".join(shown.split())


def _joins(before: str, after: str) -> bool:
    """Whether what is joined are two pictures, the first perhaps with a colour."""
    sign = before.rstrip(AS_PICTURE)
    if sign and ord(sign[-1]) in SKINS:
        sign = sign[:-1]
    return bool(sign) and unicodedata.category(sign[-1]) == unicodedata.category(after) == "So"


def _is_shown(char: str, before: str) -> bool:
    if char in (AS_PICTURE, AS_TEXT):
        return bool(before) and unicodedata.category(before[-1])[0] == "S"
    return unicodedata.category(char)[0] != "C" and char not in HIDDEN


def differing(name: str, taken: list[str]) -> str:
    """The name, with a number where somebody at the table has it already."""
    number, found = 1, name
    while found.casefold() in {other.casefold() for other in taken}:
        number += 1
        found = f"{_beginning(name, MAX_NAME - 3)} {number}"
    return found


def _beginning(name: str, most: int) -> str:
    """As much of a name as has so many characters to be seen, with all that belongs to them."""
    while seen_length(name) > most or name.endswith(JOINER):
        name = name[:-1]
    return name
