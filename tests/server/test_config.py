"""Settings: from flags, the environment and a TOML file; what is wrong with them is told in one line."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import uvicorn
from sqlalchemy import make_url

from parlour import cli
from parlour.server.basics import logs
from parlour.server.basics.config import NEEDED, SECRETS, Config, load, load_all, unknown
from parlour.server.basics.errors import BadConfiguration

PARLOUR = str(Path(sys.executable).with_name("parlour"))


Complains = Callable[..., str]


@pytest.fixture
def complains(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Complains:
    """Checks that ``parlour serve`` cannot begin with these flags, and says why in one line."""

    monkeypatch.setattr(logs, "set_up", lambda style, level: None)  # the test's own log stays as it is

    def check(*flags: str, words: str) -> str:
        monkeypatch.setattr(uvicorn, "run", lambda *_, **__: pytest.fail("it serves, with such settings"))
        code = cli.run(["serve", *flags])
        told = capsys.readouterr()
        assert (code, told.out) == (2, "")
        (line,) = told.err.strip().splitlines()
        assert words in line
        assert line.startswith("parlour: ")
        return line

    return check


def test_flags_overrule_the_environment_which_overrules_the_file(tmp_path: Path) -> None:
    file = tmp_path / "parlour.toml"
    file.write_text('port = 1\ngrace = 11.5\nkeep = 7\norigins = ["https://one.example"]\n', "utf-8")
    environment = {"PARLOUR_PORT": "2", "PARLOUR_GRACE": "22", "UNRELATED": "x"}
    config = load({"port": 3, "host": None}, file, environment)
    assert (config.port, config.grace, config.keep, config.host) == (3, 22.0, 7.0, "127.0.0.1")
    assert config.origins == ["https://one.example"]


SENSIBLE = {
    "hosts": "a.example, b.example",
    "host": "0.0.0.0",
    "redis": "redis://x",
    "log": "json",
    "log_level": "debug",
    "trust_proxy": "127.0.0.1",
    "base_path": "/games/",
    "push_contact": "mailto:me@games.example",
    "largest": "game17.edge=14, game17.seats=20",
}


def test_every_setting_can_come_from_the_environment() -> None:
    for name, default in msgspec.structs.asdict(Config()).items():
        given = {
            str: SENSIBLE.get(name, "a text of some length"),
            int: "7",
            float: "7.5",
            bool: "true",
            list: SENSIBLE.get(name, "https://a.example, https://b.example"),
        }[type(default)]
        found = getattr(load({}, None, {f"PARLOUR_{name.upper()}": given}), name)
        assert found == (type(default)(given) if type(default) is not list else given.split(", ")), name


def test_nothing_need_be_set() -> None:
    config = load({}, None, {})
    assert config == Config()
    assert config.database_url.startswith("sqlite:///")
    assert not config.is_shared


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"port": 70_000}, "port"),
        ({"port": -1}, "port"),
        ({"workers": 0}, "workers"),
        ({"bot_processes": 0}, "bot_processes"),
        ({"log": "loud"}, "log"),
        ({"log_level": "loud"}, "log_level is debug, info, warning or error"),
        ({"base_path": "games"}, "base_path"),
        ({"base_path": '/"><script>/'}, "base_path"),
        ({"base_path": "/games/../"}, "base_path"),
        ({"admin_token": "too short"}, "admin_token"),
        ({"redis": "localhost:6379"}, "redis"),
        ({"redis": "redis://localhost:port"}, "redis"),
        ({"hosts": ["https://games.example"]}, "host"),
        ({"hosts": ["games.example:80"]}, "host"),
        ({"hash_key": "too short"}, "hash_key"),
        ({"origins": ["games.example"]}, "origin"),
        ({"origins": ["https://games.example/page"]}, "origin"),
        ({"origins": ["https://games.example/"]}, "origins are sites .* without a path"),
        ({"origins": ["https://Games.example"]}, "in small letters"),
        ({"origins": ["https://a b"]}, "origins"),
        ({"push_endpoints": ["https://push.example/"]}, "push_endpoints"),
        ({"host": ""}, "host is an address"),
        ({"host": "a\0b"}, "host is an address"),
        ({"host": "two words"}, "host is an address"),
        ({"host": "ü" * 80}, "host is an address"),
        ({"admin_token": " " * 30}, "admin_token"),
        ({"admin_token": "ü" * 30}, "admin_token"),
        *(({name: 0}, name) for name in NEEDED),
        ({"trust_proxy": "localhost"}, "trust_proxy.*localhost"),
        ({"trust_proxy": "127.0.0.1, 10.0.0.1/8"}, "trust_proxy.*10.0.0.1/8"),
        ({"requests_per_second": 0.0}, "requests_per_second"),
        ({"keep": -1.0}, "keep"),
        ({"keep": float("nan")}, "keep"),
        ({"grace": float("inf")}, "grace"),
        ({"port": "eighty"}, "port"),
    ],
)
def test_a_wrong_setting_is_named(flags: dict[str, object], words: str) -> None:
    with pytest.raises(BadConfiguration, match=words) as error:
        load(flags, None, {})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"port = ", "TOML"),
        (b"\xff\xfe", "TOML"),
        (b"prot = 1", "prot"),
        (b"port = 'x'", "port"),
        (b"[port]\nx = 1", "port"),
        (b"origins = 'https://x.example'", "origins should be a list of texts"),
        (b"origins = [1]", "origins should be a list of texts"),
        (b"grace = 'long'", r"parlour.toml: grace should be a number, not 'long'"),
        (b"drain = 1", "drain should be true or false, not 1"),
        (b"sockets = 1.5", "sockets should be a whole number, not 1.5"),
        (b"grace = 1979-05-27", "grace should be a number"),
        (b"prot = 1", r"parlour.toml: there is no setting 'prot' \(is it port\?\)"),
        (b"admin_tokenfile = 'x'", r"is it admin_token_file\?"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "parlour.toml"
    file.write_bytes(content)
    with pytest.raises(BadConfiguration, match=words):
        load({}, file, {})


@pytest.mark.parametrize("variable", ["PARLOUR_PORT", "PARLOUR_KEEP", "PARLOUR_WORKERS"])
def test_a_wrong_variable_is_named(variable: str) -> None:
    with pytest.raises(BadConfiguration, match=variable):
        load({}, None, {variable: "many"})


@pytest.mark.parametrize("proxies", ["", "*", "127.0.0.1", "10.0.0.0/8, 2001:db8::1"])
def test_proxies_are_addresses_and_networks(proxies: str) -> None:
    assert load({"trust_proxy": proxies}, None, {}).trust_proxy == proxies


def test_variables_that_are_no_settings_are_named() -> None:
    environment = {"PARLOUR_PROT": "1", "PARLOUR_PORT": "2", "PARLOUR_CACHE": "x", "PARLOUR_XYZZY": "3", "PROT": "4"}
    assert unknown(environment) == ["PARLOUR_PROT (is it PARLOUR_PORT?)", "PARLOUR_XYZZY"]
    environment = {"PARLOUR_ADMIN_TOKEN_FILE": "/x", "PARLOUR_ADMIN_TOKENFILE": "/x"}
    assert unknown(environment) == ["PARLOUR_ADMIN_TOKENFILE (is it PARLOUR_ADMIN_TOKEN_FILE?)"]


# Secrets.


@pytest.mark.parametrize(
    "flags",
    [
        {"database": "postgresql://ann:pa:geheim/x@db:x/y"},
        {"database": "postgresql://ann@db:geheim/y"},
        {"database": "geheim"},
        {"redis": "redis://:geheim/x@cache:6379"},
        {"redis": "http://:geheim@cache"},
        {"redis": "redis://cache?socket_timeout=geheim"},
        {"admin_token": "geheim"},
        {"admin_token": "geheim, ein Wort mit Lücken"},
        {"hash_key": "geheim"},
    ],
)
def test_what_is_wrong_with_a_secret_is_said_without_it(
    flags: dict[str, str], monkeypatch: pytest.MonkeyPatch, complains: Complains, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARLOUR_DATABASE", f"sqlite:///{tmp_path / 'x.sqlite'}")
    for name, value in flags.items():
        monkeypatch.setenv(f"PARLOUR_{name.upper()}", value)
    assert "geheim" not in complains(words=next(iter(flags)))
    file = tmp_path / "parlour.toml"
    file.write_text("admin_token = 12345678901234567890")
    with pytest.raises(BadConfiguration, match=r"admin_token should be a text$"):
        load({}, file, {})


# Secrets in files.


def secret(tmp_path: Path, content: bytes, name: str = "secret") -> Path:
    file = tmp_path / name
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_a_secret_can_be_in_a_file_of_its_own(tmp_path: Path, name: str, ending: bytes) -> None:
    odd = {"database": "sqlite:///x", "redis": "redis://x", "admin_token": "a secret of some length"}
    told = odd.get(name, "a secret: of ünusual length")
    file = secret(tmp_path, told.encode() + ending)
    assert getattr(load({}, None, {f"PARLOUR_{name.upper()}_FILE": str(file)}), name) == told
    settings = secret(tmp_path, f'{name}_file = "{file}"'.encode(), "parlour.toml")
    assert getattr(load({}, settings, {}), name) == told
    assert getattr(load({}, settings, {f"PARLOUR_{name.upper()}_FILE": ""}), name) == told, "as compose says nothing"


def test_a_secret_in_the_environment_overrules_the_file_of_one_in_the_settings(tmp_path: Path) -> None:
    settings = secret(tmp_path, b'admin_token_file = "/nowhere/to/be/found"', "parlour.toml")
    with pytest.raises(
        BadConfiguration, match=r"admin_token_file in .*parlour.toml: /nowhere.* cannot be read: No such"
    ):
        load({}, settings, {})
    file = secret(tmp_path, b"a token of twenty signs")
    settings.write_text(f'admin_token_file = "{file}"')
    assert load({}, settings, {"PARLOUR_ADMIN_TOKEN": "another of twenty signs"}).admin_token.startswith("another")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"one\ntwo", "one line"),
        (b"x" * 5000, "one line"),
        (b"\xff\xfeq", "is not text"),
    ],
)
def test_a_file_that_is_no_secret_is_named_without_its_content(tmp_path: Path, content: bytes, words: str) -> None:
    file = secret(tmp_path, content)
    with pytest.raises(BadConfiguration, match=words) as error:
        load({}, None, {"PARLOUR_ADMIN_TOKEN_FILE": str(file)})
    assert str(error.value).startswith(f"PARLOUR_ADMIN_TOKEN_FILE: {file} ")
    for word in ("two", "xxx", "xff"):
        assert word not in str(error.value).replace(str(file), "")


@pytest.mark.parametrize("file", ["/", "/nowhere", "a\0b", "/dev/zero"])
def test_what_cannot_be_read_as_a_secret_is_told(file: str) -> None:
    with pytest.raises(BadConfiguration, match="PARLOUR_HASH_KEY_FILE: "):
        load({}, None, {"PARLOUR_HASH_KEY_FILE": file})


def test_a_secret_is_given_once(tmp_path: Path) -> None:
    file = secret(tmp_path, b"a token of twenty signs")
    twice = {"PARLOUR_ADMIN_TOKEN": "a token of twenty signs", "PARLOUR_ADMIN_TOKEN_FILE": str(file)}
    with pytest.raises(BadConfiguration, match="PARLOUR_ADMIN_TOKEN, and also PARLOUR_ADMIN_TOKEN_FILE: leave one"):
        load({}, None, twice)
    for content, words in ((b"redis_file = 5", "name of a file"), (b'port_file = "x"', "port_file")):
        with pytest.raises(BadConfiguration, match=words):
            load({}, secret(tmp_path, content, "parlour.toml"), {})


def test_the_password_goes_into_the_address_of_the_database() -> None:
    odd = "p@ss:w/ord %é#?"
    config = load({}, None, {"PARLOUR_DATABASE": "postgresql://ann@db:5433/x", "PARLOUR_DATABASE_PASSWORD": odd})
    url = make_url(config.database_url)
    assert (url.password, url.host, url.port, url.database) == (odd, "db", 5433, "x")
    assert config.is_shared
    for address in ("postgresql://ann:hers@db/x", "sqlite:///x", "postgresql://["):
        assert Config(database=address, database_password=odd).database_url == address


# What counts, where a setting is found more than once.


def test_it_is_said_which_settings_are_overruled_and_never_by_what(tmp_path: Path) -> None:
    file = tmp_path / "parlour.toml"
    file.write_text('database = "sqlite:///one"\nport = 1\nkeep = 7\nadmin_token = "a token of twenty signs"\n')
    environment = {"PARLOUR_DATABASE": "sqlite:///two", "PARLOUR_KEEP": "7.0", "PARLOUR_PORT": "2"}
    environment["PARLOUR_ADMIN_TOKEN_FILE"] = str(secret(tmp_path, b"another of twenty signs"))
    config, overruled = load_all({"port": 3}, file, environment)
    assert (config.database, config.port, config.admin_token) == ("sqlite:///two", 3, "another of twenty signs")
    assert overruled == [
        f"port is set more than once: the command line counts, not {file} or the environment",
        f"database is set more than once: the environment counts, not {file}",
        f"admin_token is set more than once: the environment counts, not {file}",
    ]
    assert load_all({"port": 3}, None, {}) == (Config(port=3), [])


@pytest.mark.parametrize("words", [["admin", "tables"], ["upgrade", "--check"], ["migrate"]])
def test_a_command_says_that_its_database_is_not_that_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    file, there = tmp_path / "parlour.toml", f"sqlite:///{tmp_path / 'there.sqlite'}"
    file.write_text('database = "sqlite:////elsewhere"\nport = 5\n')
    assert cli.run(["migrate", "--database", there]) == 0
    capsys.readouterr()
    monkeypatch.setenv("PARLOUR_DATABASE", there)
    monkeypatch.setenv("PARLOUR_PORT", "6")
    line = [words[0], "--config", str(file), *words[1:]]
    assert cli.run(line) == 0
    assert capsys.readouterr().err == f"database is set more than once: the environment counts, not {file}\n"
    assert cli.run([words[0], "--config", str(file), "--database", there, *words[1:]]) == 0
    assert capsys.readouterr().err == ""


def test_the_program_says_so_when_it_starts(tmp_path: Path) -> None:
    file = tmp_path / "parlour.toml"
    file.write_text('database = "postgresql://elsewhere/x"\n')
    environment = {**os.environ, "PARLOUR_DATABASE": f"sqlite:///{tmp_path}/x/y.sqlite/z"}
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "y.sqlite").touch()
    line = [PARLOUR, "serve", "--config", str(file)]
    ran = subprocess.run(line, capture_output=True, text=True, timeout=60, env=environment)
    assert f"database is set more than once: the environment counts, not {file}" in ran.stderr
    assert (ran.returncode, "elsewhere" in ran.stderr) == (2, False)


@pytest.mark.parametrize(("level", "heard"), [("debug", 3), ("info", 2), ("warning", 1), ("error", 0)])
def test_only_what_is_as_grave_as_the_level_is_logged(level: str, heard: int) -> None:
    """Also of libraries; and what these have to say at the level of debug is for who works on them."""
    program = f"""
import logging
from parlour.server.basics import logs
logs.set_up("json", level="{level}")
for name, at in (("parlour.server", 10), ("parlour.server", 20), ("uvicorn.error", 30), ("sqlalchemy", 10)):
    logging.getLogger(name).log(at, "hello")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, len(ran.stderr.splitlines())) == (0, heard), ran.stderr


def test_the_program_ends_with_one_line() -> None:
    ran = subprocess.run([PARLOUR, "serve", "--database", "mysql://x/y"], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1)


def test_what_cannot_be_used_ends_the_server_with_one_line(tmp_path: Path, complains: Complains) -> None:
    complains("--config", str(tmp_path / "none.toml"), words="none.toml")
    complains("--port", "many", words="port")
    complains("--database", "mysql://x/y", words="sqlite:///FILE or postgresql")
    complains("--database", "nonsense", words="such as sqlite:////var/lib/parlour.sqlite or postgresql://")
    complains("--database", "postgresql://ann@db:port/y", words="database")
    complains("--database", "postgresql+psycopg2://127.0.0.1:1/y", words="database")
    complains("--redis", "redis://localhost:port", words="redis")


def test_a_database_that_cannot_be_used_ends_the_server_with_one_line(tmp_path: Path, complains: Complains) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("this is no database, though it is long enough to be looked at as one " * 20, "utf-8")
    complains("--database", f"sqlite:///{text}", words="database")
    complains("--database", f"sqlite:///{tmp_path}", words="database")
    complains("--database", f"sqlite:///{text}/sub/x.sqlite", words="Not a directory")
    complains("--database", "sqlite://", words="file")
    complains("--database", "sqlite:///:memory:", words="file")


def test_a_database_server_that_is_not_there_is_told(tmp_path: Path, complains: Complains) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    complains("--database", f"postgresql://nobody@127.0.0.1:{port}/x", words="database")


def test_a_place_that_cannot_be_served_is_told(tmp_path: Path, complains: Complains) -> None:
    database = f"sqlite:///{tmp_path / 'x.sqlite'}"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        complains("--port", str(taken.getsockname()[1]), "--database", database, words="in use")
    complains("--host", "256.0.0.1", "--database", database, words="256.0.0.1")
