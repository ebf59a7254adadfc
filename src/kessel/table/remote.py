"""A seat at a table of a server elsewhere: for terminals, bots and anything else that plays over the network."""

from __future__ import annotations

import http.client
import secrets
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from kessel.core.errors import BadInput, KesselError
from kessel.core.view import LogEntry, View
from kessel.table.addresses import parts
from kessel.table.answers import Taken
from kessel.table.differences import Difference, patched
from kessel.table.worker import Task

API = "/api/v1"
WAITS = (0.2, 0.5, 1, 2, 4, 8, 8, 8)
"""Seconds between attempts to reach a server that does not answer."""
NO_SEAT = 4403
FIRST_SECONDS = 4.0
"""So long one waits for a server that was never heard of before."""


class Unreachable(KesselError):
    """The server does not answer."""


class Busy(Unreachable):
    """The server answers that it cannot, for now."""


class Remote:
    """One server, and one seat at one of its tables if a token is given."""

    def __init__(self, base: str, table: str = "", token: str = "") -> None:
        self.base, self.table, self.token = base.rstrip("/"), table, token

    @classmethod
    def by_link(cls, link: str) -> Remote:
        """From a seat's link, `http://HOST:PORT/table/ID#TOKEN`."""
        remote, page = cls._read(link)
        if page != "table":
            raise BadInput("a seat's link looks like http://HOST:PORT/table/ID#TOKEN")
        return remote

    @classmethod
    def sit_down(cls, link: str) -> tuple[Remote, Taken | None]:
        """From a seat's link; or from an invitation, `/join/ID#CODE`, or a recovery link, `/recover/ID#CODE`: then
        with the token and the new recovery code it gave. The server must answer within seconds.
        """
        remote, page = cls._read(link)
        _promptly(lambda: remote.call("/server"))
        if page == "table":
            return remote, None
        code, remote.token = remote.token, remote.token if page == "join" else ""
        body = {"entropy": secrets.token_hex(32)} if page == "join" else {"recovery": code}
        taken: Taken = remote.call(remote._here(page), body, form=Taken)
        remote.token = taken.token
        return remote, taken

    @classmethod
    def _read(cls, link: str) -> tuple[Remote, str]:
        at = parts(link)
        page, _, table = at.path.strip("/").partition("/")
        known = page in ("table", "join", "recover")
        if at.scheme not in ("http", "https") or not at.netloc or not known or not table or not at.fragment:
            raise BadInput(
                "a seat's link looks like http://HOST:PORT/table/ID#TOKEN, an invitation like http://HOST:PORT/join/ID#CODE"
            )
        return cls(f"{at.scheme}://{at.netloc}", table, at.fragment), page

    # --- calls -----------------------------------------------------------------------------------------------------

    def call(self, path: str, body: Any = None, *, form: Any = Any, method: str | None = None) -> Any:
        """One call; Unreachable, or BadInput with the server's own sentence."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else msgspec.json.encode(body)
        try:
            asked = urllib.request.Request(self.base + API + path, data, headers, method=method)
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return msgspec.json.decode(answer.read(), type=form)
        except urllib.error.HTTPError as e:
            with e:
                error = _sentence(e.read()) or f"the server answered with status {e.code}"
            raise (Busy if e.code in (429, 503) else BadInput)(error) from None
        except msgspec.MsgspecError:
            raise BadInput("this is not a server of this kind") from None
        except (OSError, ValueError, http.client.HTTPException) as e:
            raise Unreachable(f"the server does not answer: {getattr(e, 'reason', e)}") from None

    def patiently(self, path: str, body: Any = None, *, form: Any = Any) -> Any:
        """The same, asked again and again while the server does not answer. Safe: a change carries an id."""
        for wait in WAITS:
            try:
                return self.call(path, body, form=form)
            except Unreachable:
                time.sleep(wait)
        return self.call(path, body, form=form)

    def _here(self, what: str) -> str:
        return f"/tables/{self.table}/{what}"

    def view(self) -> View:
        found: View = self.patiently(self._here("view"), form=View)
        return found

    def act(self, do: str, version: int) -> None:
        self.patiently(self._here("actions"), {"version": version, "id": uuid.uuid4().hex, "do": do})

    def undo(self, version: int) -> None:
        self.patiently(self._here("undo"), {"version": version, "id": uuid.uuid4().hex})

    def why(self, do: str) -> dict[str, str] | None:
        found: dict[str, dict[str, str] | None] = self.patiently(self._here("why"), {"do": do})
        return found["refusal"]

    def log(self, since: int = 0) -> list[LogEntry]:
        found: list[LogEntry] = self.patiently(self._here(f"log?since={since}"), form=list[LogEntry])
        return found

    def known(self) -> Task:
        found: Task = self.patiently(self._here("known"), form=Task)
        return found

    # --- the live connection ---------------------------------------------------------------------------------------

    def views(self) -> Iterator[View]:
        """The view now and after every change, until the game is over. A broken connection is made anew."""
        failures = 0
        while True:
            try:
                for view in self._live():
                    failures = 0
                    yield view
                    if view.question is None:
                        return
            except (OSError, InvalidHandshake, ConnectionClosed) as e:
                closed = e.rcvd if isinstance(e, ConnectionClosed) else None
                if closed is not None and closed.code == NO_SEAT:
                    raise BadInput(closed.reason or "this link gives no seat at this table") from None
                if failures == len(WAITS):
                    raise Unreachable("the server does not answer") from None
            time.sleep(WAITS[failures])
            failures += 1

    def _live(self) -> Iterator[View]:
        at = "ws" + self.base.removeprefix("http") + API + self._here("live")
        with connect(at, max_size=None, open_timeout=10) as socket:
            socket.send(msgspec.json.encode({"token": self.token, "differences": True}).decode())
            view: View | None = None
            for message in socket:
                doc = msgspec.json.decode(message, type=_Message)
                if doc.view is not None:
                    view = doc.view
                elif doc.difference is None:
                    continue
                elif view is not None and doc.difference.since == view.version:
                    view = patched(view, doc.difference)
                else:
                    socket.send('{"whole": true}')
                    continue
                yield view


def _promptly(ask: Callable[[], object]) -> None:
    """Unreachable when there is no answer within seconds, whatever it is that takes so long (also finding the name)."""
    failed: list[BaseException] = []

    def attempt() -> None:
        try:
            ask()
        except Exception as e:
            failed.append(e)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(FIRST_SECONDS)
    if thread.is_alive():
        raise Unreachable(f"the server does not answer: nothing came in {FIRST_SECONDS:g} seconds")
    if failed:
        raise failed[0]


class _Message(msgspec.Struct):
    view: View | None = None
    difference: Difference | None = None


def _sentence(raw: bytes) -> str:
    try:
        return str(msgspec.json.decode(raw)["error"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        return ""
