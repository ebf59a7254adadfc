"""Advice: the move is legal, the odds are the game's own, the words fit the board, and nothing hidden shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

import kessel
from kessel.bots import decide, player
from kessel.bots.advice import Advice, advise, questions
from kessel.bots.purpose import some_of
from kessel.core.analysis import answer
from kessel.core.board import Board
from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.procedure import asked, options, push, why_not
from kessel.core.title import Title, title
from tests.bots.test_ground import GAMES, SHORT

SPAN = {"bug41": 240, "don42": 460, "kharkov43": 130, "korsun44": 440, "stalingrad42": 150}
"""Decisions into a game that are played."""
EVERY = 23
"""One in so many positions is asked about, and the first of every kind."""
HEX = re.compile(r"(?<![\w.-])\d{4}(?![\w.])")


def positions(game: str) -> Iterator[tuple[Title, Board, int]]:
    """Positions of a game as its side knows them: the first of each kind of question, and some more."""
    for g, side in _positions(game):
        yield title(game), g.copy(), side


@cache
def _positions(game: str) -> list[tuple[Board, int]]:
    found = []
    t, g = title(game), Game.new(game, SHORT[game], seed=3).board
    programs = {side: player(game, "greedy", 5 + side) for side in t.played}
    kinds: set[object] = set()
    for n in range(SPAN[game]):
        if not g.stack:
            break
        side, step = asked(g), g.stack[-1].step
        if step not in kinds or n % EVERY == 0:
            found.append((t.known_to(g, side).copy(), side))
        kinds.add(step)
        push(g, decide(programs[side], t, g, side))
    return found


def after(t: Title, g: Board, a: Advice, number: int) -> Board:
    """The position after so many of the actions advised."""
    h = g.copy()
    for text in [a.do, *a.then][:number]:
        action = t.notation.parse(h, text)
        assert why_not(h, action) is None, text
        push(h, action)
    return h


def check_attack(t: Title, g: Board, a: Advice) -> None:
    """The odds in the words are those the game answers about the units where they will stand."""
    attack = a.attack
    assert attack is not None
    adviser = type(player(t.id, "greedy")).adviser  # type: ignore[attr-defined]
    h = after(t, g, a, attack.after)
    for name, place in attack.stand.items():
        h.move(h.forces.unit(name), h.map.place(place))
    told = answer(t, h, msgspec.json.encode(attack.ask))
    assert told["legal"] is True
    assert attack.odds == adviser.odds(told)
    assert set(attack.ask["units"]) == set(attack.units)
    assert f"{some_of([h.name(h.forces.unit(unit)) for unit in attack.units])} attack" in a.says
    assert attack.odds in a.says


def check_names(t: Title, g: Board, a: Advice, side: int) -> None:
    """Units that are named are on the board and of the side that asks, places are on the map."""
    units = {n for p in (*a.aims, *a.keeps) for n in p.units} | set(a.attack.units if a.attack else ())
    for name in units:
        u = g.forces.unit(name)
        assert g.forces.side[u] == side, name
        assert g.place[u] >= 0, name
    for p in (*a.aims, *a.keeps):
        if p.place:
            assert p.place in p.words
            assert g.place_name(g.map.place(p.place)) == p.place
    for number in HEX.findall(a.says):
        assert number in g.map.grid, f"{number} in {a.says}"
    for named in re.finditer(r" \((\d{4})\)", a.says):
        assert a.says[: named.start()].endswith(g.map.name[g.map.grid.hex(named[1])]), a.says


@pytest.mark.parametrize("game", GAMES)
def test_words_and_moves_fit_the_board(game: str) -> None:
    attacks = aims = rejected = 0
    for t, g, side in positions(game):
        before = g.digest()
        a = advise(t, g)
        assert g.digest() == before
        assert options(g).allows(t.notation.parse(g, a.do)), a.do
        after(t, g, a, len(a.then))
        assert a.side == t.sides[side]
        check_names(t, g, a, side)
        if a.attack is not None and a.attack.odds:
            attacks += 1
            check_attack(t, g, a)
        for other in a.rejected:
            rejected += 1
            assert other.words in a.says
            if other.do:
                assert other.do != a.do
                assert options(g).allows(t.notation.parse(g, other.do)), other.do
        if a.worth is not None and a.rejected and a.do != "pass":
            assert a.worth >= max(x.worth for x in a.rejected) - 0.011
        aims += bool(a.aims or a.keeps)
    assert attacks
    assert aims >= 5
    assert rejected >= 3


@pytest.mark.parametrize("game", GAMES)
def test_it_is_what_the_program_does(game: str) -> None:
    """The same code plays and advises: a new program in that seat makes the move that is advised."""
    t, g, side = list(positions(game))[-1]
    best = player(game, "regular").choose(t, g.copy(), side)
    assert advise(t, g).do == t.notation.text(g, best)


HIDING = [game for game in GAMES if type(title(game)).known_to is not Title.known_to]


@pytest.mark.parametrize("game", HIDING)
def test_hidden_facts_change_neither_move_nor_words(game: str) -> None:
    """Two positions that a side cannot tell apart: same move, same plan, same words."""
    t = title(game)
    differ = 0
    for _, known, side in list(positions(game))[::5]:
        other = known.copy()
        other.dice = Dice(b"another hand")
        other = t.known_to(other, side)
        other.dice = known.dice
        differ += other.digest() != known.digest()
        one, two = (advise(t, t.known_to(g, side)) for g in (known, other))
        assert one == two
    if game != "stalingrad42":  # this scenario has no Reserve Armies: nothing is hidden there
        assert differ


def test_a_question_of_analysis() -> None:
    t, g, _ = next(positions("don42"))
    found = answer(t, g, b'{"question": "advice"}', more=questions(t))
    assert found["question"] == "advice"
    assert found["do"] == advise(t, g).do
    with pytest.raises(BadInput, match="no program 'best'"):
        answer(t, g, b'{"question": "advice", "level": "best"}', more=questions(t))
    with pytest.raises(BadInput, match="no question 'advice'"):
        answer(t, g, b'{"question": "advice"}')


def test_nothing_to_decide_is_said() -> None:
    t, g, _ = next(positions("don42"))
    g.stack.clear()
    with pytest.raises(BadInput, match="nothing is to be decided"):
        advise(t, g)


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_hand_written_position_is_advised() -> None:
    """`kessel analyze` knows the question; the attack in the words is the one the game answers for."""
    doc = {**json.loads((EXAMPLES / "don42.json").read_text()), "ask": [{"question": "advice"}]}
    advice = kessel.analyze(json.dumps(doc))["answers"][0]
    assert advice["do"] == "attack 6,0"
    again = kessel.analyze(json.dumps({**doc, "ask": [advice["attack"]["ask"]]}))["answers"][0]
    assert again["legal"]
    assert ", ".join(f"{result} {chance}" for result, chance in again["chances"].items()) in advice["says"]
