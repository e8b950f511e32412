"""Names under which bots have played stay names of bots: old replays, tables and scripts have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.bots import make_bot
from parlour.bots.roster import exact, is_built_in
from parlour.cli.play import _resume
from parlour.engine import registry, replay

COMMON = ["random", "greedy", "mcts", "mcts:0.5s", "mcts:2000p", *(f"mcts:{level}" for level in range(1, 6))]
TITLES = ["easy", "relaxed", "steady", "strong", "expert"]
OLD = {
    "choccer": [*COMMON, "mcts:6", *TITLES, "brilliant", "judge", "judge:0.5s", "judge:2000p"],
    "connect_four": [*COMMON, *TITLES, "judge", "judge:0.5s", "judge:2000p"],
    "game17": [
        *COMMON,
        *TITLES,
        "brilliant",
        "zombie",
        "t800",
        "general",
        *(f"general:{level}" for level in range(1, 7)),
    ],
    "goose": [*COMMON, "company"],
    "mazerunner": [*COMMON, *TITLES, "brilliant", "runner", *(f"runner:{level}" for level in range(1, 7))],
    "verfuchst": [*COMMON, *TITLES],
}
REPLAY = Path(__file__).parents[1] / "data" / "replays" / "connect_four-won.json"


@pytest.mark.parametrize("name", OLD)
def test_bots_keep_their_names(name: str) -> None:
    game = registry.get(name)
    for bot in OLD[name]:
        assert is_built_in(game, bot), bot
        if not exact(game, bot).startswith(("mcts", "judge")):  # to make these means to compile them: other tests do
            make_bot(game, bot)


@pytest.mark.parametrize("bot", ["mcts:2", "greedy", "judge"])
def test_an_old_match_goes_on_with_the_bots_it_names(bot: str, tmp_path: Path) -> None:
    match = replay.load(REPLAY)
    match.undo()
    match.names = ["Red (you)", f"Yellow ({bot})"]
    replay.save(match, tmp_path / "match.json")
    assert _resume(tmp_path / "match.json", [], None, [])[1] == ["you", bot]
