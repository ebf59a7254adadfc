"""Attacks, hits, retreats and advances on crowded boards, against the rules written again from the book."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kessel.games.kharkov43.board import DISPERSED, DRAW, ISOLATED, OOS, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.turn.piles import soviet_pile
from tests.games.kharkov43.helpers import ask

from .plain_combat import Alike, PlainCombat, table_result
from .playthroughs import crowded_board

RULE = "kharkov43"
rule = pytest.mark.rule


def attacks(seed: int, side: int) -> list[tuple[Board, int, list[int]]]:
    """On a crowded board the hexes that side could attack, with all who can."""
    g = crowded_board(seed)
    g.stack, g.events = [], None
    p, found = PlainCombat(g, "Voronezh"), []
    unfit = DISPERSED | ISOLATED | (OOS if side == SOVIET else 0)
    for t in sorted({g.place[v] for v in g.on_map_of(1 - side)}):
        units = [u for x in p.beside(t) for u in g.units_of(x, side) if not g.status[u] & unfit]
        fit = units and (side == SOVIET or any(g.is_supplied(u) for u in units))
        if fit and why_not_fit(g, t, g.units(t)) is None:
            found.append((g, t, units))
    return found


@rule(RULE, "12.38e")
@rule(RULE, "12.4d")
@rule(RULE, "12.41d")
@rule(RULE, "12.41e")
@rule(RULE, "12.41l")
@pytest.mark.parametrize("side", [SOVIET, GERMAN])
@pytest.mark.parametrize("seed", range(40))
def test_an_attack_is_what_the_book_read_plainly_makes_of_it(seed: int, side: int) -> None:
    """Without tactics of cards: strengths, chits, situations, whether it is overwhelming or weak."""
    r = random.Random(seed)
    card = "E05" if side == SOVIET else "P26"
    for g, t, units in attacks(seed, side):
        some = r.sample(units, r.randint(1, len(units)))
        if side == GERMAN and not any(g.is_supplied(u) for u in some):
            continue
        names = [g.id(u) for u in some]
        found = ask(g, "attack", hex=g.hex_name(t), units=names, card=card, counter=[])
        p = PlainCombat(g, "Voronezh")
        p.begin(t)
        assert found["attack"]["total"] == p.attack_strength(some, t)
        assert found["defence"]["total"] == p.defence_strength(p.units)
        assert (found["required_chits"]["total"], found["maximum_chits"]["total"]) == p.chits(some)
        words = {x["situation"] for x in found["situations"]} - {"large_attack"}
        assert words == p.situations(some, g.charts.card(card).command_value)
        if side == SOVIET:
            assert ("overwhelming" in found) == p.overwhelmed(some)
        else:
            assert ("weak" in found) == (p.chits(some)[1] <= 2)


@rule(RULE, "12.53k")
@rule(RULE, "12.6b")
@rule(RULE, "12.7k")
@rule(RULE, "12.73b")
@rule(RULE, "12.75d")
@pytest.mark.parametrize("seed", range(40))
def test_hits_on_soviet_defenders_are_applied_as_the_book_read_plainly_has_them(seed: int) -> None:
    r = random.Random(seed)
    for g, t, units in attacks(seed, GERMAN):
        hits = r.randint(1, 4)
        rolls = [r.randint(1, 10) for _ in range(hits)]
        p, left = PlainCombat(g.copy(), "Voronezh"), list(rolls)
        p.begin(t)
        try:
            plain = p.defend(hits, left, units)
        except Alike:
            continue
        used = rolls[: len(rolls) - len(left)]
        names = [g.id(u) for u in units]
        found = ask(g, "hits", hex=g.hex_name(t), units=names, defender=hits, rolls=used)["defenders"]
        told = [
            (x["priority"], x.get("hold_chance", {}).get("total"), x["result"], x["steps_lost"], x.get("to"))
            for x in found["hits"]
        ]
        assert told == plain
        assert found["retreated"] == p.retreated
        assert set(found["left"]) == {g.id(u) for u in p.alive()}


@rule(RULE, "12.7g")
@rule(RULE, "12.72a")
@rule(RULE, "12.75c")
@pytest.mark.parametrize("hexes", [1, 2])
@pytest.mark.parametrize("seed", range(40))
def test_soviet_stacks_retreat_as_the_book_read_plainly_has_them(seed: int, hexes: int) -> None:
    """Hex by hex, the steps it costs taken on the way: who is eliminated goes no further."""
    for g, t, _ in attacks(seed, GERMAN):
        p, plain = PlainCombat(g.copy(), "Voronezh"), []
        p.begin(t)
        found = ask(g, "retreat", hex=g.hex_name(t), hexes=hexes)
        assert found["most_hexes"] == p.most
        if hexes > p.most:
            continue
        try:
            while p.retreated < hexes and (hops := p.hops(hexes - 1 - p.retreated)):
                plain += [(sorted(g.id(u) for u in units), g.hex_name(e.hex), e.priority) for units, e in hops]
                p.run_back(hops)
        except Alike:
            continue
        assert [(sorted(x["units"]), x["to"], x["priority"]) for x in found["steps"]] == plain
        assert set(found.get("eliminated", ())) == {g.id(u) for u in p.units} - {g.id(u) for u in p.alive()}


@rule(RULE, "12.54a")
@rule(RULE, "12.54b")
@rule(RULE, "12.7g")
@rule(RULE, "12.72a")
@pytest.mark.parametrize("seed", range(40))
def test_hits_of_a_soviet_attack_are_applied_as_the_book_read_plainly_has_them(seed: int) -> None:
    r = random.Random(seed)
    for g, t, units in attacks(seed, SOVIET):
        hits, taken, vacated = r.randint(1, 7), r.randint(1, 3), r.random() < 0.5
        names = [g.id(u) for u in units]
        asked = {"units": names, "attacker": hits, "defender": taken, "vacated": vacated}
        found = ask(g, "hits", hex=g.hex_name(t), **asked)
        p = PlainCombat(g.copy(), "Voronezh")
        p.begin(t)
        routes = {tuple(x["path"]): x["steps_lost"] for x in found["defenders"]["retreats"]}
        assert routes == {w: n for k in range(1, min(p.most, taken) + 1) for w, n in p.routes(k).items()}
        p.units, p.side, p.lost = list(units), SOVIET, []
        try:
            p.lose(units)
            small = len(soviet_pile(g, DRAW)) < 4 and not (vacated and p.is_vp_hex(t))
            text = table_result(p.steps(), hits - 1, small_pile=small) if hits > 1 and p.steps() else "0"
            for _ in range(0 if text == "E" else int(text.rstrip("D") or 0)):
                p.lose(units)
        except Alike:
            continue
        left = {} if text == "E" else {g.id(u): p.g.steps[u] for u in p.alive()}
        assert {name: x["steps"] for name, x in found["attackers"]["left"].items()} == left
        assert set(found["attackers"]["dispersed"]) == (set(left) if text.endswith("D") else set())


def vacated(g: Board, r: random.Random, side: int) -> list[tuple[int, list[int], list[int]]]:
    """Empty hexes beside that side's units as if vacated by the enemy, with these units and a path of retreat."""
    p, found = PlainCombat(g, "Voronezh"), []
    enemies = {g.place[v] for v in g.on_map_of(1 - side)}
    for t in g.map.grid.hexes:
        units = [u for x in p.beside(t) for u in g.units_of(x, side)]
        if g.units(t) or p.garrisoned(t) or not units:
            continue
        one = [[x] for x in p.beside(t) & enemies]
        two = [[m, x] for m in p.beside(t) if not g.units(m) for x in p.beside(m) & enemies]
        two = [w for w in two if g.map.grid.distance(t, w[-1]) == 2]
        found.append((t, units, r.choice([[], r.choice(one or [[]]), r.choice(two or [[]])])))
    return r.sample(found, min(6, len(found)))


@rule(RULE, "12.81c")
@rule(RULE, "12.82a")
@rule(RULE, "12.83b")
@rule(RULE, "12.83c")
@pytest.mark.parametrize("seed", range(40))
def test_soviet_units_advance_as_the_book_read_plainly_has_them(seed: int) -> None:
    g = crowded_board(seed)
    g.stack, g.events = [], None
    for t, units, path in vacated(g, random.Random(seed), SOVIET):
        names, way = [g.id(u) for u in units], [g.hex_name(h) for h in path]
        found = ask(g, "advance", hex=g.hex_name(t), units=names, retreat=way)["units"]
        for u in units:
            p, told = PlainCombat(g.copy(), g.forces.higher[u]), found[g.id(u)]
            able = not g.status[u] & DISPERSED
            first = p.advance_chance(u, g, t, second=False, path=path) if able else 0
            assert chance(told["first"]) == first
            if not first or not p.may_go_on(u, t, path):
                continue
            q = PlainCombat(p.with_unit(u, t), p.front)
            seconds = [h for h in q.second_hexes(u, t, path) if h != g.place[u]]
            chances = {g.hex_name(h): q.advance_chance(u, g, h, second=True, path=path) for h in seconds}
            assert chance(told["second"]) == max(chances.values(), default=0)
            assert not chance(told["second"]) or chances[told["second"]["hex"]] == chance(told["second"])


def chance(check: dict[str, Any]) -> int:
    word = str(check.get("advances", "no"))
    return {"no": 0, "yes": 10}[word] if word in ("no", "yes") else int(word.removeprefix("1-"))


@rule(RULE, "12.8d")
@rule(RULE, "12.81d")
@pytest.mark.parametrize("seed", range(40))
def test_german_units_may_advance_where_the_book_read_plainly_lets_them(seed: int) -> None:
    g = crowded_board(seed)
    g.stack, g.events = [], None
    for t, units, path in vacated(g, random.Random(seed), GERMAN):
        names, way = [g.id(u) for u in units], [g.hex_name(h) for h in path]
        found = ask(g, "advance", hex=g.hex_name(t), units=names, retreat=way)["units"]
        p = PlainCombat(g.copy(), "Voronezh")
        for u in units:
            ways = [(t,)] if not g.status[u] & DISPERSED else []
            if ways and p.may_go_on(u, t, path):
                ways += [(t, h) for h in p.second_hexes(u, t, path) if h != g.place[u]]
            ways = [w for w in ways if why_not_fit(g, w[-1], [u]) is None]
            fed = [w for w in ways if p.traces(u, w[-1])]
            ways = fed if fed or p.traces(u, g.place[u]) else ways
            assert set(found[g.id(u)]["advances"]) == {"-".join(g.hex_name(h) for h in w) for w in ways}
