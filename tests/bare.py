"""Run by a test in a Python of its own: what is played where there is neither Numba nor NumPy nor Babel."""

from __future__ import annotations

import sys

MISSING = ("numba", "llvmlite", "numpy", "babel")


def play_all() -> None:
    import parlour
    from parlour.bots import roster
    from parlour.engine import registry, replay
    from parlour.engine.bots import Decision
    from parlour.engine.chance import Chance

    for game in registry.all_games():
        match = parlour.new(game, seed=1)
        bots = [roster.make_bot(game, face.name) for face in roster.faces(game)]
        while not match.over and len(match.plies) < 12:
            seen = match.seen_by(match.to_move)
            decision = Decision(
                game, seen.shown.copy(), seen.legal, Chance.at(1, len(match.plies)), actions=seen.actions
            )
            action = bots[len(match.plies) % len(bots)].choose(decision)
            text = seen.text(action)
            assert match.read(text) == action
            match.play(action)
        seen = match.seen_by(None)
        assert game.has_secrets or "<svg" in seen.picture
        assert match.story
        assert replay.run(replay.loads(replay.dumps(match).encode(), "it"), "it").actions == match.actions
        assert roster.hint(game, decision)
        roster.plan(game, decision)
        chances = seen.chances
        lesson = game.words.lesson
        if lesson is not None:
            assert lesson.try_action(0, lesson.right(0)[0]).is_right
        print(game.name, len(match.plies), [round(chance, 4) for chance in chances or []])


if __name__ == "__main__":
    sys.modules.update(dict.fromkeys(MISSING))  # type: ignore[arg-type]  # to import one of these raises from now on
    play_all()
