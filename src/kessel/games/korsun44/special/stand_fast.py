"""16.1, 22.1 Stand Fast: 11th and 42nd Korps keep a continuous front until they are released."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread, within
from kessel.core.procedure import Out, Procedure, auto
from kessel.games.korsun44.board import GERMAN, Board, hexes_within


@fact(FOREVER)
def _border(g: Board) -> Bits:
    """The hexes of the German lines of 24 January that touch the Soviet ones."""
    lines = g.ground.german_lines
    return lines & spread(g.map.grid, g.ground.playable & ~lines)


@fact(FOREVER)
def _line(g: Board, scenario: str, korps: str) -> Bits:
    """22.1 The part of the line a korps holds: the hexes its units of the set-up are nearest to."""
    grid, f = g.map.grid, g.forces
    placed = [(p.hex, f.corps[p.unit]) for p in g.scenario.setup if f.side[p.unit] == GERMAN and f.corps[p.unit]]
    found = 0
    for h in members(_border(g) & g.playable):
        near = min(placed, key=lambda x: (grid.distance(h, x[0]), x[1]), default=(0, ""))
        if near[1] == korps:
            found |= 1 << h
    return found


def line_of(g: Board, korps: str) -> Bits:
    return _line(g, g.scenario.id, korps)


def must_stand(g: Board, korps: str) -> bool:
    """22.1, 16.2.5 Whether a korps is bound to its front: no release, no Korps Isolation."""
    if not g.plays("continuous_front") or g.scenario.control != "german_lines":
        return False
    return korps in g.charts.game.formations.pocket_korps and not g.released[g.commands.index(korps)]


def why_not_leave(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """22.1 Why a unit of a korps that must stand fast may not move to h: a hex of the line would be left alone."""
    if g.forces.side[u] != GERMAN:
        return None
    covered = covered_alone(g, u)
    if not covered or (h == g.place[u] and g.reads("stand_fast") == "each_unit"):
        return None
    korps = g.forces.corps[u]
    if g.reads("stand_fast") == "each_unit":
        return Refusal("22.1", f"{g.name(u)} stands on the front {g.formation(korps)} must hold")
    open_ = covered & ~hexes_within(g, h, g.charts.game.continuous_front.gap)
    if open_:
        return Refusal(
            "22.1", f"{g.name(u)} would leave the front of {g.formation(korps)} open at {g.hex_name(members(open_)[0])}"
        )
    return None


def covered_alone(g: Board, u: Unit) -> Bits:
    """22.1 The hexes of the line that nobody would cover if this German unit were not where it is."""
    korps, here = g.forces.corps[u], g.place[u]
    if not must_stand(g, korps):
        return 0
    line = line_of(g, korps)
    if g.reads("stand_fast") == "each_unit":
        return line & 1 << here
    if len(g.of_side(here, GERMAN)) > 1:
        return 0
    gap = g.charts.game.continuous_front.gap
    mine = line & hexes_within(g, here, gap)
    return mine & ~within(g.map.grid, g.hexes_of(GERMAN) ^ 1 << here, gap) if mine else 0


def keeping_the_front(g: Board, steps: Mapping[Unit, Iterable[Hex]]) -> list[tuple[Unit, Hex]]:
    """22.1 Those of the steps, by unit, that open no front."""
    if not any(must_stand(g, korps) for korps in g.charts.game.formations.pocket_korps):
        return [(u, h) for u, hexes in steps.items() for h in hexes]
    found = []
    for u, hexes in steps.items():
        bound = covered_alone(g, u)
        found += [(u, h) for h in hexes if not bound or why_not_leave(g, u, h) is None]
    return found


# --- 22.1.4 release ------------------------------------------------------------------------------------------------


def release_roll(g: Board, die: int) -> Breakdown:
    rule = g.charts.game.continuous_front
    b = Breakdown("release roll").add("die", die, "22.1")
    if g.turn > rule.first_roll:
        b.add("turns since the first roll", g.turn - rule.first_roll, "22.1")
    return b


def free(g: Board, korps: str, rule: str) -> None:
    """A korps may move and attack freely."""
    g.released[g.commands.index(korps)] = 1
    g.cache.clear()
    g.tell(f"{g.formation(korps)} need not hold a continuous front any longer", rule)


@dataclass(slots=True)
class Release(Procedure):
    """3.2.F1A A die for each korps that stands fast, or one for both (switch korps_released)."""

    @auto("22.1")
    def roll(self, g: Board) -> Out:
        rule = g.charts.game.continuous_front
        bound = [k for k in g.charts.game.formations.pocket_korps if must_stand(g, k)]
        if not bound or g.turn < rule.first_roll:
            return None
        groups = [bound] if g.reads("korps_released") == "together" else [[k] for k in bound]
        for group in groups:
            roll = release_roll(g, g.die())
            g.tell(f"{' and '.join(group)}: {roll}, {rule.free_on} is needed", "22.1")
            if roll.total >= rule.free_on:
                for korps in group:
                    free(g, korps, "22.1")
        return None


def release_segment(g: Board) -> Procedure | None:
    return Release()
