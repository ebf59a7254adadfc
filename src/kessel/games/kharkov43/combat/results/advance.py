"""12.8 Advance after combat: what holds for both sides, and the German player's choices.

Soviet units are checked one by one in `advance_checks`.
"""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import DISPERSED, Board
from kessel.games.kharkov43.combat.battle import Battle, alive, is_unbridged_between, parts
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.movement.arrival import enter_hex, leave_hex
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import beside_garrison, enemy_of, is_garrisoned, is_in_enemy_zoc
from kessel.games.kharkov43.supply.supply import can_unit_trace, field_without

# --- 12.8, 12.81 who may advance, and how far ------------------------------------------------------------------------


def is_vacated(g: Board, b: Battle) -> bool:
    """12.8 The defender has left the hex by retreat or elimination."""
    return not g.units_of(b.target, b.defender_side)


def is_eliminated(g: Board, b: Battle) -> bool:
    return not alive(g, b.defenders)


def why_not_advance(g: Board, b: Battle, u: Unit) -> Refusal | None:
    """12.8 Why the unit can't advance at all."""
    if u not in b.attackers:
        return Refusal("12.8", f"{g.name(u)} did not attack")
    if not g.on_map(u):
        return Refusal("12.8", f"{g.name(u)} was eliminated")
    if not is_vacated(g, b):
        return Refusal("12.8", f"the defender holds {g.hex_name(b.target)}")
    if g.status[u] & DISPERSED:
        return Refusal("12.9", f"{g.name(u)} is dispersed")
    if u in b.joined:
        return Refusal("12.8", f"{g.name(u)} joined the attack by a tactic")
    if u in b.advanced:
        return Refusal("12.8", f"{g.name(u)} has advanced")
    return None


def retreat_hexes(b: Battle) -> Bits:
    """12.81 The hexes next to the combat that lie on a path of retreat."""
    return bits(p[1] for p in b.paths if len(p) > 1)


def why_not_two_hexes(g: Board, b: Battle, u: Unit) -> Refusal | None:
    """12.81, 12.82, 14.1 Why the unit must stop in the attacked hex."""
    if b.retreated < 2 and not is_eliminated(g, b):
        return Refusal("12.81", "the defender retreated one hex only")
    if not g.is_mech(u) and len(b.riding) >= infantry_on_tanks(g, b):
        return Refusal("12.81", f"{g.name(u)} is not mechanized")
    if is_unbridged_between(g, g.place[u], b.target):
        return Refusal("12.82", f"{g.name(u)} stops after crossing an unbridged Donets or Dniepr hexside")
    if g.towns_of(enemy_of(g.forces.side[u])) >> b.target & 1:
        return Refusal("14.1", f"{g.name(u)} stops in the enemy town or city")
    return None


def infantry_on_tanks(g: Board, b: Battle) -> int:
    """12.81 How many infantry units may advance as if mechanized (Panzer Battalion)."""
    return sum(part.infantry_advances_as_mechanized for _, part in parts(g, b, attacking=True))


def why_not_second(g: Board, b: Battle, u: Unit, h: Hex) -> Refusal | None:
    """12.81, 12.82 Why a unit that has entered the attacked hex can't go on into h: the way there, whoever it is."""
    side, name = g.forces.side[u], g.hex_name(h)
    if not g.ground.adjacent_units(b.target) >> h & 1:
        return Refusal("12.81", f"{name} is not adjacent to {g.hex_name(b.target)}")
    if g.hexes_of(enemy_of(side)) >> h & 1:
        return Refusal("12.81", f"enemy units are in {name}")
    if side == GERMAN and is_garrisoned(g, h):
        return Refusal("10.1", f"German units can't enter the garrisoned hex {name}")
    follows = bool(retreat_hexes(b) >> h & 1)
    if is_unbridged_between(g, b.target, h) and not follows:
        return Refusal("12.82", "an unbridged Donets or Dniepr hexside is crossed only on the path of retreat")
    if not follows and is_in_enemy_zoc(g, b.target, side) and is_in_enemy_zoc(g, h, side):
        return Refusal("12.81", f"{name} is off the path of retreat, and both hexes are enemy-controlled")
    if side == GERMAN and beside_garrison(g) >> b.target & 1:
        if not follows:
            return Refusal("12.81", f"beside a garrison a German unit keeps to the path of retreat, not to {name}")
        if g.reads("advance_past_garrison") == "never":
            return Refusal("15.22", "a German unit stops beside a garrison")
    return None


# --- German advances -------------------------------------------------------------------------------------------------


def german_paths(g: Board, b: Battle, u: Unit) -> list[tuple[Hex, ...]]:
    """12.8 All advances of a German unit, supply and stacking apart."""
    if why_not_advance(g, b, u):
        return []
    found: list[tuple[Hex, ...]] = [(b.target,)]
    if why_not_two_hexes(g, b, u) is None:
        near = members(g.map.grid.near[b.target] & ~(1 << g.place[u]))
        found += [(b.target, h) for h in near if why_not_second(g, b, u, h) is None]
    return found


def advance_ends(g: Board, b: Battle, u: Unit) -> Bits | None:
    """12.8, 10.5 The hexes a German advance may end in; None for a unit that can't trace supply and can't come to."""
    field = field_without(g, u).hexes
    if can_unit_trace(g, u):
        return field
    ends = bits(p[-1] for p in german_paths(g, b, u) if why_not_fit(g, p[-1], [u]) is None)
    return field if ends & field else None


def why_not_end_advance(g: Board, b: Battle, u: Unit, h: Hex) -> Refusal | None:
    """12.8 Supply (10.5) and stacking (10.4) where a German advance ends."""
    bound = advance_ends(g, b, u)
    if bound is not None and not bound >> h & 1:
        return Refusal("12.8", f"supply can't be traced from {g.hex_name(h)}")
    return why_not_fit(g, h, [u])


def german_advances(g: Board, b: Battle, u: Unit) -> list[tuple[Hex, ...]]:
    return [p for p in german_paths(g, b, u) if why_not_end_advance(g, b, u, p[-1]) is None]


def why_not_path(g: Board, b: Battle, u: Unit, path: tuple[Hex, ...]) -> Refusal | None:
    """Why a German unit can't advance along that path."""
    if refusal := why_not_advance(g, b, u):
        return refusal
    if not path or path[0] != b.target or len(path) > 2:
        return Refusal("12.81", f"the first hex of an advance is {g.hex_name(b.target)}, and it has two at most")
    if len(path) == 2 and (refusal := why_not_two_hexes(g, b, u) or why_not_second(g, b, u, path[1])):
        return refusal
    return why_not_end_advance(g, b, u, path[-1])


# --- carrying it out -------------------------------------------------------------------------------------------------


def advance_unit(g: Board, b: Battle, u: Unit, path: tuple[Hex, ...], *, told: bool = False) -> None:
    """The unit enters the hexes one by one; towns change hands as it goes. `told`: its check has said so (12.83)."""
    for h in path:
        old = g.place[u]
        if not told:
            way = {"from": g.hex_name(old), "to": g.hex_name(h)}
            g.tell(f"{g.name(u)} advances to {g.hex_name(h)}", "12.8", unit=g.id(u), **way)
        g.move(u, h)
        leave_hex(g, old)
        enter_hex(g, u, h)
    if u not in b.advanced:
        b.advanced = (*b.advanced, u)
    if len(path) == 2 and not g.is_mech(u):
        b.riding = (*b.riding, u)
