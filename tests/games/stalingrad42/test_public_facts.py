"""The printed set-up of Fall Blau counter by counter, and what says where a value of the pack comes from."""

from __future__ import annotations

from functools import cache

import pytest

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.provenance import provenance_of
from kessel.games.stalingrad42.board import Board

PACK = Pack("stalingrad42", overlays=())
GAME = "stalingrad42"
COUNTERS = {row["id"]: row for row in PACK.rows("counters.csv")}

KINDS = {
    "I6": "infantry 6-7-3;4-5-3;R",
    "I5": "infantry 5-7-3;3-5-3;R",
    "I4": "infantry 4-7-3;2-5-3;R",
    "I3": "infantry 3-5-3;1-3-3",
    "Jg": "jaeger 5-5-4;3-3-4",
    "Mt": "mountain 5[10]-5-4;3[6]-3-4",
    "Sec": "security 1-4-2",
    "Pz": "tank 10-8-6;7-6-6;R",
    "Pz2": "tank 7-5-6;4-3-6",
    "PG": "mechanized 6-7-6;4-5-6;R",
    "GD": "mechanized 7-8-6;5-6-6;R",
    "SS": "mechanized 6-8-6;4-5-6;R",
    "StG": "sturmgeschuetz 2-2-5",
    "Reg": "infantry 1-2-4",
    "Bic": "bicycle 1-2-4",
    "Lt": "infantry 2-4-3;1-2-3",
    "Ro": "infantry 2-5-3;1-2-3",
    "RoC": "cavalry 3-3-5;1-1-5",
    "Cel": "mechanized 4-4-6;2-2-6",
    "Slo": "motorized 4-4-6;2-2-6",
    "Bar": "cavalry 2-2-5",
    "HQ": "support_hq S-(1)-5b",
    "SP": "supply 0-0-5b",
    "R": "infantry 3-5-3;1-3-3",
    "RB": "infantry 2-2-3",
    "Nav": "naval 2-2-3",
    "TC": "tank 7-5-5;4-3-5",
    "TB": "t34 2-2-6",
    "KV": "kv1 3-2-5",
    "MRB": "motorized 2-2-6",
    "CC": "cavalry 4-5-5;2-3-5",
    "CD": "cavalry 2-2-5",
    "TD": "tank_destroyer 1-3-5",
    "N5": "nkvd 2-5-3;1-3-3",
    "N6": "nkvd 2-6-3;1-3-3",
    "N2": "nkvd 1-2-3",
}
"""Unit Type and faces, full strength first; R = a Remnant."""

AXIS = """
1300 HQ:2A-HQ | 1500 I3:385Inf | 1501 I6:45Inf I6:95Inf I5:383Inf StG:177+243StuG | 1202 HQ:4PzA-HQ SP:AxSP1
1401 Pz:9Pz Pz:11Pz PG:3PzG | 1402 I5:82Inf I5:88Inf I5:377Inf | 1303 Pz:24Pz PG:16PzG GD:GD | 1203 I5:387Inf
1003 I5:340Inf | 1304 Lt:6HunL | 1204 Lt:9HunL | 1205 Lt:7HunL | 1517 HQ:6A-HQ | 1207 I6:57Inf | 1209 I6:168Inf
1211 I6:75Inf | 1412 I4:305Inf I5:389Inf | 1613 Jg:100Jgr I5:376Inf | 1714 I6:113Inf I5:336Inf
1715 I6:79Inf I6:294Inf | 1716 I6:71Inf I6:297Inf | 1717 I6:62Inf I6:44Inf-r | 1515 Pz:3Pz Pz:23Pz-r PG:29PzG-r
1415 StG:244+245StuG Reg:369Cro | 1518 I5:384Inf | 1824 HQ:1PzA-HQ | 1719 Ro:1Rom Ro:20Rom | 1721 Ro:4Rom
1620 Ro:2Rom | 1421 Sec:454Sec | 1621 Jg:97Jgr | 1722 Jg:101Jgr | 1523 Mt:1Mtn | 1823 I6:68Inf-r | 1923 I6:257Inf
2024 I6:295Inf | 2225 I6:94Inf I6:76Inf | 1926 Pz2:22Pz | 2027 PG:60PzG | 2029 Pz:14Pz-r | 2331 HQ:17A-HQ
2326 I5:370Inf | 2327 I6:111Inf | 2427 Cel:3Celere Lt:Pasubio Lt:Torino Bar:Barbo | 2529 I6:198Inf Mt:4Mtn
2531 Slo:SlovMot SS:Wiking | 2533 Pz:13Pz-r I6:125Inf-r | 2634 I6:298Inf I6:73Inf-r Bic:4Bic | 1936 RoC:5RomCav
"""
SOVIET = """
1600 R:15+143Rfl TB:129TB | 1800 RB:106RB | 1502 R:121Rfl R:160Rfl-r RB:111RB | 1403 R:212Rfl RB:141RB
1305 R:45Rfl R:62Rfl-r | 1802 TC:16TC RB:119RB | 2002 HQ:Bryansk-F R:284Rfl TB:115+116TB | 1604 R:6Rfl-r TB:14+170TB
1307 N5:8NKVD MRB:1MRB | 1309 R:227Rfl-r R:297Rfl | 1311 R:301Rfl-r TB:10TB | 1510 TC:4TC R:226+343Rfl
1512 R:76+293Rfl R:124Rfl-r | 1713 R:13GRfl-r R:169Rfl TB:90TB | 1813 R:15GRfl-r TB:65TB R:38+175Rfl | 2013 TC:23TC
1611 TC:13TC | 1911 HQ:Southwest-F TC:24TC | 1815 R:9GRfl CC:3GCC KV:6GTB | 1816 R:162+300Rfl R:277Rfl-r TD:1TD
1818 R:199+278Rfl-r R:242+255Rfl | 1819 R:106+333Rfl R:81+304Rfl-r | 1821 R:51+140Rfl | 2022 R:296+318Rfl
2017 TC:22TC-r | 2120 CC:5CC-r TB:159TB TC:14TC-r | 2023 R:295Rfl R:275Rfl | 2224 R:218+349Rfl R:102+230Rfl TB:121TB
2425 R:4Rfl R:261Rfl-r | 2426 R:73+176Rfl R:74Rfl | 2528 R:216Rfl R:353Rfl | 2629 R:395Rfl R:383Rfl
2828 R:228+347Rfl TB:64TB | 2725 HQ:South-F TB:140TB | 2631 R:31Rfl Nav:76Nav | 2633 R:339Rfl Nav:68Nav
2734 R:30Irk RB:16RB | 2832 R:2GRfl TB:63TB | 2503 TC:17TC TD:2TD N2:VorNKVD | 3134 N6:RosNKVD | 2936 R:91+302Rfl
2338 CD:116KK | 3139 CD:12KK | 3241 CD:15KK HQ:NCaucasus-F | 3434 CD:110+115Cav
3806 R:141+206Rfl R:174+232Rfl R:219Rfl R:309Rfl | 3322 R:335+341Rfl-r
"""


def counters(text: str) -> list[tuple[str, str, str, bool]]:
    """Hex, kind, id and whether the counter starts with a step less."""
    found = []
    for group in text.replace("\n", "|").split("|"):
        hex_, *units = group.split() or [""]
        for kind, _, name in (u.partition(":") for u in units):
            found.append((hex_, kind, name.removesuffix("-r"), name.endswith("-r")))
    return found


@cache
def start(scenario: str) -> Board:
    board = Game.new(GAME, scenario, seed=1).board
    assert isinstance(board, Board)
    return board


@pytest.mark.rule(GAME, "S1.1b")
@pytest.mark.rule(GAME, "22.1.3")
@pytest.mark.parametrize(("side", "text", "number"), [("axis", AXIS, 78), ("soviet", SOVIET, 93)])
def test_every_counter_of_fall_blau_has_its_printed_faces_and_hex(side: str, text: str, number: int) -> None:
    listed = counters(text)
    assert len({name for _, _, name, _ in listed}) == len(listed) == number
    for hex_, kind, name, reduced in listed:
        row = COUNTERS[name]
        assert (row["side"], f"{row['type']} {row['faces']}") == (side, KINDS[kind]), name
        for scenario in ("fall-blau", "campaign"):
            g = start(scenario)
            u = g.forces.unit(name)
            assert (g.place_name(g.place[u]), g.steps[u]) == (hex_, row.number("steps") - reduced), name


# --- where values come from ----------------------------------------------------------------------------------------


def named(column: str, key: str) -> set[str]:
    return {i for i, row in COUNTERS.items() if key in row.words(column)}


@pytest.mark.parametrize("row", COUNTERS.values(), ids=COUNTERS)
def test_stated_and_ours_name_columns_and_never_the_same(row: dict[str, str]) -> None:
    stated, ours = set(row["stated"].split()), set(row["ours"].split())
    assert stated | ours <= set(row)
    assert not stated & ours
    assert not ours or row["provenance"] != "reconstructed"


def test_what_the_rulebook_says_of_a_kind_of_unit_is_stated() -> None:
    """2.3.2 Guards are Elite; 21.5.2 silhouettes stack free; 18.2.3 ASUs have one step; 18.4 a German HQ's range."""
    guards = {i for i, r in COUNTERS.items() if r["branch"] == "guards" and r["type"] != "army_hq"}
    assert guards <= named("stated", "quality")
    silhouettes = {i for i, r in COUNTERS.items() if r["type"] in ("t34", "kv1", "sturmgeschuetz")}
    assert silhouettes <= named("stated", "free_stacking")
    assert {i for i, r in COUNTERS.items() if r["asu"]} <= named("stated", "steps")
    german = {i for i, r in COUNTERS.items() if r["asu"] == "army_hq" and r["nation"] == "german"}
    assert german == named("stated", "range")
    assert {COUNTERS[i]["range"] for i in german} == {"5"}
    assert {"23Pz", "75Inf", "9Pz", "11Pz", "GD"} <= named("stated", "steps"), "2.3.5, 32.1"
    assert {"14Pz", "22Pz", "60PzG"} <= named("stated", "army"), "S1.2"


def test_quality_that_nobody_printed_is_ours() -> None:
    public = {i for i, r in COUNTERS.items() if r["provenance"] == "public"}
    assert public - named("stated", "quality") == named("ours", "quality")


def test_cells_marked_in_tables_exist() -> None:
    for name in PACK.files():
        if name.startswith("tables/"):
            table = PACK.table(name.removeprefix("tables/").removesuffix(".csv"))
            for cell in (*table.stated, *table.ours):
                row, _, column = cell.partition("/")
                assert (row, column) in table.cells, f"{name} {cell}"


def test_replacements_the_scenarios_rule_out_are_stated() -> None:
    table = PACK.table("turns_caucasus_uranus")
    none = [f"28/{c}" for c in table.columns if c.startswith(("axis_", "soviet_"))]
    none += [f"10/{c}" for c in table.columns if c.startswith("axis_")]
    assert {table.cells[tuple(cell.split("/"))] for cell in none} == {"0"}  # type: ignore[index]
    assert set(none) <= set(table.stated)


def test_events_of_a_turn_that_the_rules_name_are_stated() -> None:
    for name in ("turns", "turns_caucasus_uranus"):
        table = PACK.table(name)
        assert {f"{t}/event" for t in table.rows if table.at(t, "event")} <= set(table.stated), name


def test_most_of_the_pack_is_reconstructed_and_says_so() -> None:
    counts = provenance_of(PACK)
    assert counts["reconstructed"] > counts["public"] > counts["stated"] > 2500
