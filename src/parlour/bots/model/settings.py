"""What stands behind ``model:``, and what it may use.

model:./my_model --flag             a program: it reads the prompt on standard input, and writes its answer
model:http://127.0.0.1:8080/v1      an address that speaks as OpenAI's does (chat completions)
model:https://HOST/v1#NAME          the model of that name there; the key is in PARLOUR_MODEL_KEY
model:my_model.toml                 a file that says which of these, and sets budgets, prices and more
"""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from parlour.bots.faults import BadBot
from parlour.engine.files import read_file

KEY = "PARLOUR_MODEL_KEY"
LARGEST_FILE = 1 << 16
HERE = ("localhost", "127.0.0.1", "::1")  # where a key may go without being encrypted

Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]
Price = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


class ModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Times are in seconds; prices are for a million tokens. ``extra`` is sent with every question."""

    command: str = ""
    address: str = ""
    model: str = ""
    key: str = KEY  # the environment variable that has the key
    seconds: Positive = 60.0  # for a choice, all tries together
    match_seconds: Positive = 3600.0  # for all choices of a match
    tokens: Annotated[int, msgspec.Meta(ge=1, le=10**12)] = 1_000_000  # in a match, both ways together
    tries: Annotated[int, msgspec.Meta(ge=1, le=20)] = 3
    price_in: Price = 0.0
    price_out: Price = 0.0
    extra: dict[str, Any] = {}

    @property
    def words(self) -> list[str]:
        """The command as a list; the program by its full path."""
        program, *others = shlex.split(self.command)
        found = shutil.which(str(Path(program).expanduser()))
        return [str(Path(found).absolute()) if found else program, *others]

    @property
    def secret(self) -> str:
        """The key, if there is one; it is in no file and in no log."""
        return os.environ.get(self.key, "")


@dataclass(frozen=True)
class Found:
    """The settings behind a name, and the files that they depend on."""

    settings: ModelSettings
    files: tuple[Path, ...] = field(default=())

    @property
    def short_name(self) -> str:
        """What people call it: by the model, else by its address or its program."""
        settings = self.settings
        if settings.address:
            return settings.model or urlsplit(settings.address).netloc
        return settings.model or Path(settings.words[0]).stem


def is_file(text: str) -> bool:
    """Whether a file of settings is meant."""
    return text.endswith(".toml")


def read_settings(text: str) -> Found:
    """What the text after ``model:`` stands for. BadBot says in one line why it cannot be used."""
    if is_file(text):
        path = Path(text).expanduser()
        return _checked(text, _of_file(path), [path])
    if text.startswith(("http://", "https://")):
        address, _, name = text.partition("#")
        return _checked(text, ModelSettings(address=address, model=name), [])
    return _checked(text, ModelSettings(command=text), [])


def _of_file(path: Path) -> ModelSettings:
    try:
        raw = read_file(path, LARGEST_FILE)
        if len(raw) > LARGEST_FILE:
            raise BadBot(f"{path} is larger than {LARGEST_FILE >> 10} KiB, which is too much for settings")
        return msgspec.convert(tomllib.loads(raw.decode("utf-8-sig")), ModelSettings)
    except OSError as error:
        raise BadBot(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # no UTF-8, no TOML, no settings
        raise BadBot(f"{path} has no settings of a model: {error}") from None


def _checked(text: str, found: ModelSettings, files: list[Path]) -> Found:
    if bool(found.command.strip()) == bool(found.address):
        raise BadBot(f"model:{text} needs a command or an address, and not both")
    if found.address:
        _check_address(found)
        return Found(found, tuple(files))
    return Found(found, (*files, *_files_of(text, found)))


def _files_of(text: str, found: ModelSettings) -> Iterator[Path]:
    """The program, and files that the command names."""
    try:
        words = found.words
    except ValueError as error:
        raise BadBot(f"model:{text} is not a command: {error}") from None
    if "\0" in found.command or not os.access(words[0], os.X_OK) or Path(words[0]).is_dir():
        raise BadBot(f"model:{text}: there is no program {words[0]!r}")
    yield Path(words[0])
    yield from (Path(word).resolve() for word in words[1:] if Path(word).is_file())


def _check_address(found: ModelSettings) -> None:
    try:
        parts = urlsplit(found.address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        good = good and "@" not in parts.netloc and not parts.query and not parts.fragment
    except ValueError:
        good = False
    if not good or not found.address.isprintable() or " " in found.address:
        raise BadBot(f"an address of models is such as https://HOST/v1, not {found.address!r:.80}")
    if not found.secret.isascii() or not found.secret.isprintable() or " " in found.secret:
        raise BadBot(f"{found.key} has a key that cannot be sent: it has spaces, line ends or odd characters")
    if found.secret and parts.scheme == "http" and parts.hostname not in HERE:
        raise BadBot(f"the key in {found.key} is sent by https, or to this machine: {found.address!r:.80} is neither")
