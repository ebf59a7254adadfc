"""9.1-9.3 What a step costs: movement classes, terrain, roads, rivers, bridges, ground."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Direction, Hex, Hexside
from kessel.core.hexset import bits
from kessel.core.paths import ALL as WHOLE
from kessel.games.korsun44.board import FORD_GERMAN, FORD_SOVIET, GOING, K_BRIDGE, ON_FOOT, TRUCK, Board
from kessel.games.korsun44.data.charts import ALL, ARMOR, CLASSES, FOOT, MOTORIZED, NO
from kessel.games.korsun44.data.forces import FIXED, GERMAN, PARTISANS
from kessel.games.korsun44.data.terrain import STREAM, Ground

TACTICAL, STRATEGIC, WALKING = range(3)
MODES = ("tactical", "strategic", "on foot")
"""9.4, 9.1.1 How units move; walking is tactical movement of motorized infantry at the foot rate."""

Kind = tuple[int, bool, bool, bool]
"""What the price of a step depends on: class, whether it may swim a river (9.2.1), ford one (18.6), is a heavy tank."""

Priced = tuple[Direction, Hex, int]
Crossing = tuple[bool, int, bool, bool]


def may_walk(g: Board, u: Unit) -> bool:
    """9.1.1 Motorized and mechanized infantry and reconnaissance may use the foot rate."""
    if g.forces.move[u] != MOTORIZED:
        return False
    if g.charts.types[g.forces.type[u]].foot_rate:
        return True
    kinds = g.forces.engineer[u]
    return bool(kinds) and not kinds & {"bridge_K", "bridge_J"} and g.reads("engineer_foot") == "yes"


def class_of(g: Board, u: Unit, mode: int) -> int:
    """9.1 The column of the Terrain Effects Chart a unit moves by."""
    if mode == WALKING or g.status[u] & ON_FOOT:
        return FOOT if g.forces.move[u] != ARMOR else ARMOR
    if g.status[u] & TRUCK:
        return MOTORIZED
    return g.forces.move[u]


def is_vehicle(g: Board, u: Unit, mode: int) -> bool:
    return class_of(g, u, mode) in (MOTORIZED, ARMOR)


def kind_of(g: Board, u: Unit, mode: int) -> Kind:
    f, cls = g.forces, class_of(g, u, mode)
    swims = cls == FOOT and bool(f.infantry_type[u])
    fords = cls == ARMOR or f.type[u] == "reconnaissance" or (swims and f.move[u] == FOOT)
    return cls, swims, fords, bool(f.heavy[u])


def can_move_at_all(g: Board, u: Unit) -> bool:
    return g.forces.move[u] != FIXED


# --- prices --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Going:
    """9.2 The ground as it is: condition, way of moving, and which bridges and fords there are."""

    ground: Ground
    condition: int
    strategic: bool
    broken: frozenset[Hexside] = frozenset()
    built: Mapping[Hexside, int] = field(default_factory=dict)
    fords: frozenset[Hexside] = frozenset()
    bare: bool = False
    """A bridge without a road costs as much as a stream (switch bare_bridge)."""

    def crossing(self, side: Hexside) -> Crossing:
        """All that differs from what is printed at a hexside, and the switch that matters there."""
        key = self.ground.grid.canonical(side)
        return key in self.broken, self.built.get(key, -1), key in self.fords, self.bare

    def price(self, kind: Kind, a: Hex, d: Direction, b: Hex) -> int | Refusal:
        """What the step from a to b costs; refused where it, or the way back (9.9.1), is prohibited."""
        there = self._one_way(kind, a, d, b)
        if isinstance(there, Refusal) or there == WHOLE:
            return there
        back = self._one_way(kind, b, (d + 3) % 6, a)
        if isinstance(back, Refusal):
            return Refusal("9.9.1", f"{CLASSES[kind[0]]} units could not come back that way: {back.reason}")
        return there

    def _one_way(self, kind: Kind, a: Hex, d: Direction, b: Hex) -> int | Refusal:
        cls, swims, may_ford, heavy = kind
        key = self.ground.grid.canonical(a * 6 + d) if self.built or self.fords else -1
        bridge = self.built.get(key)
        usable = bridge is not None and not (bridge == K_BRIDGE and heavy)
        found = self.ground.step(
            cls, self.condition, a, d, b,
            strategic=self.strategic, destroyed=self.broken, built=(key,) if usable else (),
        )  # fmt: skip
        barred = isinstance(found, Refusal) or found == ALL
        if barred and key in self.fords and may_ford:
            return self._forded(cls, a, d, b)
        if isinstance(found, Refusal):
            return found
        if found == ALL:
            return WHOLE if swims else Refusal("9.2.1", "only infantry type units cross a river without a bridge")
        if usable and self.bare and not self.ground.links[d] >> a & 1:
            found += max(0, self.ground.charts.terrain[STREAM].cost[cls][self.condition])
        return found

    def _forded(self, cls: int, a: Hex, d: Direction, b: Hex) -> int | Refusal:
        """18.6.3 The hex and the ford."""
        found = self.ground.overland(cls, self.condition, a, d, b, bridged=True)
        ford = self.ground.charts.terrain["ford"].cost[cls][self.condition]
        return found if isinstance(found, Refusal) else found + ford


class Prices:
    """What steps cost one kind of mover, worked out when they are first asked for."""

    __slots__ = (
        *("_around", "_base", "_changed", "_known", "_labels", "_moves", "_printed", "_sides", "_variants"),
        *("altered_at", "going", "kind", "least"),
    )

    def __init__(
        self, going: Going, kind: Kind, base: Prices | None = None, sides: frozenset[Hexside] = frozenset()
    ) -> None:
        self.going, self.kind = going, kind
        self._base, self._sides, self._changed = base, sides, frozenset(s // 6 for s in sides)
        """But for some hexsides the prices are those of the base."""
        self.altered_at: Bits = bits(self._changed)
        """The hexes out of which some step is not as printed."""
        self.least = going.ground.cheapest(kind[0], going.condition, going.strategic)
        """No step costs less."""
        self._around = going.ground.grid.neighbours
        self._printed = going.ground.printed(kind[0], going.condition, going.strategic)
        self._known: dict[Hex, tuple[Priced, ...]] = {}
        self._moves: dict[Hex, tuple[tuple[Hex, int, bool], ...]] = {}
        self._labels: dict[int, dict[Hex, tuple[tuple[Hex, int, bool], ...]]] = {}
        self._variants: dict[tuple[Hexside, Crossing], int | Refusal] = {}
        """What steps cost over hexsides that are not as printed, for all that were altered from the same."""

    def printed_labels(self, each: int) -> dict[Hex, tuple[tuple[Hex, int, bool], ...]]:
        """What searches know of the printed steps out of hexes far from any enemy: hex entered, label (`each` for a
        part of a Movement Point), and that the move goes on."""
        return (self._base or self)._labels.setdefault(each, {})

    def moves(self, h: Hex) -> tuple[tuple[Hex, int, bool], ...]:
        """The same as `steps`, for searches: hex entered, price, whether a river is crossed."""
        kept = self if self._base is None or h in self._changed else self._base
        found = kept._moves.get(h)
        if found is None:
            river = kept.going.ground.river
            found = kept._moves[h] = tuple([(n, c, bool(river[d] >> h & 1)) for d, n, c in kept.steps(h)])
        return found

    def steps(self, h: Hex) -> tuple[Priced, ...]:
        """The steps out of a hex that are allowed: direction, hex entered, price (WHOLE for the whole allowance)."""
        kept = self if self._base is None or h in self._changed else self._base
        found = kept._known.get(h)
        if found is None:
            around = [(d, n) for d, n in enumerate(self._around[h]) if n != NO_HEX]
            price = kept._price if h in kept._changed else kept._as_printed
            found = kept._known[h] = tuple([(d, n, c) for d, n in around if (c := price(h, d, n)) != NO])
        return found

    def _price(self, h: Hex, d: Direction, n: Hex) -> int:
        """What a step costs, or NO."""
        side = h * 6 + d
        if side not in self._sides:
            return self._as_printed(h, d, n)
        key = side, self.going.crossing(side)
        found = self._variants.get(key)
        if found is None:
            found = self._variants[key] = self.going.price(self.kind, h, d, n)
        return NO if isinstance(found, Refusal) else found

    def _as_printed(self, h: Hex, d: Direction, n: Hex) -> int:
        """The same as `Going.price` where nothing but what is printed has a say."""
        there, swims = self._printed[d][h], self.kind[1]
        if there < 0:
            return WHOLE if there == ALL and swims else NO
        back = self._printed[(d + 3) % 6][n]
        return NO if back == NO or (back == ALL and not swims) else there

    def step(self, h: Hex, d: Direction) -> int | Refusal:
        n = self._around[h][d]
        found = self._price(h, d, n) if n != NO_HEX else NO
        return self.going.price(self.kind, h, d, n) if found == NO else found

    def altered(self, going: Going, sides: Iterable[Hexside]) -> Prices:
        """The same but for the steps over these hexsides."""
        found = Prices(going, self.kind, self._base or self, frozenset(sides))
        found._variants = self._variants
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Prices) and (self.going, self.kind) == (other.going, other.kind)

    __hash__ = None  # type: ignore[assignment]


@fact(FOREVER)
def _printed(g: Board, kind: Kind, condition: int, strategic: bool) -> Prices:
    """The prices while every printed bridge stands and no other one: fords and weights have no say in them."""
    cls, swims, fords, heavy = kind
    base = _printed(g, (cls, swims, False, False), condition, strategic) if fords or heavy else None
    return Prices(Going(g.ground, condition, strategic), kind, base)


@fact(GOING)
def prices_with(g: Board, fords: frozenset[Hexside], kind: Kind, strategic: bool) -> Prices:
    bare = g.reads("bare_bridge") == "stream_cost"
    going = Going(g.ground, g.condition, strategic, g.broken(), dict(g.built()), fords, bare)
    changed = {*going.broken, *going.built, *fords}
    both = [s for key in changed for s in (key, g.map.grid.flip(key))]
    base = _printed(g, kind, g.condition, strategic)
    return base.altered(going, both) if both else base


def prices(g: Board, side: Side, kind: Kind, strategic: bool) -> Prices:
    """9.2 The price list of one kind of mover now."""
    return prices_with(g, fords_of(g, side), kind, strategic)


def fords_of(g: Board, side: Side) -> frozenset[Hexside]:
    """18.6 The fords a side may use: its own, and others where it controls both hexes."""
    if not g.plays("fords"):
        return frozenset()
    mine = FORD_GERMAN if side == GERMAN else FORD_SOVIET
    found = set()
    for key, state in zip(g.ground.ford_sides, g.fords, strict=True):
        h, d = divmod(key, 6)
        held = all(g.control[x] == side for x in (h, g.map.grid.neighbours[h][d]))
        if state & mine or (state & (FORD_GERMAN | FORD_SOVIET) and held):
            found.add(key)
    return frozenset(found)


def crosses_river(g: Board, a: Hex, d: Direction) -> bool:
    return bool(g.ground.river[d] >> a & 1)


@fact(GOING)
def zone_costs(g: Board, cls: int) -> tuple[int, int, int, int]:
    """10.2 Entering and leaving a ZOC, entering and leaving a ZOI."""
    rows = ("enter_zoc", "leave_zoc", "enter_zoi", "leave_zoi")
    a, b, c, d = (g.charts.terrain[r].cost[cls][g.condition] for r in rows)
    return a, b, c, d


def may_enter_terrain(g: Board, u: Unit, h: Hex) -> bool:
    """18.1.2 Partisans keep to woods and forests."""
    return g.forces.role[u] != PARTISANS or bool((g.ground.woods | g.ground.forest) >> h & 1)
