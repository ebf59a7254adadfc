"""What throws of the dice mean: for the luck of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from kessel.core.board import Event
from kessel.core.procedure import Action
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.attack import Attack, counted
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.data.charts import Hits
from kessel.games.bug41.data.forces import GERMAN, SIDES
from kessel.games.bug41.turn.activation import Activation
from kessel.wargame.luck import Counted, Fall, Falls, Reader, Throw, fight, lost_steps, side_of


def combat(g: Board, throw: Throw, action: Action | None) -> tuple[Falls, Fall]:
    """PA-CS.G Two chits and the die: all pairs and faces are counted out."""
    p = g.stack[-1]
    assert isinstance(p, Attack)
    assert throw.event is not None
    place = g.hex_name(p.target)

    def fall(hits: Hits) -> Fall:
        own, enemy = hits
        said = f"{counted(own)} on the attacker, {counted(enemy)} on the defender"
        return fight(p.side, said, own, enemy, about=f"attack on {place}", place=place)

    found = odds_of(g, p.formation, p.kind, p.target, p.units)
    return [(chance, fall(hits)) for hits, chance in found.hits.items()], fall(Hits(*throw.event["hits"]))


def points(g: Board, event: Event) -> Fall | None:
    """RX-6.2, RX-6.4.3 The Action Points of an activation; three are worth a step."""
    p, found = g.stack[-1], re.search(r"(\d+) AP$", str(event["what"]))
    if not isinstance(p, Activation) or found is None:
        return None
    about = f"points of {g.forces.commands[p.formation]}"
    return Fall(p.side, f"{found[1]} Action Points", Fraction(int(found[1]), 3), about=about)


def initiative(g: Board, event: Event) -> Fall:
    """RX-6.1 Who goes next; a tie is rolled again."""
    for side, worth in zip(SIDES, (Fraction(1, 2), Fraction(0)), strict=True):
        if f"the {side.capitalize()} has it" in str(event["what"]):
            return Fall(GERMAN, f"the {side.capitalize()}s have it", worth, about="initiative")
    return Fall(GERMAN, "a tie, rolled again", Fraction(1, 4), about="initiative")


def attrition(g: Board, event: Event) -> Fall | None:
    """PA-attrition.1 What a unit loses out of command; not more than it has."""
    found = re.fullmatch(r"attrition of (\S+): (\d+)-(\d+)([+-]\d+)?", str(event["what"]))
    if found is None:
        return None
    u = g.forces.unit(found[1])
    lost = min(g.steps[u], g.charts.attrition_of(int(found[2]) - int(found[3]) + int(found[4] or 0)))
    side = side_of(g, {**event, "unit": found[1]})
    return fight(side, lost_steps(lost), lost, 0, about=f"attrition of {found[1]}")


LUCK: Mapping[str, Reader | Counted] = {
    "PA-CS.G": Counted(combat),
    "RX-6.2": points,
    "RX-6.4.3": points,
    "RX-6.1": initiative,
    "PA-attrition.1": attrition,
}
