"""Deciding: few clicks, buttons that say what they do, a warning before a loss."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import Person
from tests.browser.test_table import Caller, no_serious_fault, ready

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_phase_that_would_cost_units_is_not_ended_by_one_click(server: Server, pages: Pages) -> None:
    german = Caller(server, "don42", "short-game", "german")
    soviet = Caller.__new__(Caller)
    soviet.server, soviet.path, soviet.token = server, german.path, german.made["tokens"]["soviet"]
    while (view := german.view())["table"]["phase"] != "German Movement Phase":
        me = german if view["question"]["side"] == "german" else soviet
        me.act("pass" if "pass" in me.choices() else me.choices()[0])
    page = ready(pages.open(german.link))
    skip = page.locator(".prompt button", has_text="Skip to now")
    if skip.count():
        skip.click()
    end = page.locator(".prompt .do button", has_text="End the Movement Phase")
    assert "left" in end.inner_text()
    end.click()
    page.wait_for_selector(".warnings .loss")
    assert "3 units will be lost" in page.locator(".warnings .loss").inner_text()
    no_serious_fault(page, "a warning")
    shown = set()
    for _ in range(2):
        page.locator(".warnings .loss button", has_text="Show").click()
        page.wait_for_timeout(300)
        shown.add(page.locator("p.about").inner_text()[:8])
    assert shown == {"hex 2537", "hex 2528"}
    page.get_by_role("button", name="Go back and mend it").click()
    page.wait_for_selector(".warnings", state="detached")
    assert german.view()["version"] == view["version"]
    end.click()
    page.locator(".prompt .do button.danger").click()
    page.wait_for_selector(f".page:not([data-version='{view['version']}'])")


def test_three_clicks_from_the_target_to_the_die(server: Server, pages: Pages) -> None:
    """An enemy is clicked: the best group stands ready with its odds; it is declared; the die is rolled."""
    axis = Caller(server, "stalingrad42", "fall-blau", "axis")
    axis.pass_until("attack")
    before = axis.view()["version"]
    page = ready(pages.open(axis.link))
    me = Person(page)
    at = me.spot("", "1403")
    assert at is not None
    page.mouse.click(*at)
    declare = page.locator(".prompt .do button.main", has_text="Declare the attack at")
    declare.wait_for()
    odds = declare.inner_text().split("at ")[-1].strip()
    units = axis.view()["question"]["units"]
    assert len(units) > 2
    assert odds in page.locator(".preview").inner_text()
    no_serious_fault(page, "an attack")
    declare.click()
    roll = page.locator(".prompt .do button.main", has_text="Roll the die at")
    roll.wait_for()
    roll.click()
    page.wait_for_selector(".rolled .die")
    log = server.call(f"{axis.path}/log?since={before}", token=axis.token)
    assert [e["text"].split()[0] for e in log] == ["attack", *["add"] * len(units), "declare", "pass"]
    assert log[-1]["dice"]


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
def test_the_library_has_the_chart_with_the_column_at_work(server: Server, pages: Pages, size: dict[str, Any]) -> None:
    axis = Caller(server, "stalingrad42", "fall-blau", "axis")
    axis.pass_until("attack")
    axis.act("attack 1403")
    while adds := [c for c in axis.choices() if c.startswith("add")]:
        axis.act(adds[0])
    page = ready(pages.open(axis.link, **size))
    page.locator(".prompt .do button.main", has_text="Declare the attack at 4-1").wait_for()
    page.get_by_role("button", name="Library").click()
    assert page.locator(".library thead th.lit").inner_text() == "4-1"
    assert page.locator(".library td.lit").count() == 6
    no_serious_fault(page, "the library")
    parts = {"Rules": ".rules li", "How you win": ".part", "Order of battle": "details", "Legend": ".units li"}
    for part, shown in parts.items():
        page.get_by_role("button", name=part).click()
        page.locator(f".library {shown}").first.wait_for()
    page.locator("#library-search").fill("retreat bond")
    page.locator(".library .rules .rule").first.click()
    page.wait_for_selector("dialog[open] p strong")
