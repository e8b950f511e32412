"""Holding a tournament: what is left to play, played somewhere, kept in its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from parlour.arena.on_ray import RayCluster
from parlour.arena.pairing import Pairing, Past, all_pairings, derive, pairings
from parlour.arena.pool import Pool, Where
from parlour.arena.running import Job, Result
from parlour.arena.store import Store
from parlour.arena.tournament import SWISS, Tournament
from parlour.bots.roster import FILE
from parlour.engine.errors import ParlourError


def place(on: str | None, cores: int | None = None) -> Where:
    """Where to play: on this machine, or on Ray (``ray``, or ``ray:ADDRESS``)."""
    if cores is not None and not 1 <= cores <= 1024:
        raise ParlourError(f"--cores takes a whole number from 1 to 1024, not {cores}")
    if on is None or on == "here":
        return Pool(cores)
    name, _, address = on.partition(":")
    if name != "ray":
        raise ParlourError(f"--on takes here, ray or ray:ADDRESS, not {on!r}")
    return RayCluster(address or None, cores)


def job_of(tournament: Tournament, pairing: Pairing) -> Job:
    """The match as it travels to a worker."""
    return Job(
        number=pairing.number,
        group=pairing.group,
        game=tournament.game,
        options=tournament.options,
        seed=pairing.seed,
        bot_seed=derive(tournament.seed, "bots", pairing.number),
        bots=tuple(_rooted(tournament.bots[bot]) for bot in pairing.bots),
        names=tuple(tournament.names[bot] for bot in pairing.bots),
        who=pairing.bots,
    )


def _rooted(bot: str) -> str:
    """A bot file by its full path: a worker may stand in another folder."""
    return f"{FILE}{Path(bot.removeprefix(FILE)).expanduser().resolve()}" if bot.startswith(FILE) else bot


def hold(
    tournament: Tournament, store: Store, where: Where, on_result: Callable[[Result], None] = lambda result: None
) -> None:
    """Play every match that has no result yet, and keep each result before anybody is told of it."""
    for wave in _waves(tournament, store.results):
        left = (job_of(tournament, pairing) for pairing in wave if pairing.number not in store.results)
        for result in where.play(left):
            store.add(result)
            on_result(result)


def _waves(tournament: Tournament, results: Mapping[int, Result]) -> Iterator[Iterable[Pairing]]:
    """What can be played side by side: everything at once, or round by round where a round depends on the last."""
    if tournament.format != SWISS:
        yield list(all_pairings(tournament))
        return
    for round in range(tournament.rounds):
        yield pairings(tournament, round, past(tournament, results, round))


def past(tournament: Tournament, results: Mapping[int, Result], round: int) -> Past:
    """The points and tables of all rounds before this one. A broken match gives no points."""
    before = [results[number] for number in range(round * tournament.tables * tournament.seats)]
    points = [0.0] * len(tournament.bots)
    for result in before:
        for bot, point in zip(result.bots, result.points, strict=True):
            points[bot] += point
    return Past(points, [tuple(result.bots) for result in before[:: tournament.seats]])
