"""12.0 sequences, 12.1 attack eligibility, 12.2 Soviet reserves in attacks, 12.38, 12.39."""

from __future__ import annotations

import pytest

from kessel.core.hexes import NO_HEX
from kessel.core.procedure import run
from kessel.games.kharkov43.board import (
    ASIDE,
    ATTACKED,
    DEFENDED,
    DISCARD,
    DISPERSED,
    DRAW,
    GARRISON,
    HAND,
    ISOLATED,
    OOS,
    PLACED,
    STRUCK,
    Board,
)
from kessel.games.kharkov43.combat.attack_reserves import place_reserve, placement, reserves_for, why_not_placed
from kessel.games.kharkov43.combat.battle import possible_attackers, why_not_attacker, why_not_target, why_not_together
from kessel.games.kharkov43.combat.combat_common import german_targets
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.combat.joining import coordinated_units
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    cup,
    dice,
    field,
    full_cup,
    german_attack,
    log,
    places,
    play,
    refused,
    scene,
    soviet_attack,
    step,
    units,
    where,
)
from tests.games.kharkov43.helpers import german, hx, panzer, soviet, tanks, unit

RULE = "kharkov43"

# --- 12.0 ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.0a")
def test_the_steps_of_a_soviet_attack_come_in_the_order_of_the_book():
    names = [s.name for s in SovietCombat.steps]
    nine = [
        "reserves",
        "soviet_tactics",
        "german_tactics",
        "draw",
        "calculate",
        "defend",
        "further_hits",
        "advance",
        "clean_up",
    ]
    assert [n for n in names if n in nine] == nine
    g = scene(
        [
            tanks("1.Popov", "1810", faces="5-6-01 3-6-02"),
            tanks("2.Popov", "1911", faces="5-6-03 3-6-04"),
            german("d.XL", "1910"),
        ],
        cards={"hand": "P23", "draw": "E04 E06 E09 E11 E15"},
    )
    cup(g, "C52 C22 C36 C14 C15 C58")
    dice(g, 1, *[1] * 6, *[1] * 6)
    soviet_attack(g, "1.Popov 2.Popov", "1910", "E17")
    assert step(g) == "german_tactics"
    play(g, "tactic P23 artillery")
    assert step(g) == "defend"
    told = log(g)
    order = [
        "attack 1910",
        "card drawn for a combat tactic",
        "Artillery is applied to the German defence",
        "ratio",
        "chits: chits",
        "chit:",
        "hits on the attacker",
    ]
    found = [told.index(words) for words in order]
    assert found == sorted(found)
    while step(g) == "defend":
        play(g, next(c for c in choices(g) if c.startswith("lose")))
    assert not g.stack
    told = log(g)
    assert told.index("hits on the attacker") < told.index("d.XL loses a step") < told.index("is shuffled back")


@pytest.mark.rule(RULE, "12.0b")
def test_the_steps_of_a_german_attack_come_in_the_order_of_the_book():
    names = [s.name for s in GermanCombat.steps]
    nine = [
        "choose_attackers",
        "german_tactics",
        "soviet_tactics",
        "required_draws",
        "declared_draws",
        "calculate",
        "soviet_defence",
        "take_hits",
        "advance",
        "clean_up",
    ]
    assert [n for n in names if n in nine] == nine
    g = scene(
        [
            panzer("1.XL", "1810", faces="6-6 5-6 3-6", status=["active"]),
            panzer("2.XL", "1911", faces="6-6 5-6 3-6", status=["active"]),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ],
        cards={"hand": "P23", "draw": "E04 E06 E09 E11 E15"},
    )
    cup(g, "C14 C15 C22 C23 C36 C37")
    dice(g, 3, 1, 1, *[1] * 4, *[1] * 6)
    german_attack(g, "1.XL 2.XL", "1910")
    assert step(g) == "german_tactics"
    play(g, "tactic P23 artillery")
    assert step(g) == "declared_draws"
    told = log(g)
    assert told.index("Artillery is applied") < told.index("card drawn for a combat tactic") < told.index("chit:")
    play(g, "draw 2")
    told = log(g)
    assert told.index("2 more chits") < told.index("hits on the attacker") < told.index("d.6")
    assert step(g) == "advance"


@pytest.mark.rule(RULE, "12.0c")
@pytest.mark.rule(RULE, "12.1a")
def test_combats_are_resolved_one_at_a_time_each_against_one_hex():
    g = scene(
        [
            panzer("1.XL", "1810", status=["active"]),
            panzer("2.XL", "1710", status=["active"]),
            soviet("a.6", "1910", faces="1-4-05"),
            soviet("b.6", "1609", faces="1-4-06"),
        ],
        phase="german_activation",
        card="P26",
    )
    full_cup(g)
    play(g, "pass")
    assert choices(g) == ["pass", "attack 1609", "attack 1910"]
    play(g, "attack 1609")
    assert not any(c.startswith("attack") for c in choices(g))
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert (combat.target, combat.attackers) == (hx(g, "1609"), (unit(g, "2.XL"),))
    play(g, "pass")
    while step(g) != "attack":
        play(g, choices(g)[0])
    assert "attack 1910" in choices(g)
    assert "attack 1609" not in choices(g)


@pytest.mark.rule(RULE, "12.0d")
def test_defender_hits_are_applied_before_attacker_hits():
    g = scene([panzer("1.XL", "1810", status=["active"]), soviet("d.6", "1910", faces="3-4-05 2-4-06")], cards={})
    cup(g, "C20 C16")
    dice(g, 1, 1, 1)
    german_attack(g, "1.XL", "1910")
    told = log(g)
    assert told.index("hold check") < told.index("1.XL loses a step")


@pytest.mark.rule(RULE, "12.0e")
def test_after_the_combat_cards_are_discarded_and_chits_set_aside():
    g = scene(
        [panzer("1.XL", "1810", faces="9-6 8-6 3-6"), soviet("d.6", "1910", faces="1-4-05")],
        cards={"hand": "P23", "draw": "E06"},
    )
    cup(g, "C14 C15 C16")
    dice(g, 1, 1, 1, 1)
    german_attack(g, "1.XL", "1910", "P26")
    play(g, "tactic P23 artillery")
    assert where(g, "P23") not in (HAND, DISCARD)
    play(g, "draw 2")
    while g.stack:
        play(g, choices(g)[0])
    assert where(g, "P23") == where(g, "E06") == DISCARD
    aside = [g.charts.chits[i].id for i, at in enumerate(g.chits) if at == ASIDE]
    assert aside == ["C14", "C15", "C16"]


# --- 12.1 ------------------------------------------------------------------------------------------------------------


def eligibility() -> Board:
    """The picture of the 12.1 example: D beside 2018, F and a dispersed unit beside both 2018 and 2118."""
    return scene(
        [
            panzer("D.XL", "2017", status=["active"]),
            german("F.XL", "2019", status=["active"]),
            german("G.XL", "2019", status=["active", "dispersed"]),
            german("H.XL", "2017", status=["active"]),
            german("I.LVII", "2017", corps="LVII"),
            soviet("x.6", "2018", faces="1-4-05"),
            soviet("y.6", "2119", faces="1-4-06"),
        ],
        board=field(),
        phase="german_activation",
        card="P26",
    )


@pytest.mark.rule(RULE, "12.1b")
@pytest.mark.rule(RULE, "12.1f")
@pytest.mark.example(RULE, "X26")
def test_any_active_adjacent_units_may_join_and_stacks_may_split():
    g = eligibility()
    full_cup(g)
    play(g, "pass", "attack 2018")
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert [g.id(u) for u in combat.attackers] == ["D.XL", "F.XL", "H.XL"]
    play(g, "without H.XL")
    assert refused(g, "with G.XL") == "12.1"
    assert refused(g, "with I.LVII") == "12.1"
    assert "with H.XL" in choices(g)
    play(g, "without F.XL", "pass")
    while step(g) != "attack":
        play(g, choices(g)[0])
    assert choices(g) == ["pass", "attack 2119"]
    assert refused(g, "attack 2018").startswith("12.1")
    play(g, "attack 2119")
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert [g.id(u) for u in combat.attackers] == ["F.XL"]


@pytest.mark.rule(RULE, "12.1c")
def test_inactive_units_attack_only_through_the_tactics_that_say_so():
    g = scene(
        [
            panzer("1.XL", "1810", status=["active"]),
            german("2.LVII", "1811", corps="LVII"),
            german("3.LVII", "1909", corps="LVII"),
            soviet("d.6", "1910", faces="2-4-05 1-4-06"),
        ],
        cards={"hand": "P26 P23"},
    )
    full_cup(g)
    assert possible_attackers(g, GERMAN, hx(g, "1910")) == [unit(g, "1.XL")]
    german_attack(g, "1.XL", "1910", "P24")
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert [g.id(u) for u in coordinated_units(g, combat)] == ["3.LVII"]
    play(g, "tactic P26 assault_coordination")
    assert choices(g) == ["join 3.LVII 1909"]
    play(g, "join 3.LVII 1909")
    assert combat.attackers == units(g, "1.XL 3.LVII")


@pytest.mark.rule(RULE, "12.1d")
@pytest.mark.rule(RULE, "12.1e")
def test_a_unit_attacks_once_and_a_defender_is_attacked_once_in_an_activation():
    g = scene(
        [panzer("1.XL", "1810", status=["active"]), soviet("d.6", "1910"), soviet("e.6", "1809")],
    )
    assert german_targets(g) == sorted([hx(g, "1910"), hx(g, "1809")])
    g.set_status(unit(g, "1.XL"), ATTACKED)
    assert why_not_attacker(g, unit(g, "1.XL")).rule == "12.1"
    assert german_targets(g) == []
    g.set_status(unit(g, "1.XL"), ATTACKED, False)
    g.set_status(unit(g, "d.6"), DEFENDED)
    assert german_targets(g) == [hx(g, "1809")]
    assert why_not_target(g, GERMAN, hx(g, "1910")).rule == "12.1"
    full_cup(g)
    german_attack(g, "1.XL", "1809")
    assert g.status[unit(g, "1.XL")] & ATTACKED
    assert g.status[unit(g, "e.6")] & (DEFENDED | STRUCK) == DEFENDED | STRUCK
    assert not g.status[unit(g, "d.6")] & STRUCK


@pytest.mark.rule(RULE, "13.21e")
@pytest.mark.rule(RULE, "13.22g")
@pytest.mark.rule(RULE, "12.1f")
@pytest.mark.rule(RULE, "12.1g")
@pytest.mark.parametrize(
    ("side", "status", "able"),
    [
        (GERMAN, DISPERSED, False),
        (GERMAN, ISOLATED, False),
        (GERMAN, OOS, True),
        (SOVIET, DISPERSED, False),
        (SOVIET, ISOLATED, False),
        (SOVIET, OOS, False),
        (SOVIET, 0, True),
    ],
)
def test_dispersed_and_isolated_units_never_attack_nor_unsupplied_soviets(side: int, status: int, able: bool):
    g = scene([german("1.XL", "1810", status=["active"]), soviet("d.6", "1910", status=["active"])])
    u, target = unit(g, ("1.XL", "d.6")[side]), hx(g, ("1910", "1810")[side])
    g.set_status(u, status)
    assert possible_attackers(g, side, target) == ([u] if able else [])


@pytest.mark.rule(RULE, "13.21e")
@pytest.mark.rule(RULE, "12.1h")
def test_germans_out_of_supply_attack_only_beside_a_supplied_attacker():
    g = scene(
        [
            german("1.XL", "1810", status=["active", "out_of_supply"]),
            german("2.XL", "1909", status=["active"]),
            german("3.XL", "1708", status=["active", "out_of_supply"]),
            soviet("d.6", "1910"),
            soviet("e.6", "1608"),
        ],
        phase="german_activation",
        card="P26",
    )
    play(g, "pass")
    assert choices(g) == ["pass", "attack 1910"]
    assert refused(g, "attack 1608") == "12.1"
    assert why_not_together(g, GERMAN, units(g, "1.XL")).rule == "12.1"
    play(g, "attack 1910", "without 2.XL")
    assert "pass" not in choices(g)
    assert refused(g, "pass") == "12.1"
    play(g, "with 2.XL")
    assert "pass" in choices(g)


def test_an_attack_without_units_is_called_off():
    g = scene(
        [german("1.XL", "1810", status=["active"]), soviet("d.6", "1910")],
        phase="german_activation",
        card="P26",
    )
    before = g.digest()
    play(g, "pass", "attack 1910", "without 1.XL", "pass")
    assert step(g) == "attack"
    assert not g.status[unit(g, "1.XL")] & ATTACKED
    assert before != g.digest()


@pytest.mark.rule(RULE, "12.1a")
def test_units_are_not_adjacent_across_a_blocked_dniepr_hexside():
    g = scene(
        [german("1.XL", "1810", status=["active"]), soviet("d.6", "1910")],
        board=field(rivers={"1810|1910": "blocked_dniepr"}, bare=True),
    )
    assert german_targets(g) == []


# --- 12.2 ------------------------------------------------------------------------------------------------------------

ROAD = " ".join(f"14{c:02d}" for c in range(2, 15))
EXAMPLE_ZONE = " ".join(f"{r}{c:02d}" for r in range(12, 25) for c in range(2, 16))


def reserves_example(**more: object) -> Board:
    """The 12.2 example: 04, 05, 15 attack 1515 from 1414 and 1514; three reserves of 3T and one of 40th Army."""
    zone = {"west_support_zone": EXAMPLE_ZONE}
    doc: dict[str, object] = {
        "board": field(terrain={"1615": "town"}, vp={"1615": 1}, roads=[ROAD], areas=zone),
        "turn": 5,
        "objectives": {"Voronezh": {"hex": "1420", "facing": "west", "stage": 2}},
    }
    doc |= more
    g = scene(
        [
            soviet("04.3T", "1414", faces="5-4-04 3-4-14", army="3T", status=["active"]),
            soviet("05.3T", "1414", faces="4-4-05 2-4-16", army="3T", status=["active"]),
            soviet("15.3T", "1514", faces="4-4-15 3-4-25 2-4-26", army="3T", status=["active"]),
            soviet("02.3T", "reserve", faces="4-5-02 2-5-12", type="cavalry", army="3T", status=["active"]),
            soviet("09.3T", "reserve", faces="5-4-09 3-4-19 2-4-29", army="3T", status=["active"]),
            soviet("30.3T", "reserve", faces="3-4-30 2-4-31", army="3T", status=["active"]),
            soviet("01.40", "reserve", faces="3-4-01 2-4-02", army="40"),
            tanks("P.Popov", "1617", faces="5-6-03 3-6-33"),
            german("d.XL", "1515", faces="3-4 2-4"),
        ],
        **doc,
    )
    return g


@pytest.mark.rule(RULE, "12.2a")
@pytest.mark.rule(RULE, "12.2b")
@pytest.mark.rule(RULE, "12.2h")
@pytest.mark.rule(RULE, "12.38b")
@pytest.mark.rule(RULE, "12.38f")
@pytest.mark.rule(RULE, "12.38g")
@pytest.mark.example(RULE, "X27")
def test_reserves_join_in_ascending_order_until_the_attack_is_overwhelming():
    g = reserves_example(cards={"draw": "E06 E09 E11 E13 E14"})
    full_cup(g)
    first = placement(g, battle(g, "04.3T 05.3T 15.3T", "1515"), unit(g, "02.3T"))
    fit = [h for h in ("1414", "1415", "1514", "1516", "1614", "1615") if hx(g, h) not in dict(first.refused)]
    assert fit == ["1414", "1415", "1514", "1614"]
    assert [c.rule for c in first.cuts] == ["12.2d", "12.2f"]
    c = soviet_attack(g, "04.3T 05.3T 15.3T", "1515", "E07", go=False)
    while c.at <= c.index["reserves"]:
        c.steps[c.at].fn(c, g)
        c.at += 1
    assert places(g, "02.3T 09.3T 30.3T") == {"02.3T": "1614", "09.3T": "1415", "30.3T": ""}
    assert "22 to 3 is 6:1 or better with 7 chits" in log(g)
    run(g)
    assert "card drawn" not in log(g)
    assert where(g, "E06") == DRAW


@pytest.mark.rule(RULE, "12.2c")
def test_a_reserve_is_placed_beside_the_target_and_in_reserve_supply():
    g = reserves_example()
    u, target = unit(g, "02.3T"), hx(g, "1515")
    assert why_not_placed(g, u, hx(g, "1414"), target) is None
    assert "not adjacent" in why_not_placed(g, u, hx(g, "1413"), target).reason
    blocked = scene(
        [
            soviet("a.3T", "1514", army="3T", faces="3-4-05"),
            soviet("r.3T", "reserve", army="3T", faces="3-4-02", status=["active"]),
            german("d.XL", "1515"),
            german("e.XL", "1513"),
            german("f.XL", "1413"),
            german("h.XL", "1613"),
        ],
        objectives={"Voronezh": {"hex": "1420", "facing": "west"}},
    )
    why = why_not_placed(blocked, unit(blocked, "r.3T"), hx(blocked, "1514"), hx(blocked, "1515"))
    assert (why.rule, "reserve supply" in why.reason) == ("12.2", True)


@pytest.mark.rule(RULE, "12.2d")
def test_a_unit_of_the_same_front_that_is_no_reserve_of_this_attack_must_be_near():
    g = reserves_example()
    target, u = hx(g, "1515"), unit(g, "02.3T")
    why = why_not_placed(g, u, hx(g, "1516"), target)
    assert "no unit of the Voronezh Front" in why.reason
    lonely = scene(
        [
            soviet("a.6", "1514", army="6", faces="3-4-05", status=["active"]),
            soviet("r.3T", "reserve", army="3T", faces="3-4-02", status=["active"]),
            soviet("s.3T", "reserve", army="3T", faces="3-4-03", status=["active"]),
            german("d.XL", "1515"),
        ],
        objectives={"Voronezh": {"hex": "1420", "facing": "west"}},
    )
    r, s, h = unit(lonely, "r.3T"), unit(lonely, "s.3T"), hx(lonely, "1614")
    assert why_not_placed(lonely, r, h, hx(lonely, "1515")) is not None
    lonely.put(s, hx(lonely, "1514"))
    assert why_not_placed(lonely, r, h, hx(lonely, "1515")) is None
    assert why_not_placed(lonely, r, h, hx(lonely, "1515"), placed=[s]) is not None


@pytest.mark.rule(RULE, "12.2e")
def test_reserves_keep_the_stacking_limits():
    g = reserves_example()
    g.put(unit(g, "30.3T"), hx(g, "1414"))
    why = why_not_placed(g, unit(g, "02.3T"), hx(g, "1414"), hx(g, "1515"))
    assert "three units or six steps" in why.reason


@pytest.mark.rule(RULE, "12.2f")
def test_reserves_stay_inside_the_limit_and_out_of_german_towns():
    g = reserves_example()
    u, target = unit(g, "02.3T"), hx(g, "1515")
    assert "German town" in why_not_placed(g, u, hx(g, "1615"), target).reason
    g.set_owner(hx(g, "1615"), SOVIET)
    why = why_not_placed(g, u, hx(g, "1615"), target)
    assert why is None or "German town" not in why.reason
    late = reserves_example(turn=6, objectives={}, board=field(areas={"west_support_zone": "1413-1414 1513-1514"}))
    assert "operational limit" in why_not_placed(late, unit(late, "02.3T"), hx(late, "1614"), target).reason
    assert why_not_placed(late, unit(late, "02.3T"), hx(late, "1514"), target) is None


@pytest.mark.rule(RULE, "13.52f")
@pytest.mark.rule(RULE, "12.2g")
def test_without_the_front_marker_reserves_need_support():
    zone = {"west_support_zone": "1413-1414 1513-1514"}
    with_marker = reserves_example(board=field(areas=zone))
    u, h, target = unit(with_marker, "02.3T"), hx(with_marker, "1614"), hx(with_marker, "1515")
    assert why_not_placed(with_marker, u, h, target) is None
    without = reserves_example(board=field(areas=zone), objectives={})
    assert "not in Soviet support" in why_not_placed(without, u, h, target).reason


@pytest.mark.rule(RULE, "12.2h")
def test_a_reserve_prefers_to_bring_support_and_not_to_stand_across_the_dniepr():
    g = reserves_example(board=field(roads=[ROAD], areas={"west_support_zone": "1614"}))
    b = battle(g, "04.3T 05.3T 15.3T", "1515")
    found = placement(g, b, unit(g, "02.3T"))
    assert (g.hex_name(found.hex), found.cuts[0].rule) == ("1614", "12.2a")
    over = reserves_example(board=field(roads=[ROAD], rivers={"1515|1614": "dniepr"}))
    found = placement(over, battle(over, "04.3T 05.3T 15.3T", "1515"), unit(over, "02.3T"))
    assert (over.hex_name(found.hex), [c.rule for c in found.cuts]) == ("1415", ["12.2c", "12.2d"])
    town = reserves_example(board=field(roads=[ROAD], terrain={"1515": "town"}))
    found = placement(town, battle(town, "04.3T 05.3T 15.3T", "1515"), unit(town, "02.3T"))
    assert [c.rule for c in found.cuts] == ["12.2e", "12.2f"]


@pytest.mark.rule(RULE, "12.2a")
def test_an_attack_check_counts_the_reserves_without_placing_them():
    g = reserves_example()
    before = g.digest()
    planned = reserves_for(g, hx(g, "1515"), units(g, "04.3T 05.3T 15.3T"))
    assert [g.id(u) for u in planned.units] == ["02.3T", "09.3T", "30.3T"]
    assert planned.battle.attackers == units(g, "04.3T 05.3T 15.3T 02.3T 09.3T 30.3T")
    assert g.digest() == before
    assert g.place[unit(g, "02.3T")] == NO_HEX


@pytest.mark.rule(RULE, "15.3e")
def test_a_reserve_placed_in_a_garrisoned_hex_removes_the_garrison():
    g = reserves_example(board=field(roads=[ROAD], features={"1614": "village"}), garrisons="1614")
    b = battle(g, "04.3T 05.3T 15.3T", "1515")
    place_reserve(g, b, unit(g, "02.3T"), hx(g, "1614"))
    assert not g.has_mark(hx(g, "1614"), GARRISON)
    assert b.attackers == units(g, "04.3T 05.3T 15.3T 02.3T")
    assert g.status[unit(g, "02.3T")] & (PLACED | ATTACKED) == PLACED | ATTACKED
