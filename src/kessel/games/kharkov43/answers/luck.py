"""What throws of the dice mean: for the luck of a game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kessel.core.board import Event
from kessel.core.procedure import Action
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.chits import Examined, examine, in_cup, most_draws, situations
from kessel.games.kharkov43.combat.combat_german import GermanCombat
from kessel.games.kharkov43.combat.combat_soviet import SovietCombat
from kessel.games.kharkov43.combat.results.hold import STAND
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.data.situations import hits_said
from kessel.wargame.luck import Counted, Fall, Falls, Reader, Throw, check, fight, together


def chit(g: Board, throw: Throw, action: Action | None) -> tuple[Falls, Fall]:
    """12.41, 12.42 One chit out of the cup: each that is in it is as likely as any other."""
    b = g.stack[-1]
    assert isinstance(b, GermanCombat | SovietCombat)
    if isinstance(b, SovietCombat):
        draws = most_draws(g, b)
    else:
        draws = b.required + (action[1] if action is not None and action[0] == "draw" else 0)
    s = situations(g, b, draws)
    place = g.hex_name(b.target)

    def fall(one: Examined) -> Fall:
        a, d = one.hits
        return fight(b.side, hits_said(str(one.hits)), a, d, about=f"attack on {place}", place=place)

    cup = in_cup(g)
    falls = [fall(examine(g.charts.chits[i], s, b.side)) for i in cup]
    return together((Fraction(1, len(cup)), f) for f in falls), falls[throw.dice[0].value - 1]


def hold(g: Board, event: Event) -> Fall:
    """12.53 Whether the Soviet defenders stand."""
    return check(SOVIET, str(event["what"]).endswith(STAND), "hold check")


def advance(g: Board, event: Event) -> Fall:
    """12.83 Whether a Soviet unit advances."""
    good = "does not advance" not in str(event["what"])
    return check(SOVIET, good, f"advance to {event['what'].partition(' to ')[2].partition(':')[0]}")


LUCK: Mapping[str, Reader | Counted] = {
    "12.41": Counted(chit),
    "12.42": Counted(chit),
    "12.53c": hold,
    "12.83": advance,
}
