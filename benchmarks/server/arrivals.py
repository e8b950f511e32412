"""A day at a server where very many people play: who is on, at how many tables, and how many moves a second that makes.

    python -m benchmarks.server.arrivals [--people 100000] [--sample 0.02] [--seed 17]

People come by chance, more of them in the evening. Each looks at the lobby, then plays with bots, with others, or
watches, and stays for another match or goes. How many plies a match has is found by playing some; how long people think
is assumed below. A part of the people is simulated, and counted as all of them. The same seed gives the same day.

What that takes is computed from costs that have been measured: see docs/load.md and docs/scale.md.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from parlour.engine import registry
from parlour.engine.match import Match

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
MEASURED = 20  # matches of each game that are played to find out how long they are


@dataclass(frozen=True)
class Liking:
    """A game: how many of the people want it, and how many play together."""

    game: str
    share: float
    seats: int
    think: float  # seconds for each ply, on average
    bot: float  # seconds of processor time for each ply of a bot: of ten, one is the strongest and two the next
    sent: float  # KB that each person at the table is sent for a ply: half of what two are (docs/load.md)
    album: float  # seconds of processor time to draw a ply of the album (benchmarks.server.keeping)


# Assumed, as is all that follows: nobody has served so many people yet.
LIKINGS = (
    Liking("choccer", 0.35, 2, 10.0, 0.0047, 4.25, 0.00020),
    Liking("goose", 0.2, 4, 2.5, 0.0001, 4.95, 0.00020),
    Liking("verfuchst", 0.25, 3, 5.0, 0.0015, 3.1, 0.00026),
    Liking("mazerunner", 0.2, 4, 3.0, 0.0006, 7.9, 0.00035),
)
CURVE = (4, 3, 2, 2, 2, 2, 3, 4, 5, 6, 6, 7, 8, 8, 8, 8, 9, 10, 12, 14, 14, 12, 9, 6)  # who comes, hour by hour
LOOKS = 40.0  # seconds at the lobby, on average
WITH_BOTS, WATCHES = 0.5, 0.1  # of those who have looked; the others play with people
BOT_WAITS = 1.5  # seconds that a bot's ply takes
WATCHES_FOR = 5 * MINUTE
STAYS = 0.55  # of those who have played or watched, for another time
GIVES_UP = 2 * MINUTE  # after waiting for others so long, somebody plays with bots


@dataclass
class Load:
    """What a server has to bear at one moment, as of all people."""

    lobby: float = 0  # who look at the lobby: each is a socket
    seated: float = 0  # who sit at a table: each is a socket
    watching: float = 0
    tables: float = 0
    moves: float = 0.0  # a second, those of bots too
    bots: float = 0.0  # cores that bots think on
    albums: float = 0.0  # cores that would draw the albums of what is played
    sent: float = 0.0  # MB a second, to everybody at tables
    opened: float = 0.0  # tables, a second
    came: float = 0.0  # people, a second

    @property
    def people(self) -> float:
        return self.lobby + self.seated + self.watching


# What is counted as it stands, not since when.
NOW = ("lobby", "seated", "watching", "tables", "moves", "bots", "albums", "sent")
# Somebody who watches, at a table of people, whichever game it is.
WATCHER = Load(watching=1, sent=sum(liking.share * liking.sent / liking.think / 1000 for liking in LIKINGS))


@dataclass
class Day:
    """The simulation: what happens next, and how things stand."""

    dice: random.Random
    rate: float  # people a second, on average over the day
    factor: float  # how many people each of the simulated ones stands for
    plies: dict[str, list[int]]
    now: Load = field(default_factory=Load)
    minutes: list[Load] = field(default_factory=list)
    _queue: list[tuple[float, int, Callable[[float], None]]] = field(default_factory=list)
    _count: int = 0
    _waiting: dict[Liking, list[float]] = field(default_factory=lambda: defaultdict(list))
    _opened: int = 0
    _came: int = 0

    def run(self) -> list[Load]:
        """Two days, of which the first only fills the house; returns how things stand each minute of the second."""
        self._at(0.0, self._come)
        self._at(DAY, self._note)
        while self._queue:
            at, _, happen = heapq.heappop(self._queue)
            if at >= 2 * DAY:
                break
            happen(at)
        return self.minutes

    def _at(self, time: float, happen: Callable[[float], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (time, self._count, happen))

    def _note(self, at: float) -> None:
        now = self.now
        counts = {name: self.factor * getattr(now, name) for name in NOW}
        each = self.factor / MINUTE
        self.minutes.append(Load(**counts, opened=each * self._opened, came=each * self._came))
        self._opened = self._came = 0
        self._at(at + MINUTE, self._note)

    def _come(self, at: float) -> None:
        """Somebody comes; the next one follows by chance, sooner where the curve is high."""
        self._came += 1
        self._look(at)
        share = CURVE[int(at / HOUR) % 24] * len(CURVE) / sum(CURVE)
        self._at(at + self.dice.expovariate(self.rate * share), self._come)

    def _look(self, at: float) -> None:
        self.now.lobby += 1
        self._at(at + self.dice.expovariate(1 / LOOKS), self._choose)

    def _choose(self, at: float) -> None:
        chance = self.dice.random()
        if chance < WATCHES:
            self.now.lobby -= 1
            self._add(WATCHER, 1)
            self._at(at + self.dice.expovariate(1 / WATCHES_FOR), self._stop_watching)
            return
        liking = self.dice.choices(LIKINGS, [liking.share for liking in LIKINGS])[0]
        if chance < WATCHES + WITH_BOTS:
            self.now.lobby -= 1
            self._play(at, liking, 1)
        else:
            self._wait(at, liking)

    def _wait(self, at: float, liking: Liking) -> None:
        """Wait for others; whoever has waited too long plays with bots."""
        self.now.lobby -= 1
        waiting = self._waiting[liking]
        waiting.append(at)
        while waiting and waiting[0] < at - GIVES_UP:
            waiting.pop(0)
            self._play(at, liking, 1)
        if len(waiting) >= liking.seats:
            del waiting[: liking.seats]
            self._play(at, liking, liking.seats)

    def _play(self, at: float, liking: Liking, people: int) -> None:
        """A match: how long it takes follows from its plies, and from who makes them."""
        plies = self.dice.choice(self.plies[liking.game])
        by_people = plies * people / liking.seats
        spread = self.dice.lognormvariate(-0.125, 0.5)  # some think fast, some slow; 1 on average
        lasts = by_people * liking.think * spread + (plies - by_people) * BOT_WAITS
        rate = plies / lasts
        match = Load(
            seated=people,
            tables=1,
            moves=rate,
            bots=(plies - by_people) * liking.bot / lasts,
            albums=rate * liking.album,
            sent=rate * people * liking.sent / 1000,
        )
        self._add(match, 1)
        self._opened += 1
        self._at(at + lasts, lambda end: self._finish(end, match))

    def _finish(self, at: float, match: Load) -> None:
        self._add(match, -1)
        for _ in range(int(match.seated)):
            self._stay_or_go(at)

    def _add(self, match: Load, times: int) -> None:
        for name in NOW:
            setattr(self.now, name, getattr(self.now, name) + times * getattr(match, name))

    def _stop_watching(self, at: float) -> None:
        self._add(WATCHER, -1)
        self._stay_or_go(at)

    def _stay_or_go(self, at: float) -> None:
        if self.dice.random() < STAYS:
            self._look(at)


def measure(seed: int) -> dict[str, list[int]]:
    """How many plies matches have in which every seat plays by chance."""
    found = {}
    for liking in LIKINGS:
        game, dice = registry.get(liking.game), random.Random(seed)
        found[liking.game] = [_length(Match(game, liking.seats, seed + number), dice) for number in range(MEASURED)]
    return found


def _length(match: Match, dice: random.Random) -> int:
    while not match.over:
        match.repeat(dice.choice(match.legal()))
    return len(match.plies)


def simulate(people: int, sample: float, seed: int) -> list[Load]:
    """A day on which so many are there at the busiest minute, or nearly so."""
    plies = measure(seed)
    first = Day(random.Random(seed), 1.0, 1.0, plies).run()  # one a second, to find out how many are there then
    rate = people / max(load.people for load in first)
    return Day(random.Random(seed), rate * sample, 1 / sample, plies).run()


# What it takes.

SHOWN = ("people", "lobby", "seated", "watching", "tables", "moves", "opened", "came", "bots")


@dataclass(frozen=True)
class Costs:
    """Of one process on one core: docs/load.md says how each was measured."""

    move: float = 0.00083  # seconds of processor time, with everything that a move makes others hear
    coming: float = 0.0011  # for whoever comes to the lobby
    telling: float = 0.000010  # for each watcher of the lobby whenever the list changes, which is each second
    idle: float = 0.0000066  # for each socket in each second
    storing: float = 0.00018  # of PostgreSQL, for each move
    entry: float = 0.35  # KB that each move takes in PostgreSQL, with its part of the indexes and of the album
    socket: float = 30.0  # KB
    table: float = 60.0  # KB of a match that is played
    busy: float = 0.6  # of a core, so that a move still arrives in time
    sockets: int = 10_000


def needs(load: Load, costs: Costs) -> dict[str, float]:
    """How many processes each of these would take, if there were nothing else."""
    return {
        "moves": load.moves * costs.move / costs.busy,
        "bots that think": load.bots / costs.busy,
        "albums": load.albums / costs.busy,
        "people who come": (load.came + load.opened) * costs.coming / costs.busy,
        "telling the lobby": load.lobby * costs.telling / costs.busy,
        "sockets that are open": load.people * costs.idle / costs.busy,
    }


def tell(day: list[Load], costs: Costs) -> None:
    print(f"{'hour':>4}" + "".join(f" {name:>8}" for name in SHOWN))
    for hour in range(24):
        load = day[60 * hour + 30]
        print(f"{hour:4}" + "".join(f" {getattr(load, name):8.0f}" for name in SHOWN))
    peak = max(day, key=lambda load: load.people)
    print(f"\nat the busiest minute {peak.people:.0f} people; processes that each part would take alone:")
    needed = needs(peak, costs)
    for part, count in needed.items():
        print(f"  {part:22} {count:6.1f}")
    work = sum(needed.values())
    memory = (peak.people * costs.socket + peak.tables * costs.table) / 2**20
    print(f"  {'all together':22} {work:6.1f}")
    print(f"by the limit of sockets: {math.ceil(peak.people / costs.sockets)}")
    print(f"memory of sockets and tables: {memory:.1f} GB")
    print(f"sent: {8 * peak.sent / 1000:.2f} Gbit/s, {1000 * peak.sent / peak.moves:.1f} KB a move")
    moves = sum(MINUTE * load.moves for load in day)
    print(f"PostgreSQL: {peak.moves * costs.storing / costs.busy:.1f} cores; {moves / 1e6:.0f} million moves in a day")
    print(f"  take {moves * costs.entry / 2**30:.2f} TB")


def main() -> None:
    parser = argparse.ArgumentParser(description="A day of very many people.")
    parser.add_argument("--people", type=int, default=100_000, help="at the busiest minute")
    parser.add_argument("--sample", type=float, default=0.02, help="the part of them that is simulated")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--move-ms", type=float, default=1000 * Costs.move, help="processor time of a move")
    arguments = parser.parse_args()
    tell(simulate(arguments.people, arguments.sample, arguments.seed), Costs(move=arguments.move_ms / 1000))


if __name__ == "__main__":
    main()
