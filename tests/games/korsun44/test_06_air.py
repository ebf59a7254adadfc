"""6.0 Combat air support."""

from __future__ import annotations

import msgspec
import pytest

from kessel.core.dice import Dice, Scripted
from kessel.games.korsun44.board import GERMAN, SOVIET, Board
from kessel.games.korsun44.combat.artillery import serves
from kessel.games.korsun44.data.charts import FROZEN, MUD
from kessel.games.korsun44.data.forces import AIR
from kessel.games.korsun44.turn.air import air_stage, air_track, availability_roll, counter_at, fly, return_counters

from .helpers import TITLE, choices, h, play, position, u, unit


def air(*dice: int, **fields: object) -> Board:
    g = position(unit("245.88ID", "0,0"), phase="soviet_movement", **fields)
    g.dice, g.events = Scripted(dice), []
    air_stage(g)
    return g


@pytest.mark.example("korsun44", "E05")
@pytest.mark.rule("korsun44", "6.0", "6.1.1.1", "6.1.1.2", "6.1.1.3", "6.1.1.4", "3.2.B")
def test_german_missions_of_the_example() -> None:
    assert air(2, 1, 1).track("air_german") == 1


@pytest.mark.example("korsun44", "E06")
@pytest.mark.rule("korsun44", "6.1.2.1", "6.1.2.2", "6.1.2.3", "6.1.2.4")
def test_soviet_missions_of_the_example() -> None:
    g = air(1, 2, 5, visibility="Overcast")
    assert (g.track("air_1Uk"), g.track("air_2Uk")) == (0, 2)  # modified 0 and 3


@pytest.mark.rule("korsun44", "6.1.1.2", "16.3.3")
def test_wanda_adds_to_the_german_roll_alone() -> None:
    g = position(turn=12)
    g.set_track("wanda_start", 10)
    g.set_track("wanda_end", 14)
    german, soviet = availability_roll(g, "german", 2), availability_roll(g, "1Uk", 2)
    assert german is not None
    assert soviet is not None
    assert (german.total, soviet.total) == (5, 2)


@pytest.mark.rule("korsun44", "6.1.1.2")
def test_a_storm_grounds_everybody_unless_it_is_read_otherwise() -> None:
    g = air(6, 6, 6, visibility="Storm")
    assert [g.track(t) for t in ("air_german", "air_1Uk", "air_2Uk")] == [0, 0, 0]
    g = position(visibility="Storm", options={"storm_flight": "minus_three"})
    roll = availability_roll(g, "german", 6)
    assert roll is not None
    assert roll.total == 3


@pytest.mark.rule("korsun44", "6.1.1.3", "6.1.2.3")
def test_mud_has_columns_of_its_own() -> None:
    g = position()
    rolls = range(1, 7)
    for who in ("german", "1Uk", "2Uk"):
        missions = [
            sum(
                g.charts.german_missions(ground, r) if who == "german" else g.charts.soviet_missions(who, ground, r)
                for r in rolls
            )
            for ground in (FROZEN, MUD)
        ]
        assert missions[0] > missions[1]


@pytest.mark.rule("korsun44", "6.2a", "6.2b", "6.2c", "6.2.c1", "6.2.c3a")
def test_a_mission_draws_an_unseen_counter_from_the_sides_cup() -> None:
    g = position(unit("180.27A", "0,0"))
    g.dice = Dice(1)
    assert len(g.forces.of_role[SOVIET][AIR]) == len(g.forces.of_role[GERMAN][AIR]) == 10
    track = air_track(g, u(g, "180.27A"))
    assert track == "air_1Uk"
    g.set_track(track, 2)
    counter = fly(g, SOVIET, track, h(g, "0,1"), "6.2")
    assert counter in g.forces.of_role[SOVIET][AIR]
    assert g.track(track) == 1
    assert counter_at(g, SOVIET, h(g, "0,1")) == counter
    assert counter_at(g, GERMAN, h(g, "0,1")) == -1
    assert all(r.secret for r in g.dice.take())


@pytest.mark.rule("korsun44", "6.2d", "6.2e")
def test_nobody_sees_a_counter_before_the_combat_and_all_go_back() -> None:
    g = position(unit("180.27A", "0,0"), phase="soviet_movement")
    g.dice = Dice(1)
    g.set_track("air_1Uk", 3)
    counter = fly(g, SOVIET, "air_1Uk", h(g, "0,1"), "6.2")
    for side in (GERMAN, SOVIET, None):
        assert "Air" not in msgspec.json.encode(TITLE.view(g, side)).decode()
    seen = set()
    for n in range(60):
        g.dice.count = n
        k = TITLE.known_to(g, SOVIET)
        seen.add(counter_at(k, SOVIET, h(g, "0,1")))  # type: ignore[arg-type]
    assert len(seen) > 5
    return_counters(g)
    assert g.air[counter] == 0
    assert counter_at(g, SOVIET, h(g, "0,1")) == -1


@pytest.mark.rule("korsun44", "6.2.c2")
def test_missions_left_over_are_lost() -> None:
    g = air(6, 6, 6)
    assert g.track("air_german") > 0
    g.dice = Scripted((1, 1, 1))
    air_stage(g)
    assert g.track("air_german") == g.charts.german_missions(FROZEN, 1)


@pytest.mark.rule("korsun44", "6.2.c3b")
def test_german_missions_serve_either_armee() -> None:
    g = position(unit("245.88ID", "0,0"), unit("105.72ID", "0,1"))
    assert air_track(g, u(g, "245.88ID")) == air_track(g, u(g, "105.72ID")) == "air_german"


@pytest.mark.rule("korsun44", "6.2.c3a", "12.10.4.3")
@pytest.mark.parametrize(("reading", "front"), [("first", "1Uk"), ("second", "2Uk")])
def test_the_cavalry_corps_is_helped_by_the_front_it_is_counted_to(reading: str, front: str) -> None:
    gun = unit("gun", "1,1", side="soviet", type="artillery", faces="2", front="2Uk", obs=2, dbs=2, range=3)
    g = position(
        unit("11Gcav.5GCC", "1,0"), unit("11GM4.5GCC", "1,0"), unit("245.88ID", "0,0"), gun, air={"1Uk": 1, "2Uk": 1},
        phase="soviet_combat", options={"cavalry_front": reading},
    )  # fmt: skip
    play(g, "attack 0,0")
    assert [c for c in choices(g) if c.startswith("fly")] == [f"fly 0,0 for {front}"]
    assert serves(g, u(g, "gun"), u(g, "11Gcav.5GCC")) == (front == "2Uk")
