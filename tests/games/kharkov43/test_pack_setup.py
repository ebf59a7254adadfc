"""The five set-up adjustments of Kharkov '43: what the text states, and that the reports are legal on the map."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from tests.games.kharkov43.pack_facts import (
    ADJUSTMENTS,
    CARDS,
    DOC,
    GRID,
    PACK,
    START,
    UNITS,
    distance,
    faces,
    kind,
    near,
)

STATED = {
    # eliminated; relocated; placed; steps lost by named units, by other Soviet and German ones; dispersed; objectives;
    # VP; discards
    "raus-overrun": (
        "586.320.Raus 587.320.Raus", 9, "18.Popov 1504, 41G.Popov 1504", {"585.320.Raus": 1}, (3, 0), "585.320.Raus",
        "1009 W, 1608 W", 2, "E03 E11 E17 E20",
    ),
    "slavyansk-liberated": (
        "587.320.Raus", 6, "38G.1G 1702, 41G.Popov 1502, 18.Popov 1602", {"38G.1G": 1, "10.Popov": 2, "27.19P.III": 1},
        (0, 0), "27.19P.III", "1311 W, 1906 W", 4, "E01 E02 E05 E22",
    ),
    "bloody-izyum": (
        "587.320.Raus", 5, "41G.Popov 1403, 18.Popov 1603", {}, (4, 3), "586.320.Raus", "0608 S, 1410 S", 2,
        "E03 E08 E12 E17 E20",
    ),
    "voronezh-front-breakout": (
        "429.168.Raus Fus.GD.XLVIII", 11, "5GT.40 0205", {"Gre.GD.XLVIII": 1}, (3, 0), "Gre.GD.XLVIII 417.168.Raus",
        "1009 W, 1410 W", 2, "E04 E05 E11 E19 E22",
    ),
    "drive-on-the-donets": (
        "Gre.GD.XLVIII", 11, "", {"298.LVII": 1}, (2, 0), "298.LVII", "1311 W, 1608 W", 2, "E03 E05 E19 E20",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATED)
def test_adjustments_hold_what_the_text_states(name):
    a = ADJUSTMENTS[name]
    eliminated, relocated, placed, losses, others, dispersed, objectives, vp, discards = STATED[name]
    assert a["eliminated"] == eliminated.split()
    assert len(a["relocated"]["units"]) == len({r["unit"] for r in a["relocated"]["units"]}) == relocated
    assert a["placed"] == dict(p.split() for p in placed.split(", ") if p)
    lost = {s["unit"]: s["steps"] for s in a["step_losses"]["units"]}
    assert {u: lost.get(u) for u in losses} == losses
    rest = Counter(UNITS[u]["side"] for u in lost if u not in losses)
    assert (rest["soviet"], rest["german"]) == others
    assert all(n == 1 for u, n in lost.items() if u not in losses)
    assert a["dispersed"] == dispersed.split()
    assert ", ".join(a["objectives"][f] for f in ("Voronezh", "Southwest")) == objectives
    assert a["victory_points"] == vp
    assert a["discards"] == discards.split()


def test_one_adjustment_for_each_pair_of_die_faces():
    assert sorted(n for a in ADJUSTMENTS.values() for n in a["die"]) == list(range(1, 11))
    assert [a["id"] for a in ADJUSTMENTS.values() if a["historical"]] == ["bloody-izyum"]


class Replay:
    """Follows the report of an adjustment from the start and checks every retreat and advance."""

    def __init__(self, name: str) -> None:
        self.adjustment = ADJUSTMENTS[name]
        self.at = dict(START)
        self.lost: Counter[str] = Counter()
        for attack in self.adjustment["attack"]:
            self.fight(attack)

    def left(self, u: str) -> int:
        return len(faces(u)) - self.lost[u]

    def strength(self, u: str) -> int:
        return faces(u)[self.lost[u]][0]

    def selector(self, u: str) -> int:
        return faces(u)[self.lost[u]][2]

    def held(self, side: str, hex_: str) -> list[str]:
        return [u for u, h in self.at.items() if h == hex_ and UNITS[u]["side"] == side]

    def controlled(self, side: str, hex_: str) -> bool:
        """In a zone of control of that side."""
        return any(near(h, hex_) for u, h in self.at.items() if UNITS[u]["side"] == side)

    def can_fit(self, hex_: str) -> bool:
        units = [u for u, h in self.at.items() if h == hex_]
        return len(units) <= 3 and sum(map(self.left, units)) <= 6

    def fight(self, attack: dict) -> None:
        target = attack["target"]
        assert sorted(self.held("german", target)) == sorted(attack["defenders"])
        self.at |= attack["attackers"]
        for u, h in attack["attackers"].items():
            assert near(h, target), (u, h)
            assert self.can_fit(h), h
            assert not self.held("german", h)
        for u in attack.get("placed", {}):
            assert attack["placed"][u] == attack["attackers"][u]
            assert UNITS[u]["turn"] == "1"
        self.overwhelming(attack)
        for u in attack["losses"]:
            if UNITS[u]["side"] == "soviet":
                self.soviet_loss(attack, u)
        self.lost.update(u for u in attack["losses"] if UNITS[u]["side"] == "german")
        gone = set(attack["defenders"]) & set(self.adjustment["eliminated"])
        if len(gone) == len(attack["defenders"]) or attack.get("retreats"):
            for u in gone:
                del self.at[u]
        for u, path in attack.get("retreats", {}).items():
            self.retreat(u, path, u in attack["losses"])
        if attack.get("advances"):
            self.advance(attack)

    def overwhelming(self, attack: dict) -> None:
        """12.38: the reports say which attacks drew a card."""
        units = [u for u in attack["attackers"] if u not in attack.get("joined", ())]
        total = sum(map(self.strength, units))
        chits = 1 + sum(2 if self.left(u) == 3 else 1 for u in units) + (attack["command"] == "E22")
        against = sum(map(self.strength, attack["defenders"]))
        is_so = total >= 8 * against or (chits >= 7 and total >= 6 * against)
        assert is_so == attack.get("overwhelming", False), attack
        assert is_so == ("drawn" not in attack)

    def soviet_loss(self, attack: dict, unit: str) -> None:
        """12.6, 12.61: units not hit yet, the most steps, the higher selector."""
        hit = list(attack["losses"][: attack["losses"].index(unit)])
        fresh = [u for u in attack["attackers"] if u not in hit]
        assert max(fresh, key=lambda u: (self.left(u), self.selector(u))) == unit
        self.lost[unit] += 1

    def retreat(self, u: str, path: list[str], lost_a_step: bool) -> None:
        assert path[0] == self.at[u]
        del self.at[u]
        assert distance(path[0], path[-1]) == len(path) - 1
        for a, b in itertools.pairwise(path):
            assert near(a, b)
            assert not self.held("soviet", b)
            assert lost_a_step or not self.controlled("soviet", b)
        if len(path) == 3:
            assert u in self.adjustment["dispersed"]
            assert not any(self.controlled("soviet", h) for h in path[1:])
        self.at[u] = path[-1]

    def advance(self, attack: dict) -> None:
        far = any(len(p) == 3 for p in attack.get("retreats", {}).values()) or not attack.get("retreats")
        trail = next(iter(attack.get("retreats", {}).values()), [])
        assert not self.held("german", attack["target"])
        by = {u: attack["advances"][u] for u in sorted(attack["advances"], key=self.selector)}
        arrived: Counter[str] = Counter()
        for u, path in by.items():
            assert u not in attack.get("joined", ())
            assert path[:2] == [attack["attackers"][u], attack["target"]]
            assert arrived[path[1]] < 2, (u, path)
            if len(path) == 3:
                assert far
                assert kind(u, self.lost[u]) in ("armor", "mechanized")
                assert near(path[1], path[2])
                assert not self.held("german", path[2])
                zones = self.controlled("german", path[1]) and self.controlled("german", path[2])
                assert path[1:] == trail[:2] or not zones
                assert arrived[path[2]] < 2
                assert not self.donets(path[1], path[2])
            arrived[path[-1]] += 1
            self.at[u] = path[-1]
            assert self.can_fit(path[-1])

    @staticmethod
    def donets(a: str, b: str) -> bool:
        side = PACK.map.doc.hexsides.get("|".join(sorted((a, b))))
        return side is not None and "donets" in side.features


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_the_reports_lead_from_the_set_up_to_the_adjusted_positions(name):
    a, replay = ADJUSTMENTS[name], Replay(name)
    final = START | {r["unit"]: r["to"] for r in a["relocated"]["units"]} | a["placed"]
    final = {u: h for u, h in final.items() if u not in a["eliminated"]}
    fought = {u for x in a["attack"] for u in (*x["attackers"], *x["defenders"])}
    assert {u: h for u, h in replay.at.items() if u in fought} == {u: h for u, h in final.items() if u in fought}
    assert all(START[r["unit"]] != r["to"] for r in a["relocated"]["units"])
    assert replay.lost == {s["unit"]: s["steps"] for s in a["step_losses"]["units"]}


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_adjusted_positions_keep_stacking_and_the_board(name):
    a = ADJUSTMENTS[name]
    final = START | {r["unit"]: r["to"] for r in a["relocated"]["units"]} | a["placed"]
    lost = {s["unit"]: s["steps"] for s in a["step_losses"]["units"]}
    assert not set(lost) & set(a["eliminated"])
    stacks: dict[str, list[str]] = {}
    for u, h in final.items():
        assert h in GRID
        if u not in a["eliminated"]:
            stacks.setdefault(h, []).append(u)
    for h, units in stacks.items():
        assert len(units) <= 3, h
        assert sum(len(faces(u)) - lost.get(u, 0) for u in units) <= 6, h
        assert len({UNITS[u]["side"] for u in units}) == 1, h
    assert all(len(faces(u)) > n for u, n in lost.items())
    towns = {h for h in PACK.map.doc.hexes if PACK.map.doc.hexes[h].terrain in ("town", "city")}
    taken = {h for u, h in final.items() if UNITS[u]["side"] == "soviet"} & towns - {"0302", "1103"}
    assert taken == set(a["captured"])
    vp = DOC["constants"]["start_vp"] + sum(PACK.map.doc.hexes[h].vp for h in taken)
    assert vp == a["victory_points"]


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_the_cards_of_the_reports_are_the_discards(name):
    a = ADJUSTMENTS[name]
    used = {c for x in a["attack"] for c in (x["command"], x.get("drawn", ""), x.get("auxiliary", "")) if c}
    assert (
        sorted(used - {c for c in used if CARDS[c].reuse and c not in {x["command"] for x in a["attack"]}})
        == a["discards"]
    )
    for x in a["attack"]:
        drawn = CARDS[x["drawn"]].tactics_on(1) if "drawn" in x else ()
        known = {"artillery", "nkvd", *drawn, *(CARDS[x["auxiliary"]].tactics_on(1) if "auxiliary" in x else ())}
        assert set(x["tactics"]) <= known
