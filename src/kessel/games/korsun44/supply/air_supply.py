"""14.6 The German Air Supply Stage: air drops, air supply of Korsun, allocation of next turn's missions."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, within
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import BACK, GERMAN, OUT, OUT_OF_AMMO, SOVIET, Board
from kessel.games.korsun44.data.charts import MUD
from kessel.games.korsun44.data.forces import PART, UNIT
from kessel.games.korsun44.supply.korsun import add_to_korsun, airfield_is_lost
from kessel.games.korsun44.supply.sources import READY

ANTI_AIR = "flak_88"
MANY_GUNS = 3


@dataclass(slots=True)
class AirSupplyStage(Procedure):
    """3.2.D Drops are made and Korsun is supplied as allocated last turn; then next turn's missions are allocated."""

    side: int = GERMAN

    @auto("14.6.4")
    def drops(self, g: Board) -> Out:
        return AirDrops(GERMAN, min(g.track("uman_drop"), g.charts.constants.air_drops))

    @auto("14.6.3")
    def lift(self, g: Board) -> Out:
        fly_to(g, "uman_korsun", "korsun_sp", g.ground.airfield, why_not_fly_korsun(g))
        if g.track("uman_alternate"):
            at = g.track("airfield_at") - 1
            fly_to(g, "uman_alternate", "airfield_sp", 1 << at if at >= 0 else 0, why_not_fly_alternate(g))
        return None

    allocate_drops = Choice(
        "side", "14.6.1", "Say how many air drops are made next turn.", passing=None, says="Make no air drops"
    )

    @allocate_drops.verb(
        "allocate_drops",
        legal=lambda p, g: range(1, g.charts.constants.air_drops + 1),
        why_not=lambda p, g, n: why_not_allocate_drops(g, n),
    )
    def drop_missions(self, g: Board, n: int) -> Out:
        g.set_track("uman_drop", n)
        g.tell(f"{n} air drop{'s' * (n > 1)} for next turn", "14.6.1")
        return None

    allocate_lift = Choice(
        "side", "14.6.2", "Say how many points are flown to Korsun next turn.", passing=None, says="Fly none"
    )

    @allocate_lift.verb(
        "allocate_lift",
        legal=lambda p, g: [n for n in range(1, 6) if why_not_allocate_lift(g, n) is None],
        why_not=lambda p, g, n: why_not_allocate_lift(g, n),
    )
    def lift_missions(self, g: Board, n: int) -> Out:
        g.set_track("uman_korsun", n)
        g.tell(f"{n} Supply Points for Korsun next turn", "14.6.2")
        return None

    allocate_alternate = Choice(
        "side",
        "18.8",
        "Say how many points are flown to the alternate airfield next turn.",
        passing=None,
        says="Fly none",
    )

    @allocate_alternate.verb(
        "allocate_alternate",
        legal=lambda p, g: [n for n in range(1, 6) if why_not_allocate_alternate(g, n) is None],
        why_not=lambda p, g, n: why_not_allocate_alternate(g, n),
    )
    def alternate_missions(self, g: Board, n: int) -> Out:
        g.set_track("uman_alternate", n)
        g.tell(f"{n} Supply Points for the alternate airfield next turn", "18.8")
        return None


# --- 14.6.1, 14.6.2 allocation -------------------------------------------------------------------------------------


def missions_left(g: Board) -> int:
    """14.6 Five missions a turn for drops and both airfields."""
    used = sum(g.track(t) for t in ("uman_drop", "uman_korsun", "uman_alternate"))
    return g.charts.constants.air_supply_missions - used


def why_not_allocate_drops(g: Board, n: int) -> Refusal | None:
    most = min(g.charts.constants.air_drops, missions_left(g))
    return None if 1 <= n <= most else Refusal("14.6.1", f"one to {most} drops can be allocated")


def why_not_allocate_lift(g: Board, n: int) -> Refusal | None:
    """14.5.1, 14.6.2 From the turn after the activation on."""
    active = g.track("korsun_active")
    if not active or g.turn <= active:
        return Refusal("14.5.1", "air supply of Korsun is allocated from the turn after its activation on")
    most = missions_left(g)
    return None if 1 <= n <= most else Refusal("14.6.2", f"{most} missions are left")


def why_not_allocate_alternate(g: Board, n: int) -> Refusal | None:
    """18.8 At most three points a turn, out of the same five."""
    if not g.plays("alternate_airfield") or g.track("airfield_state") != READY:
        return Refusal("18.8", "there is no alternate airfield")
    most = min(missions_left(g), g.charts.constants.airfield_most)
    return None if 1 <= n <= most else Refusal("18.8", f"{most} points can be flown to it")


# --- 14.6.3 Korsun -------------------------------------------------------------------------------------------------


def why_not_fly_korsun(g: Board) -> Refusal | None:
    """14.5.1, 14.5.2 Why nothing is flown to Korsun: its air supply goes on when town and airfield are German again."""
    active, town = g.track("korsun_active"), g.ground.korsun
    if not active or g.turn <= active + 1:
        return Refusal("14.5.1", "the airfield is not active")
    if town >= 0 and g.enemies_in(town, GERMAN):
        return Refusal("14.5.2", "a Soviet unit holds the town")
    return Refusal("14.5.2", "a Soviet unit holds the airfield") if airfield_is_lost(g) else None


def why_not_fly_alternate(g: Board) -> Refusal | None:
    return None if g.track("airfield_state") == READY else Refusal("18.8", "there is no alternate airfield")


def loss_roll(g: Board, airfield: Bits, die: int) -> Breakdown:
    """14.6.3 The die with anti-aircraft guns, mud and Soviet artillery in range of the airfield."""
    c, grid = g.charts.constants, g.map.grid
    b = Breakdown("air supply roll").add("die", die, "14.6.3")
    near = within(grid, airfield, 1)
    flak = [u for u in g.on_the_map(GERMAN) if g.forces.type[u] == ANTI_AIR and near >> g.place[u] & 1]
    if flak:
        b.add("anti-aircraft guns", len(flak), "14.6.3")
    if g.condition == MUD:
        b.add("mud", -c.airfield_mud, "14.6.3")
    fields = members(airfield)
    guns = [
        u
        for u in g.on_the_map(SOVIET)
        if g.forces.artillery[u] and not g.status[u] & (OUT | BACK)
        if any(grid.distance(g.place[u], h) <= g.forces.counters[u].range for h in fields)
    ]
    if guns:
        b.add("Soviet artillery in range", -(c.airfield_guns_many if len(guns) >= MANY_GUNS else c.airfield_guns_some),
              "14.6.3")  # fmt: skip
    return b


def fly_to(g: Board, track: str, stock: str, airfield: Bits, why: Refusal | None) -> None:
    """14.6.3 The points allocated are flown; some are lost; the marker goes to zero."""
    points = g.track(track)
    g.set_track(track, 0)
    if not points:
        return
    if why is not None:
        g.tell(f"no air supply: {why.reason}", why.rule)
        return
    roll = loss_roll(g, airfield, g.die())
    table = g.charts.korsun_loss
    lost = min(points, table.number(table.clamp_row(roll.total), "lost"))
    g.tell(f"of {points} Supply Points {lost} are lost on the way: {roll}", "14.6.3")
    add_to_korsun(g, points - lost, "14.6.3", stock)


# --- 14.6.4 drops --------------------------------------------------------------------------------------------------


def can_be_dropped_to(g: Board, u: Unit) -> bool:
    """14.6.4 Whether a drop helps a unit: out of supply, or artillery without ammunition."""
    if g.forces.side[u] != GERMAN or g.forces.role[u] not in (UNIT, PART):
        return False
    return bool(g.status[u] & OUT) or bool(g.forces.artillery[u] and g.status[u] & (BACK | OUT_OF_AMMO))


def why_not_drop_on(g: Board, h: Hex) -> Refusal | None:
    """14.6 The hex needs a German combat unit out of supply."""
    if any(g.status[u] & OUT and can_be_dropped_to(g, u) for u in g.of_side(h, GERMAN)):
        return None
    return Refusal("14.6", f"no German unit in {g.hex_name(h)} is out of supply")


def why_not_drop_to(g: Board, s: Unit) -> Refusal | None:
    return None if s in g.sdms(GERMAN) else Refusal("14.6.4", f"{g.name(s)} is no German SDM on the map")


def why_not_drop_depot(g: Board) -> Refusal | None:
    if g.plays("alternate_depot") and g.track("depot_state") == READY:
        return None
    return Refusal("18.9", "there is no alternate depot")


@dataclass(slots=True)
class AirDrops(Procedure):
    """14.6.4 Drops to SDMs and to hexes, one die each; then the marker goes to zero."""

    side: int
    left: int

    pick = Choice(
        "side",
        "14.6.4",
        "Choose where supply is dropped.",
        when=lambda p, g: p.left > 0,
        passing=None,
        says="Drop no more",
    )

    @pick.verb("drop_to", among=lambda p, g: g.sdms(GERMAN), why_not=lambda p, g, s: why_not_drop_to(g, s))
    def drop_to(self, g: Board, s: Unit) -> Out:
        g.give_sp(s, self._roll(g, "sdm", g.name(s)))
        return AGAIN

    @pick.verb(
        "drop_on",
        among=lambda p, g: sorted({g.place[u] for u in g.on_the_map(GERMAN) if g.status[u] & OUT}),
        why_not=lambda p, g, h: why_not_drop_on(g, h),
    )
    def drop_on(self, g: Board, h: Hex) -> Out:
        units = self._roll(g, "hex", g.hex_name(h))
        return Call(DroppedUnits(self.side, h, units), again=True)

    @pick.verb("drop_depot", why_not=lambda p, g: why_not_drop_depot(g))
    def drop_depot(self, g: Board) -> Out:
        add_to_korsun(g, self._roll(g, "hex", "the alternate depot"), "18.9", "depot_sp")
        return AGAIN

    def _roll(self, g: Board, column: str, where: str) -> int:
        self.left -= 1
        die = g.die()
        found = g.charts.air_drop.number(str(die), column)
        what = "Supply Points" if column == "sdm" else "units can be supplied"
        g.tell(f"supply is dropped on {where}: {die}, {found} {what}", "14.6.4")
        return found

    @auto("14.6.4")
    def end(self, g: Board) -> Out:
        g.set_track("uman_drop", 0)
        return None


@dataclass(slots=True)
class DroppedUnits(Procedure):
    """14.6.4 Units in the hex or next to it are placed in supply, as many as the table says."""

    side: int
    near: int
    left: int

    pick = Choice(
        "side",
        "14.6.4",
        "Choose a unit that is placed in supply.",
        when=lambda p, g: p.left > 0,
        passing=None,
        says="Supply no more units",
    )

    @pick.verb(
        "supply",
        legal=lambda p, g: p.in_want(g),
        why_not=lambda p, g, u: p.why_not_supply(g, u),
    )
    def supply(self, g: Board, u: Unit) -> Out:
        self.left -= 1
        g.set_status(u, OUT, on=False)
        if g.forces.artillery[u]:
            g.set_status(u, BACK | OUT_OF_AMMO, on=False)
        g.tell(f"{g.name(u)} is placed in supply", "14.6.4", unit=g.id(u))
        return AGAIN

    def in_want(self, g: Board) -> list[Unit]:
        near = within(g.map.grid, 1 << self.near, 1)
        beside = [u for u in g.on_the_map(GERMAN) if near >> g.place[u] & 1]
        return [u for u in beside if self.why_not_supply(g, u) is None]

    def why_not_supply(self, g: Board, u: Unit) -> Refusal | None:
        if not g.on_map(u) or not can_be_dropped_to(g, u):
            return Refusal("14.6.4", f"{g.name(u)} needs no supply")
        if g.map.grid.distance(g.place[u], self.near) > 1:
            return Refusal("14.6.4", f"{g.name(u)} is not in or next to {g.hex_name(self.near)}")
        return None
