"""A whole turn of Fall Blau and a whole Initial Assault, played in a real browser by clicking alone.

The person does what the page suggests, on the map wherever the map offers it. `KESSEL_PICTURES=FOLDER` keeps pictures
of the situations on the way. Run it with `python -m pytest -m "browser and slow" tests/browser/test_whole.py`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import Person

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PICTURES = os.environ.get("KESSEL_PICTURES", "")


class Album:
    """One picture of every kind of situation."""

    def __init__(self, page: Any, name: str) -> None:
        self.page, self.name = page, name
        self.taken: Counter[str] = Counter()

    def take(self, kind: str) -> None:
        kind = re.sub(r"[^a-z]+", "-", kind.lower()).strip("-")[:60]
        self.taken[kind] += 1
        if PICTURES and self.taken[kind] <= 2:
            folder = Path(PICTURES)
            folder.mkdir(parents=True, exist_ok=True)
            self.page.wait_for_timeout(400)
            self.page.screenshot(path=folder / f"{self.name}-{kind}-{self.taken[kind]}.png")


def start(server: Server, pages: Pages, game: str, seats: dict[str, str]) -> Any:
    """From the first page, as a newcomer would."""
    page = pages.open(server.url)
    page.locator("article", has_text=game).get_by_role("button", name="begin here").click()
    for side, who in seats.items():
        page.get_by_label(f"{side} is played by").select_option(label=who)
    page.get_by_text("Options and dice").click()
    page.get_by_label("Seed of the dice").fill("1")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".piece use, .over > .block")
    return page


def question(person: Person) -> str:
    """The prompt without its rule number, hex and units."""
    text = person.prompt().split("your decision")[-1]
    return re.split(r"[.] ", text.strip())[0]


def test_a_whole_turn_of_fall_blau(server: Server, pages: Pages) -> None:
    page = start(server, pages, "Stalingrad", {"Axis": "me", "Soviet": "me"})
    me, album = Person(page), Album(page, "fall-blau")
    hows: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    me.settle()
    while "Turn 1" in page.locator(".turn").inner_text() and sum(hows.values()) < 1500:
        asked[question(me)] += 1
        album.take(question(me))
        hows[me.do(me.suggestion())] += 1
        me.settle()
    assert "Turn 2" in page.locator(".turn").inner_text()
    assert hows["map"] > hows["button"] + hows["list"], hows
    assert hows["list"] < 0.1 * hows.total(), hows
    assert any("attack" in a for a in asked), asked
    print(hows, asked)


def test_a_whole_initial_assault(server: Server, pages: Pages) -> None:
    page = start(server, pages, "Kharkov", {})
    me, album = Person(page), Album(page, "initial-assault")
    hows: Counter[str] = Counter()
    me.settle()
    while not me.over:
        album.take(question(me))
        hows[me.do(me.suggestion())] += 1
        if page.locator(".prompt button", has_text="Skip to now").count():
            album.take("what the Soviet system does")
        me.settle()
        assert hows.total() < 1500
    album.take("the end")
    assert "wins" in me.prompt()
    assert hows["map"], hows
    print(hows)
