"""The exact distribution over the ends of a combat, losses and deaths in retreat included.

The dice are counted out on copies of the board, with the code that carries a combat out. Where a player would choose,
the usual choice is taken: of several dice the best (26.2); the owner spares his Lead Unit, the enemy picks it; a
Determined Defense is led by the unit that holds most often, a Desperate one declared where retreat is death. Whether
the defender tries at all, and with support, is the caller's to say: both answers are given.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import IN_PLAY
from kessel.games.stalingrad42.combat.after.retreat_paths import Flight, can_survive, ends_of, has_to_pay
from kessel.games.stalingrad42.combat.battle import DELAYED, EJECTED, HELD, RETREATS
from kessel.games.stalingrad42.combat.chances import WORDS, after_loss, attempt, drm_of, effects, roll_chances, roll_out
from kessel.games.stalingrad42.combat.combat import advance_mode
from kessel.games.stalingrad42.combat.crt import Result, tables
from kessel.games.stalingrad42.combat.defense import (
    Effect,
    is_desperate,
    leads,
    why_not_attempt,
)
from kessel.games.stalingrad42.combat.losses import lose_step
from kessel.games.stalingrad42.combat.results import attackers_to_lose
from kessel.games.stalingrad42.combat.strength.air import lead_air, offensive_air
from kessel.games.stalingrad42.combat.strength.artillery import lead_guns, offensive_guns
from kessel.games.stalingrad42.combat.strength.eligibility import attackers_of, why_not_mix
from kessel.games.stalingrad42.combat.strength.shifts import assess
from kessel.games.stalingrad42.combat.strength.strengths import Attack, declared, defenders, in_excess, retreated_into
from kessel.wargame.board import other

ELIMINATED = "eliminated"
"""No defender is left."""


class Final(NamedTuple):
    """One end of a combat."""

    outcome: str
    """held, retreats, delayed, city battle, thrown out or eliminated"""
    hexes: int
    """Of the retreat."""
    attacker_steps: int
    defender_steps: int
    """Steps lost, those of units eliminated in their retreat included."""
    advance: str
    """full, one hex, limited, or "" for none"""

    @property
    def empties(self) -> bool:
        return self.outcome in (RETREATS, DELAYED, ELIMINATED, WORDS[EJECTED])


Distribution = dict[Final, Fraction]


def distribution(g: Board, a: Attack, *, defend: bool = True, supported: bool = False, dice: int = 1) -> Distribution:
    """Every end of a combat before the die is rolled; {} where the odds are too low."""
    now = assess(g, a)
    found: Distribution = {}
    if now.too_low:
        return found
    a = declared(g, a)
    known: dict[Any, Distribution] = {}
    for chance, result in roll_chances(g, now, dice):
        key = (result.code, result.colour, result.advance)
        if key not in known:
            known[key] = after_result(g, a, result, defend=defend, supported=supported)
        for end, p in known[key].items():
            found[end] = found.get(end, Fraction(0)) + chance * p
    return found


def after_result(g: Board, a: Attack, result: Result, *, defend: bool = True, supported: bool = False) -> Distribution:
    """Every end of a combat after the die has given a result."""
    h = after_loss(g, a, result)
    if result.attacker_loss:
        h = _attacker_loses(h, a, a.side if not result.by_opponent else other(a.side))
    if not result.retreat:
        return {_final(g, h, a, result, HELD): Fraction(1)}
    lead = best_lead(h, a, result, supported=supported) if defend else -1
    if lead == NO_UNIT:
        return {_final(g, h, a, result, RETREATS): Fraction(1)}
    found: Distribution = {}
    for (outcome, board), p in _defend(h, a, result, lead, supported=supported).items():
        end = _final(g, board.board, a, result, outcome)
        found[end] = found.get(end, Fraction(0)) + p
    return found


def best_lead(g: Board, a: Attack, result: Result, *, supported: bool = False) -> Unit:
    """The unit whose Determined Defense gives way least often; -1 where none may lead."""
    able = [u for u in leads(g, a) if why_not_attempt(g, u, a, result) is None]
    if not able:
        return -1
    desperate = is_desperate(g, a, result)

    def gives_way(u: Unit) -> Fraction:
        return attempt(g, a, result, u, desperate=desperate, supported=supported).get(RETREATS, Fraction(0))

    return min(able, key=gives_way)


class _At:
    """A board by the steps of the units in the combat."""

    __slots__ = ("board", "key")

    def __init__(self, board: Board, a: Attack) -> None:
        self.board = board
        self.key = tuple((u, board.steps[u]) for u in (*a.units, *defenders(board, a)))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other_: object) -> bool:
        return isinstance(other_, _At) and self.key == other_.key


def _defend(g: Board, a: Attack, result: Result, lead: Unit, *, supported: bool) -> dict[tuple[str, _At], Fraction]:
    """11.4, 11.5 A Determined Defense, rolled out: outcomes and the boards they leave."""
    desperate, side = is_desperate(g, a, result), other(a.side)

    def after(here: _At, u: Unit, e: Effect) -> _At:
        if not e.lead_loss and not e.attacker_loss:
            return here
        h = here.board.copy()
        for _ in range(e.lead_loss):
            if h.pool[u] == IN_PLAY:
                lose_step(h, u, "11.2.3")
        if e.attacker_loss:
            h = _attacker_loses(h, a, side if e.defender_picks else a.side)
        return _At(h, a)

    def next_lead(here: _At) -> Unit:
        h, left = here.board, leads(here.board, a)
        return max(left, key=lambda v: (drm_of(h, v, a, result, supported), h.steps[v])) if left else NO_UNIT

    return roll_out(
        lead,
        _At(g, a),
        0,
        lambda x, u, delays: effects(x.board, a, drm_of(x.board, u, a, result, supported), desperate, delays),
        after=after,
        next_lead=next_lead,
        gone=lambda here: not defenders(here.board, a),
        end=lambda here: here,
    )


def _attacker_loses(g: Board, a: Attack, chooser: Side) -> Board:
    """The owner gives a step of his strongest unit, the enemy takes one of the weakest."""
    can = attackers_to_lose(g, a, chooser)
    if not can:
        return g
    h = g.copy()
    pick = max(can, key=lambda u: g.steps[u]) if chooser == a.side else min(can, key=lambda u: g.steps[u])
    lose_step(h, pick, "10.1")
    return h


def _final(before: Board, g: Board, a: Attack, result: Result, outcome: str) -> Final:
    """The end on a board where all losses but those of the retreat have been taken."""
    units = defenders(g, a)
    dead = 0
    hexes = result.retreat if outcome == RETREATS else 0
    if outcome in (RETREATS, DELAYED, EJECTED) and units:
        dead, gone = _dies_in_retreat(g, a, result, outcome)
        units = [u for u in units if u not in gone]
    empty = not defenders(g, a) or outcome in (RETREATS, DELAYED, EJECTED)
    mode = advance_mode(outcome, empty)
    word = ELIMINATED if not units else WORDS.get(outcome, outcome)
    return Final(
        word,
        hexes if units else 0,
        _steps(before, a.units) - _steps(g, a.units),
        _steps(before, defenders(before, a)) - _steps(g, defenders(g, a)) + dead,
        mode,
    )


def _steps(g: Board, units: tuple[Unit, ...] | list[Unit]) -> int:
    return sum(g.steps[u] for u in units)


def _dies_in_retreat(g: Board, a: Attack, result: Result, outcome: str) -> tuple[int, list[Unit]]:
    """12.2, 12.4 The steps and units lost because they have no way out or have retreated before."""
    lengths = (result.retreat,) if outcome == RETREATS else tuple(g.charts.constants["delay_retreat"])
    units = defenders(g, a)
    flight = Flight(other(a.side), a.target, lengths, tuple(units), False, result.state == "full_retreat")
    gone = retreated_into(g, a, units)
    needy = [u for u in units if u not in gone and has_to_pay(g, u, flight)]
    steps, dead = _pay(g, needy, flight) if needy else (0, [])
    return _steps(g, gone) + steps, [*gone, *dead]


def _pay(g: Board, units: list[Unit], flight: Flight) -> tuple[int, list[Unit]]:
    """12.1.3 #4 The steps lost, and the units eliminated, of those that live only by paying: they do so as cheaply as
    they can, all that get there at one end."""
    most = max(flight.lengths)
    able = [u for u in units if can_survive(g, u, flight, most)]
    ways = {u: {(e.place, e.pay) for e in ends_of(g, u, flight, most) if e.pay} for u in able}
    best = _steps(g, units), units
    for end in sorted({end for ends in ways.values() for end in ends}):
        there = sorted((u for u in able if end in ways[u]), key=lambda u: g.steps[u])
        short = end[1] - sum(g.steps[u] - 1 for u in there)
        if short < len(there):
            dead = [u for u in units if u not in there] + there[: max(0, short)]
            best = min(best, (_steps(g, [u for u in units if u not in there]) + end[1], dead), key=lambda x: x[0])
    return best


# --- before declaring ------------------------------------------------------------------------------------------------


def all_attackers(g: Board, target: Hex, side: Side) -> tuple[Unit, ...]:
    """Everybody who may attack a hex, as far as Axis Allies go together (20.5.1): the nation that adds most."""
    units = attackers_of(g, target, side)
    best: tuple[Unit, ...] = ()
    for first in units or ():
        group: tuple[Unit, ...] = (first,)
        for u in units:
            if u != first and why_not_mix(g, (*group, u), target) is None:
                group = (*group, u)
        if sum(g.attack(u) for u in group) > sum(g.attack(u) for u in best):
            best = group
    return tuple(sorted(best))


def with_support(g: Board, a: Attack) -> Attack:
    """The attack with all the air and artillery that could be committed to it now."""
    air = offensive_air(g, a)
    if air:
        a = a._replace(air=air[0])
    guns = offensive_guns(g, a)
    pairs = [(u, v) for u in guns for v in offensive_guns(g, a._replace(guns=(*a.guns, u)))]
    if pairs:
        return a._replace(guns=(*a.guns, *pairs[0]))
    return a._replace(guns=(*a.guns, guns[0])) if guns else a


def defensive_support(g: Board, a: Attack) -> bool:
    """Whether some defender could have Defensive Support in a Determined Defense (11.3)."""
    return any(lead_air(g, u) or lead_guns(g, u) for u in leads(g, a))


# --- as JSON ---------------------------------------------------------------------------------------------------------


def as_json(found: Distribution) -> dict[str, Any]:
    """The ends, the likeliest first, with what they come to."""
    ends = [
        {
            "outcome": end.outcome,
            "retreat": end.hexes,
            "attacker_steps": end.attacker_steps,
            "defender_steps": end.defender_steps,
            "advance": end.advance,
            "chance": float(p),
            "exact": str(p),
        }
        for end, p in sorted(found.items(), key=lambda x: (-x[1], x[0]))
    ]
    return {"ends": ends, **totals(found)}


def totals(found: Distribution) -> dict[str, float]:
    """Chance that the hex is emptied, steps lost on average."""
    return {
        "emptied": float(sum((p for e, p in found.items() if e.empties), Fraction(0))),
        "attacker_steps": round(float(sum((p * e.attacker_steps for e, p in found.items()), Fraction(0))), 6),
        "defender_steps": round(float(sum((p * e.defender_steps for e, p in found.items()), Fraction(0))), 6),
    }


def by_choice(g: Board, a: Attack, dice: int = 1) -> dict[str, Distribution]:
    """The distribution under each choice of the defender: no Determined Defense, one, one with support."""
    a = a._replace(excess=in_excess(g, a))
    found = {
        "no_defense": distribution(g, a, defend=False, dice=dice),
        "determined_defense": distribution(g, a, defend=True, dice=dice),
    }
    if defensive_support(g, a):
        found["supported_defense"] = distribution(g, a, defend=True, supported=True, dice=dice)
    return found


def chances(g: Board, a: Attack, dice: int = 1) -> dict[str, Any]:
    """Every end under each choice of the defender, as data."""
    return {choice: as_json(found) for choice, found in by_choice(g, a, dice).items()}


CHOICES = {
    "no_defense": "without Determined Defense",
    "determined_defense": "with Determined Defense",
    "supported_defense": "with supported Determined Defense",
}


def outlook(g: Board, a: Attack, dice: int = 1, *, ends: bool = False) -> dict[str, Any]:
    """10.1 What the table and `kessel analyze` tell of an attack beforehand, for a player to read: the result of each
    die, and what becomes of the defenders under each of their choices. With `ends` every end as data too.
    """
    now = assess(g, a)
    if now.too_low:
        return {}
    t = tables(g.charts)
    cells = [t.shattered] * 6 if now.automatic else t.columns[now.column]
    found = by_choice(g, a, dice)
    told = {CHOICES[choice]: _told(x) for choice, x in found.items()}
    if found["no_defense"] == found["determined_defense"]:
        told = {"whatever the defender does": _told(found["no_defense"])}
    on_die = {str(die): str(result) for die, result in enumerate(cells, start=1)}
    data = {"chances": {choice: as_json(x) for choice, x in found.items()}} if ends else {}
    return {"results": told, "on_the_die": on_die} | data


def _told(found: Distribution) -> dict[str, Any]:
    """Chances by what becomes of the defenders, the best for the attacker first; what it costs on average."""
    shares: dict[tuple[bool, int, str], Fraction] = {}
    for end, p in found.items():
        key = (not end.empties, -end.hexes, end.outcome)
        shares[key] = shares.get(key, Fraction(0)) + p
    sums = totals(found)
    return {
        "chances": {f"{word} {-n} hexes" if n else word: float(p) for (_, n, word), p in sorted(shares.items())},
        "hex_emptied": f"{100 * sums['emptied']:.0f} %",
        "steps_lost": f"attacker {sums['attacker_steps']:.2f}, defender {sums['defender_steps']:.2f} on average",
    }
