"""Logs: a line for people in a terminal, JSON elsewhere. Tokens never get here: they travel in headers and messages.

Lines have texts from outside in them, such as paths. Whatever these are, a line stays one, and no terminal obeys it.
"""

from __future__ import annotations

import hmac
import json
import logging
import sys
import threading
import time
from collections import Counter
from contextvars import Context, ContextVar
from types import TracebackType
from typing import TextIO

ANSWERED = "%s %s %s in %.0f ms"
REFUSED = ANSWERED + ": refused"
MOST_OF_A_KIND = 500  # lines a second
MOST = {REFUSED: 10}

REQUEST: ContextVar[str] = ContextVar("request", default="")
MATCH: ContextVar[str] = ContextVar("match", default="")
ADDRESS: ContextVar[str] = ContextVar("address", default="")


DETAILS = "details"  # of a record: what a line of JSON has besides the rest


def with_details(**details: object) -> dict[str, object]:
    """What a line of JSON is to have besides the rest, as ``extra`` of a call that logs."""
    return {DETAILS: details}


def about(*, request: str, match: str, address: str) -> None:
    """What the lines that follow are about."""
    REQUEST.set(request)
    MATCH.set(match)
    ADDRESS.set(address)


def hashed(address: str, key: str) -> str:
    """What stands for an address where addresses are not to be seen."""
    return f"hash:{hmac.digest(key.encode(), address.encode(), 'sha256')[:8].hex()}"


class Lines(logging.Formatter):
    """With a ``key``, a line has a keyed hash in place of an address: whoever lacks the key cannot try them all."""

    def __init__(self, key: str = "") -> None:
        super().__init__()
        self._key = key

    def _address(self) -> str:
        address = ADDRESS.get()
        return hashed(address, self._key) if self._key and address else address


# Our own: a library's formatter would be longer to set up than this one is, and is one thing more to keep up to date.
class Json(Lines):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "worker": record.process,
            "request": REQUEST.get(),
            "match": MATCH.get(),
            "address": self._address(),
            **getattr(record, DETAILS, {}),
            "error": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return json.dumps({key: value for key, value in line.items() if value != ""})


class Sampled(logging.StreamHandler[TextIO]):
    """Of the lines of one kind, so many a second are written, and then one that says how many more there were.

    Whoever sends requests without end would otherwise fill the disk, and the server would do little else than write.
    """

    def __init__(self) -> None:
        super().__init__()
        self._second = 0
        self._counts: Counter[tuple[str, int]] = Counter()  # of the lines in this second, by kind
        self._last: dict[tuple[str, int], logging.LogRecord] = {}  # that was left out, of each kind

    def emit(self, record: logging.LogRecord) -> None:
        if int(record.created) != self._second:
            self._begin(int(record.created))
        kind = str(record.msg), record.levelno
        self._counts[kind] += 1
        if self._counts[kind] <= _most(kind):
            super().emit(record)
        else:
            self._last[kind] = record

    def tell_left_out(self) -> None:
        """Write what is left to say of a second that is over. To be called now and then."""
        self.acquire()
        try:
            if int(time.time()) != self._second:
                self._begin(int(time.time()))
        finally:
            self.release()

    def _begin(self, second: int) -> None:
        write = super().emit
        for kind, last in self._last.items():
            text = f"{self._counts[kind] - _most(kind)} more lines like this one: {last.getMessage()}"
            record = logging.LogRecord(last.name, last.levelno, last.pathname, last.lineno, text, None, None)
            Context().run(write, record)  # it is not about the request that is answered just now
        self._second = second
        self._counts.clear()
        self._last.clear()


def _most(kind: tuple[str, int]) -> int:
    return MOST.get(kind[0], MOST_OF_A_KIND)


class Text(Lines):
    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        line = f"{at} {record.levelname.lower():7} {record.getMessage()}"
        parts = {"request": REQUEST.get(), "match": MATCH.get(), "address": self._address()}
        about = " ".join(f"{key}={value}" for key, value in parts.items() if value)
        line = harmless(f"{line}  [{about}]" if about else line)
        if record.exc_info:
            lines = self.formatException(record.exc_info).split("\n")
            line = "\n    ".join([line, *map(harmless, lines)])
        return line


def harmless(text: str) -> str:
    """The text in one line, with everything spelled out that is not shown as it is."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def set_up(style: str, key: str = "", level: str = "info") -> None:
    """Logs to standard error, in the style that was asked for; ``key`` is what addresses are hashed with, if at all."""
    handler = Sampled()
    handler.setFormatter((Text if style_or_default(style) == "text" else Json)(key))
    least = logging.getLevelNamesMapping()[level.upper()]
    handler.setLevel(least)
    logging.basicConfig(level=max(least, logging.INFO), handlers=[handler], force=True)
    logging.getLogger("parlour").setLevel(least)  # what libraries say at the level of debug is for who works on them
    logging.captureWarnings(True)
    # Where in the code a line is written, and by which thread, is in none of ours, and takes longer than to write it.
    logging._srcfile, logging.logThreads = None, False
    sys.excepthook = _note_end
    threading.excepthook = lambda ended: _note_end(ended.exc_type, ended.exc_value, ended.exc_traceback)
    for noisy in ("alembic", "httpx", "uvicorn.error"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


async def tell_left_out() -> None:
    for handler in logging.getLogger().handlers:
        if isinstance(handler, Sampled):
            handler.tell_left_out()


def style_or_default(style: str) -> str:
    return style or ("text" if sys.stderr.isatty() else "json")


def _note_end(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    logging.getLogger("parlour.server").critical("this ended unexpectedly", exc_info=(kind, error or kind(), trace))
