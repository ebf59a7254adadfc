"""21.0 Replacements."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import members, within
from kessel.core.procedure import Action
from kessel.games.stalingrad42.board import ELSEWHERE, RAILS, REPLACEMENT_KINDS, Board
from kessel.games.stalingrad42.columns import BAD_ORDER, COMBAT, ELIMINATED, FLIPPED, IN_PLAY, REPLACED
from kessel.games.stalingrad42.combat.losses import remnants_free
from kessel.games.stalingrad42.data.forces import SIDES, SOVIET
from kessel.games.stalingrad42.movement.maskirovka import armies, is_army, why_not_room
from kessel.games.stalingrad42.movement.ways.zones import next_to_enemies
from kessel.games.stalingrad42.supply.railroads import connecting_rail
from kessel.games.stalingrad42.supply.supply import in_supply_hexes, los, why_not_use_area
from kessel.wargame.board import other

CORPS_AREAS = ("A", "B", "C")
"""21.3.1 Where Soviet Tank and Mech Corps return."""


def receive(g: Board, side: Side) -> None:
    """21.1.1 The Replacements of this turn, from the Turn Record Track or as a position says; nothing is saved."""
    table, given = g.charts.table(g.scenario.track), g.scenario.special.get("replacements")
    for i, kind in enumerate(REPLACEMENT_KINDS):
        column = f"{SIDES[side]}_{kind}"
        points = 0
        if given is not None:
            points = given.get(kind, 0)
        elif str(g.turn) in table.rows and column in table.columns:
            points = table.number(g.turn, column)
        if kind == "special" and side != SOVIET and points and g.special_lost:
            points, g.special_lost = points - 1, 0  # 32.3
        g.points[side * len(REPLACEMENT_KINDS) + i] = points
    g.guards_replaced = 0
    g.happened(ELSEWHERE)


def points_left(g: Board, side: Side, kind: str) -> int:
    return g.points[side * len(REPLACEMENT_KINDS) + REPLACEMENT_KINDS.index(kind)]


def kinds_left(g: Board, side: Side) -> list[str]:
    """The types of which a Replacement is left."""
    n = len(REPLACEMENT_KINDS)
    left = g.points[side * n : (side + 1) * n]
    return [kind for kind, points in zip(REPLACEMENT_KINDS, left, strict=True) if points] if any(left) else []


def forfeit(g: Board, side: Side) -> None:
    """21.1.1 Replacements not used are lost."""
    n = len(REPLACEMENT_KINDS)
    g.points[side * n : (side + 1) * n] = bytes(n)
    g.happened(ELSEWHERE)


def why_not_kind(g: Board, u: Unit, kind: str) -> Refusal | None:
    """21.1.2, 21.5 Which type of Replacement serves which unit; some serve none (20.9)."""
    if kind not in REPLACEMENT_KINDS:
        return Refusal("21.1.2", f"the types of Replacement are {', '.join(REPLACEMENT_KINDS)}")
    if not g.forces.combat[u]:
        return Refusal("19.4", f"{g.name(u)} is a Non-Combat Unit")
    if not g.forces.replacements[u]:
        return Refusal("20.9", f"{g.name(u)} is never replaced")
    if kind not in g.forces.replacements[u]:
        return Refusal("21.1.2", f"{g.name(u)} takes {' or '.join(g.forces.replacements[u])} Replacements, not {kind}")
    side = g.forces.side[u]
    if points_left(g, side, kind) < 1:
        return Refusal("21.1.1", f"no {kind} Replacement is left")
    if (
        side == SOVIET
        and g.forces.branch[u] == "guards"
        and (g.guards_replaced >= g.charts.constant("guards_replacements"))
    ):
        return Refusal("21.2", "only one Replacement a turn goes to a Guards unit")
    return None


def why_not_restore(g: Board, u: Unit, kind: str, side: Side) -> Refusal | None:
    """21.2 Why a reduced unit on the map cannot receive a Replacement."""
    if g.forces.side[u] != side or g.pool[u] != IN_PLAY:
        return Refusal("21.1.1", f"{g.name(u)} is not a unit of yours in play")
    if g.is_full_strength(u):
        return Refusal("21.1.1", f"{g.name(u)} is at full strength")
    if g.status[u] & REPLACED:
        return Refusal("21.2", f"{g.name(u)} has received a Replacement this turn")
    if g.status[u] & BAD_ORDER:
        return Refusal("21.2", f"{g.name(u)} is not in Good Order")
    if why := why_not_kind(g, u, kind):
        return why
    if not los(g, u):
        return Refusal("21.2", f"{g.name(u)} is not in supply")
    return None


def return_boxes(g: Board, u: Unit) -> list[Unit]:
    """34.5 Reserve Armies in supply into whose Holding Box a Soviet unit may return."""
    if g.forces.side[u] != SOVIET or not any(g.assigned) or is_army(g, u):
        return []
    return [a for a in armies(g) if why_not_room(g, a) is None and los(g, a)]


def restores(g: Board, side: Side) -> Iterator[Action]:
    """All Replacements that can go to units in play: those `why_not_restore` has nothing against."""
    kinds = kinds_left(g, side)
    if not kinds:
        return
    f, status = g.forces, g.status
    place, size, good = g.place, g.map.grid.size, in_supply_hexes(g, side)
    no_guards = side == SOVIET and g.guards_replaced >= g.charts.constant("guards_replacements")
    for u in g.losses(side)[0]:
        if status[u] & (REPLACED | BAD_ORDER) or not f.combat[u] or (no_guards and f.branch[u] == "guards"):
            continue
        fit = [kind for kind in f.replacements[u] if kind in kinds]
        here = place[u]
        if fit and (good >> here & 1 if 0 <= here < size else los(g, u)):
            for kind in fit:
                yield ("restore", u, kind)


def restore(g: Board, u: Unit, kind: str) -> None:
    """21.1.1 One step back; 21.3.4 a Remnant becomes the reduced side of its unit."""
    _pay(g, u, kind)
    g.set_steps(u, g.steps[u] + 1)
    g.set_status(u, REPLACED)
    a = "an" if kind[0] in "aeiou" else "a"
    g.tell(f"{g.name(u)} receives {a} {kind} Replacement", "21.1.1", unit=g.id(u), steps=g.steps[u])


def _pay(g: Board, u: Unit, kind: str) -> None:
    side = g.forces.side[u]
    g.points[side * len(REPLACEMENT_KINDS) + REPLACEMENT_KINDS.index(kind)] -= 1
    if g.forces.branch[u] == "guards":
        g.guards_replaced += 1


# --- 21.3 from the Eliminated Box ----------------------------------------------------------------------------------


def why_not_revive(g: Board, u: Unit, kind: str, side: Side) -> Refusal | None:
    """Why an eliminated unit cannot return."""
    if g.forces.side[u] != side or g.pool[u] != ELIMINATED:
        return Refusal("21.3.1", f"{g.name(u)} is not in your Eliminated Box")
    if why := why_not_kind(g, u, kind):
        return why
    remnant = g.forces.remnant[u]
    if remnant and remnants_free(g, remnant) < 1:
        return Refusal("10.4.3", f"no {remnant} Remnant is left for {g.name(u)} to return as")
    return None


def revivals(g: Board, side: Side) -> Iterator[Action]:
    kinds = kinds_left(g, side)
    if not kinds:
        return
    for u in g.losses(side)[1]:
        for kind in g.forces.replacements[u]:
            if kind in kinds and why_not_revive(g, u, kind, side) is None:
                yield ("revive", u, kind)


def is_corps(g: Board, u: Unit) -> bool:
    """Soviet Tank and Mech Corps."""
    f = g.forces
    return f.side[u] == SOVIET and f.size[u] == "corps" and f.type[u] in ("tank", "mechanized")


def why_not_return(g: Board, u: Unit, place: Place, hosts: tuple[int, ...] = ()) -> Refusal | None:
    """21.3.1 Why a unit may not return in a place; `hosts` are the HQs (units) and Cities (-1 - hex) used this turn."""
    side = g.forces.side[u]
    if is_army(g, u) and g.reads("reserve_army_return") == "any_area" and g.map.is_hex(place):
        return Refusal("34.2", "a Reserve Army returns in a Soviet Entry Area")
    if not g.map.is_hex(place):
        if place not in g.ground.area_boxes or g.box_side(place) != side:
            return Refusal("21.3.1", "units return in friendly Entry Areas")
        if is_corps(g, u) and g.map.box(place).id not in CORPS_AREAS and _has_corps_area(g, side):
            return Refusal("21.3.1", "Tank and Mech Corps return at Entry Areas A, B or C")
        return why_not_use_area(g, place, side)
    if is_corps(g, u):
        return Refusal("21.3.1", "Tank and Mech Corps return at Entry Areas A, B or C")
    if (next_to_enemies(g, side) | g.sets[COMBAT + other(side)]) >> place & 1:
        return Refusal("21.3.1", f"{g.hex_name(place)} is adjacent to an enemy Combat Unit")
    if host(g, u, place, hosts) is None:
        return Refusal("21.3.1", "units return at a Major City on a Connecting Rail Hex or with a supplied HQ near one")
    return None


def _has_corps_area(g: Board, side: Side) -> bool:
    return any(g.map.box(p).id in CORPS_AREAS and g.box_side(p) == side for p in g.ground.land_boxes)


def host(g: Board, u: Unit, place: Place, hosts: tuple[int, ...]) -> int | None:
    """The HQ or the City (-1 - hex) through which a unit can return in a hex; None if there is none left."""
    side = g.forces.side[u]
    if is_home_city(g, place, side) and -1 - place not in hosts:
        return -1 - place
    for hq in g.units(place):
        if hq not in hosts and why_not_hq(g, hq, u) is None:
            return hq
    return None


def is_home_city(g: Board, h: Place, side: Side) -> bool:
    """21.3.1 A friendly controlled Major City hex on a Connecting Rail Hex."""
    return bool(g.ground.major_city & g.control_hexes[side] & connecting_rail(g, side) & 1 << h)


def why_not_hq(g: Board, hq: Unit, u: Unit) -> Refusal | None:
    """21.3.1 An HQ takes units in if it is in supply, in Good Order, near a Connecting Rail Hex and of their nation."""
    side = g.forces.side[u]
    if not g.forces.is_hq(hq) or g.forces.side[hq] != side or g.status[hq] & BAD_ORDER:
        return Refusal("21.3.1", f"{g.name(hq)} is not an HQ of yours in Good Order")
    if side != SOVIET and g.forces.nation[hq] != g.forces.nation[u]:
        return Refusal("21.3.1", f"{g.name(hq)} is of another nationality")
    if not near_rail(g, side) >> g.place[hq] & 1:
        return Refusal("21.3.1", f"{g.name(hq)} is more than two hexes from a Connecting Rail Hex")
    if not los(g, hq):
        return Refusal("21.3.1", f"{g.name(hq)} is not in supply")
    return None


@fact(RAILS)
def near_rail(g: Board, side: Side) -> Bits:
    """21.3.1 The hexes near enough to a Connecting Rail Hex for an HQ that takes units in."""
    return within(g.map.grid, connecting_rail(g, side), g.charts.constant("hq_rail_distance"))


@fact(NOW)
def return_places(g: Board, u: Unit, hosts: tuple[int, ...] = ()) -> list[Place]:
    """All places in which a unit may return."""
    side, f = g.forces.side[u], g.forces
    cities = members(g.ground.major_city & g.control_hexes[side])
    hqs = [g.place[q] for q in f.units_of[side] if f.is_hq(q) and g.on_map(q)]
    places = [*g.ground.area_boxes, *sorted({*cities, *hqs})]
    return [p for p in places if why_not_return(g, u, p, hosts) is None]


def revive(g: Board, u: Unit, kind: str, place: Place, *, box: int = 0) -> None:
    """21.3, 34.5 The unit returns on its lowest step, an ASU on its Used side, under a Replacement marker; to a place
    or into a Holding Box."""
    _pay(g, u, kind)
    g.put(u, place, steps=1)
    g.inside[u] = box or g.inside[u]
    g.set_status(u, REPLACED | (FLIPPED if g.forces.is_asu[u] else 0))
    where = f"Holding Box {box}" if box else g.place_name(place)
    g.tell(f"{g.name(u)} returns in {where}", "34.5" if box else "21.3.1", unit=g.id(u), place=where)


def remove_markers(g: Board, side: Side) -> None:
    """21.4 Replacement markers are removed in the Recovery Phase."""
    for u in g.marked_with(side, REPLACED):
        g.set_status(u, REPLACED, False)
