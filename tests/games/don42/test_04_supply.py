"""4.0-4.3 Supply."""

from __future__ import annotations

import pytest

from kessel.core.hexset import members
from kessel.games.don42.board import ATTACK, GENERAL, OOS, S_COMBAT
from kessel.games.don42.combat.combat import CombatPhase, why_not_attack
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import allowance
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.supply import has_ground_line, state_now

from .helpers import ask, board, do, ger, h, homeland, hq62, pos, refusal, sov, start, texts, u

# A German line: a minor road along q = 0 from -6 to 6, the Don between 0,4 and 0,5 and along that row, bridged there.
RIVER = {f"{q},4|{q},5": "minor_river" for q in range(-6, 2)} | {
    f"{q},4|{q - 1},5": "minor_river" for q in range(-5, 3)
}


def german_board(**more):
    road = " ".join(f"0,{r}" for r in range(-6, 7))
    features = {"0,6": ["german_source"], "0,-6": ["soviet_source"]}
    areas = {"west_bank": " ".join(f"{q},{r}" for r in (5, 6) for q in range(-6, 2) if abs(q + r) <= 6)}
    return board(
        sides=RIVER | more.pop("sides", {}), roads=[("minor_road", road)], features=features, areas=areas, **more
    )


def corps(at="0,0"):
    return ger("HQ14PzC", at, "0-1-10", type="hq", size="corps", division="")


def division(at="0,-1", **more):
    return ger("HQ16Pz", at, "0-1-10", type="hq", size="division", **more)


def germans(*more, hq="0,0", div="0,-1", **fields):
    return pos(corps(hq), division(div), *more, on=fields.pop("on", german_board()), **fields)


def state(g, name):
    return ("out", "general", "attack")[state_now(g, u(g, name))]


@pytest.mark.rule("don42", "4.0.a", "12.1.a", "5.0.7.a")
def test_the_state_is_set_when_a_phase_begins_and_holds_for_all_of_it():
    g = pos(hq62(), sov("X", "0,0"), sov("Y", "1,-3"), ger("A", "5,0"), on=homeland())
    start(g, CombatPhase(SOVIET, S_COMBAT))
    g = pos(hq62(), sov("X", "0,0"), ger("A", "1,0"), on=homeland())
    start(g, CombatPhase(SOVIET, S_COMBAT))
    assert g.supply[u(g, "X")] == ATTACK
    g.move(u(g, "HQ62A"), h(g, "-6,3"))
    assert state(g, "X") != "attack"
    assert g.supply[u(g, "X")] == ATTACK
    assert "attack 1,0" in texts(g)


@pytest.mark.rule("don42", "4.0.b", "4.2.3.a", "4.1.c")
def test_soviet_units_are_in_attack_or_general_supply_or_out_of_it():
    wall = [ger(f"A{q}", f"{q},3") for q in (-5, -3, -1, 1, 3)]
    g = pos(hq62("0,-6"), sov("X", "0,-3"), sov("Y", "1,1"), sov("Z", "0,5"), *wall, on=homeland())
    assert (state(g, "X"), state(g, "Y"), state(g, "Z")) == ("attack", "general", "out")


@pytest.mark.rule("don42", "4.0.c", "4.3.a", "4.3.2.a")
def test_german_units_are_in_attack_supply_or_out_of_it():
    g = germans(ger("A", "0,-3"))
    assert state(g, "A") == "attack"
    lost = pos(corps(), ger("A", "0,-3"), on=german_board())
    assert state(lost, "A") == "out", "no Division HQ"


@pytest.mark.rule("don42", "4.1.a")
def test_a_line_avoids_enemy_units_and_their_zones():
    free = germans(ger("A", "0,-5"))
    assert state(free, "A") == "attack"
    zoned = germans(ger("A", "0,-5"), *(sov(f"X{q}", f"{q},-3") for q in (-3, -1, 1, 3, 5)))
    assert state(zoned, "A") == "out"
    line = next(x for x in ask(free, "supply", unit="A")["lines"] if "HQ16Pz" in x["what"])
    assert line["path"] == ["0,-4", "0,-3", "0,-2", "0,-1"]
    assert line["cost"] == 4


@pytest.mark.rule("don42", "4.1.d")
def test_no_line_crosses_the_volga():
    straight = {f"{q},-1|{q},0": "major_river" for q in range(-5, 7)}
    slanting = {f"{q},-1|{q - 1},0": "major_river" for q in range(-5, 7)}
    north = board(sides=straight | slanting, roads=[("minor_road", "0,-6 0,-5 0,-4 0,-3 0,-2 0,-1")],
                  features={"0,-6": ["soviet_source"]})  # fmt: skip
    g = pos(hq62(), sov("X", "0,0"), sov("Y", "1,-1"), on=north)
    assert state(g, "X") == "out"
    assert state(g, "Y") == "attack"


@pytest.mark.rule("don42", "4.1.e")
def test_soviet_lines_cross_all_other_terrain_even_an_unbridged_don():
    sides = {f"{q},0|{q},1": "minor_river" for q in range(-6, 6)} | {f"{q},0|{q - 1},1": "gorge" for q in range(-5, 7)}
    on = board(
        sides=sides,
        roads=[("minor_road", "0,-6 0,-5 0,-4 0,-3 0,-2 0,-1")],
        features={"0,-6": ["soviet_source"]},
        terrain={"0,0": "hill", "1,0": "town"},
    )
    g = pos(hq62(), sov("X", "0,1"), on=on)
    assert state(g, "X") != "out"


@pytest.mark.rule("don42", "4.1.f")
def test_no_unit_is_ever_removed_for_lack_of_supply():
    wall = [ger(f"A{q}", f"{q},3") for q in (-5, -3, -1, 1, 3)]
    g = pos(hq62("0,-6"), sov("Z", "0,5", "1-1-5"), *wall, on=homeland())
    for _ in range(5):
        supply.check(g, SOVIET, "4.0")
    assert g.supply[u(g, "Z")] == OOS
    assert g.steps[u(g, "Z")] == 1


@pytest.mark.rule("don42", "4.1.g")
def test_a_routed_unit_traces_half_as_far():
    near = pos(hq62("0,-6"), sov("X", "3,-3", status=["RTD"]), on=homeland())
    assert state(near, "X") == "general"
    far = pos(hq62("0,-6"), sov("X", "4,-3", status=["RTD"]), on=homeland())
    assert state(far, "X") == "out", "4 MPs; a routed unit has 3 of the 7"
    whole = pos(hq62("0,-6"), sov("X", "4,-3"), on=homeland())
    assert state(whole, "X") == "attack"


@pytest.mark.rule("don42", "4.1.h")
def test_railroads_carry_no_supply():
    rail = board(roads=[("railroad", "0,-6 0,-5 0,-4 0,-3 0,-2 0,-1 0,0")], features={"0,-6": ["soviet_source"]})
    assert state(pos(sov("X", "0,0"), on=rail), "X") == "out"


@pytest.mark.rule("don42", "4.2.a", "4.2.b", "5.0.7.b")
def test_a_soviet_unit_attacks_only_in_attack_supply():
    g = pos(sov("X", "0,0", supply="general"), ger("A", "1,0"), phase="soviet_combat")
    assert why_not_attack(g, u(g, "X")).rule == "4.2"
    assert not g.stack, "nobody can attack, so the phase is over"
    able = pos(sov("X", "0,0", supply="attack"), ger("A", "1,0"), phase="soviet_combat")
    assert "attack 1,0" in texts(able)


@pytest.mark.rule("don42", "4.2.c", "4.2.3.b")
def test_soviets_out_of_supply_never_attack_and_defend_at_half():
    g = pos(sov("X", "0,0", "3-5-5", supply="out of supply"), ger("A", "1,0"), phase="german_combat")
    assert why_not_attack(g, u(g, "X")).rule == "4.2"
    found = ask(g, "attack", hex="0,0", units=["A"])
    assert found["defence"]["total"] == 2
    assert found["defence"]["items"][0]["rule"] == "4.2.3"
    weak = pos(sov("X", "0,0", "1-1-5", supply="out of supply"), ger("A", "1,0"), phase="german_combat")
    assert ask(weak, "attack", hex="0,0", units=["A"])["defence"]["total"] == 1, "never less than 1"


@pytest.mark.rule("don42", "4.2.d")
def test_supplied_soviets_move_fully():
    for kind in ("attack", "general"):
        g = pos(hq62(), sov("X", "0,0", supply=kind), on=homeland())
        assert allowance(g, u(g, "X")).total == 5


@pytest.mark.rule("don42", "4.2.1.a")
def test_general_supply_is_seven_mps_to_a_road():
    g = pos(sov("X", "6,-3"), sov("Y", "-6,0"), on=homeland())
    line = ask(g, "supply", unit="X")["lines"][0]
    assert (line["limit"], line["cost"], line["holds"]) == (7.0, 6.0, True)
    hills = {f"{q},{r}": "hill" for q in range(1, 7) for r in range(-6, 7) if abs(q + r) <= 6}
    steep = pos(sov("X", "6,-3"), on=homeland(terrain=hills))
    assert state(steep, "X") == "out", "eleven MPs over hills"


@pytest.mark.rule("don42", "4.2.1.b")
def test_the_road_must_lead_off_the_map():
    g = pos(sov("X", "2,0"), ger("A", "1,-3"), ger("B", "-1,-3"), on=homeland())
    assert state(g, "X") == "out", "the road is cut by zones"
    assert state(pos(sov("X", "2,0"), on=homeland()), "X") == "general"


@pytest.mark.rule("don42", "4.2.1.c")
def test_general_supply_needs_no_hq():
    assert state(pos(sov("X", "2,0"), on=homeland()), "X") == "general"


@pytest.mark.rule("don42", "4.2.2.a")
def test_attack_supply_is_seven_mps_to_the_parent_hq():
    g = pos(hq62("0,-4"), sov("X", "0,3"), sov("Y", "0,4"), sov("Z", "0,0", army="4TkA"), on=homeland())
    assert state(g, "X") == "attack"
    assert state(g, "Y") == "general", "eight MPs"
    assert state(g, "Z") == "general", "another Army's HQ does not serve"


@pytest.mark.rule("don42", "4.2.2.b")
def test_the_hq_must_be_within_one_hex_of_a_road():
    assert state(pos(hq62("1,-2"), sov("X", "2,0"), on=homeland()), "X") == "attack"
    assert state(pos(hq62("2,-2"), sov("X", "2,0"), on=homeland()), "X") == "general"


@pytest.mark.rule("don42", "4.2.2.c")
def test_the_road_of_the_hq_must_lead_off_the_map():
    g = pos(hq62("0,0"), sov("X", "0,2"), ger("A", "1,-3"), ger("B", "-1,-3"), on=homeland())
    assert state(g, "X") == "out"


@pytest.mark.rule("don42", "4.2.2.d", "5.0.4.e", "5.0.5.b")
def test_units_in_attack_supply_act_only_if_their_army_is_activated():
    units = [hq62(), sov("X", "0,0"), ger("A", "1,0")]
    idle = pos(*units, on=homeland(), activated=[], phase="soviet_movement")
    assert refusal(idle, "move X").rule == "5.0.5"
    assert why_not_attack(idle, u(idle, "X")).rule == "5.0.7"
    awake = pos(*units, on=homeland(), activated=["62A"], phase="soviet_movement")
    assert "move X" in texts(awake)


@pytest.mark.rule("don42", "4.2.2.e")
def test_attack_supply_must_hold_when_the_combat_phase_begins():
    g = pos(hq62("0,-4"), sov("X", "0,4", supply="attack"), ger("A", "1,4"), on=homeland())
    start(g, CombatPhase(SOVIET, S_COMBAT))
    assert g.supply[u(g, "X")] == GENERAL
    assert not g.stack


@pytest.mark.rule("don42", "4.2.3.c")
def test_unsupplied_soviet_infantry_mortars_and_anti_tank_guns_move_fully():
    for kind in ("infantry", "mortar", "anti_tank"):
        g = pos(hq62(), sov("X", "0,0", type=kind, supply="out of supply"), on=homeland())
        assert allowance(g, u(g, "X")).total == 5


@pytest.mark.rule("don42", "4.2.3.d")
def test_unsupplied_soviet_hqs_motorized_units_and_artillery_halve_their_mps():
    for kind, faces, half in (("hq", "0-1-8", 4), ("artillery", "5-1-5", 2), ("t34", "5-4-10", 5)):
        g = pos(
            hq62(), sov("X", "0,0", faces, type=kind, motorized=kind == "t34", supply="out of supply"), on=homeland()
        )
        assert allowance(g, u(g, "X")).total == half
    truck = sov("X", "0,0", "3-4-8", type="trucked_infantry", motorized=True, supply="out of supply")
    g = pos(hq62(), truck, on=homeland())
    assert allowance(g, u(g, "X")).total == 4


@pytest.mark.rule("don42", "4.2.3.e")
def test_soviets_never_move_out_of_supply_by_choice():
    g = pos(hq62("0,0"), sov("X", "7,-3"), on=homeland(8), supply="traced", phase="soviet_movement")
    assert state(g, "X") == "attack"
    do(g, "move X")
    assert "to 6,-3" in texts(g)
    assert refusal(g, "to 8,-3").rule == "4.2.3"
    lost = pos(hq62("0,0"), sov("X", "8,-4"), on=homeland(8), supply="traced", phase="soviet_movement")
    do(lost, "move X")
    assert "to 8,-5" in texts(lost), "a unit out of supply already may go where it likes"


@pytest.mark.rule("don42", "4.3.b", "4.3.1.a")
def test_the_german_chain_runs_from_unit_to_division_to_corps_to_a_don_bridge():
    g = germans(ger("A", "0,-5"))
    what = [(x["what"], x["holds"]) for x in ask(g, "supply", unit="A")["lines"]]
    assert what == [("to HQ16Pz", True), ("HQ16Pz to HQ14PzC", True), ("HQ14PzC by road to a Don bridge", True)]
    hills = {f"{q},{r}": "hill" for q in range(-6, 7) for r in range(-6, -1) if q and abs(q + r) <= 6}
    far = germans(ger("A", "6,-6"), on=german_board(terrain=hills))
    line = ask(far, "supply", unit="A")["lines"][0]
    assert line["limit"] == 12
    assert line["holds"] is (line["cost"] is not None)


@pytest.mark.rule("don42", "4.3.1.a", "4.3.1.b")
@pytest.mark.parametrize(("weather", "reaches"), [("clear", True), ("mud", False)])
def test_each_link_is_of_twelve_mps_at_most(weather, reaches):
    unit = germans(ger("A", "0,-6"), div="0,-1", weather=weather)
    assert (state(unit, "A") == "attack") is reaches, "five minor-road hexes: 5 MPs, in mud 15"
    hq = germans(ger("A", "0,-6"), div="0,-5", weather=weather)
    assert (state(hq, "A") == "attack") is reaches


@pytest.mark.rule("don42", "4.3.1.c")
def test_the_corps_hq_must_stand_on_a_road_that_leads_over_the_don():
    assert state(germans(ger("A", "0,-3")), "A") == "attack"
    beside = germans(ger("A", "0,-3"), hq="1,0")
    assert not has_ground_line(beside, beside.command_index("14PzC"))
    cut = germans(ger("A", "0,-3"), sov("X", "1,2"), sov("Y", "-1,3"))
    assert not has_ground_line(cut, cut.command_index("14PzC"))


@pytest.mark.rule("don42", "4.3.1.c")
def test_readings_of_the_end_of_the_german_road():
    blocked_end = [sov("X", "0,6")]
    strict = germans(ger("A", "0,-3"), *blocked_end)
    assert not has_ground_line(strict, strict.command_index("14PzC")), "the far end of the bridge is in a Soviet zone"
    easy = germans(ger("A", "0,-3"), *blocked_end, options={"german_source": "to_bridge"})
    assert has_ground_line(easy, easy.command_index("14PzC"))
    edge = germans(ger("A", "0,-3"), options={"german_source": "west_edge"})
    assert has_ground_line(edge, edge.command_index("14PzC"))
    ends = [set(g.map.grid.names(members(supply.home_ends(g)))) for g in (germans(), strict, easy, edge)]
    assert ends == [{"0,4", "0,5", "0,6"}, set(), {"0,4"}, {"0,6"}]


@pytest.mark.rule("don42", "4.3.c")
def test_rain_adds_one_mp_per_hex_to_german_lines():
    def cost(weather):
        g = germans(ger("A", "0,-3"), weather=weather)
        return ask(g, "supply", unit="A")["lines"][0]["cost"]

    assert (cost("clear"), cost("rain"), cost("mud")) == (2.0, 4.0, 6.0)


@pytest.mark.rule("don42", "4.3.1.d")
def test_eight_divisions_belong_to_three_corps():
    from .helpers import fresh

    g = fresh("crossing-the-don")
    where = {d: {g.command_name(x) for x in g.forces.of(d)} for d in ("384Div", "389Div", "295Div", "71Div", "76Div")}
    assert where == {"384Div": {"8C"}, "389Div": {"8C"}, "295Div": {"51C"}, "71Div": {"51C"}, "76Div": {"51C"}}
    assert {g.command_name(x) for d in ("16Pz", "3Mot", "60Mot") for x in g.forces.of(d)} == {"14PzC"}


@pytest.mark.rule("don42", "4.3.2.b")
def test_unsupplied_german_infantry_moves_fully():
    g = pos(ger("A", "0,0", "5-6-6", type="infantry", size="regiment", motorized=False, supply="out of supply"))
    assert allowance(g, u(g, "A")).total == 6


@pytest.mark.rule("don42", "4.3.2.c")
def test_other_unsupplied_germans_halve_their_mps():
    kinds = {"pz3": 12, "trucked_infantry": 10, "machine_gun": 6, "artillery": 6, "hq": 10}
    for kind, mps in kinds.items():
        motorized = kind in ("pz3", "trucked_infantry")
        g = pos(ger("A", "0,0", f"1-1-{mps}", type=kind, motorized=motorized, supply="out of supply"))
        assert allowance(g, u(g, "A")).total == mps // 2, kind


@pytest.mark.rule("don42", "4.3.2.d")
def test_unsupplied_germans_defend_fully_and_attack_at_half():
    g = pos(ger("A", "0,0", "5-5-10", supply="out of supply"), sov("X", "1,0"), phase="german_combat")
    assert ask(g, "attack", hex="1,0", units=["A"])["attack"]["total"] == 2
    assert ask(g, "attack", hex="0,0", units=["X"])["defence"]["total"] == 5


@pytest.mark.rule("don42", "4.3.2.f")
def test_germans_may_move_out_of_supply():
    g = germans(ger("A", "0,-3"), sov("X", "1,-6"), sov("Y", "-1,-4"), phase="german_movement", supply="traced")
    do(g, "move A")
    assert any(t.startswith("to ") for t in texts(g))
    far = pos(corps(), ger("A", "5,-3"), on=german_board(), phase="german_movement")
    assert ask(far, "moves", unit="A")["reach"]


@pytest.mark.rule("don42", "4.3.3.a", "10.1.2.d")
def test_german_lines_cross_the_don_at_bridges_only():
    g = germans(ger("A", "-2,5"), ger("B", "0,5"))
    over = ask(g, "supply", unit="A")["lines"][0]
    assert "0,4" in over["path"], "the line goes round by the bridge"
    broken = germans(ger("A", "-2,5"), destroyed_bridges=["0,4|0,5"])
    assert ask(broken, "supply", unit="A")["lines"][0]["path"] is None
    pontoon = germans(ger("A", "-2,5"), destroyed_bridges=["0,4|0,5"], pontoons=[{"hexside": "-2,4|-2,5"}])
    assert ask(pontoon, "supply", unit="A")["lines"][0]["path"] is not None


@pytest.mark.rule("don42", "4.3.3.b")
def test_with_the_bridge_lost_units_within_fourteen_mps_of_the_river_are_supplied():
    g = germans(ger("A", "0,-3"), destroyed_bridges=["0,4|0,5"])
    assert not has_ground_line(g, g.command_index("14PzC"))
    assert state(g, "A") == "attack"
    line = ask(g, "supply", unit="A")["lines"][-1]
    assert (line["rule"], line["limit"], line["cost"]) == ("4.3.3", 14.0, 7.0)


@pytest.mark.rule("don42", "4.3.3.c")
def test_units_further_than_fourteen_mps_from_the_don_are_then_out_of_supply():
    g = germans(ger("A", "0,-3"), destroyed_bridges=["0,4|0,5"], weather="rain")
    assert ask(g, "supply", unit="A")["lines"][-1]["cost"] == 14.0
    assert state(g, "A") == "attack"
    far = germans(ger("A", "0,-4"), destroyed_bridges=["0,4|0,5"], weather="rain")
    assert state(far, "A") == "out"


@pytest.mark.rule("don42", "4.3.3.b")
def test_a_routed_unit_traces_seven_of_the_fourteen():
    g = germans(ger("A", "0,-4", status=["RTD"]), destroyed_bridges=["0,4|0,5"])
    assert state(g, "A") == "out"
    full = germans(ger("A", "0,-4", status=["RTD"]), destroyed_bridges=["0,4|0,5"], options={"limit_14": "full"})
    assert state(full, "A") == "attack"


@pytest.mark.rule("don42", "9.5.c")
def test_nine_formations_may_trace_to_either_hq_of_the_first_guards_army():
    kvch = sov("HQKvch", "0,-5", "0-1-8", type="hq", size="corps", corps="Kvch", army="1GdA")
    listed = ("38Gds", "41Gds", "24Div", "64Div", "84Div", "116Div", "315Div")
    units = [sov(f"X{i}", f"{i - 3},0", army="1GdA", division=d) for i, d in enumerate(listed)]
    tanks = [sov("T4", "1,-2", army="", corps="4TkC"), sov("T16", "2,-2", army="", corps="16TkC")]
    far = sov("HQ1GdA", "0,6", "0-1-8", type="hq", size="army", army="1GdA")
    other = sov("Y", "-1,-2", army="1GdA")
    g = pos(kvch, far, *units, *tanks, other, on=homeland())
    assert {state(g, n) for n in ("X0", "X1", "X2", "X3", "X4", "X5", "X6", "T4", "T16")} == {"attack"}
    assert state(g, "Y") == "general", "not on the list: HQ 1GdA is too far away"
    assert GERMAN == 0


@pytest.mark.parametrize("scenario", ["crossing-the-don", "kotluban", "short-game"])
def test_the_check_of_a_whole_side_agrees_with_the_answer_for_each_unit(scenario):
    from kessel.bots import RandomPlayer
    from kessel.core.procedure import asked, push
    from kessel.games.don42.title import TITLE

    from .helpers import fresh

    g = fresh(scenario, seed=5)
    program = RandomPlayer(5)
    for n in range(260):
        if not g.stack:
            break
        push(g, program.choose(TITLE, g, asked(g)))
        if n % 20 == 0:
            for side in (GERMAN, SOVIET):
                found = g.copy()
                supply.check(found, side, "4.0")
                assert [(x, found.supply[x]) for x in g.units_on_map(side)] == [
                    (x, state_now(g, x)) for x in g.units_on_map(side)
                ]
