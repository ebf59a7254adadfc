"""Random fights on random small boards: nothing breaks, whatever is listed is allowed, lists and refusals agree."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from kessel.core import snapshot
from kessel.core.dice import Dice
from kessel.core.procedure import Action, asked, legal, push, question, run, why_not
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, IN_PLAY
from kessel.games.stalingrad42.combat.auto_ds import auto_ds_targets, needed, weakest, why_not_declare
from kessel.games.stalingrad42.combat.combat import why_not_hex
from kessel.games.stalingrad42.combat.combat_phase import CombatPhase
from kessel.games.stalingrad42.combat.strength.eligibility import (
    able,
    attackers_of,
    targets,
    why_not_attack,
    why_not_join_attack,
)
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase
from kessel.games.stalingrad42.supply.supply import supply

from .helpers import NOTATION, area, board, disc

TERRAINS = ("clear",) * 8 + (
    "rough",
    "woods",
    "wooded_rough",
    "marsh",
    "mountain",
    "minor_city",
    "major_city",
    "desert",
)
KINDS = {
    "axis": (
        *("10-8-6;7-6-6;R {} tank red remnant=panzer", "5-7-4;3-5-4;R {} remnant=infantry", "4-5-3 {} nation=romanian"),
        *("3-4-5;2-2-5 {} cavalry", "2-3-3 {} low", "S-(1)-5b {} hq range=4 back=0-(1)-5"),
        *("0-0-5 {} supply back=S-0-T flipped", "6-6-6;4-4-6 {} mechanized black", "5[10]-5-4;3[6]-3-4 {} mountain"),
        "2-2-6 {} sturmgeschuetz free black",
    ),
    "soviet": (
        *("3-5-3 {}", "4-6-3;2-3-3 {} elite", "7-5-5;4-3-5 {} tank size=corps black", "2-2-6 {} t34 free black"),
        *("3-4-3 {} nkvd", "2-3-3 {} low", "S-(1)-4b {} artdiv range=4", "S-(1)-5b {} front range=4 back=0-(1)-5"),
        *("0-0-6 {} army_hq", "4-4-4;2-2-4 {} cavalry", "2-3-3 {} tank_destroyer white", "0-0-6 {} leader range=3"),
    ),
}
STATES = ("",) * 12 + ("disrupted", "disrupted", "full_retreat", "oos", "train", "retreated")
LIKED = {
    "attack": 6,
    "add": 6,
    "declare": 30,
    "auto_ds": 20,
    "form": 6,
    "strike": 12,
    "go": 3,
    "defend": 4,
    "desperate": 6,
}
SHUNNED = {"cancel": 0.02, "remove": 0.05, "pass": 0.3, "disengage": 0.3, "raze": 0.1, "reserve": 0.1, "move": 0.6}


def random_board(seed: int, phase: str) -> Board:
    r = random.Random(seed)
    names = disc(4)
    places = r.sample(names, 22)
    units: dict[str, str] = {}
    for i, place in enumerate(places):
        side = "axis" if i % 2 else "soviet"
        for k in range(r.choice((1, 1, 2, 2, 3))):
            words = r.choice(KINDS[side]).format(place)
            state = r.choice(STATES)
            values = words.split()[0]
            if state and values.split("-")[1][0] == "0":
                state = ""
            units[f"{side[0].upper()}{i}{'abc'[k]}"] = f"{side} {words} {state}".strip()
    sides: dict[str, Any] = {}
    for a in r.sample(names, 14):
        q, s = map(int, a.split(","))
        b = f"{q + 1},{s}"
        if b in names:
            sides[f"{a}|{b}"] = r.choice(
                (["major_river"], ["minor_river"], ["volga", "ferry"], ["lake"], ["major_river", "ferry"])
            )
    line = [f"{q},0" for q in range(-4, 5)]
    more: dict[str, Any] = {
        "terrain": {n: r.choice(TERRAINS) for n in names},
        "hexsides": sides,
        "links": [("primary", " ".join(line)), ("rail", " ".join(line))],
        "boxes": [area("Z", "axis", "-4,0 -4,1 -4,2"), area("E", "soviet", "4,0 4,-1 4,-2")],
        "repaired": "all",
        "features": {line[1]: ["town"], r.choice(names): ["fort"]},
        "turn": r.choice((3, 10, 22, 28)),
        "weather": r.choice(("clear", "clear", "rain", "snow")),
        "air": {"VIII-FK": "ready", "IV-FK": "ready"},
        "options": {"contested_cities": r.choice(("on", "off"))},
        "vp": {r.choice(names): 1},
    }
    return board(units, side=r.choice(("axis", "soviet")), phase=phase, **more)


def weigh(action: Action) -> float:
    return LIKED.get(action[0], SHUNNED.get(action[0], 1.0))


def check(g: Board, actions: list[Action], earlier: list[Action]) -> None:
    assert g.faults() == []
    assert legal(g) == actions
    for action in actions[:12]:
        assert why_not(g, action) is None
        assert NOTATION.parse(g, NOTATION.text(g, action)) == action
    for action in earlier:
        if action not in actions:
            assert why_not(g, action) is not None, action
    q = question(g)
    assert q is not None
    side = asked(g)
    if isinstance(q[0], CombatPhase):
        check_lists(g, side)
    if isinstance(q[0], MovementPhase):
        found = auto_ds_targets(g, side)
        for h in g.map.grid.hexes:
            if g.sets[COMBAT + 1 - side] >> h & 1:
                assert (h in found) == (why_not_declare(g, h, side) is None)
                assert weakest(g, h, side) * 8 > 40 or needed(g, h, side) >= 0
    fresh = g.copy()
    fresh.changed()
    assert supply(fresh, side).starts == supply(g, side).starts


def check_lists(g: Board, side: int) -> None:
    ready = {u for units in able(g, side).values() for u in units}
    for u in g.forces.units_of[side]:
        if u in ready:
            assert why_not_join_attack(g, u) is None
    found = targets(g, side)
    for h in g.map.grid.hexes:
        assert (h in found) == (why_not_hex(g, h, side) is None), g.hex_name(h)
        if h in found:
            can = set(attackers_of(g, h, side))
            for u in g.forces.units_of[side]:
                if g.pool[u] == IN_PLAY and g.place[u] >= 0:
                    assert (u in can) == (why_not_attack(g, u, h, side) is None), (g.id(u), g.hex_name(h))


def fight(seed: int, steps: int) -> int:
    g = random_board(seed, random.Random(seed).choice(("combat", "combat", "movement")))
    g.dice = Dice(seed)
    run(g)
    r = random.Random(seed)
    earlier: list[Action] = []
    n = 0
    while g.stack and n < steps:
        actions = legal(g)
        assert actions
        if n % 7 == 0:
            check(g, actions, earlier)
            earlier = r.sample(actions, min(5, len(actions)))
        if n % 25 == 0:
            doc = msgspec.json.decode(msgspec.json.encode(snapshot.save(g)))
            assert snapshot.load(doc, g, TITLE.procedures).digest() == g.digest()
        push(g, r.choices(actions, [weigh(a) for a in actions])[0])
        n += 1
    assert g.faults() == []
    return n


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(30))
def test_random_fights(seed: int):
    assert fight(seed, 90)


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_fights(seed: int):
    assert fight(seed, 300)
