"""4.4, 4.5, 4.8 What a unit is worth now: strength, infantry steps, dots."""

from __future__ import annotations

from kessel.core.board import NOWHERE
from kessel.core.facts import fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.games.korsun44.board import DISORDER, DOTTED, OOS2, STANDING, Board
from kessel.games.korsun44.data.forces import ALARM, BARRAGE, EXTENSION, GERMAN, PART, PARTISANS

THREE_STEPS = 3


def whole_of(g: Board, u: Unit) -> Unit:
    """The division an extension marker belongs to, or the unit itself."""
    return g.forces.parent[u] if g.forces.role[u] == EXTENSION else u


def is_extended(g: Board, u: Unit) -> bool:
    """4.7 Whether a unit is one of the two counters of an extended division."""
    f = g.forces
    marker = f.extension[f.parent[u] if f.role[u] == EXTENSION else u]
    return marker != NO_UNIT and g.place[marker] != NOWHERE


@fact(STANDING)
def extended_pairs(g: Board, side: Side) -> list[tuple[Unit, Unit]]:
    """4.7 The divisions that are extended, with their markers."""
    f = g.forces
    return [(f.parent[u], u) for u in g.on_the_map(side) if f.role[u] == EXTENSION]


def is_cadre(g: Board, u: Unit) -> bool:
    """4.4.5 A unit with a strength chit on its last step; so is the last step of a German three-step battalion
    (4.6, Q52)."""
    return g.forces.is_cadre(u, g.steps[u]) or is_battalion_cadre(g, u)


def is_battalion_cadre(g: Board, u: Unit) -> bool:
    f = g.forces
    three = f.role[u] == PART and f.side[u] == GERMAN and f.full_steps[u] == THREE_STEPS
    return three and g.steps[u] == 1 and g.reads("three_step_battalion") == "cadre"


def has_star(g: Board, u: Unit) -> bool:
    """4.5.3 A Soviet armor brigade on its front side."""
    return bool(g.forces.star[u]) and not is_cadre(g, u)


def alarm_chit(g: Board, u: Unit) -> Unit:
    """4.8.1 The printed alarm counter whose strength was drawn for an alarm unit; itself where none was."""
    return next((c for c in g.forces.of_role[g.forces.side[u]][ALARM] if g.alarm[c] == u + 1), u)


def full_strength(g: Board, u: Unit) -> int:
    """4.4 The strength of the counter or chit, extension aside."""
    if g.forces.role[u] == ALARM:
        return g.forces.strength[alarm_chit(g, u)][1]
    if is_battalion_cadre(g, u):
        return g.forces.strength[g.forces.parent[u]][1]
    return g.forces.strength[u][g.steps[u]]


def strength(g: Board, u: Unit) -> int:
    """4.4, 4.7.2, 17.1.2 The unmodified strength; each half of an extended division has half of it, rounded up; a
    barrage unit that of the components it has left, nine at most."""
    found = full_strength(g, whole_of(g, u))
    if g.forces.role[u] == BARRAGE:
        return min(found, g.charts.constants.barrage_defence)
    return -(-found // 2) if is_extended(g, u) else found


def steps_here(g: Board, u: Unit) -> int:
    """4.7.2 The steps a counter stands for: the division keeps the odd one of an extended pair."""
    whole = whole_of(g, u)
    steps = g.steps[whole]
    if not is_extended(g, u) or g.reads("extended_steps") != "zones_and_terrain":
        return steps
    return steps - steps // 2 if u == whole else steps // 2


def is_attack_capable(g: Board, u: Unit) -> bool:
    """12.2 A strength without parentheses; partisans attack only on their front side (18.1.3)."""
    if g.forces.role[u] == PARTISANS:
        return g.steps[u] == g.forces.full_steps[u]
    return bool(g.forces.attacks[u])


def infantry_steps(g: Board, u: Unit) -> int:
    """10.1.1 Attack-capable infantry type steps of a unit in whatever order; a star brigade has one (4.5.3)."""
    if g.forces.star[u]:
        return g.charts.constants.star_steps if has_star(g, u) else 0
    if not g.forces.infantry_type[u] or not is_attack_capable(g, u) or g.forces.role[u] == PARTISANS:
        return 0
    return steps_here(g, u)


def zone_steps(g: Board, u: Unit) -> int:
    """10.1.1, 12.17.2 What a unit adds to a ZOC: nothing while it is Disorganized or in Regroup."""
    return 0 if g.status[u] & DISORDER else infantry_steps(g, u)


def white_dots(g: Board, u: Unit) -> int:
    """4.5.1, 13.5.2 White dots now: an OOS2 unit has one less."""
    return g.forces.white[u] - _lost_dot(g, u)[0]


def black_dots(g: Board, u: Unit) -> int:
    return printed_black(g, u) - _lost_dot(g, u)[1]


def printed_black(g: Board, u: Unit) -> int:
    """4.5, 4.6 Black dots of the counter; of German breakdown battalions the one its owner named may have them."""
    f = g.forces
    if f.role[u] == PART and f.side[u] == GERMAN and g.reads("second_dot") == "owner":
        return f.black[f.parent[u]] if g.status[u] & DOTTED else 0
    return f.black[u]


def _lost_dot(g: Board, u: Unit) -> tuple[int, int]:
    """13.5.2 The dot an armor or anti-armor unit in OOS2 loses."""
    f = g.forces
    if not g.status[u] & OOS2 or not (f.armor[u] or f.anti_armor[u]):
        return 0, 0
    white_first = g.reads("top_dot") == "white_first"
    if f.white[u] and (white_first or not f.black[u]):
        return 1, 0
    return 0, int(f.black[u] > 0)
