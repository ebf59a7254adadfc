"""12.10 Artillery support."""

from __future__ import annotations

from collections.abc import Iterable

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import GAME, fact
from kessel.core.forces import Side, Unit
from kessel.games.korsun44.board import (
    BACK,
    DECLARED,
    DISORDER,
    FOUGHT,
    GERMAN,
    NO_FIRE_1,
    NO_FIRE_2,
    OUT_OF_AMMO,
    SOVIET,
    Board,
    hexes_within,
)
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, Battle, barrage_shift, in_hex, is_shared
from kessel.games.korsun44.combat.support import has_support, is_supported
from kessel.games.korsun44.combat.terrain import crosses_mines
from kessel.games.korsun44.data.forces import BARRAGE

# --- who may fire --------------------------------------------------------------------------------------------------


def why_not_fire(g: Board, b: Battle, u: Unit, side: Side, guns: int) -> Refusal | None:
    """12.10 Why a unit may not support its side in this combat; `guns` do already."""
    f, attack = g.forces, side == b.side
    if b.segment != COMBAT_SEGMENT:
        return Refusal("12.1.4", "no artillery fires in this segment")
    if f.side[u] != side or not g.on_map(u):
        return Refusal("12.10", f"{g.name(u)} is no unit of yours on the map")
    if not f.artillery[u] or f.role[u] == BARRAGE:
        return Refusal("12.10", f"{g.name(u)} is no artillery unit")
    if why := _why_nobody(g, b, side, guns):
        return why
    if why := _why_not_ready(g, u, attack):
        return why
    if all(g.map.grid.distance(g.place[u], h) > _range(g, u) for h in b.targets):
        return Refusal("12.10.1", f"{g.name(u)} is out of range")
    if not _serves_any(g, b, u, attack):
        return Refusal("12.10.6" if side == GERMAN else "12.10.4", f"{g.name(u)} supports its own formation only")
    return None if attack else _why_not_defending(g, b, u)


def _why_nobody(g: Board, b: Battle, side: Side, guns: int) -> Refusal | None:
    """12.10, 12.4, 16.5.4, 17.1.3 Why no gun at all may support its side."""
    c, attack = g.charts.constants, side == b.side
    if guns >= (c.attack_guns if attack else c.defence_guns):
        return Refusal("12.10", "three guns may support an attack, one a defence")
    if attack and not has_support(g, b):
        return Refusal("12.4", "artillery helps supported attacks only")
    if any(is_shared(g, h) for h in b.targets):
        return Refusal("16.5.4", "no artillery fires where both sides are in the hex")
    if attack and side == SOVIET and any(barrage_shift(g, h) for h in b.targets):
        return Refusal("17.1.3", "no other artillery fires where a barrage falls")
    return None


def _why_not_ready(g: Board, u: Unit, attack: bool) -> Refusal | None:
    """12.10.3, 12.10.5, 12.17.2, 9.10.3 Ammunition, disorder, No Fire markers."""
    status, counter = g.status[u], g.forces.counters[u]
    if status & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    if status & (NO_FIRE_1 | NO_FIRE_2):
        return Refusal("9.10.3", f"{g.name(u)} has moved and may not fire")
    if status & OUT_OF_AMMO or (status & BACK and (attack or not counter.back_dbs)):
        return Refusal("12.10.5" if counter.side == GERMAN else "12.10.3", f"{g.name(u)} is out of ammunition")
    if not (counter.obs if attack else counter.dbs):
        return Refusal("12.10.1", f"{g.name(u)} has no strength for that")
    return None


def _serves_any(g: Board, b: Battle, u: Unit, attack: bool) -> bool:
    if attack:
        return any(serves(g, u, v) for v in b.attackers if is_supported(g, b, v))
    return any(serves(g, u, v) for v in b.defenders if v != u) or u in b.defenders


def serves(g: Board, gun: Unit, u: Unit) -> bool:
    """12.10.4, 12.10.6 Whether a gun may support a unit: of its division, korps, corps, army or Front."""
    f = g.forces
    if f.side[gun] == GERMAN:
        if f.division[gun]:
            return f.division[u] == f.division[gun]
        return f.corps[u] == f.corps[gun] if f.corps[gun] else f.army[u] == f.army[gun]
    if f.corps[gun]:
        return f.corps[u] == f.corps[gun]
    if f.army[gun]:
        return f.army[u] == f.army[gun]
    return g.front_of(u) == g.front_of(gun)


def _why_not_defending(g: Board, b: Battle, u: Unit) -> Refusal | None:
    """12.10.7, Q12 A gun in a hex under attack fires for that hex alone, and not if it stands there alone."""
    h = g.place[u]
    if h not in b.targets:
        if g.combats[h] & (DECLARED | FOUGHT):
            return Refusal("12.10.7", f"{g.name(u)} is in a hex that is attacked itself")
        return None
    others = [v for v in in_hex(g, b.defenders, h) if v != u]
    if not others:
        return Refusal("12.10.7", f"{g.name(u)} is alone in the hex and can only defend itself")
    if g.reads("gun_in_hex") == "strength_only" and not any(g.forces.artillery[v] for v in others):
        return Refusal("12.10.7", f"{g.name(u)} is the only gun of the hex and lends its strength")
    return None


def guns(g: Board, b: Battle, side: Side, fired: Iterable[Unit]) -> list[Unit]:
    """All units that may fire for a side."""
    n, status, silent = len(tuple(fired)), g.status, DISORDER | NO_FIRE_1 | NO_FIRE_2 | OUT_OF_AMMO
    if b.segment != COMBAT_SEGMENT or _why_nobody(g, b, side, n):
        return []
    able = [u for u in _artillery(g, side) if g.place[u] != NOWHERE and not status[u] & silent]
    near = [u for u in able if any(hexes_within(g, h, _range(g, u)) >> g.place[u] & 1 for h in b.targets)]
    return [u for u in near if why_not_fire(g, b, u, side, n) is None]


def _range(g: Board, u: Unit) -> int:
    return g.forces.counters[u].range


@fact(GAME)
def _artillery(g: Board, side: Side) -> list[Unit]:
    return [u for u in g.forces.of_side(side) if g.forces.artillery[u]]


# --- firing --------------------------------------------------------------------------------------------------------


def barrage_strength(g: Board, u: Unit, attack: bool) -> int:
    """12.10.1, 12.10.5, Q63 OBS, or DBS of the side that is up (or will be)."""
    counter = g.forces.counters[u]
    if attack:
        return counter.obs
    back = g.status[u] & BACK or (g.reads("face_up") == "after_flip" and counter.back_dbs)
    return counter.back_dbs if back else counter.dbs


def flip(g: Board, u: Unit, attack: bool) -> None:
    """12.10.3, 12.10.5 A gun that fires is turned; a German regiment fires once in attack or twice in defence."""
    if g.forces.counters[u].gun_regiment and (attack or g.status[u] & BACK):
        g.set_status(u, OUT_OF_AMMO)
    g.set_status(u, BACK)


def refill(g: Board) -> None:
    """12.10.5, Q43 Where the other reading is played German artillery regiments are fresh in every Combat Phase."""
    if g.reads("regiment_ammo") == "refill":
        for u in g.on_the_map(GERMAN):
            if g.forces.counters[u].gun_regiment and g.status[u] & (BACK | OUT_OF_AMMO):
                g.set_status(u, BACK | OUT_OF_AMMO, on=False)


def artillery_roll(g: Board, b: Battle, side: Side, die: int) -> Breakdown:
    """12.10.2 The die with its modifiers: all of them make it worse."""
    c = g.charts.constants
    found = Breakdown("artillery roll").add("die", die, "12.10.2")
    if storm := g.charts.visibility[g.visibility].artillery:
        found.add("Storm", storm, "12.10.2")
    if side == GERMAN and b.side == GERMAN and crosses_mines(g, b):
        found.add("attack on a minefield", c.mine_artillery, "12.10.2")
    if side == GERMAN and b.side == SOVIET and any(barrage_shift(g, h) for h in b.targets):
        found.add("under a barrage", c.barrage_artillery, "12.10.2")
    return found


def artillery_shift(g: Board, b: Battle, side: Side, die: int) -> int:
    """12.10.2 Columns the guns of a side shift with that die: right for the attacker, left for the defender."""
    points = b.points if side == b.side else b.gun_points
    if not points:
        return 0
    shifts = g.charts.shifts(side, points, artillery_roll(g, b, side, die).total)
    return shifts if side == b.side else -shifts
