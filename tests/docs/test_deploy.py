"""The files in deploy/: what they set is a setting, and what they name is there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import make_url

import parlour
from parlour.server.basics import metrics
from parlour.server.basics.config import Config, load, load_all, unknown

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def text(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


COMPOSE: dict[str, Any] = yaml.safe_load(text("compose.yaml"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "parlour.service"])
def test_every_variable_is_a_setting(name: str) -> None:
    named = set(re.findall(r"\bPARLOUR_[A-Z_]+", text(name)))
    assert named
    assert unknown(dict.fromkeys(named, "")) == []


# The image.


def test_the_container_has_all_that_the_wheel_is_made_of() -> None:
    copied = set(re.findall(r"^COPY (?:--\S+ )?(.+) \S+$", text("Dockerfile"), flags=re.M))
    here = {name for line in copied for name in line.split() if not name.startswith("/")}
    assert all((ROOT / name).exists() for name in here)
    assert {"pyproject.toml", "README.md", "LICENSE", "src", "tools", "web"} <= here
    assert {"deploy/entrypoint.sh", "deploy/parlour-backup", "deploy/constraints.txt"} <= here
    assert 'ENTRYPOINT ["entrypoint.sh"]\nCMD ["serve"]\n' in text("Dockerfile")
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert "deploy/secrets" in ignored, "else passwords would be in the image's build"


def test_every_version_is_fixed() -> None:
    images = [one["image"] for one in SERVICES.values()] + re.findall(r"^FROM (\S+)", text("Dockerfile"), flags=re.M)
    assert all(re.fullmatch(r"[a-z]+:\d+\.\d+(\.\d+)?(-[a-z-]+)?", image) for image in images), images
    assert {one["image"] for one in SERVICES.values() if "build" in one} == {f"parlour:{parlour.__version__}"}
    pinned = dict(re.findall(r"^([a-z0-9-]+)==(\S+)$", text("constraints.txt"), flags=re.M))
    assert len(pinned) == len([line for line in text("constraints.txt").splitlines() if not line.startswith("#")])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    (named,) = re.findall(r"parlour\[([a-z,]+)\]", text("Dockerfile"))
    for requirement in map(Requirement, wanted + [line for extra in named.split(",") for line in extras[extra]]):
        assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, requirement


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., list[str]]:
    """Runs a script where ``parlour`` only says how it was called, and may fail; returns these lines."""
    program, said = tmp_path / "bin" / "parlour", tmp_path / "said"
    program.parent.mkdir()

    def run(script: str, *words: str, fails: str = "-", code: int = 0) -> list[str]:
        program.write_text(f'#!/bin/sh\necho "$*" >> {said}\ncase " $* " in *" {fails} "*) exit 1 ;; esac\n')
        program.chmod(0o755)
        said.write_text("")
        path = {"PATH": f"{program.parent}:{os.defpath}"}
        ran = subprocess.run(["sh", DEPLOY / script, *words], env=path, capture_output=True, text=True, timeout=60)
        assert ran.returncode == code, ran.stderr
        return said.read_text().splitlines()

    return run


@pytest.mark.parametrize(
    ("words", "called"),
    [
        (["serve"], ["warm", "serve"]),
        (["serve", "--drain"], ["warm", "serve --drain"]),
        (["upgrade", "--check"], ["upgrade --check"]),
        (["parlour", "upgrade", "--check"], ["upgrade --check"]),
        (["parlour", "serve"], ["warm", "serve"]),
        (["admin", "ban", "--name", "Ann and Bob"], ["admin ban --name Ann and Bob"]),
        (["--version"], ["--version"]),
        ([], [""]),
    ],
)
def test_the_container_runs_the_command_that_it_is_given(
    fake: Callable[..., list[str]], words: list[str], called: list[str]
) -> None:
    assert fake("entrypoint.sh", *words) == called


def test_the_container_ends_as_its_command_does(fake: Callable[..., list[str]]) -> None:
    assert fake("entrypoint.sh", "upgrade", "--check", fails="upgrade", code=1) == ["upgrade --check"]
    assert fake("entrypoint.sh", "serve", fails="warm") == ["warm", "serve"], "bots can wait, people cannot"


# Compose.


def test_the_services_of_compose_find_each_other(tmp_path: Path) -> None:
    assert set(SERVICES) == {"parlour", "backup", "postgres", "redis", "caddy"}
    environment = _set(SERVICES["parlour"])
    assert environment == _set(SERVICES["backup"])
    named = environment["PARLOUR_DATABASE_PASSWORD_FILE"]
    assert named.removeprefix("/run/secrets/") in COMPOSE["secrets"]
    assert named == SERVICES["postgres"]["environment"]["POSTGRES_PASSWORD_FILE"]
    (tmp_path / "password").write_text("a:pass/word@of any kind\n")
    config = load({}, None, environment | {"PARLOUR_DATABASE_PASSWORD_FILE": str(tmp_path / "password")})
    assert config.is_shared
    assert (make_url(config.database_url).host, make_url(config.database_url).password) == (
        "postgres",
        "a:pass/word@of any kind",
    )
    subnet = COMPOSE["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert [str(network) for network in config.proxies] == [subnet]
    volumes = {volume.partition(":")[0] for one in SERVICES.values() for volume in one.get("volumes", [])}
    assert {name for name in volumes if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert "reverse_proxy parlour:8017" in text("Caddyfile")
    assert "entrypoint" not in SERVICES["parlour"], "it would hide the command that somebody gives"


def _set(service: dict[str, Any]) -> dict[str, str]:
    values = {name: str(value) for name, value in service["environment"].items()}
    return {name: re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", r"\2", value) for name, value in values.items()}


def test_no_container_fills_the_disk_and_no_secret_is_in_the_environment() -> None:
    for name, service in SERVICES.items():
        options = service["logging"]["options"]
        assert options.keys() == {"max-size", "max-file"}, name
        secrets = {key for key in service.get("environment", {}) if re.search("PASSWORD|TOKEN|KEY", key)}
        assert all(key.endswith("_FILE") for key in secrets), name
        assert set(service.get("secrets", [])) <= COMPOSE["secrets"].keys()
    for secret in COMPOSE["secrets"].values():
        assert secret["file"].startswith("./secrets/")
    assert "deploy/secrets/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()


# The service.


def test_the_service_has_a_folder_for_each_thing_that_it_keeps() -> None:
    unit = text("parlour.service")
    assert "PARLOUR_CACHE=/var/cache/parlour\n" in unit
    assert "CacheDirectory=parlour\n" in unit
    assert load({}, DEPLOY / "parlour.toml", {}).database.startswith("sqlite:////var/lib/parlour/")
    assert "StateDirectory=parlour\n" in unit
    assert "\nStartLimitIntervalSec=0\n" in unit, "else it would give up on a database that is away for a minute"
    assert "\nExecStartPre=-/opt/parlour/bin/parlour warm\n" in unit, "what fails there keeps nothing from starting"


def test_systemd_tells_only_the_server_to_stop() -> None:
    """It would tell every process, and a bot that ends while it thinks is played by chance."""
    assert "\nKillMode=mixed\n" in text("parlour.service")


def test_no_setting_of_the_unit_beats_the_file_of_settings() -> None:
    """So that ``parlour admin --config /etc/parlour.toml`` is about the database that is served."""
    for name in ("parlour.service", "parlour-backup.service"):
        given = dict(re.findall(r"^Environment=(\w+)=(.*)$", text(name), flags=re.M))
        assert load_all({}, None, given) == (Config(), []), name
        assert "--config /etc/parlour.toml\n" in text(name)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here, which alone knows its units")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    units = [DEPLOY / f"parlour{ending}" for ending in (".service", "-backup.service", "-backup.timer")]
    for unit in units:
        (tmp_path / unit.name).write_text(re.sub(r"/opt/parlour/bin/\S+", shutil.which("true") or "", unit.read_text()))
    verify = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit.name) for unit in units)]
    ran = subprocess.run(verify, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


# Backups.


def test_a_backup_that_cannot_be_restored_is_a_failure_and_removes_nothing(
    fake: Callable[..., list[str]], tmp_path: Path
) -> None:
    old = tmp_path / "backups" / "parlour-1.sqlite"
    old.parent.mkdir()
    old.touch()
    os.utime(old, (0, 0))
    for fails, calls in (("backup", 1), ("restore", 2)):
        line = ("parlour-backup", str(old.parent), "--config", "x.toml")
        called = fake(*line, fails=fails, code=1)
        assert [words.startswith("admin --config x.toml ") for words in called] == [True] * calls
        assert list(old.parent.iterdir()) == [old], "and nothing is left of the try"


# What is watched.


def exposed() -> set[str]:
    """The names under which Prometheus finds what is counted."""
    found = {"up"}
    for count in vars(metrics).values():
        if isinstance(count, Counter):
            found.add(f"{count._name}_total")
        elif isinstance(count, Histogram):
            found |= {f"{count._name}_{part}" for part in ("bucket", "sum", "count")}
        elif isinstance(count, Gauge):
            found.add(count._name)
    return found


def named(expression: str) -> set[str]:
    return set(re.findall(r"\bparlour_\w+", expression))


RULES = [rule for group in yaml.safe_load(text("alerts.yaml"))["groups"] for rule in group["rules"]]
PANELS = json.loads(text("dashboard.json"))["panels"]
SHOWN = [one["expr"] for panel in PANELS for one in panel["targets"]]
ASKED = [rule["expr"] for rule in RULES] + SHOWN


def test_alerts_and_dashboard_ask_for_what_is_counted() -> None:
    assert all(rule["annotations"]["description"] and rule["labels"]["severity"] for rule in RULES)
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    assert [panel["id"] for panel in PANELS] == list(range(1, len(PANELS) + 1))
    assert set[str]().union(*map(named, ASKED)) <= exposed()
    shown = set[str]().union(*map(named, SHOWN))
    assert {name.rsplit("_", 1)[0] for name in exposed() - {"up"}} <= {name.rsplit("_", 1)[0] for name in shown}


def test_they_ask_by_labels_that_there_are() -> None:
    """As a server tells them that runs; Prometheus itself adds ``job`` and ``instance``."""
    metrics.note_start()
    metrics.COMMANDS.labels("act", "not_saved")
    metrics.REQUESTS.labels("GET", "200")
    metrics.note_jobs({"bots": 0})
    known: dict[str, set[str]] = {"up": set()}
    for family in text_string_to_metric_families(metrics.exposition().decode()):
        for sample in family.samples:
            known.setdefault(sample.name, set()).update(sample.labels)
    for expression in ASKED:
        labels = set[str]().union(*(known[count] for count in named(expression) or {"up"}))
        by = {name.strip() for found in re.findall(r"by \(([^)]*)\)", expression) for name in found.split(",")}
        selected = set(re.findall(r"(\w+)=~?\"", expression))
        assert by | selected <= labels | {"job", "instance"}, expression
    for rule in RULES:
        told = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["description"]))
        kept = re.findall(r"by \(([^)]*)\)", rule["expr"])
        assert told <= ({name.strip() for name in kept[0].split(",")} if kept else {"instance"}), rule["alert"]


def test_each_alert_says_where() -> None:
    """One Prometheus may watch several servers: what one lacks must not be hidden by the others."""
    for rule in RULES:
        assert "$labels.instance" in rule["annotations"]["description"], rule["alert"]
        gathers = re.findall(r"\b(?:sum|min|max|avg|count)\b(?! by \(instance)", rule["expr"])
        assert gathers == [], rule["alert"]


def test_the_first_error_is_one_more_than_before() -> None:
    """What is not there at all before cannot be seen to grow."""
    metrics.REQUESTS.clear()  # what servers of other tests have counted in this process
    metrics.note_start()
    for method in ("GET", "POST"):
        assert f'parlour_requests_total{{method="{method}",status="500"}} 0.0' in metrics.exposition().decode()


def test_alerts_are_raised_when_they_should_be(tmp_path: Path) -> None:
    tests = tmp_path / "alerts_test.yaml"
    tests.write_text(
        (ROOT / "tests/docs/alerts_test.yaml").read_text("utf-8").replace("RULES", str(DEPLOY / "alerts.yaml"))
    )
    ran = subprocess.run(["promtool", "test", "rules", tests], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
