"""What a game looks like: a position of a match that nobody plays, for the lobby and for previews of links."""

from __future__ import annotations

import logging
from functools import cache

from parlour.engine import diagram, registry
from parlour.engine.language import LANGUAGES, cache_spoken, speaking
from parlour.engine.secrets import hidden
from parlour.engine.sources import rules_hash
from parlour.server.tables import frames
from parlour.server.telling import choices

LOG = logging.getLogger("parlour.server")
SEATS, SEED, PLIES = 6, 7, 400


@cache_spoken
def example_of(name: str) -> str:
    """A match of random actions, two fifths of the way through: pieces are about, and much is still to come.

    As the seat to move sees it, where there are secrets.
    """
    game = registry.get(name)
    match = diagram.played(game, min(SEATS, game.seats[1]), SEED, PLIES)
    state = frames.state_at(match, len(match.plies) * 2 // 5)
    return game.looks.svg(hidden(game, state, state.to_move))


@cache
def draw_all() -> None:
    """Draw each game once: what the first picture of a game needs is loaded then, and nobody waits for it later."""
    for game in registry.all_games():
        rules_hash(game)  # the first match that begins does not wait for it
        for language in LANGUAGES:
            try:
                with speaking(language):
                    example_of(game.name)
                    match = diagram.played(game, max(1, game.seats[0]), SEED, 0)
                    choices.choices_of(match.seen_by(match.to_move))
            except Exception:  # whatever is wrong with one game, the others are served
                LOG.exception("%s: no example can be drawn", game.name)
