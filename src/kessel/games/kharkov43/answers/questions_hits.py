"""The question `hits`: how hits are applied to the units of a combat (12.52-12.55, 12.6), die by die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.title import Answerer, Asked
from kessel.games.kharkov43.answers.names import check_tactics
from kessel.games.kharkov43.answers.questions_combat import attackers_of
from kessel.games.kharkov43.board import DISPERSED, RESERVE, Board
from kessel.games.kharkov43.combat.battle import alive, begin, counted, set_defenders, steps_of
from kessel.games.kharkov43.combat.combat_common import Combat
from kessel.games.kharkov43.combat.combat_german import DISPERSAL_FROM, DISPERSAL_TO, GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.combat.results.advance import is_eliminated
from kessel.games.kharkov43.combat.results.hold import (
    CHECK,
    RETREAT,
    STAND,
    attacker_hit_result,
    judge_hit,
    why_parenthesis,
)
from kessel.games.kharkov43.combat.results.retreat import legal_routes, retreat_limit
from kessel.games.kharkov43.combat.results.step_losses import loss_candidates
from kessel.games.kharkov43.data.forces import GERMAN, SIDES
from kessel.wargame.reading import check_dice, no

MOST = 99
ALIKE = "units alike in steps and selector: the German player chooses who loses the step (12.6)"


class AskHits(Asked, kw_only=True):
    """How so many hits on each side are applied. They are totals, adjusted by 12.51."""

    hex: str
    """The attacked hex."""
    units: tuple[str, ...] = ()
    """The attackers; left out: all that may take part."""
    attacker: int = 0
    defender: int = 0
    rolls: tuple[int, ...] = ()
    """The dice of hold checks, in their order (12.53)."""
    vacated: bool = False
    """Of a Soviet attack: the defenders have left the hex (12.54)."""
    counter: tuple[str, ...] = ()
    """Tactics the defender has applied (NKVD forbids a retreat)."""


def hits(g: Board, q: AskHits) -> dict[str, Any]:
    for name in ("attacker", "defender"):
        if not 0 <= getattr(q, name) <= MOST:
            raise BadInput(f"hits are 0 to {MOST}", f"$.{name}")
    check_dice(q.rolls, g.charts.constants.die, "$.rolls")
    check_tactics(g, q.counter, "$.counter")
    target, side, units, refusal = attackers_of(g, q.hex, q.units)
    found: dict[str, Any] = {"hex": q.hex, "side": SIDES[side], "units": [g.id(u) for u in units]}
    if refusal is not None:
        return {**found, **no(refusal)}
    x = g.copy()
    x.stack, x.events = [], None
    kind = GermanCombat if side == GERMAN else SovietCombat
    c = kind(side, target, units, counter=q.counter, attacker_hits=q.attacker, defender_hits=q.defender)
    set_defenders(x, c)
    begin(x, c)
    if isinstance(c, GermanCombat):
        return {**found, "legal": True, "defenders": _soviet_defence(x, c, q), "attackers": _german_losses(x, c)}
    return {**found, "legal": True, "defenders": _german_defence(x, c), "attackers": _soviet_losses(x, c, q.vacated)}


# --- a German attack: 12.53, and the choices of 12.52 ----------------------------------------------------------------


def _soviet_defence(g: Board, c: GermanCombat, q: AskHits) -> dict[str, Any]:
    """12.53 Hit by hit, as long as the dice given last."""
    rolls, hit = list(q.rolls), 0
    done: list[dict[str, Any]] = []
    stopped = ""
    while c.defender_hits and not is_eliminated(g, c) and not stopped:
        hit += 1
        verdict = judge_hit(g, c)
        entry: dict[str, Any] = {"hit": hit, "priority": verdict.letter, "why": verdict.why, "rule": "12.53"}
        done.append(entry)
        what = verdict.what
        if verdict.chance is not None:
            entry["hold_chance"] = verdict.chance.as_json()
        if what == CHECK and verdict.chance is not None:
            if not rolls:
                entry["result"], stopped = CHECK, "a hold check needs its die; say which (rolls)"
                break
            entry["roll"] = rolls.pop(0)
            what = STAND if entry["roll"] <= verdict.chance.total else RETREAT
        entry["result"] = what
        before = len(c.lost)
        c.apply_hit(g, verdict, what)
        entry["steps_lost"] = _forced(g, c, before)
        if what == RETREAT:
            entry["to"] = sorted({g.hex_name(g.place[u]) for u in alive(g, c.defenders)})
        if c.owed:
            stopped = ALIKE
    found: dict[str, Any] = {"hits": done, "retreated": c.retreated}
    if stopped:
        return {**found, "stopped": stopped}
    if rolls:
        raise BadInput(f"no more than {counted(len(q.rolls) - len(rolls), 'hold check')} can be rolled", "$.rolls")
    c.end_defence(g)
    return found | _left(g, c.defenders)


def _forced(g: Board, c: Combat, before: int) -> list[str]:
    """Take the losses owed that can fall on one unit only; all who lost a step since, in order."""
    c.take_forced_losses(g, "12.6")
    return [g.id(u) for u in c.lost[before:]]


def _left(g: Board, units: Sequence[Unit]) -> dict[str, Any]:
    on_map = alive(g, units)
    return {
        "left": {g.id(u): {"steps": g.steps[u], "hex": g.hex_name(g.place[u])} for u in on_map},
        "dispersed": [g.id(u) for u in on_map if g.status[u] & DISPERSED],
        "eliminated": [g.id(u) for u in units if not g.on_map(u)],
    }


def _german_losses(g: Board, c: GermanCombat) -> dict[str, Any]:
    """12.52, 12.6 Who may lose the first step; what dispersal may take the place of."""
    first = [g.id(u) for u in loss_candidates(g, c.attackers, ())] if c.attacker_hits else []
    absorbed = max(0, min(c.attacker_hits, DISPERSAL_TO) - DISPERSAL_FROM + 1)
    return {"hits": c.attacker_hits, "first_step_from": first, "dispersal_satisfies": absorbed, "rule": "12.52"}


# --- a Soviet attack: the choices of 12.52, and 12.54 ----------------------------------------------------------------


def _german_defence(g: Board, c: SovietCombat) -> dict[str, Any]:
    """12.52 How the first hits may be satisfied; 12.55 what the defenders can take at most."""
    limit, why = retreat_limit(g, c)
    found: dict[str, Any] = {"hits": c.defender_hits, "rule": "12.52"}
    if c.defender_hits:
        found["step_from"] = [g.id(u) for u in loss_candidates(g, c.defenders, ())]
        found["retreats"] = [
            {"path": [g.hex_name(h) for h in r.path], "satisfies": n, "steps_lost": r.losses, "disperses": n == 2}
            for n in range(1, min(limit, c.defender_hits) + 1)
            for r in legal_routes(g, c.defenders, c.target, n)
        ]
        if why is not None:
            found["limit"] = why.as_json()
    spared = max(0, c.defender_hits - c.could_satisfy(g))
    if spared:
        found["spares_if_eliminated"] = {"soviet_hits": min(spared, c.attacker_hits), "rule": "12.55"}
    return found


def _soviet_losses(g: Board, c: SovietCombat, vacated: bool) -> dict[str, Any]:
    """12.54 The first hit as a step, the others by the table."""
    found: dict[str, Any] = {"hits": c.attacker_hits, "rule": "12.54"}
    if vacated:
        for u in c.defenders:
            g.take_off(u, RESERVE)
    if not c.attacker_hits:
        return found | _left(g, c.attackers)
    alike = loss_candidates(g, c.attackers, c.lost)
    if len(alike) > 1:
        return {
            **found,
            "stopped": f"{', '.join(g.name(u) for u in alike)} are alike: the German player chooses (12.6)",
        }
    c.owed, c.losers = 1, c.attackers
    found["first_step_from"] = _forced(g, c, 0)
    left = c.attacker_hits - 1
    units = alive(g, c.attackers)
    if not left or not units:
        return found | _left(g, c.attackers)
    why, steps = why_parenthesis(g, c), steps_of(g, units)
    result = attacker_hit_result(g, steps, left, parenthetical=why is not None)
    found["table"] = {"steps": steps, "hits": left, "result": result.text, "parenthesis": why is not None}
    if result.eliminate:
        return {**found, "left": {}, "dispersed": [], "eliminated": [g.id(u) for u in c.attackers]}
    c.owed = result.steps
    found["steps_lost"] = _forced(g, c, 1)
    if c.owed:
        return {**found, "stopped": ALIKE}
    if result.disperse:
        for u in alive(g, c.attackers):
            g.set_status(u, DISPERSED)
    return found | _left(g, c.attackers)


HIT_QUESTIONS = {"hits": Answerer(AskHits, hits, "how hits are applied: hold checks, retreats, step losses, dispersal")}
