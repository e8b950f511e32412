"""A bot in its box, as the rest of Parlour sees it: something that chooses, and faults that have names."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from parlour.bots.box.answers import PROTOCOL, action_in, check_welcome, is_for, parse
from parlour.bots.box.connection import Connection, StderrLog
from parlour.bots.box.limits import BotLimits
from parlour.bots.box.own_numbers import own_numbers
from parlour.bots.box.process.sandboxed import SandboxedProcess
from parlour.bots.box.sandbox.protection import Protection, in_words
from parlour.bots.box.sources import Source
from parlour.bots.faults import CRASHED, ILLEGAL, TIMEOUT, BadBot, BotFault, CpuTimeSpent
from parlour.engine import registry
from parlour.engine.bots import Decision
from parlour.engine.chance import FOUR_WORDS, Chance
from parlour.engine.game import Game


class BoxedBot:
    """A bot file or a program, in a process of its own. Close it when the match is over, or use it in a ``with``.

    ``choose`` raises BotFault for whatever the bot does wrong. After an illegal answer it can be asked again as if
    nothing had happened; after a timeout it is started anew for the next question; after any other fault, and once
    its CPU time is spent, it stays ended and every further question gets the same fault.
    """

    def __init__(
        self, game: Game, source: Source, limits: BotLimits | None = None, *, without: Collection[str] = ()
    ) -> None:
        self.game = registry.get(game.name)  # in its own process the bot gets the game by name
        self.source = source
        self.limits = limits or BotLimits()
        self.without = tuple(without)
        self.taken = 0.0  # seconds that the last answer took
        self._errors = StderrLog()
        self._connection: Connection | None = None
        self._kept: dict[str, bool] = {}
        self._number = 0
        self._told: list[int] | None = None  # the actions that the running bot knows; None before its match begins
        self._drawn = 0.0  # seconds taken from the bank
        self._final: BotFault | None = None

    @property
    def stderr(self) -> str:
        """The end of what the bot has written to standard error, over all its processes."""
        if self._connection is not None:
            with contextlib.suppress(BotFault):
                self._connection.drain()
        return self._errors.text

    @property
    def protection(self) -> Protection:
        """What this bot is kept from, as tried out by its process when it started; starts it if need be."""
        self.start()
        return in_words(self._kept)

    def start(self) -> None:
        """Start the process and load the bot, unless that is done. BadBot: it cannot be used; BotFault: it failed."""
        if self._final:
            raise self._final
        if self._connection is not None:
            return
        self._connection = self._launch()
        try:
            hello = {"type": "hello", "protocol": PROTOCOL, "game": self.game.name}
            self._connection.send(_line(hello))
            with self._connection.running():
                welcome = parse(self._connection.listen(time.monotonic() + self.limits.start))
            check_welcome(welcome, self.game.name)
        except BotFault as fault:
            detail = f"it was not ready after {self.limits.start:g} s" if fault.status == TIMEOUT else fault.detail
            self._final = BotFault(fault.status, f"when started: {detail}")
            self.close()
            raise self._final from None
        except BadBot as error:
            self.close()
            raise BadBot(f"{self.source.name}: {error}") from None

    def choose(self, decision: Decision) -> int:
        """The bot's choice, which is legal, or BotFault."""
        self.taken = 0.0
        try:
            self.start()
        except BadBot as error:
            self._final = BotFault(CRASHED, str(error))
            raise self._final from None
        try:
            return self._ask(decision)
        except BotFault as fault:
            self._note(fault)
            raise

    def _ask(self, decision: Decision) -> int:
        assert self._connection is not None
        self._number += 1
        lanes = _own_lanes(decision.chance)
        if self._told is None:
            self._connection.send(_line(self._announcement(decision, lanes)))
        seconds, bank = self._time(decision)
        self._connection.send(_line(self._question(decision, lanes, seconds, bank)))
        began = time.monotonic()
        try:
            with self._connection.running():
                answer = self._hear_answer(self._connection, began + seconds + bank)
            return action_in(answer, self.game, decision.state, decision.legal)
        finally:
            self.taken = time.monotonic() - began
            self._drawn += max(0.0, self.taken - seconds)

    def _hear_answer(self, connection: Connection, deadline: float) -> dict[str, Any]:
        """The answer to the last question; those to earlier ones are passed over."""
        while True:
            answer = parse(connection.listen(deadline))
            if is_for(answer, self._number):
                return answer

    def _time(self, decision: Decision) -> tuple[float, float]:
        """Seconds for this action, and what is left of the bank."""
        clock = decision.clock
        seconds, bank = (
            (self.limits.seconds, self.limits.bank) if clock.seconds is None else (clock.seconds, clock.bank)
        )
        return seconds, max(0.0, bank - self._drawn)

    def _announcement(self, decision: Decision, lanes: list[int]) -> dict[str, Any]:
        self._told = []
        state = decision.state
        options = {option.name: getattr(state, option.name) for option in self.game.options}
        return {
            "type": "match",
            "game": self.game.name,
            "options": options,
            "seats": state.seats,
            "seat": state.to_move,
            "seed": _seed(lanes),
        }

    def _question(self, decision: Decision, lanes: list[int], seconds: float, bank: float) -> dict[str, Any]:
        state, actions = decision.state, list(decision.actions)
        known = self._told or []
        kept = len(known) if actions[: len(known)] == known else 0
        self._told = actions
        question = {
            "type": "ask",
            "ask": self._number,
            "seat": state.to_move,
            "state": {name: getattr(state, name) for name in state.layout.fields},
            "legal": list(decision.legal),
            "clock": {"seconds": seconds, "bank": round(bank, 3)},
            "kept": kept,
            "played": actions[kept:],
            "chance": lanes,
        }
        if self.source.is_program:
            question["texts"] = [decision.text(action) for action in decision.legal]
        return question

    def _note(self, fault: BotFault) -> None:
        """What a fault means for the questions to come: see the class."""
        if fault.status == ILLEGAL:
            return
        self.close()
        if fault.status != TIMEOUT or isinstance(fault, CpuTimeSpent):
            self._final = fault

    def _launch(self) -> Connection:
        """A process that has reported what it cannot do; a fork server that is gone is replaced once."""
        launch = replace(self.source.launch(self.game.name, self.limits), without=self.without)
        for _ in range(2):
            process = SandboxedProcess(launch)
            if process.wait_for_report():
                self._kept = process.kept
                return Connection(process, self._errors, self.limits)
            process.close()
        raise BadBot("the process that bots are started from has ended; what it printed says why")

    def close(self) -> None:
        """End the bot and all it started, and remove its folder. It may be closed twice."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._told = None

    def __enter__(self) -> BoxedBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _own_lanes(chance: Chance) -> list[int]:
    """A generator for the bot: fixed by the decision's, from which nothing can be learned about that one."""
    drawn = ",".join(str(chance.below(1 << 30)) for _ in range(8))
    lanes = list(FOUR_WORDS.unpack_from(own_numbers(f"choice:{drawn}")))
    return [lanes[0] | 1, *lanes[1:]]


def _seed(lanes: list[int]) -> int:
    """Where the bot's own generators begin, of 53 bits: so many every language reads as they are."""
    return int.from_bytes(own_numbers(f"match:{lanes}")[:8], "little") >> 11
