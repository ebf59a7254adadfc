"""The door of the server: limits, headers, and an error document for everything that goes wrong."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kessel.core.errors import IllegalAction, KesselError
from kessel.table.answers import as_json
from kessel.table.rooms import NoTable, RulesFailed
from kessel.table.settings import Settings
from kessel.table.store import Stale, StoreFailed

log = structlog.get_logger()
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Refused(Exception):
    """A request that is answered with an error document; `view` is the seat's view as JSON."""

    def __init__(self, status: int, error: str, rule: str = "", view: bytes | None = None) -> None:
        super().__init__(error)
        self.status, self.error, self.rule, self.view = status, error, rule, view

    @property
    def doc(self) -> dict[str, Any]:
        doc: dict[str, Any] = {"error": self.error, "rule": self.rule}
        return doc if self.view is None else doc | {"view": msgspec.Raw(self.view)}


class Pace:
    """So many requests a minute from one address: a bucket that fills again all the time."""

    def __init__(self, a_minute: int) -> None:
        self.most, self.a_second = float(a_minute), a_minute / 60
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, who: str) -> bool:
        now = time.monotonic()
        left, at = self._left.get(who, (self.most, now))
        left = min(self.most, left + (now - at) * self.a_second)
        self._left[who] = (max(left - 1, 0.0), now)
        if len(self._left) > 10_000:
            self._left = {w: x for w, x in self._left.items() if now - x[1] < 60}
        return left >= 1


class Door:
    """Limits every request and logs it. Paths carry no tokens; bodies and headers are never logged."""

    def __init__(self, app: ASGIApp, config: Settings) -> None:
        self.app, self.config = app, config
        self.pace = Pace(config.requests_a_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": refused.error})
                return
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if refused is not None:
            await as_json(refused.doc, refused.status)(scope, receive, sent)
        else:
            await self.app(scope, receive, sent)
        took = round((time.perf_counter() - begun) * 1e3, 1)
        log.info("request", method=scope["method"], path=scope["path"], status=status, ms=took)

    def _refusal(self, scope: Scope) -> Refused | None:
        headers, config = Headers(scope=scope), self.config
        host = headers.get("host", "")
        if config.hosts and _name(host) not in config.hosts:
            return Refused(403, "this server is not found under that name")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return Refused(403, "requests from pages of other servers are refused")
        client = scope.get("client")
        if not self.pace.allows(client[0] if client else ""):
            return Refused(429, "too many requests; wait a little")
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdecimal() or int(length) > config.most_body:
            return Refused(413, f"a request's body may have {config.most_body} bytes, and must say how many it has")
        return None


def _name(host: str) -> str:
    """A host without its port."""
    return host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host


def add_errors(app: FastAPI) -> None:
    """Every failure is answered by `{"error": sentence, "rule": number}`."""

    def answer(status: int, error: str) -> Response:
        return as_json({"error": error, "rule": ""}, status)

    @app.exception_handler(Refused)
    async def refused(_: Request, e: Refused) -> Response:
        return as_json(e.doc, e.status)

    @app.exception_handler(KesselError)
    async def bad(request: Request, e: KesselError) -> Response:
        if isinstance(e, NoTable):
            return answer(404, str(e))
        if isinstance(e, StoreFailed):
            log.error("store failed", path=request.url.path, error=str(e))
            return answer(503, str(e))
        if isinstance(e, RulesFailed):
            return answer(500, str(e))
        return answer(409 if isinstance(e, IllegalAction | Stale) else 400, str(e))

    @app.exception_handler(RequestValidationError)
    async def wrong_form(_: Request, e: RequestValidationError) -> Response:
        first = e.errors()[0]
        return answer(422, f"{'.'.join(str(x) for x in first['loc'])}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def http(_: Request, e: HTTPException) -> Response:
        return answer(e.status_code, str(e.detail))

    @app.exception_handler(Exception)
    async def failed(request: Request, e: Exception) -> Response:
        log.error("failed", path=request.url.path, error=repr(e), exc_info=e)
        return answer(500, "something went wrong on the server; it has been logged")
