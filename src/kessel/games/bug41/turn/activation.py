"""RX-6.2 The activation of a formation, RX-6.3 its Actions, RX-6.4 the Reaction of an enemy formation."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, DONE, Goto, Out, Procedure, Return, auto, into, takes
from kessel.core.verbs import Choice
from kessel.games.bug41.board import DISRUPTED, IMPROVED, Board, Formation
from kessel.games.bug41.combat.attack import Attack, attacks, why_not_attack
from kessel.games.bug41.combat.checks import is_surprised
from kessel.games.bug41.movement.move import Move, movers, why_not_move
from kessel.games.bug41.movement.relocation import relocate, relocation_price, relocations, why_not_relocate
from kessel.games.bug41.movement.zones import is_in_zone_of, zone_of
from kessel.games.bug41.supply.command import is_commanded
from kessel.games.bug41.turn.actions import price_of
from kessel.games.bug41.turn.refit import ImprovedDefense, Refit, improving, refitting, why_not_improve, why_not_refit
from kessel.wargame.board import other


def why_not_act(g: Board, f: Formation) -> Refusal | None:
    """RX-6.2 Why a formation can be neither activated nor react."""
    if g.hq_of(f) == NO_UNIT:
        return Refusal("RX-6.2", f"the HQ of {g.formation_name(f)} is not on the map")
    if g.levels[f] < 1:
        return Refusal("RX-6.2", f"{g.formation_name(f)} has Activation Level 0")
    return None


# --- RX-6.4 Reaction -------------------------------------------------------------------------------------------------


def triggers_of(g: Board, f: Formation, h: Hex) -> list[Unit]:
    """RX-6.4.1 The units of a formation that a move into a hex of their zones lets react."""
    near = (u for n in g.map.grid.around[h] for u in g.units(n) if g.command[u] == f)
    return [u for u in near if is_in_zone_of(g, u, h) and is_commanded(g, u)]


def why_not_react(g: Board, side: Side, f: Formation, h: Hex, tried: tuple[Formation, ...]) -> Refusal | None:
    if g.forces.side_of_command[f] != side:
        return Refusal("RX-6.4.1", f"{g.formation_name(f)} is not yours")
    if f in tried:
        return Refusal("RX-6.4.4", f"{g.formation_name(f)} has failed to react to this activation")
    if refusal := why_not_act(g, f):
        return refusal
    if not triggers_of(g, f, h):
        return Refusal("RX-6.4.1", f"no unit of {g.formation_name(f)} in command has {g.hex_name(h)} in its zone")
    return None


def reacting(g: Board, side: Side, h: Hex, tried: tuple[Formation, ...]) -> list[Formation]:
    if not zone_of(g, side) >> h & 1:
        return []
    return [f for f in g.formations_of(side) if why_not_react(g, side, f, h, tried) is None]


def why_not_react_word(p: Reaction, g: Board, word: str) -> Refusal | None:
    if word not in g.forces.commands:
        return Refusal("RX-6.4.1", f"there is no formation {word}")
    return why_not_react(g, p.side, g.forces.commands.index(word), p.stood, p.tried)


@dataclass(slots=True)
class Reaction(Procedure):
    """RX-6.4 The side that is not active may try to react with a formation; hands over who failed, and successes."""

    side: int
    stood: int
    tried: tuple[int, ...]
    attempts: int = 0
    formation: int = -1

    about_hexes = ("stood",)

    choose = Choice("side", "RX-6.4.2", "Try to react with a formation, or let the enemy go on.", passing=None)

    @choose.verb(
        "react",
        legal=lambda p, g: [g.forces.commands[f] for f in reacting(g, p.side, p.stood, p.tried)],
        why_not=why_not_react_word,
    )
    def react(self, g: Board, word: str) -> Out:
        """RX-6.4.2 The check: the die and the surprise against the Reaction Rating."""
        f = g.forces.commands.index(word)
        added = g.numbers.checks.surprise if is_surprised(g, self.side) else 0
        die, rating = g.d10(), g.forces.reaction[g.hq_of(f)]
        good = die + added <= rating
        sign = f"{added:+d}" if added else ""
        told = f"{g.formation_name(f)} {'passes' if good else 'fails'} its Reaction Check: {die}{sign} against {rating}"
        g.tell(told, "RX-6.4.2", die=die)
        self.attempts += 1
        if good:
            self.formation = f
            return Activation(self.side, f, reaction=True)
        self.tried = (*self.tried, f)
        return AGAIN if self.attempts < g.numbers.reactions.attempts_per_move else None

    @auto("RX-6.4.3")
    def end(self, g: Board) -> Out:
        return Return((self.tried, int(self.formation >= 0)))


# --- RX-6.2 activation ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Activation(Procedure):
    """RX-6.2 One formation acts with the points its level and the die give; a Reaction is one with the red numbers."""

    side: int
    formation: int
    reaction: bool = False
    points: int = 0
    bonus: int = 0
    boats: int = 0
    tried: tuple[int, ...] = ()
    """Enemy formations that failed to react."""
    successes: int = 0
    moved_to: int = -1
    won: bool = False

    @auto("PA-APT")
    def begin(self, g: Board) -> Out:
        """PA-APT The points come from the current level, which then falls."""
        f, die, loss = self.formation, g.d10(), g.numbers.activation
        level = g.levels[f]
        found = g.charts.points_of(level, die, g.reads("action_points"))
        self.points += found.reaction if self.reaction else found.normal
        self.boats += g.numbers.movement.boats_per_activation
        g.lower_level(f, loss.reaction_level_loss if self.reaction else loss.level_loss)
        for u in compress(range(len(g.moves)), g.moves):
            if g.command[u] == f:
                g.moves[u] = 0
        if g.events is not None:
            word, rule = ("reacts", "RX-6.4.3") if self.reaction else ("is activated", "RX-6.2")
            told = f"{g.formation_name(f)} {word} at level {level}: die {die}, {self.points} AP"
            g.tell(told, rule, formation=g.forces.commands[f], die=die)
        return None

    def pay(self, g: Board, action: str, units: tuple[Unit, ...]) -> None:
        """An Action begins that is no move, and nothing is won yet."""
        self.points -= price_of(g, action, units)
        self.moved_to, self.won = -1, False

    act = Choice("side", "RX-6.3", "Choose an Action, or end the activation.", passing=DONE, alone=True)

    @act.verb(
        "move",
        legal=lambda p, g: movers(g, p.formation, p.points),
        why_not=lambda p, g, units: why_not_move(g, p.formation, units, p.points),
    )
    def move(self, g: Board, units: tuple[Unit, ...]) -> Out:
        self.moved_to, self.won = -1, False
        return Move(self.side, self.formation, units, self.points, self.boats)

    def why_not_hasty(self, g: Board, h: Hex, units: tuple[Unit, ...]) -> Refusal | None:
        return why_not_attack(g, self.formation, "hasty", h, units, self.points)

    def why_not_regular(self, g: Board, h: Hex, units: tuple[Unit, ...]) -> Refusal | None:
        return why_not_attack(g, self.formation, "regular", h, units, self.points)

    def why_not_prepared(self, g: Board, h: Hex, units: tuple[Unit, ...]) -> Refusal | None:
        return why_not_attack(g, self.formation, "prepared", h, units, self.points)

    @act.verb("hasty", legal=lambda p, g: attacks(g, p.formation, "hasty", p.points), why_not=why_not_hasty)
    def hasty(self, g: Board, h: Hex, units: tuple[Unit, ...]) -> Out:
        return self.attack(g, "hasty", h, units)

    @act.verb("regular", legal=lambda p, g: attacks(g, p.formation, "regular", p.points), why_not=why_not_regular)
    def regular(self, g: Board, h: Hex, units: tuple[Unit, ...]) -> Out:
        return self.attack(g, "regular", h, units)

    @act.verb("prepared", legal=lambda p, g: attacks(g, p.formation, "prepared", p.points), why_not=why_not_prepared)
    def prepared(self, g: Board, h: Hex, units: tuple[Unit, ...]) -> Out:
        return self.attack(g, "prepared", h, units)

    def attack(self, g: Board, kind: str, h: Hex, units: tuple[Unit, ...]) -> Out:
        self.pay(g, f"{kind}_attack", units)
        return Attack(self.side, self.formation, kind, h, units)

    @act.verb(
        "refit",
        legal=lambda p, g: refitting(g, p.formation, p.points),
        why_not=lambda p, g, h: why_not_refit(g, p.formation, h, p.points),
    )
    def refit(self, g: Board, h: Hex) -> Out:
        units = tuple(u for u in g.of_formation(self.formation, h) if g.is_disrupted(u))
        self.pay(g, "refit", units)
        return Refit(self.side, units)

    @act.verb(
        "improve",
        legal=lambda p, g: improving(g, p.formation, p.points),
        why_not=lambda p, g, h: why_not_improve(g, p.formation, h, p.points),
    )
    def improve(self, g: Board, h: Hex) -> Out:
        units = tuple(u for u in g.of_formation(self.formation, h) if not g.status[u] & (DISRUPTED | IMPROVED))
        self.pay(g, "improved_defense", units)
        return ImprovedDefense(self.side, units)

    @act.verb(
        "relocate",
        legal=lambda p, g: relocations(g, p.formation, p.points),
        why_not=lambda p, g, h: why_not_relocate(g, p.formation, h, p.points),
    )
    def relocate(self, g: Board, h: Hex) -> Out:
        self.points -= relocation_price(g, g.hq_of(self.formation), h)
        relocate(g, self.formation, h)
        return AGAIN

    @takes(Move)
    def moved(self, g: Board, value: Any) -> None:
        paid, boats, self.moved_to = value
        self.points -= paid
        self.boats -= boats

    battle = into("won", Attack)

    @auto("RX-7.5.adv")
    def bonus_points(self, g: Board) -> Out:
        """PA-CS.H5 A battle victory gives a point, so many times in an activation."""
        numbers = g.numbers.victory_bonus
        if self.won and self.bonus < numbers.most_per_activation:
            self.bonus += 1
            self.points += numbers.action_points
            g.tell(f"a battle victory: {numbers.action_points} AP more", "PA-CS.H5")
        return None

    def why_no_reaction(self, g: Board) -> Refusal | None:
        """Why no formation whatever may react to this one's moves."""
        if self.reaction:
            return Refusal("RX-6.4.3", "nobody reacts to a Reaction")
        if self.successes >= g.numbers.reactions.successes_per_activation:
            return Refusal("RX-6.4.3", "a formation has reacted to this activation")
        return None

    @auto("RX-6.4.1")
    def reactions(self, g: Board) -> Out:
        """PA-infil.6 A move that ends in an enemy zone may bring about a Reaction; a Reaction brings about none."""
        if self.moved_to < 0 or self.why_no_reaction(g):
            return None
        enemy = other(self.side)
        return Reaction(enemy, self.moved_to, self.tried) if zone_of(g, enemy) >> self.moved_to & 1 else None

    @takes(Reaction)
    def reacted(self, g: Board, value: Any) -> None:
        self.tried, successes = value
        self.successes += successes

    @auto("RX-6.3")
    def next_action(self, g: Board) -> Out:
        return Goto("act")
