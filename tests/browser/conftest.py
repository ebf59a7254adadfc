"""A real server in its own process and a real Chromium; the tests are skipped without Chromium or the built page."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.get_browser import find

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src/kessel/table/static/index.html"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A headless browser now and then draws no frame for a minute: what failed is tried once more, in another."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed and "chromium" in item.funcargs:
        item.funcargs["chromium"].is_in_doubt = True
    return report


class Chromium:
    """A browser, started anew after a test that failed: one that draws nothing goes on drawing nothing."""

    def __init__(self, launch: Callable[[], Any]) -> None:
        self.launch = launch
        self.browser = launch()
        self.is_in_doubt = False

    def new_context(self, **options: Any) -> Any:
        if self.is_in_doubt:
            self.close()
            self.browser, self.is_in_doubt = self.launch(), False
        return self.browser.new_context(**options)

    def close(self) -> None:
        self.browser.close()


class Server:
    """The table's server as a process that can be killed and started again."""

    def __init__(self, database: Path) -> None:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port: int = s.getsockname()[1]
        self.database = database
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.browser.serve", str(self.port), str(self.database)]
        told = self.database.with_suffix(".log")
        with told.open("ab") as out:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
        for _ in range(200):
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/api/v1/games"):
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise AssertionError(f"the server does not start: {told.read_text()[-400:]}")

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def call(self, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}/api/v1{path}", data, headers)) as answer:
            return json.load(answer)

    def table(self, game: str, scenario: str, **seats: str) -> Any:
        return self.call("/tables", {"game": game, "scenario": scenario, "seed": 1, "seats": seats})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests of a module: each plays at its own table."""
    found = Server(tmp_path_factory.mktemp("server") / "tables.db")
    found.start()
    yield found
    found.kill()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    found = find()
    if found is None:
        pytest.skip("there is no Chromium on this machine: `make browser` or `apt-get install chromium`")
    path, environment = found
    if not PAGE.is_file():
        pytest.skip("the page is not built: python web/build.py")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        env = {**os.environ, **environment}
        browser = Chromium(lambda: playwright.chromium.launch(executable_path=path, args=FLAGS, env=env))
        yield browser
        browser.close()


class Pages:
    """Opens pages, and fails the test if one of them reports an error."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.contexts: list[Any] = []
        self.errors: list[str] = []

    def open(self, url: str, **options: Any) -> Any:
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(45000)
        page.on("pageerror", lambda e: self.errors.append(str(e)))
        page.goto(url)
        return page


@pytest.fixture
def pages(chromium: Any) -> Iterator[Pages]:
    found = Pages(chromium)
    yield found
    for context in found.contexts:
        context.close()
    assert found.errors == []
