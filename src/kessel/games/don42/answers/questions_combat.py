"""Questions about bombardment, combat, retreats and advances (docs/positions-don42.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.title import Asked
from kessel.games.don42.board import BOMBED, FLOWN, OTHER, SHELLED, STATUS_WORDS, Board
from kessel.games.don42.combat.advance import advance_hexes, advance_length
from kessel.games.don42.combat.air import (
    bombarded,
    bombardment_chances,
    bombardment_factors,
    why_not_bridge,
    why_not_strike,
)
from kessel.games.don42.combat.bombardment import why_not_aim, why_not_aim_at_bridge, why_not_bombard
from kessel.games.don42.combat.combat import is_across_volga, why_not_attack, why_not_support, why_not_target
from kessel.games.don42.combat.odds import attack_strength, work_out
from kessel.games.don42.combat.retreat import (
    WORDS,
    Path,
    Settle,
    join_stack,
    nearest_enemies,
    retreat_paths,
    take_path,
    why_not_step,
    worsen,
    zone_status,
)
from kessel.games.don42.data.forces import GERMAN, SIDES, C
from kessel.games.don42.movement.movement import is_beyond_line
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.movement.weather import is_grounded
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.supply.headquarters import eliminate
from kessel.wargame.odds import out_of
from kessel.wargame.reading import at_path, judged, named_hex, named_stack, named_units, one_side


class AskAttack(Asked, kw_only=True):
    """The odds of an attack."""

    hex: str
    units: tuple[str, ...]
    guns: tuple[str, ...] = ()
    """Artillery and mortars in support, adjacent or not."""
    planes: tuple[str, ...] = ()
    defence_guns: tuple[str, ...] = ()
    """German artillery that supports the defence."""


class AskBombardment(Asked, kw_only=True):
    """The chances of a bombardment of a hex or a bridge by guns or air units."""

    units: tuple[str, ...]
    hex: str = ""
    bridge: str = ""
    """A hexside instead of a hex."""


class AskRetreat(Asked, kw_only=True):
    """The ways of a retreat of the units in a hex, and what each costs."""

    hex: str
    hexes: int
    attackers: tuple[str, ...] = ()
    """Units or hexes the retreat leads away from; left out: the nearest enemies."""
    rout: bool = False
    """D RTD: a rout move (13.5)."""


class AskAdvance(Asked, kw_only=True):
    """Where units may advance after combat."""

    units: tuple[str, ...]
    hex: str
    """The hex of the defenders; those still shown there are taken as gone."""
    hexes: int = 1
    """Hexes of the retreat or rout; 3 after an elimination."""


# --- 12.0 attack ---------------------------------------------------------------------------------------------------


def attack(g: Board, q: AskAttack) -> dict[str, Any]:
    target = named_hex(g, q.hex)
    attackers = named_units(g, q.units, "$.units")
    if not attackers:
        raise BadInput("an attack needs at least one unit", "$.units")
    side = one_side(g, attackers, "$.units", "the attackers")
    guns = named_units(g, q.guns, "$.guns")
    defence = named_units(g, q.defence_guns, "$.defence_guns")
    planes = named_units(g, q.planes, "$.planes", on_map=False)
    for i, u in enumerate(guns):
        if u in attackers:
            raise BadInput(f"{g.name(u)} attacks already", f"$.guns[{i}]")
    reasons = chain(
        _attack_reasons(g, side, attackers, target),
        _gun_reasons(g, side, guns, target, attacking=True),
        _gun_reasons(g, OTHER[side], defence, target, attacking=False),
        _plane_reasons(g, side, planes),
    )
    refusal = next(reasons, None)
    found: dict[str, Any] = {"hex": q.hex, "side": SIDES[side], **judged(refusal)}
    beside = all(g.map.grid.adjacent(g.place[u], target) for u in attackers)
    if refusal is not None and not (beside and g.enemies_in(target, side)):
        return found
    defence = [u for u in defence if g.place[u] != target]
    return {**found, **work_out(g, side, attackers, target, guns, planes, defence).as_json()}


def _attack_reasons(g: Board, side: Side, attackers: Sequence[Unit], target: Hex) -> Iterator[Refusal]:
    if not g.enemies_in(target, side):
        yield Refusal("12.0", "there is no enemy unit to attack")
        return
    for u in attackers:
        if not g.map.grid.adjacent(g.place[u], target):
            yield Refusal("12.3", f"{g.name(u)} is not adjacent to {g.hex_name(target)}")
        elif is_across_volga(g, g.place[u], target):
            yield Refusal("10.1.2", f"the Volga is between {g.name(u)} and {g.hex_name(target)}")
        if why := why_not_attack(g, u):
            yield why
    if not any(attack_strength(g, u) for u in attackers):
        yield Refusal("12.3", "units of attack strength 0 cannot attack alone")
    if why := why_not_target(g, side, target):
        yield why


def _gun_reasons(g: Board, side: Side, guns: Sequence[Unit], target: Hex, *, attacking: bool) -> Iterator[Refusal]:
    for u in guns:
        if g.forces.side[u] != side:
            yield Refusal("12.3.1", f"{g.name(u)} is not of the side it would support")
        elif g.place[u] == target:
            yield Refusal("12.2", f"{g.name(u)} is in {g.hex_name(target)} and defends there anyway")
        elif why := why_not_support(g, u, target, attacking=attacking):
            yield why


def _plane_reasons(g: Board, side: Side, planes: Sequence[Unit]) -> Iterator[Refusal]:
    most = g.charts.constants.air_support
    if len(planes) > most:
        yield Refusal("7.5", f"no more than {most} air units support an attack")
    for p in planes:
        if not g.forces.air[p] or g.forces.type[p] == "transport" or g.forces.side[p] != side:
            yield Refusal("7.5", f"{g.name(p)} gives no ground support to this attack")
        elif why := _why_not_flown(g, p):
            yield why
    yield from _too_many(g, planes)


def _why_not_flown(g: Board, plane: Unit) -> Refusal | None:
    """Why an air unit cannot strike; a position that does not say who holds the air leaves that open."""
    if g.track("air_side") or is_grounded(g):
        return why_not_strike(g, plane)
    return Refusal("7.3", f"{g.name(plane)} has flown this turn") if g.status[plane] & FLOWN else None


def _too_many(g: Board, planes: Sequence[Unit]) -> Iterator[Refusal]:
    """7.2 No more air units fly than are available, where the position tells their number."""
    if g.track("air_side") and len(planes) > g.track("air_left"):
        yield Refusal("7.2", f"{g.track('air_left')} air units are available this turn, not {len(planes)}")


# --- 7.3, 7.4, 11.0 bombardment ------------------------------------------------------------------------------------


def bombard(g: Board, q: AskBombardment) -> dict[str, Any]:
    if bool(q.hex) == bool(q.bridge):
        raise BadInput("a bombardment has a hex or a bridge for its target", "$.hex")
    units = named_units(g, q.units, "$.units", on_map=False)
    if not units:
        raise BadInput("a bombardment needs at least one unit", "$.units")
    side = one_side(g, units, "$.units", "the bombarding units")
    target = named_hex(g, q.hex) if q.hex else -1
    reasons = _bombard_reasons(g, side, units, target) if q.hex else _bridge_reasons(g, units, q.bridge)
    factors = bombardment_factors(g, units)
    results = bombardment_chances(g, factors.total)
    found = {
        **({"hex": q.hex} if q.hex else {"bridge": q.bridge}),
        **judged(next(reasons, None)),
        "factors": factors.as_json(),
        "column": g.charts.bombardment_column(factors.total),
        "results": {str(i): r for i, r in enumerate(results, start=1)},
        "chances": out_of(results),
    }
    if q.bridge:
        return {**found, "destroyed": f"{sum(r.endswith('*') for r in results)}/6", "rule": "7.4"}
    rule = "7.3.2" if g.forces.air[units[0]] else "11.1"
    return {**found, "becomes": {g.id(u): _becomes(g, u, results) for u in g.units(target)}, "rule": rule}


def _becomes(g: Board, u: Unit, results: Sequence[str]) -> dict[str, str]:
    """The status of a unit after each roll; one that becomes RTD retreats three hexes at once."""
    after = {str(i): bombarded(g.disorder(u), r) for i, r in enumerate(results, start=1)}
    return {die: WORDS.get(status, "intact") for die, status in after.items()}


def _bombard_reasons(g: Board, side: Side, units: Sequence[Unit], target: Hex) -> Iterator[Refusal]:
    for u in units:
        if g.forces.air[u]:
            if why := _why_not_bomb(g, u):
                yield why
        elif why := why_not_bombard(g, u) or why_not_aim(g, u, target):
            yield why
    by_air = g.forces.air[units[0]]
    rule = "7.3.1" if by_air else "11.0"
    if by_air:
        yield from _too_many(g, units)
    if not g.enemies_in(target, side):
        yield Refusal(rule, f"there is no enemy unit in {g.hex_name(target)}")
    elif any(g.status[u] & (BOMBED if by_air else SHELLED) for u in g.units(target)):
        yield Refusal(rule, "a unit is bombarded once")


def _bridge_reasons(g: Board, units: Sequence[Unit], name: str) -> Iterator[Refusal]:
    bridge = at_path("$.bridge", g.map.grid.parse_hexside, name)
    if why := why_not_bridge(g, bridge):
        yield why
        return
    for u in units:
        why = _why_not_bomb(g, u) if g.forces.air[u] else why_not_bombard(g, u) or why_not_aim_at_bridge(g, u, bridge)
        if why:
            yield why
    if g.forces.air[units[0]]:
        yield from _too_many(g, units)


def _why_not_bomb(g: Board, plane: Unit) -> Refusal | None:
    if g.forces.type[plane] == "transport":
        return Refusal("7.3", "TR units never bombard")
    return _why_not_flown(g, plane)


# --- 13.3 retreat --------------------------------------------------------------------------------------------------


def retreat(g: Board, q: AskRetreat) -> dict[str, Any]:
    h, units = named_stack(g, q.hex)
    if not 1 <= q.hexes <= 6:
        raise BadInput("a retreat is of 1 to 6 hexes", "$.hexes")
    side = g.forces.side[units[0]]
    named = dict.fromkeys(_threat(g, name, i) for i, name in enumerate(q.attackers))
    threats = list(named) or list(nearest_enemies(g, side, h))
    paths = sorted(retreat_paths(g, side, h, q.hexes, threats), key=lambda p: [g.hex_name(x) for x in p])
    found = {
        "hex": q.hex,
        "units": [g.id(u) for u in units],
        "away_from": [g.hex_name(t) for t in threats],
        "paths": [[g.hex_name(x) for x in p] for p in paths],
        "full_length": bool(paths) and len(paths[0]) == q.hexes,
        "ways": [_consequences(g, side, units, p) for p in paths],
        "rule": "13.3",
        **({} if paths else {"refusal": Refusal("13.3", "there is nowhere to retreat to").as_json()}),
    }
    if q.rout:
        return {**found, "rule": "13.5", "routs": {g.id(u): _rout(g, side, u) for u in units}}
    losses = {g.id(u): "eliminated" if g.steps[u] == 1 else "reduced" for u in units}
    return {**found, "or_step_loss": losses}


def _threat(g: Board, name: str, i: int) -> Hex:
    u = g.forces.find(name)
    if u != NO_UNIT and g.on_map(u):
        return g.place[u]
    return named_hex(g, name, f"$.attackers[{i}]")


def _consequences(g: Board, side: Side, units: Sequence[Unit], path: Path) -> dict[str, Any]:
    """13.3.1, 13.3.2 What becomes of the units if they go that way, played out on a copy."""
    after = g.copy()
    after.events = []
    entered = take_path(after, side, units, path)
    found: dict[str, Any] = {"path": [g.hex_name(h) for h in path]}
    word = zone_status(g, entered) if side == GERMAN else ""
    if side == GERMAN:
        found["empty_zone_hexes"] = entered
    for u in units:
        if after.is_alive(u) and word:
            if word == "eliminated":
                eliminate(after, u, "13.3.2", "four hexes in enemy zones")
            else:
                worsen(after, u, STATUS_WORDS[word], "13.3.2")
    if word == "RTD":
        found["then"] = f"a rout move of {g.charts.constants.rout_hexes} hexes"
    there = [u for u in units if after.is_alive(u)]
    if there and why_not_together(after, side, after.units(after.place[there[0]])):
        settle = Settle(side, tuple(there), came=(g.place[there[0]], *path[:-1]))
        found["over_limit"] = [NOTATION.text(after, a) for a in settle.ways(after)]
        found["rule"] = "13.3.1"
    else:
        join_stack(after, there)
    changed = {g.id(u): _change(g, after, u) for u in g.units_on_map(side) if _change(g, after, u)}
    if changed:
        found["becomes"] = changed
        found["rule"] = "3.2.5" if any(e["rule"] == "3.2.5" for e in after.events) else "13.3.2"
    return found


def _change(g: Board, after: Board, u: Unit) -> str:
    """What a retreat has made of a unit, in a word; nothing if it is as before."""
    if not after.is_alive(u):
        return "eliminated"
    if after.steps[u] < g.steps[u]:
        return f"loses {g.steps[u] - after.steps[u]} step"
    return WORDS[after.disorder(u)] if after.disorder(u) != g.disorder(u) else ""


def _rout(g: Board, side: Side, u: Unit) -> dict[str, str]:
    """13.5, 13.5.1 The chances of the marker a D RTD result gives a unit."""
    if side != GERMAN or g.forces.quality[u] == C:
        return {"RTD": "6/6"}
    table = g.charts.german_rout
    return out_of([WORDS[max(g.disorder(u), STATUS_WORDS[table.at(die, "status")])] for die in range(1, 7)])


# --- 13.6 advance --------------------------------------------------------------------------------------------------


def advance(g: Board, q: AskAdvance) -> dict[str, Any]:
    h = named_hex(g, q.hex)
    units = named_units(g, q.units, "$.units")
    side = one_side(g, units, "$.units", "the advancing units")
    if not 1 <= q.hexes <= 3:
        raise BadInput("an advance is of 1 to 3 hexes", "$.hexes")
    after = g.copy()
    for u in g.units(h):
        if g.forces.side[u] != side:
            after.move(u, NOWHERE)
    found = {}
    for u in units:
        ways = advance_hexes(after, u, h, q.hexes)
        found[g.id(u)] = {
            "hexes": advance_length(after, u, q.hexes),
            "to": {g.hex_name(x): [g.hex_name(s) for s in way] for x, way in sorted(ways.items())},
        }
        if not ways:
            found[g.id(u)]["refusal"] = _why_not_advance(after, u, h, q.hexes).as_json()
    return {"hex": q.hex, "units": found, "rule": "13.6"}


def _why_not_advance(g: Board, u: Unit, vacated: Hex, length: int) -> Refusal:
    if not advance_length(g, u, length):
        return Refusal("13.6", f"{g.name(u)} never advances")
    if not g.map.grid.adjacent(g.place[u], vacated):
        return Refusal("13.6.1", f"{g.name(u)} is not adjacent to the vacated hex")
    if is_beyond_line(g, u, vacated):
        return Refusal("17.1.3", f"{g.command_name(u)} may not move east of the flank line")
    why = why_not_step(g, g.forces.side[u], g.place[u], g.map.grid.direction(g.place[u], vacated))
    if why is not None:
        return why
    return Refusal("13.6", f"{g.name(u)} finds no hex within the stacking limit")
