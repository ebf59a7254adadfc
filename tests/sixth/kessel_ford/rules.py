"""The ten rules, in their order: 1 turns, 2 movement, 3 zones, 4 stacking, 5 combat, 6 results, 7 retreat, 8 advance,
9 supply, 10 victory."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from kessel_ford.board import ATTACKED, BLUE, BOTH, MOVED, PLACES, POINT, RED, SIDES, STRUCK, Board

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import flood, members, spread
from kessel.core.paths import Reach, reach
from kessel.core.procedure import AGAIN, DONE, PASS, Action, Call, Options, Out, Procedure, Return, ask, auto, into
from kessel.core.title import Outcome
from kessel.core.verbs import Choice

LAST_TURN, LIMIT = 6, 2


# --- 2 movement, 3 zones of control, 4 stacking --------------------------------------------------------------------


@fact(PLACES)
def zone_of(g: Board, side: Side) -> Bits:
    """3 A unit's zone is the six hexes around it."""
    return spread(g.map.grid, g.hexes_of(side)) if g.hexes_of(side) else 0


def allowance(g: Board, u: Unit) -> Breakdown:
    return Breakdown("movement points").add("printed", g.forces.movement[u], "2")


@fact(BOTH)
def reach_of(g: Board, u: Unit) -> Reach:
    """2, 3 A unit goes where its points suffice, and stops in an enemy zone."""
    enemy = 1 - g.forces.side[u]
    free = g.map.grid.all & ~g.hexes_of(enemy)
    return reach(g.costs(), g.place[u], g.forces.movement[u] * POINT, enter=free, stop=zone_of(g, enemy))


def why_not_stack(g: Board, side: Side, h: Hex, units: Sequence[Unit]) -> Refusal | None:
    """4 Two units of a side may stand in a hex."""
    there = g.units(h)
    if any(g.forces.side[v] != side for v in there):
        return Refusal("4", f"the enemy is in {g.hex_name(h)}")
    together = len({*there, *units})
    return Refusal("4", f"{together} units would be in {g.hex_name(h)}; two may") if together > LIMIT else None


def why_not_move(g: Board, u: Unit) -> Refusal | None:
    if not g.on_map(u):
        return Refusal("2", f"{g.name(u)} is not on the map")
    return Refusal("2", f"{g.name(u)} has moved") if g.status[u] & MOVED else None


def why_not_end(g: Board, u: Unit, h: Hex) -> Refusal | None:
    if not reach_of(g, u).hexes >> h & 1:
        return Refusal("2", f"{g.name(u)} cannot get to {g.hex_name(h)}")
    return why_not_stack(g, g.forces.side[u], h, (u,))


def moves(g: Board, side: Side) -> list[tuple[Unit, Hex]]:
    free = [u for u in range(len(g.forces)) if g.forces.side[u] == side and why_not_move(g, u) is None]
    return [(u, h) for u in free for h in members(reach_of(g, u).hexes) if why_not_end(g, u, h) is None]


@dataclass(slots=True)
class Movement(Procedure):
    """2 Each unit of the phasing side may move once."""

    side: int

    def why_not(self, g: Board, u: Unit, h: Hex) -> Refusal | None:
        if g.forces.side[u] != self.side:
            return Refusal("1", f"{g.name(u)} is not yours")
        return why_not_move(g, u) or why_not_end(g, u, h)

    pick = Choice("side", "2", "Move a unit, or end movement.", passing=None)

    @pick.verb("move", legal=lambda p, g: moves(g, p.side), why_not=why_not)
    def walk(self, g: Board, u: Unit, h: Hex) -> Out:
        g.tell_way(u, "moves to", reach_of(g, u).path(h), "2")
        g.move(u, h)
        g.set_status(u, MOVED)
        return AGAIN


# --- 9 supply ------------------------------------------------------------------------------------------------------


@fact(BOTH)
def supplied(g: Board, side: Side) -> Bits:
    """9 The hexes from which a line free of enemies and their zones leads to the side's own edge."""
    free = g.map.grid.all & ~g.hexes_of(1 - side) & ~(zone_of(g, 1 - side) & ~g.hexes_of(side))
    return flood(g.map.grid, g.map.areas[f"{SIDES[side]}_edge"] & free, free)


def supply(g: Board, u: Unit) -> dict[str, object]:
    return {"supplied": bool(supplied(g, g.forces.side[u]) >> g.place[u] & 1), "rule": "9"}


# --- 5 combat, 6 results, 7 retreat, 8 advance ---------------------------------------------------------------------


def strength(g: Board, units: Sequence[Unit], what: str) -> Breakdown:
    total = Breakdown(what)
    for u in units:
        whole = g.forces.strength[u]
        fed = bool(supplied(g, g.forces.side[u]) >> g.place[u] & 1)
        total.add(
            g.name(u) + ("" if fed else ", out of supply"), whole if fed else (whole + 1) // 2, "5" if fed else "9"
        )
    return total


def why_not_attack_with(g: Board, u: Unit, side: Side, target: Hex) -> Refusal | None:
    if g.forces.side[u] != side or not g.on_map(u) or not g.map.grid.adjacent(g.place[u], target):
        return Refusal("5", f"{g.name(u)} is no unit of yours beside {g.hex_name(target)}")
    return Refusal("5", f"{g.name(u)} has attacked") if g.status[u] & ATTACKED else None


def attackers(g: Board, side: Side, target: Hex) -> list[Unit]:
    near = (u for n in g.map.grid.around[target] for u in g.units(n))
    return sorted(u for u in near if why_not_attack_with(g, u, side, target) is None)


def why_not_attack(g: Board, side: Side, h: Hex) -> Refusal | None:
    if not g.enemies_in(h, side):
        return Refusal("5", f"no enemy is in {g.hex_name(h)}")
    if any(g.status[u] & STRUCK for u in g.units(h)):
        return Refusal("5", f"{g.hex_name(h)} was attacked in this phase")
    return None if attackers(g, side, h) else Refusal("5", f"nobody beside {g.hex_name(h)} can attack")


def column(g: Board, units: Sequence[Unit], target: Hex) -> str:
    """5 Odds in favour of the defender, one column less in woods."""
    attack, defence = strength(g, units, "attack").total, strength(g, g.units(target), "defence").total
    ratio = min(3, attack // defence) if attack >= defence else 0
    return g.charts.crt.shift(g.charts.crt.columns[ratio], -(g.map.terrain[target] == "woods"))


@dataclass(slots=True)
class Retreat(Procedure):
    """7 A beaten stack retreats a hex, away from enemy zones; without a way it is eliminated."""

    side: int
    from_: int

    @ask("side", "7")
    def where(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the hex to retreat to."""
        units, enemy = tuple(g.units(self.from_)), 1 - self.side
        free = [h for h in g.map.grid.around[self.from_] if not zone_of(g, enemy) >> h & 1]
        found = [h for h in free if why_not_stack(g, self.side, h, units) is None]
        _, h = yield Options([("retreat", h) for h in found])
        for u in units:
            g.move(u, h)
        g.tell(f"the defenders retreat to {g.hex_name(h)}", "7")
        return Return(True)

    @auto("7")
    def no_way(self, g: Board) -> Out:
        for u in g.units(self.from_):
            g.eliminate(u, "7")
        return Return(False)


@dataclass(slots=True)
class Combat(Procedure):
    """1, 5 The phasing side attacks, hex by hex."""

    side: int
    target: int = -1
    units: tuple[int, ...] = ()
    retreated: bool = False

    choose = Choice("side", "5", "Choose a hex to attack, or end combat.", passing=DONE, alone=True)

    @choose.verb(
        "attack", among=lambda p, g: g.hexes_of(1 - p.side), why_not=lambda p, g, h: why_not_attack(g, p.side, h)
    )
    def declare(self, g: Board, h: Hex) -> Out:
        self.target, self.units = h, ()
        return None

    def why_not_add(self, g: Board, u: Unit) -> Refusal | None:
        if u in self.units:
            return Refusal("5", f"{g.name(u)} takes part already")
        return why_not_attack_with(g, u, self.side, self.target)

    gather = Choice("side", "5", "Add units to the attack, then roll.")

    @gather.verb("roll", why_not=lambda p, g: None if p.units else Refusal("5", "nobody attacks yet"))
    def roll(self, g: Board) -> Out:
        die, at = g.die(), column(g, self.units, self.target)
        result = g.charts.crt.at(die, at)
        g.tell(f"attack on {g.hex_name(self.target)} at {at}: {die}, {result}", "6", place=g.hex_name(self.target))
        for u in (*self.units, *g.units(self.target)):
            g.set_status(u, ATTACKED if u in self.units else STRUCK)
        if result in ("AE", "EX"):
            g.eliminate(min(self.units, key=lambda u: (g.forces.strength[u], u)), "6")
        if result in ("DE", "EX"):
            g.eliminate(g.units(self.target)[0], "6")
        self.retreated = False
        return Call(Retreat(1 - self.side, self.target)) if result == "DR" else None

    @gather.verb("with", among=lambda p, g: attackers(g, p.side, p.target), why_not=why_not_add)
    def add(self, g: Board, u: Unit) -> Out:
        self.units = (*self.units, u)
        return AGAIN

    beaten = into("retreated", Retreat)

    @ask("side", "8")
    def advance(self, g: Board) -> Generator[Options, Action, Out]:
        """Move a victorious unit into the hex, or stay."""
        alive = [u for u in self.units if g.on_map(u)] if not g.occupied(self.target) else []
        action = yield Options([("advance", u) for u in alive], *([PASS] if alive else []))
        if action != PASS:
            g.move(action[1], self.target)
        return None

    @auto("5")
    def again(self, g: Board) -> Out:
        self.target, self.units, self.at = -1, (), self.index["choose"]
        return AGAIN


# --- 1 turns, 10 victory -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Play(Procedure):
    """1 Six turns; in each the blue side moves and attacks, then the red side."""

    @auto("1")
    def movement(self, g: Board) -> Out:
        if g.turn > LAST_TURN:
            return DONE
        for u in range(len(g.forces)):
            g.set_status(u, MOVED | ATTACKED | STRUCK, on=False)
        return Movement(g.track("phasing"))

    @auto("1")
    def combat(self, g: Board) -> Out:
        return Combat(g.track("phasing"))

    @auto("1")
    def next(self, g: Board) -> Out:
        g.set_track("turn", g.turn + (g.track("phasing") == RED))
        g.set_track("phasing", 1 - g.track("phasing"))
        self.at = 0
        return AGAIN


def holder(g: Board) -> Side | None:
    """10 Who stands in the town."""
    town = g.map.grid.hex(g.scenario["town"])
    return next((s for s in (BLUE, RED) if g.hexes_of(s) >> town & 1), None)


def outcome(g: Board) -> Outcome | None:
    """10 Blue wins with the town; where nobody stands in it red has kept blue out, unless that is read as a draw."""
    if g.stack:
        return None
    held = holder(g)
    if held is None and g.reads("empty_town") == "draw":
        return Outcome(None, "draw", "10", {})
    return Outcome(BLUE if held == BLUE else RED, "victory", "10", {})
