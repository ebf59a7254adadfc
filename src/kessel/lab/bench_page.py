"""Benchmarks of the page in a real Chromium: from a link to the first ringed choice, from a click on a unit to its
painted answer, and frames of a map in motion.

They need Playwright and a Chromium, and are left out where either is missing.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from kessel.core.pack import Pack
from kessel.core.title import titles
from kessel.table.remote import Remote

Found = dict[str, dict[str, Any]]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
RINGED = ".piece.ringed, .reach-border[d^=M], .card.ringed, .choices li button"
"""What can be chosen: on the map, in the hand, or in the list where neither has it."""
LINK_SECONDS, CLICK_MS, FRAME_MS = 2.0, 150.0, 20.0
CLICKS = 15
LARGEST = ("stalingrad42", "campaign")
IN_SIGHT = """() => [...document.querySelectorAll('.over > .piece.ringed')].filter(piece => {
    const box = piece.getBoundingClientRect()
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    return at?.closest('.frame svg')
}).map(piece => piece.dataset.unit)"""
CLICK = """async unit => {
    const piece = document.querySelector(`.over > .piece[data-unit="${unit}"]`)
    const where = document.querySelector('.reach-border'), asked = document.querySelector('.prompt')
    const shown = () => where.getAttribute('d') + asked.textContent
    const before = shown(), box = piece.getBoundingClientRect()
    const x = box.left + box.width / 2, y = box.top + box.height / 2
    const on = document.elementFromPoint(x, y)
    const begun = performance.now()
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        on.dispatchEvent(new PointerEvent(type, {bubbles: true, clientX: x, clientY: y, button: 0, view: window}))
    while (shown() === before && performance.now() - begun < 5000) await new Promise(requestAnimationFrame)
    await new Promise(painted => requestAnimationFrame(() => setTimeout(painted)))
    return performance.now() - begun
}"""
"""A frame is painted between its callback and the next task."""
PAN = """async () => {
    const frame = document.querySelector('.frame'), box = frame.getBoundingClientRect()
    const times = []
    let last = performance.now(), running = true
    const tick = now => { times.push(now - last); last = now; if (running) requestAnimationFrame(tick) }
    requestAnimationFrame(tick)
    const at = (type, on, x, y) =>
        on.dispatchEvent(new PointerEvent(type, {bubbles: true, clientX: x, clientY: y, button: 0, pointerId: 1}))
    const x = box.left + box.width / 2, y = box.top + box.height / 2
    at('pointerdown', frame, x, y)
    for (let i = 0; i < 240; i++) {
        const a = i / 240 * Math.PI * 8
        at('pointermove', window, x + Math.sin(a) * 250, y + Math.cos(a * 1.3) * 180)
        await new Promise(requestAnimationFrame)
    }
    at('pointerup', window, x, y)
    running = false
    return times.slice(5).sort((a, b) => a - b)
}"""


def page_benchmarks(port: int) -> Found:
    """On a server at that port."""
    path, environment = _browser()
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return {}
    if path is None:
        return {}
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            Path(profile),
            executable_path=path,
            args=FLAGS,
            env={**os.environ, **environment},
            viewport={"width": 1280, "height": 800},
        )
        try:
            slowest, name, page = _open_all(browser, f"http://127.0.0.1:{port}")
            clicks = _click(page)
            frames = _pan(page)
        finally:
            browser.close()
    links = {
        "value": round(slowest, 2),
        "unit": "s",
        "reference": LINK_SECONDS,
        "ratio": round(slowest / LINK_SECONDS, 2),
    }
    answers = {"value": round(clicks), "unit": "ms median", "reference": CLICK_MS, "ratio": round(clicks / CLICK_MS, 2)}
    pans = {"value": round(frames, 1), "unit": "ms p95", "reference": FRAME_MS, "ratio": round(frames / FRAME_MS, 2)}
    return {
        "page-link": {**links, "against": f"link to first ringed choice, slowest scenario ({name}) / the limit"},
        "page-click": {**answers, "against": f"click to painted answer in {'/'.join(LARGEST)} / the limit"},
        "page-pan": {**pans, "against": f"frames while panning {'/'.join(LARGEST)}, worst of three zooms / the limit"},
    }


def _browser() -> tuple[str | None, dict[str, str]]:
    """The machine's own, or the one that `make browser` keeps beside the packages, and what its environment needs."""
    kept = Path(sys.prefix) / "chromium"
    found = next((b for name in BROWSERS if (b := shutil.which(name))), None)
    if found is None and (kept / "chromium").is_file():
        return str(kept / "chromium"), {"LD_LIBRARY_PATH": f"{kept}/lib", "FONTCONFIG_PATH": str(kept)}
    return found, {}


def _open_all(browser: Any, base: str) -> tuple[float, str, Any]:
    """The slowest of all scenarios, and a page with the largest map."""
    found: list[tuple[float, str]] = []
    largest = None
    for t in titles().values():
        for s in t.scenarios(Pack(t.id)):
            made = Remote(base).call("/tables", {"game": t.id, "scenario": s.id, "seed": 1})
            asked = next(row["asked"] for row in Remote(base).call("/tables") if row["id"] == made["id"])
            if (t.id, s.id) == LARGEST:  # on to the moves, where units can be clicked on
                seat = Remote(base, made["id"], made["tokens"][asked])
                seat.act("pass", seat.view().version)
            page = browser.new_page()
            begun = time.perf_counter()
            page.goto(f"{base}/table/{made['id']}#{made['tokens'][asked]}")
            page.wait_for_selector(".piece use, .over > .block", state="attached", timeout=60_000)
            page.wait_for_selector(RINGED, state="attached", timeout=60_000)
            found.append((time.perf_counter() - begun, f"{t.id}/{s.id}"))
            if (t.id, s.id) == LARGEST:
                largest = page
            else:
                page.close()
    return (*max(found), largest)


def _click(page: Any) -> float:
    """The median over some units that can be chosen, in milliseconds."""
    page.bring_to_front()
    page.wait_for_timeout(1500)
    times: list[float] = []
    for unit in page.evaluate(IN_SIGHT)[:CLICKS]:
        times.append(page.evaluate(CLICK, unit))
        page.keyboard.press("Escape")
        page.wait_for_timeout(300)
    if len(times) < CLICKS:
        raise AssertionError(f"only {len(times)} units to click on are in sight")
    return statistics.median(times)


def _pan(page: Any) -> float:
    """The worst 95th percentile of three zooms, in milliseconds."""
    worst = 0.0
    page.bring_to_front()
    for zoom in ("0", "+++", "+++"):
        for key in zoom:
            page.keyboard.press(key)
        page.wait_for_timeout(900)
        times = page.evaluate(PAN)
        worst = max(worst, times[int(len(times) * 0.95)])
    return worst
