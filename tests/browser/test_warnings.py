"""Who is about to lose units by ending a phase is told so, and the easy way is to go back."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.test_table import Caller, no_serious_fault, ready

pytestmark = pytest.mark.browser


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
