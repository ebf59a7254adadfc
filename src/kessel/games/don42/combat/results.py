"""13.0 Combat results."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import DONE, Action, Call, Goto, Options, Out, Procedure, ask, auto
from kessel.core.verbs import Choice
from kessel.games.don42.board import DPT, DRG, RTD, STATUS_WORDS, Board
from kessel.games.don42.combat.advance import Advance
from kessel.games.don42.combat.retreat import WORDS, Withdraw, nearest_enemies, retreat_paths
from kessel.games.don42.data.charts import ADPT, ADRG, AE1, BRE, DE1, DRE, DRTD, NE
from kessel.games.don42.data.forces import GERMAN, C
from kessel.games.don42.supply.headquarters import eliminate, lose_step

MEANINGS = {
    AE1: ("one attacking unit is eliminated", "13.2"),
    ADPT: ("all attackers are disrupted (DPT)", "13.8"),
    ADRG: ("all attackers are disorganized (DRG)", "13.7"),
    NE: ("no effect", "13.1"),
    BRE: ("the defenders, then the attackers retreat 1 hex or lose a step", "13.4"),
    "DRE1": ("the defenders retreat 1 hex or lose a step", "13.3"),
    "DRE2": ("the defenders retreat 2 hexes or lose a step", "13.3"),
    "DRE3": ("the defenders retreat 3 hexes or lose a step", "13.3"),
    DRTD: ("the defenders rout (RTD) and retreat 3 hexes", "13.5"),
    DE1: ("one defending unit is eliminated", "13.2"),
}
"""Each result of the table in words, with its rule."""


@dataclass(slots=True)
class Results(Procedure):
    """13.0 Apply one result to attackers and defenders, then let the attacker advance."""

    attacker: Side
    defender: Side
    target: Hex
    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    result: str
    advance: int = 0
    """Hexes a tank or motorized attacker may advance (13.6.1)."""

    about_hexes = ("target",)
    about_units = ("attackers",)

    def standing(self, g: Board, units: tuple[Unit, ...]) -> list[Unit]:
        return [u for u in units if g.on_map(u)]

    @auto("13.1")
    def begin(self, g: Board) -> Out:
        """No Effect ends it; a disordered attack (13.7, 13.8) marks all attackers."""
        if self.result == NE:
            return DONE
        if self.result in (ADRG, ADPT):
            status, rule = (DRG, "13.7") if self.result == ADRG else (DPT, "13.8")
            for u in self.attackers:
                g.set_disorder(u, status)
                g.tell(f"{g.name(u)} becomes {WORDS[status]}", rule, unit=g.id(u))
            return DONE
        if self.result == AE1:
            return Goto("attacker_loses")
        if self.result == DE1:
            self.advance = g.charts.constants.elimination_advance
            return Goto("defender_loses")
        if self.result == DRTD:
            self.advance = g.charts.constants.rout_hexes
            return Goto("rout")
        self.advance = DRE.get(self.result, 1)
        return Goto("defender_answers")

    @ask("attacker", "13.2")
    def attacker_loses(self, g: Board) -> Generator[Options, Action, Out]:
        """Remove one attacking unit."""
        _, unit = yield Options(("eliminate", u) for u in self.standing(g, self.attackers))
        eliminate(g, unit, "13.2", "AE1")
        return DONE

    @ask("defender", "13.2")
    def defender_loses(self, g: Board) -> Generator[Options, Action, Out]:
        """Remove one defending unit."""
        _, unit = yield Options(("eliminate", u) for u in self.standing(g, self.defenders))
        eliminate(g, unit, "13.2", "DE1")
        return Goto("pursue")

    defender_answers = Choice("defender", "13.3.3", "Retreat, or lose a step instead.")

    def why_not_give_way(self, g: Board) -> Refusal | None:
        if retreat_paths(g, self.defender, self.target, self.advance, self._threats(g)):
            return None
        return Refusal("13.3", "there is nowhere to retreat to")

    @defender_answers.verb("give_way", why_not=why_not_give_way)
    def give_way(self, g: Board) -> Out:
        return Withdraw(self.defender, tuple(self.standing(g, self.defenders)), self.advance, self._threats(g))

    @defender_answers.verb("step_loss", legal=lambda p, g: p.standing(g, p.defenders))
    def stand(self, g: Board, u: Unit) -> Out:
        lose_step(g, u, "13.3.3", "instead of a retreat")
        self.advance = 1
        return None

    def _threats(self, g: Board) -> tuple[Hex, ...]:
        """The attackers' hexes; for a barrage the nearest enemies."""
        hexes = tuple(sorted({g.place[u] for u in self.standing(g, self.attackers)}))
        return hexes or nearest_enemies(g, self.defender, self.target)

    @auto("13.4")
    def both(self, g: Board) -> Out:
        """B RE: the attackers retreat after the defenders. Otherwise on to the advance."""
        return Goto("attacker_answers") if self.result == BRE else Goto("pursue")

    @auto("13.5")
    def rout(self, g: Board) -> Out:
        """D RTD: the defenders rout three hexes; German A and B units roll (13.5.1)."""
        units = self.standing(g, self.defenders)
        routed = [u for u in units if self._routs(g, u)]
        for u in units:
            status = RTD if u in routed else DPT
            if status > g.disorder(u):
                g.set_disorder(u, status)
            g.tell(f"{g.name(u)} becomes {WORDS[g.disorder(u)]}", "13.5", unit=g.id(u))
        return Withdraw(self.defender, tuple(units), g.charts.constants.rout_hexes, self._threats(g))

    def _routs(self, g: Board, u: Unit) -> bool:
        if self.defender != GERMAN or g.forces.quality[u] == C:
            return True
        die = g.die()
        word = g.charts.german_rout.at(die, "status")
        g.tell(f"{g.name(u)}: rout die {die}, {word}", "13.5.1", die=die, unit=g.id(u))
        return STATUS_WORDS[word] == RTD

    @auto("13.6")
    def pursue(self, g: Board) -> Out:
        """If the hex is vacant the attackers may advance."""
        if not g.occupied(self.target):
            return Advance(self.attacker, self.standing_tuple(g), self.target, self.advance)
        return None

    def standing_tuple(self, g: Board) -> tuple[Unit, ...]:
        return tuple(self.standing(g, self.attackers))

    @auto("13.6")
    def finish(self, g: Board) -> Out:
        return DONE

    attacker_answers = Choice("attacker", "13.4", "Retreat one hex, or lose a step instead.")

    @attacker_answers.verb("give_way", legal=lambda p, g: bool(p.standing(g, p.attackers)))
    def fall_back(self, g: Board) -> Out:
        return None

    @attacker_answers.verb("step_loss", legal=lambda p, g: p.standing(g, p.attackers))
    def hold(self, g: Board, u: Unit) -> Out:
        lose_step(g, u, "13.3.3", "instead of a retreat")
        return DONE

    @auto("13.4")
    def attackers_retreat(self, g: Board) -> Out:
        """The attackers of each hex retreat together, away from the defenders."""
        for u in self.standing(g, self.attackers):
            if g.map.grid.distance(g.place[u], self.target) == 1:
                stack = tuple(v for v in self.standing(g, self.attackers) if g.place[v] == g.place[u])
                self.attackers = tuple(v for v in self.attackers if v not in stack)
                threats = tuple(sorted({g.place[v] for v in self.standing(g, self.defenders)})) or (self.target,)
                return Call(Withdraw(self.attacker, stack, 1, threats), again=True)
        return DONE
