"""Deciding: few clicks, buttons that say what they do, a warning before a loss."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Pages, Server
from tests.browser.person import Person
from tests.browser.test_table import Caller, no_fault, ready

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_phase_that_would_cost_units_is_not_ended_by_one_click(server: Server, pages: Pages) -> None:
    german = Caller(server, "don42", "short-game", "german")
    soviet = Caller.of(server, german.made, "soviet")
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
    no_fault(page, "a warning")
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


def test_what_is_left_undone_is_said_before_a_phase_ends_until_one_wants_it_no_more(
    server: Server, pages: Pages
) -> None:
    axis = Caller(server, "stalingrad42", "fall-blau", "axis")
    axis.pass_until("move 24Pz")
    version = axis.view()["version"]
    page = ready(pages.open(axis.link))
    end = page.locator(".prompt .do button", has_text="End the Movement Phase")
    end.click()
    idle = page.locator(".warnings .idle")
    idle.wait_for()
    assert "75 units can still move" in idle.inner_text()
    idle.get_by_role("button", name="Show").click()
    page.wait_for_selector(".over > .cursor")
    assert axis.view()["version"] == version
    page.get_by_role("button", name="Do not say this again").click()
    page.wait_for_selector(f".page:not([data-version='{version}'])")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelector('.ask').textContent.includes('Choose a unit to move')")
    end.click()
    page.wait_for_function("() => document.querySelector('.ask').textContent.includes('Choose a hex to attack')")


def test_attacks_a_plan_would_make_are_named_before_the_phase_ends(server: Server, pages: Pages) -> None:
    axis = Caller(server, "stalingrad42", "fall-blau", "axis")
    axis.pass_until("attack")
    version = axis.view()["version"]
    page = ready(pages.open(axis.link))
    page.locator(".prompt .do button", has_text="End the Combat Phase").click()
    named = page.locator(".warnings .wanted")
    named.first.wait_for()
    assert 0 < named.count() <= 3
    assert re.search(r"attack .*\d{4}.* at \d+-1 with \w+", named.first.inner_text())
    named.first.get_by_role("button", name="Show").click()
    page.wait_for_selector(".over > .cursor")
    assert axis.view()["version"] == version
    named.first.get_by_role("button", name="Attack there").click()
    page.wait_for_selector(f".page:not([data-version='{version}'])")
    assert "Attack" in page.locator(".prompt .do button.main").first.inner_text()


ATTACKS = [
    ("stalingrad42", "fall-blau", "attack"),
    ("kharkov43", "initial-assault", "attack"),
    ("don42", "short-game", "attack"),
    ("korsun44", "tinovka", "attack"),
    ("korsun44", "tinovka", "combat"),
    ("bug41", "ustyluh", "hasty"),
]


def at_an_attack(server: Server, game: str, scenario: str, verb: str) -> tuple[Caller, str]:
    """The seat that may attack, and a hex it may attack; all other decisions are passed over the API."""
    made = server.table(game, scenario, **({"german": "me"} if game == "kharkov43" else {}))
    seats = {side: Caller.of(server, made, side) for side in made["tokens"]}
    for _ in range(400):
        asked = next(iter(seats.values())).view()["question"]["side"]
        me = seats[asked]
        listed = me.choices()
        found = [c for c in listed if c.startswith(f"{verb} ")]
        if found:
            return me, found[0].split()[1]
        eager = next((c for c in listed if c.startswith(EAGER[game])), None) if game in EAGER else None
        me.act(eager or ("pass" if "pass" in listed else listed[0]))
    raise AssertionError("nobody may attack")


EAGER = {"kharkov43": ("play", "corps", "move"), "korsun44": ("attack",), "bug41": ("activate",)}
"""What brings these games to an attack sooner than passing."""


DECLARED = ("korsun44", "attack")


@pytest.mark.parametrize(("game", "scenario", "verb"), ATTACKS)
def test_three_clicks_from_the_target_to_the_die(
    server: Server, pages: Pages, game: str, scenario: str, verb: str
) -> None:
    """An enemy is clicked: the best group stands ready with its odds; a button carries the attack on to its die, or
    to what the enemy may answer. By mouse on a desk, by touch on a phone. In Korsun all attacks are declared first,
    which is counted too."""
    for size in ({}, PHONE):
        me, target = at_an_attack(server, game, scenario, verb)
        before = len(server.call(f"{me.path}/log", token=me.token))
        page = ready(pages.open(me.link, **size))
        person = Person(page)
        person.settle()
        clicks = 0
        at = person.spot("", target)
        assert at is not None
        version = me.view()["version"]
        (page.touchscreen.tap if size else page.mouse.click)(*at)
        clicks += 1
        if (game, verb) == DECLARED:
            page.wait_for_selector(f".page:not([data-version='{version}'])")
        while clicks < 3:
            ready_to = page.locator(".prompt .do button.main:enabled")
            end = page.locator(".prompt .do button:enabled", has_text="End declarations")
            button = (ready_to.or_(end) if (game, verb) == DECLARED else ready_to).first
            button.wait_for()
            if not clicks - 1:
                no_fault(page, f"an attack in {game}")
            version = me.view()["version"]
            button.click()
            clicks += 1
            page.wait_for_selector(f".page:not([data-version='{version}']), .prompt [aria-label=Confirm]")
            log = server.call(f"{me.path}/log?since={before}", token=me.token)
            asked = me.view()["question"]["side"]
            if any(e.get("dice") for e in log) or asked != me.side:
                break
        assert any(e.get("dice") for e in log) or asked != me.side, [e["text"] for e in log]


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
def test_the_library_has_the_chart_with_the_column_at_work(server: Server, pages: Pages, size: dict[str, Any]) -> None:
    axis = Caller(server, "stalingrad42", "fall-blau", "axis")
    axis.pass_until("attack")
    axis.act("attack 1403")
    while adds := [c for c in axis.choices() if c.startswith("add")]:
        axis.act(adds[0])
    page = ready(pages.open(axis.link, **size))
    page.locator(".prompt .do button", has_text="Attack at once at 4-1").wait_for()
    page.get_by_role("button", name="Library").click()
    assert page.locator(".library thead th.lit").inner_text() == "4-1"
    assert page.locator(".library td.lit").count() == 6
    no_fault(page, "the library")
    parts = {"Rules": ".rules li", "How you win": ".places li", "Order of battle": ".lost li", "Legend": ".many li"}
    for part, shown in parts.items():
        page.get_by_role("button", name=part).click()
        page.locator(f".library {shown}").first.wait_for()
    page.locator("#library-search").fill("retreat bond")
    page.locator(".library .rules .rule").first.click()
    page.wait_for_selector("dialog[open] p strong")
