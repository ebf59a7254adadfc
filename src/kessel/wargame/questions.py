"""The questions every game answers: moves, zoc, supply, stacking, attack, legal, victory.

A game passes the functions of its rules (`Answers`); forms, names, refusals and the shape of the answers are the same
everywhere. A game with more to say adds to an answer, or gives a question of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kessel.core.action import Notation
from kessel.core.board import Board
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.errors import BadInput
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.paths import Reach
from kessel.core.procedure import Action, asked, options, push, question, run, why_not
from kessel.core.title import Answerer, Asked
from kessel.wargame.points import shown
from kessel.wargame.reading import (
    at_path,
    hex_names,
    judged,
    named_hex,
    named_sides,
    named_unit,
    named_units,
    no,
    one_side,
)


class AskMoves(Asked, kw_only=True):
    """Where a unit can move, with cost and path, or why it can't move to a hex."""

    unit: str
    to: str = ""


class AskZoc(Asked, kw_only=True):
    """The zones of control of a side, or of both."""

    side: str = ""


class AskSupply(Asked, kw_only=True):
    """The supply of a unit; of every unit when none is named."""

    unit: str = ""
    side: str = ""


class AskStacking(Asked, kw_only=True):
    """Whether the units of a hex, with others that join, keep the limits."""

    hex: str
    units: tuple[str, ...] = ()


class AskAttack(Asked, kw_only=True):
    """Strengths, odds and chances of an attack."""

    target: str
    units: tuple[str, ...]


class AskLegal(Asked, kw_only=True):
    """The legal actions at the position's phase, or why one is not; `after` names actions to carry out first."""

    action: str = ""
    after: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    """How the dice fall while they are carried out; left out: as they like."""


class AskVictory(Asked, kw_only=True):
    """How the game stands."""


# --- parts of answers ------------------------------------------------------------------------------------------------


def way(g: Board, reached: Reach, h: Hex, point: int) -> dict[str, Any]:
    """The cheapest way to a hex."""
    path = [g.hex_name(x) for x in reached.path(h)]
    return {"cost": shown(reached.cost[h], point), "path": path, "stops": reached.stops(h)}


def ends_of(
    g: Board, hexes: Iterable[Hex], reached: Reach, why_not_end: Callable[[Hex], Refusal | None], point: int
) -> dict[str, Any]:
    """The hexes a move may end in, and those it can only pass, with the reason."""
    ends, passed = {}, {}
    for h in hexes:
        if refusal := why_not_end(h):
            passed[g.hex_name(h)] = {"cost": shown(reached.cost[h], point), "refusal": refusal.as_json()}
        else:
            ends[g.hex_name(h)] = way(g, reached, h, point)
    return {"reach": ends, "passed_only": passed}


def parsed(g: Board, notation: Notation, text: str, where: str) -> Action:
    return at_path(where, notation.parse, g, text)


def played(g: Board, notation: Notation, after: Sequence[str], dice: Sequence[int]) -> Board:
    """The position after some actions, on a copy that tells what happens."""
    h = g.copy()
    h.events = []
    if not all(die >= 1 for die in dice):
        raise BadInput("a die shows 1 or more", "$.dice")
    if dice:
        h.dice = Scripted(dice)
    _rolling(run, h)
    for i, text in enumerate(after):
        action = parsed(h, notation, text, f"$.after[{i}]")
        if refusal := why_not(h, action):
            raise BadInput(f"{text} is not legal: {refusal}", f"$.after[{i}]")
        _rolling(push, h, action)
    return h


def _rolling(do: Callable[..., None], *args: Any) -> None:
    """Go on with the dice given; what is wrong with them is refused with their path."""
    try:
        do(*args)
    except NeedRoll:
        raise BadInput("more dice are rolled than are given", "$.dice") from None
    except BadInput as e:
        raise BadInput(e.message, "$.dice") from None


def told(g: Board) -> list[dict[str, str]]:
    """What happened meanwhile, with its rules."""
    return [{"what": e["what"], "rule": e["rule"]} for e in g.events or ()]


# --- the standard answers --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answers:
    """The rules of a game as its standard answers need them. `point` is the number of parts in a movement point."""

    sides: Sequence[str]
    notation: Notation
    point: int
    why_not_move: Callable[[Any, Unit], Refusal | None]
    allowance: Callable[[Any, Unit], Breakdown]
    reach: Callable[[Any, Unit], Reach]
    why_not_end: Callable[[Any, Unit, Hex], Refusal | None]
    zone: Callable[[Any, Side], Bits]
    zone_rule: str
    supply: Callable[[Any, Unit], dict[str, Any]]
    why_not_stack: Callable[[Any, Side, Hex, Sequence[Unit]], Refusal | None]
    victory: Callable[[Any], dict[str, Any]]

    def moves(self, g: Board, q: AskMoves) -> dict[str, Any]:
        u = named_unit(g, q.unit)
        found: dict[str, Any] = {"unit": q.unit, "from": g.hex_name(g.place[u])}
        if stays := self.why_not_move(g, u):
            return {**found, **({"to": q.to} if q.to else {"reach": {}}), **no(stays)}
        found["allowance"] = self.allowance(g, u).as_json()
        reached = self.reach(g, u)
        if q.to:
            h = named_hex(g, q.to, "$.to")
            refusal = self.why_not_end(g, u, h)
            return {
                **found,
                "to": q.to,
                **(no(refusal) if refusal else {"legal": True, **way(g, reached, h, self.point)}),
            }
        nearest = sorted(members(reached.hexes), key=lambda h: reached.cost[h])
        return {**found, **ends_of(g, nearest, reached, lambda h: self.why_not_end(g, u, h), self.point)}

    def zones(self, g: Board, q: AskZoc) -> dict[str, Any]:
        wanted = named_sides(self.sides, q.side)
        by = {self.sides[s]: {"hexes": hex_names(g, self.zone(g, s))} for s in wanted}
        return {"rule": self.zone_rule, **by}

    def supplied(self, g: Board, q: AskSupply) -> dict[str, Any]:
        if q.unit:
            u = named_unit(g, q.unit)
            return {"unit": q.unit, **self.supply(g, u)}
        wanted = named_sides(self.sides, q.side)
        units = [u for u in range(len(g.forces)) if g.on_map(u) and g.forces.side[u] in wanted]
        return {"units": {g.id(u): self.supply(g, u) for u in units}}

    def stack(self, g: Board, q: AskStacking) -> dict[str, Any]:
        h = named_hex(g, q.hex)
        joining = [u for u in named_units(g, q.units, "$.units", on_map=False) if g.place[u] != h]
        units = [*g.units(h), *joining]
        found: dict[str, Any] = {"hex": q.hex, "units": [g.id(u) for u in sorted(units)]}
        if not units:
            return {**found, "legal": True}
        return {**found, **judged(self.why_not_stack(g, one_side(g, units, "$.units", "the units"), h, joining))}

    def legal(self, g: Board, q: AskLegal) -> dict[str, Any]:
        h = played(g, self.notation, q.after, q.dice)
        here = question(h)
        found: dict[str, Any] = {"side": self.sides[asked(h)] if here else None, "rule": here[1].rule if here else ""}
        if q.after or q.dice:
            found["told"] = told(h)
        if q.action:
            action = parsed(h, self.notation, q.action, "$.action")
            refusal = why_not(h, action) if here else Refusal("", "nothing is to be decided in this position")
            return {**found, "action": q.action, **judged(refusal)}
        prompt = options(h).prompt if here else ""
        return {**found, "prompt": prompt, "actions": [self.notation.text(h, a) for a in options(h)]}

    def stands(self, g: Board, q: AskVictory) -> dict[str, Any]:
        return self.victory(g)

    def questions(self) -> Mapping[str, Answerer]:
        """All of them, for `Title.questions`; a game puts its own beside or over them."""
        return {
            "moves": Answerer(AskMoves, self.moves, "where a unit can move, at what cost, or which rule forbids it"),
            "zoc": Answerer(AskZoc, self.zones, "zones of control"),
            "supply": Answerer(AskSupply, self.supplied, "whether units are in supply, and by which line"),
            "stacking": Answerer(AskStacking, self.stack, "whether units may stack in a hex"),
            "legal": Answerer(AskLegal, self.legal, "the legal actions now, or why one is not"),
            "victory": Answerer(AskVictory, self.stands, "how the game stands"),
        }
