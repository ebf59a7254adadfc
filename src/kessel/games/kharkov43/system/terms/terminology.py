"""9.3 Soviet activation terminology: empty, beside, surround, cause surround, nearly surrounded, large, overwhelming.

Words about hexes are hex sets. "Adjacent" between units does not cross a blocked Dniepr hexside, "adjacent" to a hex
does; control and so surround cross every hexside (11.0). Proximity is in `proximity`, the surround of one hex in
`zones`, the operational limit in `support`.
"""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread, spread_through
from kessel.games.kharkov43.board import DISPERSED, GARRISON, ISOLATED, POSITION, UNITS, UNSUPPLIED, Board
from kessel.games.kharkov43.combat.strengths import all_isolated
from kessel.games.kharkov43.data.forces import FRONTS, GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import farthest, reach_against
from kessel.games.kharkov43.movement.stacking import full_hexes
from kessel.games.kharkov43.movement.zones import Scene, cover_without, enemy_of, scene_if, scene_of, zoc

# --- the board as it would be ----------------------------------------------------------------------------------------


def suppose(g: Board, u: Unit, h: Hex) -> Board:
    """The board if the Soviet unit stood in h: the town would be Soviet and the garrison gone. Nothing is told."""
    return g if g.place[u] == h else _supposed(g, u, h)


@fact(POSITION)
def _supposed(g: Board, u: Unit, h: Hex) -> Board:
    x = g.copy()
    x.put(u, h)
    if g.ground.towns >> h & 1:
        x.set_owner(h, SOVIET)
    if g.has_mark(h, GARRISON):
        x.mark(h, GARRISON, False)
    return x


# --- where units are -------------------------------------------------------------------------------------------------


def other_soviets(g: Board, u: Unit) -> Bits:
    """The hexes with Soviet units other than u."""
    return g.hexes_of(SOVIET) & ~(1 << g.place[u]) if g.is_alone(u) else g.hexes_of(SOVIET)


def beside(g: Board, s: Bits) -> Bits:
    """9.3 The hexes adjacent to units in these hexes."""
    return spread_through(g.map.grid, s, g.ground.blocked)


def beside_germans(g: Board) -> Bits:
    return _beside_units(g, GERMAN)


@fact(UNITS)
def _beside_units(g: Board, side: Side) -> Bits:
    return beside(g, g.hexes_of(side))


def germans_beside(g: Board, h: Hex) -> Bits:
    """The hexes with German units adjacent to a unit in h."""
    return g.ground.adjacent_units(h) & g.hexes_of(GERMAN)


def empty_hexes(g: Board, u: Unit) -> Bits:
    """9.3 Empty: no units and no garrison. The moving unit itself does not count."""
    return g.ground.all & ~(other_soviets(g, u) | g.hexes_of(GERMAN) | g.garrisons)


def unoccupied_hexes(g: Board, u: Unit) -> Bits:
    """9.3 Unoccupied: empty or garrisoned."""
    return g.ground.all & ~(other_soviets(g, u) | g.hexes_of(GERMAN))


def other_front(front: str) -> str:
    return next(f for f in FRONTS if f != front)


MOST_COMPLETED = 3
"""From a hex around another one a unit occupies or controls three of the six, from further away fewer."""

# --- 9.3 surround ----------------------------------------------------------------------------------------------------


@fact(POSITION)
def surrounded_hexes(g: Board, side: Side) -> Bits:
    """The hexes whose units of that side are surrounded."""
    grid, enemy = g.map.grid, enemy_of(side)
    return g.hexes_of(side) & ~spread(grid, grid.all & ~(g.hexes_of(enemy) | zoc(g, enemy)))


@fact(POSITION)
def hemmed_in_hexes(g: Board, side: Side) -> Bits:
    """The hexes with units of that side around which few are left that no enemy unit occupies or controls."""
    enemy, near, found = enemy_of(side), g.map.grid.near, 0
    free = g.map.grid.all & ~(g.hexes_of(enemy) | zoc(g, enemy))
    for x in members(g.hexes_of(side)):
        if (near[x] & free).bit_count() <= MOST_COMPLETED:
            found |= 1 << x
    return found


def completing_hexes(g: Board, u: Unit, open_: Bits) -> Bits:
    """The hexes from which u would occupy or control every hex of that set."""
    near = g.map.grid.near
    if g.status[u] & ISOLATED:
        return open_ if open_.bit_count() == 1 else 0
    s = g.ground.all
    for y in members(open_):
        s &= near[y] | 1 << y
    return s


@fact(POSITION)
def surrounding_hexes(g: Board, u: Unit) -> dict[Hex, Bits]:
    """For each enemy hex not surrounded without u: where u would have to be to cause its surround.

    For a unit on the map, only enemies it might get close to.
    """
    enemy, here = enemy_of(g.forces.side[u]), g.place[u]
    hemmed_in = hemmed_in_hexes(g, enemy)
    if here >= 0:
        hemmed_in &= g.ground.around(here, farthest(g, u) + 2)
    if not hemmed_in:
        return {}
    cover, enemies, found = cover_without(g, u), g.hexes_of(enemy), {}
    for x in members(hemmed_in):
        open_ = g.map.grid.near[x] & ~cover
        if 0 < open_.bit_count() <= MOST_COMPLETED and (s := completing_hexes(g, u, open_) & ~enemies):
            found[x] = s
    return found


def caused_from(g: Board, u: Unit, h: Hex) -> Bits:
    """9.3 The enemy hexes whose surround u would be causing from h."""
    s = 0
    for x, spots in surrounding_hexes(g, u).items():
        if spots >> h & 1:
            s |= 1 << x
    return s


@fact(POSITION)
def caused_by(g: Board, u: Unit) -> Bits:
    """9.3 The enemy hexes whose surround u is causing: without u they would not be surrounded."""
    here, held = g.place[u], surrounded_hexes(g, enemy_of(g.forces.side[u]))
    if not held or (here >= 0 and not held & g.ground.around(here, 2)):
        return 0
    return caused_from(g, u, here)


# --- 9.3 nearly surrounded -------------------------------------------------------------------------------------------


def why_nearly_surrounded(g: Board, h: Hex) -> Refusal | None:
    """9.3 None, or the German move that would surround the Soviet unit in h."""
    return _nearly_surrounded(g, h)[0]


@fact(POSITION)
def _nearly_surrounded(g: Board, h: Hex) -> tuple[Refusal | None]:
    return (_why_nearly(g, h, scene_of(g, SOVIET)),)


@fact(POSITION)
def _nearly_surrounded_in(g: Board, u: Unit, h: Hex) -> tuple[Refusal | None]:
    return (_why_nearly(g, h, scene_if(g, u, h)),)


@fact(UNITS)
def _reaches(g: Board, german: Side) -> tuple[tuple[Unit, Bits], ...]:
    """The German units, and the hexes that a unit gets to at most."""
    return tuple((v, g.ground.around(g.place[v], g.allowance(v) + 1)) for v in g.on_map_of(german))


def _why_nearly(g: Board, h: Hex, soviets: Scene) -> Refusal | None:
    """Whoever completes the surround occupies or controls every hex still open: few hexes are left to go to."""
    grid, ground = g.map.grid, g.ground
    if ground.edge(SOVIET) >> h & 1:
        return None
    germans = g.hexes_of(GERMAN)
    open_ = grid.near[h] & ~(germans | zoc(g, GERMAN))
    if not open_:
        if g.reads("surrounded_is_nearly") == "no":
            return None
        return Refusal("9.3", f"a unit in {g.hex_name(h)} is surrounded")
    far = g.ground.all & ~soviets.hexes
    for y in members(open_):
        far &= grid.near[y] | 1 << y
    if not far:
        return None
    close = ground.around(h, 2)
    for v, reach in _reaches(g, GERMAN):
        spots = far & reach
        if not spots:
            continue
        there = g.place[v]
        if close >> there & 1 or g.status[v] & ISOLATED:
            spots &= completing_hexes(g, v, grid.near[h] & ~cover_without(g, v))
        spots &= ~(1 << there)
        if spots and (found := spots & reach_against(g, v, soviets).hexes & ~full_hexes(g, GERMAN, g.steps[v])):
            where = g.hex_name(members(found)[0])
            return Refusal("9.3", f"{g.name(v)} could surround {g.hex_name(h)} by a move to {where}")
    return None


def is_nearly_surrounded(g: Board, u: Unit) -> bool:
    return why_nearly_surrounded(g, g.place[u]) is not None


def why_nearly_surrounded_in(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """Whether u would be nearly surrounded if it stood in h."""
    return why_nearly_surrounded(g, h) if g.place[u] == h else _nearly_surrounded_in(g, u, h)[0]


# --- 9.3 sizes of attacks --------------------------------------------------------------------------------------------


def is_large(g: Board, chits: int, attacker: Side) -> bool:
    """9.3 Large attack: seven chits or more of a Soviet, six of a German attack."""
    c = g.charts.constants
    return chits >= (c.large_attack_soviet if attacker == SOVIET else c.large_attack_german)


def is_weak(g: Board, maximum: int) -> bool:
    """9.3, 12.39 Weak: a German attack that may draw two chits at most."""
    return maximum <= g.charts.constants.weak_attack


def why_overwhelming(
    g: Board, attack: int, defence: int, chits: int, defenders: Sequence[Unit], target: Hex
) -> Refusal | None:
    """9.3, 12.38 What makes a Soviet attack overwhelming, or None. Strengths are those of combat, never situational."""
    ratio = g.charts.table("overwhelming").number
    cases = (
        ("always", True, ""),
        ("large_attack", is_large(g, chits, SOVIET), f" with {chits} chits"),
        (
            "all_defenders_unsupplied_or_dispersed",
            all(g.status[v] & (UNSUPPLIED | DISPERSED) for v in defenders),
            " against dispersed or unsupplied units",
        ),
    )
    for row, applies, what in cases:
        if applies and attack >= ratio(row, "ratio") * defence:
            return Refusal("12.38", f"{attack} to {defence} is {ratio(row, 'ratio')}:1 or better{what}")
    if all_isolated(g, defenders) and not g.ground.vp_hexes >> target & 1:
        return Refusal("12.38", "all defenders are isolated and in no VP hex")
    return None


# --- 9.21 spearheads -------------------------------------------------------------------------------------------------


def is_spearhead(g: Board, u: Unit) -> bool:
    """9.3, 9.21 A unit of 3rd Tank Army or Mobile Group Popov as long as its front's objective marker is in play."""
    return g.forces.formation[u] in g.charts.spearhead_armies and g.has_objective(g.forces.higher[u])


# --- directions ------------------------------------------------------------------------------------------------------


def westing(g: Board, h: Hex) -> float:
    """How far west a hex lies (9.24, 9.41)."""
    return _centres(g)[h][0]


def southing(g: Board, h: Hex) -> float:
    return _centres(g)[h][1]


@fact(FOREVER)
def _centres(g: Board) -> dict[Hex, tuple[float, float]]:
    """How far west and how far south each hex lies."""
    found = {h: g.map.grid.centre(h) for h in g.map.grid.hexes}
    return {h: (-round(x, 3), round(y, 3)) for h, (x, y) in found.items()}


def number(g: Board, h: Hex) -> str:
    """What "highest" and "lowest hex number" compare."""
    return g.hex_name(h)
