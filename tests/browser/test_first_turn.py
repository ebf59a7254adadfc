"""A newcomer's first turn, from the list of games to the enemy's answer, by keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import Person

pytestmark = pytest.mark.browser
KHARKOV = "Enemy Action: Kharkov"
STALINGRAD = "Stalingrad '42"


class Keys(Person):
    """Everything with keys."""

    def key(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def begin(self, game: str) -> None:
        """Tab through the page to the scenario, then Enter; the form is filled in the same way."""
        self._tab_to(lambda e: "begin here" in e["text"] and game in e["article"])
        self.key("Enter")
        self._tab_to(lambda e: "Options and dice" in e["text"])
        self.key("Enter")
        self._tab_to(lambda e: e["id"] == "seed")
        self.page.keyboard.type("1")
        self.key("Enter")

    def _tab_to(self, wanted: Callable[[dict[str, str]], bool]) -> None:
        for _ in range(60):
            self.key("Tab")
            here = self.page.evaluate(
                "() => { const e = document.activeElement; return {text: e.innerText || '', id: e.id,"
                " article: e.closest('article')?.querySelector('h3')?.innerText || ''} }"
            )
            if wanted(here):
                return
        raise AssertionError("the Tab key does not get there")

    def choose(self, what: str = "unit") -> None:
        before = self.version()
        self.key("m", "n")
        self.page.wait_for_selector(".cursor")
        self.key("Enter")
        self.page.wait_for_timeout(150)
        if self.page.locator(".in-fan.ringed").count():
            self.key("Enter")
        self._done(before)

    def see_odds(self) -> None:
        self.key("b")
        self.page.wait_for_selector(".preview .bars .bar")

    def press(self, text: str) -> None:
        before = self.version()
        self.key("Escape", "l")
        self.page.locator("#choice-filter:focus").wait_for()
        self.key("Control+a")
        self.page.keyboard.type(text)
        self.key("Enter")
        self._done(before)
        self.key("Escape")

    def _done(self, before: int) -> None:
        for _ in range(60):
            if self.version() != before and not self.is_busy():
                return
            if self.page.locator(".prompt .do button.danger:enabled").count():
                self.page.locator(".prompt .do button.danger").focus()
                self.key("Enter")
            elif self.page.locator(".prompt .do button.main:enabled", has_text="Enter").count():
                self.page.evaluate("document.activeElement.blur()")
                self.key("Enter")
            self.page.wait_for_timeout(25)


def settled(me: Keys) -> str:
    """Until it is this person's decision; what happened meanwhile is skipped."""
    for _ in range(400):
        if me.page.locator(".prompt button", has_text="Skip to now").count():
            me.key("Escape")
        text = me.prompt()
        if not me.is_busy() and ("your decision" in text or "wins" in text):
            return text
        me.page.wait_for_timeout(50)
    raise AssertionError(f"nothing to decide: {me.prompt()}")


def test_first_turn_of_fall_blau(server: Server, pages: Pages) -> None:
    me = Keys(pages.open(server.url))
    me.page.wait_for_selector("article")
    me.begin(STALINGRAD)
    me.page.wait_for_selector(".piece use, .over > .block")
    done = []
    for _ in range(60):
        text = settled(me)
        turn = me.page.locator(".turn").inner_text()
        if "Turn 2" in turn or not text.startswith("Axis"):
            break
        if "Choose a unit to move" in text and "moved" not in done:
            me.choose()
            assert "goes" in settled(me)
            me.choose("hex")
            done.append("moved")
        elif "Choose a hex to attack" in text and "fought" not in done:
            me.choose("hex")
            assert re.search(r"at \S+", settled(me)), "the prompt names the hex fought over"
            me.page.wait_for_selector(".over > .subject", state="attached")
            me.choose()
            settled(me)
            while more := [c for c in me.listed() if re.match(r"Add .* to the attack", c)]:
                me.press(more[0])
                settled(me)
            me.see_odds()
            me.press("Declare the attack")
            done.append("fought")
        else:
            me.press(me.listed()[0])
    assert done == ["moved", "fought"]
    assert "Turn 2" in turn or "Soviet" in turn


def test_first_impulse_of_the_initial_assault(server: Server, pages: Pages) -> None:
    me = Keys(pages.open(server.url))
    me.page.wait_for_selector("article")
    me.begin(KHARKOV)
    me.page.wait_for_selector(".piece use, .over > .block")
    assert "Play a card" in settled(me)
    me.press(next(c for c in me.listed() if c.endswith("activate")))
    if "Choose" in settled(me):
        me.press(me.listed()[0])
    assert "Move your active units" in settled(me)
    before = me.version()
    me.choose()
    me.choose("hex")
    assert me.version() > before
    for _ in range(40):
        settled(me)
        if me.page.locator(".prompt").inner_text().count("Play a card from your hand"):
            break
        me.press(me.listed()[0])
    me.page.get_by_role("tab", name="Log").click()
    assert "activate" in me.page.locator(".entries").inner_text()
