"""Runs in a process of its own, in which Numba's simulator plays the GPU: prints what it found as JSON."""

from __future__ import annotations

import json
import sys

from parlour.engine import registry
from parlour.lab.simulate import simulate

TIMED = ("seconds", "games_per_second", "plies_per_second")


def main() -> None:
    summaries = []
    for name, games, seats, options in json.loads(sys.argv[1]):
        found = simulate(registry.get(name), games, seats, 5, device="cuda", options=options).to_json()
        summaries.append({field: value for field, value in found.items() if field not in TIMED})
    print(json.dumps({"summaries": summaries}))


if __name__ == "__main__":
    main()
