"""What throws of the dice mean: for the luck of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from kessel.core.board import Event
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.data.charts import parse_result
from kessel.wargame.board import other
from kessel.wargame.luck import HALF, Fall, Reader, check, fight, side_of


def combat(g: Board, event: Event) -> Fall | None:
    """12.12 Both dice: steps, disorganization and retreats of both sides, and what armor hits."""
    p = g.stack[-1]
    if not isinstance(p, Combat) or "dice" not in event:
        return None
    r = parse_result(str(event["result"]))
    own, enemy = r.attacker.steps + bool(p.victims), r.defender.steps + bool(p.aims)
    more = HALF * bool(r.defender.retreat) - HALF * bool(r.attacker.retreat)
    more += HALF / 2 * (r.defender.disorganized - r.attacker.disorganized)
    armor = "".join(f", armor hits the {who}" for who, hit in (("defender", p.aims), ("attacker", p.victims)) if hit)
    place = str(event["place"])
    return fight(p.side, f"{r.said}{armor}", own, enemy, more=more, about=f"attack on {place}", place=place)


def artillery(g: Board, event: Event) -> Fall | None:
    """12.10.2 The shifts of a side's guns."""
    p, found = g.stack[-1], re.search(r"artillery of the (\w+): .*, (\d+) shifts?", str(event["what"]))
    if not isinstance(p, Combat) or found is None:
        return None
    side = p.side if found[1] == "attacker" else other(p.side)
    about = f"artillery at {g.hex_name(p.targets[0])}"
    return Fall(side, "1 shift" if found[2] == "1" else f"{found[2]} shifts", Fraction(int(found[2]), 2), about=about)


def stand(g: Board, event: Event) -> Fall | None:
    """12.14.2 Those who stand cost the attackers a step, if the die is low enough."""
    found = re.fullmatch(r"die (\d+) against (\d+) infantry steps", str(event["what"]))
    p = g.stack[-1]
    if found is None:
        return None
    hit, place = int(found[1]) <= int(found[2]), g.hex_name(p.stood)  # type: ignore[attr-defined]
    about = f"stand at {place}"
    side: int = p.enemy  # type: ignore[attr-defined]
    return fight(side, "the attacker loses a step" if hit else "nothing", 0, int(hit), about=about, place=place)


def shot(g: Board, event: Event) -> Fall:
    """9.11 Armor that fires at armor."""
    hit = str(event["what"]).endswith("hits")
    about = f"{event['unit']} at {event['target']}"
    return fight(side_of(g, event), "hit" if hit else "missed", 0, int(hit), about=about)


def release(g: Board, event: Event) -> Fall | None:
    """22.1 Whether a corps may leave its place."""
    found = re.search(r"(\w+): release roll (-?\d+) .*, (\d+) is needed", str(event["what"]))
    return check(0, int(found[2]) >= int(found[3]), f"release of {found[1]}") if found else None


LUCK: Mapping[str, Reader] = {
    "12.12": combat,
    "12.10.2": artillery,
    "12.14.2": stand,
    "9.11": shot,
    "22.1": release,
}
