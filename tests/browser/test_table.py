"""A person at the table, in a real browser."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server

pytestmark = pytest.mark.browser
KHARKOV = ("kharkov43", "initial-assault")
DON = ("don42", "short-game")


def ready(page: Any) -> Any:
    """Wait until counters are drawn and a question stands."""
    page.wait_for_selector(".piece use")
    page.wait_for_selector(".ask")
    return page


def kharkov(server: Server, pages: Pages, **options: Any) -> Any:
    made = server.table(*KHARKOV, german="me")
    return ready(pages.open(f"{server.url}/table/{made['id']}#{made['tokens']['german']}", **options))


def version(page: Any) -> int:
    """How many actions the log of the page knows."""
    page.get_by_role("tab", name="Log").click()
    found = re.search(r"of (\d+)", page.locator("label[for=scrub]").inner_text())
    assert found is not None
    return int(found[1])


def activate(page: Any) -> None:
    """Play a card that activates a corps, so that units can move."""
    page.get_by_role("tab", name="Choices").click()
    page.locator(".choices li button", has_text="activate").first.click()
    page.wait_for_selector(".piece.ringed")


IN_SIGHT = """(selector) => {
    const frame = document.querySelector('.frame').getBoundingClientRect()
    const foot = document.querySelector('.foot').getBoundingClientRect()
    const found = [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect()).find(r =>
        r.left > frame.left + 70 && r.right < frame.right - 70 && r.top > frame.top + 90 && r.bottom < foot.top - 20)
    return found ? [found.left + found.width / 2, found.top + found.height / 2] : null
}"""


def in_sight(page: Any, selector: str) -> tuple[float, float]:
    """The middle of the first such thing that a person sees on the map."""
    place = page.evaluate(IN_SIGHT, selector)
    assert place, f"no {selector} in sight"
    return place[0], place[1]


def pick_a_mover(page: Any) -> None:
    """Pick one of the ringed units, out of its stack if it stands in one."""
    page.wait_for_timeout(500)
    page.mouse.click(*in_sight(page, ".over > .piece.ringed"))
    page.wait_for_timeout(300)
    fanned = page.locator(".in-fan.ringed")
    if fanned.count():
        fanned.first.click()
    page.wait_for_selector(".reach-border[d^=M]")


def test_a_newcomer_starts_and_moves_by_mouse(server: Server, pages: Pages) -> None:
    page = pages.open(server.url)
    page.locator("article", has_text="Kharkov").get_by_role("button", name="begin here").click()
    page.get_by_text("Options and dice").click()
    page.get_by_label("Seed of the dice").fill("1")
    page.get_by_role("button", name="Start", exact=True).click()
    ready(page)
    assert "your decision" in page.locator(".ask").inner_text()
    activate(page)
    pick_a_mover(page)
    page.wait_for_selector(".cost")
    place = in_sight(page, "text.cost")
    page.mouse.move(*place)
    page.wait_for_selector(".way")
    page.mouse.click(*place)
    page.wait_for_function("() => !document.querySelector('.picked')")
    if page.locator(".prompt button.main").count():
        page.locator(".prompt button.main").click()
    page.wait_for_timeout(300)
    assert version(page) == 2


def test_everything_can_be_done_by_keys(server: Server, pages: Pages) -> None:
    made = server.table(*KHARKOV, german="me")
    page = ready(pages.open(f"{server.url}/table/{made['id']}#{made['tokens']['german']}"))
    page.keyboard.press("l")
    page.keyboard.type("activate")
    page.keyboard.press("Enter")
    page.wait_for_selector(".piece.ringed")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.press("n")
    page.wait_for_selector(".cursor")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    if page.locator(".in-fan.ringed").count():
        page.keyboard.press("Enter")
    page.wait_for_selector(".reach-border[d^=M]")
    page.keyboard.press("m")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.wait_for_timeout(400)
    if page.locator(".prompt button.main").count():
        page.keyboard.press("Enter")
    page.wait_for_timeout(400)
    log = server.call(f"/tables/{made['id']}/log", token=made["tokens"]["german"])
    assert len(log) == 2
    assert log[1]["text"].startswith(("move", "strategic"))
    page.keyboard.press("?")
    assert page.locator("dialog[open]").inner_text().startswith("Keys")
    page.keyboard.press("Escape")


def test_what_is_not_allowed_is_refused_with_its_rule(server: Server, pages: Pages) -> None:
    page = kharkov(server, pages)
    activate(page)
    pick_a_mover(page)
    page.keyboard.press("0")
    page.wait_for_timeout(500)
    frame = page.locator(".frame").bounding_box()
    for dx in range(40, 400, 40):
        page.mouse.click(frame["x"] + frame["width"] / 2 - 200 + dx / 4, frame["y"] + 80 + dx)
        page.wait_for_timeout(250)
        if page.locator(".message.refusal .rule").count():
            break
    assert re.fullmatch(r"[\d.]+\w*", page.locator(".message.refusal .rule").inner_text())
    page.locator(".message.refusal .rule").click()
    page.wait_for_selector("dialog[open] p strong")


def test_undo_takes_back_what_rolled_no_die(server: Server, pages: Pages) -> None:
    page = kharkov(server, pages)
    activate(page)
    assert version(page) == 1
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => !document.querySelector('.piece.ringed')")
    page.wait_for_timeout(300)
    assert version(page) == 0


def test_two_browsers_see_each_other_within_a_second(server: Server, pages: Pages) -> None:
    made = server.table(*DON, german="me", soviet="me")
    first = ready(pages.open(f"{server.url}/table/{made['id']}#{made['tokens']['soviet']}"))
    second = ready(pages.open(f"{server.url}/table/{made['id']}#{made['tokens']['german']}"))
    assert "your decision" in first.locator(".ask").inner_text()
    assert "Soviet decides" in second.locator(".ask").inner_text()
    assert second.locator(".choices li").count() == 0
    second.get_by_role("tab", name="Log").click()
    first.get_by_role("button", name="pass").first.click()
    confirm = first.locator(".prompt button.main")
    first.wait_for_timeout(200)
    if confirm.count():
        confirm.click()
    begun = time.monotonic()
    second.wait_for_selector(".entries li")
    assert time.monotonic() - begun < 1.0


def test_looking_back_and_playing_on_from_there(server: Server, pages: Pages) -> None:
    page = kharkov(server, pages)
    activate(page)
    pick_a_mover(page)
    page.get_by_role("tab", name="Choices").click()
    page.locator(".choices li button").nth(3).click()
    page.wait_for_timeout(500)
    assert version(page) == 2
    page.keyboard.press("[")
    page.wait_for_selector("text=Looking back")
    assert page.locator(".piece.ringed").count() == 0
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_function("() => !document.querySelector('.ask')?.innerText.includes('Looking back')")
    ready(page)
    page.wait_for_timeout(300)
    assert version(page) == 1
    assert len(server.call("/tables")) == 2


def test_a_game_goes_on_after_the_server_was_killed(server: Server, pages: Pages) -> None:
    page = kharkov(server, pages)
    activate(page)
    server.kill()
    page.wait_for_selector(".offline")
    server.start()
    page.wait_for_selector(".offline", state="detached", timeout=20000)
    assert version(page) == 1
    pick_a_mover(page)
    page.get_by_role("tab", name="Choices").click()
    page.locator(".choices li button").nth(2).click()
    page.wait_for_timeout(500)
    assert version(page) == 2


def test_a_phone_in_portrait_can_play(server: Server, pages: Pages) -> None:
    page = kharkov(server, pages, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("tab", name="Choices").tap()
    page.locator(".choices li button", has_text="activate").first.tap()
    page.wait_for_selector(".piece.ringed")
    page.get_by_role("tab", name="Choices").tap()
    page.wait_for_timeout(300)
    assert page.locator(".ask").is_visible()
    assert page.locator(".frame").bounding_box()["height"] > 300


def test_no_serious_fault_of_accessibility_on_any_page(server: Server, pages: Pages) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def check(page: Any, where: str) -> None:
        found = axe.run(page).response["violations"]
        serious = [(v["id"], v["nodes"][0]["html"][:120]) for v in found if v["impact"] in ("serious", "critical")]
        assert serious == [], where

    home = pages.open(server.url)
    home.wait_for_selector("article")
    check(home, "home")
    home.locator("article", has_text="Kharkov").get_by_role("button", name="begin here").click()
    check(home, "new game")
    page = kharkov(server, pages)
    activate(page)
    pick_a_mover(page)
    for tab in ("Choices", "Before you do it", "Log", "More"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(200)
        check(page, tab)
    page.keyboard.press("?")
    check(page, "keys")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    check(page, "settings")
