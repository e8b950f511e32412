"""The referee: what a wrong answer costs, for bots in boxes and others alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from boxes import Make, decision
from parlour.bots import Decision
from parlour.bots.faults import FAULTS, BotFault
from parlour.bots.referee import Penalties, Referee
from parlour.engine.chance import Chance


class Chooser:
    def __init__(self, choose: Callable[[Decision], Any]) -> None:
        self.choose = choose


def failing(status: str) -> Chooser:
    def choose(decision: Decision) -> int:
        raise BotFault(status, "as it was told to")

    return Chooser(choose)


@pytest.mark.parametrize("status", FAULTS)
def test_illegal_and_late_answers_cost_the_turn_and_all_others_the_match(status: str) -> None:
    referee = Referee(2)
    ruling = referee.ask(1, failing(status), decision())
    costs_match = status not in ("illegal", "timeout")
    assert ruling.fault is not None
    assert ruling.fault.status == status
    assert ruling.action in decision().legal
    assert ruling.is_out == costs_match
    assert referee.out == ({1} if costs_match else set())


def test_nobody_asks_who_is_out() -> None:
    referee = Referee(2)
    for _ in range(3):
        assert referee.ask(0, failing("crashed"), decision()).is_out
    assert referee.asked == [1, 0]
    assert len(referee.incidents) == 1


def test_hanging_again_and_again_costs_the_match() -> None:
    """Even if the bot answers now and then, and whatever the others do."""
    referee = Referee(2)
    for number in range(1, 6):
        assert referee.ask(0, failing("timeout"), decision()).is_out == (number == 5)
        referee.ask(1, failing("illegal"), decision())
        assert referee.ask(0, Chooser(lambda asked: asked.legal[0]), decision()).is_out == (number == 5)
    assert referee.out == {0}


def test_a_rule_may_forgive_more_than_once() -> None:
    referee = Referee(1, Penalties({"timeout": 1, "crashed": 1}, most=3))
    outs = [
        referee.ask(0, failing(status), decision()).is_out for status in ("timeout", "illegal", "crashed", "timeout")
    ]
    assert outs == [False, False, False, True]


@pytest.mark.parametrize("answer", [None, True, -1, "e4", 1.0, 10**30])
def test_an_answer_is_a_legal_action_or_a_fault(answer: object) -> None:
    ruling = Referee(1).ask(0, Chooser(lambda asked: answer), decision())
    assert ruling.fault is not None
    assert ruling.fault.status == "illegal"


def test_an_interrupt_is_no_fault_of_the_bot() -> None:
    def choose(decision: Decision) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Referee(1).ask(0, Chooser(choose), decision())


def test_the_substitute_is_drawn_from_the_generator_given() -> None:
    asked, given = decision(), Chance.at(7, 0)
    ruling = Referee(1).ask(0, None, asked, lambda: given)
    assert ruling.action == asked.legal[Chance.at(7, 0).below(len(asked.legal))]
    assert (given.draws, asked.chance.draws) == (1, 0)


def test_the_time_of_a_bot_does_not_include_its_start(make: Make) -> None:
    bot = make("import time; time.sleep(0.7)\ndef choose(decision): return decision.legal[0]")
    referee = Referee(2)
    assert referee.ask(0, bot, decision()).fault is None
    assert 0 < referee.seconds[0] < 0.35
