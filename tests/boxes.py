"""Boxed bots for tests: questions to ask them, and ways to see that nothing of them is left."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import parlour
from parlour.bots import Decision, TimeLimit
from parlour.bots.box import BotFault, BotLimits, BoxedBot
from parlour.engine import registry
from parlour.engine.chance import Chance

GAME = registry.get("choccer")
QUICK = BotLimits(seconds=1.0, bank=0.0, start=10.0)
MIB = 1 << 20

Make = Callable[..., BoxedBot]


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
            if str((process / "cwd").readlink()).startswith(f"{temp}/parlour-bot-"):
                found.append(int(process.name))
    return found


def zombies() -> list[str]:
    listed = subprocess.run(["ps", "-o", "stat=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return [line for line in listed.stdout.splitlines() if line.startswith("Z")]


def fault(bot: BoxedBot, **more: object) -> BotFault:
    with pytest.raises(BotFault) as caught:
        bot.choose(decision(**more))  # type: ignore[arg-type]
    return caught.value
