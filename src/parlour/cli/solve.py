"""``parlour solve``: a policy of a small game that nobody gains much against, and how much that is."""

from __future__ import annotations

import json
from typing import Any

from parlour.cli import options
from parlour.cli.console import out, parse_settings, print_plain
from parlour.engine import registry
from parlour.engine.errors import ParlourError
from parlour.engine.files import check_place, write_whole
from parlour.lab.solve import Solution, grow
from parlour.lab.solve.policy import measure, solve, uniform

NOT_TWO = "With {seats} seats this proves nothing: the others could join forces, and the policy need not converge."


def find(asked: options.Solve) -> None:
    game = registry.get(asked.game)
    if not asked.goal > 0:
        raise ParlourError(f"--goal takes a number above 0, not {asked.goal!r}")
    if not 1 <= asked.rounds <= 10**9:
        raise ParlourError(f"--rounds takes a whole number from 1 to a billion, not {asked.rounds:,}")
    if asked.out is not None:
        check_place(asked.out, overwrite=False)
    tree = grow(game, asked.seats, parse_settings(asked.settings))
    if tree.seats < 1 or not len(tree.owners):
        raise ParlourError(f"in {game.name} there is nothing to decide, and so nothing to solve")
    by_lot, found = measure(tree, uniform(tree)), solve(tree, goal=asked.goal, rounds=asked.rounds)
    if asked.out is not None:
        write_whole(
            asked.out,
            json.dumps({**_described(found, by_lot), "policy": _policy(found)}, indent=1) + "\n",
            overwrite=False,
        )
    if asked.as_json:
        print(json.dumps(_described(found, by_lot)))
    else:
        _print(found, by_lot)


def _described(found: Solution, by_lot: Solution) -> dict[str, Any]:
    chance, choices, ends = found.tree.counts
    return {
        "game": found.tree.game.name,
        "seats": found.tree.seats,
        "nodes": {"chance": chance, "choices": choices, "ends": ends},
        "information_sets": len(found.tree.owners),
        "values": list(found.values),
        "exploitability": found.exploitability,
        "uniform": by_lot.exploitability,
        "rounds": found.rounds,
        "seconds": found.seconds,
    }


def _policy(found: Solution) -> list[dict[str, Any]]:
    """For every information set what the seat knows, and how likely it chooses each action."""
    tree = found.tree
    return [
        {
            "seat": int(tree.owners[number]),
            "knows": {name: getattr(known, name) for name in known.layout.fields},
            "chooses": {tree.game.words.write(known, action): share for action, share in found.at(number).items()},
        }
        for number, known in enumerate(tree.known)
    ]


def _print(found: Solution, by_lot: Solution) -> None:
    tree = found.tree
    chance, choices, ends = tree.counts
    print_plain(tree.game.title, "bold")
    out.print(f"{chance:,} draws, {choices:,} choices at {len(tree.owners):,} information sets, {ends:,} ends")
    out.print(f"{found.rounds:,} rounds in {found.seconds:.2f} s")
    for seat, value in enumerate(found.values):
        print_plain(f"{tree.game.seat_name(seat)} scores {value:+.6f} on average")
    out.print(f"exploitability {found.exploitability:.6f}; of a policy that chooses by lot {by_lot.exploitability:.6f}")
    if tree.seats != 2:
        print_plain(NOT_TWO.format(seats=tree.seats), "yellow")
