"""Pictures of maps and table for docs/pictures: `python -m tests.browser.pictures [FOLDER [NAME ...]]`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import kessel
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.render import map_svg, write_picture
from tests.browser.conftest import FLAGS, Server
from tests.browser.get_browser import find
from tests.browser.person import Person
from tests.browser.test_recap import DON, Waiting
from tests.browser.test_table import Caller, ready

WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


MAPS = {"stalingrad42": 0.2, "don42": 0.35, "kharkov43": 0.35, "korsun44": 0.25, "bug41": 0.35}
"""How large each map is drawn, of its own size."""
PARTS = [
    ("stalingrad42-don-bend", "stalingrad42", "uranus", "4014-5626"),
    ("don42-stalingrad", "don42", "short-game", "1420-2801"),
    ("kharkov43-kharkov", "kharkov43", "star-and-gallop", "0402-1414"),
    ("korsun44-tinovka", "korsun44", "tinovka", "1014-2226"),
    ("bug41-ustyluh", "bug41", "ustyluh", "0408-1818"),
]
"""Parts of a map with the counters of a scenario: name, game, scenario, corners."""


def draw_maps(folder: Path) -> None:
    for game, zoom in MAPS.items():
        svg = map_svg(Pack(game).map, title=title(game).name, embed_fonts=False)
        write_picture(svg, folder / f"{game}.png", zoom=zoom)
    for name, game, scenario, area in PARTS:
        write_picture(kessel.new(game, scenario, seed=1).svg(area=area), folder / f"{name}.png", zoom=0.6)
        print(name)


class Photographer:
    def __init__(self, browser: Any, server: Server, folder: Path) -> None:
        self.browser, self.server, self.folder = browser, server, folder

    def open(self, url: str, **options: Any) -> Any:
        page = self.browser.new_context(**(options or WIDE)).new_page()
        page.set_default_timeout(20000)
        page.goto(url)
        return page

    def take(self, page: Any, name: str) -> None:
        page.wait_for_timeout(900)
        page.screenshot(path=self.folder / f"table-{name}.png")
        print(name)

    def home(self) -> None:
        page = self.open(self.server.url)
        page.wait_for_selector("article")
        self.take(page, "home")
        page.locator("article", has_text="Kharkov").get_by_role("button", name="begin here").click()
        page.get_by_text("Options and dice").click()
        self.take(page, "new-game")

    def fall_blau(self) -> None:
        caller = Caller(self.server, "stalingrad42", "fall-blau", "axis")
        caller.pass_until("move 24Pz")
        page = ready(self.open(caller.link))
        me = Person(page)
        me.drag(240, 240)
        me.click_unit("24Pz")
        page.wait_for_selector("text.cost")
        page.mouse.move(*(me.spot(".reach") or (600, 400)))
        self.take(page, "stalingrad42-move")
        page.keyboard.press("u")
        page.wait_for_timeout(500)
        caller.pass_until("attack 1403")
        caller.act("attack 1403")
        while adds := [c for c in caller.choices() if c.startswith("add")]:
            caller.act(adds[0])
        page.wait_for_selector(".preview .bars")
        page.mouse.move(100, 500)
        self.take(page, "stalingrad42-odds")
        page.get_by_role("tab", name="More").click()
        page.get_by_role("button", name="Axis ZOC bonds").click()
        page.get_by_role("button", name="Threatened Axis units").click()
        self.take(page, "stalingrad42-threat")
        page.get_by_role("button", name="Threatened Axis units").click()
        page.get_by_role("button", name="Axis ZOC bonds").click()
        page.get_by_role("tab", name="Choices").click()
        caller.act("declare")
        caller.act("pass")
        page.wait_for_selector(".rolled")
        self.take(page, "stalingrad42-dice")

    def initial_assault(self) -> None:
        caller = Caller(self.server, "kharkov43", "initial-assault", "german")
        page = ready(self.open(caller.link))
        page.locator(".hand .card .use").first.hover()
        self.take(page, "kharkov43-cards")
        page.mouse.move(600, 300)
        me = Person(page)
        me.do("Play Corps Raus (P23): one unit")
        me.settle()
        me.do(me.listed()[0])
        page.get_by_role("button", name="Pause").click()
        for _ in range(60):
            if "method" in page.locator(".ask").inner_text():
                break
            page.get_by_role("button", name="Step", exact=True).click()
        self.take(page, "kharkov43-system")
        page.get_by_role("button", name="Why?").click()
        self.take(page, "kharkov43-why")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Skip to now").click()
        page.get_by_role("tab", name="More").click()
        page.get_by_role("button", name="Soviet moves, last turn").click()
        page.get_by_role("button", name="Threatened German units").click()
        self.take(page, "kharkov43-fight")

    def korsun(self) -> None:
        caller = Caller(self.server, "korsun44", "tinovka", "soviet")
        page = ready(self.open(caller.link))
        page.get_by_role("button", name="The whole map").click()
        page.wait_for_selector(".over > .block")
        self.take(page, "korsun44-far")

    def recap(self) -> None:
        """The enemy's turn, told to who comes back."""
        me = Waiting(self.server, *DON)
        me.until_told(2)
        page = ready(self.open(me.link))
        page.wait_for_selector(".timeline")
        page.get_by_role("button", name="Pause").click()
        for _ in range(60):
            if "attack" in page.locator(".ask").inner_text().lower():
                break
            page.get_by_role("button", name="Step", exact=True).click()
        self.take(page, "don42-recap")

    def lesson(self) -> None:
        page = self.open(self.server.url)
        page.locator("article", has_text="Stalingrad").get_by_role("button", name="Learn in ten minutes").click()
        page.wait_for_selector("section.lesson")
        page.wait_for_selector(".piece use, .over > .block")
        self.take(page, "lesson")

    def don(self) -> None:
        caller = Caller(self.server, "don42", "short-game", "soviet")
        page = ready(self.open(caller.link))
        self.take(page, "don42")

    def bug(self) -> None:
        caller = Caller(self.server, "bug41", "ustyluh", "german")
        caller.pass_until("activate 298ID")
        caller.act("activate 298ID")
        moves = [c for c in caller.choices() if c.startswith("move")]
        caller.act(moves[0])
        page = ready(self.open(caller.link))
        page.wait_for_selector("text.cost")
        self.take(page, "bug41-move")

    def phone(self) -> None:
        caller = Caller(self.server, "stalingrad42", "fall-blau", "axis")
        caller.pass_until("move 24Pz")
        caller.act("move 24Pz")
        page = ready(self.open(caller.link, **PHONE))
        page.wait_for_selector("text.cost")
        self.take(page, "phone")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "docs/pictures"
    wanted = set(sys.argv[2:])
    if not wanted or "maps" in wanted:
        draw_maps(folder)
    found = find()
    if found is None:
        sys.exit("there is no Chromium on this machine")
    path, environment = found
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data) / "tables.db")
        server.start()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, env={**os.environ, **environment})
        try:
            by = Photographer(browser, server, folder)
            for what in (
                by.home,
                by.fall_blau,
                by.initial_assault,
                by.don,
                by.bug,
                by.korsun,
                by.recap,
                by.lesson,
                by.phone,
            ):
                if not wanted or what.__name__ in wanted:
                    what()
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
