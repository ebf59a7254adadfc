"""Combats for tests: a battle to be weighed, or played from its declarations on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.hexset import members
from kessel.core.procedure import apply, legal
from kessel.games.korsun44.board import DISORGANIZED, Board
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, Battle
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.odds import Outcome
from kessel.games.korsun44.combat.phase import CombatPhase, Resolution
from kessel.games.korsun44.combat.support import formation_of

from .helpers import h, play, start, u

R1, R2, R3 = "245.88ID", "246.88ID", "248.88ID"
"""German regiments of ten points and four steps."""
FUS, PIO, ART, KGUN, UNARMED = "Fus.88ID", "Pio.88ID", "Art188.88ID", "I-108.42K", "Pio.42K"
PZ5, PZ4, MECH, MOT, RECON, MARDER, FLAK = (
    "I-2.16Pz", "II-2.16Pz", "64.16Pz", "79.16Pz", "Recon.16Pz", "PzJg.16Pz", "Flak.16Pz",
)  # fmt: skip
D1, D2, D3 = "180.27A", "206.27A", "337.27A"
"""Soviet divisions of twenty points and six steps."""
GUN, HOW, ROCKET, ASSAULT, AT, SU = "gun.27A", "1528how.27A", "rocket.27A", "Aslt.27A", "AT1.27A", "SU.27A"
T1, T2, MOTOR = "20G.5GTkC", "21G.5GTkC", "6G.5GTkC"
"""Soviet tank brigades of ten points and four steps."""


def battle(g: Board, *attackers: str, on: Sequence[str] = ("0,0",), **more: Any) -> Battle:
    """A battle with all units in the hexes attacked; supported unless `paid` says otherwise."""
    units = tuple(sorted(u(g, x) for x in attackers))
    side = g.forces.side[units[0]]
    targets = tuple(h(g, x) for x in on)
    defenders = tuple(sorted(v for t in targets for v in g.of_side(t, 1 - side)))
    more.setdefault("paid", tuple(sorted({formation_of(g, x) for x in units})))
    more.setdefault("segment", COMBAT_SEGMENT)
    return Battle(side=side, targets=targets, attackers=units, defenders=defenders, **more)


def supply(g: Board, sdm: str, points: int, *units: str, at: str = "4,-4") -> None:
    """Lay an SDM with points on the map and let it supply these units."""
    g.place_sdm(u(g, sdm), h(g, at))
    g.set_sp(u(g, sdm), points)
    for x in units:
        g.supplier[u(g, x)] = u(g, sdm)


def phase(g: Board, side: int, dice: Sequence[int] = ()) -> Board:
    """Begin the Combat Phase."""
    g.set_track("phasing", side)
    return start(g, CombatPhase(side), dice=dice)


def declare(g: Board, *targets: str) -> Board:
    """Declare these combats and go on to their resolution: no aircraft, no reaction."""
    play(g, *(f"attack {t}" for t in targets))
    while not isinstance(g.stack[-1], Resolution):
        play(g, "pass")
    return g


def resolve(
    g: Board, *attackers: str, on: Sequence[str] = ("0,0",), dice: Sequence[int] = (), segment: int = COMBAT_SEGMENT,
    **more: Any,
) -> Board:  # fmt: skip
    """Resolve a combat whose support is declared: to the first question after the dice."""
    b = battle(g, *attackers, on=on, segment=segment)
    g.set_track("phasing", b.side)
    combat = Combat(b.side, b.enemy, segment, b.targets, b.attackers, b.defenders, paid=b.paid, **more)
    combat.at = combat.index["odds"]
    return start(g, combat, dice=dice)


def applied(
    g: Board, result: str, *attackers: str, on: Sequence[str] = ("0,0",), dice: Sequence[int] = (),
    segment: int = COMBAT_SEGMENT, attacker_d: bool = False, defender_d: bool = False, **more: Any,
) -> Board:  # fmt: skip
    """A combat with a given result of the table, to the first question it leads to."""
    b = battle(g, *attackers, on=on, segment=segment)
    g.set_track("phasing", b.side)
    c = Combat(b.side, b.enemy, segment, b.targets, b.attackers, b.defenders, paid=b.paid, **more)
    c.disordered = all(g.status[x] & DISORGANIZED for x in b.defenders)
    c.stacks = tuple(c.origins(g))
    c.tanks = tuple(x for x in c.stacks if any(g.forces.armor[v] for v in b.attackers if g.place[v] == x))
    c._take(g, Outcome(result, "", attacker_d, defender_d, False, False))
    c.at = c.index["armor_defender"]
    return start(g, c, dice=dice)


def finish(g: Board) -> Board:
    """Let a combat run to its end with the first choice of everything."""
    while any(isinstance(p, Combat) for p in g.stack):
        apply(g, legal(g)[0])
    return g


def take(g: Board, verb: str) -> Board:
    """Carry out the first action of a verb."""
    action = next(a for a in legal(g) if a[0] == verb)
    apply(g, action)
    return g


def on_map(g: Board, name: str) -> str:
    """Where a unit is; empty for nowhere."""
    x = u(g, name)
    return g.hex_name(g.place[x]) if g.on_map(x) else ""


def asked_verbs(g: Board) -> set[str]:
    return {a[0] for a in legal(g)} if g.stack else set()


def hexes(g: Board, side: int) -> set[str]:
    return set(g.map.grid.names(members(g.hexes_of(side))))
