"""Training: rounds of play and of learning from it, until the plan is done. The same seed gives the same judge.

On the CPU, what a round plays and learns depends on its number alone, never on the cores; so does a training that goes
on after an interruption. On a GPU, matches go on from round to round, and an interrupted training begins new ones.
Where the plan is a length of time, it depends on the machine how much is done in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from parlour.bots.roster import faces
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.judge.file import Judge
from parlour.lab.train import checkpoint
from parlour.lab.train.calibration import corrected
from parlour.lab.train.checkpoint import Progress
from parlour.lab.train.network import Network
from parlour.lab.train.plan import METHOD, Plan, nature_of
from parlour.lab.train.rounds import Round, check_device, rounds_on
from parlour.lab.train.strength import score_against

MEASURED = 8  # times on the way
CORRECTED = 200_000  # positions by which it is corrected at the end
KEEP_EVERY = 30.0  # seconds between two checkpoints

Listener = Callable[[Progress, float], None]


class Trainer:
    """One training. ``path`` is where the judge will be; its checkpoint is beside it.

    ``opponents`` are whom it is measured against on the way.
    """

    def __init__(
        self,
        plan: Plan,
        path: Path,
        *,
        device: str = "cpu",
        cores: int | None = None,
        opponents: Sequence[str] | None = None,
    ) -> None:
        check_device(device)
        self.plan, self.path, self.device = plan, path, device
        self.opponents = usual_opponents(plan.game) if opponents is None else opponents
        self.game = plan.game
        self.network = Network(self.game, plan.units, plan.seed)
        if plan.start is not None:
            self.network.begin_with(plan.start)
        self.nature = nature_of(plan)
        self.progress = Progress()
        self.kept = checkpoint.path_of(path)
        if self.kept.exists():
            self.progress = checkpoint.load(self.kept, plan, self.network)
        self._cores = cores

    @property
    def done(self) -> float:
        """How much of the plan is done, from 0 to 1."""
        return self.plan.progress(self.progress.games, self.progress.seconds)

    def run(self, listen: Listener = lambda progress, done: None) -> Judge:
        """Train to the end of the plan. If it is interrupted, all but the last seconds is kept."""
        with rounds_on(self.device, self.plan, self.network, self.nature, self._cores) as rounds:
            kept_at = time.perf_counter()
            while self.done < 1:
                began = time.perf_counter()
                self._count(rounds.play(self.progress.rounds, self.done))
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
                "dice": self.nature.has_dice,
                "throws": self.nature.throws,
                "start": plan.start.record if plan.start else None,
                "seed": plan.seed,
                "games": progress.games,
                "device": self.device,
                "minutes": round(progress.seconds / 60, 2),
                "loss": round(progress.loss, 4),
                "strength": progress.strength,
            }
        )

    def _count(self, played: Round) -> None:
        progress = self.progress
        progress.games += played.games
        progress.cut += played.cut
        progress.loss += (played.loss - progress.loss) * (0.05 if progress.rounds else 1)
        progress.rounds += 1
        if not progress.games and progress.cut:
            raise ParlourError(f"no match of {self.game.name} came to an end: there is nothing to learn from")

    def _measure(self) -> None:
        """Now and then, and at the end: how strong the judge is."""
        if int(self.done * MEASURED) <= len(self.progress.strength):
            return
        judge = self.judge()
        seconds = max(1.0, 0.01 * 60 * (self.plan.minutes or 2))
        seats = self.plan.seats[0]
        scores = [
            asdict(score_against(judge, opponent, seats, self.plan.seed % 2**64 + 1, seconds, self.plan.options))
            for opponent in self.opponents
        ]
        self.progress.strength.append({"games": self.progress.games, "scores": scores})


def usual_opponents(game: Game) -> list[str]:
    """Whom a judge is measured against: random play, and the first and the middle level of the game's bots."""
    levels = [face.name for face in faces(game)]
    return list(dict.fromkeys(["random", levels[0], levels[len(levels) // 2]]))
