"""5.7 Sea Movement, the Kerch Strait, and the Volga Flotilla (5.5.3)."""

from __future__ import annotations

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Hex, Hexside
from kessel.core.hexset import bits, members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, MOVED, MOVED_FAR, PRESENT, UNUSABLE
from kessel.games.stalingrad42.columns import DONE as HAS_MOVED
from kessel.games.stalingrad42.combat.disruption import disrupt
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.entering import enter
from kessel.games.stalingrad42.movement.ways.modes import (
    SEA,
    STRAIT,
    TACTICAL,
    is_naval_brigade,
    tactical_hexes,
    why_not_mode,
)
from kessel.games.stalingrad42.movement.ways.reach import Group, short_of
from kessel.games.stalingrad42.movement.ways.zones import is_in_ezoc
from kessel.games.stalingrad42.supply.supply import AZOV, BLACK_SEA


@fact(FOREVER)
def shipping(g: Board, port: Hex) -> list[tuple[Hex, str]]:
    """The ports that Shipping Paths join with a port, and their sea."""
    found: list[tuple[Hex, str]] = []
    for sea in (AZOV, BLACK_SEA):
        paths = [set(x.path) for x in g.map.special_links if x.kind == "shipping_path" and x.sea == sea]
        joined = {port}
        while more := [p for p in paths if p & joined and not p <= joined]:
            for p in more:
                joined |= p
        ports = bits(joined) & g.ground.port & ~(1 << port)
        found.extend((h, sea) for h in members(ports))
    return found


def used(g: Board, sea: str) -> int:
    return g.sea_azov if sea == AZOV else g.sea_black


def why_not_start(g: Board, u: Unit, hexes: int = 0) -> Refusal | None:
    """Why a unit cannot put to sea from where it is, having moved so many hexes."""
    if why := why_not_mode(g, u, SEA):
        return why
    here = g.place[u]
    if not g.map.is_hex(here) or not g.ground.port >> here & 1:
        return Refusal("5.7.1", "Sea Movement starts in a port")
    if hexes and not is_naval_brigade(g, u):
        return Refusal("5.7.1", "Sea Movement takes the whole Movement Allowance")
    if hexes and hexes >= tactical_hexes(g, u):
        return Refusal("5.7.1", "the sea counts as one of the two hexes")
    if hexes and is_in_ezoc(g, here, g.forces.side[u]):
        return Refusal("6.2", "the unit has stopped in an EZOC")
    return None


def why_not_end(g: Board, u: Unit, port: Place, hexes: int = 0) -> Refusal | None:
    """Why a unit cannot land in a port."""
    if why := why_not_start(g, u, hexes):
        return why
    side = g.forces.side[u]
    sea = dict(shipping(g, g.place[u])).get(port)
    if sea is None:
        return Refusal("5.7.1", "no Shipping Path leads there")
    if used(g, sea) >= g.charts.constant("sea_units_per_sea"):
        return Refusal("5.7.1", "one unit has used the Shipping Paths of that sea this turn")
    if g.sets[COMBAT + 1 - side] >> port & 1:
        return Refusal("5.1", f"an enemy Combat Unit is in {g.hex_name(port)}")
    if g.controller(port) == 1 - side and not is_naval_brigade(g, u):
        return Refusal("5.7.1", "only Naval Infantry brigades land at a port the Axis controls")
    return None


def ends(g: Board, u: Unit, hexes: int = 0) -> list[Place]:
    if why_not_start(g, u, hexes) is not None:
        return []
    return [port for port, _ in shipping(g, g.place[u]) if why_not_end(g, u, port, hexes) is None]


def landings(g: Board, u: Unit) -> dict[Place, tuple[Place, ...]]:
    """All places a unit reaches in a move by sea, each with its way: a Naval Infantry brigade uses the other of its two
    hexes before or after (5.7.1)."""
    found: dict[Place, tuple[Place, ...]] = {port: (port,) for port in ends(g, u)}
    if not is_naval_brigade(g, u):
        return found
    group = Group((u,), g.place[u])
    short = short_of(g, group)
    near = [] if short is None else [h for h in members(short.hexes & g.ground.port) if len(short.path(h)) == 1]
    for port in near:
        there = g.copy()
        there.move(u, port)
        found |= {p: (port, p) for p in ends(there, u, 1) if p not in found and p != group.place}
    for port in ends(g, u):
        if is_in_ezoc(g, port, g.forces.side[u]):
            continue  # 5.4, 6.2: it stops where it lands
        there = g.copy()
        there.move(u, port)
        more = short_of(there, Group((u,), port, hexes=1, mode=TACTICAL))
        found |= {h: (port, h) for h in members(more.hexes) if h not in found} if more else {}
    return found


def sail(g: Board, u: Unit, port: Hex) -> bool:
    """Carry out a Sea Move; True if the unit may still use Tactical Movement."""
    start = g.place[u]
    sea = dict(shipping(g, start))[port]
    if sea == AZOV:
        g.sea_azov += 1
    else:
        g.sea_black += 1
    enter(g, (u,), port)
    g.set_status(u, MOVED | MOVED_FAR)
    g.tell_move(u, "goes by sea to {}", "5.7.1", start, place=g.hex_name(port))
    if is_naval_brigade(g, u):
        return True
    g.set_status(u, HAS_MOVED)
    if g.forces.is_immobile(u):
        g.set_status(u, UNUSABLE)  # 18.6.8
    disrupt(g, u, "5.7.1")
    return False


# --- 5.7.2 the Kerch Strait ----------------------------------------------------------------------------------------


def taman(g: Board) -> Hex:
    return g.map.grid.find(g.charts.hex("taman"))


def why_not_strait(g: Board, u: Unit) -> Refusal | None:
    """Why a unit may not cross the Kerch Strait from Entry Area W to Taman."""
    if why := why_not_mode(g, u, STRAIT):
        return why
    here, landing = g.place[u], taman(g)
    if here not in g.ground.kerch_boxes or landing == NO_HEX:
        return Refusal("5.7.2", "the Kerch Strait is crossed from Entry Area W to Taman")
    if g.kerch >= g.charts.constant("kerch_units"):
        return Refusal("5.7.2", "one unit has crossed the Kerch Strait this turn")
    if g.sets[PRESENT + SOVIET] >> landing & 1:
        return Refusal("5.7.2", "there is a Soviet unit in Taman")
    if "bluecher" in g.forces.groups[u] and g.controller(landing) != AXIS:
        return Refusal("20.7", "Plan Blücher units cross only when Taman has been captured")
    return None


def cross_strait(g: Board, u: Unit) -> None:
    g.kerch += 1
    start = g.place[u]
    enter(g, (u,), taman(g))
    g.set_status(u, HAS_MOVED | MOVED | MOVED_FAR)
    g.tell_move(u, "crosses the Kerch Strait", "5.7.2", start)
    disrupt(g, u, "5.7.2")


# --- 5.5.3 the Volga Flotilla --------------------------------------------------------------------------------------


@fact(GAME)
def flotilla_hexsides(g: Board) -> list[Hexside]:
    """All hexsides of the Volga the Flotilla may take, each once."""
    grid, volga = g.map.grid, g.ground.volga
    sides = [h * 6 + d for d in range(3) for h in members(volga[d]) if _why_not_place_flotilla(g, h * 6 + d) is None]
    return [grid.parse_hexside(grid.hexside_name(s)) for s in sides]


def _why_not_place_flotilla(g: Board, hexside: Hexside) -> Refusal | None:
    h, d = divmod(hexside, 6)
    n = g.map.grid.neighbours[h][d]
    if n == NO_HEX or not g.ground.volga[d] >> h & 1:
        return Refusal("5.5.3", "the Volga Flotilla is placed on a Volga hexside")
    last = g.charts.constant("flotilla_last_row")
    north = [g.ground.row(x) <= last for x in (h, n)]
    if not (any(north) if g.reads("flotilla_hexside") == "either" else all(north)):
        return Refusal("5.5.3", "the Volga Flotilla stays in or north of hex 5622")
    return None


def why_not_flotilla(g: Board, hexside: Hexside, side: Side) -> Refusal | None:
    if side != SOVIET:
        return Refusal("5.5.3", "the Volga Flotilla is Soviet")
    if g.flotilla_set:
        return Refusal("5.5.3", "the Volga Flotilla has been placed in this phase")
    if not 0 <= hexside < g.map.grid.size * 6 or not g.map.grid.all >> hexside // 6 & 1:
        return Refusal("5.5.3", "there is no such hexside")
    return _why_not_place_flotilla(g, hexside)


def place_flotilla(g: Board, hexside: Hexside) -> None:
    g.flotilla, g.flotilla_set = hexside + 1, 1
    g.tell(f"the Volga Flotilla goes to the river {g.map.grid.between(hexside)}", "5.5.3")
