"""12.0 What the two combat sequences have in common: declaring targets, tactics, losses, hits, cleaning up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, Goto, Out
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.kharkov43.board import DISCARD, DISPERSED, DISPERSED_ATTACKING, OFF_MAP, Board
from kessel.games.kharkov43.combat.battle import (
    Battle,
    alive,
    attack_strength,
    counted,
    defence_strength,
    part_of,
    possible_attackers,
    ratio_text,
    tell,
    why_not_target,
    why_not_together,
)
from kessel.games.kharkov43.combat.chits import examined_chits, hit_totals, set_aside
from kessel.games.kharkov43.combat.improved_positions import remove_ip
from kessel.games.kharkov43.combat.joining import german_joins, join
from kessel.games.kharkov43.combat.results.advance import is_eliminated
from kessel.games.kharkov43.combat.results.losses import eliminate
from kessel.games.kharkov43.combat.results.retreat import end_retreat
from kessel.games.kharkov43.combat.results.step_losses import loss_candidates, take_loss, why_not_lose
from kessel.games.kharkov43.combat.tactics import play_tactic, tactic_plays, why_not_tactic
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.system.cards.soviet_deck import NO_CARD, finish_tactic_card

SOVIET_LOSS = "Soviet units with equal steps and selectors: choose the one that loses the step."


def german_targets(g: Board) -> list[Hex]:
    """12.0 The hexes active German units may attack."""
    near = 0
    for u in alive(g, g.active_units()):
        near |= g.ground.adjacent_units(g.place[u])
    return [h for h in members(near & g.hexes_of(SOVIET)) if why_not_attack(g, h) is None]


def why_not_attack(g: Board, target: Hex) -> Refusal | None:
    """12.0, 12.1 Why the player can't declare that hex as a target."""
    if refusal := why_not_target(g, GERMAN, target):
        return refusal
    units = possible_attackers(g, GERMAN, target)
    if not units:
        return Refusal("12.1", f"no active unit that can attack is adjacent to {g.hex_name(target)}")
    return why_not_together(g, GERMAN, units)


@dataclass(slots=True)
class Combat(Battle):
    """What both sequences keep between their steps."""

    joining: str = ""
    """The tactic by which the player is bringing in units."""
    origin: Hex = NO_HEX
    """Where the first of them came from."""
    owed: int = 0
    """Step losses still to be taken by `losers`, and the step that comes after them."""
    losers: tuple[Unit, ...] = ()
    later: tuple[tuple[Unit, ...], ...] = ()
    """Groups that owe one step each once these losses are taken."""
    resume: str = ""

    def joins_now(self, g: Board) -> list[tuple[Unit, Hex]]:
        """12.3 The units that may be brought in by the tactic played, and where to."""
        part = part_of(g.charts.tactics[self.joining], self.side == GERMAN) if self.joining else None
        return [] if part is None else german_joins(g, self, part, self.side == GERMAN, self.origin)

    def next_losers(self, g: Board) -> list[Unit]:
        """12.6 The units that may take the next of the losses owed."""
        return loss_candidates(g, self.losers, self.lost) if self.owed else []

    def owes(self) -> bool:
        """Whether a step is owed; when one group has taken its own the next one's turn comes."""
        if not self.owed and self.later:
            self.owed, self.losers, self.later = 1, self.later[0], self.later[1:]
        return self.owed > 0

    def take_forced_losses(self, g: Board, rule: str) -> None:
        """Those owed that can fall on one unit only."""
        while self.owes():
            found = loss_candidates(g, self.losers, self.lost)
            if len(found) > 1:
                return
            if found:
                take_loss(g, self, found[0], rule)
            self.owed = self.owed - 1 if found else 0

    def tell_strengths(self, g: Board) -> None:
        attack, defence = attack_strength(g, self), defence_strength(g, self)
        text = f"ratio {ratio_text(attack.total, defence.total)}"
        tell(g, text, "12.41", lambda: {"attack": attack.as_json(), "defence": defence.as_json()})

    def count_hits(self, g: Board) -> None:
        """12.5, 12.51"""
        totals = hit_totals(g, self, examined_chits(g, self))
        self.attacker_hits, self.defender_hits = totals.attacker.total, totals.defender.total
        if totals.uses_ip:
            remove_ip(g, self.target, "12.51")
        if g.events is None:
            return
        what = f"{counted(self.attacker_hits, 'hit')} on the attacker{_reasons(totals.attacker)}, "
        what += f"{self.defender_hits} on the defender{_reasons(totals.defender)}"
        told = {"attacker": totals.attacker.as_json(), "defender": totals.defender.as_json()}
        g.tell(what, "12.5", trace=told, chits=[g.charts.chits[i].id for i in self.drawn])

    def end_defence(self, g: Board) -> None:
        """12.52, 12.74, 12.81 Dispersal, units that had retreated here before, and what the retreat leaves behind."""
        if self.retreated == 2:
            disperse(g, alive(g, self.defenders), "12.52")
        if is_eliminated(g, self):
            self.paths = ()
        if not any(g.place[u] == self.target for u in alive(g, self.defenders)):
            for u in alive(g, self.bystanders):
                g.tell(f"{g.name(u)} had retreated here and is lost with the hex", "12.74", unit=g.id(u))
                eliminate(g, u, "12.74")
        end_retreat(g, self)

    def clean(self, g: Board) -> None:
        """12.0 step 9."""
        set_aside(g, self)
        for i in self.played:
            g.cards[i] = DISCARD
        g.happened(OFF_MAP)
        for i in (self.soviet_card, self.auxiliary):
            if i != NO_CARD:
                finish_tactic_card(g, i)


def _reasons(total: Breakdown) -> str:
    """Every item of a total of hits, so that the line of the log adds up by itself."""
    return (
        f" ({'; '.join(f'{i.what} {i.value:+d}' for i in total.items if isinstance(i.value, int))})"
        if total.items
        else ""
    )


def disperse(g: Board, units: Iterable[Unit], rule: str, *, attacking: bool = False) -> None:
    """12.9"""
    for u in units:
        g.set_status(u, DISPERSED | DISPERSED_ATTACKING if attacking else DISPERSED)
        g.tell(f"{g.name(u)} is dispersed", rule, unit=g.id(u))


# --- questions that both sequences ask -------------------------------------------------------------------------------


def tactic_choice(prompt: str, done: str) -> Choice:
    """12.3 Play a card as a tactic, or pass and go on with the step `done`; the next step brings in units."""
    choice = Choice("german", "12.3", prompt, passing=Goto(done), every=lambda p, g: tactic_plays(g, p))

    @choice.verb("tactic", why_not=lambda p, g, card, tactic: why_not_tactic(g, p, card, tactic))
    def play(self: Combat, g: Board, card: str, tactic: str) -> Out:
        play_tactic(g, self, card, tactic)
        part = part_of(g.charts.tactics[tactic], self.side == GERMAN)
        if part is None or not part.joins:
            return AGAIN
        self.joining, self.origin = tactic, NO_HEX
        return None

    return choice


def join_choice(prompt: str, back: str) -> Choice:
    """12.3 Bring in units by a tactic: one at least, then as many as may come."""
    choice = Choice("german", "12.3", prompt, when=lambda p, g: bool(p.joins_now(g)), says="Bring in no more")

    def why_not(p: Combat, g: Board, u: Unit, h: Hex) -> Refusal | None:
        if (u, h) in p.joins_now(g):
            return None
        name = g.charts.tactics[p.joining].name
        return Refusal("12.3", f"{g.name(u)} can't join at {g.hex_name(h)} by {name}")

    @choice.verb("pass", why_not=lambda p, g: NOT_NOW if p.origin == NO_HEX else None)
    def enough(self: Combat, g: Board) -> Out:
        self.joining = ""
        return Goto(back)

    @choice.verb("join", legal=lambda p, g: p.joins_now(g), why_not=why_not)
    def bring(self: Combat, g: Board, u: Unit, h: Hex) -> Out:
        self.origin = g.place[u]
        join(g, self, u, h, self.side == GERMAN)
        return AGAIN if self.joins_now(g) else enough(self, g)

    return choice


def loss_choice(prompt: str, rule: str, after: Callable[[Any, Board], Out]) -> Choice:
    """12.6 Choose which of `losers` loses the step."""
    choice = Choice("german", rule, prompt)

    @choice.verb(
        "lose", legal=lambda p, g: p.next_losers(g), why_not=lambda p, g, u: why_not_lose(g, p.losers, p.lost, u)
    )
    def lose(self: Combat, g: Board, u: Unit) -> Out:
        take_loss(g, self, u, rule)
        self.owed -= 1
        return after(self, g)

    return choice
