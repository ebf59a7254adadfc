"""7.0 Air units: initiative, availability, bombardment, transport. Ground support is in combat.py (7.5, 12.3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits
from kessel.core.procedure import AGAIN, DONE, Action, Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.don42.board import (
    BOMBED,
    DESTROYED,
    FLOWN,
    LOST,
    NO_SIDE,
    ON_CROSSING,
    OTHER,
    READY,
    RTD,
    STATUS_WORDS,
    TRIED,
    Board,
)
from kessel.games.don42.combat.retreat import WORDS, Withdraw, escalated, nearest_enemies
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.movement.weather import is_grounded
from kessel.games.don42.supply.airlift import SplitLoad, deliver, load, takers, why_not_take

ALL_UNITS = 99
NO_PLANE = Refusal("7.2", "no air unit is available")

# --- 7.2 what is available -----------------------------------------------------------------------------------------


def has_air(g: Board, side: Side) -> bool:
    """7.1 Whether that side holds Air Superiority this turn and may fly."""
    return g.track("air_side") == side + 1 and not is_grounded(g)


def why_not_fly(g: Board, plane: Unit) -> Refusal | None:
    """Why an air unit cannot fly a mission any more this turn; TR units come on top of the number rolled (7.2)."""
    side = g.forces.side[plane]
    if not g.forces.air[plane]:
        return Refusal("7.0", f"{g.name(plane)} is not an air unit")
    if is_grounded(g):
        return Refusal("6.1" if g.weather == 1 else "6.2", "all air units are grounded")
    if not has_air(g, side):
        return Refusal("7.1", f"the {SIDES[side].capitalize()} player does not hold Air Superiority")
    if g.status[plane] & FLOWN:
        return Refusal("7.3", f"{g.name(plane)} has flown this turn")
    if g.forces.type[plane] != "transport" and not g.track("air_left"):
        return Refusal("7.2", "no more air units are available this turn")
    return None


def why_not_strike(g: Board, plane: Unit) -> Refusal | None:
    """7.3, 7.5 Why an air unit cannot bombard or give ground support; None if it can."""
    if g.forces.type[plane] == "transport":
        return Refusal("7.3", "TR units never bombard")
    return why_not_fly(g, plane)


def strikers(g: Board, side: Side) -> list[Unit]:
    """The air units that can bombard or give ground support; the same answer as `why_not_strike` for each."""
    if not has_air(g, side) or not g.track("air_left"):
        return []
    status, type_ = g.status, g.forces.type
    return [p for p in g.forces.air_units[side] if not status[p] & FLOWN and type_[p] != "transport"]


def fly(g: Board, plane: Unit) -> None:
    """The air unit is used for this turn and goes back to its holding box (3.1.1)."""
    g.set_status(plane, FLOWN)
    if g.forces.type[plane] != "transport" and g.track("air_left") < ALL_UNITS:
        g.set_track("air_left", g.track("air_left") - 1)


def airlifts(g: Board) -> tuple[str, ...]:
    """The verbs that fly in what is played with: Supply Points, or Fuel and Ammo Points (19.1)."""
    return ("airlift_fuel", "airlift_ammo") if g.plays("fuel_and_ammo") else ("airlift",)


# --- 7.3.2 the Bombardment Table -----------------------------------------------------------------------------------


def bombardment_factors(g: Board, units: Sequence[Unit]) -> Breakdown:
    """7.3.1, 11.1 The factors of all that bombard one target, combined."""
    b = Breakdown("factors")
    for u in units:
        factor = g.forces.bombard[u] if g.forces.air[u] or g.forces.counters[u].bombard else g.attack_value(u)
        b.add(g.name(u), factor, "7.3.2" if g.forces.air[u] else "11.1")
    return b


def bombardment_chances(g: Board, factors: int) -> list[str]:
    """The results of the six rolls."""
    column = g.charts.bombardment_column(factors)
    return [g.charts.bombardment.at(die, column) for die in range(1, 7)]


EFFECTS = {
    "NE": "no effect",
    "DRG": "units are disorganized",
    "DPT": "units are disrupted",
    "RTD": "units are routed",
    "*": "a bridge is destroyed",
}
"""7.3.2, 7.4 Each part of a result in words."""


def effects(result: str) -> str:
    """
    >>> effects("DRG*")
    'units are disorganized and a bridge is destroyed'
    """
    return " and ".join(words for code, words in EFFECTS.items() if code in result)


def roll_bombardment(g: Board, units: Sequence[Unit], rule: str) -> str:
    total = bombardment_factors(g, units).total
    column = g.charts.bombardment_column(total)
    die = g.die()
    result = g.charts.bombardment.at(die, column)
    told = f"{total} factors, column {column}, die {die}: {result}, {effects(result)}"
    g.tell(told, rule, die=die, result=result)
    return result


def bombarded(now: int, word: str) -> int:
    """7.3.2 The status after a result: a second DRG or DPT is one worse, a lesser result does nothing."""
    word = word.rstrip("*")
    return now if word == "NE" else escalated(now, STATUS_WORDS[word])


def suffer(g: Board, units: Sequence[Unit], word: str, rule: str) -> tuple[Unit, ...]:
    """Apply a result to every unit bombarded; returns those that became Routed and must retreat."""
    routed = []
    for u in units:
        now = g.disorder(u)
        after = bombarded(now, word)
        if after != now:
            g.set_disorder(u, after)
            g.tell(f"{g.name(u)} becomes {WORDS[after]}", rule, unit=g.id(u), status=WORDS[after])
            if after == RTD:
                routed.append(u)
    return tuple(routed)


# --- 7.4 bridges ---------------------------------------------------------------------------------------------------


def standing_bridges(g: Board) -> list[Hexside]:
    """All bridges and pontoons that stand."""
    found = [s for i, s in enumerate(g.ground.bridges) if not g.bridges[i] & DESTROYED]
    found += [s for s, state in zip(g.pontoon_at, g.pontoon_state, strict=True) if state & 3 == READY]
    return sorted(set(found))


def is_tried(g: Board, side: Hexside) -> bool:
    """7.4 Only one attempt per bridge and turn, by air or by artillery."""
    i = g.ground.bridge_index.get(side)
    if i is not None and g.bridges[i] & TRIED:
        return True
    return any(_is_same(g, at, side) and flags & BRIDGE_TRIED for at, flags in _pontoons(g))


BRIDGE_TRIED = 1 << 2
"""Flag on a pontoon's state: bombarded this turn."""


def _pontoons(g: Board) -> Iterator[tuple[Hexside, int]]:
    yield from zip(g.pontoon_at, g.pontoon_state, strict=True)


def _is_same(g: Board, a: Hexside, b: Hexside) -> bool:
    return a != NO_SIDE and (a == b or g.map.grid.flip(a) == b)


def bridge_targets(g: Board) -> list[Hexside]:
    found = {s for i, s in enumerate(g.ground.bridges) if not g.bridges[i] & (DESTROYED | TRIED)}
    found.update(s for s, state in _pontoons(g) if state & 3 == READY and not is_tried(g, s))
    return sorted(found)


def why_not_bridge(g: Board, side: Hexside) -> Refusal | None:
    if not any(_is_same(g, s, side) for s in standing_bridges(g)):
        return Refusal("7.4", "no bridge stands there")
    if is_tried(g, side):
        return Refusal("7.4", "only one attempt per bridge is allowed per turn")
    return None


def attempt_bridge(g: Board, side: Hexside, word: str, rule: str) -> None:
    """7.4 An asterisk destroys the bridge."""
    name = g.map.grid.hexside_name(side)
    falls = word.endswith("*")
    i = g.ground.bridge_index.get(side)
    if i is not None:
        g.bridges[i] |= TRIED | (DESTROYED if falls and not _has_pontoon(g, side) else 0)
    for p, (at, state) in enumerate(list(_pontoons(g))):
        if _is_same(g, at, side) and state & 3 == READY:
            g.pontoon_state[p] = (LOST if falls else READY) | BRIDGE_TRIED
    g.tell(f"the bridge {g.map.grid.between(side)} is {'destroyed' if falls else 'not hit'}", rule, hexside=name)
    g.happened(ON_CROSSING)


def _has_pontoon(g: Board, side: Hexside) -> bool:
    return any(_is_same(g, at, side) and state & 3 == READY for at, state in _pontoons(g))


def forget_attempts(g: Board) -> None:
    for i, flags in enumerate(g.bridges):
        g.bridges[i] = flags & DESTROYED
    for p, state in enumerate(g.pontoon_state):
        g.pontoon_state[p] = state & 3
    g.touched()


# --- 7.1 the phase -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class AirPhase(Procedure):
    """5.0 phase 2."""

    side: Side = GERMAN

    @auto("7.1")
    def initiative(self, g: Board) -> Out:
        """One D6: 1-4 German, 5-6 Soviet; or automatic by scenario. No flying in rain and mud."""
        g.set_track("air_side", 0)
        g.set_track("air_left", 0)
        g.set_track("flown_sp", 0)
        if is_grounded(g):
            g.tell("all air units are grounded", f"6.{g.weather}")
            return DONE
        automatic = g.scenario.superiority.get(g.turn)
        if automatic is not None:
            self.side = automatic
            g.set_track("air_side", automatic + 1)
            g.set_track("air_left", ALL_UNITS)
            g.tell(f"automatic {SIDES[automatic].capitalize()} Air Superiority", "7.1.1", side=SIDES[automatic])
            return None
        die = g.die()
        self.side = SIDES.index(g.charts.initiative.at(die, "side"))
        g.set_track("air_side", self.side + 1)
        g.tell(f"Air Initiative die {die}: {SIDES[self.side].capitalize()}", "7.1", die=die, side=SIDES[self.side])
        return self._availability(g)

    def _availability(self, g: Board) -> Out:
        die = g.die()
        word = g.charts.availability.at(die, "units")
        g.set_track("air_left", ALL_UNITS if word == "all" else int(word))
        g.tell(f"availability die {die}: {word} air units", "7.2", die=die, units=word)
        return None

    missions = Choice(
        "side",
        "7.0",
        "Fly a mission, or keep the remaining air units for ground support.",
        passing=DONE,
        every=lambda p, g: p._missions(g),
    )

    def _missions(self, g: Board) -> list[Action]:
        verbs = self.missions.verbs
        found: list[Action] = []
        if strikers(g, self.side):
            found += verbs["bombard"].listed(self, g)
            found += verbs["bomb_bridge"].listed(self, g)
        if self.side == GERMAN:
            planes = [
                p for p in g.forces.air_units[GERMAN] if g.forces.sp[p] and why_not_fly(g, p) is None and load(g, p)
            ]
            hqs = takers(g) if planes else []
            found += [(verb, hq, (p,)) for hq in hqs for p in planes for verb in airlifts(g)]
        return found

    def _bombed(self, g: Board) -> Bits:
        """The hexes of units bombarded already."""
        return bits(g.place[u] for u in g.units_with(BOMBED) if g.on_map(u))

    def why_not_bombard(self, g: Board, h: Hex) -> Refusal | None:
        if not g.enemies_in(h, self.side):
            return Refusal("7.3", "there is no enemy ground unit to bombard")
        if any(g.status[u] & BOMBED for u in g.units(h)):
            return Refusal("7.3.1", "a ground unit is attacked only once in the Air Phase")
        return None if strikers(g, self.side) else NO_PLANE

    @missions.verb("bombard", legal=lambda p, g: g.hexes_of(OTHER[p.side]) & ~p._bombed(g), why_not=why_not_bombard)
    def bombard(self, g: Board, h: Hex) -> Out:
        return Call(AirStrike(self.side, h), again=True)

    def why_not_bomb_bridge(self, g: Board, side: Hexside) -> Refusal | None:
        free = bool(strikers(g, self.side)) and side in bridge_targets(g)
        return why_not_bridge(g, side) or (None if free else NO_PLANE)

    @missions.verb("bomb_bridge", legal=lambda p, g: bridge_targets(g), why_not=why_not_bomb_bridge)
    def bomb_bridge(self, g: Board, side: Hexside) -> Out:
        return Call(AirStrike(self.side, bridge=side), again=True)

    def _why_not_airlift(self, g: Board, verb: str, hq: Unit, planes: tuple[Unit, ...]) -> Refusal | None:
        if self.side == SOVIET:
            return Refusal("7.0", "the Soviets never fly supply")
        for plane in planes:
            if not g.forces.sp[plane]:
                return Refusal("4.4.1", f"{g.name(plane)} carries no Supply Points")
            if why := why_not_fly(g, plane):
                return why
            if not load(g, plane):
                return Refusal("4.4", f"no more than {g.charts.constants.supply_points} Supply Points a turn")
        if why := why_not_take(g, hq):
            return why
        if len(planes) == 1 and verb in airlifts(g):
            return None
        return Refusal("4.4.2", "each aircraft delivers its whole load to one Corps HQ")

    @missions.verb("airlift", why_not=lambda p, g, hq, planes: p._why_not_airlift(g, "airlift", hq, planes))
    def airlift(self, g: Board, hq: Unit, planes: tuple[Unit, ...]) -> Out:
        return self._deliver(g, hq, planes, "sp")

    @missions.verb("airlift_fuel", why_not=lambda p, g, hq, planes: p._why_not_airlift(g, "airlift_fuel", hq, planes))
    def airlift_fuel(self, g: Board, hq: Unit, planes: tuple[Unit, ...]) -> Out:
        return self._deliver(g, hq, planes, "fuel")

    @missions.verb("airlift_ammo", why_not=lambda p, g, hq, planes: p._why_not_airlift(g, "airlift_ammo", hq, planes))
    def airlift_ammo(self, g: Board, hq: Unit, planes: tuple[Unit, ...]) -> Out:
        return self._deliver(g, hq, planes, "ammo")

    def _deliver(self, g: Board, hq: Unit, planes: tuple[Unit, ...], kind: str) -> Out:
        (plane,) = planes
        points = load(g, plane)
        fly(g, plane)
        if g.plays("split_loads"):
            return Call(SplitLoad(self.side, points, kind, g.command[hq]), again=True)
        deliver(g, hq, points, kind)
        return AGAIN


@dataclass(slots=True)
class AirStrike(Procedure):
    """7.3, 7.4 Aerial bombardment of a hex or a bridge by one or more air units."""

    side: Side
    target: Hex = -1
    bridge: Hexside = NO_SIDE
    planes: tuple[Unit, ...] = ()

    about_hexes = ("target",)

    send = Choice("side", "7.3.1", "Send an air unit, or strike with those sent.")

    @send.verb("strike", legal=lambda p, g: bool(p.planes))
    def strike(self, g: Board) -> Out:
        return None

    @send.verb("plane", legal=lambda p, g: strikers(g, p.side), why_not=lambda p, g, plane: why_not_strike(g, plane))
    def add(self, g: Board, plane: Unit) -> Out:
        fly(g, plane)
        self.planes = (*self.planes, plane)
        return AGAIN

    @auto("7.3.2")
    def resolve(self, g: Board) -> Out:
        if self.bridge != NO_SIDE:
            attempt_bridge(g, self.bridge, roll_bombardment(g, self.planes, "7.4"), "7.4")
            return None
        units = g.units(self.target)
        for u in units:
            g.set_status(u, BOMBED)
        word = roll_bombardment(g, self.planes, "7.3.2")
        routed = suffer(g, units, word, "7.3.2")
        if routed:
            owner = OTHER[self.side]
            threats = nearest_enemies(g, owner, self.target)
            return Withdraw(owner, routed, g.charts.constants.rout_hexes, threats)
        return None
