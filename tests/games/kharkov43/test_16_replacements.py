"""16 Replacements."""

from __future__ import annotations

import pytest

from kessel.core.errors import BadInput
from kessel.core.procedure import apply, legal, run, why_not
from kessel.games.kharkov43.board import BOXES, ELIMINATED, RESERVE, Board
from kessel.games.kharkov43.sequence import HeavyMudReplacements
from kessel.games.kharkov43.turn.german_cards import AssignReplacements
from kessel.games.kharkov43.turn.replacements import candidates, priority, soviet_choice, why_not_replace
from tests.games.kharkov43.soviet_helpers import arena

from .helpers import board, german, hexes, panzer, position, soviet, tanks, unit
from .test_05_german_cards import HOME, impulse, play

rule = pytest.mark.rule
example = pytest.mark.example
EDGE = " ".join(hexes(15, 22))
RED = board(soviet_edge=EDGE)


def assigning(units: list, steps: int = 2, **more) -> Board:
    more.setdefault("board", HOME)
    g = position(units=units, turn=more.pop("turn", 3), **more)
    g.stack = [AssignReplacements(tuple(range(len(g.forces))), steps)]
    run(g)
    return g


def offered(g: Board) -> set[str]:
    return {g.id(a[1]) for a in legal(g)}


@example("kharkov43", "X46")
@rule("kharkov43", "16.1a")
@rule("kharkov43", "16.1c")
@rule("kharkov43", "16.1f")
@rule("kharkov43", "16.1g")
def test_x46_two_steps_for_xl_panzer_corps():
    units = [
        german("679.333.XL", "1910", steps=1),
        german("680.333.XL", "1911"),
        panzer("25.7P.XL", "1912"),
        panzer("Wes.Wik.XL", "eliminated", steps=1),
    ]
    g = impulse("P26 P27", units, turn=3)
    play(g, "play", "P26", "replace")
    assert offered(g) == {"679.333.XL"}, "it must be flipped first"
    play(g, "replace", unit(g, "679.333.XL"))
    assert g.steps[unit(g, "679.333.XL")] == 2
    assert offered(g) == {"Wes.Wik.XL"}
    play(g, "replace", unit(g, "Wes.Wik.XL"))
    assert g.box[unit(g, "Wes.Wik.XL")] == RESERVE
    assert g.steps[unit(g, "Wes.Wik.XL")] == 1
    assert not g.stack


@rule("kharkov43", "16.1a")
@rule("kharkov43", "16.1b")
def test_steps_per_card_and_unused_ones_are_lost():
    g = impulse(
        "P23 P27", [german("A", "1910", corps="Raus", steps=1), german("B", "1912", corps="Raus", steps=1)], turn=3
    )
    play(g, "play", "P23", "replace")
    play(g, *legal(g)[0])
    assert not g.stack, "P23 gives one step"
    g = impulse("P26 P27", [german("A", "1910", steps=1)], turn=3)
    play(g, "play", "P26", "replace")
    play(g, *legal(g)[0])
    assert not g.stack, "the second step of P26 is lost"


@rule("kharkov43", "16.1c")
@rule("kharkov43", "16.1e")
def test_the_german_order_and_choice():
    units = [
        panzer("mech gone", "eliminated", steps=1),
        panzer("mech", "1910", steps=1),
        german("foot gone", "eliminated", steps=1),
        german("foot 1", "1912", steps=1),
        german("foot 2", "1914", steps=1),
    ]
    g = assigning(units, steps=5)
    seen = []
    while g.stack:
        seen.append(offered(g))
        apply(g, legal(g)[0])
    assert seen == [{"foot 1", "foot 2"}, {"foot 2"}, {"foot gone"}, {"mech"}, {"mech gone"}]


@rule("kharkov43", "16.1d")
@rule("kharkov43", "16.1e")
def test_the_soviet_order_and_the_lowest_selector():
    units = [
        tanks("mech", "1910", faces="5-6-03 2-6-04", steps=1),
        tanks("mech gone", "eliminated", faces="5-6-03 2-6-05", steps=1),
        soviet("foot", "1912", faces="3-4-01 1-4-30", steps=1),
        soviet("foot gone a", "eliminated", faces="3-4-01 1-4-22", steps=1),
        soviet("foot gone b", "eliminated", faces="3-4-01 1-4-21", steps=1),
    ]
    g = position(board=RED, turn=6, support_line="whole_map", units=units)
    order = []
    while (u := soviet_choice(g, range(len(units)))) is not None:
        order.append(g.id(u))
        g.box[u], g.steps[u] = (RESERVE, 1) if g.box[u] == ELIMINATED else (g.box[u], 2)
        g.changed()
    assert order == ["foot gone b", "foot gone a", "foot", "mech gone", "mech"]
    assert [priority(g, unit(g, "foot")), priority(g, unit(g, "mech"))] == [2, 4]


@rule("kharkov43", "16.0c")
def test_a_soviet_replacement_needs_a_one_step_or_eliminated_unit():
    g = position(
        board=RED, turn=6, support_line="whole_map", units=[soviet("A", "1910"), soviet("B", "reserve", steps=1)]
    )
    assert candidates(g, range(2)) == []
    g = position(board=RED, turn=6, support_line="whole_map", units=[soviet("A", "1910", steps=1)])
    assert candidates(g, range(1)) == [0]


def refused(g: Board, name: str) -> str:
    found = why_not_replace(g, unit(g, name))
    return found.rule if found else ""


@rule("kharkov43", "16.2a")
@rule("kharkov43", "16.2b")
@rule("kharkov43", "16.2c")
@rule("kharkov43", "16.2d")
def test_units_that_never_receive_replacements():
    units = [
        german("two steps", "1910", faces="4-4 3-4 2-4", steps=2),
        german("one at full", "1911", faces="1-4"),
        german("in a full stack", "1912", steps=1),
        german("F1", "1912", faces="4-4 3-4 2-4"),
        german("F2", "1912", faces="3-4 2-4"),
        german("reserve", "reserve", steps=1),
        german("destroyed", "destroyed", steps=1),
        german("fine", "1914", steps=1),
    ]
    g = position(board=HOME, turn=3, units=units)
    for name in ("two steps", "one at full", "in a full stack", "reserve", "destroyed"):
        assert refused(g, name) == "16.2", name
    assert refused(g, "fine") == ""


@rule("kharkov43", "16.2e")
@rule("kharkov43", "13.52e")
@rule("kharkov43", "16.21b")
@rule("kharkov43", "13.3b")
def test_a_soviet_unit_needs_support_and_reserve_supply():
    b = board(
        (19, 20), range(8, 16), soviet_edge="1908", areas={"west_support_zone": " ".join(hexes(19, 20, range(8, 15)))}
    )
    units = [soviet("in", "1910", steps=1), soviet("out", "1915", steps=1)]
    g = position(board=b, turn=6, units=units)
    assert refused(g, "in") == ""
    assert refused(g, "out") == "16.2"
    row = board(
        (19, 20), range(8, 16), soviet_edge="1908", areas={"west_support_zone": " ".join(hexes(19, 20, range(8, 16)))}
    )
    cut = [soviet("R", "1913", steps=1), soviet("F", "1911"), soviet("E", "1912"), german("G", "2011")]
    g = position(board=row, turn=6, units=cut)
    assert refused(g, "R") == "16.21", "supply only through a friend in a German zone"


@rule("kharkov43", "16.21a")
@rule("kharkov43", "13.21g")
def test_an_on_map_unit_must_be_in_supply_and_trace_it():
    b = board((19, 19), range(8, 16), german_edge="1915")
    units = [
        german("A", "1914", steps=1, status=["out_of_supply"]),
        german("B", "1913", steps=1),
        german("C", "1908", steps=1),
    ]
    g = position(board=b, turn=3, units=[*units[:2]])
    assert refused(g, "A") == "16.21"
    assert refused(g, "B") == ""
    far = position(
        board=board((19, 19), range(5, 16), german_edge="1915"), turn=3, units=[german("C", "1906", steps=1)]
    )
    assert refused(far, "C") == "16.21", "it is marked in supply but can't trace it now"


@rule("kharkov43", "16.21c")
def test_enemy_zones_and_dispersal_do_not_bar_replacements():
    g = position(board=HOME, turn=3, units=[german("A", "1910", steps=1, status=["dispersed"]), soviet("S", "1911")])
    assert refused(g, "A") == ""
    h = assigning([german("A", "1910", steps=1, status=["dispersed"]), soviet("S", "1911")], steps=1)
    apply(h, ("replace", unit(h, "A")))
    assert h.steps[unit(h, "A")] == 2
    assert h.is_dispersed(unit(h, "A"))


def test_refusals_name_the_rule():
    g = assigning([german("A", "1910", steps=1), german("B", "1912"), panzer("C", "1914", steps=1)])
    assert why_not(g, ("replace", unit(g, "B"))).rule == "16.2"
    assert why_not(g, ("replace", unit(g, "C"))).reason == "units of an earlier priority come first"


@rule("kharkov43", "18.34j")
@rule("kharkov43", "18.34k")
def test_a_position_can_stand_in_the_replacements_of_heavy_mud():
    """The German player's two infantry steps, on the map first; then one step for each Soviet front."""
    units = [
        german("A", "1922", corps="XL", steps=1),
        panzer("P", "1921", corps="III", steps=1),
        german("E", "eliminated", corps="LVII"),
        soviet("S", "eliminated", army="6"),
        soviet("V", "eliminated", army="69"),
        tanks("T", "eliminated", army="3T"),
    ]
    ground = board(german_edge="1923", soviet_edge="1901")
    g = position(board=ground, phase="heavy_mud_replacements", turn=8, ground="heavy_mud", units=units)
    assert legal(g) == [("replace", unit(g, "A"))]
    apply(g, ("replace", unit(g, "A")))
    assert legal(g) == [("replace", unit(g, "E"))], "no armor, though steps are left"
    apply(g, ("replace", unit(g, "E")))
    assert not g.stack
    assert [g.box[unit(g, n)] for n in "ESVT"] == [RESERVE, RESERVE, RESERVE, ELIMINATED]
    with pytest.raises(BadInput, match=r"\$.phase: these replacements are those of a heavy_mud game-turn"):
        position(board=ground, phase="heavy_mud_replacements", turn=8, units=units)


@rule("kharkov43", "18.34j")
def test_heavy_mud_replaces_infantry_steps_alone():
    units = [
        soviet("T", "eliminated", "5-6 3-6", "armor", army="Popov"),
        soviet("I", "eliminated", "3-4 1-4", army="3T"),
        german("P", "eliminated", "5-6 3-6", "armor", corps="XL"),
    ]
    g = position(board=arena(**OPEN), turn=8, ground="heavy_mud", units=units)
    g.stack = [HeavyMudReplacements()]
    run(g)
    assert not g.stack
    assert [BOXES[g.box[u]] for u in range(3)] == ["eliminated", "reserve", "eliminated"]


@rule("kharkov43", "16.1e")
@rule("kharkov43", "12.62a")
def test_an_eliminated_unit_of_a_position_lies_on_its_one_step_side():
    """So its selector is that of the one-step side, whatever the position leaves out."""
    units = [soviet("S", "eliminated", "5-4-02 3-4-20", steps=2), soviet("T", "eliminated", "5-4-10 3-4-11", steps=0)]
    g = position(phase="heavy_mud_replacements", turn=8, ground="heavy_mud", units=units)
    assert [g.box[unit(g, n)] for n in "ST"] == [ELIMINATED, RESERVE]


OPEN = {"roads_on": ()}
