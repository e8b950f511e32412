"""What ``pip install parlour`` leaves out, and by which extra it comes: ``pip install 'parlour[server]'``."""

from __future__ import annotations

import importlib.util
from functools import cache

from parlour.engine.errors import ParlourError

EXTRA_OF = {
    "httpx": "client",
    "websockets": "client",
    "alembic": "server",
    "litestar": "server",
    "prometheus_client": "server",
    "resvg_py": "server",
    "sqlalchemy": "server",
    "uvicorn": "server",
    "uvloop": "server",
    "psycopg": "postgres",
    "cryptography": "push",
    "py_vapid": "push",
    "pywebpush": "push",
    "mcp": "mcp",
    "redis": "redis",
    "ray": "ray",
}


class MissingExtra(ParlourError, ImportError):
    """Something that is asked for needs more than is installed."""


def explain(error: ModuleNotFoundError) -> ImportError:
    """What to install, where the module that was not found belongs to an extra; else the error itself."""
    module = (error.name or "").partition(".")[0]
    if module not in EXTRA_OF:
        return error
    return MissingExtra(f"this needs {module}, which is not installed: pip install 'parlour[{EXTRA_OF[module]}]'")


@cache
def can_compile() -> bool:
    """Whether rules can be compiled here. In a browser they cannot: for that, there are neither Numba nor NumPy."""
    return importlib.util.find_spec("numba") is not None
