"""``parlour check`` finds what a game with secrets would tell, by name: each mistake is planted in Kuhn poker."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import kuhn
import pytest

from parlour.engine import UNKNOWN, Event, Game, Match, Seat, below, event, rule
from parlour.engine import match as match_module
from parlour.engine.check import CHECKS
from parlour.engine.secrets import hidden
from parlour.engine.seen import Seen
from parlour.engine.state import i8

TITLES = (
    *("hide", "legal as known", "imagine consistent", "imagine blind", "imagine varied"),
    *("doors", "secret events", "secrets compiled"),
)


def problem(game: Game, title: str) -> str:
    """What one check says."""
    try:
        CHECKS[title].run(game)
    except Exception as error:
        return str(error)
    return ""


@pytest.mark.parametrize("title", TITLES)
def test_a_sound_game_passes(title: str) -> None:
    assert problem(kuhn.GAME, title) == ""


def changed(**rules: Any) -> Game:
    return dataclasses.replace(kuhn.GAME, **rules)


def toggles(state, seat):
    for other in range(2):
        if other != seat:
            state.card[other] = UNKNOWN if state.card[other] != UNKNOWN else 0


def forgets_turns(state, seat):
    kuhn.hide(state, seat)
    state.turns = 0


def tells_watchers(state, seat):
    if seat >= 0:
        kuhn.hide(state, seat)


def tells_too_large(state, seat):
    kuhn.hide(state, seat)
    state.paid[0] = 1000


def fails_late(state, seat):
    kuhn.hide(state, seat)
    state.card[seat + state.ply] += 0


def legal_by_the_other(state, actions):
    actions[0] = kuhn.PASS if state.card[1 - state.to_move] < 2 else kuhn.BET
    return 1


def changes_what_is_known(state, seat, chance):
    kuhn.imagine(state, seat, chance)
    if seat >= 0 and state.card[seat] == state.card[1 - seat]:
        state.card[1 - seat] = below(chance, 3)
    state.card[0] = (state.card[0] + 1) % 3


def imagines_two_of_a_kind(state, seat, chance):
    for other in range(2):
        if state.card[other] == UNKNOWN:
            state.card[other] = 0


def never_kings(state, seat, chance):
    kuhn.imagine(state, seat, chance)
    if seat < 0 and state.card[0] == 2:
        state.card[0], state.card[1] = state.card[1], 2


def rather_low(state, seat, chance):
    kuhn.imagine(state, seat, chance)
    if seat >= 0 and state.card[1 - seat] == 2 and below(chance, 2):
        state.card[1 - seat] = 0 if state.card[seat] == 1 else 1


MEMORY = [0, 0]


def remembers(state, chance, journal=None):
    kuhn.setup(state, chance, journal)
    MEMORY[:] = state.card


def knows_the_truth(state, seat, chance):
    for other in range(2):
        if state.card[other] == UNKNOWN:
            state.card[other] = MEMORY[other]


@event
class DealtOpenly(Event):
    words = "{seat} is dealt the {card}"
    seat: Seat
    card: int


@event
class PassedSadly(Event):
    words = "{seat} passes with card {card}"
    seat: Seat
    card: int


def deals_openly(state, chance, journal=None):
    kuhn.setup(state, chance, None)
    if journal is not None:
        journal.extend(DealtOpenly(seat, state.card[seat]) for seat in range(2))


def passes_sadly(state, action, chance, journal=None):
    seat = state.to_move
    kuhn.apply(state, action, chance, None)
    if journal is not None:
        journal.append(PassedSadly(seat, state.card[seat]))


def tells_only_kings(state, action, chance, journal=None):
    seat = state.to_move
    kuhn.apply(state, action, chance, None)
    if journal is not None:
        journal.extend([kuhn.Passed(seat)] * (1 + (state.card[seat] == 2)))


@rule
def does_not_compile(state, seat):
    for other in {0, 1} - {seat}:
        state.card[other] = UNKNOWN if isinstance(state, object) else "?"


MISTAKES: dict[str, tuple[str, Game, str]] = {
    "hide is not idempotent": ("hide", changed(hide=toggles), "hide is not idempotent: .* card is another"),
    "hide changes the header": ("hide", changed(hide=forgets_turns), "hide changes turns, which everybody knows"),
    "watchers see all": ("hide", changed(hide=tells_watchers), "hide tells whoever watches card, which seat 0"),
    "hide writes too much": ("hide", changed(hide=tells_too_large), "paid cannot hold 1000|cannot hold 1000"),
    "hide is not total": (
        "hide",
        changed(hide=fails_late),
        r"card\[-1\] is not one .* \(ply 0, seed 0, 2 seats\)",
    ),
    "legal by secrets": ("legal as known", changed(legal=legal_by_the_other), "legal tells seat [01] a secret: action"),
    "imagine changes what is known": (
        "imagine consistent",
        changed(imagine=changes_what_is_known),
        "imagine is not consistent: to seat 0, card looks different",
    ),
    "always the same world": (
        "imagine varied",
        changed(imagine=imagines_two_of_a_kind),
        "imagine is not varied: whoever watches always imagines the same",
    ),
    "a world is missing": (
        "imagine varied",
        changed(imagine=never_kings),
        r"imagine is not varied: whoever watches never imagines card=\[2, [01]\], which is dealt \(2 seats\)",
    ),
    "an unfair world": ("imagine varied", changed(imagine=rather_low), "imagine is not fair: to seat [01]"),
    "imagine knows the truth": (
        "imagine blind",
        changed(setup=remembers, imagine=knows_the_truth),
        "imagine is not blind: the same draws gave whoever watches another card after another match",
    ),
    "a deal told to all": (
        "secret events",
        changed(setup=deals_openly),
        "event DealtOpenly tells whoever watches what it may not know: is a field Secret",
    ),
    "an action that tells the card": (
        "secret events",
        changed(apply=passes_sadly),
        "event PassedSadly tells .* what it may not know",
    ),
    "an event that only kings have": (
        "secret events",
        changed(apply=tells_only_kings),
        "that an event is told at all tells .* what it may not know",
    ),
    "hide that does not compile": (
        "secrets compiled",
        changed(hide=does_not_compile),
        "hide or imagine does not compile: ",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found_by_name(mistake: str) -> None:
    title, game, words = MISTAKES[mistake]
    assert re.search(words, problem(game, title))


# The engine's own mistakes: a door that forgets to hide.


@pytest.mark.parametrize("door", ["board", "scene", "repr"])
def test_a_door_that_forgets_to_hide_is_found(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    truths: list[Match] = []
    seen_by = Match.seen_by

    def spied(match: Match, seat: int | None) -> Seen:
        truths[:] = [match]
        return seen_by(match, seat)

    def board(seen: Seen, *, ascii: bool = False) -> Any:
        return seen.game.looks.board(truths[0].state, ascii=ascii)

    planted: dict[str, tuple[str, Any, str]] = {
        "board": ("board", board, "the board shows"),
        "scene": ("scene", property(lambda seen: str(truths[0].state)), "the picture shows"),
        "repr": ("__repr__", lambda seen: str(truths[0].state), "repr shows"),
    }
    name, leak, words = planted[door]
    monkeypatch.setattr(Match, "seen_by", spied)
    monkeypatch.setattr(Seen, name, leak)
    assert words in problem(kuhn.GAME, "doors")


def test_a_match_that_is_not_hidden_at_all_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = hidden
    monkeypatch.setattr(match_module, "hidden", lambda game, state, seat: state.copy())
    assert "the state shows" in problem(kuhn.GAME, "doors")
    monkeypatch.setattr(match_module, "hidden", real)
    monkeypatch.setattr(match_module, "_known_ply", lambda ply, seat: ply)
    assert problem(changed(apply=passes_sadly), "doors") == ""  # the same history for every world
    assert "event PassedSadly" in problem(changed(apply=passes_sadly), "secret events")


def test_a_derived_field_that_gives_it_away_is_found() -> None:
    """A field that follows from a secret is a secret, too."""

    def deals(state: Any, chance: Any, journal: Any = None) -> None:
        kuhn.setup(state, chance, journal)
        state.sum = sum(state.card)

    leaky = changed(fields={**kuhn.FIELDS, "sum": i8}, setup=deals)
    said = problem(leaky, "imagine varied")
    assert "imagine is not varied" in said or "never imagines" in said or "not fair" in said
