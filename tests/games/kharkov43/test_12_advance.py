"""12.8 Advance after combat."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.dice import Scripted
from kessel.games.kharkov43.board import ELIMINATED, Board
from kessel.games.kharkov43.combat.battle import Battle
from kessel.games.kharkov43.combat.combat_soviet import passes
from kessel.games.kharkov43.combat.results.advance import (
    german_advances,
    why_not_advance,
    why_not_path,
    why_not_two_hexes,
)
from kessel.games.kharkov43.combat.results.advance_checks import (
    AdvanceCheck,
    Step,
    can_enable_supply,
    chance_of,
    first_check,
    route_of,
    second_check,
)
from kessel.games.kharkov43.combat.results.advance_checks import Step as AdvanceStep
from kessel.games.kharkov43.data.forces import GERMAN
from tests.games.kharkov43.combat_helpers import (
    battle,
    choices,
    dice,
    field,
    hit_germans,
    hit_soviets,
    log,
    places,
    play,
    refused,
    scene,
    units,
)
from tests.games.kharkov43.helpers import german, hx, panzer, soviet, tanks, unit

RULE = "kharkov43"


def won(g: Board, attackers: str, target: str, *path: str, **more: Any) -> Battle:
    """A combat after steps 6 and 7: the defenders have retreated along the path, or were eliminated."""
    us = units(g, attackers)
    b = Battle(g.forces.side[us[0]], hx(g, target), us)
    if path:
        b.paths, b.retreated = ((hx(g, target), *(hx(g, p) for p in path)),), len(path)
        b.defenders = tuple(g.units(hx(g, path[-1])))
        assert b.defenders
    for key, value in more.items():
        setattr(b, key, value)
    return b


def advances(g: Board, b: Battle, name: str) -> set[str]:
    return {"-".join(g.hex_name(h) for h in p) for p in german_advances(g, b, unit(g, name))}


def why(g: Board, b: Battle, name: str, *path: str) -> str:
    refusal = why_not_path(g, b, unit(g, name), tuple(hx(g, p) for p in path))
    return refusal.rule if refusal else ""


def refusal(g: Board, name: str, target: str = "1910") -> str:
    found = first_check(g, won(g, name, target), unit(g, name)).refusal
    return found.reason if found else ""


# --- German advances -------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.8a")
@pytest.mark.rule(RULE, "12.81a")
@pytest.mark.rule(RULE, "12.81c")
@pytest.mark.example(RULE, "X39")
def test_example_german_advances():
    a = scene(
        [panzer("p.XL", "1911"), german("i.XL", "1911"), soviet("d.6", "1910", faces="3-4-05 2-4-06 1-4-07")],
    )
    dice(a, 10)
    hit_soviets(a, "p.XL i.XL", "1910", 1)
    assert choices(a) == ["pass", "advance p.XL 1910", "advance i.XL 1910"]
    play(a, "advance i.XL 1910")
    assert choices(a) == ["pass", "advance p.XL 1910"]
    play(a, "pass")
    assert not a.stack
    assert places(a, "p.XL i.XL") == {"p.XL": "1911", "i.XL": "1910"}
    b = scene(
        [
            panzer("p.XL", "1612"),
            german("i.XL", "1713"),
            soviet("d.6", "1710"),
            soviet("e.6", "1611"),
            soviet("f.6", "1810"),
        ]
    )
    battle = won(b, "p.XL i.XL", "1712", "1711", "1710")
    assert advances(b, battle, "i.XL") == {"1712"}
    assert why(b, battle, "p.XL", "1712", "1711") == "12.8"
    b.move(unit(b, "i.XL"), hx(b, "1712"))
    ends = {p.split("-")[-1] for p in advances(b, battle, "p.XL")}
    assert ends == {"1712", "1711", "1812", "1713"}
    assert why(b, battle, "p.XL", "1712", "1811") == "12.81"


@pytest.mark.rule(RULE, "11.1f")
@pytest.mark.rule(RULE, "12.8a")
@pytest.mark.rule(RULE, "12.8b")
def test_undispersed_attackers_advance_into_the_vacated_hex_within_stacking_whatever_the_zones():
    g = scene(
        [
            *[german(f"{i}.XL", "1911", faces="3-4 2-4") for i in range(3)],
            german("x.XL", "1810", faces="3-4 2-4"),
            german("y.XL", "1810", faces="3-4 2-4", status=["dispersed"]),
            soviet("d.6", "1909"),
            soviet("e.6", "2009"),
        ]
    )
    b = won(g, "0.XL 1.XL 2.XL x.XL y.XL", "1910", "1909")
    assert advances(g, b, "x.XL") == {"1910"}
    assert why_not_advance(g, b, unit(g, "y.XL")).rule == "12.9"
    for i in range(3):
        g.move(unit(g, f"{i}.XL"), hx(g, "1910"))
    assert why(g, b, "x.XL", "1910") == "10.4"
    held = scene([german("a.XL", "1911"), soviet("d.6", "1910")])
    assert why_not_advance(held, won(held, "a.XL", "1910", "1910"), unit(held, "a.XL")).rule == "12.8"
    g.take_off(unit(g, "x.XL"), ELIMINATED)
    assert why_not_advance(g, b, unit(g, "x.XL")).reason == "x.XL was eliminated"


@pytest.mark.rule(RULE, "12.8c")
def test_units_brought_in_by_a_tactic_do_not_advance():
    g = scene([german("a.XL", "1911"), german("b.XL", "1911"), soviet("d.6", "1909")])
    b = won(g, "a.XL b.XL", "1910", "1909", joined=units(g, "b.XL"))
    assert advances(g, b, "a.XL") == {"1910"}
    assert advances(g, b, "b.XL") == set()
    assert why(g, b, "b.XL", "1910") == "12.8"
    s = scene([soviet("a.6", "1911"), german("d.XL", "1909")])
    assert first_check(s, won(s, "a.6", "1910", "1909", joined=units(s, "a.6")), unit(s, "a.6")).refusal.rule == "12.8"


@pytest.mark.rule(RULE, "12.8d")
def test_a_german_advance_ends_in_supply_unless_the_unit_has_none_anyway():
    """Soviets north and south close 1910 off; 1911 traces supply to the west."""
    ring = [soviet("e.6", "1809"), soviet("f.6", "2010"), soviet("h.6", "1812"), soviet("i.6", "2111")]
    g = scene([german("a.XL", "1911"), german("z.XL", "1912"), *ring, soviet("d.6", "1909")])
    b = won(g, "a.XL", "1910", "1909")
    assert why(g, b, "a.XL", "1910") == "12.8"
    mate = scene([german("a.XL", "1911"), german("m.XL", "1911"), german("z.XL", "1912"), *ring, soviet("d.6", "1909")])
    assert why(mate, won(mate, "a.XL", "1910", "1909"), "a.XL", "1910") == ""
    cut = scene([german("a.XL", "1911"), *ring, soviet("d.6", "1909")], board=field(german_edge="", exits=""))
    assert why(cut, won(cut, "a.XL", "1910", "1909"), "a.XL", "1910") == ""


@pytest.mark.rule(RULE, "12.81a")
@pytest.mark.parametrize(
    ("path", "kind", "two"),
    [
        (("1909",), "armor", False),
        (("1909", "1908"), "armor", True),
        (("1909", "1908"), "mechanized", True),
        (("1909", "1908"), "infantry", False),
        ((), "armor", True),
        ((), "infantry", False),
    ],
)
def test_mechanized_units_advance_two_hexes_after_a_long_retreat_or_elimination(
    path: tuple[str, ...], kind: str, two: bool
):
    g = scene([german("a.XL", "1911", type=kind), *([soviet("d.6", path[-1])] if path else [])])
    b = won(g, "a.XL", "1910", *path)
    assert (why_not_two_hexes(g, b, unit(g, "a.XL")) is None) is two
    assert any("-" in p for p in advances(g, b, "a.XL")) is two


@pytest.mark.rule(RULE, "12.81b")
def test_the_first_hex_is_the_attacked_one():
    g = scene([panzer("a.XL", "1911"), soviet("d.6", "1908")])
    b = won(g, "a.XL", "1910", "1909", "1908")
    assert why(g, b, "a.XL", "1810") == "12.81"
    assert why(g, b, "a.XL", "1810", "1809") == "12.81"
    assert all(p.startswith("1910") for p in advances(g, b, "a.XL"))


@pytest.mark.rule(RULE, "11.1g")
@pytest.mark.rule(RULE, "12.81c")
def test_off_the_path_no_step_from_control_to_control():
    g = scene([panzer("a.XL", "1911"), soviet("d.6", "1908"), soviet("e.6", "2009")])
    b = won(g, "a.XL", "1910", "1909", "1908")
    assert why(g, b, "a.XL", "1910", "1909") == ""
    assert why(g, b, "a.XL", "1910", "2010") == "12.81"
    assert why(g, b, "a.XL", "1910", "1810") == ""
    assert why(g, b, "a.XL", "1910", "2009") == "12.81"
    free = scene([panzer("a.XL", "1911"), soviet("d.6", "1908"), soviet("e.6", "2108")])
    assert why(free, won(free, "a.XL", "1910", "1909", "1908"), "a.XL", "1910", "2009") == ""


@pytest.mark.rule(RULE, "12.81d")
def test_beside_a_garrison_a_german_keeps_to_the_path_of_retreat():
    board = field(features={"1809": "village"})
    doc = {"board": board, "garrisons": "1809"}
    g = scene([panzer("a.XL", "1911"), soviet("d.6", "2008")], **doc)
    b = won(g, "a.XL", "1910", "2009", "2008")
    assert advances(g, b, "a.XL") == {"1910", "1910-2009"}
    assert why(g, b, "a.XL", "1910", "2010") == "12.81"
    assert why(g, b, "a.XL", "1910", "1809") == "10.1"
    never = scene([panzer("a.XL", "1911"), soviet("d.6", "2008")], options={"advance_past_garrison": "never"}, **doc)
    b = won(never, "a.XL", "1910", "2009", "2008")
    assert advances(never, b, "a.XL") == {"1910"}
    assert why(never, b, "a.XL", "1910", "2009") == "15.22"


@pytest.mark.rule(RULE, "12.81e")
def test_units_may_advance_into_different_second_hexes():
    g = scene([panzer("a.XL", "1911"), panzer("b.XL", "1911"), soviet("d.6", "1910", faces="1-4-05")])
    hit_soviets(g, "a.XL b.XL", "1910", 3, counter=("nkvd",))
    play(g, "advance a.XL 1910-1909", "advance b.XL 1910-2009")
    assert places(g, "a.XL b.XL") == {"a.XL": "1909", "b.XL": "2009"}


@pytest.mark.rule(RULE, "12.81f")
def test_eliminated_defenders_leave_no_path():
    g = scene([panzer("a.XL", "1911"), soviet("d.6", "1910", faces="1-4-05"), soviet("e.6", "1908")])
    c = hit_soviets(g, "a.XL", "1910", 3, counter=("nkvd",))
    assert c.paths == ()
    assert "advance a.XL 1910-1909" in choices(g)
    guarded = scene([panzer("a.XL", "1911"), soviet("e.6", "2008"), soviet("f.6", "1809")])
    b = won(guarded, "a.XL", "1910")
    assert why(guarded, b, "a.XL", "1910", "1909") == "12.81"
    late = scene([panzer("a.XL", "1911"), soviet("d.6", "1910", faces="1-4-05", status=["dispersed"])])
    c = hit_soviets(late, "a.XL", "1910", 2)
    assert (c.retreated, c.paths) == (1, ())


@pytest.mark.rule(RULE, "12.81g")
def test_panzer_battalion_lets_one_infantry_unit_ride():
    g = scene([german("a.XL", "1911"), german("b.XL", "1911"), soviet("d.6", "1910", faces="1-4-05")])
    hit_soviets(g, "a.XL b.XL", "1910", 3, counter=("nkvd",), tactics=("panzer_battalion",))
    assert "advance a.XL 1910-1909" in choices(g)
    assert "advance b.XL 1910-1909" in choices(g)
    play(g, "advance a.XL 1910-1909")
    assert "advance b.XL 1910-1909" not in choices(g)
    assert refused(g, "advance b.XL 1910-2009") == "12.81"
    assert "advance b.XL 1910" in choices(g)
    plain = scene([german("a.XL", "1911"), soviet("d.6", "1910", faces="1-4-05")])
    hit_soviets(plain, "a.XL", "1910", 3, counter=("nkvd",))
    assert not any("-" in c for c in choices(plain))


@pytest.mark.rule(RULE, "12.82a")
@pytest.mark.rule(RULE, "12.82b")
@pytest.mark.parametrize("river", ["donets", "dniepr"])
def test_big_rivers_are_crossed_where_attacked_across_or_on_the_path_and_stop_the_unit(river: str):
    first = scene(
        [panzer("a.XL", "1911"), panzer("b.XL", "1810"), soviet("d.6", "1908")],
        board=field(roads=["1810 1811 1812"], exits="", rivers={"1911|1910": river}, german_edge=f"1812 {WEST_EDGE}"),
    )
    b = won(first, "a.XL b.XL", "1910", "1909", "1908")
    assert why_not_two_hexes(first, b, unit(first, "a.XL")).rule == "12.82"
    assert why(first, b, "a.XL", "1910", "1909") == "12.82"
    assert why_not_two_hexes(first, b, unit(first, "b.XL")) is None
    second = scene(
        [panzer("a.XL", "1911"), soviet("d.6", "1908")],
        board=field(roads=["1910 1911"], german_edge="1909 1911 2009", rivers={"1910|1909": river, "1910|2009": river}),
    )
    b = won(second, "a.XL", "1910", "1909", "1908")
    assert why(second, b, "a.XL", "1910", "2009") == "12.82"
    assert why(second, b, "a.XL", "1910", "1909") == ""
    bridged = scene(
        [panzer("a.XL", "1911"), soviet("d.6", "1908")],
        board=field(
            roads=["1910 1911", "1910 2009"], german_edge="1911 2009", rivers={"1911|1910": river, "1910|2009": river}
        ),
    )
    b = won(bridged, "a.XL", "1910", "1909", "1908")
    assert why_not_two_hexes(bridged, b, unit(bridged, "a.XL")) is None
    assert why(bridged, b, "a.XL", "1910", "2009") == ""


WEST_EDGE = "1920"


def test_a_unit_stops_in_an_enemy_town_the_next_one_may_go_on():
    g = scene(
        [panzer("a.XL", "1911"), panzer("b.XL", "1911"), soviet("d.6", "1910", faces="1-4-05")],
        board=field(terrain={"1910": "town"}),
    )
    hit_soviets(g, "a.XL b.XL", "1910", 3, counter=("nkvd",))
    assert "advance a.XL 1910-1909" not in choices(g)
    assert refused(g, "advance a.XL 1910-1909") == "14.1"
    play(g, "advance a.XL 1910")
    assert g.owner[hx(g, "1910")] == GERMAN + 1
    assert "advance b.XL 1910-1909" in choices(g)


# --- 12.83 Soviet advances -------------------------------------------------------------------------------------------


def arrow(a: str, b: str, kind: str = "primary", only: str = "") -> dict[str, str]:
    return {"from": a, "to": b, "kind": kind, "only": only}


@pytest.mark.rule(RULE, "12.83a")
@pytest.mark.rule(RULE, "12.83b")
@pytest.mark.example(RULE, "X40")
def test_example_soviet_advances():
    a = scene(
        [
            soviet("18.6", "1412", faces="4-4-18 2-4-28"),
            soviet("01.6", "1313", faces="4-4-01 2-4-21"),
            german("d.XL", "1413", faces="3-4 2-4"),
        ],
        board=field(arrows=[arrow("1412", "1413"), arrow("1313", "1413")]),
    )
    dice(a, 7)
    hit_germans(a, "18.6 01.6", "1413", 1)
    play(a, "retreat 1414")
    assert places(a, "01.6 18.6") == {"01.6": "1413", "18.6": "1412"}
    assert "18.6 does not advance to 1413: primary direction, rolls 7 with 1-6" in log(a)

    b = scene(
        [
            tanks("04.6", "1610", faces="5-6-04 3-6-14", army="6"),
            soviet("05.6", "1610", faces="4-4-05 2-4-15"),
            german("d.XL", "1611", faces="3-4 2-4"),
        ],
        board=field(arrows=[arrow("1610", "1611", "secondary"), arrow("1611", "1612", "secondary")]),
    )
    dice(b)
    hit_germans(b, "04.6 05.6", "1611", 2)
    play(b, "retreat 1612-1613")
    assert places(b, "04.6 05.6") == {"04.6": "1612", "05.6": "1611"}

    c = scene(
        [
            tanks("03.Popov", "1812", faces="5-6-03 3-6-13"),
            tanks("06.Popov", "1812", faces="5-6-06 3-6-16"),
            tanks("08.Popov", "1812", faces="5-6-08 3-6-18"),
            german("d.XL", "1813", faces="3-4 2-4"),
        ],
        board=field(arrows=[arrow("1812", "1813")]),
    )
    dice(c, 2)
    hit_germans(c, "03.Popov 06.Popov 08.Popov", "1813", 1)
    play(c, "retreat 1814")
    assert places(c, "03.Popov 06.Popov 08.Popov") == {"03.Popov": "1813", "06.Popov": "1813", "08.Popov": "1812"}


def checked(g: Board, name: str, target: str = "1910", *path: str, **more: Any) -> tuple[str, int]:
    b = won(g, name, target, *path, **more)
    found = first_check(g, b, unit(g, name))
    assert found.refusal is None, found.refusal
    return found.route, found.chance.total


def lone(at: str = "1909", **doc: Any) -> Board:
    """A Soviet attacker beside 1910; the Germans have gone to 1912."""
    return scene([soviet("a.6", at, faces="4-4-01 2-4-02"), german("d.XL", "1912")], **doc)


@pytest.mark.rule(RULE, "12.83b")
@pytest.mark.parametrize(
    ("doc", "route"),
    [
        ({"board": field(terrain={"1910": "town"}, vp={"1910": 1})}, "vp_hex"),
        ({"board": field(features={"1910": "map_edge_vp"}, vp={"1910": 1})}, "vp_hex"),
        ({"board": field(arrows=[arrow("1909", "1910")])}, "primary_direction"),
        ({"board": field(arrows=[arrow("1909", "1910", only="S")])}, "primary_direction"),
        (
            {
                "board": field(bare=True, rivers={"1909|1910": "minor_river"}),
                "objectives": {"Southwest": {"hex": "1915"}},
            },
            "across_river_closer_to_objective",
        ),
        ({"board": field(arrows=[arrow("1909", "1910", "secondary")])}, "secondary_direction"),
    ],
)
def test_routes_of_the_first_row(doc: dict[str, Any], route: str):
    g = lone(**doc)
    assert checked(g, "a.6", "1910", "1911", "1912") == (route, 10)
    b = won(g, "a.6", "1910", "1911", "1912")
    s = Step(b, unit(g, "a.6"), hx(g, "1910"))
    assert route_of(g, s) == route
    many = scene(
        [soviet(f"{i}.6", "1910", faces=f"1-4-{i + 5:02d}") for i in range(2)] + [soviet("a.6", "1909")], **doc
    )
    for already, chance in ((1, 6), (2, 0)):
        b = won(many, "a.6", "1910", advanced=units(many, " ".join(f"{i}.6" for i in range(already))))
        assert chance_of(many, Step(b, unit(many, "a.6"), hx(many, "1910")), route).total == chance


@pytest.mark.rule(RULE, "12.83b")
def test_an_advance_that_enables_supply():
    """c in 1910 is ringed but for 1909, which a German controls; a, who comes there, opens the way to 1908."""
    ring = [german(f"{i}.XL", h) for i, h in enumerate(("1809", "1810", "1911", "2010", "2009"))]
    g = scene(
        [soviet("a.6", "1908", faces="4-4-01 2-4-02"), soviet("c.6", "1910", faces="4-4-03 2-4-04"), *ring], turn=4
    )
    b = won(g, "a.6", "1909")
    s = Step(b, unit(g, "a.6"), hx(g, "1909"))
    assert can_enable_supply(g, s)
    assert route_of(g, s) == "enables_supply"
    g.take_off(unit(g, "c.6"), 2)
    assert not can_enable_supply(g, s)


@pytest.mark.rule(RULE, "12.83c")
def test_routes_of_the_second_row():
    g = lone()
    assert checked(g, "a.6") == ("attacked_hex", 7)
    closer = lone(objectives={"Southwest": {"hex": "1915"}})
    assert checked(closer, "a.6") == ("closer_to_objective", 7)
    away = lone(objectives={"Southwest": {"hex": "1904"}})
    assert checked(away, "a.6") == ("attacked_hex", 7)
    ring = scene(
        [
            soviet("a.6", "1909", faces="4-4-01 2-4-02"),
            soviet("b.6", "1812", faces="4-4-03 2-4-04"),
            soviet("c.6", "2012", faces="4-4-05 2-4-06"),
            german("d.XL", "1911"),
        ]
    )
    assert checked(ring, "a.6") == ("causes_surround", 7)
    b = won(g, "a.6", "1910", advanced=(unit(g, "d.XL"),))
    g.move(unit(g, "d.XL"), hx(g, "1910"))
    assert chance_of(g, Step(b, unit(g, "a.6"), hx(g, "1910")), "attacked_hex").total == 3


@pytest.mark.rule(RULE, "12.83c")
@pytest.mark.parametrize(("roll", "goes"), [(7, True), (8, False)])
def test_the_die_decides_in_the_second_row(roll: int, goes: bool):
    g = scene([soviet("a.6", "1909", faces="4-4-01 2-4-02"), german("d.XL", "1910")])
    dice(g, roll)
    hit_germans(g, "a.6", "1910", 1)
    play(g, "retreat 1911")
    assert places(g, "a.6") == {"a.6": "1910" if goes else "1909"}


@pytest.mark.rule(RULE, "12.83d")
@pytest.mark.rule(RULE, "12.83e")
def test_the_second_hex_is_the_one_with_the_best_chance_and_other_routes_never_advance():
    def went(**doc: Any) -> str:
        g = scene([tanks("a.Popov", "1910", faces="5-6-01 3-6-02"), german("d.XL", "1914")], **doc)
        start = scene([tanks("a.Popov", "1909", faces="5-6-01 3-6-02"), german("d.XL", "1914")], **doc)
        b = won(g, "a.Popov", "1910", advanced=units(g, "a.Popov"))
        found = second_check(g, b, unit(g, "a.Popov"), start)
        return f"{g.hex_name(found.hex)} {found.route}" if found else ""

    assert went() == ""
    assert went(objectives={"Southwest": {"hex": "1915"}}) == "1911 closer_to_objective"
    assert went(board=field(arrows=[arrow("1910", "2010", "secondary")])) == "2010 secondary_direction"
    both = field(arrows=[arrow("1910", "2010", "secondary"), arrow("1910", "1810")])
    assert went(board=both, objectives={"Southwest": {"hex": "1915"}}) == "1810 primary_direction"
    town = field(terrain={"2009": "town"}, vp={"2009": 1}, arrows=[arrow("1910", "1810")])
    assert went(board=town) == "2009 vp_hex"


@pytest.mark.rule(RULE, "12.83b")
def test_a_second_hex_along_the_path_of_retreat():
    g = scene([tanks("a.Popov", "1909", faces="5-6-01 3-6-02"), german("d.XL", "1910")])
    dice(g, 7)
    hit_germans(g, "a.Popov", "1910", 2)
    play(g, "retreat 2010-2011")
    assert places(g, "a.Popov") == {"a.Popov": "2010"}
    infantry = scene([soviet("a.6", "1909", faces="5-4-01 3-4-02"), german("d.XL", "1910")])
    dice(infantry, 7)
    hit_germans(infantry, "a.6", "1910", 2)
    play(infantry, "retreat 2010-2011")
    assert places(infantry, "a.6") == {"a.6": "1910"}


@pytest.mark.rule(RULE, "12.83b")
@pytest.mark.rule(RULE, "12.83d")
def test_no_die_is_rolled_where_it_decides_nothing() -> None:
    g = scene([soviet("a.6", "1909"), german("d.XL", "1912")])
    g.dice = Scripted(())
    step = AdvanceStep(battle(g, "a.6", "1910"), unit(g, "a.6"), hx(g, "1910"))
    never = AdvanceCheck(step.unit, step.hex, "other", chance_of(g, step, "other"))
    assert not passes(g, never)
    assert log(g).endswith("a.6 does not advance to 1910: other, 0 Soviet units in the hex by advance (12.83)")
    always = AdvanceCheck(step.unit, step.hex, "vp_hex", chance_of(g, step, "vp_hex"))
    assert passes(g, always)
    assert log(g).endswith("a.6 advances to 1910: vp hex, 0 Soviet units in the hex by advance (12.83)")
