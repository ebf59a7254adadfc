"""The door of the server: limits, headers, and an error document for everything that goes wrong."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kessel.core.errors import IllegalAction, KesselError
from kessel.table.addresses import address_of, parts, sender
from kessel.table.answers import as_json
from kessel.table.kinds import NoTable, NotYours, RulesFailed
from kessel.table.settings import Settings
from kessel.table.store import Stale, StoreFailed

log = structlog.get_logger()
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
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


MOST_KNOWN = 10_000
MOST_DIGITS = 12


class Pace:
    """So many requests a minute from one address: a bucket that fills again all the time. Of very many addresses
    those that have not been seen for the longest time are forgotten.
    """

    def __init__(self, a_minute: int) -> None:
        self.most, self.a_second = float(a_minute), a_minute / 60
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, who: str) -> bool:
        now = time.monotonic()
        left, at = self._left.pop(who, (self.most, now))
        left = min(self.most, left + (now - at) * self.a_second)
        self._left[who] = (max(left - 1, 0.0), now)
        if len(self._left) > MOST_KNOWN:
            del self._left[next(iter(self._left))]
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
        scope = {**scope, "client": (sender(scope, self.config.proxies), 0)}
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        if refused is not None:
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": refused.error})
            return
        try:
            await self.app(scope, receive, send)
        except Exception as e:  # whatever it is, it is told in one line of the log
            log.error("failed", path=scope["path"], error=repr(e), exc_info=e)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, status = time.perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refusal(scope)
        try:
            if refused is not None:
                await as_json(refused.doc, refused.status)(scope, receive, sent)
            else:
                await self.app(scope, receive, sent)
        except Exception as e:
            log.error("failed", path=scope["path"], error=repr(e), exc_info=e)
            if not status:
                failed = {"error": "something went wrong on the server; it has been logged", "rule": ""}
                await as_json(failed, 500)(scope, receive, sent)
        took = round((time.perf_counter() - begun) * 1e3, 1)
        log.info("request", method=scope["method"], path=scope["path"], status=status, ms=took)

    def _refusal(self, scope: Scope) -> Refused | None:
        headers, config = Headers(scope=scope), self.config
        host = headers.get("host", "")
        if config.hosts and _name(host) not in config.hosts:
            return Refused(403, "this server is not found under that name")
        origin = headers.get("origin")
        if origin is not None and (not host or parts(origin).netloc != host):
            return Refused(403, "requests from pages of other servers are refused")
        if not self.pace.allows(address_of(scope)):
            return Refused(429, "too many requests; wait a little")
        length = headers.get("content-length", "0")
        most = config.most_record if scope["path"] == "/api/v1/import" else config.most_body
        long = len(length) > MOST_DIGITS or not length.isdecimal() or int(length) > most
        if long or "transfer-encoding" in headers:
            return Refused(413, f"a request's body may have {most} bytes, and must say how many it has")
        return None


def _name(host: str) -> str:
    """A host without its port."""
    return host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host


def add_errors(app: FastAPI) -> None:
    """Every refusal is answered by `{"error": sentence, "rule": number}`; the door catches what nobody thought of."""

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
            log.error("store failed", path=request.url.path, error=str(e), detail=e.detail)
            return answer(503, str(e))
        if isinstance(e, RulesFailed):
            return answer(500, str(e))
        if isinstance(e, NotYours):
            return answer(403, str(e))
        return answer(409 if isinstance(e, IllegalAction | Stale) else 400, str(e))

    @app.exception_handler(RequestValidationError)
    async def wrong_form(_: Request, e: RequestValidationError) -> Response:
        first = e.errors()[0]
        told = f"{'.'.join(str(x) for x in first['loc'])}: {first['msg']}"
        return answer(422, told.encode("utf-8", "replace").decode())

    @app.exception_handler(HTTPException)
    async def http(_: Request, e: HTTPException) -> Response:
        return answer(e.status_code, str(e.detail))
