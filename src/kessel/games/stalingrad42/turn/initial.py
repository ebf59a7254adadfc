"""3.B1 The Initial Phase: what is done by itself, and the activities a player carries out in any order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, Action, Call, Out, Procedure, auto, hand_over, takes
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, FLIPPED, JOINED
from kessel.games.stalingrad42.combat.strength.air import collect_air
from kessel.games.stalingrad42.combat.strength.fortifications import (
    begin_fort,
    complete_forts,
    forts_left,
    printed_forts,
    raze,
    why_not_build,
    why_not_raze,
)
from kessel.games.stalingrad42.data.charts import Charts
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Entrant
from kessel.games.stalingrad42.movement import maskirovka
from kessel.games.stalingrad42.movement.rail import detrain
from kessel.games.stalingrad42.movement.special_units import owner_releases, release_by_owner
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc
from kessel.games.stalingrad42.supply import resources
from kessel.games.stalingrad42.supply.railheads import place_first_railhead
from kessel.games.stalingrad42.supply.supply import in_supply_hexes, usable_areas
from kessel.games.stalingrad42.turn import reinforcements as arriving
from kessel.games.stalingrad42.turn import replacements as restoring
from kessel.games.stalingrad42.turn.removals import ScheduledChanges
from kessel.games.stalingrad42.turn.winter_offensive import WinterOffensive, why_not_announce
from kessel.wargame.board import other

# --- 9.7.2 building ------------------------------------------------------------------------------------------------


def fort_sites(g: Board, side: Side) -> Bits:
    """9.7.2, 9.7.3 The hexes in which a side may begin a Fortification."""
    if forts_left(g, side) < 1:
        return 0
    shut = g.fort_hexes[AXIS] | g.fort_hexes[SOVIET] | g.sets[COMBAT + other(side)] | g.control_hexes[other(side)]
    if side == SOVIET:
        shut |= printed_forts(g)
    shut |= enemy_zoc(g, side) & ~g.sets[COMBAT + side]
    return buildable(g) & in_supply_hexes(g, side) & ~shut


def buildable(g: Board) -> Bits:
    return _buildable(g, g.charts, bool(g.marsh))


@fact(NOW)
def _memo_of_forced(g: Board) -> dict[tuple[Any, ...], list[Action]]:
    """What must be done first in the Initial Phase, by what has been done in it."""
    return {}


@fact(FOREVER)
def _buildable(g: Board, charts: Charts, marsh: bool) -> Bits:
    found = 0
    for h in members(g.ground.playable):
        found |= g.chart(h).fort_buildable << h
    return found


@dataclass(slots=True)
class BuildFortification(Procedure):
    """9.7.2 A Resource Point begins a Fortification."""

    side: int

    where = Choice("side", "9.7.2", "Choose a hex to fortify.")

    @where.verb(
        "fortify", legal=lambda p, g: fort_sites(g, p.side), why_not=lambda p, g, h: why_not_build(g, h, p.side)
    )
    def fortify(self, g: Board, h: Hex) -> Out:
        begin_fort(g, h, self.side)
        return None


@dataclass(slots=True)
class Revive(Procedure):
    """21.3.1 A unit returns from the Eliminated Box."""

    side: int
    unit: int
    kind: str
    hosts: tuple[int, ...]

    about_units = ("unit",)

    where = Choice("side", "21.3.1", "Choose where the unit returns.")

    @where.verb(
        "place",
        legal=lambda p, g: restoring.return_places(g, p.unit, p.hosts),
        why_not=lambda p, g, place: restoring.why_not_return(g, p.unit, place, p.hosts),
    )
    def place(self, g: Board, place: Place) -> Out:
        hand_over(g, self, (self.unit, place))
        restoring.revive(g, self.unit, self.kind, place)
        return None

    @where.verb("into", legal=lambda p, g: restoring.return_boxes(g, p.unit))
    def into_box(self, g: Board, army: Unit) -> Out:
        restoring.revive(g, self.unit, self.kind, NOWHERE, box=maskirovka.box_of(g, army))
        return None


# --- the phase -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class InitialPhase(Procedure):
    """3.B1 The activities may be performed in any order."""

    side: int
    hosts: tuple[int, ...] = ()
    """HQs and Cities (-1 - hex) that have received a unit from the Eliminated Box this turn (21.3.1)."""
    enlisted: int = 0
    sent: int = 0

    @auto("3.B1")
    def begin(self, g: Board) -> Out:
        begin_initial(g, self.side)
        return ScheduledChanges(self.side)

    @takes(Revive, ScheduledChanges)
    def rebuilt(self, g: Board, what: tuple[Unit, Place]) -> None:
        self._take_in(g, *what)

    def _take_in(self, g: Board, u: Unit, place: Place) -> None:
        """21.3.1 No HQ or City takes in more than one unit a turn."""
        if g.map.is_hex(place):
            used = restoring.host(g, u, place, self.hosts)
            self.hosts = (*self.hosts, -1 if used is None else used)

    # --- what is listed ----------------------------------------------------------------------------------------------

    def _must_do(self, g: Board) -> list[Action]:
        known, key = _memo_of_forced(g), (self.side, self.hosts, self.enlisted, self.sent)
        if key not in known:
            known[key] = [*self._forced(g)]
        return known[key]

    def _forced(self, g: Board) -> Iterator[Action]:
        """22.1.2, 19.4, 20.8, 30.0 Units that come into play now."""
        last, places = None, []
        for a, _, u in arriving.still_due(g, self.side):
            if a is not last:
                last, places = a, arriving.arrival_places(g, a)
            for place in places:
                yield ("arrive", u, place)
        for u in arriving.returning(g, self.side):
            for place in restoring.return_places(g, u, self.hosts):
                yield ("return", u, place)
        if self.side == AXIS and not self.enlisted:
            for e in arriving.volunteers(g):
                for h in arriving.volunteer_homes(g):
                    yield ("enlist", g.forces.unit(e.id), h)
        if self.side == SOVIET and not self.sent:
            for e in arriving.trans_caucasus(g):
                for place in arriving.southern_areas(g):
                    yield ("arrive", g.forces.unit(e.id), place)

    def _choices(self, g: Board) -> list[Action]:
        acts = [*self._must_do(g)]
        if self.side == SOVIET:
            acts += [("join", u, army) for u, army in self._joiners(g)]
            acts += [("release", name) for name in owner_releases(g)]
            if why_not_announce(g, self.side) is None:
                acts.append(("winter_offensive",))
        if g.resource_points:
            acts.extend(self._resource_choices(g))
        acts += [("spend", point, asu) for point, asu in resources.spendable(g, self.side)]
        acts.extend(restoring.restores(g, self.side))
        acts.extend(restoring.revivals(g, self.side))
        if forts := g.fort_hexes[self.side]:
            acts += [("raze", h) for h in members(forts)]
        return acts

    def _joiners(self, g: Board) -> Iterator[tuple[Unit, Unit]]:
        """34.4.1 Reinforcements that may join a Reserve Army."""
        for _, _, u in arriving.still_due(g, self.side) if any(g.assigned) else ():
            for army in maskirovka.armies(g):
                if maskirovka.why_not_reinforce(g, u, army) is None:
                    yield u, army

    def _resource_choices(self, g: Board) -> Iterator[Action]:
        if fort_sites(g, self.side):
            yield ("build",)
        for u in resources.used_asus(g, self.side):
            if resources.why_not_ready(g, u, self.side) is None:
                yield ("ready", u)
        if resources.has_free_point(g, self.side):
            for place in usable_areas(g, self.side):
                yield ("supply", place)
        if resources.may_plan(g, self.side):
            for u in g.forces.asus[self.side]:
                if resources.why_not_plan(g, u, self.side) is None:
                    yield ("offensive", u)

    act = Choice(
        "side",
        "3.B1",
        "Place reinforcements, use Replacements and Resource Points, or end the Initial Phase.",
        every=_choices,
    )

    def why_not_end(self, g: Board) -> Refusal | None:
        return Refusal("22.1.2", "reinforcements must be placed first") if self._must_do(g) else None

    @act.verb("pass", why_not=why_not_end)
    def finish(self, g: Board) -> Out:
        return None

    # --- units that come into play -----------------------------------------------------------------------------------

    def why_not_arrive(self, g: Board, u: Unit, place: Place) -> Refusal | None:
        for a, _, v in arriving.still_due(g, self.side):
            if v == u:
                return arriving.why_not_arrive(g, a, place)
        if ("arrive", u, place) in self._must_do(g):
            return None
        return Refusal("22.1.1", f"{g.name(u)} is not due to arrive now")

    @act.verb("arrive", why_not=why_not_arrive)
    def arrive(self, g: Board, u: Unit, place: Place) -> Out:
        for a, e, v in arriving.still_due(g, self.side):
            if v == u:
                arriving.arrive(g, e, place, a.rule)
                break
        else:
            self.sent = 1
            arriving.arrive(g, _entrant(g, u), place, "30.0")
        if maskirovka.is_army(g, u):
            return Call(maskirovka.AssignMarker(self.side, u), again=True)
        return AGAIN

    def why_not_join(self, g: Board, u: Unit, army: Unit) -> Refusal | None:
        if not any(v == u for _, _, v in arriving.still_due(g, self.side)):
            return Refusal("34.4.1", f"{g.name(u)} is not a reinforcement of this turn")
        theirs = Refusal("34.4.1", "Reserve Armies are joined in the Soviet Initial Phase")
        return maskirovka.why_not_reinforce(g, u, army) or (None if self.side == SOVIET else theirs)

    @act.verb("join", why_not=why_not_join)
    def join(self, g: Board, u: Unit, army: Unit) -> Out:
        maskirovka.join(g, u, army)
        g.set_status(u, JOINED)
        return AGAIN

    def why_not_return(self, g: Board, u: Unit, place: Place) -> Refusal | None:
        why = restoring.why_not_return(g, u, place, self.hosts)
        return why or (None if u in arriving.returning(g, self.side) else NOT_NOW)

    @act.verb("return", why_not=why_not_return)
    def bring_back(self, g: Board, u: Unit, place: Place) -> Out:
        self._take_in(g, u, place)
        g.put(u, place)
        g.tell(f"{g.name(u)} returns", "19.4", unit=g.id(u))
        return AGAIN

    def why_not_enlist(self, g: Board, u: Unit, place: Place) -> Refusal | None:
        if ("enlist", u, place) in self._must_do(g):
            return None
        return Refusal("20.8", "one Volunteer a turn arrives while Krasnodar and Voroshilovsk are both Axis")

    @act.verb("enlist", why_not=why_not_enlist)
    def enlist(self, g: Board, u: Unit, place: Place) -> Out:
        self.enlisted = 1
        arriving.enlist(g, _entrant(g, u), place)
        return AGAIN

    def why_not_release(self, g: Board, name: str) -> Refusal | None:
        if self.side == SOVIET and name in owner_releases(g):
            return None
        return Refusal("31.0", "one Reserve Army a turn may be released, from Turn 2 on")

    @act.verb("release", why_not=why_not_release)
    def release(self, g: Board, name: str) -> Out:
        release_by_owner(g, name)
        return AGAIN

    @act.verb("winter_offensive", why_not=lambda p, g: why_not_announce(g, p.side), plain=False)
    def announce(self, g: Board) -> Out:
        return Call(WinterOffensive(self.side), again=True)

    # --- Resource Points, Supply Points, Replacements ----------------------------------------------------------------

    def why_not_build(self, g: Board) -> Refusal | None:
        if why := resources.why_not_pay(g):
            return why
        return None if fort_sites(g, self.side) else Refusal("9.7.2", "there is no place for a Fortification")

    @act.verb("build", why_not=why_not_build, plain=False)
    def build(self, g: Board) -> Out:
        g.resource_points -= 1
        return Call(BuildFortification(self.side), again=True)

    @act.verb("ready", why_not=lambda p, g, u: resources.why_not_ready(g, u, p.side))
    def make_ready(self, g: Board, u: Unit) -> Out:
        g.resource_points -= 1
        resources.make_ready(g, u, "18.1")
        return AGAIN

    @act.verb("supply", why_not=lambda p, g, place: resources.why_not_supply_area(g, place, p.side))
    def place_point(self, g: Board, place: Place) -> Out:
        g.resource_points -= 1
        resources.place_point(g, place, self.side)
        return AGAIN

    @act.verb("offensive", why_not=lambda p, g, u: resources.why_not_offensive(g, u, p.side))
    def plan(self, g: Board, u: Unit) -> Out:
        g.resource_points -= 1
        resources.place_offensive(g, u)
        return AGAIN

    @act.verb("spend", why_not=lambda p, g, point, asu: resources.why_not_spend(g, point, asu, p.side))
    def spend(self, g: Board, point: Unit, asu: Unit) -> Out:
        resources.spend(g, point, asu)
        return AGAIN

    @act.verb("restore", why_not=lambda p, g, u, kind: restoring.why_not_restore(g, u, kind, p.side))
    def restore(self, g: Board, u: Unit, kind: str) -> Out:
        restoring.restore(g, u, kind)
        return AGAIN

    @act.verb("revive", why_not=lambda p, g, u, kind: restoring.why_not_revive(g, u, kind, p.side))
    def revive(self, g: Board, u: Unit, kind: str) -> Out:
        return Call(Revive(self.side, u, kind, self.hosts), again=True)

    @act.verb("raze", why_not=lambda p, g, h: why_not_raze(g, h, p.side))
    def raze(self, g: Board, h: Hex) -> Out:
        raze(g, h, self.side)
        return AGAIN

    @auto("18.1")
    def end(self, g: Board) -> Out:
        """Resource Points and Replacements not used are forfeited."""
        g.resource_points = 0
        restoring.forfeit(g, self.side)
        return None


def _entrant(g: Board, u: Unit) -> Entrant:
    name = g.name(u)
    for several in g.scenario.boxes.values():
        for e in several:
            if e.id == name:
                return e
    return Entrant(name)


def place_all_arrivals(g: Board, side: Side) -> None:
    """S2.4 Reinforcements of a turn without an Initial Phase stand in their first Entry Area."""
    for a, e in arriving.arrivals(g, side):
        places = arriving.arrival_places(g, a)
        if places:
            arriving.arrive(g, e, places[0], a.rule)


def begin_initial(g: Board, side: Side) -> None:
    """3.B1 What happens by itself."""
    if side == AXIS:
        collect_air(g, g.scenario.air_limit(g.turn))
    detrain(g, side)
    complete_forts(g, side)
    arriving.end_arrival(g, side)
    for u in g.forces.non_combat[side]:
        if g.status[u] & FLIPPED and g.forces.is_leader(u):
            g.set_status(u, FLIPPED, False)  # 28.1.1
    resources.ready_offensives(g, side)
    if side == AXIS:
        place_first_railhead(g)
    g.resource_points = resources.points_of(g, side)
    restoring.receive(g, side)
