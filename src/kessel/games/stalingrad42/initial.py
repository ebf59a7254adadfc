"""3.B1 The Initial Phase: what is done by itself, and the activities a player carries out in any order."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, PASS, Action, Call, Options, Out, Procedure, ask, auto, hand_over, takes
from kessel.games.stalingrad42 import maskirovka, resources
from kessel.games.stalingrad42 import reinforcements as arriving
from kessel.games.stalingrad42 import replacements as restoring
from kessel.games.stalingrad42.air import collect_air
from kessel.games.stalingrad42.board import Board, other
from kessel.games.stalingrad42.charts import Charts
from kessel.games.stalingrad42.columns import COMBAT, FLIPPED, JOINED
from kessel.games.stalingrad42.forces import AXIS, SOVIET
from kessel.games.stalingrad42.fortifications import (
    begin_fort,
    build_refusal,
    complete_forts,
    forts_left,
    printed_forts,
    raze,
    raze_actions,
    raze_refusal,
)
from kessel.games.stalingrad42.rail import detrain
from kessel.games.stalingrad42.railheads import place_first_railhead
from kessel.games.stalingrad42.removals import ScheduledChanges
from kessel.games.stalingrad42.scenario import Entrant
from kessel.games.stalingrad42.special_units import owner_releases, release_by_owner
from kessel.games.stalingrad42.supply import area_closed, in_supply_hexes
from kessel.games.stalingrad42.winter_offensive import WinterOffensive, announce_refusal
from kessel.games.stalingrad42.zones import enemy_zoc

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

    @ask("side", "9.7.2")
    def where(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose a hex to fortify."""
        sites = (("fortify", h) for h in members(fort_sites(g, self.side)))
        _, h = yield Options(sites, guard=lambda a: build_refusal(g, a[1], self.side) if a[0] == "fortify" else None)
        begin_fort(g, h, self.side)
        return None


@dataclass(slots=True)
class Revive(Procedure):
    """21.3.1 A unit returns from the Eliminated Box."""

    side: int
    unit: int
    kind: str
    hosts: tuple[int, ...]

    @ask("side", "21.3.1")
    def where(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose where the unit returns."""
        acts: list[Action] = [("place", p) for p in restoring.return_places(g, self.unit, self.hosts)]
        acts.extend(("into", army) for army in restoring.return_boxes(g, self.unit))
        verb, place = yield Options(
            acts,
            guard=lambda a: restoring.return_refusal(g, self.unit, a[1], self.hosts) if a[0] == "place" else None,
        )
        if verb == "into":
            restoring.revive(g, self.unit, self.kind, NOWHERE)
            g.inside[self.unit] = maskirovka.box_of(g, place)
            return None
        hand_over(g, self, (self.unit, place))
        restoring.revive(g, self.unit, self.kind, place)
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

    @ask("side", "3.B1")
    def act(self, g: Board) -> Generator[Options, Action, Out]:
        """Place reinforcements, use Replacements and Resource Points, or end the Initial Phase."""
        forced = self._must_do(g)
        fixed = () if forced else (PASS,)
        action = yield Options(self._choices(g, forced), *fixed, guard=lambda a: self._why_not(g, a))
        if action == PASS:
            return None
        return self._carry_out(g, action)

    def _carry_out(self, g: Board, action: Action) -> Out:
        verb, *what = action
        match verb:
            case "arrive":
                self._arrive(g, what[0], what[1])
                if maskirovka.is_army(g, what[0]):
                    return Call(maskirovka.AssignMarker(self.side, what[0]), again=True)
            case "join":
                maskirovka.join(g, what[0], what[1])
                for u in what:
                    g.set_status(u, JOINED)
            case "return":
                self._take_in(g, what[0], what[1])
                g.put(what[0], what[1])
                g.tell(f"{g.name(what[0])} returns", "19.4", unit=g.name(what[0]))
            case "enlist":
                self.enlisted = 1
                arriving.enlist(g, _entrant(g, what[0]), what[1])
            case "release":
                release_by_owner(g, what[0])
            case "winter_offensive":
                return Call(WinterOffensive(self.side), again=True)
            case "raze":
                raze(g, what[0], self.side)
            case "build":
                g.resource_points -= 1
                return Call(BuildFortification(self.side), again=True)
            case "ready":
                g.resource_points -= 1
                resources.make_ready(g, what[0], "18.1")
            case "supply":
                g.resource_points -= 1
                resources.place_point(g, what[0], self.side)
            case "offensive":
                g.resource_points -= 1
                resources.place_offensive(g, what[0])
            case "spend":
                resources.spend(g, what[0], what[1])
            case "restore":
                restoring.restore(g, what[0], what[1])
            case "revive":
                return Call(Revive(self.side, what[0], what[1], self.hosts), again=True)
        return AGAIN

    @takes(Revive, ScheduledChanges)
    def rebuilt(self, g: Board, what: tuple[Unit, Place]) -> None:
        self._take_in(g, *what)

    def _take_in(self, g: Board, u: Unit, place: Place) -> None:
        """21.3.1 No HQ or City takes in more than one unit a turn."""
        if g.map.is_hex(place):
            used = restoring.host(g, u, place, self.hosts)
            self.hosts = (*self.hosts, -1 if used is None else used)

    def _arrive(self, g: Board, u: Unit, place: Place) -> None:
        for a, e in arriving.arrivals(g, self.side):
            if g.forces.unit(e.id) == u:
                arriving.arrive(g, e, place, a.rule)
                return
        self.sent = 1
        arriving.arrive(g, _entrant(g, u), place, "30.0")

    # --- what is possible ------------------------------------------------------------------------------------------

    def _must_do(self, g: Board) -> list[Action]:
        key = ("forced", self.side, self.hosts, self.enlisted, self.sent)
        found: list[Action] | None = g.cache.get(key)
        if found is None:
            found = g.cache[key] = [*self._forced(g)]
        return found

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

    def _choices(self, g: Board, forced: list[Action]) -> Iterator[Action]:
        yield from forced
        if self.side == SOVIET and any(g.assigned):
            for _, e in arriving.arrivals(g, self.side):
                u = g.forces.unit(e.id)
                for army in maskirovka.armies(g):
                    if maskirovka.reinforcement_refusal(g, u, army) is None:
                        yield ("join", u, army)
        if self.side == SOVIET:
            for name in owner_releases(g):
                yield ("release", name)
            if announce_refusal(g, self.side) is None:
                yield ("winter_offensive",)
        if g.resource_points:
            yield from self._resource_choices(g)
        yield from resources.spends(g, self.side)
        yield from restoring.restores(g, self.side)
        yield from restoring.revivals(g, self.side)
        yield from raze_actions(g, self.side)

    def _resource_choices(self, g: Board) -> Iterator[Action]:
        if fort_sites(g, self.side):
            yield ("build",)
        for u in resources.used_asus(g, self.side):
            if resources.ready_refusal(g, u, self.side) is None:
                yield ("ready", u)
        if resources.has_free_point(g, self.side):
            for place in g.ground.area_boxes:
                if g.box_side(place) == self.side and area_closed(g, place, self.side) is None:
                    yield ("supply", place)
        if resources.may_plan(g, self.side):
            for u in g.forces.asus[self.side]:
                if resources.planner_refusal(g, u, self.side) is None:
                    yield ("offensive", u)

    def _why_not(self, g: Board, action: Action) -> Refusal | None:
        verb, *what = action
        match verb:
            case "pass":
                return Refusal("22.1.2", "reinforcements must be placed first")
            case "arrive":
                for a, e in arriving.arrivals(g, self.side):
                    if g.forces.unit(e.id) == what[0]:
                        return arriving.arrival_refusal(g, a, what[1])
                return Refusal("22.1.1", f"{g.name(what[0])} is not due to arrive now")
            case "join":
                if not any(g.forces.unit(e.id) == what[0] for _, e in arriving.arrivals(g, self.side)):
                    return Refusal("34.4.1", f"{g.name(what[0])} is not a reinforcement of this turn")
                return maskirovka.reinforcement_refusal(g, what[0], what[1])
            case "return":
                return restoring.return_refusal(g, what[0], what[1], self.hosts)
            case "enlist":
                return Refusal("20.8", "one Volunteer a turn arrives while Krasnodar and Voroshilovsk are both Axis")
            case "winter_offensive":
                return announce_refusal(g, self.side)
            case "release":
                return Refusal("31.0", "one Reserve Army a turn may be released, from Turn 2 on")
            case "raze":
                return raze_refusal(g, what[0], self.side)
            case "build":
                return resources.no_points(g) or Refusal("9.7.2", "there is no place for a Fortification")
            case "ready":
                return resources.ready_refusal(g, what[0], self.side)
            case "supply":
                return resources.supply_area_refusal(g, what[0], self.side)
            case "offensive":
                return resources.offensive_refusal(g, what[0], self.side)
            case "spend":
                return resources.spend_refusal(g, what[0], what[1], self.side)
            case "restore":
                return restoring.restore_refusal(g, what[0], what[1], self.side)
            case "revive":
                return restoring.revive_refusal(g, what[0], what[1], self.side)
        return None

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
