"""Bot files and programs as bots, each in a process of its own in a sandbox of whatever layers the system offers.

BoxedBot(game, source)   something that chooses; BotFault is what it can do wrong
bot_file, command        where a bot comes from
make_ready               starts bots before a match; BadBot says in one line which cannot be used
close_all, last_words     for the end of a match
BotLimits                time, memory and the like
SandboxedProcess         a program or a Python function in the same sandbox, for whoever speaks to it in another way;
                         Launch says what to start, ForkServer from which process
protection()             what the sandbox on this machine is good for
"""

from parlour.bots.box.boxed import BoxedBot
from parlour.bots.box.lifecycle import close_all, last_words, make_ready
from parlour.bots.box.limits import BotLimits
from parlour.bots.box.probe import protection
from parlour.bots.box.process.forkserver import ForkServer
from parlour.bots.box.process.launch import Launch
from parlour.bots.box.process.sandboxed import SandboxedProcess
from parlour.bots.box.sandbox.protection import Protection
from parlour.bots.box.sources import Source, bot_file, command
from parlour.bots.faults import STATUSES, BadBot, BotFault

__all__ = [
    "STATUSES",
    "BadBot",
    "BotFault",
    "BotLimits",
    "BoxedBot",
    "ForkServer",
    "Launch",
    "Protection",
    "SandboxedProcess",
    "Source",
    "bot_file",
    "close_all",
    "command",
    "last_words",
    "make_ready",
    "protection",
]
