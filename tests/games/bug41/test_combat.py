"""PA-CS, PA-DRM, PA-TEC combat, RX-7.5: attacks up to the die."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kessel.core.terrain import Map
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.attack import why_not_attack
from kessel.games.bug41.combat.modifiers import armor, modifiers, state_of_defence, tank_part
from kessel.games.bug41.combat.strength import attack_strengths, attack_value, column_of, defence_value
from kessel.games.bug41.data.charts import Chit

from .helpers import (
    CHARTS,
    PACK,
    Placed,
    act,
    board,
    do,
    f,
    fresh,
    ger,
    h,
    hq,
    points,
    pos,
    refusal,
    sov,
    texts,
    told,
    u,
)

ONE = Chit(Fraction(1), Fraction(2))


def fight(*units: Placed, kind: str = "regular", on: Map | None = None, turn: int = 2, **options: str) -> Board:
    """A attacks S from 0,0 to 1,0; HQs give nothing unless told."""
    placed = [ger("A", "0,0")] if not any(p.counter.id == "A" for p in units) else []
    placed += [sov("S", "1,0")] if not any(p.counter.id == "S" for p in units) else []
    return pos(*placed, *units, on=on, turn=turn, **options)


def drm(g: Board, kind: str, *names: str) -> dict[str, int]:
    """The modifiers by their rules."""
    units = [u(g, n) for n in names or ("A",)]
    found: dict[str, int] = {}
    for item in modifiers(g, g.command[units[0]], units, kind, h(g, "1,0")):
        if isinstance(item.value, int):
            found[item.rule] = found.get(item.rule, 0) + item.value
    return found


# --- A to D ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-CS.A", "PA-AP.hasty", "PA-AP.regular", "PA-AP.prepared")
def test_three_kinds_of_attack_and_their_prices() -> None:
    for kind, price in (("hasty", 1), ("regular", 2), ("prepared", 3)):
        assert f"{kind} 1,0 with A" in texts(act(fight(), points=price))
        assert refusal(act(fight(), points=price - 1), f"{kind} 1,0 with A").reason.startswith(f"this costs {price} AP")
        g = do(act(fight(sov("S", "1,0", steps=1)), points=5), f"{kind} 1,0 with A", dice=[1, 1, 10])
        assert any(f"{kind.capitalize()} Attack" in t for t in told(g))


@pytest.mark.rule("bug41", "RX-7.5.att")
def test_units_of_one_hex_attack_one_hex() -> None:
    g = act(fight(ger("B", "0,0", "afv"), ger("C", "0,1"), ger("O", "0,0", "afv", "44ID"), hq("Q", "2,0", "19TD")))
    legal = texts(g)
    assert "regular 1,0 with A B" in legal
    assert "regular 1,0 with B" in legal
    assert refusal(g, "regular 1,0 with A C").rule == "RX-7.5.att"
    assert refusal(g, "regular 1,0 with O").rule == "RX-7.5.att", "of another formation"
    assert refusal(g, "regular 0,1 with A").rule == "RX-7.5.att", "no enemy there"
    assert refusal(g, "regular 3,0 with A").rule == "RX-7.5.att"
    g = act(pos(ger("A", "0,0"), hq("Q", "1,0", "215MD"), sov("S", "5,0")))
    assert not [t for t in texts(g) if t.startswith("hasty")], "an HQ alone is no target"


@pytest.mark.rule("bug41", "PA-disruption.7")
def test_disrupted_units_only_refit() -> None:
    g = act(fight(ger("A", "0,0", status="disrupted")))
    assert refusal(g, "hasty 1,0 with A").rule == "PA-disruption.7"
    assert [t for t in texts(g) if "A" in t or "0,0" in t] == ["refit 0,0"]


@pytest.mark.parametrize(
    ("water", "road", "rule"),
    [
        pytest.param("bug", False, "PA-TEC.bug.combat", marks=pytest.mark.rule("bug41", "PA-TEC.bug.combat")),
        pytest.param("lake", False, "PA-TEC.lake.combat", marks=pytest.mark.rule("bug41", "PA-TEC.lake.combat")),
        ("bug", True, ""),
        ("stream", False, ""),
    ],
)
def test_no_attack_over_open_water(water: str, road: bool, rule: str) -> None:
    g = fight(on=board(sides={"0,0|1,0": water}, roads=[("road", "0,0 1,0")] if road else []))
    found = why_not_attack(g, f(g, "298ID"), "regular", h(g, "1,0"), [u(g, "A")], 3)
    assert (found.rule if found else "") == rule


@pytest.mark.rule("bug41", "PA-CS.B", "RX-7.5.1.1")
def test_each_side_draws_a_chit_of_twelve_the_attacker_first() -> None:
    g = do(act(fight()), "regular 1,0 with A", dice=[12, 1, 9, 1, 1, 1])
    line = next(t for t in told(g) if t.startswith("combat in"))
    ours, theirs = CHARTS.chits[11], CHARTS.chits[0]
    assert (ours.right, theirs.right) == (Fraction(5, 2), 1)
    assert "20 against 7" in line
    assert not any(g.chits), "both go back"
    g = do(act(fight()), "hasty 1,0 with A", dice=[12, 11, 9, 1, 1, 1])
    assert f"12 against {7 * 2}" in next(t for t in told(g) if t.startswith("combat in")), (
        "left column, and 11 of 11 left"
    )


@pytest.mark.rule("bug41", "PA-CS.C", "PA-disruption.6")
def test_values_are_strength_times_the_column_of_the_chit() -> None:
    g = fight(ger("A", "0,0", steps=5), sov("S", "1,0", status="disrupted"), sov("T", "1,0", "afv", strength=4))
    here = h(g, "1,0")
    assert attack_value(g, [u(g, "A")], "regular", ONE) == 10
    assert attack_value(g, [u(g, "A")], "hasty", ONE) == 5
    assert defence_value(g, here, ONE) == 7 * 1 + 4 * 2, "only the Disrupted unit reads the left column"
    g = fight(hasty_chit="right")
    assert attack_value(g, [u(g, "A")], "hasty", ONE) == 16


@pytest.mark.rule("bug41", "PA-CS.C.at")
def test_attacking_anti_tank_units_count_a_quarter_rounded_up() -> None:
    guns = (ger("A", "0,0", "anti_tank", steps=5), ger("B", "0,0", "anti_tank", steps=5))
    g = fight(*guns)
    assert attack_strengths(g, [u(g, "A"), u(g, "B")]).total == 4
    together = fight(*guns, at_quarter="all_together")
    assert attack_strengths(together, [u(together, "A"), u(together, "B")]).total == 3
    g = fight(sov("S", "1,0", "anti_tank"))
    assert defence_value(g, h(g, "1,0"), ONE) == 14, "a defending one counts whole"


@pytest.mark.rule("bug41", "PA-CS.D", "RX-7.5.1.D")
def test_the_ratio_is_the_highest_printed_one_not_above_it() -> None:
    g = fight()
    here = h(g, "1,0")
    for ratio, column in (
        ("1/9", 1),
        ("1/8", 1),
        ("1/7", 1),
        ("1/6", 2),
        ("99/100", 6),
        ("1", 7),
        ("7/4", 8),
        ("9", 12),
    ):
        assert column_of(g, here, Fraction(ratio)) == column
    g = fight(ger("A", "0,0", steps=1), sov("S", "1,0", strength=9), low_odds="no_attack")
    assert why_not_attack(g, f(g, "298ID"), "hasty", here, [u(g, "A")], 3).rule == "RX-7.5.1.D"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("terrain", "pillbox", "one"),
    [("clear", False, 7), ("village", False, 5), ("marsh", False, 5), ("town", False, 4), ("light_forest", False, 4),
     ("clear", True, 4), ("dense_forest", False, 3), ("light_forest", True, 2), ("dense_forest", True, 2)],
)  # fmt: skip
def test_the_row_of_the_defenders_terrain(terrain: str, pillbox: bool, one: int) -> None:
    g = fight(on=board(terrain={"1,0": terrain}, pillboxes=["1,0"] if pillbox else []))
    assert column_of(g, h(g, "1,0"), Fraction(1)) == one


# --- E modifiers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("water", "road", "value"),
    [
        pytest.param("stream", False, -2, marks=pytest.mark.rule("bug41", "PA-TEC.stream.combat")),
        pytest.param("stream", True, -2, marks=pytest.mark.rule("bug41", "PA-TEC.bstream.combat")),
        pytest.param("bug", True, -4, marks=pytest.mark.rule("bug41", "PA-TEC.bbug.combat")),
    ],
)
@pytest.mark.rule("bug41", "PA-CS.E1", "PA-DRM.hexside")
def test_hexsides_help_the_defender(water: str, road: bool, value: int) -> None:
    roads = [("road", "0,0 1,0")] if road else []
    g = fight(ger("A", "0,0", "afv", tank=7), on=board(sides={"0,0|1,0": water}, roads=roads))
    for kind in ("hasty", "regular", "prepared"):
        assert drm(g, kind)["PA-CS.E1"] == value
    assert tank_part(g, h(g, "0,0"), h(g, "1,0")) == Fraction(1, 4)
    assert "PA-CS.E1" not in drm(fight(), "regular")


SUPPORT = ("0,1", "1,-1", "2,-1")
"""Other hexes next to 1,0."""


@pytest.mark.rule("bug41", "PA-CS.E2", "PA-DRM.same.hasty", "PA-DRM.same.regular", "PA-DRM.same.prepared", "RX-7.5.sup")
def test_support_of_the_same_formation_by_hex() -> None:
    g = fight(ger("B", "0,1"), ger("C", "1,-1"), ger("D", "1,-1", "afv"), ger("E", "0,0", "afv"))
    assert "PA-DRM.same.hasty" not in drm(g, "hasty")
    assert drm(g, "regular")["PA-DRM.same.regular"] == 2
    assert drm(g, "prepared")["PA-DRM.same.prepared"] == 4
    g = fight(ger("B", "0,1", "afv"), on=board(terrain={"1,0": "town"}))
    assert "PA-DRM.same.regular" not in drm(g, "regular"), "its zone does not reach into the town"


@pytest.mark.rule("bug41", "PA-DRM.other.att")
def test_another_formation_supports_a_prepared_attack_alone() -> None:
    g = fight(ger("B", "0,1", formation="44ID"))
    assert "PA-DRM.other.att" not in drm(g, "hasty") | drm(g, "regular")
    assert drm(g, "prepared")["PA-DRM.other.att"] == 1
    g = fight(ger("B", "0,1", formation="44ID"), ger("C", "0,1", "afv"))
    found = drm(g, "prepared")
    assert found["PA-DRM.same.prepared"] == 2
    assert "PA-DRM.other.att" not in found, "a hex counts once, at its better rate"
    g = fight(ger("B", "0,1", "afv", formation="14Pz", under="298ID"))
    assert drm(g, "regular")["PA-DRM.same.regular"] == 1, "a lent unit counts where it serves"


@pytest.mark.rule("bug41", "PA-disruption.2", "PA-disruption.4", "PA-DRM.same.disr")
def test_disrupted_units_neither_give_nor_have_support() -> None:
    g = fight(ger("B", "0,1", status="disrupted"))
    assert "PA-DRM.same.regular" not in drm(g, "regular")
    g = fight(sov("S", "1,0", status="disrupted"), sov("T", "0,1"))
    assert "PA-DRM.same.def" not in drm(g, "regular")
    assert state_of_defence(g, h(g, "1,0")) == "disrupted"
    g = fight(sov("T", "0,1", status="disrupted"))
    assert "PA-DRM.same.def" not in drm(g, "regular")


@pytest.mark.rule("bug41", "PA-DRM.same.def", "PA-DRM.same.imp", "PA-DRM.other.def")
def test_support_of_the_defender() -> None:
    """Through zones into the attacking hex."""
    g = fight(sov("T", "0,1"), sov("V", "1,-1"), sov("W", "2,0"))
    assert drm(g, "hasty")["PA-DRM.same.def"] == -2, "the third is not next to the attackers"
    g = fight(sov("S", "1,0", status="improved"), sov("T", "0,1"), sov("V", "1,-1", formation="19TD"))
    found = drm(g, "hasty")
    assert (found["PA-DRM.same.imp"], found["PA-DRM.other.def"]) == (-2, -1)
    g = fight(sov("V", "1,-1", formation="19TD"))
    assert "PA-DRM.other.def" not in drm(g, "hasty")


@pytest.mark.rule("bug41", "RX-7.7")
def test_a_mixed_hex_defends_improved_only_if_all_its_whole_units_are() -> None:
    units = (sov("S", "1,0", status="improved"), sov("T", "1,0", "afv"))
    assert state_of_defence(fight(*units), h(fight(), "1,0")) == "defense"
    assert state_of_defence(fight(*units, mixed_defense="any_marked"), h(fight(), "1,0")) == "improved"
    g = fight(units[0], sov("T", "1,0", "afv", status="disrupted"))
    assert state_of_defence(g, h(g, "1,0")) == "improved"
    g = act(fight(ger("A", "0,0"), ger("B", "0,0", "afv", status="disrupted"), levels={"215MD": 0}), points=3)  # type: ignore[arg-type]
    do(g, "improve 0,0")
    assert g.status[u(g, "A")]
    assert not g.status[u(g, "B")] & 2
    assert points(g) == 2
    assert refusal(g, "improve 0,0").rule == "RX-7.7"
    do(g, "move A", "to -1,0")
    assert not g.status[u(g, "A")], "moving gives it up"


@pytest.mark.rule("bug41", "PA-AP.impdef", "PA-disruption.5")
def test_improved_defense_costs_a_point_and_ends_with_disruption() -> None:
    g = act(fight(ger("A", "0,0", status="improved"), ger("B", "-3,0")), points=1)
    do(g, "improve -3,0")
    assert points(g) == 0
    g.disrupt(u(g, "A"), "")
    assert state_of_defence(g, h(g, "0,0")) == "disrupted"
    g = act(fight(ger("A", "0,0", status="disrupted")))
    assert refusal(g, "improve 0,0").rule == "PA-disruption.5"


@pytest.mark.rule("bug41", "PA-CS.E3", "PA-DRM.hq.hasty", "PA-DRM.hq.regular", "PA-DRM.hq.prepared", "PA-DRM.hq.def")
def test_hq_attack_support() -> None:
    g = fight(hq("HQ", "-6,0", "298ID", support=3), hq("SHQ", "6,0", "215MD", support=9))
    assert "PA-DRM.hq.hasty" not in drm(g, "hasty")
    assert drm(g, "regular")["PA-DRM.hq.regular"] == 1
    assert drm(g, "prepared")["PA-DRM.hq.prepared"] == 3
    assert sum(drm(g, "prepared").values()) == 3, "the defender's HQ gives nothing"
    up = fight(hq("HQ", "-6,0", "298ID", support=3), hq_half="up")
    assert drm(up, "regular")["PA-DRM.hq.regular"] == 2
    away = fight(hq("HQ", "-5,0", "298ID", "expended"), on=board(areas={"german_supply": ""}))
    assert "PA-DRM.hq.prepared" not in drm(away, "prepared")


def superiority(attackers: list[Placed], defenders: list[Placed], on: Map | None = None, **options: str) -> int:
    g = pos(*attackers, *defenders, on=on, **options)
    return armor(g, [u(g, p.counter.id) for p in attackers], h(g, "1,0")).total


@pytest.mark.rule("bug41", "PA-CS.E4", "PA-DRM.armor", "RX-7.5.1.2")
def test_armor_superiority() -> None:
    tanks = [ger("A", "0,0", "afv", tank=5), ger("B", "0,0", "afv", tank=5)]
    assert superiority(tanks, [sov("S", "1,0", guns=8)]) == 2
    assert superiority(tanks, [sov("S", "1,0", guns=1)]) == 3, "three at most"
    assert superiority(tanks, [sov("S", "1,0", guns=10)]) == 0
    assert superiority(tanks, [sov("S", "1,0", guns=8)], board(terrain={"1,0": "village"})) == 1
    assert superiority(tanks, [sov("S", "1,0", "afv", tank=8)]) == 2
    assert superiority([ger("A", "0,0", guns=2)], [sov("S", "1,0", "afv", tank=4)]) == -2
    assert superiority([ger("A", "0,0", guns=2)], [sov("S", "1,0", "afv", tank=7)]) == -3
    assert superiority(tanks, [sov("S", "1,0", guns=8, status="disrupted")], disrupted_points="ignored") == 3
    empty = board(terrain={"1,0": "dense_forest"})
    assert superiority(tanks[:1], [sov("S", "1,0", "afv", tank=4)], empty, hex_at_bonus="with_at_points") == 1
    assert superiority(tanks[:1], [sov("S", "1,0", "afv", tank=4)], empty) == 0


@pytest.mark.parametrize(
    ("terrain", "bonus", "part"),
    [
        pytest.param(t, b, p, marks=pytest.mark.rule("bug41", f"PA-TEC.{r}.combat"))
        for t, r, b, p in (
            ("clear", "clear", 0, 1),
            ("marsh", "marsh", 1, Fraction(1, 4)),
            ("village", "village", 1, 1),
            ("town", "town", 1, 1),
            ("light_forest", "lforest", 1, 1),
            ("dense_forest", "dforest", 2, 1),
        )
    ],
)
def test_terrain_and_armor(terrain: str, bonus: int, part: Fraction) -> None:
    tanks = [ger("A", "0,0", "afv", tank=12)]
    on = board(terrain={"1,0": terrain})
    g = pos(*tanks, sov("S", "1,0"), on=on)
    assert tank_part(g, h(g, "0,0"), h(g, "1,0")) == part
    points = int(12 * part)
    assert superiority(tanks, [sov("S", "1,0", guns=points - bonus - 1)], on) == 1
    assert superiority(tanks, [sov("S", "1,0", guns=points - bonus)], on) == 0


@pytest.mark.parametrize(
    ("ground", "bonus"),
    [
        pytest.param("clear", 1, marks=pytest.mark.rule("bug41", "PA-TEC.pillc.combat")),
        pytest.param("light_forest", 2, marks=pytest.mark.rule("bug41", "PA-TEC.pillf.combat")),
    ],
)
def test_pillboxes_and_armor(ground: str, bonus: int) -> None:
    on = board(terrain={"1,0": ground}, pillboxes=["1,0"])
    assert superiority([ger("A", "0,0", "afv", tank=12)], [sov("S", "1,0", guns=11 - bonus)], on) == 1
    g = pos(ger("A", "0,0", "engineer"), sov("S", "1,0"), on=on)
    assert drm(g, "hasty")["PA-DRM.eng"] == 1


@pytest.mark.rule("bug41", "PA-TEC.b")
def test_marsh_quarters_tanks_into_and_out_of_it() -> None:
    for wet in ("0,0", "1,0"):
        g = fight(on=board(terrain={wet: "marsh"}))
        assert tank_part(g, h(g, "0,0"), h(g, "1,0")) == Fraction(1, 4)
    both = board(terrain={"1,0": "marsh"}, sides={"0,0|1,0": "stream"})
    assert tank_part(fight(on=both), h(fight(), "0,0"), h(fight(), "1,0")) == Fraction(1, 4), "the lowest once"
    g = fight(on=both, tank_factors="multiplied")
    assert tank_part(g, h(g, "0,0"), h(g, "1,0")) == Fraction(1, 16)


def test_tank_points_are_summed_before_they_are_rounded() -> None:
    tanks = [ger("A", "0,0", "afv", tank=6), ger("B", "0,0", "afv", tank=6)]
    on = board(sides={"0,0|1,0": "stream"})
    assert superiority(tanks, [sov("S", "1,0", guns=2)], on) == 1
    assert superiority(tanks, [sov("S", "1,0", guns=2)], on, tank_rounding="each_unit_down") == 0


@pytest.mark.rule("bug41", "PA-TEC.road.combat", "PA-TEC.rail.combat")
@pytest.mark.parametrize("kind", ["road", "railway"])
def test_roads_do_nothing_in_combat(kind: str) -> None:
    plain, along = fight(), fight(on=board(roads=[(kind, "0,0 1,0")]))
    assert drm(plain, "regular") == drm(along, "regular")
    assert column_of(along, h(along, "1,0"), Fraction(1)) == 7


@pytest.mark.rule("bug41", "PA-DRM.eng", "PA-TEC.d")
def test_engineers_against_pillboxes() -> None:
    on = board(pillboxes=["1,0"])
    pi = ger("P", "0,0", "engineer")
    assert drm(fight(ger("A", "-3,0"), pi, on=on), "hasty", "P")["PA-DRM.eng"] == 1
    assert "PA-DRM.eng" not in drm(fight(ger("A", "-3,0"), pi), "hasty", "P"), "no pillbox"
    assert "PA-DRM.eng" not in drm(fight(ger("A", "-3,0"), pi, sov("S", "1,0", "afv"), on=on), "hasty", "P")
    beside = ger("P", "0,1", "engineer")
    assert drm(fight(beside, on=on), "regular")["PA-DRM.eng"] == 1
    assert "PA-DRM.eng" not in drm(fight(beside, on=on), "hasty"), "no support, no help"
    assert "PA-DRM.eng" not in drm(fight(ger("P", "0,1", "engineer", "44ID"), on=on), "prepared")
    two = fight(beside, ger("Q", "1,-1", "engineer"), on=on, engineer_bonus="each_unit")
    assert drm(two, "regular")["PA-DRM.eng"] == 2


@pytest.mark.rule("bug41", "PA-T1.zbv.1", "PA-T1.zbv.2", "PA-TEC.f")
def test_brandenburgers_at_the_two_bridges_on_turn_one() -> None:
    for a, b in (("1113", "1212"), ("0416", "0516")):
        g = fresh("ustyluh")
        here, there = h(g, a), h(g, b)
        units = [n for n in g.combat_units(here) if n in g.forces.combat_units(0)]
        assert modifiers(g, g.command[units[0]], units, "hasty", there).items[0][1:] == ("PA-T1.zbv.1", -2)
        assert tank_part(g, here, there) == Fraction(1, 2)
        g.set_track("turn", 2)
        assert modifiers(g, g.command[units[0]], units, "hasty", there).items[0].value == -4
        assert tank_part(g, here, there) == Fraction(1, 4)
    g = fresh("ustyluh")
    nkvd = u(g, "NKVD-1")
    assert modifiers(g, g.command[nkvd], [nkvd], "hasty", h(g, "1113")).items[0].value == -4, "for Germans alone"
    assert PACK.toml("pack.toml")["constants"]["brandenburg"]["through"] == 1


@pytest.mark.rule("bug41", "PA-CS.F", "PA-CS.G", "PA-CRT.min", "PA-CRT.max")
def test_the_die_and_its_modifiers_give_the_hits() -> None:
    g = do(act(fight()), "prepared 1,0 with A", dice=[1, 1, 4, 1, 1, 1])
    line = next(t for t in told(g) if t.startswith("combat in"))
    assert "8 against 7, column 7, die 4+3: 2 hits on the attacker, 2 hits on the defender" in line
    low = do(
        act(fight(on=board(sides={"0,0|1,0": "bug"}, roads=[("road", "0,0 1,0")]))),
        "hasty 1,0 with A",
        dice=[1, 1, 1, 1],
    )
    line = next(t for t in told(low) if t.startswith("combat in"))
    assert "die 1-4: 3 hits on the attacker, 0 hits on the defender" in line
    strong = [ger(n, p, "afv", tank=9) for n, p in zip("BCDE", ("0,1", "1,-1", "2,-1", "2,0"), strict=True)]
    strong.append(ger("F", "1,1"))
    g = act(fight(ger("A", "0,0", "afv", tank=9), sov("S", "1,0", steps=2), *strong))
    do(g, "prepared 1,0 with A", dice=[12, 1, 10, 1, 1, 1])
    line = next(t for t in told(g) if t.startswith("combat in"))
    assert "column 12, die 10+16: 0 hits on the attacker, 5 hits on the defender" in line
