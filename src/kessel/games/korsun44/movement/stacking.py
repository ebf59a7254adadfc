"""11.0 Stacking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, fact, nearby
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, DONE, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import DISORGANIZED, GUEST, NEAREST, Board
from kessel.games.korsun44.data.charts import MOTORIZED
from kessel.games.korsun44.data.forces import BARRAGE, GERMAN, PARTISANS, REGIMENT_SIZES, SIZES, SOVIET
from kessel.games.korsun44.movement.groups import bound_units
from kessel.games.korsun44.units.strength import is_cadre, strength, whole_of

DIVISION, BRIGADE = SIZES.index("division"), SIZES.index("brigade")
REGIMENTS = tuple(SIZES.index(s) for s in REGIMENT_SIZES)


def why_not_stack(g: Board, side: Side, h: Hex, joining: Sequence[Unit] = (), *, mixed: bool = False) -> Refusal | None:
    """11.0 Why these units and those in the hex may not stand there together at the end of a phase.

    `mixed`: German divisions of one korps may (16.5.2).
    """
    return _breaks_limits(g, side, h, joining, mixed) or _apart(g, h, joining)


def _breaks_limits(g: Board, side: Side, h: Hex, joining: Sequence[Unit] = (), mixed: bool = False) -> Refusal | None:
    if g._top[h] == NO_UNIT and len(joining) < 2:
        return None
    units = g.of_side(h, side)
    if len(units) + len(joining) < 2:
        return None
    units = sorted({*units, *joining})
    most = g.charts.constants.stack_forest if g.ground.forest >> h & 1 else g.charts.constants.stack
    if len(units) > most:
        return Refusal("11.0", f"{len(units)} units would be in {g.hex_name(h)}; {most} may")
    if side == SOVIET:
        return _soviet(g, units)
    return _german(g, units, mixed)


def _apart(g: Board, h: Hex, joining: Sequence[Unit] = ()) -> Refusal | None:
    """11.0, 4.5.4, 4.5.5 Tanks that must stay with a division or brigade on the map; either half of one will do."""
    units = (*g.units(h), *joining)
    bound = bound_units(g).intersection(units)
    if not bound:
        return None
    there = {whole_of(g, u) for u in units}
    for u in bound:
        v = g.forces.stays_with[u]
        if v != NO_UNIT and v not in there and g.on_map(v):
            return Refusal("11.0", f"{g.name(u)} stays with {g.name(v)}")
    return None


def _pairs(units: Sequence[Unit]) -> list[tuple[Unit, Unit]]:
    return [(u, v) for i, u in enumerate(units) for v in units[i + 1 :]]


# --- Soviets -------------------------------------------------------------------------------------------------------


def _soviet(g: Board, units: Sequence[Unit]) -> Refusal | None:
    f, c = g.forces, g.charts.constants
    for u in units:
        if f.role[u] == PARTISANS:
            return Refusal("18.1.2", f"{g.name(u)} stacks with nobody")
        if f.role[u] == BARRAGE:
            return Refusal("17.1.2", "no other unit may stay with a barrage unit")
    if len([u for u in units if f.size[u] == DIVISION]) > c.soviet_divisions:
        return Refusal("11.0", "only one Soviet division may be in a hex")
    if len(units) > c.soviet_brigades and sum(is_brigade(g, u) for u in units) > c.soviet_brigades:
        return Refusal("11.0", "only two Soviet brigades may be in a hex")
    for u, v in _pairs(units):
        if why := why_not_together(g, u, v):
            return why
    return None


def is_division(g: Board, u: Unit) -> bool:
    """11.0, 4.7.1 A Soviet infantry or cavalry division; each hex of an extended one counts."""
    return g.forces.size[u] == DIVISION


def is_brigade(g: Board, u: Unit) -> bool:
    """11.0 A Soviet armor or motorized brigade; those of guns and engineers are none."""
    f = g.forces
    rifles = bool(f.infantry_type[u]) and f.move[u] == MOTORIZED and not f.engineer[u]
    return f.size[u] == BRIGADE and (bool(f.armor[u]) or rifles)


def why_not_together(g: Board, u: Unit, v: Unit) -> Refusal | None:
    """11.0 Why the organization of two Soviet units keeps them from stacking."""
    why = _what_parts(g, u, v)
    return Refusal("11.0", f"{g.name(u)} and {g.name(v)}{why}") if why else None


@fact(GAME)
def _what_parts(g: Board, u: Unit, v: Unit) -> str:
    """What keeps two Soviet units apart, for the end of a sentence; nothing where they may stack."""
    f = g.forces
    if g.front_of(u) != g.front_of(v):
        return " are of different Fronts"
    if f.army[u] != f.army[v] and (f.army[u] and f.army[v]):
        return " are of different armies"
    if f.army[u] != f.army[v] and not _is_front_unit(g, u, v):
        return " are not of one army"
    if f.corps[u] != f.corps[v] and f.corps[u] and f.corps[v]:
        return " are of different corps"
    own, other = _division_of(g, u), _division_of(g, v)
    if own and other and own != other:
        return " are of different divisions"
    if (own and f.corps[v] and f.corps[v] != f.corps[u]) or (other and f.corps[u] and f.corps[u] != f.corps[v]):
        return ": a division does not stack with a corps"
    return ""


def _is_front_unit(g: Board, u: Unit, v: Unit) -> bool:
    """A unit of the Front alone beside one of an army (switch front_stack); a corps of no army is none."""
    f = g.forces
    lone = u if not f.army[u] else v
    return not f.army[lone] and not f.corps[lone] and g.reads("front_stack") == "with_armies"


def _division_of(g: Board, u: Unit) -> str:
    """The division a Soviet division, regiment, extension marker or fortified-area battalion belongs to."""
    f = g.forces
    return f.division[u] or (f.ids[whole_of(g, u)] if f.type[u] == "fortified_area" else "")


# --- Germans -------------------------------------------------------------------------------------------------------


def _german(g: Board, units: Sequence[Unit], mixed: bool) -> Refusal | None:
    f = g.forces
    for u, v in _pairs(units):
        word = ""
        own, other = f.division[u], f.division[v]
        if f.army[u] and f.army[v] and f.army[u] != f.army[v]:
            word = "armees"
        elif f.corps[u] and f.corps[v] and f.corps[u] != f.corps[v]:
            word = "korps"
        elif own and other and own != other and not (mixed or is_cadre(g, u) or is_cadre(g, v)):
            word = "divisions"
        if word:
            return Refusal("11.0", f"{g.name(u)} and {g.name(v)} are of different {word}")
    most = g.charts.constants.german_regiments
    if len(units) > most and sum(is_regiment(g, u) for u in units) > most:
        return Refusal("11.0", "only two German infantry regiments may be in a hex")
    return None


def is_regiment(g: Board, u: Unit) -> bool:
    """11.0 A German infantry regiment, of whatever kind; a cadre too (switch cadre_regiment)."""
    f = g.forces
    if f.size[u] not in REGIMENTS or not f.infantry_type[u]:
        return False
    return not is_cadre(g, u) or g.reads("cadre_regiment") == "counts"


# --- 11.1.2 violations ---------------------------------------------------------------------------------------------


def overstacked(g: Board, side: Side) -> list[Hex]:
    """11.1.2, 11.2 Hexes whose units break the limits; those that retreated there are excused until they can move."""
    found = set(_overstacked(g, side))
    if side == SOVIET:
        tanks = {g.place[u] for u in bound_units(g) if g.on_map(u) and not g.status[u] & GUEST}
        found |= {h for h in tanks if _apart(g, h) and not any(g.status[u] & GUEST for u in g.of_side(h, side))}
    return sorted(found)


@nearby(NEAREST, 0, hexes=True)
def _overstacked(g: Board, side: Side, h: Hex) -> bool:
    crowd = g._under[g._top[h]] != NO_UNIT
    return crowd and bool(_breaks_limits(g, side, h)) and not any(g.status[u] & GUEST for u in g.of_side(h, side))


def too_many(g: Board, side: Side) -> str:
    """11.1.2 What the side must be told while units of it would be Disorganized at the end of the phase."""
    return " ".join(
        f"{g.hex_name(h)} is overstacked ({why.rule}: {why.reason}); unless that is mended its units are Disorganized "
        "and one loses a step at the end of the phase."
        for h in overstacked(g, side)
        if (why := why_not_stack(g, side, h))
    )


@dataclass(slots=True)
class Overstacked(Procedure):
    """11.1.2 At the end of the owner's Movement and Combat Phase overstacked units are Disorganized and lose a step."""

    about_hexes = ("target",)
    side: int
    done: tuple[int, ...] = ()
    target: int = -1

    @auto("11.1.2")
    def find(self, g: Board) -> Out:
        self.target = next((h for h in overstacked(g, self.side) if h not in self.done), -1)
        if self.target < 0:
            return DONE
        why = why_not_stack(g, self.side, self.target)
        g.tell(f"the units in {g.hex_name(self.target)} are overstacked: {why}", "11.1.2")
        for u in g.of_side(self.target, self.side):
            g.set_status(u, DISORGANIZED)
        self.done = (*self.done, self.target)
        return None

    def strongest(self, g: Board) -> list[Unit]:
        units = g.of_side(self.target, self.side)
        most = max(strength(g, u) for u in units)
        return [u for u in units if strength(g, u) == most]

    lose = Choice("side", "11.1.2", "Choose the unit that loses a step: one of the strongest.")

    @lose.verb(
        "step_loss",
        legal=lambda p, g: p.strongest(g),
        why_not=lambda p, g, u: (
            None if u in p.strongest(g) else Refusal("11.1.2", f"{g.name(u)} is not the strongest unit there")
        ),
    )
    def loss(self, g: Board, u: Unit) -> Out:
        g.lose_step(whole_of(g, u), "11.1.2")
        self.at = self.index["find"]
        return AGAIN


__all__ = ["GERMAN", "Overstacked", "is_division", "is_regiment", "overstacked", "why_not_stack", "why_not_together"]
