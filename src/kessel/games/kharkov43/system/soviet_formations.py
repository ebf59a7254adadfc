"""8.13 Which Soviet units a card activates, and why each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.hexset import bits
from kessel.games.kharkov43.board import ACTIVE, RESERVE, Board
from kessel.games.kharkov43.data.cards import Card, Command
from kessel.games.kharkov43.data.forces import ARMIES, FORMATIONS, SOUTHWEST, SOVIET
from kessel.games.kharkov43.data.terrain import FAR_AWAY
from kessel.games.kharkov43.movement.zones import is_surrounded
from kessel.games.kharkov43.supply.support import limit_of
from kessel.games.kharkov43.system.terms.choosing import choose, highest_number, least, most, those
from kessel.games.kharkov43.system.terms.preferences import distance_to
from kessel.games.kharkov43.system.terms.terminology import is_nearly_surrounded


@dataclass(slots=True)
class Activated:
    """The units a command activates: each with the reason; the active front; the armies activated as such (9.13)."""

    front: str
    armies: tuple[str, ...] = ()
    units: dict[Unit, str] = field(default_factory=dict)
    why: str = ""
    """How the formation was found, where it had to be."""

    def as_json(self, g: Board) -> dict[str, Any]:
        found: dict[str, Any] = {
            "front": self.front,
            "units": {g.id(u): why for u, why in self.units.items()},
            "rule": "8.13",
        }
        return {**found, "why": self.why} if self.why else found


def in_play(g: Board, units: Iterable[Unit]) -> list[Unit]:
    """On the map or in the reserve box."""
    return [u for u in units if g.on_map(u) or g.box[u] == RESERVE]


def why_not_activated(g: Board, units: Iterable[Unit], name: str) -> Refusal | None:
    """8.13 At least one non-isolated unit of the formation must be on the map or in the reserve box."""
    if any(not g.is_isolated(u) for u in in_play(g, units)):
        return None
    return Refusal("8.13", f"no unit of {name} that is not isolated is on the map or in reserve")


# --- the ways of selection -------------------------------------------------------------------------------------------


def army(g: Board, name: str) -> Activated | Refusal:
    """ARMY CARD: all units of the army on the map and in the reserve box."""
    units = g.forces.in_formation(name)
    if refusal := why_not_activated(g, units, name):
        return refusal
    found = Activated(FORMATIONS[name].higher, (name,))
    for u in in_play(g, units):
        found.units[u] = f"{name} Army" + (", in reserve" if not g.on_map(u) else "")
    return found


def army_units(g: Board, name: str, at_most: int) -> Activated | Refusal:
    """ARMY UNITS CARD: up to two units or stacks outside VP hexes, and all reserves of the army."""
    units = g.forces.in_formation(name)
    if refusal := why_not_activated(g, units, name):
        return refusal
    found = Activated(FORMATIONS[name].higher, (name,))
    stacks: dict[Hex, list[Unit]] = {}
    for u in units:
        if g.on_map(u) and not g.ground.vp_hexes >> g.place[u] & 1:
            stacks.setdefault(g.place[u], []).append(u)
    prefer = (
        those("8.13a", "supplied", lambda: bits(h for h in stacks if any(g.is_supplied(u) for u in stacks[h]))),
        those("8.13b", "not surrounded", lambda: bits(h for h in stacks if not is_surrounded(g, h, SOVIET))),
        most("8.13c", "highest total strength", lambda h: sum(g.strength(u) for u in stacks[h])),
        most("8.13d", "most units", lambda h: len(stacks[h])),
        least("8.13e", "lowest selector", lambda h: min(g.selector(u) for u in stacks[h])),
        highest_number(g, "8.13"),
    )
    left = bits(stacks)
    for _ in range(at_most):
        picked = choose(left, prefer)
        if picked.hex == NO_HEX:
            break
        left &= ~(1 << picked.hex)
        why = f"{name} Army, one of the {at_most} stacks preferred"
        if picked.cuts:
            why += f" ({picked.cuts[-1].what})"
        found.units.update(dict.fromkeys(stacks[picked.hex], why))
    for u in units:
        if g.box[u] == RESERVE:
            found.units[u] = f"{name} Army, in reserve"
    return found if found.units else Refusal("8.13", f"all units of {name} Army on the map are in VP hexes")


def army_and_stacked(g: Board, name: str, why: str = "") -> Activated | Refusal:
    """FRONT and STAVKA CARDS: the army, and units of the same front stacked with units of that army."""
    found = army(g, name)
    if isinstance(found, Refusal):
        return found
    found.why = why
    hexes = {g.place[u] for u in found.units if g.on_map(u)}
    for v in g.on_map_of(SOVIET):
        if v not in found.units and g.forces.higher[v] == found.front and g.place[v] in hexes:
            found.units[v] = f"stacked with a unit of {name} Army in {g.ground.name(g.place[v])}"
    return found


def largest_army(g: Board, front: str) -> tuple[str, str] | None:
    """8.13 The army with the most supplied units on the map and units in reserve, and how it was found.

    `front` empty: of both fronts (STAVKA). Ties: the supplied unit closest to the front's line, then the lowest number.
    """
    armies = [a for a in ARMIES if front in ("", FORMATIONS[a].higher)]
    able = [a for a in armies if why_not_activated(g, g.forces.in_formation(a), a) is None]
    if not able:
        return None
    counts = {a: _counted(g, a) for a in able}
    best = [a for a in able if counts[a] == max(counts.values())]
    text = ", ".join(f"{a} {counts[a]}" for a in able)
    if len(best) == 1:
        return best[0], f"most units counted: {text}"
    away = _tie_distance(g, front)
    order = sorted(best, key=lambda a: (_closest(g, a, away), FORMATIONS[a].number))
    first, second = (_closest(g, a, away) for a in order[:2])
    how = f"a supplied unit {first} hexes from {_tie_name(g, front)}" if first != second else "the lowest army number"
    return order[0], f"most units counted: {text}; tie: {how}"


def _counted(g: Board, name: str) -> int:
    units = g.forces.in_formation(name)
    return sum((g.on_map(u) and g.is_supplied(u)) or g.box[u] == RESERVE for u in units)


def _closest(g: Board, name: str, away: Callable[[Hex], int]) -> int:
    units = (u for u in g.forces.in_formation(name) if g.on_map(u) and g.is_supplied(u))
    return min((away(g.place[u]) for u in units), default=FAR_AWAY)


def _tie_name(g: Board, front: str) -> str:
    if not front:
        return g.charts.constants.stavka_tie_hex
    return f"the {g.charts.constants.southwest_tie_row}00 hexrow" if front == SOUTHWEST else "the west map edge"


def _tie_distance(g: Board, front: str) -> Callable[[Hex], int]:
    """8.13 Voronezh: to the west map edge; Southwest: to the 3300 hexrow; STAVKA: to hex 1923."""
    grid = g.map.grid
    if not front:
        hexes = bits([h] if (h := grid.find(g.charts.constants.stavka_tie_hex)) != NO_HEX else [])
    elif front == SOUTHWEST:
        hexes = bits(h for h in grid.hexes if g.hex_name(h)[:2] == str(g.charts.constants.southwest_tie_row))
    else:
        west = grid.toward("W")
        hexes = bits(h for h in grid.hexes if grid.neighbours[h][west] == NO_HEX)
    return distance_to(g, hexes).__getitem__


def largest_army_and_stacked(g: Board, front: str) -> Activated | Refusal:
    found = largest_army(g, front)
    if found is None:
        return Refusal("8.13", "no army has a unit that is not isolated")
    return army_and_stacked(g, *found)


def beyond_limit_or_nearly_surrounded(g: Board, front: str) -> Activated | Refusal:
    """8.13 From game-turn 8: all units of the front beyond the operational limit or nearly surrounded; no reserves."""
    if refusal := why_not_activated(g, g.forces.in_higher(front), f"the {front} Front"):
        return refusal
    within = limit_of(g, front)
    found = Activated(front)
    for u in g.on_map_of(SOVIET):
        if g.forces.higher[u] != front:
            continue
        if not within >> g.place[u] & 1:
            found.units[u] = "beyond the operational limit"
        elif is_nearly_surrounded(g, u):
            found.units[u] = "nearly surrounded"
    return found if found.units else Refusal("8.13", "no unit is beyond the operational limit or nearly surrounded")


# --- a command -------------------------------------------------------------------------------------------------------


def activated_by(g: Board, card: Card, command: Command) -> Activated | Refusal:
    """8.13 The units an activation command of a card activates, or why it can't be performed."""
    found = _select(g, card, command, command.select)
    if isinstance(found, Refusal) and command.otherwise:
        return _select(g, card, command, command.otherwise)
    return found


def _select(g: Board, card: Card, command: Command, word: str) -> Activated | Refusal:
    match word:
        case "army":
            return army(g, command.army)
        case "army_units":
            return army_units(g, command.army, command.most)
        case "army_and_stacked":
            return army_and_stacked(g, command.army)
        case "largest_army_and_stacked":
            return largest_army_and_stacked(g, card.front)
        case "beyond_limit_or_nearly_surrounded":
            return beyond_limit_or_nearly_surrounded(g, card.front)
    return Refusal("8.13", f"{card.id} selects by {word!r}, which these rules do not know")


def make_active(g: Board, found: Activated) -> None:
    for u in found.units:
        g.set_status(u, ACTIVE)
    if g.events is not None:
        names = ", ".join(g.name(u) for u in g.ascending(found.units))
        text = f"active: {names}" + (f" ({found.why})" if found.why else "")
        g.tell(text, "8.13", units=[g.id(u) for u in found.units], trace=found.as_json(g))
