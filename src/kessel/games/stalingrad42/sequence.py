"""3.0 Sequence of Play: the table of contents of the rules."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.forces import Side
from kessel.core.procedure import AGAIN, DONE, NOTHING, Action, Call, Options, Out, Procedure, ask, auto
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import AUTO_DS, EXTENDED, JOINED, OF_THE_PHASE, PHASES, RESERVE, UNUSABLE
from kessel.games.stalingrad42.combat.combat_phase import CombatPhase
from kessel.games.stalingrad42.combat.strength.fortifications import deactivate_printed
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.maskirovka import dissolve_revealed
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase
from kessel.games.stalingrad42.movement.rail import detrain
from kessel.games.stalingrad42.movement.special_units import release_by_turn
from kessel.games.stalingrad42.supply.isolation import SupplyPhase
from kessel.games.stalingrad42.supply.railheads import push_back, repair_plain_lines
from kessel.games.stalingrad42.turn.initial import InitialPhase, place_all_arrivals
from kessel.games.stalingrad42.turn.recovery import RecoveryPhase
from kessel.games.stalingrad42.turn.replacements import remove_markers
from kessel.games.stalingrad42.turn.victory import (
    end_of_axis_turn,
    exit_towards_baku,
    start_of_axis_turn,
    victory_phase,
)
from kessel.games.stalingrad42.turn.weather import roll_weather, set_weather
from kessel.wargame.board import other


@dataclass(slots=True)
class Play(Procedure):
    """3.0 Game Turns until the last one has been played or somebody has won."""

    @auto("3.0")
    def next_turn(self, g: Board) -> Out:
        if g.result or g.turn >= g.scenario.last_turn:
            return DONE
        g.set_track("turn", g.turn + 1)
        return Call(GameTurn(), again=True)


@dataclass(slots=True)
class GameTurn(Procedure):
    """3.0 One Game Turn."""

    @auto("3.A")
    def weather(self, g: Board) -> Out:
        """The Weather Phase; S3.4 the weather of a first turn may be given."""
        _enter(g, g.first, "weather")
        if g.turn == g.scenario.first_turn and g.scenario.has("S3.4b"):
            set_weather(g, g.scenario.weather)
        else:
            roll_weather(g)
        release_by_turn(g)
        repair_plain_lines(g)  # 17.5: a railroad may have been completed between repaired ends
        return CloseAreas(SOVIET)

    @auto("33.2.2")
    def turn_order(self, g: Board) -> Out:
        """The Soviet player goes first from the turn after the start of the Winter Offensive on (S3.3)."""
        if (g.winter_offensive and g.turn > g.winter_offensive) or (
            g.turn >= g.scenario.special.get("soviet_first_from", g.turn + 1)
        ):
            g.first = SOVIET
        return None

    @auto("S2.4.1")
    def pre_move(self, g: Board) -> Out:
        """The Caucasus Campaign opens with a Soviet pre-move."""
        if not is_opening_turn(g, "pre_move"):
            return None
        _enter(g, SOVIET, "movement")
        return MovementPhase(SOVIET, "normal")

    @auto("3.B")
    def first_player_turn(self, g: Board) -> Out:
        if is_opening_turn(g, "movement"):  # S3.4: no Axis Player Turn, no Soviet Initial Phase
            return PlayerTurn(SOVIET, at=PlayerTurn.index["movement"])
        if is_opening_turn(g, "pre_move"):  # S2.4.2: no Axis Initial Phase
            place_all_arrivals(g, AXIS)
            return PlayerTurn(AXIS, at=PlayerTurn.index["movement"])
        return PlayerTurn(g.first)

    @auto("3.C")
    def second_player_turn(self, g: Board) -> Out:
        if g.result:
            return DONE
        return None if is_opening_turn(g, "movement") else PlayerTurn(other(g.first))

    @auto("33.2.3")
    def interchange_turn(self, g: Board) -> Out:
        """Before the turn order switches the Axis player has an Interchange Turn."""
        due = g.winter_offensive == g.turn or g.scenario.special.get("interchange_turn_after") == g.turn
        return InterchangeTurn(AXIS) if due and not g.result else None

    @auto("3.D")
    def victory(self, g: Board) -> Out:
        if not g.result:
            _enter(g, g.first, "victory")
            victory_phase(g)
        return None


@dataclass(slots=True)
class PlayerTurn(Procedure):
    """3.B, 3.C One Player Turn."""

    side: int

    @auto("S3.5")
    def start(self, g: Board) -> Out:
        g.phasing = self.side
        if self.side == AXIS:
            start_of_axis_turn(g)
        return DONE if g.result else None

    @auto("3.B1")
    def initial(self, g: Board) -> Out:
        _enter(g, self.side, "initial")
        return InitialPhase(self.side)

    @auto("3.B2")
    def movement(self, g: Board) -> Out:
        _enter(g, self.side, "movement")
        return MovementPhase(self.side, movement_limit(g, self.side))

    @auto("24.1.2")
    def baku(self, g: Board) -> Out:
        """Five divisions that leave the map through Area G in one Movement Phase."""
        if self.side == AXIS:
            exit_towards_baku(g)
        return None

    @auto("3.B3")
    def combat(self, g: Board) -> Out:
        _enter(g, self.side, "combat")
        return CombatPhase(self.side)

    @auto("3.B4")
    def recovery(self, g: Board) -> Out:
        _enter(g, self.side, "recovery")
        remove_markers(g, self.side)
        return RecoveryPhase(self.side)

    @auto("3.B5")
    def supply(self, g: Board) -> Out:
        _enter(g, self.side, "supply")
        if self.side == SOVIET:
            push_back(g)
        return SupplyPhase(self.side)

    @auto("3.C")
    def end(self, g: Board) -> Out:
        """3.C3 A Soviet Player Turn ends with the printed Fortifications; S4.4 an Axis one may end the game."""
        clear_markers(g)
        if self.side == SOVIET:
            dissolve_revealed(g)
            deactivate_printed(g)
        else:
            end_of_axis_turn(g)
        return None


@dataclass(slots=True)
class InterchangeTurn(Procedure):
    """33.2.3 A mini-turn of the Axis player: movement, Disengagement, rally. No Initial and no Supply Phase."""

    side: int

    @auto("33.2.3")
    def movement(self, g: Board) -> Out:
        """Tactical Movement, or full movement in Full Retreat; units may detrain, none may rail."""
        _enter(g, self.side, "movement")
        detrain(g, self.side)
        return MovementPhase(self.side, "interchange")

    @auto("33.2.3")
    def limited_combat(self, g: Board) -> Out:
        """Disengagement, but no combat."""
        _enter(g, self.side, "combat")
        return CombatPhase(self.side, attacks=False)

    @auto("33.2.3")
    def rally(self, g: Board) -> Out:
        _enter(g, self.side, "recovery")
        return RecoveryPhase(self.side)

    @auto("33.2.3")
    def end(self, g: Board) -> Out:
        clear_markers(g)
        return None


@dataclass(slots=True)
class CloseAreas(Procedure):
    """23.4 When Winter comes, units in an Entry Area that closes are displaced."""

    side: int

    @ask("side", "23.4")
    def displace(self, g: Board) -> Generator[Options, Action, Out]:
        """Entry Area K is closed: move its units."""
        found: list[Action] = []
        for p in g.ground.land_boxes if g.winter else ():
            box = g.map.box(p)
            if g.turn >= box.facts.get("closes", g.turn + 1):
                there = [q for q in g.ground.land_boxes if g.map.box(q).id in box.facts.get("displaced_to", ())]
                found.extend(("displace", u, q) for u in g.units(p) for q in there if g.forces.side[u] == self.side)
        if not found:
            yield NOTHING
            return None
        _, u, place = yield Options(found)
        start = g.place[u]
        g.move(u, place)
        g.tell_move(u, "is displaced to {}", "23.4", start)
        return AGAIN


def is_opening_turn(g: Board, phase: str) -> bool:
    """Whether this is the first turn of a scenario that begins with that phase."""
    return g.turn == g.scenario.first_turn and g.scenario.first_phase == phase


def clear_markers(g: Board) -> None:
    """Marks of what units did in the Player Turn."""
    g.clear_status(OF_THE_PHASE | EXTENDED | AUTO_DS | RESERVE | UNUSABLE | JOINED)


def movement_limit(g: Board, side: Side) -> str:
    """S1.2, S4.2, S3.4 Restrictions of all movement on a first turn."""
    only = g.scenario.special.get("tactical_only")
    if only and side == AXIS and g.turn == only["turn"]:
        return "tactical"
    only = g.scenario.special.get("tactical_and_rail_only")
    if only and side == SOVIET and g.turn == only["turn"]:
        return "tactical_or_rail"
    word: str = g.scenario.special.get("phase_of", {}).get(side, "")  # of a position: S2.4.1, 33.2.3
    return word


def _enter(g: Board, side: Side, phase: str) -> None:
    g.phasing, g.phase = side, PHASES.index(phase)


def phase_stack(side: Side, phase: str, limit: str = "", *, under_way: bool = False) -> list[Procedure]:
    """The procedures of a position that stands in that phase of a Player Turn or of the Interchange Turn (33.2.3): at
    its beginning, or under way where units have done something in it."""
    turn: Procedure
    if limit == "interchange":
        steps = {"movement": "movement", "combat": "limited_combat", "recovery": "rally"}
        turn = InterchangeTurn(side, at=InterchangeTurn.index[steps[phase]])
    else:
        turn = PlayerTurn(side, at=PlayerTurn.index.get(phase, len(PlayerTurn.steps)))
    above = [] if limit == "normal" else [turn]  # S2.4.1: the pre-move stands alone
    if phase == "movement" and (under_way or not above):
        turn.at += 1
        return [*above, MovementPhase(side, limit, at=MovementPhase.index["choose" if under_way else "begin"])]
    if phase == "combat" and under_way:
        turn.at += 1
        return [*above, CombatPhase(side, attacks=limit != "interchange", at=CombatPhase.index["choose"])]
    return [turn]


def opening(g: Board) -> list[Procedure]:
    """The procedures a scenario begins with."""
    return [Play()]
