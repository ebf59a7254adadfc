"""Whoever looks up the rule that a log, a trace or an answer cites finds the statement that decided."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.game import Game
from kessel.core.rules import find, statements
from kessel.games.kharkov43.data.citations import APART, LISTS, METHODS, letter_of, of_method, of_preference
from kessel.games.kharkov43.system.methods.methods_a import METHODS_A
from kessel.games.kharkov43.system.methods.methods_army import METHODS_ARMY
from kessel.games.kharkov43.system.methods.methods_b import METHODS_B
from kessel.games.kharkov43.system.methods.methods_unsupplied import METHODS_UNSUPPLIED

from .helpers import PACK, ask
from .playthroughs import crowded_board

TITLES = {s.rule: s.title for s in statements(PACK)}


def cited(what: Any) -> set[str]:
    """Every `rule` in a document, however deep."""
    if isinstance(what, dict):
        own = {what["rule"]} if isinstance(what.get("rule"), str) else set()
        return own.union(*(cited(v) for v in what.values()))
    return set().union(*(cited(v) for v in what)) if isinstance(what, list | tuple) else set()


def preferences(what: Any) -> list[dict[str, Any]]:
    if isinstance(what, dict):
        return [*what.get("preferences", []), *(p for v in what.values() for p in preferences(v))]
    return [p for v in what for p in preferences(v)] if isinstance(what, list | tuple) else []


def test_the_statements_of_preferences_and_methods_are_statements():
    assert {*LISTS.values(), *APART.values(), *METHODS.values()} <= set(TITLES)
    for m in (*METHODS_A, *METHODS_B, *METHODS_ARMY, *METHODS_UNSUPPLIED):
        assert find(PACK, of_method(m.number))


@pytest.mark.parametrize(
    ("book", "statement", "letter", "words"),
    [
        ("12.7c", "12.7k", "c", "not beside forward"),
        ("12.2d", "12.2h", "d", "flank"),
        ("9.5a", "9.5i", "a", "threatened"),
        ("9.5h", "9.5j", "h", "front unit"),
        ("9.7b", "9.7c", "b", "proximate"),
        ("9.41c", "9.41b", "c", "highest hex"),
        ("9.21.10d", "9.21.10d", "d", "primary arrows"),
        ("9.22.3d", "9.22.3a-p", "d", "in support"),
        ("9.22.4f", "9.22.4b", "f", "nearest start"),
        ("9.26.3a", "9.26e", "a", "nearest-to-mover"),
        ("9.27b", "9.27c", "b", "closest"),
        ("8.13c", "8.13d", "c", "strongest"),
        ("9.25d", "9.25d", "d", "not adjacent"),
    ],
)
def test_a_preference_is_cited_by_the_statement_that_lists_it(book: str, statement: str, letter: str, words: str):
    assert (of_preference(book), letter_of(book)) == (statement, letter)
    assert words in TITLES[statement]


@pytest.mark.parametrize("seed", range(4))
def test_every_rule_an_answer_cites_can_be_looked_up(seed: int):
    g = crowded_board(seed)
    answers = [ask(g, "system", formation=a, attacks="no_effect", objective_die=4) for a in ("3T", "6", "40", "1G")]
    answers += [ask(g, "supply", unit=g.id(u)) for u in range(len(g.forces)) if g.on_map(u)]
    assert all(find(PACK, rule) for rule in cited(answers))
    for p in preferences(answers):
        assert p["rule"] in TITLES or p["rule"] == "9.25", p


def test_every_rule_the_log_of_a_game_cites_can_be_looked_up():
    game, rules = Game.new("kharkov43", "campaign", seed=5), set()
    while not game.over and game.board.turn < 4:
        rules |= cited(list(game.play(game.legal()[0]).events))
    assert rules
    assert all(find(PACK, rule) for rule in rules)
