"""What is for whoever minds the server is not reached through a proxy, however the path is written."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from attacker import STRICT, Attacker
from proxy import Proxy
from serving import Server

TOKEN = "x" * 20
INSIDE = ["metrics", "api/admin/who"]
AROUND = [
    "/{}",
    "/{}/",
    "/{}?x=1",
    "//{}",
    "/%2F{}",
    "/./{}",
    "/x/../{}",
    "/%2e/{}",
    "/games/{}",
    "/games/games/{}",
    "/games/games/games/{}",
    "/games//{}",
    "/games/games//{}/",
    "/games/%67ames/{}",
    "/games/x/../{}",
    "/games/%2e%2e/{}",
    "/GAMES/{}",
    "http://127.0.0.1/games/{}",
]
FORWARDED = "X-Forwarded-For: 192.0.2.7\r\n"


@pytest.fixture(scope="module", params=["/", "/games/"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {**STRICT, "base_path": request.param, "admin_token": TOKEN, "trust_proxy": "127.0.0.1"}
    found = Server(tmp_path_factory.mktemp("inside"), **settings).start()
    yield found
    found.close()


def status(server: Server, port: int, path: str, more: str = "") -> int:
    attacker = Attacker(server)
    attacker.port = port
    head = attacker.request(path) + f"Authorization: Bearer {TOKEN}\r\n{more}\r\n".encode()
    return int(attacker.ask(head)[9:12])


@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("takes_away", ["", "/games/"])
def test_no_path_leads_inside_through_a_proxy(server: Server, inside: str, takes_away: str) -> None:
    """Whether that takes the base path away or not."""
    with Proxy(server.port, takes_away=takes_away, adds=FORWARDED) as proxy:
        found = {path: status(server, proxy.port, path.format(inside)) for path in AROUND}
    assert set(found.values()) <= {404, 400}, found


@pytest.mark.parametrize("inside", INSIDE)
def test_no_path_leads_inside_through_a_proxy_that_says_nothing(server: Server, inside: str) -> None:
    """It keeps the path itself from those outside, as the examples do: here, all others."""
    own = "" if server.settings["base_path"] == "/" else "/games/"
    with Proxy(server.port, takes_away=own, adds="X-Nothing: 1\r\n") as proxy:
        paths = [path.format(inside) for path in AROUND if path.count("games") > 1]
        found = {path: status(server, proxy.port, path) for path in paths}
    assert set(found.values()) <= {404, 400}, found


@pytest.mark.parametrize("inside", INSIDE)
def test_whoever_minds_the_server_asks_it_directly(server: Server, inside: str) -> None:
    assert status(server, server.port, f"/{inside}") == 200
    assert status(server, server.port, f"/{inside}", FORWARDED) == 404


def test_it_can_be_allowed(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = {**STRICT, "base_path": "/games/", "admin_token": TOKEN, "admin_by_proxy": "true"}
    server = Server(tmp_path_factory.mktemp("allowed"), **settings).start()
    try:
        with Proxy(server.port, takes_away="/games/", adds=FORWARDED) as proxy:
            for inside in INSIDE:
                assert status(server, proxy.port, f"/games/{inside}") == 200
                assert status(server, proxy.port, f"/games/games/{inside}") == 404
    finally:
        server.close()
