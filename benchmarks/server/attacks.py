"""Whether one can stop the others: somebody plays while one attack at a time runs.

    python -m benchmarks.server.attacks [--only undo,pings] [--seconds 8] [--addresses 1,3]
                                        [--set workers=2] [--proxied]

The server has its default settings. The victim plays Choccer over sockets, and every move is timed from when it was
due to when the other's socket has it (``victim``); meanwhile visitors look at tables, and open some. Each attack
(``attackers``) comes from so many addresses of this machine, and is bounded in time and number. A victim's p99 is to
stay under 100 ms while an attack runs from one address, and under 250 ms from three.

All times are in milliseconds; ``stop`` is for how long the server's event loop stopped at most, by the processor time
of its thread: that counts on a busy machine, too. Attackers use the same cores as the server: how much of them stands
beside the rest, and how many cores ``others`` had, which should be none.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from benchmarks.server import house
from benchmarks.server.attackers import stage
from benchmarks.server.attackers.__main__ import ATTACKS, Attack
from benchmarks.server.attackers.ground import PROXY
from benchmarks.server.attackers.host import longest_stop
from benchmarks.server.attackers.stage import Stage

from parlour.server.basics.config import Config

MB = 2**20
READY_WITHIN = 120.0  # seconds
ENDS_WITHIN = 90.0
SAMPLE_EVERY = 0.25
DEFAULTS = {
    name: getattr(Config(), name)
    for name in (variable.removeprefix("PARLOUR_").lower() for variable in house.UNLIMITED)
    if name != "log"
}


class AsItComes(house.Server):
    """A server with default settings: see ``host``."""

    stops = Path()

    def command(self) -> list[str]:
        host = [sys.executable, "-m", "benchmarks.server.attackers.host", str(self.stops)]
        return [*host, "serve", "--port", str(self.port)]


class Actor:
    """A process that says ``ready``, waits for a line, acts, and says in JSON what became of it."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=house.ROOT,
            text=True,
        )

    def wait_until_ready(self) -> None:
        assert self.process.stdout is not None
        timer = threading.Timer(READY_WITHIN, self.process.kill)
        timer.start()
        line = self.process.stdout.readline()
        timer.cancel()
        if line != "ready\n":
            raise RuntimeError(f"{self.process.args!r} could not begin")

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def outcome(self) -> dict[str, Any]:
        told, _ = self.process.communicate(timeout=ENDS_WITHIN)
        found: dict[str, Any] = json.loads(told.splitlines()[-1]) if told.strip() else {}
        return found


@dataclass
class Measured:
    """What became of the victim, of the attackers, and of the server."""

    victim: dict[str, Any]
    attackers: dict[str, Any]
    memory: int  # the most that all processes of the server had
    cpu: float
    others: float  # cores that programs had which do not belong to this
    stop: float  # the longest of its event loop, in seconds of processor time
    errors: int  # lines of its log that say what should not have happened


class Watch(threading.Thread):
    """Notes how much memory the server has, until it is told to end."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process = process
        self.most = 0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(SAMPLE_EVERY):
            with contextlib.suppress(OSError):
                self.most = max(self.most, house.usage_of_all(self.process).memory)


@contextlib.contextmanager
def serving(attack: Attack, database: str, log: Path, service: int, more: dict[str, str]) -> Iterator[AsItComes]:
    settings = {**DEFAULTS, "trust_proxy": PROXY, "push_endpoints": f"http://{house.HOST}:{service}", **attack.settings}
    settings |= more
    server = AsItComes(str(settings.pop("database", f"sqlite:///{database}")), log=log, **settings)
    server.stops = log.with_name("stops")
    try:
        server.start()
        yield server
    finally:
        server.stop()


def measure(
    name: str, addresses: int, seconds: float, made: Stage, more: dict[str, str], *, proxied: bool = False
) -> Measured:
    attack, service = ATTACKS[name], house.free_port()
    with tempfile.TemporaryDirectory(prefix="parlour-attack-") as folder:
        given, log = made.copied(Path(folder)), Path(folder) / "log"
        with serving(attack, given.database, log, service, more) as server:
            orders = {"attack": name, "url": server.url, "addresses": addresses, "seconds": seconds}
            orders |= {"proxied": proxied or attack.proxied}
            orders |= {"stage": given.as_json(), "server": server.pid, "service": service}
            attackers = Actor("benchmarks.server.attackers", json.dumps(orders))
            attackers.wait_until_ready()
            victim = Actor("benchmarks.server.victim", server.url, str(seconds))
            victim.wait_until_ready()
            time.sleep(1)
            watch, busy = Watch(server.pid), _busy()
            before, began = house.usage_of_all(server.pid).cpu, time.monotonic()
            watch.start()
            attackers.begin()
            victim.begin()
            outcomes = victim.outcome(), attackers.outcome()
            watch.over.set()
            cpu = house.usage_of_all(server.pid).cpu - before
            stop = longest_stop(server.stops, began)
            ours = cpu + sum(outcome.get("cpu", 0.0) for outcome in outcomes)
            others = max(0.0, _busy() - busy - ours) / (time.monotonic() - began)
        said = [line for line in log.read_text().splitlines() if " error " in line]
        for line in said[:3]:
            print("   ", line[:300])
        return Measured(*outcomes, watch.most, cpu, others, stop, len(said))


def _busy() -> float:
    """Seconds of processor time that all programs of this machine have had."""
    times = [int(time) for time in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    idle, waits = times[3], times[4]
    return (sum(times[:8]) - idle - waits) / os.sysconf("SC_CLK_TCK")


HEAD = f"{'attack':18} {'from':>4} {'p50':>6} {'p99':>7} {'max':>7} {'moves':>9} {'visit':>6} {'stop':>6} {'MB':>5} "
HEAD += f"{'server s':>8} {'attack s':>8} {'others':>6}  what came of it"


def told(name: str, addresses: int, found: Measured) -> str:
    victim, attackers = found.victim, found.attackers
    what: dict[str, Any] = {**attackers.get("answers", {}), **attackers.get("counts", {})}
    what |= {f"visitors: {why}": count for why, count in victim["refused"].items()} | victim["problems"]
    if found.errors:
        what["errors in the log"] = found.errors
    times = f"{victim['p50']:6.1f} {victim['p99']:7.1f} {victim['max']:7.1f}"
    server = f"{1000 * found.stop:6.0f} {found.memory / MB:5.0f} {found.cpu:8.1f}"
    return (
        f"{name:18} {addresses:>4} {times} {victim['moves']:>4}/{victim['due']:<4} {victim['visit']:6.1f} {server} "
        f"{attackers.get('cpu', 0.0):8.1f} {found.others:6.1f}  "
        + ", ".join(f"{what}: {count}" for what, count in what.items())
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Whether one can stop the others.")
    parser.add_argument("--only", default=",".join(ATTACKS), help="these attacks, separated by commas")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--addresses", default="1,3", help="from how many addresses, one after the other")
    parser.add_argument("--set", action="append", default=[], help="a setting of the server, such as workers=2")
    parser.add_argument("--proxied", action="store_true", help="all come by way of a proxy that the server trusts")
    parser.add_argument("--stage", type=Path, help="a folder that keeps what is made before, for the next time")
    arguments = parser.parse_args()
    more = dict(setting.split("=", 1) for setting in arguments.set)
    names, counts = arguments.only.split(","), [int(count) for count in arguments.addresses.split(",")]
    if unknown := set(names) - set(ATTACKS):
        parser.error(f"there are no attacks called {', '.join(unknown)}; there are: {', '.join(ATTACKS)}")
    with contextlib.ExitStack() as kept:
        folder = arguments.stage or Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="parlour-stage-")))
        is_needed = any(ATTACKS[name].needs for name in names)
        made = _staged(folder, max(counts)) if is_needed else Stage("")
        print(HEAD, flush=True)
        for name in names:
            for addresses in counts:
                found = measure(name, addresses, arguments.seconds, made, more, proxied=arguments.proxied)
                print(told(name, addresses, found), flush=True)


def _staged(folder: Path, attackers: int) -> Stage:
    file = folder / "stage.json"
    if file.exists():
        return stage.from_json(json.loads(file.read_text()))
    folder.mkdir(parents=True, exist_ok=True)
    made = stage.build(folder, attackers)
    file.write_bytes(msgspec.json.encode(made))
    return made


if __name__ == "__main__":
    main()
