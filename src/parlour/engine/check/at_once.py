"""Checks of choosing at the same time: who is asked, and that neither order nor second thoughts change anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from parlour.engine import replay
from parlour.engine.chance import Chance, Drawn, NoChance
from parlour.engine.check.blame import Failed
from parlour.engine.check.matches import TrialMatch, trials
from parlour.engine.choosing import Choosing
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.secrets import hidden, imagined
from parlour.engine.seen import WATCHER
from parlour.engine.state import State

PLIES = 60


def _everywhere(game: Game, count: int, look: Callable[[TrialMatch, Match], None]) -> None:
    """Look at positions of random matches; at none of a game in which nobody chooses at the same time."""
    if game.may_act is None:
        return
    for trial in trials(game, count):
        with trial:
            for match in trial.positions(PLIES):
                look(trial, match)


def _at_start(look: Callable[[TrialMatch, Match, Choosing], None]) -> Callable[[TrialMatch, Match], None]:
    """Look only where several are asked, and nobody has chosen yet."""

    def looked(trial: TrialMatch, match: Match) -> None:
        if match.choosing is not None and not match.chosen:
            look(trial, match, match.choosing)

    return looked


def check_asked(game: Game) -> None:
    """Everybody knows who may act; the seat to move is one of them."""
    _everywhere(game, 8, _look_who)


def _look_who(trial: TrialMatch, match: Match) -> None:
    if match.over:
        return
    game, asked = match.game, match.game.waits_for(match.state)
    if match.to_move not in asked:
        raise Failed(f"seat {match.to_move} is to move, and may_act says that it may not")
    for seat in range(WATCHER, match.seats):
        if (known := game.waits_for(hidden(game, match.state, seat))) != asked:
            who = "whoever watches" if seat == WATCHER else f"seat {seat}"
            raise Failed(f"may_act is not the same for everybody: the seats {asked} may act, and {who} sees {known}")


def check_order(game: Game) -> None:
    """In whatever order the seats choose, each is asked once, and the same comes of it."""
    _everywhere(game, 8, _at_start(_look_at_orders))


def _look_at_orders(trial: TrialMatch, match: Match, choosing: Choosing) -> None:
    game, lots = match.game, Chance.at(trial.seed, match.state.ply)
    choices = {seat: legal[lots.below(len(legal))] for seat, legal in _choices(game, choosing)}
    asked = list(choosing.asked)
    in_turn = _resolved(match, choosing, choices, ())
    for order in (asked[::-1], asked[1:] + asked[:1]):
        if (other := _resolved(match, choosing, choices, order)) != in_turn:
            name = next(name for name in other.layout.fields if getattr(other, name) != getattr(in_turn, name))
            raise Failed(f"the order in which seats choose at the same time changes {name}: {asked}, or {order}")


def _choices(game: Game, choosing: Choosing) -> Iterator[tuple[int, list[int]]]:
    """What each seat may choose, by what it knows before anybody has chosen; and a world that it imagines there."""
    for seat in choosing.asked:
        known = choosing.position(seat)
        if not (legal := game.legal_actions(known)):
            raise Failed(f"seat {seat} is asked together with others, and has no legal action")
        if legal != game.legal_actions(imagined(game, known, seat, Chance.at(1, 2))):
            raise Failed(f"what others choose at the same time changes what is legal for seat {seat}")
        yield seat, legal


def _resolved(match: Match, choosing: Choosing, choices: dict[int, int], order: Sequence[int]) -> State:
    """What comes of the choices in that order; with none, in the order in which the rules ask."""
    game, state, left = match.game, choosing.start.copy(), list(choosing.asked)
    while left:
        seat = order[-len(left)] if order else int(state.to_move)
        state.to_move = seat
        if choices[seat] not in game.legal_actions(state):
            raise Failed(f"what others choose at the same time changes what is legal for seat {seat}")
        left.remove(seat)
        if not left:
            game.play(state, choices[seat], Chance.at(match.seed, state.ply + 1))
            state.to_move = 0 if state.over else state.to_move  # once it is over, it is nobody's turn
            break
        try:
            game.play(state, choices[seat], NoChance())
        except Drawn:
            raise Failed(f"chance is drawn when seat {seat} has chosen, before all have") from None
        if (waits := game.waits_for(state)) != left:
            raise Failed(f"when seat {seat} has chosen, may_act says that {waits} have still to choose, not {left}")
        if state.to_move not in left:
            raise Failed(f"when seat {seat} has chosen, seat {state.to_move} is to move, which has chosen, too")
    return state


def check_sealed(game: Game) -> None:
    """What a seat has chosen is told to nobody else before all have; a choice that is replaced leaves no trace."""
    _everywhere(game, 8, _at_start(_look_at_sealed))


def _look_at_sealed(trial: TrialMatch, match: Match, choosing: Choosing) -> None:
    game = match.game
    choices = dict(_choices(game, choosing))
    for chooser, legal in choices.items():
        after = [_after(choosing, chooser, action) for action in {legal[0], legal[len(legal) // 2], legal[-1]}]
        for seat in range(WATCHER, match.seats):
            for one, other in pairwise(hidden(game, state, seat) for state in after):
                if seat != chooser and one != other:
                    name = next(name for name in one.layout.fields if getattr(one, name) != getattr(other, name))
                    who = "whoever watches" if seat == WATCHER else f"seat {seat}"
                    raise Failed(f"hide shows {who} in {name} what seat {chooser} has chosen, before all have")
    wavering, sure = match.twin(), match.twin()
    for seat in reversed(choosing.asked):
        wavering.play(choices[seat][0], seat)
    if wavering.choosing is choosing or wavering.chosen:
        raise Failed("all have chosen, and nothing happens")
    wavering = match.twin()
    for seat in choosing.asked[1:]:
        wavering.play(choices[seat][0], seat)
    for seat in reversed(choosing.asked):
        wavering.play(choices[seat][-1], seat)
    for seat in choosing.asked:
        sure.play(choices[seat][-1], seat)
    if replay.dumps(wavering) != replay.dumps(sure) or wavering.journal != sure.journal:
        raise Failed("a choice that was replaced before all had chosen leaves a trace")


def _after(choosing: Choosing, seat: int, action: int) -> State:
    state = choosing.start.copy()
    state.to_move = seat
    choosing.game.play(state, action, NoChance())
    return state
