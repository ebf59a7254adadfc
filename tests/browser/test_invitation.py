"""Two persons come to a table: one invites, the other sits down, loses the seat and takes it back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.test_table import no_fault, ready

pytestmark = pytest.mark.browser


def picture(page: Any, name: str) -> None:
    if folder := os.environ.get("KESSEL_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def links(page: Any) -> list[str]:
    return [str(t) for t in page.locator(".secret code").all_inner_texts()]


def invited(server: Server, pages: Pages) -> tuple[Any, str]:
    """The host's page at a table that waits, and the invitation."""
    host = pages.open(server.url)
    host.locator("article", has_text="Heron").get_by_role("button", name="begin here").click()
    sides = host.locator(".new select[id^=seat-]")
    sides.nth(0).select_option("me")
    sides.nth(1).select_option("open")
    host.get_by_text("Options and dice").click()
    assert host.locator("#seed").is_disabled()
    host.get_by_role("button", name="Start", exact=True).click()
    host.wait_for_selector("text=Invitations to give away")
    (link,) = links(host)
    assert "/join/" in link
    host.get_by_role("link", name="To the table").click()
    ready(host)
    assert "begins when all have come" in host.locator(".ask").inner_text()
    return host, link


def test_a_guest_sits_down_and_takes_a_lost_seat_back(server: Server, pages: Pages) -> None:
    host, link = invited(server, pages)
    host.get_by_role("tab", name="More").click()
    assert links(host) == [link]
    no_fault(host, "waiting")
    picture(host, "waiting")
    guest = pages.open(link)
    guest.wait_for_selector("text=You are invited to play")
    no_fault(guest, "invitation")
    picture(guest, "invitation")
    guest.get_by_role("button", name="Sit down as").click()
    guest.wait_for_selector("text=You sit as")
    no_fault(guest, "seated")
    picture(guest, "seated")
    seat, recovery = links(guest)
    assert ("/table/" in seat, "/recover/" in recovery) == (True, True)
    assert "#" not in guest.url, "the code does not stay in the address"
    guest.get_by_role("link", name="To the table").click()
    ready(guest)
    host.wait_for_function("() => !document.querySelector('.ask').innerText.includes('all have come')")
    host.get_by_role("tab", name="More").click()
    assert host.locator(".secret").count() == 0, "there is no invitation any more"
    late = pages.open(link)
    late.wait_for_selector("text=used or withdrawn")
    found = pages.open(recovery)  # on another device
    found.get_by_role("button", name="Take the seat back").click()
    found.wait_for_selector("text=You sit as")
    no_fault(found, "recovered")
    found.get_by_role("link", name="To the table").click()
    ready(found)
    lost = pages.open(seat)
    lost.wait_for_selector("text=This device has no seat")


def test_the_host_withdraws_an_invitation_and_makes_another(server: Server, pages: Pages) -> None:
    host, link = invited(server, pages)
    host.get_by_role("tab", name="More").click()
    host.get_by_role("button", name="Withdraw it").click()
    host.wait_for_selector("text=The invitation is withdrawn")
    late = pages.open(link)
    late.wait_for_selector("text=used or withdrawn")
    host.get_by_role("button", name="Invite somebody").click()
    host.wait_for_selector(".secret code")
    (again,) = links(host)
    assert again != link
    guest = pages.open(again)
    guest.get_by_role("button", name="Sit down as").click()
    guest.wait_for_selector("text=You sit as")
