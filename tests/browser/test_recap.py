"""The enemy's turn is told: by itself to who comes back, the same after a reload, and never begun anew by a push."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.test_table import ready

pytestmark = pytest.mark.browser
DON = ("don42", "short-game", "german", {"soviet": "program:greedy"})


class Waiting:
    """A seat that plays over the API, and lets its table alone when enough has happened to it."""

    def __init__(self, server: Server, game: str, scenario: str, seat: str, seats: dict[str, str]) -> None:
        self.server, self.seat = server, seat
        self.made = server.table(game, scenario, **{seat: "me", **seats})
        self.token = self.made["tokens"][seat]
        self.path = f"/tables/{self.made['id']}"
        self.link = f"{server.url}/table/{self.made['id']}#{self.token}"

    def call(self, what: str, body: dict[str, Any] | None = None) -> Any:
        return self.server.call(f"{self.path}/{what}", body, self.token)

    def act(self, do: str = "") -> None:
        view = self.call("view")
        texts = [c["text"] for c in view["question"]["choices"]]
        do = do or ("pass" if "pass" in texts else texts[-1])
        self.call("actions", {"version": view["version"], "id": f"r{view['version']}", "do": do})

    def until_told(self, chapters: int) -> Any:
        """Play on until so many chapters wait to be told and it is this seat's decision."""
        for _ in range(600):
            question = self.call("view")["question"]
            if question["side"] != self.seat:
                time.sleep(0.05)
                continue
            recap = self.call("recap")
            if len(recap["chapters"]) >= chapters:
                return recap
            self.act()
        raise AssertionError("nothing was to be told")


def titles(page: Any) -> list[str]:
    return [str(t).strip() for t in page.locator(".recap ol .title").all_inner_texts()]


def test_what_was_seen_is_not_told_again(server: Server, pages: Pages) -> None:
    me = Waiting(server, *DON)
    me.until_told(2)
    page = ready(pages.open(me.link))
    page.wait_for_selector(".timeline")
    page.get_by_role("button", name="Seen").click()
    page.wait_for_selector(".badge", state="detached")
    page.reload()
    ready(page)
    page.wait_for_timeout(1500)
    assert page.locator(".timeline").count() == 0
    page.get_by_role("tab", name="Log").click()
    page.get_by_role("button", name="To the start").click()
    page.wait_for_selector(".prompt >> text=Looking back")
    page.get_by_role("button", name="Tell it from here").click()
    page.wait_for_selector(".timeline")


def test_who_comes_back_next_day_is_told_the_same(server: Server, pages: Pages) -> None:
    """Another browser, and the server was started anew meanwhile."""
    me = Waiting(server, *DON)
    me.until_told(2)
    told = []
    for again in (False, True):
        if again:
            server.kill()
            server.start()
        page = ready(pages.open(me.link))
        page.wait_for_selector(".timeline")
        page.get_by_role("button", name="Pause").click()
        told.append(titles(page))
    assert len(told[0]) >= 2
    assert told[0] == told[1]


def test_after_the_telling_the_map_shows_what_is_asked(server: Server, pages: Pages) -> None:
    """An enemy attack is answered where it falls, wherever the telling ended."""
    me = Waiting(server, *DON)
    while me.until_told(3) and not me.call("view")["question"].get("hexes"):
        me.act()
    page = ready(pages.open(me.link))
    page.wait_for_selector(".timeline")
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press(".")
    for _ in range(40):  # the map is pushed away while it is told
        page.keyboard.press("Shift+ArrowRight")
    page.get_by_role("button", name="Skip to now").click()
    page.wait_for_timeout(1500)
    frame = page.locator(".frame").bounding_box()
    asked = page.locator(".over > .subject").first.bounding_box()
    assert 0 <= asked["x"] - frame["x"] <= frame["width"] - asked["width"]
    assert 0 <= asked["y"] - frame["y"] <= frame["height"] - asked["height"]


def test_a_push_does_not_begin_the_telling_anew(server: Server, pages: Pages) -> None:
    """The other side goes on playing while it is told what it did before."""
    soviet = Waiting(server, "don42", "short-game", "soviet", {"german": "me"})
    german = Waiting.__new__(Waiting)
    german.server, german.seat, german.path = server, "german", soviet.path
    german.token = soviet.made["tokens"]["german"]

    def march() -> None:
        """The first unit that can goes one hex or more."""
        for verb in ("move", "to", "halt"):
            choices = german.call("view")["question"]["choices"]
            wanted = next((c["text"] for c in choices if c["verb"] == verb), "")
            if wanted:
                german.act(wanted)

    for _ in range(60):
        question = german.call("view")["question"]
        if question["side"] == "german" and any(c["verb"] == "move" for c in question["choices"]):
            break
        (german if question["side"] == "german" else soviet).act()
    for _ in range(4):
        march()
    page = ready(pages.open(soviet.link))
    page.get_by_role("tab", name="Recap").click()
    page.get_by_role("button", name="Tell it").click()
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press(".")
    at = page.locator(".ask .count").inner_text()
    before = soviet.call("recap")["until"]
    march()
    assert soviet.call("recap")["until"] > before
    page.wait_for_timeout(1500)
    assert page.locator(".ask .count").inner_text().split(" of ")[0] == at.split(" of ")[0]
    assert page.locator(".timeline").count() == 1
