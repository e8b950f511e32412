"""Positions of a finished match: they are those that were played, wherever its dice came from."""

from __future__ import annotations

import pytest

from parlour.engine import registry
from parlour.engine.match import Match
from parlour.server import frames


@pytest.mark.parametrize("stream", [None, 3])
def test_frames_are_the_positions_of_the_match(stream: int | None) -> None:
    """Also of a match that was a row of a batch, whose dice come from one stream."""
    match = Match(registry.get("verfuchst"), 2, 5, stream=stream)
    scenes, picks = [match.game.scene(match.state)], [list[str]()]
    for _ in range(12):
        picks.append(list(match.game.picks(match.state, match.legal()[0])))
        match.play(match.legal()[0])
        scenes.append(match.game.scene(match.state))
    assert [frame.scene for frame in frames.all_frames(match)] == scenes
    some = frames.cut(match, 5, 3).frames
    assert [frame.ply for frame in some] == [5, 6, 7]
    assert [(frame.scene, frame.picks) for frame in some] == list(zip(scenes, picks, strict=True))[5:8]
    assert frames.state_at(match, 12) == match.state
