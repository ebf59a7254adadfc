"""13.1.2 Cutting the railroad; 18.4 what rail movement costs in supply."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.procedure import AGAIN, Out, Procedure
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import GERMAN, RAIL_CUT, RAIL_REPAIR, SOVIET, Board
from kessel.games.korsun44.data.forces import PART, UNIT
from kessel.games.korsun44.data.scenario import RailCapacity
from kessel.games.korsun44.supply.paths import road_lengths
from kessel.games.korsun44.supply.sources import designated, open_terminals

CUTTERS = ("division", "brigade")


def cuts_rail(g: Board, u: Unit) -> bool:
    """13.1.2, Q65 Divisions and brigades cut a railroad; smaller units with that reading alone."""
    if g.forces.side[u] != SOVIET or g.forces.role[u] not in (UNIT, PART):
        return False
    return g.forces.counters[u].size in CUTTERS or g.reads("regiment_cuts_rail") == "yes"


def cut_railroads(g: Board) -> None:
    """13.1.2 At the end of the Soviet Movement Phase."""
    for h in sorted({g.place[u] for u in g.on_the_map(SOVIET) if cuts_rail(g, u)}):
        if not g.ground.on_railroad >> h & 1 or g.works[h] & RAIL_CUT:
            continue
        g.set_works(h, RAIL_REPAIR, on=False)
        g.set_works(h, RAIL_CUT)
        g.tell(f"the railroad is cut in {g.place_words(h)}", "13.1.2", place=g.hex_name(h))


# --- 18.4 ----------------------------------------------------------------------------------------------------------


def beyond(g: Board, line: RailCapacity, marker: Hex) -> Bits:
    """18.4 The railroad hexes that lie behind a hex, seen from the line's source."""
    start = 1 << line.source
    return g.ground.rail_net(start) & ~g.ground.rail_net(start, 1 << marker) & ~(1 << marker)


def note_rail_capacity(g: Board, ends: Bits) -> None:
    """18.4 After rail movement to these terminals: the marker of each line by how far units have gone."""
    for i, line in enumerate(g.scenario.rail_capacity):
        two, one = beyond(g, line, line.minus_two) & ends, beyond(g, line, line.minus_one) & ends
        now = 2 if two else 1 if one else 0
        if now > g.rail_marker[i]:
            g.rail_marker[i] = now
            g.tell(f"rail movement costs {now} Supply Points beyond the marker", "18.4")
    g.cache.clear()


def clear_rail_markers(g: Board) -> None:
    """18.4 At the beginning of the next German Movement Phase the markers come off."""
    for i in range(len(g.rail_marker)):
        g.rail_marker[i] = 0
    g.cache.clear()


def sdms_beyond(g: Board, number: int) -> list[Unit]:
    """18.4 The SDMs that trace to a terminal beyond the marker of a line and have a point to lose."""
    line = g.scenario.rail_capacity[number]
    marker = line.minus_two if g.rail_marker[number] == 2 else line.minus_one
    ends = beyond(g, line, marker) & open_terminals(g)
    found = []
    for s in g.sdms(GERMAN):
        if not g.sdm_sp[s]:
            continue
        here, all_ = road_lengths(g, GERMAN, ends), road_lengths(g, GERMAN, designated(g, s))
        h = g.sdm_at[s]
        if h in here and here[h] == all_.get(h):
            found.append(s)
    return found


@dataclass(slots=True)
class RailReduction(Procedure):
    """18.4 The German player says which SDMs have fewer points."""

    side: int
    line: int = 0
    taken: int = 0

    pick = Choice(
        "side", "18.4", "Choose the SDM that loses a Supply Point to rail movement.",
        when=lambda p, g: g.plays("rail_capacity") and p.forward(g),
    )  # fmt: skip

    @pick.verb("reduce", legal=lambda p, g: p.candidates(g), why_not=lambda p, g, s: p.why_not_reduce(g, s))
    def reduce(self, g: Board, s: Unit) -> Out:
        self.line, self.taken = self.at_line(g), (self.taken if self.at_line(g) == self.line else 0) + 1
        g.set_sp(s, g.sdm_sp[s] - 1)
        g.tell(f"{g.name(s)} has a Supply Point less for rail movement", "18.4", unit=g.id(s))
        return AGAIN

    def at_line(self, g: Board) -> int:
        """The first line that still takes points."""
        for i in range(self.line, len(g.rail_marker)):
            taken = self.taken if i == self.line else 0
            if g.rail_marker[i] > taken and sdms_beyond(g, i):
                return i
        return len(g.rail_marker)

    def forward(self, g: Board) -> bool:
        return self.at_line(g) < len(g.rail_marker)

    def candidates(self, g: Board) -> list[Unit]:
        return sdms_beyond(g, self.at_line(g)) if self.forward(g) else []

    def why_not_reduce(self, g: Board, s: Unit) -> Refusal | None:
        if s in self.candidates(g):
            return None
        return Refusal("18.4", f"{g.name(s)} has no point from a terminal beyond the marker")
