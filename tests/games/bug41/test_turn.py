"""RX-SOP, RX-6, RX-8.1 to 8.3, PA-T1.surprise: the turn, initiative, activation, Reaction, recovery."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.core.procedure import asked, push, run
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.sequence import Play
from kessel.games.bug41.turn.activation import Activation, triggers_of
from kessel.games.bug41.turn.initiative import Operations, SurpriseAttack, marker_modifier, move_marker, put_marker
from kessel.games.bug41.turn.recovery import Recovery
from kessel.games.bug41.turn.refit import Refit

from .helpers import CHARTS, act, at, board, do, f, fresh, ger, h, hq, points, pos, refusal, sov, start, texts, told, u


def both(**levels: int) -> Board:
    return pos(ger("A", "-3,0"), sov("S", "3,0"), levels={"298ID": 4, "215MD": 4, **levels})


def marker(g: Board) -> tuple[int, int]:
    return g.track("space"), g.track("shown")


# --- the sequence ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-SOP", "RX-8.1")
def test_a_turn_has_four_segments_and_the_first_no_recovery() -> None:
    g = fresh("ustyluh")
    assert not any("interdiction" in t for t in told(g))
    g.stack = [Play(at=Play.index["end"])]
    g.events, g.dice = [], Scripted([4] * 40)
    run(g)
    assert g.turn == 2
    found = told(g)
    order = [
        next(i for i, t in enumerate(found) if word in t) for word in ("Turn 2", "interdiction", "recovers from level")
    ]
    assert order == sorted(order)
    g = fresh("voinitsa")
    assert g.turn == 4


def test_the_game_ends_after_the_last_turn() -> None:
    g = fresh("ustyluh")
    g.set_track("turn", 3)
    g.stack = [Play(at=Play.index["end"])]
    run(g)
    assert not g.stack
    assert marker(fresh("ustyluh")) == (0, 0)


# --- initiative ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-6.1")
def test_the_higher_roll_has_the_initiative_with_the_marker_on_a_tie() -> None:
    def winner(*dice: int, space: int = 0, shown: int = SOVIET, **options: str) -> int:
        g = pos(ger("A", "-3,0"), sov("S", "3,0"), **options)
        put_marker(g, space, shown)
        p = Operations(at=Operations.index["determine"])
        return asked(start(g, p, dice=dice))

    assert winner(6, 5) == GERMAN
    assert winner(5, 6) == SOVIET
    assert winner(7, 6, space=1) == SOVIET
    assert winner(8, 6, space=1) == SOVIET, "a tie goes to the side shown"
    assert winner(9, 6, space=1) == GERMAN
    assert winner(10, 3, space=4) == SOVIET
    assert winner(5, 5, 2, 1) == GERMAN, "without a marker a tie is rolled again"
    assert winner(8, 6, 1, 9, space=1, initiative_tie="rolled_again") == SOVIET


def test_the_marker_follows_the_side_that_acts() -> None:
    g = both()
    move_marker(g, GERMAN)
    assert marker(g) == (1, SOVIET), "the first to act gives the other the first space"
    move_marker(g, GERMAN)
    assert marker(g) == (2, SOVIET)
    for _ in range(4):
        move_marker(g, GERMAN)
    assert marker(g) == (4, SOVIET)
    assert marker_modifier(g, SOVIET) == 8
    assert marker_modifier(g, GERMAN) == 0
    move_marker(g, SOVIET)
    assert marker(g) == (1, GERMAN)


@pytest.mark.rule("bug41", "RX-6.2")
def test_the_winner_activates_a_formation_and_its_level_falls() -> None:
    g = start(both(), Operations(at=Operations.index["determine"]), dice=[9, 1])
    assert texts(g) == ["pass", "activate 298ID"]
    assert refusal(g, "activate 215MD").rule == "RX-6.2"
    do(g, "activate 298ID", dice=[7])
    assert g.levels[f(g, "298ID")] == 3
    assert points(g) == CHARTS.points_of(4, 7, "even_steps").normal == 4
    do(g, "pass", dice=[1, 1])
    assert marker(g) == (1, SOVIET)
    assert asked(g) == SOVIET, "unused points are lost and the next contest follows"
    g = both()
    g.take_off(u(g, "HQ-298ID"))
    start(g, Operations(at=Operations.index["determine"]))
    assert texts(g) == ["pass", "activate 215MD"], "without its HQ a formation is not activated; and there is no roll"


@pytest.mark.rule("bug41", "RX-6.2.pass")
def test_two_passes_or_no_levels_end_the_segment() -> None:
    g = start(both(), Operations(at=Operations.index["determine"]), dice=[9, 1])
    do(g, "pass")
    assert asked(g) == SOVIET
    do(g, "pass")
    assert not g.stack
    g = start(both(**{"298ID": 0, "215MD": 0}), Operations(at=Operations.index["determine"]))
    assert not g.stack
    g = start(both(**{"215MD": 0}), Operations(at=Operations.index["determine"]))
    do(g, "activate 298ID", "pass", dice=[1])
    assert marker(g) == (0, 0), "with one side able to act the marker stays"
    do(g, "pass")
    assert not g.stack


def test_not_twice_running() -> None:
    g = pos(ger("A", "-3,0"), sov("S", "3,0"), same_formation="not_twice_running")
    start(g, Operations(at=Operations.index["determine"]), dice=[9, 1])
    do(g, "activate 298ID", "pass", dice=[1])
    assert texts(g) == ["pass", "activate 215MD"]


@pytest.mark.rule("bug41", "RX-6.2.max", "RX-8.2", "RX-3.EF", "PA-interdiction.effect")
def test_hq_recovery_raises_the_level_up_to_the_class() -> None:
    for level, die, turn, after in ((0, 1, 3, 3), (0, 9, 3, 2), (4, 1, 3, 5), (0, 10, 5, 1)):
        g = pos(sov("S", "3,0"), turn=turn, levels={"215MD": level})
        start(g, Recovery(), dice=[die])
        assert g.levels[f(g, "215MD")] == after
    g = fresh("campaign")
    starts = {x: g.levels[n] for n, x in enumerate(g.forces.commands)}
    assert starts == {x: g.forces.reaction[g.forces.hq_of[n]] for n, x in enumerate(g.forces.commands)}


@pytest.mark.rule("bug41", "PA-interdiction.1", "RX-8.3")
def test_interdiction_is_rolled_and_touches_the_soviets_alone() -> None:
    for die, level in ((1, 0), (10, 1)):
        g = pos(ger("A", "-3,0"), sov("S", "3,0"), turn=2, levels={"298ID": 0, "215MD": 0})
        start(g, Recovery(), dice=[die])
        assert g.track("interdiction") == level
        assert g.levels[f(g, "298ID")] == 4
        assert g.levels[f(g, "215MD")] == 3 - level


def test_recovery_by_check() -> None:
    for die, still in ((6, False), (7, True)):
        g = pos(ger("A", "-3,0", status="disrupted"), recovery_from_disruption="by_check")
        start(g, Recovery(), dice=[1, die])
        assert g.is_disrupted(u(g, "A")) == still


# --- activation ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-APT", "PA-APT.red")
def test_points_come_from_the_level_before_it_falls() -> None:
    for reaction in (False, True):
        g = both(**{"298ID": 6})
        start(g, Activation(GERMAN, f(g, "298ID"), reaction), dice=[6])
        assert points(g) == (3 if reaction else 6)
        assert g.levels[f(g, "298ID")] == 5


@pytest.mark.rule("bug41", "PA-TEC.e1")
def test_every_activation_has_boats_for_two_units() -> None:
    on = board(sides={"-1,0|0,0": "bug"})
    g = pos(
        *(ger(x, "-1,0", type) for x, type in (("A", "infantry"), ("B", "border_guard"), ("C", "border_guard"))), on=on
    )
    start(g, Activation(GERMAN, f(g, "298ID")), dice=[10])
    (acting,) = (p for p in g.stack if isinstance(p, Activation))
    assert acting.boats == 2
    do(g, "move A B", "to 0,0", "move C")
    assert acting.boats == 0
    assert "step 0,0" not in texts(g), "the boats are on the other bank"


APT = ((1, 4, 1, 1), (2, 4, 2, 1), (3, 6, 3, 2), (4, 6, 4, 2), (4, 8, 5, 3), (5, 5, 5, 3), (5, 7, 5, 3), (5, 9, 6, 3),
       (6, 6, 6, 3), (6, 9, 6, 3), (7, 7, 7, 4), (7, 10, 7, 4))  # fmt: skip


@pytest.mark.example("bug41", "B-APT")
@pytest.mark.parametrize(("level", "die", "normal", "red"), APT)
def test_action_point_examples(level: int, die: int, normal: int, red: int) -> None:
    assert CHARTS.points_of(level, die, "even_steps") == (normal, red)


@pytest.mark.rule("bug41", "PA-AP.refit", "RX-7.6", "PA-TEC.c4")
def test_refit() -> None:
    lame = (ger("A", "0,0", status="disrupted"), ger("B", "0,0", "afv", status="disrupted"), sov("S", "5,0"))
    g = do(act(pos(*lame), points=1), "refit 0,0", dice=[6, 7])
    assert [g.is_disrupted(u(g, n)) for n in "AB"] == [False, True]
    assert points(g) == 0
    assert refusal(act(g), "refit 3,0").rule == "RX-7.6"
    g = pos(sov("S", "0,0", status="disrupted"), on=board(pillboxes=["0,0"]))
    start(g, Refit(SOVIET, (0,)), dice=[7])
    assert not g.is_disrupted(0)


# --- Reaction --------------------------------------------------------------------------------------------------------


def near(**more: object) -> Board:
    """A moves next to S."""
    options: dict[str, object] = {"levels": {"298ID": 4, "215MD": 4}, **more}
    extra = options.pop("extra", ())
    s = options.pop("s", sov("S", "2,0"))
    return act(pos(ger("A", "-1,0"), ger("B", "-1,2"), s, *extra, **options), points=5)  # type: ignore[arg-type,misc]


@pytest.mark.rule("bug41", "RX-6.4.1", "RX-6.4.2", "RX-6.4.3")
def test_a_move_into_a_zone_lets_a_formation_react() -> None:
    g = do(near(), "move A", "to 1,0")
    assert asked(g) == SOVIET
    assert texts(g) == ["pass", "react 215MD"]
    do(g, "react 215MD", dice=[5, 8])
    assert points(g) == 3, "level 4, die 8: the red number"
    assert g.levels[f(g, "215MD")] == 3
    assert asked(g) == SOVIET
    do(g, "hasty 1,0 with S", dice=[1, 1, 1, 1])
    do(g, "pass")
    assert asked(g) == GERMAN
    assert points(g) == 4, "the interrupted activation goes on with what it had"
    do(g, "move B", "to 1,1")
    assert asked(g) == GERMAN, "one success in an activation"


@pytest.mark.rule("bug41", "RX-6.4.4")
def test_a_formation_that_fails_is_out_for_the_activation() -> None:
    g = do(near(), "move A", "to 1,0")
    do(g, "react 215MD", dice=[6])
    assert asked(g) == GERMAN
    assert g.levels[f(g, "215MD")] == 4
    do(g, "move B", "to 1,1")
    assert asked(g) == GERMAN
    g = near(extra=(sov("T", "2,2", formation="19TD"),), levels={"298ID": 4, "215MD": 4, "19TD": 4})
    do(g, "move A", "to 1,0", "react 215MD", "move B", "to 1,2", dice=[6])
    assert texts(g) == ["pass", "react 19TD"], "another formation may try after another move"


@pytest.mark.rule("bug41", "PA-disruption.3", "PA-OOC.3")
def test_who_cannot_trigger_a_reaction() -> None:
    for g in (
        near(s=sov("S", "2,0", status="disrupted")),
        near(extra=(hq("HQ", "6,0", "215MD", range=2),)),
        near(levels={"298ID": 4, "215MD": 0}),
    ):
        assert asked(do(g, "move A", "to 1,0")) == GERMAN
    g = near(extra=(sov("T", "1,-1", "afv", status="disrupted"),))
    do(g, "move A", "to 1,0")
    assert triggers_of(g, f(g, "215MD"), h(g, "1,0")) == [u(g, "S")]


@pytest.mark.rule("bug41", "PA-infil.6")
def test_infiltration_can_trigger_a_reaction() -> None:
    units = (ger("A", "0,0"), sov("S", "1,-1"))
    g = do(act(pos(*units)), "move A", "infiltrate 0,-1", dice=[1])
    assert texts(g) == ["pass", "react 215MD"]
    g = do(act(pos(*units)), "move A", "infiltrate 0,-1", dice=[10])
    assert asked(g) == GERMAN, "nobody got there"


def test_attacks_and_reactions_trigger_nothing() -> None:
    g = pos(ger("A", "0,0"), sov("S", "2,0"))
    act(g, "215MD", reaction=True)
    do(g, "move S", "to 1,0")
    assert asked(g) == SOVIET
    g = pos(ger("A", "0,0"), sov("S", "1,0", steps=1), sov("T", "2,0"))
    do(act(g), "hasty 1,0 with A", "advance A", dice=[12, 1, 10])
    assert at(g, "A") == "1,0"
    assert asked(g) == GERMAN


# --- surprise --------------------------------------------------------------------------------------------------------


def surprise(scenario: str) -> Board:
    g = fresh(scenario)
    while not isinstance(g.stack[-1], SurpriseAttack):
        push(g, ("pass",))
    g.events = []
    return g


@pytest.mark.rule("bug41", "PA-T1.surprise.1", "PA-T1.surprise.5")
def test_the_german_begins_with_infantry_divisions_each_once() -> None:
    g = surprise("campaign")
    assert asked(g) == GERMAN
    assert g.dice.count == 0, "nobody rolls for it"
    assert texts(g) == ["pass", "activate 298ID", "activate 44ID", "activate 299ID"]
    assert refusal(g, "activate 14Pz").rule == "PA-T1.surprise.5"
    do(g, "activate 44ID", "pass")
    assert refusal(g, "activate 44ID").rule == "PA-T1.surprise.5"


@pytest.mark.parametrize(
    ("scenario", "times"),
    [
        pytest.param("campaign", 3, marks=pytest.mark.rule("bug41", "PA-T1.surprise.2")),
        pytest.param("ustyluh", 2, marks=pytest.mark.rule("bug41", "PA-T1.surprise.3")),
    ],
)
@pytest.mark.rule("bug41", "PA-T1.surprise.4")
def test_how_many_and_what_follows(scenario: str, times: int) -> None:
    g = surprise(scenario)
    for name in ("298ID", "44ID", "299ID")[:times]:
        do(g, f"activate {name}", "pass")
    assert isinstance(g.stack[-1], Operations)
    assert marker(g) == (1, SOVIET)
    assert any("initiative: German" in t for t in told(g)), "from now on both roll"


@pytest.mark.rule("bug41", "PA-T1.surprise.3")
def test_a_third_division_is_not_surprising_in_scenario_one() -> None:
    divisions = ("298ID", "44ID", "299ID")
    own = (ger(f"A{n}", f"-3,{n}", formation=name) for n, name in enumerate(divisions))
    g = pos(*own, sov("S", "3,0"), turn=1, scenario="ustyluh")
    start(g, Operations(), dice=[5, 5, 9, 1, 9, 1])
    do(g, "activate 298ID", "pass", "activate 44ID", "pass")
    assert isinstance(g.stack[-1], Operations), "two activations, though a third could be made"
    assert not g.track("surprise")
    assert marker(g) == (1, SOVIET)


@pytest.mark.rule("bug41", "RX-10.2")
def test_the_german_may_stop_early() -> None:
    g = surprise("campaign")
    assert g.track("surprise") == 1
    do(g, "pass")
    assert g.track("surprise") == 0
    assert marker(g) == (1, SOVIET)


@pytest.mark.rule("bug41", "PA-T1.surprise.6")
def test_surprise_harms_soviet_checks_and_reactions() -> None:
    g = near()
    g.set_track("surprise", 1)
    do(g, "move A", "to 1,0", "react 215MD", dice=[4])
    assert any("fails its Reaction Check: 4+2 against 5" in t for t in told(g))
    g = pos(sov("S", "0,0", status="disrupted"), ger("A", "5,0", status="disrupted"))
    g.set_track("surprise", 1)
    start(g, Refit(SOVIET, (0,)), dice=[4])
    assert g.is_disrupted(0)
    start(g, Refit(GERMAN, (1,)), dice=[6])
    assert not g.is_disrupted(1), "German checks are as ever"
    g = pos(sov("S", "0,0", status="disrupted"), turn=1, surprise_checks="whole_first_turn")
    start(g, Refit(SOVIET, (0,)), dice=[4])
    assert g.is_disrupted(0)


def test_reaction_can_be_declined() -> None:
    g = do(near(), "move A", "to 1,0", "pass")
    assert asked(g) == GERMAN
    assert at(g, "A") == "1,0"
