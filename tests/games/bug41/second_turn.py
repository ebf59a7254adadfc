"""The second reading goes on: what a formation may do, and what happens in the Reinforcement and Recovery segments."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

from .second import FOOT, GERMANS, ONE_A_HEX, World, distance, side_of, under

F = Fraction
EATS = {
    "infantry": ("infantry", "machine_gun", "engineer", "border_guard", "anti_tank"),
    "motorized_infantry": ("motorized_infantry", "motorized_engineer"),
    "machine_gun": ("machine_gun",),
    "engineer": ("engineer",),
    "motorized_engineer": ("motorized_engineer",),
}
"""PA-reorg: what may be used up for a unit of that type."""
LOANS = (
    (("14Pz",), ("44ID", "298ID"), "afv", 2),
    (("44ID", "298ID"), ("14Pz",), "infantry", 1),
    (("41TD",), ("87RD", "215MD"), "afv", 2),
    (("215MD",), ("41TD",), "infantry", 1),
    (("1AT",), ("135RD",), "anti_tank", 2),
    (("19TD",), ("135RD",), "afv", 2),
)
"""PA-assign: who lends to whom what, and how many at most."""


class Turn(World):
    def at_full(self, u: dict[str, Any]) -> bool:
        return bool(u["steps"] >= u["strength"])

    def units_of(self, formation: str) -> dict[str, list[dict[str, Any]]]:
        """The combat units of a formation by hex."""
        found: dict[str, list[dict[str, Any]]] = {}
        for u in self.units.values():
            if u["type"] != "hq" and under(u) == formation:
                found.setdefault(u["at"], []).append(u)
        return found

    def price_of(self, units: list[dict[str, Any]], price: int) -> int:
        return price * (1 if all(self.command(u)[0] == "in command" for u in units) else 2)

    def actions(self, formation: str, points: int) -> set[str]:
        """All Actions of an active formation with so many points."""
        found = {"pass"}
        for h, there in self.units_of(formation).items():
            fit = [u for u in there if not self.is_disrupted(u)]
            for n in (1, 2, 3):
                for some in map(list, combinations(fit, n)):
                    names = " ".join(u["id"] for u in some)
                    if self.price_of(some, 1) <= points and not any(u.get("moved") for u in some):
                        found.add(f"move {names}")
                    for target, kind in self.attacks_of(some):
                        if self.price_of(some, {"hasty": 1, "regular": 2, "prepared": 3}[kind]) <= points:
                            found.add(f"{kind} {target} with {names}")
            weak = [u for u in there if self.is_disrupted(u)]
            if weak and self.price_of(weak, 1) <= points:
                found.add(f"refit {h}")
            bare = [u for u in fit if "improved" not in u.get("status", ())]
            if bare and self.price_of(bare, 1) <= points:
                found.add(f"improve {h}")
        hq = self.hq(formation)
        if hq is not None:
            found |= {f"relocate {h}" for h, price in self.relocations(hq).items() if price <= points}
        return found

    def refuges(self, hq: dict[str, Any]) -> set[str]:
        """Where an HQ goes whose hex the enemy enters: the nearest village or town with room (tethers left aside)."""
        side, fit = side_of(hq), []
        for h in self.hexes:
            room = {"village": 1, "town": 2}.get(self.terrain(h), 0)
            there = self.there(h)
            if h == hq["at"] or any(side_of(u) != side for u in there):
                continue
            if sum(u["type"] == "hq" for u in there) >= room or (h in self.zones[1 - side] and not self.fighters(h)):
                continue
            fit.append(h)
        least = min((distance(h, hq["at"]) for h in fit), default=0)
        return {h for h in fit if distance(h, hq["at"]) == least}

    # --- Reinforcement -----------------------------------------------------------------------------------------------

    def rebuilt(self, infantry: int, afv: int) -> set[str]:
        """German units that can take a strength point."""
        found = set()
        for u in self.units.values():
            if u["formation"] not in GERMANS or u["type"] == "hq" or self.at_full(u):
                continue
            near = any(side_of(v) == 1 for h in self.around(u["at"]) for v in self.there(h))
            if near or self.command(u)[0] != "in command":
                continue
            cheap = u["type"] in FOOT and u["type"] != "engineer"
            if (afv >= 1) if u["type"] == "afv" else infantry >= (1 if cheap else 2):
                found.add(f"rebuild {u['id']}")
        return found

    def filled(self) -> set[str]:
        """Soviet units that can take in another one."""
        some = [u for u in self.units.values() if side_of(u) == 1 and u["type"] != "hq"]
        led = [u for u in some if self.command(u)[0] == "in command"]
        return {
            f"fill {u['id']} from {v['id']}"
            for u in led
            for v in led
            if u is not v and under(u) == under(v) and distance(u["at"], v["at"]) <= 1
            if v["type"] in EATS.get(u["type"], ()) and not self.at_full(u)
        }

    def loans(self, side: int) -> set[str]:
        """Who may go to which formation."""
        found = set()
        present = {u["formation"] for u in self.units.values() if u["type"] == "hq"}
        some = [u for u in self.units.values() if u["type"] != "hq"]

        def is_of(u: dict[str, Any], kind: str) -> bool:
            return u["type"] in ONE_A_HEX if kind == "infantry" else u["type"] == kind

        for u in (u for u in some if side_of(u) == side):
            if under(u) != u["formation"]:
                found |= {f"attach {u['id']} {u['formation']}"} if u["formation"] in present else set()
                continue
            for lenders, receivers, kind, most in LOANS:
                if u["formation"] not in lenders or not is_of(u, kind):
                    continue
                out = [v for v in some if v["formation"] in lenders and under(v) in receivers and is_of(v, kind)]
                if len(out) < most:
                    found |= {f"attach {u['id']} {f}" for f in receivers if f in present}
        return found

    # --- Recovery ----------------------------------------------------------------------------------------------------

    def attrition(self, u: dict[str, Any]) -> dict[str, Fraction]:
        found: Counter[str] = Counter()
        sheltered = u["type"] != "afv" and side_of(u) == 1 and self.works(u["at"])
        for die in range(1, 11):
            n = die - u["effectiveness"] - 2 * sheltered
            found[str(min(u["steps"], 0 if n <= 0 else 1 if n <= 3 else 2))] += F(1, 10)  # type: ignore[assignment]
        return dict(found)

    def points(self) -> tuple[Fraction, int]:
        """Victory Points for losses, exactly and as they count."""
        lost = self.doc.get("lost", {})
        exact = F(lost.get("afv", 0), 15) + F(lost.get("infantry", 0), 30)
        return exact, int(exact)
