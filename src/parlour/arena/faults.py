"""What a bot can do wrong when it is asked, told apart by status; and what it costs.

illegal, timeout            the turn: a random legal action is played instead
crashed, memory, output     the match: what is left is played at random, and the seat cannot win
"""

from __future__ import annotations

import operator

from parlour.bots import Bot, Decision
from parlour.bots.box import MATCH, BotFault
from parlour.bots.box.faults import CRASHED, ILLEGAL, MEMORY


def ask(bot: Bot, decision: Decision) -> int:
    """The bot's answer, a legal action; a BotFault for anything else."""
    try:
        answer = bot.choose(decision)
    except BaseException as error:
        raise fault_of(error) from error
    return _checked(answer, decision)


def fault_of(error: BaseException) -> BotFault:
    """What a bot's exception amounts to. The person at the keyboard is no bot: an interrupt goes on."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, BotFault):
        return error
    status = MEMORY if isinstance(error, MemoryError) else CRASHED
    return BotFault(status, f"{type(error).__name__}: {error}")


def _checked(answer: object, decision: Decision) -> int:
    try:
        action = operator.index(answer)  # type: ignore[arg-type]
    except TypeError:
        raise BotFault(ILLEGAL, f"answered {answer!r:.60}, which is no action") from None
    if isinstance(answer, bool) or action not in decision.legal:
        raise BotFault(ILLEGAL, f"answered {action}, none of the {len(decision.legal)} legal actions")
    return action


def costs_match(fault: BotFault) -> bool:
    return fault.costs == MATCH
