"""12.3 Combat tactics: benefits, sources, wild cards, re-use, exhaustion, and the units that join by them."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked, legal
from kessel.games.kharkov43.board import (
    ACTIVE,
    ATTACKED,
    AUXILIARY,
    CANNOT_ATTACK,
    DEFENDED,
    DISCARD,
    DISPERSED,
    DRAW,
    HAND,
    IN_PLAY,
    IP,
    LIGHT_MUD,
    MOVED,
    OFF_MAP,
    OOS,
    OUT,
    TACTICS_ONLY,
    Board,
)
from kessel.games.kharkov43.combat.battle import attack_strength, defence_strength, has_armor
from kessel.games.kharkov43.combat.chits import adjustments, maximum_draw, situations
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.combat.joining import coordinated_units, joinable, soviet_reinforcement
from kessel.games.kharkov43.combat.tactics import (
    apply_standing_tactics,
    apply_tactic,
    standing_tactics,
    why_not_auxiliary,
    why_not_benefit,
    why_not_defence_card,
    why_not_german_tactics,
    why_not_soviet_tactics,
)
from kessel.games.kharkov43.data.forces import GERMAN
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
    places,
    play,
    refused,
    scene,
    soviet_attack,
    step,
    where,
)
from tests.games.kharkov43.helpers import german, hx, panzer, soviet, tanks, unit

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


# --- 12.3 Soviet attack: sources -------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "13.52d")
@pytest.mark.rule(RULE, "12.3d")
def test_soviet_attack_tactics_need_support():
    g = soviets_attack(turn=5, cards={"draw": "E01", "auxiliary": "E15"})
    full_cup(g)
    b = battle(g, "a.6 b.6", "1910")
    assert why_not_soviet_tactics(g, b).rule == "13.52"
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    assert (c.tactics, c.idle, where(g, "E01"), where(g, "E15")) == ((), (), DRAW, AUXILIARY)
    for zone in ("1809", "1910"):
        supported = soviets_attack(turn=5, board=field(areas={"west_support_zone": zone}), cards={"draw": "E01"})
        full_cup(supported)
        assert soviet_attack(supported, "a.6 b.6", "1910", "E10").tactics == ("artillery",)


@pytest.mark.rule(RULE, "12.3e")
@pytest.mark.rule(RULE, "12.36a")
@pytest.mark.rule(RULE, "12.35a")
def test_the_four_sources_are_checked_in_their_order():
    zone = {"east_support_zone": EVERYWHERE}
    g = soviets_attack(turn=2, board=field(areas=zone), cards={"draw": "E08", "auxiliary": "E16"})
    full_cup(g)
    c = soviet_attack(g, "a.6 b.6", "1910", "E22")
    assert c.tactics == ("artillery", "nkvd", "airpower", "tank_brigade")
    names = [i.what for i in maximum_draw(g, c).items]
    assert names == ["a.6", "b.6", "Artillery", "NKVD", "Airpower", "Tank Brigade"]


@pytest.mark.rule(RULE, "12.36a")
@pytest.mark.parametrize(("turn", "target", "applies"), [(1, "1910", True), (2, "1910", True), (3, "1910", False)])
def test_barrage_on_the_first_two_turns_only(turn: int, target: str, applies: bool):
    g = soviets_attack(turn=turn, board=field(areas={"east_support_zone": "1910"}))
    b = battle(g, "a.6 b.6", target)
    assert [s.tactic for s in standing_tactics(g, b)] == (["artillery"] if applies else [])
    outside = soviets_attack(turn=turn, board=field(areas={"east_support_zone": "1810 1809"}))
    assert list(standing_tactics(outside, battle(outside, "a.6 b.6", target))) == []


@pytest.mark.rule(RULE, "12.35a")
@pytest.mark.rule(RULE, "12.3l")
def test_every_supported_attack_of_a_stavka_activation_gets_nkvd_and_a_chit():
    g = soviets_attack(turn=3)
    b = battle(g, "a.6 b.6", "1910", "E22")
    apply_standing_tactics(g, b)
    assert b.tactics == ("nkvd",)
    assert maximum_draw(g, b).total == 3
    assert list(standing_tactics(g, battle(g, "a.6 b.6", "1910", "E20"))) == []
    late = soviets_attack(turn=5)
    assert list(standing_tactics(late, battle(late, "a.6 b.6", "1910", "E22"))) == []
    every = soviets_attack(turn=5, options={"stavka_nkvd": "every_attack"})
    assert [s.tactic for s in standing_tactics(every, battle(every, "a.6 b.6", "1910", "E22"))] == ["nkvd"]


@pytest.mark.rule(RULE, "12.38f")
def test_an_overwhelming_attack_keeps_barrage_and_stavka_unless_switched_off():
    zone = field(areas={"east_support_zone": EVERYWHERE})
    weak = german("d.XL", "1910", faces="1-4")
    for option, tactics in (("barrage_and_stavka", ("artillery", "nkvd")), ("none", ())):
        g = soviets_attack(weak, turn=1, board=zone, options={"overwhelming_tactics": option}, cards={"draw": "E01"})
        full_cup(g)
        c = soviet_attack(g, "a.6 b.6", "1910", "E22")
        assert c.tactics == tactics
        assert where(g, "E01") == DRAW


@pytest.mark.rule(RULE, "12.3e")
@pytest.mark.example(RULE, "X28")
def test_example_tank_brigade_drawn_and_fixed_artillery_from_the_auxiliary():
    g = soviets_attack(
        turn=3,
        board=field(areas={"east_support_zone": "1710"}),
        cards={"command": "E07", "auxiliary": "E12", "draw": "E03 E06 E09 E14 E18"},
    )
    full_cup(g)
    dice(g, 1, *[1] * 4)
    c = soviet_attack(g, "a.6 b.6", "1910", "E07")
    assert c.tactics == ("tank_brigade", "fixed_artillery")
    assert attack_strength(g, c).total == 4 + 4 + 2
    assert has_armor(g, c, True)
    assert maximum_draw(g, c).total == 2 + 1 + 1
    assert situations(g, c, 4).holds("attacker_artillery")
    assert situations(g, c, 4).holds("only_attacker_armor")
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E03"), where(g, "E12"), where(g, "E07")) == (DISCARD, DISCARD, 7)


@pytest.mark.rule(RULE, "12.3f")
@pytest.mark.rule(RULE, "12.3g")
@pytest.mark.rule(RULE, "12.31a")
@pytest.mark.rule(RULE, "12.31b")
@pytest.mark.example(RULE, "X29")
def test_example_partisans_in_the_open_give_a_chit_and_the_auxiliary_needs_all_its_tactics():
    g = soviets_attack(turn=4, cards={"command": "E04", "auxiliary": "E05", "draw": "E11 E06 E09 E14 E18"})
    full_cup(g)
    dice(g, 3, *[1] * 4, *[1] * 5)
    c = soviet_attack(g, "a.6 b.6", "1910", "E04")
    assert (c.tactics, c.idle) == ((), ("partisans",))
    assert maximum_draw(g, c).total == 3
    assert not any(a.what == "Partisans" for a in adjustments(g, c))
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E11"), where(g, "E05")) == (DISCARD, AUXILIARY)
    near = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02", status=["active"]),
            soviet("b.6", "1809", faces="4-4-03 2-4-04", status=["active"]),
            soviet("c.6", "1807", faces="3-4-05 2-4-06"),
            german("d.XL", "1910", faces="3-4 2-4"),
        ],
        turn=4,
        cards={"auxiliary": "E05", "draw": "E11 E06 E09 E14 E18"},
    )
    full_cup(near)
    dice(near, 3, *[1] * 7, *[1] * 5)
    c = soviet_attack(near, "a.6 b.6", "1910", "E04")
    assert c.tactics == ("reinforce_battle", "artillery")
    while near.stack:
        play(near, choices(near)[0])
    assert where(near, "E05") == DISCARD


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


# --- 12.32, 12.37 cards ----------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "18.34e")
@pytest.mark.rule(RULE, "12.32a")
@pytest.mark.rule(RULE, "12.32b")
@pytest.mark.parametrize(
    ("pile_", "ground", "goes"),
    [
        ("E04 E06 E09 E14 E18", "frozen", DRAW),
        ("E04 E06 E09 E14", "frozen", DISCARD),
        ("E04 E06 E09 E14 E18", "light_mud", DISCARD),
    ],
)
def test_re_use_cards_go_back_to_the_pile(pile_: str, ground: str, goes: int):
    g = soviets_attack(turn=8, support_line="whole_map", ground=ground, cards={"draw": pile_})
    full_cup(g)
    dice(g, 1, *[1] * 3, *[1] * 8)
    soviet_attack(g, "a.6 b.6", "1910", "E10")
    while g.stack:
        play(g, choices(g)[0])
    assert where(g, "E04") == goes
    assert g.ground_condition == (LIGHT_MUD if ground == "light_mud" else 0)


@pytest.mark.rule(RULE, "12.32a")
def test_re_use_cards_go_back_too_from_the_auxiliary_box_and_drawn_in_defence():
    g = soviets_attack(cards={"auxiliary": "E01", "draw": "E06 E09 E14 E18 E19"})
    full_cup(g)
    dice(g, 1, *[1] * 4, *[1] * 8)
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    assert "artillery" in c.tactics
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E01"), where(g, "E06")) == (DRAW, DISCARD)
    d = germans_attack(cards={"draw": "E07 E06 E09 E14 E18"})
    full_cup(d)
    dice(d, 2, *[1] * 20)
    german_attack(d, GERMANS, "1910")
    while d.stack:
        play(d, choices(d)[0])
    assert "Assault Coordination does not help" in log(d)
    assert where(d, "E07") == DRAW


@pytest.mark.rule(RULE, "12.3i")
def test_a_defence_card_is_discarded_even_if_unused():
    g = germans_attack(cards={"draw": "E11 E09"})
    full_cup(g)
    dice(g, 2, *[1] * 20)
    c = german_attack(g, GERMANS, "1910")
    assert c.counter == ()
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E11"), where(g, "E09")) == (DISCARD, DRAW)


@pytest.mark.rule(RULE, "12.37a")
def test_an_exhausted_deck_is_reshuffled_for_tactics_only():
    g = soviets_attack(cards={"discard": "E06 E16", "command": "E10"})
    full_cup(g)
    dice(g, 2, *[1] * 3, *[1] * 8)
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    assert c.tactics == ("tank_brigade",)
    assert where(g, "E06") == TACTICS_ONLY
    while g.stack:
        play(g, choices(g)[0])
    assert (where(g, "E16"), where(g, "E06")) == (DISCARD, TACTICS_ONLY)
    assert not [i for i in g.charts.soviet_cards if g.cards[i] == DRAW]


def test_stavka_drawn_for_its_tactics_leaves_the_game_from_turn_7():
    g = soviets_attack(turn=7, support_line="whole_map", cards={"draw": "E22"})
    full_cup(g)
    soviet_attack(g, "a.6 b.6", "1910", "E10")
    while g.stack:
        play(g, choices(g)[0])
    assert where(g, "E22") == OUT


# --- 12.3 German attack: the Soviet card -----------------------------------------------------------------------------


@pytest.mark.rule(RULE, "13.52d")
@pytest.mark.rule(RULE, "12.3h")
@pytest.mark.rule(RULE, "12.9d")
def test_a_defence_card_is_drawn_only_for_supported_supplied_undispersed_soviets():
    g = germans_attack()
    assert why_not_defence_card(g, battle(g, GERMANS, "1910")) is None
    for status in ("dispersed", "out_of_supply", "isolated"):
        bad = germans_attack(soviet("d.6", "1910", status=[status]))
        assert why_not_defence_card(bad, battle(bad, GERMANS, "1910")).rule == "12.3"
    mixed = scene(
        [
            *[german(f"{i}.XL", "1911") for i in range(3)],
            soviet("d.6", "1910", status=["dispersed"]),
            soviet("e.6", "1910"),
        ]
    )
    assert why_not_defence_card(mixed, battle(mixed, GERMANS, "1910")) is None
    late = germans_attack(turn=5)
    assert why_not_defence_card(late, battle(late, GERMANS, "1910")).rule == "13.52"
    full_cup(late)
    pile(late, "E06")
    german_attack(late, GERMANS, "1910")
    assert where(late, "E06") == DRAW


@pytest.mark.rule(RULE, "12.3h")
def test_the_tactics_of_a_defence_card_apply_if_they_help():
    g = germans_attack(cards={"draw": "E16"})
    full_cup(g)
    c = german_attack(g, GERMANS, "1910")
    assert c.counter == ("tank_brigade",)
    assert defence_strength(g, c).total == 3 + 2
    assert maximum_draw(g, c).total == 3


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
    assert log(g).index("improved position in 1910 is removed") < log(g).index("chit C")
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


# --- units that join -------------------------------------------------------------------------------------------------


def reinforce_scene(**doc: Any) -> Board:
    return scene(
        [
            german("0.XL", "1911", status=["active"]),
            german("1.XL", "1911", status=["active"]),
            german("2.XL", "1911", status=["active"]),
            german("r.LVII", "1913", corps="LVII"),
            german("s.LVII", "1913", corps="LVII"),
            german("t.LVII", "2013", corps="LVII"),
            german("u.LVII", "1913", corps="LVII", status=["dispersed"]),
            german("v.LVII", "1818", corps="LVII"),
            soviet("d.6", "1910", faces="3-4-05 2-4-06"),
        ],
        cards={"hand": "P25"},
        **doc,
    )


@pytest.mark.rule(RULE, "6.3f")
@pytest.mark.rule(RULE, "12.1c")
@pytest.mark.rule(RULE, "12.8c")
def test_reinforce_battle_brings_units_of_one_german_hex_beside_the_defender():
    g = reinforce_scene()
    full_cup(g)
    german_attack(g, GERMANS, "1910", "P26")
    play(g, "tactic P25 reinforce_battle")
    movers = {c.split()[1] for c in choices(g)}
    assert movers == {"r.LVII", "s.LVII", "t.LVII"}
    assert "pass" not in choices(g)
    assert refused(g, "join v.LVII 1810") == "12.3"
    assert refused(g, "pass") == "12.3"
    play(g, "join r.LVII 1810")
    assert {c.split()[1] for c in choices(g) if c != "pass"} == {"s.LVII"}
    combat = g.stack[-1]
    assert isinstance(combat, GermanCombat)
    assert combat.joined == (unit(g, "r.LVII"),)
    assert g.status[unit(g, "r.LVII")] & (ATTACKED | MOVED) == ATTACKED | MOVED
    assert not g.status[unit(g, "r.LVII")] & ACTIVE
    play(g, "pass")
    assert len(combat.attackers) == 4


@pytest.mark.rule(RULE, "12.0a")
def test_reinforce_battle_moves_a_german_stack_into_the_defending_hex():
    g = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02"),
            soviet("b.6", "1809", faces="4-4-03 2-4-04"),
            german("d.XL", "1910", faces="3-4"),
            german("r.LVII", "1912", corps="LVII", faces="3-4 2-4"),
            german("s.LVII", "1912", corps="LVII", faces="3-4"),
        ],
        cards={"hand": "P25"},
    )
    cup(g, "C01 C02 C03 C04 C05 C06")
    dice(g, *[1] * 20)
    c = soviet_attack(g, "a.6 b.6", "1910", "E10")
    play(g, "tactic P25 reinforce_battle")
    assert choices(g) == ["join r.LVII 1910", "join s.LVII 1910"]
    play(g, "join r.LVII 1910", "join s.LVII 1910")
    assert places(g, "r.LVII s.LVII") == {"r.LVII": "1910", "s.LVII": "1910"}
    assert [g.name(u) for u in c.defenders] == ["d.XL", "r.LVII", "s.LVII"]
    assert len(c.drawn) == 4
    assert defence_strength(g, c).total == 9


@pytest.mark.rule(RULE, "12.31b")
def test_one_soviet_unit_comes_up_the_strongest_first_by_the_tactical_preferences():
    g = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02", status=["active"]),
            soviet("b.6", "1706", faces="3-4-03 2-4-04"),
            soviet("c.6", "1806", faces="4-4-05 2-4-06"),
            soviet("e.6", "1808", faces="9-4-07", status=["out_of_supply"]),
            german("d.XL", "1910", faces="9-4 2-4"),
        ],
        cards={"draw": "E10"},
    )
    full_cup(g)
    b = battle(g, "a.6", "1910")
    tactic = g.charts.tactics["reinforce_battle"]
    assert {g.name(u) for u in joinable(g, b, tactic.attack, True)} == {"b.6", "c.6"}
    u, choice = soviet_reinforcement(g, b, tactic, tactic.attack, True)
    assert (g.name(u), g.hex_name(choice.hex)) == ("c.6", "2009")
    assert [c.rule for c in choice.cuts] == ["9.25b"]
    c = soviet_attack(g, "a.6", "1910", "E11")
    assert c.attackers == (unit(g, "a.6"), unit(g, "c.6"))
    assert places(g, "b.6 c.6") == {"b.6": "1706", "c.6": "2009"}
    assert c.joined == (unit(g, "c.6"),)


@pytest.mark.rule(RULE, "6.3f")
@pytest.mark.rule(RULE, "12.1c")
def test_all_inactive_soviets_beside_the_defender_join_by_assault_coordination():
    g = scene(
        [
            soviet("a.6", "1810", faces="4-4-01 2-4-02", status=["active"]),
            soviet("b.1G", "1809", faces="3-4-03 2-4-04", army="1G"),
            soviet("c.1G", "1809", faces="3-4-05 2-4-06", army="1G", status=["dispersed"]),
            soviet("e.1G", "1808", faces="3-4-07 2-4-08", army="1G"),
            german("d.XL", "1910", faces="9-4 2-4"),
        ],
        cards={"draw": "E07"},
    )
    full_cup(g)
    assert [g.name(u) for u in coordinated_units(g, battle(g, "a.6", "1910"))] == ["b.1G"]
    c = soviet_attack(g, "a.6", "1910", "E10")
    assert isinstance(c, SovietCombat)
    assert [g.name(u) for u in c.attackers] == ["a.6", "b.1G"]
    assert not g.status[unit(g, "b.1G")] & ACTIVE


@pytest.mark.rule(RULE, "6.3f")
@pytest.mark.rule(RULE, "12.1c")
def test_the_player_chooses_inactive_germans_of_any_hexes_by_assault_coordination():
    g = scene(
        [
            german("a.XL", "1911", status=["active"]),
            german("b.III", "1810", corps="III"),
            german("c.LVII", "2010", corps="LVII"),
            german("e.LVII", "2012", corps="LVII"),
            soviet("d.6", "1910"),
        ],
        cards={"hand": "P26 P38"},
    )
    full_cup(g)
    c = german_attack(g, "a.XL", "1910", "P24")
    play(g, "tactic P38 assault_coordination")
    joins = {a[1] for a in legal(g) if a[0] == "join"}
    assert {g.name(u) for u in joins} == {"b.III", "c.LVII"}
    play(g, "join b.III 1810")
    assert ("join", unit(g, "c.LVII"), g.place[unit(g, "c.LVII")]) in legal(g), "from a second hex as well"
    play(g, "join c.LVII 2010")
    assert [g.name(u) for u in c.attackers] == ["a.XL", "b.III", "c.LVII"]
    assert not any(g.status[u] & ACTIVE for u in joins)


@pytest.mark.parametrize(
    ("status", "attacking", "able"),
    [
        (0, True, True),
        (DISPERSED, True, False),
        (OOS, True, False),
        (ATTACKED, True, False),
        (DEFENDED, True, True),
        (DEFENDED, False, False),
        (CANNOT_ATTACK, True, False),
    ],
)
def test_who_may_come_up_by_reinforce_battle(status: int, attacking: bool, able: bool):
    g = scene(
        [
            german("a.XL", "1911"),
            german("r.LVII", "1913", corps="LVII"),
            soviet("s.6", "1809"),
            soviet("d.6", "1910") if attacking else german("d.XL", "1910"),
        ]
    )
    g.set_status(unit(g, "r.LVII"), status)
    b = battle(g, "a.XL" if attacking else "s.6", "1910")
    part = g.charts.tactics["reinforce_battle"].attack if attacking else g.charts.tactics["reinforce_battle"].defence
    assert (unit(g, "r.LVII") in joinable(g, b, part, attacking)) is able


def test_reinforcements_do_not_abandon_what_9_23_protects():
    g = scene(
        [
            tanks("a.Popov", "1810", faces="4-6-01 2-6-02", status=["active"]),
            tanks("b.Popov", "1807", faces="9-6-03 2-6-04"),
            german("d.XL", "1910", faces="9-4 2-4"),
        ],
        board=field(terrain={"1911": "marsh", "2010": "marsh", "2009": "marsh", "1909": "marsh", "1809": "marsh"}),
    )
    tactic = g.charts.tactics["reinforce_battle"]
    found = soviet_reinforcement(g, battle(g, "a.Popov", "1910"), tactic, tactic.attack, True)
    assert found is not None
    assert g.hex_name(found[1].hex) == "1810"
    assert {r.rule for _, r in found[1].refused} == {"9.23e"}


@pytest.mark.rule(RULE, "12.3b")
def test_refusals_name_the_card_and_the_question_goes_to_the_german_player():
    g = germans_attack(cards={"hand": "P23", "draw": "E06", "discard": "P25"})
    full_cup(g)
    german_attack(g, GERMANS, "1910", "P26")
    assert asked(g) == GERMAN
    assert refused(g, "tactic P25 artillery") == "12.3"
    assert refused(g, "tactic P23 airpower") == "12.3"
    apply_tactic(g, g.stack[-1], "artillery", True, "test")  # type: ignore[arg-type]
    g.happened(OFF_MAP)
    assert refused(g, "tactic P23 artillery") == "12.3"


def test_dispersed_defenders_get_no_tactics():
    g = soviets_attack(german("d.XL", "1910", faces="9-4 8-4", status=["dispersed"]), cards={"hand": "P23"})
    b = battle(g, "a.6 b.6", "1910")
    assert why_not_german_tactics(g, b) is not None
    g.set_status(unit(g, "d.XL"), DISPERSED, False)
    assert why_not_german_tactics(g, b) is None


def test_panzers_and_armor():
    g = scene([panzer("1.XL", "1810"), soviet("d.6", "1910")])
    assert has_armor(g, battle(g, "1.XL", "1910"), True)
