"""HTTP with limits: who sends a request's head or body too slowly, or does not take the answer, is cut off, and so is
who opens more connections than anybody needs."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from kessel.table.addresses import counted_as, is_one_of

TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def impatient(head: float, body: float, most: int, proxies: tuple[str, ...]) -> type[asyncio.Protocol]:
    """The protocol of a server that waits so many seconds for a request's head, and for all of it, and takes so many
    connections from one address; from proxies any number."""
    limits = {"head_seconds": head, "body_seconds": body, "most": most, "proxies": proxies, "open": Counter()}
    return type("Impatient", (Impatient,), limits)


class Impatient(H11Protocol):
    head_seconds = 10.0
    body_seconds = 30.0
    most = 200
    proxies: tuple[str, ...] = ()
    open: ClassVar[Counter[str]] = Counter()
    """Connections by address; those that have become live ones are not counted any more."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._part = ""
        """What is waited for: a request's head, its body, or nothing."""
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        peer = str((transport.get_extra_info("peername") or ("",))[0])
        self._address = counted_as(peer)
        self.open[self._address] += 1
        if self.open[self._address] > self.most and not is_one_of(peer, self.proxies):
            transport.abort()
        else:
            self._wait_for("head")

    def _is_gone(self) -> None:
        self.open[self._address] -= 1
        if not self.open[self._address]:
            del self.open[self._address]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        state = self.conn.their_state
        if state is h11.IDLE and self.conn.trailing_data[0]:
            self._wait_for("head")
        elif state is h11.SEND_BODY:
            self._wait_for("body")
        else:
            self._wait_for("")

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._wait_for("")
        self._stop_waiting()
        self._is_gone()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_for("")
        self._stop_waiting()
        self._is_gone()
        super().connection_lost(exc)

    def _wait_for(self, part: str) -> None:
        if part == self._part:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._part = part
        if part and not self.transport.is_closing():
            seconds = self.head_seconds if part == "head" else self.body_seconds
            self._timer = self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        if self._part == "head":
            self.transport.write(TOO_LATE)
            self.transport.close()
        else:
            self.transport.abort()
