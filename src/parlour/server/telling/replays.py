"""Replay files of any kind, as people look at them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from parlour import protocol
from parlour.engine import replay
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.server.basics.errors import Refusal
from parlour.server.tables import frames
from parlour.server.telling import curve, foreign, summary

LONGEST = 20_000  # actions


@contextmanager
def refusing() -> Iterator[None]:
    """What is wrong with a replay is said as a refusal."""
    try:
        yield
    except Refusal:
        raise
    except ParlourError as error:
        raise Refusal("bad_request", str(error)) from error


def in_words(file: bytes) -> protocol.Summary:
    if (shown := summary.of_foreign(file)) is not None:
        return shown
    return summary.of_replay(*read_replay(file))


def cut(file: bytes, first: int, count: int) -> protocol.Frames:
    if (shown := foreign.cut(file, first, count)) is not None:
        return shown
    return frames.cut(read_replay(file)[1], first, count)


def read_replay(file: bytes) -> tuple[replay.Replay, Match]:
    """A replay, and its match."""
    content = replay.loads(file, "the file")
    if len(content.actions) > LONGEST:
        raise Refusal("too_large", f"a replay of more than {LONGEST} actions is too long to be shown here")
    return content, _run(file)


@lru_cache(maxsize=4)
def _run(file: bytes) -> Match:
    """The match of a replay. It is cached, because people go back and forth in it."""
    return replay.run(replay.loads(file, "the file"), "the file")


def chances(file: bytes) -> protocol.Curve:
    """How likely each seat was to win, ply by ply."""
    if (found := foreign.read(file)) is not None:
        return curve.of_foreign(*found)
    return curve.of_match(read_replay(file)[1])
