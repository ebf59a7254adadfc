"""Strike of the Heron: a player that looks one decision ahead.

`plans` says what is worth going for, `moves` where units go, `fights` which attacks are good and how to take results.
"""

from __future__ import annotations

from kessel.bots.don42.domain import DOMAIN
from kessel.bots.don42.greedy import Greedy
from kessel.bots.don42.massed import Massed
from kessel.bots.don42.tactics import FIGHTS
from kessel.bots.levels import Level, usual_levels

PLAYERS = {
    **usual_levels(Greedy, blind={"risk": 0.0, "hold": 0, "screen": 0.3}, domain=DOMAIN, fights=FIGHTS),
    "massed": Level(Massed, "Plans its attacks before it moves. On trial in the arena.", offered=False),
}
"""The programs by level."""
