"""Boxed bots for tests: questions to ask them, and ways to see that nothing of them is left."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

import parlour
from parlour.bots import Decision, TimeLimit
from parlour.bots.box import BotFault, BotLimits, BoxedBot
from parlour.engine import registry
from parlour.engine.chance import Chance

GAME = registry.get("choccer")
QUICK = BotLimits(seconds=1.0, bank=0.0, start=10.0)
MIB = 1 << 20

# A program that says what is in files.
READING = """
import json, os, sys
def read(path):
    try:
        with open(path) as file: return file.read()
    except OSError: return "nothing"
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello": print('{{"protocol": 1}}', flush=True)
    if message["type"] == "ask":
        print(*[read(path) for path in {paths!r}], sep="|", file=sys.stderr, flush=True)
        print(json.dumps({{"action": message["legal"][0]}}), flush=True)
"""

Make = Callable[..., BoxedBot]


class MakeProgram(Protocol):
    """Makes a program of what it does when asked; ``answer`` is the statement that answers legally."""

    answer: str

    def __call__(self, ask: str, limits: BotLimits = ...) -> BoxedBot: ...


def decision(seed: int = 1, clock: TimeLimit | None = None, plies: int = 0) -> Decision:
    match = parlour.new(GAME, seed=seed)
    for _ in range(plies):
        match.play(match.legal()[0])
    return Decision(
        GAME, match.state.copy(), match.legal(), Chance([seed, 2, 3, 4]), clock or TimeLimit(), match.actions
    )


def running(temp: Path) -> list[int]:
    """The processes anywhere on the machine that work in a bot's folder, be it removed or not."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if _is_bot(process, temp):
                found.append(int(process.name))
    return found


def _is_bot(process: Path, temp: Path) -> bool:
    """By any of its tasks: the first may have ended."""
    return any(_is_task_of_bot(task, temp) for task in (process / "task").iterdir())


def _is_task_of_bot(task: Path, temp: Path) -> bool:
    try:
        return str((task / "cwd").readlink()).startswith(f"{temp}/parlour-bot-")
    except FileNotFoundError:  # it has ended
        return False
    except PermissionError:  # an ordinary user may not look there, but may see names
        lines = (line.split() for line in (task / "status").read_text(errors="replace").splitlines())
        status = {words[0]: words[1:] for words in lines if words}
        is_namespaced = len(status["NSpid:"]) > 1 and status["Name:"] != ["parlour-init"]
        is_bot = status["Name:"] == ["parlour-bot"] or is_namespaced
        return is_bot and status["Uid:"][0] == str(os.getuid()) and status["State:"][0] != "Z"


def assert_idle(temp: Path, at_least: int) -> None:
    """Of half a second, all of them together use next to nothing."""
    time.sleep(0.1)
    before = cpu_time(temp)
    assert len(before) >= at_least, "there is nobody to look at"
    time.sleep(0.5)
    after = cpu_time(temp)
    assert sum(after.values()) - sum(before.values()) < 0.05, (before, after)
    assert after.keys() == before.keys()


def cpu_time(temp: Path) -> dict[int, float]:
    """Seconds of CPU time by process; (~pid << 3) | 2 is how Linux names the CPU clock of another process."""
    return {pid: time.clock_gettime((~pid << 3) | 2) for pid in running(temp)}


def zombies() -> set[str]:
    """The children of this process that have ended, and that nobody has waited for."""
    ours = ["ps", "-o", "stat=,pid=,args=", "--ppid", str(os.getpid())]
    listed = subprocess.run(ours, capture_output=True, text=True)
    return {line for line in listed.stdout.splitlines() if line.startswith("Z")}


def fault(bot: BoxedBot, **more: object) -> BotFault:
    with pytest.raises(BotFault) as caught:
        bot.choose(decision(**more))  # type: ignore[arg-type]
    return caught.value
