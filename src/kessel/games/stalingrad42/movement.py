"""5.0 Movement: the Movement Phase, and the move of one unit or stack.

A player picks a unit (`move`), adds others of its hex (`with`), then says where: `to` a place by the cheapest way, or
hex by hex (`step`), dropping units on the way (`drop`). `halt` ends the move. Offered are the places of normal movement
(of Extended Movement once it is declared, of Tactical Movement where no other leads anywhere); `by tactical` and
`by rail` ask for the places of these, `by land` leads back.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, DONE, PASS, Action, Call, Goto, Options, Out, Procedure, ask, auto
from kessel.games.stalingrad42 import rail, sea
from kessel.games.stalingrad42.auto_ds import AutomaticDS, auto_ds_actions
from kessel.games.stalingrad42.auto_ds import declare_refusal as auto_ds_refusal
from kessel.games.stalingrad42.board import Board, other
from kessel.games.stalingrad42.city_battles import settle_city_battles
from kessel.games.stalingrad42.columns import (
    CHOSE_RETREAT,
    FLIPPED,
    FROZEN,
    IN_PLAY,
    MOVED,
    MOVED_FAR,
    RESERVE,
    STUCK,
    TRAIN,
)
from kessel.games.stalingrad42.columns import DONE as HAS_MOVED
from kessel.games.stalingrad42.columns import EXTENDED as EXTENDED_MARK
from kessel.games.stalingrad42.disruption import eliminate_caught, put_in_full_retreat
from kessel.games.stalingrad42.entering import alert, enter
from kessel.games.stalingrad42.entry import displacement, transfer_refusal, transfers
from kessel.games.stalingrad42.forces import SOVIET
from kessel.games.stalingrad42.fortifications import raze, raze_actions, raze_refusal
from kessel.games.stalingrad42.interrupts import interruption
from kessel.games.stalingrad42.maskirovka import (
    Unload,
    armies,
    challenge,
    join,
    strategic_refusal,
    swap,
    swap_refusal,
    swaps,
    unload_refusal,
    unloadable,
)
from kessel.games.stalingrad42.modes import (
    EXTENDED,
    MODE_WORDS,
    MODES,
    NORMAL,
    RAIL,
    SEA,
    STRAIT,
    TACTICAL,
    TRANSFER,
    allowance,
    common_modes,
    fighting_refusal,
    mode_refusal,
)
from kessel.games.stalingrad42.moving import (
    begin_movement,
    flip_refusal,
    full_retreat_refusal,
    moved_far,
    reserve_refusal,
    selection_refusal,
    spend,
)
from kessel.games.stalingrad42.reach import Group, areas_of, group_modes, march_of, short_of, way_to
from kessel.games.stalingrad42.resources import switch, switch_refusal
from kessel.games.stalingrad42.retreat import passed_by
from kessel.games.stalingrad42.stacking import CorrectStacking
from kessel.games.stalingrad42.why import closed_refusal, end_refusal, extended_refusal, step_refusal
from kessel.games.stalingrad42.zones import in_ezoc, next_to_enemies

HALT: Action = ("halt",)
BY_TACTICAL: Action = ("by", "tactical")
BY_RAIL: Action = ("by", "rail")
BY_LAND: Action = ("by", "land")
BEFORE_MOVING = {
    "rail": "5.6.3",
    "strait": "5.7.2",
    "transfer": "22.6.1",
    "flip": "18.6.2",
    "switch": "18.6.8",
    "full_retreat": "13.1.3",
}
"""What a unit does before it moves or not at all, and the rule that says so."""
TURNED, SWITCHED = 1, 2
"""A Supply Point was flipped (18.6.2), made mobile or non-mobile (18.6.8)."""
SPECIAL_MODES = {"rail": RAIL, "sail": SEA, "strait": STRAIT, "transfer": TRANSFER}


class Lazy:
    """A list of actions made when somebody looks at it."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], list[Action]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[Action]:
        return iter(self.make())


@dataclass(slots=True)
class MovementPhase(Procedure):
    """3.B2 The phasing player may move some, none or all of his units."""

    side: int
    limit: str = ""
    """A restriction of all movement in this phase, see modes.LIMITS."""

    @auto("3.B2")
    def begin(self, g: Board) -> Out:
        begin_movement(g)
        eliminate_caught(g)
        settle_city_battles(g)
        return None

    @ask("side", "5.1")
    def choose(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose a unit to move, or end the Movement Phase."""
        action = yield Options(Lazy(lambda: self._choices(g)), PASS, guard=lambda a: self._why_not(g, a))
        if action == PASS:
            return None
        if action[0] == "flotilla":
            sea.place_flotilla(g, action[1])
            return AGAIN
        if action[0] == "swap":
            swap(g, action[1], action[2])
            return AGAIN
        if action[0] == "unload":
            return Call(Unload(self.side, action[1]), again=True)
        if action[0] == "auto_ds":
            return Call(AutomaticDS(self.side, other(self.side), action[1]), again=True)
        if action[0] == "raze":
            raze(g, action[1], self.side)
            return AGAIN
        return Call(March(self.side, (action[1],), g.place[action[1]], limit=self.limit), again=True)

    def _choices(self, g: Board) -> list[Action]:
        acts: list[Action] = list(g.movers(self.side).values())
        if self.side == SOVIET and not g.flotilla_set:
            acts += sea.flotilla_choices(g)
        acts.extend(swaps(g, self.side))
        acts.extend(("unload", u) for u in unloadable(g, self.side))
        if fighting_refusal(self.limit) is None:
            acts.extend(auto_ds_actions(g, self.side))
        acts.extend(raze_actions(g, self.side))
        return acts

    def _why_not(self, g: Board, action: Action) -> Refusal | None:
        if action[0] == "move":
            return selection_refusal(g, action[1], self.side)
        if action[0] == "flotilla":
            return sea.flotilla_refusal(g, action[1], self.side)
        if action[0] == "swap" and len(action) == 3:
            return swap_refusal(g, action[1], action[2])
        if action[0] == "unload" and len(action) == 2:
            return unload_refusal(g, action[1])
        if action[0] == "auto_ds" and len(action) == 2:
            return fighting_refusal(self.limit) or auto_ds_refusal(g, action[1], self.side)
        if action[0] == "raze" and len(action) == 2:
            return raze_refusal(g, action[1], self.side)
        return None

    @auto("4.4")
    def check_stacking(self, g: Board) -> Out:
        """The stacking limit must be observed at the completion of the Movement Phase."""
        return CorrectStacking(self.side)


@dataclass(slots=True)
class March(Procedure):
    """5.1 The move of one unit or stack."""

    side: int
    units: tuple[int, ...]
    origin: int
    spent: tuple[int, ...] = ()
    hexes: int = 0
    mode: int = 0
    exposed: bool = False
    extended: bool = False
    path: tuple[int, ...] = ()
    final: bool = False
    """The move ends with the path."""
    flipped: int = 0
    """What has been done with a Supply Point, each once: TURNED, SWITCHED."""
    limit: str = ""
    challenged: int = NOWHERE
    trail: tuple[int, ...] = ()
    """The places entered so far."""
    by: str = ""
    """The kind of movement asked for, "tactical" or "rail"; "" for what is offered first."""

    def group(self, g: Board) -> Group:
        place = g.place[self.units[0]]
        return Group(self.units, place, self.spent, self.hexes, self.mode, self.exposed, self.extended, self.limit)

    # --- where to --------------------------------------------------------------------------------------------------

    @ask("side", "5.1")
    def where(self, g: Board) -> Generator[Options, Action, Out]:
        """Say where the unit or stack goes."""
        action = yield Options(Lazy(lambda: self._choices(g)), HALT, guard=lambda a: self._why_not(g, a))
        verb = action[0]
        if verb == "halt":
            self._finish(g, self.units)
            return DONE
        if verb == "with":
            self.units = tuple(sorted((*self.units, action[1])))
            return AGAIN
        if verb == "drop":
            self._drop(g, action[1])
            return AGAIN if self.units else DONE
        if verb == "full_retreat":
            for u in self.units:
                put_in_full_retreat(g, u, "13.1.3")
                g.set_status(u, CHOSE_RETREAT)
            return AGAIN
        if verb == "extended":
            self.extended = True
            return AGAIN
        if verb == "by":
            self.by = action[1] if action != BY_LAND else ""
            return AGAIN
        if verb == "join":
            g.strategic_moves += 1
            join(g, self.units[0], action[2])
            return DONE
        if verb == "reserve":
            self._finish(g, self.units)
            for u in self.units:
                g.set_status(u, RESERVE)
            g.tell(f"{', '.join(map(g.name, self.units))} in Reserve", "25.2.1")
            return DONE
        if verb == "switch":
            self.units = (switch(g, self.units[0]),)
            self.flipped |= SWITCHED
            return AGAIN
        if verb == "flip":
            self.flipped |= TURNED
            g.set_status(self.units[0], FLIPPED, not g.status[self.units[0]] & FLIPPED)
            return AGAIN
        if verb in ("to", "step"):
            self._set_out(g, action[1], MODES[action[2]], final=verb == "to")
            return None
        return self._special(g, verb, action)

    def _special(self, g: Board, verb: str, action: Action) -> Out:
        """Rail, sea, strait and transfer between Entry Areas."""
        u = self.units[0]
        if verb == "rail":
            way = rail.ride(g, u, action[1])
            self.units = ()
            interrupt = passed_by(g, self.side, way) if g.forces.combat[u] else None
            return Call(interrupt) if interrupt else DONE
        if verb == "sail":
            self.hexes += 1
            if sea.sail(g, u, action[1]):
                self.mode, self.spent = TACTICAL, (0,)
                interrupt = interruption(g, self.side, action[1])
                return Call(interrupt, again=True) if interrupt else AGAIN
            return self._arrived(g)
        if verb == "strait":
            sea.cross_strait(g, u)
            return self._arrived(g)
        for v in self.units:
            start = g.place[v]
            g.move(v, action[1])
            g.set_status(v, HAS_MOVED | MOVED | MOVED_FAR)
            g.tell_way(v, "moves to Entry Area {}", "22.6.1", start)
        return DONE

    def _arrived(self, g: Board) -> Out:
        """13.3.2 Units in Full Retreat run from what came by rail or over the sea; its own move is over."""
        interrupt = interruption(g, self.side, g.place[self.units[0]])
        self.units = ()
        return Call(interrupt) if interrupt else DONE

    def _choices(self, g: Board) -> list[Action]:
        if self.by == "rail":
            return [BY_LAND, *(("rail", place) for place in rail.ends(g, self.units[0]))]
        group = self.group(g)
        if self.by == "tactical":
            return [BY_LAND, *self._land_choices(g, group, TACTICAL)]
        able = group_modes(g, group)
        acts = self._group_choices(g, able)
        if not self._stopped(g):
            mode = EXTENDED if self.extended else NORMAL
            land = self._land_choices(g, group, mode) if able & mode else []
            if not land and able & TACTICAL:
                acts += self._land_choices(g, group, TACTICAL)
            elif able & TACTICAL:
                acts.append(BY_TACTICAL)
            acts += land
        if not self.hexes or self.mode == TACTICAL:
            acts.extend(self._special_choices(g))
        return acts

    def _land_choices(self, g: Board, group: Group, mode: int) -> list[Action]:
        """All places, then hex by hex the next ones."""
        found = short_of(g, group) if mode == TACTICAL else march_of(g, group)
        if found is None:
            return []
        word, hexes = MODE_WORDS[mode], found.hexes
        acts: list[Action] = [("to", h, word) for h in members(hexes)]
        if (hexes | 1 << group.place) & g.ground.edge_hexes:
            for box in areas_of(g, group, mode):
                acts.append(("to", box, word))
                if step_refusal(g, group, box, mode) is None:
                    acts.append(("step", box, word))
        acts += [("step", n, word) for n in found.first]
        return acts

    def _group_choices(self, g: Board, able: int) -> list[Action]:
        more: list[Action] = []
        if fighting_refusal(self.limit) is None and reserve_refusal(g, self.units, self.hexes) is None:
            more.append(("reserve",))
        if not self.extended and able & EXTENDED:
            more.append(("extended",))
        if self.hexes:
            return more + ([("drop", u) for u in self.units] if len(self.units) > 1 else [])
        acts: list[Action] = [
            ("with", u)
            for u in g.units(g.place[self.units[0]])
            if u not in self.units and g.forces.side[u] == self.side and not g.status[u] & STUCK
        ]
        if full_retreat_refusal(g, self.units) is None:
            acts.append(("full_retreat",))
        if len(self.units) == 1 and g.forces.is_supply_point(self.units[0]):
            if not self.flipped & TURNED and flip_refusal(g, self.units[0]) is None:
                acts.append(("flip",))
            if not self.flipped & SWITCHED and switch_refusal(g, self.units[0]) is None:
                acts.append(("switch",))
        return acts + more

    def _special_choices(self, g: Board) -> Iterator[Action]:
        able = common_modes(g, self.units, self.limit)
        u, alone = self.units[0], len(self.units) == 1
        if able & RAIL and alone and not self.hexes and rail.leads_anywhere(g, u):
            yield BY_RAIL
        if able & SEA and alone and g.ground.port:
            for place in sea.ends(g, u, self.hexes):
                yield ("sail", place)
        kerch = able & STRAIT and alone and g.place[u] in g.ground.kerch_boxes
        if kerch and not self.hexes and sea.strait_refusal(g, u) is None:
            yield ("strait",)
        if alone and not self.hexes and self.side == SOVIET and any(g.assigned) and not g.status[u] & (TRAIN | FROZEN):
            for army in armies(g):
                if strategic_refusal(g, u, army) is None:
                    yield ("join", u, army)
        if able & TRANSFER and not self.hexes:
            for place in transfers(g, self.units):
                yield ("transfer", place)

    def _stopped(self, g: Board) -> bool:
        """6.2 A mover that has entered an EZOC or an Entry Area goes no farther."""
        if not self.hexes:
            return False
        here = g.place[self.units[0]]
        return not g.map.is_hex(here) or in_ezoc(g, here, self.side)

    def _why_not(self, g: Board, action: Action) -> Refusal | None:
        if action[0] in ("to", "step"):
            return self._land_refusal(g, action)
        if action[0] == "by":
            return self._kind_refusal(g, action)
        if action[0] in ("with", "drop"):
            return self._group_refusal(g, action)
        if action[0] == "join" and len(action) == 3:
            if self.hexes:
                return Refusal("34.4.1", "joining a Reserve Army takes the unit's entire Movement Allowance")
            return strategic_refusal(g, action[1], action[2])
        if action[0] == "extended":
            return extended_refusal(g, self.group(g))
        if action[0] == "reserve":
            return fighting_refusal(self.limit) or reserve_refusal(g, self.units, self.hexes)
        if len(self.units) > 1 and action[0] in ("rail", "sail", "strait", "flip", "switch"):
            return Refusal("5.6.1" if action[0] == "rail" else "5.7.1", "units do this one by one")
        u = self.units[0]
        if self.hexes and action[0] in BEFORE_MOVING:
            return Refusal(BEFORE_MOVING[action[0]], "the unit has moved already")
        mode = SPECIAL_MODES.get(action[0])
        if mode and (why := mode_refusal(g, u, mode, self.limit)):
            return why
        match action[0]:
            case "rail":
                return rail.end_refusal(g, u, action[1]) or Refusal("5.6.1", "say first that the unit goes by rail")
            case "sail":
                return sea.end_refusal(g, u, action[1], self.hexes)
            case "strait":
                return sea.strait_refusal(g, u)
            case "transfer":
                return transfer_refusal(g, self.units, action[1], self.limit)
            case "full_retreat":
                return full_retreat_refusal(g, self.units)
            case "flip":
                return flip_refusal(g, u)
            case "switch":
                return switch_refusal(g, u)
        return None

    def _land_refusal(self, g: Board, action: Action) -> Refusal | None:
        mode = MODES.get(action[2], 0)
        if mode == EXTENDED and not self.extended:
            return Refusal("5.3", "Extended Movement must be declared first")
        if mode not in (NORMAL, EXTENDED, TACTICAL) or not 0 <= action[1] < g.map.places:
            return Refusal("5.1", "say normal, extended or tactical after the place")
        refusal = end_refusal if action[0] == "to" else step_refusal
        if why := refusal(g, self.group(g), action[1], mode):
            return why
        if mode == TACTICAL and not self.by:
            return Refusal("5.4", "say first that the move is made by Tactical Movement")
        return Refusal("5.1", "say first that the move is made by land") if self.by else None

    def _kind_refusal(self, g: Board, action: Action) -> Refusal | None:
        """Why another kind of movement cannot be asked for."""
        if self.by and action != BY_LAND:
            return Refusal("5.1", "first go back to movement by land")
        if action == BY_RAIL and not self.hexes and len(self.units) == 1:
            why = mode_refusal(g, self.units[0], RAIL, self.limit) or rail.start_refusal(g, self.units[0])
            return why or Refusal("5.6.3", "no open railroad leads anywhere from there")
        if action == BY_RAIL:
            return Refusal("5.6.1", "units use Rail Movement one by one, and for their whole move")
        if action == BY_TACTICAL:
            whys = [mode_refusal(g, u, TACTICAL, self.limit) for u in self.units]
            return next((why for why in whys if why), Refusal("5.4", "no other kind of movement is possible now"))
        return Refusal("5.1", "the kinds of movement to ask for are tactical, rail and land")

    def _group_refusal(self, g: Board, action: Action) -> Refusal | None:
        if action[0] == "drop":
            return Refusal("5.1", "a stack drops units on its way, one of those that move and not the last one")
        if self.hexes:
            return Refusal("5.1", "a moving stack picks up no units")
        if why := selection_refusal(g, action[1], self.side):
            return why
        if g.place[action[1]] != g.place[self.units[0]]:
            return Refusal("5.1", "units move together from one hex")
        return None

    # --- on the way ------------------------------------------------------------------------------------------------

    def _set_out(self, g: Board, place: Place, mode: int, *, final: bool) -> None:
        """Pay for the way and remember it."""
        group = self.group(g)
        way = way_to(g, group, place, mode) if final else (place,)
        if mode != TACTICAL:
            self.spent = spend(g, group, way)
        elif not self.spent:
            self.spent = (0,) * len(self.units)
        self.mode, self.by = mode, ""
        self.path, self.final = way, final

    @auto("5.1")
    def go(self, g: Board) -> Out:
        """Enter the hexes of the way one by one; whatever interrupts is settled before the next."""
        while self.path:
            if not self._may_go_on(g, self.path[0]):
                self.path, self.final = (), False
                if not self.hexes:  # barred before its first hex: it has paid nothing yet
                    self.spent, self.mode = (), 0
                break
            if not self.exposed and self._quiet(g):
                self._jump(g)
                break
            if self.path[0] != self.challenged and (defend := self._challenge(g)):
                return Call(defend, again=True)
            self._enter(g, self.path[0])
            here = g.place[self.units[0]]
            if interrupt := displacement(g, here, self.side) or interruption(g, self.side, here):
                return Call(interrupt, again=True)
        self.units = tuple(u for u in self.units if g.pool[u] == IN_PLAY)
        if not self.units:
            return DONE
        if self.final or self._stopped(g):
            self._finish(g, self.units)
            return DONE
        return Goto("where")

    def _challenge(self, g: Board) -> Procedure | None:
        """34.6.2 A Reserve Army in the next hex may bring its units out before it is entered."""
        place = self.path[0]
        if not g.map.is_hex(place) or not any(g.forces.combat[u] for u in self.units):
            return None
        self.challenged = place
        return challenge(g, place, self.side)

    def _quiet(self, g: Board) -> bool:
        """Nothing can follow from passing the rest of the way."""
        watch = alert(g, self.side)
        size = g.map.grid.size
        return not any(watch >> n & 1 if n < size else g.box_side(n) != self.side for n in self.path)

    def _jump(self, g: Board) -> None:
        end, size = self.path[-1], g.map.grid.size
        for u in self.units:
            g.move(u, end)
        if len(self.path) > 1 or (end < size and self._in_zone(g, end)):
            self._mark_far(g)
        self.hexes += len(self.path)
        self.trail = (*self.trail, *self.path)
        near = next_to_enemies(g, self.side)
        self.exposed = any(n < size and near >> n & 1 for n in self.path)
        self.path = ()

    def _enter(self, g: Board, place: Place) -> None:
        if g.map.is_hex(place):
            enter(g, self.units, place)
            self.exposed = self.exposed or self._near(g, place)
        else:
            for u in self.units:
                g.move(u, place)
        if self.hexes or (g.map.is_hex(place) and self._in_zone(g, place)):
            self._mark_far(g)
        self.hexes += 1
        self.trail = (*self.trail, place)
        self.path = self.path[1:]

    def _may_go_on(self, g: Board, place: Place) -> bool:
        """After an interruption the next hex may have been closed."""
        if not self.hexes and self.challenged == NOWHERE:
            return True
        return closed_refusal(g, self.group(g), place, self.mode) is None

    def _near(self, g: Board, place: Place) -> bool:
        return bool(next_to_enemies(g, self.side) >> place & 1)

    def _in_zone(self, g: Board, place: Place) -> bool:
        return in_ezoc(g, place, self.side)

    def _mark_far(self, g: Board) -> None:
        for u in self.units:
            g.set_status(u, MOVED_FAR)

    def _drop(self, g: Board, u: Unit) -> None:
        """5.1 A moving stack may drop units along the way."""
        i = self.units.index(u)
        self._finish(g, (u,))
        self.units = (*self.units[:i], *self.units[i + 1 :])
        self.spent = (*self.spent[:i], *self.spent[i + 1 :])

    def _finish(self, g: Board, units: tuple[Unit, ...]) -> None:
        """The end of a unit's move."""
        settle_city_battles(g)
        for u in units:
            i = self.units.index(u)
            marks = HAS_MOVED
            if self.hexes:
                far = self.mode == EXTENDED and self.spent[i] > allowance(g, u)
                marks |= MOVED | (EXTENDED_MARK if far else 0)
            g.set_status(u, marks)
            if not self.hexes:
                continue
            if self.hexes > g.charts.constant("asu_hexes_in_order"):
                moved_far(g, u)
            if g.events is None:
                continue
            kind = "extended" if g.status[u] & EXTENDED_MARK else MODE_WORDS.get(self.mode, "")
            where = g.place_name(g.place[u])
            g.tell_way(u, f"moves to {{}} ({kind})", "5.1", self.origin, self.trail, place=where, mode=kind)
