"""Languages: English stands in the source; every other one in a gettext file of the game's folder, such as ``de.po``.

    msgid "{seat} begins"
    msgstr "{seat} beginnt"

A text that the file lacks, or that is marked as fuzzy there, is said in English. The language is that of the reader
and not of the match, so it is set around what is told (``with speaking("de"):``) and is no argument of everything that
speaks.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from importlib import import_module, resources
from typing import ParamSpec, TypeVar

from parlour.engine.errors import BadGame, first_line

LANGUAGES = ("en", "de")
_CURRENT: ContextVar[str] = ContextVar("language", default="en")
_KEPT = 10_000  # outcomes of a function that speaks
_FORGETFUL: list[Callable[[], None]] = []  # what forgets them
Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")


class _Speaking:
    """Not made with ``contextlib``, which takes four times as long: it is entered for every move."""

    __slots__ = ("_language", "_token")

    def __init__(self, language: str) -> None:
        self._language = language

    def __enter__(self) -> None:
        self._token = _CURRENT.set(self._language)

    def __exit__(self, *error: object) -> None:
        _CURRENT.reset(self._token)


def speaking(language: str) -> _Speaking:
    """Everything told inside is told in this language."""
    return _Speaking(language)


def current() -> str:
    """The language of the reader."""
    return _CURRENT.get()


def said(text: str, package: str) -> str:
    """The text in the language of the reader, by the files of the game whose package is named."""
    language = _CURRENT.get()
    return text if language == "en" else dictionary(package, language).get(text, text)


def forget() -> None:
    """Forget all that was kept of what games say."""
    dictionary.cache_clear()
    for clear in _FORGETFUL:
        clear()


def cache_spoken(function: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
    """Like ``functools.cache``, for a function whose outcome has words in it: it is kept for each language."""

    made = lru_cache(maxsize=_KEPT)(lambda language, *given, **named: function(*given, **named))
    language = _CURRENT.get
    kept: Callable[..., Outcome] = made
    _FORGETFUL.append(made.cache_clear)

    @wraps(function)
    def spoken(*arguments: Given.args, **named: Given.kwargs) -> Outcome:
        return kept(language(), *arguments, **named) if named else kept(language(), *arguments)

    return spoken


@cache
def dictionary(package: str, language: str) -> dict[str, str]:
    """The texts of a game in a language, by what they are in English."""
    folder = resources.files(import_module(package))
    packed = folder / f"{language}.po.json"
    if packed.is_file():  # for a browser, where there is no Babel: see ``parlour.site.pack``
        return dict[str, str](json.loads(packed.read_text("utf-8")))
    file = folder / f"{language}.po"
    if not file.is_file():
        return {}
    from babel.messages.pofile import PoFileError, read_po  # it takes a while, and English needs none of it

    try:
        with file.open("rb") as lines:
            texts = read_po(lines, abort_invalid=True)
    except (PoFileError, UnicodeDecodeError) as error:
        raise BadGame(f"{package}: {language}.po cannot be read: {first_line(error)}") from error
    return {str(text.id): str(text.string) for text in texts if text.id and text.string and not text.fuzzy}
