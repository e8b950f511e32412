"""mazerunner as a picture: what is drawn is what is, what can be decided can be picked, what moves is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from mazerunner_positions import block, give, opened, play, put_monster, running, shopping
from parlour.bots import Decision
from parlour.engine import Chance, Event, Match, State
from parlour.engine.picture import Dice, Flash, Fly, Walk
from parlour.games.mazerunner import GAME
from parlour.games.mazerunner.bots import Level, Runner
from parlour.games.mazerunner.picture import maze, picks
from parlour.games.mazerunner.picture.layout import SHOWN
from parlour.games.mazerunner.picture.motion import motion
from parlour.games.mazerunner.picture.turn import DECK_ICON
from parlour.games.mazerunner.rules.actions import COMPASS, MIX, ROPE
from parlour.games.mazerunner.rules.maze import TRAVELLED, WALL
from parlour.games.mazerunner.state import BLOCKS, EDGE, ITEM_KINDS
from parlour.games.mazerunner.state.decks.items import ITEMS
from parlour.games.mazerunner.state.names import RESOURCES, amount, block_name

MATCHES = [(seats, seed) for seats in (1, 2, 3, 4) for seed in (1, 2)]
NAME = "{http://www.w3.org/2000/svg}"


class Seen:
    """The picture of a position, taken apart."""

    def __init__(self, state: State) -> None:
        self.text = GAME.looks.svg(state)
        elements = list(ElementTree.fromstring(self.text).iter())
        self.tags = {element.tag.removeprefix(NAME) for element in elements}
        self.attributes = {name for element in elements for name in element.attrib}
        self.ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
        self.used = {element.attrib["href"] for element in elements if "href" in element.attrib}
        spotted = [element for element in elements if "data-spot" in element.attrib]
        self.spot_names = [element.attrib["data-spot"] for element in spotted]
        self.labels = {element.attrib["data-spot"]: element.attrib["aria-label"] for element in spotted}
        self.boxes = {
            element.attrib["data-spot"]: tuple(float(element.attrib[name]) for name in ("x", "y", "width", "height"))
            for element in spotted
        }
        self.places = {
            element.attrib["id"]: tuple(map(float, re.findall(r"-?[\d.]+", element.attrib["transform"])))
            for element in elements
            if "id" in element.attrib and "transform" in element.attrib
        }

        self.texts = [
            (float(element.attrib["x"]), float(element.attrib["y"]), element.text or "")
            for element in elements
            if element.tag == f"{NAME}text"
        ]

    def texts_in(self, spot: str) -> list[str]:
        """What is written there."""
        x, y, width, height = self.boxes[spot]
        return [text for at, line, text in self.texts if x <= at <= x + width and y <= line <= y + height]

    def middle(self, spot: str) -> tuple[float, float]:
        x, y, width, height = self.boxes[spot]
        return x + width / 2, y + height / 2


def test_the_counts_of_cards_have_room_beside_their_drawings() -> None:
    """There are more than a hundred item cards. A digit is 17.6 wide."""
    seen = Seen(opened(1))
    for deck in range(4):
        x, y, width, height = seen.boxes[f"deck-{deck}"]
        ((at, count),) = [
            (at, text) for at, line, text in seen.texts if x <= at <= x + width and y <= line <= y + height
        ]
        assert count.isdecimal()
        assert at - 8.8 * len(count) >= x + DECK_ICON, f"{count} covers the drawing of deck {deck}"
        assert at + 8.8 * len(count) <= x + width, f"{count} sticks out"


def course(seats: int, seed: int, plies: int = 200) -> Iterator[tuple[State, list[Event]]]:
    """The positions of a match, and what happened next: now at random, now by somebody who knows how."""
    match = Match(GAME, seats, seed=seed)
    policy, runner = Chance.of_game(seed, 0, 1), Runner(Level(slips=3))
    while not match.over and len(match.plies) < plies:
        before, legal = match.state.copy(), match.legal()
        by_chance = legal[policy.below(len(legal))]
        action = by_chance if seed % 2 else runner.choose(Decision(GAME, before.copy(), legal, policy))
        yield before, match.play(action)
    yield match.state, []


def positions(seats: int, seed: int) -> list[State]:
    """Every seventh position of a match, and its last."""
    states = [state for state, _ in course(seats, seed)]
    return [*states[::7], states[-1]]


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_the_picture_is_in_order(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        seen = Seen(state)
        assert len(seen.ids) == len(set(seen.ids))
        assert len(seen.spot_names) == len(set(seen.spot_names))
        assert all(seen.labels.values())
        assert {use.removeprefix("#") for use in seen.used} <= set(seen.ids)
        assert set(re.findall(r"url\(#([^)]*)\)", seen.text)) <= set(seen.ids)
        assert all(name.startswith("mazerunner-") for name in seen.ids)
        assert not {"style", "script", "image"} & seen.tags
        assert "style" not in seen.attributes


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_whatever_is_legal_can_be_picked(seats: int, seed: int) -> None:
    """Buttons are only for what has no place: heal, move, keep, end. No two actions have the same picks."""
    for state in positions(seats, seed):
        seen = Seen(state)
        named = {GAME.words.write(state, action): picks(state, action) for action in GAME.legal_actions(state)}
        assert {name for name, spots in named.items() if not spots} <= {"heal", "move", "keep", "end"}
        assert {spot for spots in named.values() for spot in spots} <= set(seen.spot_names)
        picked = [spots for spots in named.values() if spots]
        assert len(picked) == len(set(picked))


def in_fog(name: str, state: State) -> bool:
    return name in {block_name(place) for place in range(BLOCKS)} - set(map(block_name, maze.known_blocks(state)))


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_whatever_moves_is_there_and_has_somewhere_to_go(seats: int, seed: int) -> None:
    """Somewhere that is in the picture, or in the fog, which has no spots."""
    for before, journal in course(seats, seed):
        scene = GAME.looks.scene(before)
        items = set(re.findall(r' id="([^"]*)"', scene))
        places = {*re.findall(r' data-spot="([^"]*)"', scene), *(f"seat-{seat}" for seat in range(seats))}
        for step in [step for event in journal for step in motion(event)]:
            if isinstance(step, Dice):
                assert step.values
                assert set(step.values) <= ({0, 1, 2, 3} if step.sides == 3 else {1, 2, 3, 4, 5, 6})
                continue
            named = (step.to,) if isinstance(step, Fly) else step.spots
            assert named
            assert {name for name in named if not in_fog(name, before)} <= places
            if not isinstance(step, Flash):
                assert step.item in items


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_everybody_is_drawn_where_they_are(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        seen = Seen(state)
        assert seen.places[f"mazerunner-runner-{state.to_move}"] == seen.middle(block_name(state.at))
        beasts = {name: place for name, place in seen.places.items() if "-monster-" in name}
        names = [block_name(state.monster_at[place]) for place in range(state.lurking)]
        assert beasts == {f"mazerunner-monster-{name}": seen.middle(name) for name in names}
        for seat in range(seats):
            assert (f"mazerunner-runner-{seat}" in seen.places) == (state.hp[seat] > 0 or seat == state.to_move)


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_the_maze_is_drawn_as_it_is_known(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        view = maze.view_of(state.at)
        travelled = [place for place in range(BLOCKS) if state.maze[place] & TRAVELLED and maze.in_view(place, view)]
        scene = GAME.looks.scene(state)
        assert scene.count("#mazerunner-floor-") == len(travelled)
        walls = sum((state.maze[place] & 15 * WALL).bit_count() for place in travelled)
        drawn = re.findall(r'<path d="([^"]*)" stroke="#3a2f3d"', scene)
        assert drawn[0].count("M") == walls


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_the_sheets_tell_what_everyone_holds(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        seen = Seen(state)
        for seat in range(seats):
            for resource, name in enumerate(RESOURCES):
                held = state.resources[seat * len(RESOURCES) + resource]
                assert seen.labels[f"{name}-{seat}"] == f"{GAME.seat_names[seat]}: {amount(resource, held)}"
                assert str(held) in seen.texts_in(f"{name}-{seat}")
            assert seen.texts_in(f"map-{seat}") == [str(state.maps[seat])]
            assert seen.texts_in(f"hp-{seat}") == [str(state.hp[seat] or "out")]
            for kind, item in enumerate(ITEMS):
                if item.name not in ("potion", "rope"):
                    held = state.items[seat * ITEM_KINDS + kind]
                    assert (held > 0) == (f" {item.name}" in seen.labels[f"items-{seat}"])


def test_the_runner_always_sees_what_is_near() -> None:
    """Three blocks around are in view, or the edge of the maze is."""
    for place in range(BLOCKS):
        row, column = divmod(place, EDGE)
        for down in range(-3, 4):
            for right in range(-3, 4):
                if 0 <= row + down < EDGE and 0 <= column + right < EDGE:
                    assert maze.in_view((row + down) * EDGE + column + right, maze.view_of(place))


def test_a_block_tells_what_is_there() -> None:
    state = running("?--+--T\n   |  |\n+--#--+--?", at="N13")
    labels = Seen(state).labels
    assert labels["N12"] == "N12: open to south and west; a troll of health 27, damage 12"
    assert labels["N13"] == "N13: open to north, east and west; Red is here"
    assert labels["O13"] == "O13: untravelled, open to west"
    assert labels["M13"] == "M13: the base"
    assert "A1" not in labels
    state.monster_awake[0], state.awake = 1, 1
    assert Seen(state).labels["N12"].endswith("damage 12, awake")
    labels = Seen(running("#--o", at="N13", phase=ROPE)).labels
    assert labels["N13"] == "N13: open to west; Red is here, with an orc of health 22, damage 10"


def test_the_opening_shows_four_entrances() -> None:
    labels = Seen(opened()).labels
    assert [labels[name] for name in ("M12", "N13", "M14", "L13")] == [
        "M12: untravelled, open to south",
        "N13: untravelled, open to west",
        "M14: untravelled, open to north",
        "L13: untravelled, open to east",
    ]


def test_dice_are_picked_together() -> None:
    state = opened()
    play(state, "move", 6, 1, 5, 3)
    assert picks(state, GAME.words.read(state, "reroll 1 3 4")) == ("die-0", "die-2", "die-3")
    assert picks(state, GAME.words.read(state, "keep")) == ()
    labels = Seen(state).labels
    assert [labels[f"die-{die}"] for die in range(4)] == [
        "die 1, attack: 2",
        "die 2, movement: 1",
        "die 3, movement: 3",
        "die 4, resource: 1",
    ]


@pytest.mark.parametrize(("extra", "count"), [(1, 3), (2, 4)])
def test_mixes_are_lines_of_dice(extra: int, count: int) -> None:
    state = opened()
    give(state, *["blue die"] * extra)
    play(state, "move")
    assert state.phase == MIX
    labels = Seen(state).labels
    told = [labels[spot] for action in GAME.legal_actions(state) for spot in picks(state, action)]
    assert len(told) == len(set(told)) == count
    assert told[0] == f"1 attack, {2 + extra} movement and 1 resource dice"


@pytest.mark.parametrize(("cards", "expected"), [([2, 0], ["card-1", "card-0"]), ([3, 3], ["card-0"])])
def test_the_compass_offers_cards(cards: list[int], expected: list[str]) -> None:
    state = running("#--+", at="N13", phase=COMPASS)
    state.offered[:] = cards
    assert [picks(state, action) for action in GAME.legal_actions(state)] == [(spot,) for spot in expected]
    labels = Seen(state).labels
    names = ("portal", "map piece", "monster", "resources")
    assert [labels[f"card-{place}"] for place in (0, 1)] == [f"chance card: {names[card]}" for card in cards]


def test_the_rope_or_the_fight() -> None:
    state = running("#--T", at="N13", phase=ROPE)
    give(state, "rope")
    assert [picks(state, action) for action in GAME.legal_actions(state)] == [("N13",), ("rope-0",)]
    labels = Seen(state).labels
    assert labels["foe"] == "troll: health 27, damage 12"
    assert labels["rope-0"] == "Red: ropes: 1"


def test_a_trade_is_two_picks() -> None:
    state = shopping(iron=3, herbs=1)
    assert picks(state, GAME.words.read(state, "trade iron gold")) == ("iron-0", "gold-0")


def test_the_shop_shows_prices_and_what_is_too_dear() -> None:
    state = shopping(iron=5)
    scene = GAME.looks.scene(state)
    assert scene.count("#c22f3a") == 3, "the gold for each of three red dice is lacking"
    assert scene.count("#3f9d57") == 0
    state.resources[2] = 5
    assert GAME.looks.scene(state).count("#3f9d57") == 3, "now each can be paid for, and is framed"
    state.shop[1] = -1
    assert Seen(state).labels["shop-1"] == "shop 2: sold out"
    assert Seen(state).labels["shop-0"] == "shop 1: red die, one more die, +1 attack; costs 5 iron and 5 gold"


def test_whoever_is_far_away_is_on_the_small_map() -> None:
    state = running("#--+", at="N13")
    for name in ("A1", "Y25"):
        state.maze[block(name)] |= TRAVELLED
        put_monster(state, "rat", block(name))
    x, y = Seen(state).places["mazerunner-monster-A1"]
    assert x > 700
    assert y < 40


def test_moves_of_a_run() -> None:
    state = running("#--+--r", at="N13", power=9)
    steps = [step for event in play(state, "east") for step in motion(event)]
    assert steps[0] == Walk("mazerunner-runner-0", ("O13",))
    assert Flash(("O13",)) in steps
    assert Flash(("herbs-0",)) in steps
    steps = [step for event in play(state, "back") for step in motion(event)]
    assert steps == [Fly("mazerunner-runner-0", "M13")]


def test_what_is_next_to_the_runner_is_easy_to_hit() -> None:
    state = running("?--+--T\n   |  |\n+--#--+--?", at="N13")
    seen = Seen(state)
    assert [name for name in seen.spot_names if seen.boxes[name][2] == maze.REACH] == ["N12", "O13"]
    assert seen.boxes["M13"][2] == SHOWN
    assert [name for name in seen.spot_names if name[1:].isdecimal()][-1] == "M13", "nothing lies over the way back"


def test_on_the_run_the_nearest_monsters_are_listed() -> None:
    state = running("?--+--T\n   |  |\n+--#--+--r", at="N13")
    for name in ("A1", "B1", "C1"):
        state.maze[block(name)] |= TRAVELLED
        put_monster(state, "bat", block(name))
    written = [text for _, _, text in Seen(state).texts]
    assert written[written.index("N12") :][:9] == ["N12", "27", "12", "O13", "3", "2", "C1", "6", "3"]


def test_the_decks_tell_their_cards() -> None:
    state = opened()
    assert Seen(state).labels["deck-2"] == "chance deck: 4 portal, 3 map piece, 6 monster, 6 resources left"
    assert Seen(state).labels["deck-3"].startswith("resource deck: 3 vein of iron, 3 herb garden, 3 hoard of gold")
    state.deck[:] = [0] * len(state.deck)
    assert Seen(state).labels["deck-0"] == "item deck: no cards left"


def test_one_is_no_plural() -> None:
    labels = Seen(running("#--+", at="N13", half_steps=1)).labels
    assert labels["steps"] == "1 half step left"
    assert Seen(shopping(herbs=1)).labels["herbs-0"] == "Red: 1 herb"


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_marks_are_as_the_runners(seats: int) -> None:
    drawn = GAME.looks.svg(opened(seats))
    for seat, mark in enumerate(GAME.looks.marks(seats)):
        runner = drawn.split(f'id="mazerunner-seat-{seat}"')[1].split("</text>")[0]
        assert runner.endswith(f">{mark.letter}")
        assert f'fill="{mark.colour}"' in runner
