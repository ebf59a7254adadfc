"""What is to be seen: cards and chits, the map from far away, words explained, the report of a game that is over."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import PAGE, Pages, Server
from tests.browser.test_table import KHARKOV, Caller, no_fault, ready

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_card_says_what_it_does_and_shows_it_on_the_map_before_it_is_chosen(server: Server, pages: Pages) -> None:
    caller = Caller(server, *KHARKOV, "german")
    page = ready(pages.open(caller.link))
    told = {c["id"]: c for c in caller.view()["table"]["cards"] if c["where"] == "hand"}
    cards = page.locator(".hand .card")
    assert cards.count() == len(told)
    for card in told.values():
        shown = cards.filter(has_text=card["id"])
        assert card["name"] in shown.locator(".name").inner_text()
        assert shown.locator(".value").inner_text() == str(card["value"])
        for use in card["uses"]:
            assert use["says"] in shown.inner_text()
            assert use.get("why", "") in shown.inner_text(), "why it cannot be played so now"
    assert any(use.get("why") for card in told.values() for use in card["uses"])
    assert page.locator(".woken, .promised").count() == 0
    button = cards.filter(has_text="P25").locator(".use", has_text="Activate the corps")
    button.hover()
    page.wait_for_selector(".over > .piece.woken")
    preview = server.call(f"{caller.path}/preview", {"do": "play P25 activate"}, caller.token)
    woken = {str(e.get_attribute("data-unit")) for e in page.locator(".over > .piece.woken").all()}
    assert woken == set(preview["units"])
    assert str(page.locator(".promised").get_attribute("d")).count("z") == len(preview["reach"])
    no_fault(page, "a card pointed at")
    assert caller.view()["version"] == 0, "pointing is not playing"
    page.mouse.move(300, 200)
    page.wait_for_selector(".promised", state="detached")
    button.click()
    page.wait_for_selector(".page[data-version='1']")
    assert {str(e.get_attribute("data-unit")) for e in page.locator(".over > .piece.ringed").all()} <= woken


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
def test_chits_are_shown_with_what_they_do_and_why_one_does_not_count(
    server: Server, pages: Pages, size: dict[str, Any]
) -> None:
    caller = Caller(server, *KHARKOV, "german")
    drawn: list[dict[str, Any]] = []
    while not drawn:
        caller.act("pass" if "pass" in caller.choices() else caller.choices()[0])
        drawn = [c for c in caller.view()["table"]["cards"] if c["name"] == "chit" and c["where"] == "drawn"]
    page = ready(pages.open(caller.link, **size))
    skip = page.locator(".prompt button", has_text="Skip to now")
    page.wait_for_timeout(300)
    if skip.count():
        skip.click()
    chits = page.locator(".chits .chit")
    chits.first.wait_for()
    assert chits.count() == len(drawn)
    drawn.sort(key=lambda c: not any(h.get("counts") for h in c["halves"]))  # those that count come first
    for shown, chit in zip(chits.all(), drawn, strict=True):
        text = shown.inner_text()
        for half, told in zip(shown.locator(".half").all(), chit["halves"], strict=True):
            assert told["when"] in half.inner_text()
            assert told["does"] in half.inner_text()
            assert ("counts" in str(half.get_attribute("class"))) == told.get("counts", False)
        assert chit.get("about", "") in text
    assert any("does not count" in c.get("about", "") for c in drawn)
    assert "Hits so far" in page.locator(".chits .sum").inner_text()
    no_fault(page, "chits")


def test_from_far_away_the_front_is_seen_and_a_stack_says_how_many_lie_in_it(server: Server, pages: Pages) -> None:
    caller = Caller(server, "stalingrad42", "fall-blau", "axis")
    page = ready(pages.open(caller.link))
    stacks: dict[str, int] = {}
    for piece in caller.view()["table"]["pieces"]:
        if len(piece["place"]) == 4 and piece["place"].isdigit():
            stacks[piece["place"]] = stacks.get(piece["place"], 0) + 1
    more = sorted(f"+{n - 1}" for n in stacks.values() if n > 1)
    assert more
    assert sorted(page.locator(".more text").all_text_contents()) == more
    assert page.locator(".front").count() == 0
    page.get_by_role("button", name="The whole map").click()
    page.wait_for_selector(".over > .front", state="attached")
    assert str(page.locator(".front:not(.halo)").get_attribute("d")).count("M") > 40
    names = page.locator(".city").all_text_contents()
    assert {"Voronezh", "Kharkov", "Stalino", "Rostov"} <= set(names)
    boxes = [e.bounding_box() for e in page.locator(".block > path").all()]
    assert len(boxes) > 8
    for n, a in enumerate(boxes):
        for b in boxes[n + 1 :]:
            beside = abs(a["x"] - b["x"]) >= a["width"] - 6 or abs(a["y"] - b["y"]) >= a["height"] - 6
            assert beside, "blocks do not lie on each other"


def test_words_of_the_rules_are_explained_in_log_and_recap(server: Server, pages: Pages) -> None:
    caller = Caller(server, "stalingrad42", "fall-blau", "axis")
    caller.pass_until("attack")
    caller.act("attack 1403")
    while adds := [c for c in caller.choices() if c.startswith("add")]:
        caller.act(adds[0])
    caller.act("declare")
    caller.act("pass")
    page = ready(pages.open(caller.link.partition("#")[0] + f"#{caller.made['tokens']['soviet']}"))
    for tab, where in (("Log", ".entries"), ("Recap", ".recap")):
        page.get_by_role("tab", name=tab).click()
        for head in page.locator(".recap .head").all():
            if page.locator(".recap .word").count():
                break
            head.click()
            page.keyboard.press("Escape")  # all of the chapter is read, not told
        word = page.locator(f"{where} .word").first
        word.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        card = page.locator("[role=tooltip]")
        card.wait_for()
        assert len(card.locator(".means").inner_text()) > 20
        no_fault(page, f"a word in the {tab}")
        page.keyboard.press("Escape")
        card.wait_for(state="detached")


def test_a_game_that_is_over_leads_to_its_report(server: Server, pages: Pages) -> None:
    german = Caller(server, "bug41", "ustyluh", "german")
    seats = {"german": german, "soviet": Caller.of(server, german.made, "soviet")}
    while question := german.view().get("question"):
        me = seats[question["side"]]
        me.act("pass" if "pass" in me.choices() else me.choices()[0])
    page = ready(pages.open(german.link))
    assert "wins" in page.locator(".ask").inner_text()
    page.locator(".prompt").get_by_role("link", name="Report of the game").click()
    report = page.frame_locator("iframe")
    report.locator("h2", has_text="Luck").wait_for()
    assert {"The score", "Turn by turn"} <= set(report.locator("h2").all_inner_texts())
    page.get_by_role("link", name="Back to the table").click()
    ready(page)
    page.locator(".bar").get_by_role("link", name="All games").click()
    page.get_by_role("link", name="Report", exact=True).first.wait_for()


def test_the_page_is_small() -> None:
    """What a browser loads before maps: scripts and styles, compressed as they are sent, and the fonts."""
    if not PAGE.is_file():
        pytest.skip("the page is not built: python web/build.py")
    assets = PAGE.parent / "assets"
    sizes = {f.name: f.stat().st_size for f in assets.iterdir() if f.suffix in (".br", ".woff2")}
    assert {f"{f.name}.br" for f in assets.iterdir() if f.suffix in (".js", ".css")} <= set(sizes)
    assert sum(sizes.values()) < 120_000, sizes
