"""Every game can be learnt: a lesson in every language, all things explained, every refusal with its reason."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from parlour.bots import roster
from parlour.engine import registry
from parlour.engine.game import Game
from parlour.engine.language import LANGUAGES, speaking
from parlour.engine.match import Match
from parlour.engine.seen import Seen

GAMES = registry.names()
OURS = [name for name in GAMES if registry.get(name).package.startswith("parlour.")]
NAMED = re.compile(r'data-(?:spot|what)="([^"]*)"')


def seen_positions(game: Game, count: int = 8) -> Iterator[Seen]:
    """Positions of a random match, some way from each other, as the seat to move sees them."""
    match, rng = Match(game, seed=3), random.Random(3)
    for _ in range(count):
        for _ in range(7):
            if not match.over:
                match.play(rng.choice(match.legal()))
        if not match.over:
            yield match.seen_by(match.to_move)


@pytest.mark.parametrize("name", GAMES)
def test_the_lesson_can_be_done_and_only_as_it_says(name: str) -> None:
    """Every legal action of every step: the right ones lead on, all others are answered and change nothing."""
    lesson = registry.get(name).words.lesson
    assert lesson is not None
    assert 6 <= len(lesson.steps) <= 12
    assert set(lesson.goal) == set(LANGUAGES)
    for number, step in enumerate(lesson.steps):
        match = lesson.start(number)
        assert match.to_move == lesson.you
        right = {match.text(action) for action in match.legal() if lesson.try_action(number, action).is_right}
        assert right == set(step.do)
        assert all(lesson.try_action(number, action).explanation.text for action in match.legal())
        assert all(set(words) == set(LANGUAGES) for words in step.texts)


@pytest.mark.parametrize("name", GAMES)
def test_everything_in_the_picture_is_explained(name: str) -> None:
    for seen in seen_positions(registry.get(name)):
        for thing in set(NAMED.findall(seen.picture)):
            told = seen.explain(thing)
            assert told is not None, thing
            assert told.text


@pytest.mark.parametrize("name", OURS)
def test_explanations_and_reasons_speak_every_language(name: str) -> None:
    for seen in seen_positions(registry.get(name), 4):
        things = sorted(set(NAMED.findall(seen.picture)))
        tries = [(), ("x",), *((one,) for one in things[:40])]
        english = [*map(seen.explain, things), *map(seen.why_not, tries)]
        with speaking("de"):
            german = [*map(seen.explain, things), *map(seen.why_not, tries)]
        for one, other in zip(english, german, strict=True):
            assert one is not None
            assert other is not None
            assert one.text != other.text
            assert one.clause == other.clause


@pytest.mark.parametrize("name", GAMES)
def test_bots_have_faces_the_easiest_first_and_every_name_is_taken(name: str) -> None:
    game = registry.get(name)
    faces = roster.faces(game)
    usual = ["Easy", "Relaxed", "Steady", "Strong", "Expert", "Brilliant"]
    assert len(faces) >= 5 or game.max_actions == 1
    assert [face.title for face in faces] == (["Company"] if game.max_actions == 1 else usual[: len(faces)])
    known = roster.names(game)
    assert all(face.name in known for face in faces)
    assert roster.usual(game) in [face.name for face in faces]
    assert roster.exact(game, faces[0].title.lower()) == faces[0].name
    assert all(roster.exact(game, bot) == bot for bot in known)
    with speaking("de"):
        told = [game.said(text) for face in faces for text in (face.title, face.character, face.thinks)]
    assert not set(told) & {text for face in faces for text in (face.title, face.character, face.thinks)}
