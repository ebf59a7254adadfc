"""17.0 Railheads and railroad repair."""

from __future__ import annotations

import pytest

import kessel
from kessel.core.procedure import run
from kessel.games.stalingrad42.board import NOWHERE
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.supply.railheads import (
    forward,
    push_back,
    repair_plain_lines,
    split,
    way_home,
    why_not_railhead,
)
from kessel.games.stalingrad42.supply.railroads import connecting_rail, repaired_hexes

from .helpers import RIVER, area, ask, at, board, choices, do, h, how_to, names, refused, rule, start, u

LINE = " ".join(f"{i},0" for i in range(-4, 5))
GREEN = [("rail", LINE, "green")]
WEST = area("Z", "axis", "-4,0 -4,1")


def heads(g) -> list[str]:
    return sorted(g.hex_name(x) for x in g.railheads if x != NOWHERE)


def line(units=None, *, repaired="-4,0 -3,0 -2,0", railheads=("-2,0",), phase="supply", **more):
    links = more.pop("links", GREEN)
    return start(units or {}, links=links, boxes=[WEST], repaired=repaired, railheads=[*railheads], phase=phase, **more)


@rule("17.1a")
def test_rails_are_useless_to_the_axis_until_repaired():
    g = board({}, links=GREEN, boxes=[WEST], repaired="-4,0 -3,0")
    assert names(g, repaired_hexes(g)) == {"-4,0", "-3,0"}
    assert names(g, connecting_rail(g, AXIS)) == {"-4,0", "-3,0"}


@rule("17.2.1a")
@rule("3.B5a")
def test_a_railhead_moves_up_to_two_green_hexes():
    g = line()
    assert choices(g) == {"pass", "repair -2,0 -1,0"}
    do(g, "repair -2,0 -1,0", "repair -1,0 0,0")
    assert heads(g) == ["0,0"]
    assert g.repaired[h(g, "0,0")]
    assert "repair 0,0 1,0" not in choices(g)


@rule("17.2.1a")
def test_no_more_than_four_railheads_move():
    rows = [f"{{}},{r}" for r in (-4, -2, 0, 2, 4)]
    lines = {r: [f"{q},{r}" for q in range(-4, 5) if abs(q + r) <= 4] for r in (-4, -2, 0, 2, 4)}
    links = [("rail", " ".join(v), "green") for v in lines.values()]
    starts = [v[0] for v in lines.values()]
    g = start(
        {},
        links=links,
        boxes=[area("Z", "axis", " ".join(starts))],
        repaired=" ".join(starts),
        railheads=starts,
        phase="supply",
    )
    for v in [*lines.values()][:4]:
        do(g, f"repair {v[0]} {v[1]}")
    last = [*lines.values()][4]
    assert refused(g, f"repair {last[0]} {last[1]}") == "17.2.1"
    assert rows


@rule("17.2.1a")
def test_only_along_green_rails():
    g = line(links=[("rail", "-4,0 -3,0 -2,0", "green"), ("rail", "-2,0 -1,0 0,0")])
    assert not g.stack
    assert why_not_railhead(g, h(g, "-2,0"), h(g, "-1,0")).rule == "17.2.1"


@rule("17.2.1b")
def test_a_railhead_enters_neither_enemy_hexes_nor_vacant_ezocs():
    g = board({"X": "soviet 3-5-3 -1,0"}, links=GREEN, boxes=[WEST], repaired="-4,0 -3,0 -2,0", railheads=["-2,0"])
    assert why_not_railhead(g, h(g, "-2,0"), h(g, "-1,0")) is not None
    units = {"X": "soviet 3-5-3 0,1"}
    more = {"links": GREEN, "boxes": [WEST], "repaired": "-4,0 -3,0 -2,0 -1,0", "railheads": ["-1,0"]}
    g = board(units | {"B": "axis 3-5-3 -1,0"}, **more)
    assert why_not_railhead(g, h(g, "-1,0"), h(g, "0,0")).rule == "17.2.1"
    g = board(units | {"B": "axis 3-5-3 -1,0", "A": "axis 3-5-3 0,0"}, **more)
    assert why_not_railhead(g, h(g, "-1,0"), h(g, "0,0")) is None, "an Axis unit is there"


@rule("17.2.2")
def test_a_junction_spawns_another_railhead_that_moves_from_the_next_turn_on():
    fork = [("rail", "-4,0 -3,0 -2,0 -1,0 0,0", "green"), ("rail", "-1,0 -1,1 -1,2", "green")]
    g = line(links=fork)
    do(g, "repair -2,0 -1,0")
    assert heads(g) == ["-1,0", "-1,0"]
    do(g, "repair -1,0 0,0")
    assert heads(g) == ["-1,0", "0,0"]
    assert "repair -1,0 -1,1" not in choices(g)
    g = line(links=fork, repaired="-4,0 -3,0 -2,0 -1,0", railheads=["-1,0"])
    assert {"repair -1,0 0,0", "repair -1,0 -1,1"} <= choices(g)
    assert split(g, h(g, "-1,0"))


PUSH = {"repaired": "-4,0 -3,0 -2,0 -1,0 0,0", "railheads": ("0,0",)}


@rule("17.3.1a")
def test_a_soviet_unit_or_its_zoc_pushes_a_railhead_back():
    g = line({"X": "soviet 3-5-3 3,0"}, **PUSH, phase="movement", side="soviet")
    do(g, "move X", "to 1,0 normal")
    assert heads(g) == ["-1,0"]
    assert not g.repaired[h(g, "0,0")]
    g = line({"X": "soviet 3-5-3 2,0"}, **PUSH, phase="movement", side="soviet")
    do(g, "move X", "to 0,0 normal")
    assert heads(g) == ["-2,0"], "out of the hex and out of the ZOC"
    g = line({"X": "soviet 3-5-3 1,0", "A": "axis 3-5-3 0,0"}, **PUSH, phase="movement", side="soviet")
    g.move(u(g, "A"), h(g, "-4,0"))
    do(g, "move X", "step 0,0 normal")
    assert heads(g) == ["-2,0"], "the unit was next to it and enters it"


@rule("17.3.1b")
def test_only_in_a_soviet_turn_and_not_where_axis_units_shield_it():
    g = line({"A": "axis 3-5-3 2,-1", "X": "soviet 3-5-3 1,0"}, **PUSH, phase="movement", side="axis")
    do(g, "move A", "halt")
    assert heads(g) == ["0,0"]
    g = line({"A": "axis 3-5-3 0,0", "X": "soviet 3-5-3 3,0"}, **PUSH, phase="movement", side="soviet")
    do(g, "move X", "to 1,0 normal")
    assert heads(g) == ["0,0"]


@rule("17.3.1c")
def test_railing_soviets_do_not_push_back():
    links = [*GREEN, ("rail", "1,0 1,1 1,2")]
    g = line({"X": "soviet 3-5-3 1,2"}, links=links, **PUSH, phase="movement", side="soviet")
    do(g, "move X", "rail 1,0")
    assert at(g, "X") == "1,0"
    assert heads(g) == ["0,0"]


@rule("17.3.2")
def test_a_railhead_cut_off_is_stalled():
    g = line({"X": "soviet 3-5-3 -3,1"})
    assert not any(c.startswith("repair") for c in choices(g))
    assert why_not_railhead(g, h(g, "-2,0"), h(g, "-1,0")).rule == "17.3.2"


@rule("17.3.1a")
def test_railheads_pushed_to_one_hex_stay_two():
    fork = [("rail", "-4,0 -3,0 -2,0 -1,0 0,0", "green"), ("rail", "-1,0 -1,1", "green")]
    g = board(
        {"X": "soviet 3-5-3 0,1"},
        links=fork,
        boxes=[WEST],
        repaired="-4,0 -3,0 -2,0 -1,0 0,0 -1,1",
        railheads=["0,0", "-1,1"],
    )
    push_back(g)
    assert heads(g) == ["-1,0", "-1,0"], "both branches lie open again"
    g = board(
        {"X": "soviet 3-5-3 -1,1"},
        links=GREEN,
        boxes=[WEST],
        repaired="-4,0 -3,0 -2,0 -1,0 0,0",
        railheads=["0,0", "-1,0"],
    )
    push_back(g)
    assert heads(g) == ["-2,0", "-2,0"]


@rule("17.2.1a")
@rule("S4.1c")
def test_a_railhead_goes_forward_over_repaired_hexes():
    g = line(repaired="-4,0 -3,0 -2,0 -1,0", railheads=("-3,0",))
    assert choices(g) == {"pass", "repair -3,0 -2,0"}
    assert refused(g, "repair -3,0 -4,0") == "17.2.1"
    do(g, "repair -3,0 -2,0", "repair -2,0 -1,0")
    assert heads(g) == ["-1,0"]
    assert not g.repaired[h(g, "0,0")]
    g = line(repaired=LINE, railheads=("-3,0",))
    assert not g.stack, "nothing is left to repair"


@rule("17.2.1a")
@rule("17.2.2")
def test_at_a_split_a_railhead_takes_the_branch_that_is_left():
    fork = [("rail", "-4,0 -3,0 -2,0 -1,0 0,0 1,0", "green"), ("rail", "-1,0 -1,1 -1,2", "green")]
    g = line(links=fork, repaired="-4,0 -3,0 -2,0 -1,0 0,0", railheads=["-1,0", "0,0"])
    assert choices(g) == {"pass", "repair -1,0 -1,1", "repair 0,0 1,0"}


@rule("17.2.1a")
@rule("S4.1c")
def test_every_railhead_of_the_campaign_can_move():
    for scenario in ("fall-blau", "campaign"):
        g = kessel.new("stalingrad42", scenario, seed=1).board
        assert heads(g) == ["1303", "1717", "2126", "2427", "2431"]
        assert [x for x in g.railheads if x != NOWHERE and not forward(g, x)] == []


@rule("17.1a")
@rule("17.3.1a")
def test_pushed_back_over_the_start_line_a_railhead_comes_forward_again():
    links = [("rail", "-4,0 -3,0"), ("rail", "-3,0 -2,0 -1,0 0,0 1,0", "green")]
    more = {"links": links, "areas": {"west_of_start_line": "-4,0 -3,0 -2,0"}}
    g = line({"X": "soviet 3-5-3 3,0", "Y": "soviet 3-5-3 -2,2"}, **more, **PUSH, phase="movement", side="soviet")
    do(g, "move X", "to 1,0 normal")
    assert heads(g) == ["-1,0"]
    do(g, "move Y", "to -2,0 normal")
    assert heads(g) == ["-4,0"], "back along the railroad that is not green"
    assert names(g, repaired_hexes(g)) == {"-4,0", "-3,0", "-2,0"}
    for name in "XY":
        g.move(u(g, name), h(g, "4,-4"))
    assert why_not_railhead(g, h(g, "-4,0"), h(g, "-3,0")) is None
    assert why_not_railhead(g, h(g, "-3,0"), h(g, "-2,0")).rule == "17.2.1", "there is no Railhead"
    assert forward(g, h(g, "-4,0")) == [h(g, "-3,0")]
    assert forward(g, h(g, "-2,0")) == [h(g, "-1,0")]


@rule("17.3.1a")
def test_what_lies_behind_another_railhead_is_not_lost():
    fork = [("rail", "-4,0 -3,0 -2,0 -1,0 0,0", "green"), ("rail", "-1,0 -1,1 -1,2 -1,3", "green")]
    g = board(
        {"X": "soviet 3-5-3 -1,0"},
        links=fork,
        boxes=[WEST],
        repaired="-4,0 -3,0 -2,0 -1,0 0,0 -1,1 -1,2 -1,3",
        railheads=["0,0", "-1,3"],
    )
    push_back(g)
    assert heads(g) == ["-1,3", "-3,0"]
    assert names(g, repaired_hexes(g)) == {"-4,0", "-3,0", "-2,0", "-1,0", "-1,1", "-1,2", "-1,3"}
    g.move(u(g, "X"), h(g, "4,-4"))
    assert forward(g, h(g, "-3,0")) == [h(g, "-2,0")], "on to the branch it was pushed back from"


@rule("17.2.2")
def test_a_split_reached_again_gets_no_marker_for_those_on_their_way():
    fork = [("rail", "-4,0 -3,0 -2,0 -1,0 0,0", "green"), ("rail", "-1,0 -1,1 -1,2", "green")]
    g = line(links=fork, repaired="-4,0 -3,0 -2,0", railheads=["-2,0", "-2,0"])
    do(g, "repair -2,0 -1,0")
    assert heads(g) == ["-1,0", "-2,0"]
    do(g, "repair -1,0 0,0", "repair -2,0 -1,0", "repair -1,0 -1,1")
    assert heads(g) == ["-1,1", "0,0"]


@rule("17.3.1a")
def test_of_two_ways_back_a_railhead_takes_the_green_one():
    for green, plain in (("-1", "1"), ("1", "-1")):
        ways = {r: f"-4,0 {'-3,-1 -2,-1 -1,-1' if r == '-1' else '-3,0 -3,1 -2,1'} -1,0" for r in (green, plain)}
        links = [("rail", f"{ways[green]} 0,0", "green"), ("rail", ways[plain])]
        repaired = " ".join(dict.fromkeys(f"{ways[green]} {ways[plain]} 0,0".split()))
        units = {"X": "soviet 3-5-3 3,0"}
        g = line(units, links=links, repaired=repaired, railheads=("0,0",), phase="movement", side="soviet")
        do(g, "move X", "to 0,0 normal")
        assert heads(g) == ["-1,-1" if green == "-1" else "-2,1"]


@rule("17.3.1a")
@pytest.mark.parametrize(("reading", "back"), [("shorter", "0,-1"), ("west", "-1,0")])
def test_where_two_lines_meet_a_railhead_goes_back_as_is_read(reading, back):
    short, long = "-1,-2 0,-2 0,-1 0,0", "-4,3 -4,2 -4,1 -3,1 -2,1 -2,0 -1,0 0,0"
    links = [("rail", short, "green"), ("rail", long, "green"), ("rail", "0,0 1,0 2,0", "green")]
    g = board(
        {"X": "soviet 3-5-3 2,0"},
        links=links,
        boxes=[area("Z", "axis", "-1,-2 -4,3")],
        repaired=" ".join(dict.fromkeys(f"{short} {long} 1,0".split())),
        railheads=["1,0"],
        options={"push_back": reading},
    )
    push_back(g)
    assert heads(g) == ["0,0"], "one way only"
    g.move(u(g, "X"), h(g, "1,0"))
    push_back(g)
    assert heads(g) == [back]
    g.move(u(g, "X"), h(g, back))
    push_back(g)
    home = {"shorter": ["-1,-2"], "west": ["-3,1"]}
    assert heads(g) == home[reading]
    assert [g.hex_name(x) for x in way_home(g, g.railheads[0])][-1] in ("-1,-2", "-4,3")


@rule("17.1b")
@rule("17.3.1a")
def test_a_green_hex_pushed_back_is_not_repaired_by_the_plain_lines_that_meet_in_it():
    links = [*GREEN, ("rail", "-4,1 -3,1 -2,1 -1,1 0,0"), ("rail", "-4,0 -3,-1 -2,-1 -1,-1 0,-1 0,0")]
    done = "-4,0 -3,0 -2,0 -1,0 0,0 -4,1 -3,1 -2,1 -1,1 -3,-1 -2,-1 -1,-1 0,-1"
    g = line({"X": "soviet 3-5-3 3,0"}, links=links, repaired=done, railheads=("0,0",), phase="movement", side="soviet")
    do(g, "move X", "to 1,0 normal")
    assert heads(g) == ["-1,0"]
    repair_plain_lines(g)
    assert not g.repaired[h(g, "0,0")]


@rule("17.5")
@rule("17.1b")
def test_a_railroad_completed_between_repaired_ends_is_repaired():
    from kessel.games.stalingrad42.sequence import GameTurn

    links = [("rail", "-4,0 -3,0 -2,0", "green"), ("rail", "-4,2 -3,2 -2,2", "green")]
    links.append(("rail", "-2,0 -2,1 -2,2", "unfinished", {"opens": 11}))
    for turn, done in ((10, False), (11, True)):
        g = board({}, links=links, boxes=[WEST], repaired="-4,0 -3,0 -2,0 -4,2 -3,2 -2,2", turn=turn)
        g.stack = [GameTurn()]
        run(g)
        assert bool(g.repaired[h(g, "-2,1")]) is done


@rule("17.5")
@rule("5.2c")
@pytest.mark.parametrize(("turn", "answer"), [(8, ("no", "5.5.2")), (9, ("normal", 3))])
def test_an_unfinished_railroad_bridges_no_river(turn, answer):
    rails = [("rail", "0,0 1,0", "unfinished", {"opens": 9})]
    assert how_to(board({"A": "axis 6-7-3 -1,0"}, hexsides=RIVER, links=rails, turn=turn), "1,0") == answer


@rule("17.5")
@rule("12.2f")
def test_no_retreat_over_the_bridge_of_an_unfinished_railroad():
    rails = [("rail", "0,0 1,0", "unfinished", {"opens": 9})]
    units = {"X": "soviet 3-5-3 0,0", "A": "axis 5-5-3 -1,0", "B": "axis 5-5-3 -1,1", "C": "axis 5-5-3 0,-1"}
    ends = {}
    for turn in (8, 9):
        g = board(units, hexsides=RIVER, links=rails, turn=turn)
        ends[turn] = [e["to"] for e in ask(g, "retreat", units=["X"], hexes=2)["units"][0].get("ends", [])]
    assert "2,0" in ends[9]
    assert "2,0" not in ends[8]
