"""The question `defense`: a Determined Defense against any result of the CRT (docs/positions-stalingrad42.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.title import Answerer, Asked
from kessel.games.stalingrad42.answers.questions import unit_of
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.chances import after_loss, attempt
from kessel.games.stalingrad42.combat.crt import Result, tables
from kessel.games.stalingrad42.combat.defense import defense_column, defense_modifier, is_desperate, why_not_attempt
from kessel.games.stalingrad42.combat.odds import all_attackers
from kessel.games.stalingrad42.combat.strength.air import air_names, lead_air, why_not_lead
from kessel.games.stalingrad42.combat.strength.artillery import lead_guns, why_not_lead_gun
from kessel.games.stalingrad42.combat.strength.eligibility import why_not_target
from kessel.games.stalingrad42.combat.strength.strengths import Attack, defenders, in_excess
from kessel.wargame.board import other
from kessel.wargame.reading import named_hex, one_of

COLOURS = ("", "plain", "orange", "noDD")


class AskDefense(Asked):
    """A Determined Defense of a hex against a result of the CRT, by any Lead Unit and with any support."""

    target: str
    result: str
    """As printed: D1, DR2, ..."""
    colour: str = ""
    """plain, orange or noDD; left out as the table prints this result most often."""
    lead: str = ""
    support: str = ""
    """An Air Unit or ASU of the defender."""
    units: list[str] = msgspec.field(default_factory=list)
    """The attackers; left out: all that may attack."""


def answer_defense(g: Board, a: AskDefense) -> dict[str, Any]:
    target = named_hex(g, a.target, "$.target")
    sides = {g.forces.side[u] for u in g.units(target) if g.forces.combat[u]}
    if not sides:
        raise BadInput(f"no Combat Unit is in {a.target}", "$.target")
    attackers = tuple(sorted(unit_of(g, name, f"$.units[{i}]") for i, name in enumerate(a.units)))
    side = g.forces.side[attackers[0]] if attackers else g.phasing if len(sides) > 1 else other(min(sides))
    if why := why_not_target(g, target, side, again=True):
        raise BadInput(why.reason, "$.target")
    attack = Attack(side, target, attackers or all_attackers(g, target, side))
    attack = attack._replace(excess=in_excess(g, attack))
    result = _result(g, a)
    after = after_loss(g, attack, result)
    leads = [unit_of(g, a.lead, "$.lead")] if a.lead else defenders(after, attack)
    return {
        "target": a.target,
        "result": str(result),
        "colour": result.colour,
        "column": defense_column(g, target, other(side)),
        "desperate": bool(result.retreat) and is_desperate(after, attack, result),
        "leads": [_led_by(after, attack, result, u, a.support) for u in leads],
    }


def _result(g: Board, a: AskDefense) -> Result:
    """The cell of the CRT that is asked for, in the colour that is asked for."""
    t = tables(g.charts)
    cells = [cell for column in t.columns.values() for cell in column]
    codes = list(dict.fromkeys(cell.code for cell in cells))
    one_of(codes, a.result, "result of the CRT", "$.result")
    one_of(COLOURS, a.colour, "colour", "$.colour")
    same = [cell for cell in cells if cell.code == a.result]
    if not a.colour:
        return max(same, key=same.count)
    allowed = a.colour != "noDD" and any(cell.determined for cell in same)
    found = next((cell for cell in same if cell.colour == a.colour), same[0])
    return found._replace(colour=a.colour, determined=allowed)


def _led_by(g: Board, attack: Attack, result: Result, u: Unit, support: str) -> dict[str, Any]:
    """One Lead Unit: why it may not try, the modifiers, and what becomes of the retreat."""
    refusals = [why for why in (why_not_attempt(g, u, attack, result), _why_not_help(g, u, support)) if why]
    helped = bool(support) and _why_not_help(g, u, support) is None
    found = {
        "unit": g.id(u),
        "legal": not refusals,
        "refusals": [why.as_json() for why in refusals],
        "modifier": defense_modifier(g, u, attack.target, result, supported=helped, quiet=False).as_json(),
        "support": [*(air_names(g)[i] for i in lead_air(g, u)), *(g.id(v) for v in lead_guns(g, u))],
    }
    if why_not_attempt(g, u, attack, result) is None:
        desperate = is_desperate(g, attack, result)
        ends = attempt(g, attack, result, u, desperate=desperate, supported=helped)
        found["chances"] = {word: float(p) for word, p in ends.items() if p}
    return found


def _why_not_help(g: Board, lead: Unit, name: str) -> Refusal | None:
    """11.3 Why a unit may not give Defensive Support to that Lead Unit."""
    if not name:
        return None
    if name in air_names(g):
        return why_not_lead(g, air_names(g).index(name), lead)
    return why_not_lead_gun(g, unit_of(g, name, "$.support"), lead)


DEFENSE_QUESTIONS: Mapping[str, Answerer] = {
    "defense": Answerer(AskDefense, answer_defense, "a Determined Defense against any result, with its support"),
}
