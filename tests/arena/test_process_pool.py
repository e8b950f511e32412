"""Workers: real processes, that are killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator

from parlour.arena.pairing import all_pairings
from parlour.arena.process_pool import TRIES, ProcessPool
from parlour.arena.results import BROKEN, PlayedMatch
from parlour.arena.runner import job_of
from parlour.arena.running import MatchJob, broken, play
from parlour.arena.tournament import Tournament

PLAN = Tournament("choccer", 1, {}, "robin", ("random", "greedy"), 4, 1)


def jobs(plan: Tournament = PLAN) -> list[MatchJob]:
    return [job_of(plan, pairing) for pairing in all_pairings(plan)]


def pool_of(cores: int) -> ProcessPool[MatchJob, PlayedMatch]:
    return ProcessPool(play, broken, cores)


def test_workers_play_what_would_have_been_played_here() -> None:
    with pool_of(2) as pool:
        results = {played.result.number: played.result for played in pool.run(jobs())}
        assert sorted(results) == list(range(8))
        assert all(results[job.number].same_play(play(job).result) for job in jobs())
        assert list(pool.run([])) == []
        assert len(list(pool.run(jobs()[:3]))) == 3, "a pool can be used again"


def test_a_killed_worker_is_replaced_and_its_match_played_again() -> None:
    with pool_of(2) as pool:
        results = []
        killed = 0
        for played in pool.run(jobs()):
            results.append(played.result)
            for worker in [*pool._busy][: 1 if killed < 2 else 0]:
                os.kill(worker.process.pid, signal.SIGKILL)
                killed += 1
    assert killed == 2
    assert sorted(result.number for result in results) == list(range(8))
    assert all(result.ended != BROKEN for result in results)


def test_whoever_has_heard_enough_leaves_nothing_running() -> None:
    before = set(multiprocessing.active_children())
    with pool_of(2) as pool:
        for _ in range(6):
            played = pool.run(jobs())
            next(played)
            played.close()  # type: ignore[attr-defined]
        assert len(list(pool.run(jobs()))) == 8
        assert len(set(multiprocessing.active_children()) - before) <= 2
    assert set(multiprocessing.active_children()) == before


def test_an_idle_worker_that_is_killed_is_not_missed() -> None:
    with pool_of(1) as pool:
        list(pool.run(jobs()[:1]))
        (worker,) = pool._idle
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.join()
        assert len(list(pool.run(jobs()))) == 8


def test_a_match_that_kills_every_worker_is_broken_and_the_others_go_on() -> None:
    """A match of a million playouts an action never ends here: whoever plays it is killed."""
    long = job_of(Tournament("choccer", 1, {}, "robin", ("mcts:1000000p", "random"), 1, 1), next(all_pairings(PLAN)))
    fatal = MatchJob(**{**long.__dict__, "number": 99})
    kills = 0

    def coming() -> Iterator[MatchJob]:
        yield fatal
        yield from jobs()

    with pool_of(2) as pool:
        results = {}
        original = pool._finished

        def finished() -> list[object]:
            nonlocal kills
            for worker, attempt in pool._busy.items():
                if attempt.job.number == 99:
                    os.kill(worker.process.pid, signal.SIGKILL)
                    kills += 1
            return original()  # type: ignore[return-value]

        pool._finished = finished  # type: ignore[method-assign, assignment]
        for played in pool.run(coming()):
            results[played.result.number] = played.result
    assert kills >= TRIES
    assert results[99].ended == BROKEN
    assert results[99].winners == []
    assert sorted(results) == [*range(8), 99]
    assert all(results[number].ended != BROKEN for number in range(8))
