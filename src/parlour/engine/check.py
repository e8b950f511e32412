"""The conformance suite: what must be true of every game, foreign ones included. ``parlour check GAME`` runs it.

Each check plays random matches, for every number of seats it is given, and raises ``Failed`` with the ply and the
seed where something is wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from parlour.engine import replay
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.compiled.drivers import drivers, workspace
from parlour.engine.errors import BadNotation, IllegalAction, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.state import State


class Failed(ParlourError):
    """Something that must hold does not."""


@dataclass(frozen=True)
class Setting:
    """One way to play the game."""

    seats: int
    options: dict[str, int]


def settings(game: Game) -> list[Setting]:
    """Ways to play that between them use every option's extremes, and the fewest, usual and most seats."""
    low, high = game.seats
    usual = game.settle_seats(None, game.settle_options({}))
    found = [Setting(seats, game.settle_options({})) for seats in sorted({low, usual, min(high, usual + 2)})]
    for option in game.options:
        for value in option.choices or (option.low, option.high):
            if value != option.default:
                found.append(Setting(usual, game.settle_options({option.name: value})))
    return [setting for setting in found if game.takes(setting.seats, setting.options) is None]


def matches(game: Game, count: int) -> Iterator[tuple[Setting, int]]:
    """That many settings and seeds, each setting in turn."""
    ways = settings(game)
    return zip(itertools.islice(itertools.cycle(ways), count), range(count), strict=True)


def choose(game: Game, state: State, policy: Chance) -> int:
    """A random legal action, as the compiled drivers choose it."""
    legal = game.legal_actions(state)
    return legal[0] if len(legal) == 1 else legal[policy.below(len(legal))]


def play_random(match: Match, plies: int) -> None:
    """Up to that many random actions."""
    policy = Chance.of_game(match.seed, 0, POLICY_STREAM)
    for _ in range(plies):
        if match.over:
            return
        match.play(choose(match.game, match.state, policy))


def _match(game: Game, setting: Setting, seed: int) -> Match:
    return Match(game, setting.seats, seed, **setting.options)  # type: ignore[arg-type]


def check_legal(game: Game) -> None:
    """Legal actions are ascending, without doubles, and at least one until the match is over."""
    for setting, seed in matches(game, 12):
        match = _match(game, setting, seed)
        policy = Chance.of_game(seed, 0, POLICY_STREAM)
        for _ in range(200):
            legal = match.legal()
            if match.over:
                break
            if not legal:
                raise Failed(f"no legal action at ply {match.state.ply} (seed {seed}, {setting})")
            if legal != sorted(set(legal)):
                raise Failed(f"legal actions not ascending at ply {match.state.ply} (seed {seed}, {setting}): {legal}")
            if not 0 <= match.to_move < max(setting.seats, 1):
                raise Failed(f"seat {match.to_move} to move at ply {match.state.ply} (seed {seed}, {setting})")
            match.play(choose(game, match.state, policy))


def check_illegal(game: Game) -> None:
    """An illegal action raises its typed error and leaves the match as it was."""
    for setting, seed in matches(game, 4):
        match = _match(game, setting, seed)
        play_random(match, 5)
        before = match.state.copy()
        legal = set(match.legal())
        for action in (-1, max(legal, default=0) + 1, 2**31, 2**80):
            if action in legal:
                continue
            try:
                match.play(action)
            except IllegalAction as error:
                if error.action != action or not error.reason or error.position != before:
                    raise Failed(f"the error for action {action} does not carry action and position") from error
            else:
                raise Failed(f"illegal action {action} was played (seed {seed}, {setting})")
        if match.state != before:
            raise Failed(f"an illegal action changed the position (seed {seed}, {setting})")


def check_clone(game: Game) -> None:
    """A copy is equal, and playing on it leaves the original alone; packing and unpacking change nothing."""
    for setting, seed in matches(game, 6):
        match = _match(game, setting, seed)
        play_random(match, 20)
        before, twin = match.state.pack(), match.state.copy()
        if twin != match.state or game.layout.unpack(before) != match.state:
            raise Failed(f"a copy differs from its original (seed {seed}, {setting})")
        if not match.over:
            game.play(twin, match.legal()[0], Chance.at(seed, 0))
            if match.state.pack() != before:
                raise Failed(f"playing on a copy changed the original (seed {seed}, {setting})")


def check_replay(game: Game) -> None:
    """A replay runs to the same position, and its text is the same to the byte."""
    for setting, seed in matches(game, 4):
        match = _match(game, setting, seed)
        play_random(match, 120)
        text = replay.dumps(match)
        again = replay.run(replay.loads(text))
        if replay.dumps(again) != text or again.journal != match.journal:
            raise Failed(f"a replay does not reproduce its match (seed {seed}, {setting})")


def check_undo(game: Game) -> None:
    """Taking an action back restores the position before it, and playing it again the one after."""
    for setting, seed in matches(game, 4):
        match = _match(game, setting, seed)
        play_random(match, 30)
        for _ in range(3):
            if not match.plies:
                break
            after, last = match.state.copy(), match.plies[-1].action
            match.undo()
            match.play(last)
            if match.state != after:
                raise Failed(f"undo and redo of ply {match.state.ply} differ (seed {seed}, {setting})")
            match.undo()


def check_notation(game: Game) -> None:
    """Every legal action has a text of its own, and the text leads back to the action."""
    for setting, seed in matches(game, 8):
        match = _match(game, setting, seed)
        policy = Chance.of_game(seed, 0, POLICY_STREAM)
        for _ in range(40):
            if match.over:
                break
            legal = match.legal()
            texts = ["".join(match.text(action).split()).lower() for action in legal]
            if len(set(texts)) != len(legal):
                raise Failed(f"two legal actions share a text at ply {match.state.ply} (seed {seed}, {setting})")
            sample = legal[:: max(1, len(legal) // 8)]
            wrong = [action for action in sample if match.read(match.text(action)) != action]
            if wrong:
                raise Failed(f"{match.text(wrong[0])!r} does not lead back to action {wrong[0]}")
            match.play(choose(game, match.state, policy))
        try:
            match.read("\u2603 no such action")
        except BadNotation:
            continue
        raise Failed("a text that names no action was taken for one")


def check_story(game: Game) -> None:
    """Every event can be told in words and as plain data; the board fits 80 columns, and has an ASCII form."""
    import json

    for setting, seed in matches(game, 6):
        match = _match(game, setting, seed)
        play_random(match, 60)
        if match.plies and not match.journal:
            raise Failed(f"the journal tells nothing after {len(match.plies)} plies (seed {seed}, {setting})")
        for event in match.journal:
            if not event.tell(match.name).strip():
                raise Failed(f"an event has no words: {event}")
            json.dumps(event.to_json())
        for ascii in (False, True):
            board = match.board(ascii=ascii).plain
            if max(map(len, board.splitlines()), default=0) > 80:
                raise Failed(f"the board is wider than 80 columns (seed {seed}, {setting})")
            if ascii and not board.isascii():
                raise Failed(f"the ASCII board is not ASCII (seed {seed}, {setting})")


def check_compiled(game: Game) -> None:
    """Interpreted and compiled rules agree, byte for byte, after every action."""
    made = drivers(game)
    space = workspace(game, 1, 1)
    for setting, seed in matches(game, 24):
        state = game.blank(setting.seats, **setting.options)
        chance, policy = Chance.of_game(seed, 0), Chance.of_game(seed, 0, POLICY_STREAM)
        space.chance[:] = chance.lanes
        game.layout.write(state, space.rows, 0)
        game.open(state, chance)
        made.setup(space.rows, 0, space.scratch)
        for _ in range(250):
            if state.pack() != space.rows.tobytes() or chance.lanes != space.chance.tolist():
                raise Failed(f"interpreted and compiled differ after ply {state.ply} (seed {seed}, {setting})")
            if state.over:
                break
            legal = game.legal_actions(state)
            count = made.legal(space.rows, 0, space.scratch)
            if legal != space.actions[:count].tolist():
                raise Failed(f"interpreted and compiled legal actions differ at ply {state.ply} (seed {seed})")
            action = choose(game, state, policy)
            game.play(state, action, chance, [])
            made.apply(space.rows, 0, action, space.scratch)


def check_results(game: Game) -> None:
    """Interpreted and compiled agree on scores and winners at the end of whole matches."""
    made = drivers(game)
    for setting, seed in matches(game, 24):
        space = workspace(game, 1, setting.seats)
        game.layout.write(game.blank(setting.seats, **setting.options), space.rows, 0)
        space.chance[:] = Chance.of_game(seed, 0).lanes
        space.policy[:] = Chance.of_game(seed, 0, POLICY_STREAM).lanes
        made.setup(space.rows, 0, space.scratch)
        made.playout(space.rows, 0, space.scratch)
        wins = np.zeros(max(setting.seats, 1), np.bool_)
        made.results(space.rows, 0, space.tallies.scores, wins)
        end = game.layout.read(space.rows, 0)
        if game.scores(end) != space.tallies.scores[: setting.seats].tolist():
            raise Failed(f"interpreted and compiled scores differ (seed {seed}, {setting})")
        if game.winners(end) != np.flatnonzero(wins[: setting.seats]).tolist():
            raise Failed(f"interpreted and compiled winners differ (seed {seed}, {setting})")


def check_termination(game: Game) -> None:
    """Every random match ends, within the game's limit of plies."""
    made = drivers(game)
    for setting, seed in matches(game, 100):
        space = workspace(game, 1, setting.seats)
        game.layout.write(game.blank(setting.seats, **setting.options), space.rows, 0)
        space.chance[:] = Chance.of_game(seed, 1).lanes
        space.policy[:] = Chance.of_game(seed, 1, POLICY_STREAM).lanes
        made.setup(space.rows, 0, space.scratch)
        if not made.playout(space.rows, 0, space.scratch):
            raise Failed(f"a match has no end after {game.ply_limit} plies (seed {seed}, {setting})")


def check_conservation(game: Game) -> None:
    """What the game declares conserved never changes."""
    if game.conserved is None:
        return
    for setting, seed in matches(game, 12):
        match = _match(game, setting, seed)
        before = game.conserved(match.state)
        policy = Chance.of_game(seed, 0, POLICY_STREAM)
        for _ in range(200):
            if match.over:
                break
            match.play(choose(game, match.state, policy))
            now = game.conserved(match.state)
            if now != before:
                raise Failed(f"{before} became {now} at ply {match.state.ply} (seed {seed}, {setting})")


CHECKS: dict[str, Callable[[Game], None]] = {
    "legal set": check_legal,
    "illegal actions": check_illegal,
    "clone": check_clone,
    "replay": check_replay,
    "undo": check_undo,
    "notation": check_notation,
    "story and board": check_story,
    "interpreted = compiled": check_compiled,
    "scores and winners": check_results,
    "termination": check_termination,
    "conservation": check_conservation,
}
