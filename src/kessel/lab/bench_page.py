"""Benchmarks of the page in a real Chromium: from a link to the first ringed choice, and frames of a map in motion.

They need Playwright and a Chromium, and are left out where either is missing.
"""

from __future__ import annotations

import shutil
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
LINK_SECONDS, FRAME_MS = 2.0, 20.0
LARGEST = ("stalingrad42", "campaign")
PAN = """async () => {
    const frame = document.querySelector('.frame'), box = frame.getBoundingClientRect()
    const times = []
    let last = performance.now(), running = true
    const tick = now => { times.push(now - last); last = now; if (running) requestAnimationFrame(tick) }
    requestAnimationFrame(tick)
    const at = (type, on, x, y) =>
        on.dispatchEvent(new MouseEvent(type, {bubbles: true, clientX: x, clientY: y, button: 0, view: window}))
    const x = box.left + box.width / 2, y = box.top + box.height / 2
    at('mousedown', frame, x, y)
    for (let i = 0; i < 240; i++) {
        const a = i / 240 * Math.PI * 8
        at('mousemove', window, x + Math.sin(a) * 250, y + Math.cos(a * 1.3) * 180)
        await new Promise(requestAnimationFrame)
    }
    at('mouseup', window, x, y)
    running = false
    return times.slice(5).sort((a, b) => a - b)
}"""


def page_benchmarks(port: int) -> Found:
    """On a server at that port."""
    path = next((b for name in BROWSERS if (b := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return {}
    if path is None:
        return {}
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            Path(profile), executable_path=path, args=FLAGS, viewport={"width": 1280, "height": 800}
        )
        try:
            slowest, name, page = _open_all(browser, f"http://127.0.0.1:{port}")
            frames = _pan(page)
        finally:
            browser.close()
    links = {
        "value": round(slowest, 2),
        "unit": "s",
        "reference": LINK_SECONDS,
        "ratio": round(slowest / LINK_SECONDS, 2),
    }
    pans = {"value": round(frames, 1), "unit": "ms p95", "reference": FRAME_MS, "ratio": round(frames / FRAME_MS, 2)}
    return {
        "page-link": {**links, "against": f"link to first ringed choice, slowest scenario ({name}) / the limit"},
        "page-pan": {**pans, "against": f"frames while panning {'/'.join(LARGEST)}, worst of three zooms / the limit"},
    }


def _open_all(browser: Any, base: str) -> tuple[float, str, Any]:
    """The slowest of all scenarios, and a page with the largest map."""
    found: list[tuple[float, str]] = []
    largest = None
    for t in titles().values():
        for s in t.scenarios(Pack(t.id)):
            made = Remote(base).call("/tables", {"game": t.id, "scenario": s.id, "seed": 1})
            asked = next(row["asked"] for row in Remote(base).call("/tables") if row["id"] == made["id"])
            page = browser.new_page()
            begun = time.perf_counter()
            page.goto(f"{base}/table/{made['id']}#{made['tokens'][asked]}")
            page.wait_for_selector(".piece use", state="attached", timeout=60_000)
            page.wait_for_selector(RINGED, state="attached", timeout=60_000)
            found.append((time.perf_counter() - begun, f"{t.id}/{s.id}"))
            if (t.id, s.id) == LARGEST:
                largest = page
            else:
                page.close()
    return (*max(found), largest)


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
