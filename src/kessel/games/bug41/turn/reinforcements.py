"""RX-11 Arrivals, RX-8.4 German replacements, RX-8.5 Soviet reorganization, RX-8.6 reassignment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, product
from operator import itemgetter, ne

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, LAST, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, within
from kessel.core.procedure import AGAIN, DONE, Action, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.bug41.board import DISRUPTED, FRONT, IMPROVED, POSITION, Board, Formation
from kessel.games.bug41.data.charts import AFV, INFANTRY
from kessel.games.bug41.data.constants import Assignment
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.movement.displacement import hq_places, tether_of, why_not_hq, why_not_tethered
from kessel.games.bug41.movement.stacking import full_for, why_not_stack
from kessel.games.bug41.movement.zones import zone_of
from kessel.games.bug41.supply.command import is_commanded
from kessel.wargame.board import other

# --- arrivals --------------------------------------------------------------------------------------------------------


def is_waiting(g: Board, u: Unit) -> bool:
    """Whether a unit is to come onto the map now."""
    return g.place[u] == NOWHERE and g.due[u] <= g.turn and bool(g.forces.hq[u] or g.steps[u])


def entries_of(g: Board, u: Unit) -> Bits:
    """RX-11 The entry hex of a unit's formation; any own supply hex for who had to wait or was displaced."""
    late = not g.due[u] or g.turn - g.due[u] >= g.numbers.arrival.waits_turns
    if late:
        return g.ground.supply[g.forces.side[u]]
    return usual_entries(g, g.forces.command[u])


@fact(GAME)
def usual_entries(g: Board, f: Formation) -> Bits:
    own = g.forces.commands[f]
    return bits(g.map.grid.hex(a.entry) for a in g.scenario.arrivals if a.formation == own)


@fact(POSITION)
def arrival_area(g: Board, side: Side, entries: Bits, is_hq: bool) -> Bits:
    """The hexes near enough to the entries, without the enemy and his zones."""
    return near_entries(g, entries, is_hq) & ~zone_of(g, other(side)) & ~g.hexes_of(other(side))


@fact(GAME)
def near_entries(g: Board, entries: Bits, is_hq: bool) -> Bits:
    numbers = g.numbers.arrival
    return within(g.map.grid, entries, numbers.hq_hexes if is_hq else numbers.unit_hexes)


def why_not_place(g: Board, side: Side, u: Unit, h: Hex) -> Refusal | None:
    """RX-11 Why a unit may not arrive in a hex."""
    if g.forces.side[u] != side or not is_waiting(g, u):
        return Refusal("RX-11", f"{g.name(u)} does not arrive now")
    hq = bool(g.forces.hq[u])
    if not near_entries(g, entries_of(g, u), hq) >> h & 1:
        return Refusal("RX-11", f"{g.hex_name(h)} is too far from where {g.name(u)} enters")
    if zone_of(g, other(side)) >> h & 1 or g.hexes_of(other(side)) >> h & 1:
        return Refusal("RX-11", f"the enemy or his zone is in {g.hex_name(h)}")
    if hq:
        return why_not_hq(g, u, h) or why_not_tethered(g, u, h)
    return why_not_stack(g, side, h, (u,))


def arrivals(g: Board, side: Side) -> list[Action]:
    """To place any unit in any hex for which `why_not_place` finds nothing against it."""
    found: list[Action] = []
    forces, due = g.forces, g.due
    free: dict[tuple[int, int, int], Bits] = {}
    for u in waiting(g, side):
        if forces.hq[u]:
            area = arrival_area(g, side, entries_of(g, u), True) & hq_places(g, side)
            found += _placings(g, u, area & tether_of(g, forces.command[u]))
            continue
        key = forces.command[u], due[u], forces.stacks_as_infantry[u]
        hexes = free.get(key)
        if hexes is None:
            hexes = free[key] = arrival_area(g, side, entries_of(g, u), False) & ~full_for(g, (u,))
        found += _placings(g, u, hexes)
    return found


@fact(LAST)
def _placings(g: Board, u: Unit, hexes: Bits) -> list[Action]:
    return list(product(("place",), (u,), members(hexes)))


def waiting(g: Board, side: Side) -> list[Unit]:
    """All units of a side that are to come onto the map now."""
    off_map = compress(range(len(g.place)), map(NOWHERE.__eq__, g.place))
    sides, hq, steps, due, turn = g.forces.side, g.forces.hq, g.steps, g.due, g.turn
    return [u for u in off_map if sides[u] == side and due[u] <= turn and (hq[u] or steps[u])]


@dataclass(slots=True)
class Arrivals(Procedure):
    """RX-11 A side places all that arrives; who finds no place waits."""

    side: int

    choose = Choice("side", "RX-11", "Place the units that arrive.", every=lambda p, g: arrivals(g, p.side))

    @choose.verb("place", why_not=lambda p, g, u, h: why_not_place(g, p.side, u, h))
    def put(self, g: Board, u: Unit, h: Hex) -> Out:
        g.tell_way(u, "arrives in", (h,), "RX-11")
        g.enter(u, h)
        return AGAIN


# --- replacements ----------------------------------------------------------------------------------------------------


def replacement_price(g: Board, u: Unit) -> tuple[str, int]:
    """RX-8.4, PA-RP.two Kind and number of the points that rebuild one strength point."""
    kind, price = g.charts.types[g.forces.type[u]].replacement or ("", 0)
    if g.forces.anti_tank[u] and g.reads("at_replacements") == "one_point":
        return kind, 1
    return kind, price


def why_not_rebuild(g: Board, u: Unit, points: dict[str, int]) -> Refusal | None:
    """RX-8.4 Why a unit gets no replacements."""
    name = g.name(u)
    if g.forces.side[u] != GERMAN or g.forces.hq[u] or not g.on_map(u):
        return Refusal("RX-8.4", f"{name} is no German combat unit on the map")
    if g.steps[u] >= g.forces.full_steps[u]:
        return Refusal("RX-8.4", f"{name} has its printed strength")
    if not is_commanded(g, u):
        return Refusal("RX-8.4", f"{name} is out of command")
    if g.map.grid.near[g.place[u]] & g.hexes_of(SOVIET):
        return Refusal("RX-8.4", f"{name} is next to an enemy")
    kind, price = replacement_price(g, u)
    if price > points[kind]:
        rule = "PA-RP.two" if price > 1 else "RX-8.4"
        return Refusal(rule, f"{name} takes {price} {kind} points for a strength point; {points[kind]} are left")
    return None


def rebuildable(g: Board, side: Side, points: dict[str, int]) -> list[Unit]:
    """All units for which `why_not_rebuild` finds nothing against it."""
    steps, full = g.steps, g.forces.full_steps
    return [u for u in g.forces.combat_units(side) if steps[u] < full[u] and why_not_rebuild(g, u, points) is None]


@dataclass(slots=True)
class Replacements(Procedure):
    """PA-RP, RX-8.4 German replacement points of this turn; what is not used is lost."""

    side: int
    infantry: int
    afv: int

    def points(self) -> dict[str, int]:
        return {INFANTRY: self.infantry, AFV: self.afv}

    choose = Choice("side", "RX-8.4", "Rebuild units with replacement points, or end the replacements.", passing=DONE)

    @choose.verb(
        "rebuild",
        legal=lambda p, g: rebuildable(g, p.side, p.points()),
        why_not=lambda p, g, u: why_not_rebuild(g, u, p.points()),
    )
    def rebuild(self, g: Board, u: Unit) -> Out:
        kind, price = replacement_price(g, u)
        if kind == AFV:
            self.afv -= price
        else:
            self.infantry -= price
        g.steps[u] += 1
        g.cache.clear()
        g.tell(f"{g.name(u)} is rebuilt to {g.steps[u]}", "RX-8.4", unit=g.id(u))
        return AGAIN


# --- reorganization --------------------------------------------------------------------------------------------------


def why_not_fill(g: Board, u: Unit, used: tuple[Unit, ...]) -> Refusal | None:
    """PA-reorg, RX-8.5 Why a Soviet unit may not take in another one, which is used up."""
    if len(used) != 1:
        return Refusal("RX-8.5", "one unit is used up at a time")
    v, name = used[0], g.name(u)
    for w in (u, v):
        if g.forces.side[w] != SOVIET or g.forces.hq[w] or not g.on_map(w):
            rule = "PA-reorg.11" if g.forces.hq[w] else "RX-8.5"
            return Refusal(rule, f"{g.name(w)} is no Soviet combat unit on the map")
        if not is_commanded(g, w):
            return Refusal("RX-8.5", f"{g.name(w)} is out of command")
    if u == v or g.command[u] != g.command[v]:
        return Refusal("RX-8.5", "two units of one formation reorganize")
    if g.map.grid.distance(g.place[u], g.place[v]) > 1:
        return Refusal("RX-8.5", f"{g.name(v)} is not in the same or the next hex")
    if (g.forces.type[v], g.forces.type[u]) not in g.charts.reorganization:
        return Refusal("PA-reorg.12", f"a unit like {g.name(v)} cannot be used up for {name}")
    if g.steps[u] >= g.forces.full_steps[u]:
        return Refusal("RX-8.5", f"{name} has its printed strength")
    return None


def reorganizations(g: Board) -> list[tuple[Unit, tuple[Unit]]]:
    steps, full = g.steps, g.forces.full_steps
    weak = [u for u in g.forces.combat_units(SOVIET) if steps[u] < full[u] and g.on_map(u)]
    found = []
    for u in weak:
        near = within(g.map.grid, 1 << g.place[u], 1)
        some = sorted(v for h in members(near) for v in g.units(h))
        found += [(u, (v,)) for v in some if why_not_fill(g, u, (v,)) is None]
    return found


@dataclass(slots=True)
class Reorganization(Procedure):
    """RX-8.5 Soviet units take in others of their formation."""

    side: int

    choose = Choice("side", "RX-8.5", "Use up a unit to fill another one, or end the reorganization.", passing=DONE)

    @choose.verb("fill", legal=lambda p, g: reorganizations(g), why_not=lambda p, g, u, used: why_not_fill(g, u, used))
    def fill(self, g: Board, u: Unit, used: tuple[Unit, ...]) -> Out:
        """RX-8.5 What is above printed strength is lost without Victory Points."""
        v = used[0]
        if g.reads("reorganized_state") == "worse_of_both" and g.is_disrupted(v):
            g.set_status(u, DISRUPTED)
            g.set_status(u, IMPROVED, on=False)
        g.steps[u] = min(g.forces.full_steps[u], g.steps[u] + g.steps[v])
        g.steps[v] = 0
        g.take_off(v)
        g.tell(f"{g.name(v)} is used up; {g.name(u)} has {g.steps[u]} strength points", "RX-8.5", unit=g.id(u))
        return AGAIN


# --- reassignment ----------------------------------------------------------------------------------------------------


@fact(FRONT)
def strays(g: Board) -> tuple[Unit, ...]:
    """The units that are not with their own formation."""
    return tuple(compress(range(len(g.command)), map(ne, g.command, g.forces.command)))


def lent(g: Board) -> list[int]:
    """How many units are with another formation by each line of the aid."""
    found, lines = [0] * len(g.charts.assignments), lines_of(g)
    for u in strays(g):
        line = lines[u].get(g.command[u])
        if line is not None and (g.on_map(u) or is_waiting(g, u)):
            found[line] += 1
    return found


@fact(GAME)
def lines_of(g: Board) -> list[dict[Formation, int]]:
    """By unit: the formations it may be lent to, and the line of the aid that allows it."""
    names, found = g.forces.commands, []
    for u, home in enumerate(g.forces.command):
        own: dict[Formation, int] = {}
        for n, a in enumerate(g.charts.assignments):
            if names[home] in a.lenders and fits_assignment(g, a, u):
                own |= {f: n for f, name in enumerate(names) if name in a.receivers and f != home and f not in own}
        found.append(own)
    return found


def fits_assignment(g: Board, a: Assignment, u: Unit) -> bool:
    if a.units == INFANTRY:
        return bool(g.forces.stacks_as_infantry[u])
    return g.forces.type[u] == a.units


def why_not_attach(g: Board, side: Side, u: Unit, word: str, done: tuple[Unit, ...] = ()) -> Refusal | None:
    """PA-assign, RX-8.6 Why a unit may not be put under a formation, or returned to its own."""
    names = g.forces.commands
    if g.forces.side[u] != side or g.forces.hq[u] or not g.on_map(u):
        return Refusal("RX-8.6", f"{g.name(u)} is no combat unit of yours on the map")
    if u in done:
        return Refusal("RX-8.6", f"{g.name(u)} has been reassigned in this segment")
    own = names[g.forces.command[u]]
    if word not in names or names[g.command[u]] == word:
        return Refusal("RX-8.6", f"{g.name(u)} cannot go to {word}")
    f = names.index(word)
    if g.forces.hq_of[f] < 0:
        return Refusal("RX-8.6", f"{word} is not in this scenario")
    if word == own:
        return None
    if g.command[u] != g.forces.command[u]:
        return Refusal("RX-8.6", f"{g.name(u)} must first return to {own}")
    line = lines_of(g)[u].get(f)
    if line is None:
        return Refusal("RX-8.6", f"{own} may not lend {g.name(u)} to {word}")
    a = g.charts.assignments[line]
    if lent(g)[line] >= a.most:
        return Refusal(a.rule, f"{a.most} such units of {' or '.join(a.lenders)} may be lent, and are")
    return None


@fact(GAME)
def lendable(g: Board, side: Side) -> tuple[tuple[Unit, tuple[tuple[Unit, str], ...], tuple[int, ...]], ...]:
    """The units of a side that may be lent, each with the formations of this scenario it may go to and their lines."""
    names, hqs = g.forces.commands, g.forces.hq_of
    found = []
    for u in g.forces.combat_units(side):
        ways = sorted((f, line) for f, line in lines_of(g)[u].items() if hqs[f] >= 0)
        if ways:
            found.append((u, tuple((u, names[f]) for f, _ in ways), tuple(line for _, line in ways)))
    return tuple(found)


@fact(GAME)
def offers(g: Board, side: Side, full: frozenset[int]) -> list[tuple[Unit, Sequence[tuple[Unit, str]]]]:
    """The same while by some lines as many are lent as may be."""
    return [
        (u, ways if full.isdisjoint(lines) else [w for w, n in zip(ways, lines, strict=True) if n not in full])
        for u, ways, lines in lendable(g, side)
    ]


def attachments(g: Board, side: Side, done: tuple[Unit, ...] = ()) -> list[tuple[Unit, str]]:
    """All units and formations for which `why_not_attach` finds nothing against it."""
    forces, place, away = g.forces, g.place, strays(g)
    full = frozenset([line for line, n in enumerate(lent(g)) if n >= g.charts.assignments[line].most])
    found: list[tuple[Unit, str]] = []
    for u, ways in offers(g, side, full):
        if place[u] != NOWHERE and u not in done and u not in away:
            found += ways
    for u in away:
        home = forces.command[u]
        if forces.side[u] == side and place[u] != NOWHERE and u not in done and forces.hq_of[home] >= 0:
            found.append((u, forces.commands[home]))
    return sorted(found, key=itemgetter(0)) if away else found


@dataclass(slots=True)
class Reassignment(Procedure):
    """RX-8.6 A side lends units to formations, or takes them back."""

    side: int
    done: tuple[int, ...] = ()

    choose = Choice("side", "RX-8.6", "Put a unit under another formation, or end the reassignment.", passing=DONE)

    @choose.verb(
        "attach",
        legal=lambda p, g: attachments(g, p.side, p.done),
        why_not=lambda p, g, u, word: why_not_attach(g, p.side, u, word, p.done),
    )
    def attach(self, g: Board, u: Unit, word: str) -> Out:
        self.done = (*self.done, u)
        f: Formation = g.forces.commands.index(word)
        g.assign(u, f)
        g.tell(f"{g.name(u)} goes to {g.formation_name(f)}", "RX-8.6", unit=g.id(u))
        return AGAIN


# --- the segment -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Reinforcement(Procedure):
    """RX-SOP The Reinforcement segment in its order."""

    @auto("RX-11")
    def german_arrivals(self, g: Board) -> Out:
        return Arrivals(GERMAN)

    @auto("RX-11")
    def soviet_arrivals(self, g: Board) -> Out:
        return Arrivals(SOVIET)

    @auto("PA-RP.turns")
    def replacements(self, g: Board) -> Out:
        points = g.charts.replacements.get(g.turn)
        return Replacements(GERMAN, points[INFANTRY], points[AFV]) if points else None

    @auto("RX-8.5")
    def reorganization(self, g: Board) -> Out:
        return Reorganization(SOVIET)

    @auto("RX-8.6")
    def german_reassignment(self, g: Board) -> Out:
        return Reassignment(GERMAN)

    @auto("RX-8.6")
    def soviet_reassignment(self, g: Board) -> Out:
        return Reassignment(SOVIET)
