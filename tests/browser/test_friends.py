"""Two friends: one invites, both play and talk, one loses the browser's storage and finds the seat again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import Person
from tests.browser.test_invitation import invited, links
from tests.browser.test_table import Caller, no_fault, ready

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NOTICES = """() => {
    window.told = []
    Notification.requestPermission = async () => 'granted'
    Object.defineProperty(Notification, 'permission', {get: () => 'granted'})
    ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
        window.told.push([title, options.body, options.data])
    }
}"""
"""A headless browser shows no notices: what would be shown is written down instead."""
HIDE = """(hidden) => {
    Object.defineProperty(document, 'hidden', {get: () => hidden, configurable: true})
    document.dispatchEvent(new Event('visibilitychange'))
}"""


def talk(page: Any) -> None:
    """Open the panel; on a phone a second click would close it."""
    if not page.locator("#say").count():
        page.get_by_role("tab", name="Talk").click()
    page.locator("#say").wait_for()


def say(page: Any, text: str, *, note: bool = False) -> None:
    talk(page)
    if note:
        page.get_by_label("only for me").check()
    page.locator("#say").fill(text)
    page.keyboard.press("Enter")
    page.wait_for_selector(f".said >> text={text}")
    if note:
        page.get_by_label("only for me").uncheck()


def seated(server: Server, pages: Pages) -> tuple[Any, Any, str]:
    """Host and guest at a table, and the guest's recovery link."""
    host, link = invited(server, pages)
    guest = pages.open(link, **PHONE)
    guest.locator("#join-name").fill("Boris")
    guest.get_by_role("button", name="Sit down as").click()
    guest.wait_for_selector("text=You sit as")
    recovery = links(guest)[1]
    guest.get_by_role("link", name="To the table").click()
    ready(guest)
    return host, guest, recovery


def test_two_play_and_talk_and_a_lost_seat_is_found_again(server: Server, pages: Pages) -> None:
    host, guest, recovery = seated(server, pages)
    host.wait_for_selector(".who .other >> text=Boris")
    assert "You are " in host.locator(".who .seat").inner_text()
    say(guest, "Good evening, look at 2537")
    host.wait_for_selector(".tabs .badge")
    say(host, "Good evening")
    assert host.locator(".said .link").inner_text() == "2537"
    say(guest, "hold the bridge", note=True)
    no_fault(guest, "talk on a phone")
    no_fault(host, "talk")
    assert "hold the bridge" not in host.locator(".story").inner_text()
    # both act once, each sees the other's
    first = host if "your decision" in host.locator(".ask").inner_text() else guest
    second = guest if first is host else host
    version = Person(first).version()
    Person(first).do(Person(first).listed()[0])
    second.wait_for_selector(f".page:not([data-version='{version}'])")
    # the guest's browser forgets everything
    table = guest.url
    guest.evaluate("localStorage.clear()")
    guest.goto(table)
    guest.wait_for_selector("text=This device has no seat")
    no_fault(guest, "a lost seat")
    guest.locator("#lost-code").fill(recovery)
    guest.get_by_role("button", name="Take my seat back").click()
    ready(guest)
    talk(guest)
    guest.wait_for_selector(".said.is-note >> text=hold the bridge")
    assert guest.locator(".people strong", has_text="Boris").count() == 1
    watching = pages.open(spectator(host))
    ready(watching)
    assert watching.locator(".who .seat").inner_text() == "You are watching"
    assert watching.get_by_role("tab", name="Choices").count() == 0
    assert watching.locator(".prompt .do button").count() == 0
    assert watching.get_by_role("button", name="Suggest").count() == 0
    talk(watching)
    assert "Good evening" not in watching.locator(".story").inner_text()


def spectator(host: Any) -> str:
    """The link for who looks on."""
    table = host.url.rpartition("/")[2].partition("?")[0]
    token = host.evaluate(f"JSON.parse(localStorage['kessel.seats'])['{table}'].watch")
    return f"{host.url.partition('?')[0]}#{token}"


def test_one_is_told_of_ones_turn_and_takes_back_by_consent(server: Server, pages: Pages) -> None:
    host, guest, _ = seated(server, pages)
    mine = host if "your decision" in host.locator(".ask").inner_text() else guest
    other = guest if mine is host else host
    for page in (host, guest):
        page.evaluate(NOTICES)
        talk(page)
        page.get_by_role("button", name="Tell me when it is my turn").click()
        page.wait_for_selector("text=A notice comes")
    other.evaluate(HIDE, True)
    mine.wait_for_selector("text=is in another window")
    assert mine.title().startswith("● Your turn")
    assert not other.title().startswith("●")
    person = Person(mine)
    for _ in range(60):
        if "your decision" not in person.prompt():
            break
        version = person.version()
        leave = mine.locator(".prompt .do button", has_text=re.compile("^(End|Keep|Go on|No more|Place no)"))
        if leave.count():
            leave.first.click()
            assert person.changed(version)
        else:
            person.do(person.listed()[0])
        mine.wait_for_timeout(60)
    other.wait_for_function("() => window.told.length > 0")
    title, body, path = other.evaluate("window.told[0]")
    assert (title, path) == ("Your turn", other.evaluate("location.pathname"))
    assert body
    assert other.title().startswith("● Your turn")
    assert "turn" in str(other.locator("link[rel=icon]").get_attribute("href"))
    other.evaluate(HIDE, False)
    before = person.version()
    talk(mine)
    talk(other)
    mine.get_by_role("button", name="Ask to take my last action back").click()
    other.wait_for_selector(".wish")
    no_fault(other, "a wish to take back")
    other.get_by_role("button", name="Allow it").click()
    mine.wait_for_selector(f".page:not([data-version='{before}'])")
    mine.wait_for_selector("text=allowed it: the dice that fell are spent")
    assert "your decision" in person.prompt()


def test_an_invitation_has_a_code_for_phones_and_a_record_can_be_brought(
    server: Server, pages: Pages, tmp_path: Path
) -> None:
    host, _ = invited(server, pages)
    host.get_by_role("tab", name="More").click()
    host.get_by_role("button", name="QR code").first.click()
    host.wait_for_selector("svg[role=img][aria-label^='QR code']")
    no_fault(host, "a QR code")
    caller = Caller(server, "stalingrad42", "fall-blau", "axis")
    for _ in range(3):
        caller.act(caller.choices()[0])
    page = ready(pages.open(caller.link))
    page.get_by_role("tab", name="Log").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the record").click()
    record = tmp_path / "game.kessel"
    saved.value.save_as(record)
    page.get_by_role("link", name="All games").click()
    page.locator("input[type=file]").set_input_files(str(record))
    ready(page)
    page.get_by_role("tab", name="Log").click()
    page.wait_for_selector("text=of 3")
    assert page.url != caller.link.partition("#")[0]
    bad = tmp_path / "bad.kessel"
    bad.write_text("nonsense")
    page.get_by_role("link", name="All games").click()
    page.locator("input[type=file]").set_input_files(str(bad))
    page.wait_for_selector(".trouble >> text=bad.kessel")
