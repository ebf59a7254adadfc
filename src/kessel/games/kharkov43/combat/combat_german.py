"""12.0 German combat sequence: the German player attacks, the Soviets defend by the written rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, DONE, Goto, Out, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.battle import (
    alive,
    begin,
    counted,
    leave_positions,
    possible_attackers,
    tell,
    why_not_join_attack,
    why_not_together,
)
from kessel.games.kharkov43.combat.chits import draw_chits, maximum_draw, most_draws, required_draw
from kessel.games.kharkov43.combat.combat_common import (
    SOVIET_LOSS,
    Combat,
    disperse,
    join_choice,
    loss_choice,
    tactic_choice,
)
from kessel.games.kharkov43.combat.results.advance import advance_unit, german_advances, is_eliminated, why_not_path
from kessel.games.kharkov43.combat.results.hold import CHECK, RETREAT, STAND, Verdict, judge_hit
from kessel.games.kharkov43.combat.results.retreat import Hop, fall_back, lengthen
from kessel.games.kharkov43.combat.results.step_losses import loss_candidates, take_loss, why_not_lose
from kessel.games.kharkov43.combat.tactics import draw_defence_card
from kessel.games.kharkov43.data.forces import GERMAN

DISPERSAL_FROM, DISPERSAL_TO = 2, 3
"""12.52 Dispersal may take the place of the second and third hit on the attacker."""


@dataclass(slots=True)
class GermanCombat(Combat):
    """12.0 German combat sequence: nine steps."""

    required: int = 0
    taken: int = 0
    """Hits on the German attackers that have been applied."""

    choose_attackers = Choice(
        "german",
        "12.1",
        "Choose the attacking units, then attack.",
        says=lambda p, g: f"Attack {g.hex_name(p.target)} with them" if p.attackers else "Call the attack off",
    )

    def why_not_go_on(self, g: Board) -> Refusal | None:
        return why_not_together(g, GERMAN, self.attackers) if self.attackers else None

    def why_not_with(self, g: Board, u: Unit) -> Refusal | None:
        if refusal := why_not_join_attack(g, u, self.target):
            return refusal
        return NOT_NOW if u in self.attackers or g.forces.side[u] != GERMAN else None

    @choose_attackers.verb("pass", why_not=why_not_go_on)
    def go_on(self, g: Board) -> Out:
        return None if self.attackers else DONE

    @choose_attackers.verb("with", among=lambda p, g: possible_attackers(g, GERMAN, p.target), why_not=why_not_with)
    def take_with(self, g: Board, u: Unit) -> Out:
        self.attackers = tuple(sorted((*self.attackers, u)))
        return AGAIN

    @choose_attackers.verb(
        "without",
        legal=lambda p, g: p.attackers,
        why_not=lambda p, g, u: None if u in p.attackers else NOT_NOW,
    )
    def leave_out(self, g: Board, u: Unit) -> Out:
        self.attackers = tuple(v for v in self.attackers if v != u)
        return AGAIN

    @auto("12.1")
    def declare(self, g: Board) -> Out:
        """Step 1."""
        begin(g, self)
        leave_positions(g, self)
        return None

    german_tactics = tactic_choice("Play a card as a combat tactic for the attack, or play none.", "soviet_tactics")
    bring_in = join_choice("Choose the units that join the attack.", "german_tactics")

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
        most = maximum_draw(g, self)
        told = f"{counted(self.required, 'chit')} must be drawn, up to {max(most.total, self.required)} may be"
        g.tell(told, "12.4", maximum=most.as_json())
        draw_chits(g, self, self.required)
        return None

    declared_draws = Choice(
        "german",
        "12.4",
        "Stop, or declare how many more chits you draw; then all of them are drawn.",
        when=lambda p, g: p.draws_left(g) > 0,
    )

    def draws_left(self, g: Board) -> int:
        """12.4 How many chits more than those required."""
        return most_draws(g, self) - self.required

    def why_not_draw(self, g: Board, number: int) -> Refusal | None:
        more = self.draws_left(g)
        return None if 0 <= number <= more else Refusal("12.4", f"at most {counted(more, 'more chit')} may be drawn")

    @declared_draws.verb("draw", legal=lambda p, g: range(p.draws_left(g) + 1), why_not=why_not_draw)
    def draw_more(self, g: Board, number: int) -> Out:
        g.tell(f"declared: {counted(number, 'more chit')}", "12.4")
        draw_chits(g, self, number)
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

    choose_soviet_loss = loss_choice(SOVIET_LOSS, "12.6", lambda p, g: Goto("soviet_losses"))

    @auto("12.52")
    def after_defence(self, g: Board) -> Out:
        self.end_defence(g)
        return None

    # --- step 7 ------------------------------------------------------------------------------------------------------

    def losing_attackers(self, g: Board) -> list[Unit]:
        return loss_candidates(g, self.attackers, self.lost) if self.attacker_hits else []

    def may_disperse(self) -> bool:
        """12.52 All attackers may be dispersed for the second and third hit."""
        return DISPERSAL_FROM <= self.taken + 1 <= DISPERSAL_TO

    @auto("12.52")
    def forced_loss(self, g: Board) -> Out:
        """A hit that can be satisfied in one way only."""
        while len(found := self.losing_attackers(g)) == 1 and not self.may_disperse():
            self.lose(g, found[0])
        return None

    take_hits = Choice(
        "german",
        "12.52",
        "Satisfy a hit on your attackers: lose a step, or disperse all of them for the second and third hit.",
        when=lambda p, g: bool(p.losing_attackers(g)),
    )

    @take_hits.verb(
        "lose",
        legal=lambda p, g: p.losing_attackers(g),
        why_not=lambda p, g, u: why_not_lose(g, p.attackers, p.lost, u),
    )
    def lose(self, g: Board, u: Unit) -> Out:
        take_loss(g, self, u)
        self.taken += 1
        self.attacker_hits -= 1
        return Goto("forced_loss")

    def why_not_disperse(self, g: Board) -> Refusal | None:
        return None if self.may_disperse() else Refusal("12.52", "dispersal satisfies the second and third hit only")

    @take_hits.verb("disperse", why_not=why_not_disperse, plain=False)
    def disperse_all(self, g: Board) -> Out:
        absorbed = min(self.attacker_hits, DISPERSAL_TO - self.taken)
        self.taken, self.attacker_hits = DISPERSAL_TO, self.attacker_hits - absorbed
        disperse(g, alive(g, self.attackers), "12.52", attacking=True)
        return Goto("forced_loss")

    # --- steps 8 and 9 -----------------------------------------------------------------------------------------------

    advance = Choice(
        "german", "12.8", "Advance your attackers into the vacated hex one by one, or end the advance.", passing=None
    )

    @advance.verb(
        "advance",
        legal=lambda p, g: [(u, way) for u in alive(g, p.attackers) for way in german_advances(g, p, u)],
        why_not=lambda p, g, u, path: why_not_path(g, p, u, path),
    )
    def go_forward(self, g: Board, u: Unit, path: tuple[Hex, ...]) -> Out:
        advance_unit(g, self, u, path)
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
