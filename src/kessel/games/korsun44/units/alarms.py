"""4.8, 8.6.3 German alarm units: turning them over, giving them up for a Replacement Point."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits
from kessel.games.korsun44.board import ALERT, DEAD, GERMAN, GONE, STANDING, Board
from kessel.games.korsun44.data.forces import ALARM
from kessel.games.korsun44.supply.stage import traced_korps
from kessel.games.korsun44.turn.points import add_points
from kessel.games.korsun44.units.strength import is_attack_capable
from kessel.wargame.cups import draw, put_back


def alarm_in(g: Board, h: Hex) -> Unit:
    """The alarm unit in a hex; NO_UNIT for none."""
    return next((u for u in g.units(h) if g.forces.role[u] == ALARM), NO_UNIT)


def alarms_on_map(g: Board) -> list[Unit]:
    return _on_map(g, GERMAN)


@fact(STANDING)
def _on_map(g: Board, side: Side) -> list[Unit]:
    return [u for u in g.forces.of_role[side][ALARM] if g.on_map(u)]


def alarm_hexes(g: Board) -> Bits:
    return bits(g.place[u] for u in alarms_on_map(g))


def is_lone_alarm(g: Board, h: Hex) -> bool:
    """9.12 Whether an alarm unit is alone in a hex."""
    top = g._top[h]
    if top == NO_UNIT or g.forces.role[top] != ALARM:
        return False
    units = g.units(h)
    return all(g.forces.role[u] == ALARM for u in units)


def lone_alarms_beside(g: Board, h: Hex) -> list[Hex]:
    """9.12 The hexes next to one in which an alarm unit is alone."""
    return [n for n in g.map.grid.around[h] if is_lone_alarm(g, n)]


def turn_over(g: Board, u: Unit, rule: str) -> None:
    """4.8.2 An alarm unit shows its unit side: everybody sees its strength."""
    if g.status[u] & ALERT:
        g.set_status(u, ALERT, on=False)
        g.reveal()
        g.tell(f"the alarm unit in {g.hex_name(g.place[u])} shows its strength", rule, unit=g.id(u))


def why_not_turn_over(g: Board, h: Hex) -> Refusal | None:
    """4.8.2 An attack-capable German must be with it."""
    u = alarm_in(g, h)
    if u == NO_UNIT:
        return Refusal("4.8.2", f"no alarm unit is in {g.hex_name(h)}")
    if not g.status[u] & ALERT:
        return Refusal("4.8.2", "it is on its unit side already")
    if not any(is_attack_capable(g, v) for v in g.of_side(h, GERMAN)):
        return Refusal("4.8.2", "no attack-capable German unit is with it")
    return None


def turnable(g: Board) -> list[Hex]:
    """4.8.2 The hexes of alarm units that may be turned over."""
    alarms = [u for u in alarms_on_map(g) if g.status[u] & ALERT]
    hexes = sorted(g.place[u] for u in alarms)
    return [h for h in hexes if any(is_attack_capable(g, v) for v in g.of_side(h, GERMAN))]


def why_not_convert(g: Board, h: Hex, korps: str) -> Refusal | None:
    """8.6.3 A German unit must be with it, and it must trace supply to an SDM of that korps."""
    u = alarm_in(g, h)
    if u == NO_UNIT:
        return Refusal("8.6.3", f"no alarm unit is in {g.hex_name(h)}")
    if all(g.forces.role[v] == ALARM for v in g.of_side(h, GERMAN)):
        return Refusal("8.6.3", "no other German unit is with it")
    if korps not in traced_korps(g, h):
        return Refusal("8.6.3", f"it cannot trace supply to an SDM of {g.formation(korps)}")
    return None


def conversions(g: Board) -> list[tuple[Hex, str]]:
    hexes = sorted({g.place[u] for u in alarms_on_map(g)})
    manned = [h for h in hexes if any(g.forces.role[v] != ALARM for v in g.of_side(h, GERMAN))]
    return [(h, k) for h in manned for k in traced_korps(g, h)]


def convert(g: Board, h: Hex, korps: str) -> None:
    """8.6.3 The alarm unit goes, the korps has an infantry Replacement Point more (Q62: to spend from the next
    Replacement Segment on)."""
    u = alarm_in(g, h)
    g.tell(f"the alarm unit in {g.hex_name(h)} becomes a Replacement Point of {g.formation(korps)}", "8.6.3")
    g.take_off(u, GONE)
    g.steps[u] = 0
    add_points(g, korps, False, 1, "8.6.3")


def raise_alarms(g: Board, h: Hex, number: int, rule: str) -> int:
    """8.6.4 Alarm units drawn at random from the eliminated ones stand in a hex again; how many there were."""
    dead = [u for u in g.forces.of_role[GERMAN][ALARM] if g.box[u] == DEAD and not g.on_map(u)]
    chits = [c for c in g.forces.of_role[GERMAN][ALARM] if g.alarm[c] and g.alarm[c] - 1 in dead]
    put_back(g, g.alarm, chits)
    raised = dead[:number]
    for u in raised:
        draw(g, g.alarm, u + 1, chits, secret=True)
        g.steps[u] = 1
        g.put(u, h)
        g.set_status(u, ALERT)
    g.tell(f"{len(raised)} alarm units stand in {g.hex_name(h)}", rule)
    return len(raised)
