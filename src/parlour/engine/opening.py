"""Openings drawn by lot, so that bots that always choose the same do not play the same match again and again.

The first plies of a match can be drawn instead of chosen. They are actions like all others; which ones they are follows
from the seed, so whoever plays the match again can check that nobody chose them.
"""

from __future__ import annotations

from parlour.engine.chance import Chance, Drawn, NoChance
from parlour.engine.errors import BadOption
from parlour.engine.game import Game
from parlour.engine.match import Match

LONGEST = 40  # plies that can be drawn
USUAL = 2  # of them for each seat, where neither dice nor draws tell one match from another
TRIES = 10  # openings that are drawn until the match goes on after one; then shorter ones are. Whoever verifies pays
SAMPLES = 8  # matches in which chance is looked for


def has_chance(game: Game, seats: int, options: dict[str, int]) -> bool:
    """Whether dice or draws have a part in the game, with these seats and options: its rules are played to find out.

    Where chance is so rare that no random match meets it, it does not tell matches apart either.
    """
    chance = NoChance()
    try:
        for number in range(SAMPLES):
            lots = Chance(text=f"parlour:samples:{number}")
            state = game.blank(seats, **options)
            game.open(state, chance)
            while (legal := game.legal_actions(state)) and state.ply < game.ply_limit:
                game.play(state, legal[lots.below(len(legal))], chance)
    except Drawn:
        return True
    except Exception:  # rules that fail are told where a match is played by them
        return True
    return False


def usual_plies(game: Game, seats: int, options: dict[str, int]) -> int:
    """How many plies are drawn where matches are to differ: none where chance sees to that."""
    return 0 if has_chance(game, seats, options) else min(USUAL * seats, LONGEST)


def check_plies(plies: object) -> int:
    """How many plies are to be drawn, if it can be that many."""
    if isinstance(plies, bool) or not isinstance(plies, int) or not 0 <= plies <= LONGEST:
        raise BadOption(f"an opening has from 0 to {LONGEST} plies drawn by lot, not {plies!r}")
    return plies


def draw_opening(match: Match, plies: int) -> None:
    """Play so many plies, drawn by the seed, of a match that has just begun; fewer, where it would end with them."""
    while plies > 0 and not match.over:
        longest = 0  # after which the match went on
        for attempt in range(TRIES):
            drawn = _drawn(match, plies, attempt)
            if len(drawn) == plies:
                for action in drawn:
                    match.play(action)
                match.drawn = plies
                return
            longest = max(longest, len(drawn))
        plies = longest


def _drawn(match: Match, plies: int, attempt: int) -> list[int]:
    """So many actions, all equally likely at each ply; fewer, where the match is over after the next."""
    lots, twin = Chance(text=f"parlour:{match.seed}:opening:{plies}:{attempt}"), match.twin()
    for _ in range(plies):
        legal = twin.legal()
        twin.play(legal[lots.below(len(legal))])
        if twin.over:
            return twin.actions[:-1]
    return twin.actions
