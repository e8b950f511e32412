"""Logs: a line for people in a terminal, JSON elsewhere. Tokens never get here: they travel in headers and messages."""

from __future__ import annotations

import json
import logging
import sys
import time
from contextvars import ContextVar

REQUEST: ContextVar[str] = ContextVar("request", default="")
MATCH: ContextVar[str] = ContextVar("match", default="")


class Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": REQUEST.get() or None,
            "match": MATCH.get() or None,
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        return json.dumps({key: value for key, value in line.items() if value is not None}, ensure_ascii=False)


class Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        told = f"{at} {record.levelname.lower():7} {record.getMessage()}"
        about = " ".join(
            f"{key}={value}" for key, value in (("request", REQUEST.get()), ("match", MATCH.get())) if value
        )
        told += f"  [{about}]" if about else ""
        return f"{told}\n{self.formatException(record.exc_info)}" if record.exc_info else told


def set_up(style: str) -> None:
    """Logs to standard error, in the style that was asked for."""
    if not style:
        style = "text" if sys.stderr.isatty() else "json"
    handler = logging.StreamHandler()
    handler.setFormatter(Text() if style == "text" else Json())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for noisy in ("alembic", "uvicorn.access", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
