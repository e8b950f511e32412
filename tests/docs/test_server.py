"""docs/server.md and docs/fair-dice.md say what is: every setting, flag, count and address."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path

from prometheus_client import Counter, Gauge, Histogram
from typer.main import get_command

from parlour.cli.app import app
from parlour.server import app as server_app
from parlour.server.basics import metrics
from parlour.server.basics.config import Config, load
from parlour.server.cluster import bus
from parlour.server.rooms import upgrades
from parlour.server.running.housekeeping import SWEEP
from parlour.server.store import lists
from parlour.server.store.store import DELETED_AT_ONCE

DOCS = Path(__file__).parents[2] / "docs"
DEPLOY = DOCS.parent / "deploy"
PAGE = (DOCS / "server.md").read_text("utf-8")
SETTINGS = re.findall(r"^\| `(\w+)` \| (?:`(--[\w-]+)`)? ?\| (?:`([^`|]+)`|[^`|]*) ?\| (.+) \|$", PAGE, flags=re.M)


def test_every_setting_is_there_with_its_default() -> None:
    assert [name for name, *_ in SETTINGS] == list(Config.__struct_fields__)
    for name, _, default, meaning in SETTINGS:
        value = getattr(Config(), name)
        if value not in ("", []):  # else the page may say in words what it means to leave it out
            # As it can be written in the file.
            assert tomllib.loads(f"it = {default}")["it"] == value, name
        assert meaning


def test_the_plan_for_many_people_counts_with_what_is() -> None:
    plan = " ".join((DOCS / "scale.md").read_text("utf-8").split())
    assert f"Signals of the same {1000 * bus.GATHER:g} ms travel together" in plan
    assert f"at most {1 / bus.GATHER:g} a second from each" in plan
    assert f"remembers no more than {upgrades.WAITING}" in plan
    assert ("while it is less than half busy" in plan) == (upgrades.BUSY == 0.5)
    assert f"looks through the {lists.SEARCHED:,} tables" in plan
    assert f"deletes up to {DELETED_AT_ONCE / SWEEP:g} tables a second" in plan
    assert f"{Config().sockets:,} a process (`sockets`)" in plan


def test_every_flag_of_serve_is_there() -> None:
    serve = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    flags = {option for parameter in serve.params for option in parameter.opts if option.startswith("--")}
    assert {flag for _, flag, *_ in SETTINGS if flag} == flags - {"--help", "--config"}
    assert "--config" in PAGE


def test_the_file_of_settings_can_be_used(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, flags=re.M | re.S)
    file = tmp_path / "parlour.toml"
    file.write_text(text)
    config = load({}, file, environment={})
    assert {name: getattr(config, name) for name in tomllib.loads(text)} == tomllib.loads(text)


def test_every_count_is_there() -> None:
    known = {value._name for value in vars(metrics).values() if isinstance(value, Counter | Gauge | Histogram)}
    assert set(re.findall(r"^\| `(parlour_\w+)` \|", PAGE, flags=re.M)) == known


def test_every_address_for_administrators_is_there() -> None:
    handlers = (server_app.healthz, server_app.readyz, server_app.metrics_page)
    assert {path for handler in handlers for path in handler.paths} == set(
        re.findall(r"^\| `(/\w+)` \|", PAGE, flags=re.M)
    )


def test_no_example_of_a_proxy_shows_what_is_not_for_the_outside() -> None:
    """A path with a slash at its end is the same page: /metrics/ shows the counts, too."""
    caddy = [*re.findall(r"^```caddy\n(.*?)^```$", PAGE, flags=re.M | re.S), (DEPLOY / "Caddyfile").read_text("utf-8")]
    assert len(caddy) == 4
    for example in caddy:
        (hidden,) = re.findall(r"@inside path (.+)\n\s+respond @inside 404$", example, flags=re.M)
        below = "/games" if "/games" in example else ""
        assert hidden.split() == [f"{below}{path}" for path in ("/metrics", "/metrics/*", "/api/admin", "/api/admin/*")]
        assert "path_regexp" not in example or "health_uri /readyz" in example, "the tables of a machine that failed"
    nginx = re.findall(r"^    location (.+?) +\{ return 404; \}$", PAGE, flags=re.M)
    assert nginx == ["/metrics", "/api/admin"], "without '=', which would be that path alone"


def test_the_dice_are_computed_as_told() -> None:
    page = (DOCS / "fair-dice.md").read_text("utf-8")
    (session,) = re.findall(r"^```pycon\n(.*?)^```$", page, flags=re.M | re.S)
    test = doctest.DocTestParser().get_doctest(session, {}, "fair-dice", None, None)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert len(test.examples) == 6
