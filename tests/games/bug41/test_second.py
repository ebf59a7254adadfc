"""The answers to hand-written positions against a second reading of the rules, on random positions."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest

from kessel.core.analysis import analyze

from .second import GERMANS, World, side_of, under

SEEDS = range(8)
TERRAINS = ("marsh", "village", "village", "town", "light_forest", "dense_forest")
TYPES = (
    *("infantry", "infantry", "motorized_infantry", "engineer", "motorized_engineer", "machine_gun"),
    *("afv", "afv", "anti_tank", "border_guard"),
)
NO_INFANTRY = ("afv", "anti_tank", "border_guard")
RATINGS = {"298ID": 6, "14Pz": 7, "87RD": 5, "215MD": 4}
RADIUS = 3


def document(seed: int) -> dict[str, Any]:
    """A random board with two formations a side, some of their units in stacks, some of them disrupted."""
    r = random.Random(seed)
    span = range(-RADIUS, RADIUS + 1)
    hexes: dict[str, Any] = {f"{q},{s}": {} for q in span for s in span if abs(q + s) <= RADIUS}
    names = list(hexes)
    for n in names:
        if r.random() < 0.5:
            hexes[n]["terrain"] = r.choice(TERRAINS)
        if r.random() < 0.15 and hexes[n].get("terrain") != "town":
            hexes[n]["features"] = ["pillbox"]
    world = World({"board": {"hexes": hexes, "links": [], "hexsides": {}, "areas": {}}, "units": []})
    pairs = [(a, b) for a in names for b in world.around(a) if a < b]
    sides = {f"{a}|{b}": [r.choice(("stream", "stream", "bug", "lake"))] for a, b in pairs if r.random() < 0.2}
    links = list(_links(r, world, sides))
    units = list(_units(r, hexes, names))
    turn = 1 if seed % 4 == 0 else 2
    status = {"surprise": seed % 5 == 0, "interdiction": seed % 3, "turn": turn, "game": "bug41", "units": units}
    areas = {"german_supply": f"{-RADIUS},0 {-RADIUS},1", "north_soviet_supply": f"{RADIUS},0 {RADIUS},-1"}
    return {**status, "board": {"hexes": hexes, "hexsides": sides, "links": links, "areas": areas}}


def _links(r: random.Random, world: World, sides: dict[str, list[str]]) -> Any:
    """A road, a railway, and a bridge or two over the water, some of them seized by the Brandenburgers."""
    for kind in ("road", "railway"):
        way = [r.choice(list(world.hexes))]
        for _ in range(5):
            on = [n for n in world.around(way[-1]) if "|".join(sorted((way[-1], n))) not in sides and n not in way]
            way += [r.choice(on)] if on else []
        if len(way) > 1:
            yield {"kind": kind, "path": " ".join(way)}
    wet = sorted(key for key, (water,) in sides.items() if water != "lake")
    for key in r.sample(wet, min(3, len(wet))):
        bug = sides[key] == ["bug"]
        yield {"kind": "road", "path": key.replace("|", " "), "features": ["brandenburg"] if bug else []}


def _units(r: random.Random, hexes: dict[str, Any], names: list[str]) -> Any:
    homes = r.sample(names, len(RATINGS))
    for home, (formation, rating) in zip(homes, RATINGS.items(), strict=True):
        hexes[home]["terrain"] = r.choice(("village", "town"))
        status = r.choice(([], [], ["expended"], ["expended", "emergency"]))
        numbers = {
            "reaction": rating,
            "relocation": r.choice((1, 2)),
            "range": r.choice((2, 3)),
            "support": r.choice((2, 3)),
        }
        yield {"id": f"HQ{formation}", "at": home, "formation": formation, "type": "hq", "status": status, **numbers}
    taken = {home: side_of({"formation": f}) for home, f in zip(homes, RATINGS, strict=True)}
    stacks: dict[str, list[str]] = {}
    for n in range(14):
        formation = r.choice(tuple(RATINGS))
        side = int(formation not in GERMANS)
        type = r.choice(TYPES)
        at = r.choice([x for x in names if taken.get(x, side) == side])
        there = stacks.setdefault(at, [])
        foot = [t for t in there if t not in NO_INFANTRY]
        if len(there) > 2 or (foot and type not in NO_INFANTRY):
            continue
        there.append(type)
        taken[at] = side
        strength = r.randint(1, 8)
        numbers = {"effectiveness": r.randint(3, 7), "ma": r.randint(2, 5), "strength": strength, "steps": strength}
        points = {"tank_points" if type == "afv" else "at_points": r.randint(0, 6)}
        status = r.choice(([], [], ["disrupted"], ["improved"]))
        mates = [f for f in RATINGS if (f in GERMANS) == (side == 0) and f != formation]
        lent = {"under": r.choice(mates)} if r.random() < 0.15 else {}
        yield (
            {"id": f"U{n}", "at": at, "formation": formation, "type": type, "status": status} | numbers | points | lent
        )


def asked(doc: dict[str, Any], *questions: dict[str, Any]) -> list[Any]:
    return list(analyze(json.dumps({**doc, "ask": list(questions)}))["answers"])


def number(value: Any) -> Fraction:
    return Fraction(str(value))


def groups_of(world: World) -> list[list[dict[str, Any]]]:
    """All units that can act, one by one, and the stacks of a formation."""
    by_hex: dict[str, list[dict[str, Any]]] = {}
    for u in world.units.values():
        if u["type"] != "hq" and not world.is_disrupted(u):
            by_hex.setdefault(f"{u['at']} {under(u)}", []).append(u)
    return [[u] for some in by_hex.values() for u in some] + [some for some in by_hex.values() if len(some) > 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_zones_command_supply(seed: int) -> None:
    doc = document(seed)
    world = World(doc)
    fighters = [u for u in world.units.values() if u["type"] != "hq"]
    hqs = [u for u in world.units.values() if u["type"] == "hq"]
    zones, command, supply = asked(doc, {"question": "zoc"}, {"question": "command"}, {"question": "supply"})
    for n, side in enumerate(("german", "soviet")):
        assert set(zones[side]["hexes"]) == world.zones[n]
    for u in fighters:
        found, (state, length) = command["units"][u["id"]], world.command(u)
        assert (found["state"], found["distance"]) == (state, length)
        assert len(found["path"]) == (length or 0)
        assert found["move_costs"] == (1 if state == "in command" else 2)
    for u in hqs:
        found = supply["units"][u["id"]]
        assert found["supplied"] == world.supplied(u)
        assert found["attack_support"] == world.support_of(u)


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_of_units_and_stacks(seed: int) -> None:
    doc = document(seed)
    world = World(doc)
    groups = groups_of(world)
    answers = asked(doc, *({"question": "moves", "units": [u["id"] for u in some]} for some in groups))
    for some, found in zip(groups, answers, strict=True):
        reach = world.reach(some, 2)
        assert set(found["reach"]) == {h for h in reach if world.has_room(h, some)}, [u["id"] for u in some]
        assert set(found["passed_only"]) == {h for h in reach if not world.has_room(h, some)}
        for h, way in found["reach"].items():
            if len(some) == 1:
                assert number(way["cost"]) == reach[h][0]
            before = (some[0]["at"], *way["path"])
            assert all(b in world.around(a) for a, b in zip(before, way["path"], strict=False))
        assert set(found["infiltration"]) == world.infiltrations(some)


@pytest.mark.parametrize("seed", SEEDS)
def test_attacks_and_retreats(seed: int) -> None:
    doc = document(seed)
    world = World(doc)
    fights = [(some, h, kind) for some in groups_of(world) for h, kind in world.attacks_of(some)]
    questions = [
        {"question": "attack", "target": h, "units": [u["id"] for u in some], "kind": kind} for some, h, kind in fights
    ]
    ways = [{"question": "retreat", "hex": h, "attacked_from": some[0]["at"]} for some, h, _ in fights]
    for (some, h, kind), found in zip(fights, asked(doc, *questions) if fights else (), strict=True):
        expected = world.attack(some, h, kind)
        assert found["modifier"]["total"] == expected["modifier"], (some, h, kind)
        assert {int(c["result"]): number(c["chance"]) for c in found["columns"]} == expected["columns"]
        assert {tuple(map(int, c["result"].split("/"))): number(c["chance"]) for c in found["hits"]} == expected["hits"]
        assert number(found["must_retreat"]) == expected["must"]
        red = sum(p for (_, hit), p in expected["hits"].items() if hit >= 2)
        for d in world.fighters(h):
            if not world.is_disrupted(d):
                assert number(found["disruption"][d["id"]]) == red * (1 - world.passes(d, shelter=True))
    for (some, h, _), found in zip(fights, asked(doc, *ways) if fights else (), strict=True):
        assert {tuple(way["path"]) for way in found["ways"]} == world.retreats(h, some[0]["at"])
        for way in found["ways"]:
            assert way["costly"] == world.costly(tuple(way["path"]), 1 - side_of(some[0]))
            assert way["cancels"] == min(2, len(way["path"]))


@pytest.mark.parametrize("seed", SEEDS)
def test_reaction_recovery_relocation(seed: int) -> None:
    doc = document(seed)
    world = World(doc)
    hqs = [u for u in world.units.values() if u["type"] == "hq"]
    for n, side in enumerate(("german", "soviet")):
        empty = [h for h in world.hexes if not world.there(h)]
        answers = asked(doc, *({"question": "reaction", "hex": h, "side": side} for h in empty))
        for h, answer in zip(empty, answers, strict=True):
            found = answer["formations"]
            for formation in (f for f in RATINGS if int(f not in GERMANS) == n):
                who = world.triggers(formation, h)
                assert found[formation]["legal"] == bool(who)
                if who:
                    added = 2 if doc["surprise"] and n else 0
                    assert sorted(found[formation]["triggers"]) == who
                    assert number(found[formation]["chance"]) == Fraction(RATINGS[formation] - added, 10)
    levels = dict.fromkeys(RATINGS, 1)
    where = asked(doc, *({"question": "moves", "unit": u["id"]} for u in hqs))
    after = asked({**doc, "levels": levels}, *({"question": "recovery", "unit": u["id"]} for u in hqs))
    for u, found, level in zip(hqs, where, after, strict=True):
        if u["formation"] == "87RD":
            continue  # its tether needs the map's Volodymyr
        assert {h: way["action_points"] for h, way in found["reach"].items()} == world.relocations(u)
        assert level["after"] == world.level_after(u, 1, doc["interdiction"])
    weak = [u for u in world.units.values() if world.is_disrupted(u)]
    for u, found in zip(weak, asked(doc, *({"question": "recovery", "unit": u["id"]} for u in weak)), strict=True):
        state = world.command(u)[0]
        chance = world.passes(u, shelter=True) * (world.passes(u, shelter=False) if state == "isolated" else 1)
        assert number(found["refit"]["chance"]) == chance
        assert number(found["recovery_segment"]["chance"]) == int(state == "in command")
        assert ("attrition" in found) == (state == "isolated")
