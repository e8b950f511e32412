"""Languages: English stands in the source; every other one in a file of the game's folder, such as ``de.toml``.

    "{seat} begins" = "{seat} beginnt"

A text that the file lacks is said in English. The language is that of the reader and not of the match, so it is set
around what is told (``with speaking("de"):``) and is no argument of everything that speaks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from importlib import import_module, resources
from typing import ParamSpec, TypeVar

LANGUAGES = ("en", "de")
_CURRENT: ContextVar[str] = ContextVar("language", default="en")
_KEPT = 10_000  # outcomes of a function that speaks
Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Everything told inside is told in this language."""
    token = _CURRENT.set(language)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def said(text: str, package: str) -> str:
    """The text in the language of the reader, by the files of the game whose package is named."""
    language = _CURRENT.get()
    return text if language == "en" else dictionary(package, language).get(text, text)


def cache_spoken(function: Callable[Given, Outcome]) -> Callable[Given, Outcome]:
    """Like ``functools.cache``, for a function whose outcome has words in it: it is kept for each language."""

    kept: Callable[..., Outcome] = lru_cache(maxsize=_KEPT)(lambda language, *given, **named: function(*given, **named))

    @wraps(function)
    def spoken(*arguments: Given.args, **named: Given.kwargs) -> Outcome:
        return kept(_CURRENT.get(), *arguments, **named)

    return spoken


@cache
def dictionary(package: str, language: str) -> dict[str, str]:
    """The texts of a game in a language, by what they are in English."""
    file = resources.files(import_module(package)) / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
