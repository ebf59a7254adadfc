"""12.0 What the two combat sequences have in common: declaring targets, tactics, losses, hits, cleaning up."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, NOTHING, PASS, Action, Goto, Options, Out
from kessel.games.kharkov43.advance import is_eliminated
from kessel.games.kharkov43.battle import (
    Battle,
    alive,
    attack_strength,
    counted,
    defence_strength,
    part_of,
    possible_attackers,
    ratio_text,
    tell,
    why_no_group,
    why_no_target,
)
from kessel.games.kharkov43.board import DISCARD, DISPERSED, DISPERSED_ATTACKING, OFF_MAP, Board
from kessel.games.kharkov43.chits import examined_chits, hit_totals, set_aside
from kessel.games.kharkov43.forces import GERMAN, SOVIET
from kessel.games.kharkov43.improved_positions import remove_ip
from kessel.games.kharkov43.joining import german_joins, join
from kessel.games.kharkov43.losses import eliminate
from kessel.games.kharkov43.retreat import end_retreat
from kessel.games.kharkov43.soviet_deck import NO_CARD, finish_tactic_card
from kessel.games.kharkov43.step_losses import loss_candidates, take_loss, why_not_lose
from kessel.games.kharkov43.tactics import play_tactic, tactic_plays, why_not_tactic

Asking = Generator[Options, Action, Out]


def german_targets(g: Board) -> list[Hex]:
    """12.0 The hexes active German units may attack."""
    near = 0
    for u in alive(g, g.active_units()):
        near |= g.ground.adjacent_units(g.place[u])
    return [h for h in members(near & g.hexes_of(SOVIET)) if why_not_attack(g, h) is None]


def why_not_attack(g: Board, target: Hex) -> Refusal | None:
    """12.0, 12.1 Why the player can't declare that hex as a target."""
    if refusal := why_no_target(g, GERMAN, target):
        return refusal
    units = possible_attackers(g, GERMAN, target)
    if not units:
        return Refusal("12.1", f"no active unit that can attack is adjacent to {g.hex_name(target)}")
    return why_no_group(g, GERMAN, units)


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

    # --- parts of steps that both sequences have ---------------------------------------------------------------------

    def ask_tactic(self, g: Board, done: str) -> Asking:
        """12.3 Play a card as a tactic, or pass."""
        plays = tactic_plays(g, self)
        if not plays:
            yield NOTHING
        action = yield Options(plays, PASS, guard=lambda a: why_not_tactic(g, self, a))
        if action == PASS:
            return Goto(done)
        play_tactic(g, self, action)
        part = part_of(g.charts.tactics[action[2]], self.side == GERMAN)
        if part is None or not part.joins:
            return AGAIN
        self.joining, self.origin = action[2], NO_HEX
        return None

    def joins_now(self, g: Board) -> list[Action]:
        part = part_of(g.charts.tactics[self.joining], self.side == GERMAN) if self.joining else None
        if part is None:
            return []
        return [("join", u, h) for u, h in german_joins(g, self, part, self.side == GERMAN, self.origin)]

    def ask_join(self, g: Board, back: str) -> Asking:
        """12.3 Bring in units by a tactic: one at least, then as many as may come."""
        found = self.joins_now(g)
        if not found:
            yield NOTHING
        fixed = [PASS] if self.origin != NO_HEX else []
        action = yield Options(found, *fixed, guard=lambda a: self.why_not_join(g, a))
        if action != PASS:
            self.origin = g.place[action[1]]
            join(g, self, action[1], action[2], self.side == GERMAN)
            if self.joins_now(g):
                return AGAIN
        self.joining = ""
        return Goto(back)

    def why_not_join(self, g: Board, a: Action) -> Refusal | None:
        if a[0] != "join":
            return None
        name = g.charts.tactics[self.joining].name
        return Refusal("12.3", f"{g.name(a[1])} can't join at {g.hex_name(a[2])} by {name}")

    def ask_loss(self, g: Board, units: Sequence[Unit], rule: str) -> Asking:
        """12.6 Choose which of these units loses the step."""
        found = loss_candidates(g, units, self.lost) if self.owed else []
        if not found:
            yield NOTHING
        action = yield Options(
            [("lose", u) for u in found],
            guard=lambda a: why_not_lose(g, units, self.lost, a[1]) if a[0] == "lose" else None,
        )
        take_loss(g, self, action[1], rule)
        self.owed -= 1
        return None

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
        what = f"{counted(self.attacker_hits, 'hit')} on the attacker, {self.defender_hits} on the defender"
        tell(g, what, "12.5", lambda: {"attacker": totals.attacker.as_json(), "defender": totals.defender.as_json()})

    def end_defence(self, g: Board) -> None:
        """12.52, 12.74, 12.81 Dispersal, units that had retreated here before, and what the retreat leaves behind."""
        if self.retreated == 2:
            disperse(g, alive(g, self.defenders), "12.52")
        if is_eliminated(g, self):
            self.paths = ()
        if not any(g.place[u] == self.target for u in alive(g, self.defenders)):
            for u in alive(g, self.bystanders):
                g.tell(f"{g.name(u)} had retreated here and is lost with the hex", "12.74", unit=g.name(u))
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


def disperse(g: Board, units: Iterable[Unit], rule: str, *, attacking: bool = False) -> None:
    """12.9"""
    for u in units:
        g.set_status(u, DISPERSED | DISPERSED_ATTACKING if attacking else DISPERSED)
        g.tell(f"{g.name(u)} is dispersed", rule, unit=g.name(u))
