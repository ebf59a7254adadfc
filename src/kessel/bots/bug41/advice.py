"""What the program of Across the Bug River means by what it does."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from kessel.bots.bug41.plans import Plan
from kessel.bots.purpose import Adviser, Aim, Battle
from kessel.core.forces import Side
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.attack import Attack

if TYPE_CHECKING:
    from kessel.bots.bug41.greedy import Greedy, Situation


BEFORE_THE_DICE = (Attack.prepare, Attack.taking_part, Attack.fight)


class BugAdviser(Adviser):
    measure = "strength points for each Action Point"

    def aims(self, program: Greedy, seen: Situation) -> list[Aim]:
        return [a for guard, a in self._all(program, seen) if not guard]

    def keeps(self, program: Greedy, seen: Situation) -> list[Aim]:
        return [a for guard, a in self._all(program, seen) if guard]

    def _all(self, program: Greedy, seen: Situation) -> list[tuple[bool, Aim]]:
        """Objectives as they were chosen for this turn."""
        g, found = seen.g, []
        goals = program.goals(seen)
        for f in g.formations_of(seen.side):
            units = tuple(g.of_formation(f))
            if units:
                goal = goals.of(g, f)
                place = goal.hexes[0] if len(goal.hexes) == 1 else -1
                found.append((goal.guard, Aim(g.formation_name(f), goal.words, place, units)))
        return found

    def planned(self, program: Greedy, seen: Situation) -> list[Battle]:
        plan = program.planned
        return [battle(seen.g, plan)] if plan is not None and plan.units else []

    def made(self, g: Board, side: Side) -> Battle | None:
        p = next((q for q in reversed(g.stack) if isinstance(q, Attack)), None)
        if p is None or p.side != side or p.step not in BEFORE_THE_DICE:
            return None
        return Battle(p.target, p.units, question(g, p.target, p.units, p.kind))

    def odds(self, answer: Mapping[str, Any]) -> str:
        attack, defence = answer["attack"]["total"], answer["defence"]["total"]
        hits = answer["expected"]
        return (
            f"{attack} against {defence} strength points, die {answer['modifier']['total']:+d}; on average "
            f"{hits['defender']:.1f} hits for {hits['attacker']:.1f}, the defenders must leave in "
            f"{float(Fraction(answer['must_retreat'])):.0%} of all cases"
        )


def question(g: Board, target: int, units: tuple[int, ...], kind: str) -> dict[str, Any]:
    return {"target": g.hex_name(target), "units": [g.id(u) for u in units], "kind": kind}


def battle(g: Board, plan: Plan) -> Battle:
    places = {u: h for units, h in plan.moves for u in units}
    return Battle(plan.target, plan.units, question(g, plan.target, plan.units, plan.kind), plan.rate, places)
