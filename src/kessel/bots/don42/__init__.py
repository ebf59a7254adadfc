"""Strike of the Heron: players that look one decision ahead, and one that knows what its side must do.

`plans` says what is worth going for, `moves` where units go, `fights` which attacks are good and how to take results;
`commander` has the corridor to the Volga (`corridor`), the Soviet HQs (`staff`), `garrisons`, the `roads` home, guns
(`barrage`) and the last blow of scenario 2 (`waiting`) besides.
"""

from __future__ import annotations

from kessel.bots.don42.commander import Commander
from kessel.bots.don42.domain import DOMAIN
from kessel.bots.don42.greedy import Greedy
from kessel.bots.don42.massed import Massed
from kessel.bots.don42.tactics import FIGHTS
from kessel.bots.levels import Level, Recruit, usual_levels
from kessel.bots.weights import Changes

VETERAN = (
    "Plays like elite with one handicap: one time in six it breaks off its attacks before the next one. For whoever "
    "beats regular."
)
ELITE = (
    "Knows what its side must do: as the Germans it opens a corridor to the Volga and keeps it open and guards places "
    "and roads behind its front, as the Soviets it leads its Armies so that the Tank Corps can act too and relieves "
    "worn garrisons, and on the last turn it saves nothing."
)
BREAKS_OFF = 1 / 6
"""How often a veteran ends its attacks instead of making the next one."""


def veteran(seed: int = 0, changes: Changes | None = None) -> Recruit:
    return Recruit(Commander(seed, changes), seed, BREAKS_OFF)


PLAYERS = usual_levels(Greedy, blind={"risk": 0.0, "hold": 0, "screen": 0.3}, domain=DOMAIN, fights=FIGHTS) | {
    "veteran": Level(veteran, VETERAN, offered=False),
    "elite": Level(Commander, ELITE),
    "massed": Level(Massed, "Plans its attacks before it moves. On trial in the arena.", offered=False),
}
"""The programs by level."""
