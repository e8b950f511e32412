"""Running a tournament: what is left to play is played, and kept in its folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from parlour.arena.executor import Executor
from parlour.arena.pairing import Pairing, all_pairings, derive, pairings, shuffled
from parlour.arena.results import PlayedMatch, Result
from parlour.arena.running import MatchJob
from parlour.arena.swiss import Past
from parlour.arena.tournament import GAUNTLET, SWISS, Tournament
from parlour.arena.tournament_folder import MODELS, TournamentFolder
from parlour.bots.model.settings import is_file
from parlour.bots.roster import FILE, MODEL
from parlour.engine.errors import BadTournament

SAMPLES = 32  # matches by which the time of all is estimated
PATIENCE = 5.0  # seconds after which fewer will do


def job_of(tournament: Tournament, pairing: Pairing, folder: Path | None = None) -> MatchJob:
    """The match as it travels to a worker. What models are asked and answer is kept in the folder."""
    return MatchJob(
        number=pairing.number,
        group=pairing.group,
        game=tournament.game,
        options=tournament.options,
        seed=pairing.seed,
        bot_seed=derive(tournament.root, "bots", pairing.number),
        bots=tuple(rooted(tournament.bots[bot]) for bot in pairing.bots),
        limits=tournament.limits,
        names=tuple(tournament.names[bot] for bot in pairing.bots),
        who=pairing.bots,
        opening=tournament.opening,
        versions=tuple(tournament.files.get(tournament.bots[bot], "") for bot in pairing.bots),
        logs=str((folder / MODELS).resolve()) if folder else "",
    )


def rooted(bot: str) -> str:
    """A bot file, or a model's file of settings, by its full path: a worker may stand in another folder."""
    kind = FILE if bot.startswith(FILE) else MODEL if bot.startswith(MODEL) and is_file(bot) else ""
    return f"{kind}{Path(bot.removeprefix(kind)).expanduser().resolve()}" if kind else bot


def run_tournament(
    tournament: Tournament,
    folder: TournamentFolder,
    executor: Executor,
    on_result: Callable[[Result], None] = lambda result: None,
) -> None:
    """Play every match that has no result yet, and keep each result before anybody is told of it."""
    for batch in _batches(tournament, folder.results):
        left = (job_of(tournament, pairing, folder.folder) for pairing in batch if pairing.number not in folder.results)
        for played in unchanged(executor.run(left)):
            folder.add(played)
            on_result(played.result)


def unchanged(matches: Iterable[PlayedMatch]) -> Iterator[PlayedMatch]:
    """The matches, until a bot is found to have changed meanwhile: what it plays now belongs to no tournament."""
    for played in matches:
        if played.changed:
            raise BadTournament(
                f"{played.changed} has changed since this began: no match of its new version is counted"
            )
        yield played


def _batches(tournament: Tournament, results: Mapping[int, Result]) -> Iterator[Iterable[Pairing]]:
    """What can be played side by side: everything at once, or round by round where a round depends on the last."""
    if tournament.format != SWISS:
        yield all_pairings(tournament)
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


def expected_seconds(tournament: Tournament, executor: Executor) -> float:
    """About how long all matches take, by a few between any of the bots. Those are not kept."""
    arrived: list[float] = []
    for _ in executor.run(job_of(tournament, _any_pairing(tournament, number)) for number in range(SAMPLES)):
        arrived.append(time.monotonic())  # the first is late, as its worker had to start
        if len(arrived) > 1 and arrived[-1] - arrived[0] > PATIENCE:
            break
    return (arrived[-1] - arrived[0]) / (len(arrived) - 1) * tournament.matches


def _any_pairing(tournament: Tournament, number: int) -> Pairing:
    seed = derive(tournament.root, "estimate", number)
    order = shuffled(len(tournament.bots), seed)
    if tournament.format == GAUNTLET:
        order = sorted(order, key=bool)  # the first bot, and any other
    return Pairing(number, number, seed, tuple(order[: tournament.seats]))
