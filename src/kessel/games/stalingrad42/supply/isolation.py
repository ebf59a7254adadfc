"""16.1 and 16.5 The Supply Phase: who is Out of Supply, who is Isolated, and Isolation Attrition."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Breakdown
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import bits, members, spread_through, within
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import ELSEWHERE, Board
from kessel.games.stalingrad42.columns import COMBAT, ISOLATED, OOS, PRESENT
from kessel.games.stalingrad42.combat.city_battles import settle_city_battles
from kessel.games.stalingrad42.combat.losses import lose_step
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement.ways.zones import next_to_enemies
from kessel.games.stalingrad42.supply import resources
from kessel.games.stalingrad42.supply.railheads import RailroadRepair
from kessel.games.stalingrad42.supply.railroads import connecting_rail
from kessel.games.stalingrad42.supply.supply import baku_area, in_supply_hexes, is_isolated, los, reaching
from kessel.wargame.board import other


@dataclass(slots=True)
class SupplyPhase(Procedure):
    """3.B5 The Supply Phase."""

    side: int

    @auto("17.2")
    def railheads(self, g: Board) -> Out:
        """The Axis moves its Railheads forward."""
        return RailroadRepair(self.side) if self.side == AXIS else None

    @auto("16.1")
    def check_supply(self, g: Board) -> Out:
        """Mark the units that cannot trace a Line of Supply; take the marker off those that can."""
        check_supply(g, self.side)
        return None

    @auto("16.5")
    def isolation_attrition(self, g: Board) -> Out:
        """Roll for each Isolated Combat Unit next to an enemy."""
        for u in attrition_units(g, self.side):
            roll_attrition(g, u)
        settle_city_battles(g)  # 29.1.1: one side may be gone from a Contested City
        return None

    spend_points = Choice("side", "18.6.4", "Flip an ASU with a Supply Point, or end the Supply Phase.", passing=None)

    @spend_points.verb(
        "spend",
        legal=lambda p, g: resources.spendable(g, p.side),
        why_not=lambda p, g, point, asu: resources.why_not_spend(g, point, asu, p.side),
    )
    def spend(self, g: Board, point: Unit, asu: Unit) -> Out:
        resources.spend(g, point, asu)
        return AGAIN


def check_supply(g: Board, side: Side) -> None:
    """16.1, 16.5.1 Out of Supply markers, on their red side for Isolated units."""
    lost = g.sets[PRESENT + side] & ~in_supply_hexes(g, side)
    abroad = [baku_area(g)] if baku_area(g) != NOWHERE else []  # 24.1.2; units that left by others are out of it (S1.2)
    units = {u for p in (*members(lost), *abroad) for u in g.units(p) if g.forces.side[u] == side}
    units.update(u for u in g.marked_with(side, OOS | ISOLATED) if g.place[u] != NOWHERE)
    for u in sorted(units):
        flags = 0
        if not los(g, u) and (g.on_map(u) or g.place[u] in abroad):
            flags = (OOS | ISOLATED) if is_isolated(g, u) else (OOS)
        before = g.status[u] & (OOS | ISOLATED)
        if flags == before:
            continue
        g.mark_supply(u, flags)
        word = "is Isolated" if flags & ISOLATED else "is Out of Supply" if flags else "is in supply again"
        g.tell(f"{g.name(u)} {word}", "16.1", unit=g.id(u))
    g.happened(ELSEWHERE)


def exposed(g: Board, u: Unit) -> bool:
    """A Combat Unit, not an ASU, adjacent to an enemy Combat Unit or in one Contested City hex with it."""
    if not g.forces.combat[u] or g.forces.is_asu[u]:
        return False
    h, side = g.place[u], g.forces.side[u]
    if not g.map.is_hex(h):
        return h != NOWHERE and h == baku_area(g)  # 24.1.2: there they count as adjacent
    return bool((next_to_enemies(g, side) | g.sets[COMBAT + other(side)]) >> h & 1)


def attrition_units(g: Board, side: Side) -> list[Unit]:
    """16.5.1 Isolated Combat Units, not ASUs, adjacent to an enemy Combat Unit."""
    return [u for u in g.marked_with(side, ISOLATED) if exposed(g, u)]


def airfields(g: Board, side: Side) -> Bits:
    """16.5.4 Towns, Landmarks and Clear hexes not adjacent to an enemy Combat Unit."""
    ground = g.ground
    clear = ground.clear | (0 if g.marsh else ground.seasonal)
    near = next_to_enemies(g, side)
    if g.sets[COMBAT] & g.sets[COMBAT + 1]:
        near = near_uncontested(g, side)
    if g.reads("pitomnik") == "on":
        near &= ~bits(h for h in g.map.grid.hexes if g.map.has(h, "airfield"))
    return (ground.town | ground.landmark | clear) & ~near & ~g.sets[COMBAT + other(side)]


def near_uncontested(g: Board, side: Side) -> Bits:
    """29.1.1 Units in a Contested City hex do not count as adjacent for the airfield."""
    enemies = g.sets[COMBAT + other(side)] & ~g.sets[COMBAT + side]
    return spread_through(g.map.grid, enemies, g.season.closed)


def attrition_modifiers(g: Board, u: Unit) -> Breakdown:
    """16.5.4 The die roll modifiers of Isolation Attrition."""
    side, h = g.forces.side[u], g.place[u]
    table = g.charts.table("attrition_modifiers")
    found = Breakdown("attrition modifier")
    if g.map.is_hex(h):
        _airfield(g, u, found)
        city = g.ground.city & (g.sets[COMBAT + side] & ~g.sets[COMBAT + other(side)] | g.control_hexes[side])
        if reaching(g, side, city) >> h & 1:
            found.add("City", table.number("city", "drm"), table.at("city", "rule"))
        if reaching(g, side, hq_hexes(g, side)) >> h & 1:
            found.add("HQ", table.number("hq", "drm"), table.at("hq", "rule"))
        if g.ground.desert >> h & 1:
            found.add("Desert hex", table.number("desert", "drm"), table.at("desert", "rule"))
    else:
        found.add("airfield", airfield_bonus(g, side), "24.1.2f")
    return found.cap("maximum modifier", table.number("maximum", "drm"), table.at("maximum", "rule"))


def airfield_bonus(g: Board, side: Side) -> int:
    """16.5.4 +1 for Soviets, +2 for the Axis, +1 in Snow."""
    if side == AXIS:
        return g.effects.airfield_axis
    return g.charts.table("attrition_modifiers").number("airfield_soviet", "drm")


def _airfield(g: Board, u: Unit, found: Breakdown) -> None:
    side, h = g.forces.side[u], g.place[u]
    fields = airfields(g, side)
    bonus = airfield_bonus(g, side)
    near_rail = within(g.map.grid, connecting_rail(g, side), g.charts.constant("airfield_rail_distance"))
    if reaching(g, side, fields & near_rail) >> h & 1:
        found.add("airfield", bonus, "16.5.4a")
    elif reaching(g, side, fields) >> h & 1:
        found.add("airfield", bonus, "16.5.4a")
        far = g.charts.table("attrition_modifiers").number("airfield_far_from_rail", "drm")
        found.add("more than 15 hexes from a Connecting Rail Hex", max(far, -bonus), "16.5.4b")


def hq_hexes(g: Board, side: Side) -> Bits:
    """Hexes with a friendly Army (Axis) or Front (Soviet) HQ."""
    return bits(g.place[u] for u in g.forces.units_of[side] if g.forces.is_hq(u) and g.on_map(u))


def roll_attrition(g: Board, u: Unit) -> None:
    """16.5.2, 16.5.3 One die for one unit."""
    modifier = attrition_modifiers(g, u).total
    roll = g.die()
    row = g.charts.table("attrition").clamp_row(roll + modifier)
    lost = g.charts.table("attrition").number(row, "steps_lost")
    g.tell(f"{g.name(u)} rolls {roll}{modifier:+d} for Isolation Attrition", "16.5.3", unit=g.id(u), lost=lost)
    for _ in range(lost):
        lose_step(g, u, "16.5.2")
