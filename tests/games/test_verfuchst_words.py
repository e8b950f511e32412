"""Verfuchst in notation, in words and on the screen."""

from __future__ import annotations

import re

import pytest

from parlour.engine import Event, Match, State
from parlour.engine.check import play_random
from parlour.games.verfuchst import GAME, events
from parlour.games.verfuchst.state.names import named
from parlour.games.verfuchst.state.tiles import GOAL, START
from verfuchst_positions import options, play, position, shown

CROWDED = "start=RRBBGGYY 12=RBGYgggg"


def plain(state: State, *, ascii: bool = False) -> str:
    return str(GAME.looks.board(state, ascii=ascii).plain)


def described(state: State) -> dict[str, str]:
    return {GAME.words.write(state, action): GAME.words.describe(state, action) for action in GAME.legal_actions(state)}


def test_a_picture_comes_out_as_it_went_in() -> None:
    picture = "start=RRB 5=RBgg 12=g 30=B"
    assert shown(position(picture)) == picture


def test_notation_names_the_tile_to_move_from() -> None:
    assert options(position("start=RB 5=Rg 30=R 31=Bg")) == ["start", "5", "30", "g5", "g31"]


def test_a_description_says_where_it_goes_and_what_is_taken() -> None:
    assert described(position("start=RB 8=R 14=Rg 16=Bg", die=2)) == {
        "start": "a piece from the start to tile 2 (−2)",
        "8": "a piece from tile 8 (−8) to tile 10 (lucky), taking tile 8 (−8)",
        "14": "a piece from tile 14 (lucky) to tile 16 (+7)",
        "g14": "a guardian from tile 14 (lucky) to tile 16 (+7)",
        "g16": "a guardian from tile 16 (+7) to tile 18 (+5)",
    }


def test_a_description_knows_gaps_and_the_goal() -> None:
    state = position("start=B 20=RR 32=R", die=4, taken={"B": [21, 23, 24]})
    assert described(state) == {
        "20": "a piece from tile 20 (+3) to tile 27 (−5)",
        "32": "a piece from tile 32 (−10) to the goal, taking tile 32 (−10)",
    }


@pytest.mark.parametrize("seed", range(4))
def test_every_description_comes_true(seed: int) -> None:
    match = Match(GAME, 3, seed)
    while not match.over:
        action = match.legal()[len(match.plies) % len(match.legal())]
        words = GAME.words.describe(match.state, action)
        moved, *rest = match.play(action)
        assert isinstance(moved, events.Moved | events.MovedGuardian)
        takes = [event for event in rest if isinstance(event, events.Took)]
        end = f", taking {named(takes[0].tile)}" if takes else ""
        assert words.endswith(f"from {named(moved.start)} to {named(moved.to)}{end}")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (events.Begins(0), "Red begins"),
        (events.Rolled(1, 5), "Blue rolls 5"),
        (events.Moved(0, START, 4), "Red moves a piece from the start to tile 4 (−4)"),
        (events.MovedGuardian(2, 16, GOAL), "Green moves a guardian from tile 16 (+7) to the goal"),
        (events.GuardianLeft(), "the guardian is out of play"),
        (events.Took(3, 9), "Yellow takes tile 9 (lucky)"),
        (events.CameHome(0, 2), "Red has 2 of 3 pieces home"),
        (events.Finished(0), "Red has all pieces home and is skipped from now on"),
        (events.Turned(1, -10), "a lucky tile turns Blue's −10 into +10"),
        (events.Scored(1, -3), "Blue scores −3"),
        (events.Scored(1, 0), "Blue scores 0"),
        (events.Won(1), "Blue wins"),
        (events.SharedWin(1), "Blue shares the win"),
    ],
)
def test_events_in_words(event: Event, words: str) -> None:
    assert event.tell(GAME.seat_name) == words


def test_every_kind_of_event_happens() -> None:
    kinds = {kind for kind in vars(events).values() if isinstance(kind, type) and kind.__module__ == events.__name__}
    told = set()
    for seed in range(60):
        match = Match(GAME, 2, seed)
        play_random(match, 600)
        told |= {type(event) for event in match.journal}
        if told == kinds:
            break
    assert told == kinds


BOARD = """\
 Blue  has rolled 2 ⚁

   ╭─ START R B
   │      ╭2─── −2╮ ╭3─── −3╮ ╭4─── −4╮ ╭5─── −5╮ ╭6─── −6╮ ╭7─── −7╮
   ╰─────▸│       │▸│R      │▸│       │▸│       │▸│       │▸│       │▸───╮
          │       │ │       │ │       │ │       │ │       │ │       │    │
          ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯    │
╭16── +7╮ ╭15── +8╮           ╭13 luck╮ ╭12 luck╮ ╭11 luck╮ ╭10 luck╮ ╭9─┴luck╮
│       │◂│       │◂─────────◂│       │◂│R B2   │◂│       │◂│       │◂│       │
│♜      │ │       │           │       │ │♜2 g12 │ │       │ │       │ │       │
╰──┬────╯ ╰───────╯           ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯
╭17┴─ +6╮ ╭18── +5╮ ╭19── +4╮ ╭20── +3╮ ╭21── +2╮ ╭22── +1╮ ╭23── −1╮ ╭24── −2╮
│       │▸│       │▸│       │▸│       │▸│       │▸│       │▸│       │▸│       │
│       │ │       │ │       │ │       │ │       │ │       │ │       │ │       │
╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰──┬────╯
          ╭31── −9╮ ╭30── −8╮ ╭29── −7╮ ╭28── −6╮ ╭27── −5╮ ╭26── −4╮ ╭25┴─ −3╮
   ╭─────◂│       │◂│       │◂│       │◂│       │◂│       │◂│       │◂│       │
   │      │       │ │       │ │       │ │       │ │       │ │       │ │       │
   │      ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯ ╰───────╯
   ╰─ GOAL

   R  Red      +1  home ○○○  ♣ ±1
▶  B  Blue    −18  home ○○○  −8 −10
"""


def test_the_board() -> None:
    state = position("start=RB 3=R 12=RBBgg 16=g", die=2, to_move="B", taken={"R": [1, 14], "B": [8, 32]})
    lines = [line.rstrip() for line in plain(state).splitlines()]
    assert lines[:-1] == BOARD.splitlines()


@pytest.mark.parametrize("ascii", [False, True])
def test_every_tile_on_the_path_is_drawn_and_no_other(ascii: bool) -> None:
    match = Match(GAME, 4, 5)
    while not match.over:
        path = plain(match.state, ascii=ascii).partition("GOAL")[0]
        for tile in range(1, GOAL):
            corner = r"\+" if ascii else "╭"
            drawn = re.search(f"{corner}{tile}{'[-─]' if tile < 10 else '[-─ ┴+]'}", path) is not None
            assert drawn == (match.state.taken_by[tile] == 0), f"tile {tile} at ply {match.state.ply}"
        play_random(match, 7)


def test_the_most_crowded_tile_fits() -> None:
    state = position("12=RRRBBBGGGYYYgggggggg", seats=4)
    board = plain(state)
    assert "│R3B3G3 │" in board
    assert "│Y3♜8   │" in board
    assert max(map(len, board.splitlines())) <= 80
    assert "│R B G Y│" in plain(position(CROWDED, seats=4))


def test_a_seat_with_every_tile_fits() -> None:
    state = position("start=R 1=B", taken={"R": list(range(2, 33))}, seats=2)
    board = plain(state)
    assert max(map(len, board.splitlines())) <= 80
    assert "♣♣♣♣♣♣ ±10 ±9 ±8 ±8 ±7 ±7 +8 +7" in board


def test_ascii_is_ascii_and_says_the_same() -> None:
    state = position(CROWDED, seats=4, taken={"G": [9, 10, 5, 15]})
    board = plain(state, ascii=True)
    assert board.isascii()
    assert "|g4 g12 |" in board
    assert "home ...  %% ~5 +8" in board
    assert [len(line) for line in board.splitlines()] == [len(line) for line in plain(state).splitlines()]


def test_the_end_says_who_has_won() -> None:
    state = position("32=R", taken={"B": [16], "G": [16 + 1, 22]}, seats=3)
    play(state, "32", rolls=[])
    assert plain(state).startswith(" Blue  and  Green  win with +7")
    assert "▶" not in plain(state)


def test_the_legal_tiles_are_lit_in_the_colour_of_the_seat() -> None:
    state = position("start=B 5=RB 12=R 14=B", to_move="B")
    board = GAME.looks.board(state)
    lit = {board.plain[span.start : span.end] for span in board.spans if str(span.style) == "bold white on blue"}
    assert {"START", "5", "14"} <= lit
    assert "12" not in lit


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        ("start=RRB 5=R 12=g 30=B", "you rolled 4: pick a piece"),
        ("start=RRB 5=Rg 30=B", "you rolled 4: pick a piece, or a guardian beside one"),
    ],
)
def test_whoever_is_to_move_reads_what_was_rolled(picture: str, words: str) -> None:
    state = position(picture)
    state.die = 4
    assert GAME.words.notation.prompt(state) == words
