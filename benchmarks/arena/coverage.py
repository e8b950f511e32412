"""How often the 95% intervals of ratings hold the truth, by simulated round robins.

    python -m benchmarks.arena.coverage

Every pair of bots plays some rounds, each round one seed both ways round. With ``luck`` the dice of a seed favour one
of the seats by so much on the scale of the logarithm of strengths, as in many a game: then a seed is often won once by
each, and its two matches tell less than two would.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from parlour.arena.rating import ELO, Groups, ratings

STRENGTHS = (
    (0.0, 0.0),
    (75.0, -75.0),
    (200.0, -200.0),
    (0.0, 0.0, 0.0),
    (150.0, 0.0, -150.0),
    (300.0, 0.0, -300.0),
    (250.0, 150.0, 50.0, -50.0, -150.0, -250.0),
)
MANY = 20_000  # rounds that tell the truth


def round_robin(strengths: tuple[float, ...] | list[float], rounds: int, luck: float, seed: int) -> Groups:
    """The results of one tournament."""
    random = np.random.default_rng(seed)
    pairs = np.array(list(combinations(range(len(strengths)), 2)))
    better = np.array([(strengths[one] - strengths[two]) / ELO for one, two in pairs])
    favour = random.normal(0.0, 2**0.5 * luck, (rounds, len(pairs)))
    won = sum((random.random(favour.shape) < 1 / (1 + np.exp(-better - side * favour))).astype(int) for side in (1, -1))
    first = np.asarray(won, dtype=float).ravel()
    return Groups(len(strengths), np.tile(pairs, (rounds, 1)).tolist(), np.column_stack((first, 2 - first)).tolist())


def truth(strengths: tuple[float, ...] | list[float], luck: float) -> list[float]:
    """What the ratings are of that estimate: with luck, the dice hide some of the strength."""
    return [rating.value for rating in ratings(round_robin(strengths, MANY, luck, seed=12345), resamples=100)]


def coverage(
    strengths: tuple[float, ...] | list[float], *, rounds: int, luck: float, tournaments: int, resamples: int = 1000
) -> float:
    """The share of intervals that hold the truth."""
    true, held = truth(strengths, luck), 0
    for seed in range(tournaments):
        found = ratings(round_robin(strengths, rounds, luck, seed), seed, resamples)
        held += sum(rating.low <= value <= rating.high for rating, value in zip(found, true, strict=True))
    return held / tournaments / len(strengths)


def main() -> None:
    print("rounds  luck  covered  ratings")
    for rounds in (5, 10, 30, 100):
        for luck in (0.0, 1.5):
            for strengths in STRENGTHS:
                held = coverage(strengths, rounds=rounds, luck=luck, tournaments=400, resamples=400)
                print(f"{rounds:6}  {luck:4}  {held:7.1%}  {' '.join(f'{strength:+.0f}' for strength in strengths)}")


if __name__ == "__main__":
    main()
