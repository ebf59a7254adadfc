"""Questions of supply, replacements, reinforcements and engineering."""

from __future__ import annotations

from kessel.bots.korsun44.situation import Situation
from kessel.bots.program import Program, on
from kessel.bots.weights import Changes
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members, within
from kessel.core.procedure import PASS, Action, Options
from kessel.games.korsun44.board import GERMAN, OUT, STEMMERMANN, Board
from kessel.games.korsun44.engineering.bridges import BridgeAttempts
from kessel.games.korsun44.engineering.phase import EngineeringPhase
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.special.panzer24 import Panzer24
from kessel.games.korsun44.supply.air_supply import AirDrops, AirSupplyStage, DroppedUnits
from kessel.games.korsun44.supply.determination import extended_units
from kessel.games.korsun44.supply.displacement import Displacement
from kessel.games.korsun44.supply.markers import sdm_hexes, serves, traced
from kessel.games.korsun44.supply.paths import path_lengths, supply_range
from kessel.games.korsun44.supply.phases import (
    ExtendedSupply,
    ExtendedUnits,
    MarkerPhase,
    PlaceSdm,
    Resupply,
    SovietDrop,
    gun_supplier,
)
from kessel.games.korsun44.turn.reinforcements import ReinforcementSegment
from kessel.games.korsun44.turn.replacements import ArmorReplacement, ReplacementSegment
from kessel.games.korsun44.units.strength import strength

LIKELY = 8
"""Road hexes looked at for an SDM, those nearest to the units it serves."""
SAFE = 3
"""Hexes an SDM keeps away from the enemy."""
COVERED = 0.4
"""What it is worth to reach a unit that another SDM supplies."""
MARGIN = 1.0
"""How much better a hex must be for an SDM to go there."""


def need_of_supply(g: Board, u: Unit) -> int:
    return 2 if g.forces.star[u] or g.forces.armor[u] else 1


class Supplies(Program[Situation]):
    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self._looked: tuple[int, int, dict[Unit, Hex]] = (0, 0, {})
        """Turn, side, and SDMs already looked at with the hex that is best for each."""

    # --- 13.2.1 markers ----------------------------------------------------------------------------------------------

    @on(MarkerPhase.pick)
    def markers(self, s: Situation, p: MarkerPhase, found: Options) -> Action | None:
        if self._looked[:2] != (s.g.turn, s.side):
            self._looked = (s.g.turn, s.side, {})
        for a in found:
            if a[0] == "place_sdm" and self._looked[2].get(a[1]) is None:
                best = self._looked[2][a[1]] = self.best_hex(s, a[1])
                if best != s.g.sdm_at[a[1]]:
                    return self.say(a, "nearer to the units it supplies")
        return self.say(PASS, "the markers lie where they are wanted")

    @on(PlaceSdm.where)
    def marker_to(self, s: Situation, p: PlaceSdm, found: Options) -> Action | None:
        return self.say(("at", self.best_hex(s, p.sdm)), "nearer to the units it supplies")

    def best_hex(self, s: Situation, sdm: Unit) -> Hex:
        """Where an SDM supplies most that no other one does, safe from the enemy; where it lies unless another hex is
        better."""
        g, here, grid = s.g, s.g.sdm_at[sdm], s.g.map.grid
        mine = [u for u in g.on_the_map(s.side) if serves(g, sdm, u)]
        hexes = sdm_hexes(g, s.side, sdm)
        if not mine or not hexes:
            return here
        alone = self._not_covered(s, sdm, mine)
        some = self._likely(s, members(hexes), [g.place[u] for u in alone or mine])
        if here >= 0 and hexes >> here & 1:
            some.append(here)
        danger = within(grid, g.hexes_of(s.enemy), SAFE - 1)
        length = supply_range(g, s.side)

        def value(h: Hex) -> float:
            way = traced(g, sdm, h)
            lengths = path_lengths(g, s.side, 1 << h, length)
            near = sum((1.0 if u in alone else COVERED) * (g.place[u] in lengths) for u in mine)
            points = way.points if way and near else 0
            return near + s.w.sdm_point * points - s.w.danger * (danger >> h & 1) + MARGIN * (h == here)

        return max(some, key=lambda h: (value(h), -h))

    def _not_covered(self, s: Situation, sdm: Unit, units: list[Unit]) -> set[Unit]:
        """Those that no other SDM can supply."""
        g, length = s.g, supply_range(s.g, s.side)
        left = set(units)
        for x in g.sdms(s.side):
            if x != sdm and left:
                lengths = path_lengths(g, s.side, 1 << g.sdm_at[x], length)
                left = {u for u in left if g.place[u] not in lengths or not serves(g, x, u)}
        return left

    def _likely(self, s: Situation, hexes: list[Hex], places: list[Hex]) -> list[Hex]:
        """Road hexes near the middle of the units, and near every third of them."""
        grid = s.g.map.grid
        middle = min(places, key=lambda h: (sum(grid.distance(h, x) for x in places), h))
        found = sorted(hexes, key=lambda h: (grid.distance(h, middle), h))[:LIKELY]
        for x in places[::3]:
            found.append(min(hexes, key=lambda h: (grid.distance(h, x), h)))
        return sorted(set(found))

    @on(ExtendedSupply.pick)
    def extend(self, s: Situation, p: ExtendedSupply, found: Options) -> Action | None:
        g = s.g
        best, most = PASS, 1
        for a in found:
            if a[0] == "extend_supply" and g.sdm_sp[a[1]] > 1:
                worth = sorted(need_of_supply(g, u) for u in extended_units(g, a[1], a[2]))
                value = sum(worth[-g.charts.constants.extended_units :])
                if value > most:
                    best, most = a, value
        return self.say(best, "units out of supply are reached" if best != PASS else "points are kept")

    @on(ExtendedUnits.pick)
    def reached(self, s: Situation, p: ExtendedUnits, found: Options) -> Action | None:
        best = max((a for a in found if a[0] == "supply"), key=lambda a: (need_of_supply(s.g, a[1]), -a[1]))
        return self.say(best, "armor needs it most")

    @on(Resupply.pick)
    def ammunition(self, s: Situation, p: Resupply, found: Options) -> Action | None:
        g = s.g
        able = [a for a in found if a[0] == "resupply" and g.sdm_sp[gun_supplier(g, a[1])] - a[2] >= s.w.gun_points]
        if not able:
            return self.say(PASS, "points are kept for attacks")
        best = max(able, key=lambda a: (g.forces.counters[a[1]].obs / a[2], -a[1]))
        return self.say(best, "guns need ammunition")

    @on(SovietDrop.pick)
    def drop(self, s: Situation, p: SovietDrop, found: Options) -> Action | None:
        return self._on_most(s, found)

    @on(AirDrops.pick)
    def german_drop(self, s: Situation, p: AirDrops, found: Options) -> Action | None:
        if (best := self._on_most(s, found)) is not None:
            return best
        pocket = [a for a in found if a[0] == "drop_to" and s.g.sdm_sp[a[1]] == 0]
        return self.say(pocket[0], "it has nothing left") if pocket else None

    def _on_most(self, s: Situation, found: Options) -> Action | None:
        g = s.g
        able = [a for a in found if a[0] == "drop_on"]
        if not able:
            return None
        out = {a: sum(bool(g.status[u] & OUT) for u in g.of_side(a[1], s.side)) for a in able}
        return self.say(max(able, key=lambda a: (out[a], -a[1])), "the units there are out of supply")

    @on(AirSupplyStage.allocate_lift, AirSupplyStage.allocate_alternate)
    def lift(self, s: Situation, p: AirSupplyStage, found: Options) -> Action | None:
        able = [a for a in found if a != PASS]
        return self.say(max(able, key=lambda a: a[1]), "as much as can be flown") if able else None

    @on(AirSupplyStage.allocate_drops)
    def drops(self, s: Situation, p: AirSupplyStage, found: Options) -> Action | None:
        g = s.g
        out = sum(bool(g.status[u] & OUT) and bool(g.status[u] & STEMMERMANN) for u in g.on_the_map(GERMAN))
        able = sorted((a for a in found if a != PASS), key=lambda a: a[1])
        return self.say(able[0], "units of the pocket are out of supply") if out > 1 and able else PASS

    @on(DroppedUnits.pick)
    def dropped(self, s: Situation, p: DroppedUnits, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "supply"]
        return max(able, key=lambda a: (strength(s.g, a[1]), -a[1])) if able else None

    @on(Displacement.pick)
    def displace(self, s: Situation, p: Displacement, found: Options) -> Action | None:
        g = s.g
        near = g.hexes_of(s.enemy)
        danger = within(g.map.grid, near, SAFE - 1)
        return self.say(min(found, key=lambda a: (danger >> a[2] & 1, a)), "out of the enemy's way")

    # --- 8.0 replacements, 7.0 reinforcements ------------------------------------------------------------------------

    @on(ReplacementSegment.spend)
    def replace(self, s: Situation, p: ReplacementSegment, found: Options) -> Action | None:
        g = s.g
        best, most = PASS, 0.0
        for a in found:
            value = 0.0
            if a[0] == "replace":
                value = a[2] * (2.0 if g.forces.star[a[1]] else 1.0) + 0.1 * strength(g, a[1])
            elif a[0] == "armor_roll":
                value = 3.0
            elif a[0] == "rebuild" and why_not_stack(g, s.side, a[2], (a[1],)) is None:
                value = 0.8 - 0.01 * s.near.get(a[2], 0.0)
            if value > most:
                best, most = a, value
        return self.say(best, "replacements come up" if best != PASS else "nobody can take any")

    @on(ArmorReplacement.again)
    def roll_again(self, s: Situation, p: ArmorReplacement, found: Options) -> Action | None:
        return self.say(("roll_again",), "other tanks may come")

    @on(ArmorReplacement.where)
    def tank_to(self, s: Situation, p: ArmorReplacement, found: Options) -> Action | None:
        able = [a for a in found if why_not_stack(s.g, s.side, a[1], (p.unit,)) is None] or list(found)
        return min(able, key=lambda a: (s.beside.get(a[1], 0.0), a[1]))

    @on(ReinforcementSegment.pick)
    def enter(self, s: Situation, p: ReinforcementSegment, found: Options) -> Action | None:
        g = s.g
        able = [a for a in found if a[0] == "enter"]
        if not able:
            return None
        u = able[0][1]
        far = s.field_of(u)
        entry = g.scenario.arrivals[g.schedule[u]] if u in g.schedule else None
        by_rail = entry.hex if entry is not None and entry.rail else -1

        def rank(a: Action) -> tuple[bool, bool, bool, int, Hex]:
            h = a[2]
            crowded = g.on_map(u) or len(g.of_side(h, s.side)) > 2
            road = bool(g.ground.on_road >> h & 1)
            return h != by_rail, crowded, not road, far[h] if far else 0, h

        best = min((a for a in able if a[1] == u), key=rank)
        return self.say(best, "reinforcements arrive")

    @on(Panzer24.pick)
    def panzer24(self, s: Situation, p: Panzer24, found: Options) -> Action | None:
        able = [a for a in found if a != PASS]
        return self.say(able[0], "it is wanted here") if able else None

    # --- 15.0 engineers ----------------------------------------------------------------------------------------------

    @on(BridgeAttempts.pick)
    def blow(self, s: Situation, p: BridgeAttempts, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "destroy"]
        return self.say(able[0], "the enemy is at the bridge") if able else None

    @on(EngineeringPhase.work)
    def work(self, s: Situation, p: EngineeringPhase, found: Options) -> Action | None:
        for a in found:
            if a[0] in ("repair", "repair_rail"):
                return self.say(a, "the way is wanted")
            if a[0] == "destroy" and self._threatened(s, a[1]):
                return self.say(a, "the enemy is near the bridge")
            if a[0] in ("dig", "lay_mines") and self._worth_digging(s, a[1]):
                return self.say(a, "this hex is to be held")
        return self.say(PASS, "nothing to build")

    def _threatened(self, s: Situation, side: int) -> bool:
        """A bridge over a river between the enemy and those who only hold."""
        g = s.g
        h, d = divmod(side, 6)
        ends = (h, g.map.grid.neighbours[h][d])
        if not g.ground.river[d] >> h & 1 or any(s.task(u).attack for e in ends for u in g.of_side(e, s.side)):
            return False
        return any(g.enemies_in(e, s.side) for e in ends)

    def _worth_digging(self, s: Situation, u: Unit) -> bool:
        g = s.g
        sdm = g.supplier[u]
        rich = sdm != NO_UNIT and g.sdm_sp[sdm] > s.w.dig_points
        return rich and not s.task(u).attack and s.near.get(g.place[u], 0.0) > 0

    @on(EngineeringPhase.face)
    def face(self, s: Situation, p: EngineeringPhase, found: Options) -> Action | None:
        """The three hexsides towards most of the enemy."""
        grid = s.g.map.grid

        def weight(a: Action) -> float:
            sides = [grid.neighbours[a[1]][(a[2] + i) % 6] for i in range(3)]
            return sum(s.beside.get(n, 0.0) + s.near.get(n, 0.0) for n in sides if n >= 0)

        return self.say(max(found, key=lambda a: (weight(a), a)), "towards the enemy")
