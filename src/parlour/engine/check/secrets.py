"""Checks of games with secrets: what a seat knows, what it imagines, and that it is shown nothing else."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from parlour.engine.chance import Chance
from parlour.engine.check.blame import Failed, blame_compiler
from parlour.engine.check.matches import TrialMatch, settings, trials
from parlour.engine.check.watched import unwatch, watch
from parlour.engine.compiled.drivers import drivers, workspace
from parlour.engine.game import Game
from parlour.engine.journal import Event
from parlour.engine.language import LANGUAGES, speaking
from parlour.engine.match import Match
from parlour.engine.secrets import hidden, imagined
from parlour.engine.seen import WATCHER, Seen
from parlour.engine.state import HEADER, State

PLIES, WORLDS = 16, 2  # positions of a match, and worlds that are imagined in each
DEALS = 1000  # openings that are dealt, to see what is dealt how often
ENOUGH = 5  # of each world, to compare how often it comes up


def _who(seat: int) -> str:
    return "whoever watches" if seat == WATCHER else f"seat {seat}"


def _everywhere(game: Game, count: int, look: Callable[[TrialMatch, Match, int], None]) -> None:
    """Look at positions of random matches, from everybody who may look at them; at none of a game without secrets."""
    if not game.has_secrets:
        return
    for trial in trials(game, count):
        with trial:
            for match in trial.positions(PLIES):
                for seat in range(WATCHER, match.seats):
                    look(trial, match, seat)


def _worlds(match: Match, seat: int) -> list[State]:
    """Positions that the seat imagines."""
    known = hidden(match.game, match.state, seat)
    return [imagined(match.game, known, seat, Chance.at(number, match.state.ply)) for number in range(WORLDS)]


def _differs(one: State, other: State) -> str:
    """The first field in which two positions differ."""
    return next(name for name in one.layout.fields if getattr(one, name) != getattr(other, name))


def check_hide(game: Game) -> None:
    """Hiding what is hidden changes nothing; the engine's fields stay; whoever watches knows no more than any seat."""
    _everywhere(game, 8, _look_hidden)


def _look_hidden(trial: TrialMatch, match: Match, seat: int) -> None:
    game = match.game
    assert game.hide is not None
    watched = watch(match.state)
    game.hide(watched, seat)
    known = unwatch(watched)
    for name in HEADER:
        if getattr(known, name) != getattr(match.state, name):
            raise Failed(f"hide changes {name}, which everybody knows")
    if (again := hidden(game, known, seat)) != known:
        raise Failed(f"hide is not idempotent: hidden twice from {_who(seat)}, {_differs(again, known)} is another")
    mine, truth = hidden(game, known, WATCHER), hidden(game, match.state, WATCHER)
    if mine != truth:
        raise Failed(f"hide tells whoever watches {_differs(mine, truth)}, which seat {seat} does not know")


def check_known_legal(game: Game) -> None:
    """What a seat may do follows from what it knows."""
    _everywhere(game, 8, _look_legal)


def _look_legal(trial: TrialMatch, match: Match, seat: int) -> None:
    game = match.game
    if not match.over and seat == match.to_move:
        known, truth = game.legal_actions(hidden(game, match.state, seat)), game.legal_actions(match.state)
        if known != truth:
            odd = min(set(known) ^ set(truth))
            says = "is legal by what it knows, and is not" if odd in known else "is legal, and not by what it knows"
            raise Failed(f"legal tells seat {seat} a secret: action {odd} {says}")


def check_consistent(game: Game) -> None:
    """What a seat imagines looks to it like what it knows, and can be played on."""
    _everywhere(game, 8, _look_consistent)


def _look_consistent(trial: TrialMatch, match: Match, seat: int) -> None:
    game = match.game
    known = hidden(game, match.state, seat)
    for number in range(WORLDS):
        watched = watch(known)
        assert game.imagine is not None
        game.imagine(watched, seat, Chance.at(number, match.state.ply))
        world = unwatch(watched)
        if (looks := hidden(game, world, seat)) != known:
            raise Failed(f"imagine is not consistent: to {_who(seat)}, {_differs(looks, known)} looks different")
        if not world.over:
            game.play(world, game.legal_actions(world)[0], Chance.at(number, 0))


def check_blind(game: Game) -> None:
    """The same draws give the same world, whatever the truth is and whatever was played in between."""
    _everywhere(game, 6, _look_blind)


def _look_blind(trial: TrialMatch, match: Match, seat: int) -> None:
    game = match.game
    known = hidden(game, match.state, seat)
    before = imagined(game, known, seat, Chance.at(1, 1))
    other = TrialMatch(game, trial.setting, trial.seed + 1).match()
    if not other.over:
        other.play(other.legal()[0])
    after = imagined(game, known, seat, Chance.at(1, 1))
    if before != after:
        raise Failed(
            f"imagine is not blind: the same draws gave {_who(seat)} another {_differs(before, after)} after "
            "another match was played"
        )


def check_varied(game: Game) -> None:
    """Of a small deal every world comes up, as often as it is dealt; of a large one, more than one."""
    if not game.has_secrets:
        return
    for setting in settings(game):
        dealt: dict[tuple[int, bytes], Counter[bytes]] = defaultdict(Counter)
        for seed in range(DEALS // max(1, setting.seats - 1)):
            state = game.blank(setting.seats, **setting.options)
            game.open(state, Chance.at(seed, 0))
            for seat in range(WATCHER, setting.seats):
                dealt[seat, hidden(game, state, seat).pack()][state.pack()] += 1
        for seat in range(WATCHER, setting.seats):
            known, worlds = max(
                ((key[1], found) for key, found in dealt.items() if key[0] == seat), key=lambda item: item[1].total()
            )
            _check_worlds(game, seat, known, worlds, setting.told(game))


def _check_worlds(game: Game, seat: int, known: bytes, dealt: Counter[bytes], told: str) -> None:
    """What is imagined from one thing that a seat may know, beside what was dealt where it knows just that."""
    start = game.layout.unpack(known)
    draws = max(64, dealt.total())
    found = Counter(imagined(game, start, seat, Chance.at(number, 7)).pack() for number in range(draws))
    if len(dealt) > 1 and len(found) == 1:
        raise Failed(f"imagine is not varied: {_who(seat)} always imagines the same ({told})")
    if dealt.total() < ENOUGH * len(dealt):
        return  # a large deal: no two are the same
    for world in dealt:
        if world not in found:
            missing, usual = game.layout.unpack(world), game.layout.unpack(max(found, key=found.__getitem__))
            name = _differs(missing, usual) if missing != usual else ""
            raise Failed(
                f"imagine is not varied: {_who(seat)} never imagines {name}={getattr(missing, name, '')}, "
                f"which is dealt ({told})"
            )
    scale = (draws / dealt.total()) ** 0.5
    both = [(dealt[world] * scale, found[world] / scale, dealt[world] + found[world]) for world in dealt | found]
    uneven = sum((one - other) ** 2 / count for one, other, count in both)  # chi-squared, of two samples
    free = len(both) - 1
    if uneven > free + 20 + 6 * (2 * free) ** 0.5:
        raise Failed(f"imagine is not fair: to {_who(seat)}, worlds come up otherwise than they are dealt ({told})")


def check_doors(game: Game) -> None:
    """Nothing that a seat is shown changes when what it does not know is replaced."""
    _everywhere(game, 6, _look_through_doors)


def _look_through_doors(trial: TrialMatch, match: Match, seat: int) -> None:
    if match.over:
        return
    seen = _shown(match.seen_by(seat))
    for other in _alike(match, seat):
        for door, told in _shown(other.seen_by(seat)).items():
            if told != seen[door]:
                raise Failed(f"{door} shows {_who(seat)} what it may not know: it changes with the others' secrets")


def _alike(match: Match, seat: int) -> Iterator[Match]:
    """Matches that look the same to the seat; where others have chosen at the same time, with other choices."""
    choosing = match.choosing
    if choosing is None or not choosing.sealed:
        yield from (match.at(world) for world in _worlds(match, seat))
        return
    start = match.twin()
    start.undo(len(choosing.sealed))
    for number, world in enumerate(_worlds(start, seat)):
        other = start.at(world)
        for chooser, action in choosing.sealed.items():
            legal = other.legal(chooser)
            other.repeat(action if chooser == seat else legal[Chance.at(number, chooser).below(len(legal))], chooser)
        yield other


def _shown(seen: Seen) -> dict[str, object]:
    """All that is shown to somebody, by the name of the door."""
    notation, state = seen.game.words.notation, seen.position
    actions = {choice.action: (choice.text, choice.label, choice.picks, choice.way) for choice in seen.choices}
    is_asked = bool(seen.legal)
    return {
        "the state": seen.state,
        "legal": seen.legal,
        "who may act": (seen.asked, seen.chosen, seen.sealed),
        "the notation": actions,
        "undo": [choice.can_undo for choice in seen.choices],
        "the prompt": notation.prompt(state) if is_asked else "",
        "the usual action": notation.usual(state) if is_asked else None,
        "a reason": seen.why_not(()) if is_asked else None,
        "the board": (seen.board().markup, seen.board(ascii=True).plain),
        "the picture": (seen.backdrop, seen.scene),
        "the journal": [event.to_json() for event in seen.journal],
        "the story": seen.story,
        "the actions": seen.actions,
        "the score": (seen.scores, seen.winners, [seen.is_out(seat) for seat in range(state.seats)]),
        "the win chances": seen.chances,
        "observe": seen.observation if seen.seat != WATCHER else None,
        "repr": repr(seen),
    }


def check_events(game: Game) -> None:
    """An event tells a seat nothing but what it knows afterwards, in every language."""
    if not game.has_secrets:
        return
    for setting in settings(game):
        _check_openings(game, setting.seats, setting.options)
    _everywhere(game, 8, _look_at_events)


def _check_openings(game: Game, seats: int, options: dict[str, Any]) -> None:
    """Of openings that look the same to a seat, the same is told to it."""
    told: dict[tuple[int, bytes], list[Event]] = {}
    for seed in range(300):
        match = Match(game, seats, seed, **options)
        for seat in range(WATCHER, seats):
            seen = match.seen_by(seat)
            _compare(told.setdefault((seat, seen.shown.pack()), seen.journal), seen.journal, seat)
    for (seat, _), events in islice(told.items(), 20):
        _tell_all(match, events, seat)


def _look_at_events(trial: TrialMatch, match: Match, seat: int) -> None:
    """The same action in worlds that look the same: if they still do afterwards, the same is told."""
    if match.over:
        return
    game, chance = match.game, match.state.ply + 1
    after, events = match.state.copy(), list[Event]()
    action = match.legal()[-1]
    game.play(after, action, Chance.at(match.seed, chance), events)
    known = [event.seen_by(seat) for event in events]
    _tell_all(match, known, seat)
    for world in _worlds(match, seat):
        if action in game.legal_actions(world):
            others = list[Event]()
            game.play(world, action, Chance.at(match.seed, chance), others)
            if not (after.over or world.over) and hidden(game, world, seat) == hidden(game, after, seat):
                _compare(known, [event.seen_by(seat) for event in others], seat)


def _compare(one: list[Event], other: list[Event], seat: int) -> None:
    for first, second in zip(one, other, strict=False):
        if first != second:
            raise Failed(f"event {type(first).__name__} tells {_who(seat)} what it may not know: is a field Secret?")
    if len(one) != len(other):
        raise Failed(f"that an event is told at all tells {_who(seat)} what it may not know")


def _tell_all(match: Match, events: list[Event], seat: int) -> None:
    """What is told with secret fields unknown has words, and can be shown."""
    for language in LANGUAGES:
        with speaking(language):
            for event in events:
                if not event.tell(match.name).strip():
                    raise Failed(f"event {type(event).__name__} has no words for {_who(seat)} in {language!r}")
                match.game.looks.motion(event)


def check_secrets_compiled(game: Game) -> None:
    """``hide`` and ``imagine`` are the same, interpreted and compiled."""
    if not game.has_secrets:
        return
    try:
        _ = drivers(game).hide, drivers(game).imagine
    except Exception as error:
        raise Failed(f"hide or imagine does not compile: {blame_compiler(game, error)}") from error
    _everywhere(game, 8, _look_compiled)


def _look_compiled(trial: TrialMatch, match: Match, seat: int) -> None:
    game, made = match.game, (drivers(match.game).hide, drivers(match.game).imagine)
    space, known, chance = workspace(game, 1, match.seats), hidden(game, match.state, seat), Chance.at(5, 5)
    game.layout.write(match.state, space.rows, 0)
    made[0](space.rows, 0, seat)
    _same(known, game.layout.read(space.rows, 0), "hide", seat)
    space.chance[:] = np.array(chance.lanes)
    made[1](space.rows, 0, seat, space.scratch)
    _same(imagined(game, known, seat, chance), game.layout.read(space.rows, 0), "imagine", seat)


def _same(one: State, other: State, rule: str, seat: int) -> None:
    if one != other:
        raise Failed(f"{rule} for {_who(seat)}: {_differs(one, other)} is another interpreted than compiled")
