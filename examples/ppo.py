"""PPO with masks, by self-play, in one file: python examples/ppo.py verfuchst --minutes 3

Needs nothing but NumPy. Works with every game whose actions fit a mask; seats are as many as --seats says. Now and then
it plays against random opponents and prints the share of matches that it wins.
"""

from __future__ import annotations

import argparse
import itertools
import time

import numpy as np

import parlour

Array = np.ndarray

ROWS, STEPS, EPOCHS, PARTS = 256, 64, 3, 4  # matches side by side, steps until an update, passes over them, minibatches
GAMMA, LAMBDA, CLIP, VALUE, ENTROPY, RATE, LARGEST = 1.0, 0.95, 0.2, 0.5, 0.01, 1e-3, 0.5


class Player:
    """Two layers; then a logit for every action, and what the position is worth to whoever looks at it."""

    def __init__(self, game: parlour.Game, rng: np.random.Generator, width: int = 128) -> None:
        sizes = [feature.size for feature in game.features]
        largest = [max(abs(feature.low), abs(feature.high)) for feature in game.features]
        self.scale = (1 / np.repeat(largest, sizes)).astype(np.float32)
        widths = [sum(sizes), width, width, game.action_space + 1]
        shapes = list(itertools.pairwise(widths))
        self.weights = [(rng.standard_normal(shape) * np.sqrt(2 / shape[0])).astype(np.float32) for shape in shapes]
        self.weights[-1] *= 0.1  # at first, all actions are about equally likely
        self.biases = [np.zeros(shape[1], np.float32) for shape in shapes]

    def layers(self, seen: Array) -> list[Array]:
        """What goes into each layer, and what comes out of the last."""
        found = [seen * self.scale]
        for weight, bias in zip(self.weights, self.biases, strict=True):
            found.append(np.maximum(found[-1] @ weight + bias, 0))
        found[-1] = found[-2] @ self.weights[-1] + self.biases[-1]
        return found

    def __call__(self, seen: Array, mask: Array) -> tuple[Array, Array]:
        """Of every action the logarithm of its probability, about minus infinity if it is illegal; and the value."""
        out = self.layers(seen)[-1]
        return log_softmax(out[:, :-1], mask), out[:, -1]

    def gradients(self, layers: list[Array], error: Array) -> list[Array]:
        """Of all weights and biases, where ``error`` is the gradient of what came out."""
        found: list[Array] = []
        for weight, inputs in zip(reversed(self.weights), reversed(layers[:-1]), strict=True):
            found = [inputs.T @ error, error.sum(axis=0), *found]
            error = (error @ weight.T) * (inputs > 0)
        return found

    def parameters(self) -> list[Array]:
        return [part for pair in zip(self.weights, self.biases, strict=True) for part in pair]


def log_softmax(logits: Array, mask: Array) -> Array:
    logits = np.where(mask, logits, np.float32(-1e9))
    logits = logits - logits.max(axis=1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


class Adam:
    """Changes parameters in place."""

    def __init__(self, parameters: list[Array]) -> None:
        self.parameters, self.done = parameters, 0
        self.mean, self.square = ([np.zeros_like(part) for part in parameters] for _ in range(2))

    def step(self, gradients: list[Array]) -> None:
        self.done += 1
        norm = np.sqrt(sum(float(np.vdot(part, part)) for part in gradients))
        scale = min(1.0, LARGEST / (norm + 1e-6))
        rate = RATE * np.sqrt(1 - 0.999**self.done) / (1 - 0.9**self.done)
        for kept, mean, square, part in zip(self.parameters, self.mean, self.square, gradients, strict=True):
            mean += 0.1 * (part * scale - mean)
            square += 0.001 * ((part * scale) ** 2 - square)
            kept -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


class Steps:
    """What happened in some steps of all rows: one array each, by step and row."""

    def __init__(self, batch: parlour.Batch) -> None:
        shape, game = (STEPS, len(batch)), batch.game
        self.seen = np.zeros((*shape, game.observation_size), game.observation_type)
        self.mask = np.zeros((*shape, game.action_space), np.bool_)
        self.seat, self.action = (np.zeros(shape, np.int64) for _ in range(2))
        self.chosen, self.value = (np.zeros(shape, np.float32) for _ in range(2))  # logarithm of probability, value
        self.reward = np.zeros((*shape, batch.seats), np.float32)
        self.over, self.cut = (np.zeros(shape, np.bool_) for _ in range(2))

    def play(self, batch: parlour.Batch, player: Player, rng: np.random.Generator) -> None:
        """Self-play: whoever is to move is the player. The batch writes into these arrays, without a copy."""
        rows = np.arange(len(batch))
        for step in range(STEPS):
            batch.observe(out=self.seen[step])
            batch.legal_mask(out=self.mask[step])
            batch.to_move(out=self.seat[step])
            likely, self.value[step] = player(self.seen[step], self.mask[step])
            self.action[step] = np.argmax(likely + rng.gumbel(size=likely.shape), axis=1)  # this samples from them
            self.chosen[step] = likely[rows, self.action[step]]
            batch.step(self.action[step])
            batch.rewards(out=self.reward[step])
            batch.over(out=self.over[step])
            batch.cut(out=self.cut[step])

    def advantages(self, batch: parlour.Batch, player: Player) -> tuple[Array, Array]:
        """By how much each action was better than expected, and where that is known.

        A seat's next position is the one in which it is to move again, so everything is kept by seat, from the last
        step back. What a seat did last is worth nothing certain before it is to move again, or the match ends. Where a
        match was cut, it did neither: the next position of that row is another match's.
        """
        rows, seats = len(batch), batch.seats
        every, found = np.arange(rows), np.zeros((STEPS, rows), np.float32)
        gained, after, ahead = (np.zeros((rows, seats), np.float32) for _ in range(3))  # reward, value, advantage
        known, sure = np.zeros((rows, seats), np.bool_), np.zeros((STEPS, rows), np.bool_)
        mover = batch.to_move()
        after[every, mover] = player(batch.observe(), batch.legal_mask())[1]
        known[every, mover] = True
        for step in reversed(range(STEPS)):
            ended = self.over[step]
            gone = ended | self.cut[step]
            gained[gone], after[gone], ahead[gone], known[gone] = 0, 0, 0, ended[gone, None]
            gained += self.reward[step]
            seat, value = self.seat[step], self.value[step]
            surprise = gained[every, seat] + GAMMA * after[every, seat] - value
            found[step] = surprise + GAMMA * LAMBDA * ahead[every, seat]
            sure[step] = known[every, seat]
            gained[every, seat], after[every, seat], ahead[every, seat] = 0, value, found[step]
            known[every, seat] = True
        return found, sure


def learn(player: Player, adam: Adam, steps: Steps, found: Array, sure: Array, rng: np.random.Generator) -> None:
    """PPO's update."""
    kept = np.flatnonzero(sure)
    seen, mask = (part.reshape(STEPS * found.shape[1], -1) for part in (steps.seen, steps.mask))
    action, before, aim, better = (
        part.reshape(-1) for part in (steps.action, steps.chosen, steps.value + found, found)
    )
    for _ in range(EPOCHS):
        for part in np.array_split(rng.permutation(kept), PARTS):
            layers = player.layers(seen[part])
            gain = (better[part] - better[part].mean()) / (better[part].std() + 1e-6)
            error = slope(layers[-1], mask[part], action[part], before[part], gain, aim[part])
            adam.step(player.gradients(layers, error / len(part)))


def slope(out: Array, mask: Array, action: Array, before: Array, gain: Array, aim: Array) -> Array:
    """The gradient of PPO's loss: the clipped gain, the error of the value, and a reward for many likely actions."""
    rows, error = np.arange(len(out)), np.zeros_like(out)
    likely = log_softmax(out[:, :-1], mask)
    share = np.exp(likely)
    ratio = np.exp(likely[rows, action] - before)
    is_free = ratio * gain <= np.clip(ratio, 1 - CLIP, 1 + CLIP) * gain  # where it is clipped, nothing changes
    pull = np.where(is_free, ratio * gain, 0)[:, None]
    entropy = -(share * likely).sum(axis=1, keepdims=True)
    error[:, :-1] = pull * share + ENTROPY * share * (likely + entropy)
    error[rows, action] -= pull[:, 0]
    error[:, -1] = VALUE * 2 * (out[:, -1] - aim)
    return error


def share_won(player: Player, game: parlour.Game, seats: int, matches: int = 400, seed: int = 1) -> float:
    """Against random opponents: the share of matches that it wins, in every seat equally often."""
    batch, rng = parlour.Batch(game, matches, seats, seed), np.random.default_rng(seed)
    learner = np.arange(matches) % seats
    done = batch.over()
    while not done.all():  # a match that is cut counts for nobody
        mask = batch.legal_mask()
        mask[done, 0] = True  # these are not asked any more, but need some action
        likely, _ = player(batch.observe(), mask)
        at_random = np.where(mask, rng.random(mask.shape), -1).argmax(axis=1)
        batch.step(np.where(batch.to_move() == learner, likely.argmax(axis=1), at_random))
        done |= batch.over() | batch.cut()
    winners = batch.winners()
    return float((winners[np.arange(matches), learner] / np.maximum(winners.sum(axis=1), 1)).mean())


def train(
    name: str, seats: int, minutes: float, seed: int = 0, *, updates: int | None = None, rows: int = ROWS
) -> list[tuple[int, float]]:
    """Train for so long, or for so many updates; the curve: steps played, share won."""
    rng = np.random.default_rng(seed)
    batch = parlour.Batch(name, rows, seats, seed, auto_reset=True)
    player = Player(batch.game, rng)
    adam = Adam(player.parameters())
    steps, began, done, told, curve = Steps(batch), time.monotonic(), 0, 0.0, []
    while (time.monotonic() - began < minutes * 60) if updates is None else (done < updates):
        if updates is None and time.monotonic() - began >= told:
            curve.append((done * STEPS * rows, share_won(player, batch.game, seats)))
            print(f"{time.monotonic() - began:6.0f} s  {curve[-1][0]:>12,} steps  {curve[-1][1]:6.1%} won", flush=True)
            told += minutes * 60 / 12
        steps.play(batch, player, rng)
        learn(player, adam, steps, *steps.advantages(batch, player), rng)
        done += 1
    curve.append((done * STEPS * rows, share_won(player, batch.game, seats)))
    print(f"   end    {curve[-1][0]:>12,} steps  {curve[-1][1]:6.1%} won", flush=True)
    return curve


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--updates", type=int, help="so many updates, however long they take")
    parser.add_argument("--rows", type=int, default=ROWS, help="matches side by side")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    train(given.game, given.seats, given.minutes, given.seed, updates=given.updates, rows=given.rows)
