"""Who is best: battle royales of all, then round robins among equals, and the files that tell it.

A player that is too slow in a game is banned: it is a zombie in the games after that one, its wins do not count, and
it comes last. Games are played side by side, so that some may be over before the ban is known: they are
played again without the player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from game17.files import frame
from game17.games import Crew, GameJob, Outcome
from parlour.engine.files import write_whole

Ranks = list[set[int]]
Watch = Callable[[GameJob, Outcome], None]


@dataclass
class Tally:
    """What has been found out so far."""

    wins: Counter[int] = field(default_factory=Counter)
    longest: dict[int, float] = field(default_factory=dict)
    banned: set[int] = field(default_factory=set)

    def clock(self, player: int, seconds: float) -> None:
        self.longest[player] = max(self.longest.get(player, 0.0), seconds)

    def ranks(self, players: Sequence[int]) -> Ranks:
        """Groups of equals, the best first, the banned last."""
        honest = [player for player in players if player not in self.banned]
        groups = [{player for player in honest if self.wins[player] == wins} for wins in set(self.wins.values()) | {0}]
        found = sorted(filter(None, groups), key=lambda group: -self.wins[next(iter(group))])
        return [*found, set(self.banned)] if self.banned else found

    def summary(self, players: Sequence[int]) -> str:
        rows = []
        for player in players:
            won = "banned" if player in self.banned else str(self.wins[player])
            rows.append((player, won, self.longest.get(player, 0)))
        return frame(["games won", "max time"], rows)


def play_with_bans(
    crew: Crew,
    jobs: Sequence[GameJob],
    threshold: float,
    without: Callable[[GameJob, set[int]], GameJob | None],
    tally: Tally,
) -> Iterator[tuple[GameJob, Outcome]]:
    """The games in their order. ``without`` says what becomes of a job once some are banned; None: it is left out."""
    left = list(jobs)
    while left:
        outcomes = crew.play(left)
        for done, outcome in enumerate(outcomes, 1):
            job = left[done - 1]
            fresh = {player for player, _ in job.seats if outcome.is_too_slow(player, threshold)}
            for player, _ in job.seats:
                tally.clock(player, outcome.times[player])
            tally.banned |= fresh
            yield job, outcome
            if fresh:
                left = [kept for job in left[done:] if (kept := without(job, tally.banned)) is not None]
                break
        else:
            left = []
        outcomes.close()


def battle_royale(crew: Crew, folder: Path, games: int, threshold: float, watch: Watch | None = None) -> Ranks:
    """Games of all players together, their replays and a summary in the folder; groups of equals, the best first."""

    def without(job: GameJob, banned: set[int]) -> GameJob:
        return GameJob.of(job.label, [player for player, _ in job.seats if player not in banned])

    tally = Tally()
    jobs = [GameJob.of(f"battle-royale-{number}", crew.players) for number in range(games)]
    for job, outcome in play_with_bans(crew, jobs, threshold, without, tally):
        write_whole(folder / f"{job.label}.json", outcome.record, overwrite=False)
        tally.wins.update(set(outcome.winners) & set(crew.players))
        if watch:
            watch(job, outcome)
    write_whole(folder / "battle-royale-summary.txt", tally.summary(crew.players), overwrite=False)
    return tally.ranks(crew.players)


def round_robin(
    crew: Crew, players: Sequence[int], folder: Path, threshold: float, group: int = 0, watch: Watch | None = None
) -> Ranks:
    """One game for each pair, zombies on the rest; replays, results and a summary in the folder."""

    def without(job: GameJob, banned: set[int]) -> GameJob | None:
        return None if any(player in banned for player, _ in job.seats) else job

    tally, won = Tally(), {}
    jobs = [GameJob.of(f"{one} vs {other}", (one, other)) for one, other in combinations(players, 2)]
    for job, outcome in play_with_bans(crew, jobs, threshold, without, tally):
        write_whole(folder / f"{job.label}.json", outcome.record, overwrite=False)
        pair = [player for player, _ in job.seats]
        winners = [player for player in pair if player in outcome.winners]
        if winners:
            won[job] = winners
        if watch:
            watch(job, outcome)
    kept = {job: winners for job, winners in won.items() if without(job, tally.banned)}
    tally.wins.update(player for winners in kept.values() for player in winners)
    suffix = f"-{group}" if group else ""
    rows = [(job.label, ", ".join(map(str, winners))) for job, winners in kept.items()]
    write_whole(folder / f"round-robin{suffix}.txt", frame(["winner"], rows), overwrite=False)
    write_whole(folder / f"round-robin-summary{suffix}.txt", tally.summary(players), overwrite=False)
    return tally.ranks(players)


def rank(crew: Crew, folder: Path, games: int, threshold: float, watch: Watch | None = None) -> Ranks:
    """Battle royales, then a round robin in each group of equals; the whole order in ranks.txt."""
    ranks: Ranks = []
    for group, equals in enumerate(battle_royale(crew, folder, games, threshold, watch)):
        if len(equals) == 1:
            ranks.append(equals)
        else:
            ranks += round_robin(crew, sorted(equals), folder, threshold, group, watch)
    rows = [(place, ", ".join(map(str, sorted(group)))) for place, group in enumerate(ranks)]
    write_whole(folder / "ranks.txt", frame(["players"], rows), overwrite=False)
    return ranks


@dataclass(frozen=True)
class ZombieRecord:
    """How a player fared against zombies alone."""

    wins: int
    longest: float
    given_up_after: int | None = None  # games, if it missed too many deadlines


def vs_zombies(crew: Crew, player: int, games: int, watch: Watch | None = None) -> ZombieRecord:
    """Games of one player, as id 0, against zombies. A player that keeps missing its deadline is given up."""
    wins, longest = 0, 0.0
    outcomes = crew.play(
        [GameJob(f"player {player} against zombies, game {game}", ((0, player),)) for game in range(games)]
    )
    for game, outcome in enumerate(outcomes):
        wins += 0 in outcome.winners
        longest = max(longest, outcome.times[0])
        if watch:
            watch(GameJob(f"game {game}", ((0, player),)), outcome)
        if outcome.is_too_slow(0, threshold=0):
            outcomes.close()
            return ZombieRecord(wins, longest, game + 1)
    return ZombieRecord(wins, longest)
