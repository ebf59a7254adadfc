"""8.0 German Defensive Position Phase; 19.4 pontoon bridges are built in it too."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, union
from kessel.core.procedure import AGAIN, DONE, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.don42.board import ATTACK, DISORDER, HASTY, NO_POSITION, ORDER, POSITION_WORDS, PREPARED, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, NO_COMMAND
from kessel.games.don42.movement.pontoons import (
    emplace,
    pontoon_sites,
    repair,
    repair_sites,
    why_not_pontoon,
    why_not_repair,
)
from kessel.games.don42.movement.zones import open_hexes
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.airlift import giver, holders, pay, payer
from kessel.games.don42.supply.supply import corps_hqs, is_isolated

DUG = re.compile(rb"[^\0]")
RULES = {HASTY: "8.1", PREPARED: "8.2"}


def position_shift(g: Board, h: Hex) -> int:
    """12.5.3 Columns to the left for Germans defending there: one Hasty, two Prepared."""
    return g.position[h]


def near_corps_hq(g: Board, corps: int, wanted: Bits) -> Bits:
    """8.1 Those of the wanted hexes within 10 MPs of the Corps HQ (switch radius)."""
    open_ = open_hexes(g, GERMAN) if g.reads("radius") == "open_line" else g.map.grid.all
    limit = g.charts.constants.position_radius * POINT
    reaching, bit = g.crossings.reaching, g.ground.bit
    return union(reaching("german", g.weather, bit[g.place[hq]], limit, open_, wanted) for hq in corps_hqs(g, corps))


def why_not_digger(g: Board, u: Unit) -> Refusal | None:
    """8.1, 8.1.1, 8.2, 8.2.1 Why a unit cannot create or upgrade a position; None if it can."""
    if g.disorder(u):
        return Refusal("8.1.1", f"{g.name(u)} is DRG, DPT or RTD")
    hqs = corps_hqs(g, g.command[u])
    if not hqs or all(g.disorder(hq) for hq in hqs):
        return Refusal("8.1.1", f"the Corps HQ of {g.name(u)} is in disorder or not on the map")
    if not near_corps_hq(g, g.command[u], 1 << g.place[u]):
        return Refusal("8.1", f"{g.name(u)} is more than {g.charts.constants.position_radius} MPs from its Corps HQ")
    if g.supply[u] != ATTACK:
        if is_isolated(g, u) and payer(g, u) is not None:
            return None
        return Refusal("8.1.1", f"{g.name(u)} is out of supply")
    return None


def why_not_dig(g: Board, h: Hex, done: tuple[Hex, ...]) -> Refusal | None:
    """Why the position in a hex cannot be improved now."""
    units = [u for u in g.units(h) if g.forces.side[u] == GERMAN]
    if not units:
        return Refusal("8.0", "only German units create positions")
    if h in done:
        return Refusal("8.2", "one step per hex and turn")
    if g.position[h] == PREPARED:
        return Refusal("8.3", "the hex holds a Prepared Position already")
    if g.position[h] == NO_POSITION and not markers_left(g):
        return Refusal("8.3", "no position marker is left")
    reasons = [why_not_digger(g, u) for u in units]
    return None if None in reasons else reasons[0]


def sites(g: Board, done: tuple[Hex, ...]) -> list[Hex]:
    """All hexes whose position can be improved now; the same answer as `why_not_dig` for each, found quickly."""
    position, new = g.position, markers_left(g) > 0
    able = _able_to_dig(g, bytes(g.supply), holders(g), g.track("contact"))
    return [h for h in able if position[h] != PREPARED and (new or position[h]) and h not in done]


@fact(ORDER)
def _able_to_dig(g: Board, supply: bytes, holding: tuple[Unit, ...], contact: int) -> list[Hex]:
    """The hexes of units that can create or upgrade a position where markers allow it."""
    command, place = g.command, g.place
    corps_hq, division_hq = g.forces.command_hq, g.forces.division_hq
    by_corps: dict[int, list[Unit]] = {}
    for u in g.units_on_map(GERMAN):
        c = command[u]
        if c == NO_COMMAND or g.status[u] & DISORDER:
            continue
        if supply[u] == ATTACK or corps_hq[c] in holding or division_hq[u] in holding:
            by_corps.setdefault(c, []).append(u)
    found: set[Hex] = set()
    for corps, units in by_corps.items():
        if all(g.disorder(hq) for hq in corps_hqs(g, corps)):
            continue
        near = near_corps_hq(g, corps, bits(place[u] for u in units))
        for u in units:
            if place[u] in found or not near >> place[u] & 1:
                continue
            if supply[u] == ATTACK or (giver(g, u, holding) is not None and is_isolated(g, u)):
                found.add(place[u])
    return sorted(found)


def markers_left(g: Board) -> int:
    """8.3 The countermix limits the markers (not in scenario 2, 17.2.3)."""
    if g.scenario.says("unlimited_positions"):
        return 999
    return g.charts.position_markers - len(g.position) + g.position.count(NO_POSITION)


def dig(g: Board, h: Hex) -> None:
    """Create a Hasty Position, or upgrade it to a Prepared one; a cut-off unit pays 1 SP (4.4.3)."""
    diggers = [u for u in g.units(h) if why_not_digger(g, u) is None]
    if all(g.supply[u] != ATTACK for u in diggers):
        pay(g, diggers[0], "builds a position")
    g.position[h] += 1
    word = POSITION_WORDS[g.position[h]].capitalize()
    g.touched()
    g.tell(f"{word} Position in {g.hex_name(h)}", RULES[g.position[h]], hex=g.hex_name(h))


def remove_vacated(g: Board) -> None:
    """8.1, 8.2 Positions stay only while a German unit is there at the end of the German Movement Phase."""
    germans = g.hexes_of(GERMAN)
    for found in list(DUG.finditer(g.position)):
        h = found.start()
        if not germans >> h & 1:
            kind, g.position[h] = g.position[h], NO_POSITION
            g.touched()
            g.tell(f"the empty position in {g.hex_name(h)} is removed", RULES[kind], hex=g.hex_name(h))


@dataclass(slots=True)
class PositionPhase(Procedure):
    """5.0 phase 3."""

    side: Side = GERMAN
    dug: tuple[Hex, ...] = ()
    """Hexes whose position was improved in this phase."""
    mended: tuple[Hexside, ...] = ()
    """Bridges whose repair was tried in this phase."""

    @auto("8.0")
    def check(self, g: Board) -> Out:
        supply.check(g, GERMAN, "8.0")
        return None

    build = Choice(
        "side",
        "8.0",
        "Create or upgrade a position, build or repair a bridge, or end the Position Phase.",
        passing=DONE,
    )

    @build.verb("entrench", legal=lambda p, g: sites(g, p.dug), why_not=lambda p, g, h: why_not_dig(g, h, p.dug))
    def entrench(self, g: Board, h: Hex) -> Out:
        dig(g, h)
        self.dug = (*self.dug, h)
        return AGAIN

    def why_not_span(self, g: Board, side: Hexside) -> Refusal | None:
        return why_not_pontoon(g, side) or (None if side in pontoon_sites(g) else NOT_NOW)

    @build.verb("pontoon", legal=lambda p, g: pontoon_sites(g), why_not=why_not_span)
    def span(self, g: Board, side: Hexside) -> Out:
        emplace(g, side)
        return AGAIN

    def why_not_mend(self, g: Board, side: Hexside) -> Refusal | None:
        if side in self.mended:
            return Refusal("19.4.5", "this bridge's repair has been tried in this phase")
        return why_not_repair(g, side)

    @build.verb("repair", legal=lambda p, g: [s for s in repair_sites(g) if s not in p.mended], why_not=why_not_mend)
    def mend(self, g: Board, side: Hexside) -> Out:
        repair(g, side)
        self.mended = (*self.mended, side)
        return AGAIN
