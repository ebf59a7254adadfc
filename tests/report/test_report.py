"""After-action reports: whole pages that need nothing but themselves, in sentences, of every game."""

from __future__ import annotations

import doctest
import re
from functools import cache
from html.parser import HTMLParser
from types import ModuleType

import pytest

from kessel.core.title import titles
from kessel.lab import overlay, simulate, study, study_page
from kessel.lab.simulate import play_game
from kessel.report import charts, words
from kessel.report.page import _by_formation, page_of, report
from kessel.report.story import Story, story
from kessel.report.words import Writer, formation, listed
from tests.lab.played import followed

GAMES = [t.id for t in titles().values()]
EMPTY = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Checks that every tag is closed, and collects ids, references and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY:
            self.open.append(tag)
        self._note(dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    def _note(self, attributes: dict[str, str | None]) -> None:
        self.ids |= {v for k, v in attributes.items() if k == "id" and v}
        self.links += [v for k, v in attributes.items() if k in ("href", "src") and v]


@cache
def told(game: str) -> Story:
    return story(followed(game)[0])


@cache
def page(game: str) -> Page:
    found = Page()
    found.feed(page_of(told(game)))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_whole_and_needs_nothing_else(game: str) -> None:
    found = page(game)
    assert found.open == []
    assert {"points", "decisive", "turns", "luck", "forces", "land"} <= found.ids
    assert all(x.startswith("#") and x[1:] in found.ids for x in found.links)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_told_in_sentences(game: str) -> None:
    text = " ".join(page(game).text)
    played, rows = followed(game)
    assert "None" not in text
    assert not re.search(r"\{\w+\}|Fraction\(|\bnan\b", text)
    for row in rows:
        assert row.name in text
    out = played.outcome()
    assert ("The game is not over" in text) == (out is None or not played.over)


@pytest.mark.parametrize("game", GAMES)
def test_losses_of_turns_fights_and_units_agree(game: str) -> None:
    s, rows = told(game), followed(game)[1]
    lost = s.parts[-1].row.lost
    assert lost == rows[-1].lost
    assert [sum(p.lost[i] for p in s.parts) for i in (0, 1)] == lost
    assert sum(s.lost.values()) == sum(lost)
    assert all(sum(f.lost[i] for f in s.fights) <= lost[i] for i in (0, 1))
    assert {u for f in s.fights for u in f.dead} <= s.dead.keys() <= s.lost.keys()


@pytest.mark.parametrize("game", GAMES)
def test_throws_of_fights_are_those_of_the_ledger(game: str) -> None:
    s = told(game)
    given = [id(t) for f in s.fights for t in f.throws]
    assert len(given) == len(set(given))
    assert set(given) <= {id(t) for t in s.luck.counted}
    for f in s.fights:
        assert all(t.entry in f.entries for t in f.throws)


@pytest.mark.parametrize("game", GAMES)
def test_the_rows_of_luck_add_up(game: str) -> None:
    """What is said of hits, checks and the rest is together what the lead says of the dice."""
    found = re.search(r"luck of the [A-Z]\w+ (.*?) Together\s+([+-][\d.]+)", " ".join(page(game).text), re.DOTALL)
    assert found
    rows = [float(x) for x in re.findall(r"[+-]\d+\.\d", found[1])]
    assert sum(rows) == pytest.approx(float(found[2]), abs=0.5)
    assert float(found[2]) == pytest.approx(float(told(game).luck.sums()[0].luck), abs=0.05)


@pytest.mark.parametrize("game", GAMES)
def test_formations_have_names_a_person_knows(game: str) -> None:
    text = " ".join(page(game).text)
    assert "Order of battle" in text
    for code in ("Bry", "IISS", "KaB", "41TD", "3T"):
        assert not re.search(rf"\b{code}\b", text.partition("Order of battle and losses")[2]), code


def test_a_division_of_one_counter_stands_with_its_army() -> None:
    """Korsun's Soviet divisions are a counter each; their army is named behind the comma."""
    s = told("korsun44")
    rows = _by_formation(p for p in s.begun if p.side == "soviet")
    army = next(some for code, some in rows.items() if formation(code) == "40th Army")
    assert sum(p.name.endswith(" Rifle Division, 40th Army") for p in army) > 3
    assert sum(map(len, rows.values())) == sum(p.side == "soviet" and p.kind != "supply" for p in s.begun)
    assert not any(code.isdigit() and len(code) > 2 for code in rows)


def test_a_game_that_is_over_says_who_won() -> None:
    _, played = play_game("bug41", "ustyluh", ("random", "random"), 1, verify=False)
    out = played.outcome()
    assert out is not None
    assert out.winner is not None
    lead = " ".join(Writer(story(played)).lead(out))
    assert lead.startswith("The Soviets won after")
    assert "Soviet victory" in lead


def test_a_game_without_an_action_has_a_report_as_well() -> None:
    from kessel.core.game import Game

    found = Page()
    found.feed(report(Game.new("bug41", "ustyluh", seed=1)))
    assert found.open == []
    assert "The game is not over: no turns have been played" in " ".join(found.text)


def test_lists_in_words() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], 2) == "a, b and c"


@pytest.mark.parametrize("module", [charts, words, overlay, simulate, study, study_page])
def test_the_examples_in_the_code_are_true(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed
