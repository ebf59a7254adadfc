"""The questions about replacements and bridges."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from kessel.core.forces import Side
from kessel.core.hexes import Hexside
from kessel.core.hexset import members
from kessel.core.title import Asked
from kessel.games.korsun44.board import (
    BRIDGE_OK,
    BUILDING,
    DESTROYED,
    GERMAN,
    INTACT,
    J_BRIDGE,
    K_BRIDGE,
    NEW,
    NO_BRIDGE,
    PRINTED,
    REPAIRING,
    SIDES,
    Board,
)
from kessel.games.korsun44.engineering.bridges import (
    destruction_roll,
    engineers,
    is_heavy_tested,
    is_river,
    standing,
    why_not_destroy,
)
from kessel.games.korsun44.engineering.building import (
    why_not_build,
    why_not_improve,
    why_not_lay,
    why_not_remove,
    why_not_repair,
)
from kessel.games.korsun44.turn.points import command_of
from kessel.games.korsun44.turn.replacements import (
    armor_commands,
    armor_of,
    kind_taken,
    most_steps,
    rebuilds,
    replacements,
    return_hexes,
    why_not_rebuild,
    why_not_replace,
)
from kessel.games.korsun44.turn.special_replacements import (
    absorptions,
    gunner_takers,
    sdm_takers,
    why_not_abandon_korsun,
    why_not_absorb,
)
from kessel.wargame.reading import at_path, judged, named_hex, named_side, named_unit

KINDS = {PRINTED: "printed", NEW: "new", K_BRIDGE: "K", J_BRIDGE: "J"}
STATES = {INTACT: "intact", DESTROYED: "destroyed", REPAIRING: "repairing", BUILDING: "building", NO_BRIDGE: "none"}


class AskReplacements(Asked, kw_only=True):
    """What replacements a side can give now; or whether one unit may take some, come back in a hex, or join another."""

    side: str = ""
    unit: str = ""
    steps: int = 1
    hex: str = ""
    into: str = ""


class AskBridges(Asked, kw_only=True):
    """The bridge over a hexside: its state, who may destroy, repair or build it; left out: all not as printed."""

    hexside: str = ""


# --- replacements ----------------------------------------------------------------------------------------------------


def replaced(g: Board, q: AskReplacements) -> dict[str, Any]:
    if q.unit:
        return {"unit": q.unit, **_one(g, q)}
    side = named_side(SIDES, q.side) if q.side else g.phasing
    found: dict[str, Any] = {
        "side": SIDES[side],
        "rule": "8.4",
        "points": {c: {"infantry": g.rp(c, False), "armor": g.rp(c, True)} for c in _commands(g, side)},
        "replace": _grouped([(g.id(u), n) for u, n in replacements(g, side)]),
        "rebuild": _grouped([(g.id(u), g.hex_name(h)) for u, h in rebuilds(g, side)]),
    }
    return {**found, **_german(g)} if side == GERMAN else found


def _commands(g: Board, side: Side) -> tuple[str, ...]:
    known = g.charts.game.formations
    return known.german_korps if side == GERMAN else known.fronts


def _grouped(pairs: list[tuple[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def _german(g: Board) -> dict[str, Any]:
    """8.5.2, 8.6 Armor by dice; cadres, guns, SDMs and Korsun given up."""
    mine = g.on_the_map(GERMAN)
    guns = {g.id(u): [g.id(v) for v in gunner_takers(g, u)] for u in mine if g.forces.artillery[u]}
    sdms = {g.id(s): [g.id(v) for v in sdm_takers(g, s)] for s in g.sdms(GERMAN)}
    return {
        "armor": {k: _armor_chances(g, k) for k in armor_commands(g)},
        "absorb": _grouped([(g.id(c), g.id(u)) for c, u in absorptions(g)]),
        "disband": {k: v for k, v in guns.items() if v},
        "abandon": {k: v for k, v in sdms.items() if v},
        "abandon_korsun": judged(why_not_abandon_korsun(g, g.reads("abandon_when"))),
    }


def _armor_chances(g: Board, korps: str) -> dict[str, Any]:
    """8.5.2 The chance of each type, and who can take it; types nobody can take may be rolled again."""
    found: dict[str, Fraction] = {}
    for a in range(1, 7):
        for b in range(1, 7):
            kind = g.charts.armor_replacement[a + b]
            found[kind] = found.get(kind, Fraction(0)) + Fraction(1, 36)
    return {
        kind: {"chance": f"{p.numerator}/{p.denominator}", "units": [g.id(u) for u in armor_of(g, korps, kind)]}
        for kind, p in sorted(found.items())
    }


def _one(g: Board, q: AskReplacements) -> dict[str, Any]:
    u = named_unit(g, q.unit, on_map=False)
    side = g.forces.side[u]
    found: dict[str, Any] = {"takes": kind_taken(g, u), "command": command_of(g, u), "steps": g.steps[u],
                             "most_steps": most_steps(g, u)}  # fmt: skip
    if q.into:
        into = named_unit(g, q.into, "$.into")
        return {**found, "into": q.into, **judged(why_not_absorb(g, u, into))}
    if q.hex:
        return {**found, "hex": q.hex, **judged(why_not_rebuild(g, side, u, named_hex(g, q.hex)))}
    if g.on_map(u):
        return {**found, "asked": q.steps, **judged(why_not_replace(g, side, u, q.steps))}
    return {**found, "hexes": sorted(g.hex_name(h) for h in members(return_hexes(g, u)))}


# --- bridges ---------------------------------------------------------------------------------------------------------


def bridges(g: Board, q: AskBridges) -> dict[str, Any]:
    if q.hexside:
        side = g.map.grid.canonical(at_path("$.hexside", g.map.grid.parse_hexside, q.hexside))
        return {"hexside": q.hexside, "rule": "15.2", **_bridge(g, side)}
    rows = zip(g.bridge_at, g.bridge_state, g.bridge_kind, strict=True)
    changed = sorted({s for s, state, kind in rows if s >= 0 and (kind or state != INTACT) and state != NO_BRIDGE})
    return {"rule": "15.2", "bridges": {g.map.grid.hexside_name(s): _state(g, s) for s in changed}}


def _state(g: Board, side: Hexside) -> list[dict[str, Any]]:
    return [
        {
            "kind": KINDS[g.bridge_kind[i]],
            "state": STATES[g.bridge_state[i]],
            "owner": SIDES[g.bridge_owner[i]] if g.bridge_owner[i] < 2 else None,
            "carries_heavy_tanks": bool(g.bridge_flags[i] & BRIDGE_OK),
        }
        for i in g.bridge_of(side)
    ]


def _bridge(g: Board, side: Hexside) -> dict[str, Any]:
    h, d = divmod(side, 6)
    water = "river" if is_river(g, side) else "stream" if g.ground.stream[d] >> h & 1 else None
    found: dict[str, Any] = {"water": water, "bridges": _state(g, side), "stands": standing(g, side) >= 0}
    found["destroy"] = {SIDES[s]: _destroy(g, s, side) for s in range(2)}
    works = (
        ("repair", why_not_repair), ("build", why_not_build), ("lay", why_not_lay), ("take_up", why_not_remove),
        ("improve", why_not_improve),
    )  # fmt: skip
    for word, why_not in works:
        units = [(s, u) for s in range(2) for u in engineers(g, s) if g.map.grid.distance(g.place[u], h) <= 1]
        found[word] = {g.id(u): judged(why_not(g, s, side, u)) for s, u in units}
    if is_heavy_tested(g, side):
        found["heavy_tanks"] = {"tested": True, "holds": "1/3", "rule": "18.3"}
    return found


def _destroy(g: Board, s: Side, side: Hexside) -> dict[str, Any]:
    """15.2.1 Whether a side may try now, and the chance that it succeeds."""
    why = why_not_destroy(g, s, side)
    if why is not None:
        return judged(why)
    table = g.charts.bridges
    done = [
        d
        for d in range(1, 7)
        if table.at(table.clamp_row(destruction_roll(g, s, side, d).total), "destroy") == "destroyed"
    ]
    more = destruction_roll(g, s, side, 0)
    return {"legal": True, "modifier": more.total, "chance": f"{len(done)}/6"}


__all__ = ["AskBridges", "AskReplacements", "bridges", "replaced"]
