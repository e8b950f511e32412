"""The referee: asks the bots of one match, and says what a wrong answer costs. This rule stands here and nowhere else.

illegal                     the turn: a random legal action is played instead
timeout                     likewise; the fifth in a match costs the match
crashed, memory, output     the match: what is left of it is played at random, and the seat cannot win
"""

from __future__ import annotations

import operator
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from parlour.bots.box import BoxedBot
from parlour.bots.faults import CRASHED, ILLEGAL, MEMORY, OUTPUT, TIMEOUT, BadBot, BotFault
from parlour.engine.bots import Bot, Decision
from parlour.engine.chance import Chance

Result = TypeVar("Result")


@dataclass(frozen=True)
class Penalties:
    """Every fault costs the turn. ``strikes`` are those that a status counts for; ``most`` of them cost the match."""

    strikes: Mapping[str, int]
    most: int

    def cost_match(self, faults: Mapping[str, int]) -> bool:
        """Whether a seat has lost the match through its faults, so many of each status."""
        return sum(self.strikes.get(status, 0) * count for status, count in faults.items()) >= self.most


HANGS = 5  # timeouts that cost the match: each takes others' time, and a bot that is started anew may hang again
PENALTIES = Penalties({TIMEOUT: 1, CRASHED: HANGS, MEMORY: HANGS, OUTPUT: HANGS}, HANGS)


@dataclass(frozen=True)
class Incident:
    """A fault as the referee wrote it down: whose it was, and at which ply of the match."""

    seat: int
    ply: int
    fault: BotFault


@dataclass(frozen=True)
class Ruling:
    """What to play for a seat, and what its bot did wrong, if anything. ``is_out``: that has cost it the match."""

    action: int
    fault: BotFault | None = None
    is_out: bool = False


class Referee:
    """What the bots of one match have done so far. Lists go by seat."""

    def __init__(self, seats: int, penalties: Penalties = PENALTIES) -> None:
        self.penalties = penalties
        self.incidents: list[Incident] = []
        self.out: set[int] = set()  # the seats that have lost the match through faults
        self.asked = [0] * seats
        self.seconds = [0.0] * seats  # how long each has thought
        self._faults: defaultdict[int, Counter[str]] = defaultdict(Counter)

    def ask(
        self, seat: int, bot: Bot | None, decision: Decision, substitute: Callable[[], Chance] | None = None
    ) -> Ruling:
        """What the bot chooses. For one at fault, and for one that is out or missing, chance does.

        ``substitute`` makes the generator for that; without it, the decision's own is used.
        """
        fault: BotFault | None = None
        if bot is not None and seat not in self.out:
            start = bot.start if isinstance(bot, BoxedBot) else None
            try:
                return Ruling(self.hear(seat, len(decision.actions), lambda: choose(bot, decision), start))
            except BotFault as raised:
                fault = raised
        chance = substitute() if substitute else decision.chance
        return Ruling(decision.legal[chance.below(len(decision.legal))], fault, is_out=seat in self.out)

    def hear(
        self, seat: int, ply: int, answer: Callable[[], Result], start: Callable[[], None] | None = None
    ) -> Result:
        """What ``answer`` returns. A fault is written down, and raised as a BotFault. Starting takes no time."""
        self.asked[seat] += 1
        try:
            if start is not None:
                start()
            began = time.perf_counter()
            try:
                return answer()
            finally:
                self.seconds[seat] += time.perf_counter() - began
        except BaseException as error:
            fault = fault_of(error)
            self.blame(seat, ply, fault)
            raise fault from error

    def blame(self, seat: int, ply: int, fault: BotFault) -> None:
        """Write down a fault, and put the seat out of the match if that was one too many."""
        self.incidents.append(Incident(seat, ply, fault))
        self._faults[seat][fault.status] += 1
        if self.penalties.cost_match(self._faults[seat]):
            self.out.add(seat)


def choose(bot: Bot, decision: Decision) -> int:
    """The bot's answer, if it is a legal action."""
    answer: object = bot.choose(decision)
    try:
        action = operator.index(answer)  # type: ignore[arg-type]
    except TypeError:
        raise BotFault(ILLEGAL, f"answered {answer!r:.60}, which is not an action") from None
    if isinstance(answer, bool) or action not in decision.legal:
        raise BotFault(ILLEGAL, f"answered {action}, none of the {len(decision.legal)} legal actions")
    return action


def fault_of(error: BaseException) -> BotFault:
    """What a bot's exception amounts to. The person at the keyboard is not a bot: an interrupt goes on."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, BotFault):
        return error
    if isinstance(error, BadBot):
        return BotFault(CRASHED, str(error))
    status = MEMORY if isinstance(error, MemoryError) else CRASHED
    return BotFault(status, f"{type(error).__name__}: {error}")
