"""What throws of the dice mean: for the luck of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from kessel.core.board import Event
from kessel.games.don42.board import Board
from kessel.games.don42.combat.air import effects
from kessel.games.don42.combat.results import MEANINGS
from kessel.games.don42.data.charts import ADPT, ADRG, AE1, BRE, DE1, DRTD, NE
from kessel.games.don42.data.forces import SIDES, SOVIET
from kessel.wargame.luck import HALF, Fall, Reader, check, fight, side_of

WORTH = {AE1: Fraction(0), ADPT: -HALF, ADRG: -HALF / 2, NE: Fraction(0), BRE: Fraction(0), DE1: Fraction(0)}
"""What a result is worth to the attacker besides the units that are eliminated; the others throw the defenders back."""
DISORDER = {"NE": Fraction(0), "DRG": HALF / 2, "DPT": HALF, "RTD": HALF + HALF / 2}


def combat(g: Board, event: Event) -> Fall:
    """12.6 The die on the Combat table: AE1 and DE1 eliminate a unit, the rest disorders or throws back."""
    p, code = g.stack[-1], str(event["result"])
    more = WORTH.get(code, DISORDER["RTD"] if code == DRTD else HALF)
    place = g.hex_name(p.target)  # type: ignore[attr-defined]
    about = f"attack on {place}"
    side: int = p.side  # type: ignore[attr-defined]
    return fight(side, MEANINGS[code][0], int(code == AE1), int(code == DE1), more=more, about=about, place=place)


def bombardment(g: Board, event: Event) -> Fall | None:
    """7.3.2, 11.1 How the units under fire are disordered."""
    if "result" not in event:
        return None
    code, p = str(event["result"]), g.stack[-1]
    target = getattr(p, "target", -1)
    about = f"bombardment of {g.hex_name(target)}" if target >= 0 else "bombardment"
    return Fall(side_of(g, event), effects(code), DISORDER[code.rstrip("*")], about=about)


def activation(g: Board, event: Event) -> Fall | None:
    """9.3 Two dice against what the line of supply asks for."""
    found = re.search(r"needs (-?\d+)\+, rolled (-?\d+)", str(event["what"]))
    if found is None:
        return None
    return check(SOVIET, int(found[2]) >= int(found[1]), f"activation of {event['army']}", worth=Fraction(1))


def subunits(g: Board, event: Event) -> Fall | None:
    """17.2.2 Whether a part of an Army wakes up."""
    found = re.search(r"(.+): die (\d+), activates on 1-(\d+)", str(event["what"]))
    return check(SOVIET, int(found[2]) <= int(found[3]), f"activation of {found[1]}") if found else None


def rout(g: Board, event: Event) -> Fall:
    """13.5.1 Whether a German unit keeps its nerve."""
    good = not str(event["what"]).endswith("RTD")
    return check(side_of(g, event), good, f"nerve of {event['unit']}")


def initiative(g: Board, event: Event) -> Fall | None:
    """7.1 Who has the sky."""
    if "side" not in event:
        return None
    has = SIDES.index(str(event["side"]))
    return Fall(0, f"the {event['side'].capitalize()}s have it", Fraction(1 - has), about="air initiative")


LUCK: Mapping[str, Reader] = {
    "12.6": combat,
    "7.3.2": bombardment,
    "11.1": bombardment,
    "9.3": activation,
    "17.2.2": subunits,
    "13.5.1": rout,
    "7.1": initiative,
}
