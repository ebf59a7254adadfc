"""A newcomer's way: the first battle of every game played to its end on the page, on a desk and on a phone."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import Person
from tests.browser.test_table import no_fault

pytestmark = pytest.mark.browser
GAMES = (
    "Stalingrad '42",
    "Strike of the Heron",
    "Enemy Action: Kharkov",
    "Across the Bug River",
    "The Jaws of Victory",
)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CARDS = ("Enemy Action: Kharkov",)
BUTTONS = {
    "Across the Bug River": "298",
    "The Jaws of Victory": "Place no more",
}
"""The button the first step asks for, where it is not done on the map."""
ON_THE_MAP = ("move", "to", "attack", "advance", "go")


class Pupil(Person):
    """Does what a lesson says: on the map what can be done there, else with the lesson's own buttons."""

    on_map = 0

    def learn(self, game: str) -> None:
        self.page.locator("article", has_text=game).get_by_role("button", name="Learn in ten minutes").click()
        self.page.wait_for_selector(".piece use, .over > .block")
        self.page.wait_for_selector("section.lesson")

    @property
    def step(self) -> int:
        return int(self.page.locator("section.lesson").get_attribute("data-step"))

    def fits(self) -> list[str]:
        found = self.page.locator("section.lesson").get_attribute("data-fits")
        return found.split("|") if found else []

    def lesson_button(self, name: str) -> Any:
        return self.page.locator("section.lesson").get_by_role("button", name=name, exact=True)

    def settle(self) -> None:
        for _ in range(200):
            if not self.is_busy():
                return
            self.page.wait_for_timeout(25)

    def one_thing(self) -> None:
        """The next thing the lesson wants."""
        self.settle()
        before = self.version()
        if self.lesson_button("Try it").count():
            self.lesson_button("Try it").click()
            self.page.wait_for_selector(".lesson .no")
        if self.lesson_button("Next").count():
            self.lesson_button("Next").click()
        else:
            wanted = self.fits()[0]
            if wanted.split()[0] in ON_THE_MAP and self._by_map(wanted, before):
                self.on_map += 1
            else:
                self.lesson_button("Do it for me").click()
        for _ in range(400):
            if self.version() != before and not self.is_busy():
                return
            self.confirm()
            self.page.wait_for_timeout(25)
        raise AssertionError(f"nothing happened at step {self.step}: {self.fits()}")

    def finished(self) -> bool:
        return bool(self.page.locator("section.lesson .go .main", has_text="Play").count())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
def test_a_first_battle_is_played_to_its_end(server: Server, pages: Pages, game: str, size: dict[str, Any]) -> None:
    me = Pupil(pages.open(server.url, **size))
    me.page.wait_for_selector("article")
    me.learn(game)
    no_fault(me.page, f"the first step of {game}")
    for _ in range(80):
        if me.finished():
            break
        me.one_thing()
    assert me.finished()
    assert me.on_map >= 2, "something was done on the map itself"
    assert not me.page.locator(".offline").count(), "a connection given up for another is not lost"
    no_fault(me.page, f"the end of {game}")
    me.page.locator("section.lesson .go .main", has_text="Play").click()
    me.page.wait_for_function("() => !document.querySelector('section.lesson')")
    me.page.wait_for_selector(".piece use, .over > .block")


@pytest.mark.parametrize("game", GAMES)
def test_from_the_home_page_to_the_first_legal_move_in_three_clicks(server: Server, pages: Pages, game: str) -> None:
    """Counted and timed from the first click of somebody who has never seen the page."""
    me = Pupil(pages.open(server.url))
    me.page.wait_for_selector("article")
    begun = time.monotonic()
    me.page.evaluate("() => { window.clicks = 0; addEventListener('click', () => window.clicks++, true) }")
    me.learn(game)
    wanted = me.fits()[0]
    if wanted.startswith("move"):
        assert me.click_unit(wanted.split()[1])
        me.page.wait_for_selector(".reach-border[d^=M]")
        assert me.click_hex(next(f for f in me.fits() if f.startswith("to ")).split()[1])
    else:
        buttons = me.page.locator(".hand .card", has_text="P27").locator(".use")
        if game not in CARDS:
            buttons = me.page.locator(".prompt .do button:enabled").filter(has_text=BUTTONS[game])
        buttons.first.click()
    assert me.version() > 0 or me.changed(0)
    assert time.monotonic() - begun < 30
    assert me.page.evaluate("() => window.clicks") <= 3


def test_a_wrong_try_is_told_and_taken_back(server: Server, pages: Pages) -> None:
    me = Pupil(pages.open(server.url))
    me.page.wait_for_selector("article")
    me.learn("Stalingrad '42")
    before = me.version()
    assert me.click_unit("GD")
    me.page.wait_for_selector(".lesson .said")
    assert "Taken back" in me.page.locator(".lesson .said").inner_text()
    assert me.version() == before
    me.one_thing()
    assert not me.page.locator(".lesson .said").count()
    me.page.reload()
    me.page.wait_for_selector("section.lesson")
    me.settle()
    assert me.version() > before, "after a reload it stands where it was"
    me.lesson_button("Begin this step again").click()
    me.page.wait_for_function("() => document.querySelector('.lesson').dataset.fits === 'move 24Pz'")
    while me.step == 1:
        me.one_thing()
    me.lesson_button("Back").click()
    me.page.wait_for_function("() => document.querySelector('.lesson').dataset.step === '1'")


def test_a_lesson_goes_on_where_it_was_left(server: Server, pages: Pages) -> None:
    me = Pupil(pages.open(server.url))
    me.page.wait_for_selector("article")
    me.learn("Stalingrad '42")
    while me.step == 1:
        me.one_thing()
    table = me.page.url
    me.page.get_by_role("link", name="All games").click()
    me.page.locator("article", has_text="Stalingrad '42").get_by_role("button", name="Go on learning, 2 of").click()
    me.page.wait_for_selector("section.lesson")
    assert (me.page.url, me.step) == (table, 2)
