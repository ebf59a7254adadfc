"""A person at the table: sees what is drawn on the page, and does nothing but click, drag and type in fields.

What to do is decided from what the page shows: the suggestion it gives when asked, or the choices it lists.
"""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")

SIGHT = """({selector, hex, margin}) => {
    const frame = document.querySelector('.frame').getBoundingClientRect()
    const foot = document.querySelector('.foot').getBoundingClientRect()
    const zoom = document.querySelector('.zoom').getBoundingClientRect()
    const low = foot.top > frame.bottom - 1 ? frame.bottom : foot.top
    const away = ({x, y}) => ({
        x, y,
        dx: Math.max(frame.left + margin - x, 0) || Math.min(zoom.left - margin - x, 0),
        dy: Math.max(frame.top + margin - y, 0) || Math.min(low - margin - y, 0),
    })
    let x, y
    if (hex) {
        const number = [...document.querySelectorAll('.sheet .numbers text')].find(e => e.textContent === hex)
        if (!number) return null
        const svg = number.ownerSVGElement, at = svg.createSVGPoint()
        at.x = +number.getAttribute('x')
        at.y = +number.getAttribute('y') + 16
        ;({x, y} = at.matrixTransform(svg.getScreenCTM()))
    } else if (selector === '.reach') {
        const path = document.querySelector('.over > .reach'), svg = path.ownerSVGElement, at = svg.createSVGPoint()
        const hexes = path.getAttribute('d').split('z').map(d => [...d.matchAll(/(-?[\\d.]+) (-?[\\d.]+)/g)])
        const found = hexes.filter(corners => corners.length).map(corners => {
            at.x = corners.reduce((n, c) => n + +c[1], 0) / corners.length
            at.y = corners.reduce((n, c) => n + +c[2], 0) / corners.length
            return away(at.matrixTransform(svg.getScreenCTM()))
        })
        // The first that is in sight, or that takes the least to bring into it.
        return found.sort((a, b) => Math.hypot(a.dx, a.dy) - Math.hypot(b.dx, b.dy))[0] ?? null
    } else {
        const found = document.querySelector(selector)
        if (!found) return null
        const r = found.getBoundingClientRect()
        ;[x, y] = [r.left + r.width / 2, r.top + r.height / 2]
    }
    return away({x, y})
}"""
"""Where something is on the screen, and how far the map must be dragged to bring it into sight."""
NEAREST = """() => {
    const frame = document.querySelector('.frame').getBoundingClientRect()
    const far = piece => {
        const at = piece.getBoundingClientRect()
        return Math.hypot(at.left - frame.left - frame.width / 2, at.top - frame.top - frame.height / 2)
    }
    const all = [...document.querySelectorAll('.over > .piece.ringed')]
    return all.sort((a, b) => far(a) - far(b))[0]?.dataset.unit
}"""
"""The ringed counter one sees first."""
HEX = re.compile(r"\d{4}")
CARD = re.compile(r"\(([A-Z]\d\d)\)")


class Person:
    def __init__(self, page: Any) -> None:
        self.page = page

    # --- seeing ----------------------------------------------------------------------------------------------------

    def prompt(self) -> str:
        return str(self.page.locator(".ask").inner_text())

    def version(self) -> int:
        """Changes when something was done."""
        return int(self.page.locator(".page").get_attribute("data-version") or -1)

    def settle(self, seconds: float = 60) -> None:
        """Wait until it is this person's decision, or the game is over; a story that is told is skipped."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.tap(self.page.locator(".prompt button", has_text="Skip to now"))
            self.tap(self.page.locator(".curtain button"))
            text = self.prompt()
            if self.is_busy():
                continue
            if "your decision" in text or "wins" in text or "draw" in text:
                return
            self.page.wait_for_timeout(30)
        raise AssertionError(f"nothing to decide: {self.prompt()}")

    @property
    def over(self) -> bool:
        return "your decision" not in self.prompt()

    # --- the map ---------------------------------------------------------------------------------------------------

    def spot(self, selector: str, hex: str = "") -> tuple[float, float] | None:
        """Where a thing on the map is; the map is dragged until it is in sight and lies still."""
        wanted = {"selector": selector, "hex": hex, "margin": 45}
        before: dict[str, float] = {}
        for _ in range(200):
            at = self.page.evaluate(SIGHT, wanted)
            if at is None:
                return None
            if at != before:
                before = at
                self.page.wait_for_timeout(40)
                continue
            if abs(at["dx"]) < 8 and abs(at["dy"]) < 8:
                return at["x"], at["y"]
            self.drag(at["dx"], at["dy"])
        return None

    def drag(self, dx: float, dy: float) -> None:
        box = self.page.locator(".frame").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        reach = min(box["width"], box["height"]) / 2 - 60
        far = max(abs(dx), abs(dy), 1.0)
        share = min(1.0, reach / far)
        self.page.mouse.move(x, y)
        self.page.mouse.down(button="middle")  # the left one would take hold of a counter
        self.page.mouse.move(x + dx * share / 2, y + dy * share / 2)
        self.page.mouse.move(x + dx * share, y + dy * share)
        self.page.mouse.up(button="middle")

    def click_unit(self, unit: str) -> bool:
        """Click a ringed counter; out of its stack if that opens."""
        at = self.spot(f'.over > .piece.ringed[data-unit="{unit}"]')
        if at is None:
            return False
        self.page.mouse.click(*at)
        fanned = self.page.locator(f'.in-fan.ringed[data-unit="{unit}"]')
        if fanned.count():
            fanned.click()
        return True

    def click_hex(self, name: str) -> bool:
        at = self.spot(f'.boxes [data-place="{name}"]', name if HEX.fullmatch(name) else "")
        if at is None:
            return False
        self.page.mouse.click(*at)
        here = self.page.locator(".fan .here")
        if here.count():
            here.click()
        return True

    # --- doing -----------------------------------------------------------------------------------------------------

    def tap(self, button: Any) -> bool:
        """Click it if it is there; it may go away before the click arrives."""
        try:
            if button.count():
                button.click(timeout=1000)
                return True
        except playwright.Error:
            pass
        return False

    def confirm(self) -> None:
        """Yes, also where it is said to cost something."""
        self.tap(self.page.locator(".prompt .do button.danger:enabled"))
        self.tap(self.page.locator(".prompt .do button.main:enabled", has_text="Enter"))

    def changed(self, before: int, seconds: float = 3) -> bool:
        until = time.monotonic() + seconds
        while time.monotonic() < until or self.is_busy():
            self.confirm()
            if self.version() != before:
                return True
            self.page.wait_for_timeout(25)
        return False

    def is_busy(self) -> bool:
        """Whether the page waits for an answer."""
        return self.page.locator(".page").get_attribute("data-busy") == "true"

    def suggestion(self) -> str:
        """What the page suggests when asked."""
        self.page.get_by_role("button", name="Suggest").click()
        told = self.page.locator(".message.news strong")
        told.wait_for(timeout=60000)
        text = str(told.inner_text())
        self.page.locator(".message.news .close").click()
        self.tap(self.page.locator(".prompt .do button", has_text="Clear"))
        return text

    def do(self, text: str) -> str:
        """Carry out a choice, on the map where it can be done there; says how it was done."""
        before = self.version()
        how = ""
        for way in (self._by_card, self._by_map, self._by_button, self._by_list):
            how = how or way(text, before)
            if not how and self.version() != before:
                how = "map"
        if not how:
            self.page.screenshot(path="could-not.png")
            raise AssertionError(f"could not do {text!r} at {self.prompt()!r}; see could-not.png")
        return how

    def _by_card(self, text: str, before: int) -> str:
        """A card is clicked where it lies; the prompt then asks what it is played for."""
        found = CARD.search(text)
        if found is None:
            return ""
        card = self.page.locator(".card.ringed .top").filter(has_text=found[1])
        return "card" if self.tap(card.first) and self._by_button(text, before) else ""

    def _by_map(self, text: str, before: int) -> str:
        """Click the units, then the hex; a button that names the choice settles what the clicks leave open."""
        words = text.split()[1:]
        done = [w for w in words if self.click_unit(w)]
        ends = [w.split("-")[-1] for w in words if w not in done]
        for name in reversed(ends):
            if self.version() == before and self._is_offered(name) and self.click_hex(name):
                done.append(name)
                break
        if not done:
            return ""
        until = time.monotonic() + 2
        while time.monotonic() < until:
            if self.changed(before, 0.15) or self._by_button(text, before):
                return "map"
        return ""

    def _is_offered(self, name: str) -> bool:
        return bool(self.page.locator(".reach-border[d^=M]").count()) and bool(HEX.fullmatch(name))

    def _by_button(self, text: str, before: int) -> str:
        exact = re.compile(
            rf"^\s*{re.escape(text)}(, then choose support|\s+(at|on column) \S+)?(\s*\d+ left)?\s*$", re.I
        )
        button = self.page.locator(".prompt .do button:enabled").filter(has_text=exact)
        return "button" if self.tap(button.first) and self.changed(before) else ""

    def _by_list(self, text: str, before: int) -> str:
        self.tap(self.page.locator(".prompt .do button", has_text="Clear"))
        self.open_list()
        self.page.locator("#choice-filter").fill(text)  # the page empties it with the next question
        exact = re.compile(rf"^\s*{re.escape(text)}\s*\S*\s*$", re.I)
        done = self.tap(self.page.locator(".choices li button").filter(has_text=exact).first) and self.changed(before)
        return "list" if done else ""

    def open_list(self) -> None:
        """The list of choices; on a phone a second click on its tab closes it."""
        self.open_tab("Choices")

    def open_tab(self, name: str) -> None:
        tab = self.page.get_by_role("tab", name=name)
        if tab.get_attribute("aria-selected") != "true" or not self._panel_is_open():
            tab.click()

    def close_list(self) -> None:
        """On a phone the list takes room from the map."""
        if self.page.viewport_size["width"] < 600 and self._panel_is_open():
            self.page.get_by_role("tab", selected=True).click()

    def _panel_is_open(self) -> bool:
        shown = self.page.locator("#panel").bounding_box()
        return bool(shown) and shown["height"] > 40

    def listed(self) -> list[str]:
        """The choices as the list shows them."""
        for _ in range(40):
            self.tap(self.page.locator(".prompt button", has_text="Skip to now"))
            self.open_list()
            found = [t.strip() for t in self.page.locator(".choices li button").all_inner_texts()]
            if found:
                return found
            self.page.wait_for_timeout(75)
        self.page.screenshot(path="could-not.png")
        raise AssertionError(f"nothing is listed at {self.prompt()!r}; see could-not.png")
