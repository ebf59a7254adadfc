"""Questions about German commands: `activate`, whom a card activates (5.2, 6), and `deploy`, where reserves go (7)."""

from __future__ import annotations

from typing import Any, Literal

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX, Bits
from kessel.core.hexset import bits
from kessel.core.title import Answerer, Asked
from kessel.games.kharkov43.answers.names import named_card
from kessel.games.kharkov43.board import RESERVE, Board
from kessel.games.kharkov43.data.cards import Card
from kessel.games.kharkov43.data.forces import CORPS, FORMATIONS, GERMAN
from kessel.games.kharkov43.turn.german_activation import (
    corps_units,
    kampfgruppe_at,
    named_corps,
    why_not_again,
    why_not_corps,
    why_not_one_unit,
)
from kessel.games.kharkov43.turn.german_cards import printed_line
from kessel.games.kharkov43.turn.german_reserves import mates, strategic_hexes, tactical_ends, why_not_deploy, with_room
from kessel.games.kharkov43.turn.ground_conditions import why_not_in_mud
from kessel.wargame.reading import hex_names, named_hex, named_unit, no, one_of


class AskActivate(Asked, kw_only=True):
    """Whom a German card activates."""

    card: str
    command: Literal["activate", "kampfgruppe", "one_unit"] = "activate"
    corps: str = ""
    """Which corps, where the card leaves the choice."""
    hex: str = ""
    """6.2 Where the KG marker is placed."""
    unit: str = ""
    """6.1 The one unit."""


class AskDeploy(Asked, kw_only=True):
    """Where a German reserve unit may be placed now."""

    unit: str
    hex: str = ""


# --- 5.2, 6.1-6.3 ----------------------------------------------------------------------------------------------------


def activate(g: Board, q: AskActivate) -> dict[str, Any]:
    card = named_card(g, q.card, GERMAN)
    found: dict[str, Any] = {"card": card.id, "command": q.command}
    if still := why_not_in_mud(g):
        return found | no(still)
    if q.command == "one_unit":
        return found | _one_unit(g, card, q.unit)
    line = printed_line(card, "activate_corps" if q.command == "activate" else "kampfgruppe", g.turn)
    if line is None:
        what = "a corps" if q.command == "activate" else "a Kampfgruppe"
        return found | no(Refusal("5.2", f"{card.name} does not activate {what}"))
    if q.command == "activate":
        return found | _corps(g, card, q.corps)
    return found | _kampfgruppe(g, card, q.hex, line.hexes)


def _one_unit(g: Board, card: Card, name: str) -> dict[str, Any]:
    if not name:
        raise BadInput("name the unit", "$.unit")
    u = named_unit(g, name)
    if refusal := why_not_one_unit(g, card, u):
        return {"unit": name, **no(refusal)}
    return {"unit": name, "legal": True, "units": [name], "may_attack": False, "rule": "6.1"}


def _corps(g: Board, card: Card, corps: str) -> dict[str, Any]:
    if corps:
        one_of(CORPS, corps, "corps", "$.corps")
    named = named_corps(card)
    if not corps and len(named) > 1:
        raise BadInput(f"{card.id} leaves the choice; say which corps: {', '.join(named)}", "$.corps")
    corps = corps or named[0]
    if refusal := why_not_corps(g, card, corps):
        return {"corps": corps, **no(refusal)}
    return {"corps": corps, "legal": True, "units": [g.id(u) for u in corps_units(g, corps)], "rule": "5.2"}


def _kampfgruppe(g: Board, card: Card, name: str, hexes: int) -> dict[str, Any]:
    if not name:
        raise BadInput("say where the KG marker is placed", "$.hex")
    h = named_hex(g, name)
    units = kampfgruppe_at(g, card, h, hexes)
    found: dict[str, Any] = {"hex": name, "range": hexes}
    if not units:
        return found | no(Refusal("6.2", f"no unit the card may activate is within {hexes} hexes of {name}"))
    left_out = {}
    for u in g.on_map_of(GERMAN):
        if u not in units and g.map.grid.distance(h, g.place[u]) <= hexes:
            corps = g.forces.formation[u]
            barred = why_not_again(g, corps, card) if corps in named_corps(card) else None
            left_out[g.id(u)] = (barred or Refusal("5.2", f"{card.name} does not command {corps}")).as_json()
    return {**found, "legal": True, "units": [g.id(u) for u in units], "left_out": left_out, "rule": "6.2"}


# --- 7.1 -------------------------------------------------------------------------------------------------------------


def deploy(g: Board, q: AskDeploy) -> dict[str, Any]:
    u = named_unit(g, q.unit, on_map=False)
    if g.forces.side[u] != GERMAN:
        raise BadInput(f"{q.unit} is not a German unit", "$.unit")
    h = named_hex(g, q.hex) if q.hex else NO_HEX
    if g.box[u] != RESERVE:
        none: dict[str, Any] = {"hex": q.hex} if q.hex else {"tactical": [], "strategic": []}
        refusal = Refusal("7.0", f"{q.unit} is not in the Reserve Units box")
        return {"unit": q.unit, "rule": "7.1", **none, **no(refusal)}
    near = bits(tactical_ends(g, u))
    far: Bits = bits(with_room(g, u, strategic_hexes(g, u)))
    found: dict[str, Any] = {"unit": q.unit, "area": FORMATIONS[g.forces.formation[u]].area, "rule": "7.1"}
    if q.hex:
        if why := why_not_deploy(g, u, h):
            return {**found, "hex": q.hex, **no(why)}
        ways = [way for way, s in (("tactical", near), ("strategic", far)) if s >> h & 1]
        return {**found, "hex": q.hex, "legal": True, "ways": ways}
    found |= {"tactical": hex_names(g, near), "strategic": hex_names(g, far)}
    if near:
        found["near"] = "units of its corps" if near & mates(g, u) else "units of its army"
    return found


GERMAN_QUESTIONS = {
    "activate": Answerer(AskActivate, activate, "whom a German card activates, or why it can't"),
    "deploy": Answerer(AskDeploy, deploy, "where a German reserve unit may be placed"),
}
