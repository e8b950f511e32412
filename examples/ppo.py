"""PPO with masks, by self-play, in one file: python examples/ppo.py verfuchst --minutes 3

Needs torch. Works with every game whose actions fit a mask; seats are as many as --seats says. Now and then it plays
against random opponents and prints the share of matches that it wins.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from torch import nn

import parlour

ROWS, STEPS, EPOCHS, PARTS = 256, 64, 3, 4  # matches side by side, steps until an update, passes over them, minibatches
GAMMA, LAMBDA, CLIP, VALUE, ENTROPY, RATE = 1.0, 0.95, 0.2, 0.5, 0.01, 1e-3


class Player(nn.Module):
    """Two layers; then a logit for every action, and what the position is worth to whoever looks at it."""

    def __init__(self, game: parlour.Game, width: int = 128) -> None:
        super().__init__()
        sizes = [feature.size for feature in game.features]
        largest = [max(abs(feature.low), abs(feature.high)) for feature in game.features]
        self.register_buffer("scale", 1 / torch.tensor(np.repeat(largest, sizes), dtype=torch.float32))
        self.body = nn.Sequential(nn.Linear(sum(sizes), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, game.action_space), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        hidden = self.body(seen.float() * self.scale)
        logits = self.policy(hidden).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden).squeeze(-1)


class Steps:
    """What happened in some steps of all rows: one tensor each, by step and row."""

    def __init__(self, batch: parlour.Batch) -> None:
        shape, game = (STEPS, len(batch)), batch.game
        self.seen = torch.zeros((*shape, game.observation_size), dtype=getattr(torch, game.observation_type))
        self.mask = torch.zeros((*shape, game.action_space), dtype=torch.bool)
        self.seat, self.action = (torch.zeros(shape, dtype=torch.int64) for _ in range(2))
        self.chosen, self.value = (torch.zeros(shape) for _ in range(2))  # log-probability, value
        self.reward = torch.zeros((*shape, batch.seats))
        self.over = torch.zeros(shape, dtype=torch.bool)

    @torch.no_grad()
    def play(self, batch: parlour.Batch, player: Player) -> None:
        """Self-play: whoever is to move is the player. The batch writes into these tensors, without a copy."""
        for step in range(STEPS):
            batch.observe(out=self.seen[step].numpy())
            batch.legal_mask(out=self.mask[step].numpy())
            batch.to_move(out=self.seat[step].numpy())
            policy, self.value[step] = player(self.seen[step], self.mask[step])
            self.action[step] = policy.sample()
            self.chosen[step] = policy.log_prob(self.action[step])
            batch.step(self.action[step].numpy())
            batch.rewards(out=self.reward[step].numpy())
            batch.over(out=self.over[step].numpy())

    @torch.no_grad()
    def advantages(self, batch: parlour.Batch, player: Player) -> tuple[torch.Tensor, torch.Tensor]:
        """By how much each action was better than expected, and where that is known.

        A seat's next position is the one in which it is to move again, so everything is kept by seat, from the last
        step back. What a seat did last is worth nothing certain before it is to move again, or the match ends.
        """
        rows, seats = len(batch), batch.seats
        every, found = torch.arange(rows), torch.zeros(STEPS, rows)
        gained, after, ahead = (torch.zeros(rows, seats) for _ in range(3))  # reward since, next value, next advantage
        known, sure = torch.zeros(rows, seats, dtype=torch.bool), torch.zeros(STEPS, rows, dtype=torch.bool)
        mover = torch.from_numpy(batch.to_move())
        after[every, mover] = player(torch.from_numpy(batch.observe()), torch.from_numpy(batch.legal_mask()))[1]
        known[every, mover] = True
        for step in reversed(range(STEPS)):
            ended = self.over[step]
            gained[ended], after[ended], ahead[ended], known[ended] = 0, 0, 0, True
            gained += self.reward[step]
            seat, value = self.seat[step], self.value[step]
            surprise = gained[every, seat] + GAMMA * after[every, seat] - value
            found[step] = surprise + GAMMA * LAMBDA * ahead[every, seat]
            sure[step] = known[every, seat]
            gained[every, seat], after[every, seat], ahead[every, seat] = 0, value, found[step]
            known[every, seat] = True
        return found, sure


def learn(
    player: Player, optimizer: torch.optim.Optimizer, steps: Steps, found: torch.Tensor, sure: torch.Tensor
) -> None:
    """PPO's update."""
    kept = sure.flatten().nonzero().squeeze(-1)
    seen, mask = steps.seen.flatten(0, 1), steps.mask.flatten(0, 1)
    action, before, value, advantage = (part.flatten() for part in (steps.action, steps.chosen, steps.value, found))
    for _ in range(EPOCHS):
        for part in kept[torch.randperm(len(kept))].chunk(PARTS):
            policy, judged = player(seen[part], mask[part])
            ratio = (policy.log_prob(action[part]) - before[part]).exp()
            better = (advantage[part] - advantage[part].mean()) / (advantage[part].std() + 1e-6)
            gain = torch.min(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better).mean()
            miss = (judged - (value + advantage.flatten())[part]).square().mean()
            loss = -gain + VALUE * miss - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def share_won(player: Player, game: parlour.Game, seats: int, matches: int = 400, seed: int = 1) -> float:
    """Against random opponents: the share of matches that it wins, in every seat equally often."""
    batch, rng = parlour.Batch(game, matches, seats, seed), np.random.default_rng(seed)
    learner = np.arange(matches) % seats
    while not batch.over().all():
        mask = batch.legal_mask()
        mask[batch.over(), 0] = True  # these are not asked any more, but need some action
        policy, _ = player(torch.from_numpy(batch.observe()), torch.from_numpy(mask))
        at_random = np.argmax(rng.random(mask.shape) * mask, axis=1)
        batch.step(np.where(batch.to_move() == learner, policy.probs.argmax(-1).numpy(), at_random))
    winners = batch.winners()
    return float((winners[np.arange(matches), learner] / np.maximum(winners.sum(axis=1), 1)).mean())


def train(
    name: str, seats: int, minutes: float, seed: int = 0, *, updates: int | None = None
) -> list[tuple[int, float]]:
    """Train for so long, or for so many updates; the curve: steps played, share won."""
    torch.manual_seed(seed)
    batch = parlour.Batch(name, ROWS, seats, seed, auto_reset=True)
    player = Player(batch.game)
    optimizer = torch.optim.Adam(player.parameters(), RATE)
    steps, began, done, told, curve = Steps(batch), time.monotonic(), 0, 0.0, []
    while (time.monotonic() - began < minutes * 60) if updates is None else (done < updates):
        if updates is None and time.monotonic() - began >= told:
            curve.append((done * STEPS * ROWS, share_won(player, batch.game, seats)))
            print(f"{time.monotonic() - began:6.0f} s  {curve[-1][0]:>12,} steps  {curve[-1][1]:6.1%} won", flush=True)
            told += minutes * 60 / 12
        steps.play(batch, player)
        learn(player, optimizer, steps, *steps.advantages(batch, player))
        done += 1
    curve.append((done * STEPS * ROWS, share_won(player, batch.game, seats)))
    print(f"   end    {curve[-1][0]:>12,} steps  {curve[-1][1]:6.1%} won", flush=True)
    return curve


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="connect_four")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    train(given.game, given.seats, given.minutes, given.seed)
