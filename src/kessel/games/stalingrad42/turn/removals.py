"""32.0 Removals and upgrades on fixed turns of the Campaign Game."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from kessel.core.board import NOWHERE, Place
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.procedure import (
    DONE,
    PASS,
    Action,
    Call,
    Goto,
    Options,
    Out,
    Procedure,
    ask,
    auto,
    hand_over,
    takes,
)
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, ELIMINATED, IN_PLAY, REMOVED, REPLACED, WAITING
from kessel.games.stalingrad42.combat.city_battles import settle_city_battles
from kessel.games.stalingrad42.combat.losses import lose_step, remnants_free, remove
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Upgrade
from kessel.games.stalingrad42.supply.supply import is_isolated, los
from kessel.games.stalingrad42.turn.replacements import return_places


def plans(g: Board) -> dict[str, Any]:
    """The dates and names of chapter 32 (pack.toml, [removals])."""
    found: dict[str, Any] = g.charts.doc["removals"]
    return found


# --- 32.1 Turn 10 --------------------------------------------------------------------------------------------------


def is_panzer(g: Board, u: Unit) -> bool:
    f = g.forces
    return f.is_german(u) and f.type[u] == "tank" and f.size[u] == "division"


def is_panzergrenadier(g: Board, u: Unit) -> bool:
    f = g.forces
    return f.is_german(u) and f.type[u] == "mechanized" and f.size[u] == "division"


def withdrawable(g: Board) -> list[Unit]:
    """32.1 Elite Panzer divisions: those not Isolated first, then Isolated ones, then the Eliminated Box (A68)."""
    elite = [u for u in g.forces.units_of[AXIS] if is_panzer(g, u) and g.forces.quality[u] > 0]
    here = [u for u in elite if g.pool[u] == IN_PLAY]
    free = [u for u in here if not is_isolated(g, u)]
    return free or here or [u for u in elite if g.pool[u] == ELIMINATED]


@dataclass(slots=True)
class PanzerRemoval(Procedure):
    """32.1 Two Elite Panzer divisions and Grossdeutschland leave; at least seven steps must go."""

    side: int
    gone: int = 0
    chosen: int = 0

    @auto("32.1")
    def grossdeutschland(self, g: Board) -> Out:
        for name in plans(g)["elite_panzer_also"]:
            u = g.forces.find(name)
            if u != NO_UNIT and g.pool[u] in (IN_PLAY, ELIMINATED):
                self.gone += g.steps[u]
                remove(g, u, "32.1")
        return None

    @ask("side", "32.1")
    def panzers(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose an Elite Panzer division to withdraw."""
        found = withdrawable(g) if self.chosen < plans(g)["elite_panzers"] else []
        _, u = yield Options([("withdraw", u) for u in found])
        self.gone += g.steps[u]
        self.chosen += 1
        remove(g, u, "32.1")
        return Goto("panzers")

    @ask("side", "32.1")
    def shortfall(self, g: Board) -> Generator[Options, Action, Out]:
        """Fewer than seven steps have gone: choose a Panzer division to reduce."""
        short = self.gone < plans(g)["elite_panzer_steps"]
        here = [u for u in g.forces.units_of[AXIS] if short and is_panzer(g, u) and g.pool[u] == IN_PLAY]
        most = [u for u in here if g.steps[u] > 1] or here
        _, u = yield Options([("reduce", u) for u in most])
        lose_step(g, u, "32.1")
        self.gone += 1
        return Goto("shortfall")

    @ask("side", "32.1")
    def surplus(self, g: Board) -> Generator[Options, Action, Out]:
        """More than seven steps have gone: give the rest to reduced divisions, or lose them."""
        more = self.gone > plans(g)["elite_panzer_steps"]
        found = [u for u in g.forces.units_of[AXIS] if more and can_absorb(g, u)]
        action = yield Options([("absorb", u) for u in found], *([PASS] if found else []))
        if action == PASS:
            return DONE
        absorb(g, action[1], "32.1")
        self.gone -= 1
        return Goto("surplus")


def can_absorb(g: Board, u: Unit) -> bool:
    """32.1 Reduced Panzer and Panzergrenadier divisions in supply."""
    if g.pool[u] != IN_PLAY or g.is_full_strength(u) or not (is_panzer(g, u) or is_panzergrenadier(g, u)):
        return False
    return los(g, u)


def absorb(g: Board, u: Unit, rule: str) -> None:
    """A step without the Replacement procedure or its marker."""
    g.set_steps(u, g.steps[u] + 1)
    g.tell(f"{g.name(u)} takes in a step", rule, unit=g.id(u), steps=g.steps[u])


# --- 32.2 Soviet Tank Corps ----------------------------------------------------------------------------------------


def is_tank_corps(g: Board, u: Unit) -> bool:
    f = g.forces
    return f.side[u] == SOVIET and f.type[u] == "tank" and f.size[u] == "corps"


@dataclass(slots=True)
class TankCorpsRemoval(Procedure):
    """32.2 A Tank Corps leaves, at the cost of at least one step."""

    side: int
    place: int = NOWHERE
    gone: int = -1

    @ask("side", "32.2")
    def corps(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose a Tank Corps to remove: one in supply, or one from the Eliminated Box."""
        units = [u for u in g.forces.units_of[SOVIET] if is_tank_corps(g, u)]
        here = [u for u in units if los(g, u)]
        found = [*here, *(u for u in units if g.pool[u] == ELIMINATED)]
        _, u = yield Options([("withdraw", u) for u in found])
        self.gone, self.place = g.steps[u], g.place[u]
        remove(g, u, "32.2")
        return None

    @ask("side", "32.2")
    def pay_elsewhere(self, g: Board) -> Generator[Options, Action, Out]:
        """The corps came from the Eliminated Box: reduce one on the map."""
        units = g.forces.units_of[SOVIET] if self.gone == 0 else ()
        found = [u for u in units if is_tank_corps(g, u) and g.pool[u] == IN_PLAY]
        _, u = yield Options([("reduce", u) for u in found])
        lose_step(g, u, "32.2")
        return DONE

    extra_step = Choice(
        "side",
        "32.2",
        "Give the extra step to a reduced Tank Corps, or place a Tank Brigade in the hex, or lose it.",
        passing=DONE,
        alone=True,
        when=lambda p, g: p.gone >= 2,
    )

    def _reduced(self, g: Board) -> list[Unit]:
        units = [u for u in g.forces.units_of[SOVIET] if is_tank_corps(g, u) and g.pool[u] == IN_PLAY]
        return [u for u in units if not g.is_full_strength(u) and los(g, u)]

    @extra_step.verb("absorb", legal=_reduced)
    def absorb(self, g: Board, u: Unit) -> Out:
        absorb(g, u, "32.2")
        return DONE

    def _brigades(self, g: Board) -> list[tuple[Unit, Place]]:
        if self.place == NOWHERE:
            return []
        return [(u, self.place) for u in g.forces.units_of[SOVIET] if is_eliminated_tank_brigade(g, u)]

    @extra_step.verb("arrive", legal=_brigades)
    def arrive(self, g: Board, u: Unit, place: Place) -> Out:
        g.put(u, place)
        g.tell(f"{g.name(u)} takes the corps' place", "32.2", unit=g.id(u))
        return DONE


def is_eliminated_tank_brigade(g: Board, u: Unit) -> bool:
    """A non-Guards Tank Brigade in the Eliminated Box."""
    f = g.forces
    tanks = f.type[u] in ("tank", "t34", "kv1") and f.size[u] == "brigade" and f.branch[u] != "guards"
    return tanks and g.pool[u] == ELIMINATED


# --- 32.3 other removals -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class RemoveRFSS(Procedure):
    """32.3 The 1 RFSS leaves; if it is eliminated or reduced, the next Special Replacement is lost."""

    side: int

    @auto("32.3")
    def leave(self, g: Board) -> Out:
        u = g.forces.find(plans(g)["rfss"])
        if u == NO_UNIT or g.pool[u] in (REMOVED, WAITING):
            return None
        if g.pool[u] != IN_PLAY or not g.is_full_strength(u):
            g.special_lost = 1
            g.tell("the next Special Replacement is lost", "32.3")
        remove(g, u, "32.3")
        return None


@dataclass(slots=True)
class RemoveInfantry(Procedure):
    """32.3 A German infantry division in supply and at its full three steps leaves."""

    side: int

    @ask("side", "32.3")
    def division(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose a full-strength German infantry division to remove."""
        f = g.forces
        found = [
            u
            for u in f.units_of[AXIS]
            if f.is_german(u) and f.type[u] == "infantry" and f.full_steps[u] == 3 and g.pool[u] == IN_PLAY
            if g.is_full_strength(u) and los(g, u)
        ]
        _, u = yield Options([("withdraw", u) for u in found])
        remove(g, u, "32.3")
        return None


@dataclass(slots=True)
class RemoveBarbo(Procedure):
    """32.3 The Italian cavalry brigade leaves; there is no penalty if it was eliminated."""

    side: int

    @auto("32.3")
    def leave(self, g: Board) -> Out:
        u = g.forces.find(plans(g)["barbo"])
        if u != NO_UNIT and g.pool[u] in (IN_PLAY, ELIMINATED):
            remove(g, u, "32.3")
        return None


# --- 32.4, 32.5 upgrades -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Upgrading(Procedure):
    """32.4 Wiking gains a step and has four from now on; 32.5 Michalik becomes the 27th Panzer Division."""

    side: int
    number: int
    again: int = -1
    """The unit that comes back from the Eliminated Box."""

    @auto("32.4")
    def swap(self, g: Board) -> Out:
        up: Upgrade = g.scenario.upgrades[self.number]
        old, new = g.forces.unit(up.old), g.forces.unit(up.new)
        if g.pool[old] == IN_PLAY:
            upgrade(g, old, new, up.rule)
        elif g.pool[old] == ELIMINATED:
            g.take(old, REMOVED)
            g.take(new, ELIMINATED)
            kind = g.forces.remnant[new]
            if not kind or remnants_free(g, kind):  # 10.4.3: else it waits in the Eliminated Box
                self.again = new
        else:
            g.take(old, REMOVED)
        return None

    @ask("side", "32.4")
    def place(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose where the unit returns."""
        rebuilt = g.scenario.upgrades[self.number].rule == "32.4"
        places = list[Place]()
        if self.again >= 0:
            areas = [p for p in g.ground.area_boxes if g.box_side(p) == self.side]
            places = return_places(g, self.again) if rebuilt else areas  # 22.1.1: as a reinforcement
        _, place = yield Options([("place", p) for p in places])
        if rebuilt:
            hand_over(g, self, (self.again, place))
        g.put(self.again, place, steps=1)
        if rebuilt:
            g.set_status(self.again, REPLACED)
        return None


def upgrade(g: Board, old: Unit, new: Unit, rule: str) -> None:
    """The new counter takes the old one's place with one step more; a Remnant as if by a Replacement (32.4)."""
    place, status, steps = g.place[old], g.status[old], g.steps[old]
    remnant = g.is_remnant(old)
    grows = not remnant or (not status & BAD_ORDER and los(g, old))
    g.take(old, REMOVED)
    g.put(new, place, steps=min(steps + grows, g.forces.full_steps[new]))
    g.set_status(new, status | (REPLACED if remnant and grows else 0))
    g.tell(f"{g.name(new)} takes the place of {g.name(old)}", rule, unit=g.id(new), steps=g.steps[new])


# --- in the order of the calendar ------------------------------------------------------------------------------------


@dataclass(slots=True)
class ScheduledChanges(Procedure):
    """What the calendar takes away or brings in a player's Initial Phase."""

    side: int
    done: int = 0

    @takes(Upgrading)
    def rebuilt(self, g: Board, what: tuple[Unit, Place]) -> None:
        """21.3.1 The HQ or City that takes in a rebuilt unit takes in no other one this turn."""
        hand_over(g, self, what)

    @auto("32.0")
    def next_change(self, g: Board) -> Out:
        todo = changes(g, self.side)
        if self.done >= len(todo):
            settle_city_battles(g)
            return DONE
        self.done += 1
        return Call(todo[self.done - 1], again=True)


def changes(g: Board, side: Side) -> list[Procedure]:
    """The removals and upgrades of this turn, in the order of the book."""
    has, p, found = g.scenario.has, plans(g), list[Procedure]()
    if side == AXIS:
        if has("32.1") and g.turn == p["elite_panzer_turn"]:
            found.append(PanzerRemoval(side))
        if has("32.3") and g.turn == p["rfss_turn"]:
            found.append(RemoveRFSS(side))
        if has("32.3") and g.turn in p["german_infantry_turns"]:
            found.append(RemoveInfantry(side))
        if has("32.3") and g.turn == p["barbo_turn"]:
            found.append(RemoveBarbo(side))
        found.extend(Upgrading(side, i) for i, up in enumerate(g.scenario.upgrades) if up.turn == g.turn)
    elif has("32.2"):
        found.extend(TankCorpsRemoval(side) for _ in range(corps_removals(g)))
    return found


def corps_removals(g: Board) -> int:
    """32.2 Tank Corps removed on this turn, from the Turn Record Track."""
    table = g.charts.table(g.scenario.track)
    if "tank_corps_removals" not in table.columns or str(g.turn) not in table.rows:
        return 0
    return table.number(g.turn, "tank_corps_removals")
