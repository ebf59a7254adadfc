"""Answers to random positions against the second implementation, which knows the text and the JSON alone."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from . import second
from . import second_combat as combat
from . import second_points as points
from . import second_supply as supply
from .second import Man, World
from .second_combat import Fight
from .worlds import BONDS, GERMANS, SOVIETS, ask, known, number, on_printed_map, random_doc, with_network, written_out

Made = Callable[[random.Random], dict[str, Any]]
"""How a position is made up."""


def crowded(rng: random.Random) -> dict[str, Any]:
    return random_doc(rng, crowd=24)


def test_zones() -> None:
    for seed in range(20):
        doc = random_doc(random.Random(seed))
        w = World(doc)
        (found,) = ask(doc, {"question": "zoc"})
        for side in ("german", "soviet"):
            zoc, zoi = second.zones(w, side)
            assert (set(found[side]["zoc"]), set(found[side]["zoi"])) == (zoc, zoi), seed


def role_of(said: dict[str, Any]) -> str:
    return second.printed()[said["id"]]["role"] if said["id"] in second.printed() else second.own(said).role


def check_moves(seed: int, made: Made = random_doc) -> None:
    rng = random.Random(seed)
    doc = made(rng)
    for said in doc["units"]:
        if rng.random() < 0.1 and role_of(said) == "unit":
            said["status"] = [*said["status"], "reserve"]
    w = World(doc)
    asked: list[tuple[list[Man], str]] = []
    for m in w.men:
        if m.role == "extension" or w.other_half(m):
            continue
        asked += [([m], mode) for mode in ("tactical", "strategic", "on_foot", "reserve")]
        mates = [x for x in w.here(m.at, m.side) if x is not m and not w.other_half(x) and x.role != "extension"]
        if mates:
            asked.append(([m, rng.choice(mates)], rng.choice(["tactical", "strategic"])))
    answers = ask(doc, *({"question": "moves", "units": [m.id for m in men], "mode": mode} for men, mode in asked))
    for (men, mode), found in zip(asked, answers, strict=True):
        compare_moves(
            w,
            sorted({x.id: x for m in men for x in second.group(w, m)}.values(), key=lambda x: x.id),
            mode,
            found,
            seed,
        )


def why_none(w: World, party: list[Man], mode: str) -> bool:
    """Whether the party may not move that way at all."""
    if any("alarm" in m.marks or ("reserve" in m.marks) != (mode == "reserve") for m in party):
        return True
    enemy = "soviet" if party[0].side == "german" else "german"
    if mode == "strategic":
        close = any(w.far(party[0].at, x) < 3 for x in w.held(enemy))
        return close or any(m.marks & (second.BAD | second.OUT) for m in party)
    if mode == "on_foot":
        able = [
            m.move == "motorized"
            and (
                m.type in second.WALKERS
                or (m.type in second.ENGINEERS and bool(m.engineer) and not m.engineer & {"bridge_K", "bridge_J"})
            )
            for m in party
        ]
        choose = [a and "on_foot" not in m.marks for a, m in zip(able, party, strict=True)]
        return not any(choose) or not all(a or m.move == "foot" for a, m in zip(able, party, strict=True))
    return False


def compare_moves(w: World, party: list[Man], mode: str, found: dict[str, Any], seed: int) -> None:
    about = (seed, [m.id for m in party], mode)
    if why_none(w, party, mode):
        assert not found["reach"], about
        assert not found.get("legal", True), about
        return
    assert found.get("legal", True), (about, found)
    compare_costs(w, party, mode, found, about)
    side, enemy = party[0].side, "soviet" if party[0].side == "german" else "german"
    beside = {b for h in w.held(enemy) for b in w.around(h)}
    for h in {**found["reach"], **found["passed_only"]}:
        others = [m for m in w.here(h, side) if m not in party]
        cover = any(w.can_attack(m) for m in (*others, *party))
        naked = any(m.gun or (m.engineer and not m.attack) for m in party)
        closed = h in beside and naked and not cover
        assert (h in found["passed_only"]) == closed, (about, h)
        if h in found["reach"]:
            fits = second.can_stack(w, [*others, *party], w.terrain(h))
            assert ("overstacked" in found["reach"][h]) == (not fits), (about, h, found["reach"][h])
            compare_way(w, party, mode, found["reach"][h], (about, h))
    lone = alarms_beside(w, party, mode)
    assert {h: number(c) for h, c in found.get("alarm_attacks", {}).items()} == lone, about


def compare_costs(w: World, party: list[Man], mode: str, found: dict[str, Any], about: object) -> None:
    """9.2, 10.2 The hexes that can be reached, and their prices."""
    expected = second.reach(w, party, mode)
    got = {**found["reach"], **found["passed_only"]}
    assert set(got) == set(expected), (about, set(got) ^ set(expected))
    most = min(second.allowance(w, m, mode) for m in party)
    assert found["allowance"]["total"] == most, about
    for h, way in got.items():
        costs = {min(max(spent), Fraction(most)) for spent, _ in expected[h]}
        assert number(way["cost"]) in costs, (about, h, way, costs)
        if len(party) == 1 and not w.mines:
            assert number(way["cost"]) == min(costs), (about, h)
            if h in found["reach"] and len(expected[h]) == 1 and number(way["cost"]) < most:
                ((_, goes_on),) = expected[h]
                assert way["stops"] == (not goes_on), (about, h, way)


def compare_way(w: World, party: list[Man], mode: str, way: dict[str, Any], about: object) -> None:
    """9.11, 10.3.2, 13.5.1 What a way does to those who take it."""
    path = [party[0].at, *way["path"]]
    driven = [m.id for m in party if "OOS1" in m.marks and second.column(w, m, mode) != "foot" and len(path) > 2]
    assert sorted(way.get("becomes_OOS2", [])) == sorted(driven), about
    fire = second.shots(w, party, path)
    told = way.get("interception", {"shots": [], "hit": "0/1"})
    assert sorted((s["from"], s["at"], s["dots"]) for s in told["shots"]) == sorted(fire), about
    spared = Fraction(1)
    for _, _, dots in fire:
        spared *= 1 - Fraction(min(dots, 6), 6)
    assert Fraction(told["hit"]) == 1 - spared
    zoc_to_zoc = False
    for a, b in itertools.pairwise(path):
        step = second.priced(w, party, mode, a, b)
        assert step is not None, (about, path)
        zoc_to_zoc |= step[2]
    tanks = any(x.armor for x in party)
    spared_units = [m for m in party if m.division in second.PANZER and m.move == "motorized" and tanks]
    marked = [m.id for m in party if m.side == "german" and not m.armor and m not in spared_units]
    assert sorted(way.get("regroup", [])) == (sorted(marked) if zoc_to_zoc else []), about


def alarms_beside(w: World, party: list[Man], mode: str) -> dict[str, Fraction]:
    """9.12 Lone alarm units a Soviet party may attack where it stands, and the price."""
    most = min(second.allowance(w, m, mode) for m in party)
    lone: dict[str, Fraction] = {}
    if party[0].side == "german" or mode == "strategic" or not any(w.can_attack(m) for m in party):
        return lone
    for h in w.around(party[0].at):
        there = w.here(h, "german")
        if not there or any(m.role != "alarm" for m in there):
            continue
        for m in there:
            m.at = ""
        step = second.priced(w, party, mode, party[0].at, h)
        for m in there:
            m.at = h
        if step and not isinstance(step[0], str) and max(step[0]) + 1 <= most:
            lone[h] = max(step[0]) + 1
    return lone


@pytest.mark.parametrize("seed", range(6))
def test_moves(seed: int) -> None:
    check_moves(seed)


def check_single_steps(seed: int, made: Made = random_doc) -> None:
    """9.8, 12.1.2, 12.1.4 Moves of one hex."""
    rng = random.Random(seed)
    doc = made(rng)
    for said in doc["units"]:
        wheels = second.printed()[said["id"]]["type"] in (*second.ARMOR, *second.WALKERS)
        if wheels and said["id"] not in {*BONDS, *BONDS.values()}:
            said["status"] = [*said["status"], *rng.choice([[], ["breakthrough"]])]
    w = World(doc)
    doc["barrage"] = [{"hex": h, "shifts": 2, "army": "53A"} for h in rng.sample(sorted(w.held("german")), 2)]
    shelled = {x["hex"] for x in doc["barrage"]}
    zoc, zoi = second.zones(w, "soviet")
    men = [m for m in w.men if m.armor or m.type in second.WALKERS]
    modes = ("withdrawal", "reaction", "breakthrough")
    answers = ask(doc, *({"question": "moves", "unit": m.id, "mode": mode} for m in men for mode in modes))
    for (m, mode), found in zip(product(men, modes), answers, strict=True):
        tank = m.side == "german" and m.armor and not m.marks & second.BAD
        if mode == "breakthrough":
            able = "breakthrough" in m.marks
        else:
            able = tank and (mode == "withdrawal" or m.at not in zoc | zoi | shelled)
        expected = set()
        for h in w.around(m.at) if able else ():
            fits = second.can_stack(w, [*w.here(h, m.side), m], w.terrain(h))
            bad = {"withdrawal": h in zoc | zoi, "reaction": h in shelled, "breakthrough": "river" in w.water(m.at, h)}
            if fits and not bad[mode] and combat.goes(w, m, m.at, h):
                expected.add(h)
        assert set(found["hexes"]) == expected, (seed, m.id, mode, found, expected)


@pytest.mark.parametrize("seed", range(6))
def test_single_steps(seed: int) -> None:
    check_single_steps(seed)


def check_stacking(seed: int, made: Made = random_doc) -> None:
    rng = random.Random(seed)
    doc = made(rng)
    w = World(doc)
    asked = []
    for _ in range(30):
        m = rng.choice(w.men)
        h = rng.choice([x for x in w.hexes if not w.here(x, "soviet" if m.side == "german" else "german")])
        more = [x for x in w.men if x.side == m.side and x is not m]
        asked.append((h, [m, *rng.sample(more, rng.randint(0, 2))]))
    answers = ask(doc, *({"question": "stacking", "hex": h, "units": [m.id for m in men]} for h, men in asked))
    for (h, men), found in zip(asked, answers, strict=True):
        both = {x.id: x for x in (*w.here(h, men[0].side), *men)}
        assert found["legal"] == second.can_stack(w, list(both.values()), w.terrain(h)), (seed, h, sorted(both), found)


@pytest.mark.parametrize("seed", range(6))
def test_stacking(seed: int) -> None:
    check_stacking(seed)


def check_retreats(seed: int, made: Made = random_doc) -> None:
    rng = random.Random(seed)
    doc = made(rng)
    w = World(doc)
    asked = [(m, n) for m in w.men for n in (1, 2)]
    answers = ask(doc, *({"question": "retreat", "hex": m.at, "hexes": n, "units": [m.id]} for m, n in asked))
    for (m, n), found in zip(asked, answers, strict=True):
        told = found["units"][m.id]
        ways = {tuple(x["path"]): x for x in told.get("ways", [])}
        expected = combat.retreats(w, m, n)
        assert set(ways) == expected, (seed, m.id, n, set(ways) ^ expected)
        if m.engineer and not m.attack and m.steps == 1:
            continue
        for path, way in ways.items():
            before = "disorganized" if "disorganized" in m.marks else "regroup" if "regroup" in m.marks else ""
            now = combat.becomes(w, m, path)
            assert way.get("becomes", "").lower().replace("in ", "") in (now, *([""] if now == before else [])), (
                seed,
                m.id,
                path,
                way,
                now,
            )


@pytest.mark.parametrize("seed", range(6))
def test_retreats(seed: int) -> None:
    check_retreats(seed)


def check_advances(seed: int, made: Made = random_doc) -> None:
    rng = random.Random(seed)
    doc = made(rng)
    w = World(doc)
    asked = []
    for m in w.men:
        if m.id in BONDS or m.id in BONDS.values() or w.other_half(m) or m.role in ("extension", "barrage"):
            continue
        for h in w.around(m.at):
            if w.here(h, m.side):
                continue
            for result in ("retreat", "breakthrough", "eliminated"):
                asked.append((m, h, result, rng.choice(w.around(h))))
    answers = ask(
        doc, *({"question": "advance", "hex": h, "units": [m.id], "result": r, "trail": t} for m, h, r, t in asked)
    )
    for (m, h, result, trail), found in zip(asked, answers, strict=True):
        gone = w.here(h)
        for x in gone:
            x.at = ""
        expected = {
            p
            for p in combat.advances(w, m, h, result, {trail})
            if second.can_stack(w, [*w.here(p[-1], m.side), m], w.terrain(p[-1]))
        }
        for x in gone:
            x.at = h
        told = {tuple(p) for p in found["units"][m.id].get("ways", [])}
        assert told == expected, (seed, m.id, m.at, h, result, trail, told ^ expected)


@pytest.mark.parametrize("seed", range(3))
def test_advances(seed: int) -> None:
    check_advances(seed)


def lay_korsun(rng: random.Random, doc: dict[str, Any]) -> None:
    """13.1.3, 14.5.1 The isolated Korsun on a road, with plenty of supplies."""
    hexes = doc["board"]["hexes"]
    ends = sorted({h for x in doc["board"]["links"] if x["kind"] == "secondary" for h in x["path"].split()})
    at = rng.choice([h for h in ends if "facts" not in hexes[h]])
    hexes[at] |= {"name": "Korsun", "terrain": "town", "features": ["rail_terminal"]}
    doc["units"] = [u for u in doc["units"] if u["at"] != at or second.printed()[u["id"]]["role"] == "sdm"]
    kept = {u["id"] for u in doc["units"]}
    doc["units"] = [u for u in doc["units"] if second.printed()[u["id"]]["role"] != "extension" or
                    second.printed()[u["id"]]["parent"] in kept]  # fmt: skip
    doc["improved_positions"] = [h for h in doc["improved_positions"] if h != at]
    doc["minefields"].pop(at, None)
    doc |= {"turn": 9, "tracks": {"korsun_declared": 5, "korsun_active": 5, "korsun_sp": 20}}
    doc["units"].append({"id": "SDM.Korsun", "at": rng.choice(ends)})


def check_supply(seed: int) -> None:
    rng = random.Random(seed)
    doc = with_network(rng)
    if seed % 2:
        lay_korsun(rng, doc)
    w = World(doc)
    net = supply.Network(w, doc)
    men = [m for m in w.men if m.role in ("unit", "part") and not w.other_half(m)]
    places = [(d, rng.choice(sorted(w.hexes))) for d in net.depots for _ in range(4)]
    answers = ask(doc, *({"question": "supply", "unit": m.id} for m in men),
                  *({"question": "supply", "unit": d.id} for d in net.depots),
                  *({"question": "supply", "unit": d.id, "hex": h} for d, h in places))  # fmt: skip
    for m, found in zip(men, answers, strict=False):
        sdms, source, roads = net.supply(m)
        about = (seed, m.id, m.at, found)
        assert {x["sdm"]: x["length"] for x in found["sdms"]} == sdms, (about, sdms)
        assert found.get("source", {}).get("length") == source, (about, source)
        assert found["in_supply_now"] == bool(sdms or source is not None or roads), (about, roads)
        for x in (*found["sdms"], *([found["source"]] if "source" in found else [])):
            path = [m.at, *x["path"]]
            assert len(path) == x["length"] + 1, about
            free = net.free(m.side)
            for n, (a, b) in enumerate(itertools.pairwise(path)):
                assert b in w.around(a), about
                assert b in free, about
                assert net.crosses(m.side, a, b, not n and "sdm" in x), about
    for d, found in zip(net.depots, answers[len(men) :], strict=False):
        way = net.trace(d)
        assert found["traces"] == (way is not None), (seed, d, found, way)
        if way:
            assert (found["length"], found["receives"]["total"]) == way[:2], (seed, d, found, way)
            assert set(found["road"]) == way[2], (seed, d, found, way)
    for (d, h), found in zip(places, answers[len(men) + len(net.depots) :], strict=True):
        on_road = any(w.links.get(frozenset((h, x)), set()) & supply.ROADS for x in w.around(h))
        way = net.trace(d, h)
        enemy = any(m.side != d.side for m in w.here(h))
        assert found["legal"] == (on_road and way is not None and not enemy), (seed, d, h, found, way)
        if found["legal"] and way:
            assert (found["length"], found["sp"]) == way[:2], (seed, d, h, found, way)


@pytest.mark.parametrize("seed", range(6))
def test_supply(seed: int) -> None:
    check_supply(seed)


def check_replacements(seed: int) -> None:
    rng = random.Random(seed)
    doc = with_network(rng, 24)
    doc["units"] = [u for u in doc["units"] if second.printed()[u["id"]]["role"] != "extension"]
    for u in doc["units"]:
        if second.printed()[u["id"]]["role"] != "sdm" and rng.random() < 0.1:
            u["status"] = [*u["status"], "replaced"]
    there = {u["id"] for u in doc["units"]}
    gone = [
        n for n in known((*GERMANS, *SOVIETS)) if n not in there and second.printed()[n]["role"] in ("unit", "part")
    ]
    doc["units"] += [{"id": n, "box": "eliminated"} for n in rng.sample(gone, min(6, len(gone)))]
    commands = ("42K", "3PzK", "11K", "1Uk", "2Uk")
    doc["replacement_points"] = {c: {"infantry": rng.randint(0, 2), "armor": rng.randint(0, 2)} for c in commands}
    doc["replacement_points"]["42K"]["armor"] = 0
    w = World(doc)
    net = supply.Network(w, doc)
    german, soviet = ask(doc, *({"question": "replacements", "side": side} for side in ("german", "soviet")))
    for side, found in (("german", german), ("soviet", soviet)):
        expected = {m.id: points.replace(net, m, doc["replacement_points"]) for m in w.men if m.side == side}
        assert found["replace"] == {k: v for k, v in expected.items() if v}, (seed, side, found["replace"], expected)
        back = {m.id: points.rebuild(net, m, doc["replacement_points"]) for m in w.men if m.side == side and not m.at}
        assert {k: set(v) for k, v in found["rebuild"].items()} == {k: v for k, v in back.items() if v}, (seed, side)
    assert {k: set(v) for k, v in german["absorb"].items()} == points.absorb(w), (seed, german["absorb"])
    assert {k: set(v) for k, v in german["disband"].items()} == points.disband(w), (seed, german["disband"])
    given = {d.id: points.abandon(net, d) for d in net.depots if d.side == "german"}
    assert {k: set(v) for k, v in german["abandon"].items()} == {k: v for k, v in given.items() if v}, seed
    for korps, types in german["armor"].items():
        for kind, told in types.items():
            assert set(told["units"]) == points.armor(net, korps, kind), (seed, korps, kind, told)


@pytest.mark.parametrize("seed", range(6))
def test_replacements(seed: int) -> None:
    check_replacements(seed)


def check_bridges(seed: int) -> None:
    rng = random.Random(seed)
    doc = random_doc(rng)
    for said in doc["bridges"].values():
        said["owner"] = rng.choice(["german", "soviet"])
    w = World(doc)
    wet = [k for k in doc["board"]["hexsides"] if w.water(*k.split("|")) & {"river", "stream"}]
    for phase in ("", "german_engineering"):
        if phase and any(x.get("state", "intact") != "intact" for x in doc["bridges"].values()):
            continue
        more = {"phase": phase} if phase else {}
        answers = ask({**doc, **more}, *({"question": "bridges", "hexside": k} for k in wet))
        for key, found in zip(wet, answers, strict=True):
            for side in ("german", "soviet"):
                able, faces = points.destroy(w, side, key, "", bool(phase))
                told = found["destroy"][side]
                assert told["legal"] == able, (seed, key, side, told)
                if able:
                    assert told["chance"] == f"{faces}/6", (seed, key, side, told)


@pytest.mark.parametrize("seed", range(6))
def test_bridges(seed: int) -> None:
    check_bridges(seed)


def check_attacks(seed: int, made: Made = crowded) -> None:
    rng = random.Random(seed)
    doc = made(rng)
    w = World(doc)
    doc["combats"] = rng.sample(sorted(w.hexes), 3)
    doc["barrage"] = [
        {"hex": h, "shifts": rng.choice([2, 3]), "army": "4GA"}
        for h in rng.sample(sorted(w.held("german")), 1)
        if rng.random() < 0.3
    ]
    mark_segments(rng, doc)
    w = World(doc)
    asked: list[tuple[Fight, dict[str, Any], dict[int, Fraction]]] = []
    for _ in range(40):
        made = random_fight(w, rng)
        if made:
            asked.append(made)
    if not asked:
        return
    answers = ask(doc, *(q for _, q, _ in asked))
    for (f, q, air), found in zip(asked, answers, strict=True):
        about = (seed, q)
        marked = set(w.combats)
        if f.segment in ("combat", "reserve"):
            w.combats |= set(f.targets)
        assert found["legal"] == combat.may_attack(f), (about, found)
        w.combats = marked
        if not found["legal"]:
            COUNTS["refused"] += 1
            continue
        COUNTS["fights"] += 1
        f.foes = [w.by_id[x] for x in found["defenders"]]
        marked = set(w.combats)
        if f.segment in ("combat", "reserve"):
            w.combats |= set(f.targets)
        assert found["attack"]["total"] == combat.attack(f), (about, found["attack"])
        assert found["defence"]["total"] == combat.defence(f), (about, found["defence"])
        assert found["shifts"]["total"] == combat.shifts(f), (about, found["shifts"])
        fire = combat.fire(f)
        told = found["armor"]
        assert (told["attacker_dots"], told["defender_dots"]) == fire[:2], (about, told)
        assert (set(told["defender_loses_one_of"]), set(told["attacker_loses_one_of"])) == fire[2:], (about, told)
        assert told["only_armor"] == combat.only_armor(f), about
        for h in f.targets:
            assert found["no_retreat"][h]["legal"] == combat.may_stand(f, h), (about, h, found["no_retreat"])
        expected = combat.outcomes(f, air)
        assert {x["result"]: Fraction(x["chance"]) for x in found["chances"]} == expected, about
        w.combats = marked


COUNTS = {"fights": 0, "refused": 0}


def mark_segments(rng: random.Random, doc: dict[str, Any]) -> None:
    """9.6, 12.1.4 Some stacks are in Reserve, some units were attacked before."""
    held = {u["at"] for u in doc["units"] if rng.random() < 0.15}
    for u in doc["units"]:
        able = role_of(u) in ("unit", "part", "extension")
        more = [x for x, is_so in (("reserve", u["at"] in held), ("struck", rng.random() < 0.2)) if is_so and able]
        u["status"] = [*u["status"], *more]


def random_fight(w: World, rng: random.Random) -> tuple[Fight, dict[str, Any], dict[int, Fraction]] | None:
    side = rng.choice(["german", "soviet"])
    enemy = "soviet" if side == "german" else "german"
    target = rng.choice(sorted(w.held(enemy)))
    targets = [target]
    near = [h for h in w.around(target) if w.here(h, enemy)]
    if near and rng.random() < 0.3:
        targets.append(rng.choice(near))
    froms = [h for h in w.hexes if all(h in w.around(t) for t in targets)]
    segment = rng.choice(["combat", "combat", "combat", "reserve", "breakthrough"])
    alone = all(m.role == "alarm" for m in w.here(target, enemy))
    if alone and rng.random() < 0.7:
        segment, targets, froms = "alarm", [target], [rng.choice(w.around(target))]
    who = []
    for h in froms:
        if rng.random() < 0.7:
            who += [m for m in w.here(h, side) if w.can_attack(m)]
    if not who:
        return None
    if segment == "breakthrough":
        targets = targets[:1]
        who = [m for m in who if target in w.around(m.at)]
    if segment == "reserve":
        who = [m for m in who if "reserve" in m.marks]
    elif segment in ("breakthrough", "alarm"):
        who = [m for m in who if "reserve" not in m.marks]
    elif any("struck" in m.marks for h in {x for m in who for x in w.around(m.at)} for m in w.here(h, enemy)):
        return None  # there was no earlier segment
    if not who or (segment != "combat" and any(m.role == "partisans" for m in who)):
        return None
    f = Fight(w, side, targets, who, [m for t in targets for m in w.here(t, enemy)], segment)
    forms = sorted({combat.formation(m) for m in who})
    f.unsupported = {x for x in forms if rng.random() < 0.2}
    q: dict[str, Any] = {"question": "attack", "target": target, "also": targets[1:], "units": [m.id for m in who],
                         "segment": segment, "unsupported": sorted(f.unsupported)}  # fmt: skip
    air = {0: Fraction(1)}
    if segment == "combat":
        guns = [
            m
            for m in w.men
            if m.gun and m.side == side and m.obs and "back" not in m.marks and not m.marks & second.BAD
        ]
        if guns and rng.random() < 0.6:
            f.guns = rng.sample(guns, min(len(guns), rng.choice([1, 1, 2, 3])))
            q["guns"] = [m.id for m in f.guns]
        theirs = [m for m in w.men if m.gun and m.side == enemy and m.dbs and not m.marks & second.BAD]
        if theirs and rng.random() < 0.6:
            f.gun = rng.choice(theirs)
            q["gun"] = f.gun.id
        if rng.random() < 0.3:
            n = rng.randint(0, 3)
            q["air"] = {enemy: n}
            air = {-n: Fraction(1)}
        pioneers = [m for m in who if "assault" in m.engineer]
        if pioneers and rng.random() < 0.7:
            f.engineer = rng.choice(pioneers)
            q["engineer"] = f.engineer.id
            if combat.mined(f) and rng.random() < 0.5:
                q["clear_mines"] = f.cleared = True
    return f, q, air


@pytest.mark.parametrize("seed", range(10))
def test_attacks(seed: int) -> None:
    check_attacks(seed)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("check", [check_moves, check_stacking, check_retreats, check_advances, check_attacks])
def test_units_that_are_written_out(check: Callable[[int, Made], None], seed: int) -> None:
    check(seed, written_out)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "check", [check_moves, check_single_steps, check_stacking, check_retreats, check_advances, check_attacks]
)
def test_the_printed_map(check: Callable[[int, Made], None], seed: int) -> None:
    check(seed, on_printed_map)
