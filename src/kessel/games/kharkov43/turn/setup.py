"""3 Setting up for play."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.pack import Pack
from kessel.core.procedure import Out, Procedure, auto
from kessel.games.kharkov43.board import (
    AVAILABLE,
    CALENDAR,
    DISCARD,
    DISPERSED,
    DRAW,
    ENTERING,
    HAND,
    RESERVE,
    Board,
)
from kessel.games.kharkov43.combat.results.losses import eliminate, lose_step
from kessel.games.kharkov43.data.charts import charts_of
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET, Forces, read_counters
from kessel.games.kharkov43.data.scenario import Adjustment, Scenario, read_adjustments
from kessel.games.kharkov43.supply.support import set_support_line
from kessel.games.kharkov43.system.objective_markers import place_objective
from kessel.games.kharkov43.turn.german_cards import hand_limit
from kessel.games.kharkov43.turn.piles import draw, german_pile

ROLL = "roll"


def new_board(pack: Pack, scenario: Scenario, options: dict[str, str]) -> Board:
    """3.0 Units and markers as printed, cards sorted; nothing drawn or rolled yet."""
    charts = charts_of(pack)
    g = Board(pack.map, Forces(pack.once(read_counters)), charts, options, scenario)
    g.set_track("turn", scenario.first_turn)
    for u in range(len(g.forces)):
        g.steps[u] = g.forces.full_steps[u]
        place_counter(g, u)
    for h in g.ground.town_list:
        soviet = g.hex_name(h) in charts.constants.soviet_towns_at_start
        g.set_owner(h, SOVIET if soviet else GERMAN)
    g.set_track("vp", charts.constants.start_vp)
    set_support_line(g)
    sort_cards(g)
    return g


def place_counter(g: Board, u: int) -> None:
    """3.0 In its set-up hex, in the Reserve box if marked with game-turn 1, else on the calendar."""
    turn = g.forces.entry_turn[u]
    if not turn:
        g.put(u, g.map.grid.hex(g.forces.entry[u]))
    else:
        g.box[u] = RESERVE if turn == 1 else CALENDAR


def sort_cards(g: Board) -> None:
    """3.0 Initial primaries to the draw pile, initial supplementals to the available box, P41 to the hand."""
    for i, card in enumerate(g.charts.cards):
        if card.enters > 1:
            g.cards[i] = ENTERING
        elif card.starts_in_hand:
            g.cards[i] = HAND
        else:
            g.cards[i] = DRAW if card.primary or not card.is_german else AVAILABLE


@dataclass(slots=True)
class SetUp(Procedure):
    """3.0 The steps that need chance: the German hand and the set-up adjustment."""

    @auto("3.0")
    def german_hand(self, g: Board) -> Out:
        """Two supplementals join the draw pile unseen; the hand is filled from it."""
        draw(g, german_pile(g, AVAILABLE), g.charts.calendar[g.turn].supplementals, DRAW)
        draw(g, german_pile(g, DRAW), hand_limit(g) - len(german_pile(g, HAND)), HAND)
        return None

    @auto("3.0")
    def adjustment(self, g: Board) -> Out:
        """Rolled, or chosen when the game was made."""
        found = read_adjustments(g.charts.pack)
        chosen = str(g.options.get("adjustment", ROLL))
        if chosen == ROLL:
            die = g.die(g.charts.constants.die)
            picked = next(a for a in found if die in a.die)
        else:
            picked = next(a for a in found if a.id == chosen)
        adjust(g, picked)
        return None


def adjust(g: Board, a: Adjustment) -> None:
    """3.0 Apply a set-up adjustment in its entirety, and tell each of its instructions."""
    unit, hex_of = g.forces.unit, g.map.grid.hex

    def tell(text: str, **more: str) -> None:
        g.tell(text, "3.0", **more)

    tell(f"set-up adjustment: {a.name}", adjustment=a.id)
    for name in a.eliminated:
        eliminate(g, unit(name), "3.0")
    for move in a.relocated.units:
        way = {"from": g.hex_name(g.place[unit(move.unit)]), "to": move.to}
        tell(f"{g.name(unit(move.unit))} is relocated from {way['from']} to {move.to}", unit=move.unit, **way)
        g.put(unit(move.unit), hex_of(move.to))
    for name, to in a.placed.items():
        tell(f"{g.name(unit(name))} is placed in {to} from reserve", unit=name, to=to)
        g.put(unit(name), hex_of(to))
    for loss in a.step_losses.units:
        for _ in range(loss.steps):
            lose_step(g, unit(loss.unit), "3.0")
    for name in a.dispersed:
        g.set_status(unit(name), DISPERSED)
        tell(f"{g.name(unit(name))} is dispersed", unit=name)
    for name in a.captured:
        g.set_owner(hex_of(name), SOVIET)
        tell(f"{g.ground.name(hex_of(name))} becomes Soviet-owned", hex=name)
    for front, text in a.objectives.items():
        place_objective(g, front, text)
        where = g.ground.name(g.objective_of(front))
        tell(f"the objective marker of the {front} Front is placed in {where} {text[-1]}", objective=front)
    g.set_track("vp", a.victory_points)
    tell(f"the Soviets have {g.vp} VPs")
    for name in a.discards:
        g.cards[g.charts.card_index(name)] = DISCARD
        tell(f"{g.charts.card(name).name} ({name}) is discarded", card=name)
    g.changed()
