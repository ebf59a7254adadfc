"""The player: for every question of the game one way to answer it."""

from __future__ import annotations

from typing import Any, cast

from kessel.bots.kharkov43 import fights
from kessel.bots.kharkov43.cards import Hand, event_order, event_target
from kessel.bots.kharkov43.moves import active_units, best_move, chosen_assaults
from kessel.bots.kharkov43.situation import Situation, worth
from kessel.core.board import Board as CoreBoard
from kessel.core.forces import Unit
from kessel.core.procedure import PASS, Action, Options, options
from kessel.core.title import Title
from kessel.games.kharkov43.board import DISPERSED, MOVED, Board
from kessel.games.kharkov43.combat.battle import Battle, battle_of
from kessel.games.kharkov43.combat.odds import prospect
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.movement.movement import REGULAR, why_not_move
from kessel.games.kharkov43.turn.german_activation import corps_units


class Greedy:
    """Nothing is remembered from one decision to the next: a new player goes on where another stopped."""

    def __init__(self, seed: int = 0) -> None:
        self.reason = ""

    def choose(self, t: Title, g: CoreBoard, side: int) -> Action:
        board = cast(Board, g)
        p = board.stack[-1]
        step = p.step
        assert step is not None
        found = options(board)
        answer = getattr(self, f"_{type(p).__name__}_{step.name}", None)
        chosen: Action | None = answer(Situation(board), p, found) if answer is not None else None
        if chosen is None or not found.allows(chosen):
            self.reason = "nothing better to do"
            chosen = plain[0] if (plain := found.plain()) else next(iter(found))
        return chosen

    def _say(self, action: Action, reason: str) -> Action:
        self.reason = reason
        return action

    # --- cards -------------------------------------------------------------------------------------------------------

    def _GermanImpulse_play(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        plays = [a for a in found if a[0] == "play"]
        if not plays:
            return self._say(PASS, "the last card is kept")
        best, value, why = plays[0], -1.0, ""
        for a in plays:
            v, reason = hand.value(a)
            v -= 0.25 * fights.card_cost(s.g, a[1])
            if v > value:
                best, value, why = a, v, reason
        return self._say(best, why)

    def _ActivateCorps_which(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        best = max(found, key=lambda a: (hand.activation(corps_units(s.g, a[1])), a[1]))
        return self._say(best, f"{best[1]} has most to do")

    def _ActivateKampfgruppe_where(self, s: Situation, p: Any, found: Options) -> Action:
        _, h = Hand(s).kampfgruppe(s.g.charts.cards[p.card])
        return self._say(("kg", h), "here are the units that have most to do")

    def _ActivateOneUnit_which(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        best = max(found, key=lambda a: (hand.gain(a[1]), -a[1]))
        return self._say(best, f"{s.g.name(best[1])} is out of place")

    def _DeployCommand_which(self, s: Situation, p: Any, found: Options) -> Action:
        hand = Hand(s)
        best = max(found, key=lambda a: (hand.reserves(a[1]), a[1]))
        return self._say(best, f"{best[1]} has the strongest reserves")

    def _DeployReserves_place(self, s: Situation, p: Any, found: Options) -> Action:
        places = [a for a in found if a[0] == "deploy"]
        first = max((a[1] for a in places), key=lambda u: (s.g.strength(u), -u))
        mine = [a for a in places if a[1] == first]
        best = max(mine, key=lambda a: (s.score(first, a[2]), -a[2]))
        return self._say(best, f"{s.g.name(first)} is needed near {s.g.ground.name(best[2])}")

    def _AssignReplacements_assign(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g

        def gain(a: Action) -> tuple[float, int]:
            u = a[1]
            more = g.forces.strength[u][g.steps[u] + 1] - g.strength(u) if g.on_map(u) else 1
            return (more + (0.5 if g.on_map(u) else 0.0), -u)

        best = max(found, key=gain)
        return self._say(best, f"{g.name(best[1])} gains most by a step")

    def _PlayEvent_which(self, s: Situation, p: Any, found: Options) -> Action:
        names = [a[1] for a in found]
        return self._say(("event", event_order(s, names, s.g.charts.cards[p.card].formation)), "it helps most")

    def _PlayEvent_target(self, s: Situation, p: Any, found: Options) -> Action:
        return self._say(event_target(s, p.event, list(found)), "here it matters most")

    # --- movement ----------------------------------------------------------------------------------------------------

    def _GermanActivation_move(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g
        units = [u for u in active_units(g) if not g.status[u] & (MOVED | DISPERSED)]
        busy: set[Unit] = set()
        for a in chosen_assaults(s, active_units(g)):
            busy |= a.places.keys()
            for u, h in a.places.items():
                if u in units and g.place[u] != h and why_not_move(g, u, h, REGULAR) is None:
                    return self._say(("move", u, h), f"to attack {g.ground.name(a.target)}")
        for u in sorted(set(units) - busy, key=lambda u: (-g.strength(u), u)):
            goal = best_move(s, u)
            if goal is not None:
                held = "to hold" if goal.hex in s.posts else "a better place is"
                return self._say(goal.action, f"{held} {g.ground.name(goal.hex)}")
        return self._say(PASS, "everybody is in place")

    def _GermanActivation_unstack(self, s: Situation, p: Any, found: Options) -> Action:
        return self._say(("lose", fights.least_loss(s.g, [a[1] for a in found])), "it can best be spared")

    def _GermanActivation_dig_in(self, s: Situation, p: Any, found: Options) -> Action:
        hexes = [a for a in found if a[0] == "dig"]
        best = max(hexes, key=lambda a: (s.pressure(a[1]), -a[1]))
        if not s.pressure(best[1]):
            return self._say(PASS, "no enemy is near")
        return self._say(best, "the enemy is near")

    # --- German attacks ----------------------------------------------------------------------------------------------

    def _GermanActivation_attack(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g
        for a in chosen_assaults(s, active_units(g), least=fights.BARELY):
            b = battle_of(g, GERMAN, a.target, sorted(a.places), p.card)
            chits, value = fights.best_draw(s, b)
            if value > fights.WORTH_IT and found.allows(("attack", a.target)):
                return self._say(("attack", a.target), f"{chits} chits promise {value:.1f} steps")
        return self._say(PASS, "no attack is worth its losses")

    def _GermanCombat_choose_attackers(self, s: Situation, p: Any, found: Options) -> Action | None:
        for a in chosen_assaults(s, active_units(s.g), least=fights.BARELY):
            if a.target == p.target:
                for u in p.attackers:
                    if u not in a.places and found.allows(("without", u)):
                        return self._say(("without", u), "it is not needed here")
                break
        return self._say(PASS, "with all that are needed") if PASS in found.plain() else None

    def _GermanCombat_german_tactics(self, s: Situation, p: Any, found: Options) -> Action:
        return self._tactic(s, p, found)

    _SovietCombat_german_tactics = _GermanCombat_german_tactics

    def _tactic(self, s: Situation, b: Battle, found: Options) -> Action:
        best, gain = fights.best_tactic(s, b, [a for a in found if a[0] == "tactic"])
        if best is None:
            return self._say(PASS, "no tactic is worth a card")
        return self._say(best, f"it is worth {gain:.1f} steps more than the card")

    def _GermanCombat_bring_in(self, s: Situation, p: Any, found: Options) -> Action:
        u, h = fights.best_join(s, [(a[1], a[2]) for a in found if a[0] == "join"])
        return self._say(("join", u, h), "it can be spared where it is")

    _SovietCombat_bring_in = _GermanCombat_bring_in

    def _GermanCombat_declared_draws(self, s: Situation, p: Any, found: Options) -> Action:
        best = max(found, key=lambda a: (fights.attack_value(s, p, prospect(s.g, p, a[1])), -a[1]))
        return self._say(best, "more chits would cost more than they bring" if not best[1] else "the odds are good")

    def _GermanCombat_take_hits(self, s: Situation, p: Any, found: Options) -> Action:
        g = s.g
        if ("disperse",) in found and p.attacker_hits >= 2:
            return self._say(("disperse",), "two hits cost no step that way")
        units = [a[1] for a in found if a[0] == "lose"]
        u = fights.least_loss(g, units)
        if ("disperse",) in found and (g.steps[u] == 1 or g.strength(u) >= 4):
            return self._say(("disperse",), "a step would cost more")
        return self._say(("lose", u), "it can best be spared")

    def _GermanCombat_choose_soviet_loss(self, s: Situation, p: Any, found: Options) -> Action:
        best = max(found, key=lambda a: (s.g.strength(a[1]), -a[1]))
        return self._say(best, "it is the strongest")

    _SovietCombat_choose_soviet_loss = _GermanCombat_choose_soviet_loss

    def _GermanCombat_advance(self, s: Situation, p: Any, found: Options) -> Action:
        moves = [a for a in found if a[0] == "advance"]
        best = max(moves, key=lambda a: (fights.advance_gain(s, p, a[1], a[2]), -a[1]))
        if fights.advance_gain(s, p, best[1], best[2]) > 0.1:
            return self._say(best, "the ground gained is worth holding")
        return self._say(PASS, "where they stand they stand better")

    # --- Soviet attacks ----------------------------------------------------------------------------------------------

    def _SovietCombat_defend(self, s: Situation, p: Any, found: Options) -> Action:
        return self._say(*fights.take_hits(s, p, list(found)))

    def _SovietCombat_fall_back_apart(self, s: Situation, p: Any, found: Options) -> Action:
        best = min(found, key=lambda a: (fights.place_cost(s, [a[1]], a[2][-1]), a[1]))
        return self._say(best, "the safest way back")

    def _SovietCombat_retreat_loss(self, s: Situation, p: Any, found: Options) -> Action:
        return self._say(("lose", fights.least_loss(s.g, [a[1] for a in found])), "it can best be spared")

    def _SupplyPhase_surrender(self, s: Situation, p: Any, found: Options) -> Action:
        best = min(found, key=lambda a: (worth(s.g, a[1]), a[1]))
        return self._say(best, "it is worth least")
