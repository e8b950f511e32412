"""A tournament as it is announced: which game, which bots, how they meet, and under which seed."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from parlour.arena.versions import bot_version, code_version
from parlour.bots import make_bot
from parlour.bots.box import BotFault, BotLimits, BoxedBot
from parlour.bots.roster import OWN_CODE
from parlour.engine import registry
from parlour.engine.errors import BadTournament
from parlour.engine.game import Game
from parlour.engine.match import check_seed
from parlour.engine.opening import LONGEST, check_plies, usual_plies

ROYALE, ROBIN, SWISS, GAUNTLET = "royale", "robin", "swiss", "gauntlet"
FORMATS = (ROYALE, ROBIN, SWISS, GAUNTLET)
MAX_ROUNDS = 1_000_000
MAX_BOTS = 10_000
UNGUESSED = 2**48  # seeds below it can be tried one after the other


class Tournament(msgspec.Struct, frozen=True, dict=True):
    """All that decides what is played. The same announcement gives the same matches again.

    ``bots`` are names as the roster takes them; one that comes twice plays against itself, as two bots. ``files`` has
    a digest of whatever bots bring along, and ``code`` one of Parlour's own code, so that results of before and after
    a change are never mixed. ``limits`` are for bot files and programs. ``opening`` is how many plies of each match are
    drawn by lot, for every seed anew. The ``key`` is mixed with the seed, so that no bot finds dice by trying seeds.
    """

    game: str
    rules: int
    options: dict[str, int]
    format: Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(FORMATS)})$")]
    bots: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=MAX_BOTS)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)]
    seed: Annotated[int, msgspec.Meta(ge=0)]
    files: dict[str, str] = msgspec.field(default_factory=dict)
    limits: BotLimits = BotLimits()
    opening: Annotated[int, msgspec.Meta(ge=0, le=LONGEST)] = 0
    code: str = ""
    key: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{32})?$")] = ""

    @property
    def root(self) -> str:
        """What all seeds are made of."""
        return f"{self.seed}:{self.key}" if self.key else str(self.seed)

    @cached_property
    def names(self) -> list[str]:
        """What each bot is called here: the second of a kind is ``random#2``."""
        seen: Counter[str] = Counter()
        names = []
        for bot in self.bots:
            seen[bot] += 1
            names.append(bot if seen[bot] == 1 else f"{bot}#{seen[bot]}")
        return names

    @property
    def seats(self) -> int:
        """How many sit at one table."""
        return len(self.bots) if self.format == ROYALE else 2

    @property
    def tables(self) -> int:
        """How many tables a round has. Each table plays one seed, once per rotation of its seats."""
        bots = len(self.bots)
        return {ROYALE: 1, ROBIN: bots * (bots - 1) // 2, SWISS: bots // 2, GAUNTLET: bots - 1}[self.format]

    @property
    def matches(self) -> int:
        return self.rounds * self.tables * self.seats

    def to_json(self) -> dict[str, Any]:
        content: dict[str, Any] = msgspec.to_builtins(self)
        return content | {"matches": self.matches}


def announce(
    game: Game,
    bots: Sequence[str],
    *,
    format: str | None = None,
    rounds: int = 1,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    limits: BotLimits | None = None,
    folder: Path | None = None,
    opening: int | None = None,
    key: str = "",
) -> Tournament:
    """A tournament that can be held: everything in it is checked, and every bot has been made once.

    Without a format, all bots sit at one table where the game has room for them, else each plays each. ``folder`` is
    where the seed and the results are kept: a bot that could read them is not started. Without an ``opening``, plies
    are drawn by lot where the game has no chance, so that not every seed gives the same match. With a ``key`` (see
    ``key_for``) no bot finds dice or cards by trying seeds.
    """
    resolved = game.resolve_options(options or {})
    if not 1 <= len(bots) <= MAX_BOTS:
        raise BadTournament(f"a tournament takes from 1 to {MAX_BOTS} bots, not {len(bots)}")
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= MAX_ROUNDS:
        raise BadTournament(f"the number of rounds is a whole number from 1 to {MAX_ROUNDS}, not {rounds!r}")
    chosen = usual_format(game, len(bots)) if format is None else format
    if chosen not in FORMATS:
        raise BadTournament(f"a tournament is one of {', '.join(FORMATS)}, not {chosen!r}")
    if chosen != ROYALE and len(bots) < 2:
        raise BadTournament(f"a {chosen} takes at least two bots, not {len(bots)}")
    allowed = limits or BotLimits()
    if key and not re.fullmatch("[0-9a-f]{32}", key):
        raise BadTournament(f"a key has 32 digits from 0 to f, and {key!r:.60} is none")
    if game.has_secrets and not key and check_seed(seed) < UNGUESSED and has_own_code(bots):
        raise BadTournament(f"a bot could find seed {seed} by trying, and would know all secrets: give a key")
    plan = (game.name, game.version, resolved, chosen, tuple(bots), rounds, check_seed(seed))
    planned = Tournament(*plan, limits=allowed)
    seats = game.resolve_seats(planned.seats, resolved)
    drawn = usual_plies(game, seats, resolved) if opening is None else check_plies(opening)
    digests = {bot: check_bot(game, bot, allowed, folder) for bot in dict.fromkeys(bots)}
    return replace(
        planned,
        files={bot: digest for bot, digest in digests.items() if digest},
        opening=drawn,
        code=code_version(game),
        key=key,
    )


def has_own_code(bots: Sequence[str]) -> bool:
    """Whether there are bots among these that bring code of their own, which could try seeds."""
    return any(bot.startswith(OWN_CODE) for bot in bots)


def key_for(bots: Sequence[str]) -> str:
    """A new key that nobody guesses, where bots could try seeds; else none."""
    return secrets.token_hex(16) if has_own_code(bots) else ""


def usual_format(game: Game, bots: int) -> str:
    low, high = game.seats
    return ROYALE if low <= bots <= high and high > 2 else ROBIN


def check_bot(game: Game, name: str, limits: BotLimits, folder: Path | None = None) -> str:
    """Refuse a bot that cannot play; returns the digest of what it brings along, if it does.

    A bot that compiles does so here, once, and not in every worker.
    """
    bot, version = make_bot(game, name, limits), bot_version(game, name)
    if not isinstance(bot, BoxedBot):
        return version
    if folder is not None and bot.source.can_read(folder):
        raise BadTournament(f"{name} could read {folder}, where the seed and the results are: name another folder")
    try:
        with bot:
            bot.start()
    except BotFault as fault:
        raise BadTournament(f"{name} cannot play: {fault}") from fault
    return version


def game_of(tournament: Tournament) -> Game:
    """The tournament's game, if its rules are still those it was announced with."""
    game = registry.get(tournament.game)
    if game.version != tournament.rules:
        raise BadTournament(
            f"the tournament is played by version {tournament.rules} of the rules of {game.name}; "
            f"this Parlour has version {game.version}"
        )
    return game
