"""4.4.4, 4.8.1, 6.2, 11.3.4 Strength chits, alarm units and air counters never leave the server.

Two games that differ only in what a side may not know look the same to it in every answer.
"""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from kessel.bots import RandomPlayer
from kessel.core.analysis import answer
from kessel.core.game import Game
from kessel.core.procedure import legal, options, why_not
from kessel.games.korsun44.answers.known import dealt_anew
from kessel.games.korsun44.answers.view import sees, side_view
from kessel.games.korsun44.board import AIR_SPENT, ALERT, GERMAN, SEEN, SIDES, SOVIET, Board
from kessel.games.korsun44.data.forces import AIR, ALARM
from kessel.games.korsun44.movement.zones import has_zoc, zoc_sources
from kessel.games.korsun44.notation import NOTATION
from kessel.games.korsun44.units.strength import strength

from .fights import D1, PZ4, R1, R2, T1, declare, phase
from .helpers import TITLE, board, h, play, position, u, unit


def twin(g: Board, side: int, seed: int) -> Board:
    """The same position with other hidden chits, alarm strengths and air counters of the enemy of that side."""
    rng = random.Random(seed)
    other, enemy = g.copy(), 1 - side
    zoc = zoc_sources(g, enemy)
    for v in g.on_the_map(enemy):
        if sees(g, side, v) or not g.forces.counters[v].chit:
            continue
        before = other.steps[v]
        other.set_steps(v, rng.randint(2, g.forces.full_steps[v]))
        hexes = {g.place[v], *(g.place[m] for m in (g.forces.extension[v],) if m >= 0 and g.on_map(m))}
        if any(has_zoc(other, enemy, x) != bool(zoc >> x & 1) for x in hexes):
            other.set_steps(v, before)
    if side == SOVIET:
        unseen = [c for c in g.forces.of_role[GERMAN][ALARM] if not g.alarm[c] or g.status[g.alarm[c] - 1] & ALERT]
        _shuffle(other.alarm, unseen, rng)
    for s in (GERMAN, SOVIET):
        _shuffle(other.air, [c for c in g.forces.of_role[s][AIR] if g.air[c] != AIR_SPENT], rng)
    other.changed()
    return other


def _shuffle(column: Any, chits: list[int], rng: random.Random) -> None:
    places = [column[c] for c in chits]
    rng.shuffle(places)
    for c, place in zip(chits, places, strict=True):
        column[c] = place


def told(g: Board, side: int) -> str:
    """All a side is told of a position: its view, its choices, refusals, previews, overlays, answers."""
    found: list[Any] = [msgspec.to_builtins(side_view(g, side))]
    if g.stack and getattr(g.stack[-1], g.stack[-1].steps[g.stack[-1].at].who or "", None) == side:
        actions = legal(g)
        found.append([NOTATION.text(g, a) for a in actions])
        found.append(options(g).prompt)
        found += [TITLE.preview(g, a) for a in actions[:40]]
        for action in _others(g):
            refusal = why_not(g, action, side)
            found.append(None if refusal is None else refusal.as_json())
    known = dealt_anew(g, side)
    found.append(TITLE.overlays(known, side))
    enemy = [v for v in g.on_the_map(1 - side) if g.forces.move[v] != 255][::9][:2]
    asked: list[dict[str, Any]] = [
        {"question": "zoc"},
        {"question": "victory"},
        {"question": "supply", "side": SIDES[side]},
    ]
    asked += [{"question": "moves", "unit": g.id(v)} for v in enemy]
    asked += [{"question": "retreat", "hex": g.hex_name(g.place[v])} for v in enemy[:2]]
    asked += [{"question": "replacements", "side": SIDES[1 - side]}, {"question": "bridges"}]
    asked += _attacks(g, side)
    found += [answer(TITLE, known, json.dumps(q).encode()) for q in asked]
    return json.dumps(found, sort_keys=True, default=str)


def _others(g: Board) -> list[tuple[Any, ...]]:
    """Actions about everything, most of them not legal."""
    verbs = g.stack[-1].step.verbs if hasattr(g.stack[-1].step, "verbs") else {}  # type: ignore[union-attr]
    units = range(0, len(g.forces), 37)
    hexes = list(g.map.grid.hexes)[::97]
    found: list[tuple[Any, ...]] = []
    for name in verbs:
        kinds = [word for word, kind in NOTATION.verbs[name].slots if kind is not None]
        if kinds == ["unit"]:
            found += [(name, v) for v in units]
        elif kinds == ["hex"]:
            found += [(name, x) for x in hexes]
        elif kinds == ["unit", "hex"]:
            found += [(name, v, x) for v in list(units)[::4] for x in hexes[::6]]
    return found


def _attacks(g: Board, side: int) -> list[dict[str, Any]]:
    """An attack of the side on an enemy it stands next to."""
    for v in g.on_the_map(side):
        for x in g.map.grid.around[g.place[v]]:
            if g.forces.attacks[v] and g.of_side(x, 1 - side):
                return [{"question": "attack", "target": g.hex_name(x), "units": [g.id(v)]}]
    return []


@pytest.mark.rule("korsun44", "4.4.4b", "4.8.1b", "12.1.1.1c")
@pytest.mark.parametrize(("scenario", "seed"), [("kapitanovka", 1), ("tinovka", 2), ("lysyanka", 3)])
def test_twins_look_the_same(scenario: str, seed: int) -> None:
    playing = Game.new("korsun44", scenario, seed=seed)
    program = RandomPlayer(seed)
    differed = 0
    for n in range(200):
        if playing.over:
            break
        if n % 50 == 49:
            g = playing.board
            assert isinstance(g, Board)
            for side in (GERMAN, SOVIET):
                other = twin(g, side, seed + n)
                differed += other.digest() != g.digest()
                assert told(other, side) == told(g, side)
        playing.play(program.choose(playing.title, playing.board, playing.side))
    assert differed > 3


@pytest.mark.rule("korsun44", "6.2c", "12.1.1.2")
def test_aircraft_on_a_combat_say_nothing_before_it_is_resolved() -> None:
    g = position(unit(R1, "0,0"), unit(D1, "1,0"), unit(T1, "0,1"))
    phase(g, SOVIET)
    g.set_track("air_1Uk", 2)
    play(g, "attack 0,0")
    seen = set()
    for counter in g.forces.of_role[SOVIET][AIR]:
        one = g.copy()
        one.air[counter] = h(g, "0,0") + 1
        one.changed()
        seen.add((told(one, GERMAN), told(one, SOVIET)))
    assert len(seen) == 1
    assert "air support" in next(iter(seen))[0]


@pytest.mark.rule("korsun44", "4.4.4b", "11.3.4")
def test_what_a_view_shows_of_a_chit() -> None:
    g = position(unit(D1, "0,0", steps=4), unit(R1, "3,0"), phase="german_movement")

    def values(side: int | None) -> tuple[str, int]:
        piece = next(p for p in side_view(g, side).pieces if p.id == D1)
        return piece.values, piece.steps

    assert values(SOVIET) == ("12-5", 4)
    assert values(GERMAN) == values(None) == ("A-5", 0)
    g.steps[u(g, D1)] = 1
    g.changed()
    assert values(GERMAN)[1] == 1, "a cadre is seen by all"


@pytest.mark.rule("korsun44", "4.4.4b", "12.1.1.1c")
def test_chits_lie_open_while_odds_are_determined_and_no_longer() -> None:
    g = position(unit(D1, "0,0"), unit(R1, "1,0"), unit(R2, "1,0"), on=board(terrain={"1,0": "woods"}))
    phase(g, SOVIET)
    declare(g, "1,0")
    play(g, "combat 1,0", "from 0,0", "engage")
    assert not sees(g, SOVIET, u(g, R1)), "not while support is declared"
    before = told(twin(g, SOVIET, 1), SOVIET)
    assert before == told(g, SOVIET)
    play(g, "pass", dice=[3, 4])
    while any(type(p).__name__ == "Combat" for p in g.stack):
        play(g, NOTATION.text(g, legal(g)[0]), dice=[3] * 9)
    assert not any(g.status[u(g, n)] & SEEN for n in (D1, R1, R2)), "hidden again after it"


@pytest.mark.rule("korsun44", "11.3.4")
def test_units_under_an_improved_position_are_not_examined() -> None:
    g = position(unit(R1, "0,0"), unit(PZ4, "0,0"), unit(D1, "3,0"), phase="german_movement", improved_positions="0,0")
    hidden = [p for p in side_view(g, SOVIET).pieces if p.place == "0,0"]
    assert {(p.name, p.kind) for p in hidden} == {("a covered unit", "unknown")}
    assert len(hidden) == 2
    assert {p.id for p in side_view(g, GERMAN).pieces if p.place == "0,0"} == {R1, PZ4}


def test_what_is_dealt_anew_keeps_what_is_seen() -> None:
    g = position(unit(D1, "0,0", steps=3), unit(R1, "3,0"), unit(R2, "3,0"), phase="german_movement")
    for n in range(20):
        g.dice.count = n
        one = dealt_anew(g, GERMAN)
        assert zoc_sources(one, SOVIET) == zoc_sources(g, SOVIET)
        assert 2 <= one.steps[u(g, D1)] <= 6
        assert one.steps[u(g, R1)] == g.steps[u(g, R1)]
        assert strength(one, u(g, R2)) == strength(g, u(g, R2))
