"""The question what an attack comes to: support, strengths, shifts, odds, armor fire, and exact chances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from kessel.core.breakdown import Refusal
from kessel.core.dice import Scripted
from kessel.core.forces import Side, Unit
from kessel.games.korsun44.board import BREAKTHROUGH, DECLARED, SIDES, SOVIET, SUPPORTED, Board
from kessel.games.korsun44.combat.artillery import artillery_roll, artillery_shift, barrage_strength, why_not_fire
from kessel.games.korsun44.combat.battle import (
    ALARM_COMBAT,
    BREAKTHROUGH_SEGMENT,
    COMBAT_SEGMENT,
    RESERVE_SEGMENT,
    Battle,
    defenders_in,
    in_hex,
    is_partisan,
    is_shared,
    origins_of,
    stack_at,
    why_not_attack,
    why_not_attack_with,
    why_not_withhold,
)
from kessel.games.korsun44.combat.no_retreat import why_not_stand
from kessel.games.korsun44.combat.odds import (
    Outcome,
    air_chances,
    armor_fire,
    chances_of,
    first_column,
    is_armor_only,
    river_crossings,
)
from kessel.games.korsun44.combat.shifts import standing_shifts, why_not_engineer
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.combat.support import formation_of, has_support, is_supported, payers
from kessel.games.korsun44.combat.terrain import crosses_mines
from kessel.games.korsun44.data.charts import Result, parse_result
from kessel.games.korsun44.engineering.bridges import bridge_holds, needs_collapse_roll
from kessel.games.korsun44.units.alarms import is_lone_alarm
from kessel.wargame.odds import chances
from kessel.wargame.questions import AskAttack
from kessel.wargame.reading import index_of, judged, named_hex, named_unit, named_units, no, one_side

SEGMENTS = ("combat", "breakthrough", "reserve", "alarm")
assert (COMBAT_SEGMENT, BREAKTHROUGH_SEGMENT, RESERVE_SEGMENT, ALARM_COMBAT) == (0, 1, 2, 3)


class AskCombat(AskAttack, kw_only=True):
    """Strengths, shifts, odds and chances of an attack; guns fire for the attacker, `gun` for the defender."""

    also: tuple[str, ...] = ()
    """More hexes attacked in the same combat."""
    segment: str = SEGMENTS[0]
    unsupported: tuple[str, ...] = ()
    """Formations no Supply Point is spent for; all others are supported."""
    leave_out: tuple[str, ...] = ()
    """Defenders that stay out: of more than three, or because they retreated here before."""
    guns: tuple[str, ...] = ()
    gun: str = ""
    air: dict[str, int | None] = msgspec.field(default_factory=dict)
    """Sides that fly: null for a counter nobody has seen, or its shifts."""
    engineer: str = ""
    clear_mines: bool = False
    """15.3.2 The engineer has neutralized the minefield instead of giving its bonus."""
    fixed: dict[str, int] = msgspec.field(default_factory=dict)
    """4.7.2.5 Strengths of halves of divisions found before an earlier combat."""


def attack(g: Board, q: AskCombat) -> dict[str, Any]:
    """12.1.3 What a combat would be now."""
    targets = tuple(
        named_hex(g, n, "$.target" if not i else f"$.also[{i - 1}]") for i, n in enumerate((q.target, *q.also))
    )
    units = tuple(sorted(named_units(g, q.units, "$.units")))
    side = one_side(g, units, "$.units", "the attackers")
    segment = index_of(SEGMENTS, q.segment, "segment", "$.segment")
    found: dict[str, Any] = {"target": q.target, "units": [g.id(u) for u in units]}
    board = _as_asked(g, units, segment, q)
    out = set(named_units(g, q.leave_out, "$.leave_out"))
    defenders = tuple(sorted(u for h in targets for u in defenders_in(board, h, 1 - side) if u not in out))
    paid = tuple(sorted({formation_of(g, u) for u in units if not is_partisan(g, u)} - set(q.unsupported)))
    fixed = tuple((named_unit(g, n, f"$.fixed.{n}"), v) for n, v in q.fixed.items())
    b = Battle(side, segment, targets, units, defenders, paid, fixed=fixed)
    if why := next(_reasons(board, b), None):
        return {**found, **no(why)}
    made = _with_support(board, b, q)
    if isinstance(made, Refusal):
        return {**found, **no(made)}
    return {**found, "legal": True, **described(board, made, _air(board, made, q))}


def _as_asked(g: Board, units: tuple[Unit, ...], segment: int, q: AskCombat) -> Board:
    """The hexes attacked have a combat marker; breakthrough attacks are supported as the original ones were."""
    h = g.copy()
    h.dice = Scripted(())
    for name in (q.target, *q.also):
        if segment in (COMBAT_SEGMENT, RESERVE_SEGMENT):
            h.mark_combat(h.map.grid.hex(name), DECLARED)
    for u in units:
        if segment == BREAKTHROUGH_SEGMENT:
            h.set_status(u, BREAKTHROUGH)
            h.set_status(u, SUPPORTED, on=formation_of(g, u) not in q.unsupported)
    return h


def _reasons(g: Board, b: Battle) -> Iterator[Refusal]:
    for h in b.targets:
        if not g.enemies_in(h, b.side):
            yield Refusal("12.3", f"no enemy unit is in {g.hex_name(h)}")
    for u in b.attackers:
        if why := why_not_attack_with(g, u, b.side, b.segment, b.targets):
            yield why
        if b.segment == BREAKTHROUGH_SEGMENT and not g.charts.types[g.forces.type[u]].breakthrough:
            yield Refusal("12.1.4", f"{g.name(u)} never has a Breakthrough marker")
    if b.segment == BREAKTHROUGH_SEGMENT and len(b.targets) > 1:
        yield Refusal("12.1.4", "breakthrough combat is against one hex")
    if b.segment == ALARM_COMBAT:
        yield from _no_alarm(g, b)
    for h in b.targets:
        if why := why_not_attack(g, b.side, b.segment, h):
            yield why
    if b.segment in (COMBAT_SEGMENT, RESERVE_SEGMENT):
        for a in origins_of(g, b):
            stack = stack_at(g, a, b.side, b.segment, b.targets)
            yield from (why for u in stack if u not in b.attackers and (why := why_not_withhold(g, u, stack)))
    for h in b.targets:
        most = g.charts.constants.stack
        if len(in_hex(g, b.defenders, h)) > most:
            yield Refusal("12.3.1", f"{most} units defend in a hex: name those that stay out")
    if len({is_partisan(g, u) for u in b.attackers}) > 1:
        yield Refusal("18.1.3", "partisans and Soviet units do not attack together")


def _no_alarm(g: Board, b: Battle) -> Iterator[Refusal]:
    """9.12 What is no attack on an alarm unit in movement."""
    if b.side != SOVIET or len(origins_of(g, b)) > 1:
        yield Refusal("9.12", "one Soviet stack attacks an alarm unit as it moves")
    if len(b.targets) > 1 or not is_lone_alarm(g, b.targets[0]):
        yield Refusal("9.12", f"no alarm unit is alone in {g.hex_name(b.targets[0])}")


def _with_support(g: Board, b: Battle, q: AskCombat) -> Battle | Refusal:
    for i, name in enumerate(q.guns):
        u = named_unit(g, name, f"$.guns[{i}]")
        if why := why_not_fire(g, b, u, b.side, i):
            return why
        b = b._replace(points=b.points + barrage_strength(g, u, True))
    if q.gun:
        u = named_unit(g, q.gun, "$.gun")
        if why := why_not_fire(g, b, u, b.enemy, 0):
            return why
        b = b._replace(gun=u, gun_points=barrage_strength(g, u, False))
    for name in q.air:
        side = index_of(SIDES, name, "side", f"$.air.{name}")
        if why := _why_not_fly(g, b, side):
            return why
    if q.engineer:
        u = named_unit(g, q.engineer, "$.engineer")
        if why := why_not_engineer(g, b, u):
            return why
        if q.clear_mines and not crosses_mines(g, b):
            return Refusal("15.3.2", "no minefield is attacked")
        b = b._replace(engineer=u, cleared=q.clear_mines)
    return b


def _why_not_fly(g: Board, b: Battle, side: Side) -> Refusal | None:
    if b.segment != COMBAT_SEGMENT:
        return Refusal("12.1.4", "no aircraft support this combat")
    if any(is_shared(g, h) for h in b.targets):
        return Refusal("16.5.4", "no aircraft fly where both sides are in the hex")
    if side == b.side and not has_support(g, b):
        return Refusal("12.4", "aircraft help supported attacks only")
    return None


def _air(g: Board, b: Battle, q: AskCombat) -> dict[int, Fraction]:
    """6.2 The shifts of all aircraft together, by chance."""
    found = {0: Fraction(1)}
    for name, known in q.air.items():
        side = SIDES.index(name)
        sign = 1 if side == b.side else -1
        one = air_chances(g, side, side == b.side) if known is None else {sign * known: Fraction(1)}
        both: dict[int, Fraction] = {}
        for x, p in found.items():
            for y, r in one.items():
                both[x + y] = both.get(x + y, Fraction(0)) + p * r
        found = both
    return found


# --- the answer ------------------------------------------------------------------------------------------------------


def described(g: Board, b: Battle, air: dict[int, Fraction] | None = None, *, worded: bool = False) -> dict[str, Any]:
    """A combat in numbers in the order of 12.1.3, each with its reasons. The chances are those of each cell of the
    table, or `worded`: of what it comes to in words, the likeliest first."""
    strong, weak = attack_strength(g, b), defence_strength(g, b)
    fire, shifts = armor_fire(g, b), standing_shifts(g, b)
    first = first_column(g, strong.total, weak.total)
    last = len(g.charts.odds) - 1
    all_ = exact_chances(g, b, air)
    said = sorted(_summed(all_, _said).items(), key=lambda item: -item[1]) if worded else ()
    return {
        "defenders": [g.id(u) for u in b.defenders],
        "support": _support(g, b),
        "no_retreat": {g.hex_name(h): judged(why_not_stand(g, b, h, ())) for h in b.targets},
        "attack": strong.as_json(),
        "defence": weak.as_json(),
        "odds": g.charts.odds[min(max(first, 0), last)],
        "off_table": not 0 <= first <= last,
        "artillery": _artillery(g, b),
        "air": chances(dict(sorted((air or {0: Fraction(1)}).items())), lambda n: f"{n:+d}"),
        "shifts": shifts.as_json(),
        **_tested(g, b),
        "armor": {
            "attacker_dots": fire.attack,
            "defender_dots": fire.defence,
            "defender_loses_one_of": [g.id(u) for u in fire.targets],
            "attacker_loses_one_of": [g.id(u) for u in fire.victims],
            "only_armor": is_armor_only(g, b),
        },
        "columns": chances(_summed(all_, lambda x: x.column)),
        "chances": chances(dict(said)) if worded else chances(all_, _word),
        "expected": _expected(g, b, all_),
    }


def _support(g: Board, b: Battle) -> dict[str, Any]:
    """12.4 By formation: whether it is supported, and the SDMs that could pay."""
    found = {}
    for f in sorted({formation_of(g, u) for u in b.attackers}):
        units = [u for u in b.attackers if formation_of(g, u) == f]
        found[f] = {
            "supported": [g.id(u) for u in units if is_supported(g, b, u)],
            "unsupported": [g.id(u) for u in units if not is_supported(g, b, u)],
            "sdms": [g.id(s) for s in payers(g, b.attackers, f)],
        }
    return found


def _artillery(g: Board, b: Battle) -> dict[str, Any]:
    """12.10.2 Points and modifiers of each side's guns, and the shifts by the die."""
    found = {}
    for word, side, points in (("attacker", b.side, b.points), ("defender", b.enemy, b.gun_points)):
        if points:
            more = artillery_roll(g, b, side, 0)
            by_die = {str(d): artillery_shift(g, b, side, d) for d in range(1, 7)}
            found[word] = {"points": points, "modifier": more.total, "shifts": by_die}
    return found


def _tested(g: Board, b: Battle) -> dict[str, Any]:
    """18.3 Bridges that heavy tanks break two times in three before the shifts are found."""
    sides = [g.map.grid.hexside_name(g.map.grid.hexside(a, h)) for a, h in _untested(g, b)]
    return {"bridges_tested": sides} if sides else {}


def _untested(g: Board, b: Battle) -> list[tuple[int, int]]:
    return [(a, h) for a, h in river_crossings(g, b) if needs_collapse_roll(g, tuple(in_hex(g, b.attackers, a)), a, h)]


def exact_chances(g: Board, b: Battle, air: dict[int, Fraction] | None = None) -> dict[Outcome, Fraction]:
    """The chances with every fall of the dice, those of bridges under heavy tanks first (18.3)."""
    untested = _untested(g, b)
    if not untested:
        return chances_of(g, b, air)
    a, h = untested[0]
    found: dict[Outcome, Fraction] = {}
    for die in range(1, 7):
        after = g.copy()
        after.dice = Scripted((die,))
        bridge_holds(after, tuple(in_hex(g, b.attackers, a)), a, h)
        for one, p in exact_chances(after, b, air).items():
            found[one] = found.get(one, Fraction(0)) + p / 6
    return found


def _summed(found: dict[Outcome, Fraction], key: Callable[[Outcome], str]) -> dict[str, Fraction]:
    total: dict[str, Fraction] = {}
    for one, p in found.items():
        total[key(one)] = total.get(key(one), Fraction(0)) + p
    return total


def _expected(g: Board, b: Battle, found: dict[Outcome, Fraction]) -> dict[str, float]:
    """What is to be expected of the dice: steps the table and the armor take, and how often units go back."""
    armor = is_armor_only(g, b)

    def mean(of: Callable[[Result, Outcome], int]) -> float:
        return round(float(sum(p * of(parse_result(x.result), x) for x, p in found.items())), 6)

    return {
        "attacker_steps": mean(lambda r, x: (0 if armor else r.attacker.steps) + x.attacker_hit),
        "defender_steps": mean(lambda r, x: (0 if armor else r.defender.steps) + x.defender_hit),
        "attacker_disorganized": mean(lambda r, x: int(r.attacker.disorganized or x.attacker_d)),
        "defender_disorganized": mean(lambda r, x: int(r.defender.disorganized or x.defender_d)),
        "attacker_retreats": mean(lambda r, x: int(r.attacker.retreat > 0)),
        "defender_retreats": mean(lambda r, x: int(r.defender.retreat > 0)),
        "breakthrough": mean(lambda r, x: int(r.defender.breakthrough)),
    }


def _word(one: Outcome) -> str:
    return ", ".join([f"{one.column} {one.result}", *_besides(one)])


def _said(one: Outcome) -> str:
    """What the dice bring, in words, whatever the column was."""
    return "; ".join([parse_result(one.result).said, *_besides(one)])


def _besides(one: Outcome) -> list[str]:
    """What comes with a cell of the table."""
    more = [
        ("attacker disorganized", one.attacker_d), ("defender disorganized", one.defender_d),
        ("defending armor hit", one.defender_hit), ("attacking armor hit", one.attacker_hit),
    ]  # fmt: skip
    return [word for word, yes in more if yes]
