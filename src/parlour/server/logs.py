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
from contextvars import ContextVar
from types import TracebackType

REQUEST: ContextVar[str] = ContextVar("request", default="")
MATCH: ContextVar[str] = ContextVar("match", default="")
ADDRESS: ContextVar[str] = ContextVar("address", default="")


def about(*, request: str, match: str, address: str) -> None:
    """What the lines that follow are about."""
    REQUEST.set(request)
    MATCH.set(match)
    ADDRESS.set(address)


# Our own: a library's formatter would be longer to set up than this one is, and is one thing more to keep up to date.
class Json(logging.Formatter):
    """With a ``key``, a line has a keyed hash in place of an address: whoever lacks the key cannot try them all."""

    def __init__(self, key: str = "") -> None:
        super().__init__()
        self._key = key.encode()

    def _address(self) -> str:
        address = ADDRESS.get()
        if not self._key or not address:
            return address
        return f"hash:{hmac.digest(self._key, address.encode(), 'sha256')[:8].hex()}"

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
            "error": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return json.dumps({key: value for key, value in line.items() if value != ""})


class Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        told = f"{at} {record.levelname.lower():7} {record.getMessage()}"
        parts = {"request": REQUEST.get(), "match": MATCH.get()}
        about = " ".join(f"{key}={value}" for key, value in parts.items() if value)
        told = harmless(f"{told}  [{about}]" if about else told)
        if record.exc_info:
            lines = self.formatException(record.exc_info).split("\n")
            told = "\n    ".join([told, *map(harmless, lines)])
        return told


def harmless(text: str) -> str:
    """The text in one line, with everything spelled out that is not shown as it is."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def set_up(style: str, key: str = "") -> None:
    """Logs to standard error, in the style that was asked for; ``key`` is what addresses are hashed with, if at all."""
    handler = logging.StreamHandler()
    handler.setFormatter(Text() if settled(style) == "text" else Json(key))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.captureWarnings(True)
    sys.excepthook = _note_end
    threading.excepthook = lambda ended: _note_end(ended.exc_type, ended.exc_value, ended.exc_traceback)
    for noisy in ("alembic", "httpx", "uvicorn.error"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def settled(style: str) -> str:
    return style or ("text" if sys.stderr.isatty() else "json")


def _note_end(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    logging.getLogger("parlour.server").critical("this ended unexpectedly", exc_info=(kind, error or kind(), trace))
