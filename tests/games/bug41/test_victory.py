"""RX-9, PA-VP: points, control and the result of each scenario."""

from __future__ import annotations

import pytest

from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.title import TITLE
from kessel.games.bug41.turn.victory import result, victory_points

from .helpers import fresh, ger, h, pos, sov, u


def lost(afv: int, infantry: int, **options: str) -> Board:
    g = fresh("ustyluh", **options)
    g.set_track("lost_afv", afv)
    g.set_track("lost_infantry", infantry)
    return g


@pytest.mark.rule("bug41", "PA-VP.afv")
def test_fifteen_afv_points_are_one() -> None:
    assert victory_points(lost(14, 0)).total == 0
    assert victory_points(lost(15, 0)).total == 1
    g = pos(sov("T", "0,0", "afv"), ger("A", "1,0", "afv"))
    g.lose(u(g, "T"), 3, "")
    g.lose(u(g, "A"), 3, "")
    assert (g.track("lost_afv"), g.track("lost_infantry")) == (3, 0), "German losses count nothing"


@pytest.mark.rule("bug41", "PA-VP.inf")
def test_thirty_others_are_one() -> None:
    assert victory_points(lost(0, 29)).total == 0
    assert victory_points(lost(0, 30)).total == 1
    assert victory_points(lost(14, 2)).total == 1, "summed, then rounded down once"
    assert victory_points(lost(14, 2, vp_rounding="each_kind_down")).total == 0
    g = pos(sov("G", "0,0", "anti_tank"), sov("S", "1,0"))
    g.lose(u(g, "G"), 99, "")
    g.lose(u(g, "S"), 2, "")
    assert g.track("lost_infantry") == 7 + 2
    assert not g.on_map(u(g, "G"))


@pytest.mark.rule("bug41", "RX-9")
def test_places_count_for_the_side_whose_combat_unit_was_last_there() -> None:
    g = fresh("ustyluh")
    assert g.owner[h(g, "1212")] == SOVIET
    assert g.owner[h(g, "0813")] == GERMAN
    g.take_off(u(g, "NKVD-1"))
    g.enter(u(g, "I-525"), h(g, "1212"))
    assert victory_points(g).total == 1
    g.enter(u(g, "I-525"), h(g, "1312"))
    assert victory_points(g).total == 1, "it stays his when he goes"
    g.move(u(g, "HQ87"), h(g, "1212"))
    assert g.owner[h(g, "1212")] == GERMAN, "an HQ takes nothing"


USTYLUH = (
    (6, "German decisive victory", GERMAN),
    (5, "German victory", GERMAN),
    (3, "Draw", None),
    (2, "Soviet victory", SOVIET),
    (0, "Soviet victory", SOVIET),
)
CAMPAIGN = {16: "German decisive", 15: "German", 12: "German", 11: "Draw", 10: "Soviet"}


@pytest.mark.parametrize(("points", "level", "winner"), USTYLUH)
def test_levels_of_ustyluh(points: int, level: str, winner: int | None) -> None:
    found = result(lost(15 * points, 0))
    assert (found.level, found.winner, found.points) == (level, winner, {"german": points})


@pytest.mark.parametrize(("points", "level"), CAMPAIGN.items())
def test_levels_of_the_campaign(points: int, level: str) -> None:
    g = fresh("campaign")
    g.set_track("lost_afv", 15 * points)
    assert result(g).level == (level if level == "Draw" else f"{level} victory")


def test_voinitsa_is_decided_by_two_places() -> None:
    for voinitsa, zaturtsi, winner, level in (
        (GERMAN, GERMAN, GERMAN, "German victory"),
        (GERMAN, SOVIET, SOVIET, "Soviet marginal victory"),
        (SOVIET, SOVIET, SOVIET, "Soviet victory"),
        (SOVIET, GERMAN, SOVIET, "Soviet victory"),
    ):
        g = fresh("voinitsa")
        g.owner[h(g, "3116")], g.owner[h(g, "3816")] = voinitsa, zaturtsi
        assert (result(g).winner, result(g).level) == (winner, level)
    g = fresh("voinitsa")
    assert TITLE.outcome(g) is None, "while it goes on"
    g.stack = []
    assert TITLE.outcome(g) is not None
