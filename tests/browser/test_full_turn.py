"""A whole turn of every game against a program, by clicks on the page: what the program answered is told, and a reload
in the middle of the own turn or of the telling loses nothing."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import NEAREST, Person
from tests.browser.test_recap import Waiting, titles
from tests.browser.test_table import no_fault, ready

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GAMES = [
    ("stalingrad42", "fall-blau", "axis", {"soviet": "program:random"}),
    ("don42", "crossing-the-don", "german", {"soviet": "program:recruit"}),
    ("kharkov43", "initial-assault", "german", {}),
    ("korsun44", "tinovka", "soviet", {"german": "program:random"}),
    ("bug41", "ustyluh", "german", {"soviet": "program:recruit"}),
]
CARDS_LEFT = 2
"""Kharkov's turn has eight impulses: the first ones are played over the API."""
MOST = 120
UNDO = re.compile("^Undo")


class Player(Person):
    """Moves a unit, attacks once, and lets the turn end; comes back to the page in the middle of it."""

    def __init__(self, page: Any) -> None:
        super().__init__(page)
        self.done: set[str] = set()
        self.told: list[str] = []

    def turn(self) -> str:
        return str(self.page.locator(".turn strong").inner_text())

    @property
    def over(self) -> bool:
        return "wins" in self.prompt() or "A draw" in self.prompt()

    def telling(self) -> bool:
        return bool(self.page.locator(".timeline").count())

    def await_answer(self) -> None:
        """Until it is told what happened, or it is this person's decision, or the game is over."""
        until, theirs = time.monotonic() + 120, False
        while time.monotonic() < until:
            text = self.prompt()
            if not self.is_busy() and (self.telling() or "your decision" in text or self.over):
                if theirs and "told" not in self.done and not self.telling() and not self.over:
                    self.ask_to_be_told()
                return
            theirs = theirs or "decides" in text
            self.page.wait_for_timeout(30)
        raise AssertionError(f"nothing is told and nothing asked: {self.prompt()}")

    def await_telling(self) -> None:
        """The page is not busy before it knows what happened, and tells by itself what is long enough."""
        until = time.monotonic() + 60
        while self.is_busy() and time.monotonic() < until:
            self.page.wait_for_timeout(30)
        if not self.telling():
            self.ask_to_be_told()
        self.page.wait_for_selector(".timeline")

    def ask_to_be_told(self) -> None:
        """What came so slowly that one could follow it is told only when asked for."""
        if self.page.get_by_role("tab", name="Recap").locator(".badge").count():
            self.open_tab("Recap")
            self.page.get_by_role("button", name="Tell it", exact=True).click()
            self.page.wait_for_selector(".timeline")

    def pause(self) -> None:
        """A short telling may have come to its end before the button is reached: then one step back."""
        if not self.tap(self.page.get_by_role("button", name="Pause")):
            self.tap(self.page.get_by_role("button", name="Step back"))

    def hear(self) -> None:
        """What is told: the page is left in the middle of it and tells it again."""
        page = self.page
        if "told" not in self.done and titles(page):
            self.pause()
            before = titles(page)
            no_fault(page, "a telling")
            page.reload()
            ready(page)
            self.await_telling()
            self.pause()
            assert titles(page) == before
            now = self.prompt()
            assert "What happened" in now
            page.get_by_role("button", name="Step", exact=True).click()
            assert self.prompt() != now
            page.get_by_role("button", name="Step back").click()
            assert self.prompt() == now
            self.told = before
            self.done.add("told")
        self.tap(page.locator(".prompt button", has_text="Skip to now"))

    def leave_and_come_back(self) -> None:
        before = self.version(), self.turn(), self.prompt()
        self.page.reload()
        ready(self.page)
        self.settle()
        assert (self.version(), self.turn(), self.prompt()) == before
        self.done.add("reloaded")

    def choose(self, what: str = "unit") -> None:
        """One of the ringed units, or of the ringed hexes, on the map."""
        before = self.version()
        if what == "unit":
            assert self.click_unit(self.page.evaluate(NEAREST))
        else:
            self.page.wait_for_selector(".reach-border[d^=M]")
            at = self.spot(".reach")
            assert at is not None
            self.page.mouse.move(*at)
            self.page.mouse.click(*at)
        self.changed(before)

    def press(self, text: str) -> None:
        before = self.version()
        assert self._by_button(text, before) or self._by_list(text, before), text
        self.close_list()

    def decide(self) -> None:
        """A move and an attack on the map; then what ends the decision, or the first thing listed."""
        version = self.version()
        if "activate" in self.prompt().lower() and "moved" not in self.done:
            return self.press(next(c for c in self.listed() if c.lower().startswith(("activate", "play"))))
        if "moved" not in self.done and self.page.locator(".over > .piece.ringed").count() and self.can_move():
            self.choose()
            if self.version() != version or self.page.locator(".reach-border[d^=M]").count():
                self.choose("hex")
            self.done.add("moved")
            return
        if "moved" in self.done and "reloaded" not in self.done:
            return self.leave_and_come_back()
        if "attacked" not in self.done and self.can_attack():
            self.done.add("attacked")
            return self.choose("hex")
        ready_to = self.page.locator(".prompt .do button.main:enabled")
        leave = self.page.locator(".prompt .do button:enabled").filter(has_not_text=UNDO)
        if self.tap(ready_to.first) or (leave.count() and self.tap(leave.last)):
            assert self.changed(version, 6) or self.telling(), self.prompt()
        else:
            self.press(self.listed()[0])

    def can_attack(self) -> bool:
        return "attack" in self.prompt() and bool(self.page.locator(".reach-border[d^=M]").count())

    def can_move(self) -> bool:
        return "move" in self.prompt().lower() or "Action" in self.prompt()


def begun(server: Server, game: str, scenario: str, seat: str, seats: dict[str, str]) -> Waiting:
    me = Waiting(server, game, scenario, seat, seats)
    while game == "kharkov43":
        view = me.call("view")
        hand = [c for c in view["table"]["cards"] if c["where"] == "hand"]
        if len(hand) <= CARDS_LEFT and any(c["verb"] == "play" for c in view["question"]["choices"]):
            break
        texts = [c["text"] for c in view["question"]["choices"]]
        me.act("pass" if "pass" in texts else texts[0])
    return me


@pytest.mark.parametrize(("game", "scenario", "seat", "seats"), GAMES, ids=[g[0] for g in GAMES])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
def test_a_whole_turn_against_a_program(
    server: Server, pages: Pages, game: str, scenario: str, seat: str, seats: dict[str, str], size: dict[str, Any]
) -> None:
    table = begun(server, game, scenario, seat, seats)
    me = Player(ready(pages.open(table.link, **size)))
    me.await_answer()
    first = me.turn()
    for _ in range(MOST):
        if me.telling():
            me.hear()
        me.await_answer()
        if me.telling():
            continue
        if me.turn() != first or me.over:
            break
        me.decide()
    assert me.turn() != first
    assert {"moved", "reloaded", "told"} <= me.done
    assert me.told
