"""What neither programs nor the curious ever come to, in whole games somebody steers there; read with the rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kessel.core.game import Game
from kessel.core.hexset import members
from kessel.core.procedure import PASS, Action
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import (
    COMBAT,
    DISRUPTED,
    ELIMINATED,
    FULL_RETREAT,
    IN_PLAY,
    REMOVED,
    REPLACED,
    RETREATING,
)
from kessel.games.stalingrad42.columns import DONE as HAS_MOVED
from kessel.games.stalingrad42.combat.defense import DeterminedDefense
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.movement import March
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase
from kessel.games.stalingrad42.turn.removals import Upgrading

from .helped import to_the_end
from .helpers import TITLE, rule
from .wished import Wished, wished_game

VERBS = ("strait", "enlist", "lead", "accompany", "keep")
STEPS = ("AutomaticRetreat.next_stack", "Displace.shift", "Upgrading.place")
"""What `kessel census stalingrad42` and the campaigns of test_whole_campaign.py do not come to."""
STILL = ("MovementPhase", "CombatPhase")
BAKU_FROM = 16


def now(g: Board) -> str:
    return type(g.stack[-1]).__name__


class GivenUp:
    """In these turns a unit goes where there is no room for it, and is eliminated for that at once (4.4)."""

    def __init__(self, name: str, turns: range) -> None:
        self.name, self.turns, self.gone, self.moved = name, turns, False, 0

    def __call__(self, g: Board, by: dict[str, list[Action]]) -> Action | None:
        if g.turn not in self.turns or g.phasing != AXIS:
            return None
        u, p = g.forces.unit(self.name), g.stack[-1]
        if self.gone and isinstance(p, MovementPhase):
            return PASS
        if ("move", u) in by.get("move", ()) and self.moved != g.turn:
            self.moved = g.turn
            return ("move", u)
        if isinstance(p, March) and p.units == (u,) and not p.hexes:
            return self._way(g, [a for a in by.get("to", ()) if g.map.is_hex(a[1])])
        return ("eliminate", u) if ("eliminate", u) in by.get("eliminate", ()) else None

    def _way(self, g: Board, ways: list[Action]) -> Action | None:
        full = [h for h in members(g.sets[COMBAT + AXIS]) if self._is_full(g, h)]
        best = min(ways, key=lambda a: min(g.map.grid.distance(a[1], h) for h in full))
        self.gone = best[1] in full
        return best

    def _is_full(self, g: Board, place: int) -> bool:
        f = g.forces
        return sum(f.combat[u] and not f.is_asu[u] and not f.free_stacking[u] for u in g.units(place)) >= 3


class South:
    """The Soviets stand still, with all that arrives in Entry Area G; the Axis comes to Taman, the volunteers and Baku,
    and gives up Wiking in time."""

    def __init__(self) -> None:
        self.sent: set[tuple[int, int]] = set()
        self.wiking = GivenUp("Wiking", range(12, 13))

    def __call__(self, g: Board, by: dict[str, list[Action]]) -> Action | None:
        for verb in ("strait", "enlist", "displace"):
            if verb in by:
                return by[verb][0]
        if g.phasing == SOVIET:
            if behind := [a for a in by.get("arrive", ()) if a[2] == g.map.place("G")]:
                return behind[0]
            return PASS if now(g) in STILL and "pass" in by else None
        return self.wiking(g, by) or (self._to_baku(g, by) if g.turn >= BAKU_FROM else None)

    def _to_baku(self, g: Board, by: dict[str, list[Action]]) -> Action | None:
        area, f, p = g.map.place("G"), g.forces, g.stack[-1]
        edge = list(members(g.map.box(area).hexes))

        def far(h: int) -> int:
            return min(g.map.grid.distance(h, e) for e in edge)

        if now(g) == "MovementPhase":
            for action in by.get("move", ()):
                u = action[1]
                if f.is_german(u) and f.size[u] == "division" and g.on_map(u) and (g.turn, u) not in self.sent:
                    self.sent.add((g.turn, u))
                    return action
        if not isinstance(p, March) or (g.turn, p.units[0]) not in self.sent:
            return None
        if "extended" in by and not p.hexes:
            return ("extended",)
        if out := [a for a in by.get("to", ()) if a[1] == area]:
            return out[0]
        ways = [a for a in by.get("to", ()) if g.map.is_hex(a[1]) and len(g.units(a[1])) < 2]
        if (
            ways
            and not p.hexes
            and far((best := min(ways, key=lambda a: (far(a[1]), a)))[1]) < far(g.place[p.units[0]])
        ):
            return best
        return ("halt",) if "halt" in by else None


def first_of_turn(*verbs: str) -> Callable[[Board, Action], bool]:
    """Boards are kept before these verbs and at the beginning of every turn."""
    seen: set[int] = set()

    def keep(g: Board, action: Action) -> bool:
        fresh = g.turn not in seen
        seen.add(g.turn)
        return fresh or action[0] in verbs

    return keep


@pytest.fixture(scope="module")
def south(tmp_path_factory: pytest.TempPathFactory) -> Wished:
    keep = first_of_turn("strait", "enlist", "displace", "place", "eliminate")
    return wished_game(tmp_path_factory.mktemp("help"), "caucasus", South(), who="able", keep=keep)


def at_the_start_of(played: Wished, turn: int) -> Board:
    return next(d.before for d in played.kept if d.before.turn == turn)


@rule("5.7.2a")
@rule("5.7.2b")
@rule("5.7.2c")
@rule("5.7.2d")
@rule("20.7")
def test_plan_bluecher_crosses_one_a_turn_and_lands_disrupted(south: Wished) -> None:
    crossed = south.with_verb("strait")
    assert len({d.before.turn for d in crossed}) == len(crossed) >= 5, "no more than one unit per turn"
    for d in crossed:
        g, taman = d.before, d.before.map.place("1549")
        (u,) = g.stack[-1].units  # type: ignore[attr-defined]
        assert g.map.box(g.place[u]).id == "W"
        assert g.controller(taman) == AXIS
        assert not any(g.forces.side[v] == SOVIET for v in g.units(taman))
        assert d.after.place[u] == taman
        assert d.after.status[u] & DISRUPTED
        assert d.after.status[u] & HAS_MOVED, "its entire MA"
    start = at_the_start_of(south, 10)
    held = [u for u, groups in enumerate(start.forces.groups) if "bluecher" in groups]
    assert {d.before.stack[-1].units[0] for d in crossed} >= set(held)  # type: ignore[attr-defined]


@rule("20.8a")
@rule("20.8b")
def test_volunteers_arrive_one_a_turn_and_go_one_hex(south: Wished) -> None:
    came = south.with_verb("enlist")
    turns = [d.before.turn for d in came]
    assert turns == list(range(turns[0], turns[0] + 6)), "one arrives each turn, until all six are there"
    for d in came:
        g, (_, u, home) = d.before, d.action
        assert g.hex_name(home) in ("2850", "4549")
        assert all(g.controller(g.map.place(h)) == AXIS for h in ("2850", "4549"))
        assert d.after.place[u] == home
        later = at_the_start_of(south, g.turn + 1)
        assert g.map.grid.distance(home, later.place[u]) <= 1, "on the first turn only one hex"
    first = at_the_start_of(south, turns[0])
    assert all(first.controller(first.map.place(h)) == AXIS for h in ("2850", "4549"))
    before = at_the_start_of(south, turns[0] - 1)
    assert not all(before.controller(before.map.place(h)) == AXIS for h in ("2850", "4549"))


@rule("24.1.3a")
@rule("24.1.3b")
@rule("24.1.3c")
def test_soviets_in_g_are_shifted_and_it_is_shut_to_them(south: Wished) -> None:
    shifted = south.with_verb("displace")
    assert len(shifted) > 10
    area = shifted[0].before.map.place("G")
    entered = shifted[0].before.turn
    assert {d.before.turn for d in shifted} == {entered}
    for d in shifted:
        g, (_, u, to) = d.before, d.action
        assert g.phasing == AXIS
        assert g.forces.side[u] == SOVIET
        assert (g.place[u], d.after.place[u]) == (area, to)
        assert g.map.box(to).id in ("H", "J")
        assert d.after.status[u] & (DISRUPTED | FULL_RETREAT)
    last = shifted[-1].after
    assert not any(last.forces.side[u] == SOVIET for u in last.units(area))
    for turn in range(entered + 1, 28):
        g = at_the_start_of(south, turn)
        sides = {g.forces.side[u] for u in g.units(area)}
        assert sides == {AXIS}, "until all Axis units have exited no Soviet unit enters it"
    assert last.box_side(area) == SOVIET, "it does not become an Axis Entry Area"


@rule("32.4")
def test_wiking_comes_back_from_the_eliminated_box_with_a_step(south: Wished) -> None:
    (given_up,) = [d for d in south.with_verb("eliminate") if d.before.id(d.action[1]) == "Wiking"]
    assert given_up.before.turn == 12
    assert given_up.after.pool[given_up.action[1]] == ELIMINATED
    (back,) = [d for d in south.with_verb("place") if isinstance(d.before.stack[-1], Upgrading)]
    g, after = back.before, back.after
    old, new = g.forces.unit("Wiking"), g.forces.unit("Wiking-T13")
    assert (g.turn, g.phasing) == (13, AXIS)
    assert (after.pool[old], after.pool[new]) == (REMOVED, IN_PLAY)
    assert (after.steps[new], after.forces.full_steps[new]) == (1, 4), "from now on it has four steps"
    assert after.place[new] == back.action[1]
    assert after.status[new] & REPLACED, "per the normal Replacement rules"


@rule("32.5")
def test_michalik_lost_is_the_27th_panzer_all_the_same(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("help")
    played = wished_game(
        folder, "campaign", Michalik(), who="idle", until=21, keep=lambda g, a: a[0] in ("place", "eliminate")
    )
    assert "Michalik" in [d.before.id(d.action[1]) for d in played.with_verb("eliminate")]
    (back,) = [d for d in played.kept if isinstance(d.before.stack[-1], Upgrading)]
    g, after = back.before, back.after
    old, new = g.forces.unit("Michalik"), g.forces.unit("27Pz")
    assert g.turn == 20
    assert (after.pool[old], after.pool[new]) == (REMOVED, IN_PLAY)
    assert after.steps[new] == 1 < after.forces.full_steps[new], "on its reduced side"
    assert after.box_side(back.action[1]) == AXIS, "as a reinforcement"


class Michalik:
    """Nobody does anything but Michalik, which comes to the front and goes into a hex that is full."""

    def __init__(self) -> None:
        self.lost = GivenUp("Michalik", range(9, 20))

    def __call__(self, g: Board, by: dict[str, list[Action]]) -> Action | None:
        u = g.forces.unit("Michalik")
        west = [a for a in by.get("arrive", ()) if a[1] == u and g.map.box(a[2]).id != "W"]
        return west[-1] if west else self.lost(g, by)


# --- stands, runaways and those who go along -------------------------------------------------------------------------


def stubborn(g: Board, by: dict[str, list[Action]]) -> Action | None:
    """Whoever has no way out stands; whoever runs goes on running; whoever may goes along."""
    return next((by[verb][-1] for verb in ("desperate", "lead", "accompany", "keep") if verb in by), None)


@pytest.fixture(scope="module")
def stands(tmp_path_factory: pytest.TempPathFactory) -> Wished:
    def keep(g: Board, action: Action) -> bool:
        running = g.sets[RETREATING + AXIS] | g.sets[RETREATING + SOVIET]
        return bool(running) or action[0] in ("desperate", "lead", "accompany", "keep")

    return wished_game(tmp_path_factory.mktemp("help"), "uranus", stubborn, 3, who="able", until=33, keep=keep)


@rule("11.5.2a")
@rule("11.5.2c")
def test_after_each_attempt_a_new_lead_unit_may_be_selected(stands: Wished) -> None:
    chosen = stands.with_verb("lead")
    assert chosen
    for d in chosen:
        p = d.before.stack[-1]
        assert isinstance(p, DeterminedDefense)
        assert p.desperate
        attempt = next(d.told("11.4.1")[-1] for d in reversed(stands.kept[: stands.kept.index(d)]) if d.told("11.4.1"))
        assert re.search(r" is a (partial success|failure)", attempt), "what has failed is tried again"
        assert d.told("11.4.1")[0].startswith(f"Desperate Defense of {d.before.id(d.action[1])}:")


@rule("19.3c")
def test_non_combat_units_go_along_with_those_that_survive(stands: Wished) -> None:
    went = stands.with_verb("accompany")
    assert went
    for d in went:
        g, (_, u, place) = d.before, d.action
        assert not g.forces.combat[u]
        assert not g.forces.is_supply_point(u), "SPs may never retreat after combat"
        assert g.place[u] != place
        friends = [v for v in g.units(place) if g.forces.side[v] == g.forces.side[u] and g.forces.combat[v]]
        assert friends, "at least one Combat Unit has survived and is there"
        assert d.after.place[u] == place


@rule("13.4c")
def test_who_likes_stays_in_full_retreat(stands: Wished) -> None:
    kept = stands.with_verb("keep")
    assert kept
    for d in kept:
        u = d.action[1]
        assert d.before.status[u] & FULL_RETREAT
        assert d.after.status[u] & FULL_RETREAT


@rule("13.3.2f")
def test_units_in_full_retreat_run_two_hexes_from_who_comes_near(stands: Wished) -> None:
    runs = 0
    for n, d in enumerate(stands.kept):
        for what in d.told("13.3.2"):
            if found := re.fullmatch(r"the units in (\S+) must run", what):
                runs += 1
                check_run(stands, n, found[1])
    assert runs > 3


def check_run(played: Wished, n: int, start: str) -> None:
    """Who was there, all in Full Retreat, is two hexes away after it, or dead; 12.2 lets some go one hex more."""
    d = played.kept[n]
    g, h, f = d.before, d.before.map.place(start), d.before.forces
    came = [e["unit"] for e in d.events if e["what"].endswith(f"retreats to {start}")]  # on the run already
    runners = {g.id(u) for u in g.units(h) if f.combat[u] and g.status[u] & FULL_RETREAT} | set(came)
    assert runners
    assert all(g.status[u] & FULL_RETREAT for u in g.units(h) if f.combat[u]), "nobody is with them who is not"
    assert len({f.side[f.unit(name)] for name in runners}) == 1
    for later in played.kept[n:]:
        for e in later.events:
            if e["rule"] in ("12.1.1", "12.2") and e.get("unit") in runners and e.get("from", start) == start:
                runners.discard(e["unit"])
                place = e["what"].split()[-1]
                if "retreats to" in e["what"] and g.map.grid.find(place) >= 0:
                    assert g.map.grid.distance(h, g.map.place(place)) in (2, 3)
        if not runners:
            return
    raise AssertionError(f"{runners} did not run from {start}")


def test_these_games_end_sound_and_replay(south: Wished, stands: Wished, tmp_path: Path) -> None:
    for played in (south, stands):
        assert TITLE.faults(played.game.board) == []
    assert south.game.over
    again = Game.replay(south.game.record, pack=to_the_end(tmp_path, "caucasus"))
    assert again.board.digest() == south.game.board.digest()
    for verb in VERBS:
        assert south.census.verbs[verb].count + stands.census.verbs[verb].count > 0, verb
    for step in STEPS:
        assert south.census.steps[step].count + stands.census.steps[step].count > 0, step
