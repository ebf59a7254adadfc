"""The scenarios of Stalingrad '42: set-ups, arrivals, victory figures, and that every start is legal on the board."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from kessel.core.pack import Pack

PACK = Pack("stalingrad42", overlays=())
GAME = "stalingrad42"
SCENARIOS = ("fall-blau", "caucasus", "uranus", "campaign")
COUNTERS = {row["id"]: row for row in PACK.rows("counters.csv")}


@cache
def track(name: str) -> dict[int, dict[str, str]]:
    table = PACK.table(name)
    return {int(row): table.row(row) for row in table.rows}


@cache
def scenario(name: str) -> dict[str, Any]:
    return PACK.toml(f"scenarios/{name}.toml")


def unit(text: str) -> str:
    """`44Inf/2` is the 44Inf with two steps left, `SoSP1/back` the Supply Point on its other side."""
    return text.partition("/")[0]


def setup(name: str) -> dict[str, dict[str, list[str]]]:
    return {side: dict(scenario(name)["setup"].get(side, {})) for side in ("axis", "soviet")}


def frozen_armies(name: str) -> set[str]:
    return {u for f in scenario(name)["frozen"] if f["id"].startswith("reserve_army") for u in f["units"]}


def all_units(name: str) -> list[str]:
    doc = scenario(name)
    lists = [us for places in setup(name).values() for us in places.values()]
    lists += [r["units"] for r in doc["reinforcements"]]
    lists += [us for us in doc.get("boxes", {}).values() if isinstance(us, list)]
    lists += [doc["eliminated"]["axis"], doc["eliminated"]["soviet"]]
    return [unit(u) for us in lists for u in us]


def test_the_four_scenarios() -> None:
    assert set(PACK.scenarios()) == set(SCENARIOS) == set(PACK.toml("pack.toml")["scenarios"])
    assert all(scenario(name)["id"] == name for name in SCENARIOS)


@pytest.mark.parametrize(
    ("name", "first", "last", "side", "phase", "maps"),
    [
        ("fall-blau", 1, 8, "axis", "initial", ["A"]),
        ("caucasus", 10, 27, "soviet", "pre_move", ["C1", "C2"]),
        ("uranus", 28, 36, "soviet", "movement", ["A", "B"]),
        ("campaign", 1, 36, "axis", "initial", ["A", "B", "C1", "C2"]),
    ],
)
def test_scenario_data(name: str, first: int, last: int, side: str, phase: str, maps: list[str]) -> None:
    doc = scenario(name)
    assert (doc["first_turn"], doc["last_turn"]) == (first, last)
    assert (doc["first_side"], doc["first_phase"], doc["maps"]) == (side, phase, maps)
    assert set(range(first, last + 1)) <= track(doc["track"]).keys()
    assert doc["weather"] in PACK.table("weather_effects").rows


@pytest.mark.parametrize(("name", "vp"), [("fall-blau", 8), ("caucasus", 12), ("uranus", 11), ("campaign", 21)])
def test_victory_thresholds(name: str, vp: int) -> None:
    victory = scenario(name)["victory"]
    assert victory["axis_vp"] == vp
    assert victory["automatic_victory"] is (name == "campaign")


@pytest.mark.parametrize("name", SCENARIOS)
def test_units_are_known_and_stand_in_one_place(name: str) -> None:
    found = Counter(all_units(name))
    assert set(found) <= COUNTERS.keys()
    assert [u for u, n in found.items() if n > 1] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_units_are_on_their_own_side(name: str) -> None:
    doc = scenario(name)
    for side, places in setup(name).items():
        assert {COUNTERS[unit(u)]["side"] for us in places.values() for u in us} <= {side}
    for r in doc["reinforcements"]:
        assert {COUNTERS[unit(u)]["side"] for u in r["units"]} == {r["side"]}, r
        assert doc["first_turn"] <= r["turn"] <= doc["last_turn"]
        assert set(r["areas"]) <= set(doc["entry_areas"][r["side"]]), r


@pytest.mark.parametrize("name", SCENARIOS)
def test_reduced_units_have_a_step_less_and_one_left(name: str) -> None:
    doc = scenario(name)
    lists = [us for places in setup(name).values() for us in places.values()]
    for text in (u for us in [*lists, *(r["units"] for r in doc["reinforcements"])] for u in us):
        name_, _, state = text.partition("/")
        row = COUNTERS[name_]
        assert state in ("", "back") or 1 <= int(state) < int(row["steps"]), text
        assert state != "back" or row["back"], text


@pytest.mark.rule(GAME, "S1.1b")
def test_fall_blau_is_the_printed_set_up() -> None:
    """171 counters, 78 of the Axis and 93 Soviet, all at the strength their counter starts with."""
    places = setup("fall-blau")
    assert [sum(len(us) for us in places[side].values()) for side in ("axis", "soviet")] == [78, 93]
    for text in (u for by_hex in places.values() for us in by_hex.values() for u in us):
        row = COUNTERS[unit(text)]
        assert row["provenance"] == "public" or unit(text) == "AxSP1"
        steps = int(text.partition("/")[2] or row["steps"])
        assert steps == int(row["start_steps"]), text
    public = {i for i, row in COUNTERS.items() if row["provenance"] == "public"}
    assert public <= set(all_units("fall-blau"))
    assert len(public) == 170


@pytest.mark.parametrize(
    ("hex_", "units"),
    [
        ("1401", ["9Pz", "11Pz", "3PzG"]),
        ("1515", ["3Pz", "23Pz/2", "29PzG/2"]),
        ("2427", ["3Celere", "Pasubio", "Torino", "Barbo"]),
        ("2531", ["SlovMot", "Wiking"]),
    ],
)
def test_fall_blau_axis_hexes(hex_: str, units: list[str]) -> None:
    assert setup("fall-blau")["axis"][hex_] == units


@pytest.mark.parametrize(
    ("hex_", "units"),
    [
        ("1502", ["121Rfl", "160Rfl/1", "111RB"]),
        ("1815", ["9GRfl", "3GCC", "6GTB"]),
        ("2503", ["17TC", "2TD", "VorNKVD"]),
        ("3806", ["141+206Rfl", "174+232Rfl", "219Rfl", "309Rfl"]),
    ],
)
def test_fall_blau_soviet_hexes(hex_: str, units: list[str]) -> None:
    assert setup("fall-blau")["soviet"][hex_] == units


def test_fall_blau_special_units() -> None:
    """S1.2: who waits, and the 5th Reserve Army of five units at M on Turn 3."""
    doc = scenario("fall-blau")
    assert doc["special"]["idle_first_turn"] == ["14Pz", "22Pz", "60PzG"]
    fifth = next(r for r in doc["reinforcements"] if r.get("rule") == "S1.2f")
    assert (fifth["turn"], fifth["areas"], len(fifth["units"]), fifth["entry_hexes"]) == (3, ["M"], 5, "4100-4111")
    naval = next(r for r in doc["reinforcements"] if "66Nav" in r["units"])
    assert naval["turn"] == 5
    sixth = next(f for f in doc["frozen"] if f["id"] == "reserve_army_6")
    assert sixth["release"] == [{"kind": "turn", "turn": 2}]


def test_the_campaign_starts_from_the_same_cards() -> None:
    """S1.1: Fall Blau uses the Campaign cards."""
    blau, whole = setup("fall-blau"), setup("campaign")
    for side in blau:
        for hex_, units in blau[side].items():
            assert whole[side][hex_] == units


def test_the_campaign_uses_every_counter() -> None:
    upgrades = {u["to"] for u in scenario("campaign")["upgrades"]}
    bought = {i for i, row in COUNTERS.items() if row["arrival"] == "RP"}
    assert set(all_units("campaign")) | upgrades | bought == COUNTERS.keys()


def test_campaign_arrivals_are_those_printed_on_the_counters() -> None:
    for r in scenario("campaign")["reinforcements"]:
        for text in r["units"]:
            row = COUNTERS[unit(text)]
            assert row["arrival"] in (str(r["turn"]), f"{r['turn']}C"), text
            southern = set(r["areas"]) == set("GHJKL")
            assert southern is row["arrival"].endswith("C"), text
            assert int(text.partition("/")[2] or row["steps"]) == int(row["start_steps"]), text


@pytest.mark.parametrize(("unit_id", "turn"), [("5TkA-HQ", 23), ("5ShkA-HQ", 32), ("2R", 21)])
def test_stated_arrivals(unit_id: str, turn: int) -> None:
    """2.3 samples, 34.1.1."""
    assert [r["turn"] for r in scenario("campaign")["reinforcements"] if unit_id in r["units"]] == [turn]


@pytest.mark.rule(GAME, "S3.2d")
def test_wiking_comes_to_uranus_at_full_strength() -> None:
    found = [r for r in scenario("uranus")["reinforcements"] if "Wiking-T13" in map(unit, r["units"])]
    assert [(r["turn"], r["units"], r["areas"]) for r in found] == [(35, ["Wiking-T13"], ["Q", "R"])]


def test_tank_corps_removals_leave_tank_corps_to_remove() -> None:
    """32.2: fewer removals than corps that have come by then."""
    gone = 0
    for turn, row in track("turns").items():
        gone += int(row["tank_corps_removals"])
        came = sum(
            r["type"] == "tank"
            and r["size"] == "corps"
            and (r["arrival"] in ("start", "elim") or r.number("arrival", 99) <= turn)
            for r in COUNTERS.values()
            if r["side"] == "soviet" and not r["arrival"].endswith("C")
        )
        assert gone < came


# --- scenarios on the board ----------------------------------------------------------------------------------------


def stacking_of(units: list[str]) -> int:
    """4.1, 4.2: what the units of one side in a hex count; one Free Stacking Unit is free."""
    rows = [COUNTERS[unit(u)] for u in units]
    fighting = [r for r in rows if PACK.table("unit_types").at(r["type"], "combat_unit") == "1" and not r["asu"]]
    free = sum(r["free_stacking"] == "1" for r in fighting)
    return len(fighting) - min(free, 1)


@pytest.mark.parametrize("name", SCENARIOS)
def test_set_up_hexes_are_land_on_the_maps_in_play(name: str) -> None:
    board = PACK.map
    sheets = {"A": "sheet_a", "B": "sheet_b", "C1": "sheet_c1", "C2": "sheet_c2"}
    playable = 0
    for sheet in scenario(name)["maps"]:
        playable |= board.areas[sheets[sheet]]
    for places in setup(name).values():
        for hex_ in places:
            h = board.grid.hex(hex_)
            assert playable >> h & 1, hex_
            assert board.terrain[h] not in ("", "sea", "unplayable"), hex_


@pytest.mark.parametrize("name", SCENARIOS)
def test_set_up_stacks_are_legal(name: str) -> None:
    """4.1-4.3, 31.0: frozen Reserve Armies ignore stacking."""
    waiting = frozen_armies(name)
    for side, places in setup(name).items():
        for hex_, units in places.items():
            hq = any(COUNTERS[unit(u)]["type"] == "army_hq" for u in units)
            limit = 3 if side == "axis" or hq else 2
            assert stacking_of([u for u in units if unit(u) not in waiting]) <= limit, (hex_, units)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_sides_share_no_hex_but_a_contested_one(name: str) -> None:
    places = setup(name)
    assert set(places["axis"]) & set(places["soviet"]) == set(scenario(name).get("contested", {}))


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_mechanized_unit_starts_in_the_mountains_off_road(name: str) -> None:
    board = PACK.map
    for places in setup(name).values():
        for hex_, units in places.items():
            if board.terrain[board.grid.hex(hex_)] in ("mountain", "alpine"):
                assert not any(COUNTERS[unit(u)]["mech"] == "1" for u in units), hex_


@pytest.mark.parametrize("name", SCENARIOS)
def test_entry_areas_are_boxes_of_the_board(name: str) -> None:
    boxes = {box.id for box in PACK.map.boxes}
    areas = scenario(name)["entry_areas"]
    assert set(areas["axis"]) | set(areas["soviet"]) <= boxes
    assert not set(areas["axis"]) & set(areas["soviet"])


@pytest.mark.parametrize("name", SCENARIOS)
def test_control_names_cities_and_objectives(name: str) -> None:
    board = PACK.map
    objectives = board.vp
    for hex_ in scenario(name)["control"]["axis"]:
        h = board.grid.hex(hex_)
        assert "city" in board.terrain[h] or h in objectives, hex_


def axis_vp(name: str) -> int:
    board = PACK.map
    return sum(board.vp.get(board.grid.hex(h), 0) for h in scenario(name)["control"]["axis"])


@pytest.mark.rule(GAME, "S3.5b")
@pytest.mark.parametrize(("name", "vp"), [("fall-blau", 0), ("caucasus", 0), ("uranus", 15), ("campaign", 0)])
def test_victory_points_at_start(name: str, vp: int) -> None:
    """S2.5, S3.5: none in Caucasus, 15 in Uranus."""
    assert axis_vp(name) == vp == scenario(name)["victory"]["start_vp"]


def test_the_map_holds_enough_objectives() -> None:
    """S2.5, S4.4: twelve in the Caucasus with Elbrus and Baku, well over twenty-four in all."""
    board = PACK.map
    caucasus = sum(vp for h, vp in board.vp.items() if int(board.grid.name(h)[2:]) >= 40)
    assert caucasus + 1 + 3 >= 12
    assert sum(board.vp.values()) + 1 + 3 > 24


@pytest.mark.parametrize("name", SCENARIOS)
def test_railheads_and_fortifications(name: str) -> None:
    doc, board = scenario(name), PACK.map
    rails = {n for link in board.doc.links if link.kind == "rail" for n in link.path.split()}
    assert set(doc["railheads"]["hexes"]) <= rails
    buildable = PACK.table("terrain")
    for side in ("axis", "soviet"):
        for hex_ in doc.get("fortifications", {}).get(side, []):
            assert buildable.at(board.terrain[board.grid.hex(hex_)], "fort_buildable") == "1", hex_


@pytest.mark.parametrize("name", SCENARIOS)
def test_special_rules_are_statements_of_the_list(name: str) -> None:
    known = [row["rule"] for row in PACK.rows("rules.csv")]
    for rule in scenario(name)["rules"]:
        assert any(k.startswith(rule.removesuffix(".0")) for k in known), rule


@pytest.mark.parametrize("name", ["fall-blau", "campaign"])
def test_the_axis_starts_with_the_cities_west_of_the_line(name: str) -> None:
    """24.1.4, 16.3.4."""
    board = PACK.map
    cities = board.of_terrain("minor_city", "major_city") & board.areas["west_of_start_line"]
    controlled = {board.grid.hex(h) for h in scenario(name)["control"]["axis"]}
    assert controlled == {h for h in range(board.grid.size) if cities >> h & 1}


@pytest.mark.parametrize("name", ["fall-blau", "campaign"])
def test_north_caucasus_units_start_south_of_rostov(name: str) -> None:
    """20.6: and no other Soviet unit but garrisons and Reserve Armies does."""
    board, doc = PACK.map, scenario(name)
    south = board.areas["south_of_rostov"]
    group = {u for f in doc["frozen"] if f["id"] == "north_caucasus" for u in f["units"]}
    here = {unit(u) for h, us in setup(name)["soviet"].items() for u in us if south >> board.grid.hex(h) & 1}
    garrisons = {i for i, row in COUNTERS.items() if "garrison" in row.words("group")}
    assert group <= here
    assert here - group - garrisons - frozen_armies(name) == set()


def test_named_areas_exist() -> None:
    areas = PACK.map.areas
    for name in SCENARIOS:
        doc = scenario(name)
        assert doc["railheads"].get("repaired_area", "sheet_a") in areas
        assert all(bonus.get("area", "sheet_a") in areas for bonus in doc["victory"].get("bonus", []))
        assert set(doc.get("forts", {}).get("deactivated", [])) <= areas.keys()
