"""15.2, 15.2.1 Bridges: who controls them, who may destroy them; heavy tanks that break them (18.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import FOREVER, GAME, LAST, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, spread_through
from kessel.core.procedure import AGAIN, Out, Procedure
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    BRIDGE_OK,
    DESTROYED,
    DISORDER,
    ENGINEERING,
    GOING,
    INTACT,
    NO_BRIDGE,
    PRINTED,
    SPANS,
    Board,
)

ENEMY_MODIFIERS = {"plus_two": 2, "none": 0}
"""15.2.1, Q26 With the other readings of a figure that is lost."""


def note_crossing(g: Board, side: Side, a: Hex, b: Hex) -> None:
    """15.2 The side whose unit last crossed a bridge controls it."""
    if not g.map.grid.adjacent(a, b):
        return
    for i in g.bridge_of(g.map.grid.hexside(a, b)):
        if g.bridge_owner[i] != side:
            g.bridge_owner[i] = side
            g.cache.clear()


def ends_of(g: Board, side: Hexside) -> tuple[Hex, Hex]:
    """The two hexes of a hexside."""
    h, d = divmod(side, 6)
    return h, g.map.grid.neighbours[h][d]


def is_river(g: Board, side: Hexside) -> bool:
    h, d = divmod(side, 6)
    return bool(g.ground.river[d] >> h & 1)


def standing(g: Board, side: Hexside) -> int:
    """The number of the bridge that stands over a hexside; -1 for none."""
    for i in g.bridge_of(side):
        if g.bridge_state[i] == INTACT:
            return i
    return -1


# --- 15.2.1 who may destroy one ------------------------------------------------------------------------------------


def _stamp(g: Board) -> int:
    """The phase that is going on, as bridges remember their last attempt."""
    return (g.phase * 2 + g.phasing + 1) << 1


def not_tried(g: Board, bridges: Iterable[tuple[Hexside, int]]) -> list[tuple[Hexside, int]]:
    """Those of some bridges, by hexside and number, on which none was."""
    flags, now = g.bridge_flags, _stamp(g)
    return [one for one in bridges if flags[one[1]] & ~BRIDGE_OK != now]


def was_tried(g: Board, i: int) -> bool:
    """15.2.1 Whether an attempt on a bridge was made in this phase."""
    return g.bridge_flags[i] & ~BRIDGE_OK == _stamp(g)


def forget_attempts(g: Board) -> None:
    """At the end of a turn."""
    for i, flags in enumerate(g.bridge_flags):
        g.bridge_flags[i] = flags & BRIDGE_OK


@fact(NOW)
def engineers(g: Board, side: Side) -> list[Unit]:
    """12.17.2 Engineers that can work: not Disorganized, not in Regroup."""
    return [u for u in _engineers(g, side) if g.place[u] != NOWHERE and not g.status[u] & DISORDER]


@fact(GAME)
def _engineers(g: Board, side: Side) -> list[Unit]:
    return [u for u in g.forces.of_side(side) if g.forces.engineer[u]]


def engineer_near(g: Board, side: Side, ends: tuple[Hex, ...]) -> bool:
    """15.2.1 Whether an engineer is near enough to a bridge with these hexes."""
    return any(demolition_hexes(g, side) >> h & 1 for h in ends)


def demolition_hexes(g: Board, side: Side) -> Bits:
    """15.2.1 The hexes within three hexes of an engineer by a way without enemies that crosses rivers by bridge; the
    bridge hex itself may hold an enemy (switch bridge_end)."""
    near = near_engineers(g, side)
    return near if g.reads("bridge_end") == "may_be_held" else near & ~g.hexes_of(1 - side)


def near_engineers(g: Board, side: Side) -> Bits:
    """The hexes within three hexes of an engineer by a way without enemies; its last hex may hold one."""
    return _near(g, side, bits(g.place[u] for u in engineers(g, side)), g.hexes_of(1 - side), _unbridged(g))


@fact(LAST)
def _near(g: Board, side: Side, starts: Bits, enemies: Bits, unbridged: tuple[Bits, ...]) -> Bits:
    """The same from the hexes of the engineers."""
    found = front = starts
    for _ in range(g.charts.constants.engineer_distance):
        front = spread_through(g.map.grid, front & ~enemies, unbridged) & g.playable & ~found
        found |= front
    return found


@fact(GOING)
def _unbridged(g: Board) -> tuple[Bits, ...]:
    """Rivers without a standing bridge, by direction."""
    found = list(_never_bridged(g))
    grid, river = g.map.grid, g.ground.river
    for key in g.broken() & _over_rivers(g):
        for s in (key, grid.flip(key)):
            found[s % 6] |= river[s % 6] & 1 << s // 6
    for key, _ in g.built():
        for s in (key, grid.flip(key)):
            found[s % 6] &= ~(1 << s // 6)
    return tuple(found)


@fact(FOREVER)
def _over_rivers(g: Board) -> frozenset[Hexside]:
    """The printed bridges over rivers."""
    river, flip = g.ground.river, g.map.grid.flip
    return frozenset(b for b in g.ground.bridges if any(river[s % 6] >> s // 6 & 1 for s in (b, flip(b))))


@fact(FOREVER)
def _never_bridged(g: Board) -> tuple[Bits, ...]:
    """Rivers without a printed bridge."""
    found = list(g.ground.river)
    for key in g.ground.bridges:
        for s in (key, g.map.grid.flip(key)):
            found[s % 6] &= ~(1 << s // 6)
    return tuple(found)


def why_not_destroy(g: Board, side: Side, bridge: Hexside) -> Refusal | None:
    """15.2.1 Why a side may not try to destroy the bridge over a hexside."""
    i = standing(g, bridge)
    if i < 0:
        return Refusal("15.2.1", f"no bridge stands {g.map.grid.between(bridge)}")
    if g.bridge_owner[i] != side:
        return Refusal("15.2.1", "the bridge is not under your control")
    if was_tried(g, i):
        return Refusal("15.2.1", "an attempt on this bridge was made in this phase")
    if not engineer_near(g, side, ends_of(g, bridge)):
        return Refusal("15.2.1", "no engineer is within three hexes by a free way")
    return None


def destruction_roll(g: Board, side: Side, bridge: Hexside, die: int) -> Breakdown:
    """15.2.1 The die with its modifiers."""
    b = Breakdown("demolition roll").add("die", die, "15.2.1")
    i = standing(g, bridge)
    if g.bridge_kind[i] == PRINTED and g.bridge_at[i] in g.ground.railroad_bridges:
        b.add("railroad bridge over a river", g.charts.constants.rail_bridge_modifier, "15.2.1")
    if g.phase == ENGINEERING and any(g.enemies_in(h, side) for h in ends_of(g, bridge)):
        more = ENEMY_MODIFIERS.get(g.reads("enemy_at_bridge"), g.charts.game.bridge_enemy)
        if more:
            b.add("enemy in the bridge hex", more, "15.2.1")
    return b


def destroy(g: Board, side: Side, bridge: Hexside) -> None:
    """15.2.1 One attempt; a bridge that was built is taken off (15.2.4)."""
    i = standing(g, bridge)
    g.bridge_flags[i] = g.bridge_flags[i] & BRIDGE_OK | _stamp(g)
    roll = destruction_roll(g, side, bridge, g.die())
    done = g.charts.bridges.at(g.charts.bridges.clamp_row(roll.total), "destroy") == "destroyed"
    name = g.map.grid.hexside_name(bridge)
    g.tell(
        f"the bridge {g.map.grid.between(bridge)} is {'destroyed' if done else 'not destroyed'}: {roll}",
        "15.2.1",
        hexside=name,
    )
    if done:
        break_bridge(g, i)


def break_bridge(g: Board, i: int) -> None:
    """A bridge is gone, and with it what heavy tanks knew of it (18.3.1)."""
    g.bridge_flags[i] &= ~BRIDGE_OK
    g.set_bridge(i, DESTROYED if g.bridge_kind[i] == PRINTED else NO_BRIDGE)


def bridges_around(g: Board, h: Hex) -> list[Hexside]:
    """The hexsides of a hex with a standing bridge."""
    spans = g.bridges()
    sides = [g.map.grid.canonical(s) for s in range(h * 6, h * 6 + 6) if s in spans]
    return [s for s in sides if standing(g, s) >= 0]


@fact(SPANS)
def bridged(g: Board) -> Bits:
    """The hexes with a bridge on a hexside, standing or not."""
    return bits({s // 6 for s in g.bridges()})


def has_bridges(g: Board, h: Hex) -> bool:
    """Whether a bridge is on a hexside of a hex, standing or not."""
    return bool(bridged(g) >> h & 1)


@dataclass(slots=True)
class BridgeAttempts(Procedure):
    """15.2.1 An enemy has entered a hex with bridges: their owner may try to destroy them."""

    side: int
    near: int

    pick = Choice("side", "15.2.1", "Try to destroy a bridge, or leave the bridges standing.", passing=None)

    @pick.verb("destroy", among=lambda p, g: bridges_around(g, p.near), why_not=lambda p, g, s: p.why_not_try(g, s))
    def attempt(self, g: Board, bridge: Hexside) -> Out:
        destroy(g, self.side, bridge)
        return AGAIN

    def why_not_try(self, g: Board, bridge: Hexside) -> Refusal | None:
        if self.near not in ends_of(g, bridge):
            return Refusal("15.2.1", f"the bridge is not at {g.hex_name(self.near)}")
        return why_not_destroy(g, self.side, bridge)


def bridge_attempts(g: Board, side: Side, h: Hex) -> Procedure | None:
    """15.2.1 `side` may try to destroy bridges it controls on the hexsides of h, which an enemy has just entered."""
    mine = (s for s in bridges_around(g, h) if g.bridge_owner[standing(g, s)] == side)
    if any(why_not_destroy(g, side, s) is None for s in mine):
        return BridgeAttempts(side, h)
    return None


# --- 18.3 heavy tanks ----------------------------------------------------------------------------------------------


def needs_collapse_roll(g: Board, units: tuple[Unit, ...], a: Hex, b: Hex) -> bool:
    """18.3 Whether a Panther or Tiger is about to use a bridge that must be tested."""
    if not any(map(g.forces.heavy.__getitem__, units)) or not g.map.grid.adjacent(a, b):
        return False
    return is_heavy_tested(g, g.map.grid.hexside(a, b))


def is_heavy_tested(g: Board, side: Hexside) -> bool:
    """18.3 Whether the bridge over a hexside must be tested for heavy tanks: no railroad, no primary road, none that
    was built or has held before."""
    i = standing(g, side)
    if not g.plays("bridge_collapse"):
        return False
    if i < 0 or g.bridge_kind[i] != PRINTED or g.bridge_flags[i] & BRIDGE_OK:
        return False
    if any(g.bridge_kind[j] != PRINTED and g.bridge_state[j] == INTACT for j in g.bridge_of(side)):
        return False
    railroad = bool(g.ground.railroad[side % 6] >> side // 6 & 1)
    return not railroad and g.bridge_at[i] not in g.ground.primary_bridges


def bridge_holds(g: Board, units: tuple[Unit, ...], a: Hex, b: Hex) -> bool:
    """18.3 Rolls where it must be rolled; False where the bridge has collapsed and nobody may use it."""
    if not needs_collapse_roll(g, units, a, b):
        return True
    i = standing(g, g.map.grid.hexside(a, b))
    die = g.die()
    holds = g.charts.bridges.at(str(die), "collapse") == "holds"
    name = g.map.grid.hexside_name(g.bridge_at[i])
    word = "carries heavy tanks" if holds else "collapses"
    g.tell(f"the bridge {g.map.grid.between(g.bridge_at[i])} {word}: {die}", "18.3", hexside=name)
    if holds:
        g.bridge_flags[i] |= BRIDGE_OK
        g.cache.clear()
    else:
        break_bridge(g, i)
    return holds
