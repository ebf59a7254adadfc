"""What The Ford gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from kessel_ford import rules
from kessel_ford.board import BLUE, POINT, SIDES, STATUS, Board, Charts

from kessel.core.action import Notation
from kessel.core.analysis import board_of
from kessel.core.board import NOWHERE
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.title import Answerer
from kessel.core.view import Piece, SideView, Track
from kessel.wargame.odds import by_dice, chances
from kessel.wargame.overlays import layer, owners
from kessel.wargame.positions import PositionDoc, UnitDoc, begin, set_statuses
from kessel.wargame.questions import Answers, AskAttack
from kessel.wargame.reading import at_path, named_hex, named_unit, named_units, no
from kessel.wargame.title import Gives, WargameTitle
from kessel.wargame.views import pieces, status_words

NOTATION = Notation(["move {unit} {hex}", "attack {hex}", "with {unit}", "roll", "retreat {hex}", "advance {unit}"])
PHASES = {
    f"{side}_{word}": (s, lambda s=s, phase=phase: [rules.Play(at=1 + (phase is rules.Combat)), phase(s)])
    for s, side in enumerate(SIDES)
    for word, phase in (("movement", rules.Movement), ("combat", rules.Combat))
}


class FordPosition(PositionDoc, kw_only=True):
    turn: int = 1
    units: list[UnitDoc] = msgspec.field(default_factory=list)


def attack(g: Board, q: AskAttack) -> dict[str, Any]:
    target, units = named_hex(g, q.target, "$.target"), named_units(g, q.units, "$.units")
    side = g.forces.side[units[0]] if units else BLUE
    for u in units:
        if why := rules.why_not_attack_with(g, u, side, target) or rules.why_not_attack(g, side, target):
            return no(why)
    at, crt = rules.column(g, units, target), g.charts.crt
    strengths = (rules.strength(g, units, "attack"), rules.strength(g, g.units(target), "defence"))
    found = by_dice(lambda die: crt.at(die, at), 6)
    return {"legal": True, **{s.name: s.as_json() for s in strengths}, "column": at, "chances": chances(found)}


def victory(g: Board) -> dict[str, Any]:
    held = rules.holder(g)
    return {"town": g.scenario["town"], "holder": None if held is None else SIDES[held], "rule": "10"}


PHRASES = {"with": "Add to the attack:", "roll": "Roll the die"}
QUESTIONS = {
    **Answers(
        *(SIDES, NOTATION, POINT, rules.why_not_move, rules.allowance, rules.reach_of, rules.why_not_end),
        *(rules.zone_of, "3", rules.supply, rules.why_not_stack, victory),
    ).questions(),
    "attack": Answerer(AskAttack, attack, "odds and chances of an attack"),
}


def new(pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
    doc = pack.toml(f"scenarios/{scenario}.toml")
    g = Board(pack.map, pack.once(Charts), doc, options)
    for name, h in doc["setup"].items():
        g.steps[g.forces.unit(name)] = 1
        g.move(g.forces.unit(name), g.map.grid.hex(h))
    g.set_track("turn", 1)
    g.stack = [rules.Play()]
    return g


def evaluate(g: Any, side: int) -> float:
    held = rules.holder(g)
    return float(sum(s if g.forces.side[u] == side else -s for u, s in enumerate(g.steps)) + 3 * (held == side))


def view(g: Any, side: int | None) -> SideView:
    shown = [u for u in range(len(g.forces)) if g.on_map(u)]
    return SideView(
        turn=f"Turn {g.turn}",
        phase=SIDES[g.track("phasing")],
        pieces=pieces(g, shown, lambda g, u: (g.place[u], g.status[u]), _piece),
        tracks=[Track("turn", g.turn, "", 1, rules.LAST_TURN)],
    )


def _piece(g: Any, u: int) -> Piece:
    words = status_words(g.status[u], {flag: word for word, flag in STATUS.items()})
    values = f"{g.forces.strength[u]}-{g.forces.movement[u]}"
    return Piece(g.name(u), SIDES[g.forces.side[u]], g.place_name(g.place[u]), values=values, status=words)


def overlays(g: Any, side: int | None) -> dict[str, Any]:
    town = g.map.grid.hex(g.scenario["town"])
    zones = {f"{s.capitalize()} zones": layer(g, rules.zone_of(g, i)) for i, s in enumerate(SIDES)}
    return {**zones, "Town": owners(g, [(town, rules.holder(g))], SIDES, "Who holds it wins (10).")}


def from_position(doc: FordPosition, pack: Pack) -> Board:
    charts = pack.once(Charts)
    options = charts.readings.chosen(doc.options, "$.options")
    g = Board(board_of(doc, pack), charts, pack.toml("scenarios/crossing.toml"), options)
    g.set_track("turn", doc.turn)
    for i, unit in enumerate(doc.units):
        at_path(f"$.units[{i}]", _place, g, unit)
    if doc.phase in PHASES:
        g.set_track("phasing", PHASES[doc.phase][0])
    begin(g, doc, {name: make for name, (_, make) in PHASES.items()})
    return g


def _place(g: Board, doc: UnitDoc) -> None:
    u = named_unit(g, doc.id, "$.id", on_map=False)
    g.steps[u] = 1
    g.move(u, named_hex(g, doc.at, "$.at") if doc.at else NOWHERE)
    set_statuses(g, u, doc.status, STATUS)


class Ford(WargameTitle):
    id, name, order = "ford", "The Ford", 99
    about = "Ten rules on six by six hexes."
    sides, notation, position_type = SIDES, NOTATION, FordPosition
    phrases, questions = PHRASES, QUESTIONS
    gives = Gives(
        new=new,
        outcome=rules.outcome,
        view=view,
        from_position=from_position,
        overlays=overlays,
        evaluate=evaluate,
    )


TITLE = Ford()
