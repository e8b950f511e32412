"""Lines between a game and a bot's process: a letter for the kind, then the body in base64. Nothing is unpickled."""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64

BEGIN, ASK = b"B", b"A"  # to the bot: a game begins; it is its turn
READY, ORDERS, LOST = b"R", b"O", b"L"  # from the bot: its file is loaded; its orders; why there are none
LONGEST = 1 << 17  # bytes of a line from a bot


def to_line(kind: bytes, body: bytes = b"") -> bytes:
    return kind + b2a_base64(body)


def of_line(line: bytes) -> tuple[bytes, bytes]:
    """The kind and the body; ValueError for a line that is not a message."""
    try:
        return line[:1], a2b_base64(line[1:])
    except Error as error:
        raise ValueError(str(error)) from None
