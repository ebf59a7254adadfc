"""9 Hexes as the preferences see them: those in supply by the test of 13.0, those with a German unit next to them."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.system.soviet_positions import place_position

from .helpers import german, position, soviet
from .soviet_helpers import EAST, active, arena, march, shown, southwest

rule = pytest.mark.rule


@rule("kharkov43", "9.27d")
@rule("kharkov43", "13.0d")
def test_a_german_held_hex_in_which_a_soviet_unit_could_trace_supply_draws_a_cut_off_unit():
    """1810 is nearer than every other hex in supply; the unit goes straight for it, one hex, being isolated."""
    line = [german(f"G{r}", f"{r}10") for r in (16, 18, 20, 22)]
    g = position(
        board=arena(roads_on=(), german_edge="", soviet_edge=EAST),
        turn=5,
        units=[active("A", "1813", status=["isolated"]), *line],
    )
    assert march(g) == {"A": ("1812", "9.27")}


@rule("kharkov43", "9.21.5c")
@rule("kharkov43", "9.22.3a-p")
@rule("kharkov43", "9.3c")
@pytest.mark.parametrize(("turn", "objective", "method"), [(4, southwest("1516"), "9.21.5"), (5, {}, "9.22.3")])
def test_a_german_unit_over_a_blocked_hexside_is_adjacent_to_a_vp_hex(turn, objective, method):
    """9.3: only between units the blocked Dniepr counts. Else 1912, the higher number, would be taken."""
    town = {"1712": "town", "1912": "town"}
    g = position(
        board=arena(
            terrain=town,
            features=dict.fromkeys(town, "target_southwest"),
            vp=dict.fromkeys(town, 1),
            rivers={"1712|1713": "blocked_dniepr"},
        ),
        turn=turn,
        objectives=objective,
        soviet_towns=list(town),
        units=[active("A", "1810"), german("G", "1713")],
    )
    assert march(g) == {"A": ("1712", method)}


@rule("kharkov43", "9.7c")
@rule("kharkov43", "9.3c")
def test_an_improved_position_goes_beside_a_german_held_hex_even_over_a_blocked_hexside():
    g = position(
        board=arena(rivers={"1912|1913": "blocked_dniepr"}),
        turn=4,
        units=[active("A", "1912"), active("B", "1712"), german("G", "1913", "9-4 2-4")],
    )
    place_position(g)
    assert shown(g, g.improved_positions) == "1912"


@rule("kharkov43", "9.21.7b")
@rule("kharkov43", "9.25.1")
def test_what_the_tactical_preferences_leave_open_the_method_decides_for_a_unit_told_to_stay():
    """A stays beside L in its logistics hex but shares its hex with B: 1812 and 1912 are empty and away from B and C.

    The method wants the easternmost, 1912; the tiebreaker would take 1812, closer to the objective.
    """
    g = position(
        board=arena(features={"1811": "logistics_southwest"}, roads_on=()),
        turn=6,
        objectives=southwest("1516"),
        units=[
            active("A", "1810", "3-7-05"),
            soviet("B", "1810", army="1G"),
            soviet("C", "1612", army="1G", status=["isolated"]),
            german("L", "1811"),
        ],
    )
    assert march(g) == {"A": ("1912", "9.21.7")}


@rule("kharkov43", "9.21.7b")
@rule("kharkov43", "9.25.1")
def test_the_easternmost_hex_is_preferred_even_of_hexes_round_another_german_unit():
    """A stays beside L; round H 1709, 1808 and 1909 are away from B. 1709 is closest to the objective, 1808 east."""
    g = position(
        board=arena(features={"1811": "logistics_southwest"}, roads_on=()),
        turn=6,
        objectives=southwest("1516"),
        units=[
            active("A", "1810", "3-4-05"),
            soviet("B", "1810", army="1G", status=["isolated"]),
            german("L", "1811"),
            german("H", "1809", status=["isolated"]),
        ],
    )
    assert march(g) == {"A": ("1808", "9.21.7")}
