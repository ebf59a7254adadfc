"""Stalingrad '42: a player that drives on objectives and masses for good odds.

`goals` shares the units out, `situation` says what hexes are worth, `attacks` which attacks are good, `fights` how to
take results, `special` what is rare. `commander` puts before them what counts at once (`errands`), marches through open
country (`marches`) and a screen against raids (`screens`).
"""

from __future__ import annotations

from kessel.bots.levels import Level, usual_levels
from kessel.bots.stalingrad42.commander import ABOUT, Commander
from kessel.bots.stalingrad42.domain import DOMAIN
from kessel.bots.stalingrad42.greedy import Greedy

PLAYERS = usual_levels(Greedy, blind={"danger": 0.0, "guard": 0.6}, domain=DOMAIN) | {"elite": Level(Commander, ABOUT)}
"""The programs by level. It rolls no dice of its own: the same position gets the same answer, whatever the seed."""
