"""The player: for every question of the game one way to answer it."""

from __future__ import annotations

from functools import partial
from typing import Any

from kessel.bots.kharkov43 import fights
from kessel.bots.kharkov43.advice import KharkovAdviser
from kessel.bots.kharkov43.cards import Hand, event_order, event_target
from kessel.bots.kharkov43.moves import Goal, active_units, best_move, better_places, chosen_assaults
from kessel.bots.kharkov43.situation import Situation, worth
from kessel.bots.kharkov43.weights import WEIGHTS, Weights
from kessel.bots.program import Program, on
from kessel.bots.purpose import Weighed, place_words
from kessel.core.forces import Unit
from kessel.core.procedure import PASS, Action, Options
from kessel.games.kharkov43.board import DISPERSED, MOVED
from kessel.games.kharkov43.combat.battle import battle_of
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.combat.odds import prospect
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.movement.movement import REGULAR, why_not_move
from kessel.games.kharkov43.sequence import SupplyPhase
from kessel.games.kharkov43.turn.events import PlayEvent
from kessel.games.kharkov43.turn.german_activation import (
    ActivateCorps,
    ActivateKampfgruppe,
    ActivateOneUnit,
    GermanActivation,
    corps_units,
)
from kessel.games.kharkov43.turn.german_cards import AssignReplacements, DeployCommand, GermanImpulse
from kessel.games.kharkov43.turn.german_reserves import DeployReserves


class Greedy(Program[Situation]):
    """Nothing is remembered from one decision to the next: a new player goes on where another stopped."""

    numbers = Weights
    adviser = KharkovAdviser()

    def look(self, g: Any, side: int) -> Situation:
        return Situation(g, self.tuned(WEIGHTS))

    # --- cards -------------------------------------------------------------------------------------------------------

    @on(GermanImpulse.play)
    def play_card(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        plays = [a for a in found if a[0] == "play"]
        if not plays:
            return self.say(PASS, "the last card is kept")
        best, value, why = plays[0], -1.0, ""
        weighed: list[Weighed] = []
        self.weighed = lambda: weighed
        for a in plays:
            v, reason = hand.value(a)
            v -= 0.25 * fights.card_cost(s, a[1])
            weighed.append(Weighed(v, f"{a[1]} to {a[2].replace('_', ' ')}, {reason}", a))
            if v > value:
                best, value, why = a, v, reason
        return self.say(best, why)

    @on(ActivateCorps.which)
    def choose_corps(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        best = max(found, key=lambda a: (hand.activation(corps_units(s.g, a[1])), a[1]))
        return self.say(best, f"{best[1]} has most to do")

    @on(ActivateKampfgruppe.where)
    def gather(self, s: Situation, p: Any, found: Options) -> Action:
        _, h = Hand(s).kampfgruppe(s.g.charts.cards[p.card])
        return self.say(("kg", h), "here are the units that have most to do")

    @on(ActivateOneUnit.which)
    def choose_unit(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        best = max(found, key=lambda a: (hand.gain(a[1]), -a[1]))
        return self.say(best, f"{s.g.name(best[1])} is out of place")

    @on(DeployCommand.which)
    def choose_reserves(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        best = max(found, key=lambda a: (hand.reserves(a[1]), a[1]))
        return self.say(best, f"{best[1]} has the strongest reserves")

    @on(DeployReserves.place)
    def deploy(self, s: Situation, p: Any, found: Options) -> Action:
        places = [a for a in found if a[0] == "deploy"]
        first = max((a[1] for a in places), key=lambda u: (s.g.strength(u), -u))
        mine = [a for a in places if a[1] == first]
        best = max(mine, key=lambda a: (s.score(first, a[2]), -a[2]))
        return self.say(best, f"{s.g.name(first)} is needed near {s.g.ground.name(best[2])}")

    @on(AssignReplacements.assign)
    def replace(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g

        def gain(a: Action) -> tuple[float, int]:
            u = a[1]
            more = g.forces.strength[u][g.steps[u] + 1] - g.strength(u) if g.on_map(u) else 1
            return (more + (0.5 if g.on_map(u) else 0.0), -u)

        best = max(found, key=gain)
        return self.say(best, f"{g.name(best[1])} gains most by a step")

    @on(PlayEvent.which)
    def choose_event(self, s: Situation, p: Any, found: Options) -> Action:
        names = [a[1] for a in found]
        return self.say(("event", event_order(s, names, s.g.charts.cards[p.card].formation)), "it helps most")

    @on(PlayEvent.target)
    def aim_event(self, s: Situation, p: Any, found: Options) -> Action:
        return self.say(event_target(s, p.event, list(found)), "here it matters most")

    # --- movement ----------------------------------------------------------------------------------------------------

    @on(GermanActivation.move)
    def move(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g
        units = [u for u in active_units(g) if not g.status[u] & (MOVED | DISPERSED)]
        busy: set[Unit] = set()
        for a in chosen_assaults(s, active_units(g)):
            busy |= a.places.keys()
            for u, h in a.places.items():
                if u in units and g.place[u] != h and why_not_move(g, u, h, REGULAR) is None:
                    return self.say(("move", u, h), f"to attack {g.ground.name(a.target)}")
        for u in sorted(set(units) - busy, key=lambda u: (-g.strength(u), u)):
            goal = self.better_place(s, u)
            if goal is not None:
                held = "to hold" if goal.hex in s.posts else "a better place is"
                self.weighed = partial(self._places_weighed, s, u)
                return self.say(goal.action, f"{held} {place_words(g, goal.hex)}")
        return self.say(PASS, "everybody is in place")

    def better_place(self, s: Situation, u: Unit) -> Goal | None:
        return best_move(s, u)

    def _places_weighed(self, s: Situation, u: Unit) -> list[Weighed]:
        """Where the unit could go, and where it stands."""
        stay = Weighed(0.0, f"stay in {place_words(s.g, s.g.place[u])}", PASS)
        return [stay] + [
            Weighed(x.gain, f"{s.g.name(u)} to {place_words(s.g, x.hex)}", x.action) for x in better_places(s, u)
        ]

    @on(GermanActivation.unstack)
    def unstack(self, s: Situation, p: Any, found: Options) -> Action:
        return self.say(("lose", fights.least_loss(s.g, [a[1] for a in found])), "it can best be spared")

    @on(GermanActivation.dig_in)
    def dig_in(self, s: Situation, p: Any, found: Options) -> Action:
        hexes = [a for a in found if a[0] == "dig"]
        best = max(hexes, key=lambda a: (s.pressure(a[1]), -a[1]))
        if not s.pressure(best[1]):
            return self.say(PASS, "no enemy is near")
        return self.say(best, "the enemy is near")

    # --- German attacks ----------------------------------------------------------------------------------------------

    @on(GermanActivation.attack)
    def attack(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g
        weighed = [Weighed(s.w.worth_it, "stop attacking", PASS)]
        self.weighed = lambda: weighed
        for a in chosen_assaults(s, active_units(g), least=s.w.barely):
            b = battle_of(g, GERMAN, a.target, sorted(a.places), p.card)
            chits, value = fights.best_draw(s, b)
            weighed.append(Weighed(value, f"attack {place_words(g, a.target)}", ("attack", a.target)))
            if value > s.w.worth_it and found.allows(("attack", a.target)):
                return self.say(("attack", a.target), f"{chits} chits promise {value:.1f} steps")
        return self.say(PASS, "no attack is worth its losses")

    @on(GermanCombat.choose_attackers)
    def choose_attackers(self, s: Situation, p: Any, found: Options) -> Action | None:
        for a in chosen_assaults(s, active_units(s.g), least=s.w.barely):
            if a.target == p.target:
                for u in p.attackers:
                    if u not in a.places and found.allows(("without", u)):
                        return self.say(("without", u), "it is not needed here")
                break
        return self.say(PASS, "with all that are needed") if PASS in found.plain() else None

    @on(GermanCombat.german_tactics, SovietCombat.german_tactics)
    def use_tactic(self, s: Situation, p: Any, found: Options) -> Action:
        best, gain = fights.best_tactic(s, p, [a for a in found if a[0] == "tactic"])
        if best is None:
            return self.say(PASS, "no tactic is worth a card")
        return self.say(best, f"it is worth {gain:.1f} steps more than the card")

    @on(GermanCombat.bring_in, SovietCombat.bring_in)
    def bring_in(self, s: Situation, p: Any, found: Options) -> Action:
        u, h = fights.best_join(s, [(a[1], a[2]) for a in found if a[0] == "join"])
        return self.say(("join", u, h), "it can be spared where it is")

    @on(GermanCombat.declared_draws)
    def draw(self, s: Situation, p: Any, found: Options) -> Action:
        best = max(found, key=lambda a: (fights.attack_value(s, p, prospect(s.g, p, a[1])), -a[1]))
        return self.say(best, "more chits would cost more than they bring" if not best[1] else "the odds are good")

    @on(GermanCombat.take_hits)
    def take_hits(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g
        if ("disperse",) in found and p.attacker_hits >= 2:
            return self.say(("disperse",), "two hits cost no step that way")
        units = [a[1] for a in found if a[0] == "lose"]
        u = fights.least_loss(g, units)
        if ("disperse",) in found and (g.steps[u] == 1 or g.strength(u) >= 4):
            return self.say(("disperse",), "a step would cost more")
        return self.say(("lose", u), "it can best be spared")

    @on(GermanCombat.choose_soviet_loss, SovietCombat.choose_soviet_loss)
    def choose_soviet_loss(self, s: Situation, p: Any, found: Options) -> Action:
        best = max(found, key=lambda a: (s.g.strength(a[1]), -a[1]))
        return self.say(best, "it is the strongest")

    @on(GermanCombat.advance)
    def advance(self, s: Situation, p: Any, found: Options) -> Action:
        moves = [a for a in found if a[0] == "advance"]
        best = max(moves, key=lambda a: (fights.advance_gain(s, p, a[1], a[2]), -a[1]))
        if fights.advance_gain(s, p, best[1], best[2]) > 0.1:
            return self.say(best, "the ground gained is worth holding")
        return self.say(PASS, "where they stand they stand better")

    # --- Soviet attacks ----------------------------------------------------------------------------------------------

    @on(SovietCombat.defend)
    def defend(self, s: Situation, p: Any, found: Options) -> Action:
        return self.say(*fights.take_hits(s, p, list(found)))

    @on(SovietCombat.fall_back_apart)
    def fall_back_apart(self, s: Situation, p: Any, found: Options) -> Action:
        best = min(found, key=lambda a: (fights.place_cost(s, [a[1]], a[2][-1]), a[1]))
        return self.say(best, "the safest way back")

    @on(SovietCombat.retreat_loss)
    def retreat_loss(self, s: Situation, p: Any, found: Options) -> Action:
        return self.say(("lose", fights.least_loss(s.g, [a[1] for a in found])), "it can best be spared")

    @on(SupplyPhase.surrender)
    def surrender(self, s: Situation, p: Any, found: Options) -> Action:
        best = min(found, key=lambda a: (worth(s.g, a[1]), a[1]))
        return self.say(best, "it is worth least")
