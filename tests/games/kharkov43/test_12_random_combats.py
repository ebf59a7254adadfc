"""Random combats on a small field, played to their end with random choices: nothing breaks, whatever happens."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from kessel.core import snapshot
from kessel.core.dice import Dice
from kessel.core.procedure import legal, push, run
from kessel.games.kharkov43.board import DRAWN, IN_PLAY, Board
from kessel.games.kharkov43.combat.battle import possible_attackers, why_not_target
from kessel.games.kharkov43.combat.combat_common import german_targets
from kessel.games.kharkov43.combat.combat_german import german_combat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.stacking import overstacked
from kessel.games.kharkov43.notation import NOTATION
from kessel.games.kharkov43.title import TITLE
from tests.games.kharkov43.combat_helpers import field, full_cup, scene
from tests.games.kharkov43.helpers import german, soviet

HEXES = [f"{r}{c:02d}" for r in range(17, 21) for c in range(8, 13)]
TERRAINS = ("clear", "clear", "clear", "broken", "woods", "marsh", "town")
RIVERS = ("minor_river", "donets", "dniepr", "blocked_dniepr")
STATES = ((), (), (), ("dispersed",), ("out_of_supply",), ("isolated",))


def faces(r: random.Random, steps: int, number: int) -> str:
    movement = r.choice((4, 6))
    return " ".join(f"{r.randint(1, 5)}-{movement}-{3 * number + i:02d}" for i in range(steps))


def random_scene(r: random.Random) -> Board:
    room = {h: [r.choice((GERMAN, SOVIET, SOVIET)), 3, 6] for h in HEXES}
    units: list[Any] = []
    for n in range(r.randint(8, 22)):
        h = r.choice(HEXES)
        side, slots, steps_left = room[h]
        steps = r.randint(1, 3)
        if not slots or steps > steps_left:
            continue
        room[h] = [side, slots - 1, steps_left - steps]
        make, name = (german, f"{n}.XL") if side == GERMAN else (soviet, f"{n}.6")
        status = [*r.choice(STATES), *(["active"] if r.random() < 0.7 else [])]
        kind = r.choice(("infantry", "armor", "mechanized", "cavalry"))
        units.append(make(name, h, faces(r, steps, n), kind, status=status))
    for n in range(2):
        units.append(soviet(f"r{n}.6", "reserve", faces(r, 2, 25 + n), status=["active"]))
    towns = {h: t for h in HEXES if (t := r.choice(TERRAINS)) != "clear"}
    pairs = [(a, b) for a in HEXES for b in HEXES if a < b]
    map_ = scene([]).map.grid
    rivers = {
        f"{a}|{b}": r.choice(RIVERS) for a, b in pairs if map_.adjacent(map_.hex(a), map_.hex(b)) and r.random() < 0.1
    }
    german_cards = r.sample([f"P{i}" for i in range(23, 46)], 4)
    return scene(
        units,
        board=field(
            bare=r.random() < 0.5, terrain=towns, rivers=rivers, vp={h: 1 for h, t in towns.items() if t == "town"}
        ),
        turn=r.randint(1, 9),
        improved_positions=" ".join(
            h for h in HEXES if r.random() < 0.2 and any(u["at"] == h for u in units) and towns.get(h) != "town"
        ),
        cards={
            "hand": " ".join(german_cards),
            "draw": " ".join(f"E{i:02d}" for i in r.sample(range(1, 22), r.randint(0, 6))),
        },
        objectives={"Southwest": {"hex": "1915", "facing": "west"}} if r.random() < 0.5 else {},
    )


def begin(g: Board, r: random.Random) -> bool:
    """Put a random attack of a random side on the stack; False if there is none."""
    targets = german_targets(g)
    if targets and r.random() < 0.5:
        g.stack = [german_combat(g, r.choice(targets), g.charts.card_index(r.choice(("P26", "P32"))))]
        return True
    soviet_targets = [
        h
        for h in g.map.grid.hexes
        if why_not_target(g, SOVIET, h) is None and possible_attackers(g, SOVIET, h) and g.units_of(h, GERMAN)
    ]
    if not soviet_targets:
        return False
    h = r.choice(soviet_targets)
    card = g.charts.card_index(r.choice(("E04", "E22", "E17")))
    g.stack = [SovietCombat(SOVIET, h, tuple(possible_attackers(g, SOVIET, h)), card)]
    return True


@pytest.mark.parametrize("seed", range(40))
def test_random_combats_end_and_leave_a_sound_board(seed: int):
    r = random.Random(seed)
    g = random_scene(r)
    g.dice = Dice(seed)
    full_cup(g)
    fresh = g.copy()
    for _ in range(4):
        if not begin(g, r):
            break
        run(g)
        for _ in range(200):
            if not g.stack:
                break
            actions = legal(g)
            assert actions
            before = g.digest()
            for action in r.sample(actions, min(3, len(actions))):
                assert NOTATION.parse(g, NOTATION.text(g, action)) == action
                TITLE.preview(g, action)
            doc = msgspec.json.decode(msgspec.json.encode(snapshot.save(g)))
            assert snapshot.load(doc, fresh, TITLE.procedures).digest() == before == g.digest()
            push(g, r.choice(actions))
        assert not g.stack
        assert g.faults() == []
        assert overstacked(g) == []
        assert DRAWN not in g.chits
        assert IN_PLAY not in g.cards
