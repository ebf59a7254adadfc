"""What the program of the German in Kharkov '43 means by what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kessel.bots.kharkov43.moves import active_units, chosen_assaults
from kessel.bots.kharkov43.situation import Situation
from kessel.bots.purpose import Adviser, Aim, Battle, place_words, some_of
from kessel.core.forces import Side, Unit
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.turn.german_activation import GermanActivation

if TYPE_CHECKING:
    from kessel.bots.kharkov43.greedy import Greedy

MOST_PRIZES = 3
LEAST = 1.0
"""Steps a town must be worth now for its garrison to be spoken of."""
CONTESTED = 0.3
"""How soon the Soviets must be able to be there: within a march or two."""


class KharkovAdviser(Adviser):
    measure = "steps"

    def aims(self, program: Greedy, seen: Situation) -> list[Aim]:
        """What the counterstroke goes for; the corps with most strength near it is named."""
        g, found = seen.g, []
        for prize in seen.prizes[:MOST_PRIZES]:
            away = g.ground.distances(prize.hex)
            by: dict[str, list[Unit]] = {}
            for u in g.on_map_of(GERMAN):
                by.setdefault(g.forces.formation[u], []).append(u)
            near = {c: sum(g.strength(u) / (1 + away[g.place[u]]) for u in units) for c, units in by.items()}
            corps = max(near, key=lambda c: (near[c], c))
            words = f"is to take {place_words(g, prize.hex)}, worth {prize.value:.1f} steps"
            found.append(Aim(corps, words, prize.hex, tuple(by[corps])))
        return found

    def keeps(self, program: Greedy, seen: Situation) -> list[Aim]:
        """Towns that are held, those worth most for the time they last first."""
        g, found = seen.g, []
        for h, value in seen.posts.items():
            units = tuple(g.units_of(h, GERMAN))
            if units and value >= LEAST and seen.urgency(h) >= CONTESTED:
                share = seen.held(h, seen.strength(h))
                words = f"{'keeps' if len(units) == 1 else 'keep'} {place_words(g, h)}, which saves {share:.0%} of it"
                found.append((value, Aim(some_of([g.name(u) for u in units]), words, h, units)))
        return [a for _, a in sorted(found, key=lambda x: -x[0])]

    def planned(self, program: Greedy, seen: Situation) -> list[Battle]:
        """Attacks the active units move for."""
        g = seen.g
        if not isinstance(g.stack[-1], GermanActivation):
            return []
        found = []
        for a in chosen_assaults(seen, active_units(g)):
            units = tuple(sorted(a.places))
            found.append(Battle(a.target, units, question(g, a.target, units), a.gain, a.places))
        return found

    def made(self, g: Board, side: Side) -> Battle | None:
        p = g.stack[-1] if g.stack else None
        if not isinstance(p, GermanCombat) or p.drawn or not p.attackers or not g.units_of(p.target, SOVIET):
            return None
        return Battle(p.target, p.attackers, {**question(g, p.target, p.attackers), "tactics": list(p.tactics)})

    def odds(self, answer: Mapping[str, Any]) -> str:
        if not answer.get("prospects"):
            return ""
        p = answer["prospects"][-1]
        d = p["defender"]
        return (
            f"{answer['ratio']}, up to {p['chits']} chits; on average {p['expected']['defender_hits']:.1f} hits for "
            f"{p['expected']['attacker_hits']:.1f}, the defenders leave or die in {1 - d['holds']:.0%} of all cases"
        )


def question(g: Board, target: int, units: tuple[Unit, ...]) -> dict[str, Any]:
    return {"hex": g.hex_name(target), "units": [g.id(u) for u in units]}
