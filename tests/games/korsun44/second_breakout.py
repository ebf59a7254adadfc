"""The second implementation: the Breakout (16.4, 16.5), from the text and the JSON of a position alone."""

from __future__ import annotations

from typing import Any

from .second import BAD, INFANTRY, Man, World, can_stack, half, table
from .second_combat import COLUMNS, goes, place
from .second_supply import Network

RELIEF = ("7K", "3PzK", "47PzK")
PARTS = ("unit", "part")


def inside(m: Man) -> bool:
    """2.8, 14.5.1 A unit of Gruppe Stemmermann."""
    return bool(m.at) and m.side == "german" and "Stemmermann" in m.marks


def outside(w: World, doc: dict[str, Any]) -> set[str]:
    """16.5.3 The hexes of Germans that are not in the pocket: a free way leads from them to an edge."""
    net = Network(w, doc)
    edges = net.edges.get("1PzA", set()) | net.edges.get("8A", set())
    mine = {m.at for m in w.men if m.at and m.side == "german" and not inside(m) and m.role != "sdm"}
    return {h for h in mine if not edges or net.path("german", h, edges, False) is not None}


def may_declare(w: World, doc: dict[str, Any]) -> bool:
    """16.4"""
    tracks, net = doc["tracks"], Network(w, doc)
    declared = tracks.get("korsun_declared", 0)
    if tracks.get("breakout") or not declared or declared >= doc["turn"]:
        return False
    edges = net.edges.get("1PzA", set()) | net.edges.get("8A", set())
    relief = {m.at for m in w.men if m.at and m.corps in RELIEF and not inside(m) and m.role != "sdm"}
    free = {h for h in relief if not edges or net.path("german", h, edges, False) is not None}
    return any(w.far(m.at, h) <= 3 for m in w.men if inside(m) for h in free)


def declarations(w: World, doc: dict[str, Any], korsun: str) -> set[str]:
    """13.1.3, 16.2, 16.3, 16.4 What the German player may declare."""
    tracks, net = doc["tracks"], Network(w, doc)
    found = {"declare_breakout"} if may_declare(w, doc) else set()
    if doc["turn"] >= 10 and not tracks.get("wanda_end"):
        found.add("declare_wanda")
    held = bool(w.here(korsun, "soviet"))
    if not tracks.get("korsun_declared") and not held and korsun not in net.terminals():
        found.add("declare_korsun")
    for korps in ("11K", "42K"):
        for m in w.men:
            if m.corps == korps and m.at and m.role in PARTS and not can_trace(net, m, "" if held else korsun):
                found.add(f"isolate_korps {korps}")
    return found


def can_trace(net: Network, m: Man, korsun: str) -> bool:
    """16.2 A path of any length to Korsun or to a source."""
    ends = net.sources("german", m.army, m.corps) | ({korsun} if korsun else set())
    return net.path("german", m.at, ends, False) is not None


# --- 16.5.1 ----------------------------------------------------------------------------------------------------------


def worth(m: Man) -> int:
    """8.6.2, 16.5.1.1"""
    if m.gun:
        return 2 if m.size == "regiment" or m.back_dbs else 1
    return m.steps


def mergers(w: World, fallen: dict[str, Man]) -> set[str]:
    """16.5.1 Units of a division into its regiments in their hex, or into eliminated ones."""
    found = set()
    for m in w.men:
        if not inside(m) or m.armor or m.role not in PARTS or not m.division:
            continue
        for r in [x for x in w.men if x.at == m.at and x is not m] + list(fallen.values()):
            regiment = r.role == "unit" and r.type in INFANTRY and r.chit and r.division == m.division
            steps = 0 if r.id in fallen else r.steps
            if regiment and steps + worth(m) <= min(5, len(r.powers)):
                found.add(f"merge {m.id} into {r.id}")
    return found


# --- 16.5.2 ----------------------------------------------------------------------------------------------------------


def mixed(w: World, h: str, men: list[Man]) -> bool:
    """16.5.2 The usual limits, but that divisions mix."""
    kept = [(m, m.division) for m in men]
    for m in men:
        m.division = ""
    fits = can_stack(w, men, w.terrain(h))
    for m, division in kept:
        m.division = division
    return fits


def passes(w: World, m: Man, a: str, b: str) -> bool:
    """What terrain lets: zones and costs do not matter."""
    theirs = w.here(b, "soviet")
    for x in theirs:
        x.at = ""
    found = goes(w, m, a, b)
    for x in theirs:
        x.at = b
    return found


def one_hex(w: World) -> set[str]:
    """16.5.2"""
    found = set()
    for m in w.men:
        for h in w.around(m.at) if inside(m) else ():
            if not w.here(h, "soviet") and passes(w, m, m.at, h) and mixed(w, h, [*w.here(h, "german"), m]):
                found.add(f"one_hex {m.id} {h}")
    return found


# --- 16.5.3 ----------------------------------------------------------------------------------------------------------


def wave(w: World, out: set[str], h: str) -> int:
    nearest = min((w.far(h, x) for x in out), default=99)
    return next((n for n, most in ((1, 3), (2, 4), (3, 5)) if nearest <= most), 4)


def waves(w: World, out: set[str]) -> dict[int, set[str]]:
    """16.5.3 The stacks of each wave, as they stand before the first."""
    found: dict[int, set[str]] = {}
    for m in w.men:
        if inside(m):
            found.setdefault(wave(w, out, m.at), set()).add(m.at)
    return found


def first_steps(w: World, h: str) -> set[str]:
    """16.5.3 Where a stack may go first: no limits, since it may go on; Soviets are attacked."""
    stack = [m for m in w.here(h, "german") if inside(m)]
    armed = any(w.can_attack(m) for m in stack)
    return {
        x
        for x in w.around(h)
        if all(passes(w, m, h, x) for m in stack) and (armed or not w.here(x, "soviet"))
    }  # fmt: skip


def fight(w: World, h: str, into: str, surprise: bool, dice: int) -> str:
    """16.5.3 What the table says when a stack attacks: strengths in their order, armor and surprise alone shift."""
    stack = [m for m in w.here(h, "german") if inside(m)]
    foes = w.here(into, "soviet")

    def power(men: list[Man]) -> int:
        return sum(half(w.power(m)) if m.marks & BAD else w.power(m) for m in men)

    shifts = int(any(m.armor for m in stack)) + 2 * surprise
    at = place(power([m for m in stack if w.can_attack(m)]), power(foes)) + shifts
    return table("crt")[str(dice)][COLUMNS[min(max(at, 0), len(COLUMNS) - 1)]]
