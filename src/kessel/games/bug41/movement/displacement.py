"""RX-7.8 Displacement of HQs, RX-7.4 where an HQ may stand, PA-restrict the areas three of them keep to."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.core.procedure import AGAIN, DONE, Action, Options, Out, Procedure, ask, auto
from kessel.games.bug41.board import FRONT, HQS, Board, Formation
from kessel.games.bug41.data.forces import GERMAN
from kessel.games.bug41.movement.zones import zone_of
from kessel.wargame.board import other


def tether_of(g: Board, f: Formation) -> Bits:
    """PA-restrict.a1, b1, c1 The hexes the HQ of a formation must keep to now."""
    tether = g.charts.tethers.get(g.forces.commands[f])
    if tether is None or g.turn > tether.through or not g.ground.area(tether.of):
        return g.map.grid.all
    if tether.until:
        ends = g.reads("tether_87") == "ends_for_good" and g.track("tether_over")
        if ends or any(g.owner[h] == GERMAN for h in members(g.ground.volodymyr)):
            return g.map.grid.all
    return g.ground.near(tether.of, tether.hexes)


def why_not_hq(g: Board, hq: Unit, h: Hex) -> Refusal | None:
    """RX-7.4 Why an HQ may not stand in a hex, tethers left aside."""
    side, name = g.forces.side[hq], g.hex_name(h)
    room = g.ground.hq_room(h)
    if not room:
        return Refusal("RX-7.4", f"{name} is no village or town")
    if g.hexes_of(other(side)) >> h & 1:
        return Refusal("RX-7.4", f"enemy units are in {name}")
    there = [u for u in g.hqs_in(h) if u != hq]
    if len(there) >= room:
        rule = "PA-stacking.6" if g.ground.towns >> h & 1 else "PA-stacking.5"
        return Refusal(rule, f"{name} has room for {room} HQ{'s' * (room > 1)} only")
    if zone_of(g, other(side)) >> h & 1 and not g.combat_units(h):
        return Refusal("RX-7.4", f"{name} is in an enemy zone and no friendly combat unit is there")
    return None


def hq_places(g: Board, side: Side) -> Bits:
    """RX-7.4 All hexes in which an HQ of that side that is not there yet may stand, tethers left aside."""
    return safe_places(g, side) & hexes_with_room(g, side) & ~g.hexes_with_hqs(other(side))


@fact(FRONT)
def safe_places(g: Board, side: Side) -> Bits:
    """The villages and towns without enemy combat units, in no zone of theirs unless a friendly one is there."""
    enemy = other(side)
    found = g.ground.hq_hexes & ~g.hexes_with_combat_units(enemy)
    return found & (~zone_of(g, enemy) | g.hexes_with_combat_units(side))


@fact(HQS)
def hexes_with_room(g: Board, side: Side) -> Bits:
    """PA-stacking.5, .6 The villages and towns with room for one more HQ of that side."""
    there = g.hq_stands(side)
    return g.ground.hq_hexes & ~bits([h for h in there if there.count(h) >= g.ground.hq_room(h)])


def why_not_tethered(g: Board, hq: Unit, h: Hex) -> Refusal | None:
    """PA-restrict Why the area a formation keeps to forbids its HQ a hex."""
    f = g.forces.command[hq]
    if tether_of(g, f) >> h & 1:
        return None
    tether = g.charts.tethers[g.forces.commands[f]]
    area = g.map.doc.areas[tether.of]
    name = area if isinstance(area, str) else area.name
    return Refusal(tether.rule, f"{g.name(hq)} must stay within {tether.hexes} hexes of {name or tether.of}")


def refuges(g: Board, hq: Unit) -> list[Hex]:
    """RX-7.8 The nearest hexes a displaced HQ may go to; its tether counts while any hex inside would do."""
    here = g.place[hq]
    fit = hq_places(g, g.forces.side[hq]) & ~(1 << here)
    inside = members(fit & tether_of(g, g.forces.command[hq]) or fit)
    least = min((g.map.grid.distance(here, h) for h in inside), default=0)
    return [h for h in inside if g.map.grid.distance(here, h) == least]


@dataclass(slots=True)
class Displacement(Procedure):
    """RX-7.8 The HQs of a hex that the enemy enters go away, one after the other, each a level lower."""

    side: int
    battle: int

    about_hexes = ("battle",)

    @auto("RX-7.8")
    def without_choice(self, g: Board) -> Out:
        """An HQ that finds no place leaves the map; a single way is taken."""
        hqs = g.hqs_in(self.battle)
        if not hqs:
            return DONE
        for hq in hqs:
            if not refuges(g, hq):
                g.tell(f"{g.name(hq)} finds no place and leaves the map", "RX-7.8", unit=g.id(hq))
                g.due[hq] = 0
                self._lower(g, hq)
                g.take_off(hq)
                return AGAIN
        ways = [(hq, h) for hq in hqs for h in refuges(g, hq)]
        if len(ways) == 1:
            self._displace(g, *ways[0])
            return AGAIN
        return None

    @ask("side", "RX-7.8")
    def choose(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the HQ to displace and the hex it goes to."""
        ways = [("displace", hq, h) for hq in g.hqs_in(self.battle) for h in refuges(g, hq)]
        _, hq, h = yield Options(ways)
        self._displace(g, hq, h)
        self.at = 0
        return AGAIN

    def _displace(self, g: Board, hq: Unit, h: Hex) -> None:
        g.tell_way(hq, "is displaced to", (h,), "RX-7.8")
        g.move(hq, h)
        self._lower(g, hq)

    def _lower(self, g: Board, hq: Unit) -> None:
        g.lower_level(g.forces.command[hq], g.numbers.activation.displacement_level_loss)
