"""The turn: its dice, or what else there is to choose from; what they gave; the decks and the round."""

from __future__ import annotations

from functools import cache, lru_cache

from parlour.engine import State
from parlour.engine.kit.places import Box
from parlour.engine.language import cache_spoken
from parlour.engine.picture import group, tag, upright
from parlour.games.mazerunner.picture.layout import (
    DECKS,
    DICE_COLOURS,
    INK,
    LIGHT,
    MUTED,
    SMALL,
    TURN,
    art,
    moved,
    row,
    words,
)
from parlour.games.mazerunner.picture.layout import MAZE as MAZE_BOX
from parlour.games.mazerunner.rules.actions import COMPASS, DICE, MAZE, MIX, ROPE
from parlour.games.mazerunner.rules.dice import FEWEST_MOVEMENT_DICE, dice_of
from parlour.games.mazerunner.state import EDGE, MAX_DICE
from parlour.games.mazerunner.state.decks import DECK_NAMES, FIRST, KINDS
from parlour.games.mazerunner.state.decks.chance import CHANCE_CARDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.decks.monsters import MONSTERS
from parlour.games.mazerunner.state.decks.resources import RESOURCE_CARDS
from parlour.games.mazerunner.state.names import block_name, said

ATTACK, MOVEMENT, RESOURCE = range(3)
KIND_WORDS = ("attack", "movement", "resource")
STATS = ("power", "steps", "find")
STAT_WORDS = ("attack power {count}", "{count} half steps left", "resource roll {count}")
STAT_NAMES = ("attack", "half steps", "finds")
STAT_ART = ("item-5", "item-12", "item-13")  # a sword, a boot, a satchel
DECK_ART = ("item-8", "beast-0", "chance-0", "resource-2")
CARD_NAMES = (
    tuple(item.name for item in ITEMS),
    tuple(monster.name for monster in MONSTERS),
    tuple(card.name for card in CHANCE_CARDS),
    tuple(card.name.removeprefix("a ") for card in RESOURCE_CARDS),
)
DECK_ENDS = tuple((first, first + kinds) for first, kinds in zip(FIRST, KINDS, strict=True))
DICE_BOX = Box(TURN.x + 8, TURN.y + 10, TURN.width - 16, 184)
STAT_BOXES = tuple(Box(TURN.x + 10, TURN.y + 200 + 44 * place, TURN.width - 20, 41) for place in range(3))
ITEMS_WIDTH = 82  # of the item deck: more than a hundred cards
DECK_BOXES = (
    DECKS._replace(width=ITEMS_WIDTH),
    *row(DECKS._replace(x=DECKS.x + ITEMS_WIDTH + 10, width=DECKS.width - ITEMS_WIDTH - 10), 3),
)
DECK_ICON = 22  # how wide its drawing is
TRAY = Box(20, 474, 0, 150)  # a die has its height; as wide as there are dice
MIX_HEIGHT = 140


STATS_UPRIGHT = tuple(moved(box, 12 + 227 * place, 700, 0.83) for place, box in enumerate(STAT_BOXES))


def choice(state: State) -> str:
    """The dice; or the mixes of dice, the cards of the compass, the monster that a rope helps against."""
    if state.phase in (MIX, DICE):
        return ""  # on the tray
    if state.phase == COMPASS:
        return "".join([offered(place, card) for place, card in enumerate(state.offered)])
    if state.phase == ROPE:
        place = state.monster_at.index(state.at)
        return foe(state.monster_kind[place], state.monster_health[place])
    if state.phase == MAZE and state.lurking:
        return near(state)
    kinds = kinds_of(state)
    if not kinds:
        return no_dice(dice_of(state, state.to_move))
    lying = [
        die(die_box(place), place, kind, face)
        for place, (kind, face) in enumerate(zip(kinds, state.dice, strict=False))
    ]
    return "".join(lying) + "".join([no_die(place) for place in range(len(kinds), MAX_DICE)])


def kinds_of(state: State) -> list[int]:
    """The kind of each die on the table."""
    counts = (state.attack_dice, state.movement_dice, state.resource_dice)
    return [kind for kind in range(3) for _ in range(counts[kind])]


def tray_box(state: State) -> Box | None:
    """Where dice lie while something has to be done with them: over the map, large enough for a finger."""
    if state.phase == DICE:
        return Box(TRAY.x, TRAY.y, len(kinds_of(state)) * TRAY.height + 16, TRAY.height + 16)
    if state.phase == MIX:
        lines = len(mixes_of(dice_of(state, state.to_move)))
        return Box(MAZE_BOX.x + 10, MAZE_BOX.y + 40, MAZE_BOX.width - 20, lines * MIX_HEIGHT + 12)
    return None


def tray(state: State) -> str:
    """The dice to roll again, or the mixes to pick from."""
    box = tray_box(state)
    if box is None:
        return ""
    look = {"rx": 26, "fill": "#10152a", "fill_opacity": 0.93, "stroke": LIGHT, "stroke_opacity": 0.5}
    ground = box.drawn(**look, data_what="tray", data_over="")
    if state.phase == MIX:
        return ground + mixes(dice_of(state, state.to_move))
    side = TRAY.height
    boxes = [Box(box.x + 8 + place * side, box.y + 8, side, side) for place in range(MAX_DICE)]
    return ground + "".join(map(die, boxes, range(MAX_DICE), kinds_of(state), state.dice))


def die_box(place: int) -> Box:
    return Box(DICE_BOX.x + 1 + place % 3 * 92, DICE_BOX.y + place // 3 * 94, 86, 88)


def die_shape(kind: int, x: float, y: float, size: float) -> str:
    """A square for attack, round for movement, eight corners for resources."""
    fill, half = DICE_COLOURS[kind], size / 2
    look = {"stroke": "#fff", "stroke_opacity": 0.4, "stroke_width": size / 28, "fill": fill}
    if kind == ATTACK:
        return tag("rect", x=x - half, y=y - half, width=size, height=size, rx=size * 0.16, **look)
    if kind == MOVEMENT:
        return tag("circle", cx=x, cy=y, r=half, **look)
    cut = size * 0.29
    flat = size - 2 * cut
    edges = f"M{x - half + cut} {y - half}h{flat}l{cut} {cut}v{flat}l-{cut} {cut}h-{flat}l-{cut} -{cut}v-{flat}Z"
    return tag("path", d=edges, **look, stroke_linejoin="round")


@cache_spoken
def die(box: Box, place: int, kind: int, face: int) -> str:
    x, y, large = box.x + box.width / 2, box.y + box.height / 2, box.width / 86
    ink = INK if kind == RESOURCE else "#fff"
    told = said("die {number}, {kind}: {face}").format(number=place + 1, kind=said(KIND_WORDS[kind]), face=face)
    return "".join(
        (
            tag("g", die_shape(kind, x, y + 5, 80 * large), opacity=0.35),
            die_shape(kind, x, y, 80 * large),
            words(face, x - 13 * large, y + 2, 48 * large, ink),
            art(STAT_ART[kind], x + 20 * large, y + 2, 0.54 * large),
            box.spot(f"die-{place}", told),
        )
    )


@cache_spoken
def no_die(place: int) -> str:
    return die_box(place).spot(f"die-{place}", said("no die {number} on the table").format(number=place + 1))


@cache_spoken
def no_dice(count: int) -> str:
    """Places for as many dice as the runner has."""
    drawn = []
    for place in range(count):
        box = die_box(place)
        edge = {"fill": "none", "stroke": MUTED, "stroke_width": 3, "stroke_dasharray": "8 8", "opacity": 0.45}
        drawn.append(tag("rect", x=box.x + 6, y=box.y + 7, width=74, height=74, rx=14, **edge))
    return "".join(drawn) + "".join([no_die(place) for place in range(MAX_DICE)])


@cache
def mixes_of(count: int) -> dict[int, tuple[int, int, int]]:
    """How many attack, movement and resource dice are in each mix; numbered as the actions are."""
    mixes = {mix: (1 + mix % 2, count - 2 - mix % 2 - mix // 2, 1 + mix // 2) for mix in range(4)}
    return {mix: counts for mix, counts in mixes.items() if counts[MOVEMENT] >= FEWEST_MOVEMENT_DICE}


@cache_spoken
def mixes(count: int) -> str:
    """One line of dice for each mix."""
    lines: list[str] = []
    for mix, counts in mixes_of(count).items():
        top = MAZE_BOX.y + 46 + MIX_HEIGHT * len(lines)
        box = Box(MAZE_BOX.x + 18, top + 4, MAZE_BOX.width - 36, MIX_HEIGHT - 8)
        kinds = [kind for kind in range(3) for _ in range(counts[kind])]
        y = box.y + box.height / 2
        shapes = [
            die_shape(kind, box.x + 60 + place * 104, y, 92) + art(STAT_ART[kind], box.x + 60 + place * 104, y, 0.9)
            for place, kind in enumerate(kinds)
        ]
        told = said("{} attack, {} movement and {} resource dice").format(*counts)
        ground = box.drawn(rx=16, fill="#fff", opacity=0.09)
        lines.append(ground + "".join(shapes) + box.spot(f"mix-{mix}", told))
    return "".join(lines)


@cache_spoken
def offered(place: int, card: int) -> str:
    box = Box(DICE_BOX.x, DICE_BOX.y + 94 * place, DICE_BOX.width, 88)
    middle, name = box.y + box.height / 2, said(CHANCE_CARDS[card].name)
    return "".join(
        (
            box.drawn(rx=14, fill="url(#mazerunner-parchment)", stroke="#c9ab74", stroke_width=3),
            art(f"chance-{card}", box.x + 46, middle, 1.5),
            words(name, box.x + 82, middle, 32, INK, text_anchor="start"),
            box.spot(f"card-{place}", said("chance card: {card}").format(card=name)),
        )
    )


@cache_spoken
def foe(kind: int, health: int) -> str:
    """The monster in question: its health and what a blow of it takes."""
    monster, box = MONSTERS[kind], DICE_BOX
    name, told = said(monster.name), said("{monster}: health {health}, damage {damage}")
    return "".join(
        (
            tag("circle", cx=box.x + 80, cy=box.y + 70, r=68, fill="url(#mazerunner-parchment)"),
            art(f"beast-{kind}", box.x + 80, box.y + 70, 2.3),
            words(name, box.x + (80 if len(name) < 9 else 115), box.y + 162, SMALL),
            art("heart", box.x + 178, box.y + 54, 0.8),
            words(health, box.x + 204, box.y + 55, 44, text_anchor="start"),
            art("chance-2", box.x + 178, box.y + 112, 0.8),
            words(monster.damage, box.x + 204, box.y + 113, 44, text_anchor="start"),
            box.spot("foe", told.format(monster=name, health=health, damage=monster.damage)),
        )
    )


def near(state: State) -> str:
    """On the run, the monsters nearest to the runner: where they are, their health and their damage."""
    row, column = divmod(state.at, EDGE)
    places = [(abs(at // EDGE - row) + abs(at % EDGE - column), at) for at in state.monster_at[: state.lurking]]
    lines = []
    for line, (_, block) in enumerate(sorted(places)[:3]):
        place = state.monster_at.index(block)
        lines.append(beast(line, block, state.monster_kind[place], state.monster_health[place]))
    return "".join(lines)


@lru_cache(maxsize=2_000)
def beast(line: int, block: int, kind: int, health: int) -> str:
    monster, box = MONSTERS[kind], Box(DICE_BOX.x, DICE_BOX.y + 62 * line, DICE_BOX.width, 58)
    middle = box.y + box.height / 2
    return group(
        (
            box.drawn(rx=12, fill="#fff", opacity=0.09),
            art(f"beast-{kind}", box.x + 29, middle, 1.05),
            words(block_name(block), box.x + 59, middle + 1, 31, MUTED, text_anchor="start"),
            art("heart", box.x + 142, middle, 0.5),
            words(health, box.x + 156, middle + 1, text_anchor="start"),
            art("chance-2", box.x + 215, middle, 0.5),
            words(monster.damage, box.x + 227, middle + 1, text_anchor="start"),
        ),
        data_what=block_name(block),
    )


def gains(state: State) -> str:
    """What the dice gave for this turn; while they are rolled, how often they still may be."""
    if state.phase == DICE:
        return rolls(state.rolls_left)
    values = (state.power, state.half_steps, state.resource_roll)
    return "".join([gain(place, value, bool(state.lantern_lit)) for place, value in enumerate(values)])


@cache_spoken
def gain(place: int, value: int, light: bool) -> str:
    told = "1 half step left" if place == MOVEMENT and value == 1 else STAT_WORDS[place]
    return one_gain(place, value, said(told).format(count=value), lit() if light and place == MOVEMENT else "")


def one_gain(place: int, value: int, told: str, also: str = "") -> str:
    drawn = gain_line(place, value), STAT_BOXES[place].spot(STATS[place], told), also
    return group(drawn, data_upright=STATS_UPRIGHT[place])


@cache_spoken
def gain_line(place: int, value: int) -> str:
    box = STAT_BOXES[place]
    middle = box.y + box.height / 2
    ink = LIGHT if value else MUTED
    return "".join(
        (
            box.drawn(rx=12, fill=DICE_COLOURS[place], fill_opacity=0.28 if value else 0.1),
            art(STAT_ART[place], box.x + 22, middle, 0.52),
            words(said(STAT_NAMES[place]), box.x + 44, middle + 1, 31, ink, text_anchor="start", font_weight=500),
            words(value if value else "–", box.x + box.width - 12, middle + 1, 35, ink, text_anchor="end"),
        )
    )


@cache
def lit() -> str:
    """The lantern burns: the next new block costs half."""
    box = STAT_BOXES[MOVEMENT]
    return art("item-10", box.x + box.width - 8, box.y + 4, 0.6)


@cache_spoken
def rolls(left: int) -> str:
    """How often dice may still be rolled; what they will give is not known yet."""
    unknown = said("{stat}: not known yet")
    told = said("1 roll left" if left == 1 else "{count} rolls left").format(count=left)
    x, y = DICE_BOX.x + DICE_BOX.width / 2, DICE_BOX.y + 60
    shown = words(told, x=x, y=y, size=38, data_what="rolls", data_upright=upright(display="none"))
    return shown + "".join([one_gain(place, 0, unknown.format(stat=said(name))) for place, name in enumerate(STATS)])


def decks(state: State) -> list[str]:
    """How many cards are left in each deck."""
    return [deck(place, tuple(state.deck[first:end])) for place, (first, end) in enumerate(DECK_ENDS)]


@cache_spoken
def deck(place: int, cards: tuple[int, ...]) -> str:
    box, count = DECK_BOXES[place], sum(cards)
    middle = box.y + box.height / 2
    held = [(left, said(name)) for left, name in zip(cards, CARD_NAMES[place], strict=True) if left]
    which = ", ".join([said("{count} {card}").format(count=left, card=name) for left, name in held])
    told = said("{deck} deck: {cards} left" if held else "{deck} deck: no cards left")
    return "".join(
        (
            box.drawn(rx=10, fill="#000", fill_opacity=0.22),
            art(DECK_ART[place], box.x + DECK_ICON / 2, middle, 0.4),
            words(
                count, box.x + (DECK_ICON + box.width) / 2, middle + 1, 31, LIGHT if count else MUTED, font_weight=500
            ),
            box.spot(f"deck-{place}", told.format(deck=said(DECK_NAMES[place]), cards=which)),
        )
    )


@cache_spoken
def round_of(completed: int, rounds: int) -> str:
    told = said("round {round} of {last}").format(round=min(completed + 1, rounds), last=rounds)
    size = SMALL if rounds < 100 else 24  # longer ones would stick out
    return words(told, TURN.x + TURN.width / 2, TURN.y + TURN.height - 24, size, MUTED, data_what="round")
