"""6 Activating German units and formations."""

from __future__ import annotations

import pytest

from kessel.core.hexset import within
from kessel.core.procedure import PASS, apply, legal, options, why_not
from kessel.core.title import LOSS, title
from kessel.games.kharkov43.board import (
    CANNOT_ATTACK,
    DISPERSED,
    DISPERSED_ATTACKING,
    FOR_ACTIVATION,
    KG,
    MOVED,
    STRUCK,
    Board,
)
from kessel.games.kharkov43.data.forces import CORPS, FORMATIONS, GERMAN
from kessel.games.kharkov43.turn.german_activation import (
    GermanActivation,
    end_impulse,
    forget_activations,
    is_barred,
    kampfgruppe_at,
    kampfgruppe_hexes,
    moves,
    recover,
)
from tests.games.kharkov43.soviet_helpers import arena, hexset

from .helpers import board, german, hx, names, panzer, position, soviet, unit
from .test_05_german_cards import CORPS_UNITS, EVERYWHERE, HOME, active, finish, impulse, play

rule = pytest.mark.rule
example = pytest.mark.example


def activation(units: list, card: str = "P26", **more) -> Board:
    """A German activation of the units marked active."""
    more.setdefault("board", HOME)
    return position(phase="german_activation", card=card, units=units, **more)


def step(g: Board) -> str:
    return g.stack[-1].steps[g.stack[-1].at].name


@rule("kharkov43", "6.0a")
@rule("kharkov43", "6.0b")
@rule("kharkov43", "10.1i")
@rule("kharkov43", "15.3c")
def test_the_steps_of_an_activation_begin_with_garrison_removal():
    assert [s.name for s in GermanActivation.steps][:2] == ["remove_garrisons", "move"]
    order = [s.name for s in GermanActivation.steps]
    assert order.index("move") < order.index("dig_in") < order.index("recover")
    b = board(
        german_edge=EVERYWHERE,
        features=dict.fromkeys(("1911", "1811", "1713", "1717", "1719"), "village"),
    )
    units = [
        german("A", "1910", status=["active"]),
        german("B", "1712", status=["active", "out_of_supply"]),
        german("C", "1716", status=["active", "dispersed"]),
        german("D", "1718"),
    ]
    garrisons = "1911 1811 1713 1717 1719"
    g = activation(units, board=b, turn=4, garrisons=garrisons)
    assert names(g, g.garrisons) == {"1811", "1713", "1717", "1719"}, "only beside supplied undispersed active units"
    g = activation(units, board=b, turn=3, garrisons=garrisons)
    assert len(names(g, g.garrisons)) == 5, "starting on turn 4"


@rule("kharkov43", "6.0b")
def test_what_is_no_move_is_not_among_the_moves():
    g = position(board=arena(), turn=3, units=[german("A", "1910", status=["active"]), german("B", "1912")])
    listed, a_unit, there = list(moves(g)), unit(g, "A"), g.map.grid.hex("1911")
    assert ("move", a_unit, there) in listed
    for action in ("move", ("move",), ("move", a_unit), ("move", a_unit, there, there), ("dig", a_unit, there)):
        assert action not in listed
    assert ("move", unit(g, "B"), there) not in listed
    assert ("strategic", a_unit, there) not in listed


@rule("kharkov43", "10.0a")
@rule("kharkov43", "6.0a")
def test_active_units_move_one_by_one_and_then_the_activation_goes_on():
    g = activation(
        [german("A", "1910", status=["active"]), german("B", "1912", status=["active"]), german("C", "1914")]
    )
    assert step(g) == "move"
    movers = {g.id(a[1]) for a in legal(g) if a != PASS}
    assert movers == {"A", "B"}
    apply(g, ("move", unit(g, "A"), hx(g, "1908")))
    assert {g.id(a[1]) for a in legal(g) if a != PASS} == {"B"}
    assert why_not(g, ("move", unit(g, "A"), hx(g, "1907"))).rule == "10.0"
    apply(g, PASS)
    assert step(g) == "dig_in"


@rule("kharkov43", "10.6a")
def test_a_strategic_mover_cannot_attack_in_the_activation():
    g = activation([german("A", "1910", status=["active"])], turn=2)
    apply(g, ("strategic", unit(g, "A"), hx(g, "1904")))
    assert g.place[unit(g, "A")] == hx(g, "1904")
    assert not g.status[unit(g, "A")] & FOR_ACTIVATION, "the activation is over"
    g = activation([german("A", "1910", status=["active"]), german("B", "1920", status=["active"])], turn=2)
    apply(g, ("strategic", unit(g, "A"), hx(g, "1904")))
    assert g.status[unit(g, "A")] & CANNOT_ATTACK


@rule("kharkov43", "10.4b")
@rule("kharkov43", "10.4d")
def test_an_overstack_left_after_movement_costs_steps_of_the_players_choice():
    units = [
        german("A", "1910", status=["active"]),
        *(german(f"F{i}", "1912", status=["active"] if i == 0 else []) for i in range(3)),
    ]
    g = activation(units)
    apply(g, ("move", unit(g, "A"), hx(g, "1912")))
    assert step(g) == "move", "F0 may still leave"
    assert "1912 is over the stacking limit (10.4: 4 units with 8 steps" in options(g).prompt
    (first, *_) = title("kharkov43").warnings(g, PASS)
    assert (first.level, first.rule, first.hexes) == (LOSS, "10.4", ["1912"])
    apply(g, PASS)
    assert step(g) == "unstack"
    assert {g.id(a[1]) for a in legal(g)} == {"A", "F0", "F1", "F2"}
    apply(g, ("lose", unit(g, "F1")))
    assert g.steps[unit(g, "F1")] == 1
    assert step(g) == "unstack", "still four units"
    apply(g, ("lose", unit(g, "F1")))
    assert step(g) == "dig_in"
    assert len(g.units(hx(g, "1912"))) == 3


@rule("kharkov43", "10.4c")
def test_units_that_will_leave_do_not_count_in_a_stack():
    from kessel.games.kharkov43.movement.stacking import why_not_fit

    g = position(units=[soviet("S", "1910"), *(soviet(f"T{i}", "1911", faces="3-4 2-4") for i in range(3))])
    s, leaver = unit(g, "S"), unit(g, "T1")
    assert why_not_fit(g, hx(g, "1911"), [s]).rule == "10.4"
    assert why_not_fit(g, hx(g, "1911"), [s], leaving=[leaver]) is None


@rule("kharkov43", "6.0c")
@rule("kharkov43", "14.21a")
@rule("kharkov43", "14.22a")
@rule("kharkov43", "14.22b")
@rule("kharkov43", "13.21d")
def test_idle_active_supplied_undispersed_units_may_dig_in():
    b = board(german_edge=EVERYWHERE, terrain={"1904": "town"})
    units = [
        german("idle", "1910", status=["active"]),
        german("moved", "1912", status=["active", "moved"]),
        german("attacked", "1914", status=["active", "moved", "attacked"]),
        german("oos", "1916", status=["active", "out_of_supply"]),
        german("dispersed", "1918", status=["active", "dispersed"]),
        german("in town", "1904", status=["active"]),
        german("has ip", "1902", status=["active"]),
        german("passive", "1906"),
        german("stacked", "1910", status=["active", "dispersed"]),
    ]
    g = activation(units, board=b, improved_positions="1902")
    apply(g, PASS)
    assert legal(g) == [PASS, ("dig", hx(g, "1910"))]
    for at, number in (
        ("1912", "14.21"),
        ("1916", "14.21"),
        ("1918", "14.21"),
        ("1904", "14.22"),
        ("1902", "14.22"),
        ("1906", "14.21"),
    ):
        assert why_not(g, ("dig", hx(g, at))).rule == number, at
    apply(g, ("dig", hx(g, "1910")))
    assert names(g, g.improved_positions) == {"1902", "1910"}, "an out of supply unit keeps its own, too"


@rule("kharkov43", "6.0d")
@rule("kharkov43", "12.9e")
def test_dispersed_active_units_recover_unless_dispersed_attacking_now():
    g = activation(
        [
            german("A", "1910", status=["active", "dispersed"]),
            german("B", "1912", status=["dispersed"]),
            german("C", "1914", status=["active", "moved"]),
        ]
    )
    assert not g.stack
    assert not g.is_dispersed(unit(g, "A"))
    assert g.is_dispersed(unit(g, "B")), "not active"
    g = position(units=[german("A", "1910", status=["active", "dispersed"])])
    g.set_status(0, DISPERSED_ATTACKING)
    recover(g)
    assert g.is_dispersed(0)


@rule("kharkov43", "6.0e")
def test_unsupplied_and_dispersed_units_are_activated_with_their_formation():
    units = [
        german("A", "1910", corps="XL", status=["out_of_supply"]),
        german("B", "1912", corps="XL", status=["isolated"]),
        german("C", "1914", corps="XL", status=["dispersed"]),
        german("D", "1916", corps="XL"),
    ]
    g = impulse("P26 P27", units)
    play(g, "play", "P26", "activate")
    assert active(g) == {"A", "B", "C", "D"}


@rule("kharkov43", "6.1a")
def test_a_single_unit_must_trace_supply_now_whatever_its_marker():
    units = [german("A", "1910", status=["out_of_supply"]), german("B", "1902")]
    g = impulse("P26 P27", units, board=board(german_edge="1914"))
    play(g, "play", "P27", "one_unit")
    assert legal(g) == [("unit", unit(g, "A"))]
    assert why_not(g, ("unit", unit(g, "B"))).rule == "6.1"


@rule("kharkov43", "6.1b")
def test_a_single_unit_cannot_attack():
    g = impulse("P26 P27", CORPS_UNITS)
    play(g, "play", "P27", "one_unit")
    play(g, "unit", unit(g, "t1"))
    assert g.status[unit(g, "t1")] & CANNOT_ATTACK


@example("kharkov43", "X06")
@rule("kharkov43", "6.2a")
@rule("kharkov43", "6.2b")
@rule("kharkov43", "6.2c")
def test_x06_a_kampfgruppe_of_army_group_south():
    units = [
        german("r1", "2113", corps="Raus"),
        german("r2", "2212", corps="Raus"),
        german("r3", "1914", corps="Raus"),
        german("x", "2215", corps="XLVIII"),
        german("s", "2210", corps="IISS"),
        german("t", "2013", corps="XL"),
        german("429.168.Raus", "2209", corps="Raus"),
        soviet("S", "2213"),
        soviet("T", "2211"),
    ]
    g = impulse("P31 P27", units)
    play(g, "play", "P31", "kampfgruppe")
    play(g, "kg", hx(g, "2213"))
    assert active(g) == {"r1", "r2", "r3", "x", "s", "t"}, "whatever stands between, even on an enemy unit"
    assert g.has_mark(hx(g, "2213"), KG)
    finish(g)
    assert not any(m & KG for m in g.marks), "the marker is removed at the end"
    barred = impulse("P31 P27", units, activated="Raus")
    card = barred.charts.card("P31")
    assert {barred.name(u) for u in kampfgruppe_at(barred, card, hx(barred, "2213"), 3)} == {"x", "s", "t"}
    army = barred.charts.card("P30")
    assert {barred.name(u) for u in kampfgruppe_at(barred, army, hx(barred, "2213"), 2)} == {"t"}


@rule("kharkov43", "6.2a")
@rule("kharkov43", "5.2b")
def test_the_kampfgruppe_marker_is_placed_only_where_it_has_an_effect():
    g = position(board=arena(**OPEN), turn=3, units=[german("A", "1910", corps="XL"), german("B", "1913", corps="III")])
    card = g.charts.card("P37")
    hexes = kampfgruppe_hexes(g, card, 2)
    assert hexes == within(g.map.grid, hexset(g, "1910"), 2), "only the corps on the card"
    none = position(board=arena(**OPEN), turn=3, units=[german("B", "1913", corps="III")])
    assert kampfgruppe_hexes(none, card, 2) == 0


@example("kharkov43", "X07")
@rule("kharkov43", "6.3a")
@rule("kharkov43", "6.3b")
@rule("kharkov43", "6.3c")
def test_x07_consecutive_activation():
    units = [
        german(f"{c}{i}", f"19{3 * k + i + 2:02d}", corps=c)
        for k, c in enumerate(("Raus", "XLVIII", "IISS", "XL"))
        for i in (0, 1)
    ]
    g = impulse("P31 P27 P35", units, turn=6)
    play(g, "play", "P31", "kampfgruppe")
    play(g, "kg", hx(g, "1906"))
    assert {g.forces.formation[u] for u in g.active_units()} == {"Raus", "XLVIII", "IISS"}
    finish(g)
    assert {c for c in CORPS if is_barred(g, c)} == {"Raus", "XLVIII", "IISS"}
    again = impulse("P27 P35 P26", units, turn=6, activated="Raus XLVIII IISS")
    assert why_not(again, ("play", "P27", "activate")).rule == "6.3"
    play(again, "play", "P35", "kampfgruppe")
    assert why_not(again, ("kg", hx(again, "1903"))).rule == "6.2"
    for corps, command, then in (("XL", "activate", None), ("IISS", "one_unit", "IISS0")):
        g = impulse("P26 P27", units)
        play(g, "play", "P26", command)
        if then:
            play(g, "unit", unit(g, then))
        finish(g)
        assert {c for c in CORPS if is_barred(g, c)} == {corps}
    one = impulse("P26 P27", units, activated="IISS")
    play(one, "play", "P27", "one_unit")
    assert why_not(one, ("unit", unit(one, "IISS1"))).rule == "6.3"


@rule("kharkov43", "6.3a")
def test_the_bar_lasts_one_impulse():
    g = impulse("P26 P27", CORPS_UNITS, activated="XL")
    play(g, "play", "P27", "activate")
    finish(g)
    assert {c for c in CORPS if is_barred(g, c)} == {"XLVIII"}
    end_impulse(g)
    assert not any(is_barred(g, c) for c in CORPS)


@rule("kharkov43", "6.3d")
def test_manstein_ignores_the_bar():
    g = impulse("P32 P27", CORPS_UNITS, turn=7, activated=" ".join(CORPS))
    assert why_not(g, ("play", "P27", "activate")).rule == "6.3"
    play(g, "play", "P32", "activate")
    assert len(legal(g)) == 6
    assert g.charts.card("P32").id == "P32"
    kg = impulse("P32 P27", CORPS_UNITS, turn=7, activated=" ".join(CORPS))
    play(kg, "play", "P32", "kampfgruppe")
    assert ("kg", hx(kg, "1911")) in legal(kg)


@rule("kharkov43", "6.3e")
def test_deploying_reserves_is_no_activation():
    units = [*CORPS_UNITS, german("XR", "reserve", corps="XL")]
    g = impulse("P26 P27", units)
    play(g, "play", "P26", "deploy")
    finish(g)
    assert not any(is_barred(g, c) for c in CORPS)
    barred = impulse("P26 P27", units, activated="XL")
    assert ("play", "P26", "deploy") in legal(barred), "and activation does not bar deployment"


@rule("kharkov43", "6.3g")
def test_the_bar_does_not_carry_over_to_the_next_turn():
    g = impulse("P26 P27", CORPS_UNITS, activated="XL III")
    assert is_barred(g, "XL")
    forget_activations(g)
    assert not any(is_barred(g, c) for c in CORPS)
    assert all(FORMATIONS[c].side == GERMAN for c in CORPS), "it never binds the Soviets"


def test_flags_of_an_activation_end_with_it():
    g = activation([panzer("A", "1910", status=["active"]), german("B", "1914", status=["active", "dispersed"])])
    g.set_status(unit(g, "A"), STRUCK)
    apply(g, ("move", unit(g, "A"), hx(g, "1908")))
    assert not g.stack
    assert not g.status[unit(g, "A")] & MOVED
    assert g.status[unit(g, "A")] & STRUCK, "what was attacked in the impulse stays known until it ends"
    assert not g.status[unit(g, "B")] & DISPERSED


def test_notation_round_trip_in_an_activation():
    from kessel.games.kharkov43.notation import NOTATION

    g = activation([german("A", "1910", status=["active"])], turn=2)
    for a in legal(g):
        assert NOTATION.parse(g, NOTATION.text(g, a)) == a


@rule("kharkov43", "6.3a")
def test_a_card_is_refused_for_the_corps_that_is_barred_not_for_one_that_is_not_there():
    units = [german("A", "1912", corps="XL"), soviet("S", "1909")]
    for activated, expected in (("XL", "6.3"), ("", None)):
        doc = {"units": units, "cards": {"hand": "P30"}, "activated": activated}
        g = position(board=board((19, 19), range(8, 16)), turn=5, phase="german_impulse", **doc)
        refusal = why_not(g, ("play", "P30", "activate"))
        assert (refusal and refusal.rule) == expected


OPEN = {"roads_on": ()}
