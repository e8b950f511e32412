"""``parlour sprt``: is the new bot better than the old one?"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict
from typing import Any

from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from parlour.arena.duel import Duel, duel
from parlour.arena.executor import Executor, make_executor
from parlour.arena.report import faults_text, seconds_text, share_text
from parlour.arena.sequential import BETTER, NOT_BETTER, Claims, SequentialTest
from parlour.arena.tournament import ROBIN, Tournament, announce, key_for
from parlour.cli import options
from parlour.cli.console import err, parse_seed, parse_settings, print_plain
from parlour.engine import registry
from parlour.engine.errors import ParlourError


def sprt(asked: options.Sprt) -> None:
    test = SequentialTest(Claims(asked.worse, asked.better, asked.alpha, asked.beta))
    if not 2 <= asked.max_matches <= 1_000_000:
        raise ParlourError(f"--max-matches takes a whole number from 2 to 1000000, not {asked.max_matches}")
    seed = parse_seed(asked.seed)
    tournament = announce(
        registry.get(asked.game),
        [asked.new, asked.old],
        format=ROBIN,
        rounds=asked.max_matches // 2,
        seed=secrets.randbits(63) if seed is None else seed,
        options=parse_settings(asked.settings),
        limits=asked.limits,
        opening=asked.opening,
        key=key_for([asked.new, asked.old]) if asked.key is None else asked.key,
    )
    judged = _judge(tournament, test, make_executor(asked.on, asked.cores))
    if asked.as_json:
        print(json.dumps(_described(judged)))
    else:
        _print(judged)


def _judge(tournament: Tournament, test: SequentialTest, executor: Executor) -> Duel:
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar, executor:
        task = bar.add_task(tournament.game, total=tournament.rounds)

        def tell(judged: Duel) -> None:
            better, not_better = judged.test.progress
            told = f"pairs judged; better {better:.0%}, not better {not_better:.0%} certain"
            bar.update(task, advance=1, description=told)

        return duel(tournament, test, executor, tell)


def _described(judged: Duel) -> dict[str, Any]:
    return {
        "game": judged.tournament.game,
        "options": judged.tournament.options,
        "seed": judged.tournament.seed,
        "key": judged.tournament.key,
        "answer": judged.test.answer,
        "pairs": len(judged.test.scores),
        "broken": judged.broken,
        "repeated": judged.repeated,
        "opening": judged.tournament.opening,
        "score": asdict(judged.test.interval()),
        "claims": asdict(judged.test.claims),
        "bots": [_bot(judged, place) for place in range(2)],
    }


def _bot(judged: Duel, place: int) -> dict[str, Any]:
    content = judged.rows[place].to_json()
    return {key: value for key, value in content.items() if key not in ("rank", "rating", "skill", "score")}


def _print(judged: Duel) -> None:
    test, (new, old) = judged.test, judged.rows
    claims, pairs = test.claims, len(test.scores)
    answers = {
        BETTER: f"{new.bot} is better than {old.bot}: it scores more than {claims.worse:.0%}",
        NOT_BETTER: f"{new.bot} is not better than {old.bot}: it scores less than {claims.better:.0%}",
    }
    more = "more matches would only repeat these" if judged.is_stale else "more matches may tell (--max-matches)"
    undecided = f"Undecided after {_pairs(pairs)}: {more}"
    print_plain(answers.get(test.answer, undecided), "bold")
    print_plain(f"Score of {new.bot}: {share_text(test.interval())} in {_pairs(pairs)} of matches")
    for row in judged.rows:
        record = f"{row.won}–{row.drawn}–{row.lost}" + (f", {row.forfeited} forfeited" if row.forfeited else "")
        print_plain(f"  {row.bot}: {record}; faults: {faults_text(row)}; {seconds_text(row)} an action")
    if judged.broken:
        print_plain(f"{judged.broken} pairs are broken and left out.", "yellow")
    if judged.repeated:
        print_plain(f"Repeating others, and not counted: {_pairs(judged.repeated)}.", "yellow")
    if judged.tournament.opening:
        print_plain(
            f"The first {judged.tournament.opening} plies are drawn by lot, the same for both of a pair.", "dim"
        )
    key = f", key {judged.tournament.key}" if judged.tournament.key else ""
    print_plain(f"Seed {judged.tournament.seed}{key}", "dim")


def _pairs(count: int) -> str:
    return f"{count} pair{'' if count == 1 else 's'}"
