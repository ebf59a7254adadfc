"""5.0 Movement: the move of one unit or stack.

To the unit picked a player adds others of its hex (`with`), then says where: `to` a place by the cheapest way, or
hex by hex (`step`), dropping units on the way (`drop`). `halt` ends the move. Offered are the places of normal movement
(of Extended Movement once it is declared, of Tactical Movement where no other leads anywhere); `by tactical` and
`by rail` ask for the places of these, `by land` leads back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import AGAIN, DONE, Action, Call, Goto, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.stalingrad42.board import Board
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
from kessel.games.stalingrad42.combat.after.retreat import interruption, passed_by
from kessel.games.stalingrad42.combat.city_battles import settle_city_battles
from kessel.games.stalingrad42.combat.disruption import put_in_full_retreat
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.games.stalingrad42.movement import rail, sea
from kessel.games.stalingrad42.movement.entering import alert, enter
from kessel.games.stalingrad42.movement.entry import displacement, transfers, why_not_transfer
from kessel.games.stalingrad42.movement.maskirovka import (
    armies,
    challenge,
    join,
    why_not_strategic,
)
from kessel.games.stalingrad42.movement.moving import (
    moved_far,
    spend,
    why_not_flip,
    why_not_full_retreat,
    why_not_reserve,
    why_not_select,
)
from kessel.games.stalingrad42.movement.ways.modes import (
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
    why_not_fight,
    why_not_mode,
)
from kessel.games.stalingrad42.movement.ways.reach import Group, areas_of, group_modes, march_of, short_of, way_to
from kessel.games.stalingrad42.movement.ways.why import why_not_end, why_not_extended, why_not_pass, why_not_step
from kessel.games.stalingrad42.movement.ways.zones import is_in_ezoc, next_to_enemies
from kessel.games.stalingrad42.supply.resources import switch, why_not_switch

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
StepRefusal: TypeAlias = Callable[[Board, Group, Place, int], Refusal | None]


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

    about_units = ("units",)

    def group(self, g: Board) -> Group:
        place = g.place[self.units[0]]
        return Group(self.units, place, self.spent, self.hexes, self.mode, self.exposed, self.extended, self.limit)

    # --- where to: what is offered -----------------------------------------------------------------------------------

    def _choices(self, g: Board) -> list[Action]:
        """In the order in which they are listed."""
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

    def _plain_choices(self, g: Board) -> list[Action]:
        """The places of normal movement, or of Extended Movement once it is declared."""
        group, mode = self.group(g), EXTENDED if self.extended else NORMAL
        return self._land_choices(g, group, mode) if group_modes(g, group) & mode else []

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
                if why_not_step(g, group, box, mode) is None:
                    acts.append(("step", box, word))
        acts += [("step", n, word) for n in found.first]
        return acts

    def _group_choices(self, g: Board, able: int) -> list[Action]:
        more: list[Action] = []
        if why_not_fight(self.limit) is None and why_not_reserve(g, self.units, self.hexes) is None:
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
        if why_not_full_retreat(g, self.units) is None:
            acts.append(("full_retreat",))
        if len(self.units) == 1 and g.forces.is_supply_point(self.units[0]):
            if not self.flipped & TURNED and why_not_flip(g, self.units[0]) is None:
                acts.append(("flip",))
            if not self.flipped & SWITCHED and why_not_switch(g, self.units[0]) is None:
                acts.append(("switch",))
        return acts + more

    def _special_choices(self, g: Board) -> Iterator[Action]:
        able = common_modes(g, self.units, self.limit)
        u, alone = self.units[0], len(self.units) == 1
        if able & RAIL and alone and not self.hexes and rail.can_lead_anywhere(g, u):
            yield BY_RAIL
        if able & SEA and alone and g.ground.port:
            for place in sea.ends(g, u, self.hexes):
                yield ("sail", place)
        kerch = able & STRAIT and alone and g.place[u] in g.ground.kerch_boxes
        if kerch and not self.hexes and sea.why_not_strait(g, u) is None:
            yield ("strait",)
        if alone and not self.hexes and self.side == SOVIET and any(g.assigned) and not g.status[u] & (TRAIN | FROZEN):
            for army in armies(g):
                if why_not_strategic(g, u, army) is None:
                    yield ("join", u, army)
        if able & TRANSFER and not self.hexes:
            for place in transfers(g, self.units):
                yield ("transfer", place)

    def _stopped(self, g: Board) -> bool:
        """6.2 A mover that has entered an EZOC or an Entry Area goes no farther."""
        if not self.hexes:
            return False
        here = g.place[self.units[0]]
        return not g.map.is_hex(here) or is_in_ezoc(g, here, self.side)

    # --- where to: what it does -------------------------------------------------------------------------------------

    where = Choice("side", "5.1", "Say where the unit or stack goes.", every=_choices)

    def why_not_asked(self, g: Board, *arguments: object) -> Refusal | None:
        """Once Tactical or Rail Movement is asked for, its places and the way back are all that is offered."""
        return NOT_NOW if self.by else None

    @where.verb("halt")
    def halt(self, g: Board) -> Out:
        self._finish(g, self.units)
        return DONE

    def why_not_with(self, g: Board, u: Unit) -> Refusal | None:
        if self.hexes:
            return Refusal("5.1", "a moving stack picks up no units")
        if why := why_not_select(g, u, self.side):
            return why
        if g.place[u] != g.place[self.units[0]]:
            return Refusal("5.1", "units move together from one hex")
        if u in self.units:
            return Refusal("5.1", f"{g.name(u)} is in the stack already")
        return NOT_NOW if self.by else None

    @where.verb("with", why_not=why_not_with)
    def take_along(self, g: Board, u: Unit) -> Out:
        self.units = tuple(sorted((*self.units, u)))
        return AGAIN

    def why_not_drop(self, g: Board, u: Unit) -> Refusal | None:
        if self.hexes and len(self.units) > 1 and u in self.units and not self.by:
            return None
        return Refusal("5.1", "a stack drops units on its way, one of those that move and not the last one")

    @where.verb("drop", why_not=why_not_drop)
    def drop(self, g: Board, u: Unit) -> Out:
        """5.1 A moving stack may drop units along the way."""
        i = self.units.index(u)
        self._finish(g, (u,))
        self.units = (*self.units[:i], *self.units[i + 1 :])
        self.spent = (*self.spent[:i], *self.spent[i + 1 :])
        return AGAIN if self.units else DONE

    def why_not_by(self, g: Board, word: str) -> Refusal | None:
        if self.by:
            return None if word == "land" else Refusal("5.1", "first go back to movement by land")
        if word == "rail":
            return self._why_not_rail(g)
        if word != "tactical":
            return Refusal("5.1", "the kinds of movement to ask for are tactical, rail and land")
        if why := next(filter(None, (why_not_mode(g, u, TACTICAL, self.limit) for u in self.units)), None):
            return why
        if group_modes(g, self.group(g)) & TACTICAL and not self._stopped(g) and self._plain_choices(g):
            return None
        return Refusal("5.4", "no other kind of movement is possible now")

    def _why_not_rail(self, g: Board) -> Refusal | None:
        if self.hexes or len(self.units) > 1:
            return Refusal("5.6.1", "units use Rail Movement one by one, and for their whole move")
        u = self.units[0]
        if why := why_not_mode(g, u, RAIL, self.limit) or rail.why_not_start(g, u):
            return why
        return None if rail.can_lead_anywhere(g, u) else Refusal("5.6.3", "no open railroad leads anywhere from there")

    @where.verb("by", why_not=why_not_by)
    def ask_for(self, g: Board, word: str) -> Out:
        self.by = word if word != "land" else ""
        return AGAIN

    def why_not_land(self, g: Board, place: Place, word: str, refusal: StepRefusal) -> Refusal | None:
        mode = MODES.get(word, 0)
        if mode == EXTENDED and not self.extended:
            return Refusal("5.3", "Extended Movement must be declared first")
        if mode not in (NORMAL, EXTENDED, TACTICAL) or not 0 <= place < g.map.places:
            return Refusal("5.1", "say normal, extended or tactical after the place")
        if why := refusal(g, self.group(g), place, mode):
            return why
        if mode == TACTICAL and not self.by and self._plain_choices(g):
            return Refusal("5.4", "say first that the move is made by Tactical Movement")
        if self.by and (mode != TACTICAL or self.by != "tactical"):
            return Refusal("5.1", "say first that the move is made by land")
        return None

    @where.verb("to", why_not=lambda p, g, place, word: p.why_not_land(g, place, word, why_not_end))
    def go_to(self, g: Board, place: Place, word: str) -> Out:
        group, mode = self.group(g), MODES[word]
        self._set_out(g, group, way_to(g, group, place, mode), mode)
        self.final = True
        return None

    @where.verb("step", why_not=lambda p, g, place, word: p.why_not_land(g, place, word, why_not_step))
    def go_one(self, g: Board, place: Place, word: str) -> Out:
        self._set_out(g, self.group(g), (place,), MODES[word])
        self.final = False
        return None

    # --- where to: before the move -----------------------------------------------------------------------------------

    def why_not_full_retreat(self, g: Board) -> Refusal | None:
        return self._why_not_so_late("full_retreat") or why_not_full_retreat(g, self.units) or self.why_not_asked(g)

    @where.verb("full_retreat", why_not=why_not_full_retreat, plain=False)
    def full_retreat(self, g: Board) -> Out:
        for u in self.units:
            put_in_full_retreat(g, u, "13.1.3")
            g.set_status(u, CHOSE_RETREAT)
        return AGAIN

    def why_not_flip(self, g: Board) -> Refusal | None:
        why = self._why_not_together("flip") or self._why_not_so_late("flip") or why_not_flip(g, self.units[0])
        return why or (NOT_NOW if self.by or self.flipped & TURNED else None)

    @where.verb("flip", why_not=why_not_flip, plain=False)
    def flip(self, g: Board) -> Out:
        self.flipped |= TURNED
        g.set_status(self.units[0], FLIPPED, not g.status[self.units[0]] & FLIPPED)
        return AGAIN

    def why_not_switch(self, g: Board) -> Refusal | None:
        why = self._why_not_together("switch") or self._why_not_so_late("switch") or why_not_switch(g, self.units[0])
        return why or (NOT_NOW if self.by or self.flipped & SWITCHED else None)

    @where.verb("switch", why_not=why_not_switch, plain=False)
    def switch(self, g: Board) -> Out:
        self.units = (switch(g, self.units[0]),)
        self.flipped |= SWITCHED
        return AGAIN

    def why_not_reserve(self, g: Board) -> Refusal | None:
        return why_not_fight(self.limit) or why_not_reserve(g, self.units, self.hexes) or self.why_not_asked(g)

    @where.verb("reserve", why_not=why_not_reserve, plain=False)
    def put_in_reserve(self, g: Board) -> Out:
        self._finish(g, self.units)
        for u in self.units:
            g.set_status(u, RESERVE)
        g.tell(f"{', '.join(map(g.name, self.units))} in Reserve", "25.2.1")
        return DONE

    def why_not_extended(self, g: Board) -> Refusal | None:
        return why_not_extended(g, self.group(g)) or self.why_not_asked(g)

    @where.verb("extended", why_not=why_not_extended, plain=False)
    def declare_extended(self, g: Board) -> Out:
        self.extended = True
        return AGAIN

    # --- where to: rail, sea, strait, other Entry Areas, Reserve Armies ----------------------------------------------

    def _why_not_together(self, verb: str) -> Refusal | None:
        if len(self.units) == 1:
            return None
        return Refusal("5.6.1" if verb == "rail" else "5.7.1", "units do this one by one")

    def _why_not_so_late(self, verb: str) -> Refusal | None:
        return Refusal(BEFORE_MOVING[verb], "the unit has moved already") if self.hexes else None

    def why_not_rail(self, g: Board, place: Place) -> Refusal | None:
        u = self.units[0]
        why = self._why_not_together("rail") or self._why_not_so_late("rail") or why_not_mode(g, u, RAIL, self.limit)
        if why := why or rail.why_not_end(g, u, place):
            return why
        return None if self.by == "rail" else Refusal("5.6.1", "say first that the unit goes by rail")

    @where.verb("rail", why_not=why_not_rail)
    def ride(self, g: Board, place: Place) -> Out:
        u = self.units[0]
        way = rail.ride(g, u, place)
        self.units = ()
        interrupt = passed_by(g, self.side, way) if g.forces.combat[u] else None
        return Call(interrupt) if interrupt else DONE

    def why_not_sail(self, g: Board, place: Place) -> Refusal | None:
        u = self.units[0]
        why = self._why_not_together("sail") or why_not_mode(g, u, SEA, self.limit)
        why = why or sea.why_not_end(g, u, place, self.hexes)
        return why or (NOT_NOW if self.by or (self.hexes and self.mode != TACTICAL) else None)

    @where.verb("sail", why_not=why_not_sail)
    def sail(self, g: Board, place: Hex) -> Out:
        self.hexes += 1
        if sea.sail(g, self.units[0], place):
            self.mode, self.spent = TACTICAL, (0,)
            interrupt = interruption(g, self.side, place)
            return Call(interrupt, again=True) if interrupt else AGAIN
        return self._arrived(g)

    def why_not_strait(self, g: Board) -> Refusal | None:
        u = self.units[0]
        why = (
            self._why_not_together("strait")
            or self._why_not_so_late("strait")
            or why_not_mode(g, u, STRAIT, self.limit)
        )
        return why or sea.why_not_strait(g, u) or self.why_not_asked(g)

    @where.verb("strait", why_not=why_not_strait, plain=False)
    def cross_strait(self, g: Board) -> Out:
        sea.cross_strait(g, self.units[0])
        return self._arrived(g)

    def _arrived(self, g: Board) -> Out:
        """13.3.2 Units in Full Retreat run from what came by rail or over the sea; its own move is over."""
        interrupt = interruption(g, self.side, g.place[self.units[0]])
        self.units = ()
        return Call(interrupt) if interrupt else DONE

    def why_not_join(self, g: Board, u: Unit, army: Unit) -> Refusal | None:
        if self.hexes:
            return Refusal("34.4.1", "joining a Reserve Army takes the unit's entire Movement Allowance")
        return why_not_strategic(g, u, army) or (NOT_NOW if self.by or self.units != (u,) else None)

    @where.verb("join", why_not=why_not_join)
    def join(self, g: Board, u: Unit, army: Unit) -> Out:
        g.strategic_moves += 1
        join(g, u, army)
        return DONE

    def why_not_transfer(self, g: Board, place: Place) -> Refusal | None:
        return (
            self._why_not_so_late("transfer")
            or why_not_transfer(g, self.units, place, self.limit)
            or self.why_not_asked(g)
        )

    @where.verb("transfer", why_not=why_not_transfer)
    def transfer(self, g: Board, place: Place) -> Out:
        for u in self.units:
            start = g.place[u]
            g.move(u, place)
            g.set_status(u, HAS_MOVED | MOVED | MOVED_FAR)
            g.tell_move(u, "moves to {}", "22.6.1", start)
        return DONE

    # --- on the way ------------------------------------------------------------------------------------------------

    def _set_out(self, g: Board, group: Group, way: tuple[Place, ...], mode: int) -> None:
        """Pay for the way and remember it."""
        if mode != TACTICAL:
            self.spent = spend(g, group, way)
        elif not self.spent:
            self.spent = (0,) * len(self.units)
        self.mode, self.by = mode, ""
        self.path = way

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
        return why_not_pass(g, self.group(g), place, self.mode) is None

    def _near(self, g: Board, place: Place) -> bool:
        return bool(next_to_enemies(g, self.side) >> place & 1)

    def _in_zone(self, g: Board, place: Place) -> bool:
        return is_in_ezoc(g, place, self.side)

    def _mark_far(self, g: Board) -> None:
        for u in self.units:
            g.set_status(u, MOVED_FAR)

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
            g.tell_move(u, f"moves to {{}} ({kind})", "5.1", self.origin, self.trail, place=where, mode=kind)
