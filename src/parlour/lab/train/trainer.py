"""Training: rounds of play and of learning from it, until the plan is done. The same seed gives the same judge.

What a round plays and learns depends on its number alone, never on the cores; so does a training that goes on after an
interruption. Only where the plan is a length of time does it depend on the machine how much is done in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from parlour.bots.roster import faces
from parlour.engine.cores import available_cores
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.judge import Judge
from parlour.lab.train import checkpoint
from parlour.lab.train.calibration import corrected
from parlour.lab.train.checkpoint import Progress
from parlour.lab.train.network import Network
from parlour.lab.train.plan import METHOD, Plan, nature_of
from parlour.lab.train.self_play import CUT, DREW, GAMES, Player, Samples, compiled_self_play
from parlour.lab.train.strength import score_against

CHUNKS = 4  # of a round; each is played by one core
QUOTA = 4096  # positions of a chunk
BATCH = 1024
PASSES = 2  # how often each position is learnt from
RATE, LAST_RATE = 1.5e-3, 3e-5  # of learning, at the beginning and at the end
MEASURED = 8  # times on the way
CORRECTED = 50_000  # positions by which it is corrected at the end
KEEP_EVERY = 30.0  # seconds between two checkpoints

Listener = Callable[[Progress, float], None]


class Trainer:
    """One training. ``path`` is where the judge will be; its checkpoint is beside it.

    ``opponents`` are whom it is measured against on the way.
    """

    def __init__(
        self, plan: Plan, path: Path, *, cores: int | None = None, opponents: Sequence[str] | None = None
    ) -> None:
        self.plan, self.path = plan, path
        self.opponents = usual_opponents(plan.game) if opponents is None else opponents
        self.game = plan.game
        self.network = Network(self.game, plan.units, plan.seed)
        self.nature = nature_of(plan)
        self.progress = Progress()
        self.kept = checkpoint.path_of(path)
        if self.kept.exists():
            self.progress = checkpoint.load(self.kept, plan, self.network)
        self._players = [Player(self.game, plan.units, QUOTA) for _ in range(CHUNKS)]
        self._openings = [self._opening(seats) for seats in plan.seats]
        self._cores = cores or len(available_cores())

    @property
    def done(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        return self.plan.progress(self.progress.games, self.progress.seconds)

    def run(self, listen: Listener = lambda progress, done: None) -> Judge:
        """Train to the end of the plan. If it is interrupted, all but the last seconds is kept."""
        compiled_self_play(self.game, self.plan.units)
        kept_at = time.perf_counter()
        with ThreadPoolExecutor(self._cores) as pool:
            while self.done < 1:
                began = time.perf_counter()
                self._round(pool)
                self.progress.seconds += time.perf_counter() - began
                self._measure()
                listen(self.progress, self.done)
                if time.perf_counter() - kept_at > KEEP_EVERY:
                    self.keep()
                    kept_at = time.perf_counter()
        judge = corrected(self.judge(), CORRECTED, self.plan.seed + 1)
        judge.save(self.path)
        self.kept.unlink(missing_ok=True)
        return judge

    def keep(self) -> None:
        """Write the checkpoint."""
        checkpoint.save(self.kept, self.plan, self.network, self.progress)

    def judge(self) -> Judge:
        """The judge as it is now, with a record of how it was made."""
        progress, plan = self.progress, self.plan
        return self.network.judge(
            {
                "method": METHOD,
                "seats": list(plan.seats),
                "options": dict(plan.options),
                "dice": progress.draws > 0,
                "throws": self.nature.throws,
                "seed": plan.seed,
                "games": progress.games,
                "minutes": round(progress.seconds / 60, 2),
                "loss": round(progress.loss, 4),
                "strength": progress.strength,
            }
        )

    def _opening(self, seats: int) -> Any:
        opening = self.game.layout.rows(1)
        self.game.layout.write(self.game.blank(seats, **self.plan.options), opening, 0)
        return opening

    def _round(self, pool: ThreadPoolExecutor) -> None:
        """Play, then learn from it."""
        done, number = self.done, self.progress.rounds
        play, weights = compiled_self_play(self.game, self.plan.units), self.judge().weights

        def chunk(place: int) -> Samples:
            which = (number * CHUNKS + place) % len(self._openings)
            habits = self.nature.habits(done, self.plan.seats[which])
            stream = number * CHUNKS + place
            return self._players[place].play(play, self._openings[which], weights, self.plan.seed, stream, habits)

        parts = list(pool.map(chunk, range(CHUNKS)))
        samples = Samples(*map(np.concatenate, zip(*parts, strict=True)))
        self._count()
        rate = RATE * (1 - done) + LAST_RATE
        losses = [self.network.learn(samples, batch, rate, pool) for batch in self._batches(len(samples.targets))]
        self.progress.loss += (float(np.mean(losses)) - self.progress.loss) * (0.05 if number else 1)
        self.progress.rounds += 1

    def _batches(self, size: int) -> list[Any]:
        random = np.random.default_rng([self.plan.seed % 2**64, self.progress.rounds])
        orders = [random.permutation(size) for _ in range(PASSES)]
        return [batch for order in orders for batch in np.array_split(order, max(1, size // BATCH))]

    def _count(self) -> None:
        counts = np.sum([player.counts for player in self._players], axis=0)
        self.progress.games += int(counts[GAMES])
        self.progress.cut += int(counts[CUT])
        self.progress.draws += int(counts[DREW])
        if not self.progress.games:
            raise ParlourError(f"no match of {self.game.name} came to an end: there is nothing to learn from")

    def _measure(self) -> None:
        """Now and then, and at the end: how strong the judge is."""
        if int(self.done * MEASURED) <= len(self.progress.strength):
            return
        judge = self.judge()
        seconds = max(1.0, 0.01 * 60 * (self.plan.minutes or 2))
        seats = self.plan.seats[0]
        scores = [
            asdict(score_against(judge, opponent, seats, self.plan.seed + 1, seconds, self.plan.options))
            for opponent in self.opponents
        ]
        self.progress.strength.append({"games": self.progress.games, "scores": scores})


def usual_opponents(game: Game) -> list[str]:
    """Whom a judge is measured against: random play, and the first and the middle level of the game's bots."""
    levels = [face.name for face in faces(game)]
    return list(dict.fromkeys(["random", levels[0], levels[len(levels) // 2]]))
