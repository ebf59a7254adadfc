"""Questions about steps and points: `replacements`, who may get a step (16), and `victory`, how the game stands."""

from __future__ import annotations

from typing import Any

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexset import members
from kessel.core.title import Answerer, Asked
from kessel.games.kharkov43.board import EDGE_HELD, Board
from kessel.games.kharkov43.data.forces import FORMATIONS, FRONTS, GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.data.scenario import Scenario, read_scenario
from kessel.games.kharkov43.turn.ground_conditions import is_heavy_mud
from kessel.games.kharkov43.turn.replacements import candidates, priority, soviet_choice, why_not_replace
from kessel.games.kharkov43.turn.victory import check_early_loss, check_turn, is_kharkov_soviet, outcome
from kessel.wargame.reading import one_of


class AskReplacements(Asked, kw_only=True):
    """16 Who of a formation may receive a replacement step."""

    formation: str = ""
    """A corps or an army; in heavy mud a front, or nothing for all German infantry (18.34)."""


class AskVictory(Asked, kw_only=True):
    """17 The Soviet VPs, and what they mean at the end of this game-turn."""

    scenario: str = ""


# --- 16 --------------------------------------------------------------------------------------------------------------

IN_MUD = 2
"""18.34 Infantry only: the first two priorities."""


def replacements(g: Board, q: AskReplacements) -> dict[str, Any]:
    """The units of the first priority that has any, and why the others get nothing."""
    mud = is_heavy_mud(g)
    units = _of_formation(g, q.formation, mud)
    most = IN_MUD if mud else 4
    found = candidates(g, units, most=most)
    answer: dict[str, Any] = {"formation": q.formation, "rule": "18.34" if mud else "16.1"}
    early = _why_too_early(g, units)
    if early is not None:
        return {**answer, "units": [], "refusal": early.as_json()}
    answer["units"] = [g.id(u) for u in found]
    if found:
        answer["priority"] = priority(g, found[0])
        if g.forces.side[found[0]] == SOVIET:
            chosen = soviet_choice(g, units, most=most)
            answer["chosen"] = g.id(chosen) if chosen is not None else ""
    answer["others"] = {g.id(u): _why_not(g, u, most).as_json() for u in units if u not in found}
    return answer


def _of_formation(g: Board, name: str, mud: bool) -> list[Unit]:
    if mud and not name:
        return list(g.forces.of_side(GERMAN))
    if mud and name in FRONTS:
        return list(g.forces.in_higher(name))
    known = FRONTS if mud else tuple(FORMATIONS)
    if name not in known:
        wanted = "a front, or nothing for the Germans" if mud else "a corps or an army"
        raise BadInput(f"name {wanted}: {', '.join(known)}", "$.formation")
    return list(g.forces.in_formation(name))


def _why_too_early(g: Board, units: list[Unit]) -> Refusal | None:
    """16.0 Why the side receives no replacements yet."""
    if not units:
        return None
    side = g.forces.side[units[0]]
    c = g.charts.constants
    first = c.german_replacements_from if side == GERMAN else c.soviet_replacements_from
    if g.turn >= first:
        return None
    return Refusal("16.0", f"{SIDES[side].capitalize()} units receive replacements from game-turn {first} on")


def _why_not(g: Board, u: Unit, most: int) -> Refusal:
    refusal = why_not_replace(g, u)
    if refusal is not None:
        return refusal
    if priority(g, u) > most:
        return Refusal("18.34", f"{g.name(u)} is mechanized")
    return Refusal("16.1", "units of an earlier priority come first")


# --- 17, 18 ----------------------------------------------------------------------------------------------------------


def victory(g: Board, q: AskVictory) -> dict[str, Any]:
    """The VPs hex by hex; with a scenario the level the game would end with now, if it would."""
    found: dict[str, Any] = {"vp": g.vp, "held": _held(g).as_json(), "rule": "17.1"}
    found["kharkov"] = SIDES[SOVIET if is_kharkov_soviet(g) else GERMAN]
    if not q.scenario:
        return found
    one_of(g.charts.pack.scenarios(), q.scenario, "scenario", "$.scenario")
    return {**found, "scenario": q.scenario, **_stands(g, read_scenario(g.charts.pack, q.scenario))}


def _held(g: Board) -> Breakdown:
    """17.1 What the Soviets have VPs for."""
    b = Breakdown("held by the Soviets")
    for h in members(g.towns_of(SOVIET)):
        b.add(g.ground.name(h), g.ground.vp_value(h), "17.1")
    for h in members(g.ground.edge_vps):
        if g.has_mark(h, EDGE_HELD):
            b.add(f"map edge {g.hex_name(h)}", g.ground.vp_value(h), "17.1")
    return b


def _stands(g: Board, scenario: Scenario) -> dict[str, Any]:
    """18 At once, by the conditions of an early loss; else at the end of this game-turn."""
    x = g.copy()
    x.scenario, x.stack = scenario, []
    space = g.charts.calendar[g.turn]
    found: dict[str, Any] = {"level": "", "winner": None, "when": ""}
    if scenario.calendar_victory:
        found |= {"defeat_above": space.defeat_above, "victory_below": space.victory_below}
    check_early_loss(x)
    early = bool(x.track("result"))
    if not early and g.turn <= scenario.last_turn:
        check_turn(x)
    end = outcome(x) if x.track("result") else None
    if end is None:
        return {**found, "why": _why_undecided(g, scenario).as_json()}
    found |= {"level": end.level, "winner": None if end.winner is None else SIDES[end.winner]}
    found["when"] = "at once" if early else "at the end of this game-turn"
    reason = "early German loss" if early else f"{g.vp} VPs at the end of game-turn {g.turn}"
    return {**found, "why": Refusal(_rule(scenario), reason).as_json()}


def _rule(scenario: Scenario) -> str:
    return "18.35" if scenario.calendar_victory else scenario.rule


def _why_undecided(g: Board, scenario: Scenario) -> Refusal:
    if g.turn > scenario.last_turn:
        return Refusal(_rule(scenario), f"the scenario ends with game-turn {scenario.last_turn}")
    if is_heavy_mud(g):
        return Refusal("18.34", "there is no victory check in heavy mud")
    if not scenario.calendar_victory:
        return Refusal(_rule(scenario), f"victory is determined at the end of game-turn {scenario.last_turn}")
    space = g.charts.calendar[g.turn]
    if space.defeat_above is None or space.victory_below is None:
        return Refusal("18.35", "the calendar has no victory levels for this game-turn")
    if g.vp < space.victory_below:
        return Refusal("18.35", "the VPs are those of a German victory, but Kharkov is Soviet-owned")
    return Refusal("18.35", f"{g.vp} VPs are from {space.victory_below} to {space.defeat_above}: the game goes on")


POINT_QUESTIONS = {
    "replacements": Answerer(AskReplacements, replacements, "who of a formation may receive a replacement step"),
    "victory": Answerer(AskVictory, victory, "the Soviet VPs, and how the game would end now"),
}
