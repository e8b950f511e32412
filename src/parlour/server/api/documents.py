"""The documentation at ``/docs``, where it has been built: plain files, the same for everybody."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path

from litestar import Router, get
from litestar.params import FromPath
from litestar.response import Redirect, Response

from parlour.server.api.access import Asked, Injected
from parlour.server.api.pages import HTML, packed
from parlour.server.basics.errors import Refusal
from parlour.server.running.services import Services

BUILT = Path(__file__).parents[1] / "docs"  # made by ``make docs``
TYPES = {
    ".html": HTML,
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
# Scripts that stand in a page are allowed one by one, by their hashes; the theme sets styles of single elements.
POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
INLINE = re.compile(rb"<script>(.*?)</script>", re.S)


@get("/docs", include_in_schema=False)
async def front(services: Injected[Services]) -> Redirect:
    return Redirect(f"{services.config.base_path}docs/index.html")


@get("/docs/{path:path}", include_in_schema=False)
async def document(request: Asked, path: FromPath[Path]) -> Response[bytes]:
    """A file of the build, by its exact path: whatever else is asked for is not there."""
    if not BUILT.is_dir():
        raise Refusal("not_found", "the documentation is not built: make docs does that")
    file = _files(BUILT).get(str(path).lstrip("/"))
    if file is None or not file.is_file():
        raise Refusal("not_found", "there is no such page")
    body, policy = _page(file, file.stat().st_mtime)
    headers = {"cache-control": "no-cache", "vary": "accept-encoding", "content-security-policy": policy}
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = packed(file, file.stat().st_mtime), "gzip"
    return Response(body, media_type=TYPES[file.suffix], headers=headers)


@lru_cache(1)
def _files(folder: Path) -> dict[str, Path]:
    """All files that may be asked for, by their paths in addresses."""
    return {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.suffix in TYPES}


@lru_cache(64)
def _page(file: Path, changed: float) -> tuple[bytes, str]:
    """The file, and what its page may do."""
    body = file.read_bytes()
    digests = [hashlib.sha256(script).digest() for script in INLINE.findall(body)] if file.suffix == ".html" else []
    return body, POLICY.format(scripts="".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in digests))


ROUTER = Router("/", route_handlers=[front, document])
