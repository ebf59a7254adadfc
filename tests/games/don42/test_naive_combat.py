"""Random attacks worked out twice: by `kessel analyze`, and by a plain reading of 3.3, 3.4 and chapter 12 below."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from kessel.core.analysis import analyze

RING = ("1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1")
FAR = ("2,0", "0,2", "-2,0", "0,-2")
KINDS = {
    "german": ("infantry", "pz4", "pz2", "trucked_infantry", "machine_gun", "artillery", "anti_tank", "pzjg", "recon"),
    "soviet": ("infantry", "t34", "t70", "trucked_infantry", "artillery", "mortar", "anti_tank", "hq"),
}
ARMOR = {"pz4", "pz2", "t34", "t70", "pzjg", "recon"}
STOPS_TANKS = {"pz4", "pz2", "t34", "t70", "pzjg", "anti_tank"}
SOFT = {"infantry", "trucked_infantry", "machine_gun", "hq"}
LEFT = {"clear": 0, "hill": 1, "town": 1, "city": 2}
POSITIONS = {"": 0, "hasty": 1, "prepared": 2}
LADDER = ("AE1", "ADPT", "ADRG", "NE", "BRE", "DRE1", "DRE2", "DRE3", "DRTD", "DE1")
MIDDLE = {"1:2": (0, 1, 1, 2, 3, 4), "1:1": (1, 2, 3, 4, 5, 6), "2:1": (2, 4, 5, 5, 6, 7)}
"""The rungs of column 0 by die; each column moves them one rung."""


class Fight:
    """One attack on 0,0."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.side = rng.choice(("german", "soviet"))
        self.foe = "soviet" if self.side == "german" else "german"
        self.terrain = rng.choice(tuple(LEFT))
        self.hexsides = {h: rng.choice(("", "", "gorge", "minor_river")) for h in RING}
        self.position = rng.choice(tuple(POSITIONS)) if self.foe == "german" else ""
        count = rng.randint(1, 3) if self.foe == "german" else 1
        self.defenders = [
            self._unit(f"D{i}", self.foe, "0,0", rng.choice(("", "", "DRG", "DPT", "RTD"))) for i in range(count)
        ]
        self.attackers = [self._unit(f"A{i}", self.side, h) for i, h in enumerate(rng.sample(RING, rng.randint(1, 3)))]
        self.guns = [self._unit(f"K{i}", self.side, h, gun=True) for i, h in enumerate(FAR[: rng.choice((0, 0, 1, 2))])]
        help_ = self.foe == "german" and rng.random() < 0.5
        self.defence_guns = [self._unit("X", "german", FAR[3], gun=True)] if help_ else []
        self.planes = [{"id": f"P{i}", "side": self.side, "type": "bomber"} for i in range(rng.choice((0, 0, 1, 2)))]

    def _unit(self, id: str, side: str, at: str, status: str = "", *, gun: bool = False) -> dict[str, Any]:
        rng = self.rng
        found = {
            "id": id,
            "side": side,
            "at": at,
            "type": "artillery" if gun else rng.choice(KINDS[side]),
            "faces": f"{rng.randint(0, 7)}-{rng.randint(0, 7)}-6",
            "quality": rng.choice("ABC"),
            "size": "company",
            "status": [status] if status else [],
            "supply": "attack",
        }
        if side == "soviet":
            found["army"] = rng.choice(("62A", "62A", "4TkA"))
        if not gun and (side == "german" or id[0] == "D") and rng.random() < 0.3:
            found["supply"] = "out of supply"
        return found

    def answer(self) -> dict[str, Any]:
        names = ("guns", "planes", "defence_guns")
        asked = {"question": "attack", "hex": "0,0", "units": [u["id"] for u in self.attackers]}
        asked |= {n: [u["id"] for u in getattr(self, n)] for n in names}
        hexes = {h: {} for h in (*RING, *FAR)} | {"0,0": {"terrain": self.terrain}}
        doc = {
            "game": "don42",
            "board": {"hexes": hexes, "hexsides": {f"0,0|{h}": [k] for h, k in self.hexsides.items() if k}},
            "positions": {"0,0": self.position} if self.position else {},
            "units": [*self.defenders, *self.attackers, *self.guns, *self.defence_guns, *self.planes],
            "ask": [asked],
        }
        return dict(analyze(msgspec.json.encode(doc))["answers"][0])

    # --- the same by hand ------------------------------------------------------------------------------------------

    def attack(self, u: dict[str, Any]) -> int:
        value = int(u["faces"].split("-")[0])
        return value // 2 if u["supply"] != "attack" else value  # only Germans attack out of supply

    def defence(self, u: dict[str, Any]) -> int:
        value = int(u["faces"].split("-")[1])
        if u["status"] == ["RTD"]:
            return 1
        if u["status"] == ["DPT"]:
            value = max(1, value // 2)
        return value // 2 if u["side"] == "soviet" and u["supply"] != "attack" else value

    def totals(self) -> tuple[int, int]:
        ours = sum(map(self.attack, (*self.attackers, *self.guns)))
        theirs = sum(map(self.defence, (*self.defenders, *self.defence_guns)))
        return ours, max(1, theirs)

    def shifts(self) -> int:
        found = -POSITIONS[self.position] + len(self.planes)
        if any(u["status"] != ["RTD"] for u in self.defenders):
            found -= LEFT[self.terrain] + all(self.hexsides[u["at"]] for u in self.attackers)
        found += any(u["status"] == ["DPT"] for u in self.defenders)
        found -= any(u["type"] in STOPS_TANKS and not u["status"] for u in self.defenders)
        return found + self.combined_arms() + self.quality()

    def combined_arms(self) -> bool:
        armor = {u["type"] in ARMOR for u in self.attackers}
        supplied = all(u["supply"] == "attack" for u in self.attackers)
        one_army = len({u.get("army") for u in (*self.attackers, *self.guns)}) == 1
        return armor == {True, False} and supplied and one_army and all(u["type"] in SOFT for u in self.defenders)

    def quality(self) -> int:
        def rating(side: str, units: list[dict[str, Any]]) -> str:
            counts = Counter(u["quality"] for u in units)
            most = [q for q in "ABC" if counts[q] == max(counts.values())]
            return most[0] if side == "german" else most[-1]

        ours = rating(self.side, self.attackers + self.guns)
        theirs = rating(self.foe, self.defenders + self.defence_guns)
        return ord(theirs) - ord(ours)


@pytest.mark.rule("don42", "12.2", "12.3.b", "12.3.1.c", "12.3.2", "12.4.a", "12.4.b", "12.4.1.b2", "12.4.1.b3")
@pytest.mark.rule("don42", "12.5", "12.5.1.a", "12.5.1.b", "12.5.2.a", "12.5.2.b", "12.5.3.a", "12.5.3.b")
@pytest.mark.rule("don42", "12.5.4.a", "12.5.4.b", "12.5.5", "12.5.6", "12.6", "3.3.1.b", "3.3.1.c", "3.3.1.d")
@pytest.mark.rule("don42", "3.4.a", "3.4.b", "3.4.c", "3.4.d", "3.4.f", "3.4.g", "4.2.3.b", "4.3.2.d")
@pytest.mark.parametrize("seed", range(60))
def test_an_attack_worked_out_twice(seed):
    f = Fight(seed)
    found = f.answer()
    if not any(map(f.attack, f.attackers)):
        assert found["refusal"]["rule"] == "12.3"
        return
    ours, theirs = f.totals()
    n = ours // theirs if ours >= theirs else -(-theirs // ours)
    table = "1:2" if ours < theirs else "1:1" if n == 1 else "2:1"
    odds = max(n - 2, 0) * (-1 if table == "1:2" else 1)
    column = max(-4, min(4, odds + f.shifts()))
    results = [LADDER[max(0, min(9, rung + column))] for rung in MIDDLE[table]]
    assert found["legal"]
    assert (found["attack"]["total"], found["defence"]["total"]) == (ours, theirs)
    assert (found["table"], found["column"], list(found["results"].values())) == (table, column, results)
