"""12.0 German combat sequence: the German player attacks, the Soviets defend by the written rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, DONE, NOTHING, PASS, Action, Goto, Options, Out, ask, auto
from kessel.games.kharkov43.advance import advance_unit, german_advances, is_eliminated, why_not_path
from kessel.games.kharkov43.battle import (
    alive,
    begin,
    counted,
    leave_positions,
    possible_attackers,
    tell,
    why_no_group,
    why_not_join_attack,
)
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.chits import draw_chits, maximum_draw, most_draws, required_draw
from kessel.games.kharkov43.combat_common import Asking, Combat, disperse
from kessel.games.kharkov43.forces import GERMAN
from kessel.games.kharkov43.hold import CHECK, RETREAT, STAND, Verdict, judge_hit
from kessel.games.kharkov43.retreat import Hop, fall_back, lengthen
from kessel.games.kharkov43.step_losses import loss_candidates, take_loss, why_not_lose
from kessel.games.kharkov43.tactics import draw_defence_card

DISPERSAL_FROM, DISPERSAL_TO = 2, 3
"""12.52 Dispersal may take the place of the second and third hit on the attacker."""


@dataclass(slots=True)
class GermanCombat(Combat):
    """12.0 German combat sequence: nine steps."""

    required: int = 0
    taken: int = 0
    """Hits on the German attackers that have been applied."""

    @ask("german", "12.1")
    def choose_attackers(self, g: Board) -> Asking:
        """Choose the attacking units; pass to attack with them, or, with none chosen, to call the attack off."""
        able = possible_attackers(g, GERMAN, self.target)
        fixed = [PASS] if not self.attackers or why_no_group(g, GERMAN, self.attackers) is None else []

        def why(a: Action) -> Refusal | None:
            if a == PASS:
                return why_no_group(g, GERMAN, self.attackers)
            return why_not_join_attack(g, a[1], self.target) if a[0] == "with" else None

        found = [("with", u) for u in able if u not in self.attackers] + [("without", u) for u in self.attackers]
        action = yield Options(found, *fixed, guard=why)
        if action[0] == "with":
            self.attackers = tuple(sorted((*self.attackers, action[1])))
            return AGAIN
        if action[0] == "without":
            self.attackers = tuple(u for u in self.attackers if u != action[1])
            return AGAIN
        return None if self.attackers else DONE

    @auto("12.1")
    def declare(self, g: Board) -> Out:
        """Step 1."""
        begin(g, self)
        leave_positions(g, self)
        return None

    @ask("german", "12.3")
    def german_tactics(self, g: Board) -> Asking:
        """Play a card as a combat tactic for the attack, or pass."""
        return (yield from self.ask_tactic(g, "soviet_tactics"))

    @ask("german", "12.3")
    def bring_in(self, g: Board) -> Asking:
        """Choose the units that join the attack."""
        return (yield from self.ask_join(g, "german_tactics"))

    @auto("12.3")
    def soviet_tactics(self, g: Board) -> Out:
        """Step 3."""
        leave_positions(g, self)
        draw_defence_card(g, self)
        return None

    @auto("12.4")
    def required_draws(self, g: Board) -> Out:
        """Step 4: as many chits as the defenders have steps."""
        self.tell_strengths(g)
        self.required = required_draw(g, self).total
        g.tell(f"{counted(self.required, 'chit')} required; {maximum_draw(g, self)}", "12.4")
        draw_chits(g, self, self.required)
        return None

    @ask("german", "12.4")
    def declared_draws(self, g: Board) -> Asking:
        """Stop, or declare how many more chits you draw; then all of them are drawn."""
        more = most_draws(g, self) - self.required
        if more <= 0:
            yield NOTHING

        def why(a: Action) -> Refusal | None:
            return Refusal("12.4", f"at most {counted(more, 'more chit')} may be drawn") if a[0] == "draw" else None

        action = yield Options([("draw", n) for n in range(more + 1)], guard=why)
        g.tell(f"declared: {counted(action[1], 'more chit')}", "12.4")
        draw_chits(g, self, action[1])
        return None

    @auto("12.5")
    def calculate(self, g: Board) -> Out:
        """Step 5."""
        self.count_hits(g)
        return None

    # --- step 6 ------------------------------------------------------------------------------------------------------

    @auto("12.53")
    def soviet_defence(self, g: Board) -> Out:
        """Hit by hit, from priority A on."""
        self.resume = "soviet_defence"
        if not self.defender_hits or is_eliminated(g, self):
            return Goto("after_defence")
        verdict = judge_hit(g, self)
        what = verdict.what
        if what == CHECK and verdict.chance is not None:
            roll = g.die(g.charts.constants.die)
            what = STAND if roll <= verdict.chance.total else RETREAT
            tell_hold(g, verdict, roll, what)
        else:
            g.tell(f"{what}: {verdict.why}", "12.75" if verdict.letter == "12.75" else f"12.53{verdict.letter.lower()}")
        self.apply_hit(g, verdict, what)
        return None

    def apply_hit(self, g: Board, verdict: Verdict, what: str) -> None:
        """12.53 One hit as a retreat of all defenders or as a step loss, which is owed then."""
        self.defender_hits -= 1
        if what == RETREAT:
            self.hop(g, verdict.hops)
        else:
            self.owed, self.losers = 1, self.defenders

    def hop(self, g: Board, hops: Sequence[Hop]) -> None:
        """12.7 All defenders retreat one hex; who enters enemy control that way loses a step."""
        paths: list[tuple[Hex, ...]] = []
        before = self.paths or ((self.target,),)
        for hop in hops:
            for u in hop.units:
                fall_back(g, u, (hop.entry.hex,))
            text = f"retreat to {g.hex_name(hop.entry.hex)}, priority {hop.entry.priority}"
            tell(g, text, "12.7", partial(hop.choice.as_json, g))
            paths += lengthen(before, hop.start, (hop.entry.hex,))
        self.paths = tuple(dict.fromkeys(paths))
        self.retreated += 1
        self.must_go_on = any(hop.overstacks for hop in hops)
        self.later = tuple(hop.units for hop in hops if hop.entry.costs_step)
        self.take_forced_losses(g, "12.7")

    @auto("12.6")
    def soviet_losses(self, g: Board) -> Out:
        self.take_forced_losses(g, "12.6")
        return None if self.owed else Goto(self.resume)

    @ask("german", "12.6")
    def choose_soviet_loss(self, g: Board) -> Asking:
        """Soviet units with equal steps and selectors: choose the one that loses the step."""
        yield from self.ask_loss(g, self.losers, "12.6")
        return Goto("soviet_losses")

    @auto("12.52")
    def after_defence(self, g: Board) -> Out:
        self.end_defence(g)
        return None

    # --- step 7 ------------------------------------------------------------------------------------------------------

    def losses(self, g: Board) -> list[Action]:
        """12.52 Lose a step; or disperse all attackers for the second and third hit."""
        if not self.attacker_hits or not alive(g, self.attackers):
            return []
        found: list[Action] = [("lose", u) for u in loss_candidates(g, self.attackers, self.lost)]
        return [*found, ("disperse",)] if DISPERSAL_FROM <= self.taken + 1 <= DISPERSAL_TO else found

    @auto("12.52")
    def forced_loss(self, g: Board) -> Out:
        """A hit that can be satisfied in one way only."""
        while len(found := self.losses(g)) == 1:
            self.lose(g, found[0][1])
        return None

    def lose(self, g: Board, u: Unit) -> None:
        take_loss(g, self, u)
        self.taken += 1
        self.attacker_hits -= 1

    @ask("german", "12.52")
    def take_hits(self, g: Board) -> Asking:
        """Satisfy a hit on your attackers: lose a step, or disperse all of them for the second and third hit."""
        found = self.losses(g)
        if not found:
            yield NOTHING

        def why(a: Action) -> Refusal | None:
            if a[0] == "lose":
                return why_not_lose(g, self.attackers, self.lost, a[1])
            return Refusal("12.52", "dispersal satisfies the second and third hit only") if a[0] == "disperse" else None

        action = yield Options(found, guard=why)
        if action[0] == "lose":
            self.lose(g, action[1])
            return Goto("forced_loss")
        absorbed = min(self.attacker_hits, DISPERSAL_TO - self.taken)
        self.taken, self.attacker_hits = DISPERSAL_TO, self.attacker_hits - absorbed
        disperse(g, alive(g, self.attackers), "12.52", attacking=True)
        return Goto("forced_loss")

    # --- steps 8 and 9 -----------------------------------------------------------------------------------------------

    @ask("german", "12.8")
    def advance(self, g: Board) -> Asking:
        """Advance your attackers into the vacated hex one by one, or pass."""
        found = [("advance", u, p) for u in alive(g, self.attackers) for p in german_advances(g, self, u)]
        if not found:
            yield NOTHING
        action = yield Options(
            found, PASS, guard=lambda a: why_not_path(g, self, a[1], a[2]) if a[0] == "advance" else None
        )
        if action == PASS:
            return None
        advance_unit(g, self, action[1], action[2])
        return AGAIN

    @auto("12.0")
    def clean_up(self, g: Board) -> Out:
        self.clean(g)
        return None


def german_combat(g: Board, target: Hex, card: int) -> GermanCombat:
    """An attack with all units that may take part; the player takes out those he keeps back."""
    return GermanCombat(GERMAN, target, tuple(possible_attackers(g, GERMAN, target)), card)


def tell_hold(g: Board, verdict: Verdict, roll: int, what: str) -> None:
    chance = verdict.chance
    if chance is not None:
        tell(g, f"hold check, 1-{chance.total}: rolls {roll}, {what}", "12.53c", lambda: chance.as_json())
