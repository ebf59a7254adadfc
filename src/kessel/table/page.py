"""The page: the built client, each file compressed once, here or when it was built (.br)."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi import FastAPI, Request, Response

from kessel.table.answers import as_json

STATIC = Path(__file__).parent / "static"
PACKED = ("text/", "application/json", "application/javascript", "image/svg")
LONG = "public, max-age=31536000, immutable"


@lru_cache(maxsize=256)
def _file(path: Path, _changed: int) -> tuple[bytes, bytes | None, str]:
    """A file's content, the same compressed where that helps, and its type."""
    raw = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return raw, gzip.compress(raw, 9, mtime=0) if kind.startswith(PACKED) else None, kind


def _answer(request: Request, path: Path, cache: str) -> Response:
    raw, packed, kind = _file(path, path.stat().st_mtime_ns)
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    taken = {word.partition(";")[0].strip() for word in request.headers.get("accept-encoding", "").split(",")}
    smallest = path.with_name(f"{path.name}.br")
    if "br" in taken and smallest.is_file():
        body, _, _ = _file(smallest, smallest.stat().st_mtime_ns)
        return Response(body, media_type=kind, headers=headers | {"Content-Encoding": "br"})
    if packed is not None and "gzip" in taken:
        return Response(packed, media_type=kind, headers=headers | {"Content-Encoding": "gzip"})
    return Response(raw, media_type=kind, headers=headers)


def add_page(app: FastAPI, static: Path = STATIC) -> None:
    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        if path.startswith("api/"):
            return as_json({"error": "there is no such call", "rule": ""}, 404)
        index, wanted = static / "index.html", _inside(static, path)
        if wanted is not None:
            return _answer(request, wanted, LONG if path.startswith("assets/") else "no-cache")
        if not index.is_file():
            return Response("The page is not built; run `make play`.", 503, media_type="text/plain")
        return _answer(request, index, "no-cache")


def _inside(static: Path, path: str) -> Path | None:
    """The file of that name, if there is one and it is part of the client."""
    if not path or "\0" in path:
        return None
    try:
        wanted = (static / path).resolve()
        return wanted if wanted.is_relative_to(static.resolve()) and wanted.is_file() else None
    except (OSError, RuntimeError):  # a name no system of files can have
        return None
