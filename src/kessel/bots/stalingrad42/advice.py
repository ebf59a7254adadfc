"""What the program of Stalingrad '42 means by what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kessel.bots.purpose import Adviser, Aim, Battle, place_words, some_of
from kessel.bots.stalingrad42.attacks import Order
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.combat import Combat
from kessel.games.stalingrad42.combat.strength.air import air_names

if TYPE_CHECKING:
    from kessel.bots.stalingrad42.fights import Seat
    from kessel.bots.stalingrad42.greedy import Greedy


class StalingradAdviser(Adviser):
    measure = "steps"

    def aims(self, program: Greedy, seen: Seat) -> list[Aim]:
        g, s = seen
        found = []
        for h, units in self._goals(seen):
            if h not in s.own_vp:
                worth = f", which counts {s.vp[h]}" if h in s.vp else ""
                found.append(self._aim(g, units, f"to take {place_words(g, h)}{worth}", h))
        return found

    def keeps(self, program: Greedy, seen: Seat) -> list[Aim]:
        """Victory Point hexes of its own that units were sent to hold; without such orders, whoever stands there."""
        g, s = seen
        posts = [(h, units) for h, units in self._goals(seen) if h in s.own_vp]
        if not s.goals:
            there = {h: [u for u in g.units(h) if g.forces.side[u] == s.side and g.forces.combat[u]] for h in s.own_vp}
            posts = [(h, units) for h, units in there.items() if units and s.away[h] <= NEAR]
        found = []
        for h, units in sorted(posts, key=lambda x: (-s.vp[x[0]], s.away[x[0]], x[0])):
            force = sum(s.threat.get(h, ())[:9])
            words = f"to hold {place_words(g, h)}" + (f" against up to {force} attack factors" if force else "")
            found.append(self._aim(g, units, words, h))
        return found

    def _aim(self, g: Board, units: list[Unit], words: str, h: Hex) -> Aim:
        verb = "is" if len(units) == 1 else "are"
        return Aim(some_of([g.name(u) for u in units]), f"{verb} {words}", h, tuple(units))

    def _goals(self, seen: Seat) -> Iterator[tuple[Hex, list[Unit]]]:
        """Goals and the units sent there, most first: the hex that draws a unit most is its goal."""
        by: dict[Hex, list[Unit]] = {}
        for u, drawn in seen.s.goals.items():
            by.setdefault(max(range(len(drawn)), key=drawn.__getitem__), []).append(u)
        yield from sorted(by.items(), key=lambda x: (-len(x[1]), x[0]))

    def planned(self, program: Greedy, seen: Seat) -> list[Battle]:
        """Attacks the units of this Movement Phase go for."""
        g, by = seen.g, dict[Hex, dict[Unit, Order]]()
        for u, order in program.ordered(seen).items():
            by.setdefault(order.target, {})[u] = order
        found = []
        for target, orders in by.items():
            units = tuple(sorted(orders))
            places = {u: o.place for u, o in orders.items()}
            found.append(Battle(target, units, question(g, target, units), None, places))
        return found

    def made(self, g: Board, side: Side) -> Battle | None:
        p = g.stack[-1] if g.stack else None
        if not isinstance(p, Combat) or p.attacker != side or p.breakthrough or p.rolls or not p.units:
            return None
        a = p.attack()
        ask = question(g, p.target, p.units)
        ask |= {"air": air_names(g)[a.air] if a.air >= 0 else "", "artillery": [g.id(u) for u in a.guns]}
        return Battle(p.target, p.units, ask | {"dice": p.dice})

    def odds(self, answer: Mapping[str, Any]) -> str:
        results = answer.get("results")
        if not results:
            return f"{answer['column']}, the defenders are shattered" if answer.get("automatic") else ""
        emptied = [f"{found['hex_emptied']} {choice}" for choice, found in results.items()]
        return f"{answer['odds']} shifted to {answer['column']}; the hex is emptied in {', '.join(emptied)}"


NEAR = 10
"""Hexes from the enemy within which a place wants a garrison."""


def question(g: Board, target: Hex, units: tuple[Unit, ...]) -> dict[str, Any]:
    return {"target": g.hex_name(target), "units": [g.id(u) for u in units]}
