"""mazerunner in a terminal: the map, then everything that a runner needs to decide."""

from __future__ import annotations

from rich.text import Text

from parlour.engine import State
from parlour.engine.terminal import Terminal, is_choosing
from parlour.games.mazerunner.rules.actions import CHOOSE, COMPASS, DICE, ENTRANCE, MAZE, MIX, ROPE, SHOP
from parlour.games.mazerunner.rules.maze import BASE
from parlour.games.mazerunner.rules.runner import MAPS_TO_WIN, MOST_HP
from parlour.games.mazerunner.seats import NAMES, TERMINAL_COLOURS
from parlour.games.mazerunner.state import ITEM_KINDS
from parlour.games.mazerunner.state.decks import CHANCE_DECK, DECK_NAMES, FIRST, KINDS
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.names import RESOURCES, amounts_on, block_name
from parlour.games.mazerunner.terminal import map as maze_map

WIDTH = 78
RESOURCE_STYLES = ("grey70", "green", "gold1")
DICE_STYLES = ("bold white on red3", "bold white on dodger_blue2", "bold black on gold1")
LABEL = "grey50"
BAR = 10  # cells of a bar of hp

PROMPTS = {
    CHOOSE: "heal or move?",
    MIX: "which dice?",
    DICE: "roll which dice again?",
    ENTRANCE: "which entrance?",
    MAZE: "which way, or back to the base?",
    COMPASS: "keep which chance card?",
    ROPE: "fight, or use the rope?",
    SHOP: "buy, trade, or end the turn?",
}


def board(state: State, *, ascii: bool = False) -> Text:
    text = Text()
    heading(text, state)
    text.append_text(maze_map.draw(state, ascii=ascii))
    for seat in range(state.seats):
        runner(text, state, seat, ascii=ascii)
    turn(text, state)
    shop(text, state)
    monsters(text, state)
    decks(text, state)
    text.rstrip()
    return text


def heading(text: Text, state: State) -> None:
    if state.over:
        text.append("The match is over", style="bold")
    else:
        seat = state.to_move
        text.append(NAMES[seat], style=f"bold {TERMINAL_COLOURS[seat]}")
        text.append(f": {PROMPTS[state.phase]}", style="bold")
    text.append(f"   round {min(state.round + 1, state.rounds)} of {state.rounds}\n", style=LABEL)


def runner(text: Text, state: State, seat: int, *, ascii: bool) -> None:
    """One line of numbers, and one of items where there are any."""
    full, empty, piece, gap = ("#", "-", "*", ".") if ascii else ("█", "░", "◆", "◇")
    hp, maps = state.hp[seat], state.maps[seat]
    colour = TERMINAL_COLOURS[seat]
    text.append(">" if is_choosing(state, seat) else " ", style=f"bold {colour}")
    text.append(f"{NAMES[seat]:<7}", style=f"bold {colour}" if hp else f"strike {colour}")
    cells = -(-hp * BAR // MOST_HP)
    text.append(full * cells + empty * (BAR - cells), style="green3" if hp > 25 else "orange1" if hp > 10 else "red1")
    text.append(f" {hp:>2} hp  " if hp else " out    ")
    found = min(maps, MAPS_TO_WIN)
    text.append(piece * found + gap * (MAPS_TO_WIN - found), style="bright_magenta")
    text.append(f" {maps:>2} map ")
    for resource, name in enumerate(RESOURCES):
        text.append(f"  {state.resources[seat * 3 + resource]:>2} {name}", style=RESOURCE_STYLES[resource])
    text.append("\n")
    held = [(item, state.items[seat * ITEM_KINDS + kind]) for kind, item in enumerate(ITEMS)]
    names = [item.name if count == 1 else f"{count} x {item.name}" for item, count in held if count]
    if names:
        text.append(wrapped("        ", names, ", "), style="italic")


def turn(text: Text, state: State) -> None:
    """The dice, and what they gave."""
    if state.phase == DICE:
        dice(text, state)
    elif state.phase in (ENTRANCE, MAZE, COMPASS, ROPE):
        where = "the base" if state.at == BASE else block_name(state.at)
        text.append("Run     ", style=LABEL)
        text.append(f"at {where}, attack power {state.power}, resource roll {state.resource_roll}, ")
        text.append(f"{state.half_steps} half steps left{', lantern lit' if state.lantern_lit else ''}\n", style="bold")
    if state.phase == COMPASS:
        text.append("Compass ", style=LABEL)
        text.append(" or ".join(CHANCE_CARDS[card].name for card in state.offered) + "\n", style="bold")


def dice(text: Text, state: State) -> None:
    """Three rows: the kinds, the faces, and the numbers to call them by."""
    kinds = ("attack", "movement", "resource")
    counts = (state.attack_dice, state.movement_dice, state.resource_dice)
    widths = [max(len(kind), 4 * count) + 2 for kind, count in zip(kinds, counts, strict=True)]
    text.append("Dice    ", style=LABEL)
    for kind, width in zip(kinds, widths, strict=True):
        text.append(f"{kind:<{width}}")
    text.append(f"rolls left: {state.rolls_left}\n        ", style="bold")
    numbers, die = "        ", 0
    for style, count, width in zip(DICE_STYLES, counts, widths, strict=True):
        for _ in range(count):
            text.append(f"[{state.dice[die]}]", style=style)
            text.append(" ")
            die += 1
            numbers += f" {die}  "
        text.append(" " * (width - 4 * count))
        numbers += " " * (width - 4 * count)
    text.append("\n" + numbers.rstrip() + "\n", style=LABEL)


def shop(text: Text, state: State) -> None:
    for place, kind in enumerate(state.shop):
        text.append("Shop    " if place == 0 else " " * 8, style=LABEL)
        text.append(f"{place + 1} ", style="bold")
        if kind < 0:
            text.append("sold out\n", style=LABEL)
            continue
        item = ITEMS[kind]
        text.append(f"{item.name:<11}", style="bold")
        text.append(f"{item.help:<40}", style="italic")
        text.append(amounts_on(item) + "\n")


def monsters(text: Text, state: State) -> None:
    """Every monster in the maze: letter, name, block, health left and damage; ! when it is awake."""
    if not state.lurking:
        return
    lines = wrapped("Monster ", [beast(state, place) for place in range(state.lurking)], "  ")
    text.append(lines[:8], style=LABEL)
    text.append(lines[8:], style=maze_map.MONSTER_STYLE)
    text.append("        letter, name, block, health/damage; ! is awake and follows\n", style=LABEL)


def beast(state: State, place: int) -> str:
    kind = MONSTERS[state.monster_kind[place]]
    block = block_name(state.monster_at[place])
    awake = "!" if state.monster_awake[place] else ""
    return f"{kind.letter} {kind.name} {block} {state.monster_health[place]}/{kind.damage}{awake}"


def decks(text: Text, state: State) -> None:
    """How many cards each deck still has; of the chance deck, which."""
    counts = [sum(state.deck[FIRST[deck] : FIRST[deck] + KINDS[deck]]) for deck in range(len(KINDS))]
    text.append("Decks   ", style=LABEL)
    text.append(", ".join(f"{name} {count}" for count, name in zip(counts, DECK_NAMES, strict=True)) + "\n")
    left = [f"{card.name} {state.deck[FIRST[CHANCE_DECK] + kind]}" for kind, card in enumerate(CHANCE_CARDS)]
    text.append("Chance  ", style=LABEL)
    text.append(", ".join(left) + "\n")


def wrapped(label: str, parts: list[str], between: str) -> str:
    """The parts after a label, on as many lines as they need."""
    lines, line = [], label
    for part in parts:
        if len(line) + len(part) > WIDTH:
            lines.append(line.rstrip())
            line = " " * len(label)
        line += part + between
    lines.append(line.rstrip().rstrip(","))
    return "\n".join(lines) + "\n"


TERMINAL = Terminal(board=board)
