"""Whatever a bot says is an answer, or that bot's own fault."""

from __future__ import annotations

import json
import os
import random
from types import SimpleNamespace
from typing import Any

import pytest

import parlour
from parlour.bots.box.answers import LONGEST, action_in, check_welcome, is_for, parse
from parlour.bots.box.connection import Connection, StderrLog
from parlour.bots.box.limits import BotLimits
from parlour.bots.faults import BadBot, BotFault
from parlour.engine import registry
from parlour.engine.match import Match

DRAWN = 3000
VALUES: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    1.0,
    1.5,
    10**40,
    "",
    "x",
    "pass",
    "roll",
    "\ud800",
    "①",
    "²",
    "\0",
]
VALUES += [[], {}, [[]], {"ask": 1}, ["fault"], "ok", "crashed", "illegal", "choccer", "\x1b[2J", "a\nb", "é" * 300]
KEYS = ["ask", "action", "text", "fault", "detail", "protocol", "game", "unusable", "type", ""]
WHOLE_LINES = [
    b"",
    b"{",
    b"{}",
    b"[]",
    b"null",
    b"\xff\xfe{}",
    b'{"action": 1e999}',
    b'{"action": -Infinity}',
    b"9" * 4000,
]
WHOLE_LINES += ['{"action": 0}'.encode("utf-16"), '{"action": 0}'.encode("utf-8-sig")]
WHOLE_LINES += [b"[" * depth + b"]" * depth for depth in range(880, 1010, 2)]  # somewhere here Python gives up
WHOLE_LINES += [b'{"text":' + b"[" * depth + b"]" * depth + b"}" for depth in range(880, 1010, 2)]
WHOLE_LINES += [b'{"detail":' * 300 + b"1" + b"}" * 300, b'{"fault":' + b"[" * 200 + b"]" * 200 + b"}"]


def lines(match: Match) -> list[bytes]:
    drawn, found = random.Random(match.game.name), WHOLE_LINES[:]
    legal = [match.text(action) for action in match.legal()][:20] or [""]
    while len(found) < DRAWN:
        said = {drawn.choice(KEYS): drawn.choice(VALUES) for _ in range(drawn.randrange(5))}
        if drawn.randrange(3) == 0:
            text = list(drawn.choice(legal))
            for _ in range(drawn.randrange(3)):
                text.insert(drawn.randrange(len(text) + 1), drawn.choice("①²-_ 0٣\0xX,;()"))
            said["text"] = "".join(text)
        line = json.dumps(said).encode()
        if drawn.randrange(8) == 0:
            place = drawn.randrange(len(line))
            line = line[:place] + drawn.randbytes(drawn.randrange(3)) + line[place + 1 :]
        found.append(line.replace(b"\n", b""))
    return found


@pytest.mark.parametrize("name", registry.names())
def test_any_line_is_an_answer_or_a_fault(name: str) -> None:
    match = parlour.new(name, seed=1)
    legal = match.legal()
    found = {"action": 0, "fault": 0, "bad": 0}
    for line in lines(match):
        try:
            answer = parse(line)
            is_for(answer, 1)
            check_welcome(answer, name)
        except BadBot:
            found["bad"] += 1
        except BotFault:
            found["fault"] += 1
        try:
            assert action_in(parse(line), match.game, match.state, legal) in legal
            found["action"] += 1
        except BotFault as fault:
            str(fault).encode("utf-8", "backslashreplace")
            found["fault"] += 1
    assert min(found.values()) > 20, found


@pytest.mark.timeout(60)
def test_whoever_never_stops_writing_keeps_nobody_from_the_clock() -> None:
    """Not even where the limit is so large that it never ends: zeros come as fast as anybody can read them."""
    handles = [
        os.open(device, flags) for device, flags in (("/dev/null", os.O_WRONLY), *[("/dev/zero", os.O_RDONLY)] * 2)
    ]
    process: Any = SimpleNamespace(**dict(zip(("questions", "answers", "errors"), handles, strict=True)))
    process.control = SimpleNamespace(fileno=lambda: handles[0])
    log = StderrLog()
    connection = Connection.__new__(Connection)
    connection.log, connection.limits, connection._process = log, BotLimits(stderr=1 << 50), process
    connection._unsent, connection.longest = b"", LONGEST
    connection.drain()
    connection.send(b"a question\n")
    assert log.total > 0
    for handle in handles:
        os.close(handle)
