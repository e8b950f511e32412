"""Search in games with secrets, compiled: choices are mixed by regret, at information sets, for any number of seats.

A playout is one match played to its end. Every seat chooses by what it knows there: its *set* is the position as
``hide`` leaves it, so no seat ever looks at what another one holds. In each playout one seat tries things out, and
regrets what it did not do; the others play as they would by now. What is played in the end is the average of that.

Most playouts begin at the opening of the match, which holds no secret: the cards are dealt anew. That is outcome
sampling of counterfactual regrets, and with two seats whose gains add up to nothing it converges: the longer it
thinks, the less anybody can gain against it. With more seats, nothing is guaranteed.

Such playouts may seldom come by what the seat knows. As long as that is so, most begin at the present instead: in a
world that is imagined from what the seat knows, in which this seat tries things out, or from what everybody knows, in
which the others do, since they must not find out what it holds. Of sets that are new, what all seats learnt at the same
*public* position is used, with each action weighed by how often it was legal there.

Where hardly any hand that could be dealt is the one that the seat holds, nothing is learnt of it in that way, either;
and where actions are many, regrets need many playouts: with 300, two dice each and 25 bids, they won 9 of 100 matches
of Liar's Dice against the tree search. Then most playouts are those of the tree search, in worlds that are imagined
from what the seat knows, and what that likes best is played, until enough playouts from the opening have come by. It
plays well, and promises nothing.
"""

# Lanctot, Waugh, Zinkevich, Bowling: Monte Carlo Sampling for Regret Minimization in Extensive Games (2009).
# Weights by time: Brown, Sandholm: Solving Imperfect-Information Games via Discounted Regret Minimization (2019).
# Less luck: Schmid et al.: Variance Reduction in Monte Carlo Counterfactual Regret Minimization (2019).

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.advice import CERTAIN, Advice
from parlour.engine.chance import Chance, below, seed_words
from parlour.engine.compiled.compiling import compiling
from parlour.engine.compiled.drivers import any_action, jit, new_scratch
from parlour.engine.compiled.search import Searcher
from parlour.engine.game import Game
from parlour.engine.rule import rule
from parlour.engine.secrets import hidden, imagined
from parlour.engine.seen import WATCHER
from parlour.engine.state import State
from parlour.engine.turns import advance, begin

MAX_DEPTH, MAX_CHOICES = 256, 1 << 12  # of the part of a playout that is kept: decisions, and their actions together
# At most half are in use before a playout, which takes at most three for each of its actions.
FIRST_ENTRIES = 8 * MAX_CHOICES
MOST_ENTRIES = 1 << 22  # 185 MB; with half of them in use, a search ends
FRESH = 4  # after so many decisions of which nothing was known, a playout goes on by the policy
OFTEN = 8  # of a set that was met so often, the worlds are told apart
FINE = 1 << 24
SHARE = (
    8  # of so many playouts with a rare hand, one begins at the opening, and the others are those of the tree search
)
TRIED = 0.8  # of its choices, whoever tries things out makes so many at random
IN_PLAY, KNOWING, PRESENT, PUBLIC, OPENING, WHEN_ASKED, ROWS = range(7)  # what the rows are for
PLAYOUTS, OPENINGS, MET, RARE, COUNTS = range(5)
FEW = 4  # actions
DEALS, RARELY = 64, 4  # a hand is rare that is not dealt as often as that, of so many
STEP, SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
HALF, NOTHING, ONE = np.uint64(32), np.uint64(0), np.uint64(1)


class Table(NamedTuple):
    """What was learnt, an entry for each action of each set, found by a hash of both; ``used[0]`` counts them."""

    key: Any  # 0: no entry
    regret: Any
    mix: Any  # how much the action was chosen, later playouts weighing more
    worth: Any  # what it brought, in sum, later playouts weighing more
    tried: Any  # how often it was tried, weighed alike
    met: Any  # how often its set was met by whoever tried things out
    used: Any

    @classmethod
    def of(cls, size: int) -> Table:
        kinds = np.uint64, np.float64, np.float64, np.float64, np.float64, np.int32
        key, regret, mix, worth, tried, met = (np.zeros(size, kind) for kind in kinds)
        return cls(key, regret, mix, worth, tried, met, np.zeros(1, np.int64))


class Walk(NamedTuple):
    """The decisions of one playout, and the actions of all of them one after the other."""

    mover: Any
    first: Any  # where the actions of the decision begin
    count: Any
    chosen: Any
    reach: Any  # how likely whoever tries things out was to come here, as far as that was its own doing
    share: Any  # of each action: how likely it was to be played
    entry: Any  # where what was learnt of it stands
    public: Any  # the same of the public position; below 0: not looked at
    world: Any  # the same of the position in play, by what it brings whoever tries things out; below 0: not looked at

    @classmethod
    def of(cls) -> Walk:
        kinds = np.int64, np.int64, np.int64, np.int64, np.float64
        decisions = [np.zeros(MAX_DEPTH, kind) for kind in kinds]
        actions = [np.zeros(MAX_CHOICES, kind) for kind in (np.float64, np.int64, np.int64, np.int64)]
        return cls(*decisions, *actions)


class Asked(NamedTuple):
    """The decision that is to be made, and what came of it."""

    key: Any  # one item
    mover: Any
    counts: Any
    mix: Any  # of each action: how much it was chosen
    tried: Any  # how often it was tried, each playout weighing as much as it is like what would be played
    won: Any  # and what share of the win it brought


@rule
def stir(word):
    """Every bit of a word moves every bit of the result."""
    word = (word ^ word >> HALF) * SALT
    word = (word ^ word >> HALF) * SALT
    return word ^ word >> HALF


@rule
def key_of(words, row, mover):
    """A hash of a position, as whoever moves knows it."""
    found = np.uint64(mover) * SALT + ONE
    for place in range(words.shape[1]):
        found = (found ^ words[row, place]) * STEP
        found ^= found >> HALF
    return stir(found)


@rule
def entry_of(table, key, action):
    """Where what was learnt of an action at a set stands; a new entry where nothing was."""
    key = max(stir(key + np.uint64(action) * STEP), ONE)
    last = np.uint64(len(table.key) - 1)
    place = key & last
    while table.key[place] != key:
        if table.key[place] == NOTHING:
            table.key[place] = key
            table.used[0] += 1
            break
        place = place + ONE & last
    return np.int64(place)


@rule
def match_regrets(table, entry, share, first, count):
    """How likely each action is to be chosen: in proportion to how much it is regretted not to have done so.

    That is, by how much each time that it was legal: at a set it always is, at a public position it may not be.
    """
    total = 0.0
    for at in range(first, first + count):
        regret = max(table.regret[entry[at]], 0.0)
        share[at] = regret / max(table.met[entry[at]], 1)
        total += share[at]
    for at in range(first, first + count):
        share[at] = share[at] / total if total > 0.0 else 1.0 / count


@rule
def drawn(share, first, count, chance):
    """An action by these shares: its place among the legal ones."""
    left = below(chance, FINE) / FINE
    for index in range(count - 1):
        left -= share[first + index]
        if left < 0.0:
            return index
    return count - 1


@rule
def evenly(walk, place):
    """How likely whoever tries things out was to choose what it did."""
    return TRIED / walk.count[place] + (1.0 - TRIED) * walk.share[walk.first[place] + walk.chosen[place]]


@rule
def expected(table, walk, at):
    """What an action is known to bring, before it is tried: in this world, else at this set, else in public."""
    entry = walk.entry[at]
    if walk.world[at] >= 0 and table.tried[walk.world[at]] > 0.0:
        entry = walk.world[at]
    elif table.tried[entry] == 0.0 and walk.public[at] >= 0:
        entry = walk.public[at]
    return mean_of(table, entry)


@rule
def mean_of(table, entry):
    """What an action brought; 0 where it was never tried."""
    return table.worth[entry] / table.tried[entry] if table.tried[entry] > 0.0 else 0.0


@rule
def even_out(table, walk, place, worth, weight):
    """What a decision of another seat is worth to whoever tries things out, with less luck than it was drawn with."""
    first, drawn_at = walk.first[place], walk.first[place] + walk.chosen[place]
    if walk.world[first] < 0:
        return worth
    mean = worth - mean_of(table, walk.world[drawn_at])
    for at in range(first, first + walk.count[place]):
        mean += walk.share[at] * mean_of(table, walk.world[at])
    remember(table, walk.world[drawn_at], worth, weight)
    return mean


@rule
def learn(table, walk, place, worth, weight):
    """What is regretted at a decision after a playout; returns what the decision was worth."""
    first, count, tried = walk.first[place], walk.count[place], walk.first[place] + walk.chosen[place]
    surprise = (worth - expected(table, walk, tried)) / evenly(walk, place)
    mean = walk.share[tried] * surprise
    for at in range(first, first + count):
        mean += walk.share[at] * expected(table, walk, at)
    scale = weight / walk.reach[place]
    for at in range(first, first + count):
        regret = scale * (expected(table, walk, at) + (surprise if at == tried else 0.0) - mean)
        table.regret[walk.entry[at]] += regret
        table.met[walk.entry[at]] += 1
        if walk.public[at] >= 0:
            table.regret[walk.public[at]] += regret
            table.met[walk.public[at]] += 1
    for entry in (walk.entry[tried], walk.public[tried], walk.world[tried]):
        if entry >= 0:
            remember(table, entry, worth, weight)
    return mean


@rule
def remember(table, entry, worth, weight):
    """An action was tried, and brought that."""
    table.worth[entry] += weight * worth
    table.tried[entry] += weight


@rule
def add_mix(table, walk, place, weight):
    """What is played at a decision goes into the average."""
    for at in range(walk.first[place], walk.first[place] + walk.count[place]):
        table.mix[walk.entry[at]] += weight * walk.share[at]


@rule
def worth_to(score, won, evaluate, judged, state, seat):
    """What a position is worth to the seat, such that all that the seats have adds up to nothing.

    At the end, scores that add up to nothing are what the seats pay each other; else it is the share of the win.
    """
    if not state.over:
        return evaluate(state, seat) / CERTAIN - 1.0 / state.seats if judged else 0.0
    total, paid = 0, False
    for other in range(state.seats):
        found = score(state, other)
        total += found
        paid = paid or found != 0
    if paid and total == 0:
        return float(score(state, seat))
    return share_of_win(won, state, seat) - 1.0 / state.seats


@rule
def share_of_win(won, state, seat):
    """Winners share the win; where nobody has won, all seats do."""
    winners = 0
    for other in range(state.seats):
        winners += 1 if state.over and won(state, other) else 0
    if winners == 0:
        return 1.0 / state.seats
    return 1.0 / winners if won(state, seat) else 0.0


@cache
def compiled_regrets(game: Game, advice: Advice) -> Callable[..., int]:
    """The compiled search of a game with secrets; compiled now, or from the cache."""
    rules = [rule for rule in (advice.evaluate, advice.policy) if rule is not None]
    with compiling(game, "regrets.make_regrets", "search", rules):
        search = make_regrets(game, advice)
        rows, asked, table = game.layout.rows(ROWS), _asked(game), Table.of(1 << 14)
        game.layout.write(game.blank(), rows, WHEN_ASKED)
        search(rows, _words(rows), new_scratch(game), table, Walk.of(), asked, 0, 0)
        move_entries(table, table)
    return search


class RegretSearcher:
    """A search of one game with secrets. ``look`` thinks; ``mix`` says how likely to play what; ``ranking`` says more.

    The generator is the searcher's own: what it draws has nothing to do with the cards of the match.
    """

    def __init__(self, game: Game, advice: Advice | None = None, seed: int = 0) -> None:
        self.game, self.advice = game, advice or Advice()
        self._search = compiled_regrets(game, self.advice)
        self._trees = Searcher(game, advice)  # for rare hands
        self._rows = game.layout.rows(ROWS)
        self._scratch, self._walk = new_scratch(game), Walk.of()
        self._legal: list[int] = []
        self._fresh()
        self.reseed(seed_words(seed))

    def _fresh(self) -> None:
        self._table, self._asked = Table.of(FIRST_ENTRIES), _asked(self.game)

    def at(self, state: State) -> None:
        """Start anew from what the seat to move knows of this position."""
        game, seat = self.game, int(state.to_move)
        start = hidden(game, state, seat)
        self._legal = game.legal_actions(start)
        self._trees.at(start)
        start.to_move = min([seat, *game.waits_for(start)])
        blank = game.layout.blank(seats=start.seats, **{name: getattr(start, name) for name in _options(game)})
        known = _when_asked(game, start, seat)
        for row, position in enumerate((start, hidden(game, start, WATCHER), blank, known), PRESENT):
            game.layout.write(position, self._rows, row)
        self._fresh()
        self._asked.mover[0], self._asked.counts[RARE] = seat, _is_rare(game, start, seat)

    def reseed(self, lanes: Sequence[int]) -> None:
        """Give the generator another state."""
        self._scratch["chance"] = self._scratch["policy"] = lanes
        self._trees.reseed(lanes)

    @property
    def playouts(self) -> int:
        """How many playouts it has made at this position."""
        return int(self._asked.counts[PLAYOUTS]) + self._trees.playouts

    @property
    def memory(self) -> int:
        """The bytes that it takes to remember what it learnt."""
        return sum(int(column.nbytes) for column in self._table) + self._trees.memory

    @property
    def is_full(self) -> bool:
        """Whether it remembers as much as it may: more thought adds nothing."""
        if self._trees.is_full:
            return True
        return len(self._table.key) >= MOST_ENTRIES and int(self._table.used[0]) > MOST_ENTRIES // 2

    @property
    def _is_known(self) -> bool:
        """Whether enough playouts have come by what the seat knows, or whether that is not rare anyway."""
        counts = self._asked.counts
        needed = int(counts[OPENINGS]) * self.game.max_actions**4
        return not counts[RARE] or 256 * int(counts[MET]) ** 2 >= needed > 0

    def look(self, playouts: int) -> None:
        """That many playouts more, as long as there is room for what they find."""
        if self._asked.counts[RARE]:
            done = self.playouts
            in_trees = playouts - (done + playouts) // SHARE + done // SHARE
            self._trees.look(in_trees)
            playouts -= in_trees
        while playouts and not self.is_full:
            playouts -= self._search(
                self._rows,
                _words(self._rows),
                self._scratch,
                self._table,
                self._walk,
                self._asked,
                self.advice.depth,
                playouts,
            )
            if playouts and not self.is_full:
                larger = Table.of(2 * len(self._table.key))
                move_entries(self._table, larger)
                self._table = larger

    def mix(self) -> dict[int, float]:
        """How likely to play each action."""
        if not self._is_known:
            best = self._trees.ranking()[0][0]
            return {action: float(action == best) for action in self._legal}
        found = self._asked.mix[: len(self._legal)].tolist()
        total = sum(found)
        shares = [share / total if total else 1 / len(found) for share in found]
        return dict(zip(self._legal, shares, strict=True))

    def pick(self, chance: Chance) -> int:
        """An action by lot, each as often as the mix says."""
        shares = self.mix()
        left = chance.below(1 << 30) / (1 << 30)
        for action, share in shares.items():
            left -= share
            if left < 0:
                return action
        return max(shares, key=shares.__getitem__)

    def ranking(self) -> list[tuple[int, int, float]]:
        """Every action: the action, how many of all playouts its share is, its chance to win; the likeliest first."""
        if not self._is_known:
            return self._trees.ranking()
        tried, won = self._asked.tried, self._asked.won
        found = [
            (action, round(share * self.playouts), float(won[place] / tried[place]) if tried[place] else 0.0)
            for place, (action, share) in enumerate(self.mix().items())
        ]
        return sorted(found, key=lambda item: (-item[1], -item[2], item[0]))


def make_regrets(game: Game, advice: Advice) -> Callable[..., int]:
    """The search; how many playouts it made, which are fewer than asked for when the table is full."""
    setup, legal, apply, score, won, limit = game.setup, game.legal, game.apply, game.score, game.won, game.ply_limit
    hide, imagine, policy = game.hide, game.imagine, advice.policy or any_action
    judged, evaluate = advice.evaluate is not None, advice.evaluate or game.score

    @jit
    def start(rows, chance, asked):
        """Put a position in play to begin at; who tries things out."""
        counts = asked.counts
        number = counts[PLAYOUTS]
        counts[PLAYOUTS] += 1
        state = rows[IN_PLAY]
        is_seldom = 16 * counts[MET] * counts[MET] < counts[OPENINGS]
        if counts[RARE] or not is_seldom or number % 4 == 0:
            rows[IN_PLAY] = rows[OPENING]
            begin(setup, state, chance, None)
            counts[OPENINGS] += 1
            return counts[OPENINGS] % state.seats
        if number % 4 == 1 and state.seats > 1:
            rows[IN_PLAY] = rows[PUBLIC]
            imagine(state, WATCHER, chance)
            return (asked.mover[0] + 1 + below(chance, state.seats - 1)) % state.seats
        rows[IN_PLAY] = rows[PRESENT]
        imagine(state, asked.mover[0], chance)
        return asked.mover[0]

    @jit
    def look_up(rows, words, table, walk, place, count, actions, trier):
        """Find what is known of a decision, and by what shares to choose; its key, and whether anything is known."""
        mover, first = walk.mover[place], walk.first[place]
        rows[KNOWING] = rows[IN_PLAY]
        hide(rows[KNOWING], mover)
        key = key_of(words, KNOWING, mover)
        for index in range(count):
            walk.entry[first + index] = entry_of(table, key, actions[index])
            walk.public[first + index] = walk.world[first + index] = -1
        if table.met[walk.entry[first]] >= OFTEN:
            apart = key_of(words, IN_PLAY, trier) ^ STEP
            for index in range(count):
                walk.world[first + index] = entry_of(table, apart, actions[index])
        if table.met[walk.entry[first]] > 0:
            match_regrets(table, walk.entry, walk.share, first, count)
            return key, True
        rows[KNOWING] = rows[IN_PLAY]
        hide(rows[KNOWING], WATCHER)
        shared, is_known = key_of(words, KNOWING, mover) ^ SALT, False
        for index in range(count):
            walk.public[first + index] = entry_of(table, shared, actions[index])
            is_known = is_known or table.met[walk.public[first + index]] > 0
        match_regrets(table, walk.public, walk.share, first, count)
        return key, is_known

    @jit
    def take_mix(table, asked, state, actions):
        """Put down how much each action of the decision that is to be made was chosen."""
        for index in range(legal(state, actions)):
            asked.mix[index] = table.mix[entry_of(table, asked.key[0], actions[index])]

    @jit
    def search(rows, words, scratch, table, walk, asked, depth, playouts):
        room = scratch[0]
        chance, actions = room.chance, room.actions
        state = rows[IN_PLAY]
        asked.key[0] = key_of(words, WHEN_ASKED, asked.mover[0])
        for number in range(playouts):
            if table.used[0] > len(table.key) // 2:
                take_mix(table, asked, rows[WHEN_ASKED], actions)
                return number
            opened = asked.counts[OPENINGS]
            trier = start(rows, chance, asked)
            opened = asked.counts[OPENINGS] - opened
            weight = float(asked.counts[PLAYOUTS])
            length, used, reach, fresh, asked_at, steps = 0, 0, 1.0, 0, -1, 0
            while not state.over and state.ply < limit:
                count = legal(state, actions)
                if fresh == FRESH or length == MAX_DEPTH or used + count > MAX_CHOICES:
                    if judged and steps == depth:
                        break
                    steps += 1
                    action = policy(state, actions, count, chance)
                elif count == 1:
                    action = actions[0]
                else:
                    mover = state.to_move
                    walk.mover[length], walk.first[length], walk.count[length] = mover, used, count
                    key, is_known = look_up(rows, words, table, walk, length, count, actions, trier)
                    fresh += not is_known
                    walk.reach[length] = reach
                    if key == asked.key[0] and mover == asked.mover[0]:
                        asked_at = length
                        asked.counts[MET] += opened
                    if mover != trier:
                        index = drawn(walk.share, used, count, chance)
                        add_mix(table, walk, length, weight * weight / reach)
                    else:
                        if below(chance, FINE) < TRIED * FINE:
                            index = below(chance, count)
                        else:
                            index = drawn(walk.share, used, count, chance)
                        if asked_at == length and not opened:
                            add_mix(table, walk, length, weight * weight)
                    walk.chosen[length] = index
                    if mover == trier:
                        reach *= evenly(walk, length)
                    action = actions[index]
                    length += 1
                    used += count
                advance(apply, state, np.int64(action), chance, None)
            worth, likeness = worth_to(score, won, evaluate, judged, state, trier), 1.0
            for place in range(length - 1, -1, -1):
                if place == asked_at:
                    asked.tried[walk.chosen[place]] += likeness
                    asked.won[walk.chosen[place]] += likeness * share_of_win(won, state, asked.mover[0])
                if walk.mover[place] == trier:
                    likeness *= walk.share[walk.first[place] + walk.chosen[place]] / evenly(walk, place)
                    worth = learn(table, walk, place, worth, weight)
                else:
                    worth = even_out(table, walk, place, worth, weight)
        take_mix(table, asked, rows[WHEN_ASKED], actions)
        return playouts

    return search


@jit
def move_entries(old, new):
    """Copy all entries into a larger table."""
    last = np.uint64(len(new.key) - 1)
    for at in range(len(old.key)):
        if old.key[at] != NOTHING:
            place = old.key[at] & last
            while new.key[place] != NOTHING:
                place = place + ONE & last
            new.key[place] = old.key[at]
            new.regret[place], new.mix[place], new.worth[place] = old.regret[at], old.mix[at], old.worth[at]
            new.tried[place], new.met[place] = old.tried[at], old.met[at]
    new.used[0] = old.used[0]


def _is_rare(game: Game, start: State, seat: int) -> bool:
    """Whether hardly any hand that could be dealt is the one that the seat holds, or whether actions are many."""
    if game.max_actions > FEW:
        return True
    chance, watched, met = Chance([1, 2, 3, 4]), hidden(game, start, WATCHER), 0
    for _ in range(DEALS):
        met += hidden(game, imagined(game, watched, WATCHER, chance), seat) == start
        if met == RARELY:
            return False
    return True


def _when_asked(game: Game, start: State, seat: int) -> State:
    """What the seat knows when the rules ask it: where several choose at once, others have chosen by then, unseen."""
    chance = Chance([1, 2, 3, 4])
    world = imagined(game, start, seat, chance)
    while world.to_move != seat:
        game.play(world, game.legal_actions(world)[0], chance)
    return hidden(game, world, seat)


def _words(rows: Any) -> Any:
    """The same memory as words of 64 bits, a line for each row."""
    return rows.view(np.uint64).reshape(len(rows), -1)


def _options(game: Game) -> list[str]:
    return [option.name for option in game.options]


def _asked(game: Game) -> Asked:
    counts, actions = np.zeros(COUNTS, np.int64), [np.zeros(game.max_actions) for _ in range(3)]
    return Asked(np.zeros(1, np.uint64), np.zeros(1, np.int64), counts, *actions)
