"""What the German program goes for: weak Soviets near strong Germans, and tactics that are worth their card."""

from __future__ import annotations

from kessel.bots import player
from kessel.bots.kharkov43.counterstroke import boldness, prizes
from kessel.bots.kharkov43.estimates import hits_done
from kessel.bots.kharkov43.fights import best_tactic
from kessel.bots.kharkov43.moves import chosen_assaults
from kessel.bots.kharkov43.situation import Situation
from kessel.core.procedure import legal
from kessel.core.title import title
from kessel.games.kharkov43.board import ACTIVE, Board
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.turn.german_activation import GermanActivation
from tests.games.kharkov43.combat_helpers import full_cup, german_attack, scene
from tests.games.kharkov43.helpers import german, hx, soviet, unit


def worth(g: Board, name: str) -> float:
    """How much a hex draws the Germans."""
    return next((p.pull for p in prizes(g, lambda h: 3.0 * g.ground.vp_value(h)) if p.hex == hx(g, name)), 0.0)


def test_the_program_strikes_only_when_it_is_stronger():
    strong = german("a.XL", "1912", faces="8-4 4-4")
    assert boldness(scene([strong, soviet("s.6", "1905", faces="8-4-01 4-4-02")])) == 0.0
    assert boldness(scene([strong, soviet("s.6", "1905", faces="2-4-01 1-4-02")])) == 1.0


def test_weak_and_cut_off_stacks_draw_more():
    germans = [german("a.XL", "1912", faces="8-4 4-4"), german("b.XL", "1913", faces="8-4 4-4")]
    weak = soviet("s.6", "1908", faces="2-4-01 1-4-02")
    strong = soviet("t.6", "1908", faces="9-4-01 4-4-02")
    cut_off = soviet("s.6", "1908", faces="2-4-01 1-4-02", status=["out_of_supply"])
    far = soviet("u.6", "1203", faces="2-4-01 1-4-02")
    assert worth(scene([*germans, cut_off]), "1908") > worth(scene([*germans, weak]), "1908") > 0
    assert worth(scene([*germans, weak]), "1908") > worth(scene([*germans, strong]), "1908")
    assert worth(scene([*germans, weak, far]), "1203") < worth(scene([*germans, weak, far]), "1908")


def test_the_program_attacks_a_weak_spearhead_and_leaves_a_strong_stack():
    t = title("kharkov43")
    for faces, wanted in (("1-4-01 1-4-02", "attack"), ("20-4-01 9-4-02", "pass")):
        g = scene(
            [
                german("a.XL", "1911", faces="7-4 4-4", status=["active"]),
                german("b.XL", "1911", faces="7-4 4-4", status=["active"]),
                soviet("s.6", "1910", faces=faces, steps=1, status=["out_of_supply"]),
            ]
        )
        full_cup(g)
        g.stack = [GermanActivation(g.charts.card_index("P26"))]
        g.stack[0].at = GermanActivation.index["attack"]
        program = player("kharkov43", "greedy", 1)
        assert program.choose(t, t.known_to(g, GERMAN), GERMAN)[0] == wanted
        assert program.reason


def test_units_that_join_are_weighed_by_the_exact_chances():
    g = scene(
        [
            german("a.XL", "1911", faces="3-4 2-4", status=["active"]),
            german("b.III", "1810", faces="9-4 5-4", corps="III"),
            soviet("s.6", "1910", faces="4-4-01 2-4-02"),
        ],
        cards={"hand": "P38"},
    )
    full_cup(g)
    b = german_attack(g, "a.XL", "1910", "P24")
    before = bytes(g.cards), g.place.tobytes(), b.attackers
    best, gain = best_tactic(Situation(g), b, [a for a in legal(g) if a[0] == "tactic"])
    assert best == ("tactic", "P38", "assault_coordination")
    assert gain > 0
    assert before == (bytes(g.cards), g.place.tobytes(), b.attackers), "only thought about"
    assert not g.status[unit(g, "b.III")] & ACTIVE


def test_the_first_estimate_follows_the_order_in_which_soviets_take_hits():
    assert hits_done(0.0, 0, 2, 0, False, 2) == (0.0, 0.0, 0.0, 0.0)
    open_ground, trapped = hits_done(3.0, 0, 2, 0, False, 2), hits_done(3.0, 0, 2, 0, True, 2)
    assert trapped.eliminated > open_ground.eliminated > 0
    assert open_ground.gone > open_ground.scattered
    town = hits_done(3.0, 1, 2, 9, False, 2)
    assert town.gone < open_ground.gone
    assert town.lost > 0


def test_units_are_divided_between_the_attacks_they_can_make():
    germans = [
        german(f"{n}.XL", h, faces="8-4 4-4", status=["active"])
        for n, h in (("a", "1911"), ("b", "1911"), ("c", "1919"), ("d", "1919"))
    ]
    g = scene(
        [
            *germans,
            *(soviet(f"{n}.6", h, faces="1-4-01", status=["out_of_supply"]) for n, h in (("s", "1910"), ("t", "1918"))),
        ]
    )
    full_cup(g)
    g.stack = [GermanActivation(g.charts.card_index("P26"))]
    g.stack[0].at = GermanActivation.index["move"]
    found = list(chosen_assaults(Situation(g), g.active_units(), least=-1.0))
    assert {g.map.grid.name(a.target) for a in found} == {"1910", "1918"}
    assert not found[0].places.keys() & found[1].places.keys()
