"""Scenarios with their units scattered: every corner of the real map is reached, and every marker is in use."""

from __future__ import annotations

import random

from kessel.core.dice import Dice
from kessel.core.hexset import members
from kessel.games.stalingrad42 import TITLE
from kessel.games.stalingrad42.board import REPLACEMENT_KINDS, Board
from kessel.games.stalingrad42.columns import (
    BEGUN,
    BUILT,
    DISRUPTED,
    ELIMINATED,
    FLIPPED,
    FULL_RETREAT,
    IN_PLAY,
    MOVED,
    REMOVED_NEXT,
    REPLACED,
    TRAIN,
    WAITING,
)
from kessel.games.stalingrad42.data.charts import WEATHERS
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET

from .helpers import PACK, SWITCHES

SCENARIOS = ("fall-blau", "caucasus", "uranus", "campaign")
WEATHER = ("clear", "clear", "overcast", "overcast_w", "snow")
"""Costs of movement are worked out anew for wet ground, which takes long on the whole map."""
STATES = (0,) * 12 + (DISRUPTED, DISRUPTED, FULL_RETREAT, REPLACED, TRAIN, FLIPPED, MOVED)


def scattered_board(seed: int) -> Board:
    """Half of the units stand somewhere else, in many states; some others are lost or have come early."""
    r = random.Random(f"scattered {seed}")
    name = SCENARIOS[seed % len(SCENARIOS)]
    switches = {key: r.choice(values) for key, values in sorted(SWITCHES.items()) if r.random() < 0.3}
    switches.pop("road_ignores_terrain", None)
    g = TITLE.new(PACK, name, switches, Dice(seed)).by_ids()
    assert isinstance(g, Board)
    first, last = g.scenario.first_turn, g.scenario.last_turn
    g.set_track("turn", r.randint(first, last))
    g.phasing, g.phase = r.randrange(2), r.randrange(5)
    _scatter(r, g)
    _armies(r, g)
    _markers(r, g)
    g.events = []
    return g


def _scatter(r: random.Random, g: Board) -> None:
    cities = members(g.ground.city | g.ground.port)
    ways = members(g.control_hexes[AXIS] | g.control_hexes[SOVIET] | g.repaired_hexes())
    for u in range(len(g.forces)):
        if g.pool[u] == IN_PLAY and g.on_map(u):
            fate = r.random()
            if fate < 0.05:
                g.take(u, ELIMINATED)
            elif fate < 0.45:
                _send(r, g, u, r.choice((cities, ways, g.map.grid.hexes, g.ground.land_boxes)))
        elif g.pool[u] == WAITING and r.random() < 0.25:
            _send(r, g, u, r.choice((cities, ways, g.map.grid.hexes)))
        if g.pool[u] == IN_PLAY and g.forces.combat[u]:
            g.set_status(u, r.choice(STATES))
            if g.steps[u] > 1 and r.random() < 0.2:
                g.set_steps(u, g.steps[u] - 1)


def _send(r: random.Random, g: Board, u: int, places: list[int] | tuple[int, ...]) -> None:
    for _ in range(6):
        place = r.choice(places)
        if g.map.is_hex(place):
            enemies = any(g.forces.side[v] != g.forces.side[u] for v in g.units(place))
            fits = not enemies and g.ground.playable >> place & 1
        else:
            fits = g.box_side(place) == g.forces.side[u] or g.map.box(place).id == "G"
        if fits and (g.pool[u] == IN_PLAY or g.forces.type[u] != "reserve_army"):
            (g.move if g.pool[u] == IN_PLAY else g.put)(u, place)
            return


def _armies(r: random.Random, g: Board) -> None:
    """34.1 Reserve Armies with markers, some with units in their boxes."""
    boxes = r.sample(range(1, 7), 6)
    soviets = [u for u in g.forces.units_of[SOVIET] if g.pool[u] == IN_PLAY and g.forces.combat[u]]
    for i, army in enumerate(g.forces.reserve_armies):
        if r.random() < 0.7:
            if g.pool[army] != IN_PLAY:
                near = r.choice(soviets)
                g.put(army, g.place[near] if g.place[near] >= 0 else g.place[soviets[0]])
            g.assigned[i] = boxes[i]
            g.set_status(army, REMOVED_NEXT, r.random() < 0.2)
            for u in r.sample(soviets, r.randint(0, 6)):
                if g.place[u] >= 0:
                    g.move(u, -1)
                    g.inside[u] = boxes[i]
    g.changed()


def _markers(r: random.Random, g: Board) -> None:
    for h in members(g.ground.controllable):
        if r.random() < 0.4:
            g.set_control(h, r.randrange(2))
    for h in r.sample(g.map.grid.hexes, 12):
        g.set_fort(h, r.randrange(2), r.choice((BEGUN, BUILT)))
    g.weather = WEATHERS.index(r.choice(WEATHER))
    g.elbrus = r.randrange(2)
    g.baku = int(r.random() < 0.5)
    g.vasilevsky, g.deactivated = r.randrange(2), r.randrange(4)
    g.winter_offensive = r.choice((0, 0, max(0, g.turn - 1)))
    g.points[:] = bytes(r.choice((0, 1, 2)) for _ in range(2 * len(REPLACEMENT_KINDS)))
    g.resource_points = r.randrange(4)
    for i in range(len(g.air)):
        g.air[i] = r.randrange(3)
    for u in range(len(g.forces)):
        if g.forces.is_asu[u] and g.pool[u] == IN_PLAY and r.random() < 0.3:
            g.offensives[u] = r.choice((1, 16))
    g.changed()
