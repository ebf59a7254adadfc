"""12.12.3, 12.12.4 How step losses are satisfied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.procedure import DONE, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import HOLDING, Board
from kessel.games.korsun44.combat.battle import Battle, in_hex
from kessel.games.korsun44.combat.shifts import faces_armor_only
from kessel.games.korsun44.data.forces import BARRAGE
from kessel.games.korsun44.units.strength import has_star, is_attack_capable, strength, whole_of


@dataclass(slots=True)
class Loss(Procedure):
    """One step lost by one of several units; its owner chooses."""

    owner: int
    units: tuple[int, ...]
    rule: str

    @auto("12.12.2")
    def alone(self, g: Board) -> Out:
        if len(self.units) > 1:
            return None
        for u in self.units:
            lose(g, u, self.rule)
        return DONE

    pick = Choice("owner", "12.12.2", "Choose the unit that loses a step.")

    @pick.verb(
        "step_loss",
        legal=lambda p, g: p.units,
        why_not=lambda p, g, u: None if u in p.units else Refusal(p.rule, f"{g.name(u)} may not take this loss"),
    )
    def loses(self, g: Board, u: Unit) -> Out:
        lose(g, u, self.rule)
        return None


def lose(g: Board, u: Unit, rule: str) -> None:
    """A step of a unit; of an extended division's one chit (4.7.2); of a barrage unit its best component (17.1.2)."""
    if g.forces.role[u] == BARRAGE:
        _lose_component(g, u, rule)
    g.lose_step(whole_of(g, u), rule)


def _lose_component(g: Board, u: Unit, rule: str) -> None:
    held = [v for v in components(g, u) if g.box[v] == HOLDING]
    if held:
        g.eliminate(max(held, key=lambda v: (g.forces.counters[v].obs, -v)), rule)


def components(g: Board, u: Unit) -> list[Unit]:
    """22.3 The artillery units a barrage unit is made of."""
    parts = next((b.parts for b in g.charts.game.barrage.values() if b.unit == g.id(u)), ())
    return [g.forces.unit(name) for name in parts]


def strongest(g: Board, units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Those with the highest unmodified strength."""
    best = max((strength(g, u) for u in units), default=0)
    return tuple(u for u in units if strength(g, u) == best)


def attacker_pool(g: Board, b: Battle, withheld: Sequence[Unit], first: bool) -> tuple[Unit, ...]:
    """12.12.3 Who may take an attacker's loss: first the declared engineer, then the strongest infantry, then any."""
    units = [u for u in b.attackers if g.on_map(u)]
    if first and b.engineer in units and not b.cleared:
        return (b.engineer,)
    infantry = [u for u in units if _counts_as_infantry(g, b, u)]
    if first and infantry:
        return strongest(g, infantry)
    return (*units, *(u for u in withheld if g.on_map(u)))


def _counts_as_infantry(g: Board, b: Battle, u: Unit) -> bool:
    """12.12.3, switch star_loss: a star brigade that faces infantry is an infantry type unit."""
    if has_star(g, u):
        return g.reads("star_loss") == "infantry" and not faces_armor_only(g, b)
    return bool(g.forces.infantry_type[u])


def defender_pool(g: Board, b: Battle, first: bool) -> tuple[Unit, ...]:
    """12.12.4, 12.3.1 Who may take a defender's loss: firing guns, unarmed units and guests last."""
    found: list[Unit] = []
    for h in b.targets:
        units = in_hex(g, b.defenders, h)
        able = [u for u in units if is_attack_capable(g, u) and u != b.gun]
        guests = [u for u in g.of_side(h, b.enemy) if u not in b.defenders]
        found += able or units or guests
    return strongest(g, found) if first else tuple(found)
