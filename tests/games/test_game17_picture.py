"""The picture of game17: what it shows is the position, what can be picked is there, and so is what moves."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from game17_positions import play, position
from parlour.engine import Chance, Event, Match, State
from parlour.engine.picture import Flash, Walk
from parlour.engine.verdict import verdict
from parlour.games.game17 import GAME, rules
from parlour.games.game17.bots.t800 import plan_t800
from parlour.games.game17.events import Raided, ZombiesMoved
from parlour.games.game17.notation import NOTATION
from parlour.games.game17.picture.drawings import PALE, PATTERNS, WEAKER, colour, contrast, land, shape, strength
from parlour.games.game17.picture.layout import SIZE, grid
from parlour.games.game17.state.reach import weaker_squares
from parlour.games.game17.state.squares import DIRECTION_NAMES

SVG = "{http://www.w3.org/2000/svg}"
TABLES = [(2, 14), (6, 9), (0, 5), (3, 2), (4, 2), (40, 8), (196, 14), (5, 24)]


def parsed(state: State) -> ElementTree.Element:
    return ElementTree.fromstring(GAME.looks.svg(state))


def spots(state: State) -> dict[str, str]:
    """The words of each spot; there is just one spot of a name."""
    found = [element for element in parsed(state).iter() if element.get("data-spot")]
    words = {element.get("data-spot", ""): element.get("aria-label", "") for element in found}
    assert len(words) == len(found)
    return words


def ids(state: State) -> Counter[str]:
    return Counter(element.get("id", "") for element in parsed(state).iter() if element.get("id"))


class Happened(NamedTuple):
    before: State
    legal: list[int]
    events: list[Event]


def some_plies(seats: int, edge: int, plies: int = 60) -> Iterator[Happened]:
    """A match in which seats give a few orders a turn."""
    match = Match(GAME, seats, seed=edge, edge=edge, rounds=12)
    dice = random.Random(edge)
    for _ in range(plies):
        if match.over:
            return
        before, legal = match.state.copy(), match.legal()
        action = dice.choice(legal[1:]) if legal[1:] and dice.random() < 0.7 else legal[0]
        yield Happened(before, legal, match.play(action))


def positions(seats: int, edge: int) -> list[State]:
    """The opening, and a few positions with orders in them."""
    state = GAME.blank(seats, edge=edge)
    GAME.open(state, Chance.at(7, 0))
    found = [state.copy()]
    for turn in range(12):
        if not state.over and state.seats:
            plan_t800(state, state.to_move, Chance.at(turn, 1))
            found.append(state.copy())
        if not state.over:
            GAME.play(state, rules.END if state.seats else rules.GO, Chance.at(turn, 2))
    return [*found[::4], state]


@pytest.mark.parametrize(("seats", "edge"), TABLES)
def test_the_picture_is_sound(seats: int, edge: int) -> None:
    for state in positions(seats, edge):
        root = parsed(state)
        assert root.get("viewBox") == f"0 0 {SIZE[0]} {SIZE[1]}"
        assert set(ids(state).values()) == {1}
        assert all(element.get("style") is None for element in root.iter())
        assert not {element.tag for element in root.iter()} & {f"{SVG}style", f"{SVG}script", f"{SVG}image"}
        used = {element.get("href", "")[1:] for element in root.iter(f"{SVG}use")}
        used |= set(re.findall(r"url\(#([^)]*)\)", GAME.looks.svg(state)))
        assert used <= set(ids(state)), "what is used is there"
        assert all(spots(state).values())


@pytest.mark.parametrize(("seats", "edge"), TABLES)
def test_picks_are_spots_and_motion_names_what_is_there(seats: int, edge: int) -> None:
    walks = 0
    for before, legal, events in some_plies(seats, edge):
        there, items = spots(before), set(ids(before))
        assert all(set(GAME.looks.picks(before, action)) <= set(there) for action in legal)
        for step in [step for event in events for step in GAME.looks.motion(event)]:
            assert isinstance(step, Walk | Flash)
            assert set(step.spots) <= set(there)
            assert isinstance(step, Flash) or step.item in items
            walks += isinstance(step, Walk)
    assert walks or not seats


def orders_by_picks(state: State) -> dict[tuple[str, ...], set[int]]:
    """The ways, square * 4 + direction, that each pair of picks may mean."""
    ways: dict[tuple[str, ...], set[int]] = {}
    for action in GAME.legal_actions(state)[1:]:
        ways.setdefault(GAME.looks.picks(state, action), set()).add(rules.order_way(action))
    return ways


@pytest.mark.parametrize("edge", [2, 3, 14])
def test_two_picks_name_one_way_and_the_counts_share_them(edge: int) -> None:
    state = GAME.blank(1, edge=edge)
    state.pieces[: edge**2], state.seats_left = [3] * edge**2, 1
    ways = orders_by_picks(state)
    assert all(len(meant) == 1 for meant in ways.values())
    assert len(ways) == 4 * edge**2
    assert len(GAME.legal_actions(state)) == 1 + 3 * len(ways)


def test_picks_and_ways() -> None:
    state = position("A4 B3 a0\nA12 A0 a5\nB0 b1 b120")
    assert GAME.looks.picks(state, GAME.words.read(state, "A0e2")) == ("A0", "B0")
    assert GAME.looks.picks(state, GAME.words.read(state, "A0n2")) == ("A0", "A0n"), "over the edge, next to the square"
    assert spots(state)["A0n"] == "A2 over the edge"
    for text, way in zip("nsew", DIRECTION_NAMES, strict=True):
        assert GAME.looks.way(state, GAME.words.read(state, f"A1{text}1")) == way
    assert GAME.looks.picks(state, rules.END) == ()
    assert GAME.looks.way(state, rules.END) == ""
    assert GAME.looks.picks(GAME.blank(0), rules.GO) == ()


def test_spots_tell_what_is_there() -> None:
    state = position("A4 B1 a0\nA12 A0 a5\nB0 b1 b120")
    play(state, "A0s1 A0e2")
    told = spots(state)
    assert told["A0"] == "A0: Red, 4 pieces, 1 to the south, 2 to the east"
    assert told["B0"] == "B0: Blue, 1 piece"
    assert told["C0"] == "C0: Zombie 1, empty"
    assert told["C2"] == "C2: Zombie 2, 120 pieces"
    assert len(told) == 9 + 12


def box(path: str) -> tuple[float, float, float, float]:
    x, y, width, height = re.fullmatch(r"M(\S+) (\S+)h(\S+)v(\S+)h\S+z", path).groups()  # type: ignore[union-attr]
    return float(x), float(y), float(width), float(height)


def test_a_spot_over_the_edge_lies_next_to_its_square() -> None:
    state = position("A4 B3\na0 b1")
    boxes = {e.get("data-spot"): box(e.get("d", "")) for e in parsed(state).iter() if e.get("data-spot")}
    x, y, width, height = boxes["A0"]
    assert boxes["A0w"] == (0, y, x, height)
    assert boxes["A0n"] == (x, 0, width, y)
    assert boxes["B1e"] == (x + 2 * width, y + height, x, height)
    assert boxes["B1s"] == (x + width, y + 2 * height, width, y)


def texts_on_squares(state: State) -> dict[int, set[str]]:
    """What is written on each square, orders aside."""
    board = grid(state.edge)
    written: dict[int, set[str]] = {}
    for text in parsed(state).iter(f"{SVG}text"):
        if text.get("x") and text.get("y"):
            row = (float(text.get("y", "")) - board.left) / board.cell
            column = (float(text.get("x", "")) - board.left) / board.cell
            if 0 <= row < state.edge and 0 <= column < state.edge:
                written.setdefault(int(row) * state.edge + int(column), set()).add(text.text or "")
    return written


def owners_drawn(state: State) -> dict[int, str]:
    """What each square is filled with; what is drawn last lies on top."""
    colours = {}
    for path in parsed(state).iter(f"{SVG}path"):
        for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path.get("d", "")):
            if int(x) < state.edge and int(y) < state.edge:
                colours[int(y) * state.edge + int(x)] = path.get("fill", "")
    return colours


@pytest.mark.parametrize(("seats", "edge"), TABLES)
def test_what_is_drawn_is_the_position(seats: int, edge: int) -> None:
    for state in positions(seats, edge):
        written, drawn, weaker = texts_on_squares(state), owners_drawn(state), set(weaker_squares(state))
        arrows = {item for item in ids(state) if item.startswith("game17-order-")}
        for square in range(edge**2):
            name = grid(edge).names[square]
            staying = state.pieces[square] - state.leaving[square]
            digits = {text for text in written.get(square, set()) if text.isdigit()}
            can_be_taken = square in weaker and state.seats_left > 0 and not state.over
            assert digits == ({str(staying)} if staying or can_be_taken else set()), name
            assert drawn[square] == land(state.owner[square], seats)
            for direction in range(4):
                ordered = state.ordered[square * 4 + direction] > 0
                assert (f"game17-order-{name}{'nsew'[direction]}" in arrows) == ordered


def test_an_order_is_an_arrow_over_the_border_with_its_count() -> None:
    state = position("A4 B3 a0\nA12 A0 a5\nB0 b1 b120")
    play(state, "A1e7")
    (arrow,) = [e for e in parsed(state).iter() if e.get("id") == "game17-order-A1e"]
    x, y = re.findall(r"[\d.]+", arrow.get("transform", ""))
    board = grid(3)
    border = board.left + board.cell
    assert border - board.cell / 5 < float(x) < border, "so that the number of pieces beyond can be read"
    assert board.left + board.cell < float(y) < board.left + 2 * board.cell
    assert [text.text for text in arrow.iter(f"{SVG}text")] == ["7"]


def borders(state: State) -> set[str]:
    """The lines between owners."""
    paths = [path for path in parsed(state).iter(f"{SVG}path") if path.get("stroke-width") == ".075"]
    return set(re.findall(r"M[^M]*", paths[0].get("d", "")))


def test_borders_run_between_owners_and_not_within_a_territory() -> None:
    state = position("A4 A3 a0\nA1 A0 a5\nB0 B1 B2")
    assert {"M2 0v1", "M2 1v1", "M2 2h1"} <= borders(state)
    assert {"M0 2h1", "M1 2h1"} <= fronts(state)
    assert not {"M1 0v1", "M1 1v1", "M0 1h1", "M1 1h1", "M2 1h1", "M1 2v1", "M2 2v1"} & borders(state)
    assert {"M0 0v1", "M3 0v1"} <= borders(state), "A0 and C0 are neighbours over the edge"
    assert not {"M0 2v1", "M3 2v1"} & borders(state), "A2 and C2 are neighbours too, of one owner"


def test_beyond_an_edge_the_opposite_side_is_seen() -> None:
    state = position("A4 A3 a0\nA1 A0 a5\nB0 B1 B2")
    fills = {path.get("d", ""): path.get("fill") for path in parsed(state).iter(f"{SVG}path")}
    (seat,) = [d for d, fill in fills.items() if fill == land(1, 2)]
    rim = f"{grid(3).rim:.2f}".rstrip("0")
    assert f"M1 -{rim}h1v{rim}h-1z" in seat, "row 2 above row 0"
    assert f"M-{rim} 2h{rim}v1h-{rim}z" in seat, "C2 to the left of A2"


def test_seats_differ_in_shape_letter_and_pattern_too() -> None:
    state = position("A4 B4 C4\nD4 E4 F4\na1 a1 b1", seats=6)
    shapes = {use.get("href") for use in parsed(state).iter(f"{SVG}use")}
    assert {f"#game17-token-{shape}-1" for shape in range(6)} <= shapes
    letters = {text.text for text in parsed(state).iter(f"{SVG}text")}
    assert {"A", "B", "C", "D", "E", "F"} <= letters
    patterns = [pattern for pattern in parsed(state).iter(f"{SVG}pattern") if "land" in pattern.get("id", "")]
    drawn = {ElementTree.tostring(pattern[1]) for pattern in patterns}
    assert len(patterns) == len(drawn) == 6, "whoever sees no colours tells them apart, too"


def test_zombies_have_letters_where_nobody_plays() -> None:
    def letters(seats: int) -> set[str | None]:
        drawn = position("a1 a1 b1\nb1 a1 c1\nc1 c1 d1", seats=seats)
        return {text.text for text in parsed(drawn).iter(f"{SVG}text")}

    assert {"a", "b", "c"} <= letters(0)
    assert not {"a", "b", "c"} & letters(1)


def test_colour_and_shape_together_tell_72_seats_apart() -> None:
    assert len({(colour(seat, 72), shape(seat)) for seat in range(72)}) == 72
    assert len(set(PATTERNS)) == 6


@pytest.mark.parametrize("sight", ["protan", "deutan", "tritan", "grey"])
def test_two_seats_and_zombies_are_told_apart_in_whichever_colours_one_sees(sight: str) -> None:
    """By how light they are, or by the pattern; and what stands on zombies' land can be read."""
    zombie = SEEN[sight](parts(colour(2, 2)))
    for seat in (0, 1):
        assert apart(SEEN[sight](parts(colour(seat, 2))), zombie) > 60
    assert shape(0) != shape(1)
    assert contrast(PALE, colour(2, 2)) > 4.5


def seen(*rows: tuple[float, float, float]) -> Callable[[tuple[int, ...]], tuple[float, ...]]:
    """Colours as somebody sees them to whom these are red, green and blue: after Viénot and others (1999)."""
    return lambda colour: tuple(sum(share * part for share, part in zip(row, colour, strict=True)) for row in rows)


SEEN = {
    "protan": seen((0.11, 0.89, 0), (0.11, 0.89, 0), (0, 0, 1)),
    "deutan": seen((0.29, 0.71, 0), (0.29, 0.71, 0), (0, 0, 1)),
    "tritan": seen((1, 0, 0), (0, 0.7, 0.3), (0, 0.7, 0.3)),
    "grey": seen(*[(0.21, 0.72, 0.07)] * 3),
}


def test_the_more_pieces_the_larger_their_figure() -> None:
    assert [strength(pieces) for pieces in (1, 3, 4, 7, 8, 15, 16, 200)] == [0, 0, 1, 1, 2, 2, 3, 3]
    state = position("A1 A5 A9\nA30 a1 a5\na9 a30 a4", seats=1)
    figures = [use.get("href", "") for use in parsed(state).iter(f"{SVG}use") if use.get("x")]
    assert sorted(figure[-1] for figure in figures if "token" in figure) == ["0", "1", "2", "3"]
    sizes: dict[str, set[float]] = {}
    for text in parsed(state).iter(f"{SVG}text"):
        if text.text in {"1", "5", "9", "30"} and text.get("x") and text.get("text-anchor") is None:
            sizes.setdefault(text.text, set()).add(float(text.get("font-size") or 0))
    assert all(len(found) == 1 for found in sizes.values()), "whoever owns them"
    assert next(iter(sizes["1"])) < next(iter(sizes["9"]))
    assert next(iter(sizes["1"])) < next(iter(sizes["30"])), "though two digits need room"


def in_green(state: State) -> dict[int, str]:
    """The squares whose numbers are green, and the numbers."""
    groups = [g for g in parsed(state).iter(f"{SVG}g") if g.get("fill") == WEAKER]
    board = grid(state.edge)
    found = {}
    for text in [text for group in groups for text in group.iter(f"{SVG}text")]:
        row, column = ((float(text.get(at, "")) - board.left) // board.cell for at in "yx")
        found[int(row) * state.edge + int(column)] = text.text or ""
    return found


def test_whoever_is_weaker_than_the_seat_to_move_is_numbered_in_green() -> None:
    """Counted from all sides together and over the edges; as many are not weaker, and nobody is weakest of all."""
    state = position("A5 a6 b1 c0\nb7 A2 B6 c9\nc0 B1 c9 c9\nc9 c9 c9 c9")
    assert in_green(state) == {1: "6", 3: "0", 9: "1"}
    assert NOTATION.prompt(state) == "pick a square of yours, then where to"
    play(state, "B1s2")
    assert in_green(state) == {3: "0", 9: "1"}, "who goes to B2 cannot go to B0; and who has gone, counts"
    assert in_green(position("A4 B4\na4 b4")) == {}


def fronts(state: State) -> set[str]:
    (path,) = [path for path in parsed(state).iter(f"{SVG}path") if path.get("stroke-dasharray")]
    return set(re.findall(r"M[^M]*", path.get("d", "")))


def test_where_two_seats_meet_there_is_a_front() -> None:
    state = position("A4 B3 a0\nA12 a0 a5\na0 b1 b120")
    assert fronts(state) >= {"M1 0v1"}
    assert not fronts(state) & {"M2 0v1", "M0 1h1", "M1 1v1"}, "with zombies, or within a territory, is none"


def test_what_one_zombie_takes_from_another_is_not_drawn() -> None:
    """Whoever plays need not know: so the picture is calm, and less is sent."""
    one = GAME.looks.scene(position("A4 B3 a0\nA12 a0 a5\na0 b1 b120"))
    other = GAME.looks.scene(position("A4 B3 b0\nA12 b0 a5\na0 b1 b120"))
    assert strip_words(one) == strip_words(other)


def strip_words(scene: str) -> str:
    return re.sub(r'aria-label="[^"]*"', "", scene).partition('<g role="img"')[0]


def test_a_square_says_whose_it_is() -> None:
    """So that the page shows people theirs."""
    state = position("A4 B1 a0\nA12 A0 a5\nB0 b1 b120")
    owners = {e.get("data-spot"): e.get("data-owner") for e in parsed(state).iter() if e.get("data-spot")}
    assert [owners[name] for name in ("A0", "B0", "C0", "A2", "C2")] == ["0", "1", None, "1", None]


def test_the_key_says_what_the_looks_mean() -> None:
    (key,) = [element for element in parsed(position("A4 B3\na0 b1")).iter() if element.get("data-what") == "key"]
    assert key.get("aria-label") == "zombies; to move; weaker; an order"
    assert [text.text for text in key.iter(f"{SVG}text")] == ["zombies", "to move", "3", "weaker", "an order"]
    found = GAME.looks.explain(position("A4 B3\na0 b1"), "key")
    assert found is not None
    assert "The larger a figure, the more pieces" in found.text


def test_marks_are_the_letters_on_the_colours_of_the_squares() -> None:
    state = GAME.blank(196)
    GAME.open(state, Chance.at(7, 0))
    written, drawn = texts_on_squares(state), owners_drawn(state)
    marks = GAME.looks.marks(196)
    for square, seat in enumerate(state.owner[:196]):
        assert marks[seat].letter in written[square]
        assert marks[seat].colour == drawn[square]
    assert [marks[seat].letter for seat in (0, 25, 26, 195)] == ["A", "Z", "AA", "GN"]


def test_every_territory_has_its_letter_even_around_the_board() -> None:
    state = position("A4 A3 A1\nA1 A1 A5\nB0 B1 B2")
    letters = [text.text for text in parsed(state).iter(f"{SVG}text") if text.get("font-size") is None]
    assert {"A", "B"} <= set(letters)


def test_the_tally_tells_round_and_leaders() -> None:
    state = position("A4 B3 a0\nA12 A0 a5\nB0 b1 b120", rounds=9)
    (tally,) = [element for element in parsed(state).iter() if element.get("data-what") == "standings"]
    told = "Round 1 of 9; Red: 3 squares, 16 pieces; Blue: 2 squares, 3 pieces; "
    assert tally.get("aria-label") == told + "Zombie 2: 2 squares, 121 pieces; 1 other: 2 squares"
    assert {"top zombie", "1 other"} <= {text.text for text in tally.iter(f"{SVG}text")}
    assert "2 players, 2 zombies left" in {text.text for text in tally.iter(f"{SVG}text")}
    play(over := position("A4 B3\nA0 B0", rounds=1), "end end")
    assert "2 share the win, 2 squares" in {text.text for text in parsed(over).iter(f"{SVG}text")}


def test_what_moves() -> None:
    state = position("A4 B1 B9\nA12 A0 B5\nB0 B1 B20")
    journal = play(state, "A0e2 A0n1 end")
    steps = [GAME.looks.motion(event) for event in journal[2:]]
    assert steps[0] == [Walk("game17-order-A0n", ("A0n",)), Walk("game17-order-A0e", ("B0",))]
    assert steps[1:] == [[Flash(("B0",))], [Flash(("A2",))]]
    assert GAME.looks.motion(Raided(0, 1, 2, 0, ((3, 1), (0, 2), (3, 1)))) == [Flash(("C0", "B3"))]


def test_a_raid_tells_where() -> None:
    happened = [event for ply in some_plies(2, 5, 80) for event in ply.events]
    raids = [event for event in happened if isinstance(event, Raided)]
    assert raids
    for raid in raids:
        assert len(raid.where) >= raid.squares
        assert all(0 <= row < 5 and 0 <= column < 5 for row, column in raid.where)


def test_the_backdrop_stays_the_same() -> None:
    for before, after in pairwise(positions(3, 6)):
        assert GAME.looks.backdrop(before) == GAME.looks.backdrop(after)


def test_the_first_two_dozen_seats_and_zombies_differ_in_colour() -> None:
    """Far enough apart to be told from each other."""
    seats = [parts(colour(seat, 24)) for seat in range(24)]
    zombies = [parts(colour(owner, 24)) for owner in range(24, 36)]
    assert min(apart(one, other) for place, one in enumerate(seats) for other in seats[:place]) > 40
    assert min(apart(seat, zombie) for seat in seats for zombie in zombies) > 40


def parts(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return math.dist(one, other)


@pytest.mark.parametrize(
    ("seed", "edge", "told", "drawn"),
    [
        (0, 4, "a zombie wins with 6 squares", "A zombie wins, 6 squares"),
        (15, 4, "2 zombies win with 5 squares each", "2 zombies win, 5 squares"),
        (2, 2, "Red, Blue and 2 zombies win with 1 square each", "4 share the win, 1 square"),
    ],
)
def test_story_board_and_terminal_name_the_same_winners(seed: int, edge: int, told: str, drawn: str) -> None:
    """Zombies that win have no names anywhere."""
    match = Match(GAME, 2, seed, edge=edge, rounds=edge - 1)
    while not match.over:
        match.play(rules.END)
    assert match.story[-1] == verdict(match, match.name) == told
    assert f"over: {told}" in GAME.looks.board(match.state).plain
    assert drawn in GAME.looks.scene(match.state)
    assert "Zombie" not in re.sub(r'aria-label="[^"]*"', "", GAME.looks.scene(match.state))


def test_zombies_on_the_move_flash_where_they_took_squares() -> None:
    match = Match(GAME, 2, 1)
    moved = [event for event in match.play(rules.END) if isinstance(event, ZombiesMoved)]
    assert moved
    for event in moved:
        steps = GAME.looks.motion(event)
        assert all(isinstance(step, Flash) for step in steps)
        assert len(event.where) == event.squares
        assert {spot for step in steps if isinstance(step, Flash) for spot in step.spots} <= set(spots(match.state))
