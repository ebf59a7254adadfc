"""Turn notices by webhook and mail: who gets them, what is in them, and that play never waits for them."""

from __future__ import annotations

import asyncio
import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.core.errors import BadInput
from kessel.table.notify import Notice, Notifying, Smtp, parse_smtp, post
from tests.table.people import GAME, Seat, asked, new_table, server

FIRST, SECOND = (GAME.sides[i] for i in GAME.played)
NOTICE = Notice("t", "g", "s", "name", "1", "axis", 1, "prompt", "", "text")


class Hook:
    """A web server that takes notices."""

    def __init__(self, *, fails: int = 0, waits: float = 0) -> None:
        self.got: list[dict[str, Any]] = []
        self.asked = 0
        self.fails, self.waits = fails, waits

    @contextmanager
    def listening(self) -> Iterator[str]:
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.asked += 1
                time.sleep(hook.waits)
                fails = hook.asked <= hook.fails
                if not fails:
                    hook.got.append(json.loads(body))
                self.send_response(500 if fails else 204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=httpd.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{httpd.server_address[1]}/told?secret=key"
        finally:
            httpd.shutdown()
            httpd.server_close()
            thread.join()

    def wait(self, n: int = 1, seconds: float = 10) -> None:
        until = time.monotonic() + seconds
        while len(self.got) < n:
            assert time.monotonic() < until, f"{len(self.got)} of {n} notices came"
            time.sleep(0.01)


def play_until_other_is_asked(seats: dict[str, Seat]) -> tuple[str, str]:
    """Who acted last, and who is asked now."""
    for _ in range(400):
        seat, view = asked(seats)
        after = seat.act(view["question"]["choices"][-1]["text"], view["version"]).json()["view"]
        if after["question"]["side"] != view["seat"]:
            return view["seat"], after["question"]["side"]
    pytest.fail("the other side is never asked")


def hooks(**changes: Any) -> Notifying:
    return Notifying(webhooks=True, anywhere=True, link="https://play.example/", waits=(0.05, 0.05), **changes)


def test_a_person_is_told_by_webhook_after_anothers_action(tmp_path: Path) -> None:
    hook = Hook()
    with hook.listening() as url, server(tmp_path, notify=hooks()) as client:
        table, seats = new_table(client)
        for side in (FIRST, SECOND):
            assert seats[side].post("notify", webhook=url).json() == {"webhook": url}
        _, now = play_until_other_is_asked(seats)
        hook.wait()
        notice = hook.got[0]
        assert notice["table"] == table
        assert notice["side"] == now
        assert notice["prompt"] == seats[now].view()["question"]["prompt"]
        assert notice["version"] == seats[now].view()["version"]
        assert notice["link"] == f"https://play.example/table/{table}"
        text = json.dumps(hook.got)
        assert not any(s.headers["Authorization"].removeprefix("Bearer ") in text for s in seats.values())
        time.sleep(0.1)
        assert len(hook.got) == 1, "one's own actions are told to nobody"


def test_who_is_at_the_table_is_not_told(tmp_path: Path) -> None:
    hook = Hook()
    with hook.listening() as url, server(tmp_path, notify=hooks()) as client:
        table, seats = new_table(client)
        for side in (FIRST, SECOND):
            seats[side].post("notify", webhook=url)
        first = asked(seats)[1]["seat"]
        other = SECOND if first == FIRST else FIRST
        with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
            socket.send_json({"token": seats[other].headers["Authorization"].removeprefix("Bearer ")})
            socket.receive_json()
            assert play_until_other_is_asked(seats) == (first, other)
        play_until_other_is_asked(seats)
        hook.wait()
        assert {n["side"] for n in hook.got} == {first}


def test_a_failing_hook_is_tried_again_and_nothing_waits_for_it(tmp_path: Path) -> None:
    hook = Hook(fails=2, waits=0.3)
    with hook.listening() as url, server(tmp_path, notify=hooks()) as client:
        _, seats = new_table(client)
        for side in (FIRST, SECOND):
            seats[side].post("notify", webhook=url)
        begun = time.monotonic()
        play_until_other_is_asked(seats)
        assert not hook.got
        seat, view = asked(seats)
        assert seat.act(view["question"]["choices"][0]["text"], view["version"]).status_code == 200
        assert time.monotonic() - begun < 3
        hook.wait()
        assert hook.asked >= 3


def test_a_person_is_told_by_mail(tmp_path: Path) -> None:
    smtpd = pytest.importorskip("aiosmtpd.smtp")
    mails: list[str] = []

    class Keep:
        async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
            mails.append(envelope.rcpt_tos[0] + "\n" + envelope.content.decode())
            return "250 OK"

    loop = asyncio.new_event_loop()
    made = loop.run_until_complete(loop.create_server(lambda: smtpd.SMTP(Keep(), loop=loop), "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        smtp = Smtp("127.0.0.1", made.sockets[0].getsockname()[1], "kessel@example.org", encryption="none")
        with server(tmp_path, notify=Notifying(smtp=smtp, link="https://play.example")) as client:
            _, seats = new_table(client)
            for side in (FIRST, SECOND):
                assert seats[side].post("notify", mail=f"{side}@example.org").status_code == 200
            _, now = play_until_other_is_asked(seats)
            until = time.monotonic() + 10
            while not mails and time.monotonic() < until:
                time.sleep(0.01)
    finally:
        loop.call_soon_threadsafe(made.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
    assert mails[0].startswith(f"{now}@example.org\n")
    assert f"Subject: {GAME.name}: your turn" in mails[0]
    assert "https://play.example/table/" in mails[0]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"webhook": "ftp://example.org"}, "http or https"),
        ({"webhook": "nonsense"}, "http or https"),
        ({"mail": "nobody"}, "no mail address"),
        ({"mail": "a@example.org\nBcc: b@example.org"}, "no mail address"),
    ],
)
def test_a_bad_address_is_refused(tmp_path: Path, body: dict[str, str], says: str) -> None:
    with server(tmp_path, notify=hooks(smtp=Smtp("127.0.0.1", 25, "a@example.org"))) as client:
        _, seats = new_table(client)
        answer = seats[FIRST].post("notify", **body)
        assert answer.status_code == 400
        assert says in answer.json()["error"]
        assert seats[FIRST].get("notify").json() == {}


def test_a_server_without_mail_or_hooks_says_so(client: TestClient) -> None:
    _, seats = new_table(client)
    assert "sends no webhooks" in seats[FIRST].post("notify", webhook="https://example.org").json()["error"]
    assert "sends no mail" in seats[FIRST].post("notify", mail="a@example.org").json()["error"]
    told = client.get("/api/v1/server").json()
    assert not told["webhooks"]
    assert not told["mail"]


def test_hooks_of_a_shared_server_do_not_reach_into_its_own_network(tmp_path: Path) -> None:
    hook = Hook()
    with hook.listening() as url, server(tmp_path, notify=Notifying(webhooks=True, waits=())) as client:
        _, seats = new_table(client)
        for side in (FIRST, SECOND):
            seats[side].post("notify", webhook=url)
        play_until_other_is_asked(seats)
        time.sleep(0.3)
        assert hook.asked == 0


class Nobody:
    """Takes a connection and says nothing of it to the outside."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.reached: list[tuple[str, int]] = []

    def lookup(self, *answers: str) -> Any:
        """A name whose address changes with every question."""
        left = iter(answers)

        def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
            self.asked.append(host)
            return [(2, 1, 6, "", (next(left), port))]

        return getaddrinfo

    def connect(self, address: tuple[str, int], **_: Any) -> Any:
        self.reached.append(address)
        raise ConnectionRefusedError


@pytest.mark.parametrize("url", ["http://hook.example/x", "https://hook.example:8443/x"])
def test_a_webhook_goes_to_the_very_address_that_was_looked_at(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = Nobody()
    monkeypatch.setattr("socket.getaddrinfo", nobody.lookup("93.184.216.34", "127.0.0.1"))
    monkeypatch.setattr("socket.create_connection", nobody.connect)
    with pytest.raises(ConnectionRefusedError):
        post(url, NOTICE, anywhere=False)
    assert nobody.asked == ["hook.example"], "the name is looked up once"
    assert nobody.reached == [("93.184.216.34", 8443 if "8443" in url else 80)]


INSIDE = ("127.0.0.1", "10.1.2.3", "169.254.169.254", "0.0.0.0", "224.0.0.1", "100.64.0.1", "::1", "fe80::1", "fd00::1")
WRAPPED = ("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "ff02::1")


@pytest.mark.parametrize("address", INSIDE + WRAPPED)
def test_no_webhook_goes_to_an_address_inside(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = Nobody()
    monkeypatch.setattr("socket.getaddrinfo", nobody.lookup(address))
    monkeypatch.setattr("socket.create_connection", nobody.connect)
    with pytest.raises(BadInput, match="inside this network"):
        post("http://hook.example/x", NOTICE, anywhere=False)
    assert nobody.reached == []


def test_mail_settings_are_read() -> None:
    assert parse_smtp("smtp://me:p%40ss@mail.example:2525/me@example.org") == Smtp(
        "mail.example", 2525, "me@example.org", "me", "p@ss"
    )
    assert parse_smtp("smtps://mail.example/a@b.example").encryption == "tls"
    for bad in (
        "smtp://[",
        "mail.example",
        "smtp://mail.example",
        "http://mail.example/a@b",
        "smtp://mail.example:x/a@b",
    ):
        with pytest.raises(BadInput, match="mail is set up as"):
            parse_smtp(bad)
