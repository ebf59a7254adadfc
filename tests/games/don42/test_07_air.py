"""7.0 Air units."""

from __future__ import annotations

import pytest

from kessel.games.don42.board import BOMBED, DPT, DRG, FLOWN, READY, RTD
from kessel.games.don42.combat.air import ALL_UNITS, AirPhase, bombarded, standing_bridges, strikers, why_not_strike
from kessel.games.don42.data.forces import GERMAN, SOVIET

from .helpers import PACK, ask, at, board, do, fresh, ger, h, pos, refusal, sov, start, texts, u, word

GERMAN_AIR = [{"id": n} for n in ("Ju87-1", "Ju87-2", "Ju88-1", "He111-1", "He111-2", "Ju52-1")]
SOVIET_AIR = [{"id": n} for n in ("Il2-1", "Il2-2", "Il2-3")]


def sky(*units, side="german", count="all", **fields):
    planes = GERMAN_AIR + SOVIET_AIR
    return pos(*units, *planes, air={"side": side, "units": count}, phase=fields.pop("phase", "air"), **fields)


def roll_for_air(*dice, turn=3):
    g = fresh("crossing-the-don")
    g.set_track("turn", turn)
    start(g, AirPhase(), dice=list(dice))
    return g


@pytest.mark.rule("don42", "5.0.2.a", "7.1.a", "7.1.b")
@pytest.mark.parametrize("die", range(1, 7))
def test_air_initiative_is_german_on_1_to_4_and_the_winner_rolls_for_aircraft(die):
    g = roll_for_air(die, 1)
    assert g.track("air_side") == (1 if die <= 4 else 2)
    assert g.dice.count == 2, "a second die for availability"
    assert bool(strikers(g, GERMAN)) is (die <= 4)
    assert bool(strikers(g, SOVIET)) is (die > 4)


@pytest.mark.rule("don42", "7.1.1", "17.1.1.a", "17.1.1.b")
def test_automatic_superiority_gives_all_air_units_without_a_roll():
    for turn, side in ((1, GERMAN), (2, GERMAN), (5, GERMAN), (7, SOVIET), (15, SOVIET)):
        g = roll_for_air(turn=turn)
        assert g.track("air_side") == side + 1
        assert g.track("air_left") == ALL_UNITS
        assert g.dice.count == 0


@pytest.mark.rule("don42", "7.2.a", "7.2.b", "7.2.c")
@pytest.mark.parametrize(("die", "units"), [(1, 2), (2, 2), (3, 3), (4, 3), (5, ALL_UNITS), (6, ALL_UNITS)])
def test_availability(die, units):
    assert roll_for_air(1, die).track("air_left") == units


@pytest.mark.rule("don42", "7.2.d")
def test_the_owner_picks_any_air_units_up_to_the_number_rolled():
    g = sky(sov("X", "0,0"), sov("Y", "3,0"), count=2)
    do(g, "bombard 0,0")
    assert {t for t in texts(g) if t.startswith("plane")} == {
        f"plane {n['id']}" for n in GERMAN_AIR if n["id"] != "Ju52-1"
    }
    do(g, "plane He111-2", "plane Ju87-1")
    assert texts(g) == ["strike"]
    assert refusal(g, "plane Ju88-1").rule == "7.2"


@pytest.mark.rule("don42", "7.2.e")
def test_german_initiative_brings_every_transport_on_top():
    pocket = ger("HQ14PzC", "5,0", "0-1-10", type="hq", size="corps", division="")
    g = sky(pocket, sov("X", "0,0"), count=2)
    do(g, "bombard 0,0", "plane Ju87-1", "plane Ju87-2", "strike", dice=[1])
    assert g.track("air_left") == 0
    assert "airlift HQ14PzC with Ju52-1" in texts(g)
    assert "airlift HQ14PzC with He111-1" not in texts(g)


@pytest.mark.rule("don42", "5.0.2.b", "7.0.a", "7.3.a")
def test_bombers_and_dive_bombers_bombard_now_or_wait_for_ground_support():
    g = sky(sov("X", "1,0"), ger("A", "0,0"))
    do(g, "bombard 1,0", "plane Ju87-1", "plane He111-1", "strike", dice=[4])
    assert word(g, "X") == "DRG"
    waiting = sky(sov("X", "1,0"), ger("A", "0,0"), phase="german_combat")
    do(waiting, "attack 1,0", "with A", "assault")
    assert "plane Ju88-1" in texts(waiting)


@pytest.mark.rule("don42", "7.3.b")
def test_transports_never_bombard():
    g = sky(sov("X", "1,0"))
    assert why_not_strike(g, u(g, "Ju52-1")).rule == "7.3"
    do(g, "bombard 1,0")
    assert refusal(g, "plane Ju52-1").rule == "7.3"


@pytest.mark.rule("don42", "7.3.c", "3.1.1.b")
def test_an_air_unit_that_bombarded_gives_no_support_in_the_same_turn_and_is_back_in_its_box():
    g = sky(sov("X", "1,0"), ger("A", "0,0"))
    before = g.place[u(g, "Ju87-1")]
    do(g, "bombard 1,0", "plane Ju87-1", "strike", dice=[1])
    assert g.status[u(g, "Ju87-1")] & FLOWN
    assert g.place[u(g, "Ju87-1")] == before
    assert why_not_strike(g, u(g, "Ju87-1")).rule == "7.3"
    assert u(g, "Ju87-1") not in strikers(g, GERMAN)


@pytest.mark.rule("don42", "7.3.d", "7.3.e")
def test_air_units_are_free_again_each_turn_and_never_lost():
    g = fresh("crossing-the-don")
    g.set_status(u(g, "Ju87-1"), FLOWN)
    from kessel.games.don42.board import FOR_TURN

    assert FOR_TURN & FLOWN
    g.clear_flags(FOR_TURN)
    assert u(g, "Ju87-1") in g.forces.air_units[GERMAN]
    assert g.steps[u(g, "Ju87-1")] == 1


@pytest.mark.rule("don42", "7.0.d", "3.1.1.c")
def test_there_are_no_fighters_and_no_flak():
    kinds = {r["type"] for r in PACK.rows("counters.csv") if r["size"] == "air"}
    assert kinds == {"dive_bomber", "bomber", "transport"}


@pytest.mark.rule("don42", "7.3.1.a")
def test_a_ground_unit_is_bombarded_once_in_the_air_phase():
    g = sky(sov("X", "1,0"), sov("Y", "3,0"))
    do(g, "bombard 1,0", "plane Ju87-1", "strike", dice=[1])
    assert g.status[u(g, "X")] & BOMBED
    assert "bombard 1,0" not in texts(g)
    assert "bombard 3,0" in texts(g)
    assert refusal(g, "bombard 1,0").rule == "7.3.1"


@pytest.mark.rule("don42", "7.3.1.b", "7.3.2.a", "RX-BOM", "RX-AIR")
def test_several_air_units_combine_their_factors_on_one_roll():
    g = sky(sov("X", "1,0"))
    found = ask(g, "bombardment", hex="1,0", units=["Ju87-1", "Ju88-1", "He111-1"])
    assert found["factors"]["total"] == 4 + 5 + 4
    assert found["column"] == "10-13"
    assert found["results"]["4"] == "DPT"
    do(g, "bombard 1,0", "plane Ju87-1", "plane Ju88-1", "plane He111-1", "strike", dice=[4])
    assert word(g, "X") == "DPT"
    assert g.dice.count == 1


@pytest.mark.rule("don42", "7.3.1.c", "3.1.1.a")
def test_a_bombarded_unit_may_later_be_the_target_of_ground_support():
    g = sky(sov("X", "1,0", status=["bombed"]), ger("A", "0,0"), phase="german_combat")
    do(g, "attack 1,0", "with A", "assault", "plane Ju87-1")
    assert u(g, "Ju87-1") in g.stack[-1].planes


@pytest.mark.rule("don42", "7.3.1.d")
def test_soviet_bombs_hit_every_unit_of_a_german_stack():
    g = sky(ger("A", "0,0"), ger("B", "0,0"), sov("X", "5,0"), side="soviet")
    do(g, "bombard 0,0", "plane Il2-1", "plane Il2-2", "strike", dice=[3])
    assert (word(g, "A"), word(g, "B")) == ("DRG", "DRG")


@pytest.mark.rule("don42", "7.3.2.b")
def test_terrain_is_ignored_by_bombs():
    plain = ask(sky(sov("X", "1,0")), "bombardment", hex="1,0", units=["Ju87-1"])
    city = sky(sov("X", "1,0"), on=board(terrain={"1,0": "city"}))
    assert ask(city, "bombardment", hex="1,0", units=["Ju87-1"])["results"] == plain["results"]


@pytest.mark.rule("don42", "7.3.2.c")
def test_drg_and_another_drg_or_dpt_make_dpt():
    assert bombarded(DRG, "DRG") == DPT
    assert bombarded(DRG, "DPT") == DPT
    assert bombarded(0, "DRG*") == DRG
    assert bombarded(DPT, "DRG") == DPT
    assert bombarded(RTD, "DRG") == RTD
    assert bombarded(DRG, "NE") == DRG


@pytest.mark.rule("don42", "7.3.2.d")
def test_dpt_and_another_dpt_or_rtd_make_rtd_with_a_retreat_of_three():
    assert bombarded(DPT, "DPT") == RTD
    assert bombarded(DPT, "RTD") == RTD
    g = sky(sov("X", "0,0", status=["DPT"]), ger("A", "-4,0"))
    do(g, "bombard 0,0", "plane Ju87-1", "plane Ju88-1", "plane He111-1", "strike", dice=[4])
    assert word(g, "X") == "RTD"
    assert all(t.startswith("retreat") and t.count("-") >= 2 for t in texts(g))
    do(g, texts(g)[0])
    assert g.map.grid.distance(g.place[u(g, "X")], h(g, "0,0")) == 3


# --- 7.4 bridges ---------------------------------------------------------------------------------------------------

STRAIGHT = {f"0,{r}|1,{r}": "minor_river" for r in range(-5, 6)}
SLANTING = {f"0,{r}|1,{r - 1}": "minor_river" for r in range(-5, 7)}
CROSSING = board(sides=STRAIGHT | SLANTING, roads=[("minor_road", "0,0 1,0 2,0")])


@pytest.mark.rule("don42", "7.4.a", "10.1.2.e")
def test_a_bridge_stands_where_a_road_crosses_a_river_and_is_part_of_the_road():
    g = pos(ger("A", "0,0", "4-4-10"), on=CROSSING, phase="german_movement")
    assert [g.map.grid.hexside_name(s) for s in standing_bridges(g)] == ["0,0|1,0"]
    assert ask(g, "moves", unit="A", to="1,0")["cost"] == 1


@pytest.mark.rule("don42", "7.4.c", "7.4.e", "10.1.2.f")
def test_an_asterisk_destroys_a_bridge():
    for die in range(1, 7):
        g = sky(ger("A", "5,0"), side="soviet", on=CROSSING)
        do(g, "bomb_bridge 0,0|1,0", "plane Il2-1", "strike", dice=[die])
        starred = PACK.table("bombardment").at(die, "4-6").endswith("*")
        assert (standing_bridges(g) == []) is starred
        assert starred is (die == 5)
    walker = pos(ger("A", "0,0", "4-4-10"), on=CROSSING, destroyed_bridges=["0,0|1,0"], phase="german_movement")
    assert ask(walker, "moves", unit="A", to="1,0")["cost"] == 3, "one MP for the hex, two for the Don"


@pytest.mark.rule("don42", "7.4.d")
def test_one_attempt_per_bridge_and_turn():
    g = sky(ger("A", "5,0"), side="soviet", on=CROSSING)
    do(g, "bomb_bridge 0,0|1,0", "plane Il2-1", "strike", dice=[1])
    assert refusal(g, "bomb_bridge 0,0|1,0").rule == "7.4"
    from kessel.games.don42.combat.air import forget_attempts

    forget_attempts(g)
    assert "bomb_bridge 0,0|1,0" in texts(g), "a new turn"


@pytest.mark.rule("don42", "7.4.c")
def test_a_pontoon_is_a_bridge_to_bomb():
    g = sky(sov("X", "5,0"), side="soviet", on=CROSSING, pontoons=[{"hexside": "0,1|1,1"}])
    assert g.pontoon_state[0] & 3 == READY
    do(g, "bomb_bridge 0,1|1,1", "plane Il2-1", "strike", dice=[5])
    assert "0,1|1,1" not in [g.map.grid.hexside_name(s) for s in standing_bridges(g)]


# --- 7.5 ground support --------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "7.5.a", "7.5.b", "12.3.2")
def test_two_air_units_at_most_each_shifting_one_column():
    g = sky(sov("X", "1,0"), ger("A", "0,0"), phase="german_combat")
    alone = ask(g, "attack", hex="1,0", units=["A"])["column"]
    for n in (1, 2):
        planes = ["Ju87-1", "He111-1"][:n]
        assert ask(g, "attack", hex="1,0", units=["A"], planes=planes)["column"] == alone + n
    three = ask(g, "attack", hex="1,0", units=["A"], planes=["Ju87-1", "He111-1", "Ju88-1"])
    assert three["refusal"]["rule"] == "7.5"
    transport = ask(g, "attack", hex="1,0", units=["A"], planes=["Ju52-1"])
    assert transport["refusal"]["rule"] == "7.5"
    do(g, "attack 1,0", "with A", "assault", "plane Ju87-1", "plane He111-1", dice=[1])
    assert not any(t.startswith("plane") for t in texts(g)) if g.stack else True
    assert at(g, "A")
