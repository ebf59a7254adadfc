"""What may be done in whole phases of random positions: lists against the second implementation."""

from __future__ import annotations

import random
from typing import Any

import pytest

from . import second_supply as supply
from .second import OUT, Man, World
from .worlds import BONDS, ask, random_doc, with_network


def legal(doc: dict[str, Any], *after: str) -> dict[str, Any]:
    (found,) = ask(doc, {"question": "legal", "after": list(after)})
    return found


def chosen(found: dict[str, Any], verb: str) -> set[str]:
    return {a.removeprefix(f"{verb} ") for a in found.get("actions", []) if a.startswith(f"{verb} ")}


def tied(w: World, m: Man) -> bool:
    """Whether a unit is one of several that share what they do."""
    return m.id in BONDS or m.id in BONDS.values() or w.other_half(m) is not None


def check_movement_lists(seed: int, count: dict[str, int]) -> None:
    """9.6, 9.0, 4.7, 4.8.2"""
    doc = random_doc(random.Random(seed))
    w = World(doc)
    for side in ("german", "soviet"):
        there = {**doc, "phase": f"{side}_movement"}
        beside = {b for h in w.held("soviet" if side == "german" else "german") for b in w.around(h)}
        mine = [m for m in w.men if m.side == side and m.at and "alarm" not in m.marks]
        free = {m.id for m in mine if m.at not in beside and not m.marks & OUT and m.role != "partisans"}
        first = legal(there)
        held = chosen(first, "reserve")
        if held:
            shared = {m.id for m in mine if tied(w, m)}
            assert held - shared == free - shared, (seed, side, held ^ free)
            first = legal(there, "pass")
        extends = {m.id for m in mine if m.size == "division" and m.role == "unit" and m.side == "soviet"}
        extends -= {m.id for m in mine if w.other_half(m) or w.cadre(m)}
        watched = {m.at for m in w.men if m.side == side and "alarm" in m.marks}
        turned = {h for h in watched if any(m.attack and m.role != "alarm" for m in w.here(h, side))}
        for verb, expected in (("move", {m.id for m in mine}), ("extend", extends), ("turn_over", turned)):
            assert chosen(first, verb) == expected, (seed, side, verb, chosen(first, verb) ^ expected)
            count[verb] = count.get(verb, 0) + len(expected)


def check_marker_lists(seed: int, count: dict[str, int]) -> None:
    """13.2.1 The SDMs of the Soviets that may be placed, and where."""
    doc = {**with_network(random.Random(seed)), "phase": "supply"}
    w = World(doc)
    net = supply.Network(w, doc)
    first = legal(doc)
    places: dict[str, set[str]] = {}
    for d in [x for x in net.depots if x.side == first["side"]]:
        roads = {h for h in w.hexes if any(w.links.get(frozenset((h, x)), set()) & supply.ROADS for x in w.around(h))}
        free = {h for h in roads if all(m.side == d.side for m in w.here(h)) and net.trace(d, h) is not None}
        if free - {d.at}:
            places[d.id] = free - {d.at}
    assert chosen(first, "place_sdm") == set(places), (seed, places)
    for sdm, hexes in sorted(places.items())[:3]:
        at = chosen(legal(doc, f"place_sdm {sdm}"), "at")
        here = {next(d.at for d in net.depots if d.id == sdm)}
        assert at - here == hexes, (seed, sdm, at ^ hexes)
        count["hexes"] = count.get("hexes", 0) + len(hexes)


@pytest.mark.parametrize("seed", range(4))
def test_movement_phases(seed: int) -> None:
    check_movement_lists(seed, {})


@pytest.mark.parametrize("seed", [2, 3, 5, 8])
def test_marker_phases(seed: int) -> None:
    check_marker_lists(seed, {})
