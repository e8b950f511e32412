"""Finding out what protection this machine gives: by starting a process that has nothing to do in a sandbox."""

from __future__ import annotations

import sys

from parlour.bots.box.limits import BotLimits
from parlour.bots.box.process.launch import Launch
from parlour.bots.box.process.sandboxed import SandboxedProcess
from parlour.bots.box.sandbox.protection import Protection, in_words


def protection(*, program: bool = False) -> Protection:
    """What bot files, or programs, are kept from here and now: tried out, with one sentence for each promise."""
    limits = BotLimits().to_json()
    nothing = Launch(limits, command=(sys.executable, "-V")) if program else Launch(limits, entry="builtins:bool")
    process = SandboxedProcess(nothing)
    try:
        process.wait_for_report()
        return in_words(process.kept)
    finally:
        process.close()
