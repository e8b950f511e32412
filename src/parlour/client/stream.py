"""What a table's socket says, in order and without a gap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from parlour import protocol
from parlour.client.answers import reader, whole
from parlour.client.errors import BadAnswer, Refused
from parlour.client.retry import LATER
from parlour.engine.printable import one_line

CROWDED = {"too_many"}  # of sockets: there may be room in a while
LONGEST = 300  # characters of what a server says about it


class Interruption(msgspec.Struct, frozen=True):
    """The connection is lost and is being made again; the next message is a welcome."""

    reason: str


_Said = protocol.Welcome | protocol.Update | protocol.Choices | protocol.Chances | protocol.PresenceUpdate

Message = _Said | Interruption


class Busy(Exception):
    """The server has no room for this socket just now."""


class Stream:
    """One table as a socket tells of it. Whatever is lost, the next welcome has it all."""

    def __init__(
        self,
        token: str | None,
        *,
        pictures: bool,
        state: bool,
        chances: bool = False,
        pace: protocol.PlayPace = "normal",
    ) -> None:
        self._hello = protocol.Hello(token=token, pictures=pictures, state=state, chances=chances, pace=pace)
        self._number: int | None = None  # of the last entry that is known; None until welcomed
        self._seats: list[protocol.SeatView] = []
        self.is_lost = False

    @property
    def is_waiting(self) -> bool:
        """Whether the server is yet to say how things stand."""
        return self._number is None

    def hello(self) -> str:
        """What to say first, and whenever ``is_lost``."""
        self._number = None
        self.is_lost = False
        return msgspec.json.encode(self._hello).decode()

    def hear(self, text: bytes) -> Message | None:
        """The message, if it is news; updates with all seats. Where one is missing before it, ``is_lost`` is set."""
        message: _Said = _read(_read_table_message, text)
        if isinstance(message, protocol.Welcome):
            self._number, self._seats = message.table.number, message.table.seats
        elif self._number is None:
            return None  # what was on its way before the welcome
        elif isinstance(message, protocol.Update):
            if message.number <= self._number:
                return None
            if message.number != self._number + 1:
                self._number, self.is_lost = None, True
                return None
            update: protocol.Update = _understood(whole, message, self._seats)
            self._number, self._seats = update.number, update.seats
            return update
        return message


class LobbyStream:
    """The list of tables as the lobby's socket tells it: all of it at first, then what changes. It needs no hello."""

    def __init__(self) -> None:
        self._tables: dict[str, protocol.TableLine] = {}
        self.is_waiting = True
        self.is_lost = False

    def hello(self) -> None:
        self.is_waiting = True

    def hear(self, text: bytes) -> protocol.LobbyView | Interruption | None:
        """The whole list, as it is with this message."""
        message: protocol.LobbyView | protocol.LobbyChange = _read(_read_lobby_message, text)
        self.is_waiting = False
        if isinstance(message, protocol.LobbyView):
            self._tables = {}
        else:
            self._tables = {id: line for id, line in self._tables.items() if id not in message.gone}
        self._tables |= {line.id: line for line in message.tables}
        waiting_first = sorted(self._tables.values(), key=lambda line: (line.phase != "open", -line.created))
        return protocol.LobbyView(waiting_first)


_Reader = Callable[[bytes], Any]
_table_messages: Any = _Said | protocol.Bye
_lobby_messages: Any = protocol.LobbyView | protocol.LobbyChange | protocol.Bye
_read_table_message: _Reader = reader(_table_messages)
_read_lobby_message: _Reader = reader(_lobby_messages)


def _read(read: _Reader, text: bytes) -> Any:
    """A message; raises why the server closes the socket, for now or for good, if it is that."""
    message = _understood(read, text)
    if isinstance(message, protocol.Bye):
        if message.code in LATER | CROWDED:
            raise Busy(one_line(message.message, LONGEST))
        raise Refused(message.code, message.message)
    return message


def _understood(read: Callable[..., Any], *said: Any) -> Any:
    try:
        return read(*said)
    except BadAnswer as error:
        raise BadAnswer(f"the server says something that this Parlour does not understand ({error})") from error
