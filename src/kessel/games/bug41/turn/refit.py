"""RX-7.6 Refit, RX-7.7 Improved Defense."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits
from kessel.core.procedure import DONE, Out, Procedure, auto, into
from kessel.games.bug41.board import IMPROVED, MARKED, Board, Formation
from kessel.games.bug41.combat.checks import passes
from kessel.games.bug41.movement.move import disrupted, undisrupted
from kessel.games.bug41.turn.actions import Preparation, payable_hexes, preparation, why_not_pay


def why_not_refit(g: Board, f: Formation, h: Hex, points: int) -> Refusal | None:
    units = [u for u in g.of_formation(f, h) if g.is_disrupted(u)]
    if not units:
        return Refusal("RX-7.6", f"no Disrupted unit of {g.formation_name(f)} is in {g.hex_name(h)}")
    return why_not_pay(g, "refit", units, points)


def refitting(g: Board, f: Formation, points: int) -> Bits:
    """The hexes in which units can Refit."""
    units = disrupted(g, f)
    return bits(h for h, _ in units) & payable_hexes(g, "refit", f, points) if units else 0


def why_not_improve(g: Board, f: Formation, h: Hex, points: int) -> Refusal | None:
    units = [u for u in g.of_formation(f, h) if not g.is_disrupted(u)]
    if not units:
        rule = "PA-disruption.5" if g.of_formation(f, h) else "RX-7.7"
        return Refusal(rule, f"no undisrupted unit of {g.formation_name(f)} is in {g.hex_name(h)}")
    units = [u for u in units if not g.status[u] & IMPROVED]
    if not units:
        return Refusal("RX-7.7", f"the units in {g.hex_name(h)} are in Improved Defense")
    return why_not_pay(g, "improved_defense", units, points)


def improving(g: Board, f: Formation, points: int) -> tuple[Hex, ...]:
    """The hexes in which units can go into Improved Defense."""
    hexes = payable_hexes(g, "improved_defense", f, points)
    if not hexes:
        return ()
    found = unimproved(g, g.forces.side_of_command[f], f)
    return found if hexes == g.map.grid.all else tuple(h for h in found if hexes >> h & 1)


@fact(MARKED)
def unimproved(g: Board, side: Side, f: Formation) -> tuple[Hex, ...]:
    """The hexes with undisrupted units that are in no Improved Defense."""
    found, status = [], g.status
    for h, units in undisrupted(g, f):
        for u in units:
            if not status[u] & IMPROVED:
                found.append(h)
                break
    return tuple(sorted(found))


@dataclass(slots=True)
class Refit(Procedure):
    """RX-7.6 Every Disrupted unit of the formation in a hex checks and recovers if it passes."""

    side: int
    units: tuple[int, ...]

    about_units = ("units",)

    @auto("PA-isolation.2")
    def isolation(self, g: Board) -> Out:
        """PA-isolation.2 Isolated units check first, unless the Refit's own check is read as that one."""
        names = ", ".join(map(g.name, self.units))
        g.tell(f"{names}: Refit", "RX-7.6")
        return None if g.reads("isolated_refit") == "refit_check_alone" else preparation(g, self.side, self.units)

    taking_part = into("units", Preparation)

    @auto("RX-7.6")
    def check(self, g: Board) -> Out:
        for u in self.units:
            if passes(g, u, "to recover", "RX-7.6", shelter=True):
                g.rally(u, "RX-7.6")
        return DONE


@dataclass(slots=True)
class ImprovedDefense(Procedure):
    """RX-7.7 The undisrupted units of the formation in a hex are marked."""

    side: int
    units: tuple[int, ...]

    about_units = ("units",)

    @auto("PA-isolation.2")
    def isolation(self, g: Board) -> Out:
        return preparation(g, self.side, self.units)

    taking_part = into("units", Preparation)

    @auto("RX-7.7")
    def mark(self, g: Board) -> Out:
        for u in self.units:
            g.set_status(u, IMPROVED)
            g.tell(f"{g.name(u)} goes into Improved Defense", "RX-7.7", unit=g.id(u))
        return DONE
