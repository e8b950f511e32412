"""Checks of what people read and type."""

from __future__ import annotations

import json
import re

from parlour.engine.check.blame import Failed
from parlour.engine.check.matches import trials
from parlour.engine.check.parts import clause_numbers
from parlour.engine.errors import BadNotation
from parlour.engine.game import Game
from parlour.engine.language import LANGUAGES, dictionary, speaking
from parlour.engine.match import Match

WIDTH = 80


def check_notation(game: Game) -> None:
    """Every legal action has a text of its own, which leads back to the action, and words of its own."""
    told: dict[object, object] = {}
    for trial in trials(game, 8):
        with trial:
            for match in trial.positions(40):
                if not match.over:
                    _check_texts(match)
                    _check_words(match)
                    _check_told_again(match, told)
            if not match.over:
                _check_nonsense(match)


def _check_texts(match: Match) -> None:
    owners: dict[str, int] = {}
    for action in match.legal():
        text = match.text(action)
        same = owners.setdefault("".join(text.split()).lower(), action)
        if same != action or not text.strip():
            raise Failed(f"actions {same} and {action} share the text {text!r}" if text.strip() else "a text is empty")
    for action in match.legal()[:: max(1, len(owners) // 8)]:
        if match.read(match.text(action)) != action:
            raise Failed(f"{match.text(action)!r} does not lead back to action {action}")


def _check_words(match: Match) -> None:
    """A person who is asked "Triangle from H1 to G0?" has to know which action that is, in every language."""
    for language in LANGUAGES:
        with speaking(language):
            owners: dict[str, str] = {}
            for choice in match.seen_by(match.to_move if match.seats else None).choices:
                words = choice.label or choice.text
                same = owners.setdefault(words.casefold(), choice.text)
                if same != choice.text:
                    raise Failed(
                        f"{same!r} and {choice.text!r} cannot be told apart: both are {words!r} in {language!r}"
                    )


def _check_told_again(match: Match, told: dict[object, object]) -> None:
    """Where what an action depends on is the same again, so is all that is told of it: it may have been kept."""
    game, state = match.game, match.state
    notation = game.words.notation
    if notation.depends_on is None:
        return
    for action in match.legal():
        on = notation.depends_on(state, action)
        if on is None:
            continue
        words = notation.write(state, action), notation.describe(state, action), notation.listed(state, action)
        places = game.looks.picks(state, action), game.looks.way(state, action)
        if told.setdefault((action, on), (words, places)) != (words, places):
            raise Failed(f"action {action} is told as {words} {places}, and not always so where it depends on {on!r}")


def _check_nonsense(match: Match) -> None:
    try:
        match.read("\u2603 no such action")
    except BadNotation:
        return
    raise Failed("a text that names no action was taken for one")


def check_reasons(game: Game) -> None:
    """Whatever is tried gets a reason, or none, but never an error; reasons name clauses that there are."""
    for trial in trials(game, 2):
        with trial:
            for match in trial.positions(8):
                if not match.over and match.seats:
                    check_reasons_at(match)


def check_reasons_at(match: Match) -> None:
    clauses = clause_numbers(match.game)
    for tried in _tries(match):
        told = match.seen_by(match.to_move).why_not(tried)
        if not told.text.strip() or (told.clause and told.clause not in clauses):
            raise Failed(f"why_not says {told!r} of {' '.join(tried)!r}")


def _tries(match: Match) -> list[tuple[str, ...]]:
    """Nonsense; and spots of the picture, alone and two by two, whether or not they are choices."""
    spots = re.findall(r'data-spot="([^"]*)"', match.seen_by(None).scene)
    first, last = spots[:: max(1, len(spots) // 6)], spots[:: max(1, len(spots) // 5)]
    pairs = [(one, other) for one in first for other in last]
    return [(), ("\u2603",), ("",), ("9" * 30, "x"), *((spot,) for spot in spots), *pairs]


def check_story(game: Game) -> None:
    """Every event can be told in words and as plain data; the board fits 80 columns, and has an ASCII form."""
    for trial in trials(game, 6):
        with trial:
            for match in trial.positions(60):
                if match.state.ply % 5 == 0 or match.over:
                    _check_board(match)
            if match.plies and not match.journal:
                raise Failed(f"the journal tells nothing after {len(match.plies)} plies")
            for event in match.journal:
                if not event.tell(match.name).strip():
                    raise Failed(f"an event has no words: {event}")
                json.dumps(event.to_json())


def _check_board(match: Match) -> None:
    for ascii in (False, True):
        board = match.board(ascii=ascii).plain
        widest = max(map(len, board.splitlines()), default=0)
        if widest > WIDTH:
            raise Failed(f"the board is {widest} columns wide; {WIDTH} are the most")
        if ascii and not board.isascii():
            strange = next(char for char in board if not char.isascii())
            raise Failed(f"the ASCII board has a {strange!r}")


def check_languages(game: Game) -> None:
    """Texts in other languages have the fields of the English ones, and all that is told can be told in them."""
    for language in LANGUAGES:
        known = dictionary(game.package, language) if language != "en" else {}
        for english, other in known.items():
            if _fields(english) != _fields(other):
                raise Failed(f"{language}.po: {other!r} should have the same fields as {english!r}")
        if known:
            _tell_all(game, language)


def _fields(text: str) -> list[str]:
    return sorted(re.findall(r"\{[^}]*\}", text))


def _tell_all(game: Game, language: str) -> None:
    """Story, labels and picture in that language: none of it may raise."""
    for trial in trials(game, 4):
        with trial, speaking(language):
            seen = trial.match(40).seen_by(None)
            told = [seen.story, seen.picture, game.summary, [game.said(option.help) for option in game.options]]
            mover = trial.match(20)
            told += [choice.label for choice in mover.seen_by(mover.to_move if mover.seats else None).choices[:50]]
            if not all(isinstance(text, str | list) for text in told):
                raise Failed(f"something is told in {language} that is not text")
