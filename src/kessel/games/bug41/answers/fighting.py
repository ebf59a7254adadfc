"""Answers on combat: the exact chances of an attack, and the ways of a retreat."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.title import Asked
from kessel.games.bug41.answers.moving import points_of
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.attack import why_not_attack
from kessel.games.bug41.combat.checks import chance_to_pass
from kessel.games.bug41.combat.modifiers import modifiers
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.combat.retreat import is_costly, retreat_paths
from kessel.games.bug41.combat.strength import attack_value, column_of, defence_value
from kessel.games.bug41.data.charts import ATTACKS, Chit, Hits
from kessel.games.bug41.movement.pillboxes import row_of
from kessel.games.bug41.supply.command import is_isolated
from kessel.games.bug41.turn.actions import cost_of
from kessel.wargame.odds import chances
from kessel.wargame.questions import AskAttack
from kessel.wargame.reading import named_hex, named_units, no, one_of


class AskAttackOfKind(AskAttack, kw_only=True):
    """An attack: hasty, regular or prepared; with given multipliers it is worked out for these alone."""

    kind: str = "regular"
    multipliers: tuple[str, str] | None = None
    """Of the attacker's and of the defender's chit, as they are read: `"1 1/2"`, `"1.5"` or `"3/2"`."""


class AskRetreat(Asked, kw_only=True):
    """The ways the units of a hex can retreat from an attack out of another one."""

    hex: str
    attacked_from: str


def attack(g: Board, q: AskAttackOfKind) -> dict[str, Any]:
    target, units = named_hex(g, q.target, "$.target"), named_units(g, q.units, "$.units")
    kind = one_of(ATTACKS, q.kind, "kind of attack", "$.kind")
    if not units:
        raise BadInput("name the units that attack", "$.units")
    f = g.command[units[0]]
    found: dict[str, Any] = {"target": q.target, "units": list(q.units), "kind": kind}
    cost = cost_of(g, f"{kind}_attack", units)
    if refusal := why_not_attack(g, f, kind, target, units, points_of(g, f)):
        return {**found, **no(refusal)}
    found |= {"legal": True, "cost": cost.as_json()}
    if isolated := [u for u in units if is_isolated(g, u)]:
        found["isolation_checks"] = {g.id(u): str(chance_to_pass(g, u)) for u in isolated}
    odds = odds_of(g, f, kind, target, units)
    told = odds.as_json(g)
    told["disruption"] = {g.id(u): str(p) for u, p in odds.disruption.items()}
    told["must_retreat"] = str(odds.must_go)
    defenders = g.combat_units(target)
    if q.multipliers is None:
        told["disrupted"] = {
            "attackers": chances(disrupted(g, odds.hits, 0, units, shelter=False)),
            "defenders": chances(disrupted(g, odds.hits, 1, defenders, shelter=True)),
        }
        return {**found, **told}
    kept = {key: told[key] for key in ("attack", "defence", "modifier", "terrain", "state", "can_retreat")}
    return {**found, **kept, **_with_multipliers(g, q, f, kind, target, units)}


def _with_multipliers(
    g: Board, q: AskAttackOfKind, f: int, kind: str, target: Hex, units: Sequence[Unit]
) -> dict[str, Any]:
    """The attack with the multipliers of two chits known: ratio, column, and hits by the die."""
    assert q.multipliers is not None
    mine, theirs = (_multiplier(text, f"$.multipliers[{i}]") for i, text in enumerate(q.multipliers))
    values = attack_value(g, units, kind, Chit(mine, mine)), defence_value(g, target, Chit(theirs, theirs))
    ratio = values[0] / values[1]
    column, added = column_of(g, target, ratio), modifiers(g, f, units, kind, target).total
    dice = range(1, g.numbers.die.sides + 1)
    hits = {die: g.charts.hits_of(die + added, column, g.reads("crt_row_7")) for die in dice}
    least = g.numbers.red.hits
    return {
        "values": {"attacker": str(values[0]), "defender": str(values[1])},
        "ratio": f"{ratio.numerator}:{ratio.denominator}",
        "printed_ratio": _printed(g, target, column),
        "column": column,
        "results": {str(die): f"{hit.attacker}/{hit.defender}" for die, hit in hits.items()},
        "red": {
            str(die): [who for who, n in zip(("attacker", "defender"), hit, strict=True) if n >= least]
            for die, hit in hits.items()
        },
    }


def _printed(g: Board, h: Hex, column: int) -> str:
    ratio = g.charts.ratios[row_of(g, h).name][column - 1]
    return f"{ratio.numerator}:{ratio.denominator}"


def _multiplier(text: str, where: str) -> Fraction:
    try:
        found = sum((Fraction(part) for part in text.split()), Fraction(0))
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{text!r} is not a multiplier", where) from None
    if not 0 < found <= 10:
        raise BadInput(f"a multiplier is above 0 and at most 10, not {text}", where)
    return found


def disrupted(
    g: Board, hits: dict[Hits, Fraction], who: int, units: Sequence[Unit], *, shelter: bool
) -> dict[int, Fraction]:
    """RX-7.5.red How many units of a side become Disrupted, with what chance, if nobody dies of the first hit."""
    red = sum((p for hit, p in hits.items() if hit[who] >= g.numbers.red.hits), Fraction(0))
    found = {0: Fraction(1)}
    for u in units:
        if g.is_disrupted(u):
            continue
        fails = 1 - chance_to_pass(g, u, shelter=shelter)
        after: dict[int, Fraction] = {}
        for n, p in found.items():
            for more, q in ((0, 1 - fails), (1, fails)):
                if q:
                    after[n + more] = after.get(n + more, Fraction(0)) + p * q
        found = after
    found = {n: p * red for n, p in found.items()}
    found[0] = found.get(0, Fraction(0)) + 1 - red
    return {n: p for n, p in sorted(found.items()) if p}


def retreat(g: Board, q: AskRetreat) -> dict[str, Any]:
    h, stood = named_hex(g, q.hex), named_hex(g, q.attacked_from, "$.attacked_from")
    units, numbers = g.combat_units(h), g.numbers.retreat
    if not units:
        raise BadInput(f"no combat unit is in {q.hex}", "$.hex")
    if not g.map.grid.adjacent(h, stood):
        raise BadInput(f"{q.attacked_from} is not next to {q.hex}", "$.attacked_from")
    side = g.forces.side[units[0]]
    ways = []
    for path in retreat_paths(g, units, stood):
        costly = [g.hex_name(x) for x in path if is_costly(g, side, x)]
        ways.append(
            {
                "path": [g.hex_name(x) for x in path],
                "cancels": min(len(path), numbers.most_hexes) * numbers.hits_per_hex,
                "costly": costly,
                "each_unit_loses": len(costly) * numbers.zone_loss,
            }
        )
    found = {"hex": q.hex, "units": [g.id(u) for u in units], "attacked_from": q.attacked_from, "ways": ways}
    if not ways:
        blocked = "eliminated" if g.reads("retreat_blocked") == "eliminated" else "stay, Disrupted"
        found["blocked"] = blocked
    return {**found, "rule": "RX-7.5.ret"}
