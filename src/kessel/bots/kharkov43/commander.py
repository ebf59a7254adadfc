"""The German who plays by orders for an impulse, and knows which turn is the last.

Without orders he plays as `greedy` does until then. On it nothing is saved: regiments, cards and supply are of no use
afterwards, while every town counts (18.35), Kharkov most of all, and whoever stands in the way to it is driven off.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from kessel.bots.kharkov43.advice import KharkovAdviser
from kessel.bots.kharkov43.greedy import Greedy
from kessel.bots.kharkov43.moves import Goal, active_units, chosen_assaults
from kessel.bots.kharkov43.situation import Situation
from kessel.bots.kharkov43.weights import WEIGHTS
from kessel.bots.program import on
from kessel.bots.purpose import Aim, place_words
from kessel.bots.weights import Changes
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import PASS, Action, Options
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.data.forces import CORPS, SOVIET
from kessel.games.kharkov43.turn.german_activation import ActivateCorps, ActivateKampfgruppe, GermanActivation
from kessel.games.kharkov43.turn.german_cards import COMMANDS, GermanImpulse
from kessel.games.kharkov43.turn.victory import is_kharkov

EXACT = 0.1
"""What an attack is worth more by the exact chances than by the first estimate."""
GOOD_ODDS = 3.0
"""From which odds on all chits are drawn in a hurry."""
IN_THE_WAY = 8
"""From how far a Soviet stack is in the way to Kharkov."""
FINISH = replace(
    WEIGHTS,
    opens_way=2.0,
    vacated=0.6,
    kharkov=3.0,
    siege=0.6,
    worth_attacking=0.3,
    step=0.2,
    card=0.1,
    replacement=0.0,
    reserve_point=0.1,
    exposed=0.0,
    unsafe=0.0,
    cut_off=0.3,
    gives_way=6.0,
)


def is_last(g: Board) -> bool:
    """Whether the points of this game-turn are those that count in the end."""
    return g.scenario is not None and g.turn == g.scenario.last_turn


class Finish(Situation):
    """The board as it is seen on the last turn."""

    @cached_property
    def boldness(self) -> float:
        return 1.0

    @cached_property
    def goal(self) -> Hex | None:
        """Kharkov, if it must be retaken."""
        g = self.g
        return next((h for h in members(g.towns_of(SOVIET)) if is_kharkov(g, h)), None)

    def hex_value(self, h: Hex) -> float:
        found = super().hex_value(h)
        if self.goal is None:
            return found
        away = max(0, self.g.ground.distances(self.goal)[h] - 1)
        return found + self.w.opens_way * max(0.0, 1 - away / IN_THE_WAY)


class CommanderAdviser(KharkovAdviser):
    def aims(self, program: Greedy, seen: Situation) -> list[Aim]:
        found = super().aims(program, seen)
        if not isinstance(seen, Finish):
            return found
        g = seen.g
        words = f"save nothing on the last turn; the Soviets have {g.vp} points as they stand"
        if seen.goal is not None:
            words += f", and {place_words(g, seen.goal)} comes first"
        return [Aim("all corps", words, -1 if seen.goal is None else seen.goal), *found]


class Commander(Greedy):
    adviser = CommanderAdviser()

    def look(self, g: Any, side: int) -> Situation:
        return Finish(g, self.tuned(FINISH)) if is_last(g) else super().look(g, side)

    @on(GermanImpulse.play)
    def play_as_ordered(self, s: Situation, p: Any, found: Options) -> Action:
        if s.w.play >= 0:
            action = ("play", s.g.charts.cards[s.w.play].id, COMMANDS[s.w.command])
            if found.allows(action):
                return self.say(action, "it is the plan")
        return self.play_card(s, p, found)

    @on(ActivateCorps.which)
    def choose_ordered_corps(self, s: Situation, p: Any, found: Options) -> Action:
        if s.w.corps >= 0 and found.allows(("corps", CORPS[s.w.corps])):
            return self.say(("corps", CORPS[s.w.corps]), "it is the plan")
        return self.choose_corps(s, p, found)

    @on(ActivateKampfgruppe.where)
    def gather_as_ordered(self, s: Situation, p: Any, found: Options) -> Action:
        if s.w.place >= 0 and found.allows(("kg", s.w.place)):
            return self.say(("kg", s.w.place), "it is the plan")
        return self.gather(s, p, found)


class Quick(Commander):
    """The same in a hurry, for looking ahead: first estimates instead of exact chances, no card for a tactic, and no
    second look at a unit for which no better place was found."""

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self._settled: set[Unit] = set()

    @on(GermanImpulse.play)
    def play_anew(self, s: Situation, p: Any, found: Options) -> Action:
        self._settled.clear()
        return self.play_as_ordered(s, p, found)

    def better_place(self, s: Situation, u: Unit) -> Goal | None:
        found = None if u in self._settled else super().better_place(s, u)
        if found is None:
            self._settled.add(u)
        return found

    @on(GermanActivation.attack)
    def attack_at_once(self, s: Situation, p: Any, found: Options) -> Action:
        for a in chosen_assaults(s, active_units(s.g), least=s.w.worth_it - EXACT):
            if found.allows(("attack", a.target)):
                return self.say(("attack", a.target), "it promises enough")
        return self.say(PASS, "nothing promises enough")

    @on(GermanCombat.german_tactics, SovietCombat.german_tactics)
    def keep_cards(self, s: Situation, p: Any, found: Options) -> Action:
        return self.say(PASS, "cards are kept")

    @on(GermanCombat.declared_draws)
    def draw_by_odds(self, s: Situation, p: Any, found: Options) -> Action:
        ours, theirs = (sum(s.g.strength(u) for u in units) for units in (p.attackers, p.defenders))
        number = max if ours >= GOOD_ODDS * theirs else min
        return self.say(number(found, key=lambda a: a[1]), "by the odds")
