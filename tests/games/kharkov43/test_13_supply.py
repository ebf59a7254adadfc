"""13 Supply, reserve supply, air resupply and Soviet support."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kessel.core.procedure import apply, legal, why_not
from kessel.games.kharkov43.board import DESTROYED, DISPERSED, ELIMINATED, FORWARD_SUPPORT, ISOLATED, OOS
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.sequence import end_turn
from kessel.games.kharkov43.supply.supply import air_resupply, can_trace, field_of, supply_heads, why_not_in_supply
from kessel.games.kharkov43.supply.support import is_in_support, line_for_turn, set_support_line
from kessel.games.kharkov43.system.attack_check import check_lead
from kessel.games.kharkov43.system.cards.soviet_events import conduct_event, why_not_soviet_event

from .helpers import ask, board, german, hexes, hx, names, panzer, position, reach, soviet, unit

rule = pytest.mark.rule
example = pytest.mark.example
COLUMNS = range(8, 21)
ROAD = "1720 1719 1718 1717 1716 1715 1714 1713 1712 1711 1710 1709 1708"


def line(**more):
    """Row 17 alone, with a German edge in the west."""
    more.setdefault("german_edge", "1720")
    return board((17, 17), COLUMNS, **more)


def state(g, name):
    status = g.status[unit(g, name)]
    return "isolated" if status & ISOLATED else "oos" if status & OOS else "supplied"


def supply_phase(**doc):
    """The position after its Supply Phase."""
    return position(phase="supply_phase", **doc)


CUT_OFF = board((17, 17), COLUMNS, german_edge="1720", soviet_edge="1708")


# --- 13.0 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "13.0a")
@rule("kharkov43", "4.IIIb")
def test_units_are_checked_from_turn_2_german_and_4_soviet():
    units = [german("A", "1710"), soviet("S", "1717", army="6")]
    for turn, a, s in ((1, "supplied", "supplied"), (2, "oos", "supplied"), (3, "oos", "supplied"), (4, "oos", "oos")):
        g = supply_phase(board=CUT_OFF, turn=turn, units=units)
        assert (state(g, "A"), state(g, "S")) == (a, s), turn


@rule("kharkov43", "13.0b")
def test_a_units_supply_is_fixed_for_the_turn():
    g = supply_phase(board=CUT_OFF, turn=4, units=[german("A", "1710")])
    assert state(g, "A") == "oos"
    g.move(unit(g, "A"), hx(g, "1719"))
    assert can_trace(g, hx(g, "1719"), GERMAN)
    assert state(g, "A") == "oos", "until the next Supply Phase"


@rule("kharkov43", "13.0c")
def test_a_hexs_supply_is_judged_at_the_moment():
    g = position(board=line(), units=[soviet("S", "1716", faces="1-9")])
    assert not can_trace(g, hx(g, "1714"), GERMAN)
    g.move(unit(g, "S"), hx(g, "1709"))
    assert can_trace(g, hx(g, "1714"), GERMAN)


@rule("kharkov43", "13.0d")
def test_for_an_enemy_hex_a_friendly_unit_is_imagined_instead():
    g = position(board=line(), units=[soviet("S", "1714")])
    assert not can_trace(g, hx(g, "1713"), GERMAN), "S stands in the way"
    assert can_trace(g, hx(g, "1714"), GERMAN), "in its own hex it and its zone are thought away"
    assert can_trace(g, hx(g, "1716"), GERMAN), "an unoccupied hex"
    two = position(board=line(), units=[soviet("S", "1713"), soviet("T", "1715")])
    assert not can_trace(two, hx(two, "1713"), GERMAN), "only the units of the hex itself are thought away"


# --- 13.1 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "13.1a")
def test_a_path_has_at_most_seven_hexes():
    g = position(board=line())
    assert ask(g, "supply", hex="1713", side="german")["supply"]["length"] == 7
    far = ask(g, "supply", hex="1712", side="german")["supply"]
    assert far["refusal"]["rule"] == "13.1"
    assert "within 7 hexes" in far["refusal"]["reason"]


@rule("kharkov43", "13.1b")
@rule("kharkov43", "13.1d")
def test_the_hex_itself_may_be_controlled_but_the_path_only_where_a_friend_stands():
    g = position(board=line(), units=[german("A", "1714"), soviet("S", "1713")])
    assert can_trace(g, hx(g, "1714"), GERMAN)
    two = board((17, 18), COLUMNS, german_edge="1720")
    g = position(board=two, units=[german("A", "1715"), soviet("S", "1816")])
    assert names(g, field_of(g, GERMAN).obstacles.controlled) == {"1716", "1717", "1815", "1817"}
    assert not can_trace(g, hx(g, "1715"), GERMAN)
    g = position(board=two, units=[german("A", "1715"), german("B", "1716"), german("C", "1717"), soviet("S", "1816")])
    assert can_trace(g, hx(g, "1715"), GERMAN)


@rule("kharkov43", "13.1c")
@rule("kharkov43", "15.2d")
def test_enemy_towns_units_and_garrisons_block_a_path():
    town = line(terrain={"1716": "town"}, features={"1715": "village"})
    assert can_trace(position(board=town), hx(position(board=town), "1714"), GERMAN)
    g = position(board=town, soviet_towns="1716")
    assert not can_trace(g, hx(g, "1714"), GERMAN)
    assert "towns" in why_not_in_supply(g, hx(g, "1714"), GERMAN).reason
    g = position(board=town, garrisons="1715", turn=4)
    assert not can_trace(g, hx(g, "1714"), GERMAN)
    assert why_not_in_supply(g, hx(g, "1714"), GERMAN).rule == "15.2"
    assert can_trace(g, hx(g, "1715"), GERMAN), "the traced hex itself is no obstacle"
    g = position(board=town, units=[soviet("S", "1717", status=["isolated"])])
    assert not can_trace(g, hx(g, "1714"), GERMAN)
    assert "units" in why_not_in_supply(g, hx(g, "1714"), GERMAN).reason


@rule("kharkov43", "15.2c")
def test_a_garrison_does_not_negate_german_control_for_soviet_supply():
    two = board((17, 18), COLUMNS, soviet_edge="1708", features={"1712": "village"})
    g = position(board=two, turn=4, units=[soviet("S", "1714"), german("A", "1812")], garrisons="1712")
    assert not can_trace(g, hx(g, "1714"), SOVIET)
    g = position(
        board=two, turn=4, units=[soviet("S", "1714"), german("A", "1812"), soviet("T", "1712"), soviet("U", "1713")]
    )
    assert can_trace(g, hx(g, "1714"), SOVIET)


@rule("kharkov43", "13.1e")
def test_an_unbridged_dniepr_crossing_shortens_the_path_to_two():
    river = {"1718|1719": "dniepr"}
    g = position(board=line(rivers=river))
    assert can_trace(g, hx(g, "1718"), GERMAN), "two hexes"
    assert not can_trace(g, hx(g, "1717"), GERMAN), "three"
    assert "Dniepr" in why_not_in_supply(g, hx(g, "1717"), GERMAN).reason
    g = position(board=line(rivers=river, roads=["1718 1719"]))
    assert can_trace(g, hx(g, "1713"), GERMAN), "a bridge does not shorten it"


@rule("kharkov43", "13.1f")
def test_no_path_crosses_a_blocked_dniepr_hexside():
    g = position(board=line(rivers={"1718|1719": "blocked_dniepr"}))
    assert can_trace(g, hx(g, "1719"), GERMAN)
    assert not can_trace(g, hx(g, "1718"), GERMAN)


@rule("kharkov43", "13.1g")
def test_a_unit_in_a_friendly_map_edge_hex_is_always_supplied():
    g = supply_phase(board=line(), turn=4, units=[german("A", "1720"), soviet("S", "1719")])
    assert state(g, "A") == "supplied"
    assert ask(g, "supply", unit="A")["supply"] == {"traced": True, "path": [], "length": 0, "rule": "13.1"}


@rule("kharkov43", "13.1h")
@rule("kharkov43", "2.1f")
@rule("kharkov43", "2.1g")
def test_every_friendly_edge_hex_is_a_supply_head():
    g = position(board=line(german_edge="1720 1719", soviet_edge="1708"), units=[soviet("S", "1718")])
    assert names(g, supply_heads(g, GERMAN)) == {"1719", "1720"}
    assert names(g, supply_heads(g, SOVIET)) == {"1708"}


@rule("kharkov43", "13.1i")
@rule("kharkov43", "13.1j")
def test_a_road_hex_is_a_head_if_its_road_leads_off_a_friendly_edge():
    g = position(board=line(roads=[ROAD], exits="1720"))
    assert names(g, supply_heads(g, GERMAN)) == set(hexes(17, 17, COLUMNS)), "of any length"
    assert names(g, supply_heads(position(board=line(roads=[ROAD])), GERMAN)) == {"1720"}, "no road leads off the map"
    town = line(roads=[ROAD], exits="1720", terrain={"1715": "town"}, features={"1715": "", "1712": "village"})
    g = position(board=town, soviet_towns="1715")
    assert names(g, supply_heads(g, GERMAN)) == {"1716", "1717", "1718", "1719", "1720"}
    g = position(board=town, garrisons="1712", turn=4)
    assert "1712" not in names(g, supply_heads(g, GERMAN))
    assert "1711" not in names(g, supply_heads(g, GERMAN))
    g = position(board=town, units=[soviet("S", "1711")])
    assert names(g, supply_heads(g, GERMAN)) == {"1713", "1714", "1715", "1716", "1717", "1718", "1719", "1720"}


@rule("kharkov43", "13.1j")
def test_a_road_path_enters_control_only_where_a_friend_stands():
    two = board((17, 18), COLUMNS, german_edge="1720", roads=[ROAD], exits="1720")
    g = position(board=two, units=[soviet("S", "1814")])
    assert "1714" not in names(g, supply_heads(g, GERMAN))
    g = position(board=two, units=[soviet("S", "1814"), german("A", "1714"), german("B", "1715")])
    assert "1708" in names(g, supply_heads(g, GERMAN))


@example("kharkov43", "X41")
@rule("kharkov43", "13.1b")
@rule("kharkov43", "13.1d")
@rule("kharkov43", "13.1g")
def test_x41_tracing_supply():
    """A road from the west edge to 2404 and one from the south to 2804; Soviets east of them."""
    area = board(
        (22, 29),
        range(1, 10),
        german_edge="2409 2904 2905",
        exits="2409 2904",
        roads=["2409 2408 2407 2406 2405 2404", "2904 2804"],
    )
    units = [
        german("A", "2304"),
        german("B", "2503"),
        german("friend", "2504"),
        german("C", "2702"),
        german("D", "2905"),
        soviet("S", "2203"),
        soviet("T", "2403"),
        soviet("U", "2602"),
        soviet("V", "2703"),
        soviet("X", "2802"),
    ]
    g = position(board=area, units=units, turn=2)
    heads = names(g, supply_heads(g, GERMAN))
    assert {"2405", "2804"} <= heads
    assert "2404" not in heads, "in the zone of T, no German unit there"
    assert ask(g, "supply", unit="A")["supply"]["path"][-1] == "2405"
    assert ask(g, "supply", unit="A")["supply"]["length"] == 2
    through_friend = ask(g, "supply", unit="B")["supply"]
    assert through_friend["traced"]
    assert through_friend["path"][0] == "2504"
    alone = position(board=area, units=[u for u in units if u["id"] != "friend"], turn=2)
    assert not can_trace(alone, hx(alone, "2503"), GERMAN)
    assert not can_trace(g, hx(g, "2702"), GERMAN)
    assert ask(g, "supply", unit="D")["supply"]["traced"]


# --- 13.2 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "13.21a")
@rule("kharkov43", "13.22a")
@rule("kharkov43", "4.IIIc")
@rule("kharkov43", "4.IIId")
def test_out_of_supply_then_isolated_and_back():
    def after(status, at):
        g = supply_phase(board=CUT_OFF, turn=4, units=[german("A", at, faces="3-4 2-4", status=status)])
        while g.stack:
            apply(g, legal(g)[0])
        return state(g, "A")

    assert after([], "1710") == "oos"
    assert after(["out_of_supply"], "1710") == "isolated"
    assert after(["isolated"], "1710") == "isolated"
    assert after(["out_of_supply"], "1715") == "supplied"
    assert after(["isolated"], "1715") == "supplied"


@rule("kharkov43", "13.21d")
def test_an_out_of_supply_unit_keeps_its_improved_position_but_builds_none():
    g = position(
        board=CUT_OFF,
        turn=4,
        phase="german_activation",
        card="P23",
        units=[german("A", "1710", status=["active", "out_of_supply"])],
        improved_positions="1710",
    )
    assert names(g, g.improved_positions) == {"1710"}
    g = position(
        board=CUT_OFF,
        turn=4,
        phase="german_activation",
        card="P23",
        units=[
            german("A", "1710", status=["active", "moved", "out_of_supply"]),
            german("B", "1712", status=["active", "out_of_supply", "moved"]),
        ],
    )
    assert not g.stack, "nothing left to decide: no IP may be built"


@rule("kharkov43", "13.22d")
def test_an_isolated_armored_unit_counts_as_unarmored():
    g = position(units=[panzer("A", "1910"), panzer("B", "1911", status=["isolated"])])
    assert g.is_armor(unit(g, "A"))
    assert not g.is_armor(unit(g, "B"))
    assert g.is_mech(unit(g, "B")), "it stays mechanized"


@rule("kharkov43", "13.22j")
@rule("kharkov43", "13.23c")
def test_an_isolated_unit_that_loses_its_last_step_is_destroyed():
    g = supply_phase(board=CUT_OFF, turn=4, units=[german("A", "1710", status=["isolated"], steps=1)])
    assert [a[0] for a in legal(g)] == ["lose"]
    apply(g, legal(g)[0])
    assert g.box[unit(g, "A")] == DESTROYED


@rule("kharkov43", "13.23a")
def test_a_still_isolated_german_stack_loses_one_step_of_the_players_choice():
    units = [
        german("A", "1710", status=["isolated"]),
        german("B", "1710", status=["isolated"]),
        german("C", "1712", status=["isolated"]),
    ]
    g = supply_phase(board=CUT_OFF, turn=4, units=units)
    assert {g.id(a[1]) for a in legal(g)} == {"A", "B"}
    apply(g, ("lose", unit(g, "B")))
    assert {g.id(a[1]) for a in legal(g)} == {"C"}
    apply(g, ("lose", unit(g, "C")))
    assert [g.steps[unit(g, n)] for n in "ABC"] == [2, 1, 1]
    assert not g.stack


@rule("kharkov43", "13.23a")
@rule("kharkov43", "4.IIId")
def test_a_unit_isolated_in_this_supply_phase_does_not_surrender_yet():
    units = [
        german("A", "1710", status=["isolated"]),
        german("B", "1710", status=["out_of_supply"]),
        german("C", "1710", faces="1-4"),
    ]
    g = supply_phase(board=CUT_OFF, turn=4, units=units)
    assert [state(g, n) for n in "ABC"] == ["isolated", "isolated", "oos"]
    assert legal(g) == [("lose", unit(g, "A"))]
    assert why_not(g, ("lose", unit(g, "B"))).rule == "13.23"


@rule("kharkov43", "13.23b")
def test_a_still_isolated_soviet_stack_beside_a_german_loses_the_highest_selector():
    def steps(*germans):
        g = supply_phase(
            board=CUT_OFF,
            turn=4,
            units=[
                soviet("S", "1717", faces="3-4-05 2-4-20", status=["isolated"]),
                soviet("T", "1717", faces="3-4-09 2-4-21", status=["isolated"]),
                *germans,
            ],
        )
        return [g.steps[unit(g, n)] for n in "ST"]

    assert steps(german("A", "1718")) == [2, 1]
    assert steps(german("A", "1719")) == [2, 2], "not adjacent to a German unit"


@rule("kharkov43", "12.62a")
def test_a_supplied_unit_that_loses_its_last_step_may_come_back():
    from kessel.games.kharkov43.combat.results.losses import lose_step

    g = position(units=[german("A", "1910", faces="3-4 2-4", steps=1), german("B", "1910", faces="3-4")])
    assert lose_step(g, unit(g, "A"))
    assert lose_step(g, unit(g, "B"))
    assert g.box[unit(g, "A")] == ELIMINATED
    assert g.box[unit(g, "B")] == DESTROYED


# --- 13.3, 13.4 ----------------------------------------------------------------------------------------------------


@example("kharkov43", "X42")
@rule("kharkov43", "13.3a")
@rule("kharkov43", "11.1c")
def test_x42_reserve_supply_never_passes_a_german_zone():
    area = board((24, 25), range(1, 9), soviet_edge="2401")
    units = [soviet("A", "2402"), soviet("B", "2406"), soviet("E", "2405"), soviet("F", "2404"), german("G", "2505")]
    g = position(board=area, units=units)
    clear = ask(g, "supply", unit="A")
    assert clear["supply"]["traced"]
    assert clear["reserve_supply"]["traced"]
    answer = ask(g, "supply", unit="B")
    assert answer["supply"]["traced"], "through the friends in 2405 and 2404"
    assert not answer["reserve_supply"]["traced"]
    assert answer["reserve_supply"]["refusal"]["rule"] == "13.3"


@rule("kharkov43", "13.3a")
def test_reserve_supply_may_start_in_a_german_zone():
    g = position(board=board((17, 17), COLUMNS, soviet_edge="1708"), units=[soviet("S", "1712"), german("A", "1713")])
    assert can_trace(g, hx(g, "1712"), SOVIET, reserve=True)


@rule("kharkov43", "13.4a")
@rule("kharkov43", "13.4b")
def test_air_resupply_restores_a_stack_until_the_next_supply_phase():
    g = position(
        board=CUT_OFF,
        turn=5,
        support_line="west",
        units=[
            soviet("S", "1717", status=["isolated"]),
            soviet("T", "1717", status=["out_of_supply"]),
            soviet("U", "1716", status=["out_of_supply"]),
        ],
    )
    air_resupply(g, hx(g, "1717"), SOVIET)
    assert [state(g, n) for n in "STU"] == ["supplied", "supplied", "oos"]
    assert not is_in_support(g, hx(g, "1717")), "it gives no support"
    again = supply_phase(board=CUT_OFF, turn=6, units=[soviet("S", "1717")])
    assert state(again, "S") == "oos"


# --- 13.5 ----------------------------------------------------------------------------------------------------------

WEST = " ".join(hexes(17, 17, range(1, 14)))
EAST = " ".join(hexes(17, 17, range(1, 10)))


def supported_hexes(**doc):
    zones = {"west_support_zone": " ".join(hexes(17, 17, range(8, 14))), "east_support_zone": "1708 1709"}
    g = position(board=board((17, 17), COLUMNS, areas=zones), **doc)
    return {n for n in hexes(17, 17, COLUMNS) if is_in_support(g, hx(g, n))}


@rule("kharkov43", "13.51a")
@rule("kharkov43", "13.51d")
def test_support_is_the_zone_and_five_hexes_around_a_forward_support_marker():
    assert supported_hexes(turn=5) == set(hexes(17, 17, range(8, 14)))
    marked = supported_hexes(turn=5, forward_support="1720", units=[german("A", "1717"), german("B", "1716")])
    assert marked == set(hexes(17, 17, range(8, 21))) - {"1714"}


@rule("kharkov43", "13.51b")
@rule("kharkov43", "13.51c")
@rule("kharkov43", "2.1j")
@rule("kharkov43", "2.1k")
@rule("kharkov43", "2.1l")
@rule("kharkov43", "2.1m")
@rule("kharkov43", "4.IIIe")
def test_the_line_depends_on_turn_and_vps():
    everything, west, east = set(hexes(17, 17, COLUMNS)), set(hexes(17, 17, range(8, 14))), {"1708", "1709"}
    assert supported_hexes(turn=4, vp=5) == everything
    for turn in (5, 6, 7):
        assert supported_hexes(turn=turn, vp=5) == west
    assert supported_hexes(turn=8, vp=21) == west
    assert supported_hexes(turn=8, vp=20) == east
    assert supported_hexes(turn=14, vp=20) == east


@rule("kharkov43", "13.51c")
def test_the_line_is_fixed_for_the_turn_by_the_vps_at_its_start():
    g = supply_phase(board=CUT_OFF, turn=8, vp=21)
    assert g.track("support_line") == line_for_turn(g.charts, 8, 21)
    g.set_track("vp", 15)
    assert g.track("support_line") == line_for_turn(g.charts, 8, 21)
    set_support_line(g)
    assert g.track("support_line") == line_for_turn(g.charts, 8, 15)


@example("kharkov43", "X43")
@rule("kharkov43", "13.51a")
@rule("kharkov43", "13.52b")
def test_x43_support_on_the_printed_map():
    units = [
        soviet("A", "0814", army="3T"),
        soviet("B", "1318", army="3T"),
        soviet("C1", "1315", army="3T"),
        soviet("C2", "1216", army="3T"),
        soviet("D", "1315", army="3T", faces="1-4"),
        german("g1", "0915"),
        german("g2", "1215"),
        german("g3", "1314"),
    ]
    g = position(board="", turn=5, units=units, forward_support="1310")
    assert is_in_support(g, hx(g, "0814"))
    assert not is_in_support(g, hx(g, "1318"))
    assert is_in_support(g, hx(g, "1315")), "within five hexes of the marker, the German in 1314 notwithstanding"
    assert not is_in_support(g, hx(g, "1216"))
    answer = ask(g, "supply", unit="C1")["support"]
    assert answer["supported"]
    assert answer["total"] == 1
    assert answer["items"][-1] == {"what": "within 5 hexes of a Forward Support marker", "rule": "13.51", "value": 1}
    assert ask(g, "supply", unit="A")["support"]["total"] == 1
    assert ask(g, "supply", unit="B")["support"]["total"] == 0


@rule("kharkov43", "13.53b")
def test_a_forward_support_marker_never_affects_germans():
    plain = position(board=line(), units=[german("A", "1716")])
    marked = position(board=line(), units=[german("A", "1716")], forward_support="1715", turn=5)
    assert reach(plain, "A") == reach(marked, "A")
    assert field_of(plain, GERMAN).hexes == field_of(marked, GERMAN).hexes


@rule("kharkov43", "13.54a")
@rule("kharkov43", "4.Vc")
def test_dispersed_and_forward_support_markers_go_at_the_end_of_the_turn():
    g = position(board=line(), turn=5, forward_support="1715 1712", units=[german("A", "1719", status=["dispersed"])])
    end_turn(g)
    assert not g.forward_support
    assert not g.status[unit(g, "A")] & DISPERSED
    assert not any(m & FORWARD_SUPPORT for m in g.marks)


# --- the field and its paths agree ---------------------------------------------------------------------------------

PATCH = hexes(15, 18, range(8, 15))


@st.composite
def fields(draw):
    spots = st.sampled_from(PATCH)
    places = draw(st.lists(spots, max_size=6, unique=True))
    units = [draw(st.sampled_from([german, soviet]))(f"U{i}", h) for i, h in enumerate(places)]
    for u in units:
        u["status"] = draw(st.sampled_from([[], [], ["isolated"]]))
    rivers = {
        f"16{c:02d}|16{c + 1:02d}": draw(st.sampled_from(["dniepr", "blocked_dniepr"]))
        for c in draw(st.lists(st.sampled_from(range(8, 14)), max_size=3))
    }
    b = board(
        (15, 18),
        range(8, 15),
        rivers=rivers,
        roads=draw(st.sampled_from([[], ["1714 1713 1712 1711 1710 1709 1708"]])),
        exits="1714 1708",
        german_edge="1714 1614",
        soviet_edge="1708 1508",
        terrain={"1711": "town"},
    )
    taken = any(u["at"] == "1711" and u["formation"] == "XL" for u in units)
    return position(board=b, units=units, soviet_towns="" if taken else draw(st.sampled_from(["", "1711"])))


@settings(max_examples=80)
@given(fields(), st.booleans())
def test_every_traced_hex_has_a_legal_path_and_every_other_a_reason(g, reserve):
    for side in (GERMAN, SOVIET):
        for h in g.map.grid.hexes:
            why = why_not_in_supply(g, h, side, reserve=reserve)
            field = field_of(g, side, reserve=reserve)
            if g.hexes_of(1 - side) >> h & 1:
                continue
            assert (h in field) == (why is None)
            if why is not None:
                continue
            path = field.path(h)
            assert path is not None
            assert len(path) <= 7
            here = h
            for n in path:
                assert g.map.grid.adjacent(here, n)
                assert not field.obstacles.closed >> n & 1
                assert not g.ground.blocked[g.map.grid.direction(here, n)] >> here & 1
                here = n
            assert field.heads >> here & 1


# --- where the Soviet system meets supply and support ----------------------------------------------------------------


@rule("kharkov43", "13.22i")
def test_isolated_germans_are_attacked_whatever_the_ratio():
    def attacked(status):
        units = [
            soviet("S", "1909", faces="2-4-05 1-4-15", status=["active"]),
            german("G", "1910", faces="9-4", status=status),
        ]
        g = position(board=board(soviet_edge="1901"), turn=4, units=units, cards={"draw": "E01 E02 E03 E05 E07"})
        return check_lead(g, unit(g, "S"), [hx(g, "1910")], g.charts.card_index("E10")).succeeds

    assert attacked(["isolated"])
    assert not attacked(["out_of_supply"])


@rule("kharkov43", "13.53a")
def test_the_forward_support_event_places_a_marker_and_never_a_third():
    area = board(soviet_edge="1901 1701", areas={"west_support_zone": "1901"})
    units = [soviet("S", "1907", army="Popov"), soviet("T", "1705", army="Popov")]
    g = position(board=area, turn=5, units=units, forward_support="2115")
    card, event = g.charts.card("E17"), g.charts.events["forward_support"]
    assert why_not_soviet_event(g, card, event) is None
    conduct_event(g, card, event)
    assert g.forward_support.bit_count() == 2
    (placed,) = names(g, g.forward_support) - {"2115"}
    assert placed in ("1907", "1705")
    assert is_in_support(g, hx(g, placed)), "from that moment"
    far = position(board=area, turn=5, units=units, forward_support="2115 2119")
    assert why_not_soviet_event(far, card, event) is not None, "two are on the map"
