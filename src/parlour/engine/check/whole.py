"""Checks of whole matches: what goes wrong late, or in one match of a thousand.

Compiled, thousands are played to the end, and every ply is looked at; the first that fails is played again interpreted,
where the rule, its clause and the cause can be told. A few more are played interpreted, drawn, told and asked about.
"""

from __future__ import annotations

from typing import Any

from parlour.engine.check.blame import Failed, place_of
from parlour.engine.check.compiled import opened
from parlour.engine.check.matches import TrialMatch, settings
from parlour.engine.check.pictures import check_position
from parlour.engine.check.rules import play_watched
from parlour.engine.check.telling import check_reasons_at
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import Workspace, any_action, jit, over, workspace
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.turns import advance

MATCHES, PLIES = 3_000, 300_000  # that are played compiled, at most
LONGEST = 1_500  # plies of a match that is played interpreted
WAYS = 6  # to play, of which one whole match each is played interpreted
EVERY = 25  # plies, of which one is drawn and asked about

FINE, NO_ACTION, NOT_ASCENDING, OUTSIDE, TOO_MANY, NO_SEAT, ENDLESS = range(7)
SAID = {
    NO_ACTION: "there is no legal action, and the match is not over",
    NOT_ASCENDING: "legal actions are not ascending, or one is there twice",
    OUTSIDE: "an action is legal that action_space does not have",
    TOO_MANY: "more actions are legal than max_actions says",
    NO_SEAT: "a seat is to move that there is not",
    ENDLESS: "the match has no end after {limit} plies",
}


def make_probe(game: Game) -> Any:
    """(rows, at, scratch) -> what is wrong; plays at random until the match is over or something is."""
    legal, apply, limit, most, space = game.legal, game.apply, game.ply_limit, game.max_actions, game.action_space

    @jit
    def probe(rows: Any, at: int, scratch: Any) -> int:
        state, room = rows[at], scratch[0]
        while not state.over:
            if state.ply >= limit:
                return ENDLESS
            count = legal(state, room.actions)
            if count < 1:
                return NO_ACTION
            if count > most:
                return TOO_MANY
            before = -1
            for number in range(count):
                if room.actions[number] <= before:
                    return NOT_ASCENDING
                before = room.actions[number]
            if before >= space:
                return OUTSIDE
            advance(apply, state, any_action(state, room.actions, count, room.policy), room.chance, None)
            if state.seats and not 0 <= state.to_move < state.seats:
                return NO_SEAT
        return FINE

    return probe


def check_termination(game: Game) -> None:
    """Thousands of random matches have legal actions until their end, which comes within the game's limit of plies."""
    with compiling(game, "whole.make_probe", "whole matches"):
        probe = make_probe(game)
        space = workspace(game, 1, max(game.resolve_seats(None, game.resolve_options({})), 1))
        game.layout.write(game.blank(), space.rows, 0)
        probe(over(space.rows), 0, space.scratch)
    ways, plies, number = settings(game, whole=True), 0, 0
    while number < max(100, len(ways)) or (number < MATCHES and plies < PLIES):
        trial = TrialMatch(game, ways[number % len(ways)], number)
        with trial:
            space = opened(trial, 0)
            wrong = int(probe(space.rows, 0, space.scratch))
            trial.ply = int(space.rows[0]["ply"])
            if wrong:
                _explain(trial, wrong, space)
        plies, number = plies + trial.ply, number + 1


def _explain(trial: TrialMatch, wrong: int, space: Workspace) -> None:
    """Play it once more, interpreted: the same seed gives the same match. Raises Failed."""
    game, ply = trial.game, trial.ply or 0
    if wrong != ENDLESS:
        play_watched(trial, ply + 1)
        trial.ply = ply
    rule = game.apply if wrong in (NO_SEAT, ENDLESS) else game.legal
    raise Failed(f"{place_of(rule)}: {SAID[wrong].format(limit=game.ply_limit)}")


def check_whole(game: Game) -> None:
    """Whole matches are played, drawn and told: every part that the game declares answers until the end."""
    for seed, setting in enumerate(settings(game, whole=True)[:WAYS]):
        trial = TrialMatch(game, setting, seed)
        with trial:
            for match in trial.positions(LONGEST):
                if match.over or match.state.ply % EVERY == 0:
                    _ask(match, dear=match.over or match.state.ply % (2 * EVERY) == EVERY)
            told = [event.tell(match.name) for event in match.journal]
            if not all(words.strip() for words in told):
                raise Failed("an event has no words")


def _ask(match: Match, *, dear: bool) -> None:
    """Everything that is asked about a position at a table; ``dear`` is whether also what takes long."""
    game, state = match.game, match.state
    for ascii in (False, True):
        match.board(ascii=ascii)
    check_position(match, explained=dear)
    shown = game.keeps_score(match.options)
    if not isinstance(shown, bool):
        raise Failed(
            f"{place_of(game.keeps_score)}: keeps_score says {shown!r}, where it says yes or no: True or False"
        )
    _ask_settle(match)
    if match.over or not match.seats:
        return
    notation = game.words.notation
    if not isinstance(prompt := notation.prompt(state), str):
        raise Failed(f"{place_of(notation.prompt)}: prompt says {prompt!r}, which is no text")
    usual = notation.usual(state)
    if usual is not None and usual not in match.legal():
        raise Failed(f"{place_of(notation.usual)}: usual says {usual!r}, which is not legal")
    if dear:
        check_reasons_at(match)


def _ask_settle(match: Match) -> None:
    """What becomes of what is at stake, whoever wins early."""
    game = match.game
    if game.settle is None:
        return
    for winners in ([], *([seat] for seat in range(min(match.seats, 4)))):
        after, journal = match.state.copy(), list[Any]()
        game.settle(after, winners, journal)
        after.pack()
        if game.conserved is not None and game.conserved(after) != game.conserved(match.state):
            raise Failed(f"{place_of(game.settle)}: settle changes what is conserved")
        for event in journal:
            event.tell(match.name)
