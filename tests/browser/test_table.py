"""A person at the table, in a real browser."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import Person

pytestmark = pytest.mark.browser
KHARKOV = ("kharkov43", "initial-assault")
DON = ("don42", "short-game")
KESSEL = Path(sys.executable).with_name("kessel")


def ready(page: Any) -> Any:
    """Wait until counters, or from afar formations, are drawn and a question stands."""
    page.wait_for_selector(".piece use, .over > .block")
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
    first.get_by_role("button", name="Keep the remaining air units").first.click()
    confirm = first.locator(".prompt button.main")
    first.wait_for_timeout(200)
    if confirm.count():
        confirm.click()
    begun = time.monotonic()
    second.wait_for_selector(".entries li")
    assert time.monotonic() - begun < 1.0


DRAWN = """() => {
    const face = (e) => document.querySelector(e.querySelector('use')?.getAttribute('href') ?? '.none')?.innerHTML
    const all = [...document.querySelectorAll('.over > .piece')]
    return all.map(e => [e.dataset.unit, e.style.transform, face(e)]).sort()
}"""
"""Every counter: where it is drawn and what is on it."""


@pytest.mark.parametrize(
    ("game", "scenario", "seat"), [("stalingrad42", "fall-blau", "axis"), (*KHARKOV, "german"), (*DON, "soviet")]
)
def test_a_page_that_followed_looks_like_one_opened_anew(
    server: Server, pages: Pages, game: str, scenario: str, seat: str
) -> None:
    """The page is told only what differs; undo, and looking back meanwhile, change nothing about that."""
    caller = Caller(server, game, scenario, seat)
    page = ready(pages.open(caller.link))
    rng = random.Random(3)
    for n in range(14):
        view = caller.view()
        if view.get("question") is None or view["question"]["side"] != seat:
            break
        if view.get("can_undo") and n % 5 == 4:
            caller.undo()
        else:
            caller.act(rng.choice(caller.choices()))
        if n == 6:
            page.keyboard.press("[")
    assert n > 4
    last = caller.view()["version"]
    page.wait_for_selector(f".page[data-version='{last}']")
    page.keyboard.press("Escape")
    fresh = ready(pages.open(caller.link))
    fresh.wait_for_selector(f".page[data-version='{last}']")
    for p in (page, fresh):
        p.wait_for_function("() => !document.querySelector('.ask').innerText.includes('Looking back')")
        if p.get_by_role("button", name="Skip to now").count():
            p.get_by_role("button", name="Skip to now").click()
    fresh.wait_for_timeout(600)
    assert page.evaluate(DRAWN) == fresh.evaluate(DRAWN)
    for p in (page, fresh):
        p.get_by_role("tab", name="Choices").click()
    listed = ".choices li button"
    assert page.locator(listed).all_inner_texts() == fresh.locator(listed).all_inner_texts()
    assert page.locator(".ask").inner_text() == fresh.locator(".ask").inner_text()


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
    page.locator("#scrub").focus()
    page.keyboard.press("Home")
    page.wait_for_selector("text=after action 0 of 2")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=after action 1 of 2")
    tables = len(server.call("/tables"))
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_function("() => !document.querySelector('.ask')?.innerText.includes('Looking back')")
    ready(page)
    page.wait_for_timeout(300)
    assert version(page) == 1
    assert len(server.call("/tables")) == tables + 1


def no_fault(page: Any, where: str) -> None:
    """axe-core finds nothing, however small."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    assert [(v["id"], v["impact"], v["nodes"][0]["html"][:120]) for v in found] == [], where


class Caller:
    """A seat that plays over the API, to bring a table to a situation."""

    def __init__(self, server: Server, game: str, scenario: str, seat: str) -> None:
        self._sit(server, server.table(game, scenario), seat)

    @classmethod
    def of(cls, server: Server, made: Any, seat: str) -> Caller:
        """A seat of a table that was made before."""
        found = cls.__new__(cls)
        found._sit(server, made, seat)
        return found

    def _sit(self, server: Server, made: Any, seat: str) -> None:
        self.server, self.made, self.side = server, made, seat
        self.token = self.made["tokens"][seat]
        self.path = f"/tables/{self.made['id']}"
        self.link = f"{server.url}/table/{self.made['id']}#{self.token}"

    def view(self) -> Any:
        return self.server.call(f"{self.path}/view", token=self.token)

    def choices(self) -> list[str]:
        return [c["text"] for c in self.view()["question"].get("choices", [])]

    def act(self, do: str) -> None:
        version = self.view()["version"]
        self.server.call(f"{self.path}/actions", {"version": version, "id": f"r{version}", "do": do}, self.token)

    def undo(self) -> None:
        version = self.view()["version"]
        self.server.call(f"{self.path}/undo", {"version": version, "id": f"u{version}"}, self.token)

    def pass_until(self, verb: str) -> str:
        """The first choice with that verb, when it is offered."""
        for _ in range(30):
            found = next((c for c in self.choices() if c.startswith(verb)), "")
            if found:
                return found
            self.act("pass")
        raise AssertionError(f"{verb} is never offered")


def panel(page: Any) -> tuple[dict[str, str], dict[str, str]]:
    """What the panel of odds tells: values by name, and the chances."""
    page.wait_for_selector(".preview > dl")
    values = {}
    for part in page.locator(".preview > dl > .part").all():
        name = part.locator("dt").first
        total = name.locator("strong")
        words = str(name.inner_text()).split()
        if total.count():
            values[" ".join(words[:-1]).lower()] = str(total.inner_text())
        else:
            values[" ".join(words).lower()] = str(part.locator("dd").first.inner_text())
    bars = page.locator(".preview > dl > .part .bars li")
    rows = [(b.locator(".result").inner_text(), b.locator(".value").inner_text()) for b in bars.all()]
    return values, dict(rows)


def analyzed(tmp_path: Path, view: Any, ask: dict[str, Any], **fields: Any) -> Any:
    """The answer of `kessel analyze` for the position a view shows."""
    pieces = [p for p in view["table"]["pieces"] if re.fullmatch(r"\d{4}", p["place"])]
    units = [{"id": p["id"], "at": p["place"], "steps": p.get("steps", 1)} for p in pieces]
    position = tmp_path / "position.json"
    position.write_text(json.dumps({"game": view["game"], "units": units, "ask": [ask], **fields}))
    done = subprocess.run([KESSEL, "analyze", position], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["answers"][0]


def bars(part: Any) -> dict[str, str]:
    rows = part.locator(".bars li").all()
    return {str(r.locator(".result").inner_text()): str(r.locator(".value").inner_text()) for r in rows}


def results(page: Any) -> dict[str, dict[str, Any]]:
    """What the panel tells of an attack's results: by the defender's choice the chances and the rows under them."""
    found = {}
    for group in page.locator(".preview > dl > .part:has(> dt:text-is('Results')) > dd > dl > .part").all():
        rows = group.locator("> dd > dl > .part:not(:has(.bars))").all()
        told: dict[str, Any] = {r.locator("dt").inner_text(): r.locator("dd").inner_text() for r in rows}
        found[group.locator("> dt").inner_text()] = told | {"Chances": bars(group)}
    return found


def as_shown(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The results of an answer as the panel writes them."""

    def word(key: str) -> str:
        return key[0].upper() + key[1:].replace("_", " ")

    def percent(share: float) -> str:
        return "<1 %" if 0 < share < 0.01 else f"{int(100 * share + 0.5)} %"

    return {
        word(choice): {
            word(k): {end: percent(share) for end, share in v.items()} if k == "chances" else v for k, v in rows.items()
        }
        for choice, rows in told.items()
    }


ATTACKED = ("1305", "1403", "1818", "1713", "2528")
"""Targets of a first turn: a fortification, a weak stack, one too strong, one in the open, one with support near."""


def test_odds_are_those_of_kessel_analyze(server: Server, pages: Pages, tmp_path: Path) -> None:
    caller = Caller(server, "stalingrad42", "fall-blau", "axis")
    caller.pass_until("attack")
    page = ready(pages.open(caller.link))
    seen = set()
    for target in ATTACKED:
        caller.act(f"attack {target}")
        while adds := [c for c in caller.choices() if c.startswith("add")]:
            caller.act(adds[0])
        view = caller.view()
        page.wait_for_selector(f".page[data-version='{view['version']}']")
        shown, _ = panel(page)
        forts = {m["place"]: m["side"] for m in view["table"]["markers"] if m["kind"] == "fortification"}
        ask = {"question": "attack", "target": target, "units": view["question"]["units"]}
        told = analyzed(tmp_path, view, ask, side="axis", phase="combat", forts=forts)
        for name in ("attack", "defense", "shifts"):
            assert shown[name] == str(told[name]["total"]), (target, name)
        for name in ("odds", "column"):
            assert shown.get(name) == told[name], (target, name)
        assert results(page) == as_shown(told.get("results", {})), target
        dice = " ".join(f"{die} {result}" for die, result in told.get("on_the_die", {}).items())
        assert shown.get("on the die", "").split() == dice.split(), target
        seen.add(tuple(told.get("results", {})))
        if target != ATTACKED[-1]:
            caller.act("cancel")
    assert len(seen) == 4, "odds too low, no defense possible, one, one with support"
    page.get_by_role("tab", name="Choices").click()
    page.locator(".choices li button", has_text="out of the attack").first.hover()
    page.wait_for_selector(".preview h2:has-text('Take out')")
    assert int(panel(page)[0]["attack"]) < int(shown["attack"]), "the panel follows what would be toggled"


def test_dice_are_shown_with_the_row_and_column_they_hit(server: Server, pages: Pages) -> None:
    caller = Caller(server, "stalingrad42", "fall-blau", "axis")
    caller.pass_until("attack")
    caller.act("attack 1403")
    while adds := [c for c in caller.choices() if c.startswith("add")]:
        caller.act(adds[0])
    caller.act("declare")
    page = ready(pages.open(caller.link))
    assert page.locator(".rolled").count() == 0
    page.get_by_role("button", name="Roll the die at 4-1").click()
    page.wait_for_selector(".rolled")
    rolled = server.call(f"{caller.path}/log", token=caller.token)[-1]
    die = rolled["dice"][0][1]
    assert [d.get_attribute("aria-label") for d in page.locator(".rolled .die").all()] == [f"die {die}"]
    assert f"die {die} on 4-1" in page.locator(".rolled").inner_text()
    no_fault(page, "dice")
    other = f"{server.url}/table/{caller.made['id']}#{caller.made['tokens']['soviet']}"
    assert f"die {die} on 4-1" in ready(pages.open(other)).locator(".rolled").inner_text()


def test_chances_are_those_of_kessel_analyze(server: Server, pages: Pages, tmp_path: Path) -> None:
    caller = Caller(server, *DON, "soviet")
    german = Caller.__new__(Caller)
    german.server, german.path, german.token = server, caller.path, caller.made["tokens"]["german"]
    seats = {"soviet": caller, "german": german}
    for _ in range(60):
        side = caller.view()["question"]["side"]
        attack = next((c for c in seats[side].choices() if c.startswith("attack")), "")
        if attack:
            break
        seats[side].act("pass" if "pass" in seats[side].choices() else seats[side].choices()[0])
    me = seats[side]
    me.act(attack)
    me.act(next(c for c in me.choices() if c.startswith("with")))
    view = me.view()
    page = ready(pages.open(f"{server.url}/table/{caller.made['id']}#{me.token}"))
    shown, chances = panel(page)
    ask = {"question": "attack", "hex": attack.split()[1], "units": view["question"]["units"]}
    told = analyzed(tmp_path, view, ask)
    assert shown["ratio"] == told["ratio"]
    assert chances == {r: f"{round(100 * eval(share))} %" for r, share in told["chances"].items()}


def test_the_soviet_system_is_told_step_by_step_with_all_its_checks(server: Server, pages: Pages) -> None:
    page = kharkov(server, pages)
    me = Person(page)
    for _ in range(12):
        page.wait_for_selector(".page[data-busy=false]")
        if page.locator(".prompt button", has_text="Skip to now").count():
            break
        listed = me.listed()
        wanted = next(
            (c for c in listed if c.startswith(("End", "Play no", "Dig in no more")) or c.endswith("one unit")),
            listed[0],
        )
        assert me._by_list(wanted, me.version()), wanted
    page.get_by_role("button", name="Pause").click()
    assert "What happened" in page.locator(".ask").inner_text()
    for _ in range(60):
        if page.locator(".prompt button", has_text="Why?").count() and "method" in page.locator(".ask").inner_text():
            break
        page.get_by_role("button", name="Step", exact=True).click()
    told = page.locator(".ask").inner_text()
    page.get_by_role("button", name="Step back").click()
    assert page.locator(".ask").inner_text() != told
    page.get_by_role("button", name="Step", exact=True).click()
    assert page.locator(".ask").inner_text() == told
    no_fault(page, "a story")
    page.get_by_role("button", name="Why?").click()
    no_fault(page, "why")
    checks = page.locator("dialog[open] ol > li")
    assert checks.count() >= 1
    assert "moves" in checks.last.inner_text()
    assert "method 1" in checks.first.inner_text()
    page.get_by_role("button", name="Done").locator("visible=true").click()
    page.get_by_role("button", name="Skip to now").click()
    page.get_by_role("tab", name="More").click()
    page.get_by_role("button", name="Soviet moves, last turn").click()
    page.wait_for_selector(".overlay-lines", state="attached")
    page.get_by_role("button", name="Threatened German units").click()
    page.wait_for_selector(".overlay text", state="attached")


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
    page.locator(".card.ringed").first.wait_for()  # what can be done here lies in the hand: it is shown by itself
    page.locator(".card.ringed .use", has_text="Activate the corps").first.tap()
    page.wait_for_selector(".piece.ringed")
    page.wait_for_timeout(300)
    assert page.locator(".ask").is_visible()
    assert page.locator(".frame").bounding_box()["height"] > 300


def test_no_fault_of_accessibility_on_any_page(server: Server, pages: Pages) -> None:
    check = no_fault
    home = pages.open(server.url)
    home.wait_for_selector("article")
    check(home, "home")
    home.locator("article", has_text="Kharkov").get_by_role("button", name="begin here").click()
    for summary in home.locator(".new summary").all():
        summary.click()
    check(home, "new game")
    page = kharkov(server, pages)
    activate(page)
    pick_a_mover(page)
    for tab in ("Choices", "Before you do it", "Log", "More"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(200)
        check(page, tab)
    page.get_by_role("tab", name="More").click()
    page.get_by_role("button", name="Soviet reach").click()
    page.get_by_role("button", name="Threatened German units").hover()
    check(page, "overlays")
    page.keyboard.press("r")
    page.wait_for_selector("dialog[open] p strong")
    check(page, "rule")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    check(page, "keys")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    check(page, "settings")
