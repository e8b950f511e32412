"""Which checks there are, and how they are run: one after the other, each told in one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from parlour.engine.check import (
    at_once,
    bots,
    compiled,
    lessons,
    narrow,
    observations,
    parts,
    pictures,
    rules,
    secrets,
    telling,
    whole,
)
from parlour.engine.check.blame import blame
from parlour.engine.game import Game


@dataclass(frozen=True)
class Check:
    """``run`` raises where something does not hold. It is tried only where what it ``needs`` has held."""

    run: Callable[[Game], None]
    needs: tuple[str, ...] = ()


PLACE = re.compile(r".* line \d+(?=: )")

# Compiled code checks no bounds: what does not fit its field or its array could end the whole program.
COMPILED = ("fields", "legal set", "compiles")

CHECKS: dict[str, Check] = {
    "parts": Check(parts.check_parts),
    "rulebook": Check(parts.check_rulebook),
    "fields": Check(rules.check_fields),
    "legal set": Check(rules.check_legal),
    "illegal actions": Check(rules.check_illegal),
    "turns": Check(rules.check_turns),
    "clone": Check(rules.check_clone),
    "replay": Check(rules.check_replay),
    "undo": Check(rules.check_undo),
    "conservation": Check(rules.check_conservation),
    "hide": Check(secrets.check_hide, ("fields",)),
    "legal as known": Check(secrets.check_known_legal, ("hide",)),
    "who may act": Check(at_once.check_asked, ("hide",)),
    "choosing in any order": Check(at_once.check_order, ("who may act",)),
    "sealed choices": Check(at_once.check_sealed, ("choosing in any order",)),
    "imagine consistent": Check(secrets.check_consistent, ("hide",)),
    "imagine blind": Check(secrets.check_blind, ("imagine consistent",)),
    "imagine varied": Check(secrets.check_varied, ("imagine consistent",)),
    "doors": Check(secrets.check_doors, ("imagine consistent", "legal as known")),
    "secret events": Check(secrets.check_events, ("imagine consistent",)),
    "observation": Check(observations.check_observation),
    "numbers on a GPU": Check(narrow.check_narrow, ("fields", "legal set")),
    "notation": Check(telling.check_notation),
    "reasons": Check(telling.check_reasons),
    "story and board": Check(telling.check_story),
    "languages": Check(telling.check_languages),
    "picture": Check(pictures.check_picture),
    "whole matches": Check(whole.check_whole, ("picture", "reasons", "story and board")),
    "lesson": Check(lessons.check_lesson),
    "bots": Check(bots.check_bots),
    "compiles": Check(compiled.check_compiles),
    "interpreted = compiled": Check(compiled.check_compiled, COMPILED),
    "scores and winners": Check(compiled.check_results, COMPILED),
    "observation compiled": Check(observations.check_observation_compiled, (*COMPILED, "observation")),
    "secrets compiled": Check(secrets.check_secrets_compiled, (*COMPILED, "imagine consistent")),
    "termination": Check(whole.check_termination, COMPILED),
}


@dataclass(frozen=True)
class CheckResult:
    """What came of a check: nothing wrong, or one line that says what; ``tried`` is whether it was run at all."""

    title: str
    problem: str = ""
    tried: bool = True


def run(game: Game) -> Iterator[CheckResult]:
    """All checks, whatever comes of each."""
    failed: dict[str, str] = {}  # where each failure is, as far as that is known
    for title, check in CHECKS.items():
        missing = [need for need in check.needs if need in failed]
        problem = f"not tried, because this check failed: {', '.join(missing)}" if missing else _problem(check, game)
        if problem:
            place = PLACE.match(problem)
            there = place[0] if place else problem.partition(" (")[0]
            same = next((other for other, known in failed.items() if known == there and not missing), "")
            failed[title] = there
            problem = f"for the same reason as {same}" if same else problem
        yield CheckResult(title, problem, tried=not missing)


def _problem(check: Check, game: Game) -> str:
    try:
        check.run(game)
    except Exception as error:
        return blame(game, error)
    return ""
