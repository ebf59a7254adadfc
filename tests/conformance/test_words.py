"""What a person reads: buttons named by what they do, sentences without keys of the program, warnings before a loss."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kessel.bots import RandomPlayer
from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import PASS, asked, options, push
from kessel.core.registry import GAMES, installed
from kessel.core.title import LOSS, Title, title
from kessel.core.view import QuestionView, SideView
from kessel.wargame.warnings import is_mending

STEPS = 260
NAMES = [(g, s.id) for g in sorted(installed(GAMES)) for s in title(g).scenarios(Pack(g))[:2]]
every_scenario = pytest.mark.parametrize(("game", "scenario"), NAMES, ids=["/".join(n) for n in NAMES])
RAW = re.compile(r"[a-z]_[a-z]|[<>=]=|\bNone\b|\bTrue\b|\bFalse\b|[{}]|\[\(|  ")
"""Keys, operators and values as a program writes them."""


def walk(game: str, scenario: str) -> Iterator[Game]:
    playing = Game.new(game, scenario, seed=b"words")
    program = RandomPlayer(2)
    for _ in range(STEPS):
        if playing.over:
            return
        yield playing
        playing.play(program.choose(playing.title, playing.board, playing.side))


def sentences(view: SideView, q: QuestionView | None) -> Iterator[str]:
    """What a client shows as it comes."""
    yield from (view.turn, view.phase)
    for p in view.pieces:
        yield from (p.name, p.values, p.note, *p.status)
    yield from (m.text for m in view.markers)
    for t in view.tracks:
        yield from (t.name, t.text)
    for c in view.cards:
        yield from (c.name, *c.lines)
    if q is not None:
        yield q.prompt
        yield from (c.label for c in q.choices)


@every_scenario
def test_no_sentence_shows_a_key_of_the_program(game: str, scenario: str) -> None:
    found: set[str] = set()
    for playing in walk(game, scenario):
        side = playing.side
        told: list[str] = [e["what"] for x in playing.entries[-1:] for e in x.events]
        every = [*sentences(playing.title.view(playing.board, side), playing.question_view(side)), *told]
        found |= {text for text in every if RAW.search(text)}
    assert sorted(found) == []


@every_scenario
def test_a_button_says_what_it_does(game: str, scenario: str) -> None:
    for playing in walk(game, scenario):
        q = playing.question_view(playing.side)
        assert q is not None
        assert not re.search(r"\bpass\b", q.prompt, re.I) or "let it pass" in q.prompt, q.prompt
        for c in q.choices:
            if c.verb == "pass":
                assert c.label, (q.procedure, q.step, q.prompt)
                assert c.label != q.prompt.removesuffix("."), (q.procedure, q.step, q.prompt)
                assert not re.fullmatch(r"pass|not|end|done", c.label, re.I), (q.procedure, q.step, q.prompt)


@every_scenario
def test_who_ends_a_phase_is_warned_of_every_loss_that_needs_no_die(game: str, scenario: str) -> None:
    for playing in walk(game, scenario):
        g, t, side = playing.board, playing.title, playing.side
        if PASS not in options(g):
            continue
        h = g.copy()
        h.dice = Dice(b"other dice")
        push(h, PASS)
        while asked(h) == side and is_mending(h):
            push(h, next(iter(options(h))))
        left = on_map(t, h, side)
        lost = {u for u, steps in on_map(t, g, side).items() if left.get(u, 0) < steps}
        if lost and not h.dice.rolled:
            warned = {u for c in t.warnings(t.known_to(g, side), PASS) if c.level == LOSS for u in c.units}
            assert lost <= warned


def on_map(t: Title, g: Board, side: int) -> dict[str, int]:
    pieces = t.view(g, side).pieces
    return {p.id: p.steps for p in pieces if p.side == t.sides[side] and g.map.grid.find(p.place) >= 0}


def test_an_overstack_is_told_before_it_costs_units() -> None:
    """don42 3.1, 17.3.4: the Short Game begins with three HQs in one hex and a regiment too many in another."""
    playing = Game.new("don42", "short-game", seed=1)
    while playing.title.view(playing.board, 0).phase != "German Movement Phase":
        playing.play(PASS if PASS in options(playing.board) else next(iter(options(playing.board))))
    first = playing.title.warnings(playing.board, PASS)[0]
    assert (first.level, first.rule) == (LOSS, "3.1")
    assert set(first.hexes) == {"2537", "2528"}
    assert "3 units will be lost" in first.what
