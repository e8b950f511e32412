"""Checks of the rules as people play by them: interpreted."""

from __future__ import annotations

import itertools

from parlour.engine import replay
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.check.blame import Failed
from parlour.engine.check.matches import FEW_SEATS, TrialMatch, settings, trials
from parlour.engine.check.watched import unwatch, watch, watch_actions
from parlour.engine.errors import IllegalAction
from parlour.engine.game import Game
from parlour.engine.state import State


def check_fields(game: Game) -> None:
    """Every number fits its field and every index its array, with any seats and options."""
    for trial in trials(game, 24):
        with trial:
            play_watched(trial, 250)
    for trial in itertools.islice(trials(game, 3, whole=True), 3):
        with trial:
            play_watched(trial, 1_000)


def play_watched(trial: TrialMatch, plies: int) -> None:
    """A random match on a state that notices what does not fit."""
    game, setting = trial.game, trial.setting
    chance, policy = Chance.of_game(trial.seed, 0), Chance.of_game(trial.seed, 0, POLICY_STREAM)
    trial.ply = 0
    state = watch(game.blank(setting.seats, **setting.options))
    game.open(state, chance, [])
    while not state.over and trial.ply < plies:
        legal = legal_of(game, state)
        game.play(state, legal[policy.below(len(legal))], chance, [])
        trial.ply += 1


def legal_of(game: Game, state: State) -> list[int]:
    """What ``legal`` gives, or why it is not what it should be."""
    before, actions = unwatch(state), watch_actions(game.max_actions)
    count = game.legal(state, actions)
    if isinstance(count, bool) or not isinstance(count, int):
        raise Failed(f"legal returned {count!r} instead of how many actions there are")
    if not 0 <= count <= game.max_actions:
        raise Failed(f"legal returned {count}; max_actions is {game.max_actions}")
    found = list(actions)[:count]
    if not found:
        raise Failed("there is no legal action, and the match is not over")
    if found != sorted(set(found)):
        raise Failed(f"legal actions are not ascending: {found}")
    if found[0] < 0 or found[-1] >= game.action_space:
        outside = found[0] if found[0] < 0 else found[-1]
        raise Failed(f"action {outside} is legal; action_space says that all are from 0 to {game.action_space - 1}")
    if unwatch(state) != before:
        raise Failed("legal changed the state")
    return found


def check_legal(game: Game) -> None:
    """Legal actions are ascending, without doubles, and at least one until the match is over."""
    for trial in trials(game, 12):
        with trial:
            for match in trial.positions(200):
                if match.over:
                    break
                legal_of(game, watch(match.state))
                if not 0 <= match.to_move < max(trial.setting.seats, 1):
                    raise Failed(f"seat {match.to_move} is to move, and there is none such")


def check_illegal(game: Game) -> None:
    """An illegal action raises its typed error and leaves the match as it was."""
    for trial in trials(game, 4):
        with trial:
            match = trial.match(5)
            mover = match.seen_by(match.to_move if match.seats else None)
            before, known, legal = match.state.copy(), mover.position.copy(), set(match.legal())
            for action in {-1, max(legal, default=0) + 1, 2**31, 2**80} - legal:
                try:
                    match.play(action)
                except IllegalAction as error:
                    if error.action != action or not error.reason or error.position != known:
                        raise Failed(f"the error for action {action} does not carry action and position") from error
                else:
                    raise Failed(f"the illegal action {action} was played")
            if match.state != before:
                raise Failed("an illegal action changed the position")


def check_turns(game: Game) -> None:
    """The turn passes on: in matches of several seats, every seat is to move at some time."""
    for setting in settings(game, whole=True):
        if not 2 <= setting.seats <= FEW_SEATS:
            continue
        movers = [set(_movers(TrialMatch(game, setting, seed))) for seed in range(6)]
        told = f"in {len(movers)} matches of {setting.told(game)}"
        if max(map(len, movers)) == 1:
            raise Failed(f"the turn never passes on: only one seat is ever to move {told}; does apply call end_turn?")
        missing = set(range(setting.seats)).difference(*movers)
        if missing:
            raise Failed(f"seat {min(missing)} is never to move {told}")


def _movers(trial: TrialMatch) -> list[int]:
    with trial:
        return [match.to_move for match in trial.positions(400) if not match.over]


def check_clone(game: Game) -> None:
    """A copy is equal, and playing on it leaves the original alone; packing and unpacking change nothing."""
    for trial in trials(game, 6):
        with trial:
            match = trial.match(20)
            before, twin = match.state.pack(), match.state.copy()
            if twin != match.state or game.layout.unpack(before) != match.state:
                raise Failed("a copy differs from its original")
            if not match.over:
                game.play(twin, match.legal()[0], Chance.at(trial.seed, 0))
                if match.state.pack() != before:
                    raise Failed("playing on a copy changed the original")


def check_replay(game: Game) -> None:
    """A replay runs to the same position, and its text is the same to the byte."""
    for trial in trials(game, 4):
        with trial:
            match = trial.match(120)
            text = replay.dumps(match)
            again = replay.run(replay.loads(text), game=game)
            if replay.dumps(again) != text or again.journal != match.journal:
                raise Failed("a replay does not reproduce its match: do the rules use anything but state and chance?")


def check_undo(game: Game) -> None:
    """Taking an action back restores the position before it, and playing it again the one after."""
    for trial in trials(game, 4):
        with trial:
            match = trial.match(30)
            for _ in range(min(3, len(match.plies))):
                after, last = match.state.copy(), match.plies[-1].action
                match.undo()
                match.play(last)
                if match.state != after:
                    raise Failed(f"undo and redo of ply {match.state.ply} differ")
                match.undo()


def check_conservation(game: Game) -> None:
    """What the game declares conserved never changes."""
    if game.conserved is None:
        return
    for trial in trials(game, 12):
        with trial:
            before = None
            for match in trial.positions(200):
                now = game.conserved(match.state)
                before = now if before is None else before
                if now != before:
                    raise Failed(f"conserved was {before} and is {now}")
