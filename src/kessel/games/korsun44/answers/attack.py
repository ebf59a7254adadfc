"""The question what an attack comes to: strengths, shifts, odds, chances."""

from __future__ import annotations

from typing import Any

from kessel.core.breakdown import Refusal
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.combat.artillery import barrage_strength, why_not_fire
from kessel.games.korsun44.combat.battle import (
    COMBAT_SEGMENT,
    Battle,
    defenders_in,
    why_not_attack,
    why_not_attack_with,
)
from kessel.games.korsun44.combat.odds import Outcome, armor_fire, chances_of, first_column, is_armor_only
from kessel.games.korsun44.combat.shifts import standing_shifts, why_not_engineer
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.combat.support import formation_of
from kessel.wargame.odds import chances
from kessel.wargame.questions import AskAttack
from kessel.wargame.reading import named_hex, named_unit, named_units, no, one_side


class AskCombat(AskAttack, kw_only=True):
    """Strengths, shifts, odds and chances of an attack; guns fire for the attacker, `gun` for the defender."""

    unsupported: tuple[str, ...] = ()
    """Formations no Supply Point is spent for."""
    guns: tuple[str, ...] = ()
    gun: str = ""
    engineer: str = ""


def attack(g: Board, q: AskCombat) -> dict[str, Any]:
    """12.1.3 What a combat would be now, in the Combat Segment and without aircraft."""
    h = named_hex(g, q.target, "$.target")
    units = tuple(sorted(named_units(g, q.units, "$.units")))
    side = one_side(g, units, "$.units", "the attackers")
    found: dict[str, Any] = {"target": q.target, "units": [g.name(u) for u in units]}
    refusals = (why_not_attack_with(g, u, side, COMBAT_SEGMENT, (h,)) for u in units)
    if why := next((w for w in refusals if w), None) or why_not_attack(g, side, COMBAT_SEGMENT, h):
        return {**found, **no(why)}
    paid = tuple(sorted({formation_of(g, u) for u in units} - set(q.unsupported)))
    b = Battle(side, COMBAT_SEGMENT, (h,), units, defenders_in(g, h, 1 - side), paid)
    b_or_no = _with_support(g, b, q)
    if isinstance(b_or_no, Refusal):
        return {**found, **no(b_or_no)}
    return {**found, "legal": True, **described(g, b_or_no)}


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
    if q.engineer:
        u = named_unit(g, q.engineer, "$.engineer")
        if why := why_not_engineer(g, b, u):
            return why
        b = b._replace(engineer=u)
    return b


def described(g: Board, b: Battle) -> dict[str, Any]:
    """A combat in numbers, each with its reasons."""
    strong, weak = attack_strength(g, b), defence_strength(g, b)
    fire, shifts = armor_fire(g, b), standing_shifts(g, b)
    first = first_column(g, strong.total, weak.total)
    last = len(g.charts.odds) - 1
    return {
        "attack": strong.as_json(),
        "defence": weak.as_json(),
        "odds": g.charts.odds[min(max(first, 0), last)],
        "off_table": not 0 <= first <= last,
        "shifts": shifts.as_json(),
        "armor": {"attacker_dots": fire.attack, "defender_dots": fire.defence, "only_armor": is_armor_only(g, b)},
        "chances": chances(chances_of(g, b), _word),
    }


def _word(one: Outcome) -> str:
    more = [
        ("attacker disorganized", one.attacker_d), ("defender disorganized", one.defender_d),
        ("defending armor hit", one.defender_hit), ("attacking armor hit", one.attacker_hit),
    ]  # fmt: skip
    return ", ".join([f"{one.column} {one.result}", *(word for word, yes in more if yes)])
