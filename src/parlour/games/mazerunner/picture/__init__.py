"""mazerunner as a picture. What each function promises is in parlour.engine.picture; what lies where, in layout."""

from __future__ import annotations

from parlour.engine import State
from parlour.engine.diagram import ANY, Diagram
from parlour.engine.kit.places import Box
from parlour.engine.picture import Mark, Picture, upright
from parlour.games.mazerunner.picture import backdrop as ground
from parlour.games.mazerunner.picture import maze, sheets, shop, turn
from parlour.games.mazerunner.picture.explain import explain
from parlour.games.mazerunner.picture.layout import (
    DECKS,
    DRAWER,
    MINIMAP,
    SHEETS,
    SHOP,
    SHRUNK,
    SIZE,
    TURN,
    UPRIGHT,
    standing,
)
from parlour.games.mazerunner.picture.motion import motion
from parlour.games.mazerunner.rules import actions as a
from parlour.games.mazerunner.rules.maze import BASE, OFFSET
from parlour.games.mazerunner.seats import BADGE_INK, COLOURS, LETTERS
from parlour.games.mazerunner.state import MAX_DICE
from parlour.games.mazerunner.state.names import RESOURCES, block_name, said

DIAGRAMS = (
    Diagram("Blocks that are known cost one half step, the untravelled one in the west costs two.", 3, 1, 108, ANY),
)


def backdrop(state: State) -> str:
    return ground.draw(state.seats)


def scene(state: State) -> list[str]:
    known, view = maze.known_blocks(state), maze.view_of(state.at)
    look = maze.looks()
    looks = [look(block, bits, view) for block, bits in known.items()]
    near, far = maze.spots(state, known, looks)
    return [
        *maze.draw(state, looks),
        *standing(SHEETS, 12, 748, *sheets.draw(state), scale=SHRUNK),
        turn.gains(state),
        maze.monsters(state),
        maze.runners(state),
        '<g fill="transparent">',
        *near,
        "</g>",
        turn.tray(state),
        *drawer(state, [*maze.small_map(state, looks), '<g fill="transparent">', *far, "</g>"]),
    ]


def drawer(state: State, small_map: list[str]) -> list[str]:
    """What is in the drawer where the picture stands upright. It opens by itself where it holds what is chosen from."""
    opens = ' data-opens=""' if state.phase in (a.SHOP, a.COMPASS) else ""
    x, y = DRAWER.x + 14, DRAWER.y + 14
    return [
        f'<g data-drawer="{said("Shop, map")}"{opens}>',
        DRAWER_GROUND,
        *standing(MINIMAP, x, y + 20, *small_map),
        *standing(ROUND, x + 390, y + 18, turn.round_of(state.round, state.rounds)),
        *standing(TURN, x + 246, y + 34, turn.choice(state)),
        *standing(DECKS, x + 246, y + 234, *turn.decks(state)),
        *standing(SHOP, x, y + 294, *shop.draw(state), scale=(DRAWER.width - 28) / SHOP.width),
        "</g>",
    ]


ROUND = Box(TURN.x + TURN.width / 2, TURN.y + TURN.height - 24, 0, 0)
DRAWER_GROUND = DRAWER.drawn(
    rx=18,
    fill="#1d2338",
    fill_opacity=0.97,
    stroke="#f6ecd4",
    stroke_opacity=0.5,
    display="none",
    data_upright=upright(display="inline"),
)


def picks(state: State, action: int) -> tuple[str, ...]:
    """A step is its block, the way back the base, a reroll its dice; a trade is what is given, then what is taken."""
    seat = state.to_move
    if action in (a.HEAL, a.MOVE, a.END):
        return ()
    if action == a.DRINK:
        return (f"potion-{seat}",)
    if action < a.STEP:
        return (f"mix-{action - a.MIX_OF}",)
    if action <= a.USE_ROPE:
        return (on_the_run(state, action),)
    if action < a.BUY:
        return (f"card-{list(state.offered).index(action - a.KEEP_CARD)}",)
    if action < a.TRADE:
        return (f"shop-{action - a.BUY}",)
    if action < a.END:
        given, taken = divmod(action - a.TRADE, len(RESOURCES))
        return f"{RESOURCES[given]}-{seat}", f"{RESOURCES[taken]}-{seat}"
    return tuple(f"die-{die}" for die in range(MAX_DICE) if action - a.REROLL >> die & 1)


def mark(seat: int, seats: int) -> Mark:
    return Mark(LETTERS[seat], COLOURS[seat], BADGE_INK)


def on_the_run(state: State, action: int) -> str:
    """The spot of a step, of the way back, of a fight or of the rope."""
    if action == a.BACK:
        return block_name(BASE)
    if action == a.FIGHT:
        return block_name(state.at)
    if action == a.USE_ROPE:
        return f"rope-{state.to_move}"
    return block_name(state.at + OFFSET[action - a.STEP])


PICTURE = Picture(
    size=SIZE,
    backdrop=backdrop,
    scene=scene,
    picks=picks,
    motion=motion,
    explain=explain,
    mark=mark,
    diagrams=DIAGRAMS,
    upright=UPRIGHT,
)
