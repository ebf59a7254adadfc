"""2 Game components: turn tags, units, chits, cards."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kessel.core.dice import Dice
from kessel.core.errors import BadInput, BadPack
from kessel.games.kharkov43 import board as states
from kessel.games.kharkov43.board import ELIMINATED, RESERVE, Board
from kessel.games.kharkov43.combat.strengths import is_in_barrage_zone
from kessel.games.kharkov43.combat.tactics import why_not_in_range
from kessel.games.kharkov43.data.cards import Turns, is_tag, read_cards, read_chits
from kessel.games.kharkov43.data.charts import charts_of
from kessel.games.kharkov43.data.forces import (
    ARMIES,
    CORPS,
    FORMATIONS,
    GERMAN,
    SOVIET,
    Counter,
    Face,
    Forces,
    designation,
    read_counters,
    read_faces,
)
from kessel.games.kharkov43.supply.supply import field_of
from kessel.games.kharkov43.supply.support import is_in_support, limit_in_force, limit_of
from kessel.games.kharkov43.system.terms.arrows import arrows_at
from kessel.games.kharkov43.title import TITLE
from kessel.games.kharkov43.turn.setup import new_board
from tests.games.kharkov43.soviet_helpers import arena

from .helpers import PACK, board, german, hexes, hx, names, position, soviet, tanks, unit

rule = pytest.mark.rule
example = pytest.mark.example
CHARTS = charts_of(PACK)
COUNTERS = read_counters(PACK)


@example("kharkov43", "X01")
@rule("kharkov43", "2.0a")
@rule("kharkov43", "2.0b")
@rule("kharkov43", "2.0c")
def test_x01_turn_tags():
    def turns(tag):
        return [t for t in range(1, 15) if t in Turns(tag)]

    assert turns("8") == [8]
    assert turns("8+") == [8, 9, 10, 11, 12, 13, 14]
    assert turns("8-12") == [8, 9, 10, 11, 12]
    assert turns("1,3") == [1, 3]
    assert turns("") == list(range(1, 15))
    assert is_tag("4-7")
    assert not is_tag("I3")


@rule("kharkov43", "2.0d")
@rule("kharkov43", "2.21m")
def test_units_act_in_the_order_of_their_selectors_as_they_show_now():
    g = position(
        units=[
            soviet("a", "1910", faces="3-4-05 1-4-21"),
            soviet("b", "1911", faces="3-4-08 1-4-02"),
            soviet("c", "1912", faces="3-4-07 1-4-30"),
        ]
    )
    assert [g.id(u) for u in g.ascending(range(3))] == ["a", "c", "b"]
    assert [g.id(u) for u in g.descending(range(3))] == ["b", "c", "a"]
    g.steps[unit(g, "b")] = 1
    assert [g.id(u) for u in g.ascending(range(3))] == ["b", "a", "c"], "a step loss changes the selector"


@rule("kharkov43", "2.21n")
def test_equal_selectors_lower_numbered_formation_first_either_way():
    g = position(
        units=[
            soviet("a", "1910", faces="3-4-05", army="6"),
            soviet("b", "1911", faces="3-4-05", army="1G"),
            soviet("c", "1912", faces="3-4-05", army="Popov"),
            soviet("d", "1913", faces="3-4-04", army="40"),
        ]
    )
    assert [g.id(u) for u in g.ascending(range(4))] == ["d", "c", "b", "a"]
    assert [g.id(u) for u in g.descending(range(4))] == ["c", "b", "a", "d"]
    assert FORMATIONS["Raus"].number == FORMATIONS["Popov"].number == 0


@rule("kharkov43", "2.1n")
@rule("kharkov43", "9.8b")
def test_the_whole_map_is_within_the_limit_until_turn_5():
    zones = {"west_support_zone": "1908 1909", "far_limit_zone": "1908 1909 1910 1911"}
    b = board((19, 19), range(8, 16), areas=zones)

    def limit(turn, vp):
        g = position(board=b, turn=turn, vp=vp)
        return names(g, limit_in_force(g))

    assert limit(5, 10) == set(hexes(19, 19, range(8, 16)))
    assert limit(6, 20) == {"1908", "1909"}
    assert limit(6, 21) == {"1908", "1909", "1910", "1911"}


@rule("kharkov43", "9.8c")
def test_the_limit_switches_the_moment_the_vps_cross_20():
    zones = {"west_support_zone": "1908 1909", "far_limit_zone": "1908 1909 1910 1911"}
    g = position(board=board((19, 19), range(8, 16), areas=zones), turn=7, vp=21)
    assert names(g, limit_in_force(g)) == {"1908", "1909", "1910", "1911"}
    g.set_track("vp", 20)
    assert names(g, limit_in_force(g)) == {"1908", "1909"}


@rule("kharkov43", "9.8a")
def test_a_front_with_its_objective_marker_is_not_subject_to_the_limit():
    b = board((19, 19), range(8, 16), areas={"west_support_zone": "1908 1909"})
    g = position(board=b, turn=7, vp=10, objectives={"Voronezh": {"hex": "1912", "facing": "west", "stage": 3}})
    assert names(g, limit_of(g, "Voronezh")) == set(hexes(19, 19, range(8, 16)))
    assert names(g, limit_of(g, "Southwest")) == {"1908", "1909"}


# --- 2.21 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "2.21a")
def test_soviet_armies_belong_to_their_fronts():
    by_front = {a: FORMATIONS[a].higher for a in ARMIES}
    assert {a for a, f in by_front.items() if f == "Voronezh"} == {"3T", "40", "69"}
    assert {a for a, f in by_front.items() if f == "Southwest"} == {"6", "1G", "Popov"}
    printed = PACK.toml("pack.toml")["formations"]["soviet"]
    assert {k: (v["higher"], v["number"]) for k, v in printed.items()} == {
        a: (FORMATIONS[a].higher, FORMATIONS[a].number) for a in ARMIES
    }


@rule("kharkov43", "2.21b")
@rule("kharkov43", "2.21c")
def test_german_corps_belong_to_their_armies_and_raus_has_an_area_of_its_own():
    assert {c for c in CORPS if FORMATIONS[c].higher == "1Pz"} == {"III", "XL"}
    assert {c for c in CORPS if FORMATIONS[c].higher == "4Pz"} == {"IISS", "XLVIII", "LVII", "Raus"}
    assert {c for c in CORPS if FORMATIONS[c].area == "Kempf"} == {"Raus"}
    printed = PACK.toml("pack.toml")["formations"]["german"]
    assert {k: (v["higher"], v["area"], v["number"]) for k, v in printed.items()} == {
        c: (FORMATIONS[c].higher, FORMATIONS[c].area, FORMATIONS[c].number) for c in CORPS
    }


@rule("kharkov43", "2.21d")
@rule("kharkov43", "2.21e")
def test_types():
    words = ["infantry", "cavalry", "armor", "mechanized", "armored_cavalry"]
    g = position(units=[soviet(t, "1910" if i < 3 else "1911", faces="3-4", type=t) for i, t in enumerate(words)])
    assert [t for t in words if g.is_mech(unit(g, t))] == ["armor", "mechanized", "armored_cavalry"]
    assert [t for t in words if g.is_armor(unit(g, t))] == ["armor", "armored_cavalry"]


@example("kharkov43", "X02")
@rule("kharkov43", "2.21f")
def test_x02_designations():
    assert designation("679.333.XL") == ("679", "333", "XL")
    assert designation("1GC.3T") == ("1GC", "", "3T")
    assert designation("586/320/Raus").formation == "Raus"
    with pytest.raises(BadInput, match="two or three parts"):
        designation("679")
    for c in COUNTERS:
        assert designation(c.id).formation == c.formation, "only the corps or army part has an effect"


@rule("kharkov43", "2.21g")
@rule("kharkov43", "2.21i")
@rule("kharkov43", "2.21j")
def test_each_step_has_a_face_with_its_own_strength_and_type():
    g = position(units=[soviet("A", "1910", faces="6-6-02 4-6-12 2-5-27", type="armor armor mechanized", army="Popov")])
    seen = []
    for steps in (3, 2, 1):
        g.steps[0] = steps
        seen.append((g.strength(0), g.allowance(0), g.selector(0), g.is_armor(0), g.is_mech(0)))
    assert seen == [(6, 6, 2, True, True), (4, 6, 12, True, True), (2, 5, 27, False, True)]
    assert {len(c.faces) for c in COUNTERS} == {1, 2, 3}
    with pytest.raises(BadInput, match="one to three steps"):
        Forces([Counter("A", SOVIET, "6", (Face(1, 1, 1, "infantry"),) * 4)])


@rule("kharkov43", "2.21j")
@rule("kharkov43", "2.21m")
def test_types_of_the_faces_from_full_strength_down():
    g = position(board=CORNER, units=[soviet("A", "1506", "5-6-01 3-6-02 1-6-03", "armor mechanized")])
    kinds = []
    for steps in (3, 2, 1):
        g.steps[0] = steps
        g.changed()
        kinds.append((g.is_armor(0), g.is_mech(0), g.strength(0), g.selector(0)))
    assert kinds == [(True, True, 5, 1), (False, True, 3, 2), (False, True, 1, 3)], "the last word holds for the rest"


@rule("kharkov43", "2.21g")
@rule("kharkov43", "2.21i")
@pytest.mark.parametrize(
    ("faces", "what"),
    [
        ("99-99-99", ""),
        ("0-0-00", ""),
        ("100-4-01", "a value that is not between 0 and 99"),
        ("3-100-01", "a value that is not between 0 and 99"),
        ("3-4-100", "a value that is not between 0 and 99"),
        ("3-4 2-4 1-4", ""),
        ("4-4 3-4 2-4 1-4", "has 4 faces; a unit has one to three steps"),
        ("3", "is not a face like 5-6-01"),
        ("3-4-5-6", "is not a face like 5-6-01"),
        ("3-x", "is not a face like 5-6-01"),
    ],
)
def test_the_printed_values_of_a_unit_have_bounds(faces, what):
    if not what:
        g = position(board=CORNER, units=[soviet("A", "1506", faces)])
        assert g.forces.full_steps[0] == len(faces.split())
        return
    with pytest.raises(BadInput, match=what):
        position(board=CORNER, units=[soviet("A", "1506", faces)])


@rule("kharkov43", "2.21k")
@rule("kharkov43", "2.21l")
@rule("kharkov43", "3.0e")
def test_every_counter_has_a_set_up_hex_or_a_turn_and_three_are_never_used():
    ids = {c.id for c in COUNTERS}
    printed = {r["id"]: r for r in PACK.rows("counters.csv")}
    unused = {i for i, r in printed.items() if "unused" in r["flags"]}
    assert len(unused) == 3
    assert all(printed[i]["army"] == "40" for i in unused)
    assert not unused & ids
    for c in COUNTERS:
        assert c.entry in PACK.map.grid or 1 <= int(c.entry) <= 14


def test_faces_are_read_strictly():
    assert read_faces("5-6-01 2-6-12", "armor mechanized") == (Face(5, 6, 1, "armor"), Face(2, 6, 12, "mechanized"))
    for bad in ("5", "5-6-x", "5-6-1-1"):
        with pytest.raises(BadInput, match="not a face"):
            read_faces(bad, "armor")
    with pytest.raises(BadPack, match="the type 'horse'"):
        Forces([Counter("A.6", SOVIET, "6", (Face(1, 1, 1, "horse"),), where="counters.csv:2")])
    with pytest.raises(BadInput, match="is german, but 6 is not"):
        Forces([Counter("A.6", GERMAN, "6", (Face(1, 1, 1, "infantry"),))])


# --- 2.22, 2.3, 2.5 ------------------------------------------------------------------------------------------------


@rule("kharkov43", "2.22a")
@rule("kharkov43", "2.22e")
@rule("kharkov43", "3.0i")
def test_one_set_of_sixty_chits_three_of_them_dark():
    chits = read_chits(PACK)
    assert len(chits) == len({c.id for c in chits}) == 60
    assert sum(c.dark for c in chits) == 3
    g = start("campaign")
    assert len(g.chits) == 60
    assert not any(g.chits), "all in the cup"


@rule("kharkov43", "2.3a")
@rule("kharkov43", "2.31a")
@rule("kharkov43", "2.31b")
@rule("kharkov43", "2.32a")
def test_the_cards():
    cards = read_cards(PACK)
    assert [c.id for c in cards if c.is_german] == [f"P{n}" for n in range(23, 46)]
    assert [c.id for c in cards if not c.is_german] == [f"E{n:02d}" for n in range(1, 23)]
    assert {c.kind for c in cards if c.is_german} == {"corps", "corps_kampfgruppe", "army", "army_group", "manstein"}
    for c in cards:
        assert c.formation, "formation section"
        assert c.commands, "command section"
        assert c.tactics, "tactics section"
        assert 1 <= c.command_value <= 5
    assert {c.formation for c in cards if c.kind == "corps"} <= set(CORPS)


@rule("kharkov43", "2.31c")
@rule("kharkov43", "2.31d")
def test_commands_and_tactics_with_a_turn_range():
    xl = CHARTS.card("P26")
    replace = next(c for c in xl.commands if c.command == "replace")
    assert [t for t in range(1, 6) if replace.valid(t)] == [3, 4, 5]
    assert CHARTS.card("E03").tactics_on(3) == ("tank_brigade",)
    assert CHARTS.card("E03").tactics_on(8) == ("rifle_brigade",)


@rule("kharkov43", "2.31e")
@rule("kharkov43", "2.31f")
@rule("kharkov43", "3.0j")
def test_initial_cards_primaries_and_supplementals():
    germans = [c for c in CHARTS.cards if c.is_german]
    initial = [c for c in germans if c.enters == 1]
    assert (len(initial), len(germans) - len(initial)) == (10, 13)
    assert sum(c.primary for c in initial) == 5


@rule("kharkov43", "2.5a")
def test_the_die_has_ten_sides():
    dice = Dice(1)
    assert {dice.roll(CHARTS.constants.die) for _ in range(400)} == set(range(1, 11))


@rule("kharkov43", "2.1v")
def test_the_calendar():
    assert list(CHARTS.calendar) == list(range(1, 15))
    assert (CHARTS.calendar[1].hand, CHARTS.calendar[1].supplementals) == (4, 2)
    assert (CHARTS.calendar[2].hand, CHARTS.calendar[2].supplementals) == (4, 4)
    assert all(CHARTS.calendar[t].supplementals == 7 for t in range(7, 14))
    assert [t for t in range(1, 15) if CHARTS.calendar[t].ground_marker] == list(range(7, 14))


@rule("kharkov43", "2.1y")
def test_card_boxes_are_seen_by_the_player():
    g = position(
        units=[german("A", "1910"), tanks("T", "1710")],
        cards={"draw": "E01 E02", "command": "E05", "auxiliary": "E07", "discard": "E08", "hand": "P41"},
    )
    shown = {c.id: c.where for c in TITLE.view(g, GERMAN).cards}
    assert shown == {
        "E01": "draw",
        "E02": "draw",
        "E05": "command",
        "E07": "auxiliary",
        "E08": "discard",
        "P41": "hand",
    }


def start(scenario: str, **options: str) -> Board:
    """A newly set up board, nothing drawn yet."""
    from kessel.games.kharkov43.data.scenario import read_scenario

    return new_board(PACK, read_scenario(PACK, scenario), options)


def test_distances_do_not_cross_a_blocked_dniepr_hexside():
    b = board((19, 20), range(8, 13), rivers={"1909|1910": "blocked_dniepr", "1910|2009": "blocked_dniepr"})
    g = position(board=b)
    assert g.map.grid.distance(hx(g, "1909"), hx(g, "1910")) == 1
    assert g.ground.distance(hx(g, "1909"), hx(g, "1910")) == 3
    assert not g.ground.adjacent_units(hx(g, "1909")) >> hx(g, "1910") & 1


# --- 2.1 the printed map -------------------------------------------------------------------------------------------


def printed_map() -> Board:
    return start("campaign")


@rule("kharkov43", "2.1a")
def test_six_terrains_and_no_other():
    g = printed_map()
    assert g.map.terrains() == {"clear", "broken", "marsh", "woods", "town", "city"}
    with pytest.raises(BadInput, match="there is no terrain 'desert'"):
        position(board=board(terrain={"1910": "desert"}))


@rule("kharkov43", "2.1h")
def test_the_barrage_zone_lies_east_of_the_artillery_line_on_turns_1_and_2():
    g = printed_map()
    attacked = ("0205", "0604", "0803", "1003", "1203", "1402", "1503", "1802")
    for number, expected in ((1, True), (2, True), (3, False)):
        g.set_track("turn", number)
        assert all(is_in_barrage_zone(g, hx(g, h)) == expected for h in attacked)
    g.set_track("turn", 1)
    assert not is_in_barrage_zone(g, hx(g, "0107"))
    assert not is_in_barrage_zone(g, hx(g, "1901"))


@rule("kharkov43", "2.1o")
@rule("kharkov43", "2.1p")
@rule("kharkov43", "9.8d")
def test_the_near_limit_is_the_west_line_and_the_far_one_lies_beyond_it():
    g = printed_map()
    g.set_track("turn", 8)
    g.set_track("vp", 20)
    assert limit_in_force(g) == g.ground.west_zone
    g.set_track("vp", 21)
    assert limit_in_force(g) == g.ground.far_zone
    assert g.ground.west_zone & ~g.ground.far_zone == 0
    for beyond in ("0114", "2501", "1315", "1815"):
        assert not g.ground.west_zone >> hx(g, beyond) & 1
    for beyond in ("0120", "3107"):
        assert not g.ground.far_zone >> hx(g, beyond) & 1
    before = field_of(g, SOVIET).hexes
    g.set_track("vp", 20)
    assert field_of(g, SOVIET).hexes == before, "the limit has no effect on supply"
    assert is_in_support(g, hx(g, "2809")) == is_in_support(printed_map(), hx(g, "2809")), "nor on support"


@rule("kharkov43", "2.1q")
@rule("kharkov43", "2.1r")
def test_arrows_of_the_other_front_do_not_exist():
    arrows = [
        {"from": "1910", "to": "1911", "kind": "primary"},
        {"from": "1910", "to": "2010", "kind": "secondary", "only": "V"},
        {"from": "1911", "to": "1912", "kind": "primary", "only": "S"},
    ]
    g = position(board=board(arrows=arrows))

    def at(h, front):
        return {g.hex_name(n): kind for n, kind in arrows_at(g, hx(g, h), front)}

    assert at("1910", "Voronezh") == {"1911": "primary", "2010": "secondary"}
    assert at("1910", "Southwest") == {"1911": "primary"}
    assert at("1911", "Voronezh") == {}
    assert at("1911", "Southwest") == {"1912": "primary"}


@rule("kharkov43", "2.1u")
def test_logistics_hexes_of_both_fronts():
    g = printed_map()
    voronezh, southwest = g.ground.logistics["Voronezh"], g.ground.logistics["Southwest"]
    assert voronezh
    assert southwest
    assert not voronezh & southwest


@rule("kharkov43", "2.1x")
def test_each_side_has_a_reserve_and_an_eliminated_box():
    units = [german("A", "reserve"), german("B", "eliminated"), soviet("S", "reserve"), soviet("T", "eliminated")]
    g = position(units=units)
    assert [g.id(u) for u in g.in_box(GERMAN, RESERVE)] == ["A"]
    assert [g.id(u) for u in g.in_box(SOVIET, ELIMINATED)] == ["T"]
    boxes = {p.id: p.place for p in TITLE.view(g, GERMAN).pieces}
    assert boxes == {
        "A": "german_reserve",
        "B": "german_eliminated",
        "S": "soviet_reserve",
        "T": "soviet_eliminated",
    }
    assert set(boxes.values()) <= {b.id for b in PACK.map.boxes}


@rule("kharkov43", "2.1i")
def test_fixed_artillery_reaches_as_many_hexes_beyond_the_line_as_the_calendar_says():
    row = board((19, 19), range(8, 18), areas={"east_support_zone": "1908 1909"})
    for number in (1, 3, 6):
        g = position(board=row, turn=number)
        far = g.charts.calendar[number].far
        reached = {
            n for n in hexes(19, 19, range(8, 18)) if why_not_in_range(g, SimpleNamespace(target=hx(g, n))) is None
        }
        assert reached == set(hexes(19, 19, range(8, 10 + far)))


OPEN = {"roads_on": ()}


CORNER = arena((15, 16), range(6, 12), **OPEN)


FLAGS = "ACTIVE MOVED ATTACKED DEFENDED RETREATED PLACED DISPERSED_ATTACKING STRUCK STAYED CANNOT_ATTACK OOS ISOLATED"


def test_no_two_states_of_a_unit_share_a_bit():
    bits = [getattr(states, name) for name in f"DISPERSED {FLAGS}".split()]
    assert len(set(bits)) == len(bits)
    assert all(b.bit_count() == 1 for b in bits)
