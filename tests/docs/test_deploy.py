"""The files in deploy/: what they set is a setting, and what they name is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import Counter, Gauge, Histogram

from parlour.server import metrics
from parlour.server.config import settle, unknown

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def text(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


@pytest.mark.parametrize("name", ["Dockerfile", "compose.yaml", "parlour.service"])
def test_every_variable_is_a_setting(name: str) -> None:
    named = set(re.findall(r"\bPARLOUR_[A-Z_]+", text(name)))
    assert named
    assert unknown(dict.fromkeys(named, "")) == []


def test_the_container_has_all_that_the_wheel_is_made_of() -> None:
    copied = set(re.findall(r"^COPY (?:--from=\w+ )?(.+) \S+$", text("Dockerfile"), flags=re.M))
    here = {name for line in copied for name in line.split() if not name.startswith("/")}
    assert all((ROOT / name).exists() for name in here)
    assert {"pyproject.toml", "README.md", "LICENSE", "src", "tools", "web"} <= here
    assert 'ENTRYPOINT ["parlour"]' in text("Dockerfile")


def test_the_services_of_compose_find_each_other() -> None:
    compose: dict[str, Any] = yaml.safe_load(text("compose.yaml"))
    services = compose["services"]
    assert set(services) == {"parlour", "postgres", "redis", "caddy"}
    environment = {name: re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", r"7", value) for name, value in _set(services).items()}
    config = settle({}, None, environment)
    assert config.is_shared
    subnet = compose["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert [str(network) for network in config.proxies] == [subnet]
    volumes = {volume.partition(":")[0] for one in services.values() for volume in one.get("volumes", [])}
    assert {name for name in volumes if not name.startswith(".")} == set(compose["volumes"])
    assert "reverse_proxy parlour:8017" in text("Caddyfile")
    assert "PGPASSWORD" in environment, "in an address, many characters of a password would mean something else"
    assert "parlour warm" in services["parlour"]["entrypoint"][-1], "the volume still has what the image before needed"


def _set(services: dict[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in services["parlour"]["environment"].items()}


def test_the_service_has_a_folder_for_each_thing_that_it_keeps() -> None:
    unit = text("parlour.service")
    assert "PARLOUR_CACHE=/var/cache/parlour\n" in unit
    assert "CacheDirectory=parlour\n" in unit
    assert "PARLOUR_DATABASE=sqlite:////var/lib/parlour/" in unit
    assert "StateDirectory=parlour\n" in unit
    assert "\nStartLimitIntervalSec=0\n" in unit, "else it would give up on a database that is away for a minute"
    assert "\nExecStartPre=-/opt/parlour/bin/parlour warm\n" in unit, "what fails there keeps nothing from starting"


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


def test_alerts_and_dashboard_ask_for_what_is_counted() -> None:
    rules = [rule for group in yaml.safe_load(text("alerts.yaml"))["groups"] for rule in group["rules"]]
    assert all(rule["annotations"]["description"] and rule["labels"]["severity"] for rule in rules)
    board = json.loads(text("dashboard.json"))
    asked = [rule["expr"] for rule in rules] + [one["expr"] for panel in board["panels"] for one in panel["targets"]]
    assert set[str]().union(*map(named, asked)) <= exposed()
    shown = set[str]().union(*(named(one["expr"]) for panel in board["panels"] for one in panel["targets"]))
    assert {name.rsplit("_", 1)[0] for name in exposed() - {"up"}} <= {name.rsplit("_", 1)[0] for name in shown}
