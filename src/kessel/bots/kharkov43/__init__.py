"""Kharkov '43: a German player that looks one decision ahead, and one that plays each impulse on before it chooses.

`situation` says what threatens whom and which towns need troops, `moves` where units go, `fights` which attacks are
good and how to take hits, `cards` what a card is best played for; `commander` carries out orders for an impulse and
plays the last turn, `domain` says which orders are compared, `parts` and `worth` what a position is worth.
"""

from __future__ import annotations

from functools import partial

from kessel.bots.kharkov43.domain import DOMAIN
from kessel.bots.kharkov43.greedy import Greedy
from kessel.bots.levels import Level, usual_levels
from kessel.bots.search.player import SearchPlayer, Settings

ABOUT = (
    "Compares up to a dozen plays of each impulse: which card for what, and whether to attack at once, to drive on a "
    "town or to keep out of danger. Each is played on to the next impulse, the Soviets' answer included. On the last "
    "turn it saves nothing."
)
ELITE = Settings(rollouts=24, plans=12)

PLAYERS = usual_levels(Greedy, blind={"exposed": 0.0, "unsafe": 0.0, "cut_off": 0.5, "overrun": 8.0}) | {
    "elite": Level(partial(SearchPlayer, DOMAIN, ELITE), ABOUT, offered=False)
}
"""The programs by level."""
