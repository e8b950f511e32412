"""Writes docs/observations.md: what a learner sees of every game, feature by feature. A test keeps it true."""

from __future__ import annotations

from pathlib import Path

from parlour.engine import Game, registry, starts

PAGE = Path(__file__).parent.parent / "docs" / "observations.md"
HEAD = """# What a learner sees of each game

[Environments](environments.md) explains what these are for. This page is made from the games themselves
(`make observations`), and `parlour games --json` tells the same to programs. Each feature begins at its place in the
flat array and goes on row by row.
"""


def section(game: Game) -> str:
    most = f"at most {game.max_actions:,} at once" if game.max_actions > 1 else "so that there is nothing to choose"
    lines = [
        f"## {game.title}",
        "",
        f"`{game.name}`: {game.observation_size:,} numbers of type `{game.observation_type}`; "
        f"{game.action_space:,} action{'s' if game.action_space > 1 else ''}, {most}.",
        "",
        "| feature | place | shape | from | to | what it is |",
        "|---|---|---|---|---|---|",
    ]
    for feature, at in zip(game.features, starts(game.features), strict=False):
        shape = " × ".join(map(str, feature.shape)) or "one number"
        lines.append(f"| `{feature.name}` | {at} | {shape} | {feature.low} | {feature.high} | {feature.help} |")
    return "\n".join(lines) + "\n"


def page() -> str:
    return "\n".join([HEAD, *(section(game) for game in registry.all_games())])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
