"""15.0 The Engineering Phase."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict

from kessel.core.breakdown import Refusal
from kessel.core.facts import LAST, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import BUILT, GERMAN, INTACT, IP, NO_BRIDGE, SOVIET, SPANS, Board
from kessel.games.korsun44.engineering import airfields, building, minefields, positions
from kessel.games.korsun44.engineering.bridges import (
    bridged,
    demolition_hexes,
    destroy,
    ends_of,
    not_tried,
    standing,
    why_not_destroy,
)


def _in_reach(g: Board, side: Side) -> list[Hexside]:
    """15.2.1 The hexsides with a standing bridge that a side may try to destroy."""
    state, owner = g.bridge_state, g.bridge_owner
    near = _spans_at(g, side, demolition_hexes(g, side) & bridged(g), _spans(g))
    found = [one for one in near if owner[one[1]] == side and state[one[1]] == INTACT]
    spans = g.bridges()
    return [s for s, i in not_tried(g, found) if i == spans[s][0] or i == standing(g, s)]


@fact(LAST)
def _spans_at(
    g: Board, side: Side, hexes: Bits, spans: dict[Hex, list[tuple[Hexside, int]]]
) -> list[tuple[Hexside, int]]:
    """Those at some hexes, with the number of a bridge."""
    return sorted({one for h in members(hexes) for one in spans[h]})


@fact(SPANS)
def _spans(g: Board) -> dict[Hex, list[tuple[Hexside, int]]]:
    """By hex its hexsides with a bridge, standing or not, with its number."""
    found: dict[Hex, list[tuple[Hexside, int]]] = {}
    for i, (s, state) in enumerate(zip(g.bridge_at, g.bridge_state, strict=True)):
        if s >= 0 and state != NO_BRIDGE:
            for h in ends_of(g, s):
                found.setdefault(h, []).append((s, i))
    return found


class Asked(TypedDict):
    """What a verb is asked about, and the refusal."""

    among: Callable[[Any, Board], Any]
    why_not: Callable[..., Refusal | None]


def _at_water(
    among: Callable[[Board, Side], list[tuple[Hexside, Unit]]],
    why_not: Callable[[Board, Side, Hexside, Unit], Refusal | None],
) -> Asked:
    """Work of an engineer on a stream or river beside it."""
    return {"among": lambda p, g: among(g, p.side), "why_not": lambda p, g, s, u: why_not(g, p.side, s, u)}


def _by_engineers(
    who: Side, among: Callable[[Board], list[Unit]], why_not: Callable[[Board, Side, Unit], Refusal | None]
) -> Asked:
    """Work of an engineer of one side where it stands."""
    return {
        "among": lambda p, g: among(g) if p.side == who else (),
        "why_not": lambda p, g, u: why_not(g, p.side, u),
    }


@dataclass(slots=True)
class EngineeringPhase(Procedure):
    """15.0 What was begun goes on; then engineers destroy, repair, build and dig."""

    side: int

    @auto("15.0")
    def begin(self, g: Board) -> Out:
        g.clear_flags(BUILT)
        building.go_on_building(g, self.side)
        building.repair_streams(g, self.side)
        if self.side == GERMAN:
            minefields.clear_entered(g)
            airfields.complete_airfield(g)
        else:
            minefields.drop_untended(g)
        return None

    face = Choice(
        "side", "15.3.1", "Choose the first of the three hexsides a completed minefield faces, clockwise.",
        when=lambda p, g: p.side == SOVIET and bool(minefields.unfinished(g)),
    )  # fmt: skip

    @face.verb(
        "face_mines",
        legal=lambda p, g: [(h, d) for h in minefields.unfinished(g) for d in range(6)],
        why_not=lambda p, g, h, d: p.why_not_face(g, h, d),
    )
    def face_mines(self, g: Board, h: Hex, d: int) -> Out:
        minefields.complete_mines(g, h, d)
        return AGAIN

    def why_not_face(self, g: Board, h: Hex, d: int) -> Refusal | None:
        if h in minefields.unfinished(g) and 0 <= d < 6:
            return None
        return Refusal("15.3.1", "no minefield there is to be completed, or it is no direction (0 to 5)")

    work = Choice("side", "15.0", "Give an engineer something to do, or end the Engineering Phase.", passing=None)

    @work.verb(
        "destroy", legal=lambda p, g: _in_reach(g, p.side), why_not=lambda p, g, s: why_not_destroy(g, p.side, s)
    )
    def destroy_bridge(self, g: Board, bridge: Hexside) -> Out:
        destroy(g, self.side, bridge)
        return AGAIN

    @work.verb("repair", **_at_water(building.at_broken, building.why_not_repair))
    def repair(self, g: Board, bridge: Hexside, u: Unit) -> Out:
        building.repair(g, self.side, bridge, u)
        return AGAIN

    @work.verb("build", **_at_water(building.for_builders, building.why_not_build))
    def build(self, g: Board, bridge: Hexside, u: Unit) -> Out:
        building.build(g, self.side, bridge, u)
        return AGAIN

    @work.verb("lay_bridge", **_at_water(building.for_bridgers, building.why_not_lay))
    def lay(self, g: Board, bridge: Hexside, u: Unit) -> Out:
        building.lay(g, self.side, bridge, u)
        return AGAIN

    @work.verb("take_up", **_at_water(building.for_bridgers, building.why_not_remove))
    def take_up(self, g: Board, bridge: Hexside, u: Unit) -> Out:
        building.remove(g, bridge, u)
        return AGAIN

    @work.verb("improve", **_at_water(building.for_improvers, building.why_not_improve))
    def improve(self, g: Board, bridge: Hexside, u: Unit) -> Out:
        building.improve(g, bridge, u)
        return AGAIN

    @work.verb("repair_rail", **_by_engineers(GERMAN, building.rail_menders, building.why_not_repair_rail))
    def repair_rail(self, g: Board, u: Unit) -> Out:
        building.repair_rail(g, u)
        return AGAIN

    @work.verb("dig", **_by_engineers(GERMAN, positions.diggers, positions.why_not_dig))
    def dig(self, g: Board, u: Unit) -> Out:
        positions.dig(g, u)
        return AGAIN

    @work.verb(
        "level",
        among=lambda p, g: g.works_of(IP),
        why_not=lambda p, g, h: positions.why_not_level(g, p.side, h),
    )
    def level(self, g: Board, h: Hex) -> Out:
        g.set_works(h, IP, on=False)
        g.tell(f"the improved position in {g.hex_name(h)} is given up", "15.1.3", place=g.hex_name(h))
        return AGAIN

    @work.verb(
        "lay_mines",
        among=lambda p, g: minefields.idle_layers(g) if p.side == SOVIET else (),
        why_not=lambda p, g, u: minefields.why_not_lay_mines(g, p.side, u),
    )
    def lay_mines(self, g: Board, u: Unit) -> Out:
        minefields.lay_mines(g, u)
        return AGAIN

    @work.verb("lift_mines", **_by_engineers(SOVIET, minefields.lifters, minefields.why_not_lift))
    def lift_mines(self, g: Board, u: Unit) -> Out:
        minefields.lift(g, u)
        return AGAIN

    @work.verb(
        "build_airfield",
        **_by_engineers(GERMAN, lambda g: airfields.site_builders(g, "airfield"), airfields.why_not_airfield),
    )
    def build_airfield(self, g: Board, u: Unit) -> Out:
        airfields.begin_airfield(g, u)
        return AGAIN

    @work.verb(
        "build_depot",
        among=lambda p, g: (
            [(u, w) for u in airfields.site_builders(g, "depot") for w in ("korsun", "airfield")]
            if p.side == GERMAN
            else ()
        ),
        why_not=lambda p, g, u, word: airfields.why_not_depot(g, p.side, u, word),
    )
    def build_depot(self, g: Board, u: Unit, stock: str) -> Out:
        airfields.build_depot(g, u, stock)
        return AGAIN


def engineering_phase(g: Board, side: Side) -> Procedure | None:
    return EngineeringPhase(side)
