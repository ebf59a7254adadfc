"""What the program of The Jaws of Victory means by what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kessel.bots.korsun44.situation import Situation
from kessel.bots.purpose import Adviser, Aim, Battle, some_of
from kessel.core.forces import Side, Unit
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, stack_at
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.phase import Declaration, Resolution
from kessel.games.korsun44.units.strength import is_attack_capable

if TYPE_CHECKING:
    from kessel.bots.korsun44.greedy import Greedy


class KorsunAdviser(Adviser):
    measure = "steps"

    def aims(self, program: Greedy, seen: Situation) -> list[Aim]:
        return self._tasks(seen, attack=True)

    def keeps(self, program: Greedy, seen: Situation) -> list[Aim]:
        return self._tasks(seen, attack=False)

    def _tasks(self, s: Situation, *, attack: bool) -> list[Aim]:
        """The tasks of formations that have units which can attack, strongest first."""
        g = s.g
        by: dict[tuple[int, str], list[Unit]] = {}
        for u in g.on_the_map(s.side):
            task = s.task(u)
            if task.goal >= 0 and task.attack == attack and is_attack_capable(g, u):
                by.setdefault((task.goal, task.words), []).append(u)
        found = []
        for (goal, words), units in by.items():
            who, _, what = words.partition(" ")
            words = f"{what} with {some_of([g.name(u) for u in units])}"
            found.append((s.power(units), Aim(who, words, goal, tuple(units))))
        return [a for _, a in sorted(found, key=lambda x: -x[0])]

    def planned(self, program: Greedy, seen: Situation) -> list[Battle]:
        """Attacks for which units move, or which are declared."""
        g, p = seen.g, seen.g.stack[-1]
        if isinstance(p, Declaration | Resolution):
            return [
                Battle(a.target, units, question(g, a.target, units), a.value)
                for a in program.shared
                if (units := tuple(u for h in a.stacks for u in stack_at(g, h, seen.side, p.segment, (a.target,))))
            ]
        found = []
        for a in program.planned_attacks(seen):
            places = {u: h for group, h in a.moves.items() for u in group}
            units = tuple(u for u in sorted(places) if is_attack_capable(g, u))
            found.append(Battle(a.target, units, question(g, a.target, units), a.value, places))
        return found

    def made(self, g: Board, side: Side) -> Battle | None:
        p = g.stack[-1] if g.stack else None
        if not isinstance(p, Combat) or p.side != side or p.result or not p.attackers or not p.targets:
            return None
        if p.segment != COMBAT_SEGMENT:
            return None
        ask = question(g, p.targets[0], p.attackers)
        ask["also"] = [g.hex_name(h) for h in p.targets[1:]]
        return Battle(p.targets[0], p.attackers, ask)

    def odds(self, answer: Mapping[str, Any]) -> str:
        if "expected" not in answer:
            return ""
        e = answer["expected"]
        return (
            f"{answer['odds']} before guns and aircraft, shifted by {answer['shifts']['total']:+d}; on average "
            f"{e['defender_steps']:.1f} steps for {e['attacker_steps']:.1f}, the defenders go back in "
            f"{e['defender_retreats']:.0%} of all cases"
        )


def question(g: Board, target: int, units: Sequence[Unit]) -> dict[str, Any]:
    return {"target": g.hex_name(target), "units": [g.id(u) for u in units]}
