"""Strangers who misbehave: a flood of creations, requests half sent, odd headers, for so many seconds.

    python -m tests.table.mischief PORT SECONDS

A process of its own, so that whoever is measured meanwhile waits for the server alone. It prints what it has done.
"""

from __future__ import annotations

import json
import random
import socket
import sys
import threading
import time

from tests.table.people import GAME, SCENARIO

BODY = {"game": GAME.id, "scenario": SCENARIO}
HALVES = 1500
"""So many requests are half sent at once, from one address, and"""
AGAIN = 150
"""so many a second again in the place of those the server has closed."""
HALF = {
    "nothing": b"",
    "half a head": b"GET /api/v1/tables HTTP/1.1\r\nHost: x\r\n",
    "half a body": b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    "half a second head": b"GET /api/v1/server HTTP/1.1\r\nHost: x\r\n\r\nGET /api/v1/tables HT",
    "a body too long": b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n{",
}
ODD_VALUES = (
    *("http://[", "http://[::1", "[", "a" * 5000, "", "9" * 5000, "-1", "http://a:b", "bearer x", "Bearer http://["),
)
ODD_BYTES = (b"\xff\xfe", b"\xb2", b"\x00")
HEADERS = ("Origin", "Host", "Authorization", "Content-Length", "Content-Type", "Accept-Encoding", "X-Forwarded-For")
"""Headers that are sent with odd values."""


class Mischief:
    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.until = port, time.monotonic() + seconds
        self.counted = {"created": 0, "refused": 0, "half sent": 0, "kept open": 0, "odd": 0, "errors": 0}

    def work(self) -> dict[str, int]:
        works = [self.flood, self.flood, self.dawdle, self.oddly]
        threads = [threading.Thread(target=work, args=(n,)) for n, work in enumerate(works, start=1)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        return self.counted

    def connected(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10, source_address=(source, 0))

    def answer(self, raw: bytes, source: str = "127.0.0.1") -> bytes:
        """The beginning of the answer; nothing if the connection is closed instead."""
        try:
            with self.connected(source) as s:
                s.sendall(raw)
                return s.recv(100)
        except OSError:
            return b""

    def flood(self, n: int) -> None:
        """Creations from many addresses, one after the other without a pause."""
        raw = json.dumps(BODY).encode()
        kind = f"Content-Type: application/json\r\nContent-Length: {len(raw)}"
        head = f"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{kind}\r\n\r\n".encode()
        rng = random.Random(n)
        while time.monotonic() < self.until:
            answer = self.answer(head + raw, f"127.0.{n}.{rng.randint(1, 8)}")
            self.counted["created" if answer.startswith(b"HTTP/1.1 201") else "refused"] += 1

    def dawdle(self, _: int) -> None:
        """Requests half sent; of those the server has closed some are sent half again."""
        open_now: list[socket.socket] = []
        more = HALVES
        while time.monotonic() < self.until:
            for _ in range(min(more, HALVES - len(open_now))):
                try:
                    s = self.connected("127.0.9.1")
                    open_now.append(s)
                    s.sendall(list(HALF.values())[self.counted["half sent"] % len(HALF)])
                except OSError:
                    continue
                self.counted["half sent"] += 1
            time.sleep(1)
            open_now = [s for s in open_now if is_open(s)]
            self.counted["kept open"] = max(self.counted["kept open"], len(open_now))
            more = AGAIN
        for s in open_now:
            s.close()

    def oddly(self, _: int) -> None:
        """Odd values in every header."""
        every = [(h, v) for h in HEADERS for v in (*(v.encode() for v in ODD_VALUES), *ODD_BYTES)]
        while time.monotonic() < self.until:
            header, value = every[self.counted["odd"] % len(every)]
            head = b"GET /api/v1/server HTTP/1.1\r\n" + (b"" if header == "Host" else b"Host: x\r\n")
            answer = self.answer(head + header.encode() + b": " + value + b"\r\nConnection: close\r\n\r\n", "127.0.8.1")
            self.counted["odd"] += 1
            self.counted["errors"] += answer.startswith(b"HTTP/1.1 5")


def is_open(s: socket.socket) -> bool:
    """Whether the other side has not closed a connection; what it has said is read."""
    s.setblocking(False)
    try:
        while s.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass
    s.close()
    return False


if __name__ == "__main__":
    print(json.dumps(Mischief(int(sys.argv[1]), float(sys.argv[2])).work()))
