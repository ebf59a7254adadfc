"""Cases a second reading of the rules judged otherwise: mended ones, and switches played both ways."""

from __future__ import annotations

import re

import pytest

from kessel.bots import RandomPlayer
from kessel.core.game import Game
from kessel.games.kharkov43.combat.results.retreat import soviet_hop
from kessel.games.kharkov43.supply.garrisons import place_garrisons
from kessel.games.kharkov43.system.methods import methods_a as a
from kessel.games.kharkov43.system.methods import methods_b as b
from kessel.games.kharkov43.system.methods.methods import Check, Go, end_of
from kessel.games.kharkov43.system.methods.methods_unsupplied import to_supply

from .combat_helpers import battle, field, scene
from .helpers import german, hexset, hx, names, position, soviet, unit
from .soviet_helpers import active, active_tanks, arena, march, orders, prefers, southwest, traced, wanted

OPEN = {"roads_on": ()}
rule = pytest.mark.rule

# --- 9.21.4, 9.22.7 --------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.4b", "9.21.4c", "9.22.7b")
def test_a_unit_that_moves_adjacent_prefers_the_hex_that_surrounds_the_most_germans():
    """A in 1908 covers 1909 beside G and 1808 beside H. 1808 and 1909 keep both surrounded, 1807 and 2009 one."""
    around_g = [soviet("S", "1911"), soviet("T", "1810"), soviet("U", "2109")]
    around_h = [soviet("V", "1608"), soviet("W", "1707")]
    units = [german("G", "1910"), german("H", "1708"), *around_g, *around_h, active("A", "1908")]
    for turn, objectives, method, number in (
        (6, southwest("1917"), a.cause_surround, "4"),
        (8, {}, b.cause_surround, "7"),
    ):
        g = position(board=arena(**OPEN), turn=turn, vp=30, objectives=objectives, units=units)
        beside = "1807 1808 1909 2009"
        assert wanted(g, "A", method) == beside
        assert prefers(g, "A", method, f"{number}a", beside) == "1808 1909", "also the one it is not beside counts"


# --- citations and the log -------------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.4b")
def test_a_preference_cites_one_rule():
    units = [german("G", "1910"), soviet("S", "1911"), german("H", "1710"), german("I", "1710"), soviet("T", "1711")]
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=[*units, active_tanks("A", "1807")])
    found = [c.as_json(g) for c in traced(g) if c.rule == "9.21.4" and c.tried]
    cuts = [p for c in found for t in c["tried"] for p in t.get("preferences", [])]
    assert cuts
    assert all(set(p) == {"rule", "what", "out", "left"} for p in cuts)


LINE = re.compile(r"(\d+) hits? on the attacker(?: \((.*?)\))?, (\d+) on the defender(?: \((.*)\))?$")


def added(reasons: str | None) -> int:
    return sum(int(one.rsplit(" ", 1)[1]) for one in reasons.split("; ")) if reasons else 0


@rule("kharkov43", "12.5a", "12.51a")
def test_the_hits_of_the_short_log_add_up_by_the_reasons_in_it():
    game, program, seen = Game.new("kharkov43", "star-and-gallop", seed=4), RandomPlayer(4), []
    while not game.over and len(seen) < 40:
        for e in game.play(program.choose(game.title, game.board, game.side)).events:
            if e["rule"] == "12.5" and "on the attacker" in e["what"]:
                seen.append(e["what"])
    assert len(seen) >= 20
    for line in seen:
        found = LINE.match(line)
        assert found is not None, line
        attacker, ours, defender, theirs = found.groups()
        assert (added(ours), added(theirs)) == (int(attacker), int(defender)), line
    assert any("-1" in line for line in seen), "a change after the chits is among the reasons"


# --- switches --------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.27d")
@pytest.mark.parametrize(("reading", "moves"), [("stays", False), ("moves", True)])
def test_an_unsupplied_unit_with_no_closer_hex(reading, moves):
    """O10: west of a line of Germans; every hex it reaches that is not beside them is as far from supply or further."""
    line = [german(f"G{r}", f"{r}10") for r in range(15, 23)]
    units = [active("A", "1912", "3-2", status=["out_of_supply"]), *line]
    ground = arena(roads_on=(), german_edge="1517", soviet_edge="1906")
    g = position(board=ground, turn=5, vp=30, units=units, options={"unsupplied_without_closer_hex": reading})
    assert bool(orders(g, "A", to_supply)[1].hexes) is moves
    assert ("A" in march(g)) is moves


@rule("kharkov43", "9.25.0", "9.21.1a")
@pytest.mark.parametrize(("reading", "end"), [("never", "2010"), ("among_vp_hexes", "1810")])
def test_which_of_two_vp_hexes_method_1_takes(reading, end):
    """O11: both towns are beside G; S beside 2010 speaks against it (9.25d), the higher number for it (9.24e)."""
    towns = {"1810": "town", "2010": "town"}
    ground = arena(**OPEN, terrain=towns, features=dict.fromkeys(towns, "target_southwest"))
    units = [active_tanks("A", "1908", "5-6-05", army="6"), german("G", "1911"), soviet("S", "2110")]
    g = position(
        board=ground, turn=3, units=units, objectives=southwest("1917"), options={"vp_hex_by_tactics": reading}
    )
    assert march(g)["A"] == (end, "9.21.1")


@rule("kharkov43", "12.7k", "12.72a")
@pytest.mark.parametrize(("reading", "end"), [("hex_by_hex", "1909"), ("avoided", "2009")])
def test_a_dead_end_among_hexes_of_equal_priority(reading, end):
    """O12: 1909 is easternmost, and no hex lies behind it; behind 2009 lies 2109."""
    ground = field()
    ground["hexes"] = {h: {} for h in ("1912", "1911", "1910", "1909", "2009", "2109")}
    ground["links"] = []
    ground["areas"] = {"german_edge": "1912", "soviet_edge": "2109"}
    g = scene(
        [german("a.XL", "1911"), soviet("d.6", "1910", faces="3-4-05 2-4-06")],
        board=ground,
        options={"retreat_dead_end": reading},
    )
    hops = soviet_hop(g, battle(g, "a.XL", "1910"), 1)
    assert [g.hex_name(hop.entry.hex) for hop in hops] == [end]
    only = soviet_hop(g, battle(g, "a.XL", "1910"), 0)
    assert [g.hex_name(hop.entry.hex) for hop in only] == ["1909"], "with one hit nothing lies behind"


@rule("kharkov43", "15.1l")
@pytest.mark.parametrize(("reading", "left"), [("stays", {"1910", "1812"}), ("goes", {"1812"})])
def test_an_older_garrison_that_failed_another_requirement(reading, left):
    """O13: no Soviet unit is proximate to 1910 any more; the garrison of 1812 shuts the Germans off from it."""
    ground = arena((18, 19), range(6, 23), **OPEN, terrain={"1812": "town"}, features={"1910": "village"})
    for n in list(ground["hexes"]):
        if n.startswith("18") and n != "1812":
            del ground["hexes"][n]
    ground["areas"] = {"german_edge": "1922", "soviet_edge": "1906"}
    g = position(board=ground, turn=5, vp=30, garrisons="1910", soviet_towns="1812",
                 units=[german("G", "1916", "3-8 2-8")], options={"older_garrison": reading})  # fmt: skip
    place_garrisons(g)
    assert names(g, g.garrisons) == left


@rule("kharkov43", "9.25.2", "9.21.11b")
@pytest.mark.parametrize(("reading", "end"), [("every_hex_beside_them", "1912"), ("of_the_method", "1910")])
def test_which_hexes_the_tactical_preferences_look_at(reading, end):
    """O14: the method names 1910 alone, beside S; 1912 is beside the same German unit and away from S."""
    units = [active_tanks("A", "1907", "5-10-01"), german("G", "1911"), soviet("S", "1809", army="6")]
    g = position(
        board=arena(**OPEN), turn=2, objectives=southwest("1917"), units=units, options={"tactical_hexes": reading}
    )
    tried = end_of(Check(g, unit(g, "A"), "Southwest"), Go(hexset(g, "1910")))
    assert g.hex_name(tried.end) == end
    assert hx(g, end) >= 0
