"""11.0 Soviet Artillery Bombardment Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, members, spread, union, within
from kessel.core.procedure import AGAIN, DONE, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.don42.board import ACTIVE, FIRED, GENERAL, NO_SIDE, OTHER, POSITION, SHELLED, Board
from kessel.games.don42.combat.air import attempt_bridge, bridge_targets, roll_bombardment, suffer, why_not_bridge
from kessel.games.don42.combat.odds import work_out
from kessel.games.don42.combat.results import MEANINGS, Results
from kessel.games.don42.combat.retreat import Withdraw, nearest_enemies
from kessel.games.don42.data.charts import ADPT, ADRG, AE1, BRE, NE
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.supply.activation import is_in_command


def gun_range(g: Board, u: Unit) -> int:
    """11.0 Six hexes for artillery, two for mortars."""
    c = g.charts.constants
    return c.mortar_range_hexes if g.forces.mortar[u] else c.artillery_range_hexes


def why_not_fire(g: Board, u: Unit) -> Refusal | None:
    """12.4.1 Units in disorder never attack; switch gun_status."""
    if g.disorder(u) and g.reads("gun_status") == "silent":
        return Refusal("12.4.1", f"{g.name(u)} is in disorder")
    return None


def why_not_bombard(g: Board, u: Unit) -> Refusal | None:
    """11.0 Why a gun may not bombard at all in this phase; None if it may."""
    forces = g.forces
    if forces.side[u] != SOVIET:
        return Refusal("11.0", "German artillery never bombards")
    if not forces.gun[u] or not g.on_map(u):
        return Refusal("11.0", f"{g.name(u)} is no artillery or mortar unit on the map")
    if not g.status[u] & ACTIVE:
        return Refusal("11.0", f"the Army of {g.name(u)} is not activated")
    if g.status[u] & FIRED:
        return Refusal("11.0", f"{g.name(u)} has fired")
    if g.supply[u] < GENERAL:
        return Refusal("11.0", f"{g.name(u)} has no line of supply")
    if not is_in_command(g, u):
        return Refusal("11.0", f"{g.name(u)} is more than {g.charts.constants.command_radius} MPs from its HQ")
    return why_not_fire(g, u)


@fact(POSITION)
def spotted_hexes(g: Board, command: int) -> Bits:
    """11.0 The hexes a unit of the Army is adjacent to, or sees from a hill within two hexes."""
    hexes = bits(g.place[u] for u in g.units_on_map(SOVIET) if g.command[u] == command)
    grid = g.map.grid
    return spread(grid, hexes) | within(grid, hexes & g.ground.hill, g.charts.constants.hill_spotting_hexes)


def is_spotted(g: Board, target: Hex, command: int) -> bool:
    return bool(spotted_hexes(g, command) >> target & 1)


def why_not_aim(g: Board, u: Unit, target: Hex) -> Refusal | None:
    """11.0 Why a gun cannot target a German hex: range, spotting and proximity; None if it can."""
    far = g.map.grid.distance(g.place[u], target)
    if far > gun_range(g, u):
        return Refusal("11.0", f"{g.name(u)} reaches {gun_range(g, u)} hexes, not {far}")
    if far > 1 and g.map.grid.near[g.place[u]] & g.hexes_of(GERMAN):
        return Refusal("11.0", f"{g.name(u)} is adjacent to Germans and may target only those")
    if not is_spotted(g, target, g.command[u]):
        return Refusal("11.0", "no unit of the same Army spots the target")
    return None


def targets_of(g: Board, u: Unit) -> Bits:
    """All German hexes a gun can target; the same answer as `why_not_aim` for each."""
    germans, near = g.hexes_of(GERMAN), g.map.grid.near[g.place[u]]
    in_range = near if near & germans else g.ground.around(g.place[u], gun_range(g, u))
    return germans & in_range & spotted_hexes(g, g.command[u])


def why_not_aim_at_bridge(g: Board, u: Unit, side: Hexside) -> Refusal | None:
    """7.4 The same for a bridge, which is in range and spotted if one of its ends is."""
    h, d = divmod(side, 6)
    reasons = [why_not_aim(g, u, end) for end in (h, g.map.grid.neighbours[h][d])]
    return None if None in reasons else reasons[0]


@fact(NOW)
def ready_guns(g: Board) -> list[Unit]:
    """The guns that may fire; those of inactive Armies are not looked at twice."""
    return [u for u in g.forces.guns[SOVIET] if g.status[u] & ACTIVE and why_not_bombard(g, u) is None]


@dataclass(slots=True)
class BombardmentPhase(Procedure):
    """5.0 phase 6."""

    side: Side = SOVIET

    choose_target = Choice(
        "side", "11.0", "Bombard a German hex or a bridge, or end the Bombardment Phase.", passing=DONE
    )

    def _targets(self, g: Board) -> list[Hex]:
        return [h for h in members(union(targets_of(g, u) for u in ready_guns(g))) if not self._is_spared(g, h)]

    def _is_spared(self, g: Board, h: Hex) -> bool:
        return any(g.status[u] & SHELLED for u in g.units(h))

    def why_not_shell(self, g: Board, h: Hex) -> Refusal | None:
        if not g.enemies_in(h, SOVIET):
            return Refusal("11.0", "there is no German unit in that hex")
        if self._is_spared(g, h):
            return Refusal("11.0", "a German unit is bombarded once per turn")
        return _why_not_all([why_not_aim(g, u, h) for u in ready_guns(g)])

    @choose_target.verb("shell", legal=_targets, why_not=why_not_shell)
    def shell(self, g: Board, h: Hex) -> Out:
        return Call(Barrage(self.side, h), again=True)

    def _bridges(self, g: Board) -> list[Hexside]:
        guns = ready_guns(g)
        if not guns:
            return []
        return [s for s in bridge_targets(g) if any(why_not_aim_at_bridge(g, u, s) is None for u in guns)]

    def why_not_shell_bridge(self, g: Board, side: Hexside) -> Refusal | None:
        reasons = [why_not_aim_at_bridge(g, u, side) for u in ready_guns(g)]
        return why_not_bridge(g, side) or _why_not_all(reasons if side in bridge_targets(g) else [])

    @choose_target.verb("shell_bridge", legal=_bridges, why_not=why_not_shell_bridge)
    def shell_bridge(self, g: Board, side: Hexside) -> Out:
        return Call(Barrage(self.side, bridge=side), again=True)


def _why_not_all(reasons: list[Refusal | None]) -> Refusal | None:
    """Why none of several can do it; None if one can."""
    return None if None in reasons else next(iter(reasons), NOT_NOW)


@dataclass(slots=True)
class Barrage(Procedure):
    """11.1 Any number of guns combine on one target."""

    side: Side
    target: Hex = -1
    bridge: Hexside = NO_SIDE
    guns: tuple[Unit, ...] = ()

    about_hexes = ("target",)

    add_gun = Choice("side", "11.0", "Add a gun, or fire.")

    @add_gun.verb("fire", legal=lambda p, g: bool(p.guns))
    def fire(self, g: Board) -> Out:
        return None

    @add_gun.verb(
        "fire_combat",
        legal=lambda p, g: bool(p.guns) and p.bridge == NO_SIDE and g.reads("artillery_table") == "either",
    )
    def fire_combat(self, g: Board) -> Out:
        return Goto("on_combat_table")

    def _why_not_on_target(self, g: Board, u: Unit) -> Refusal | None:
        return why_not_aim(g, u, self.target) if self.bridge == NO_SIDE else why_not_aim_at_bridge(g, u, self.bridge)

    def why_not_gun(self, g: Board, u: Unit) -> Refusal | None:
        return why_not_bombard(g, u) or self._why_not_on_target(g, u) or (NOT_NOW if u in self.guns else None)

    def _guns(self, g: Board) -> list[Unit]:
        return [u for u in ready_guns(g) if u not in self.guns and self._why_not_on_target(g, u) is None]

    @add_gun.verb("gun", legal=_guns, why_not=why_not_gun)
    def add(self, g: Board, u: Unit) -> Out:
        self.guns = (*self.guns, u)
        return AGAIN

    @auto("11.1")
    def resolve(self, g: Board) -> Out:
        """Total the factors, roll, apply at once. Guns never suffer for it."""
        for u in self.guns:
            g.set_status(u, FIRED)
        if self.bridge != NO_SIDE:
            attempt_bridge(g, self.bridge, roll_bombardment(g, self.guns, "7.4"), "7.4")
            return DONE
        units = g.units(self.target)
        for u in units:
            g.set_status(u, SHELLED)
        routed = suffer(g, units, roll_bombardment(g, self.guns, "11.1"), "11.1")
        if routed:
            owner = OTHER[self.side]
            threats = nearest_enemies(g, owner, self.target)
            return Withdraw(owner, routed, g.charts.constants.rout_hexes, threats)
        return DONE

    @auto("11.1")
    def end(self, g: Board) -> Out:
        return DONE

    @auto("5.0.6")
    def on_combat_table(self, g: Board) -> Out:
        """The other reading (switch artillery_table): the Combat table, without adverse results for the guns."""
        odds = work_out(g, self.side, (), self.target, self.guns)
        defenders = g.units(self.target)
        for u in self.guns:
            g.set_status(u, FIRED)
        for u in defenders:
            g.set_status(u, SHELLED)
        die = g.die()
        result = odds.results[die - 1]
        told = f"barrage on the Combat table {odds.table}, column {odds.column:+d}, die {die}: "
        g.tell(f"{told}{result}, {MEANINGS[result][0]}", "5.0.6", die=die, result=result)
        result = {AE1: NE, ADPT: NE, ADRG: NE, BRE: "DRE1"}.get(result, result)
        return Results(self.side, OTHER[self.side], self.target, (), tuple(defenders), result)
