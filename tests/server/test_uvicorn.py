"""What ``parlour.server.http`` and ``workers`` override of uvicorn's inside is as it was when they were written.

uvicorn promises nothing about these modules. Where this test fails after an update, read what has changed there,
compare it with the methods that we override, run ``tests/server`` and ``tests/server_abuse``, and only then write the
new hash down.
"""

from __future__ import annotations

import hashlib
import inspect
from importlib import import_module

import pytest
import uvicorn

from parlour.server.http.connections import HttpConnection
from parlour.server.http.sockets import SocketConnection
from parlour.server.http.watched import Watched

READ = {
    "uvicorn.protocols.http.httptools_impl": "1d4e1c579df41684",
    "uvicorn.protocols.websockets.websockets_sansio_impl": "8b32a97a1608788b",
    "uvicorn.protocols.http.flow_control": "d39d16560df512f3",
    "uvicorn.server": "c1be9d133467a42a",
}


@pytest.mark.parametrize("module", READ)
def test_uvicorn_is_as_we_know_it(module: str) -> None:
    found = hashlib.sha256(inspect.getsource(import_module(module)).encode()).hexdigest()[:16]
    assert found == READ[module], f"{module} has changed with uvicorn {uvicorn.__version__}: see above"


@pytest.mark.parametrize("ours", [HttpConnection, SocketConnection])
def test_what_is_handed_on_to_uvicorn_is_there(ours: type[Watched]) -> None:
    """Every method of ours that calls ``super()`` finds one of that name."""
    above = ours.__mro__[1:]
    for name, method in vars(ours).items():
        if inspect.isfunction(method) and f"super().{name}(" in inspect.getsource(method):
            assert any(name in vars(kind) for kind in above), name
