"""Golden playthroughs: one random match per game, written out in full. ``make golden`` writes them anew.

A change of rules that was not meant shows up as a difference here; one that was meant shows up in review.
"""

from __future__ import annotations

from pathlib import Path

from parlour.engine import registry
from parlour.engine.chance import POLICY_STREAM, Chance
from parlour.engine.check import choose
from parlour.engine.game import Game
from parlour.engine.match import Match

FOLDER = Path(__file__).parent / "every_game" / "golden"
SEED = 2026
PLIES = 150  # of a long match, the opening; of a short one, all


def playthrough(game: Game) -> str:
    """A match in words: every action, every event, now and then the board, and the result."""
    match = Match(game, seed=SEED)
    policy = Chance.of_game(SEED, 0, POLICY_STREAM)
    lines = [repr(match), *(f"    {event.tell(match.name)}" for event in match.opening), _board(match)]
    while not match.over and len(match.plies) < PLIES:
        seat = match.to_move
        action = choose(game, match.state, policy)
        lines.append(f"{len(match.plies)}. {match.name(seat)}: {match.text(action)} [{len(match.legal())} legal]")
        lines += [f"    {event.tell(match.name)}" for event in match.play(action)]
        if len(match.plies) % 50 == 0:
            lines.append(_board(match))
    lines += [_board(match), f"over: {match.over}, scores: {match.scores}, winners: {match.winners}"]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def _board(match: Match) -> str:
    return f"{match.board(ascii=True).plain}\n"


if __name__ == "__main__":
    for game in registry.all_games():
        (FOLDER / f"{game.name}.txt").write_text(playthrough(game), "utf-8")
        print(f"wrote {game.name}.txt")
