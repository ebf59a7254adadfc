"""12.0 Soviet combat sequence: the Soviets attack by the written rules, the German player defends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import AGAIN, Action, Goto, Out, auto
from kessel.core.verbs import Choice
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.attack_reserves import add_reserves
from kessel.games.kharkov43.combat.battle import Battle, alive, begin, counted, leave_positions, steps_of
from kessel.games.kharkov43.combat.chits import draw_chits, maximum_draw, most_draws, required_draw
from kessel.games.kharkov43.combat.combat_common import (
    SOVIET_LOSS,
    Combat,
    disperse,
    join_choice,
    loss_choice,
    tactic_choice,
)
from kessel.games.kharkov43.combat.results.advance import advance_unit, is_vacated
from kessel.games.kharkov43.combat.results.advance_checks import AdvanceCheck, first_check, may_go_on, second_check
from kessel.games.kharkov43.combat.results.hold import attacker_hit_result, why_parenthesis
from kessel.games.kharkov43.combat.results.losses import eliminate
from kessel.games.kharkov43.combat.results.retreat import (
    Route,
    can_retreat,
    fall_back,
    legal_routes,
    possible_routes,
    retreat_limit,
    scattered_routes,
)
from kessel.games.kharkov43.combat.results.step_losses import loss_candidates, take_loss, why_not_lose
from kessel.games.kharkov43.combat.tactics import apply_auxiliary, apply_standing_tactics, draw_attack_card
from kessel.games.kharkov43.turn.victory import is_decided


@dataclass(slots=True)
class SovietCombat(Combat):
    """12.0 Soviet combat sequence: nine steps."""

    assumed: int = 0
    """12.55 Hits the German defenders could have satisfied: by a retreat, if possible, and by their steps."""
    scatter: int = 0
    """12.73 Hexes the German units retreat apart."""
    scattered: tuple[Unit, ...] = ()

    @auto("12.1")
    def declare(self, g: Board) -> Out:
        begin(g, self)
        apply_standing_tactics(g, self)
        return None

    @auto("12.2")
    def reserves(self, g: Board) -> Out:
        """Step 1."""
        add_reserves(g, self)
        leave_positions(g, self)
        apply_standing_tactics(g, self)
        return None

    @auto("12.3")
    def soviet_tactics(self, g: Board) -> Out:
        """Step 2."""
        draw_attack_card(g, self)
        apply_auxiliary(g, self)
        leave_positions(g, self)
        return None

    german_tactics = tactic_choice("Play a card as a combat tactic against the attack, or play none.", "draw")
    bring_in = join_choice("Choose the units that join the defence.", "german_tactics")

    @auto("12.4")
    def draw(self, g: Board) -> Out:
        """Step 4: as many as allowed."""
        self.tell_strengths(g)
        number = most_draws(g, self)
        g.tell(f"{counted(number, 'chit')}: {maximum_draw(g, self)}", "12.4", required=required_draw(g, self).total)
        draw_chits(g, self, number)
        return None

    @auto("12.5")
    def calculate(self, g: Board) -> Out:
        """Step 5."""
        self.count_hits(g)
        self.assumed = self.could_satisfy(g)
        return None

    def could_satisfy(self, g: Board) -> int:
        """12.55 A retreat of two hexes first, if possible, then all steps that it leaves."""
        steps, limit = steps_of(g, self.defenders), retreat_limit(g, self)[0]
        for hexes in range(limit, 0, -1):
            routes = legal_routes(g, self.defenders, self.target, hexes)
            if routes:
                return hexes + max(0, steps - min(r.losses for r in routes))
            if can_retreat(g, self.defenders, self.target, hexes):
                return hexes + steps
        return steps

    # --- step 6 ------------------------------------------------------------------------------------------------------

    def routes(self, g: Board, hexes: int) -> list[Route]:
        return legal_routes(g, alive(g, self.defenders), self.target, hexes, self.lost)

    def hexes_left(self, g: Board) -> int:
        """12.52 How many hexes the defenders may still retreat."""
        return 0 if self.retreated else min(self.defender_hits, retreat_limit(g, self)[0])

    def defences(self, g: Board) -> list[Action]:
        """12.52 Lose a step, retreat together, or apart where there is no room for all (12.73)."""
        units = alive(g, self.defenders)
        if not self.defender_hits or not units:
            return []
        found: list[Action] = [("lose", u) for u in loss_candidates(g, self.defenders, self.lost)]
        for hexes in range(1, self.hexes_left(g) + 1):
            found += [("retreat", r.path) for r in self.routes(g, hexes)]
            if len(units) > 1 and not possible_routes(g, units, self.target, hexes):
                found += [("scatter", hexes)] if scattered_routes(g, units, self.target, hexes, self.lost) else []
        return found

    def why_not_so_far(self, g: Board, hexes: int) -> Refusal | None:
        """12.52 Why the defenders can't retreat so many hexes."""
        limit, why = retreat_limit(g, self)
        if self.retreated:
            return Refusal("12.52", "the defenders have retreated")
        if hexes > limit and why:
            return why
        if hexes > self.defender_hits:
            return Refusal("12.52", "each hex of a retreat satisfies one hit")
        return None

    def why_not_retreat(self, g: Board, path: tuple[Hex, ...]) -> Refusal | None:
        if refusal := self.why_not_so_far(g, len(path)):
            return refusal
        if ("retreat", path) in self.defences(g):
            return None
        if path in (r.path for r in possible_routes(g, alive(g, self.defenders), self.target, len(path))):
            return Refusal("12.7", "another retreat has priority")
        return Refusal("12.71", "the units can't retreat that way or would not fit at its end")

    def why_not_scatter(self, g: Board, hexes: int) -> Refusal | None:
        if refusal := self.why_not_so_far(g, hexes):
            return refusal
        if ("scatter", hexes) in self.defences(g):
            return None
        return Refusal("12.73", "units retreat to different hexes only if there is no room for all of them")

    @auto("12.52")
    def forced_loss(self, g: Board) -> Out:
        """A hit that can be satisfied in one way only."""
        while len(found := self.defences(g)) == 1 and found[0][0] == "lose":
            take_loss(g, self, found[0][1])
            self.defender_hits -= 1
        return None

    defend = Choice(
        "german",
        "12.52",
        "Satisfy a hit on your defenders: lose a step, or retreat one hex for each of one or two hits.",
        every=lambda p, g: p.defences(g),
    )

    @defend.verb("lose", why_not=lambda p, g, u: why_not_lose(g, p.defenders, p.lost, u))
    def lose(self, g: Board, u: Unit) -> Out:
        take_loss(g, self, u)
        self.defender_hits -= 1
        return Goto("forced_loss")

    @defend.verb("retreat", why_not=why_not_retreat)
    def retreat(self, g: Board, path: tuple[Hex, ...]) -> Out:
        route = next(r for r in self.routes(g, len(path)) if r.path == path)
        for u in alive(g, self.defenders):
            fall_back(g, u, route.path)
        self.have_retreated(len(route.path), [route])
        self.owed, self.losers = route.losses, self.defenders
        self.take_forced_losses(g, "12.7")
        return Goto("retreat_loss")

    @defend.verb("scatter", why_not=why_not_scatter)
    def retreat_apart(self, g: Board, hexes: int) -> Out:
        self.scatter = hexes
        return None

    def have_retreated(self, hexes: int, routes: Iterable[Route]) -> None:
        self.retreated = hexes
        self.defender_hits -= hexes
        self.paths = tuple(dict.fromkeys((*self.paths, *((self.target, *r.path) for r in routes))))

    def ways_apart(self, g: Board) -> dict[Unit, list[Route]]:
        """12.73 The units that have not yet retreated, and the routes each of them may take."""
        left = [u for u in alive(g, self.defenders) if u not in self.scattered] if self.scatter else []
        return scattered_routes(g, left, self.target, self.scatter, self.lost) if left else {}

    def why_not_fall_back(self, g: Board, u: Unit = NO_UNIT, path: tuple[Hex, ...] = ()) -> Refusal | None:
        if any(r.path == path for r in self.ways_apart(g).get(u, ())):
            return None
        return Refusal("12.7", "the unit can't retreat that way, or leaves no way for the others")

    fall_back_apart = Choice(
        "german",
        "12.73",
        "The units do not fit into one hex: choose a unit and its path of retreat.",
        otherwise=why_not_fall_back,
    )

    @fall_back_apart.verb(
        "fallback",
        legal=lambda p, g: [(u, r.path) for u, routes in p.ways_apart(g).items() for r in routes],
        why_not=why_not_fall_back,
    )
    def go_apart(self, g: Board, u: Unit, path: tuple[Hex, ...]) -> Out:
        route = next(r for r in self.ways_apart(g)[u] if r.path == path)
        fall_back(g, u, path)
        self.scattered = (*self.scattered, u)
        self.paths = tuple(dict.fromkeys((*self.paths, (self.target, *path))))
        for _ in range(route.losses):
            if g.on_map(u):
                take_loss(g, self, u, "12.7")
        if any(v not in self.scattered for v in alive(g, self.defenders)):
            return AGAIN
        hexes, self.scatter = self.scatter, 0
        self.have_retreated(hexes, [])
        return Goto("forced_loss")

    def after_retreat_loss(self, g: Board) -> Out:
        self.take_forced_losses(g, "12.7")
        return AGAIN

    retreat_loss = loss_choice(
        "A retreat into enemy control costs a step: choose the unit that loses it.", "12.7", after_retreat_loss
    )

    @auto("12.52")
    def more_hits(self, g: Board) -> Out:
        return Goto("forced_loss") if self.defences(g) else None

    @auto("12.55")
    def after_defence(self, g: Board) -> Out:
        """12.55 Hits that eliminated defenders could not take spare the Soviets as many; else no hit is left."""
        total = self.defender_hits + self.retreated + sum(u in self.defenders for u in self.lost)
        spared = min(self.defender_hits, max(0, total - self.assumed), self.attacker_hits)
        if spared:
            self.attacker_hits -= spared
            g.tell(f"the defenders are eliminated: {spared} Soviet hits less", "12.55")
        self.end_defence(g)
        return None

    # --- step 7 ------------------------------------------------------------------------------------------------------

    @auto("12.54")
    def first_hit(self, g: Board) -> Out:
        if not self.attacker_hits:
            return Goto("advance")
        self.attacker_hits -= 1
        self.owed, self.losers, self.resume = 1, self.attackers, "further_hits"
        return None

    @auto("12.6")
    def soviet_losses(self, g: Board) -> Out:
        self.take_forced_losses(g, "12.6")
        return None if self.owed else Goto(self.resume)

    choose_soviet_loss = loss_choice(SOVIET_LOSS, "12.6", lambda p, g: Goto("soviet_losses"))

    @auto("12.54")
    def further_hits(self, g: Board) -> Out:
        """By the table, from the steps and hits left."""
        units = alive(g, self.attackers)
        if not self.attacker_hits or not units:
            return Goto("advance")
        why = why_parenthesis(g, self)
        steps = steps_of(g, units)
        found = attacker_hit_result(g, steps, self.attacker_hits, parenthetical=why is not None)
        text = f"{counted(steps, 'step')}, {counted(self.attacker_hits, 'hit')} left: {found.text}"
        if why and found != attacker_hit_result(g, steps, self.attacker_hits, parenthetical=False):
            text += f", {why.reason}"
        g.tell(text, "12.54", result=found.text)
        self.attacker_hits = 0
        if found.eliminate:
            for u in units:
                self.lost = (*self.lost, u)
                eliminate(g, u, "12.54")
            return Goto("advance")
        self.owed, self.losers = found.steps, self.attackers
        self.resume = "disperse_attackers" if found.disperse else "advance"
        return Goto("soviet_losses")

    @auto("12.54")
    def disperse_attackers(self, g: Board) -> Out:
        disperse(g, alive(g, self.attackers), "12.54", attacking=True)
        return None

    # --- steps 8 and 9 -----------------------------------------------------------------------------------------------

    @auto("12.83")
    def advance(self, g: Board) -> Out:
        """Step 8: one unit at a time, in ascending order."""
        if not is_vacated(g, self):
            return None
        for u in g.ascending(alive(g, self.attackers)):
            if is_decided(g):
                break
            advance_soviet(g, self, u)
        return None

    @auto("12.0")
    def clean_up(self, g: Board) -> Out:
        self.clean(g)
        return None


def advance_soviet(g: Board, b: Battle, u: Unit) -> None:
    """12.83 One unit: into the attacked hex, then perhaps on."""
    first = first_check(g, b, u)
    start = g.copy() if may_go_on(g, b, u) else None
    if not passes(g, first):
        return
    advance_unit(g, b, u, (b.target,), told=True)
    second = second_check(g, b, u, start) if start is not None and not is_decided(g) else None
    if second is not None and passes(g, second):
        advance_unit(g, b, u, (second.hex,), told=True)


def passes(g: Board, check: AdvanceCheck) -> bool:
    """12.83 Roll if a roll decides."""
    name, where, total = g.name(check.unit), g.hex_name(check.hex), check.chance.total

    def say(advances: bool, why: str, rule: str = "12.83") -> bool:
        if g.events is not None:
            way = {"unit": name, "from": g.hex_name(g.place[check.unit]), "to": where} if advances else {}
            text = f"{name} {'advances' if advances else 'does not advance'} to {where}: {why}"
            g.tell(text, rule, **way, trace=check.as_json(g))
        return advances

    if check.refusal is not None:
        return say(False, check.refusal.reason, check.refusal.rule)
    die = g.charts.constants.die
    if not 0 < total < die:
        return say(total > 0, check.chance.items[0].what)
    roll = g.die(die)
    return say(roll <= total, f"{check.route.replace('_', ' ')}, rolls {roll} with 1-{total}")
