"""13.2.1, 14.2, 13.4, 14.7, 14.4, 14.8 The six phases of the Mutual Supply Stage; the Soviet player goes first."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    BACK,
    FIXED_SDM,
    FROM_AIRFIELD,
    FROM_DEPOT,
    FROM_KORSUN,
    FROM_RELAY,
    GERMAN,
    HOLDING,
    ON_SDM,
    OUT,
    OUT_OF_AMMO,
    OWN,
    RELAY,
    SDM_ROLE,
    SOVIET,
    STORED,
    Board,
)
from kessel.games.korsun44.data.forces import PART, UNIT
from kessel.games.korsun44.special.breakout import is_last_soviet_turn
from kessel.games.korsun44.supply import determination as units
from kessel.games.korsun44.supply.korsun import DepotTransfer, road_to_korsun
from kessel.games.korsun44.supply.markers import (
    in_play,
    is_supplying,
    reception,
    road_hexes,
    sdm_hexes,
    serves,
    traced,
    why_not_choose,
    why_not_place,
    why_not_relay,
)
from kessel.games.korsun44.supply.paths import path_length, supply_range
from kessel.games.korsun44.supply.rail import RailReduction

SOURCES = FROM_KORSUN | FROM_AIRFIELD | FROM_DEPOT | FROM_RELAY
LASTING = FIXED_SDM | STORED
"""Flags of an SDM that stay from turn to turn."""


@dataclass(slots=True)
class SupplyStage(Procedure):
    """3.2.C The Mutual Supply Stage."""

    @auto("13.2.1")
    def soviet_markers(self, g: Board) -> Out:
        return MarkerPhase(SOVIET)

    @auto("13.2.1")
    def german_markers(self, g: Board) -> Out:
        road_to_korsun(g)
        return MarkerPhase(GERMAN)

    @auto("18.9")
    def depot(self, g: Board) -> Out:
        return DepotTransfer(GERMAN)

    @auto("14.2")
    def receive(self, g: Board) -> Out:
        for side in (SOVIET, GERMAN):
            receive_points(g, side)
        return None

    @auto("18.4")
    def rail(self, g: Board) -> Out:
        return RailReduction(GERMAN)

    @auto("13.4")
    def soviet_units(self, g: Board) -> Out:
        return Determination(SOVIET)

    @auto("13.4")
    def german_units(self, g: Board) -> Out:
        return Determination(GERMAN)

    @auto("14.7")
    def soviet_extended(self, g: Board) -> Out:
        return ExtendedSupply(SOVIET)

    @auto("14.7")
    def german_extended(self, g: Board) -> Out:
        return ExtendedSupply(GERMAN)

    @auto("14.4")
    def soviet_guns(self, g: Board) -> Out:
        return Resupply(SOVIET)

    @auto("14.4")
    def german_guns(self, g: Board) -> Out:
        return Resupply(GERMAN)

    @auto("14.8")
    def first_front(self, g: Board) -> Out:
        return SovietDrop(SOVIET, g.charts.game.formations.fronts[0])

    @auto("14.8")
    def second_front(self, g: Board) -> Out:
        return SovietDrop(SOVIET, g.charts.game.formations.fronts[1])


# --- 13.2.1 markers ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class MarkerPhase(Procedure):
    """13.2.1 A side places its SDMs; those left where they are stay, if they still have a path."""

    side: int
    placed: tuple[int, ...] = ()
    """SDMs that were placed, or left, in this phase: they move no more in this turn."""

    @auto("13.2.1")
    def begin(self, g: Board) -> Out:
        for s in g.forces.of_role[self.side][SDM_ROLE]:
            _keep_flags(g, s, LASTING)
            if g.sdm_flags[s] & FIXED_SDM and g.sdm_at[s] != NOWHERE and traced(g, s, g.sdm_at[s]) is not None:
                _keep_flags(g, s, ~FIXED_SDM)
                g.tell(f"{g.name(s)} traces supply again", "16.2.2", unit=g.id(s))
        note_sources(g, self.side)
        return None

    pick = Choice("side", "13.2.1", "Choose an SDM to place, or place no more SDMs.", passing=None)

    @pick.verb(
        "place_sdm",
        legal=lambda p, g: [
            s for s in g.forces.of_role[p.side][SDM_ROLE] if g.steps[s] and s not in p.placed and may_pick(g, p.side, s)
        ],
        why_not=lambda p, g, s: p.why_not_chosen(g, s),
    )
    def chosen(self, g: Board, s: Unit) -> Out:
        self.placed = (*self.placed, s)
        return Call(PlaceSdm(self.side, s), again=True)

    def why_not_chosen(self, g: Board, s: Unit) -> Refusal | None:
        if s in self.placed:
            return Refusal("13.2.1", f"{g.name(s)} was placed in this phase and moves no more in this turn")
        return why_not_pick(g, self.side, s)

    @auto("13.2.1")
    def end(self, g: Board) -> Out:
        note_sources(g, self.side)
        for s in g.sdms(self.side):
            if g.sdm_flags[s] & LASTING or why_not_place(g, self.side, s, g.sdm_at[s]) is None:
                continue
            g.tell(f"{g.name(s)} has no path to its source and comes off the map", "13.2.1", unit=g.id(s))
            g.place_sdm(s, NOWHERE)
            g.sdm_sp[s] = 0
        return None


def may_pick(g: Board, side: Side, s: Unit) -> bool:
    """13.2.1 Whether an SDM of that side has another hex to lie in."""
    free = in_play(g, s) and not g.sdm_flags[s] & FIXED_SDM
    return free and bool(road_hexes(g, side, s) & ~(1 << max(g.sdm_at[s], 0)))


def why_not_pick(g: Board, side: Side, s: Unit) -> Refusal | None:
    if why := why_not_choose(g, side, s):
        return why
    if may_pick(g, side, s):
        return None
    return Refusal("13.2.1", f"no road hex has a free path to a source of {g.name(s)}")


def _keep_flags(g: Board, s: Unit, flags: int) -> None:
    """Only these flags of an SDM stay."""
    if g.sdm_flags[s] & ~flags:
        g.sdm_flags[s] &= flags
        g.happened(ON_SDM)


def note_sources(g: Board, side: Side) -> None:
    """Which source each SDM draws on."""
    for s in g.sdms(side):
        _keep_flags(g, s, ~SOURCES)
    for s in g.sdms(side):
        found = traced(g, s, g.sdm_at[s])
        if found is not None and found.flag and not g.sdm_flags[s] & FIXED_SDM:
            g.sdm_flags[s] |= found.flag
            g.happened(ON_SDM)


@dataclass(slots=True)
class PlaceSdm(Procedure):
    """13.2.1 One SDM is placed."""

    side: int
    sdm: int

    where = Choice("side", "13.2.1", "Choose the road hex for the SDM, or leave it.", passing=None)

    @where.verb(
        "at",
        legal=lambda p, g: sdm_hexes(g, p.side, p.sdm),
        why_not=lambda p, g, h: why_not_place(g, p.side, p.sdm, h),
    )
    def at_hex(self, g: Board, h: Hex) -> Out:
        self._put(g, h)
        found = traced(g, self.sdm, h)
        g.sdm_flags[self.sdm] |= found.flag if found is not None else 0
        g.happened(ON_SDM)
        return None

    @where.verb(
        "relay_at",
        legal=lambda p, g: p.relays(g),
        why_not=lambda p, g, h: why_not_relay(g, p.side, p.sdm, h),
    )
    def relay_at(self, g: Board, h: Hex) -> Out:
        self._put(g, h)
        g.sdm_flags[self.sdm] |= RELAY
        g.happened(ON_SDM)
        return None

    def relays(self, g: Board) -> list[Hex]:
        if not g.plays("sdm_relay"):
            return []
        hexes = range(g.map.grid.size)
        some = sdm_hexes(g, self.side, self.sdm)
        return [h for h in hexes if some >> h & 1 and why_not_relay(g, self.side, self.sdm, h) is None]

    def _put(self, g: Board, h: Hex) -> None:
        g.tell(f"{g.name(self.sdm)} is placed in {g.place_words(h)}", "13.2.1", unit=g.id(self.sdm), to=g.hex_name(h))
        g.sdm_flags[self.sdm] &= ~(SOURCES | RELAY)
        g.place_sdm(self.sdm, h)


def receive_points(g: Board, side: Side) -> None:
    """14.2 SDMs receive their points; what was left is lost, but for those of 8.6.4 and 16.2."""
    for s in g.sdms(side):
        if g.sdm_flags[s] & FIXED_SDM:
            continue
        found = reception(g, s)
        kept = g.sdm_sp[s] if g.sdm_flags[s] & STORED else 0
        g.sdm_sp[s] = max(found.total, kept)
        g.sdm_flags[s] = g.sdm_flags[s] % OWN + kept * OWN
        g.tell(str(found), "14.2", unit=g.id(s))
    g.happened(ON_SDM)


# --- 13.4 units ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Determination(Procedure):
    """13.4.1 The supply of a side's units is judged; its player may name SDMs and transfers, once for each unit."""

    side: int
    named: tuple[int, ...] = ()
    """Units for which an SDM was named."""

    @auto("13.4.1")
    def judge(self, g: Board) -> Out:
        units.determine(g, self.side, spared=is_last_soviet_turn(g))
        return None

    pick = Choice("side", "13.4", "Name another SDM for a unit, or a transfer, or let the supply stand.", passing=None)

    @pick.verb(
        "supplied_by",
        legal=lambda p, g: [(u, s) for u, s in units.other_suppliers(g, p.side) if u not in p.named],
        why_not=lambda p, g, u, s: p.why_not_supplied_by(g, u, s),
    )
    def supplied_by(self, g: Board, u: Unit, s: Unit) -> Out:
        self.named = (*self.named, u)
        g.supplier[u] = s
        g.cache.clear()
        g.tell(f"{g.name(u)} is supplied by {g.name(s)}", "12.4", unit=g.id(u))
        return AGAIN

    @pick.verb(
        "transfer",
        legal=lambda p, g: units.transfers(g, p.side),
        why_not=lambda p, g, u, word: p.why_not_transfer(g, u, word),
    )
    def transfer(self, g: Board, u: Unit, command: str) -> Out:
        units.transfer(g, u, command)
        return AGAIN

    def why_not_supplied_by(self, g: Board, u: Unit, s: Unit) -> Refusal | None:
        if u in self.named:
            return Refusal("12.4", f"an SDM was named for {g.name(u)} in this phase")
        return units.why_not_supplied_by(g, self.side, u, s)

    def why_not_transfer(self, g: Board, u: Unit, command: str) -> Refusal | None:
        if not g.status[u] & OUT:
            return Refusal("13.4.3", f"{g.name(u)} is in supply")
        return units.why_not_transfer(g, self.side, u, command)


@dataclass(slots=True)
class ExtendedSupply(Procedure):
    """14.7 A Supply Point reaches units out of supply within twice the range."""

    side: int

    pick = Choice("side", "14.7", "Extend supply to a hex, or extend no more.", passing=None)

    @pick.verb(
        "extend_supply",
        legal=lambda p, g: units.extensions(g, p.side),
        why_not=lambda p, g, s, h: units.why_not_extend_supply(g, p.side, s, h),
    )
    def extend(self, g: Board, s: Unit, h: Hex) -> Out:
        able = units.extended_units(g, s, h)
        if len(able) > g.charts.constants.extended_units:
            return Call(ExtendedUnits(self.side, s, able, []), again=True)
        units.extend_supply(g, s, able)
        return AGAIN


@dataclass(slots=True)
class ExtendedUnits(Procedure):
    """14.7 A point reaches three units of a hex: its owner says which."""

    side: int
    sdm: int
    able: list[int]
    chosen: list[int]

    pick = Choice(
        "side",
        "14.7",
        "Choose a unit that supply is extended to.",
        notice=lambda p, g: f"The point reaches {g.charts.constants.extended_units - len(p.chosen)} more.",
        when=lambda p, g: len(p.chosen) < g.charts.constants.extended_units,
    )

    @pick.verb(
        "supply",
        among=lambda p, g: [u for u in p.able if u not in p.chosen],
        why_not=lambda p, g, u: p.why_not_supply(g, u),
    )
    def supply(self, g: Board, u: Unit) -> Out:
        self.chosen.append(u)
        return AGAIN

    def why_not_supply(self, g: Board, u: Unit) -> Refusal | None:
        if u in self.chosen:
            return Refusal("14.7", f"{g.name(u)} is chosen already")
        return None if u in self.able else Refusal("14.7", f"{g.name(self.sdm)} does not extend supply to {g.name(u)}")

    @auto("14.7")
    def deliver(self, g: Board) -> Out:
        units.extend_supply(g, self.sdm, self.chosen)
        return None


# --- 14.4 guns -----------------------------------------------------------------------------------------------------


def gun_supplier(g: Board, u: Unit) -> Unit:
    """14.4.1, 17.1.4 The SDM that may resupply an artillery unit; components of a barrage unit are where it stands."""
    if g.on_map(u):
        s = g.supplier[u]
        in_range = s != NO_UNIT and units.length_to(g, u, s, supply_range(g, g.forces.side[u])) is not None
        return s if in_range and not g.status[u] & OUT else NO_UNIT
    if g.box[u] != HOLDING:
        return NO_UNIT
    barrage = next((b for b in g.charts.game.barrage.values() if g.id(u) in b.parts), None)
    h = g.place[g.forces.unit(barrage.unit)] if barrage is not None else NOWHERE
    if h == NOWHERE:
        return NO_UNIT
    near = []
    for s in g.sdms(SOVIET):
        if serves(g, s, u) and is_supplying(g, s) and g.sdm_sp[s]:
            length = path_length(g, SOVIET, h, 1 << g.sdm_at[s], supply_range(g, SOVIET), across=True)
            near += [(length, s)] if length is not None else []
    return min(near)[1] if near else NO_UNIT


def why_not_resupply(g: Board, side: Side, u: Unit, points: int) -> Refusal | None:
    """14.4 Why an artillery unit may not be given so many Supply Points."""
    f, c = g.forces, g.forces.counters[u]
    if f.side[u] != side or not f.artillery[u] or f.role[u] not in (UNIT, PART):
        return Refusal("14.4", f"{g.name(u)} is no artillery of yours")
    if not g.status[u] & (BACK | OUT_OF_AMMO):
        return Refusal("14.4", f"{g.name(u)} has its ammunition")
    most = 2 if c.gun_regiment and g.status[u] & OUT_OF_AMMO else 1
    if not 1 <= points <= most:
        return Refusal("14.4.1", f"{g.name(u)} takes {'one or two points' if most == 2 else 'one point'}")
    s = gun_supplier(g, u)
    if s == NO_UNIT:
        return Refusal("14.4.1", f"{g.name(u)} is not in range of the SDM that supplies it")
    if g.sdm_sp[s] < points:
        return Refusal("14.3", f"{g.name(s)} has not enough Supply Points")
    return None


def resupplies(g: Board, side: Side) -> list[tuple[Unit, int]]:
    guns = [u for u in g.forces.of_side(side) if g.forces.artillery[u] and g.status[u] & (BACK | OUT_OF_AMMO)]
    return [(u, n) for u in guns for n in (1, 2) if why_not_resupply(g, side, u, n) is None]


@dataclass(slots=True)
class Resupply(Procedure):
    """14.4 Artillery is given ammunition."""

    side: int

    pick = Choice("side", "14.4", "Resupply an artillery unit, or resupply no more guns.", passing=None)

    @pick.verb(
        "resupply",
        legal=lambda p, g: resupplies(g, p.side),
        why_not=lambda p, g, u, n: why_not_resupply(g, p.side, u, n),
    )
    def resupply(self, g: Board, u: Unit, points: int) -> Out:
        s = gun_supplier(g, u)
        g.set_sp(s, g.sdm_sp[s] - points)
        if g.status[u] & OUT_OF_AMMO and points == 1:
            g.set_status(u, OUT_OF_AMMO, on=False)
        else:
            g.set_status(u, OUT_OF_AMMO | BACK, on=False)
        g.tell(f"{g.name(s)} resupplies {g.name(u)} with {points}", "14.4", unit=g.id(u))
        return AGAIN


# --- 14.8 Soviet air drops -----------------------------------------------------------------------------------------


def why_not_drop(g: Board, front: str, h: Hex) -> Refusal | None:
    """14.8 A drop needs units of the Front out of supply in the hex."""
    if any(g.status[u] & OUT and g.front_of(u) == front for u in g.of_side(h, SOVIET)):
        return None
    return Refusal("14.8", f"no unit of {g.formation(front)} in {g.hex_name(h)} is out of supply")


@dataclass(slots=True)
class SovietDrop(Procedure):
    """14.8 A Front may drop supply on one hex: 1 or 2 supplies all units in it."""

    side: int
    front: str

    pick = Choice("side", "14.8", "Drop supply on a hex, or drop no more.", passing=None)

    @pick.verb(
        "drop_on",
        among=lambda p, g: sorted({g.place[u] for u in g.on_the_map(SOVIET) if g.status[u] & OUT}),
        why_not=lambda p, g, h: why_not_drop(g, p.front, h),
    )
    def drop(self, g: Board, h: Hex) -> Out:
        die = g.die()
        hit = die <= g.charts.constants.soviet_drop_up_to
        g.tell(
            f"{g.formation(self.front)} drops supply on {g.hex_name(h)}: {die}, {'success' if hit else 'in vain'}",
            "14.8",
        )
        for u in g.of_side(h, SOVIET) if hit else ():
            g.set_status(u, OUT, on=False)
        return None
