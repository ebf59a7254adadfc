"""4 Sequence of play: the table of contents of these rules.

3   setup               set-up and its adjustments
4   sequence            this module
5   german_cards        draw pile, hand, commands; 5.4 events
6   german_activation   activating corps, Kampfgruppen, one unit
7   german_reserves     deployment
8   soviet_cards        and soviet_deck, soviet_formations, soviet_events: the Soviet impulse
9   soviet_activation   9.1 objectives, 9.2 soviet_movement, 9.4 attack_check, 9.5 soviet_reserves, 9.6 removal
9.3 terminology         and proximity, zones: could a unit get there; surround
9.8 support             operational limit
10  movement, stacking  and arrival: what follows when a hex is entered or left
11  zones               zones of control
12  combat              its table of contents; 12.2 attack_reserves, 12.3 tactics, 12.4 chits, 12.53 hold,
                        12.6 step_losses and losses, 12.7 retreat, 12.8 advance and advance_checks
13  supply, support     supply, reserve supply; Soviet support
14  improved_positions  (towns: arrival)
15  garrisons           Soviet garrisons
16  replacements
17  victory             and 18.1-18.3, 18.35
18  ground_conditions   18.33, 18.34
"""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, DONE, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.kharkov43.board import (
    AUXILIARY,
    CALENDAR,
    COMMAND,
    DISCARD,
    DISPERSED,
    DRAW,
    ENTERING,
    FOR_IMPULSE,
    FORWARD_SUPPORT,
    HAND,
    IN_PLAY,
    OBJECTIVES,
    OFF_MAP,
    OUT,
    RESERVE,
    TACTICS_ONLY,
    Board,
)
from kessel.games.kharkov43.combat.results.losses import lose_step
from kessel.games.kharkov43.data.forces import FRONTS, GERMAN, SOVIET
from kessel.games.kharkov43.movement.arrival import check_edge_vps
from kessel.games.kharkov43.supply.garrisons import check_at_turn_end, place_garrisons
from kessel.games.kharkov43.supply.supply import (
    must_check_supply,
    restore,
    supplied_units,
    surrendering_soviets,
    worsen,
)
from kessel.games.kharkov43.supply.support import set_support_line
from kessel.games.kharkov43.system.cards.soviet_cards import SovietImpulse
from kessel.games.kharkov43.system.cards.soviet_deck import has_soviet_cards
from kessel.games.kharkov43.system.objective_markers import remove_objective
from kessel.games.kharkov43.system.objectives import check_in_supply_phase
from kessel.games.kharkov43.turn.german_activation import forget_activations
from kessel.games.kharkov43.turn.german_cards import (
    AssignReplacements,
    GermanImpulse,
    prepare_german_cards,
    return_supplementals,
)
from kessel.games.kharkov43.turn.german_reserves import DeployReserves, delayed_reserves
from kessel.games.kharkov43.turn.ground_conditions import is_heavy_mud, reveal_ground
from kessel.games.kharkov43.turn.piles import german_pile
from kessel.games.kharkov43.turn.replacements import give_step, soviet_choice
from kessel.games.kharkov43.turn.setup import SetUp
from kessel.games.kharkov43.turn.victory import check_turn


@dataclass(slots=True)
class Campaign(Procedure):
    """The whole game: set-up, then game-turns until the scenario is decided or over."""

    @auto("3.0")
    def set_up(self, g: Board) -> Out:
        return SetUp()

    @auto("4.0")
    def turns(self, g: Board) -> Out:
        last = g.scenario.last_turn if g.scenario is not None else 0
        return Call(GameTurn(), again=True) if g.turn <= last else DONE


@dataclass(slots=True)
class GameTurn(Procedure):
    """4 Five phases; game-turn 1 begins with the Command Phase."""

    @auto("4.I")
    def reserve_phase(self, g: Board) -> Out:
        g.tell(f"game-turn {g.turn}, {g.charts.calendar[g.turn].dates}", "4.0", turn=g.turn)
        if g.turn == 1:
            return Goto("command_phase")
        for u, box in enumerate(g.box):
            if box == CALENDAR and g.forces.entry_turn[u] == g.turn:
                g.box[u] = RESERVE
                g.tell(f"{g.name(u)} comes to the Reserve Units box", "4.I", unit=g.id(u))
        g.happened(OFF_MAP)
        return None

    @auto("7.3")
    def delayed_reserves(self, g: Board) -> Out:
        units = tuple(delayed_reserves(g))
        return DeployReserves(units, optional=True) if units else None

    @auto("4.II")
    def card_preparation_phase(self, g: Board) -> Out:
        if is_heavy_mud(g):
            return_supplementals(g)
            leave_stavka(g)
        else:
            prepare_german_cards(g)
            prepare_soviet_deck(g)
        return None

    @auto("4.III")
    def supply_phase(self, g: Board) -> Out:
        return SupplyPhase()

    @auto("4.IV")
    def command_phase(self, g: Board) -> Out:
        return HeavyMudReplacements() if is_heavy_mud(g) else CommandPhase()

    @auto("4.V")
    def end_of_turn_phase(self, g: Board) -> Out:
        check_turn(g)
        return None

    @auto("4.V")
    def clean_up(self, g: Board) -> Out:
        end_turn(g)
        return None


# --- 4.II ----------------------------------------------------------------------------------------------------------


def prepare_soviet_deck(g: Board) -> None:
    """Cards entering play and all discards are shuffled into the Soviet draw pile."""
    for i in g.charts.soviet_cards:
        entering = g.cards[i] == ENTERING and g.charts.cards[i].enters <= g.turn
        if entering or g.cards[i] in (DISCARD, COMMAND, AUXILIARY, TACTICS_ONLY, IN_PLAY):
            g.cards[i] = DRAW
        if entering:
            g.tell(f"{g.charts.cards[i].name} ({g.charts.cards[i].id}) enters play", "4.II", card=g.charts.cards[i].id)
    g.happened(OFF_MAP)


def leave_stavka(g: Board) -> None:
    """18.34 Heavy mud on game-turn 7 removes the STAVKA card from play."""
    for i in g.charts.soviet_cards:
        card = g.charts.cards[i]
        if card.leaves and g.turn >= card.leaves and g.cards[i] != OUT:
            g.cards[i] = OUT
            g.tell(f"{card.name} ({card.id}) leaves the game", "18.34", card=card.id)


# --- 4.III ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class SupplyPhase(Procedure):
    """4.III Garrisons, supply of units, surrender, support line, objective markers."""

    german: int = GERMAN
    units: tuple[Unit, ...] = ()
    """Germans isolated already: of each stack of them one must lose a step."""

    about_units = ("units",)

    @auto("15.1")
    def place_garrisons(self, g: Board) -> Out:
        """The support line counts throughout the game-turn (13.51), so here too; step 4 looks at the VPs once more."""
        set_support_line(g)
        if g.turn >= g.charts.constants.garrisons_from and not is_heavy_mud(g):
            place_garrisons(g)
        return None

    @auto("13.0")
    def determine_supply(self, g: Board) -> Out:
        """Both sides' units are judged before any marker is changed; in heavy mud markers are only removed (18.34)."""
        able, unable = [], []
        for side in (GERMAN, SOVIET):
            if must_check_supply(g, side):
                can, cannot = supplied_units(g, side)
                able += can
                unable += cannot
        for u in able:
            restore(g, u, "4.III")
        if is_heavy_mud(g):
            return DONE
        surrender = [u for u in unable if worsen(g, u)]
        self.units = tuple(sorted((u for u in surrender if g.forces.side[u] == GERMAN), key=lambda u: g.place[u]))
        for u in surrendering_soviets(g, surrender):
            lose_step(g, u, "13.23")
        return None

    def stack(self, g: Board) -> list[Unit]:
        """The first of the stacks that surrender."""
        return [u for u in self.units if g.place[u] == g.place[self.units[0]]]

    def why_not_surrender(self, g: Board, u: Unit = NO_UNIT) -> Refusal | None:
        if u in self.stack(g):
            return None
        here = g.hex_name(g.place[self.units[0]])
        return Refusal("13.23", f"the step comes from a unit isolated already in {here}")

    surrender = Choice(
        "german",
        "13.23",
        "A still isolated stack surrenders a step: choose the unit.",
        otherwise=why_not_surrender,
    )

    @surrender.verb("lose", legal=lambda p, g: p.stack(g), why_not=why_not_surrender)
    def lose(self, g: Board, u: Unit) -> Out:
        self.units = self.units[len(self.stack(g)) :]
        lose_step(g, u, "13.23")
        return AGAIN

    @auto("17.1")
    def map_edge_vps(self, g: Board) -> Out:
        check_edge_vps(g, supply_phase=True)
        return None

    @auto("13.51")
    def support_line(self, g: Board) -> Out:
        set_support_line(g)
        return None

    @auto("9.12")
    def objective_markers(self, g: Board) -> Out:
        check_in_supply_phase(g)
        return None


# --- 4.IV ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class CommandPhase(Procedure):
    """4.IV Impulses alternate, the Soviets first; a side that has run out of cards is left out."""

    @auto("4.0")
    def first(self, g: Board) -> Out:
        """On game-turn 1 the set-up adjustment takes the place of the first Soviet impulse."""
        return Goto("german_impulse") if g.turn == 1 else None

    @auto("4.IV")
    def soviet_impulse(self, g: Board) -> Out:
        forget_impulse(g)
        return SovietImpulse() if has_soviet_cards(g) else None

    @auto("4.IV")
    def german_impulse(self, g: Board) -> Out:
        forget_impulse(g)
        return GermanImpulse() if has_german_cards(g) else None

    @auto("4.IV")
    def repeat(self, g: Board) -> Out:
        """The game-turn ends when the Soviet pile, the German hand and the German pile are all exhausted."""
        return Goto("soviet_impulse") if has_soviet_cards(g) or has_german_cards(g) else None


def has_german_cards(g: Board) -> bool:
    return bool(german_pile(g, HAND) or german_pile(g, DRAW))


def forget_impulse(g: Board) -> None:
    """12.41 What was attacked in the impulse before no longer counts."""
    for u, s in enumerate(g.status):
        if s & FOR_IMPULSE:
            g.status[u] = s & ~FOR_IMPULSE
    g.happened(OFF_MAP)


@dataclass(slots=True)
class HeavyMudReplacements(Procedure):
    """18.34 Instead of the Command Phase: two infantry steps for each side, one for each Soviet front."""

    @auto("18.34")
    def german(self, g: Board) -> Out:
        return AssignReplacements(tuple(g.forces.of_side(GERMAN)), g.charts.constants.heavy_mud_replacements, most=2)

    @auto("18.34")
    def soviet(self, g: Board) -> Out:
        for front in FRONTS:
            u = soviet_choice(g, g.forces.in_higher(front), most=2)
            if u is not None:
                give_step(g, u, "18.34")
        return None


# --- 4.V -----------------------------------------------------------------------------------------------------------


def end_turn(g: Board) -> None:
    """4.V Chits, markers, garrisons, objectives, ground condition; then the next game-turn."""
    for i in range(len(g.chits)):
        g.chits[i] = 0
    for u in range(len(g.forces)):
        if g.status[u] & DISPERSED:
            g.set_status(u, DISPERSED, False)
            g.tell(f"{g.name(u)} is no longer dispersed", "4.V", unit=g.id(u))
    for h in members(g.forward_support):
        g.mark(h, FORWARD_SUPPORT, False)
        g.tell(f"the Forward Support marker in {g.hex_name(h)} is removed", "13.54", hex=g.hex_name(h))
    if g.turn >= g.charts.constants.garrisons_from:
        check_at_turn_end(g)
    if g.turn == 7:
        remove_objectives(g)
    forget_activations(g)
    forget_impulse(g)
    g.set_track("one_unit_used", 0)
    if g.scenario is not None and g.scenario.ground_markers and g.turn < g.scenario.last_turn:
        reveal_ground(g, g.turn + 1)
    g.set_track("turn", g.turn + 1)


def remove_objectives(g: Board) -> None:
    """4.V, 9.12 At the end of game-turn 7 all objective markers leave play."""
    for name in OBJECTIVES:
        remove_objective(g, name, "the end of game-turn 7", "4.V")
