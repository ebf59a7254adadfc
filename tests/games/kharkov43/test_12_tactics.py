"""12.3 Combat tactics: benefits, sources, wild cards, re-use, exhaustion, and the units that join by them."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.games.kharkov43.board import (
    AUXILIARY,
    DISCARD,
    HAND,
    IN_PLAY,
    IP,
    OOS,
    Board,
)
from kessel.games.kharkov43.combat.battle import attack_strength
from kessel.games.kharkov43.combat.chits import adjustments, maximum_draw
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.tactics import (
    apply_standing_tactics,
    why_not_auxiliary,
    why_not_benefit,
    why_not_german_tactics,
)
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    cup,
    dice,
    field,
    full_cup,
    german_attack,
    log,
    pile,
    play,
    refused,
    scene,
    soviet_attack,
    step,
    where,
)
from tests.games.kharkov43.helpers import german, hx, soviet, tanks, unit

RULE = "kharkov43"
EVERYWHERE = " ".join(f"{r}{c:02d}" for r in range(12, 25) for c in range(2, 21))


def soviets_attack(defender: dict[str, Any] | None = None, **doc: Any) -> Board:
    """Two rifle divisions beside a German regiment in 1910."""
    return scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02", status=["active"]),
            soviet("b.6", "1809", faces="4-4-03 2-4-04", status=["active"]),
            defender or german("d.XL", "1910", faces="3-4 2-4"),
        ],
        **doc,
    )


def germans_attack(defender: dict[str, Any] | None = None, attackers: int = 3, **doc: Any) -> Board:
    """German regiments beside a rifle division in 1910."""
    return scene(
        [
            *[german(f"{i}.XL", "1911", faces="3-4 2-4", status=["active"]) for i in range(attackers)],
            defender or soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ],
        **doc,
    )


GERMANS = "0.XL 1.XL 2.XL"

# --- 12.3 German tactics ---------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "13.21b")
@pytest.mark.rule(RULE, "12.3a")
def test_german_tactics_need_one_supplied_undispersed_unit_in_the_combat():
    g = germans_attack(cards={"hand": "P23"})
    b = battle(g, GERMANS, "1910")
    assert why_not_german_tactics(g, b) is None
    for i in range(3):
        g.set_status(unit(g, f"{i}.XL"), OOS)
    assert why_not_german_tactics(g, b).rule == "12.3"
    g.set_status(unit(g, "1.XL"), OOS, False)
    assert why_not_german_tactics(g, b) is None
    g = soviets_attack(german("d.XL", "1910", status=["dispersed"]), cards={"hand": "P23", "draw": "E06"})
    full_cup(g)
    soviet_attack(g, "a.6 b.6", "1910")
    assert step(g) != "german_tactics"
    assert where(g, "P23") == HAND


@pytest.mark.rule(RULE, "12.3b")
@pytest.mark.rule(RULE, "12.3c")
def test_a_german_attack_tactic_must_help_beyond_its_chit():
    g = germans_attack(cards={"hand": "P23 P25 P36 P37 P44"})
    full_cup(g)
    german_attack(g, GERMANS, "1910", "P26")
    assert "tactic P23 artillery" in choices(g)
    play(g, "tactic P23 artillery")
    assert refused(g, "tactic P25 artillery") == "12.3"
    assert refused(g, "tactic P25 reinforce_battle") == "12.3"
    assert refused(g, "tactic P37 reinforce_battle") == "12.3"
    assert refused(g, "tactic P23 screen") == "12.3"
    play(g, "tactic P36 panzer_battalion")
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert attack_strength(g, combat).total == 11
    assert "tactic P44 panzer_battalion" in choices(g)
    assert "tactic P44 intelligence" in choices(g)


@pytest.mark.rule(RULE, "12.3b")
def test_a_tactic_only_for_the_defence_cannot_be_played_in_an_attack():
    g = germans_attack(cards={"hand": "P40"})
    b = battle(g, GERMANS, "1910")
    assert why_not_benefit(g, b, "screen", True).reason == "Screen never helps a German attack"
    assert why_not_benefit(g, b, "tank_brigade", True).reason == "Tank Brigade is not a German tactic"


@pytest.mark.rule(RULE, "12.3c")
def test_added_strength_is_a_benefit_even_if_the_ratio_stays():
    g = germans_attack(soviet("d.6", "1910", faces="1-4-05"), cards={"hand": "P36"})
    b = battle(g, GERMANS, "1910")
    assert why_not_benefit(g, b, "panzer_battalion", True) is None
    b.tactics = ("panzer_battalion",)
    assert why_not_benefit(g, b, "panzer_battalion", True) is None


@pytest.mark.rule(RULE, "12.3j")
def test_each_tactic_the_attacker_applies_gives_a_chit_and_the_defenders_do_not():
    g = germans_attack()
    b = battle(g, GERMANS, "1910")
    assert maximum_draw(g, b).total == 3
    b.tactics = ("artillery", "intelligence")
    assert maximum_draw(g, b).total == 5
    b.counter = ("artillery", "tank_brigade", "nkvd")
    assert maximum_draw(g, b).total == 5


@pytest.mark.rule(RULE, "12.3k")
def test_a_tactic_helps_any_units_of_the_cards_nation():
    g = germans_attack(cards={"hand": "P24", "draw": "E17"})
    pile(g, "E17")
    full_cup(g)
    german_attack(g, GERMANS, "1910", "P26")
    assert "tactic P24 airpower" in choices(g)
    play(g, "tactic P24 airpower")
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert combat.tactics == ("airpower",)
    s = soviets_attack(cards={"draw": "E01"})
    full_cup(s)
    c = soviet_attack(s, "a.6 b.6", "1910", "E10")
    assert c.tactics == ("artillery",)


@pytest.mark.rule(RULE, "12.33a")
def test_army_and_army_group_cards_are_wild():
    g = germans_attack(cards={"hand": "P29 P31 P26"}, board=field(terrain={"1910": "woods"}))
    full_cup(g)
    german_attack(g, GERMANS, "1910", "P24")
    wild = {c.split()[2] for c in choices(g) if c.startswith("tactic P29")}
    assert wild == {"artillery", "airpower", "combat_engineers", "panzer_battalion", "intelligence"} | {
        "battlefield_replacements"
    }
    assert {c.split()[2] for c in choices(g) if c.startswith("tactic P31")} == wild
    assert not any(c.startswith("tactic P26") for c in choices(g))
    assert refused(g, "tactic P26 intelligence") == "12.3"
    m = germans_attack(cards={"hand": "P32"}, turn=7, support_line="east")
    full_cup(m)
    german_attack(m, GERMANS, "1910", "P24")
    assert refused(m, "tactic P32 intelligence") == "12.3", "Von Manstein is wild in his own activation alone (12.34)"
    play(g, "tactic P31 intelligence")
    assert where(g, "P31") == IN_PLAY
    d = soviets_attack(cards={"hand": "P30", "draw": "E06"})
    full_cup(d)
    soviet_attack(d, "a.6 b.6", "1910")
    assert "tactic P30 screen" in choices(d)


@pytest.mark.rule(RULE, "12.34a")
@pytest.mark.rule(RULE, "12.3l")
def test_every_attack_of_a_manstein_activation_gets_its_own_wild_tactic():
    g = scene(
        [
            german("0.XL", "1911", status=["active"]),
            german("1.XL", "1613", status=["active"]),
            soviet("d.6", "1910", faces="1-4-05"),
            soviet("e.6", "1612", faces="1-4-06"),
        ],
        turn=7,
        support_line="east",
        phase="german_activation",
        card="P32",
        cards={"in_play": "P32", "hand": "P23"},
    )
    full_cup(g)
    play(g, "pass", "attack 1910", "pass")
    assert "tactic P32 intelligence" in choices(g)
    play(g, "tactic P32 intelligence")
    assert refused(g, "tactic P32 airpower") == "12.34"
    assert "tactic P23 artillery" in choices(g)
    play(g, "tactic P23 artillery")
    while step(g) != "attack":
        play(g, choices(g)[0])
    assert where(g, "P32") == IN_PLAY
    play(g, "attack 1612", "pass")
    assert "tactic P32 airpower" in choices(g)
    other = germans_attack(cards={"in_play": "P29"})
    full_cup(other)
    german_attack(other, GERMANS, "1910", "P29")
    assert step(other) != "german_tactics"


# --- 12.31 auxiliary tactics -----------------------------------------------------------------------------------------


def auxiliary(card: str, **doc: Any) -> Board:
    return soviets_attack(cards={"auxiliary": card}, **doc)


@pytest.mark.rule(RULE, "12.31a")
def test_auxiliary_tactics_go_to_the_first_attack_they_help():
    g = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02"),
            soviet("b.6", "1612", faces="4-4-03 2-4-04"),
            german("d.XL", "1910", faces="3-4 2-4"),
            german("e.XL", "1613", faces="3-4 2-4"),
        ],
        board=field(terrain={"1613": "woods"}),
        cards={"auxiliary": "E11"},
    )
    full_cup(g)
    assert soviet_attack(g, "a.6", "1910", "E10").tactics == ()
    assert where(g, "E11") == AUXILIARY
    assert soviet_attack(g, "b.6", "1613", "E10").tactics == ("partisans",)
    while g.stack:
        play(g, choices(g)[0])
    assert where(g, "E11") == DISCARD


@pytest.mark.rule(RULE, "12.31a")
@pytest.mark.rule(RULE, "9.25.4")
@pytest.mark.parametrize(("terrain", "joins"), [("clear", True), ("marsh", False)])
def test_reinforce_battle_helps_no_soviet_attack_if_9_23_keeps_every_unit_away(terrain: str, joins: bool) -> None:
    """T could reach hexes beside the defender, but on game-turn 3 no mechanized unit ends its move in marsh."""
    around = dict.fromkeys(("1810", "1809", "1911", "2010", "2009"), terrain)
    full = [soviet(f"{i}.6", "1909", faces=f"1-4-0{i}") for i in range(3)]
    units = [*full, tanks("T", "1906", "5-9-10", army="6"), german("d.XL", "1910")]
    g = scene(units, board=field(terrain=around), turn=3)
    b = battle(g, "0.6 1.6 2.6", "1910")
    found = why_not_benefit(g, b, "reinforce_battle", True)
    assert (found is None) is joins
    if found is not None:
        assert (found.rule, found.reason) == ("12.31", "no unit can join by Reinforce Battle")


@pytest.mark.rule(RULE, "12.31a")
def test_assault_coordination_needs_an_inactive_unit_beside_the_defender() -> None:
    units = [soviet("a.6", "1909", status=["active"]), german("d.XL", "1910")]
    alone = scene(units)
    found = why_not_benefit(alone, battle(alone, "a.6", "1910"), "assault_coordination", True)
    assert found is not None
    assert found.reason == "no unit can join by Assault Coordination"
    g = scene([*units, soviet("b.6", "1809")])
    assert why_not_benefit(g, battle(g, "a.6", "1910"), "assault_coordination", True) is None


@pytest.mark.rule(RULE, "12.31b")
def test_no_auxiliary_reinforce_battle_without_somebody_to_come():
    g = auxiliary("E10")
    assert "Reinforce Battle" in why_not_auxiliary(g, battle(g, "a.6 b.6", "1910")).reason


@pytest.mark.rule(RULE, "12.31c")
@pytest.mark.parametrize("card", ["E01", "E12"])
def test_no_auxiliary_artillery_in_the_barrage_zone(card: str):
    zone = {"east_support_zone": "1910"}
    early, late = auxiliary(card, turn=2, board=field(areas=zone)), auxiliary(card, turn=3, board=field(areas=zone))
    for g, applies in ((early, False), (late, True)):
        b = battle(g, "a.6 b.6", "1910")
        apply_standing_tactics(g, b)
        assert (why_not_auxiliary(g, b) is None) is applies


@pytest.mark.rule(RULE, "12.31d")
def test_no_auxiliary_fixed_artillery_beyond_its_range():
    """The range on game-turn 3 is three hexes (calendar)."""
    near = auxiliary("E12", turn=3, board=field(areas={"east_support_zone": "1907"}))
    assert near.charts.calendar[3].far == 3
    assert why_not_auxiliary(near, battle(near, "a.6 b.6", "1910")) is None
    far = auxiliary("E12", turn=3, board=field(areas={"east_support_zone": "1906"}))
    assert "beyond the artillery line" in why_not_auxiliary(far, battle(far, "a.6 b.6", "1910")).reason


@pytest.mark.rule(RULE, "12.31e")
def test_battlefield_replacements_never_help_a_soviet_attack():
    g = auxiliary("E09")
    assert "never helps a Soviet attack" in why_not_auxiliary(g, battle(g, "a.6 b.6", "1910")).reason
    d = germans_attack()
    assert why_not_benefit(d, battle(d, GERMANS, "1910"), "battlefield_replacements", True) is None
    assert why_not_benefit(d, battle(d, GERMANS, "1910"), "battlefield_replacements", False) is None


@pytest.mark.rule(RULE, "12.31f")
@pytest.mark.parametrize("terrain", ["clear", "broken", "marsh", "woods", "town", "city"])
def test_partisans_help_only_against_woods_town_or_city(terrain: str):
    g = auxiliary("E11", board=field(terrain={"1910": terrain}))
    applies = why_not_auxiliary(g, battle(g, "a.6 b.6", "1910")) is None
    assert applies is (terrain in ("woods", "town", "city"))


@pytest.mark.rule(RULE, "12.31g")
def test_no_auxiliary_nkvd_in_a_stavka_activation():
    g = auxiliary("E19")
    b = battle(g, "a.6 b.6", "1910", "E22")
    apply_standing_tactics(g, b)
    assert why_not_auxiliary(g, b).reason == "NKVD is applied already"
    assert why_not_auxiliary(g, battle(g, "a.6 b.6", "1910", "E20")) is None


@pytest.mark.rule(RULE, "12.31h")
def test_no_auxiliary_tactic_that_the_drawn_card_shows():
    g = auxiliary("E15")
    assert why_not_auxiliary(g, battle(g, "a.6 b.6", "1910", soviet_card=g.charts.card_index("E01"))) is None
    why = why_not_auxiliary(g, battle(g, "a.6 b.6", "1910", soviet_card=g.charts.card_index("E08")))
    assert why.reason == "Airpower is on the card drawn for this attack"
    two = auxiliary("E11", board=field(terrain={"1910": "woods"}))
    assert why_not_auxiliary(two, battle(two, "a.6 b.6", "1910", soviet_card=two.charts.card_index("E02"))) is not None


@pytest.mark.rule(RULE, "12.3g")
def test_of_an_auxiliary_card_with_two_tactics_both_must_help():
    g = auxiliary("E02")
    assert why_not_auxiliary(g, battle(g, "a.6 b.6", "1910")).reason.startswith("Partisans")
    woods = auxiliary("E02", board=field(terrain={"1910": "woods"}))
    assert why_not_auxiliary(woods, battle(woods, "a.6 b.6", "1910")) is None
    full_cup(woods)
    assert soviet_attack(woods, "a.6 b.6", "1910", "E04").tactics == ("airpower", "partisans")


# --- what single tactics do ------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.51f")
@pytest.mark.parametrize(
    ("tactic", "attacking", "changes"),
    [
        ("partisans", True, [(False, 1)]),
        ("nkvd", True, [(False, 1)]),
        ("rifle_brigade", True, [(True, -1)]),
        ("tank_brigade", True, [(True, -1)]),
        ("intelligence", True, [(False, 1)]),
        ("nkvd", False, [(False, -1)]),
        ("rifle_brigade", False, [(False, -1)]),
        ("battlefield_replacements", False, [(False, -1)]),
        ("intelligence", False, [(True, 1)]),
        ("artillery", True, []),
        ("airpower", False, []),
    ],
)
def test_hits_changed_by_tactics(tactic: str, attacking: bool, changes: list[tuple[bool, int]]):
    woods = field(terrain={"1910": "woods"})
    if attacking:
        g = soviets_attack(board=woods)
        b = battle(g, "a.6 b.6", "1910", tactics=(tactic,))
    else:
        g = germans_attack(board=woods)
        b = battle(g, GERMANS, "1910", counter=(tactic,))
    assert [(a.attacker, a.value) for a in adjustments(g, b)] == changes


@pytest.mark.rule(RULE, "14.24b")
def test_combat_engineers_of_the_attacker_remove_the_position_before_the_combat():
    g = soviets_attack(improved_positions="1910", cards={"auxiliary": "E14"})
    cup(g, "C14 C15 C16")
    dice(g, *[1] * 6)
    c = soviet_attack(g, "a.6 b.6", "1910", "E04")
    assert c.tactics == ("combat_engineers",)
    assert not g.has_mark(hx(g, "1910"), IP)
    assert log(g).index("improved position in 1910 is removed") < log(g).index("chit: ")
    assert not any(a.uses_ip for a in adjustments(g, c))


@pytest.mark.rule(RULE, "14.21b")
@pytest.mark.rule(RULE, "14.21c")
def test_combat_engineers_of_the_defender_place_a_position():
    d = soviets_attack(cards={"hand": "P40"})
    cup(d, "C36 C37")
    dice(d, 1, 1)
    soviet_attack(d, "a.6 b.6", "1910", "E04")
    play(d, "tactic P40 combat_engineers")
    assert d.has_mark(hx(d, "1910"), IP)
    g = germans_attack(cards={"draw": "E14"})
    cup(g, "C40 C41 C42")
    dice(g, *[1] * 6)
    c = german_attack(g, GERMANS, "1910")
    assert c.counter == ("combat_engineers",)
    assert g.has_mark(hx(g, "1910"), IP)
    for doc in ({"board": field(terrain={"1910": "town"})}, {"improved_positions": "1910"}):
        no = soviets_attack(cards={"hand": "P40"}, **doc)
        assert why_not_benefit(no, battle(no, "a.6 b.6", "1910"), "combat_engineers", False).rule == "14.22"


@pytest.mark.rule(RULE, "14.24c")
def test_a_position_all_of_whose_units_attack_is_removed():
    g = germans_attack(improved_positions="1911")
    full_cup(g)
    german_attack(g, GERMANS, "1910")
    assert not g.has_mark(hx(g, "1911"), IP)
    kept = germans_attack(improved_positions="1911")
    full_cup(kept)
    german_attack(kept, "0.XL 1.XL", "1910")
    assert kept.has_mark(hx(kept, "1911"), IP)
