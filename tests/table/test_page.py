"""The page's files as they are sent: compressed as the browser takes it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from kessel.table.page import add_page

SCRIPT = b"console.log('kessel');" * 200


@pytest.fixture
def page(tmp_path: Path) -> TestClient:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/app.js").write_bytes(SCRIPT)
    (tmp_path / "assets/app.js.br").write_bytes(b"made when the page was built")
    (tmp_path / "assets/app.css").write_text("b {}")
    app = FastAPI()
    add_page(app, tmp_path)
    return TestClient(app)


@pytest.mark.parametrize("takes", ["gzip, deflate, br, zstd", "br;q=1.0, gzip"])
def test_the_smallest_is_sent_to_who_takes_it(page: TestClient, takes: str) -> None:
    with page.stream("GET", "/assets/app.js", headers={"Accept-Encoding": takes}) as answer:
        assert b"".join(answer.iter_raw()) == b"made when the page was built"
    assert answer.headers["content-encoding"] == "br"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["vary"] == "Accept-Encoding"


def test_others_get_it_as_they_can_read_it(page: TestClient) -> None:
    with page.stream("GET", "/assets/app.js", headers={"Accept-Encoding": "gzip"}) as packed:
        assert gzip.decompress(b"".join(packed.iter_raw())) == SCRIPT
    assert packed.headers["content-encoding"] == "gzip"
    plain = page.get("/assets/app.js", headers={"Accept-Encoding": "identity"})
    assert plain.content == SCRIPT
    assert "content-encoding" not in plain.headers


def test_what_was_not_made_smaller_is_compressed_when_it_is_asked_for(page: TestClient) -> None:
    answer = page.get("/assets/app.css", headers={"Accept-Encoding": "br, gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.text == "b {}"
