"""What the units of a side are sent after: Victory Points and other prizes, shared out among them."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.bots.stalingrad42.weights import WEIGHTS, Weights
from kessel.core.board import NOWHERE
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members, within
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, IN_PLAY
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement.sea import taman
from kessel.games.stalingrad42.movement.special_units import elbrus

FADE = 0.82
"""How the pull of a Victory Point hex fades with each hex."""
FAR = 30
REACH = (0.90, 0.97)
"""What a goal one hex farther away is worth to units on foot and to Mechanized units and cavalry."""
LONGEST = 60
CLIMB = 4.0
"""How much more the summit draws the one unit that is sent there: it has nothing else to do."""


def prizes(g: Board) -> dict[Hex, float]:
    """Hexes that bring the Axis something other than their own Victory Points, in Victory Points."""
    found: dict[Hex, float] = {}
    landing = taman(g)
    if landing != NO_HEX and g.controller(landing) != AXIS:
        waiting = [u for box in g.ground.kerch_boxes for u in g.units(box) if g.forces.combat[u]]
        if waiting:
            found[landing] = 1.0  # 20.7 they cross once Taman is taken
    return found


def summit(g: Board) -> Hex:
    """24.3 Mt. Elbrus, while it still brings a Victory Point; else NO_HEX."""
    open_ = g.scenario.victory.elbrus != "none" and not g.elbrus
    return elbrus(g) if open_ else NO_HEX


@fact(FOREVER)
def distances(g: Board, h: Hex) -> list[int]:
    """By hex: how far it is to a hex."""
    grid = g.map.grid
    return [grid.distance(h, x) if grid.all >> x & 1 else FAR for x in range(grid.size)]


@fact(FOREVER)
def pull_of_goal(g: Board, h: Hex, worth: float, slope: float) -> list[float]:
    """By hex: how a unit's own goal draws it."""
    return [worth * FADE**d + slope * max(0, LONGEST - d) for d in distances(g, h)]


@dataclass(slots=True)
class Task:
    """A hex to be taken or held, with the strength sent there so far."""

    h: Hex
    worth: float
    need: float
    post: bool
    high: bool
    effort: float = WEIGHTS[AXIS].effort
    sent: float = 0.0

    def promise(self, distance: int, fast: bool) -> float:
        """What one more unit that far away would bring: Mechanized units are not for posts nor for mountains."""
        if self.post:
            left = (0.2 if fast else 1.0) * max(0.0, 1.0 - self.sent / self.need)
        else:
            left = (0.5 if fast and self.high else 1.0) / (1.0 + self.sent / self.need)
        return left * self.worth / (1.0 + self.need / self.effort) * REACH[fast] ** distance


def share_out(
    g: Board, side: Side, goals: dict[Hex, float], posts: dict[Hex, float], w: Weights
) -> dict[Unit, list[float]]:
    """A goal for each fighting unit: near, rich, and not yet dealt with by others. By unit: its pull by hex.

    `goals` are to be taken and have their worth, `posts` are to be held against the strength given.
    """
    f = g.forces
    tasks = [
        Task(h, worth, w.enough + 1.5 * _held(g, h, side), False, _in_mountains(g, h), w.effort)
        for h, worth in goals.items()
    ]
    tasks += [
        Task(h, w.hold * g.ground.vp[h], max(6.0, min(20.0, n / 3)), True, False, w.effort) for h, n in posts.items()
    ]
    found: dict[Unit, list[float]] = {}
    units = [u for u in f.units_of[side] if g.pool[u] == IN_PLAY and f.combat[u] and not f.is_asu[u]]
    climber = climber_of(g) if side == AXIS else -1
    for u in sorted(units, key=lambda u: (not f.mech[u], -g.face(u).attack, u)):
        start = _start(g, u)
        if u == climber:
            found[u] = [CLIMB * x for x in pull_of_goal(g, summit(g), w.hold, w.slope)]
        if start is None or u == climber or not tasks:
            continue
        fast = bool(f.mech[u] or f.type[u] == "cavalry")
        promised = [(t.promise(distances(g, t.h)[start], fast), -t.h, t) for t in tasks]
        task = max(promised, key=lambda x: x[:2])[2]
        task.sent += g.face(u).defense if task.post else g.face(u).attack
        found[u] = pull_of_goal(g, task.h, task.worth, w.slope)
    return found


def climber_of(g: Board) -> Unit:
    """24.3 The Mountain unit nearest to a summit that still brings a Victory Point; -1: none can be spared."""
    top = summit(g)
    if top == NO_HEX:
        return -1
    able = [
        u
        for u in g.forces.units_of[AXIS]
        if g.pool[u] == IN_PLAY and g.forces.mountain[u] and g.on_map(u) and g.place[u] not in g.ground.vp
    ]
    return min(able, key=lambda u: (distances(g, top)[g.place[u]], u), default=-1)


def _start(g: Board, u: Unit) -> Hex | None:
    """The hex a unit comes from; None where it waits inside a Reserve Army (34.0) or far from the map."""
    if g.place[u] == NOWHERE:
        return None
    if g.on_map(u):
        return g.place[u]
    hexes = members(g.map.box(g.place[u]).hexes & g.map.grid.all)
    return hexes[len(hexes) // 2] if hexes else None


def _in_mountains(g: Board, h: Hex) -> bool:
    """Whether tanks would come to a hex over mountains."""
    near = g.map.grid.near[h] & g.ground.playable
    return 2 * (near & g.ground.mountain).bit_count() >= near.bit_count()


def _held(g: Board, h: Hex, side: Side) -> int:
    """The enemy's Defense Strength round a hex."""
    near: Bits = within(g.map.grid, 1 << h, 2) & g.sets[COMBAT + 1 - side]
    return sum(g.face(u).defense for x in members(near) for u in g.units(x) if g.forces.combat[u])
