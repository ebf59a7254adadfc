"""Questions about combat: `attack`, `retreat` and `advance`. Answered by the functions the combat itself uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.title import Answerer, Asked
from kessel.games.kharkov43.answers.names import check_tactics
from kessel.games.kharkov43.board import ACTIVE, COMMAND, Board
from kessel.games.kharkov43.combat.attack_reserves import active_reserves, add_reserves
from kessel.games.kharkov43.combat.battle import (
    Battle,
    battle_of,
    is_adjacent,
    steps_of,
    why_not_attacker,
    why_not_join_attack,
    why_not_target,
    why_not_together,
)
from kessel.games.kharkov43.combat.odds import card_at_work, explain
from kessel.games.kharkov43.combat.results.advance import (
    advance_unit,
    german_paths,
    why_not_advance,
    why_not_path,
    why_not_two_hexes,
)
from kessel.games.kharkov43.combat.results.advance_checks import first_check, second_check
from kessel.games.kharkov43.combat.results.hold import judge_hit
from kessel.games.kharkov43.combat.results.retreat import (
    PRIORITIES,
    Route,
    entries,
    fall_back,
    has_room,
    legal_routes,
    possible_routes,
    retreat_limit,
    scattered_routes,
    soviet_hop,
    why_not_enter,
)
from kessel.games.kharkov43.combat.results.step_losses import loss_candidates, take_loss
from kessel.games.kharkov43.combat.tactics import (
    apply_standing_tactics,
    apply_tactic,
    why_not_benefit,
    why_not_defence_card,
    why_not_german_tactics,
    why_not_soviet_tactics,
)
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement.zones import enemy_of
from kessel.games.kharkov43.turn.piles import soviet_pile
from kessel.wargame.reading import at_path, named_hex, named_stack, named_units, no, one_side


class AskAttack(Asked, kw_only=True):
    """Strengths, chits, situations, adjustments and chances of an attack."""

    hex: str
    units: tuple[str, ...] = ()
    """Left out: all units that may take part."""
    card: str = ""
    """The card that activated the attackers."""
    tactics: tuple[str, ...] = ()
    """Applied by the attacker; a tactic that does not help is listed with its reason."""
    counter: tuple[str, ...] | None = None
    """Applied by the defender. Left out in a German attack: the Soviet card is still to be drawn."""


class AskRetreat(Asked, kw_only=True):
    """Where the units of a hex may retreat, or, if Soviet, where they do."""

    hex: str
    hexes: int = 1
    hits: int = 0
    """Hits still to be satisfied; left out: as many as hexes."""
    nkvd: bool = False


class AskAdvance(Asked, kw_only=True):
    """Where attackers may advance, or by which chance they do."""

    hex: str
    """The vacated hex."""
    units: tuple[str, ...]
    retreat: tuple[str, ...] = ()
    """The path of retreat; the defenders stand at its end. Left out: they were eliminated."""
    tactics: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    """Those of the units that joined the attack by a tactic."""
    advanced: tuple[str, ...] = ()
    """Units that have advanced already; left out: those of their side in the vacated hex."""


# --- reading ---------------------------------------------------------------------------------------------------------


def _units(g: Board, names: Sequence[str], where: str) -> tuple[Unit, ...]:
    found = named_units(g, names, where)
    if found:
        one_side(g, found, where, "the units")
    return tuple(found)


# --- attack ----------------------------------------------------------------------------------------------------------


def attackers_of(g: Board, where: str, names: Sequence[str]) -> tuple[Hex, int, tuple[Unit, ...], Refusal | None]:
    """12.1 The hex attacked, the attacker's side, the units that attack, and why they can't."""
    units = _units(g, names, "$.units")
    if units:
        target, side = named_hex(g, where), g.forces.side[units[0]]
    else:
        target, defenders = named_stack(g, where)
        side = enemy_of(g.forces.side[defenders[0]])
        units = tuple(u for u in g.on_map_of(side) if _why_not_part(g, u, target) is None)
    refusal = why_not_target(g, side, target) or why_not_together(g, side, units)
    for u in units:
        refusal = refusal or _why_not_part(g, u, target)
    return target, side, units, refusal


def attack(g: Board, q: AskAttack) -> dict[str, Any]:
    target, side, units, refusal = attackers_of(g, q.hex, q.units)
    check_tactics(g, q.tactics, "$.tactics")
    check_tactics(g, q.counter or (), "$.counter")
    card = at_path("$.card", g.charts.card_index, q.card) if q.card else _activating_card(g, side, units)
    found: dict[str, Any] = {"hex": q.hex, "side": SIDES[side], "units": [g.id(u) for u in units]}
    if refusal is not None:
        return {**found, **no(refusal)}
    h = g.copy()
    b = battle_of(h, side, target, units, card)
    if side == SOVIET:
        found |= _with_reserves(h, b)
    unused = _apply(h, b, q.tactics, True) + _apply(h, b, q.counter or (), False)
    found |= {"legal": True, **explain(h, b, card_to_come=q.counter is None)}
    if unused:
        found["refused_tactics"] = unused
    if side == GERMAN:
        found["defence_by_hits"] = [_judged(h, b, n) for n in range(1, steps_of(h, b.defenders) + 1)]
    return found


def _activating_card(g: Board, side: int, units: Sequence[Unit]) -> int:
    """The card of the activation that is going on, if these are the active units; -1 if none is known."""
    if not any(g.status[u] & ACTIVE for u in units):
        return -1
    found = [card_at_work(g), *soviet_pile(g, COMMAND)]
    return next((i for i in found if i >= 0 and g.charts.cards[i].is_german == (side == GERMAN)), -1)


def _with_reserves(g: Board, b: Battle) -> dict[str, Any]:
    """12.2, 12.35, 12.36 Step 1 of the attack carried out: the reserves that join it, and what every attack gets."""
    waiting = active_reserves(g)
    apply_standing_tactics(g, b)
    asked = add_reserves(g, b)
    apply_standing_tactics(g, b)
    if not waiting:
        return {}
    told = {u: c.as_json(g) for u, c in asked}
    too_many = {"hex": "", "refusal": Refusal("12.2", "the attack is overwhelming without it").as_json()}
    return {"reserves": [{"unit": g.id(u), **told.get(u, too_many)} for u in waiting]}


def _why_not_part(g: Board, u: Unit, target: Hex) -> Refusal | None:
    """As in play if the position says who is active; else whoever is adjacent and able may attack."""
    if any(g.status[v] & ACTIVE for v in g.on_map_of(g.forces.side[u])):
        return why_not_join_attack(g, u, target)
    if refusal := why_not_attacker(g, u):
        return refusal
    if not is_adjacent(g, g.place[u], target):
        return Refusal("12.1", f"{g.name(u)} is not adjacent to {g.hex_name(target)}")
    return None


def _why_not_tactics(g: Board, b: Battle, attacking: bool) -> Refusal | None:
    """12.3, 12.38, 12.39, 13.52 Why no tactic at all may be applied to that side of the combat."""
    if (b.side if attacking else b.defender_side) == GERMAN:
        return why_not_german_tactics(g, b)
    return why_not_soviet_tactics(g, b) if attacking else why_not_defence_card(g, b)


def _apply(g: Board, b: Battle, names: Sequence[str], attacking: bool) -> list[dict[str, Any]]:
    unused, barred = [], _why_not_tactics(g, b, attacking)
    for name in names:
        if refusal := barred or why_not_benefit(g, b, name, attacking):
            unused.append({"tactic": name, "refusal": refusal.as_json()})
        else:
            apply_tactic(g, b, name, attacking, "asked for")
    return unused


def _judged(g: Board, b: Battle, hits: int) -> dict[str, Any]:
    """12.53 What the first of so many hits does."""
    c = b.copy()
    assert isinstance(c, Battle)
    c.defender_hits = hits
    v = judge_hit(g, c)
    found: dict[str, Any] = {"hits": hits, "priority": v.letter, "result": v.what, "why": v.why, "rule": "12.53"}
    if v.hops:
        found["retreat_to"] = sorted({g.hex_name(hop.entry.hex) for hop in v.hops})
    if v.chance is not None:
        found["hold_chance"] = v.chance.as_json()
    return found


# --- retreat ---------------------------------------------------------------------------------------------------------


def retreat(g: Board, q: AskRetreat) -> dict[str, Any]:
    start, units = named_stack(g, q.hex)
    if not 1 <= q.hexes <= g.charts.constants.most_retreat:
        raise BadInput("a retreat is of one or two hexes", "$.hexes")
    side = g.forces.side[units[0]]
    b = battle_of(g, enemy_of(side), start, ())
    b.defenders, b.bystanders = tuple(units), ()
    if q.nkvd:
        b.counter = ("nkvd",)
    limit, why = retreat_limit(g, b)
    found: dict[str, Any] = {
        "hex": q.hex,
        "side": SIDES[side],
        "units": [g.id(u) for u in units],
        "most_hexes": limit,
        "hexes": _entries(g, units, start),
    }
    if why is not None:
        found["limit"] = why.as_json()
    if q.hexes > limit:
        return {**found, "routes": []}
    if side == GERMAN:
        return {**found, **_german_routes(g, units, start, q.hexes)}
    b.defender_hits = max(q.hits, q.hexes)
    return {**found, **_soviet_path(g, b, q.hexes)}


def _entries(g: Board, units: Sequence[Unit], start: Hex) -> dict[str, Any]:
    """The six hexes around: the priority of each, or why it can't be entered."""
    open_ = {e.hex: e for e in entries(g, units, start)}
    found: dict[str, Any] = {}
    for h in g.map.grid.around[start]:
        if h in open_:
            e = open_[h]
            found[g.hex_name(h)] = {"priority": e.priority, "why": PRIORITIES[e.priority], "rule": "12.7"}
            if not has_room(g, units, h):
                found[g.hex_name(h)]["room"] = "not for all units (12.71)"
            if e.dniepr:
                found[g.hex_name(h)]["dniepr"] = "only if no other hex has this priority (12.7)"
        elif refusal := why_not_enter(g, units, start, h):
            found[g.hex_name(h)] = {"refusal": refusal.as_json()}
    return found


def _german_routes(g: Board, units: Sequence[Unit], start: Hex, hexes: int) -> dict[str, Any]:
    routes = legal_routes(g, units, start, hexes)
    found: dict[str, Any] = {"routes": [_route(g, r) for r in routes]}
    if not possible_routes(g, units, start, hexes) and len(units) > 1:
        apart = scattered_routes(g, units, start, hexes)
        found["apart"] = {g.id(u): [_route(g, r) for r in ways] for u, ways in apart.items()}
    return found


def _route(g: Board, r: Route) -> dict[str, Any]:
    return {
        "path": [g.hex_name(h) for h in r.path],
        "priorities": [e.priority for e in r.entries],
        "steps_lost": r.losses,
    }


def _soviet_path(g: Board, b: Battle, hexes: int) -> dict[str, Any]:
    """12.7 The retreat hex by hex, each with what decided."""
    h, steps = g.copy(), []
    for _ in range(hexes):
        b.defender_hits -= 1
        hops = soviet_hop(h, b, b.defender_hits)
        if not hops:
            break
        for hop in hops:
            steps.append(
                {
                    "units": [g.id(u) for u in hop.units],
                    "to": g.hex_name(hop.entry.hex),
                    "priority": hop.entry.priority,
                    "why": PRIORITIES[hop.entry.priority],
                    "costs_step": hop.entry.costs_step,
                    "overstacked": hop.overstacks,
                    **hop.choice.as_json(g),
                }
            )
            for u in hop.units:
                fall_back(h, u, (hop.entry.hex,))
            if hop.entry.costs_step:
                steps[-1]["step_from"] = _lose_one(h, b, hop.units)
        b.retreated += 1
    gone = [g.id(u) for u in b.defenders if not h.on_map(u)]
    return {"retreated": b.retreated, "steps": steps, **({"eliminated": gone} if gone else {})}


def _lose_one(g: Board, b: Battle, units: Sequence[Unit]) -> list[str]:
    """12.6 The unit that loses the step a retreat costs; of several alike, where the player chooses, the first does."""
    found = loss_candidates(g, units, b.lost)
    take_loss(g, b, found[0], "12.7")
    return [g.id(u) for u in found]


# --- advance ---------------------------------------------------------------------------------------------------------


def advance(g: Board, q: AskAdvance) -> dict[str, Any]:
    target = named_hex(g, q.hex, "$.hex")
    units = _units(g, q.units, "$.units")
    if not units:
        raise BadInput("name the units that attacked", "$.units")
    side = g.forces.side[units[0]]
    if g.units_of(target, enemy_of(side)):
        raise BadInput(f"enemy units hold {q.hex}", "$.hex")
    b = Battle(side, target, units)
    b.joined = _units(g, q.joined, "$.joined")
    b.advanced = _units(g, q.advanced, "$.advanced") or tuple(g.units_of(target, side))
    check_tactics(g, q.tactics, "$.tactics")
    b.tactics = q.tactics
    path = tuple(named_hex(g, name, f"$.retreat[{i}]") for i, name in enumerate(q.retreat))
    if path:
        b.paths, b.retreated = ((target, *path),), len(path)
        b.defenders = tuple(g.units_of(path[-1], enemy_of(side)))
        if not b.defenders:
            raise BadInput("no defender stands at the end of the path of retreat", "$.retreat")
    for i, u in enumerate(units):
        if u not in b.advanced and not is_adjacent(g, g.place[u], target):
            raise BadInput(f"{g.name(u)} is not adjacent to {q.hex}", f"$.units[{i}]")
    answer = _german_advance if side == GERMAN else _soviet_advance
    todo = [u for u in (units if side == GERMAN else g.ascending(units)) if u not in b.advanced]
    if not todo:
        raise BadInput(f"the units named have advanced to {q.hex} already", "$.units")
    return {"hex": q.hex, "side": SIDES[side], "units": {g.id(u): answer(g, b, u) for u in todo}}


def _german_advance(g: Board, b: Battle, u: Unit) -> dict[str, Any]:
    if refusal := why_not_advance(g, b, u):
        return {"advances": [], "refusal": refusal.as_json()}
    refused, ends = {}, []
    paths = {(b.target,), *german_paths(g, b, u)}
    paths |= {(b.target, h) for h in members(g.map.grid.near[b.target] & ~(1 << g.place[u]))}
    for p in sorted(paths):
        name = "-".join(g.hex_name(h) for h in p)
        if refusal := why_not_path(g, b, u, p):
            refused[name] = refusal.as_json()
        else:
            ends.append(name)
    return {"advances": ends, "refused": refused}


def _soviet_advance(g: Board, b: Battle, u: Unit) -> dict[str, Any]:
    first = first_check(g, b, u)
    found: dict[str, Any] = {"first": first.as_json(g)}
    if first.refusal is not None or not first.chance.total:
        return found
    if why := why_not_two_hexes(g, b, u):
        return {**found, "second": {"refusal": why.as_json()}}
    h = g.copy()
    c = b.copy()
    assert isinstance(c, Battle)
    advance_unit(h, c, u, (b.target,), told=True)
    second = second_check(h, c, u, g)
    return {**found, "second": second.as_json(g) if second else {"advances": "no"}}


COMBAT_QUESTIONS = {
    "attack": Answerer(AskAttack, attack, "strengths, chits, situations and exact chances of an attack"),
    "retreat": Answerer(AskRetreat, retreat, "where units may retreat, or where Soviet units do, and why"),
    "advance": Answerer(AskAdvance, advance, "where attackers may advance, or by which chance Soviet ones do"),
}
