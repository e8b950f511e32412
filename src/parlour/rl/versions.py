"""What environments are called: with the version of the rules, so that results of different rules are not mixed up."""

from __future__ import annotations

from typing import Any

from parlour.engine import registry
from parlour.engine.game import Game
from parlour.engine.judge.inputs import fingerprint


def gymnasium_id(game: Game) -> str:
    """Such as parlour/ConnectFour-v1."""
    return f"parlour/{''.join(part.capitalize() for part in game.name.split('_'))}-v{game.version}"


def versioned_name(game: Game) -> str:
    """What PettingZoo and OpenSpiel call it, such as parlour_connect_four_v1."""
    return f"parlour_{game.name}_v{game.version}"


def versions(game: Game) -> dict[str, Any]:
    """What results depend on: the version of the rules, and a hash of what learners see."""
    return {"rules_version": game.version, "observation_version": fingerprint(game)}


def register() -> list[str]:
    """Register all games with Gymnasium that are not registered yet; the ids of all."""
    import gymnasium

    for game in registry.all_games():
        if gymnasium_id(game) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(game),
                entry_point="parlour.rl:single",
                vector_entry_point="parlour.rl:vector",
                kwargs={"game": game.name},
            )
    return [gymnasium_id(game) for game in registry.all_games()]
