"""Find the numbers of a style that win: ``python -m benchmarks.bots.mazerunner.numbers --minutes 30``.

In every match, half of the seats have all numbers a little higher or lower, at random, and the other half have the
opposite. Each number then goes towards what won. This is known as simultaneous perturbation (SPSA).
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from benchmarks.bots.mazerunner.matches import Matches
from numpy.typing import NDArray

from parlour.engine.cores import available_cores
from parlour.games.mazerunner.bots.style import THUMB, TUNED, Style

Numbers = NDArray[np.float64]

STEPS = Style(
    drink_at=3.0,
    drink_for_each=2.0,
    drink_in_maze_at=3.0,
    heal_at=2.0,
    heal_for_each=0.3,
    heal_for_each_of_others=0.5,
    fit=3.0,
    bold=10.0,
    usual_power=0.7,
    bold_in_maze=10.0,
    new_block=1.0,
    new_block_for_each_resource=0.1,
    new_block_for_each_hp=0.05,
    new_block_for_each_neighbour=0.3,
    new_block_for_each_fork=0.3,
    new_block_as_last=1.0,
    map_piece=3.0,
    map_piece_for_each=0.6,
    iron=0.1,
    herbs=0.1,
    gold=0.1,
    damage=0.08,
    damage_squared=0.01,
    most_blows=0.5,
    spare_hp=1.5,
    wound=0.1,
    rope_at=1.0,
    rope_before_kill=1.0,
    portal=0.5,
    map_card=0.5,
    monster=0.5,
    resources=0.5,
    monster_for_each_power=0.05,
    attack_die=0.7,
    attack_die_for_treasure=0.5,
    attack_die_for_near_treasure=0.5,
    attack_die_of_six=0.5,
    attack_die_for_attack=0.2,
    attack_die_for_steps=0.2,
    resource_die=0.7,
    resource_die_of_six=0.5,
    resource_die_for_maps=0.1,
    resource_die_for_bonus=0.2,
    resource_die_for_steps=0.2,
    wanted=(1.5,) * 16,
    wanted_third_die=1.5,
    potion_less_for_each=0.7,
    potion_for_each_hp=0.05,
    less_for_each_trade=0.4,
    less_for_each_map=0.3,
    least_wanted=0.4,
    less_for_each_held=0.7,
)
"""How far each number is moved to try it."""

RATE, LAST_RATE = 4.0, 0.8  # steps by which a number moves, for a difference of one win a match
SMOOTH = 0.03  # the share of the newest numbers in the average that is the result
CHUNK, CHUNKS = 100, 8  # matches that a core plays before it hands them over; and so many chunks of 2 and of 4 seats


def flat(style: Style) -> Numbers:
    """All numbers of a style in a row."""
    parts = (part if isinstance(part, tuple) else (part,) for part in style)
    return np.array([number for part in parts for number in part])


def style_of(numbers: Numbers) -> Style:
    """The style with these numbers."""
    rest = [float(number) for number in numbers]
    parts: list[float | tuple[float, ...]] = []
    for part in THUMB:
        count = len(part) if isinstance(part, tuple) else 1
        taken, rest = tuple(rest[:count]), rest[count:]
        parts.append(taken if isinstance(part, tuple) else taken[0])
    return Style._make(parts)


def slope(numbers: Numbers, seats: int, seed: int) -> Numbers:
    """Where to go from these numbers, by some matches: for each number, how much more is won with it higher."""
    random, matches, steps = np.random.default_rng([seed, seats]), Matches(seats), flat(STEPS)
    total = np.zeros(len(numbers))
    for number in range(CHUNK):
        signs = random.choice([-1.0, 1.0], len(numbers))
        who = random.permutation(np.arange(seats) % 2)
        styles = [style_of(numbers + sign * signs * steps) for sign in (1, -1)]
        shares, _, _ = matches.play(styles[0], styles[1], who, seed, number)
        total += signs * (shares[who == 0].sum() - shares[who == 1].sum())
    return total / CHUNK


def learn(start: Style, minutes: float, seed: int) -> Style:
    """Better numbers than those of the style to begin with."""
    Matches(2)  # which compiles them
    numbers, steps = flat(start), flat(STEPS)
    average, began, done, rounds = numbers.copy(), time.monotonic(), 0.0, 0
    with ThreadPoolExecutor(len(available_cores())) as pool:
        while done < 1:
            tables = [2, 4] * CHUNKS
            jobs = [pool.submit(slope, numbers, seats, seed + rounds * 1000 + n) for n, seats in enumerate(tables)]
            numbers = numbers + (RATE + (LAST_RATE - RATE) * done) * steps * np.mean([job.result() for job in jobs], 0)
            rounds += 1
            average += max(SMOOTH, 1 / rounds) * (numbers - average)
            done = (time.monotonic() - began) / (60 * minutes)
    return style_of(average)


def score(style: Style, against: Style, seats: int, matches: int, seed: int) -> float:
    """The share of wins of one seat with the style, all others having the other one."""
    table, won = Matches(seats), 0.0
    for number in range(matches):
        who = np.ones(seats, np.int64)
        who[number % seats] = 0
        won += table.play(style, against, who, seed, number // seats)[0][number % seats]
    return won / matches


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=4000, help="to measure the result with")
    parser.add_argument("--thumb", action="store_true", help="begin with the numbers found by hand")
    given = parser.parse_args()
    found = learn(THUMB if given.thumb else TUNED, given.minutes, given.seed)
    print(style_of(flat(found).round(3)))
    for seats in (2, 4):
        for name, against in (("the numbers found by hand", THUMB), ("those that the runner has", TUNED)):
            print(f"{seats} seats, against {name}: {score(found, against, seats, given.matches, given.seed + 1):.1%}")
