"""17.1 The Soviet artillery barrage: barrage units are formed, fire, and go back into their components."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import bits, members, within
from kessel.core.procedure import AGAIN, Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import BACK, GERMAN, HOLDING, ON_TRACK, SOVIET, STAYS, UNUSED, Board
from kessel.games.korsun44.data.forces import BARRAGE
from kessel.games.korsun44.movement.zones import zone_of


@fact(GAME)
def barrage_units(g: Board) -> tuple[Unit, ...]:
    """22.3 All barrage units, in the order of their markers."""
    return tuple(g.forces.unit(b.unit) for b in g.charts.game.barrage.values())


@fact(GAME)
def parts_of(g: Board, u: Unit) -> list[Unit]:
    """22.3 The five artillery units a barrage unit is made of."""
    found = next((b.parts for b in g.charts.game.barrage.values() if b.unit == g.id(u)), ())
    return [g.forces.unit(name) for name in found]


def held_parts(g: Board, u: Unit) -> list[Unit]:
    """17.1.1 Those that lie in the holding box."""
    return [v for v in parts_of(g, u) if g.box[v] == HOLDING and g.steps[v] and not g.on_map(v)]


# --- 17.1.5 redeployment -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Redeployment(Procedure):
    """17.1.5 Barrage units come back from the track; those that have fired become their components again."""

    @auto("17.1.5")
    def back(self, g: Board) -> Out:
        for u in barrage_units(g):
            if not g.on_map(u) and g.box[u] == ON_TRACK and g.due[u] <= g.turn:
                g.box[u] = UNUSED
                g.tell(f"{g.name(u)} can be formed again", "17.1.5", unit=g.id(u))
        return None

    @auto("17.1.5")
    def dissolve(self, g: Board) -> Out:
        for u in barrage_units(g):
            if g.on_map(u) and g.status[u] & BACK:
                h = g.place[u]
                due = g.turn + g.charts.constants.barrage_return
                g.tell(f"{g.name(u)} becomes its artillery units again", "17.1.5", unit=g.id(u))
                g.steps[u] = 0
                g.take_off(u, ON_TRACK, due)
                return Call(Components(SOVIET, u, h), again=True)
        return None


@dataclass(slots=True)
class Components(Procedure):
    """17.1.5 The components are placed in the hex or next to it; three of them in the hex."""

    side: int
    barrage: int
    home: int

    put = Choice("side", "17.1.5", "Place an artillery unit in the barrage unit's hex or next to it.")

    @put.verb("place_gun", legal=lambda p, g: p.places(g), why_not=lambda p, g, u, h: p.why_not_put(g, u, h))
    def place(self, g: Board, u: Unit, h: Hex) -> Out:
        side = g.status[u] & BACK
        g.put(u, h)
        g.set_status(u, side | STAYS)
        g.tell(f"{g.name(u)} stands in {g.hex_name(h)}", "17.1.5", unit=g.id(u), to=g.hex_name(h))
        return AGAIN

    def places(self, g: Board) -> list[tuple[Unit, Hex]]:
        hexes = members(within(g.map.grid, 1 << self.home, 1) & g.playable)
        left = held_parts(g, self.barrage)
        able = [h for h in hexes if self._why_not_in(g, h, len(left)) is None]
        return [(u, h) for u in left for h in able]

    def why_not_put(self, g: Board, u: Unit, h: Hex) -> Refusal | None:
        left = held_parts(g, self.barrage)
        if u not in left:
            return Refusal("17.1.5", f"{g.name(u)} does not lie in the holding box")
        return self._why_not_in(g, h, len(left))

    def _why_not_in(self, g: Board, h: Hex, left: int) -> Refusal | None:
        if g.map.grid.distance(h, self.home) > 1 or not g.playable >> h & 1 or g.enemies_in(h, SOVIET):
            return Refusal(
                "17.1.5", f"{g.hex_name(h)} is not in or next to the barrage unit's hex, or an enemy is there"
            )
        here = sum(g.place[v] == self.home for v in parts_of(g, self.barrage))
        if h != self.home and here + left - 1 < min(g.charts.constants.barrage_stay, here + left):
            return Refusal("17.1.5", f"{g.charts.constants.barrage_stay} of them must stand in {g.hex_name(self.home)}")
        return None


def redeployment_segment(g: Board) -> Procedure | None:
    return Redeployment()


# --- 17.1.1 creation -----------------------------------------------------------------------------------------------


def why_not_form(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """17.1.1 Why a barrage unit may not be formed in a hex."""
    if g.forces.role[u] != BARRAGE or g.on_map(u) or g.box[u] == ON_TRACK:
        return Refusal("17.1.1", f"{g.name(u)} is not at hand")
    parts = parts_of(g, u)
    missing = next((v for v in parts if not g.on_map(v)), None)
    if missing is not None:
        return Refusal("17.1.1", f"{g.name(missing)} is not on the map")
    clear = g.ground.clear
    if g.reads("village_clear") == "not_clear":
        clear &= ~g.ground.village
    if not (clear & g.playable) >> h & 1 or g.enemies_in(h, SOVIET):
        return Refusal("17.1.1", f"{g.hex_name(h)} is not clear")
    if zone_of(g, GERMAN) >> h & 1:
        return Refusal("17.1.1", f"{g.hex_name(h)} is in a German zone")
    for v in parts:
        if g.map.grid.distance(g.place[v], h) > 1:
            return Refusal("17.1.1", f"{g.name(v)} is neither in {g.hex_name(h)} nor next to it")
        if g.status[v] & BACK:
            return Refusal("17.1.1", f"{g.name(v)} is on its back side")
    return None


def formations(g: Board) -> list[tuple[Unit, Hex]]:
    found = []
    for u in barrage_units(g):
        parts = parts_of(g, u)
        if not g.on_map(u) and all(g.on_map(v) for v in parts):
            near = within(g.map.grid, bits([g.place[parts[0]]]), 1)
            found += [(u, h) for h in members(near) if why_not_form(g, u, h) is None]
    return found


def form(g: Board, u: Unit, h: Hex) -> None:
    for v in parts_of(g, u):
        g.take_off(v, HOLDING)
    g.steps[u] = g.forces.full_steps[u]
    g.put(u, h)
    g.set_status(u, BACK, on=False)
    g.tell(f"{g.name(u)} is formed in {g.hex_name(h)}", "17.1.1", unit=g.id(u), to=g.hex_name(h))


@dataclass(slots=True)
class Creation(Procedure):
    """17.1.1 The Barrage Unit Creation Segment."""

    side: int = SOVIET

    pick = Choice("side", "17.1.1", "Form a barrage unit, or form no more.", passing=None)

    @pick.verb("form_barrage", legal=lambda p, g: formations(g), why_not=lambda p, g, u, h: why_not_form(g, u, h))
    def create(self, g: Board, u: Unit, h: Hex) -> Out:
        form(g, u, h)
        return AGAIN


def creation_segment(g: Board) -> Procedure | None:
    return Creation()


# --- 17.1.3 the barrage --------------------------------------------------------------------------------------------


def shifts_at(g: Board, length: int) -> int:
    """17.1.3, Q29 The shifts of a marker at that distance; 0 where none may be placed."""
    c = g.charts.constants
    if length == c.barrage_range:
        return c.barrage_shift_far
    if 1 < length < c.barrage_range or (length == 1 and g.reads("barrage_adjacent") == "three_shifts"):
        return c.barrage_shift_near
    return 0


def _slots(g: Board, u: Unit) -> range:
    n = g.charts.constants.barrage_markers
    first = barrage_units(g).index(u) * n
    return range(first, first + n)


def why_not_shell(g: Board, u: Unit, h: Hex, fired: tuple[int, ...]) -> Refusal | None:
    """17.1.3 Why a barrage unit may not put a marker on a hex."""
    if u not in barrage_units(g) or not g.on_map(u):
        return Refusal("17.1.3", f"{g.name(u)} is no barrage unit on the map")
    if g.status[u] & BACK and u not in fired:
        return Refusal("17.1.3", f"{g.name(u)} has fired")
    if not g.of_side(h, GERMAN):
        return Refusal("17.1.3", f"no German unit is in {g.hex_name(h)}")
    if not shifts_at(g, g.map.grid.distance(g.place[u], h)):
        return Refusal("17.1.3", f"{g.hex_name(h)} is not two or three hexes away")
    if h in g.barrage_at:
        return Refusal("17.1.3", f"{g.hex_name(h)} has a Barrage Effects marker")
    if all(g.barrage_at[i] != NOWHERE for i in _slots(g, u)):
        return Refusal("17.1.3", f"{g.name(u)} has placed all its markers")
    return None


@dataclass(slots=True)
class BarrageSegment(Procedure):
    """17.1.3 Each barrage unit places up to three Barrage Effects markers and is out of ammunition."""

    side: int = SOVIET
    fired: tuple[int, ...] = ()

    pick = Choice("side", "17.1.3", "Place a Barrage Effects marker, or place no more.", passing=None)

    @pick.verb(
        "shell",
        legal=lambda p, g: [
            (u, h)
            for u in barrage_units(g)
            if g.on_map(u)
            for h in members(within(g.map.grid, 1 << g.place[u], g.charts.constants.barrage_range) & g.hexes_of(GERMAN))
            if why_not_shell(g, u, h, p.fired) is None
        ],
        why_not=lambda p, g, u, h: why_not_shell(g, u, h, p.fired),
    )
    def shell(self, g: Board, u: Unit, h: Hex) -> Out:
        i = next(i for i in _slots(g, u) if g.barrage_at[i] == NOWHERE)
        shift = shifts_at(g, g.map.grid.distance(g.place[u], h))
        g.lay_barrage(i, h, shift)
        g.set_status(u, BACK)
        for v in held_parts(g, u):
            g.set_status(v, BACK)
        self.fired = tuple(sorted({*self.fired, u}))
        g.changed()
        g.tell(f"{g.name(u)} shells {g.place_words(h)}: {shift} shifts", "17.1.3", unit=g.id(u), to=g.hex_name(h))
        return AGAIN


def barrage_segment(g: Board) -> Procedure | None:
    return BarrageSegment()
