"""29.0 Contested City Hexes."""

from __future__ import annotations

from typing import Any

from kessel.core.procedure import asked
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import DISRUPTED
from kessel.games.stalingrad42.combat.city_battles import level, settle_city_battles
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import bonds, is_contested, zoc

from .fights import TABLES, attack, crt_roll, dd_roll, ends, odds_of, run_away, start, strength
from .helpers import PACK, area, ask, at, board, choices, do, example, h, has, names, read, refused, rule, u

CITY: dict[str, Any] = {
    "terrain": {"0,0": "major_city"},
    "control": {"0,0": "soviet"},
    "options": {"contested_cities": "on"},
    "turn": 10,
    "radius": 5,
}
PARTIAL = next(c for c in TABLES.defense["city"] if c.code == "P" and not c.defender_loss)


def partial_roll(drm: int = 0) -> int:
    return dd_roll("city", "P", drm, losses=str(PARTIAL).split()[1])


def storm(**more: Any) -> Board:
    """Axis units attack a Soviet City; the defender rolls a Partial Success."""
    column, die = crt_roll("DR2")
    units = {
        "A": f"axis {strength(column, 10) - 1}-8-6 1,0 mech",
        "B": "axis 1-3-3 0,1",
        "S": "axis 3-3-3 1,0",
        "X": "soviet 3-5-3;2-3-3;1-1-3 0,0",
    } | more.pop("units", {})
    g = start(units, dice=(die, partial_roll()), phase="combat", **(CITY | more))
    attack(g, "0,0", "A", "B")
    do(g, "defend X")
    return g


INSIDE = {"A": "axis 9-8-6 0,0 mech", "X": "soviet 3-5-3;2-3-3 0,0"}


@rule("29.0")
def test_the_rule_is_forced_in_uranus():
    from kessel.games.stalingrad42 import TITLE

    for name in ("fall-blau", "campaign", "caucasus"):
        assert "contested_cities" in {o.id for o in TITLE.scenario(PACK, name).options}, "a choice"
    assert "contested_cities" not in {o.id for o in TITLE.scenario(PACK, "uranus").options}
    assert PACK.toml("scenarios/uranus.toml")["options"]["contested_cities"] == "on"
    g = storm(options={"contested_cities": "off"})
    assert not any(c.startswith("intrude") for c in choices(g))


@rule("29.1.1a")
@rule("29.1.4")
def test_the_attacker_must_share_the_city():
    g = storm()
    assert level(g, h(g, "0,0")) == 1
    assert asked(g) == AXIS
    assert choices(g) == {"intrude A", "intrude B"}, "at least one, and units that took part"
    do(g, "intrude A")
    assert at(g, "A") == at(g, "X") == "0,0"
    assert is_contested(g, h(g, "0,0"))
    assert choices(g) == {"pass", "intrude B"}
    do(g, "pass")
    assert g.controller(h(g, "0,0")) == SOVIET, "the original defender keeps control"


@rule("29.1.1b")
def test_each_side_stacks_for_itself():
    units = {f"A{i}": "axis 3-3-3 0,0" for i in range(3)} | {f"X{i}": "soviet 3-3-3 0,0" for i in range(2)}
    g = start(units, side="axis", **CITY)
    do(g, "pass")
    assert not any(c.startswith("eliminate") for c in choices(g)), "three and two are within the limits"
    g = start(units | {"A3": "axis 3-3-3 0,0"}, side="axis", **CITY)
    do(g, "pass")
    assert choices(g) == {f"eliminate A{i}" for i in range(4)}


@rule("29.1.1c")
def test_the_marker_goes_when_one_side_leaves():
    g = board(INSIDE, city_battles={"0,0": 1}, **CITY)
    settle_city_battles(g)
    assert level(g, h(g, "0,0")) == 1
    for gone in ("A", "X"):
        g = board(INSIDE, city_battles={"0,0": 1}, **CITY)
        g.move(u(g, gone), h(g, "1,0"))
        settle_city_battles(g)
        assert level(g, h(g, "0,0")) == 0


@rule("29.1.1d")
def test_both_sides_are_doubled():
    g = board(INSIDE, **CITY)
    assert odds_of(g, "0,0", "A").defense.total == 10
    assert odds_of(g, "0,0", "X").defense.total == 16
    units = {"A": "axis 9-8-6 0,0 mech", "X": "soviet 7-5-5 0,0 tank size=corps"}
    assert odds_of(board(units, **CITY), "0,0", "A").defense.total == 5, "as the City allows"


@rule("29.1.1e")
def test_no_zoc_and_no_bonds():
    g = board(INSIDE | {"B": "axis 3-3-3 2,0", "Y": "soviet 3-3-3 -2,0"}, **CITY)
    assert not zoc(g, AXIS) >> h(g, "0,1") & 1
    assert not zoc(g, SOVIET) >> h(g, "0,1") & 1
    assert "1,0" not in names(g, bonds(g, AXIS).hexes)
    assert "-1,0" not in names(g, bonds(g, SOVIET).hexes)


@rule("29.1.1f")
def test_units_inside_do_not_close_an_airfield_next_door():
    from kessel.games.stalingrad42.supply.isolation import airfields

    more = CITY | {"features": {"1,0": ["town"]}}
    g = board(INSIDE, **more)
    assert names(g, airfields(g, SOVIET)) >= {"1,0"}, "A, inside, is not adjacent to 1,0"
    g = board(INSIDE | {"A": "axis 9-8-6 2,0 mech"}, **more)
    assert "1,0" not in names(g, airfields(g, SOVIET))


@rule("29.1.2a")
def test_others_enter_by_tactical_movement():
    g = start(INSIDE | {"B": "axis 3-3-3 1,0"}, **CITY)
    do(g, "move B")
    assert "to 0,0 tactical" in choices(g)
    assert refused(g, "step 0,0 normal") == "29.1.2"
    g = start({"B": "axis 3-3-3 1,0", "X": INSIDE["X"]}, **CITY)
    do(g, "move B")
    assert "to 0,0 tactical" not in choices(g), "not as long as it is not contested"


@rule("29.1.2a")
def test_units_enter_by_retreat_and_advance():
    from .test_12_retreats import all_ends

    g = board(INSIDE | {"Y": "soviet 3-5-3;2-3-3 -2,0"}, **CITY)
    assert "0,0" in all_ends(g, "Y")
    from .test_14_advance import reach

    g = board(INSIDE | {"B": "axis 3-3-3 2,0"}, **CITY)
    assert "0,0" in reach(g, "B", 2, vacated="")


@rule("29.1.2b")
def test_they_leave_by_tactical_movement_and_not_into_an_ezoc():
    g = start(INSIDE | {"Y": "soviet 3-3-3 2,0"}, **CITY)
    do(g, "move A")
    assert "to -1,0 tactical" in choices(g)
    assert refused(g, "step -1,0 normal") == "29.1.2"
    assert refused(g, "step 1,0 tactical") == "29.1.2"
    g = start(INSIDE | {"Y": "soviet 3-3-3 2,0", "B": "axis 3-3-3 1,0"}, **CITY)
    do(g, "move A", "step 1,0 tactical")


@rule("29.1.3a")
@example("E60")
def test_inside_and_outside_attackers_combine():
    units = {"A": "axis 9-8-6 0,0 mech", "B": "axis 9-8-6 1,0", "X": "soviet 3-5-3;2-3-3 0,0"}
    g = start(units, hexsides={"0,0|1,0": "major_river"}, phase="combat", **CITY)
    do(g, "attack 0,0", "add A", "add B")
    now = odds_of(g, "0,0", "A", "B")
    assert now.attack.total == 9 + 5, "only those over the river are halved"
    assert now.defense.total == 10


@rule("29.1.3a")
@example("E60")
def test_at_voronezh():
    g = read(
        {
            "game": "stalingrad42",
            "options": {"contested_cities": "on"},
            "turn": 3,
            "units": [
                {"id": "in", "side": "axis", "values": "9-8-6", "at": "2503"},
                {"id": "out", "side": "axis", "values": "9-8-6", "at": "2403"},
                {"id": "X", "side": "soviet", "values": "3-5-3", "at": "2503"},
            ],
            "control": {"2503": "soviet"},
        }
    )
    b = odds_of(g, "2503", "in", "out").attack
    assert b.total == 9 + 5
    assert [i.what for i in b if i.rule == "9.5.2"] == ["out attacks over a Major River"]


@rule("29.1.3b")
def test_no_attack_out_of_the_hex():
    g = start(INSIDE | {"Y": "soviet 3-5-3 1,0"}, phase="combat", **CITY)
    assert "attack 0,0" in choices(g)
    assert refused(g, "attack 1,0") == "29.1.3"


def counterattack(marker: int) -> Board:
    """The original defender attacks the intruder A, who rolls a Partial Success."""
    column, die = crt_roll("DR2")
    units = {"A": "axis 3-5-3;2-3-3;1-1-3 0,0", "X": f"soviet {strength(column, 10)}-8-6 0,0"}
    g = start(
        units,
        dice=(die, partial_roll(1)),
        phase="combat",
        side="soviet",
        city_battles={"0,0": marker},
        **CITY,
    )
    attack(g, "0,0", "X")
    do(g, "defend A")
    return g


@rule("29.1.3c")
def test_a_counterattack_lowers_the_marker():
    g = counterattack(2)
    assert level(g, h(g, "0,0")) == 1
    assert at(g, "A") == "0,0"


@rule("29.1.3c")
def test_at_zero_the_intruders_must_leave():
    g = counterattack(1)
    assert level(g, h(g, "0,0")) == 0
    assert asked(g) == AXIS
    assert ends(g, "A")
    run_away(g, "A")
    assert at(g, "A") != "0,0"
    assert not is_contested(g, h(g, "0,0"))
    assert g.controller(h(g, "0,0")) == SOVIET


@rule("29.1.4")
def test_control_changes_when_the_original_defender_is_gone():
    column, die = crt_roll("DS", "noDD")
    units = {"A": f"axis {strength(column, 6)}-8-6 0,0", "X": "soviet 3-3-3 0,0"}
    g = start(units, dice=(die,), phase="combat", boxes=[area("Z", "axis", "5,0")], **CITY)
    assert g.controller(h(g, "0,0")) == SOVIET
    attack(g, "0,0", "A")
    assert at(g, "X") == "nowhere"
    assert g.controller(h(g, "0,0")) == AXIS


@rule("29.1.4")
@rule("16.3.2e")
def test_both_sides_trace_from_a_contested_hex_at_their_own_entry_area():
    units = {"X": "soviet 3-4-3 0,0", "A": "axis 6-7-3 0,0"}
    more = CITY | {"radius": 1, "city_battles": {"0,0": 1}}
    for side, unit in (("soviet", "X"), ("axis", "A")):
        g = board(units, boxes=[area("E", side, "0,0")], **more)
        assert ask(g, "supply", unit=unit)["state"] == "in supply"
        g = board(units, **more)
        assert ask(g, "supply", unit=unit)["state"] == "isolated"


@rule("29.1.2a")
@rule("29.1.2b")
def test_moves_into_and_out_of_a_contested_hex_are_refused_by_its_own_rule():
    units = {"X": "soviet 3-4-3 0,0", "A": "axis 6-7-3 0,0", "B": "axis 6-6-6 3,0 tank", "Y": "soviet 1-1-1 -2,0"}
    g = board(units, city_battles={"0,0": 1}, **CITY)
    assert ask(g, "moves", unit="B", to="0,0")["refusal"]["rule"] == "29.1.2"
    assert ask(g, "moves", unit="A", to="-1,0")["refusal"]["rule"] == "29.1.2"
    assert ask(g, "moves", unit="A", to="1,0")["mode"] == "tactical"


@rule("29.1.1c")
@rule("13.3.2i")
def test_full_retreat_units_alone_with_the_enemy_in_a_city_are_eliminated():
    units = {"F": "axis 4-5-3 0,0 full_retreat", "X": "soviet 3-5-3 0,0"}
    for phase in ("movement", "combat"):
        for side in ("axis", "soviet"):
            g = start(units, city_battles={"0,0": 1}, side=side, phase=phase, **CITY)
            assert g.place[u(g, "F")] < 0
            assert level(g, h(g, "0,0")) == 0, "one side has left"
            g = start(units | {"D": "axis 4-5-3 0,0"}, city_battles={"0,0": 1}, side=side, phase=phase, **CITY)
            assert at(g, "F") == "0,0"
            assert level(g, h(g, "0,0")) == 1


@rule("29.1.1c")
@rule("16.3.4a")
def test_the_marker_goes_when_attrition_or_a_removal_takes_the_last_unit_of_a_side():
    units = {"A": "axis 4-5-3 0,0 isolated", "X": "soviet 3-5-3 0,0"}
    more = CITY | {"control": {"0,0": "axis"}}
    g = start(units, city_battles={"0,0": 1}, phase="supply", dice=(1,), **more)
    assert g.place[u(g, "A")] < 0
    assert (level(g, h(g, "0,0")), g.controller(h(g, "0,0"))) == (0, SOVIET)
    units = {"GD": "axis 7-8-6 0,0 mechanized", "X": "soviet 3-5-3 0,0"}
    g = start(units, city_battles={"0,0": 1}, phase="initial", rules=["32.1"], **more)
    assert g.place[u(g, "GD")] < 0
    assert (level(g, h(g, "0,0")), g.controller(h(g, "0,0"))) == (0, SOVIET)


@rule("29.1.3c")
def test_a_lowered_marker_leaves_everybody_in_place():
    g = counterattack(2)
    assert asked(g) == SOVIET
    assert not any(c.startswith("retreat") for c in choices(g))
    assert not has(g, "A", DISRUPTED)
