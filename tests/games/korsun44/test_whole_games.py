"""What no program comes to by itself, in campaigns of curious players who are led there; read with the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kessel.core.board import NOWHERE
from kessel.core.game import Game
from kessel.core.procedure import Action
from kessel.games.korsun44.board import GERMAN, INTACT, MINES, PRINTED, RAIL_CUT, RAIL_REPAIR, SOVIET, Board
from kessel.games.korsun44.data.forces import ALARM
from kessel.games.korsun44.engineering.bridges import ends_of
from kessel.games.korsun44.movement.movement import Move
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.special.waves import StackMove
from kessel.games.korsun44.supply.markers import servers
from kessel.games.korsun44.supply.phases import MarkerPhase, PlaceSdm
from kessel.games.korsun44.units.alarms import is_lone_alarm
from kessel.lab.census import as_json
from tests.games.curious import Played, curious_game

OPTIONS = (
    "partisans", "reliability", "bridge_collapse", "rail_capacity", "trucks", "fords", "pz24", "alternate_airfield",
    "alternate_depot", "german_strengths", "intercept_88", "stalin", "sdm_relay",
)  # fmt: skip
READINGS = {"no_retreat_when": "segment", "alarm_point": "at_once"}
OFTEN = {"move": 40, "to": 80, "attack": 12, "from": 40}
LATE = 20
"""Nobody breaks out or gives Korsun up before."""


class Led:
    """Soviets go for alarm units and for each other, Germans for cut railroads, bridges and minefields, and into
    Soviets in a breakout; the rest is as it comes."""

    def __init__(self) -> None:
        self.sent: set[tuple[int, int]] = set()

    def __call__(self, g: Board, by: dict[str, list[Action]]) -> Action | None:
        for verb, turn in (("abandon_korsun", LATE), ("declare_breakout", LATE + 1)):
            if g.turn < turn:
                by.pop(verb, None)
        p = g.stack[-1]
        if isinstance(p, MarkerPhase):
            lost = [a for a in by.pop("place_sdm", ()) if g.sdm_at[a[1]] == NOWHERE]
            return lost[0] if lost and g.turn % 2 else None
        if isinstance(p, PlaceSdm) and "at" in by and "relay_at" not in by:
            mine = [u for u in g.on_the_map(p.side) if p.sdm in servers(g, u)]
            to = [g.place[u] for u in mine if g.forces.engineer[u]] or [g.place[u] for u in mine]
            return min(by["at"], key=lambda a: (sum(g.map.grid.distance(a[1], h) for h in to), a))
        if isinstance(p, StackMove) and "to" in by:
            soviets = [g.place[u] for u in g.on_the_map(SOVIET)]
            return min(by["to"], key=lambda a: (min(g.map.grid.distance(a[1], h) for h in soviets), a))
        if isinstance(p, MovementPhase):
            for action in by.get("move", ()):
                u = action[1]
                if (g.turn, u) not in self.sent and self.goals(g, u):
                    self.sent.add((g.turn, u))
                    return action
        if not isinstance(p, Move) or (g.turn, p.units[0]) not in self.sent or "to" not in by:
            return None
        if attacks := by.get("attack_alarm"):
            return attacks[0]
        goals = self.goals(g, p.units[0])

        def far(h: int) -> int:
            return min((g.map.grid.distance(h, x) for x in goals), default=0)

        best = min(by["to"], key=lambda a: (far(a[1]), a))
        return best if far(best[1]) < far(g.place[p.units[0]]) else ("halt",)

    def goals(self, g: Board, u: int) -> list[int]:
        f = g.forces
        if f.side[u] == SOVIET:
            if not f.armor[u] or u % 4 > 1:
                return []
            alarms = [g.place[v] for v in f.of_role[GERMAN][ALARM] if g.on_map(v)]
            others = [g.place[v] for v in g.on_the_map(SOVIET) if f.armor[v] and g.front_of(v) != g.front_of(u)]
            return others if u % 4 else [h for h in alarms if is_lone_alarm(g, h)]
        if "construction" in f.engineer[u]:
            return list(g.works_of(RAIL_CUT | RAIL_REPAIR))
        if "korps" in f.engineer[u]:
            bridges = zip(g.bridge_at, g.bridge_state, g.bridge_kind, strict=True)
            return [h for s, state, kind in bridges if kind == PRINTED and state == INTACT for h in ends_of(g, s)]
        mined = "assault" in f.engineer[u] or f.armor[u]
        return [h for h in g.works_of(MINES) if not g.enemies_in(h, GERMAN)] if mined else []


READ = ("attack_alarm", "withdraw", "react", "one_hex", "to", "improve", "intercept", "return_fire")


def led_game(seed: int, until: int = 99) -> Played:
    """A campaign with every optional rule, to that turn or to its end."""

    def keep(g: Board, action: Action) -> bool:
        return action[0] in READ and (action[0] != "to" or isinstance(g.stack[-1], StackMove))

    rules = {**dict.fromkeys(OPTIONS, "on"), **READINGS}
    return curious_game(
        "korsun44", "campaign", seed, quota=3, often=OFTEN, until=until, wish=Led(), keep=keep, **rules
    )  # fmt: skip


@pytest.fixture(scope="module")
def first_days() -> list[Played]:
    return [led_game(1, until=7)]


@pytest.fixture(scope="module")
def campaigns() -> list[Played]:
    return [led_game(seed) for seed in (1, 2)]


def alarms_fought(games: list[Played]) -> int:
    """9.12 Soviets attack a lone alarm unit next to them: it shows itself, no guns or aircraft; the victor enters."""
    found = 0
    for done in (d for played in games for d in played.with_verb("attack_alarm")):
        before, after, (_, h) = done.before, done.after, done.action
        movers = before.stack[-1].units
        assert is_lone_alarm(before, h)
        assert all(before.map.grid.adjacent(before.place[u], h) for u in movers)
        assert {before.forces.side[u] for u in movers} == {SOVIET}
        assert not done.told("12.10.2"), "no artillery"
        assert not any("aircraft" in e.get("shifts", "") for e in done.events)
        assert done.told("12.12"), "the table decides"
        if not after.of_side(h, GERMAN) and isinstance(after.stack[-1], Move):
            assert all(after.place[u] == h for u in after.stack[-1].units), "who wins must enter"
        found += 1
    return found


def armor_stepped(games: list[Played]) -> int:
    """9.8, 12.1.2 German armor steps one hex: at night out of Soviet zones, in reaction never from one."""
    found = 0
    for done in (d for played in games for d in played.with_verb("withdraw", "react")):
        g, (verb, u, h) = done.before, done.action
        assert g.forces.side[u] == GERMAN
        assert g.forces.armor[u]
        assert g.map.grid.adjacent(g.place[u], h)
        assert not zone_of(g, SOVIET) >> (h if verb == "withdraw" else g.place[u]) & 1
        found += 1
    return found


@pytest.mark.rule("korsun44", "9.12.c1a", "9.12.2d", "9.8c", "12.1.2a")
def test_the_first_days_of_a_campaign_led_to_the_rare_rules(first_days: list[Played]) -> None:
    (played,) = first_days
    assert played.game.title.faults(played.game.board) == []
    assert alarms_fought(first_days) > 0
    assert armor_stepped(first_days) > 0
    same = Game.replay(played.game.record)
    assert same.board.digest() == played.game.board.digest()


RARE = {
    *("attack_alarm", "turn_over", "convert_alarm", "absorb", "disband", "abandon", "transfer", "supplied_by"),
    *("break_down", "recombine", "extend", "marker_to", "extend_into", "join", "on_foot", "also", "withhold"),
    *("declare_korsun", "isolate_korps", "relocate", "withdraw_to", "declare_wanda", "declare_breakout", "one_hex"),
    *(
        "break_out",
        "lay_mines",
        "face_mines",
        "lift_mines",
        "dig",
        "level",
        "build",
        "lay_bridge",
        "take_up",
        "improve",
    ),
    *("seek_ford", "truck", "go_home", "call_up", "relay_at", "react", "withdraw", "replace", "allocate_drops"),
    *("take_up", "improve", "allocate_lift", "drop_to", "roll_again", "intercept", "return_fire"),
}
"""Verbs that programs never use (`kessel census korsun44`), and the curious do."""
ELSEWHERE = {
    "clear_mines": "test_12_shifts.py",
    "store": "test_14_points.py",
    "move_stock": "test_14_points.py",
    "repair_rail": "test_15_engineering.py",
    "boundary": "test_16_declarations.py",
}
"""Those nobody comes to even so, and where they are played by hand."""


@pytest.mark.slow
@pytest.mark.rule("korsun44", "9.12.c1a", "9.12.2d", "9.8c", "12.1.2a", "16.5.2a", "16.5.3.3b", "18.3.1a")
def test_whole_campaigns_meet_what_no_program_does(campaigns: list[Played]) -> None:
    never = set.intersection(*(set(as_json(c.census)["never"]["verbs"]) for c in campaigns))
    assert not RARE & never
    for played in campaigns:
        assert played.game.over
        assert played.game.title.faults(played.game.board) == []
        assert Game.replay(played.game.record).board.digest() == played.game.board.digest()
    assert alarms_fought(campaigns) > 3
    assert armor_stepped(campaigns) > 20
    assert broken_out(campaigns) > 0
    for done in (d for played in campaigns for d in played.with_verb("improve")):
        _, bridge, u = done.action
        assert done.before.place[u] in ends_of(done.before, bridge)
        assert done.told("18.3.1")
    for done in (d for played in campaigns for d in played.with_verb("intercept")):
        g, p = done.before, done.before.stack[-1]
        e = g.place[done.action[1]]
        assert g.map.grid.adjacent(e, p.a)
        assert g.map.grid.adjacent(e, p.stood)
        assert g.forces.armor[done.action[1]] or g.forces.type[done.action[1]] == "flak_88"


def broken_out(campaigns: list[Played]) -> int:
    """16.5.2, 16.5.3 One hex, then hex by hex, into Soviets too, who are fought in their hex and never driven out."""
    found = 0
    for done in (d for played in campaigns for d in played.with_verb("one_hex", "to")):
        g, h = done.before, done.action[-1]
        if done.action[0] == "one_hex":
            assert not g.enemies_in(h, GERMAN)
            assert g.map.grid.adjacent(g.place[done.action[1]], h)
        elif soviets := g.of_side(h, SOVIET):
            assert any("breakout at" in what for what in done.told("16.5.3"))
            left = [u for u in soviets if done.after.on_map(u)]
            assert all(done.after.place[u] == h for u in left), "no retreat"
            found += 1
    return found


@pytest.mark.parametrize(("verb", "where"), ELSEWHERE.items())
def test_the_rest_is_played_by_hand(verb: str, where: str) -> None:
    text = (Path(__file__).parent / where).read_text()
    assert re.search(rf'play\([^)]*"{verb}[ "]', text)
