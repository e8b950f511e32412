"""What a table's socket says, in order and without a gap."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour import protocol
from parlour.client.errors import Refused, Unreachable
from parlour.client.retry import LATER

CROWDED = {"too_many"}  # of sockets: there may be room in a while


class Interruption(msgspec.Struct, frozen=True):
    """The connection is lost and is being made again; the next message is a welcome."""

    reason: str


Message = protocol.Welcome | protocol.Update | protocol.Choices | protocol.PresenceUpdate | Interruption

_Told = protocol.Welcome | protocol.Update | protocol.Choices | protocol.PresenceUpdate


class Busy(Exception):
    """The server has no room for this socket just now."""


class Stream:
    """One table as a socket tells of it. Whatever is lost, the next welcome has it all."""

    def __init__(self, token: str | None, *, pictures: bool, state: bool) -> None:
        self._hello = protocol.Hello(token=token, pictures=pictures, state=state)
        self._number: int | None = None  # of the last entry that is known; None until welcomed
        self.is_lost = False

    def hello(self) -> str:
        """What to say first, and whenever ``is_lost``."""
        self._number = None
        self.is_lost = False
        return msgspec.json.encode(self._hello).decode()

    def hear(self, text: str | bytes) -> Message | None:
        """The message, if it is news. Where one is missing before it, ``is_lost`` is set."""
        message: _Told = _read(_TABLE, text)
        if isinstance(message, protocol.Welcome):
            self._number = message.table.number
        elif self._number is None:
            return None  # what was on its way before the welcome
        elif isinstance(message, protocol.Update):
            if message.number <= self._number:
                return None
            if message.number != self._number + 1:
                self._number, self.is_lost = None, True
                return None
            self._number = message.number
        return message


class LobbyStream:
    """The list of tables as the lobby's socket tells it: each message has all of it, and nothing need be said."""

    is_lost = False

    def hello(self) -> None:
        return None

    def hear(self, text: str | bytes) -> protocol.LobbyView | Interruption | None:
        lobby: protocol.LobbyView = _read(_LOBBY, text)
        return lobby


_TABLE: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_Told | protocol.Bye)
_LOBBY: msgspec.json.Decoder[Any] = msgspec.json.Decoder(protocol.LobbyView | protocol.Bye)


def _read(decoder: msgspec.json.Decoder[Any], text: str | bytes) -> Any:
    """A message; raises why the server closes the socket, for now or for good, if it is that."""
    try:
        message = decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise Unreachable(f"the server says something that this Parlour does not understand ({error})") from error
    if isinstance(message, protocol.Bye):
        raise Busy(message.message) if message.code in LATER | CROWDED else Refused(message.code, message.message)
    return message
