"""12.3 Units that join a combat by a tactic: Reinforce Battle (units come up) and Assault Coordination (inactive units
beside the defender join the attack). Neither is an activation (6.3), and who joins an attack can't advance (12.8).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import (
    ACTIVE,
    ATTACKED,
    CANNOT_ATTACK,
    DEFENDED,
    DISPERSED,
    OFF_MAP,
    UNSUPPLIED,
    Board,
)
from kessel.games.kharkov43.combat.battle import Battle, is_adjacent, mark_defenders, tell, why_not_attacker
from kessel.games.kharkov43.data.cards import Part, Tactic
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import bound_by_supply, farthest, move_unit
from kessel.games.kharkov43.movement.proximity import could_enter
from kessel.games.kharkov43.system.terms.choosing import Choice, choose
from kessel.games.kharkov43.system.terms.preferences import tactical_preferences, tiebreakers
from kessel.games.kharkov43.system.terms.restrictions import why_not_permitted

COORDINATED = "inactive_adjacent"
"""The word of Assault Coordination; the others are those of Reinforce Battle."""


def why_not_reinforce(g: Board, b: Battle, u: Unit, attacking: bool) -> Refusal | None:
    """Reinforce Battle: why the unit can't come up, wherever it would go."""
    name = g.name(u)
    if u in b.attackers or u in b.defenders:
        return Refusal("12.3", f"{name} takes part already")
    if g.status[u] & UNSUPPLIED:
        return Refusal("12.3", f"{name} is not supplied")
    if g.status[u] & DISPERSED:
        return Refusal("12.3", f"{name} is dispersed")
    if g.status[u] & ATTACKED:
        return Refusal("12.1", f"{name} has attacked in this activation")
    if g.status[u] & DEFENDED and not attacking:
        return Refusal("12.1", f"{name} has been attacked in this activation")
    if g.status[u] & CANNOT_ATTACK:
        return Refusal("10.6", f"{name} was activated as one unit or moved strategically")
    return None


def reinforcing_hexes(g: Board, b: Battle, u: Unit, attacking: bool) -> Bits:
    """Where the unit could come up to: beside the defender, or into his hex. A German attack heeds 10.5."""
    if why_not_reinforce(g, b, u, attacking):
        return 0
    if not attacking:
        return could_enter(g, u) & 1 << b.target
    found = could_enter(g, u) & g.ground.adjacent_units(b.target)
    if g.forces.side[u] == GERMAN and (bound := bound_by_supply(g, u)) is not None:
        found &= bound | 1 << g.place[u]
    return found


def coordinated_units(g: Board, b: Battle) -> list[Unit]:
    """Assault Coordination: the inactive units adjacent to the defender that could attack."""
    return [
        u
        for u in g.on_map_of(b.side)
        if not g.status[u] & ACTIVE
        and u not in b.attackers
        and is_adjacent(g, g.place[u], b.target)
        and why_not_attacker(g, u) is None
    ]


def joinable(g: Board, b: Battle, part: Part, attacking: bool) -> dict[Unit, Bits]:
    """The units that may join by that part of a tactic, with the hexes they may join from."""
    return dict(_joinable(g, b, part, attacking))


def _joinable(g: Board, b: Battle, part: Part, attacking: bool) -> Iterator[tuple[Unit, Bits]]:
    """One after the other, for who wants to know of one only."""
    place = g.place
    if part.joins == COORDINATED:
        yield from ((u, 1 << place[u]) for u in coordinated_units(g, b))
        return
    around = g.ground.around
    for u in g.on_map_of(b.side if attacking else b.defender_side):
        if around(b.target, farthest(g, u) + 1) >> place[u] & 1 and (s := reinforcing_hexes(g, b, u, attacking)):
            yield u, s


def why_not_joinable(g: Board, b: Battle, tactic: Tactic, part: Part, attacking: bool) -> Refusal | None:
    """12.3, 12.31 The tactic needs somebody who can join."""
    side = b.side if attacking else b.defender_side
    if part.joins == COORDINATED or side == GERMAN:
        nobody = next(_joinable(g, b, part, attacking), None) is None
    else:
        nobody = soviet_reinforcement(g, b, tactic, part, attacking) is None
    return Refusal("12.31" if side == SOVIET else "12.3", f"no unit can join by {tactic.name}") if nobody else None


def join(g: Board, b: Battle, u: Unit, h: Hex, attacking: bool) -> None:
    """The unit comes up to h, if it is not there, and fights."""
    if g.place[u] != h:
        move_unit(g, u, h, "12.3")
    b.joined = (*b.joined, u)
    if attacking:
        b.attackers = (*b.attackers, u)
        g.set_status(u, ATTACKED)
    else:
        b.defenders = (*b.defenders, u)
        mark_defenders(g, [u])
        g.happened(OFF_MAP)
    g.tell(f"{g.name(u)} joins the {'attack' if attacking else 'defence'}", "12.3", unit=g.id(u), hex=g.hex_name(h))


# --- the Soviet side -------------------------------------------------------------------------------------------------


def soviet_reinforcement(
    g: Board, b: Battle, tactic: Tactic, part: Part, attacking: bool
) -> tuple[Unit, Choice] | None:
    """The Soviet unit that comes up by Reinforce Battle and its hex: 9.25, then 9.24, never against 9.23."""
    able = joinable(g, b, part, attacking)
    for u in sorted(able, key=lambda u: _preferred(g, b, tactic, u)):
        preferences = [*tactical_preferences(g, u), *tiebreakers(g, u)]
        found = choose(able[u], preferences, partial(_why_not_join, g, u))
        if found.hex != NO_HEX:
            return u, found
    return None


def _why_not_join(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23 The restrictions hold for a hex it would have to move to."""
    return why_not_permitted(g, u, h) if h != g.place[u] else None


def _preferred(g: Board, b: Battle, tactic: Tactic, u: Unit) -> tuple[int, ...]:
    scores = {
        "highest_strength": (-g.strength(u),),
        "closest_to_defender": (g.ground.distance(b.target, g.place[u]),),
        "lowest_selector": (g.forces.rising[u][g.steps[u]],),
    }
    return tuple(n for word in tactic.soviet_prefer for n in scores[word])


def soviet_units_join(g: Board, b: Battle, tactic: Tactic, part: Part, attacking: bool) -> None:
    """All inactive units of an Assault Coordination; of Reinforce Battle as many units as the tactic brings."""
    if part.joins == COORDINATED:
        for u in g.ascending(coordinated_units(g, b)):
            join(g, b, u, g.place[u], attacking)
        return
    for _ in range(part.soviet_units):
        found = soviet_reinforcement(g, b, tactic, part, attacking)
        if found is None:
            return
        u, choice = found
        tell(g, f"{g.name(u)} comes up to {g.hex_name(choice.hex)}", "9.25", partial(choice.as_json, g))
        join(g, b, u, choice.hex, attacking)


# --- the German side -------------------------------------------------------------------------------------------------


def german_joins(g: Board, b: Battle, part: Part, attacking: bool, origin: Hex) -> list[tuple[Unit, Hex]]:
    """The units the player may bring in now and where to; all units of Reinforce Battle come from one hex."""
    found = []
    for u, s in joinable(g, b, part, attacking).items():
        if part.german_hexes and origin != NO_HEX and g.place[u] != origin:
            continue
        found += [(u, h) for h in members(s)]
    return found


def joining_hexes(g: Board, b: Battle, part: Part, attacking: bool) -> Bits:
    """Where German units may come from."""
    return bits(g.place[u] for u in joinable(g, b, part, attacking))
