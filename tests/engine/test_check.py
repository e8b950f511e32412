"""``parlour check`` finds mistakes: one is planted in a small game, and what is said of it is one line.

Each line names the rule and its clause, or the function, and the cause.
"""

from __future__ import annotations

import importlib
import itertools
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parlour.engine.check import CHECKS, CheckResult, find, run
from parlour.engine.errors import BadGame
from parlour.engine.game import Game

RACE = Path(__file__).with_name("race")
NUMBERS = itertools.count()
COMPILED = [
    "compiles",
    "interpreted = compiled",
    "scores and winners",
    "observation compiled",
    "secrets compiled",
    "termination",
]

Plant = Callable[..., Game]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plant]:
    """The race, with texts of its files replaced: ``plant(("old", "new"), …, file="de.po")``."""
    name = f"race_{next(NUMBERS)}"
    shutil.copytree(RACE, tmp_path / name)
    monkeypatch.syspath_prepend(tmp_path)

    def planted(*changes: tuple[str, str], file: str = "__init__.py") -> Game:
        target = tmp_path / name / file
        text = target.read_text("utf-8")
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        target.write_text(text, "utf-8")
        game = importlib.import_module(name).GAME
        assert isinstance(game, Game)
        return game

    yield planted
    sys.modules.pop(name, None)


def problem(game: Game, title: str) -> str:
    """What one check says."""
    try:
        CHECKS[title].run(game)
    except Exception as error:
        said = str(error)
        assert said
        assert "\n" not in said
        return said
    return ""


def test_a_sound_game_passes(plant: Plant) -> None:
    assert [result for result in run(plant()) if result.problem] == []


SEES_PLACE = [
    (
        "NOTATION = Notation",
        "@rule\ndef observe(state, seat, features):\n    pass  # sees nothing\n\n\nNOTATION = Notation",
    ),
    ("    won=won,\n", '    won=won,\n    observe=observe,\n    features=(Feature("place", (), "how far"),),\n'),
    ("import Event, Game", "import Event, Feature, Game"),
]

MISTAKES = {
    "a field too short for the most seats": (
        "fields",
        [('FIELDS = {"place": i8[MOST_SEATS]', 'FIELDS = {"place": i8[3]')],
        r"(apply \(clauses 2 and 3\)|run \(clause 3\)), race_\d+/__init__\.py line \d+: "
        r"IndexError: place\[3\] is not one of its 3 places, which count from 0 \(ply \d+, seed \d+, 4 seats\)",
    ),
    "a number too large for its field": (
        "fields",
        [("steps, state.goal)", "40 * steps, 99 * state.goal)")],
        r"run \(clause 3\), race_\d+/__init__\.py line \d+: "
        r"OverflowError: place cannot hold \d+: it is declared for -128 to 127 \(ply \d+, seed \d+, \d seats.*\)",
    ),
    "a negative index": (
        "fields",
        [("if state.place[seat] >= state.goal", "if state.place[seat - 1] >= state.goal")],
        r"apply \(clauses 2 and 3\), .* IndexError: place\[-1\] is not one of its 4 places, which count from 0 \(.*\)",
    ),
    "a number that is not whole": (
        "fields",
        [("steps, state.goal)", "steps / 2, state.goal)")],
        r"run \(clause 3\), .*: TypeError: place takes whole numbers, not [\d.]+ \(.*\)",
    ),
    "a field that does not exist": (
        "fields",
        [("state.winner = seat", "state.winer = seat")],
        r"apply \(clauses 2 and 3\), .*: AttributeError: the state has no field 'winer' \(.*\)",
    ),
    "more actions than there is room for": (
        "fields",
        [("max_actions=2", "max_actions=1")],
        r"legal \(clause 2\), .*: IndexError: actions\[1\] is not one of its 1 places, which count from 0 \(.*\)",
    ),
    "a number that a GPU has no room for": (
        "numbers on a GPU",
        [("    return state.place[seat]\n", "    return (state.place[seat] + 70_000) * 40_000 // 10**9\n")],
        r"score \(clause 4\), race_\d+/__init__\.py line \d+: OverflowError: a number of 32 bits becomes 28\d+ here, "
        r"so that a GPU would play another game: let a field of 64 bits take part in it \(.*\)",
    ),
    "what a GPU does to no array": (
        "numbers on a GPU",
        [("    return state.place[seat]\n", "    return max(state.place)\n")],
        r"score \(clause 4\), race_\d+/__init__\.py line \d+: TypeError: a GPU knows no max\(…\) of a whole array: "
        r"go through its items in a loop \(.*\)",
    ),
    "legal without a result": (
        "legal set",
        [("    return 2\n", "")],
        r"legal returned None instead of how many actions there are \(ply 0, seed 0, 2 seats\)",
    ),
    "legal actions that do not ascend": (
        "legal set",
        [("actions[0] = 0\n    actions[1] = 1", "actions[0] = 1\n    actions[1] = 0")],
        r"legal actions are not ascending: \[1, 0\] \(.*\)",
    ),
    "actions outside the action space": (
        "legal set",
        [("actions[1] = 1", "actions[1] = 2")],
        r"action 2 is legal; action_space says that all are from 0 to 1 \(ply 0, seed 0, 2 seats\)",
    ),
    "features outside their range": (
        "observation",
        [*SEES_PLACE, ("pass  # sees nothing", "features[0] = state.place[seat]")],
        r"'place' is [2-9]; it is declared for 0 to 1 \(seat \d\) \(ply \d+, seed \d+, 2 seats\)",
    ),
    "features outside the array": (
        "observation",
        [*SEES_PLACE, ("pass  # sees nothing", "features[1] = 0")],
        r"observe, .* IndexError: features\[1\] is not one of its 1 places, which count from 0 \(.*\)",
    ),
    "an observation that changes the state": (
        "observation",
        [*SEES_PLACE, ("pass  # sees nothing", "state.place[seat] = 7")],
        r"observe changed the state \(.*\)",
    ),
    "an observation that does not compile": (
        "observation compiled",
        [*SEES_PLACE, ("pass  # sees nothing", "features[0] = state.place.count(99)")],
        r"observe does not compile: .*",
    ),
    "legal that changes the state": (
        "legal set",
        [("    actions[0] = 0\n", "    actions[0] = 0\n    state.winner = 0\n")],
        r"legal changed the state \(.*\)",
    ),
    "no legal action": ("legal set", [("return 2", "return 0")], r"there is no legal action, .* \(.*\)"),
    "a turn that never passes on": (
        "turns",
        [("end_turn(state, (seat + 1) % state.seats)", "end_turn(state, seat)")],
        r"the turn never passes on: only one seat is ever to move in 6 matches of 2 seats; does apply call end_turn\?",
    ),
    "a seat that is never to move": (
        "turns",
        [
            ("end_turn(state, (seat + 1) % state.seats)", "end_turn(state, (seat + 1) % 2)"),
            ("state.to_move = roll(chance, state.seats) - 1", "state.to_move = 0"),
        ],
        r"seat 2 is never to move in 6 matches of 3 seats",
    ),
    "rules that remember outside the state": (
        "replay",
        [
            ("LAST = 40\n", "LAST = 40\nSEEN = []\n"),
            ("    if action == 1:\n", "    SEEN.append(1)\n    if action == 1 and len(SEEN) % 3:\n"),
        ],
        r"a replay does not reproduce its match: do the rules use anything but state and chance\? \(.*\)",
    ),
    "a clause that does not exist": (
        "rulebook",
        [("Clause 3: nobody goes", "Clause 7: nobody goes")],
        r"run cites clause 7; the rulebook has 4 clauses",
    ),
    "two actions of one text": (
        "notation",
        [('    return ("rest", "run")[action]', '    return ("run", "Run")[action]')],
        r"actions 0 and 1 share the text 'Run' \(ply 0, seed 0, 2 seats\)",
    ),
    "notation that raises": (
        "notation",
        [('    return ("rest", "run")[action]', '    return ("rest",)[action]')],
        r"write, race_\d+/__init__\.py line \d+: IndexError: tuple index out of range \(.*\)",
    ),
    "a text that depends on more than is said": (
        "notation",
        [
            ('    return ("rest", "run")[action]', '    return (f"rest {state.ply}", "run")[action]'),
            ("Notation(write=write", "Notation(write=write, depends_on=lambda state, action: state.to_move"),
        ],
        r"action 0 is told as \('rest \d+', .*, and not always so where it depends on \d \(.*\)",
    ),
    "a board that is too wide": (
        "story and board",
        [('Text("-" * place', 'Text("-" * (place + 90)')],
        r"the board is 91 columns wide; 80 are the most \(.*\)",
    ),
    "a board that is not of ASCII": (
        "story and board",
        [('"-" * place + "X"', '"-" * place + "●"')],
        r"the ASCII board has a '●' \(.*\)",
    ),
    "an event whose words name no field": (
        "story and board",
        [('words = "{seat} runs to {place}"', 'words = "{seat} runs to {where}"')],
        r"event Ran, race_\d+/__init__\.py line \d+: KeyError: 'where' \(.*\)",
    ),
    "a picture that raises": (
        "picture",
        [('    spots = [tag("rect"', '    spots = [tag("rect", x=1 // state.place[0]')],
        r"<listcomp>.*line \d+: ZeroDivisionError: .* \(ply 0, seed 0, 2 seats\)",
    ),
    "a picture that is not well-formed": (
        "picture",
        [('return "".join([*runners, *spots])', 'return "".join([*runners, *spots, "<g>"])')],
        r"the picture is not well-formed: mismatched tag.*, near '.*' \(.*\)",
    ),
    "a spot that is not there": (
        "picture",
        [('for name in ("rest", "run")]', 'for name in ("rest", "ran")]')],
        r"'run' is picked on 'run', which is not a spot of the scene \(.*\)",
    ),
    "a spot without words": ("picture", [(", aria_label=name", "")], r"the spot 'rest' has no aria-label .* \(.*\)"),
    "two spots of one name": (
        "picture",
        [('for name in ("rest", "run")]', 'for name in ("rest", "run", "run")]')],
        r"two elements have the data-spot 'run' \(.*\)",
    ),
    "two items of one id": (
        "picture",
        [('id=f"race-{seat}"', 'id="race-0"')],
        r"two elements have the id 'race-0' \(.*\)",
    ),
    "choices that cannot be told apart": (
        "notation",
        [('("stay where you are", "go on by the die")[action]', '"do something"')],
        r"'rest' and 'run' cannot be told apart: both are 'do something' in 'en' \(.*\)",
    ),
    "a backdrop that changes": (
        "picture",
        [('tag("rect", width=100, height=100', 'tag("rect", width=100 + state.ply, height=100')],
        r"the backdrop changes during a match: what changes belongs to the scene \(ply 1, .*\)",
    ),
    "a style, which no page shows": (
        "picture",
        [
            (
                'tag("rect", width=100, height=100, fill="white")',
                'tag("rect", width=100, height=100, style="fill: white")',
            )
        ],
        r"the picture has a style, which no page shows \(.*\)",
    ),
    "a motion of what is not there": (
        "picture",
        [('Walk(f"race-{event.seat}"', 'Walk(f"runner-{event.seat}"')],
        r"the motion of Ran names 'runner-\d', which is not in the scene \(.*\)",
    ),
    "a bot that chooses what is not legal": (
        "bots",
        [("        return 1\n\n\nNOTATION", "        return 7\n\n\nNOTATION")],
        r"bot runner chose 7, which is not legal \(.*\)",
    ),
    "an evaluation that is out of range": (
        "bots",
        [("return CERTAIN * state.place[seat] // state.goal", "return state.place[seat] - 1")],
        r"evaluate says -1 of seat 0; it says whole numbers from 0 to 1000 \(.*\)",
    ),
    "an option that its field cannot hold": (
        "parts",
        [("LAST = 40", "LAST = 400")],
        r"option goal takes 400, which its field cannot hold",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found(plant: Plant, mistake: str) -> None:
    title, changes, said = MISTAKES[mistake]
    assert re.fullmatch(said, problem(plant(*changes), title))


COMPILED_MISTAKES = {
    "won that is always true": (
        "scores and winners",
        [("return state.winner == seat", "return True")],
        r"won says that seat 2 has won, where there are 2 seats, counted from 0 \(.*\)",
    ),
    "won of whoever sits there": (
        "scores and winners",
        [("return state.winner == seat", "return seat < state.seats")],
        r"everybody has won in all \d+ matches of several seats: what does won say\?",
    ),
    "won that is always false": (
        "scores and winners",
        [("return state.winner == seat", "return state.winner == seat + 4")],
        r"nobody has won in all \d+ matches of several seats: what does won say\?",
    ),
    "won for seats that do not exist": (
        "scores and winners",
        [("return state.winner == seat", "return state.winner == seat - 1")],
        r"won says that seat 2 has won, where there are 2 seats, counted from 0 \(.*\)",
    ),
    "a match without an end": (
        "termination",
        [("        end_match(state)\n", "        end_turn(state, 0)\n")],
        r"apply \(clauses 2 and 3\), .* line \d+: the match has no end after 10000 .* \(ply 10000, seed 0, 2 seats\)",
    ),
    "a rule that calls a function": (
        "compiles",
        [("@rule\ndef run", "def run")],
        r"apply does not compile: apply \(clauses 2 and 3\), race_\d+/__init__\.py line \d+: "
        r"Untyped global name 'run': .*",
    ),
    "a journal that is tested otherwise": (
        "compiles",
        [("    if journal is not None:\n", "    if journal:\n")],
        r"apply does not compile: apply \(clauses 2 and 3\), .*: Untyped global name '(Ran|Rested)': .*",
    ),
    "a rule that is called with too little": (
        "compiles",
        [("run(state, seat, roll(chance))", "run(state, seat)")],
        r"apply does not compile: apply \(clauses 2 and 3\), .*: .*missing a required argument: 'steps'",
    ),
}


@pytest.mark.parametrize("mistake", COMPILED_MISTAKES)
def test_a_planted_mistake_is_found_in_compiled_play(plant: Plant, mistake: str) -> None:
    title, changes, said = COMPILED_MISTAKES[mistake]
    assert re.fullmatch(said, problem(plant(*changes), title))


# Mistakes that show late, rarely, or in a part that no short match calls. None of them was found by checks that look at
# the first plies of a few matches.
LATE_MISTAKES = {
    "a picture that raises late": (
        "whole matches",
        [
            (
                "    spots = [tag(",
                "    _ = 1 // (max(state.place) < state.goal or state.ply < 26)\n    spots = [tag(",
            )
        ],
        r"scene, race_\d+/__init__\.py line \d+: ZeroDivisionError: .* \(ply \d+, seed \d+, \d seats.*\)",
    ),
    "a board that raises at the end": (
        "whole matches",
        [('    return Text("\\n").join', '    _ = 1 // (not state.over)\n    return Text("\\n").join')],
        r"board, race_\d+/__init__\.py line \d+: ZeroDivisionError: .*",
    ),
    "a prompt that raises": (
        "whole matches",
        [("describe=describe)", "describe=describe, prompt=lambda state: 1 // 0)")],
        r"<lambda>, race_\d+/__init__\.py line \d+: ZeroDivisionError: .*",
    ),
    "a prompt that is no text": (
        "whole matches",
        [("describe=describe)", "describe=describe, prompt=lambda state: 7)")],
        r"<lambda>, race_\d+/__init__\.py line \d+: prompt says 7, which is no text .*",
    ),
    "a usual action that is not legal": (
        "whole matches",
        [("describe=describe)", "describe=describe, usual=lambda state: 2)")],
        r"<lambda>, race_\d+/__init__\.py line \d+: usual says 2, which is not legal .*",
    ),
    "a settlement that raises": (
        "whole matches",
        [("    won=won,\n", "    won=won,\n    settle=lambda state, winners, journal=None: winners[0],\n")],
        r"<lambda>, race_\d+/__init__\.py line \d+: IndexError: .*",
    ),
    "a keeping of scores that raises": (
        "whole matches",
        [("    won=won,\n", '    won=won,\n    keeps_score=lambda options: options["gaol"] > 5,\n')],
        r"<lambda>, race_\d+/__init__\.py line \d+: KeyError: 'gaol' .*",
    ),
    "a keeping of scores that says nothing": (
        "whole matches",
        [("    won=won,\n", "    won=won,\n    keeps_score=lambda options: None,\n")],
        r"<lambda>, race_\d+/__init__\.py line \d+: keeps_score says None.*",
    ),
    "a reason that raises late": (
        "whole matches",
        [
            (
                "describe=describe)",
                "describe=describe, why_not=lambda state, tried: None if state.ply < 25 else 1 // 0)",
            ),
        ],
        r"<lambda>, race_\d+/__init__\.py line \d+: ZeroDivisionError: .*",
    ),
    "a spot outside the picture": (
        "whole matches",
        [('tag("rect", width=9', 'tag("rect", x=200, width=9')],
        r"the spot '(rest|run)' lies at 204.5, 4.5, outside the picture of 100 by 100 .*",
    ),
    "one name for two seats": (
        "parts",
        [("    won=won,\n", '    won=won,\n    seat_names=("Red", "Blue", "Red"),\n')],
        r"two seats are called 'Red': people could not tell them apart",
    ),
    "a face without a title": (
        "parts",
        [
            ('own={"runner": Runner})', 'own={"runner": Runner}, faces=(Face("runner", "", "runs"),))'),
            ("import Bots, Decision", "import Bots, Decision, Face"),
        ],
        r"the face 'runner' needs a name, a title and words for what it is like",
    ),
    "a hint that raises": (
        "bots",
        [('own={"runner": Runner})', 'own={"runner": Runner}, hint=lambda decision: 1 // 0)')],
        r"<lambda>, race_\d+/__init__\.py line \d+: ZeroDivisionError: .*",
    ),
    "a hint that is not legal": (
        "bots",
        [('own={"runner": Runner})', 'own={"runner": Runner}, hint=lambda decision: [(7, 1, 0.5)])')],
        r"hint says \[\(7, 1, 0\.5\)\]; it says legal actions.*",
    ),
    "a bot that always plays the first action": (
        "bots",
        [("        return 1\n", "        return decision.legal[0]\n")],
        r"bot runner chose the first legal action in all 20 positions: .*\?",
    ),
    "a rare position without a legal action": (
        "termination",
        [("    return 2\n", "    return 0 if state.place[0] == 7 and state.ply > 20 else 2\n")],
        r"there is no legal action, and the match is not over \(ply \d+, seed \d+, \d seats.*\)",
    ),
    "a rare seat that there is not": (
        "termination",
        [
            (
                "end_turn(state, (seat + 1) % state.seats)",
                "end_turn(state, seat + 5 if state.ply > 20 and state.place[0] == 7 else (seat + 1) % state.seats)",
            )
        ],
        r"apply \(clauses 2 and 3\), .*: IndexError: place\[\d\] is not one of its 4 .* \(ply \d+, seed \d+, .*\)",
    ),
    "scores with the wrong sign": (
        "scores and winners",
        [("    return state.place[seat]\n", "    return -state.place[seat]\n")],
        r"score \(clause 4\), .*: winners have scored less than the others in \d+ of \d+ matches: .*",
    ),
}


@pytest.mark.parametrize("mistake", LATE_MISTAKES)
def test_a_mistake_that_shows_late_is_found(plant: Plant, mistake: str) -> None:
    title, changes, said = LATE_MISTAKES[mistake]
    assert re.fullmatch(said, problem(plant(*changes), title))


def test_each_thing_is_said_once(plant: Plant) -> None:
    """What is wrong in one place is told where it is found first."""
    game = plant(("    spots = [tag(", "    _ = 1 // 0\n    spots = [tag("))
    found = [result.problem for result in run(game) if result.problem]
    assert sum("ZeroDivisionError" in problem for problem in found) == 1, found


def test_a_translation_with_other_fields(plant: Plant) -> None:
    game = plant(("{seat} läuft auf {place}", "{seat} läuft auf {feld}"), file="de.po")
    said = "de.po: '{seat} läuft auf {feld}' should have the same fields as '{seat} runs to {place}'"
    assert problem(game, "languages") == said


def test_a_picture_that_raises_in_another_language(plant: Plant) -> None:
    game = plant(
        (
            'for name in ("rest", "run")]',
            'for name in ("rest", "run" if len(GAME.said("stay where you are")) > 14 else 1 / 0)]',
        )
    )
    assert problem(game, "picture") == ""
    assert re.fullmatch(r"scene, .*: ZeroDivisionError: division by zero \(.*\)", problem(game, "languages"))


def test_an_option_and_a_field_of_one_name(plant: Plant) -> None:
    with pytest.raises(BadGame, match=r"^game 'race': an option and a field are both called 'winner'$"):
        plant(('Option("goal", 10', 'Option("winner", 10'))


@pytest.mark.parametrize("name", ["game", "names", "seats", "seed", "self"])
def test_an_option_of_a_name_that_matches_use(plant: Plant, name: str) -> None:
    with pytest.raises(BadGame, match=f"^game 'race': an option cannot be called '{name}': that name is used already$"):
        plant(('Option("goal", 10', f'Option("{name}", 10'))


def test_the_other_checks_go_on(plant: Plant) -> None:
    """What cannot be tried without danger says why it was not."""
    game = plant(("@rule\ndef run", "def run"), ('    spots = [tag("rect"', '    spots = [tag("rect", x=1 // 0'))
    results = {result.title: result for result in run(game)}
    assert list(results) == list(CHECKS)
    assert {title for title, result in results.items() if result.problem} == {
        "picture",
        "reasons",
        "languages",
        "whole matches",
        *COMPILED,
    }
    reason = "not tried, because this check failed: compiles"
    assert results["termination"] == CheckResult("termination", reason, tried=False)


def test_compiled_code_is_not_run_where_an_index_is_wrong(plant: Plant) -> None:
    game = plant(('FIELDS = {"place": i8[MOST_SEATS]', 'FIELDS = {"place": i8[3]'))
    results = {result.title: result for result in run(game)}
    assert not results["termination"].tried
    assert results["compiles"].problem == ""


FOUND = {
    "a number too large for its field": (
        "fields",
        ("steps, state.goal)", "40 * steps, 99 * state.goal)"),
        ("state.place[seat] = min(", "run", (3,), "place", ""),
    ),
    "an event whose words name what it does not have": (
        "story and board",
        ('words = "{seat} runs to {place}"', 'words = "{seat} runs to {spot}"'),
        ("@event\nclass Ran", "Ran", (), "", "Ran"),
    ),
    "two actions with one text": (
        "notation",
        ('return ("rest", "run")[action]\n\n\ndef describe', 'return "run"\n\n\ndef describe'),
        ('"""A small game', "", (), "", ""),
    ),
    "a rule that does not compile": (
        "compiles",
        ("    return 2\n", "    return len({state.seats: [actions]}) + 1\n"),
        ("return len({", "legal", (2,), "", ""),
    ),
    "somebody wins always": (
        "scores and winners",
        ("return state.winner == seat", "return True"),
        ("@rule\ndef won", "won", (4,), "", ""),
    ),
}


@pytest.mark.parametrize("mistake", FOUND)
def test_a_program_is_told_where_to_mend(plant: Plant, mistake: str) -> None:
    """``check --json``: the file and the line, the rule with its clauses, the field and the event, as far as known."""
    title, change, expected = FOUND[mistake]
    game = plant(change)
    found = find(CHECKS[title], game)
    begins, function, clauses, field, event = expected
    assert found is not None
    text = Path(found.file).read_text("utf-8")
    assert found.line == text[: text.index(begins)].count("\n") + 1
    assert (found.function, found.clauses, found.field, found.event) == (function, clauses, field, event)
    assert found.words
