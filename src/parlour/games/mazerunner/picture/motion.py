"""What moves in the picture when something happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine import Event
from parlour.engine.picture import Dice, Flash, Fly, Step, Walk
from parlour.games.mazerunner import events
from parlour.games.mazerunner.picture.maze import monster_item
from parlour.games.mazerunner.picture.shop import card_item
from parlour.games.mazerunner.picture.turn import STATS
from parlour.games.mazerunner.rules.maze import BASE
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS
from parlour.games.mazerunner.state.names import RESOURCES, block_name


def motion(event: Event) -> list[Step]:
    move = MOVES.get(type(event))
    return [move(event)] if move else []


def runner_item(seat: int) -> str:
    return f"mazerunner-runner-{seat}"


def _rolled(event: events.Rolled) -> Step:
    # Faces are 0 to 3, in numerals rather than pips. Then they lie on the tray.
    return Dice(tuple(face for die, face in enumerate(event.faces) if event.rolled >> die & 1), sides=3, stay=False)


def _walk(seat: int, block: int) -> Step:
    return Walk(runner_item(seat), (block_name(block),))


def _found(seat: int, *amounts: int) -> Step:
    return Flash(tuple(f"{name}-{seat}" for name, amount in zip(RESOURCES, amounts, strict=True) if amount))


def _drew(event: events.DrewResources) -> Step:
    card = RESOURCE_CARDS[event.found]
    return _found(event.seat, card.iron, card.herbs, card.gold)


def _killed(event: events.Killed) -> Step:
    monster = MONSTERS[event.monster]
    return _found(event.seat, monster.iron, monster.herbs, monster.gold)


def _traded(event: events.Traded) -> Step:
    return Flash((f"{RESOURCES[event.given]}-{event.seat}", f"{RESOURCES[event.taken]}-{event.seat}"))


# A monster moves at most once in an action, so the name that it has by its block before is still good.
MOVES: dict[type, Callable[[Any], Step]] = {
    events.Rolled: _rolled,
    events.RolledAttack: lambda event: Dice(event.dice),
    events.RolledResources: lambda event: Dice(event.dice),
    events.Ready: lambda event: Flash(STATS),
    events.Healed: lambda event: Flash((f"hp-{event.seat}",)),
    events.Drank: lambda event: Flash((f"potion-{event.seat}",)),
    events.Stepped: lambda event: _walk(event.seat, event.to),
    events.DrivenBack: lambda event: _walk(event.seat, event.to),
    events.Teleported: lambda event: Fly(runner_item(event.seat), block_name(event.block)),
    events.Returned: lambda event: Fly(runner_item(event.seat), block_name(BASE)),
    events.Discovered: lambda event: Flash((block_name(event.block),)),
    events.FoundResources: lambda event: Flash((f"{RESOURCES[event.resource]}-{event.seat}",)),
    events.FoundItem: lambda event: Flash((f"items-{event.seat}",)),
    events.FoundMap: lambda event: Flash((f"map-{event.seat}",)),
    events.DrewResources: _drew,
    events.Met: lambda event: Flash((block_name(event.block),)),
    events.Killed: _killed,
    events.Hurt: lambda event: Flash((f"hp-{event.seat}",)),
    events.KnockedOut: lambda event: Flash((f"hp-{event.seat}",)),
    events.UsedRope: lambda event: Flash((f"rope-{event.seat}",)),
    events.Follows: lambda event: Walk(monster_item(event.start), (block_name(event.to),)),
    events.LaidOpen: lambda event: Flash((f"shop-{event.place}",)),
    events.Bought: lambda event: Fly(card_item(event.item), f"seat-{event.seat}"),
    events.Traded: _traded,
}
