"""11.6.2 City Battles, and 29.0 Contested City Hexes."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.games.stalingrad42.board import ELSEWHERE, Board
from kessel.games.stalingrad42.columns import COMBAT, PRESENT
from kessel.games.stalingrad42.combat.battle import CITY, DELAYED, EJECTED
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.entering import entered
from kessel.games.stalingrad42.movement.ways.zones import is_contested
from kessel.wargame.board import other

LEVEL = 3


def has_contested_cities(g: Board) -> bool:
    return g.plays("contested_cities")


def level(g: Board, h: Hex) -> int:
    """The side of the City Battle marker that is up; 0 without one."""
    return g.city_battle[h] & LEVEL


def set_level(g: Board, h: Hex, n: int, defender: Side) -> None:
    g.city_battle[h] = n + 4 * defender if n else 0
    g.happened(ELSEWHERE)
    what = f"City Battle {n} in {g.hex_name(h)}" if n else f"the City Battle in {g.hex_name(h)} is over"
    g.tell(what, "11.6.2", place=g.hex_name(h))


def is_intruder(g: Board, h: Hex, side: Side) -> bool:
    """29.1.4 Whether a side is the one that came into a Contested City hex; the original defender controls it."""
    return is_contested(g, h) and g.controller(h) == other(side)


def partial_success(g: Board, h: Hex, defender: Side) -> str:
    """11.6, 29.1.3 What a Partial Success means for a hex's defender: a Delay, a City Battle, or being thrown out.

    Changes nothing; `apply_partial` does.
    """
    most = g.chart(h).city
    if not most:
        return DELAYED
    if has_contested_cities(g) and is_intruder(g, h, defender):
        return CITY if level(g, h) > 1 else EJECTED
    return CITY if level(g, h) < most else DELAYED


def apply_partial(g: Board, h: Hex, defender: Side) -> str:
    """Place, flip or take away the City Battle marker; the answer is that of `partial_success`."""
    found = partial_success(g, h, defender)
    if found in (CITY, EJECTED):
        down = has_contested_cities(g) and is_intruder(g, h, defender)
        original = other(defender) if down else defender
        set_level(g, h, level(g, h) + (-1 if down else 1), original)
    return found


def settle_city_battles(g: Board) -> None:
    """11.6.2, 29.1.1 Markers go if the defender has left or no attacker is adjacent; with rule 29, if one side left."""
    if g.city_battle.count(0) == len(g.city_battle):
        return
    for h in g.map.grid.hexes:
        if g.city_battle[h] and not _goes_on(g, h):
            set_level(g, h, 0, 0)
            take_over(g, h)


def take_over(g: Board, h: Hex) -> None:
    """16.3.4 A side left alone in a City hex that was contested controls it."""
    for side in (AXIS, SOVIET):
        if g.sets[COMBAT + side] >> h & 1 and not g.sets[COMBAT + other(side)] >> h & 1:
            entered(g, [u for u in g.units(h) if g.forces.side[u] == side], h)


def _goes_on(g: Board, h: Hex) -> bool:
    if is_contested(g, h):
        return True
    if has_contested_cities(g):
        return False
    owner = g.controller(h)
    if owner is None or not g.sets[COMBAT + owner] >> h & 1:
        return False
    kind = COMBAT if g.reads("city_battle_marker") == "attacker_adjacent" else PRESENT
    return any(g.sets[kind + other(owner)] >> n & 1 and g.adjacent(h, n) for n in g.map.grid.around[h])
