"""The server's settings: from flags, from the environment (``PARLOUR_PORT``), from a TOML file; in this order.

A secret can also stand in a file of its own, which a setting names (``PARLOUR_ADMIN_TOKEN_FILE``).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import platformdirs

from parlour.engine import folders
from parlour.server.basics.errors import BadConfiguration
from parlour.server.basics.system import sqlite_address

PREFIX = "PARLOUR_"
EVERYBODY = {"*": ["0.0.0.0/0", "::/0"]}
SWITCH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}
SHORTEST_TOKEN = 20
SHORTEST_KEY = 16
RATES = ("commands_per_second", "requests_per_second", "drawing_per_second", "playing_per_second")
FROM_PARENT = "PARLOUR_SERVE_CONFIG"  # how worker processes are told all settings, as JSON
FOLDER = "PARLOUR_SERVE_FOLDER"  # and where they count together
TIME_OFFSET = "PARLOUR_SERVE_TIME_OFFSET"  # and what time it is, so that a worker started later agrees with the others
WATCHED = "PARLOUR_SERVE_WATCHED"  # and which game `parlour dev` has it follow
NO_SETTINGS = {FROM_PARENT, WATCHED, FOLDER, TIME_OFFSET, folders.ADDED, "PARLOUR_CACHE"}
SECRETS = ("database", "database_password", "redis", "admin_token", "hash_key")  # each may be in a file of its own
LONGEST_SECRET = 4096  # bytes
LEVELS = ("debug", "info", "warning", "error")
REDIS_EXAMPLE = "redis://localhost:6379"
# What a browser calls a site: in small letters, with nothing behind the name but a port.
ORIGIN = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?")
KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list of texts"}
# With none of these, nobody would be answered.
SOCKETS = ("sockets", "sockets_per_address", "sockets_per_network")
NEEDED = ("connections", "connections_per_address", *SOCKETS, "tables_in_memory")


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set. The defaults suit one machine in a living room or a club."""

    host: str = "127.0.0.1"
    port: int = 8017
    base_path: str = "/"  # where the pages are on their host: /games/
    database: str = ""  # nothing: a file in the user's data folder
    database_password: str = ""  # of PostgreSQL, where the address of the database has none
    redis: str = ""
    workers: int = 1
    bot_processes: int = 1
    warm: bool = True  # compile what bots need in the background, from the start of the server
    hosts: list[str] = []  # names by which pages reach this server, besides those that only its own network has
    origins: list[str] = []  # whose pages may talk to this server, besides its own
    trust_proxy: str = ""  # the addresses of proxies whose word on the client's address counts
    keep: float = 0.0  # days after which matches are deleted that have ended or that all people have left; 0: never
    grace: float = 90.0  # seconds that a seat may stay away before a bot takes over
    patience: float = 900.0  # seconds that somebody who is there may think at a table without a clock
    solo_grace: float = 86400.0  # the same where nobody else waits
    bot_pause: float = 1.0  # seconds that bots leave to who looks on: to see the last action, or take it back
    idle: float = 60.0  # seconds after which a table that nobody looks at leaves the memory
    tables_per_address: int = 50  # that may be waiting or played at once
    tables_per_hour: int = 200  # that one address may open
    tables_in_memory: int = 5000
    largest: list[str] = []  # seats and options above which no table is opened: game17.edge=14
    bots_per_address: int = 400  # that may sit at tables of one address at once
    connections: int = 2000  # that are open at one process and are not sockets
    connections_per_address: int = 200
    sockets: int = 10_000
    sockets_per_address: int = 400
    sockets_per_network: int = 1000  # a /24 of IPv4, a /48 of IPv6
    commands_per_second: float = 10.0  # by one seat
    requests_per_second: float = 50.0  # from one address
    drawing_per_second: float = 0.3  # seconds of processor time for the pictures, replays and logs of one address
    playing_per_second: float = 0.3  # seconds of processor time for what one address, or one seat, plays
    push: bool = True  # whether browsers may ask to be told when it is their turn
    push_contact: str = ""  # whom push services may write to: mailto:… or https://…
    push_endpoints: list[str] = []  # push services of one's own, which need not be public: http://127.0.0.1:9000
    admin_token: str = ""  # what opens the admin API; nothing: there is none
    admin_by_proxy: bool = False  # whether that, and what Prometheus is told, can be asked for through a proxy
    drain: bool = False  # open no table, begin no match, and end once none is played
    log: str = ""  # text or json; nothing: text in a terminal, JSON elsewhere
    log_level: str = "info"
    hash_addresses: bool = False  # whether logs have a keyed hash in place of an address
    hash_key: str = ""  # nothing: one that is made when the server starts

    @property
    def database_url(self) -> str:
        if self.database_password and self.database.startswith("postgresql"):
            return _with_password(self.database, self.database_password)
        if self.database:
            return self.database
        folder = Path(platformdirs.user_data_dir("parlour", appauthor=False))
        return sqlite_address(folder / "parlour.sqlite")

    @property
    def proxies(self) -> list[IPv4Network | IPv6Network]:
        """The networks of ``trust_proxy``."""
        named = [part.strip() for part in self.trust_proxy.split(",") if part.strip()]
        return [ip_network(network) for part in named for network in EVERYBODY.get(part, [part])]

    @property
    def names(self) -> set[str]:
        """By which names pages may reach this server: ``hosts``, and the one that it listens at."""
        return {name.lower() for name in (*self.hosts, self.host)}

    @property
    def messages_per_second(self) -> float:
        """What may come on one socket: commands, signs of life, what is in vain."""
        return max(50.0, 5 * self.commands_per_second)

    @property
    def is_shared(self) -> bool:
        """Whether other processes serve the same tables."""
        return self.workers > 1 or bool(self.redis) or self.database.startswith("postgresql")


class Source(NamedTuple):
    """Where settings were found, and which."""

    title: str
    values: dict[str, Any]


def load(flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Config:
    """The settings: those of the file, overruled by the environment, overruled by the flags that were given."""
    return load_all(flags, file, environment)[0]


def load_all(
    flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] = os.environ
) -> tuple[Config, list[str]]:
    """The settings; and which were found more than once with different values, each in a sentence."""
    sources = [
        Source(str(file), _from_file(file) if file else {}),
        Source("the environment", _from_environment(environment)),
        Source("the command line", {name: value for name, value in flags.items() if value is not None}),
    ]
    values: dict[str, Any] = {}
    for source in sources:
        values |= source.values
    return _checked(values), list(_overruled(sources))


def _overruled(sources: list[Source]) -> Iterator[str]:
    """Never with the values: some are secrets."""
    for name in Config.__struct_fields__:
        having = [source for source in sources if name in source.values]
        others = [one.title for one in having[:-1] if one.values[name] != having[-1].values[name]]
        if others:
            yield f"{name} is set more than once: {having[-1].title} counts, not {' or '.join(others)}"


def _checked(values: dict[str, Any]) -> Config:
    try:
        config = msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        raise BadConfiguration(f"the configuration is wrong: {error}") from error
    trouble = _trouble(config)
    if trouble:
        raise BadConfiguration(trouble)
    return config


def unknown(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Environment variables that look like settings but are not, each with a guess at what was meant."""
    known = [name.upper() for name in _names()]
    named = sorted(name.removeprefix(PREFIX) for name in environment if name.startswith(PREFIX))
    others = [name for name in named if name not in known and f"{PREFIX}{name}" not in NO_SETTINGS]
    return [f"{PREFIX}{name}{_guess(name, known, PREFIX)}" for name in others]


def _names() -> list[str]:
    """What can be set in a file; in the environment, the same in capitals."""
    return [*Config.__struct_fields__, *(f"{secret}_file" for secret in SECRETS)]


def _guess(name: str, known: list[str], prefix: str = "") -> str:
    near = get_close_matches(name, known, 1)
    return f" (is it {prefix}{near[0]}?)" if near else ""


def _from_file(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise BadConfiguration(f"{file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"{file} is not TOML: {error}") from error
    known = _names()
    for name in values:
        if name not in known:
            raise BadConfiguration(f"{file}: there is no setting {name!r}{_guess(name, known)}")
    values = _with_secrets(values, lambda name: f"{name} in {file}")
    for name, value in values.items():
        _check_kind(name, value, file)
    return values


def _check_kind(name: str, value: Any, file: Path) -> None:
    try:
        msgspec.convert({name: value}, Config)
    except msgspec.ValidationError as error:
        given = "" if name in SECRETS else f", not {value!r}"
        raise BadConfiguration(f"{file}: {name} should be {KINDS[type(getattr(Config(), name))]}{given}") from error


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in Config.__struct_fields__:
        if (text := environment.get(_variable(name))) is not None:
            values[name] = _from_text(name, text)
    files = {f"{name}_file": environment.get(_variable(f"{name}_file")) for name in SECRETS}
    return _with_secrets(values | {name: file for name, file in files.items() if file}, _variable)


def _variable(name: str) -> str:
    return f"{PREFIX}{name.upper()}"


def _with_secrets(values: dict[str, Any], called: Callable[[str], str]) -> dict[str, Any]:
    """The same settings, with what stands in the files that they name. ``called`` is how a setting is called there."""
    for name in SECRETS:
        file = values.pop(f"{name}_file", None)
        if file is None:
            continue
        if name in values:
            raise BadConfiguration(f"there is {called(name)}, and also {called(f'{name}_file')}: leave one of them out")
        if not isinstance(file, str):
            raise BadConfiguration(f"{called(f'{name}_file')} should be the name of a file, not {file!r}")
        try:
            values[name] = _secret_in(Path(file))
        except BadConfiguration as error:
            raise BadConfiguration(f"{called(f'{name}_file')}: {error}") from error
    return values


def _secret_in(file: Path) -> str:
    """The line that stands in the file. What is wrong with it is said without any of its content."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LONGEST_SECRET + 1)
        text = content.decode().strip()
    except OSError as error:
        raise BadConfiguration(f"{file} cannot be read: {error.strerror}") from error
    except ValueError:  # it is not text, or its name is none
        raise BadConfiguration(f"{file} is not text") from None
    if not text:
        raise BadConfiguration(f"{file} is empty")
    if len(content) > LONGEST_SECRET or len(text.splitlines()) > 1:
        raise BadConfiguration(f"{file} should have one line with the secret, and nothing else")
    return text


def _with_password(address: str, password: str) -> str:
    from parlour.server.basics import (
        address as addresses,  # its library is not needed by whoever only looks at settings
    )

    try:
        url = addresses.read(address)
    except BadConfiguration:
        return address  # which whoever connects to it says better
    return url.set(password=url.password or password).render_as_string(hide_password=False)


def _from_text(name: str, text: str) -> Any:
    kind = type(getattr(Config(), name))
    if kind is bool:
        if text.lower() not in SWITCH:
            raise BadConfiguration(f"{PREFIX}{name.upper()} should be true or false, not {text!r}")
        return SWITCH[text.lower()]
    if kind is list:
        return [part for part in text.replace(",", " ").split() if part]
    try:
        return kind(text)
    except ValueError as error:
        raise BadConfiguration(f"{PREFIX}{name.upper()} should be a number, not {text!r}") from error


def _is_redis(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("redis", "rediss", "unix") and parts.port != 0
    except ValueError:  # a port that is not a number
        return False


def _trouble(config: Config) -> str | None:
    """What is wrong with the values, beyond their types."""
    if not re.fullmatch(r"[A-Za-z0-9_.:%-]+", config.host):
        return (
            f"host is an address or a name such as 127.0.0.1, or 0.0.0.0 for other machines, too; not {config.host!r}"
        )
    if not 0 <= config.port <= 65535:
        return f"port is 0 to 65535, not {config.port}"
    if not 1 <= config.workers <= 256:
        return f"workers is 1 to 256, not {config.workers}"
    if not 1 <= config.bot_processes <= 256:
        return f"bot_processes is 1 to 256, not {config.bot_processes}"
    if not re.fullmatch(r"/((?!\.{1,2}/)[A-Za-z0-9._~-]+/)*", config.base_path):
        return f"base_path begins and ends with a slash, such as /games/, not {config.base_path!r}"
    if config.log not in ("", "text", "json"):
        return f"log is text or json, not {config.log!r}"
    if config.log_level not in LEVELS:
        return f"log_level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {config.log_level!r}"
    if config.admin_token and len(config.admin_token) < SHORTEST_TOKEN:
        return f"admin_token has {SHORTEST_TOKEN} characters at least: whoever has it may do everything"
    if config.admin_token and not re.fullmatch("[!-~]([ -~]*[!-~])?", config.admin_token):
        return "admin_token has letters of English, digits and signs only: it travels in a header"
    if config.hash_key and len(config.hash_key) < SHORTEST_KEY:
        return f"hash_key has {SHORTEST_KEY} characters at least: whoever guesses it can try all addresses"
    if config.redis and not _is_redis(config.redis):
        return f"redis is an address such as {REDIS_EXAMPLE}; odd characters of a password in it are written as %2F"
    try:
        _ = config.proxies
    except ValueError as error:
        return f"trust_proxy is a proxy's address or network, such as 127.0.0.1 or 10.0.0.0/8: {error}"
    for host in config.hosts:
        if not re.fullmatch(r"[A-Za-z0-9._-]+|\*", host):
            return f"a host is a name such as games.example, without a port, or * for any, not {host!r}"
    if not re.fullmatch(r"(mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+)?", config.push_contact):
        return f"push_contact is an address such as mailto:me@games.example, not {config.push_contact!r}"
    for name, sites in (("origins", config.origins), ("push_endpoints", config.push_endpoints)):
        for site in sites:
            if not ORIGIN.fullmatch(site):
                return f"{name} are sites such as https://games.example, in small letters, without a path, not {site!r}"
    for name in Config.__struct_fields__:
        value = getattr(config, name)
        if isinstance(value, int | float) and not 0 <= value < 1e12:
            return f"{name} cannot be {value}"
        if name in (*RATES, *NEEDED) and not value:
            return f"{name} cannot be 0: nothing would be answered"
    return None
