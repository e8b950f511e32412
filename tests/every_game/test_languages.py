"""Whatever is told in English is told in every other language, too."""

from __future__ import annotations

import importlib
import random
import re

import pytest

from parlour.engine import registry
from parlour.engine.game import Game
from parlour.engine.journal import Event
from parlour.engine.language import LANGUAGES, dictionary, speaking
from parlour.engine.match import Match
from parlour.engine.state import State

OTHERS = [language for language in LANGUAGES if language != "en"]
GAMES = [name for name in registry.names() if registry.get(name).package.startswith("parlour.")]
FIELD = re.compile(r"\{[^}]*\}")
DRAWN = re.compile(r'<text[^>]*>([^<]*)<|aria-label="([^"]*)"|<title>([^<]*)<')
WORD = re.compile(r"[^\W\d_]{3,}")
# The same in both.
SAME = {"Choccer", "Gold", "Hotel", "Mazerunner", "START", "Start", "Verfuchst", "Zombie", "game", "mazerunner"}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_every_event_has_words(name: str, language: str) -> None:
    game = registry.get(name)
    events = importlib.import_module(f"{game.package}.events")
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    words = {kind.words for kind in kinds if "words" in vars(kind)}
    assert words
    assert not words - dictionary(game.package, language).keys()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_a_translation_has_the_same_fields(name: str, language: str) -> None:
    for english, other in dictionary(registry.get(name).package, language).items():
        assert sorted(FIELD.findall(english)) == sorted(FIELD.findall(other)), english
        assert other.strip()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_matches_are_told_in_the_language(name: str, language: str) -> None:
    """Every line of a match, and every choice in it, differs from the English one."""
    game, rng = registry.get(name), random.Random(5)
    match = Match(
        game, seed=11, names=[f"#{seat}" for seat in range(game.resolve_seats(None, game.resolve_options({})))]
    )
    same = set()
    for _ in range(150):
        if match.over:
            break
        legal = match.legal()
        english = {game.words.describe(match.state, action) for action in legal}
        with speaking(language):
            same |= english & {game.words.describe(match.state, action) for action in legal}
        match.play(rng.choice(legal))
    english_story = match.story
    with speaking(language):
        same |= {told for told, other in zip(english_story, match.story, strict=True) if told == other}
    assert not same - {""}


def words_in_picture(game: Game, state: State) -> set[str]:
    """What can be read in a picture, and what is read out."""
    texts = [text for found in DRAWN.findall(game.looks.svg(state)) for text in found]
    return {word for text in texts for word in WORD.findall(text)}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_pictures_speak_the_language(name: str, language: str) -> None:
    game, rng = registry.get(name), random.Random(6)
    match, same = Match(game, seed=12), set()
    for _ in range(300):
        english = words_in_picture(game, match.state)
        with speaking(language):
            same |= english & words_in_picture(game, match.state)
        if match.over:
            break
        match.play(rng.choice(match.legal()))
    assert not same - SAME


@pytest.mark.parametrize("name", GAMES)
def test_what_the_lobby_shows_has_words(name: str) -> None:
    game = registry.get(name)
    for language in OTHERS:
        known = dictionary(game.package, language)
        assert game.summary in known
        assert all(option.help in known for option in game.options)
