"""12.41 Which side of a chit counts."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.board import DRAWN, STRUCK
from kessel.games.kharkov43.combat.battle import attack_strength, defence_strength, ratio_text
from kessel.games.kharkov43.combat.chits import (
    Hits,
    Situations,
    examine,
    examined_chits,
    situations,
)
from kessel.games.kharkov43.data.cards import Chit
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    cup,
    dice,
    field,
    full_cup,
    german_attack,
    play,
    scene,
    soviet_attack,
)
from tests.games.kharkov43.helpers import german, panzer, soviet, tanks, unit

from .test_12_chits import CHITS, german_scene, soviet_scene

RULE = "kharkov43"

LARGE = "large attack, 1 hit on the attacker, 1 hit on the defender"


# --- 12.41 which side of a chit --------------------------------------------------------------------------------------


def sample(front: str, front_hits: str, back: str, back_hits: str, priority: str = "") -> Chit:
    return Chit("X", False, front, front_hits, priority == "front", back, back_hits, priority == "back")


@pytest.mark.rule(RULE, "2.22b")
@pytest.mark.rule(RULE, "12.41a")
def test_a_chit_is_retained_with_the_side_that_applies():
    s = Situations(6, 3, {"clear": "", "flank_attack": ""})
    assert examine(sample("clear", "D1", "woods", "A1"), s, SOVIET).hits == Hits(0, 1)
    assert examine(sample("woods", "D1", "clear", "A1"), s, SOVIET).hits == Hits(1, 0)
    assert examine(sample("woods town", "D1", "broken clear", "A1"), s, SOVIET).situation == "clear"


@pytest.mark.rule(RULE, "2.22c")
@pytest.mark.rule(RULE, "12.41a")
def test_if_both_sides_apply_the_priority_side_counts():
    s = Situations(6, 3, {"clear": "", "flank_attack": ""})
    assert examine(sample("clear", "D1", "flank_attack", "D2", "back"), s, SOVIET).hits == Hits(0, 2)
    assert examine(sample("clear", "D1", "flank_attack", "D2", "front"), s, SOVIET).hits == Hits(0, 1)
    assert examine(CHITS["C17"], Situations(8, 2, {"defender_not_supported": ""}), GERMAN).hits == Hits(0, 1)


def told_of(g, chit):
    """What the log says of that chit."""
    return [e["what"] for e in g.events if e.get("chit") == chit]


@pytest.mark.rule(RULE, "12.41b")
def test_a_chit_that_does_not_apply_is_set_aside_but_counts_as_drawn():
    g = soviet_scene(turn=5)
    cup(g, "C36 C22")
    dice(g, 2, 1)
    c = soviet_attack(g, "a.6", "1910")
    found = examined_chits(g, c)
    assert [(e.chit.id, e.retained) for e in found] == [("C36", False), ("C22", True)]
    assert told_of(g, "C36") == ["chit: does not apply"]
    assert len(c.drawn) == 2
    play(g, *[next(x for x in choices(g) if x.startswith("lose"))] if g.stack else [])
    assert not any(g.chits[i] == DRAWN for i in range(60))


@pytest.mark.rule(RULE, "12.41c")
@pytest.mark.example(RULE, "X31")
@pytest.mark.parametrize(
    ("attack", "defence", "word", "holds"),
    [
        (9, 3, "ratio>=3", True),
        (8, 3, "ratio>=3", False),
        (5, 4, "ratio>1", True),
        (4, 4, "ratio>1", False),
        (5, 3, "ratio<2", True),
        (6, 3, "ratio<2", False),
        (16, 2, "ratio>=8", True),
        (15, 2, "ratio>=8", False),
        (7, 5, "ratio<1.5", True),
        (6, 4, "ratio<1.5", False),
        (6, 4, "ratio>=1.5", True),
        (3, 0, "ratio>=8", True),
        (0, 3, "ratio>1", False),
    ],
)
def test_ratio_chits_compare_the_true_strengths(attack: int, defence: int, word: str, holds: bool):
    assert Situations(attack, defence, {}).holds(word) is holds


@pytest.mark.rule(RULE, "12.41c")
def test_the_ratio_is_of_all_attackers_and_all_defenders():
    g = scene(
        [
            german("a.XL", "1911", faces="3-4"),
            german("b.XL", "1810", faces="4-4"),
            soviet("d.6", "1910", faces="2-4-01"),
            soviet("e.6", "1910", faces="3-4-02"),
        ]
    )
    s = situations(g, battle(g, "a.XL b.XL", "1910"), 2)
    assert (s.attack, s.defence) == (7, 5)


@pytest.mark.parametrize(
    ("attack", "defence", "text"),
    [
        (6, 4, "6:4, that is 1.5:1"),
        (8, 3, "8:3, that is 2:1"),
        (22, 3, "22:3, that is 7:1"),
        (7, 5, "7:5, that is 1:1"),
        (3, 5, "3:5, less than 1:1"),
    ],
)
def test_ratios_are_told_rounded_down(attack: int, defence: int, text: str):
    assert ratio_text(attack, defence) == text


@pytest.mark.rule(RULE, "12.41d")
@pytest.mark.example(RULE, "X32")
def test_across_the_dniepr_the_total_is_halved_and_rounded_down():
    rivers = {"1911|1910": "dniepr", "1810|1910": "donets"}
    g = scene(
        [
            german("a.XL", "1911", faces="3-4"),
            german("b.XL", "1911", faces="4-4"),
            german("c.XL", "1810", faces="3-4"),
            soviet("d.6", "1910", faces="3-4-05"),
        ],
        board=field(bare=True, rivers=rivers),
    )
    assert attack_strength(g, battle(g, "a.XL b.XL", "1910")).total == 3
    assert attack_strength(g, battle(g, "a.XL b.XL c.XL", "1910")).total == 6
    assert attack_strength(g, battle(g, "a.XL", "1910")).total == 1
    assert any(i.rule == "12.41" for i in attack_strength(g, battle(g, "a.XL", "1910")))


@pytest.mark.rule(RULE, "12.41e")
def test_mechanized_units_are_halved_into_from_and_in_marsh():
    def total(terrain: dict[str, str], rivers: dict[str, str] | None = None) -> tuple[int, int]:
        g = scene(
            [
                panzer("a.XL", "1911", faces="5-6"),
                panzer("b.XL", "1911", faces="2-6"),
                german("c.XL", "1911", faces="3-4"),
                tanks("d.Popov", "1910", faces="5-6-05"),
                soviet("e.6", "1910", faces="3-4-06"),
            ],
            board=field(bare=True, terrain=terrain, rivers=rivers),
        )
        b = battle(g, "a.XL b.XL c.XL", "1910")
        return attack_strength(g, b).total, defence_strength(g, b).total

    assert total({}) == (10, 8)
    assert total({"1911": "marsh"}) == (3 + 3, 8)
    assert total({"1910": "marsh"}) == (3 + 3, 3 + 2)
    assert total({"1910": "marsh"}, {"1911|1910": "dniepr"}) == (1 + 1, 3 + 2)


@pytest.mark.rule(RULE, "12.41f")
@pytest.mark.parametrize("terrain", ["clear", "broken", "marsh", "woods", "town", "city"])
def test_terrain_chits_look_at_the_defenders_hex(terrain: str):
    g = german_scene(board=field(terrain={"1910": terrain, "1911": "broken"}))
    s = situations(g, battle(g, "a.XL", "1910"), 1)
    assert [t for t in ("clear", "broken", "marsh", "woods", "town", "city") if s.holds(t)] == [terrain]


@pytest.mark.rule(RULE, "12.41g")
@pytest.mark.parametrize(
    ("side", "attacking", "tactic", "word"),
    [
        (GERMAN, True, "airpower", "german_airpower"),
        (GERMAN, False, "airpower", "soviet_airpower"),
        (SOVIET, True, "airpower", "soviet_airpower"),
        (SOVIET, False, "airpower", "german_airpower"),
        (GERMAN, True, "artillery", "attacker_artillery"),
        (GERMAN, False, "artillery", "defender_artillery"),
        (SOVIET, True, "fixed_artillery", "attacker_artillery"),
        (SOVIET, False, "artillery", "defender_artillery"),
    ],
)
def test_airpower_and_artillery_chits_need_the_tactic(side: int, attacking: bool, tactic: str, word: str):
    g = german_scene() if side == GERMAN else soviet_scene()
    attacker = "a.XL" if side == GERMAN else "a.6"
    words = ("german_airpower", "soviet_airpower", "attacker_artillery", "defender_artillery")
    bare = situations(g, battle(g, attacker, "1910"), 1)
    assert not any(bare.holds(w) for w in words)
    applied = {"tactics": (tactic,)} if attacking else {"counter": (tactic,)}
    s = situations(g, battle(g, attacker, "1910", **applied), 1)
    assert [w for w in words if s.holds(w)] == [word]


@pytest.mark.rule(RULE, "12.41h")
def test_the_engineer_chit_needs_the_attackers_tactic():
    g = soviet_scene()
    assert situations(g, battle(g, "a.6", "1910", tactics=("combat_engineers",)), 1).holds("combat_engineers")
    assert not situations(g, battle(g, "a.6", "1910", counter=("combat_engineers",)), 1).holds("combat_engineers")


@pytest.mark.rule(RULE, "12.41i")
@pytest.mark.parametrize(
    ("status", "at", "holds"),
    [
        ([], "1909", True),
        (["dispersed"], "1909", False),
        (["out_of_supply"], "1909", False),
        (["isolated"], "1909", False),
        (["struck"], "1909", False),
        ([], "1908", False),
    ],
)
def test_defender_adjacent_needs_a_fit_friend_not_yet_attacked(status: list[str], at: str, holds: bool):
    g = scene([german("a.XL", "1911"), soviet("d.6", "1910"), soviet("f.6", at, status=status)])
    assert situations(g, battle(g, "a.XL", "1910"), 1).holds("defender_adjacent") is holds


@pytest.mark.rule(RULE, "12.41i")
def test_the_attack_itself_marks_its_defender_for_later_combats_of_the_impulse():
    g = scene([german("a.XL", "1911"), german("b.XL", "2008"), soviet("d.6", "1910"), soviet("f.6", "1909")])
    assert situations(g, battle(g, "b.XL", "1909"), 1).holds("defender_adjacent")
    full_cup(g)
    german_attack(g, "a.XL", "1910")
    assert g.status[unit(g, "d.6")] & STRUCK
    fresh = scene([german("b.XL", "2008"), soviet("d.6", "1910", status=["struck"]), soviet("f.6", "1909")])
    assert not situations(fresh, battle(fresh, "b.XL", "1909"), 1).holds("defender_adjacent")


@pytest.mark.rule(RULE, "12.41i")
def test_friends_are_not_adjacent_across_a_blocked_dniepr():
    g = scene(
        [german("a.XL", "1911"), soviet("d.6", "1910"), soviet("f.6", "1909")],
        board=field(bare=True, rivers={"1910|1909": "blocked_dniepr"}),
    )
    assert not situations(g, battle(g, "a.XL", "1910"), 1).holds("defender_adjacent")


@pytest.mark.rule(RULE, "12.41j")
@pytest.mark.parametrize(
    ("turn", "zone", "holds"),
    [(5, "1910 1909", True), (5, "1910", False), (5, "1909", False), (4, "", True)],
)
def test_from_turn_5_adjacent_soviets_help_only_in_support(turn: int, zone: str, holds: bool):
    g = scene(
        [german("a.XL", "1911"), soviet("d.6", "1910"), soviet("f.6", "1909")],
        turn=turn,
        board=field(areas={"west_support_zone": zone}),
    )
    assert situations(g, battle(g, "a.XL", "1910"), 1).holds("defender_adjacent") is holds
    germans = scene([soviet("a.6", "1911"), german("d.XL", "1910"), german("f.XL", "1909")], turn=5)
    assert situations(germans, battle(germans, "a.6", "1910"), 1).holds("defender_adjacent")


@pytest.mark.rule(RULE, "12.41k")
@pytest.mark.parametrize(
    ("states", "holds"),
    [
        (["dispersed"], True),
        (["out_of_supply"], True),
        (["isolated"], True),
        (["dispersed", "isolated"], True),
        (["dispersed", ""], False),
        ([""], False),
    ],
)
def test_dispersed_or_unsupplied_needs_all_defenders(states: list[str], holds: bool):
    defenders = [soviet(f"{i}.6", "1910", faces="1-4-05", status=[s] if s else []) for i, s in enumerate(states)]
    g = scene([german("a.XL", "1911"), *defenders])
    assert situations(g, battle(g, "a.XL", "1910"), 1).holds("dispersed_or_unsupplied") is holds


@pytest.mark.rule(RULE, "12.41l")
@pytest.mark.example(RULE, "X33")
@pytest.mark.parametrize(
    ("hexes", "terrain", "holds"),
    [
        ("1911 1810 1809", "clear", True),
        ("1911", "clear", False),
        ("1911 1810 1809", "town", False),
        ("1911 1810 1809", "city", False),
        ("1911 1809", "clear", True),
        ("1911 1810", "clear", False),
        ("1911 1909", "woods", True),
    ],
)
def test_flank_attack(hexes: str, terrain: str, holds: bool):
    attackers = [german(f"{i}.XL", h) for i, h in enumerate(hexes.split())]
    g = scene([*attackers, soviet("d.6", "1910")], board=field(terrain={"1910": terrain}))
    b = battle(g, " ".join(f"{i}.XL" for i in range(len(attackers))), "1910")
    assert situations(g, b, 1).holds("flank_attack") is holds


@pytest.mark.rule(RULE, "12.41m")
@pytest.mark.parametrize(("side", "least"), [(SOVIET, 7), (GERMAN, 6)])
def test_large_attack_by_the_number_of_chits_drawn(side: int, least: int):
    g = german_scene() if side == GERMAN else soviet_scene()
    b = battle(g, "a.XL" if side == GERMAN else "a.6", "1910")
    assert situations(g, b, least).holds("large_attack")
    assert not situations(g, b, least - 1).holds("large_attack")


@pytest.mark.rule(RULE, "12.41m")
def test_large_attack_is_judged_after_all_declared_draws():
    units = [german(f"{i}.XL", "1911", faces="2-4") for i in range(3)] + [
        panzer(f"{i}.XL", "1810", faces="2-6 1-6 1-6") for i in range(3, 5)
    ]
    for more, retained in ((5, True), (4, False)):
        g = scene([*units, soviet("d.6", "1910", faces="9-4-05")], turn=5)
        cup(g, "C35 C40 C41 C42 C43 C44")
        dice(g, *[1] * 7)
        c = german_attack(g, "0.XL 1.XL 2.XL 3.XL 4.XL", "1910")
        assert told_of(g, "C35") == ["chit: does not apply"]
        play(g, f"draw {more}")
        assert ("C35" in [e.chit.id for e in examined_chits(g, c) if e.retained]) is retained
        changed = [f"chit drawn before, now: {LARGE}"] if retained else []
        assert told_of(g, "C35")[1:] == changed, "the log says what has changed"


@pytest.mark.rule(RULE, "12.41m")
def test_how_many_chits_a_soviet_attack_draws_is_known_from_the_first_one_on():
    """Four units of three steps draw eight chits, three of them six."""
    for number, told in (
        (4, f"chit: {LARGE}"),
        (3, "chit: does not apply"),
    ):
        units = [
            soviet(f"{i}.6", h, faces="3-4-01 2-4-11 1-4-21") for i, h in enumerate(["1909", "1909", "1810", "1810"])
        ]
        g = scene([*units, german("d.XL", "1910", faces="9-4")], turn=5, board=field(areas={}))
        cup(g, "C35 C40 C41 C42 C43 C44 C45 C46")
        dice(g, *[1] * 20)
        soviet_attack(g, " ".join(f"{i}.6" for i in range(number)), "1910")
        assert told_of(g, "C35") == [told]


@pytest.mark.rule(RULE, "12.41n")
def test_ip_crossfire_needs_the_defender_in_an_improved_position():
    g = german_scene(improved_positions="1910")
    assert situations(g, battle(g, "a.XL", "1910"), 1).holds("ip_crossfire")
    other = german_scene(improved_positions="1911")
    assert not situations(other, battle(other, "a.XL", "1910"), 1).holds("ip_crossfire")


@pytest.mark.rule(RULE, "12.41o")
def test_one_hex_attack():
    g = scene([german("a.XL", "1911"), german("b.XL", "1911"), german("c.XL", "1810"), soviet("d.6", "1910")])
    assert situations(g, battle(g, "a.XL b.XL", "1910"), 1).holds("one_hex_attack")
    assert not situations(g, battle(g, "a.XL c.XL", "1910"), 1).holds("one_hex_attack")


@pytest.mark.rule(RULE, "12.41p")
@pytest.mark.parametrize(
    ("attacker", "defender", "word"),
    [
        ("armor", "infantry", "only_attacker_armor"),
        ("infantry", "armor", "only_defender_armor"),
        ("armor", "armor", ""),
        ("infantry", "infantry", ""),
        ("mechanized", "infantry", ""),
        ("armored_cavalry", "cavalry", "only_attacker_armor"),
    ],
)
def test_only_one_side_has_armor(attacker: str, defender: str, word: str):
    g = scene([german("a.XL", "1911", type=attacker), soviet("d.6", "1910", type=defender)])
    s = situations(g, battle(g, "a.XL", "1910"), 1)
    assert [w for w in ("only_attacker_armor", "only_defender_armor") if s.holds(w)] == [word] * bool(word)


@pytest.mark.rule(RULE, "12.41p")
def test_isolated_armor_does_not_count():
    g = scene([german("a.XL", "1911"), tanks("d.Popov", "1910", status=["isolated"])])
    assert not situations(g, battle(g, "a.XL", "1910"), 1).holds("only_defender_armor")


@pytest.mark.rule(RULE, "12.41q")
def test_tank_brigade_and_panzer_battalion_stand_for_armor():
    g = soviet_scene()
    assert situations(g, battle(g, "a.6", "1910", tactics=("tank_brigade",)), 1).holds("only_attacker_armor")
    assert situations(g, battle(g, "a.6", "1910", counter=("panzer_battalion",)), 1).holds("only_defender_armor")
    both = battle(g, "a.6", "1910", tactics=("tank_brigade",), counter=("panzer_battalion",))
    s = situations(g, both, 1)
    assert not s.holds("only_attacker_armor")
    assert not s.holds("only_defender_armor")


@pytest.mark.rule(RULE, "12.41r")
@pytest.mark.parametrize(("card", "value"), [("E22", 5), ("E20", 4), ("E17", 3), ("E02", 2), ("E03", 1)])
def test_command_value_of_the_activating_card(card: str, value: int):
    g = soviet_scene()
    s = situations(g, battle(g, "a.6", "1910", card), 1)
    assert [n for n in range(1, 6) if s.holds(f"command_value_{n}")] == [value]


@pytest.mark.rule(RULE, "12.41s")
def test_nkvd_chits_need_the_tactic_of_either_role():
    g, d = soviet_scene(), german_scene()
    assert situations(g, battle(g, "a.6", "1910", tactics=("nkvd",)), 1).holds("nkvd")
    assert situations(d, battle(d, "a.XL", "1910", counter=("nkvd",)), 1).holds("nkvd")
    assert not situations(d, battle(d, "a.XL", "1910"), 1).holds("nkvd")


@pytest.mark.rule(RULE, "13.52a")
@pytest.mark.rule(RULE, "12.41t")
@pytest.mark.rule(RULE, "12.41v")
@pytest.mark.parametrize(
    ("turn", "zone", "holds"), [(5, "", True), (5, "1810", False), (5, "1910", False), (4, "", False)]
)
def test_attack_not_supported(turn: int, zone: str, holds: bool):
    g = soviet_scene(turn=turn, board=field(areas={"west_support_zone": zone}))
    s = situations(g, battle(g, "a.6", "1910"), 1)
    assert s.holds("attack_not_supported") is holds
    assert s.holds("soviets_not_supported") is holds
    assert not s.holds("defender_not_supported")


@pytest.mark.rule(RULE, "13.52c")
@pytest.mark.rule(RULE, "12.41u")
@pytest.mark.rule(RULE, "12.41v")
@pytest.mark.parametrize(
    ("turn", "zone", "holds"), [(5, "", True), (5, "1911", True), (5, "1910", False), (4, "", False)]
)
def test_defender_not_supported(turn: int, zone: str, holds: bool):
    g = german_scene(turn=turn, board=field(areas={"west_support_zone": zone}))
    s = situations(g, battle(g, "a.XL", "1910"), 1)
    assert s.holds("defender_not_supported") is holds
    assert s.holds("soviets_not_supported") is holds
    assert not s.holds("attack_not_supported")


def test_every_word_of_the_chits_is_a_situation_that_can_hold():
    """The words of the pack against those these rules can make true."""
    known = {"clear", "broken", "woods", "marsh", "town", "city", "defender_adjacent", "dispersed_or_unsupplied"}
    known |= {"ip_crossfire", "flank_attack", "one_hex_attack", "large_attack", "only_attacker_armor"}
    known |= {"only_defender_armor", "attack_not_supported", "defender_not_supported", "soviets_not_supported"}
    known |= {f"command_value_{n}" for n in range(1, 6)}
    g = soviet_scene()
    for t in g.charts.tactics.values():
        for part in (t.attack, t.defence):
            if part and part.situation:
                known |= {part.situation} if isinstance(part.situation, str) else set(part.situation.values())
    for chit in CHITS.values():
        for word in (*chit.front.split(), *chit.back.split()):
            assert word.startswith("ratio") or word in known, word
