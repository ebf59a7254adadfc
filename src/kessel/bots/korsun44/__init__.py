"""The Jaws of Victory: a player that gives each formation an objective and plans attacks before it moves.

`weights` holds its numbers and `orders` what each formation is to do, `fields` distances, `fights` the worth of
attacks, `attacks` who goes where for them, `marches` where everybody else goes, `supplies` and `battles` the questions
of those chapters, `pocket` those of the ring; `greedy` puts them together. `commander` knows what counts when the game
ends.
"""

from __future__ import annotations

from kessel.bots.korsun44.commander import ABOUT, Commander
from kessel.bots.korsun44.greedy import Greedy
from kessel.bots.levels import Level, usual_levels

PLAYERS = usual_levels(Greedy, blind={"exposed": 0.0, "needed": 0.0, "garrison": 0.3}) | {
    "elite": Level(Commander, ABOUT),
}
"""The programs by level."""
