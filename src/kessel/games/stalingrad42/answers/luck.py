"""What throws of the dice mean: for the luck of a game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kessel.core.board import Event
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.battle import battle
from kessel.games.stalingrad42.combat.crt import outcome
from kessel.wargame.luck import HALF, Fall, Reader, check, fight, lost_steps, side_of


def combat(g: Board, event: Event) -> Fall:
    """10.1 The die on the Combat Results Table; a retreat is worth half a step."""
    b = battle(g)
    r = b.result(g)
    place = g.hex_name(b.target)
    more = HALF if r.retreat else Fraction(0)
    about = f"attack on {place}"
    return fight(
        b.attacker, r.said or "no effect", r.attacker_loss, r.defender_loss, more=more, about=about, place=place
    )


def defense(g: Board, event: Event) -> Fall:
    """11.4.1 Determined Defense: whether the hex is held, or at least delays; and who loses steps."""
    p, r = g.stack[-1], outcome(str(event["result"]))
    more = {"S": HALF, "P": HALF / 2}.get(r.code, Fraction(0))
    place = g.hex_name(battle(g).target)
    about = f"defense of {place}"
    return fight(p.side, r.said, r.defender_loss, r.attacker_loss, more=more, about=about, place=place)  # type: ignore[attr-defined]


def disengagement(g: Board, event: Event) -> Fall:
    """27.2 No, yes, or yes at the cost of a step."""
    names, _, word = str(event["what"]).partition(" roll ")
    said, lost = word.rpartition(": ")[2], int(event["lost"])
    worth = (HALF if said != "no" else Fraction(0)) - lost
    return Fall(side_of(g, event), f"{said}, a step lost" if lost else said, worth, about=f"disengagement of {names}")


def rally(g: Board, event: Event) -> Fall:
    """13.5 Whether the unit recovers."""
    table = g.charts.table("rally")
    good = table.at(table.clamp_row(event["die"] + event["modifier"]), "result") == "recover"
    return check(side_of(g, event), good, f"rally of {event['unit']}")


def attrition(g: Board, event: Event) -> Fall:
    """16.5.3 What isolation costs."""
    side, lost = side_of(g, event), int(event["lost"])
    return fight(side, lost_steps(lost), lost, 0, about=f"attrition of {event['unit']}")


LUCK: Mapping[str, Reader] = {
    "10.1": combat,
    "11.4.1": defense,
    "27.2": disengagement,
    "13.5": rally,
    "16.5.3": attrition,
}
