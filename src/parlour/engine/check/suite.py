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
from parlour.engine.check.blame import Finding, blame, finding
from parlour.engine.game import Game


@dataclass(frozen=True)
class Check:
    """``run`` raises where something does not hold. It is tried only where what it ``needs`` has held.

    ``about`` is the part of the game, or the file of it, that it is about.
    """

    run: Callable[[Game], None]
    needs: tuple[str, ...] = ()
    about: str = ""


PLACE = re.compile(r".* line \d+(?=: )")

# Compiled code checks no bounds: what does not fit its field or its array could end the whole program.
COMPILED = ("fields", "legal set", "compiles")

CHECKS: dict[str, Check] = {
    "parts": Check(parts.check_parts),
    "rulebook": Check(parts.check_rulebook, about="rulebook.md"),
    "fields": Check(rules.check_fields, about="apply"),
    "legal set": Check(rules.check_legal, about="legal"),
    "illegal actions": Check(rules.check_illegal, about="legal"),
    "turns": Check(rules.check_turns, about="apply"),
    "clone": Check(rules.check_clone, about="apply"),
    "replay": Check(rules.check_replay, about="apply"),
    "undo": Check(rules.check_undo, about="apply"),
    "conservation": Check(rules.check_conservation, about="conserved"),
    "hide": Check(secrets.check_hide, ("fields",), about="hide"),
    "legal as known": Check(secrets.check_known_legal, ("hide",), about="legal"),
    "who may act": Check(at_once.check_asked, ("hide",), about="may_act"),
    "choosing in any order": Check(at_once.check_order, ("who may act",), about="apply"),
    "sealed choices": Check(at_once.check_sealed, ("choosing in any order",), about="apply"),
    "imagine consistent": Check(secrets.check_consistent, ("hide",), about="imagine"),
    "imagine blind": Check(secrets.check_blind, ("imagine consistent",), about="imagine"),
    "imagine varied": Check(secrets.check_varied, ("imagine consistent",), about="imagine"),
    "doors": Check(secrets.check_doors, ("imagine consistent", "legal as known"), about="hide"),
    "secret events": Check(secrets.check_events, ("imagine consistent",), about="hide"),
    "observation": Check(observations.check_observation, about="observe"),
    "numbers on a GPU": Check(narrow.check_narrow, ("fields", "legal set"), about="apply"),
    "notation": Check(telling.check_notation, about="notation"),
    "reasons": Check(telling.check_reasons, about="notation"),
    "story and board": Check(telling.check_story, about="terminal"),
    "languages": Check(telling.check_languages, about="de.po"),
    "picture": Check(pictures.check_picture, about="picture"),
    "whole matches": Check(whole.check_whole, ("picture", "reasons", "story and board"), about="apply"),
    "lesson": Check(lessons.check_lesson, about="lesson.toml"),
    "bots": Check(bots.check_bots, about="bots"),
    "compiles": Check(compiled.check_compiles, about="apply"),
    "interpreted = compiled": Check(compiled.check_compiled, COMPILED, about="apply"),
    "scores and winners": Check(compiled.check_results, COMPILED, about="won"),
    "observation compiled": Check(observations.check_observation_compiled, (*COMPILED, "observation"), about="observe"),
    "secrets compiled": Check(secrets.check_secrets_compiled, (*COMPILED, "imagine consistent"), about="imagine"),
    "termination": Check(whole.check_termination, COMPILED, about="apply"),
}


@dataclass(frozen=True)
class CheckResult:
    """What came of a check: nothing wrong, or one line that says what; ``tried`` is whether it was run at all."""

    title: str
    problem: str = ""
    tried: bool = True
    finding: Finding | None = None  # of a problem that no other check has found before


def run(game: Game) -> Iterator[CheckResult]:
    """All checks, whatever comes of each."""
    failed: dict[str, str] = {}  # where each failure is, as far as that is known
    for title, check in CHECKS.items():
        missing = [need for need in check.needs if need in failed]
        found = None if missing else find(check, game)
        problem = found.words if found else ""
        if missing:
            problem = f"not tried, because this check failed: {', '.join(missing)}"
        if problem:
            place = PLACE.match(problem)
            there = place[0] if place else problem.partition(" (")[0]
            same = next((other for other, known in failed.items() if known == there and not missing), "")
            failed[title] = there
            problem = f"for the same reason as {same}" if same else problem
            found = None if same else found
        yield CheckResult(title, problem, tried=not missing, finding=found)


def find(check: Check, game: Game) -> Finding | None:
    """What one check finds; None where all holds."""
    try:
        check.run(game)
    except Exception as error:
        return finding(game, error, blame(game, error), getattr(game, check.about, check.about))
    return None
