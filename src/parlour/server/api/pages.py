"""The pages: one document for all of them, which finds out by its address what to show, and what it loads."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from litestar import Router, get
from litestar.params import PathParameter
from litestar.response import Response

from parlour.server.api.access import Asked, Injected
from parlour.server.basics.errors import Refusal
from parlour.server.previews import words
from parlour.server.running.services import Services

BUILT = Path(__file__).parents[1] / "web"  # made by tools/web
HTML = "text/html"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
HOST = re.compile(r"[A-Za-z0-9._-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
NAME = re.compile(r"[A-Za-z0-9_.-]+")
FOREVER = "public, max-age=31536000, immutable"  # the name of a built file has a hash of its content
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Parlour</title>
<h1>Parlour is running, but its pages are not built</h1>
<p>Run <code>make setup</code> in the source folder, then load this page again. The API works without it.</p>
"""


def wants_page(request: Asked) -> bool:
    """Whether a browser asks for a page."""
    asks_html = "text/html" in request.headers.get("accept", "")
    return request.method == "GET" and asks_html and not request.url.path.startswith("/api/")


def page(base: str, status: int = 200, tags: str = "") -> Response[bytes]:
    """The one document. It is asked for again each time, so that nobody keeps an old one. ``tags`` are for its head."""
    index = BUILT / "index.html"
    if not index.is_file():
        return Response(NOT_BUILT.encode(), media_type=HTML, status_code=503)
    placed = _placed(index.read_text("utf-8"), base).replace("</head>", f"{tags}</head>", 1)
    return Response(placed.encode(), media_type=HTML, status_code=status, headers={"cache-control": "no-cache"})


def _placed(document: str, base: str) -> str:
    """The document, with what it loads found from every address, and told where the pages are."""
    return document.replace('"./', f'"{base}').replace("<html ", f'<html data-root="{base}" ', 1)


PATHS = ["/", "/tables", "/table/{name:str}"]
PATHS += [path for page in ("/replay", "/rules", "/learn") for path in (page, page + "/{name:str}")]


@get(PATHS, include_in_schema=False)
async def show_page(request: Asked, services: Injected[Services]) -> Response[bytes]:
    base, path = services.config.base_path, request.url.path
    language = words.language_of(request.headers.get("accept-language", ""))
    preview = await words.of_page(services.store, path, language, request.query_params.get("ply", ""))
    tags = words.tags(preview, f"{_origin(request)}{base}", path) if preview else ""
    return page(base, tags=tags)


def _origin(request: Asked) -> str:
    """The site that the request was for, as its sender knows it: a proxy that is trusted has said so."""
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if HOST.fullmatch(host) else ""


@get("/assets/{name:str}", include_in_schema=False)
async def asset(request: Asked, name: Annotated[str, PathParameter(max_length=200)]) -> Response[bytes]:
    return _built(request, BUILT / "assets", name, FOREVER)


@get("/favicon.svg", include_in_schema=False)
async def favicon(request: Asked) -> Response[bytes]:
    return _built(request, BUILT, "favicon.svg", "public, max-age=86400")


@get("/icons/{name:str}", include_in_schema=False)
async def icon(request: Asked, name: Annotated[str, PathParameter(max_length=200)]) -> Response[bytes]:
    return _built(request, BUILT / "icons", name, "public, max-age=86400")


@get("/manifest.webmanifest", include_in_schema=False)
async def manifest(request: Asked) -> Response[bytes]:
    return _built(request, BUILT, "manifest.webmanifest", "public, max-age=86400")


@get("/worker.js", include_in_schema=False)
async def worker(request: Asked) -> Response[bytes]:
    """At the root, so that all pages are its own; asked for again each time, so that nobody keeps an old one."""
    return _built(request, BUILT, "worker.js", "no-cache")


def _built(request: Asked, folder: Path, name: str, keep: str) -> Response[bytes]:
    """A built file. Its name has plain letters only, so it cannot lead out of the folder."""
    file = folder / name
    kind = TYPES.get(file.suffix)
    if kind is None or not NAME.fullmatch(name) or not file.is_file():
        raise Refusal("not_found", "there is no such file")
    headers = {"cache-control": keep, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.read_bytes(), media_type=kind, headers=headers)
    compressed = packed(file, file.stat().st_mtime)
    return Response(compressed, media_type=kind, headers={**headers, "content-encoding": "gzip"})


@lru_cache(256)
def packed(file: Path, changed: float) -> bytes:
    """The file, compressed once: compressing the largest takes longer than a hundred answers."""
    return gzip.compress(file.read_bytes())


ROUTER = Router("/", route_handlers=[show_page, asset, favicon, icon, manifest, worker])
